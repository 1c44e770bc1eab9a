//! Trees to instructions: pointers, counters and branches.
//!
//! A pointer's position is known as a number that depends on the counters. Before each part a pointer stands
//! where the part's first access is, so that the ways into a loop agree; the first access of a block moves it,
//! at no cost, to where it is wanted next. What depends on the outer counter is added from its register.

use super::block::{Access, Item};
use super::counters;
use super::tree::{Tree, accesses, natural};
use crate::cores::Core;
use crate::instructions::{Action, Condition, Instruction, Register, SP};
use crate::lower::code;
use crate::lower::columns::line::Array;
use rhomb_kernel::rolled::{DEPTH, Index};
use std::ops::Range;

/// The largest offset of LDR and STR in bytes (ARM DDI 0100, A5.2.2).
const REACH: i32 = 4095;

/// The arrays, in the order of the arguments.
const ARRAYS: [Array; 3] = [Array::Result, Array::A, Array::B];

/// The loops are of no kind that can be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unfit;

/// An instruction, and how often it is executed and not passed.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) instruction: Instruction,
    runs: u64,
    passed: u64,
}

impl Line {
    /// Cycles of all executions in the worst case.
    pub(super) fn cycles(&self, core: &Core) -> Option<u64> {
        let passed = self.passed * u64::from(core.timing.skipped);
        Some(core.most(&self.instruction)? * (self.runs - self.passed) + passed)
    }
}

/// Where code stands.
#[derive(Clone)]
struct Around {
    /// Loops around.
    depth: usize,
    /// Iterations of the outer loop in which it is executed.
    outer: Range<isize>,
    /// How often it is executed.
    runs: u64,
}

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

type Positions = [Option<Index>; 3];

struct Emitter<'a> {
    pointers: [Register; 3],
    counters: &'a [Register],
    /// Iterations of the outer loop, inside one. Its counter holds what is left of them, this one included.
    turns: Option<isize>,
    /// Where the outer counter is.
    outer: Outer,
    /// Where the pointers are, in words.
    positions: [Index; 3],
}

/// The instructions of all parts.
pub(super) fn emit(
    parts: &[Tree],
    pointers: [Register; 3],
    counters: &[Register],
) -> Result<Vec<Line>, Unfit> {
    let mut emitter =
        Emitter { pointers, counters, turns: None, outer: Outer::Hidden, positions: [Index::from(0); 3] };
    emitter.sequence(parts, [None; 3], &Around { depth: 0, outer: 0..1, runs: 1 })
}

impl Emitter<'_> {
    /// `end` is where pointers are wanted afterwards.
    fn sequence(&mut self, parts: &[Tree], end: Positions, around: &Around) -> Result<Vec<Line>, Unfit> {
        let mut lines = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match part {
                Tree::Block { origin, items } => {
                    let rest = &parts[at + 1..];
                    let wanted =
                        ARRAYS.map(|array| natural(rest, array, around.depth).or(end[array as usize]));
                    let code = self.block(origin, items, wanted)?;
                    let line = |instruction| Line { instruction, runs: around.runs, passed: 0 };
                    lines.extend(code.into_iter().map(line));
                }
                Tree::Loop { count, enter, body } => {
                    lines.extend(self.repeated(*count, body.split_at(*enter), body, around)?);
                }
            }
        }
        Ok(lines)
    }

    fn block(
        &mut self,
        origin: &[Index; 3],
        items: &[Item],
        wanted: Positions,
    ) -> Result<Vec<Instruction>, Unfit> {
        let mut code = Vec::new();
        // how far the pointers are from the origins, now and in the end, in bytes
        let mut now = [0; 3];
        let mut end: [Option<i32>; 3] = [None; 3];
        for (index, array) in ARRAYS.into_iter().enumerate() {
            let list = || items.iter().filter_map(|item| accessed(item, array));
            let Some(first) = list().next() else { continue };
            if (self.positions[index] - origin[index]).constant().is_none() {
                self.settle(array, Some(origin[index] + first.index), &mut code)?;
            }
            now[index] = bytes((self.positions[index] - origin[index]).constant().ok_or(Unfit)?);
            end[index] = wanted[index].and_then(|wanted| (wanted - origin[index]).constant()).map(bytes);
        }
        for item in items {
            match item {
                Item::Code(instruction) => code.push(*instruction),
                Item::Access(access) => self.access(access, &mut now, &end, &mut code),
            }
        }
        for (index, array) in ARRAYS.into_iter().enumerate() {
            if items.iter().any(|item| accessed(item, array).is_some()) {
                self.positions[index] = origin[index] + (now[index] / 4) as isize;
            }
            self.settle(array, wanted[index], &mut code)?;
        }
        Ok(code)
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
                let one = if access.load { code::ldr_step } else { code::str_step };
                one(access.register, pointer, step)
            }
            Some(end) if end == place => {
                now[index] = end;
                code::moving(access.load, access.register, pointer, distance)
            }
            _ => {
                let one = if access.load { code::ldr } else { code::str };
                one(access.register, pointer, distance)
            }
        });
    }

    /// Brings a pointer where it is wanted.
    fn settle(
        &mut self,
        array: Array,
        wanted: Option<Index>,
        code: &mut Vec<Instruction>,
    ) -> Result<(), Unfit> {
        let Some(wanted) = wanted else { return Ok(()) };
        let distance = wanted - self.positions[array as usize];
        self.positions[array as usize] = wanted;
        let pointer = self.pointers[array as usize];
        let [outer, inner] = distance.by;
        if inner != 0 {
            return Err(Unfit);
        }
        let mut fixed = distance.at;
        if outer != 0 {
            // in iteration v the counter is turns - v
            fixed += outer * self.turns.ok_or(Unfit)?;
            let counter = self.outer(code)?;
            counters::add_multiple(code, pointer, counter, -4 * outer);
        }
        code::advance(code, pointer, bytes(fixed));
        Ok(())
    }

    fn repeated(
        &mut self,
        count: Index,
        (before, after): (&[Tree], &[Tree]),
        body: &[Tree],
        around: &Around,
    ) -> Result<Vec<Line>, Unfit> {
        let depth = around.depth;
        if depth >= DEPTH {
            return Err(Unfit);
        }
        let entered = !before.is_empty();
        let partial = isize::from(entered);
        let at = |v: isize| count.value(&std::array::from_fn(|at| if at == 0 { v } else { 0 }));
        let times = |v: isize| at(v) + partial;
        if around.outer.clone().any(|v| times(v) < 1) {
            return Err(Unfit);
        }
        let all: u64 = around.outer.clone().map(|v| times(v) as u64).sum();
        let counter = *self.counters.get(depth).or(self.counters.last()).ok_or(Unfit)?;
        let waits = depth == 0 && self.counters.len() == 1 && loops(body);
        let mut start = Vec::new();
        match ((count + partial).constant(), self.turns) {
            (Some(times), _) => counters::set(&mut start, counter, times),
            (None, Some(turns)) if depth == 1 && count.by[1] == 0 => {
                let constant = count.at + partial + count.by[0] * turns;
                let outer = self.outer(&mut start)?;
                counters::set_from(&mut start, counter, outer, -count.by[0], constant).ok_or(Unfit)?;
            }
            _ => return Err(Unfit),
        }
        if waits {
            start.push(code::moving(false, counter, SP, -4));
        }
        if depth == 0 {
            self.turns = Some(times(0));
        }
        let inner = if self.counters.len() == 1 { Outer::Hidden } else { self.outer };
        let outer = match (waits, depth) {
            (true, _) => Outer::Waiting(counter),
            (false, 0) => Outer::At(counter),
            (false, _) => inner,
        };
        let outer = std::mem::replace(&mut self.outer, outer);

        let head = ARRAYS.map(|array| {
            if !accesses(body, array) {
                return None;
            }
            natural(before, array, depth + 1).or_else(|| natural(after, array, depth + 1))
        });
        let next = head.map(|index| index.map(|index| index.with(depth, Index::counter(depth) + 1)));
        let middle: Positions = std::array::from_fn(|array| {
            head[array].and_then(|_| natural(after, ARRAYS[array], depth + 1).or(next[array]))
        });
        let inside = |from: isize, runs: u64| {
            let outer = if depth == 0 { from..times(0) } else { around.outer.clone() };
            Around { depth: depth + 1, outer, runs }
        };
        self.start_at(if entered { &middle } else { &head });
        let second = self.sequence(after, next, &inside(0, all))?;
        let first = if entered {
            self.start_at(&head);
            self.sequence(before, middle, &inside(1, all - around.runs))?
        } else {
            Vec::new()
        };
        // after the last iteration
        for (position, next) in self.positions.iter_mut().zip(&next) {
            if let Some(next) = next {
                *position = next.with(depth, count + (partial - 1));
            }
        }
        if depth == 0 {
            self.turns = None;
        }
        self.outer = outer;

        let once = |instruction| Line { instruction, runs: around.runs, passed: 0 };
        let mut lines: Vec<Line> = start.into_iter().map(once).collect();
        if !first.is_empty() {
            lines.push(once(branch(Condition::Al, first.len() as i32 + 1)));
        }
        let top = lines.len();
        lines.extend(first);
        lines.extend(second);
        let mut test = vec![counters::count_down(counter)];
        if waits {
            test.insert(0, code::ldr(counter, SP, 0));
            test.push(code::str(counter, SP, 0));
        }
        lines.extend(test.into_iter().map(|instruction| Line { instruction, runs: all, passed: 0 }));
        let back = top as i32 - lines.len() as i32;
        lines.push(Line { instruction: branch(Condition::Ne, back), runs: all, passed: around.runs });
        if waits {
            let mut code = Vec::new();
            code::advance(&mut code, SP, 4);
            lines.extend(code.into_iter().map(once));
        }
        Ok(lines)
    }

    /// The register that holds the outer counter.
    fn outer(&self, code: &mut Vec<Instruction>) -> Result<Register, Unfit> {
        match self.outer {
            Outer::At(counter) => Ok(counter),
            Outer::Waiting(counter) => {
                code.push(code::ldr(counter, SP, 0));
                Ok(counter)
            }
            Outer::Hidden => Err(Unfit),
        }
    }

    fn start_at(&mut self, positions: &Positions) {
        for (position, start) in self.positions.iter_mut().zip(positions) {
            *position = start.unwrap_or(*position);
        }
    }
}

/// Whether there are loops among the parts.
fn loops(parts: &[Tree]) -> bool {
    parts.iter().any(|part| matches!(part, Tree::Loop { .. }))
}

fn accessed(item: &Item, array: Array) -> Option<&Access> {
    match item {
        Item::Access(access) if access.array == array => Some(access),
        _ => None,
    }
}

fn bytes(words: isize) -> i32 {
    4 * words as i32
}

/// A branch over so many instructions.
fn branch(condition: Condition, instructions: i32) -> Instruction {
    Instruction { condition, action: Action::Branch { link: false, distance: 4 * instructions } }
}
