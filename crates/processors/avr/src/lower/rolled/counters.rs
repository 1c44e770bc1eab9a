//! Loop counters: registers, how they start, and the test at the end of an iteration.

use crate::instructions::{Instruction, Op, flag};
use rhomb_kernel::rolled::Index;
use rhomb_lower::rolled::Unfit;

/// The registers of a counter; the high one is not used if counters have one byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    pub(super) low: u8,
    pub(super) high: u8,
    pub(super) wide: bool,
}

/// What the counter of an outer loop holds where counts inside depend on it: in iteration `v` the number
/// `unit * (at + step * v)`, a multiple of such a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Length {
    pub(super) unit: isize,
    pub(super) at: isize,
    pub(super) step: isize,
}

impl Length {
    /// Its value in iteration `v`.
    pub(super) fn value(&self, v: isize) -> isize {
        self.unit * (self.at + self.step * v)
    }
}

/// Instructions before a loop, and at its end; the branch back follows while the flag is clear.
pub(super) struct Control {
    pub(super) start: Vec<Instruction>,
    pub(super) test: Vec<Instruction>,
    pub(super) leaves_on: usize,
}

impl Counter {
    fn set(&self, value: isize) -> Vec<Instruction> {
        let [low, high] = (value as u16).to_le_bytes();
        let mut list = vec![Instruction::dk(Op::Ldi, self.low, low.into())];
        if self.wide {
            list.push(Instruction::dk(Op::Ldi, self.high, high.into()));
        }
        list
    }

    fn add(&self, value: isize) -> Vec<Instruction> {
        let [low, high] = (-value as u16).to_le_bytes();
        let mut list = Vec::new();
        if value != 0 {
            list.push(Instruction::dk(Op::Subi, self.low, low.into()));
            if self.wide {
                list.push(Instruction::dk(Op::Sbci, self.high, high.into()));
            }
        }
        list
    }

    /// A loop of `times` iterations, the one that is entered in the middle included.
    pub(super) fn fixed(&self, times: isize) -> Result<Control, Unfit> {
        if times > if self.wide { 0x1_0000 } else { 0x100 } {
            return Err(Unfit::Narrow);
        }
        let test = if self.wide { self.add(-1) } else { vec![Instruction::dk(Op::Dec, self.low, 0)] };
        Ok(Control { start: self.set(times), test, leaves_on: flag::Z })
    }

    /// An outer loop of `times` iterations that keeps `length`; `spare` is free at its end.
    pub(super) fn keeping(&self, length: &Length, times: isize, spare: Counter) -> Result<Control, Unfit> {
        let end = length.value(times);
        let range = if self.wide { 0x1_0000 } else { 0x100 };
        if (end - length.value(0)).abs() >= range + length.value(1).abs() {
            return Err(Unfit::Narrow);
        }
        let mut test = self.add(length.unit * length.step);
        if end.rem_euclid(range) != 0 {
            let [low, high] = (end as u16).to_le_bytes();
            if self.wide {
                test.push(Instruction::dk(Op::Ldi, spare.low, high.into()));
            }
            test.push(Instruction::dk(Op::Cpi, self.low, low.into()));
            if self.wide {
                test.push(Instruction::dr(Op::Cpc, self.high, spare.low));
            }
        }
        Ok(Control { start: self.set(length.value(0)), test, leaves_on: flag::Z })
    }

    /// A loop inside one that keeps `length` in `outer`, of `count` full iterations. `entered` says
    /// whether it is entered in the middle, before the full ones; `most` is the largest count.
    pub(super) fn following(
        &self,
        outer: Counter,
        length: &Length,
        count: Index,
        entered: bool,
        most: isize,
    ) -> Result<Control, Unfit> {
        if length.unit * most > if self.wide { 0xffff } else { 0xff } {
            return Err(Unfit::Narrow);
        }
        let start = if count.by[0] == length.step {
            let mut start = if self.wide && self.low.is_multiple_of(2) && outer.low.is_multiple_of(2) {
                vec![Instruction::dr(Op::Movw, self.low, outer.low)]
            } else if self.wide {
                vec![
                    Instruction::dr(Op::Mov, self.low, outer.low),
                    Instruction::dr(Op::Mov, self.high, outer.high),
                ]
            } else {
                vec![Instruction::dr(Op::Mov, self.low, outer.low)]
            };
            start.extend(self.add(length.unit * (count.at - length.at)));
            start
        } else if count.by[0] == -length.step {
            // both counts have a constant sum
            let mut start = self.set(length.unit * (count.at + length.at));
            start.push(Instruction::dr(Op::Sub, self.low, outer.low));
            if self.wide {
                start.push(Instruction::dr(Op::Sbc, self.high, outer.high));
            }
            start
        } else {
            return Err(Unfit::Never);
        };
        let leaves_on = if entered { flag::C } else { flag::Z };
        Ok(Control { start, test: self.add(-length.unit), leaves_on })
    }
}
