//! The search for a counter-example: calls with concrete operands, compared with exact arithmetic.

use crate::calls::with_words;
use crate::inputs::Inputs;
use crate::right::{changed_modulus, expected, number, wrong_word};
use num_bigint::BigUint;
use rhomb_certificate::{Contract, Pattern};
use rhomb_machine::{Concrete, Cycles, Fault, Finished, Limb, Mix, Routine, Stopped, Surroundings};

/// A call that breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterExample {
    /// How result and operands share memory.
    pub pattern: &'static str,
    /// Bits of a word.
    pub word_bits: u32,
    /// The operands' words, lowest first.
    pub operands: Vec<Vec<u64>>,
    /// What is wrong.
    pub failure: Failure,
    /// Byte address of the instruction that is responsible last: that stopped, stored the wrong word, or
    /// wrote the register that is lost.
    pub address: Option<u64>,
}

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

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Search {
    /// The first call that breaks the contract.
    pub found: Option<CounterExample>,
    /// A call that stopped without showing the routine to be wrong: the model or a limit ended it.
    pub stopped: Option<Stopped>,
    /// Calls made.
    pub calls: u64,
    /// Instructions executed.
    pub instructions: u64,
    /// What the calls that keep the contract took; `None` where there is none.
    pub figures: Option<Figures>,
}

/// What calls took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Figures {
    /// Cycles from the first instruction to the return.
    pub function: Cycles,
    /// Cycles between saves and restores, in the slowest call.
    pub body: u64,
    /// Instructions of the body in the slowest call.
    pub mix: Mix,
    /// Most bytes of stack, the return address left out.
    pub stack_bytes: u32,
}

/// Operands that are tried whatever it takes.
const FEWEST: u64 = 16;
/// Instructions that take as long as the setting up of a call.
const SET_UP: u64 = 1000;

/// Calls the routine on edge cases and biased random operands, in all aliasing patterns and at changing
/// places in memory, until one breaks the contract or `budget` instructions are executed (setting up a
/// call counts as some). The same calls in every run.
pub fn refute<R: Routine>(routine: &R, contract: &Contract, budget: u64) -> Search {
    with_words!(routine.word_bits(), Search::default(), of_words(routine, contract, budget))
}

fn of_words<W: Limb, R: Routine>(routine: &R, contract: &Contract, budget: u64) -> Search {
    let mut search = Search::default();
    for (number, operands) in (0..).zip(Inputs::of(contract, routine.word_bits())) {
        for pattern in contract.patterns() {
            search.calls += 1;
            match call::<W, R>(routine, contract, pattern, &operands, number) {
                Ok(Outcome::Kept { figures, instructions }) => {
                    search.instructions += instructions;
                    search.figures = Some(search.figures.map_or(figures, |before| before.merged(figures)));
                }
                Ok(Outcome::Broken(failure)) => {
                    let word_bits = routine.word_bits();
                    let address =
                        responsible::<W, R>(routine, contract, pattern, &operands, number, &failure);
                    let example =
                        CounterExample { pattern: pattern.name, word_bits, operands, failure, address };
                    return Search { found: Some(example), ..search };
                }
                Err(stopped) => return Search { stopped: Some(stopped), ..search },
            }
        }
        if u64::from(number) >= FEWEST && search.instructions + SET_UP * search.calls >= budget {
            break;
        }
    }
    search
}

impl Figures {
    fn merged(self, other: Figures) -> Figures {
        let slower = if other.function.max > self.function.max { other } else { self };
        Figures {
            function: self.function.hull(other.function),
            stack_bytes: self.stack_bytes.max(other.stack_bytes),
            ..slower
        }
    }
}

/// What undefined registers and flags hold when it is to be seen whether anything depends on them.
fn fillings<W: Limb>() -> [Concrete<W>; 4] {
    [Concrete::filled(0), Concrete::filled(u64::MAX), Concrete::seeded(1), Concrete::seeded(2)]
}

enum Outcome {
    Kept { figures: Figures, instructions: u64 },
    Broken(Failure),
}

fn call<W: Limb, R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    place: u32,
) -> Result<Outcome, Stopped> {
    let strict = Surroundings { place, ..Surroundings::default() };
    let called =
        |domain, surroundings| judged::<W, R>(routine, contract, pattern, operands, domain, surroundings);
    let stopped = match called(Concrete::new(), strict)? {
        Outcome::Broken(Failure::Stopped(stopped)) => stopped,
        other => return Ok(other),
    };
    // a read of what nobody set breaks the contract only where something depends on it
    let mut kept = None;
    if matches!(stopped.fault, Fault::Undefined { .. }) {
        for domain in fillings() {
            kept = match called(domain, Surroundings { filled: true, ..strict })? {
                Outcome::Broken(_) => return Ok(Outcome::Broken(Failure::Stopped(stopped))),
                outcome => Some(outcome),
            };
        }
    }
    Ok(kept.unwrap_or(Outcome::Broken(Failure::Stopped(stopped))))
}

/// Calls the routine and compares.
fn judged<W: Limb, R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    domain: Concrete<W>,
    surroundings: Surroundings,
) -> Result<Outcome, Stopped> {
    let operands = &pattern.fitting(operands);
    let finished = match called(routine, contract, pattern, operands, domain, surroundings) {
        Ok(finished) => finished,
        Err(stopped) if shows_a_violation(&stopped.fault) => {
            return Ok(Outcome::Broken(Failure::Stopped(stopped)));
        }
        Err(stopped) => return Err(stopped),
    };
    let bits = routine.word_bits();
    let wrong = wrong_word(contract, bits, (operands, &expected(contract, bits, operands)), &finished);
    let breach = || finished.breaches.first().map(|breach| Failure::Breach(breach.text.clone()));
    let changed = || changed_modulus(contract, bits, operands, &finished);
    Ok(match wrong.or_else(breach).or_else(changed) {
        Some(failure) => Outcome::Broken(failure),
        None => Outcome::Kept {
            instructions: finished.tally.instructions,
            figures: Figures {
                function: finished.tally.cycles,
                body: finished.body_cycles.max,
                mix: finished.mix,
                stack_bytes: finished.stack_bytes,
            },
        },
    })
}

/// One call; the operands fit the pattern.
fn called<W: Limb, R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    domain: Concrete<W>,
    surroundings: Surroundings,
) -> Result<Finished<Concrete<W>>, Stopped> {
    let words = |operand: &Vec<u64>| operand.iter().map(|word| W::truncate(*word)).collect();
    let contents: Vec<Vec<W>> = operands.iter().map(words).collect();
    let buffers = contract.buffers(routine.word_bits(), pattern, &contents);
    routine.call_in(domain, &buffers, surroundings)
}

/// The instruction that is responsible last for a failure, from the same call once more.
fn responsible<W: Limb, R: Routine>(
    routine: &R,
    contract: &Contract,
    pattern: &Pattern,
    operands: &[Vec<u64>],
    place: u32,
    failure: &Failure,
) -> Option<u64> {
    if let Failure::Stopped(stopped) = failure {
        return Some(stopped.address);
    }
    let surroundings = Surroundings { place, filled: false, traced: true };
    let operands = pattern.fitting(operands);
    let finished = called(routine, contract, pattern, &operands, Concrete::<W>::new(), surroundings).ok()?;
    match failure {
        Failure::Stopped(_) => None,
        Failure::Breach(text) => finished.breaches.iter().find(|breach| breach.text == *text)?.address,
        Failure::Wrong { word, .. } | Failure::Missing { word } => {
            let writers = finished.writers?;
            writers.buffers.first()?.get(*word).copied().unwrap_or(writers.returned)
        }
    }
}

/// Whether a fault is the routine's doing, and not the end of what is modelled.
fn shows_a_violation(fault: &Fault) -> bool {
    match fault {
        Fault::NotOwned { .. }
        | Fault::ReadOnly { .. }
        | Fault::Uninitialised { .. }
        | Fault::Undefined { .. }
        | Fault::BadReturn { .. }
        | Fault::Astray { .. }
        | Fault::BelowStack { .. }
        | Fault::NoInstruction { .. } => true,
        Fault::Secret { .. } | Fault::NotModelled { .. } | Fault::StepLimit { .. } => false,
    }
}

impl CounterExample {
    /// The operands as numbers.
    pub fn numbers(&self) -> Vec<BigUint> {
        self.operands.iter().map(|words| number(words, self.word_bits)).collect()
    }
}
