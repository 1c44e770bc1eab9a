//! Operations in straight lines.

use super::*;
use rhomb_field::Field;
use rhomb_field::binary::BinaryField;
use rhomb_field::prime::PrimeField;
use rhomb_mips::field::{Correction, binary, prime};

/// Operands of a prime field's operation: random, extreme, and near the modulus and its multiples.
fn operands(random: &mut Random, round: u32) -> Vec<u32> {
    let p = [u32::MAX, u32::MAX, u32::MAX - 1, u32::MAX, u32::MAX, u32::MAX];
    match (round + random.bits() as u32 % 2) % 5 {
        0 => vec![u32::MAX; 6],
        1 => p.to_vec(),
        2 => vec![random.bits() as u32 % 3, random.bits() as u32 % 3, 0, 0, 0, random.bits() as u32 % 2],
        3 => {
            let mut words = random.extreme_words(6);
            words[5] = u32::MAX;
            words
        }
        _ => random.extreme_words(6),
    }
}

fn check_prime(
    name: &str,
    function: &Function,
    lengths: &[usize],
    expected: impl Fn(&PrimeField, &[Vec<u32>]) -> BigUint,
) -> u64 {
    let field = PrimeField::p192();
    let mut random = Random::new(7);
    let mut times = Vec::new();
    for round in 0..400 {
        let operands: Vec<Vec<u32>> = lengths
            .iter()
            .map(
                |length| {
                    if *length == 6 { operands(&mut random, round) } else { random.extreme_words(*length) }
                },
            )
            .collect();
        let (words, cycles) = call(function, 6, &operands, round);
        assert_eq!(field.element(&big(&words)), expected(&field, &operands), "{name} {operands:08x?}");
        times.push(cycles);
    }
    let (least, most) = (*times.iter().min().unwrap(), *times.iter().max().unwrap());
    let (min, max, constant) = secret(function, 6, lengths);
    assert!(min <= least && most <= max, "{name}");
    if constant {
        assert_eq!(min, max, "{name}");
    } else {
        // operands that want the rare correction are among these
        assert!(least < most, "{name}");
    }
    least
}

#[test]
fn prime_field() {
    for (correction, cycles) in
        [(Correction::Branch, [135, 104, 51, 44, 54]), (Correction::Always, [151, 120, 67, 60, 73])]
    {
        let mut times = Vec::new();
        let multiply = function(|model| prime::multiply(model, "f", correction));
        times.push(check_prime("multiply", &multiply, &[6, 6], |f, o| f.mul(&big(&o[0]), &big(&o[1]))));
        let square = function(|model| prime::square(model, "f", correction));
        times.push(check_prime("square", &square, &[6], |f, o| f.square(&big(&o[0]))));
        let reduction = function(|model| prime::reduction(model, "f", correction));
        times.push(check_prime("reduction", &reduction, &[12], |f, o| f.element(&big(&o[0]))));
        let add = function(|model| prime::add(model, "f", correction));
        times.push(check_prime("add", &add, &[6, 6], |f, o| f.add(&big(&o[0]), &big(&o[1]))));
        let subtract = function(|model| prime::subtract(model, "f", correction));
        times.push(check_prime("subtract", &subtract, &[6, 6], |f, o| f.sub(&big(&o[0]), &big(&o[1]))));
        // the usual case: what is rare takes longer, or the same time
        assert_eq!(times, cycles);
    }
    let half = function(|model| prime::half(model, "f"));
    assert_eq!(check_prime("half", &half, &[6], |f, o| f.half(&big(&o[0])).unwrap()), 54);
}

#[test]
fn binary_field() {
    let field = BinaryField::t191();
    let check = |name: &str,
                 cycles: u64,
                 function: &Function,
                 lengths: &[usize],
                 expected: &dyn Fn(&[Vec<u32>]) -> BigUint| {
        let mut random = Random::new(9);
        for round in 0..100 {
            let operands: Vec<Vec<u32>> = lengths
                .iter()
                .map(|length| {
                    let mut words = random.extreme_words(*length);
                    if *length == 12 {
                        words[11] &= i32::MAX as u32;
                    }
                    words
                })
                .collect();
            let (words, time) = call(function, 6, &operands, round);
            assert_eq!(field.element(&big(&words)), expected(&operands), "{name} {operands:08x?}");
            assert_eq!(time, cycles, "{name}");
        }
        assert_eq!(secret(function, 6, lengths), (cycles, cycles, true), "{name}");
    };
    let multiply = function(|model| binary::multiply(model, "f"));
    check("multiply", 113, &multiply, &[6, 6], &|o| field.mul(&big(&o[0]), &big(&o[1])));
    let square = function(|model| binary::square(model, "f"));
    check("square", 50, &square, &[6], &|o| field.square(&big(&o[0])));
    let reduction = function(|model| binary::reduction(model, "f"));
    check("reduction", 50, &reduction, &[12], &|o| field.element(&big(&o[0])));
    let add = function(|model| binary::add(model, "f"));
    check("add", 25, &add, &[6, 6], &|o| field.add(&big(&o[0]), &big(&o[1])));
}
