//! Trees to instructions: pointers, counters and branches. An adjustment that depends on the outer counter adds or subtracts
//! the register that holds it.

use super::access::{self, Pointers};
use super::counters::{Control, Counter, Length};
use crate::assembler::moved;
use crate::instructions::{Instruction, Op};
use crate::lower::carry;
use crate::lower::pointers::{self, DISPLACED, UNDISPLACED, X};
use crate::lower::translate::Item;
use rhomb_kernel::rolled::DEPTH;
use rhomb_line::Array;
use rhomb_lower::pointer::plan_between;
use rhomb_lower::rolled::{Counted, Loops, Span, Turns, Unfit};
use std::ops::Range;

/// The farthest that RJMP and a conditional branch reach back, in words (DS40002198, RJMP and BRBS).
const RJMP_BACK: i32 = -2048;
const BRANCH_BACK: i32 = -64;

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

pub(super) struct Emitter {
    setting: Setting,
    /// What the outer counter holds, inside such a loop.
    length: Option<Length>,
    /// Greatest common divisor of what the outer counter was needed for, in steps of it: a unit that makes adjustments
    /// short.
    pub(super) unit: isize,
}

impl Emitter {
    pub(super) fn new(setting: Setting) -> Emitter {
        Emitter { setting, length: None, unit: 0 }
    }
}

impl Loops for Emitter {
    type Instruction = Instruction;
    type Begun = Control;
    const STEPS: bool = true;

    fn block(
        &mut self,
        items: &[Item],
        spans: &[Option<Span>; 3],
    ) -> Result<(Vec<Instruction>, [isize; 3]), Unfit> {
        let live = carry::live(items);
        let mut plans = [const { None }; 3];
        let mut ends = [0; 3];
        for array in Array::ARGUMENTS {
            let index = array as usize;
            let Some(Span { start, end }) = spans[index] else { continue };
            let list = pointers::accesses(items, array, |at, _| !live[at]);
            // the plan counts from 0
            let lowest = start.min(end.unwrap_or(0)).min(0);
            let from_lowest = |value: isize| (value - lowest) as usize;
            let list: Vec<_> =
                list.into_iter().map(|(index, free)| (from_lowest(index as isize), free)).collect();
            let highest = list.iter().map(|access| access.0).max().unwrap_or(0);
            let (start, end) = (from_lowest(start), end.map(from_lowest));
            let length = highest.max(start).max(end.unwrap_or(0)) + 1;
            let plain = self.setting.pointers.registers[index] == X;
            let steps = if plain { UNDISPLACED } else { DISPLACED };
            let plan = plan_between(&list, start, end, length, steps);
            ends[index] = plan.end as isize + lowest;
            plans[index] = Some(plan);
        }
        Ok((access::write(items, &plans, &self.setting.pointers), ends))
    }

    fn shift(
        &mut self,
        array: Array,
        [mut fixed, outer]: [isize; 2],
        range: &Range<isize>,
        code: &mut Vec<Instruction>,
    ) -> Result<(), Unfit> {
        let pointer = self.setting.pointers.between(array);
        if outer != 0 {
            let length = self.length.ok_or(Unfit::Never)?;
            let steps = outer / length.step;
            if outer % length.step != 0 || steps % length.unit != 0 {
                return Err(Unfit::Never);
            }
            self.unit = gcd(self.unit, steps);
            let times = steps / length.unit;
            fixed -= times * length.value(0);
            let counter = self.setting.counters[0];
            if !counter.wide && range.clone().any(|v| !(0..256).contains(&length.value(v))) {
                return Err(Unfit::Narrow);
            }
            let high = if counter.wide { counter.high } else { self.setting.zero };
            let (low_op, high_op) = if times > 0 { (Op::Add, Op::Adc) } else { (Op::Sub, Op::Sbc) };
            for _ in 0..times.abs() {
                code.push(Instruction::dr(low_op, pointer, counter.low));
                code.push(Instruction::dr(high_op, pointer + 1, high));
            }
        }
        code.extend(moved(pointer, fixed as i32));
        Ok(())
    }

    fn begin(&mut self, turns: &Turns) -> Result<(Vec<Instruction>, Control), Unfit> {
        let [outer, inner] = self.setting.counters;
        let (count, times) = (turns.count, turns.first());
        let control = match (turns.depth, turns.varying.first()) {
            (0, None) => outer.fixed(times),
            (0, Some(first)) => {
                let length = Length { unit: self.setting.unit, at: first.at, step: first.by[0] };
                self.length = Some(length);
                outer.keeping(&length, times, inner)
            }
            _ => match (count.constant(), self.length) {
                (Some(_), _) => inner.fixed(times),
                (None, Some(length)) => inner.following(outer, &length, count, turns.entered, turns.most),
                (None, None) => Err(Unfit::Never),
            },
        }?;
        Ok((control.start.clone(), control))
    }

    fn over(&self, length: usize) -> Option<Instruction> {
        Some(relative(Op::Rjmp, length as i32))
    }

    fn end(
        &mut self,
        control: Control,
        turns: &Turns,
        length: usize,
    ) -> Result<Vec<Counted<Instruction>>, Unfit> {
        if turns.depth == 0 {
            self.length = None;
        }
        let Turns { all, begun, .. } = *turns;
        let back = -((length + control.test.len()) as i32) - 1;
        if back <= RJMP_BACK {
            return Err(Unfit::Never);
        }
        let mut lines: Vec<_> = control.test.into_iter().map(|one| Counted::plain(one, all)).collect();
        let branch = |op, distance, otherwise| {
            let instruction = Instruction { b: control.leaves_on as u8, ..relative(op, distance) };
            Counted { instruction, runs: all, otherwise }
        };
        if back >= BRANCH_BACK {
            lines.push(branch(Op::Brbc, back, all - begun));
        } else {
            lines.push(branch(Op::Brbs, 1, begun));
            lines.push(Counted::plain(relative(Op::Rjmp, back - 1), all - begun));
        }
        Ok(lines)
    }
}

fn relative(op: Op, distance: i32) -> Instruction {
    Instruction { k: distance, ..Instruction::new(op) }
}

fn gcd(a: isize, b: isize) -> isize {
    if b == 0 { a.abs() } else { gcd(b, a % b) }
}
