//! Whether the time of a routine depends on its operands, and what of them stays behind on the stack.

use crate::calls::with_words;
use rhomb_certificate::Contract;
use rhomb_machine::{
    Cycles, Domain, Fault, Finished, Limb, Routine, SecretBranch, Secrets, Stopped, VariableTime,
};

/// What is known about a routine's time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Timing {
    /// Neither a branch, nor an address, nor the time of an instruction depends on the operands.
    Constant,
    /// Branches depend on them, but both sides of each take equally long; no address does.
    Balanced,
    /// An address depends on the operands, or a branch whose sides are not known to take equally long, or the
    /// time of an instruction.
    Leaks {
        /// Where.
        at: Stopped,
        /// What the times are, where they are known.
        cycles: Option<Spread>,
    },
    /// The execution does not come to its end for another reason.
    Unknown(Option<Stopped>),
}

/// Times that differ with the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Those of a branch's sides.
    Branch(SecretBranch),
    /// Those of a single instruction.
    Instruction(Cycles),
}

/// Executes the routine with secret operands, for each aliasing pattern of its contract.
pub fn timing<R: Routine>(routine: &R, contract: &Contract) -> Timing {
    with_words!(routine.word_bits(), Timing::Unknown(None), of_words(routine, contract))
}

/// Cycles of the function from its first instruction to the return: least and most over all operands, as far as
/// the domain of secrets can tell. `None` where the way through the code cannot be followed.
pub fn duration<R: Routine>(routine: &R, contract: &Contract) -> Option<Cycles> {
    with_words!(routine.word_bits(), None, duration_of_words(routine, contract))
}

fn duration_of_words<W: Limb, R: Routine>(routine: &R, contract: &Contract) -> Option<Cycles> {
    run::<W, R>(routine, contract, Secrets::joining()).ok()?.cycles
}

/// Bytes of the stack, now below the stack pointer, whose content may depend on the operands after the return; in the
/// worst of the contract's aliasing patterns. Registers saved for the caller do not count. `None` where the way through
/// the code cannot be followed.
pub fn residue<R: Routine>(routine: &R, contract: &Contract) -> Option<u32> {
    with_words!(routine.word_bits(), None, residue_of_words(routine, contract))
}

fn residue_of_words<W: Limb, R: Routine>(routine: &R, contract: &Contract) -> Option<u32> {
    Some(run::<W, R>(routine, contract, Secrets::joining()).ok()?.residue)
}

fn of_words<W: Limb, R: Routine>(routine: &R, contract: &Contract) -> Timing {
    match run::<W, R>(routine, contract, Secrets::new()) {
        Ok(times) => times.variable.first().map_or(Timing::Constant, |one| leak(routine, one)),
        Err(at) if matches!(at.fault, Fault::Secret { .. }) => {
            match run::<W, R>(routine, contract, Secrets::joining()) {
                Ok(times) => match times.branches.iter().find(|branch| branch.taken != branch.other) {
                    None => match times.variable.first() {
                        Some(one) => leak(routine, one),
                        // one side leaves a result behind that is waited for later
                        None if times.varies => Timing::Leaks { at, cycles: None },
                        None => Timing::Balanced,
                    },
                    Some(branch) => {
                        // the first branch is not always the one that leaks
                        let at = if branch.address == at.address { at } else { elsewhere(at, branch) };
                        Timing::Leaks { at, cycles: Some(Spread::Branch(*branch)) }
                    }
                },
                Err(second) if matches!(second.fault, Fault::Secret { .. }) => {
                    Timing::Leaks { at: second, cycles: None }
                }
                Err(_) => Timing::Leaks { at, cycles: None },
            }
        }
        Err(other) => Timing::Unknown(Some(other)),
    }
}

fn elsewhere(at: Stopped, branch: &SecretBranch) -> Stopped {
    Stopped { address: branch.address, instruction: String::new(), ..at }
}

/// An instruction whose time depends on an operand.
fn leak<R: Routine>(routine: &R, one: &VariableTime) -> Timing {
    let instruction = routine.instruction(one.address).unwrap_or_default();
    let fault = Fault::Secret { what: format!("the time of {instruction}") };
    let at = Stopped { fault, address: one.address, instruction };
    Timing::Leaks { at, cycles: Some(Spread::Instruction(one.cycles)) }
}

/// What was seen over all aliasing patterns.
#[derive(Default)]
struct Times {
    branches: Vec<SecretBranch>,
    variable: Vec<VariableTime>,
    /// Of a call.
    cycles: Option<Cycles>,
    /// Whether those of a call are not known to the cycle.
    varies: bool,
    /// Bytes of stack.
    residue: u32,
}

fn run<W: Limb, R: Routine>(routine: &R, contract: &Contract, domain: Secrets<W>) -> Result<Times, Stopped> {
    let bits = routine.word_bits();
    let mut times = Times::default();
    for pattern in contract.patterns() {
        let mut domain = domain;
        let mut secrets = |words: &u32| (0..*words).map(|_| domain.arbitrary()).collect();
        let operands: Vec<Vec<_>> = contract.operands(bits).iter().map(&mut secrets).collect();
        let finished: Finished<Secrets<W>> =
            routine.call(domain, &contract.buffers(bits, pattern, &pattern.fitting(&operands)))?;
        times.branches.extend(finished.secret_branches);
        times.variable.extend(finished.variable_times);
        times.residue = times.residue.max(finished.residue_bytes);
        let cycles = finished.tally.cycles;
        times.varies |= cycles.min != cycles.max;
        times.cycles = Some(times.cycles.map_or(cycles, |before| before.hull(cycles)));
    }
    Ok(times)
}
