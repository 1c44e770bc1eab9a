//! Calls of a routine as its contract wants them.

use crate::provable::Provable;
use rhomb_certificate::{Contract, Pattern, Word};
use rhomb_machine::Arguments;

/// The contract's aliasing pattern of that name.
pub(crate) fn pattern_named(contract: &Contract, name: &str) -> Option<&'static Pattern> {
    contract.patterns().iter().find(|pattern| pattern.name == name)
}

/// The arguments of a call with these operands, which fit the pattern.
pub(crate) fn arguments(
    contract: &Contract,
    bits: u32,
    pattern: &Pattern,
    operands: &[Vec<u64>],
) -> Arguments<u32> {
    let words = |operand: &Vec<u64>| operand.iter().map(|word| *word as u32).collect();
    let operands: Vec<Vec<u32>> = operands.iter().map(words).collect();
    contract.arguments(bits, pattern, &operands, |word| match word {
        Word::Number(number) => number as u32,
        Word::Negative(word) => word.wrapping_neg(),
    })
}

/// Whether a routine calls others, for operands of zeros.
pub(crate) fn calls_others(routine: &dyn Provable, contract: &Contract) -> bool {
    let bits = routine.word_bits();
    let operands: Vec<Vec<u64>> =
        contract.operands(bits).into_iter().map(|count| vec![0; count as usize]).collect();
    let Some(pattern) = contract.patterns().first() else { return false };
    routine.makes_calls(arguments(contract, bits, pattern, &operands))
}
