//! Drafts as MIPS32.

use super::abilities::Abilities;
use super::{Context, code, frame, registers, rolled};
use crate::cores::Time;
use crate::instructions::{GUARD, HI, Instruction, LO, Op, Register, SP};
use crate::pipeline::Pipeline;
use rhomb_kernel::{Form, Task};
use rhomb_lower::draft::{
    self, Act, Change, Facts, Fault, Frame, Kernel, Pair, Part, Registers, Ring, Routines, Setting,
};
use smallvec::{SmallVec, smallvec};

impl draft::Clock<Time> for Pipeline {
    fn earliest(&self, reads: u64, time: &Time) -> u64 {
        Pipeline::earliest(self, reads, time.unit)
    }

    fn issue(&mut self, reads: u64, writes: u64, time: &Time) {
        Pipeline::issue(self, reads, writes, *time);
    }
}

impl Context<'_> {
    fn changed(&self, change: Change) -> Option<Instruction> {
        let Abilities { shift, twice, words, carryless, .. } = self.abilities;
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
        let pair = |pair| {
            Some(match pair {
                Pair::Add => Op::Addu,
                Pair::Subtract => Op::Subu,
                Pair::Below => Op::Sltu,
                Pair::And => Op::And,
                Pair::Or => Op::Or,
                Pair::Xor => Op::Xor,
                Pair::Nor => Op::Nor,
                // in the accumulator
                Pair::Low | Pair::High | Pair::CarrylessLow | Pair::CarrylessHigh => return None,
            })
        };
        let shift = |op, places: u32| Instruction { rt: x, rd: to, sa: places as u8, ..Instruction::new(op) };
        Some(match act {
            Act::Pair(own) => code::compute(pair(own)?, to, x, y),
            Act::Number(own, number) => {
                let op = match own {
                    Pair::Add => Op::Addiu,
                    Pair::And => Op::Andi,
                    Pair::Or => Op::Ori,
                    Pair::Xor => Op::Xori,
                    _ => return None,
                };
                code::immediate(op, to, x, number)
            }
            // in several
            Act::Word(_) => return None,
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

impl draft::Core for Context<'_> {
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

    fn number(&self, number: u32) -> SmallVec<[Act; 2]> {
        let (high, low) = (number >> 16, (number & 0xffff) as i32);
        match (high, low) {
            (0, _) => smallvec![Act::Number(Pair::Or, low)],
            (_, 0) => smallvec![Act::Upper(high)],
            (0xffff, low) if low >= 0x8000 => smallvec![Act::Number(Pair::Add, low - 0x1_0000)],
            _ => smallvec![Act::Upper(high), Act::Number(Pair::Or, low)],
        }
    }

    fn has_number(&self, pair: Pair, number: i32) -> bool {
        match pair {
            Pair::Add => i16::try_from(number).is_ok(),
            _ => u16::try_from(number).is_ok(),
        }
    }

    fn instruction(&self, act: Act, to: Register, reads: [Register; 2]) -> Instruction {
        // what the core lacks has no facts
        self.made(act, to, reads).unwrap_or(Instruction::NOP)
    }
}

impl Routines for Context<'_> {
    fn setting(&self) -> Setting {
        let [r, a, b, _] = self.convention.arguments;
        Setting {
            abilities: self.abilities.of_drafts(),
            ring: self.ring,
            arguments: [r, a, b],
            returned: self.convention.returned,
            stack: SP,
            home: self.convention.home as usize / 4,
        }
    }

    fn over(&self, ring: Ring) -> Self {
        Context { ring, ..*self }
    }

    fn registers(&self) -> Registers {
        let all = registers(self.convention);
        let free = all.iter().filter(|register| self.convention.saved >> **register & 1 == 0).count();
        Registers { all, free, most: self.registers, stack: None }
    }

    fn enclose(&self, body: Vec<Instruction>, stack_bytes: u32) -> Kernel<Instruction> {
        frame::enclose(body, true, stack_bytes, self.model, self.convention)
    }

    fn cycles(&self, program: &[Instruction], knowing: bool) -> Option<u64> {
        let mut pipeline = Pipeline::default();
        // registers that are known to be small, as zero is
        let mut small = 1u64;
        for one in program {
            let row = self.model.row(one)?;
            let time = code::time(self.model, one, knowing && small >> one.rt & 1 == 1)?;
            let writes = one.writes(row);
            pipeline.issue(one.reads(row), writes, time);
            small = if code::is_small(one) { small | writes } else { small & !writes } | 1;
        }
        Some(pipeline.cycles())
    }

    fn call(&self, frame: &Frame, distance: usize) -> Result<Vec<Instruction>, Fault> {
        let [r, ..] = self.convention.arguments;
        // from behind the call
        let immediate = i16::try_from(distance.saturating_sub(2)).map_err(|_| Fault::Displacement)?.into();
        Ok(vec![
            code::sw(r, SP, 4 * frame.pointer as i32),
            Instruction { immediate, ..Instruction::new(Op::Bgezal) },
            code::addiu(r, SP, 4 * frame.product as i32),
        ])
    }

    fn other(&self, task: &Task) -> Result<Kernel<Instruction>, Fault> {
        match task {
            Task::Chain { subtract, words, form: Form::Looped } => rolled::chain(*subtract, *words, self),
            Task::LoopedMultiplication(task) => rolled::multiplication(task, self),
            Task::ScannedSquaring { words } => rolled::squaring(*words, self),
            _ => Err(draft::unmade(task)),
        }
    }
}
