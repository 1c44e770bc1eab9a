//! Trees to instructions: pointers, counters and branches.
//!
//! Accesses of a block move its pointers to where they are wanted next. What depends on the outer counter
//! is added from its register.

use super::counters;
use crate::cores::Core;
use crate::instructions::{Action, Condition, Instruction, Register, SP};
use crate::lower::code;
use crate::lower::pointers::{blocks, place};
use rhomb_line::Array;
use rhomb_lower::Item;
use rhomb_lower::rolled::{Counted, Loops, Span, Turns, Unfit};
use std::ops::Range;

/// Where the outer counter is.
#[derive(Clone, Copy, Debug)]
enum Outer {
    /// In a register.
    At(Register),
    /// On the stack; the register of the inner counter is free.
    Waiting(Register),
    /// On the stack, no register being free; or nowhere.
    Hidden,
}

pub(super) struct Emitter<'a> {
    core: &'a Core,
    pointers: [Register; 3],
    counters: &'a [Register],
    /// Iterations of the outer loop, inside one. Its counter holds what is left of them, this one included.
    turns: Option<isize>,
    /// Where the outer counter is.
    outer: Outer,
}

/// What is remembered of a loop.
pub(super) struct Begun {
    counter: Register,
    /// Whether the counter waits on the stack.
    waits: bool,
    /// Where the counter of the loop around is.
    around: Outer,
}

impl Loops for Emitter<'_> {
    type Instruction = Instruction;
    type Begun = Begun;
    const STEPS: bool = false;

    fn block(
        &mut self,
        items: &[Item<Instruction>],
        spans: &[Option<Span>; 3],
    ) -> Result<(Vec<Instruction>, [isize; 3]), Unfit> {
        let starts = spans.map(|span| span.map_or(0, |span| bytes(span.start)));
        let ends: [_; 3] =
            std::array::from_fn(|array| spans[array].and_then(|span| Some(bytes(span.end?) - starts[array])));
        let items = blocks(items, self.pointers, starts, self.core);
        let (code, moved) = place(&items, &ends, self.core).ok_or(Unfit::Never)?;
        Ok((code, std::array::from_fn(|array| ((starts[array] + moved[array]) / 4) as isize)))
    }

    fn shift(
        &mut self,
        array: Array,
        [mut fixed, outer]: [isize; 2],
        _: &Range<isize>,
        code: &mut Vec<Instruction>,
    ) -> Result<(), Unfit> {
        let pointer = self.pointers[array as usize];
        if outer != 0 {
            // in iteration v the counter is turns - v
            fixed += outer * self.turns.ok_or(Unfit::Never)?;
            let counter = self.outer(code)?;
            counters::add_multiple(code, pointer, counter, -4 * outer);
        }
        code::advance(code, pointer, bytes(fixed));
        Ok(())
    }

    fn begin(&mut self, turns: &Turns) -> Result<(Vec<Instruction>, Begun), Unfit> {
        let Turns { count, depth, .. } = *turns;
        let times = turns.first();
        let counter = *self.counters.get(depth).or(self.counters.last()).ok_or(Unfit::Never)?;
        let waits = depth == 0 && self.counters.len() == 1 && turns.outer;
        let mut start = Vec::new();
        match (count.constant(), self.turns) {
            (Some(_), _) => counters::set(&mut start, counter, times),
            (None, Some(turns)) if depth == 1 && count.by[1] == 0 => {
                let constant = times + count.by[0] * turns;
                let outer = self.outer(&mut start)?;
                counters::set_from(&mut start, counter, outer, -count.by[0], constant).ok_or(Unfit::Never)?;
            }
            _ => return Err(Unfit::Never),
        }
        if waits {
            start.push(code::moving(false, counter, SP, -4));
        }
        if depth == 0 {
            self.turns = Some(times);
        }
        let inner = if self.counters.len() == 1 { Outer::Hidden } else { self.outer };
        let outer = match (waits, depth) {
            (true, _) => Outer::Waiting(counter),
            (false, 0) => Outer::At(counter),
            (false, _) => inner,
        };
        let around = std::mem::replace(&mut self.outer, outer);
        Ok((start, Begun { counter, waits, around }))
    }

    fn over(&self, length: usize) -> Option<Instruction> {
        (length > 0).then(|| branch(Condition::Al, length as i32 + 1))
    }

    fn end(
        &mut self,
        Begun { counter, waits, around }: Begun,
        turns: &Turns,
        length: usize,
    ) -> Result<Vec<Counted<Instruction>>, Unfit> {
        if turns.depth == 0 {
            self.turns = None;
        }
        self.outer = around;
        let mut test = vec![counters::count_down(counter)];
        if waits {
            test.insert(0, code::ldr(counter, SP, 0));
            test.push(code::str(counter, SP, 0));
        }
        let back = branch(Condition::Ne, -((length + test.len()) as i32));
        let mut lines: Vec<_> = test.into_iter().map(|one| Counted::plain(one, turns.all)).collect();
        lines.push(Counted { instruction: back, runs: turns.all, otherwise: turns.begun });
        if waits {
            let mut code = Vec::new();
            code::advance(&mut code, SP, 4);
            lines.extend(code.into_iter().map(|one| Counted::plain(one, turns.begun)));
        }
        Ok(lines)
    }
}

impl<'a> Emitter<'a> {
    pub(super) fn new(core: &'a Core, pointers: [Register; 3], counters: &'a [Register]) -> Self {
        Emitter { core, pointers, counters, turns: None, outer: Outer::Hidden }
    }

    /// The register that holds the outer counter.
    fn outer(&self, code: &mut Vec<Instruction>) -> Result<Register, Unfit> {
        match self.outer {
            Outer::At(counter) => Ok(counter),
            Outer::Waiting(counter) => {
                code.push(code::ldr(counter, SP, 0));
                Ok(counter)
            }
            Outer::Hidden => Err(Unfit::Never),
        }
    }
}

fn bytes(words: isize) -> i32 {
    4 * words as i32
}

/// A branch over so many instructions.
fn branch(condition: Condition, instructions: i32) -> Instruction {
    Instruction { condition, action: Action::Branch { link: false, distance: 4 * instructions } }
}
