//! What a routine's machine code does: calls in the simulator, compared with exact arithmetic.

use crate::error::{Error, shown};
use crate::subject::{Called, Subject};
use crate::targets::{Code, Target};
use rhomb_certificate::{Contract, Misfit};
use rhomb_machine::{Cycles, Fault, Mix, Stopped};
use rhomb_prove::{Bounds, CounterExample, Failure, Search};
use serde::Serialize;

/// Instructions that the calls of one routine may take together, so that large sizes do not keep the
/// user waiting.
pub(crate) const BUDGET: u64 = 500_000;

/// Where least and most cycles are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CyclesFrom {
    /// No call takes less or more, and calls take both.
    Exact,
    /// No call takes less or more; whether calls take both was not seen.
    Bounds,
    /// Calls take both; others may take less or more.
    Seen,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Number of calls.
    pub calls: u64,
    /// Cycles from the first instruction to the return.
    pub function: Cycles,
    /// Cycles between saves and restores.
    pub body: Cycles,
    /// Where these cycles are from.
    pub from: CyclesFrom,
    /// Instructions of the body in the slowest call.
    pub mix: Mix,
    /// Bytes of stack, the return address left out.
    pub stack_bytes: u32,
    /// What calls take where loads overlap as the manual says, of function and body, on cores that have such a count.
    pub paired: Option<[Cycles; 2]>,
}

impl Evidence {
    /// What the calls of a search found, if no call broke the contract or could not be followed.
    pub(crate) fn of(search: &Search) -> Option<Evidence> {
        if search.found.is_some() { None } else { Evidence::alone(search) }
    }

    /// The same where a call may have broken the contract because of interrupts only: what the calls take without any.
    pub(crate) fn alone(search: &Search) -> Option<Evidence> {
        if !search.is_kept_alone() {
            return None;
        }
        let figures = search.figures?;
        Some(Evidence {
            calls: search.calls,
            function: figures.function,
            body: figures.body,
            from: CyclesFrom::Seen,
            mix: figures.mix,
            stack_bytes: figures.stack_bytes,
            paired: None,
        })
    }

    /// What one call of a program took.
    pub(crate) fn of_call(called: &Called) -> Evidence {
        Evidence {
            calls: 1,
            function: called.cycles,
            body: called.body,
            from: CyclesFrom::Seen,
            mix: called.mix,
            stack_bytes: called.stack_bytes,
            paired: None,
        }
    }

    /// That of more calls.
    pub(crate) fn and(self, other: Evidence) -> Evidence {
        Evidence {
            calls: self.calls + other.calls,
            function: self.function.hull(other.function),
            body: self.body.hull(other.body),
            mix: if self.function.max > other.function.max { self.mix } else { other.mix },
            stack_bytes: self.stack_bytes.max(other.stack_bytes),
            ..self
        }
    }

    /// The same with the other count of the target's core, if it has one.
    pub(crate) fn with_pairs(
        self,
        target: &dyn Target,
        (code, convention): (&Code, &str),
        contract: &Contract,
    ) -> Evidence {
        let other = target.paired().and_then(|other| {
            let subject = other.subject(code, convention).ok()?;
            let own =
                Evidence::alone(&subject.search(contract, BUDGET))?.within(subject.time(contract).bounds);
            Some([own.function, own.body])
        });
        Evidence { paired: other, ..self }
    }

    /// The same with the cycles of every call, where they are known.
    pub(crate) fn within(self, bounds: Option<Bounds>) -> Evidence {
        let holds = |bounds: Cycles, seen: Cycles| bounds.hull(seen) == bounds;
        match bounds {
            Some(Bounds { function, body }) if holds(function, self.function) && holds(body, self.body) => {
                let exact = (function, body) == (self.function, self.body);
                let from = if exact { CyclesFrom::Exact } else { CyclesFrom::Bounds };
                Evidence { function, body, from, ..self }
            }
            _ => self,
        }
    }
}

/// Calls the routine on edge cases and random operands, at several places in memory.
///
/// # Errors
/// An evidence error for the first call that breaks the contract or the convention.
pub fn simulate(target: &dyn Target, subject: &dyn Subject, contract: &Contract) -> Result<Evidence, Error> {
    let search = subject.search(contract, BUDGET);
    Evidence::of(&search).ok_or_else(|| failure(target, contract, &search))
}

/// Why the calls of a search are no evidence.
pub(crate) fn failure(target: &dyn Target, contract: &Contract, search: &Search) -> Error {
    let what = match (&search.found, &search.stopped) {
        (Some(example), _) => describe(contract, example),
        (None, Some(stopped)) => stopped.to_string(),
        (None, None) => format!("words of {} bits cannot be simulated", target.description().word_bits),
    };
    let hint = "nothing was written; contract, target and convention must be those of the code";
    Error::evidence(format_args!("the code fails {contract} on {}: {what}", target.name()), hint)
}

/// The operands of a counter-example in hexadecimal, `a` first: numbers, or their limbs, the lowest first.
pub(crate) fn operands(contract: &Contract, example: &CounterExample) -> Vec<String> {
    let bits = example.word_bits;
    let text = |(operand, words): (usize, &Vec<u64>)| match contract.limbs {
        Some(limbs) => {
            let limbs = limbs.joined(bits, &contract.turned(bits, Some(operand), words));
            let limbs: Vec<String> = limbs.iter().map(|limb| format!("{limb:#x}")).collect();
            format!("[{}]", limbs.join(", "))
        }
        None => {
            let words = contract.turned(bits, Some(operand), words);
            format!("0x{}", contract.number(bits, &words).to_str_radix(16))
        }
    };
    example.operands.iter().enumerate().map(text).collect()
}

/// A counter-example in one line.
pub(crate) fn describe(contract: &Contract, example: &CounterExample) -> String {
    let operands = contract.names().iter().zip(operands(contract, example));
    let operands: Vec<String> = operands.map(|(name, value)| format!("{name} = {}", shown(&value))).collect();
    let mut text = match &example.failure {
        Failure::Stopped(stopped) => return stopped.to_string(),
        Failure::Missing { word } if *word >= contract.result(example.word_bits) as usize => {
            return format!("no {} is returned", carry(contract));
        }
        Failure::Missing { word } => return format!("result word {word} is never written"),
        Failure::Breach(breach) => return breach.clone(),
        Failure::Wrong { word, expected, got } => {
            let digits = example.word_bits as usize / 4 + 2;
            format!(
                "wrong result for {}: word {word} is {got:#0digits$x}, not {expected:#0digits$x}",
                operands.join(", ")
            )
        }
    };
    if example.pattern.contains('=') {
        text.push_str(&format!(", where {}", example.pattern));
    }
    text
}

/// What a sum or a difference returns.
fn carry(contract: &Contract) -> &'static str {
    if contract.expression().borrows() { "borrow" } else { "carry" }
}

/// What else than wrong code may be the matter.
pub(crate) fn hint(contract: &Contract, example: &CounterExample) -> Option<String> {
    let is_carry = |word: usize| word >= contract.result(example.word_bits) as usize;
    match &example.failure {
        Failure::Stopped(Stopped { fault: Fault::ReadOnly { region, .. }, .. })
            if contract.prototype.is_default() && contract.names().contains(&region.as_str()) =>
        {
            let names = contract.names().join(", ");
            Some(format!(
                "the arguments may come in another order; the contract wants (r, {names}), unless it says \
                 another one: \"{contract} ({names}, r)\""
            ))
        }
        Failure::Missing { word } | Failure::Wrong { word, .. } if is_carry(*word) => Some(format!(
            "it may return nothing, where the contract wants a {}; then the contract ends with \"-> void\"",
            carry(contract)
        )),
        _ => None,
    }
}

/// Refuses operands that the target's memory cannot hold, before any work is done.
pub(crate) fn check_memory(target: &dyn Target, contract: &Contract) -> Result<(), Error> {
    let bits = target.description().word_bits;
    if let Some(misfit) = contract.misfit(bits) {
        let (fault, hint) = match misfit {
            Misfit::Overlap => (
                "the numbers overlap",
                "valid: complement and inverse each so many words behind the number before",
            ),
            Misfit::Limbs => (
                "its limbs lie in words of others",
                "the last number of \"limbs 31 of 32\" is a word's, or without \"signed\" a multiple of it",
            ),
            Misfit::Distance => ("a shift is by fewer bits than that", "a smaller shift, or several of them"),
            Misfit::Number => (
                "a number by value, or what is returned, is shorter than that",
                "\"of\" and its bits, at least a word's, or nothing",
            ),
        };
        let fault = format!("{contract} on {}, whose words have {bits} bits: {fault}", target.name());
        return Err(Error::request(fault, hint));
    }
    let words = contract.result(bits) + contract.operands(bits).iter().sum::<u32>();
    let needed = words * bits / 8 + target.description().return_bytes;
    let size = target.description().ram.len() as u32;
    if needed <= size {
        return Ok(());
    }
    let fault = format!(
        "operands, result and stack of {} {} take {needed} bytes; {} has {size} bytes of data memory",
        contract.operation().name(),
        contract.bits(),
        target.name(),
    );
    Err(Error::request(fault, "a smaller size, or another core (`rhomb list targets`)"))
}
