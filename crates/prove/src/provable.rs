//! What the prover asks of a routine, so that it is compiled once for all processors.

use crate::witness::Recorder;
use rhomb_certificate::{Checkable, Contract, Pattern, Word};
use rhomb_machine::{
    Arguments, Callee, Calls, Concrete, Domain, Fault, Finished, Limb, Outcome, Routine, Secrets, Stopped,
    Surroundings,
};

/// Machine code of any processor over the domains of the prover. Words of calls with numbers are as wide as those of the widest
/// processor.
pub trait Provable: Checkable {
    /// As [`Routine::at`].
    fn provable_at(
        &self,
        entry: u64,
        stack_bytes: Option<u32>,
        inner: bool,
    ) -> Option<Box<dyn Provable + '_>>;
    /// A call with numbers.
    ///
    /// # Errors
    /// As [`Routine::call_in`].
    fn simulated(
        &self,
        domain: Concrete<u32>,
        given: Arguments<u32>,
        surroundings: Surroundings,
    ) -> Result<Finished<Concrete<u32>>, Stopped>;
    /// The same as [`Routine::call`] while somebody records it; the most cycles that it took, where it came to its end.
    fn recorded(&self, given: Arguments<u32>, recorder: Recorder) -> Option<u64>;
    /// Whether such a call makes others.
    fn makes_calls(&self, given: Arguments<u32>) -> bool;
    /// A call with secrets, of which nothing is kept. What nobody has set may be read, as a secret, where time does not depend on it.
    ///
    /// # Errors
    /// As [`Routine::call_in`].
    fn over_secrets(
        &self,
        contract: &Contract,
        pattern: &Pattern,
    ) -> Result<Finished<Concrete<u32>>, Stopped>;
}

fn narrow<W: Limb>(given: Arguments<u32>) -> Arguments<W> {
    given.map(|word| W::truncate(word.into()))
}

impl<R: Routine> Provable for R {
    fn provable_at(
        &self,
        entry: u64,
        stack_bytes: Option<u32>,
        inner: bool,
    ) -> Option<Box<dyn Provable + '_>> {
        Some(Box::new(self.at(entry, stack_bytes, inner)?))
    }

    fn simulated(
        &self,
        domain: Concrete<u32>,
        given: Arguments<u32>,
        surroundings: Surroundings,
    ) -> Result<Finished<Concrete<u32>>, Stopped> {
        let finished = self.call_in(domain.of_words::<R::Limb>(), &narrow(given), surroundings)?;
        let domain = finished.domain.of_words();
        Ok(finished.map(domain, |word| Some(word.to_u64() as u32)))
    }

    fn recorded(&self, given: Arguments<u32>, recorder: Recorder) -> Option<u64> {
        let finished = self.call(Concrete::<R::Limb, _>::watched(recorder), &narrow(given)).ok()?;
        Some(finished.tally.cycles.max)
    }

    fn makes_calls(&self, given: Arguments<u32>) -> bool {
        let mut noticed = Noticed(false);
        // how the call ends is another question
        let _ = self.call_composed(Concrete::<R::Limb>::new(), &narrow(given), &mut noticed);
        noticed.0
    }

    fn over_secrets(
        &self,
        contract: &Contract,
        pattern: &Pattern,
    ) -> Result<Finished<Concrete<u32>>, Stopped> {
        let bits = self.word_bits();
        let mut domain = Secrets::<R::Limb>::joining();
        let mut secrets = |words: &u32| (0..*words).map(|_| domain.arbitrary()).collect();
        let operands: Vec<Vec<_>> = contract.operands(bits).iter().map(&mut secrets).collect();
        let given = contract.arguments(bits, pattern, &pattern.fitting(&operands), |word| match word {
            Word::Number(number) => domain.word(number),
            // as secret as the word itself
            Word::Negative(word) => *word,
        });
        let finished = match self.call(domain, &given) {
            Err(stopped) if stopped.fault.is_undefined() => {
                let filled = Surroundings { filled: true, ..Surroundings::default() };
                match self.call_in(domain, &given, filled) {
                    Ok(finished) if finished.tally.cycles.is_exact() => finished,
                    _ => return Err(stopped),
                }
            }
            outcome => outcome?,
        };
        Ok(finished.map(Concrete::new(), |_| None))
    }
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
