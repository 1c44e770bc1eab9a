//! Calls of a routine as its contract wants them.

use rhomb_certificate::{Contract, Pattern, Word};
use rhomb_machine::{Arguments, Limb};

/// The contract's aliasing pattern of that name.
pub(crate) fn pattern_named(contract: &Contract, name: &str) -> Option<&'static Pattern> {
    contract.patterns().iter().find(|pattern| pattern.name == name)
}

/// The arguments of a call with these operands, which fit the pattern.
pub(crate) fn arguments<W: Limb>(
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<W>],
) -> Arguments<W> {
    contract.arguments(W::BITS, pattern, operands, |word| match word {
        Word::Number(number) => W::truncate(number),
        Word::Negative(word) => W::truncate(word.to_u64().wrapping_neg()),
    })
}
