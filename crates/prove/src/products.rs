//! Routines that call others: each of those is proved by itself, from the same code, and then a call is what its contract says.
//!
//! The routine is executed over equations, but for such calls; see [`Callees`]. Which contracts a called routine may keep is
//! said by whoever asks; of a product of whole numbers these are products and squares of smaller ones.

use crate::callee::proved;
use crate::provable::Provable;
use crate::search::prove_executed;
use crate::unproved::Unproved;
use rhomb_certificate::{
    CalledRoutine, Callees, Certificate, Contract, FORMAT, PatternProof, Reading, execute_composed, sha256,
};
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Callee, Calls, Fault, Outcome};

/// Called routines, proved when they are called first.
struct Calling<'r> {
    routine: &'r dyn Provable,
    effort: u64,
    /// The contracts that a routine at an entry may have.
    contracts: &'r dyn Fn(u64) -> Vec<Contract>,
    callees: Callees,
    called: Vec<CalledRoutine>,
    /// What keeps no contract that it might, and is executed.
    executed: Vec<u64>,
}

/// Proves a product or square, of whole numbers or modulo a number, that calls products of whole numbers.
///
/// # Errors
/// Where it calls none, or is not proved.
pub fn prove_by_products(
    routine: &dyn Provable,
    contract: &Contract,
    effort: u64,
) -> Result<Certificate, Unproved> {
    let contracts = smaller(contract, routine.word_bits());
    let callees = Callees::new(routine.word_bits());
    prove_calling(routine, contract, effort, callees, Vec::new(), &|_| contracts.clone())
}

/// Proves what calls routines that keep these contracts, each named by the byte address of its first instruction.
///
/// # Errors
/// Where one of them is not proved to keep its contract; or the caller is not proved with them.
pub fn prove_with_calls(
    routine: &dyn Provable,
    contract: &Contract,
    calls: &[(u64, Contract)],
    effort: u64,
) -> Result<Certificate, Unproved> {
    let mut callees = Callees::new(routine.word_bits());
    let mut called = Vec::new();
    for (entry, own) in calls {
        let shown = proved(routine, (*entry, false), own, effort, effort)?;
        if !callees.take((*entry, false), own, shown.stack_bytes) {
            return Err(Unproved::Composition(format!("a call of {own} cannot be followed")));
        }
        called.push(shown);
    }
    prove_calling(routine, contract, effort, callees, called, &|_| Vec::new())
}

fn prove_calling(
    routine: &dyn Provable,
    contract: &Contract,
    effort: u64,
    callees: Callees,
    called: Vec<CalledRoutine>,
    contracts: &dyn Fn(u64) -> Vec<Contract>,
) -> Result<Certificate, Unproved> {
    let mut calls = Calling { routine, effort, contracts, callees, called, executed: Vec::new() };
    let mut left = effort;
    let mut patterns: Vec<PatternProof> = Vec::new();
    for pattern in contract.patterns() {
        let mut by = |reading| {
            prove_executed((pattern, reading), &mut left, |effort| {
                execute_composed(routine, contract, pattern, reading, effort, &mut calls)
            })
        };
        let proof = by(Reading::Plain).or_else(|unproved| match unproved {
            Unproved::Open(_) => by(Reading::Compiled).map_err(|_| unproved),
            unproved => Err(unproved),
        });
        patterns.push(proof?);
    }
    if calls.called.is_empty() {
        return Err(Unproved::Composition("it calls nothing that is proved".to_owned()));
    }
    Ok(Certificate {
        format: FORMAT.into(),
        routine: routine.identity(),
        contract: contract.to_string(),
        code_sha256: sha256(&routine.code()),
        relocations: routine.relocations().to_vec(),
        calls: calls.called,
        patterns,
    })
}

/// Products and squares of fewer words, before a reduction of as many, too: halves first.
fn smaller(contract: &Contract, bits: u32) -> Vec<Contract> {
    let words = contract.operands(bits).first().copied().unwrap_or_default();
    let is_whole = contract.modular().is_none() && contract.any_modulus().is_none();
    let most = if is_whole { words } else { words + 1 };
    let mut sizes: Vec<u32> = (1..most).collect();
    let likely = |size: &u32| {
        let halved = (1..5).map(|level| words >> level).any(|half| half == *size || half + 1 == *size);
        (!halved, u32::MAX - size)
    };
    sizes.sort_by_key(likely);
    let of = |size: &u32| ["mul", "sqr"].map(|name| format!("{name} {}", size * bits).parse().ok());
    sizes.iter().flat_map(of).flatten().collect()
}

impl AsMut<Callees> for Calling<'_> {
    fn as_mut(&mut self) -> &mut Callees {
        &mut self.callees
    }
}

impl Calls<Equations> for Calling<'_> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        if !self.callees.has(entry) && !self.executed.contains(&entry) {
            // what calls others is composed at once
            let by = |inner, contract: &Contract| {
                let shown = proved(self.routine, (entry, inner), contract, 0, self.effort).ok()?;
                Some((*contract, shown))
            };
            let contracts = (self.contracts)(entry);
            let found =
                contracts.iter().find_map(|contract| by(false, contract).or_else(|| by(true, contract)));
            match found {
                Some((contract, shown)) => {
                    self.callees.take((entry, shown.inner), &contract, shown.stack_bytes);
                    self.called.push(shown);
                }
                None => self.executed.push(entry),
            }
        }
        Calls::<Equations>::callee(&mut self.callees, entry)
    }

    fn result(
        &mut self,
        domain: &mut Equations,
        entry: u64,
        operands: &[Vec<Value>],
    ) -> Result<Outcome<Value>, Fault> {
        self.callees.result(domain, entry, operands)
    }
}
