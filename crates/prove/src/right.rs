//! What is right, by exact arithmetic.

use crate::binary;
use num_bigint::{BigInt, BigUint};
use rhomb_certificate::{
    AnyModulus, Computation, Contract, Expression, Limbs, Modular, Operation, Returned, words as words_of,
};
use rhomb_machine::{Concrete, Finished, Stopped};

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
pub(crate) fn wrong_word(
    contract: &Contract,
    bits: u32,
    (operands, expected): (&[Vec<u64>], &[u64]),
    finished: &Finished<Concrete<u32>>,
) -> Option<Failure> {
    let returned = [finished.returned].into_iter().chain(finished.returned_above.iter().copied());
    let returned = returned.filter(|_| contract.returned() != Returned::Void);
    let got = contract.result_of(&finished.buffers).copied().chain(returned).map(|word| word.map(u64::from));
    let words: Result<Vec<u64>, Failure> =
        got.enumerate().map(|(word, got)| got.ok_or(Failure::Missing { word })).collect();
    let words = match words {
        Err(missing) => return Some(missing),
        Ok(words) => words,
    };
    let (result, returned) = words.split_at(contract.result(bits) as usize);
    let result = &contract.turned(bits, None, result)[..];
    let words = [result, returned].concat();
    let found = contract.number(bits, result);
    let of_each = |modular: &Modular| {
        let modulus = modular.modulus.number();
        let numbers = result.chunks(contract.words_of_each(bits) as usize);
        let residues = numbers.map(|words| below(&contract.number(bits, words), &modulus));
        residues.rev().fold(BigUint::ZERO, |all, residue| (all << contract.radix(bits) as usize) + residue)
    };
    let residue = match contract.computation {
        Computation::Modular(modular) if !contract.is_canonical() => Some(of_each(&modular)),
        Computation::AnyModulus(any) => Some(below(&found, &modulus(&any, bits, operands))),
        Computation::Binary(operation) => Some(binary::residue(&operation, found.magnitude())),
        // of limbs the number is compared
        Computation::Whole(_) if contract.limbs.is_some() => {
            Some(below(&found, &(BigUint::from(1u8) << (bits as usize * result.len()))))
        }
        _ => None,
    };
    let words = residue.map_or(words.clone(), |residue| {
        let words = words_of(&residue, bits, result.len() as u32).into_iter();
        words.chain(returned.iter().copied()).collect()
    });
    let wrong = words.iter().zip(expected).enumerate().find(|(_, (got, expected))| got != expected);
    if let Some((word, (got, expected))) = wrong {
        return Some(Failure::Wrong { word, expected: *expected, got: *got });
    }
    let too_large = |limbs: &Limbs| {
        let mut own = limbs.joined(bits, result).into_iter().enumerate();
        own.find(|(at, limb)| limbs.value(*limb).unsigned_abs() > limbs.most_of_result(*at))
    };
    if let Some((limbs, (at, limb))) =
        contract.limbs.and_then(|limbs| too_large(&limbs).map(|own| (limbs, own)))
    {
        let most = limbs.most_of_result(at);
        let text = match limbs.value(limb) {
            below @ ..0 => {
                format!("limb {at} of the result, -{:#x}, is below -{most:#x}", below.unsigned_abs())
            }
            _ => format!("limb {at} of the result, {limb:#x}, is above {most:#x}"),
        };
        return Some(Failure::Breach(text));
    }
    let bound = contract.result_bound(bits).filter(|bound| found >= BigInt::from(bound.clone()));
    bound.map(|bound| Failure::Breach(format!("the result {found:#x} is not below {bound:#x}")))
}

/// That a modulus which is an argument, or its inverse, is not there after the call.
pub(crate) fn changed_modulus(
    contract: &Contract,
    bits: u32,
    operands: &[Vec<u64>],
    finished: &Finished<Concrete<u32>>,
) -> Option<Failure> {
    let any = contract.any_modulus()?;
    let (before, after) = (operands.last()?, finished.buffers.last()?);
    let changed = any.constants(bits).any(|place| after[place].map(u64::from) != Some(before[place]));
    changed.then(|| Failure::Breach("the modulus, or its inverse, is not what it was at the call".to_owned()))
}

/// The words of the right result, and after them the carry or borrow where one is returned; those of its residue
/// where it is a congruence.
pub(crate) fn expected(contract: &Contract, bits: u32, operands: &[Vec<u64>]) -> Vec<u64> {
    let numbers = numbers(contract, bits, operands);
    let length = contract.result(bits);
    let value = match contract.computation {
        Computation::Modular(modular) if contract.expression().results() > 1 => {
            let modulus = modular.modulus.number();
            let of = |is_upper: bool| below(&sum(contract, bits, &numbers, Some(is_upper)), &modulus);
            (of(true) << contract.radix(bits) as usize) + of(false)
        }
        Computation::Modular(modular) => residue(contract, &modular, bits, &numbers),
        Computation::AnyModulus(any) => {
            let modulus = modulus(&any, bits, operands);
            quotient(below(&value(contract, bits, &numbers), &modulus), bits * any.words(bits), &modulus)
        }
        Computation::Binary(operation) => {
            let numbers: Vec<BigUint> = numbers.iter().map(|own| own.magnitude().clone()).collect();
            binary::expected(&operation, bits, &numbers)
        }
        Computation::Whole(whole) if whole.operation.expression().is_comparison() => {
            return compared(contract, bits, &numbers);
        }
        Computation::Whole(_) => {
            let value = value(contract, bits, &numbers) >> contract.rest() as usize;
            let radix = BigUint::from(1u8) << (bits * length) as usize;
            let result = below(&value, &radix);
            let beyond = (value - BigInt::from(result.clone())) >> (bits * length) as usize;
            let mut words = words_of(&result, bits, length);
            // what a borrow counts is negative
            words.extend(returned(contract, bits, &BigInt::from(beyond.magnitude().clone())));
            return words;
        }
    };
    let mut words = words_of(&value, bits, length);
    if contract.returned() == Returned::Zero {
        words.extend(returned(contract, bits, &BigInt::ZERO));
    }
    words
}

/// The words of the number that is returned where the carry or borrow, or the outcome of a comparison, is this one.
fn returned(contract: &Contract, bits: u32, carry: &BigInt) -> Vec<u64> {
    let count = contract.returned_words(bits);
    let radix = BigUint::from(1u8) << (bits * count) as usize;
    match contract.returned() {
        Returned::Carry => words_of(&below(carry, &radix), bits, count),
        Returned::Mask => words_of(&below(&-carry, &radix), bits, count),
        Returned::Zero => vec![0; count as usize],
        Returned::Void | Returned::Result => Vec::new(),
    }
}

/// The numbers that operands are.
fn numbers(contract: &Contract, bits: u32, operands: &[Vec<u64>]) -> Vec<BigInt> {
    let own = |(operand, words): (usize, &Vec<u64>)| {
        contract.number(bits, &contract.turned(bits, Some(operand), words))
    };
    operands.iter().enumerate().map(own).collect()
}

/// The value of a contract's expression; of an inverse the operand.
fn value(contract: &Contract, bits: u32, numbers: &[BigInt]) -> BigInt {
    sum(contract, bits, numbers, None)
}

/// The same, or of several numbers the upper one or the lower one by itself.
fn sum(contract: &Contract, bits: u32, numbers: &[BigInt], is_upper: Option<bool>) -> BigInt {
    let terms = contract.expression().terms().iter();
    let terms = terms.filter(|term| is_upper.is_none_or(|own| own == term.is_upper)).map(|term| {
        let product: BigInt = term.operands.iter().map(|operand| &numbers[*operand]).product();
        let product = product * contract.times_of(term);
        let is_moved = term.is_upper && is_upper.is_none();
        let product = if is_moved { product << contract.radix(bits) as usize } else { product };
        if term.is_negative { -product } else { product }
    });
    let sum = terms.reduce(|sum, term| sum + term).unwrap_or_else(|| numbers[0].clone());
    sum << contract.raise(bits) as usize
}

/// The words that a comparison returns.
fn compared(contract: &Contract, bits: u32, numbers: &[BigInt]) -> Vec<u64> {
    let [a, others @ ..] = numbers else { return Vec::new() };
    let zero = BigInt::ZERO;
    let b = others.first().unwrap_or(&zero);
    let outcome = match (contract.expression(), a.cmp(b)) {
        (Expression::Less, order) => i8::from(order.is_lt()),
        (Expression::Order, order) => order as i8,
        (_, order) => i8::from(order.is_eq()),
    };
    returned(contract, bits, &outcome.into())
}

/// The residue of a value, from 0 on.
fn below(value: &BigInt, modulus: &BigUint) -> BigUint {
    let modulus = BigInt::from(modulus.clone());
    let residue = (value % &modulus + &modulus) % &modulus;
    residue.magnitude().clone()
}

fn residue(contract: &Contract, modular: &Modular, bits: u32, numbers: &[BigInt]) -> BigUint {
    let modulus = modular.modulus.number();
    let value = below(&value(contract, bits, numbers), &modulus);
    let value = match modular.operation {
        Operation::ModInv => value.modinv(&modulus).unwrap_or_default(),
        Operation::MontInv => {
            let radix = BigUint::from(1u8) << (2 * contract.radix(bits)) as usize;
            radix * value.modinv(&modulus).unwrap_or_default()
        }
        _ => value,
    };
    quotient(value, contract.shift(bits), &modulus)
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
        check("sub 16 -> void", &[&[0, 0], &[1, 0]], &[0xff, 0xff]);
        check("mullow 16", &[&[0xff, 0xff], &[0xff, 0]], &[0x01, 0xff]);
        check("mul 16 word", &[&[0xff, 0xff], &[0xff]], &[0x01, 0xff, 0xfe]);
        check("mac 16 word", &[&[0xff, 0xff], &[0xff, 0xff], &[0xff]], &[0x00, 0xff, 0xff]);
        check("mac 8 8", &[&[0xff, 0xff], &[0xff], &[0xff]], &[0x00, 0xfe, 1]);
        check("msub 16 word", &[&[0, 0], &[0xff, 0xff], &[0xff]], &[0xff, 0x00, 0xff]);
        check("msub 16 word", &[&[1, 0], &[1, 0], &[1]], &[0, 0, 0]);
        check("neg 16", &[&[1, 0]], &[0xff, 0xff]);
        check("neg 16 -> carry", &[&[1, 0]], &[0xff, 0xff, 1]);
        check("neg 16 -> carry", &[&[0, 0]], &[0, 0, 0]);
        check("shl 16 3", &[&[0xff, 0xff]], &[0xf8, 0xff]);
        check("shl 16 3 -> carry", &[&[0xff, 0xff]], &[0xf8, 0xff, 7]);
        check("shr 16 3", &[&[0xff, 0xff]], &[0xff, 0x1f]);
        check("sub 16 -> -carry", &[&[0, 0], &[1, 0]], &[0xff, 0xff, 0xff]);
        check("add 16 word", &[&[0xff, 0xff], &[1]], &[0, 0, 1]);
        check("sub 16 word", &[&[0, 0], &[2]], &[0xfe, 0xff, 1]);
        check("addif 8", &[&[0xff], &[2], &[1]], &[1, 1]);
        check("subif 8", &[&[0], &[2], &[0]], &[0, 0]);
        check("cmp 16", &[&[0, 1], &[1, 0]], &[1]);
        check("cmp 16", &[&[1, 0], &[0, 1]], &[0xff]);
        check("cmp 16 -> -carry", &[&[1, 0], &[0, 1]], &[1]);
        check("less 16", &[&[1, 0], &[0, 1]], &[1]);
        check("equal 16", &[&[1, 0], &[1, 0]], &[1]);
        check("equal 16 -> -carry", &[&[1, 0], &[1, 0]], &[0xff]);
        check("iszero 16", &[&[0, 1]], &[0]);
        check("tomont 0xf1", &[&[3]], &[45]);
        check("frommont 0xf1", &[&[45]], &[3]);
        check("select 8", &[&[5], &[7], &[1]], &[5]);
        check("select 8", &[&[5], &[7], &[0]], &[7]);
        check("modneg 0xf1", &[&[1]], &[0xf0]);
        check("moddouble 0xf1", &[&[0xf0]], &[0xef]);
        check("cond-sub 0xf1", &[&[0xf2]], &[1]);
        check("modadd 0xf1 -> 0", &[&[1], &[2]], &[3, 0]);
        check("modmul 0xf1", &[&[0xff], &[0xff]], &[0xc4]);
        check("modmul 0xf1 b=3", &[&[0xff]], &[0x2a]);
        check("modadd 0xf1", &[&[0xff], &[0xf0]], &[0x0d]);
        check("modsub 0xf1", &[&[1], &[2]], &[0xf0]);
        check("modaddsub 0xf1", &[&[0xff], &[0xf0]], &[0x0d, 0x0f]);
        check("modaddsub 0xf1", &[&[1], &[2]], &[3, 0xf0]);
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
