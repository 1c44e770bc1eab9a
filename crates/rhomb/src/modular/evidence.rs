//! Calls of the programs, compared with big integers, and a run over secrets.

use super::{ModularOperation, ModularProgram, Workspace, private};
use crate::evidence::Evidence;
use crate::subject::{Given, Subject};
use crate::verdict::ConstantTime;
use crate::whole::{self, Calls};
use num_bigint::BigUint;
use rhomb_machine::Random;

/// Calls that are made.
const CALLS: Calls = Calls { budget: 60_000_000, fewest: 2, most: 100 };
/// Calls that are made to show a leak.
const SHOWING: u64 = 8;

/// A number of so many words; every fourth one of words of zeros and ones mostly.
pub(super) fn any_words(random: &mut Random, count: usize, mask: u64) -> Vec<u64> {
    let extreme = random.bits().is_multiple_of(4);
    (0..count)
        .map(|_| match random.bits() {
            bits if extreme && bits >> 62 != 0 => mask * (bits >> 61 & 1),
            bits => bits >> 7 & mask,
        })
        .collect()
}

pub(super) fn number(words: &[u64], word_bits: u32) -> BigUint {
    words.iter().rev().fold(BigUint::ZERO, |number, word| (number << word_bits) + *word)
}

/// -1/n modulo the radix, for an odd n.
fn negative_inverse(n: u64, mask: u64) -> u64 {
    (0..6).fold(n, |x, _| x.wrapping_mul(2u64.wrapping_sub(n.wrapping_mul(x)))).wrapping_neg() & mask
}

/// Operands of call `number`: a or b, b or e, n; or c, a key, and nothing.
pub(super) fn operands(
    operation: ModularOperation,
    call: u64,
    program: &ModularProgram,
    word_bits: u32,
) -> [Vec<u64>; 3] {
    if operation == ModularOperation::Private {
        let [c, key] = private::operands(call, program.words, word_bits);
        return [c, key, Vec::new()];
    }
    let (words, mask) = (program.words, (1u64 << word_bits) - 1);
    let mut random = Random::new(call);
    let mut any = || any_words(&mut random, words, mask);
    let (mut a, mut b, mut n) = (any(), any(), any());
    match call {
        // the largest
        0 => (a, b, n) = (vec![mask; words], vec![mask; words], vec![mask; words]),
        2 => a = vec![0; words],
        3 => b = vec![0; words],
        _ => {}
    }
    n[0] |= 1;
    n[words - 1] |= 1 << (word_bits - 1);
    match call {
        4 => a.clone_from(&n),
        5 => {
            b = vec![0; words];
            b[0] = 1;
        }
        _ => {}
    }
    [a, b, n]
}

/// Random operands, and an exponent of which every second bit is 1, the highest first.
pub(super) fn typical(
    operation: ModularOperation,
    program: &ModularProgram,
    word_bits: u32,
) -> [Vec<u64>; 3] {
    let [a, b, n] = operands(operation, 1, program, word_bits);
    if operation == ModularOperation::Private {
        return [a, b, n];
    }
    [a, vec![0xaaaa_aaaa_aaaa_aaaa & ((1 << word_bits) - 1); program.words], n]
}

/// The buffers of a call with these.
pub(super) fn typical_call(
    operation: ModularOperation,
    program: &ModularProgram,
    word_bits: u32,
) -> Vec<Given> {
    let mask = (1 << word_bits) - 1;
    let operands = typical(operation, program, word_bits);
    let inverse = operands[2].first().map(|n| negative_inverse(*n, mask));
    buffers(operation, program, operands.map(Some), (inverse, mask))
}

/// One call; what is wrong with it, or what it took.
pub(super) fn call(
    subject: &dyn Subject,
    operation: ModularOperation,
    program: &ModularProgram,
    word_bits: u32,
    ([a, b, n], place): ([Vec<u64>; 3], u32),
) -> Result<Evidence, String> {
    let mask = (1 << word_bits) - 1;
    let inverse = n.first().map(|n| negative_inverse(*n, mask));
    let given = [Some(a.clone()), Some(b.clone()), Some(n.clone())];
    let given = buffers(operation, program, given, (inverse, mask));
    let called = subject.call(&given, place).map_err(|stopped| stopped.to_string())?;
    if let Some(breach) = called.breaches.first() {
        return Err(breach.clone());
    }
    let result = number(&called.result, word_bits);
    let by_key = (operation == ModularOperation::Private).then(|| private::result(&a, &b, word_bits));
    let [a, mut b, n] = [a, b, n].map(|words| number(&words, word_bits));
    if let Some(exponent) = program.exponent {
        b = exponent.into();
    }
    let radix = BigUint::from(1u8) << (word_bits as usize * program.words);
    let right = match operation {
        ModularOperation::Multiply => (&result * &radix) % &n == (&a * &b) % &n,
        ModularOperation::Square => (&result * &radix) % &n == (&a * &a) % &n,
        ModularOperation::Reduce => (&result * &radix) % &n == (&a + &b * &radix) % &n,
        ModularOperation::Exponentiate => result == a.modpow(&b, &n),
        ModularOperation::Private => by_key.as_ref() == Some(&result),
    };
    if !right || called.result.len() != program.words {
        return Err(format!("wrong result for the operands {a:#x}, {b:#x} and the modulus {n:#x}"));
    }
    Ok(Evidence::of_call(&called))
}

/// The buffers of a call, in the order of the arguments; operands without content are secret.
fn buffers(
    operation: ModularOperation,
    program: &ModularProgram,
    [a, b, n]: [Option<Vec<u64>>; 3],
    (inverse, mask): (Option<u64>, u64),
) -> Vec<Given> {
    let words = program.words;
    let contents = match operation {
        ModularOperation::Multiply | ModularOperation::Private => vec![a, b],
        ModularOperation::Square => vec![a],
        // the words of both
        ModularOperation::Reduce => vec![a.zip(b).map(|(low, high)| [low, high].concat())],
        ModularOperation::Exponentiate if program.exponent.is_some() => vec![a, n.clone()],
        ModularOperation::Exponentiate => vec![a, b, n.clone()],
    };
    let operands = program.operands(operation).into_iter().zip(contents);
    let mut all = vec![Given { name: "r", words, content: None, writable: true, secret: 0..0 }];
    all.extend(operands.map(|((name, length), content)| Given {
        name,
        words: length,
        content,
        writable: false,
        secret: 0..length,
    }));
    if let Some(Workspace { words: length, modulus }) = program.workspace {
        let content = modulus.zip(n).map(|(places, n)| {
            let mut content = vec![0; length];
            content[..words].copy_from_slice(&n);
            let negated =
                |(at, word): (usize, &u64)| if at == 0 { word.wrapping_neg() } else { !word } & mask;
            content.splice(places.complement..places.complement + words, n.iter().enumerate().map(negated));
            content[places.inverse] = inverse.unwrap_or_default();
            content
        });
        let secret = if modulus.is_some() { 0..length } else { 0..0 };
        all.push(Given { name: "w", words: length, content, writable: true, secret });
    }
    all
}

/// What is wrong, or what was found.
pub(super) fn simulate(
    subject: &dyn Subject,
    operation: ModularOperation,
    program: &ModularProgram,
    word_bits: u32,
) -> Result<Evidence, String> {
    whole::simulated(CALLS, |number| {
        let operands = operands(operation, number, program, word_bits);
        call(subject, operation, program, word_bits, (operands, number as u32))
    })
}

/// Whether time depends on operands or modulus: a run with all of them secret, and where that does not tell, calls that
/// differ in nothing else.
pub(super) fn timing(
    subject: &dyn Subject,
    operation: ModularOperation,
    program: &ModularProgram,
    word_bits: u32,
) -> ConstantTime {
    if let Some(known) = whole::timing(subject, &buffers(operation, program, [None, None, None], (None, 0))) {
        return known;
    }
    let cycles = |number: u64| {
        let operands = operands(operation, number, program, word_bits);
        Some(call(subject, operation, program, word_bits, (operands, 0)).ok()?.function)
    };
    let first = cycles(0);
    match (1..SHOWING).any(|number| cycles(number) != first) {
        true => ConstantTime::Leaks,
        false => ConstantTime::Unknown,
    }
}
