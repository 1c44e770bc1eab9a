//! Programs under construction: slots, routines by what they are, and steps.

use super::{Place, Program, Step};
use rhomb_contract::Contract;
use rhomb_line::Line;

/// What a program calls.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(clippy::large_enum_variant, reason = "a program has few routines, and a contract is copied")]
pub enum Routine {
    /// The fastest that keeps a contract.
    Kept(Contract),
    /// That of the fastest of straight lines that compute the same.
    Lines(Vec<Line>),
    /// A program, which calls routines in its turn.
    Called(Box<Called>),
}

/// A program, and what it calls, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Called {
    /// The calls.
    pub program: Program,
    /// The routines.
    pub routines: Vec<Routine>,
}

impl Called {
    /// The most words of numbers that stand in frames at a time.
    pub fn words(&self) -> usize {
        let inner = self.routines.iter().map(|routine| match routine {
            Routine::Called(own) => own.words(),
            Routine::Kept(_) | Routine::Lines(_) => 0,
        });
        self.program.slots.iter().sum::<usize>() + inner.max().unwrap_or(0)
    }
}

/// A program that is a way to keep a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// How it computes.
    pub method: &'static str,
    /// The calls.
    pub program: Program,
    /// The routines.
    pub routines: Vec<Routine>,
}

/// A program that is being written.
#[derive(Default)]
pub(super) struct Writer {
    slots: Vec<usize>,
    routines: Vec<Routine>,
    steps: Vec<Step>,
    returned: Option<(usize, usize)>,
}

impl Writer {
    /// A slot of so many words.
    pub(super) fn slot(&mut self, words: usize) -> usize {
        self.slots.push(words);
        self.slots.len() - 1
    }

    /// The number of a routine, the same for the same one.
    pub(super) fn routine(&mut self, routine: Routine) -> usize {
        let known = self.routines.iter().position(|own| *own == routine);
        known.unwrap_or_else(|| {
            self.routines.push(routine);
            self.routines.len() - 1
        })
    }

    pub(super) fn call(&mut self, routine: usize, to: Place, operands: &[Place]) {
        self.steps.push(Step::Call { routine, to, operands: operands.to_vec() });
    }

    /// What the call before returned becomes a word of a slot.
    pub(super) fn take(&mut self, slot: usize, word: usize) {
        self.steps.push(Step::Take { slot, word });
    }

    /// Calls a straight line.
    pub(super) fn line(&mut self, line: Line, to: Place, operands: &[Place]) {
        let routine = self.routine(Routine::Lines(vec![line]));
        self.call(routine, to, operands);
    }

    pub(super) fn steps(&mut self, steps: Vec<Step>) {
        self.steps.extend(steps);
    }

    /// The steps that are written meanwhile.
    fn apart<R>(&mut self, write: impl FnOnce(&mut Self) -> Option<R>) -> Option<Vec<Step>> {
        let outer = std::mem::take(&mut self.steps);
        write(self)?;
        Some(std::mem::replace(&mut self.steps, outer))
    }

    /// Steps that are made so many times.
    pub(super) fn repeat<R>(&mut self, times: u32, write: impl FnOnce(&mut Self) -> Option<R>) -> Option<()> {
        let steps = self.apart(write)?;
        self.steps.push(Step::Repeat { times, steps });
        Some(())
    }

    /// Steps that are made where a word of a slot is not zero.
    pub(super) fn when<R>(
        &mut self,
        slot: usize,
        word: usize,
        write: impl FnOnce(&mut Self) -> Option<R>,
    ) -> Option<()> {
        let steps = self.apart(write)?;
        self.steps.push(Step::When { slot, word, steps });
        Some(())
    }

    /// A word of a slot is what the program returns.
    pub(super) fn returns(&mut self, slot: usize, word: usize) {
        self.returned = Some((slot, word));
    }

    /// The program.
    pub(super) fn finish(self, operands: usize) -> Called {
        let Writer { slots, routines, steps, returned } = self;
        let program =
            Program { slots, has_result: true, operands, routines: routines.len(), steps, returned };
        Called { program, routines }
    }
}
