//! Trees to instructions: pointers, counters and branches.
//!
//! A pointer's position is known as a number that depends on the counters. Before each part a pointer
//! stands where the part's first access is, so that the ways into a loop agree; from block to block that
//! takes an adjustment only where the arrays are not read on and on. An adjustment that depends on the
//! outer counter adds or subtracts the register that holds it.

use super::access::{self, Pointers};
use super::counters::{Control, Counter, Length};
use super::tree::{Tree, accesses, natural, varying};
use crate::instructions::{Instruction, Op};
use crate::lower::carry;
use crate::lower::pointers::{self, Steps, X};
use crate::lower::translate::{Array, Item};
use rhomb_kernel::rolled::{DEPTH, Index};
use std::ops::Range;

/// The farthest that RJMP and a conditional branch reach back, in words (DS40002198, RJMP and BRBS).
const RJMP_BACK: i32 = -2048;
const BRANCH_BACK: i32 = -64;

/// Why there are no instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unfit {
    /// A counter of one byte is not enough.
    Narrow,
    /// The loops are of no kind that can be made.
    Never,
}

/// An instruction, how often it is executed, and how often of these a branch is taken.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) instruction: Instruction,
    runs: u64,
    taken: u64,
}

impl Line {
    /// Cycles of all executions; `times` are those of an instruction and of a taken branch.
    pub(super) fn cycles(&self, times: &[(u64, u64)]) -> u64 {
        let (plain, taken) = times[self.instruction.op as usize];
        plain * (self.runs - self.taken) + taken * self.taken
    }
}

/// Registers and units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) pointers: Pointers,
    /// Counters of outer and inner loops.
    pub(super) counters: [Counter; DEPTH],
    pub(super) zero: u8,
    /// What one iteration of an inner loop counts where its count varies.
    pub(super) unit: isize,
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

type Positions = [Option<Index>; 3];

pub(super) struct Emitter {
    setting: Setting,
    /// What the outer counter holds, inside such a loop.
    length: Option<Length>,
    positions: [Index; 3],
    /// Greatest common divisor of what the outer counter was needed for, in steps of it.
    pub(super) unit: isize,
}

/// The instructions of all parts, and the unit that makes adjustments short.
pub(super) fn emit(parts: &[Tree], setting: Setting) -> Result<(Vec<Line>, isize), Unfit> {
    let mut emitter = Emitter { setting, length: None, positions: [Index::from(0); 3], unit: 0 };
    let around = Around { depth: 0, outer: 0..1, runs: 1 };
    let lines = emitter.sequence(parts, [None; 3], &around)?;
    Ok((lines, emitter.unit))
}

impl Emitter {
    /// `end` is where pointers are wanted afterwards.
    fn sequence(&mut self, parts: &[Tree], end: Positions, around: &Around) -> Result<Vec<Line>, Unfit> {
        let mut lines = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match part {
                Tree::Block { origin, items } => {
                    let rest = &parts[at + 1..];
                    let wanted =
                        Array::ALL.map(|array| natural(rest, array, around.depth).or(end[array as usize]));
                    let code = self.block(origin, items, wanted, part, around)?;
                    let line = |instruction| Line { instruction, runs: around.runs, taken: 0 };
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
        part: &Tree,
        around: &Around,
    ) -> Result<Vec<Instruction>, Unfit> {
        let mut code = Vec::new();
        let live = carry::live(items);
        let mut plans = [const { None }; 3];
        for array in Array::ALL {
            let index = array as usize;
            let list = pointers::accesses(items, array, |at, _| !live[at]);
            if list.is_empty() {
                continue;
            }
            if (self.positions[index] - origin[index]).constant().is_none() {
                let first = natural(std::slice::from_ref(part), array, around.depth);
                self.settle(array, first, around, &mut code)?;
            }
            let start = (self.positions[index] - origin[index]).constant().ok_or(Unfit::Never)?;
            let end = wanted[index].and_then(|wanted| (wanted - origin[index]).constant());
            // the plan counts from 0
            let lowest = start.min(end.unwrap_or(0)).min(0);
            let from_lowest = |value: isize| (value - lowest) as usize;
            let list: Vec<_> =
                list.into_iter().map(|(index, free)| (from_lowest(index as isize), free)).collect();
            let highest = list.iter().map(|access| access.0).max().unwrap_or(0);
            let (start, end) = (from_lowest(start), end.map(from_lowest));
            let length = highest.max(start).max(end.unwrap_or(0)) + 1;
            let plain = self.setting.pointers.registers[index] == X;
            let steps = if plain { Steps::UNDISPLACED } else { Steps::DISPLACED };
            let plan = pointers::plan_between(&list, start, end, length, steps);
            self.positions[index] = origin[index] + plan.end as isize + lowest;
            plans[index] = Some(plan);
        }
        code.extend(access::write(items, &plans, &self.setting.pointers));
        for array in Array::ALL {
            self.settle(array, wanted[array as usize], around, &mut code)?;
        }
        Ok(code)
    }

    /// Brings a pointer where it is wanted.
    fn settle(
        &mut self,
        array: Array,
        wanted: Option<Index>,
        around: &Around,
        code: &mut Vec<Instruction>,
    ) -> Result<(), Unfit> {
        let Some(wanted) = wanted else { return Ok(()) };
        let distance = wanted - self.positions[array as usize];
        self.positions[array as usize] = wanted;
        let mut fixed = distance.at;
        if distance.by[1] != 0 {
            return Err(Unfit::Never);
        }
        let pointer = self.setting.pointers.between(array);
        if distance.by[0] != 0 {
            let length = self.length.ok_or(Unfit::Never)?;
            let steps = distance.by[0] / length.step;
            if distance.by[0] % length.step != 0 || steps % length.unit != 0 {
                return Err(Unfit::Never);
            }
            self.unit = gcd(self.unit, steps);
            let times = steps / length.unit;
            fixed -= times * length.value(0);
            let counter = self.setting.counters[0];
            if !counter.wide && around.outer.clone().any(|v| !(0..256).contains(&length.value(v))) {
                return Err(Unfit::Narrow);
            }
            let high = if counter.wide { counter.high } else { self.setting.zero };
            let (low_op, high_op) = if times > 0 { (Op::Add, Op::Adc) } else { (Op::Sub, Op::Sbc) };
            for _ in 0..times.abs() {
                code.push(Instruction::dr(low_op, pointer, counter.low));
                code.push(Instruction::dr(high_op, pointer + 1, high));
            }
        }
        pointers::adjust(code, pointer, fixed as i32);
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
        let entered = !before.is_empty();
        let partial = isize::from(entered);
        let at = |v: isize| count.value(&std::array::from_fn(|at| if at == 0 { v } else { 0 }));
        let times = |v: isize| at(v) + partial;
        let all: u64 = around.outer.clone().map(|v| times(v) as u64).sum();
        let most = around.outer.clone().map(at).max().unwrap_or(0);
        let control = self.control(count, entered, most, body, depth)?;

        let head = Array::ALL.map(|array| {
            if !accesses(body, array) {
                return None;
            }
            natural_in(before, array, depth).or_else(|| natural_in(after, array, depth))
        });
        let next = head.map(|index| index.map(|index| index.with(depth, Index::counter(depth) + 1)));
        let middle: Positions = std::array::from_fn(|array| {
            head[array].and_then(|_| natural_in(after, Array::ALL[array], depth).or(next[array]))
        });
        let inside = |from: isize, runs: u64| {
            let outer = if depth == 0 { from..times(0) } else { around.outer.clone() };
            Around { depth: depth + 1, outer, runs }
        };
        let entry = if entered { middle } else { head };
        self.start_at(&entry);
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
            self.length = None;
        }

        let once = |instruction| Line { instruction, runs: around.runs, taken: 0 };
        let mut lines: Vec<Line> = control.start.into_iter().map(once).collect();
        if entered {
            lines.push(once(relative(Op::Rjmp, first.len() as i32)));
        }
        let start = lines.len();
        lines.extend(first);
        lines.extend(second);
        let each = |instruction| Line { instruction, runs: all, taken: 0 };
        lines.extend(control.test.into_iter().map(each));
        let back = -((lines.len() - start) as i32) - 1;
        if back <= RJMP_BACK {
            return Err(Unfit::Never);
        }
        let again = all - around.runs;
        let on = control.leaves_on as u8;
        if back >= BRANCH_BACK {
            let branch = Instruction { b: on, ..relative(Op::Brbc, back) };
            lines.push(Line { instruction: branch, runs: all, taken: again });
        } else {
            let branch = Instruction { b: on, ..relative(Op::Brbs, 1) };
            lines.push(Line { instruction: branch, runs: all, taken: around.runs });
            lines.push(Line { instruction: relative(Op::Rjmp, back - 1), runs: again, taken: 0 });
        }
        Ok(lines)
    }

    fn control(
        &mut self,
        count: Index,
        entered: bool,
        most: isize,
        body: &[Tree],
        depth: usize,
    ) -> Result<Control, Unfit> {
        let [outer, inner] = self.setting.counters;
        let times = count.at + isize::from(entered);
        if depth > 0 {
            return match (count.constant(), self.length) {
                (Some(_), _) => inner.fixed(times),
                (None, Some(length)) => inner.following(outer, &length, count, entered, most),
                (None, None) => Err(Unfit::Never),
            };
        }
        let Some(first) = varying(body).first().copied() else { return outer.fixed(times) };
        let length = Length { unit: self.setting.unit, at: first.at, step: first.by[0] };
        self.length = Some(length);
        outer.keeping(&length, times, inner)
    }

    fn start_at(&mut self, positions: &Positions) {
        for (position, start) in self.positions.iter_mut().zip(positions) {
            *position = start.unwrap_or(*position);
        }
    }
}

/// Where a pointer should be before parts of a loop's body, depending on its counter.
fn natural_in(parts: &[Tree], array: Array, depth: usize) -> Option<Index> {
    natural(parts, array, depth + 1)
}

fn relative(op: Op, distance: i32) -> Instruction {
    Instruction { k: distance, ..Instruction::new(op) }
}

fn gcd(a: isize, b: isize) -> isize {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
