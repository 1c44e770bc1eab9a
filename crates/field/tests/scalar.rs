//! Scalar multiplications as programs, executed over numbers and words of several widths, against the group law.

use crate::executor::{Memory, number, words};
use num_bigint::BigUint;
use rhomb_contract::{Contract, Operation};
use rhomb_field::Field;
use rhomb_field::binary::product;
use rhomb_field::curve::{Affine, Base, Curve, c2pnb191v1, of_prime_order, p192};
use rhomb_field::prime::PrimeField;
use rhomb_field::program::{
    Called, Doubling, OnCurve, Scalar, Scan, Strategy, ecdh, scalar, scalarmul, x25519,
};
use rhomb_field::specification::{self, Residues, choosing_step, p25519, published_step, x25519_of_bytes};
use rhomb_machine::Random;
use rhomb_oracles::sample;

/// What a routine makes of operands in the field of a curve.
fn kept(contract: &Contract, curve: &Curve, bits: u32, operands: &[BigUint]) -> BigUint {
    let (a, b) = (&operands[0], operands.last().unwrap());
    let field = curve.field();
    let radix = BigUint::from(1u8) << (bits * contract.result(bits)) as usize;
    let radix = field.inverse(&field.element(&radix));
    let divided = |number: BigUint| field.mul(&number, radix.as_ref().unwrap());
    let times = |operand: usize, number: &BigUint| number * contract.times(operand) % curve.base.limit();
    match (contract.modular().map(|own| own.operation), contract.binary()) {
        (Some(Operation::ModMul), _) if contract.times(0) != 1 => times(0, a),
        (Some(Operation::ModMul | Operation::ModSqr), _) => field.mul(a, b),
        (Some(Operation::MontMul | Operation::MontSqr), _) => divided(field.mul(a, b)),
        (Some(Operation::ModAdd), _) => field.add(&times(0, a), &times(1, b)),
        (Some(Operation::ModSub), _) => field.sub(&times(0, a), &times(1, b)),
        (Some(Operation::ModHalf), _) => field.half(a).unwrap(),
        (_, Some(binary)) => match binary.operation() {
            Operation::Gf2Add => a ^ b,
            Operation::Gf2ModMul | Operation::Gf2ModSqr => field.element(&product(a, b)),
            Operation::Gf2MontMul | Operation::Gf2MontSqr => divided(field.element(&product(a, b))),
            other => panic!("{other:?}"),
        },
        other => panic!("{other:?}"),
    }
}

/// A multiple, and how many calls it took.
fn multiple(called: &Called, curve: &Curve, bits: u32, k: &BigUint, point: &Affine) -> (Affine, u64) {
    let count = 192 / bits as usize;
    let both = [words(&point.x, bits, count), words(&point.y, bits, count)].concat();
    let operands = vec![words(k, bits, count), both];
    let keep = |contract: &Contract, own: &[BigUint]| kept(contract, curve, bits, own);
    let memory = Memory::after(called, bits, (2 * count, operands), &keep);
    let [x, y] = [&memory.result[..count], &memory.result[count..]].map(|words| number(words, bits));
    (Affine { x, y }, memory.calls)
}

#[test]
fn multiples() {
    let mut random = Random::new(31);
    let mut some = || (0..3).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits());
    for curve in [p192(), c2pnb191v1()] {
        let other = curve.multiple(&some(), &curve.generator).unwrap();
        let n = &curve.order;
        let scalars: [BigUint; 7] =
            [1u8.into(), 2u8.into(), 3u8.into(), n - 1u8, n - 2u8, (n - 1u8) / 2u8, some() % n];
        let binary = matches!(curve.base, Base::Binary(_));
        for (strategy, doubling, scan, bits) in [
            (Strategy::Special, Doubling::Short, Scan::Masks, 8),
            (Strategy::Special, Doubling::General, Scan::Masks, 16),
            (Strategy::Montgomery, Doubling::Short, Scan::Masks, 32),
            (Strategy::Special, Doubling::Short, Scan::Branches, 32),
            (Strategy::Montgomery, Doubling::General, Scan::Branches, 32),
        ] {
            let task = Scalar { curve: &curve, strategy, doubling, scan, bits };
            let called = scalar(&task).unwrap();
            let mut calls = Vec::new();
            for (at, k) in scalars.iter().enumerate() {
                let point = if at % 2 == 0 { &curve.generator } else { &other };
                let (result, own) = multiple(&called, &curve, bits, k, point);
                assert_eq!(Some(result), curve.multiple(k, point), "{} {k:x} {task:?}", curve.name);
                calls.push(own);
            }
            calls.dedup();
            assert_eq!(calls.len() == 1, scan == Scan::Masks, "{binary}");
        }
    }
}

/// Formulas for other coefficients, and orders for which an addition would be of a point and itself.
#[test]
fn others_are_refused() {
    let mut curve = p192();
    let task = |curve: &Curve, doubling, scan| {
        scalar(&Scalar { curve, strategy: Strategy::Special, doubling, scan, bits: 32 }).is_some()
    };
    assert!(task(&curve, Doubling::Short, Scan::Masks));
    curve.order += 2u8;
    assert!(!task(&curve, Doubling::Short, Scan::Masks) && task(&curve, Doubling::Short, Scan::Branches));
    curve.a += 1u8;
    assert!(
        !task(&curve, Doubling::Short, Scan::Branches) && task(&curve, Doubling::General, Scan::Branches)
    );
}

/// Key agreements as programs, against the group law: any keys and points, digits at their ends, and faults of each kind.
#[test]
fn agreements() {
    let mut random = Random::new(256);
    for (name, curve) in of_prime_order() {
        let curve = curve();
        let n = &curve.order;
        let bytes = n.bits() as usize / 8;
        let size = (8 * bytes) as u32;
        let mut some = || (0..7).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits()) % n;
        let other = curve.multiple(&some(), &curve.generator).unwrap();
        let Base::Prime(field) = &curve.base else { panic!("{name}") };
        let p = field.modulus();
        let string = |number: &BigUint| words(number, 8, bytes).into_iter().rev().collect::<Vec<u64>>();
        let moved = |x: &BigUint, y: &BigUint| Affine { x: x.clone(), y: y.clone() };
        let Affine { x, y } = &other;
        let mut cases = vec![
            (some(), other.clone(), 0),
            (BigUint::ZERO, other.clone(), 1),
            (n.clone(), curve.generator.clone(), 1),
            ((BigUint::from(1u8) << size) - 1u8, other.clone(), 1),
            (some(), moved(y, x), 2),
            (some(), moved(x, &(y + 1u8)), 2),
            (some(), moved(&BigUint::ZERO, &BigUint::ZERO), 2),
            (BigUint::ZERO, moved(p, y), 3),
        ];
        // numbers that would be right modulo p
        let small = |number: u32| BigUint::from(number);
        let on_top = (0..64u32).map(small).filter_map(|x| Some((curve.above(&x)?, x))).next();
        if let Some((y, x)) = on_top.filter(|(_, x)| (x + p).bits() <= u64::from(size)) {
            cases.push((some(), moved(&x, &y), 0));
            cases.push((some(), moved(&(&x + p), &y), 2));
        }
        for k in [1u32, 2, 3, 7, 8, 15, 16, 17, 30, 31, 32, 33] {
            cases.push((small(k), other.clone(), 0));
            cases.push((n - k, other.clone(), 0));
        }
        for (k, point, status) in &cases {
            let mut residues = Residues { base: curve.base.clone() };
            let agreed = specification::multiple(&mut residues, &curve, k, [&point.x, &point.y]).unwrap();
            let wrong = u64::from(agreed.wrong_key) | u64::from(agreed.wrong_point) << 1;
            assert_eq!(wrong, *status, "{name} {k:x}");
            if wrong == 0 {
                let [x, y] = agreed.point;
                assert_eq!(Affine { x, y }, curve.multiple(k, point).unwrap(), "{name} {k:x}");
            }
        }
        let keep = |contract: &Contract, own: &[BigUint], bits| kept(contract, &curve, bits, own);
        let mut calls = Vec::new();
        for (at, (strategy, bits)) in
            [(Strategy::Special, 8), (Strategy::Montgomery, 16), (Strategy::Montgomery, 32)]
                .into_iter()
                .enumerate()
        {
            let task = OnCurve { curve: &curve, strategy, bits };
            let (called, whole) = (ecdh(&task).unwrap(), scalarmul(&task).unwrap());
            let keep = |contract: &Contract, own: &[BigUint]| keep(contract, own, bits);
            let packed = |bytes: &[u64]| -> Vec<u64> {
                let word = |own: &[u64]| own.iter().rev().fold(0, |word, byte| word << 8 | byte);
                bytes.chunks(bits as usize / 8).map(word).collect()
            };
            let chosen =
                cases.iter().enumerate().filter(|(number, _)| number % sample(12, 3) == at || *number < 10);
            for (_, (k, point, status)) in chosen {
                let point_bytes = [string(&point.x), string(&point.y)].concat();
                let operands = vec![packed(&string(k)), packed(&point_bytes)];
                let count = bytes * 8 / bits as usize;
                let memory = Memory::after(&called, bits, (count, operands), &keep);
                let found = memory.returned();
                let wanted = match status {
                    0 => packed(&string(&curve.multiple(k, point).unwrap().x)),
                    _ => vec![0; count],
                };
                assert_eq!(
                    (found, &memory.result),
                    (Some(*status), &wanted),
                    "{name} {bits} {k:x} {point:x?}"
                );
                calls.push(memory.calls);
                // the whole point, of a few
                if at == 0 && k.bits() < 4 {
                    let operands = vec![packed(&string(k)), packed(&point_bytes)];
                    let memory = Memory::after(&whole, bits, (2 * count, operands), &keep);
                    let own = curve.multiple(k, point).filter(|_| *status == 0);
                    let own = own
                        .map_or(vec![0; 2 * count], |own| packed(&[string(&own.x), string(&own.y)].concat()));
                    assert_eq!((memory.returned(), memory.result), (Some(*status), own), "{name} {k:x}");
                }
            }
            calls.dedup();
            assert_eq!(std::mem::take(&mut calls).len(), 1, "{name}");
        }
    }
}

/// Multiples on a curve over GF(2^m) as a program and as specified, against the group law: points of the order n and 2 n, scalars at
/// their ends, and faults of each kind.
#[test]
fn multiples_of_points_that_somebody_sent() {
    let curve = c2pnb191v1();
    let Base::Binary(field) = &curve.base else { panic!("{}", curve.name) };
    let n = &curve.order;
    let mut random = Random::new(191);
    let mut some = || (0..3).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits()) % n;
    let other = curve.multiple(&some(), &curve.generator).unwrap();
    let half = Affine { x: BigUint::ZERO, y: field.root(&curve.b) };
    assert!(curve.contains(&half));
    let twice = curve.add(Some(&other), Some(&half)).unwrap();
    let small = |number: u32| BigUint::from(number);
    let above = |number: &BigUint| number + curve.base.limit();
    let mut cases = vec![
        (some(), other.clone(), 0),
        (some(), twice.clone(), 0),
        (some(), half.clone(), 2),
        (small(0), other.clone(), 1),
        (n.clone(), twice.clone(), 1),
        ((small(1) << 192) - 1u8, half.clone(), 3),
        (some(), Affine { x: above(&other.x), y: other.y.clone() }, 2),
        (some(), Affine { x: other.x.clone(), y: above(&other.y) }, 2),
        (some(), Affine { x: other.x.clone(), y: &other.y ^ &small(1) }, 2),
        (small(0), Affine { x: small(0), y: small(0) }, 3),
    ];
    for k in [1u32, 2, 3, 4] {
        for point in [&other, &twice] {
            cases.extend([(small(k), point.clone(), 0), (n - k, point.clone(), 0)]);
        }
    }
    for (k, point, status) in &cases {
        let mut residues = Residues { base: curve.base.clone() };
        let own = specification::multiple_binary(&mut residues, &curve, k, [&point.x, &point.y]).unwrap();
        let wrong = u64::from(own.wrong_key) | u64::from(own.wrong_point) << 1;
        assert_eq!(wrong, *status, "{k:x} {point:x?}");
        let [x, y] = own.point;
        let wanted = curve.multiple(k, point).filter(|_| wrong == 0);
        assert!(wanted.is_none_or(|own| own == Affine { x, y }), "{k:x} {point:x?}");
    }
    let string = |number: &BigUint| words(number, 8, 24).into_iter().rev().collect::<Vec<u64>>();
    let mut calls = Vec::new();
    for (strategy, bits) in [(Strategy::Special, 8), (Strategy::Montgomery, 16), (Strategy::Special, 32)] {
        let called = scalarmul(&OnCurve { curve: &curve, strategy, bits }).unwrap();
        let keep = |contract: &Contract, own: &[BigUint]| kept(contract, &curve, bits, own);
        let packed = |bytes: &[u64]| -> Vec<u64> {
            let word = |own: &[u64]| own.iter().rev().fold(0, |word, byte| word << 8 | byte);
            bytes.chunks(bits as usize / 8).map(word).collect()
        };
        for (k, point, status) in &cases {
            let given = [string(&point.x), string(&point.y)].concat();
            let count = 2 * 192 / bits as usize;
            let operands = vec![packed(&string(k)), packed(&given)];
            let memory = Memory::after(&called, bits, (count, operands), &keep);
            let wanted = curve.multiple(k, point).filter(|_| *status == 0);
            let wanted =
                wanted.map_or(vec![0; count], |own| packed(&[string(&own.x), string(&own.y)].concat()));
            assert_eq!((memory.returned(), &memory.result), (Some(*status), &wanted), "{bits} {k:x}");
            calls.push(memory.calls);
        }
        calls.dedup();
        assert_eq!(std::mem::take(&mut calls).len(), 1);
    }
}

/// X25519 as a program, against its specification: any strings, and those at the ends of the field.
#[test]
fn x25519_is_what_is_specified() {
    let p = p25519();
    let field = PrimeField::new(p.clone()).unwrap();
    let keep = |contract: &Contract, own: &[BigUint]| match contract.operation() {
        Operation::ModMul if contract.times(0) != 1 => field.mul(&own[0], &contract.times(0).into()),
        Operation::ModMul | Operation::ModSqr => field.mul(&own[0], own.last().unwrap()),
        Operation::ModAdd => field.add(&own[0], &(&own[1] * contract.times(1) % &p)),
        Operation::ModSub => field.sub(&own[0], &own[1]),
        Operation::ModAddSub => field.add(&own[0], &own[1]) + (field.sub(&own[0], &own[1]) << 256usize),
        other => panic!("{other:?}"),
    };
    let mut random = Random::new(5);
    let mut any = || BigUint::from_bytes_le(&[(); 32].map(|()| random.byte()));
    let most = (BigUint::from(1u8) << 256usize) - 1u8;
    let cases = [
        (any(), any()),
        (most.clone(), most.clone()),
        (BigUint::ZERO, &p - 1u8),
        (any(), p.clone()),
        (any(), &p + 18u8),
        (any(), BigUint::ZERO),
    ];
    let string = |number: &BigUint| -> [u8; 32] {
        words(number, 8, 32).iter().map(|byte| *byte as u8).collect::<Vec<u8>>().try_into().unwrap()
    };
    let mut residues = Residues { base: Base::Prime(field.clone()) };
    for swap in [false, true] {
        let [own, x] = [[any(), any(), any(), any()].map(|own| own % &p), [(); 4].map(|()| any() % &p)];
        let published = published_step(&mut residues, &swap, own.clone(), &x[0]);
        assert_eq!(published, choosing_step(&mut residues, &swap, own, &x[0]));
    }
    let all = [(8, true), (16, true), (32, true), (8, false), (32, false)].into_iter();
    for (bits, has_carry, paired) in all.flat_map(|(bits, carry)| [(bits, carry, false), (bits, carry, true)])
    {
        let called = x25519(bits, has_carry, paired).unwrap();
        for (k, u) in &cases {
            let count = 256 / bits as usize;
            let operands = vec![words(k, bits, count), words(u, bits, count)];
            let memory = Memory::after(&called, bits, (count, operands), &keep);
            let wanted = BigUint::from_bytes_le(&x25519_of_bytes(&string(k), &string(u)));
            assert_eq!(number(&memory.result, bits), wanted, "{bits} {k:x} {u:x}");
        }
    }
}
