//! What is right, by exact arithmetic.

use crate::binary;
use num_bigint::BigUint;
use rhomb_certificate::{AnyModulus, Contract, Expression, Modular, Operation};
use rhomb_machine::{Concrete, Finished, Limb, Stopped};

/// How a call breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// A word of the result is wrong; the lowest such word. The word after the last one is the returned
    /// carry or borrow.
    Wrong {
        /// Its number, from 0.
        word: usize,
        /// What is right.
        expected: u64,
        /// What is there.
        got: u64,
    },
    /// A word of the result was never written.
    Missing {
        /// Its number, from 0.
        word: usize,
    },
    /// The call does something that the contract does not allow.
    Stopped(Stopped),
    /// The call returns, but breaks the convention.
    Breach(String),
}

/// The first word of the result that is not `expected`. Of a result that is a congruence, and
/// may be above the modulus, the words of its residue are compared.
pub(crate) fn wrong_word<W: Limb>(
    contract: &Contract,
    bits: u32,
    (operands, expected): (&[Vec<u64>], &[u64]),
    finished: &Finished<Concrete<W>>,
) -> Option<Failure> {
    let returned = contract.returns_carry().then_some(finished.returned);
    let got = finished.buffers[0].iter().copied().chain(returned).map(|word| word.map(W::to_u64));
    let words: Result<Vec<u64>, Failure> =
        got.enumerate().map(|(word, got)| got.ok_or(Failure::Missing { word })).collect();
    let words = match words {
        Err(missing) => return Some(missing),
        Ok(words) => words,
    };
    let residue = match contract {
        Contract::Modular(modular) if !modular.canonical => {
            Some(number(&words, bits) % modular.modulus.number())
        }
        Contract::AnyModulus(any) => Some(number(&words, bits) % modulus(any, bits, operands)),
        Contract::Binary(operation) => Some(binary::residue(operation, &number(&words, bits))),
        _ => None,
    };
    let words = residue.map_or(words.clone(), |residue| words_of(&residue, bits, words.len() as u32));
    let wrong = words.iter().zip(expected).enumerate().find(|(_, (got, expected))| got != expected);
    wrong.map(|(word, (got, expected))| Failure::Wrong { word, expected: *expected, got: *got })
}

/// That a modulus which is an argument, or its inverse, is not there after the call.
pub(crate) fn changed_modulus<W: Limb>(
    contract: &Contract,
    bits: u32,
    operands: &[Vec<u64>],
    finished: &Finished<Concrete<W>>,
) -> Option<Failure> {
    let any = contract.any_modulus()?;
    let (before, after) = (operands.last()?, finished.buffers.last()?);
    let changed = any.constants(bits).any(|place| after[place].map(W::to_u64) != Some(before[place]));
    changed.then(|| Failure::Breach("the modulus, or its inverse, is not what it was at the call".to_owned()))
}

/// The words of the right result, and after them the carry or borrow where one is returned; those of its residue
/// where it is a congruence.
pub(crate) fn expected(contract: &Contract, bits: u32, operands: &[Vec<u64>]) -> Vec<u64> {
    let numbers: Vec<BigUint> = operands.iter().map(|words| number(words, bits)).collect();
    let length = contract.result(bits);
    let words = length + u32::from(contract.returns_carry());
    let value = match contract {
        Contract::Modular(modular) => residue(modular, bits, &numbers),
        Contract::AnyModulus(any) => {
            let value = value(any.operation.expression(), &numbers, &BigUint::ZERO);
            quotient(value, bits * any.words(bits), &modulus(any, bits, operands))
        }
        Contract::Binary(operation) => binary::expected(operation, bits, &numbers),
        _ => match contract.expression() {
            // a borrow of 1 where the difference is negative
            Expression::Difference if numbers[0] < numbers[1] => {
                (BigUint::from(2u8) << (bits * length) as usize) + &numbers[0] - &numbers[1]
            }
            expression => value(expression, &numbers, &BigUint::ZERO),
        },
    };
    words_of(&value, bits, words)
}

/// The value of an expression, with `more` where it is a difference.
fn value(expression: Expression, numbers: &[BigUint], more: &BigUint) -> BigUint {
    match expression {
        Expression::Product => &numbers[0] * &numbers[1],
        Expression::Square => &numbers[0] * &numbers[0],
        Expression::Sum => &numbers[0] + &numbers[1],
        Expression::Difference => more + &numbers[0] - &numbers[1],
        // of the residues' field, see there
        Expression::Value | Expression::Inverse => numbers[0].clone(),
    }
}

fn residue(modular: &Modular, bits: u32, numbers: &[BigUint]) -> BigUint {
    let modulus = modular.modulus.number();
    // what is subtracted may be any number of its words: a multiple of the modulus makes up for it
    let more = &modulus << bits as usize;
    let value = match modular.factor {
        Some(factor) => &numbers[0] * factor % &modulus,
        None => value(modular.operation.expression(), numbers, &more) % &modulus,
    };
    let value = match modular.operation {
        Operation::ModInv => value.modinv(&modulus).unwrap_or_default(),
        Operation::MontInv => {
            let radix = BigUint::from(1u8) << (2 * bits * modular.modulus.words(bits)) as usize;
            radix * value.modinv(&modulus).unwrap_or_default()
        }
        _ => value,
    };
    quotient(value, modular.shift(bits), &modulus)
}

/// A value divided by a power of two, modulo an odd number, so that powers of two have inverses.
fn quotient(value: BigUint, shift: u32, modulus: &BigUint) -> BigUint {
    let power = BigUint::from(1u8) << shift as usize;
    let inverse = power.modinv(modulus).unwrap_or_default();
    value * inverse % modulus
}

/// The modulus of a workspace, which is the last operand.
fn modulus(any: &AnyModulus, bits: u32, operands: &[Vec<u64>]) -> BigUint {
    let workspace = operands.last().map_or(&[][..], |words| words);
    number(&workspace[..any.words(bits) as usize], bits)
}

/// The number that words make, lowest first.
pub(crate) fn number(words: &[u64], bits: u32) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |sum, word| (sum << bits as usize) + BigUint::from(*word))
}

/// The lowest words of a number.
pub(crate) fn words_of(value: &BigUint, bits: u32, count: u32) -> Vec<u64> {
    let word = |at: u32| {
        let digits: BigUint = value >> (bits * at) as usize;
        digits.iter_u64_digits().next().unwrap_or(0) & ((1 << bits) - 1)
    };
    (0..count).map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn right_results() {
        let check = |contract: &str, operands: &[&[u64]], right: &[u64]| {
            let operands: Vec<Vec<u64>> = operands.iter().map(|words| words.to_vec()).collect();
            assert_eq!(expected(&contract.parse().unwrap(), 8, &operands), right, "{contract}");
        };
        check("mul 16 8", &[&[0xff, 0xff], &[0xff]], &[0x01, 0xff, 0xfe]);
        check("sqr 8", &[&[0xff]], &[0x01, 0xfe]);
        check("add 16", &[&[0xff, 0xff], &[1, 0]], &[0, 0, 1]);
        check("add 16", &[&[0xfe, 0xff], &[1, 0]], &[0xff, 0xff, 0]);
        check("sub 16", &[&[0, 0], &[1, 0]], &[0xff, 0xff, 1]);
        check("sub 16", &[&[0, 1], &[1, 0]], &[0xff, 0, 0]);
        check("sub 8", &[&[7], &[7]], &[0, 0]);
        check("modmul 0xf1", &[&[0xff], &[0xff]], &[0xc4]);
        check("modmul 0xf1 b=3", &[&[0xff]], &[0x2a]);
        check("modadd 0xf1", &[&[0xff], &[0xf0]], &[0x0d]);
        check("modsub 0xf1", &[&[1], &[2]], &[0xf0]);
        check("modreduce 0xf1", &[&[0xff, 0xff]], &[0xe0]);
        // 3 * 256 = 45, modulo 241
        check("montreduce 0xf1", &[&[45, 0]], &[3]);
        check("montmul 0xf1", &[&[15], &[3]], &[3]);
        // FIPS 197, section 4.2: {57} {83} = {c1}
        check("modinv 0xf1", &[&[15]], &[225]);
        check("modinv 0xf1", &[&[0xf1]], &[0]);
        // 15 is 1 times the radix 256
        check("montinv 0xf1", &[&[15]], &[15]);
        check("gf2mul 8", &[&[0x57], &[0x83]], &[0x79, 0x2b]);
        check("gf2sqr 8", &[&[0xff]], &[0x55, 0x55]);
        check("gf2add 16", &[&[0x57, 1], &[0x83, 3]], &[0xd4, 2]);
        check("gf2modmul x^8+x^4+x^3+x+1", &[&[0x57], &[0x83]], &[0xc1]);
        check("gf2modreduce 0x11b", &[&[0x79, 0x2b]], &[0xc1]);
        // FIPS 197, section 4.2.1: {53} {ca} = {01}
        check("gf2modinv 0x11b", &[&[0x53]], &[0xca]);
        check("gf2modinv 0x11b", &[&[0]], &[0]);
        // x^8 = x^4 + x^3 + x + 1
        check("gf2montreduce 0x11b", &[&[0x1b, 0]], &[1]);
        check("gf2montmul 0x11b", &[&[0x1b], &[0x57]], &[0x57]);
    }
}
