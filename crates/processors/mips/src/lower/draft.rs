//! Drafts as MIPS32.

use super::abilities::Abilities;
use super::code;
use crate::cores::Time;
use crate::instructions::{GUARD, HI, Instruction, LO, Op, Register};
use crate::model::Model;
use crate::pipeline::Pipeline;
use rhomb_lower::draft::{self, Act, Change, Facts, Fault, Pair, Part};

/// A core with its accumulator.
pub(super) struct Core<'a> {
    pub(super) model: &'a Model,
    pub(super) abilities: &'a Abilities,
}

impl draft::Clock<Time> for Pipeline {
    fn earliest(&self, reads: u64, time: &Time) -> u64 {
        Pipeline::earliest(self, reads, time.unit)
    }

    fn issue(&mut self, reads: u64, writes: u64, time: &Time) {
        Pipeline::issue(self, reads, writes, *time);
    }
}

impl Core<'_> {
    fn changed(&self, change: Change) -> Option<Instruction> {
        let Abilities { shift, twice, words, carryless, .. } = *self.abilities;
        let op = match change {
            Change::Product => Op::Multu,
            Change::More => Op::Maddu,
            Change::SetLow => Op::Mtlo,
            Change::SetHigh => Op::Mthi,
            Change::Twice => return twice,
            Change::Words => return words,
            Change::Shift => return shift,
            Change::Carryless => return carryless.map(|[first, _]| first),
            Change::MoreCarryless => return carryless.map(|[_, more]| more),
        };
        Some(Instruction::new(op))
    }

    fn made(&self, act: Act, to: Register, [x, y]: [Register; 2]) -> Option<Instruction> {
        let pair = |pair| match pair {
            Pair::Add => Op::Addu,
            Pair::Subtract => Op::Subu,
            Pair::Below => Op::Sltu,
            Pair::And => Op::And,
            Pair::Or => Op::Or,
            Pair::Xor => Op::Xor,
            Pair::Nor => Op::Nor,
        };
        let shift = |op, places: u32| Instruction { rt: x, rd: to, sa: places as u8, ..Instruction::new(op) };
        Some(match act {
            Act::Pair(own) => code::compute(pair(own), to, x, y),
            Act::Number(own, number) => {
                let op = match own {
                    Pair::Add => Op::Addiu,
                    Pair::And => Op::Andi,
                    Pair::Or => Op::Ori,
                    Pair::Xor => Op::Xori,
                    Pair::Subtract | Pair::Below | Pair::Nor => return None,
                };
                code::immediate(op, to, x, number)
            }
            Act::Upper(number) => code::immediate(Op::Lui, to, 0, number as i32),
            Act::Up(places) => shift(Op::Sll, places),
            Act::Down(places) => shift(Op::Srl, places),
            Act::Sign(places) => shift(Op::Sra, places),
            Act::Load(index) => code::lw(to, x, index.wrapping_mul(4)),
            Act::Store(index) => code::sw(y, x, index.wrapping_mul(4)),
            Act::Change(change) => code::of(self.changed(change)?, x, y),
            Act::Part(Part::Low) => code::into(Instruction::new(Op::Mflo), to),
            Act::Part(Part::High) => code::into(Instruction::new(Op::Mfhi), to),
            Act::Part(Part::Take) => code::into(self.abilities.take?, to),
        })
    }
}

impl draft::Core for Core<'_> {
    type Instruction = Instruction;
    type Time = Time;
    type Clock = Pipeline;

    fn facts(&self, act: Act, small: bool) -> Result<Facts<Time>, Fault> {
        let one = self.made(act, 0, [0; 2]).ok_or(Fault::Instruction)?;
        let row = self.model.row(&one).ok_or(Fault::Instruction)?;
        let time = code::time(self.model, &one, small).ok_or(Fault::Instruction)?;
        if matches!(act, Act::Load(_) | Act::Store(_)) && i16::try_from(one.immediate).is_err() {
            return Err(Fault::Displacement);
        }
        let [reads, writes] = [one.reads(row), one.writes(row)].map(|set| set & (LO | HI | GUARD));
        Ok(Facts { time, latency: time.latency.into(), length: time.issue.into(), reads, writes })
    }

    fn is_small(&self, act: Act, of_zero: bool) -> bool {
        let x = if of_zero { 0 } else { Register::MAX };
        self.made(act, 0, [x, 0]).is_some_and(|one| code::is_small(&one))
    }

    fn instruction(&self, act: Act, to: Register, reads: [Register; 2]) -> Instruction {
        // what the core lacks has no facts
        self.made(act, to, reads).unwrap_or(Instruction::NOP)
    }
}
