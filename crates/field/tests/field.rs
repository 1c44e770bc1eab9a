//! Word-level algorithms and formulas against big integers, curves against published points.

use num_bigint::BigUint;
use rhomb_field::binary::{BinaryField, product};
use rhomb_field::curve::{Affine, Curve, c2pnb191v1, of_prime_order, p192, secp256k1};
use rhomb_field::formulas::{self, Formula, Operations};
use rhomb_field::montgomery::{Montgomery, Ring};
use rhomb_field::prime::PrimeField;
use rhomb_field::words::{number, words};
use rhomb_field::{Field, inversion, reduction, scalar};
use rhomb_machine::Random;
use std::collections::BTreeMap;

fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).unwrap()
}

fn power(n: u32) -> BigUint {
    BigUint::from(1u32) << n
}

#[test]
fn algorithm_2_is_congruent() {
    let field = PrimeField::p192();
    let check = |z: [u32; 12]| {
        let (result, corrected) = reduction::p192(&z);
        assert_eq!(field.element(&number(&result)), field.element(&number(&z)), "{z:08x?}");
        corrected
    };
    let mut random = Random::new(1);
    let random: usize =
        (0..20_000).map(|_| usize::from(check(random.extreme_words(12).try_into().unwrap()))).sum();
    assert!(random < 20_000);
    // Z5 + Z9 + Z11 = -1, -2, -3 modulo 2^32, with every carry that can come from below
    let mut corrected = 0;
    for target in 1..=3u32 {
        for low in [0, 1, u32::MAX] {
            for (z9, z11) in [(0, 0), (u32::MAX, 0), (u32::MAX, u32::MAX), (0x8000_0000, 0x8000_0005)] {
                let mut z = [low; 12];
                (z[9], z[11]) = (z9, z11);
                z[5] = target.wrapping_neg().wrapping_sub(z9).wrapping_sub(z11);
                corrected += usize::from(check(z));
                (z[4], z[8], z[10]) = (u32::MAX, u32::MAX, u32::MAX);
                corrected += usize::from(check(z));
            }
        }
    }
    assert!(corrected > 20, "{corrected}");
    // every combination of extreme words
    for set in 0..1u32 << 12 {
        check(std::array::from_fn(|word| if set >> word & 1 == 1 { u32::MAX } else { 0 }));
    }
}

#[test]
fn algorithm_3_and_sparse_polynomials_are_congruent() {
    let field = BinaryField::t191();
    let mut random = Random::new(2);
    for _ in 0..1000 {
        let (a, b) = (number(&random.extreme_words(6)), number(&random.extreme_words(6)));
        let z = words(&product(&a, &b), 12);
        let expected = field.mul(&a, &b);
        let reduced = reduction::t191(z.as_slice().try_into().unwrap());
        assert_eq!(field.element(&number(&reduced)), expected);
        assert_eq!(number(&reduction::sparse(&z, &[191, 9, 0]).unwrap()), expected);
    }
    // NIST's B-163 (a pentanomial) and B-233 (FIPS 186-4, D.1.3), and a degree that is a multiple of 32
    for exponents in [&[163, 7, 6, 3, 0][..], &[233, 74, 0], &[192, 7, 2, 1, 0]] {
        let field = BinaryField::new(exponents).unwrap();
        for _ in 0..200 {
            let z = random.extreme_words(2 * exponents[0].div_ceil(32) as usize);
            assert_eq!(number(&reduction::sparse(&z, exponents).unwrap()), field.element(&number(&z)));
        }
    }
    assert!(reduction::sparse(&[0; 4], &[40, 20, 0]).is_none());
}

#[test]
fn montgomery_divides_by_r() {
    let mut random = Random::new(3);
    for d in [1usize, 2, 6, 7] {
        for round in 0..100 {
            let mut modulus = random.extreme_words(d);
            modulus[0] |= 1;
            let (a, b) = match round {
                0 => (vec![u32::MAX; d], vec![u32::MAX; d]),
                _ => (random.extreme_words(d), random.extreme_words(d)),
            };
            let (n, r) = (number(&modulus), power(32 * d as u32));
            let field = Montgomery::new(Ring::Integers, &modulus).unwrap();
            for result in [field.multiply(&a, &b), field.reduce(&words(&(number(&a) * number(&b)), 2 * d))] {
                let result = number(&result);
                assert!(result < &r + &n);
                assert_eq!(result * &r % &n, number(&a) * number(&b) % &n);
            }
        }
    }
    let field = BinaryField::t191();
    let ring = Montgomery::new(Ring::Polynomials, &words(field.polynomial(), 6)).unwrap();
    for _ in 0..100 {
        let (a, b) = (number(&random.extreme_words(6)), number(&random.extreme_words(6)));
        let expected = field.mul(&a, &b);
        let product = words(&product(&a, &b), 12);
        for result in [ring.multiply(&words(&a, 6), &words(&b, 6)), ring.reduce(&product)] {
            assert_eq!((result.len(), result[6]), (7, 0));
            assert!(number(&result).bits() <= 191);
            assert_eq!(field.mul(&number(&result), &power(192)), expected);
        }
    }
    assert!(Montgomery::new(Ring::Integers, &[2]).is_none());
}

#[test]
fn inversions_agree() {
    let mut random = Random::new(4);
    let (prime, binary) = (PrimeField::p192(), BinaryField::t191());
    let chains = [(inversion::fermat_p192(), 13, 191), (inversion::itoh_tsujii_191(), 12, 190)];
    for (chain, multiplications, squarings) in &chains {
        let expected = Operations { multiplications: *multiplications, squarings: *squarings, additions: 0 };
        assert_eq!(chain.operations(), expected);
    }
    for _ in 0..20 {
        let x = number(&random.extreme_words(6)) + 1u32;
        assert_eq!(inversion::binary_euclid(&x, prime.modulus()), prime.inverse(&x));
        for ((chain, ..), field) in chains.iter().zip([&prime as &dyn Field, &binary]) {
            let mut values = BTreeMap::from([("x", x.clone())]);
            chain.run(field, &mut values).unwrap();
            assert_eq!(Some(values["y"].clone()), field.inverse(&x));
        }
    }
    assert_eq!(inversion::binary_euclid(&BigUint::from(6u32), &BigUint::from(9u32)), None);
}

#[test]
fn curves_are_what_the_standards_have() {
    for curve in [p192(), c2pnb191v1()] {
        assert!(curve.contains(&curve.generator), "{}", curve.name);
        assert_eq!(curve.multiple(&curve.order, &curve.generator), None);
        let last = curve.multiple(&(&curve.order - 1u32), &curve.generator);
        assert_eq!(last, Some(curve.negative(&curve.generator)));
    }
    let point = |x: &str, y: &str| Some(Affine { x: hex(x), y: hex(y) });
    let curve = p192();
    // 2G (NIST, "Mathematical routines for the NIST prime elliptic curves", 2010), and the key of RFC 6979, A.2.3
    assert_eq!(
        curve.multiple(&2u32.into(), &curve.generator),
        point(
            "DAFEBF5828783F2AD35534631588A3F629A70FB16982A888",
            "DD6BDA0D993DA0FA46B27BBC141B868F59331AFA5C7E93AB"
        )
    );
    assert_eq!(
        curve.multiple(&hex("6FAB034934E4C0FC9AE67F5B5659A9D7D1FEFD187EE09FD4"), &curve.generator),
        point(
            "AC2C77F529F91689FEA0EA5EFEC7F210D8EEA0B9E047ED56",
            "3BC723E57670BD4887EBC732C523063D0A7C957BC97C1C43"
        )
    );
    // the key of ANSI X9.62's example over GF(2^191) (J.2.1)
    let curve = c2pnb191v1();
    assert_eq!(
        curve.multiple(&hex("340562E1DDA332F9D2AEC168249B5696EE39D0ED4D03760F"), &curve.generator),
        point(
            "5DE37E756BD55D72E3768CB396FFEB962614DEA4CE28A2E7",
            "55C0E0E02F5FB132CAF416EF85B229BBB8E1352003125BA1"
        )
    );
}

fn counts(formula: &Formula) -> (u64, u64, u64) {
    let Operations { multiplications, squarings, additions } = formula.operations();
    (multiplications, squarings, additions)
}

#[test]
fn formulas_have_the_published_counts() {
    assert_eq!(counts(&formulas::double_general()), (4, 6, 13));
    assert_eq!(counts(&formulas::double_minus_three()), (4, 4, 10));
    assert_eq!(counts(&formulas::double_minus_three_halved()), (4, 4, 9));
    assert_eq!(counts(&formulas::double_zero()), (3, 4, 7));
    assert_eq!(counts(&formulas::add_mixed()), (8, 3, 7));
    assert_eq!(counts(&formulas::add_extended()), (8, 2, 7));
    assert_eq!(counts(&formulas::doubling_extended(&p192()).unwrap()), (6, 3, 9));
    assert_eq!(counts(&formulas::doubling_extended(&secp256k1()).unwrap()), (5, 4, 7));
    assert_eq!(counts(&formulas::homogeneous_extended()), (3, 0, 0));
    assert_eq!(counts(&formulas::double_modified(true)), (4, 4, 8));
    assert_eq!(counts(&formulas::double_modified(false)), (3, 4, 8));
    assert_eq!(counts(&formulas::double_common()), (2, 4, 9));
    assert_eq!(counts(&formulas::add_common()), (4, 2, 7));
    assert_eq!(counts(&formulas::add_complete()), (17, 0, 23));
    assert_eq!(counts(&formulas::add_complete_minus_three()), (14, 0, 23));
    assert_eq!(counts(&formulas::ladder_add()), (4, 1, 2));
    assert_eq!(counts(&formulas::ladder_double()), (2, 4, 1));
    assert_eq!(counts(&formulas::ladder_double_root()), (2, 3, 1));
    let (before, after) = (formulas::ladder_before_inversion(), formulas::ladder_after_inversion());
    assert_eq!(counts(&before).0 + counts(&after).0, 10);
    assert_eq!(counts(&before).1 + counts(&after).1, 1);
}

/// The affine point of Jacobian coordinates.
fn from_jacobian(curve: &Curve, values: &BTreeMap<&'static str, BigUint>) -> Option<Affine> {
    let field = curve.field();
    let mut values = values.clone();
    values.insert("w", field.inverse(&values["Z"])?);
    formulas::affine().run(field, &mut values)?;
    Some(Affine { x: values["x"].clone(), y: values["y"].clone() })
}

#[test]
fn jacobian_formulas_agree_with_the_group_law() {
    let curve = p192();
    let field = curve.field();
    let mut random = Random::new(5);
    for _ in 0..10 {
        let p = curve.multiple(&number(&random.extreme_words(6)), &curve.generator).unwrap();
        let q = curve.multiple(&number(&random.extreme_words(6)), &curve.generator).unwrap();
        let z = number(&random.extreme_words(6)) + 1u32;
        let z2 = field.square(&z);
        let start = BTreeMap::from([
            ("X", field.mul(&p.x, &z2)),
            ("Y", field.mul(&p.y, &field.mul(&z2, &z))),
            ("Z", z),
            ("a", curve.a.clone()),
            ("x", q.x.clone()),
            ("y", q.y.clone()),
        ]);
        for (formula, expected) in [
            (formulas::double_general(), curve.add(Some(&p), Some(&p))),
            (formulas::double_minus_three(), curve.add(Some(&p), Some(&p))),
            (formulas::add_mixed(), curve.add(Some(&p), Some(&q))),
        ] {
            let mut values = start.clone();
            formula.run(field, &mut values).unwrap();
            assert_eq!(from_jacobian(&curve, &values), expected, "{}", formula.title);
        }
    }
}

/// In extended Jacobian coordinates, and what becomes of them in homogeneous ones.
#[test]
fn extended_formulas_agree_with_the_group_law() {
    let mut random = Random::new(6);
    for curve in of_prime_order().map(|(_, curve)| curve()) {
        let field = curve.field();
        let mut some = || number(&random.extreme_words(6)) + 1u32;
        let [p, q] = [some(), some()].map(|k| curve.multiple(&k, &curve.generator).unwrap());
        let z = field.element(&some());
        let w = field.square(&z);
        let v = field.mul(&w, &z);
        let start = BTreeMap::from([
            ("X", field.mul(&p.x, &w)),
            ("Y", field.mul(&p.y, &v)),
            ("W", w),
            ("V", v),
            ("x", q.x.clone()),
            ("y", q.y.clone()),
        ]);
        for (formula, expected) in [
            (formulas::doubling_extended(&curve).unwrap(), curve.add(Some(&p), Some(&p))),
            (formulas::add_extended(), curve.add(Some(&p), Some(&q))),
        ] {
            let mut values = start.clone();
            formula.run(field, &mut values).unwrap();
            let powers = [field.power(&values["W"], &3u8.into()), field.square(&values["V"])];
            assert_eq!(powers[0], powers[1], "{}", formula.title);
            formulas::homogeneous_extended().run(field, &mut values).unwrap();
            let inverse = field.inverse(&values["Z"]).unwrap();
            let [x, y] = ["X", "Y"].map(|name| field.mul(&values[name], &inverse));
            assert_eq!(Some(Affine { x, y }), expected, "{}", formula.title);
        }
    }
}

/// Sums of any two points in homogeneous coordinates, the point at infinity among them, and of Jacobian coordinates on a curve
/// with a = 0.
#[test]
fn formulas_on_every_curve_agree_with_the_group_law() {
    let mut random = Random::new(8);
    for curve in of_prime_order().map(|(_, curve)| curve()) {
        let (field, mut some) = (curve.field(), || number(&random.extreme_words(6)) + 1u32);
        let [p, q] = [some(), some()].map(|k| curve.multiple(&k, &curve.generator));
        let minus = curve.negative(p.as_ref().unwrap());
        let points = [p, q, Some(minus), None];
        let mut placed = |point: &Option<Affine>, by_powers: bool| -> [BigUint; 3] {
            let z = field.element(&some());
            let (z2, z3) = (field.square(&z), field.mul(&field.square(&z), &z));
            match point {
                None => [BigUint::ZERO, z, BigUint::ZERO],
                Some(own) if by_powers => [field.mul(&own.x, &z2), field.mul(&own.y, &z3), z],
                Some(own) => [field.mul(&own.x, &z), field.mul(&own.y, &z), z],
            }
        };
        let given = |[x, y, z]: [BigUint; 3], [u, v, w]: [BigUint; 3]| {
            let [a, c] = [curve.a.clone(), field.element(&(&curve.b * 3u8))];
            let names = ["X", "Y", "Z", "U", "V", "W", "a", "c"];
            names.into_iter().zip([x, y, z, u, v, w, a, c]).collect::<BTreeMap<&'static str, BigUint>>()
        };
        for (one, other) in points.iter().flat_map(|one| points.iter().map(move |other| (one, other))) {
            let is_short = curve.a != BigUint::ZERO;
            let short = is_short.then(formulas::add_complete_minus_three);
            for formula in [formulas::add_complete()].into_iter().chain(short) {
                let mut values = given(placed(one, false), placed(other, false));
                formula.run(field, &mut values).unwrap();
                let found = field
                    .inverse(&values["Z"])
                    .map(|w| Affine { x: field.mul(&values["X"], &w), y: field.mul(&values["Y"], &w) });
                assert_eq!(
                    found,
                    curve.add(one.as_ref(), other.as_ref()),
                    "{} {}",
                    curve.name,
                    formula.title
                );
            }
        }
        let (p, q) = (&points[0], &points[1]);
        let double = formulas::doubling(&curve).unwrap();
        let mut values = given(placed(p, true), placed(q, true));
        double.run(field, &mut values).unwrap();
        let twice = curve.add(p.as_ref(), p.as_ref());
        assert_eq!(from_jacobian(&curve, &values), twice, "{} {}", curve.name, double.title);
        // with a fourth coordinate, which is right afterwards, too
        let mut values = given(placed(p, true), placed(q, true));
        formulas::modified_term().run(field, &mut values).unwrap();
        formulas::double_modified(true).run(field, &mut values).unwrap();
        assert_eq!(from_jacobian(&curve, &values), twice, "{} modified", curve.name);
        let term = values["W"].clone();
        formulas::modified_term().run(field, &mut values).unwrap();
        assert_eq!(values["W"], term, "{}", curve.name);
        // 2 P and P, then 3 P and 2 P, with one Z
        let own = p.as_ref().unwrap();
        values.extend([("x", own.x.clone()), ("y", own.y.clone())]);
        formulas::double_common().run(field, &mut values).unwrap();
        assert_eq!(from_jacobian(&curve, &values), twice, "{} common", curve.name);
        formulas::add_common().run(field, &mut values).unwrap();
        let z = field.mul(&values["Z"], &values["h"]);
        values.insert("Z", z);
        assert_eq!(from_jacobian(&curve, &values), twice, "{} common", curve.name);
        let [x, y] = ["U", "V"].map(|name| values[name].clone());
        values.extend([("X", x), ("Y", y)]);
        let sum = curve.add(twice.as_ref(), p.as_ref());
        assert_eq!(from_jacobian(&curve, &values), sum, "{} common", curve.name);
        // the same with a higher Z
        values.extend([("l", 7u8.into()), ("h", 3u8.into())]);
        formulas::scaled().run(field, &mut values).unwrap();
        let z = field.mul(&values["Z"], &7u8.into());
        values.insert("Z", z);
        assert_eq!((from_jacobian(&curve, &values), &values["l"]), (sum, &21u8.into()), "{}", curve.name);
        let mut values = given(placed(p, true), placed(q, true));
        formulas::homogeneous().run(field, &mut values).unwrap();
        let w = field.inverse(&values["Z"]).unwrap();
        let own = Affine { x: field.mul(&values["X"], &w), y: field.mul(&values["Y"], &w) };
        assert_eq!(Some(own), *p, "{}", curve.name);
    }
}

/// The generator is on the curve, and has its order.
#[test]
fn curves_have_their_order() {
    for (name, curve) in of_prime_order() {
        let curve = curve();
        assert!(curve.contains(&curve.generator), "{name}");
        assert_eq!(
            curve.multiple(&(&curve.order - 1u8), &curve.generator),
            Some(curve.negative(&curve.generator))
        );
    }
}

#[test]
fn the_ladder_agrees_with_the_group_law() {
    let curve = c2pnb191v1();
    let field = curve.field();
    let root = (0..190).fold(curve.b.clone(), |root, _| field.square(&root));
    assert_eq!(field.square(&root), curve.b);
    let Affine { x, y } = curve.generator.clone();
    let mut random = Random::new(6);
    for double in [formulas::ladder_double(), formulas::ladder_double_root()] {
        let k = number(&random.extreme_words(5)) + 2u32;
        let x2 = field.square(&x);
        let mut values = BTreeMap::from([
            ("X1", x.clone()),
            ("Z1", BigUint::from(1u32)),
            ("X2", field.add(&field.square(&x2), &curve.b)),
            ("Z2", x2),
            ("x", x.clone()),
            ("y", y.clone()),
            ("b", curve.b.clone()),
            ("c", root.clone()),
        ]);
        let swap = |values: &mut BTreeMap<&'static str, BigUint>| {
            for (one, other) in [("X1", "X2"), ("Z1", "Z2")] {
                let kept = values[one].clone();
                values.insert(one, values[other].clone());
                values.insert(other, kept);
            }
        };
        for bit in (0..k.bits() - 1).rev() {
            // the sum goes where the doubled point is not
            if !k.bit(bit) {
                swap(&mut values);
            }
            formulas::ladder_add().run(field, &mut values).unwrap();
            double.run(field, &mut values).unwrap();
            if !k.bit(bit) {
                swap(&mut values);
            }
        }
        formulas::ladder_before_inversion().run(field, &mut values).unwrap();
        values.insert("w", field.inverse(&values["G"]).unwrap());
        formulas::ladder_after_inversion().run(field, &mut values).unwrap();
        let expected = curve.multiple(&k, &curve.generator).unwrap();
        assert_eq!(Affine { x: values["u"].clone(), y: values["v"].clone() }, expected, "{}", double.title);
    }
    assert_eq!(scalar::non_adjacent(&BigUint::from(7u32)), [1, 0, 0, -1]);
}
