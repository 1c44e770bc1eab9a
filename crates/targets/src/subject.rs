//! Machine code with its convention, whatever its processor: what can be asked about it.

use crate::play::{self, Played};
use crate::trace::{self, Trace};
use rhomb_certificate::{Certificate, CheckError, Contract, check};
use rhomb_composition::{Composition, CompositionError, Program, check_composition};
use rhomb_machine::{
    Access, Assuming, Buffer, Concrete, Cycles, Domain, Hidden, Interrupts, Limb, MachineCode, Mix, Routine,
    Secrets, Stopped,
};
use rhomb_prove::{
    Budget, Search, Time, Unproved, Verdict, decide_after, export_cryptoline, export_smt, keeps_once,
    prove_composition, refute, time,
};
use std::ops::Range;

/// A buffer of a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// What the call's rules call it.
    pub name: &'static str,
    /// Its length.
    pub words: usize,
    /// Its words, lowest first; `None` where nothing was written yet.
    pub content: Option<Vec<u64>>,
    /// Whether the routine may write it.
    pub writable: bool,
    /// Words that are secret in [`Subject::call_with_secrets`].
    pub secret: Range<usize>,
}

/// What a call did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The first buffer's words, lowest first; nothing where one was never written.
    pub result: Vec<u64>,
    /// What was returned, where the register for it was written.
    pub returned: Option<u64>,
    /// From the first instruction to the return.
    pub cycles: Cycles,
    /// Cycles between saves and restores.
    pub body: Cycles,
    /// Instructions of the body.
    pub mix: Mix,
    /// Bytes of stack, the return address left out.
    pub stack_bytes: u32,
    /// What the convention demands and does not hold.
    pub breaches: Vec<String>,
}

fn call_of<W: Limb, R: Routine>(routine: &R, given: &[Given], place: u32) -> Result<Called, Stopped> {
    let buffer = |one: &Given| Buffer {
        name: one.name,
        length: one.words as u32,
        content: one.content.as_ref().map(|words| words.iter().map(|word| W::truncate(*word)).collect()),
        access: if one.writable { Access::Store } else { Access::Load },
        shares: None,
    };
    let buffers: Vec<Buffer<W>> = given.iter().map(buffer).collect();
    let finished = routine.call_at(Concrete::<W>::new(), &buffers, place)?;
    let result = finished.buffers.first().filter(|_| given.first().is_some_and(|own| own.writable));
    let words = result.and_then(|words| words.iter().copied().collect::<Option<Vec<W>>>());
    Ok(Called {
        result: words.unwrap_or_default().into_iter().map(Limb::to_u64).collect(),
        returned: finished.returned.map(Limb::to_u64),
        cycles: finished.tally.cycles,
        body: finished.body_cycles,
        mix: finished.mix,
        stack_bytes: finished.stack_bytes,
        breaches: finished.breaches.into_iter().map(|breach| breach.text).collect(),
    })
}

fn secret_call_of<W: Limb, R: Routine>(routine: &R, given: &[Given]) -> Result<Option<Hidden>, Stopped> {
    let mut domain = Secrets::<W>::new();
    let mut buffer = |one: &Given| {
        let content = one.content.clone().unwrap_or_else(|| vec![0; one.words]);
        let content = content.iter().enumerate().map(|(at, word)| match one.secret.contains(&at) {
            true => domain.arbitrary(),
            false => domain.word(*word),
        });
        Buffer {
            name: one.name,
            length: one.words as u32,
            content: (one.content.is_some() || !one.secret.is_empty()).then(|| content.collect()),
            access: if one.writable { Access::Store } else { Access::Load },
            shares: None,
        }
    };
    let buffers: Vec<_> = given.iter().map(&mut buffer).collect();
    let times = routine.call(domain, &buffers)?.variable_times;
    let secret = times.iter().find(|one| one.hidden == Hidden::Secret);
    Ok(secret.or(times.first()).map(|one| one.hidden))
}

/// A routine behind a pointer.
pub trait Subject {
    /// What is assumed about interrupts from now on; at first nothing is.
    fn assume(&mut self, interrupts: Interrupts);
    /// The instruction at a byte address as text.
    fn instruction(&self, address: u64) -> Option<String>;
    /// Calls it in the simulator, up to `budget` instructions.
    fn search(&self, contract: &Contract, budget: u64) -> Search;
    /// Whether one call keeps the contract: see [`keeps_once`].
    ///
    /// # Errors
    /// Where the call stops without showing that.
    fn keeps_once(&self, contract: &Contract) -> Result<bool, Stopped>;
    /// Whether it keeps the contract, after a first search; `calls` as in [`decide_after`].
    fn decide(
        &self,
        search: Search,
        contract: &Contract,
        calls: &[(u64, Contract)],
        budget: Budget,
    ) -> Verdict;
    /// What is told of its time, and what stays on the stack.
    fn time(&self, contract: &Contract) -> Time;
    /// Calls it with these buffers as arguments.
    ///
    /// # Errors
    /// Where the call does not return.
    fn call(&self, given: &[Given], place: u32) -> Result<Called, Stopped>;
    /// A call that meets the contract, with operands that a seed chooses, instruction by instruction.
    fn play(&self, contract: &Contract, seed: u64) -> Played;
    /// Such a call for a picture.
    ///
    /// # Errors
    /// Where it does not return, or the routine cannot be looked into.
    fn trace(&self, contract: &Contract, seed: u64) -> Result<Trace, String>;
    /// The same of a call with these arguments, all of whose contents are given.
    ///
    /// # Errors
    /// As there.
    fn trace_given(&self, given: &[Given]) -> Result<Trace, String>;
    /// The same with secret words: what an instruction's time depends on, if it does.
    ///
    /// # Errors
    /// Where a branch or an address does, or the call does not return otherwise.
    fn call_with_secrets(&self, given: &[Given]) -> Result<Option<Hidden>, Stopped>;
    /// Replays a certificate.
    ///
    /// # Errors
    /// Why the certificate does not hold.
    fn check(&self, certificate: &Certificate) -> Result<Contract, CheckError>;
    /// Whether it is that program; see [`prove_composition`].
    ///
    /// # Errors
    /// Why that is not shown.
    fn compose(&self, program: &Program) -> Result<Composition, Unproved>;
    /// Replays the certificate of a composition.
    ///
    /// # Errors
    /// Why the certificate does not hold.
    fn check_composition(&self, composition: &Composition) -> Result<Program, CompositionError>;
    /// The statement to be proved, as SMT-LIB.
    ///
    /// # Errors
    /// Where the execution does not come to its end.
    fn smt(&self, contract: &Contract) -> Result<String, Unproved>;
    /// The same for CryptoLine, one text for each aliasing pattern.
    ///
    /// # Errors
    /// Where the execution does not come to its end.
    fn cryptoline(&self, contract: &Contract, proof: Option<&Certificate>) -> Result<Vec<String>, Unproved>;
}

impl<R: Routine> Subject for Assuming<R> {
    fn assume(&mut self, interrupts: Interrupts) {
        self.interrupts = interrupts;
    }
    fn instruction(&self, address: u64) -> Option<String> {
        MachineCode::instruction(self, address)
    }
    fn search(&self, contract: &Contract, budget: u64) -> Search {
        refute(self, contract, budget)
    }
    fn keeps_once(&self, contract: &Contract) -> Result<bool, Stopped> {
        keeps_once(self, contract)
    }
    fn decide(
        &self,
        search: Search,
        contract: &Contract,
        calls: &[(u64, Contract)],
        budget: Budget,
    ) -> Verdict {
        decide_after(search, self, contract, calls, budget)
    }
    fn time(&self, contract: &Contract) -> Time {
        time(self, contract)
    }
    fn call(&self, given: &[Given], place: u32) -> Result<Called, Stopped> {
        call_of::<R::Limb, Self>(self, given, place)
    }
    fn play(&self, contract: &Contract, seed: u64) -> Played {
        play::play(self, contract, seed)
    }
    fn trace(&self, contract: &Contract, seed: u64) -> Result<Trace, String> {
        trace::trace(self, contract, seed)
    }
    fn trace_given(&self, given: &[Given]) -> Result<Trace, String> {
        trace::trace_given(self, given)
    }
    fn call_with_secrets(&self, given: &[Given]) -> Result<Option<Hidden>, Stopped> {
        secret_call_of::<R::Limb, Self>(self, given)
    }
    fn check(&self, certificate: &Certificate) -> Result<Contract, CheckError> {
        check(self, certificate)
    }
    fn compose(&self, program: &Program) -> Result<Composition, Unproved> {
        prove_composition(self, *program, Budget::default().effort)
    }
    fn check_composition(&self, composition: &Composition) -> Result<Program, CompositionError> {
        check_composition(self, composition)
    }
    fn smt(&self, contract: &Contract) -> Result<String, Unproved> {
        export_smt(self, contract)
    }
    fn cryptoline(&self, contract: &Contract, proof: Option<&Certificate>) -> Result<Vec<String>, Unproved> {
        export_cryptoline(self, contract, proof)
    }
}
