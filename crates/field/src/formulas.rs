//! Point operations as lists of field operations.
//!
//! H. Cohen, A. Miyaji, T. Ono, "Efficient elliptic curve exponentiation using mixed coordinates", ASIACRYPT '98
//! (Jacobian coordinates: x = X/Z^2, y = Y/Z^3); M. Brown et al., "Software Implementation of the NIST Elliptic Curves
//! Over Prime Fields", CT-RSA 2001 (a = -3); J. Lopez, R. Dahab, "Fast multiplication on elliptic curves over GF(2^m)
//! without precomputation", CHES 1999 (x = X/Z).

use crate::Field;
use crate::curve::{Base, Curve};
use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A field operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    /// x y.
    Mul(&'static str, &'static str),
    /// x^2.
    Sqr(&'static str),
    /// x + y.
    Add(&'static str, &'static str),
    /// x - y.
    Sub(&'static str, &'static str),
    /// x / 2.
    Half(&'static str),
    /// x times a small number.
    Times(u32, &'static str),
    /// x.
    Copy(&'static str),
}

impl Op {
    /// The slots that it reads.
    pub fn operands(self) -> Vec<&'static str> {
        match self {
            Op::Mul(x, y) | Op::Add(x, y) | Op::Sub(x, y) => vec![x, y],
            Op::Sqr(x) | Op::Half(x) | Op::Times(_, x) | Op::Copy(x) => vec![x],
        }
    }
}

/// An operation and the slot that takes its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Where the result goes; may be an operand.
    pub to: &'static str,
    /// What is computed.
    pub op: Op,
}

impl Step {
    /// A copy.
    pub fn copy(to: &'static str, x: &'static str) -> Step {
        Step { to, op: Op::Copy(x) }
    }
}

/// A product.
pub(crate) const fn mul(to: &'static str, x: &'static str, y: &'static str) -> Step {
    Step { to, op: Op::Mul(x, y) }
}
/// A square.
pub(crate) const fn sqr(to: &'static str, x: &'static str) -> Step {
    Step { to, op: Op::Sqr(x) }
}
const fn add(to: &'static str, x: &'static str, y: &'static str) -> Step {
    Step { to, op: Op::Add(x, y) }
}
const fn sub(to: &'static str, x: &'static str, y: &'static str) -> Step {
    Step { to, op: Op::Sub(x, y) }
}
fn half(x: &'static str) -> Step {
    Step { to: x, op: Op::Half(x) }
}

/// Numbers of field operations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Operations {
    /// Multiplications, those by small numbers left out.
    pub multiplications: u64,
    /// Squarings.
    pub squarings: u64,
    /// Additions, subtractions and halvings.
    pub additions: u64,
}

/// A list of field operations.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formula {
    /// What it computes.
    pub title: &'static str,
    /// Slots that are read first; all others are scratch.
    pub inputs: &'static [&'static str],
    /// Slots with the results; may be inputs, too.
    pub outputs: &'static [&'static str],
    /// In order.
    pub steps: Vec<Step>,
}

impl Formula {
    /// How many operations it has.
    pub fn operations(&self) -> Operations {
        let mut all = Operations::default();
        for step in &self.steps {
            match step.op {
                Op::Mul(..) => all.multiplications += 1,
                Op::Sqr(_) => all.squarings += 1,
                Op::Add(..) | Op::Sub(..) | Op::Half(_) => all.additions += 1,
                Op::Times(..) | Op::Copy(_) => {}
            }
        }
        all
    }

    /// All slots, each once, inputs first, then in the order in which they are written.
    pub fn slots(&self) -> Vec<&'static str> {
        let mut slots: Vec<&'static str> = Vec::new();
        for slot in self.inputs.iter().copied().chain(self.steps.iter().map(|step| step.to)) {
            if !slots.contains(&slot) {
                slots.push(slot);
            }
        }
        slots
    }

    /// Carries it out over big integers on named values, which it changes.
    ///
    /// `None` where a step reads what nobody wrote, or where the field has no half.
    pub fn run(&self, field: &dyn Field, values: &mut BTreeMap<&'static str, BigUint>) -> Option<()> {
        for step in &self.steps {
            let result = match step.op {
                Op::Mul(x, y) => field.mul(values.get(x)?, values.get(y)?),
                Op::Sqr(x) => field.square(values.get(x)?),
                Op::Add(x, y) => field.add(values.get(x)?, values.get(y)?),
                Op::Sub(x, y) => field.sub(values.get(x)?, values.get(y)?),
                Op::Half(x) => field.half(values.get(x)?)?,
                Op::Times(number, x) => field.mul(&BigUint::from(number), values.get(x)?),
                Op::Copy(x) => values.get(x)?.clone(),
            };
            values.insert(step.to, result);
        }
        Some(())
    }
}

/// (X, Y, Z) doubled, any a: 4M + 6S + 13A. S = 4 X Y^2, M = 3 X^2 + a Z^4, X' = M^2 - 2S,
/// Y' = M (S - X') - 8 Y^4, Z' = 2 Y Z. Never a point of order 2 as input.
pub fn double_general() -> Formula {
    let first = [
        sqr("M", "X"),
        add("t", "M", "M"),
        add("M", "t", "M"),
        sqr("t", "Z"),
        sqr("t", "t"),
        mul("t", "t", "a"),
        add("M", "M", "t"),
        mul("Z", "Y", "Z"),
        add("Z", "Z", "Z"),
        sqr("Y", "Y"),
        mul("S", "X", "Y"),
        add("S", "S", "S"),
        add("S", "S", "S"),
        sqr("Y", "Y"),
        add("Y", "Y", "Y"),
        add("Y", "Y", "Y"),
        add("Y", "Y", "Y"),
    ];
    Formula {
        title: "doubling, Jacobian coordinates",
        inputs: &["X", "Y", "Z", "a"],
        outputs: &["X", "Y", "Z"],
        steps: [&first[..], &LAST].concat(),
    }
}

/// The same for a = -3: 4M + 4S + 10A, a halving among these. M = 3 (X - Z^2)(X + Z^2), 8 Y^4 = ((2Y)^2)^2 / 2.
pub fn double_minus_three() -> Formula {
    let first = [add("Y", "Y", "Y"), mul("Z", "Y", "Z"), sqr("Y", "Y"), mul("S", "X", "Y"), sqr("Y", "Y")];
    let steps = [&slope_minus_three()[..], &first, &[half("Y")], &LAST].concat();
    Formula {
        title: "doubling, Jacobian coordinates, a = -3",
        inputs: &["X", "Y", "Z"],
        outputs: &["X", "Y", "Z"],
        steps,
    }
}

/// The same with half the Z: 4M + 4S + 9A, a halving among these. S = X Y^2, X' = (M/2)^2 - 2S, Y' = M/2 (S - X') - Y^4, Z' = Y Z.
pub fn double_minus_three_halved() -> Formula {
    Formula {
        title: "doubling, Jacobian coordinates, a = -3, half the Z",
        inputs: &["X", "Y", "Z"],
        outputs: &["X", "Y", "Z"],
        steps: doubled(&slope_minus_three(), None),
    }
}

/// The same for a = 0: 3M + 4S + 7A. M = 3 X^2.
pub fn double_zero() -> Formula {
    Formula {
        title: "doubling, Jacobian coordinates, a = 0",
        inputs: &["X", "Y", "Z"],
        outputs: &["X", "Y", "Z"],
        steps: doubled(&[sqr("t", "X"), add("M", "t", "t"), add("M", "M", "t")], None),
    }
}

fn slope_minus_three() -> [Step; 6] {
    [
        sqr("t", "Z"),
        sub("S", "X", "t"),
        add("t", "X", "t"),
        mul("t", "S", "t"),
        add("M", "t", "t"),
        add("M", "M", "t"),
    ]
}

/// Behind S, the slope M and what is subtracted from Y'.
const LAST: [Step; 6] = [
    sqr("X", "M"),
    add("t", "S", "S"),
    sub("X", "X", "t"),
    sub("S", "S", "X"),
    mul("S", "M", "S"),
    sub("Y", "S", "Y"),
];

/// (X, Y, Z) doubled, with half the Z, from the steps to M, which is 3 X^2 + a Z^4; another step is made where Y is Y^4.
fn doubled(slope: &[Step], fourth: Option<Step>) -> Vec<Step> {
    let first = [half("M"), mul("Z", "Y", "Z"), sqr("Y", "Y"), mul("S", "X", "Y"), sqr("Y", "Y")];
    slope.iter().copied().chain(first).chain(fourth).chain(LAST).collect()
}

/// That of the coefficient of a curve over GF(p), for a = 0 and a = -3.
pub fn doubling(curve: &Curve) -> Option<Formula> {
    let Base::Prime(field) = &curve.base else { return None };
    match &curve.a {
        a if *a == BigUint::ZERO => Some(double_zero()),
        a if a + 3u8 == *field.modulus() => Some(double_minus_three_halved()),
        _ => None,
    }
}

/// (X, Y, Z) doubled, any a, with W = a Z^4 (modified Jacobian coordinates: H. Cohen, A. Miyaji, T. Ono, as above) and half the Z: 4M + 4S + 8A,
/// a halving among these, and 1M less without the new W.
pub fn double_modified(has_term: bool) -> Formula {
    let slope = [sqr("t", "X"), add("M", "t", "t"), add("M", "M", "t"), add("M", "M", "W")];
    Formula {
        title: "doubling, modified Jacobian coordinates",
        inputs: &["X", "Y", "Z", "W"],
        outputs: if has_term { &["X", "Y", "Z", "W"] } else { &["X", "Y", "Z"] },
        // Y^4 a Z^4
        steps: doubled(&slope, has_term.then(|| mul("W", "Y", "W"))),
    }
}

/// W = a Z^4: 1M + 2S.
pub fn modified_term() -> Formula {
    Formula {
        title: "the fourth of modified Jacobian coordinates",
        inputs: &["Z", "a"],
        outputs: &["W"],
        steps: vec![sqr("W", "Z"), sqr("W", "W"), mul("W", "W", "a")],
    }
}

/// (x, y) doubled, any a, as (X, Y, Z) = 2 (x, y) and (U, V, Z) = (x, y) with the same Z: 2M + 4S + 9A, a halving among these. Never a
/// point of order 2.
///
/// N. Meloni, "New point addition formulae for ECC applications", WAIFI 2007 (co-Z).
pub fn double_common() -> Formula {
    Formula {
        title: "doubling, common Z",
        inputs: &["x", "y", "a"],
        outputs: &["X", "Y", "U", "V", "Z"],
        steps: vec![
            sqr("t", "x"),
            add("M", "t", "t"),
            add("M", "M", "t"),
            add("M", "M", "a"),
            add("Z", "y", "y"),
            sqr("V", "Z"),
            mul("U", "x", "V"),
            sqr("V", "V"),
            half("V"),
            sqr("X", "M"),
            add("t", "U", "U"),
            sub("X", "X", "t"),
            sub("t", "U", "X"),
            mul("t", "M", "t"),
            sub("Y", "t", "V"),
        ],
    }
}

/// (U, V) + (X, Y) with the same Z, which becomes h Z; (X, Y) is given with that one, too: 4M + 2S + 7A. Neither may be the point at
/// infinity, and they must be neither equal nor opposite. Meloni, as above.
pub fn add_common() -> Formula {
    Formula {
        title: "addition, common Z",
        inputs: &["X", "Y", "U", "V"],
        outputs: &["X", "Y", "U", "V", "h"],
        steps: vec![
            sub("h", "X", "U"),
            sqr("t", "h"),
            mul("X", "X", "t"),
            mul("U", "U", "t"),
            sub("d", "Y", "V"),
            sub("t", "X", "U"),
            mul("Y", "Y", "t"),
            sqr("t", "d"),
            sub("t", "t", "X"),
            sub("U", "t", "U"),
            sub("t", "X", "U"),
            mul("t", "d", "t"),
            sub("V", "t", "Y"),
        ],
    }
}

/// The point whose Z is l times as high, and l h: 4M + 1S.
pub fn scaled() -> Formula {
    Formula {
        title: "a point with another Z",
        inputs: &["X", "Y", "l", "h"],
        outputs: &["X", "Y", "l"],
        steps: vec![
            sqr("t", "l"),
            mul("X", "X", "t"),
            mul("t", "t", "l"),
            mul("Y", "Y", "t"),
            mul("l", "l", "h"),
        ],
    }
}

/// The end of a mixed addition, where S, H^3 in H and H^2 in t are known: X' = S^2 - H^3 - 2 X H^2, Y' = S (X H^2 - X') - Y H^3.
const SUM: [Step; 9] = [
    mul("t", "X", "t"),
    sqr("X", "S"),
    sub("X", "X", "H"),
    mul("Y", "Y", "H"),
    add("H", "t", "t"),
    sub("X", "X", "H"),
    sub("t", "t", "X"),
    mul("t", "S", "t"),
    sub("Y", "t", "Y"),
];

/// (X, Y, Z) + (x, y): 8M + 3S + 7A. Neither may be the point at infinity, and they must be neither equal nor opposite.
pub fn add_mixed() -> Formula {
    let first = [
        sqr("t", "Z"),
        mul("S", "t", "Z"),
        mul("t", "t", "x"),
        sub("H", "t", "X"),
        mul("S", "S", "y"),
        sub("S", "S", "Y"),
        mul("Z", "Z", "H"),
        sqr("t", "H"),
        mul("H", "t", "H"),
    ];
    Formula {
        title: "mixed addition, Jacobian and affine coordinates",
        inputs: &["X", "Y", "Z", "x", "y"],
        outputs: &["X", "Y", "Z"],
        steps: [&first[..], &SUM].concat(),
    }
}

/// (X, Y, W, V) + (x, y) with W = Z^2 and V = Z^3 (extended Jacobian coordinates, of which D. Bernstein and T. Lange, "Explicit-Formulas
/// Database", have these formulas as XYZZ): 8M + 2S + 7A. Points as in [`add_mixed`].
pub fn add_extended() -> Formula {
    let first = [
        mul("t", "x", "W"),
        sub("H", "t", "X"),
        mul("S", "y", "V"),
        sub("S", "S", "Y"),
        sqr("t", "H"),
        mul("W", "W", "t"),
        mul("H", "t", "H"),
        mul("V", "V", "H"),
    ];
    Formula {
        title: "mixed addition, extended Jacobian and affine coordinates",
        inputs: &["X", "Y", "W", "V", "x", "y"],
        outputs: &["X", "Y", "W", "V"],
        steps: [&first[..], &SUM].concat(),
    }
}

/// (X, Y, W, V) doubled, likewise, with half the Z, for a = -3 (6M + 3S + 9A) and a = 0 (5M + 4S + 7A), a halving among these: W' = Y^2 W,
/// V' = Y^3 V, and all else as with Z.
pub fn doubling_extended(curve: &Curve) -> Option<Formula> {
    let Base::Prime(field) = &curve.base else { return None };
    let slope = match &curve.a {
        a if *a == BigUint::ZERO => vec![sqr("t", "X")],
        a if a + 3u8 == *field.modulus() => vec![sub("S", "X", "W"), add("t", "X", "W"), mul("t", "S", "t")],
        _ => return None,
    };
    let first = [
        add("M", "t", "t"),
        add("M", "M", "t"),
        half("M"),
        sqr("t", "Y"),
        mul("U", "Y", "t"),
        mul("V", "U", "V"),
        mul("W", "t", "W"),
        mul("S", "X", "t"),
        sqr("Y", "t"),
    ];
    Some(Formula {
        title: "doubling, extended Jacobian coordinates, half the Z",
        inputs: &["X", "Y", "W", "V"],
        outputs: &["X", "Y", "W", "V"],
        steps: [&slope[..], &first, &LAST].concat(),
    })
}

/// From extended Jacobian to homogeneous coordinates: 3M.
pub fn homogeneous_extended() -> Formula {
    Formula {
        title: "from extended Jacobian to homogeneous coordinates",
        inputs: &["X", "Y", "W", "V"],
        outputs: &["X", "Y", "Z"],
        steps: vec![mul("X", "X", "V"), mul("Y", "Y", "W"), mul("Z", "W", "V")],
    }
}

/// (X, Y, Z) + (U, V, W) on a curve without points of order 2, any two points of it; x = X/Z, y = Y/Z, and `c` is 3 b. 17M + 23A.
///
/// J. Renes, C. Costello, L. Batina, "Complete addition formulas for prime order elliptic curves", EUROCRYPT 2016, algorithm 1.
pub fn add_complete() -> Formula {
    complete(
        "complete addition, homogeneous coordinates",
        &["X", "Y", "Z", "U", "V", "W", "a", "c"],
        [
            &[mul("t", "a", "xz"), mul("s", "c", "zz"), add("t", "t", "s")],
            &[mul("zz", "a", "zz"), sub("yy", "xx", "zz"), add("zz", "zz", "xx")],
            &[mul("yy", "a", "yy"), mul("xz", "c", "xz"), add("xz", "xz", "yy")],
        ],
    )
}

/// The same for a = -3, with three products less.
pub fn add_complete_minus_three() -> Formula {
    let times = |to, x| Step { to, op: Op::Times(3, x) };
    complete(
        "complete addition, homogeneous coordinates, a = -3",
        &["X", "Y", "Z", "U", "V", "W", "c"],
        [
            &[times("t", "xz"), mul("s", "c", "zz"), sub("t", "s", "t")],
            &[times("zz", "zz"), add("yy", "xx", "zz"), sub("zz", "xx", "zz")],
            &[times("yy", "yy"), mul("xz", "c", "xz"), sub("xz", "xz", "yy")],
        ],
    )
}

/// Complete addition, of which `by_a` are the steps that multiply by a: they make t = a xz + c zz, then zz = a zz + xx and yy = xx - a zz, then
/// xz = c xz + a yy.
fn complete(
    title: &'static str,
    inputs: &'static [&'static str],
    [first, second, third]: [&[Step]; 3],
) -> Formula {
    Formula {
        title,
        inputs,
        outputs: &["X", "Y", "Z"],
        steps: [
            &[
                // xx, yy, zz, and the sums of products xy, xz and yz
                mul("xx", "X", "U"),
                mul("yy", "Y", "V"),
                mul("zz", "Z", "W"),
                add("xy", "X", "Y"),
                add("t", "U", "V"),
                mul("xy", "xy", "t"),
                sub("xy", "xy", "xx"),
                sub("xy", "xy", "yy"),
                add("xz", "X", "Z"),
                add("t", "U", "W"),
                mul("xz", "xz", "t"),
                sub("xz", "xz", "xx"),
                sub("xz", "xz", "zz"),
                add("yz", "Y", "Z"),
                add("t", "V", "W"),
                mul("yz", "yz", "t"),
                sub("yz", "yz", "yy"),
                sub("yz", "yz", "zz"),
            ],
            // a xz + 3 b zz, and what it is added to and subtracted from
            first,
            &[add("s", "yy", "t"), sub("t", "yy", "t"), mul("Y", "t", "s")],
            // 3 xx + a zz, and 3 b xz + a (xx - a zz)
            second,
            &[add("zz", "zz", "xx"), add("zz", "zz", "xx")],
            third,
            &[
                mul("X", "zz", "xz"),
                add("Y", "Y", "X"),
                mul("X", "xy", "t"),
                mul("t", "yz", "xz"),
                sub("X", "X", "t"),
                mul("Z", "yz", "s"),
                mul("t", "xy", "zz"),
                add("Z", "Z", "t"),
            ],
        ]
        .concat(),
    }
}

/// From Jacobian to homogeneous coordinates: 2M + 1S.
pub fn homogeneous() -> Formula {
    Formula {
        title: "from Jacobian to homogeneous coordinates",
        inputs: &["X", "Z"],
        outputs: &["X", "Z"],
        steps: vec![mul("X", "X", "Z"), sqr("t", "Z"), mul("Z", "t", "Z")],
    }
}

/// y^2 - (x^3 + a x + b), which is 0 on the curve: 1M + 2S + 3A. That is y^2 - ((x^2 + a) x + b).
pub fn equation() -> Formula {
    Formula {
        title: "equation of a curve",
        inputs: &["x", "y", "a", "b"],
        outputs: &["d"],
        steps: vec![
            sqr("d", "x"),
            add("d", "d", "a"),
            mul("d", "d", "x"),
            add("d", "d", "b"),
            sqr("t", "y"),
            sub("d", "t", "d"),
        ],
    }
}

/// Affine coordinates from Jacobian ones and w = 1/Z: 3M + 1S.
pub fn affine() -> Formula {
    Formula {
        title: "from Jacobian to affine coordinates",
        inputs: &["X", "Y", "w"],
        outputs: &["x", "y"],
        steps: vec![sqr("t", "w"), mul("x", "X", "t"), mul("t", "t", "w"), mul("y", "Y", "t")],
    }
}

/// The first half of a step of the ladder on a Montgomery curve, RFC 7748, section 5: sums and differences of the coordinates of
/// two points (4A).
pub fn ladder_sums() -> Formula {
    Formula {
        title: "sums and differences for a step of the ladder, Montgomery curves",
        inputs: &["X2", "Z2", "X3", "Z3"],
        outputs: &["A", "B", "C", "D"],
        steps: vec![add("A", "X2", "Z2"), sub("B", "X2", "Z2"), add("C", "X3", "Z3"), sub("D", "X3", "Z3")],
    }
}

/// The second half: X2/Z2 becomes the double of one point, of which P and Q are the sum and the difference, and X3/Z3 the sum of
/// both, whose difference has the abscissa x; `a` is (A - 2) / 4; 5M + 4S + 4A and a product with `a`.
///
/// It does not matter to the sum which point comes first: the difference of the products is squared.
pub fn ladder_montgomery(a: u32) -> Formula {
    Formula {
        title: "a step of the ladder, Montgomery curves",
        inputs: &["A", "B", "C", "D", "P", "Q", "x"],
        outputs: &["X2", "Z2", "X3", "Z3"],
        steps: vec![
            mul("D", "D", "A"),
            mul("C", "C", "B"),
            add("X3", "D", "C"),
            sub("Z3", "D", "C"),
            sqr("X3", "X3"),
            sqr("Z3", "Z3"),
            mul("Z3", "x", "Z3"),
            sqr("P", "P"),
            sqr("Q", "Q"),
            mul("X2", "P", "Q"),
            sub("E", "P", "Q"),
            Step { to: "t", op: Op::Times(a, "E") },
            add("t", "P", "t"),
            mul("Z2", "E", "t"),
        ],
    }
}

/// X1/Z1 and X2/Z2 of points whose difference has the abscissa x: their sum into X1, Z1 (4M + 1S + 2A).
pub fn ladder_add() -> Formula {
    Formula {
        title: "addition, Lopez and Dahab",
        inputs: &["X1", "Z1", "X2", "Z2", "x"],
        outputs: &["X1", "Z1"],
        steps: vec![
            mul("X1", "X1", "Z2"),
            mul("Z1", "Z1", "X2"),
            mul("t", "X1", "Z1"),
            add("Z1", "Z1", "X1"),
            sqr("Z1", "Z1"),
            mul("X1", "x", "Z1"),
            add("X1", "X1", "t"),
        ],
    }
}

/// X2/Z2 doubled, as published: X' = X^4 + b Z^4, Z' = X^2 Z^2; 2M + 4S + 1A.
pub fn ladder_double() -> Formula {
    Formula {
        title: "doubling, Lopez and Dahab",
        inputs: &["X2", "Z2", "b"],
        outputs: &["X2", "Z2"],
        steps: vec![
            sqr("X2", "X2"),
            sqr("Z2", "Z2"),
            sqr("t", "Z2"),
            mul("Z2", "X2", "Z2"),
            sqr("X2", "X2"),
            mul("t", "b", "t"),
            add("X2", "X2", "t"),
        ],
    }
}

/// The same with c^2 = b: X' = (X^2 + c Z^2)^2; 2M + 3S + 1A.
pub fn ladder_double_root() -> Formula {
    Formula {
        title: "doubling, Lopez and Dahab, with the root of b",
        inputs: &["X2", "Z2", "c"],
        outputs: &["X2", "Z2"],
        steps: vec![
            sqr("X2", "X2"),
            sqr("Z2", "Z2"),
            mul("t", "c", "Z2"),
            mul("Z2", "X2", "Z2"),
            add("X2", "X2", "t"),
            sqr("X2", "X2"),
        ],
    }
}

/// What the coordinates of a point of a curve over GF(2^m) make 0: y^2 + x y + x^3 + a x^2 + b.
pub fn equation_binary() -> Formula {
    Formula {
        title: "the equation of a curve over GF(2^m)",
        inputs: &["x", "y", "a", "b"],
        outputs: &["d"],
        steps: vec![
            add("t", "x", "a"),
            mul("t", "t", "x"),
            add("t", "t", "y"),
            mul("t", "t", "x"),
            sqr("d", "y"),
            add("d", "d", "t"),
            add("d", "d", "b"),
        ],
    }
}

/// First half of the way back to affine coordinates (Mxy): G = x Z1 Z2, to be inverted, and
/// F = (X1 + x Z1)(X2 + x Z2) + (x^2 + y) Z1 Z2; X2 is then x Z2 X1.
pub fn ladder_before_inversion() -> Formula {
    Formula {
        title: "Mxy, before the inversion",
        inputs: &["X1", "Z1", "X2", "Z2", "x", "y"],
        outputs: &["F", "G", "X2"],
        steps: vec![
            mul("A", "Z1", "Z2"),
            mul("F", "x", "Z1"),
            add("F", "F", "X1"),
            mul("Z2", "x", "Z2"),
            add("t", "X2", "Z2"),
            mul("F", "F", "t"),
            mul("X2", "X1", "Z2"),
            sqr("t", "x"),
            add("t", "t", "y"),
            mul("t", "t", "A"),
            add("F", "F", "t"),
            mul("G", "x", "A"),
        ],
    }
}

/// Second half, with w = 1/G: x1 = X2 w, y1 = (x + x1) F w + y. Both halves: 10M + 1S.
pub fn ladder_after_inversion() -> Formula {
    Formula {
        title: "Mxy, after the inversion",
        inputs: &["F", "X2", "w", "x", "y"],
        outputs: &["u", "v"],
        steps: vec![
            mul("u", "X2", "w"),
            mul("F", "F", "w"),
            add("t", "x", "u"),
            mul("v", "t", "F"),
            add("v", "v", "y"),
        ],
    }
}
