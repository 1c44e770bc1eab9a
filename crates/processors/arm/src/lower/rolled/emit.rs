//! Trees to instructions: pointers, counters and branches.
//!
//! The first access of a block moves its pointer, at no cost, to where it is wanted next. What depends on the outer counter
//! is added from its register.

use super::counters;
use crate::instructions::{Action, Condition, Instruction, Register, SP};
use crate::lower::code;
use rhomb_line::Array;
use rhomb_lower::rolled::{Counted, Loops, Span, Turns, Unfit};
use rhomb_lower::{Access, Item};
use std::ops::Range;

/// The largest offset of LDR and STR in bytes (ARM DDI 0100, A5.2.2).
const REACH: i32 = 4095;

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
    ) -> (Vec<Instruction>, [isize; 3]) {
        let mut code = Vec::with_capacity(items.len());
        // how far the pointers are from the origins, now and in the end, in bytes
        let mut now = spans.map(|span| span.map_or(0, |span| bytes(span.start)));
        let end = spans.map(|span| span.and_then(|span| span.end).map(bytes));
        for item in items {
            match item {
                Item::Code(instruction) => code.push(*instruction),
                Item::Access(access) => self.access(access, &mut now, &end, &mut code),
            }
        }
        (code, now.map(|now| (now / 4) as isize))
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

impl Emitter<'_> {
    pub(super) fn new(pointers: [Register; 3], counters: &[Register]) -> Emitter<'_> {
        Emitter { pointers, counters, turns: None, outer: Outer::Hidden }
    }

    fn access(
        &self,
        access: &Access,
        now: &mut [i32; 3],
        end: &[Option<i32>; 3],
        code: &mut Vec<Instruction>,
    ) {
        let index = access.array as usize;
        let pointer = self.pointers[index];
        let place = bytes(access.index as isize);
        let near = |distance: i32| distance.abs() <= REACH;
        if !near(place - now[index]) {
            code::advance(code, pointer, place - now[index]);
            now[index] = place;
        }
        let distance = place - now[index];
        let moved = end[index].filter(|end| *end != now[index] && near(end - now[index]));
        code.push(match moved {
            Some(end) if distance == 0 => {
                let step = end - now[index];
                now[index] = end;
                let one = if access.store { code::str_step } else { code::ldr_step };
                one(access.register, pointer, step)
            }
            Some(end) if end == place => {
                now[index] = end;
                code::moving(!access.store, access.register, pointer, distance)
            }
            _ => {
                let one = if access.store { code::str } else { code::ldr };
                one(access.register, pointer, distance)
            }
        });
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
