//! What whole programs compute, as short programs themselves, each over any [`Algebra`]: over numbers they are what results are
//! compared with, over terms what a proof compares the machine code with.

use crate::curve::{Base, Curve};
use crate::formulas::{self, Formula, Op};
use crate::prime::PrimeField;
use crate::program::Comb;
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A field and bits that choose among its elements.
pub trait Algebra {
    /// An element.
    type Element: Clone;
    /// A bit.
    type Bit: Clone;

    /// A number as an element.
    fn element(&mut self, number: &BigUint) -> Self::Element;
    /// A small one.
    fn number(&mut self, number: u32) -> Self::Element {
        self.element(&number.into())
    }
    /// x + y.
    fn add(&mut self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// x - y.
    fn sub(&mut self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// x y.
    fn mul(&mut self, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// 1/number, and 0 for 0.
    fn inverse(&mut self, number: &BigUint) -> Self::Element;
    /// x^exponent.
    fn power(&mut self, x: &Self::Element, exponent: &BigUint) -> Self::Element;
    /// y where the bit is one, x elsewhere.
    fn chosen(&mut self, bit: &Self::Bit, x: &Self::Element, y: &Self::Element) -> Self::Element;
    /// A bit that is known.
    fn bit(&mut self, value: bool) -> Self::Bit;
    /// Whether exactly one is set.
    fn differ(&mut self, x: &Self::Bit, y: &Self::Bit) -> Self::Bit;
    /// Whether both are set.
    fn both(&mut self, x: &Self::Bit, y: &Self::Bit) -> Self::Bit;
    /// Whether one is not set.
    fn not(&mut self, x: &Self::Bit) -> Self::Bit {
        let one = self.bit(true);
        self.differ(x, &one)
    }
    /// Whether one of them is set.
    fn either(&mut self, x: &Self::Bit, y: &Self::Bit) -> Self::Bit {
        let [x, y] = [self.not(x), self.not(y)];
        let none = self.both(&x, &y);
        self.not(&none)
    }
}

/// The same with numbers that are no elements: scalars, and coordinates that may not be below the prime.
pub trait Integers: Algebra {
    /// A number with as many bits as the prime.
    type Integer;

    /// Its residue.
    fn residue(&mut self, x: &Self::Integer) -> Self::Element;
    /// Whether it is below a limit.
    fn below(&mut self, x: &Self::Integer, limit: &BigUint) -> Self::Bit;
    /// Its bits, the lowest first.
    fn bits(&mut self, x: &Self::Integer) -> Vec<Self::Bit>;
    /// Whether it is odd.
    fn is_odd(&mut self, x: &Self::Integer) -> Self::Bit;
    /// Whether it is above 0 and below n.
    fn is_key(&mut self, k: &Self::Integer, n: &BigUint) -> Self::Bit;
    /// The bits of k or n - k, whichever is odd, the lowest first, where n is odd and k below it; any bits of another k.
    fn odd(&mut self, k: &Self::Integer, n: &BigUint) -> Vec<Self::Bit>;
    /// Whether an element is 0.
    fn is_zero(&mut self, x: &Self::Element) -> Self::Bit;
}

/// A multiple of a point that somebody sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Multiple<E, B> {
    /// The coordinates, which are right where nothing is wrong.
    pub point: [E; 2],
    /// Whether the key is 0 or not below the order.
    pub wrong_key: B,
    /// Whether a coordinate is not below the prime, or the point is not on the curve.
    pub wrong_point: B,
}

/// A point: X, Y and Z.
type Point<E> = [E; 3];

/// The results of a formula for named elements.
fn applied<A: Algebra>(
    a: &mut A,
    formula: &Formula,
    given: &[(&'static str, A::Element)],
) -> BTreeMap<&'static str, A::Element> {
    let mut all: BTreeMap<&'static str, A::Element> = given.iter().cloned().collect();
    let two = BigUint::from(2u8);
    for step in &formula.steps {
        let operands: Vec<A::Element> =
            step.op.operands().into_iter().filter_map(|name| all.get(name).cloned()).collect();
        let (Some(x), Some(y)) = (operands.first(), operands.last()) else { continue };
        let result = match step.op {
            Op::Mul(..) | Op::Sqr(_) => a.mul(x, y),
            Op::Add(..) => a.add(x, y),
            Op::Sub(..) => a.sub(x, y),
            Op::Half(_) => {
                let half = a.inverse(&two);
                a.mul(x, &half)
            }
            Op::Times(number, _) => {
                let number = a.number(number);
                a.mul(x, &number)
            }
            Op::Copy(_) => x.clone(),
        };
        all.insert(step.to, result);
    }
    all
}

fn point_of<E: Clone>(all: &BTreeMap<&'static str, E>) -> Option<Point<E>> {
    let own = |name| all.get(name).cloned();
    Some([own("X")?, own("Y")?, own("Z")?])
}

/// A multiple on a curve of a prime order over GF(p): k P, whose abscissa is that of Diffie-Hellman (SEC 1, section 3.3.1). `None` for curves
/// over other fields, and for coefficients without a doubling.
///
/// Of k or n - k, whichever is odd, with opposite multiples, the digits to the base 16 are odd, between -15 and 15: 2 u - 15,
/// with the digits u of half of it, to whose highest 8 is added. The odd multiples of P have one Z, and where (x, y) is a point of the curve,
/// (x Z^2, y Z^3) is one of that with a Z^4 in place of a, on which they are affine. Sums are never of equal or opposite points: what a digit is
/// added to is an even multiple of P between 16 and the order. At the lowest digit it may be the digit modulo the order, and the formulas are
/// the complete ones.
pub fn multiple<A: Integers>(
    a: &mut A,
    curve: &Curve,
    k: &A::Integer,
    [x, y]: [&A::Integer; 2],
) -> Option<Multiple<A::Element, A::Bit>> {
    let Base::Prime(field) = &curve.base else { return None };
    let (p, n) = (field.modulus(), &curve.order);
    let double = formulas::doubling(curve)?;
    let is_key = a.is_key(k, n);
    let wrong_key = a.not(&is_key);
    let [x_below, y_below] = [x, y].map(|number| a.below(number, p));
    let [px, py] = [x, y].map(|number| a.residue(number));
    let [coefficient, b, c] = [&curve.a, &curve.b, &(&curve.b * 3u8)].map(|number| a.element(number));
    let given = [("x", px.clone()), ("y", py.clone()), ("a", coefficient.clone()), ("b", b)];
    let difference = applied(a, &formulas::equation(), &given).get("d")?.clone();
    let is_on = a.is_zero(&difference);
    let is_point = a.both(&x_below, &y_below);
    let is_point = a.both(&is_point, &is_on);
    let wrong_point = a.not(&is_point);

    // P and 2 P with the same Z, and 2 P added again and again: odd multiples, each with by what its Z differs from the one before
    let given = [("x", px), ("y", py), ("a", coefficient.clone())];
    let mut own = applied(a, &formulas::double_common(), &given);
    let mut table = vec![["U", "V", "Z"].map(|name| own.get(name).cloned())];
    for _ in 1..8 {
        let given = ["X", "Y", "U", "V"].map(|name| own.get(name).cloned().map(|own| (name, own)));
        own = applied(a, &formulas::add_common(), &given.into_iter().collect::<Option<Vec<_>>>()?);
        table.push(["U", "V", "h"].map(|name| own.get(name).cloned()));
    }
    // all with the Z of the last one, which comes first
    let mut ratio = a.number(1);
    let mut entries: Vec<[A::Element; 2]> = Vec::new();
    for [x, y, h] in table.into_iter().rev() {
        let given = [("X", x?), ("Y", y?), ("l", ratio), ("h", h?)];
        let own = applied(a, &formulas::scaled(), &given);
        entries.push([own.get("X")?.clone(), own.get("Y")?.clone()]);
        ratio = own.get("l")?.clone();
    }
    // on the curve where they are affine
    let term = |a: &mut A, z: &A::Element, coefficient: &A::Element| {
        let given = [("Z", z.clone()), ("a", coefficient.clone())];
        applied(a, &formulas::modified_term(), &given).get("W").cloned()
    };
    let is_modified = curve.a != BigUint::ZERO;
    let own_coefficient = term(a, &ratio, &coefficient)?;
    let jacobian = |[x, y, z]: &Point<A::Element>| [("X", x.clone()), ("Y", y.clone()), ("Z", z.clone())];
    let mut half = a.odd(k, n);
    half.rotate_left(1);
    *half.last_mut()? = a.bit(true);
    let [zero, one] = [0, 1].map(|number| a.number(number));
    let mut sum: Option<(Point<A::Element>, A::Element)> = None;
    for (place, digit) in half.chunks(4).enumerate().rev() {
        let [low, middle, high, positive] = digit else { return None };
        let negative = a.not(positive);
        let mut entries = entries.clone();
        for bit in [low, middle, high] {
            let bit = a.differ(bit, positive);
            let pair = |pair: &[[A::Element; 2]]| [0, 1].map(|at| a.chosen(&bit, &pair[0][at], &pair[1][at]));
            entries = entries.chunks(2).map(pair).collect();
        }
        let [x, y] = entries.pop()?;
        let minus = a.sub(&zero, &y);
        let y = a.chosen(&negative, &y, &minus);
        let Some((mut before, mut of_z)) = sum else {
            sum = Some(([x, y, one.clone()], own_coefficient.clone()));
            continue;
        };
        for number in 0..4 {
            let given = match is_modified {
                true => [&jacobian(&before)[..], &[("W", of_z.clone())]].concat(),
                false => jacobian(&before).to_vec(),
            };
            let formula = if is_modified { formulas::double_modified(number < 3) } else { double.clone() };
            let own = applied(a, &formula, &given);
            before = point_of(&own)?;
            of_z = own.get("W").cloned().unwrap_or(of_z);
        }
        let [own_x, own_y, own_z] = before;
        if place == 0 {
            // back on the curve, where points may be equal, opposite or none
            let own_z = a.mul(&own_z, &ratio);
            let mut homogeneous = |[x, y, z]: Point<A::Element>| {
                let own = applied(a, &formulas::homogeneous(), &[("X", x), ("Z", z)]);
                Some([own.get("X")?.clone(), y, own.get("Z")?.clone()])
            };
            let own = homogeneous([own_x, own_y, own_z])?;
            let [x, y, z] = homogeneous([x, y, ratio.clone()])?;
            let other = [("U", x), ("V", y), ("W", z), ("a", coefficient), ("c", c)];
            let given = [&jacobian(&own)[..], &other].concat();
            let sum = point_of(&applied(a, &formulas::add_complete(), &given))?;
            return Some(Multiple { point: affine(a, p, k, sum), wrong_key, wrong_point });
        }
        let given = [&jacobian(&[own_x, own_y, own_z])[..], &[("x", x), ("y", y)]].concat();
        let before = point_of(&applied(a, &formulas::add_mixed(), &given))?;
        let of_z = if is_modified { term(a, &before[2], &own_coefficient)? } else { of_z };
        sum = Some((before, of_z));
    }
    None
}

/// A multiple on a curve over GF(2^m): k P, by the ladder of Lopez and Dahab. `None` for curves over other fields. The point of the
/// order 2, whose abscissa is 0, is a wrong one: on a curve of the order 2 n no other multiple on the way is at infinity but the second one
/// for k = n - 1, where k P is -P.
///
/// Of the multiples m P and (m + 1) P the first is doubled where a bit is 0, and the second where it is 1; the sum of both stays beside it, and
/// does not depend on which comes first.
pub fn multiple_binary<A: Integers>(
    a: &mut A,
    curve: &Curve,
    k: &A::Integer,
    [x, y]: [&A::Integer; 2],
) -> Option<Multiple<A::Element, A::Bit>> {
    let Base::Binary(field) = &curve.base else { return None };
    let limit = curve.base.limit();
    let is_key = a.is_key(k, &curve.order);
    let wrong_key = a.not(&is_key);
    let (x_below, y_below) = (a.is_key(x, &limit), a.below(y, &limit));
    let [px, py] = [x, y].map(|number| a.residue(number));
    let [coefficient, b, root] = [&curve.a, &curve.b, &field.root(&curve.b)].map(|own| a.element(own));
    let given = [("x", px.clone()), ("y", py.clone()), ("a", coefficient), ("b", b)];
    let difference = applied(a, &formulas::equation_binary(), &given).get("d")?.clone();
    let is_on = a.is_zero(&difference);
    let is_point = a.both(&x_below, &y_below);
    let is_point = a.both(&is_point, &is_on);
    let wrong_point = a.not(&is_point);

    let (mut x1, mut z1) = (a.number(1), a.number(0));
    let (mut x2, mut z2) = (px.clone(), a.number(1));
    // whether the first multiple is the second one here
    let mut before = a.bit(false);
    for bit in a.bits(k).iter().rev() {
        let is_zero = a.not(bit);
        let differs = a.differ(&before, &is_zero);
        before = is_zero;
        let [x, z] = [a.chosen(&differs, &x2, &x1), a.chosen(&differs, &z2, &z1)];
        let given = [("X1", x1), ("Z1", z1), ("X2", x2), ("Z2", z2), ("x", px.clone())];
        let sum = applied(a, &formulas::ladder_add(), &given);
        let given = [("X2", x), ("Z2", z), ("c", root.clone())];
        let double = applied(a, &formulas::ladder_double_root(), &given);
        [x1, z1] = [sum.get("X1")?.clone(), sum.get("Z1")?.clone()];
        [x2, z2] = [double.get("X2")?.clone(), double.get("Z2")?.clone()];
    }
    (x1, x2) = exchanged(a, &before, (&x1, &x2));
    (z1, z2) = exchanged(a, &before, (&z1, &z2));
    let own = [("x", px.clone()), ("y", py.clone())];
    let given = [&[("X1", x1), ("Z1", z1), ("X2", x2), ("Z2", z2)], &own[..]].concat();
    let ends = applied(a, &formulas::ladder_before_inversion(), &given);
    let [denominator, f, x2] = [ends.get("G")?, ends.get("F")?, ends.get("X2")?];
    let inverse = a.power(denominator, &(&limit - 2u8));
    let given = [&[("F", f.clone()), ("X2", x2.clone()), ("w", inverse)], &own[..]].concat();
    let point = applied(a, &formulas::ladder_after_inversion(), &given);
    let is_opposite = a.is_zero(denominator);
    let minus = [px.clone(), a.add(&px, &py)];
    let [u, v] = [point.get("u")?, point.get("v")?];
    let point = [a.chosen(&is_opposite, u, &minus[0]), a.chosen(&is_opposite, v, &minus[1])];
    Some(Multiple { point, wrong_key, wrong_point })
}

/// A public point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Public<E, B> {
    /// The coordinates, which are right where nothing is wrong.
    pub point: [E; 2],
    /// Whether the key is 0 or not below the order.
    pub wrong_key: B,
}

/// The public point of a key on a curve of a prime order over GF(p) (SEC 1, section 3.2.1): k G, by a comb. `None` as
/// in [`multiple`], and where the comb does not fit the bits of the order.
///
/// Of k or n - k, whichever is odd, each bit stands for 1 or -1 at its place, when all are moved down by one and the highest place of the comb
/// is 1. The places are dealt out to teeth, each of as many parts: a column has the bits of one part of all teeth at a place, and its
/// multiple of G is an entry of a table, or the opposite of one. Sums are those of [`multiple`]; that of the last column is complete. Of
/// n - k it is the opposite.
pub fn public<A: Integers>(
    a: &mut A,
    (curve, by): (&Curve, Comb),
    k: &A::Integer,
) -> Option<Public<A::Element, A::Bit>> {
    let sum = comb(a, (curve, by), k)?;
    let is_key = a.is_key(k, &curve.order);
    Some(Public { point: affine(a, &curve.base.limit(), k, sum), wrong_key: a.not(&is_key) })
}

/// k G, or its opposite for an even k, in homogeneous coordinates.
fn comb<A: Integers>(a: &mut A, (curve, by): (&Curve, Comb), k: &A::Integer) -> Option<Point<A::Element>> {
    let Base::Prime(_) = &curve.base else { return None };
    let n = &curve.order;
    let double = formulas::doubling_extended(curve)?;
    let Comb { teeth, parts } = by;
    let size = n.bits() as usize;
    let (length, highest) = (by.columns(size)?, teeth - 1);
    let mut signs = a.odd(k, n);
    signs.remove(0);
    signs.resize(by.places(size)? - 1, a.bit(false));
    signs.push(a.bit(true));

    // the multiples of a part's columns, by the signs of the lower teeth
    let mut tables: Vec<Vec<[A::Element; 2]>> = Vec::new();
    for part in 0..parts {
        let mut table = Vec::new();
        for entry in 0..by.entries() {
            let power = |tooth: usize| BigUint::from(1u8) << ((parts * tooth + part) * length);
            let sum = (0..highest).fold(power(highest), |sum, tooth| match entry >> tooth & 1 {
                0 => sum + power(tooth),
                _ => sum - power(tooth),
            });
            let point = curve.multiple(&(sum % n), &curve.generator)?;
            table.push([a.element(&point.x), a.element(&point.y)]);
        }
        tables.push(table);
    }
    let [zero, one] = [0, 1].map(|number| a.number(number));
    let extended = |[x, y, w, v]: &[A::Element; 4]| {
        [("X", x.clone()), ("Y", y.clone()), ("W", w.clone()), ("V", v.clone())]
    };
    let extended_of = |all: &BTreeMap<&'static str, A::Element>| -> Option<[A::Element; 4]> {
        let own = |name| all.get(name).cloned();
        Some([own("X")?, own("Y")?, own("W")?, own("V")?])
    };
    let mut sum: Option<[A::Element; 4]> = None;
    for place in (0..length).rev() {
        for part in (0..parts).rev() {
            let sign = |tooth: usize| signs.get((parts * tooth + part) * length + place);
            let negative = a.not(sign(highest)?);
            let mut entries = tables.get(part)?.clone();
            for tooth in 0..highest {
                let differs = a.differ(sign(tooth)?, sign(highest)?);
                let pair = |pair: &[[A::Element; 2]]| {
                    [0, 1].map(|at| a.chosen(&differs, &pair[0][at], &pair[1][at]))
                };
                entries = entries.chunks(2).map(pair).collect();
            }
            let [x, y] = entries.pop()?;
            let minus = a.sub(&zero, &y);
            let y = a.chosen(&negative, &y, &minus);
            let Some(mut before) = sum else {
                sum = Some([x, y, one.clone(), one.clone()]);
                continue;
            };
            if part + 1 == parts {
                before = extended_of(&applied(a, &double, &extended(&before)))?;
            }
            if (place, part) == (0, 0) {
                // where points may be equal, opposite or none
                let own = point_of(&applied(a, &formulas::homogeneous_extended(), &extended(&before)))?;
                let [coefficient, c] = [&curve.a, &(&curve.b * 3u8)].map(|number| a.element(number));
                let other = [("U", x), ("V", y), ("W", one), ("a", coefficient), ("c", c)];
                let [own_x, own_y, own_z] = own;
                let given = [&[("X", own_x), ("Y", own_y), ("Z", own_z)], &other[..]].concat();
                return point_of(&applied(a, &formulas::add_complete(), &given));
            }
            let given = [&extended(&before)[..], &[("x", x), ("y", y)]].concat();
            sum = Some(extended_of(&applied(a, &formulas::add_extended(), &given))?);
        }
    }
    None
}

/// The abscissa of a nonce times the generator, by a comb as in [`public`].
pub fn abscissa<A: Integers>(a: &mut A, by: (&Curve, Comb), nonce: &A::Integer) -> Option<A::Element> {
    let sum = comb(a, by, nonce)?;
    let [x, _] = affine(a, &by.0.base.limit(), nonce, sum);
    Some(x)
}

/// r and s of a signature (SEC 1, section 4.1.3), over numbers modulo the order n: of a hash, a key and a nonce, and the abscissa that
/// belongs to the nonce.
pub fn signature<A: Integers>(
    a: &mut A,
    n: &BigUint,
    [hash, key, nonce, abscissa]: [&A::Integer; 4],
) -> [A::Element; 2] {
    let [e, d, k, r] = [hash, key, nonce, abscissa].map(|number| a.residue(number));
    let product = a.mul(&r, &d);
    let sum = a.add(&e, &product);
    let inverse = a.power(&k, &(n - 2u8));
    let s = a.mul(&sum, &inverse);
    [r, s]
}

/// The affine point of homogeneous coordinates, or the opposite one for an even k.
fn affine<A: Integers>(
    a: &mut A,
    p: &BigUint,
    k: &A::Integer,
    [x, y, z]: Point<A::Element>,
) -> [A::Element; 2] {
    let zero = a.number(0);
    let minus = a.sub(&zero, &y);
    let is_odd = a.is_odd(k);
    let is_even = a.not(&is_odd);
    let y = a.chosen(&is_even, &y, &minus);
    let inverse = a.power(&z, &(p - 2u8));
    [a.mul(&x, &inverse), a.mul(&y, &inverse)]
}

/// The prime of X25519.
pub fn p25519() -> BigUint {
    PrimeField::p25519().modulus().clone()
}

/// What a step of the ladder works on: x_2, z_2, x_3 and z_3.
pub type Ladder<E> = [E; 4];

/// A step: whether both points are exchanged, what it works on, and x_1.
pub type LadderStep<A> = fn(
    &mut A,
    &<A as Algebra>::Bit,
    Ladder<<A as Algebra>::Element>,
    &<A as Algebra>::Element,
) -> Ladder<<A as Algebra>::Element>;

/// A step as RFC 7748 has it.
pub fn published_step<A: Algebra>(
    a: &mut A,
    swap: &A::Bit,
    [x_2, z_2, x_3, z_3]: Ladder<A::Element>,
    x_1: &A::Element,
) -> Ladder<A::Element> {
    let (x_2, x_3) = exchanged(a, swap, (&x_2, &x_3));
    let (z_2, z_3) = exchanged(a, swap, (&z_2, &z_3));
    let aa = a.add(&x_2, &z_2);
    let b = a.sub(&x_2, &z_2);
    let c = a.add(&x_3, &z_3);
    let d = a.sub(&x_3, &z_3);
    let (da, cb) = (a.mul(&d, &aa), a.mul(&c, &b));
    let (aa, bb) = (a.mul(&aa, &aa), a.mul(&b, &b));
    let e = a.sub(&aa, &bb);
    let (sum, difference) = (a.add(&da, &cb), a.sub(&da, &cb));
    let x_3 = a.mul(&sum, &sum);
    let square = a.mul(&difference, &difference);
    let z_3 = a.mul(x_1, &square);
    let x_2 = a.mul(&aa, &bb);
    let a24 = a.number(121_665);
    let multiple = a.mul(&a24, &e);
    let sum = a.add(&aa, &multiple);
    let z_2 = a.mul(&e, &sum);
    [x_2, z_2, x_3, z_3]
}

/// The same step where the bit chooses which point is doubled, and nothing is exchanged.
pub fn choosing_step<A: Algebra>(
    a: &mut A,
    swap: &A::Bit,
    [x_2, z_2, x_3, z_3]: Ladder<A::Element>,
    x_1: &A::Element,
) -> Ladder<A::Element> {
    let (s, t) = (a.add(&x_2, &z_2), a.sub(&x_2, &z_2));
    let (c, d) = (a.add(&x_3, &z_3), a.sub(&x_3, &z_3));
    let (p, q) = (a.chosen(swap, &s, &c), a.chosen(swap, &t, &d));
    let (da, cb) = (a.mul(&d, &s), a.mul(&c, &t));
    let (sum, difference) = (a.add(&da, &cb), a.sub(&da, &cb));
    let x_3 = a.mul(&sum, &sum);
    let square = a.mul(&difference, &difference);
    let z_3 = a.mul(x_1, &square);
    let (pp, qq) = (a.mul(&p, &p), a.mul(&q, &q));
    let x_2 = a.mul(&pp, &qq);
    let e = a.sub(&pp, &qq);
    let a24 = a.number(121_665);
    let multiple = a.mul(&a24, &e);
    let sum = a.add(&pp, &multiple);
    let z_2 = a.mul(&e, &sum);
    [x_2, z_2, x_3, z_3]
}

/// X25519 (RFC 7748, section 5) for the 256 bits of a scalar, the lowest first, and u, whose bit 255 is masked already: the
/// element whose canonical number is the result. The steps are [`published_step`], or another one that does the same.
pub fn x25519<A: Algebra>(
    a: &mut A,
    scalar: &[A::Bit; 256],
    u: &A::Element,
    step: LadderStep<A>,
) -> A::Element {
    let mut k = scalar.clone();
    let [zero, one] = [false, true].map(|value| a.bit(value));
    k[..3].fill(zero.clone());
    k[255] = zero.clone();
    k[254] = one;
    let mut own = [a.number(1), a.number(0), u.clone(), a.number(1)];
    let mut swap = zero;
    for t in (0..255).rev() {
        swap = a.differ(&swap, &k[t]);
        own = step(a, &swap, own, u);
        swap = k[t].clone();
    }
    let [x_2, z_2, x_3, z_3] = own;
    let (x_2, _) = exchanged(a, &swap, (&x_2, &x_3));
    let (z_2, _) = exchanged(a, &swap, (&z_2, &z_3));
    let inverse = a.power(&z_2, &(p25519() - 2u8));
    a.mul(&x_2, &inverse)
}

/// Both elements, exchanged where the bit is one.
fn exchanged<A: Algebra>(
    a: &mut A,
    bit: &A::Bit,
    (x, y): (&A::Element, &A::Element),
) -> (A::Element, A::Element) {
    (a.chosen(bit, x, y), a.chosen(bit, y, x))
}

/// Elements of a field as numbers.
#[derive(Clone, Debug)]
pub struct Residues {
    /// The field.
    pub base: Base,
}

impl Algebra for Residues {
    type Element = BigUint;
    type Bit = bool;

    fn element(&mut self, number: &BigUint) -> BigUint {
        self.base.field().element(number)
    }
    fn inverse(&mut self, number: &BigUint) -> BigUint {
        self.base.field().inverse(number).unwrap_or_default()
    }
    fn add(&mut self, x: &BigUint, y: &BigUint) -> BigUint {
        self.base.field().add(x, y)
    }
    fn sub(&mut self, x: &BigUint, y: &BigUint) -> BigUint {
        self.base.field().sub(x, y)
    }
    fn mul(&mut self, x: &BigUint, y: &BigUint) -> BigUint {
        self.base.field().mul(x, y)
    }
    fn power(&mut self, x: &BigUint, exponent: &BigUint) -> BigUint {
        self.base.field().power(x, exponent)
    }
    fn chosen(&mut self, bit: &bool, x: &BigUint, y: &BigUint) -> BigUint {
        if *bit { y.clone() } else { x.clone() }
    }
    fn bit(&mut self, value: bool) -> bool {
        value
    }
    fn differ(&mut self, x: &bool, y: &bool) -> bool {
        x != y
    }
    fn both(&mut self, x: &bool, y: &bool) -> bool {
        *x && *y
    }
}

impl Integers for Residues {
    type Integer = BigUint;

    fn residue(&mut self, x: &BigUint) -> BigUint {
        self.element(x)
    }
    fn below(&mut self, x: &BigUint, limit: &BigUint) -> bool {
        x < limit
    }
    fn bits(&mut self, x: &BigUint) -> Vec<bool> {
        (0..self.base.limit().bits()).map(|place| x.bit(place)).collect()
    }
    fn is_odd(&mut self, x: &BigUint) -> bool {
        x.bit(0)
    }
    fn is_key(&mut self, k: &BigUint, n: &BigUint) -> bool {
        *k != BigUint::ZERO && k < n
    }
    fn odd(&mut self, k: &BigUint, n: &BigUint) -> Vec<bool> {
        let own = if k.bit(0) || k >= n { k.clone() } else { n - k };
        self.bits(&own)
    }
    fn is_zero(&mut self, x: &BigUint) -> bool {
        *x == BigUint::ZERO
    }
}

/// X25519 of strings of 32 bytes.
pub fn x25519_of_bytes(scalar: &[u8; 32], u: &[u8; 32]) -> [u8; 32] {
    let bits: [bool; 256] = std::array::from_fn(|place| scalar[place / 8] >> (place % 8) & 1 == 1);
    let mut u = *u;
    u[31] &= 0x7f;
    let mut residues = Residues { base: Base::Prime(PrimeField::p25519()) };
    let element = residues.element(&BigUint::from_bytes_le(&u));
    let mut bytes = x25519(&mut residues, &bits, &element, published_step).to_bytes_le();
    bytes.resize(32, 0);
    bytes.try_into().unwrap_or([0; 32])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(hex: &str) -> [u8; 32] {
        let number = BigUint::parse_bytes(hex.as_bytes(), 16).unwrap();
        let own = number.to_bytes_be();
        [vec![0; 32 - own.len()], own].concat().try_into().unwrap()
    }

    /// RFC 7748, section 5.2.
    #[test]
    fn the_vectors_of_the_standard() {
        for [scalar, u, wanted] in [
            [
                "a546e36bf0527c9d3b16154b82465edd62144c0ac1fc5a18506a2244ba449ac4",
                "e6db6867583030db3594c1a424b15f7c726624ec26b3353b10a903a6d0ab1c4c",
                "c3da55379de9c6908e94ea4df28d084f32eccf03491c71f754b4075577a28552",
            ],
            [
                "4b66e9d4d1b4673c5ad22691957d6af5c11b6421e0ea01d42ca4169e7918ba0d",
                "e5210f12786811d3f4b7959d0538ae2c31dbe7106fc03c3efc4cd549c715a493",
                "95cbde9476e8907d7aade45cb4b873f88b595a68799fa152e6f8f7647aac7957",
            ],
        ] {
            assert_eq!(x25519_of_bytes(&bytes(scalar), &bytes(u)), bytes(wanted));
        }
    }

    /// RFC 7748, section 5.2: after one and after 1,000 rounds.
    #[test]
    fn a_thousand_rounds() {
        let nine = bytes("0900000000000000000000000000000000000000000000000000000000000000");
        let (mut k, mut u) = (nine, nine);
        for round in 1..=1000 {
            (k, u) = (x25519_of_bytes(&k, &u), k);
            if round == 1 {
                assert_eq!(k, bytes("422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079"));
            }
        }
        assert_eq!(k, bytes("684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51"));
    }
}
