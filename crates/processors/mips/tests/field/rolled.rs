//! Operations with loops.

use super::*;
use rhomb_field::Field;
use rhomb_field::binary::{BinaryField, product};
use rhomb_field::montgomery::{Montgomery, Ring};
use rhomb_field::prime::PrimeField;
use rhomb_field::words::words;
use rhomb_mips::field::rolled;

/// The routine `f` of a text.
fn plain(text: String) -> Function {
    function(|_| Ok(text.clone()))
}

/// A modulus of d words in a context.
fn context(ring: Ring, modulus: &[u32]) -> Vec<u32> {
    let d = modulus.len();
    let mut context = vec![0; 3 * d];
    context.extend(modulus);
    context.push(Montgomery::new(ring, modulus).unwrap().factor());
    assert_eq!(context.len(), rolled::context_words(d));
    context
}

/// The result and the cycles of a call with a context, which is written.
fn with_context(function: &Function, operands: &[Vec<u32>], place: u32) -> (Vec<u32>, u64) {
    let length = operands[0].len() as u32;
    let surroundings = Surroundings { place, ..Surroundings::default() };
    let finished = function
        .call_in(Concrete::new(), &buffers(length, operands, Some(operands.len() - 1)), surroundings)
        .unwrap_or_else(|stopped| panic!("{stopped}"));
    assert_eq!(finished.breaches, []);
    let words: Option<Vec<u32>> = finished.buffers[0].iter().copied().collect();
    (words.expect("the result is written"), finished.tally.cycles.max)
}

#[test]
fn products_and_squares() {
    let mut random = Random::new(21);
    for d in [2usize, 3, 6, 7, 12] {
        let mut times = Vec::new();
        for (name, text) in [
            ("product", rolled::multiply("f", Ring::Integers, d)),
            ("square", rolled::square_integers("f", d)),
            ("polynomials", rolled::multiply("f", Ring::Polynomials, d)),
            ("square of polynomials", rolled::square_polynomials("f", d)),
        ] {
            let function = plain(text);
            let mut time = 0;
            for place in 0..20 {
                let (a, mut b) = (random.extreme_words(d), random.extreme_words(d));
                if place == 0 {
                    b = vec![u32::MAX; d];
                }
                let (expected, operands) = match name {
                    "product" => (big(&a) * big(&b), vec![a, b]),
                    "square" => (big(&b) * big(&b), vec![b]),
                    "polynomials" => (product(&big(&a), &big(&b)), vec![a, b]),
                    _ => (product(&big(&b), &big(&b)), vec![b]),
                };
                let (result, cycles) = call(&function, 2 * d as u32, &operands, place);
                assert_eq!(result, words(&expected, 2 * d), "{name} {d}");
                time = cycles;
            }
            times.push(time);
        }
        if d == 6 {
            assert_eq!(times, [315, 202, 315, 57]);
        }
    }
}

#[test]
fn montgomery() {
    let mut random = Random::new(22);
    for d in [2usize, 3, 4, 5, 6, 7] {
        let square = plain(rolled::montgomery_square("f", Ring::Integers, d));
        let multiply = plain(rolled::montgomery_multiply("f", Ring::Integers, d));
        let mut times = [Vec::new(), Vec::new()];
        for round in 0..60 {
            let mut modulus = random.extreme_words(d);
            modulus[0] |= 1;
            modulus[d - 1] |= 1 << 31;
            let (mut a, mut b) = (random.extreme_words(d), random.extreme_words(d));
            if round < 3 {
                (a, b) = (vec![u32::MAX; d], vec![u32::MAX; d]);
                modulus[d - 1] = u32::MAX;
            }
            let (n, r) = (big(&modulus), BigUint::from(1u32) << (32 * d));
            let context = context(Ring::Integers, &modulus);
            for (routine, (function, x)) in [(&multiply, &b), (&square, &a)].into_iter().enumerate() {
                let operands = [a.clone(), x.clone(), context.clone()];
                let (result, cycles) = with_context(function, &operands, round);
                assert_eq!(big(&result) * &r % &n, big(&a) * big(x) % &n, "{d}");
                times[routine].push(cycles);
            }
        }
        if d == 6 {
            let ends = |times: &[u64]| (*times.iter().min().unwrap(), *times.iter().max().unwrap());
            assert_eq!((ends(&times[0]), ends(&times[1])), ((468, 533), (397, 462)));
        }
    }
    let field = BinaryField::t191();
    let context = context(Ring::Polynomials, &words(field.polynomial(), 6));
    let multiply = plain(rolled::montgomery_multiply("f", Ring::Polynomials, 6));
    let square = plain(rolled::montgomery_square("f", Ring::Polynomials, 6));
    for round in 0..60 {
        let (a, b) = (random.extreme_words(6), random.extreme_words(6));
        for (expected, function, x) in [(447, &multiply, &b), (297, &square, &a)] {
            let operands = [a.clone(), x.clone(), context.clone()];
            let (result, cycles) = with_context(function, &operands, round);
            let back = field.mul(&big(&result), &(BigUint::from(1u32) << 192));
            assert_eq!(back, field.mul(&big(&a), &big(x)));
            assert_eq!(cycles, expected);
        }
    }
}

#[test]
fn sums() {
    let mut random = Random::new(23);
    let field = PrimeField::p192();
    let p = words(field.modulus(), 6);
    let context = context(Ring::Integers, &p);
    let near = |random: &mut Random, round: u32| match round % 6 {
        0 => vec![u32::MAX; 6],
        1 => vec![random.bits() as u32 % 3, 0, random.bits() as u32 % 2, 0, 0, 0],
        2 => p.clone(),
        3 => vec![u32::MAX, u32::MAX, u32::MAX - random.bits() as u32 % 2, u32::MAX, u32::MAX, u32::MAX],
        _ => random.extreme_words(6),
    };
    for (name, least, text, plus) in [
        ("add", 67, rolled::add("f", 6), true),
        ("subtract", 74, rolled::subtract("f", 6), false),
        ("add modulo P-192", 67, rolled::add_p192("f"), true),
        ("subtract modulo P-192", 74, rolled::subtract_p192("f"), false),
    ] {
        let function = plain(text);
        let mut times = Vec::new();
        for round in 0..400 {
            let turn = random.bits() as u32;
            let (a, b) = (near(&mut random, round), near(&mut random, turn));
            let expected = if plus { field.add(&big(&a), &big(&b)) } else { field.sub(&big(&a), &big(&b)) };
            let (result, cycles) = call(&function, 6, &[a, b, context.clone()], round);
            assert_eq!(field.element(&big(&result)), expected, "{name}");
            times.push(cycles);
        }
        assert_eq!(times.iter().min(), Some(&least), "{name}");
    }
    let function = plain(rolled::xor("f", 6));
    let (a, b) = (random.extreme_words(6), random.extreme_words(6));
    let (result, cycles) = call(&function, 6, &[a.clone(), b.clone()], 0);
    assert_eq!(big(&result), big(&a) ^ big(&b));
    assert_eq!(cycles, 51);
}

#[test]
fn inversions() {
    let mut random = Random::new(24);
    let (prime, binary) = (PrimeField::p192(), BinaryField::t191());
    for (ring, field, modulus) in [
        (Ring::Integers, &prime as &dyn Field, prime.modulus()),
        (Ring::Polynomials, &binary, binary.polynomial()),
    ] {
        let function = plain(rolled::euclid::inverse("f", ring, 6));
        let context = context(ring, &words(modulus, 6));
        let mut times = Vec::new();
        for round in 0..30 {
            let a = match round {
                0 => vec![1, 0, 0, 0, 0, 0],
                1 => words(&(modulus - 1u32), 6),
                2 => vec![0; 6],
                _ => random.extreme_words(6),
            };
            let (result, cycles) = call(&function, 6, &[a.clone(), vec![0], context.clone()], round);
            assert_eq!(big(&result), field.inverse(&big(&a)).unwrap_or_default());
            times.push(cycles);
        }
        let mean = times[3..].iter().sum::<u64>() / 27;
        assert!((50_000..60_000).contains(&mean), "{ring:?}: {mean}");
    }
}
