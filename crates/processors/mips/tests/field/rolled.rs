//! Operations with loops.

use super::*;
use rhomb_field::Field;
use rhomb_field::binary::BinaryField;
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
    let function = plain(rolled::add("f", 6));
    let mut times = Vec::new();
    for round in 0..400 {
        let turn = random.bits() as u32;
        let (a, b) = (near(&mut random, round), near(&mut random, turn));
        let expected = field.add(&big(&a), &big(&b));
        let (result, cycles) = call(&function, 6, &[a, b, context.clone()], round);
        assert_eq!(field.element(&big(&result)), expected);
        times.push(cycles);
    }
    assert_eq!(times.iter().min(), Some(&67));
    let function = plain(rolled::xor("f", 6));
    let (a, b) = (random.extreme_words(6), random.extreme_words(6));
    let (result, cycles) = call(&function, 6, &[a.clone(), b.clone()], 0);
    assert_eq!(big(&result), big(&a) ^ big(&b));
    assert_eq!(cycles, 51);
}
