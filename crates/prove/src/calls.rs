//! Calls of a routine as its contract wants them.

use rhomb_certificate::{Contract, Pattern, Word};
use rhomb_machine::{Arguments, Callee, Calls, Concrete, Domain, Fault, Limb, Outcome, Routine};

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

/// Whether a routine calls others, for operands of zeros.
pub(crate) fn calls_others<R: Routine>(routine: &R, contract: &Contract) -> bool {
    let bits = routine.word_bits();
    let zero = R::Limb::truncate(0);
    let operands: Vec<Vec<R::Limb>> =
        contract.operands(bits).into_iter().map(|count| vec![zero; count as usize]).collect();
    let Some(pattern) = contract.patterns().first() else { return false };
    let given = arguments(contract, pattern, &operands);
    let mut noticed = Noticed(false);
    // how the call ends is another question
    let _ = routine.call_composed(Concrete::<R::Limb>::new(), &given, &mut noticed);
    noticed.0
}

/// Whether there was a call; all of them are executed.
struct Noticed(bool);

impl<D: Domain> Calls<D> for Noticed {
    fn callee(&mut self, _: u64) -> Result<Option<Callee>, Fault> {
        self.0 = true;
        Ok(None)
    }

    fn result(&mut self, _: &mut D, _: u64, _: &[Vec<D::Word>]) -> Result<Outcome<D::Word>, Fault> {
        Ok(Vec::new().into())
    }
}
