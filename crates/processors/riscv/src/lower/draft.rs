//! Drafts as RISC-V: an instruction for each act, and what stands around a body: saves, restores, return.

use super::{Context, Kernel, code, registers};
use crate::cores::Time;
use crate::instructions::{Extension, Instruction, Op, RA, Register, SP};
use rhomb_kernel::Task;
use rhomb_lower::draft::{
    self, Abilities, Act, Facts, Fault, Frame, Pair, Registers, Ring, Routines, Setting,
};
use rhomb_lower::looped::{Branches, Compare, looped};
use smallvec::{SmallVec, smallvec};

/// When each register is there: the order of a line rests on that. Rules of a core that depend on more are left to the
/// machine.
#[derive(Clone, Debug, Default)]
pub struct Ready {
    now: u64,
    ready: [u64; 32],
}

fn members(set: u64) -> impl Iterator<Item = usize> {
    (0..32).filter(move |number| set >> number & 1 == 1)
}

impl draft::Clock<Time> for Ready {
    fn earliest(&self, reads: u64, _: &Time) -> u64 {
        members(reads).fold(self.now, |start, number| start.max(self.ready[number]))
    }

    fn issue(&mut self, reads: u64, writes: u64, time: &Time) {
        let start = self.earliest(reads, time);
        self.now = start + u64::from(time.issue);
        members(writes).for_each(|number| self.ready[number] = start + u64::from(time.latency));
    }
}

/// The instruction of two registers; of `Nor` there is that of one.
fn of_pair(pair: Pair) -> Option<Op> {
    Some(match pair {
        Pair::Add => Op::Add,
        Pair::Subtract => Op::Sub,
        Pair::Below => Op::Sltu,
        Pair::And => Op::And,
        Pair::Or => Op::Or,
        Pair::Xor => Op::Xor,
        Pair::Low => Op::Mul,
        Pair::High => Op::Mulhu,
        Pair::CarrylessLow => Op::Clmul,
        Pair::CarrylessHigh => Op::Clmulh,
        Pair::Nor => return None,
    })
}

/// The instruction of a register and a number.
fn of_number(pair: Pair) -> Option<Op> {
    Some(match pair {
        Pair::Add => Op::Addi,
        Pair::Below => Op::Sltiu,
        Pair::And => Op::Andi,
        Pair::Or => Op::Ori,
        Pair::Xor => Op::Xori,
        _ => return None,
    })
}

fn made(act: Act, to: Register, [x, y]: [Register; 2]) -> Option<Instruction> {
    let shift = |op, places: u32| code::immediate(op, to, x, places as i32);
    Some(match act {
        Act::Pair(Pair::Nor) if y == 0 => code::immediate(Op::Xori, to, x, -1),
        Act::Pair(pair) => code::compute(of_pair(pair)?, to, x, y),
        Act::Number(pair, number) => code::immediate(of_number(pair)?, to, x, number),
        Act::Upper(number) => code::lui(to, number),
        Act::Up(places) => shift(Op::Slli, places),
        Act::Down(places) => shift(Op::Srli, places),
        Act::Sign(places) => shift(Op::Srai, places),
        Act::Load(index) => code::lw(to, x, index.wrapping_mul(4)),
        Act::Store(index) => code::sw(y, x, index.wrapping_mul(4)),
        Act::Word(_) | Act::Change(_) | Act::Part(_) => return None,
    })
}

impl Context {
    /// What an instruction takes at most.
    fn time(&self, one: &Instruction) -> Option<Time> {
        let row = one.op.row();
        let times = self.core.timing.times(row.kind).filter(|_| self.core.has(row.extension));
        times.map(|[_, most]| most)
    }
}

impl draft::Core for Context {
    type Instruction = Instruction;
    type Time = Time;
    type Clock = Ready;

    fn facts(&self, act: Act, _: bool) -> Result<Facts<Time>, Fault> {
        let one = made(act, 0, [0; 2]).ok_or(Fault::Instruction)?;
        let time = self.time(&one).ok_or(Fault::Instruction)?;
        if matches!(act, Act::Load(_) | Act::Store(_)) && !code::fits(one.immediate) {
            return Err(Fault::Displacement);
        }
        Ok(Facts { time, latency: time.latency.into(), length: time.issue.into(), reads: 0, writes: 0 })
    }

    fn is_small(&self, _: Act, _: bool) -> bool {
        false
    }

    fn number(&self, number: u32) -> SmallVec<[Act; 2]> {
        match code::halves(number) {
            (0, low) => smallvec![Act::Number(Pair::Add, low)],
            (high, 0) => smallvec![Act::Upper(high)],
            (high, low) => smallvec![Act::Upper(high), Act::Number(Pair::Add, low)],
        }
    }

    fn has_number(&self, pair: Pair, number: i32) -> bool {
        of_number(pair).is_some() && code::fits(number)
    }

    fn is_in_place(&self, act: Act) -> bool {
        let multiplies = [Pair::Low, Pair::High, Pair::CarrylessLow, Pair::CarrylessHigh];
        match act {
            Act::Pair(pair) => pair != Pair::Below && !multiplies.contains(&pair),
            Act::Number(..) | Act::Up(_) | Act::Down(_) | Act::Sign(_) => true,
            _ => false,
        }
    }

    fn instruction(&self, act: Act, to: Register, reads: [Register; 2]) -> Instruction {
        // what the core lacks has no facts
        made(act, to, reads).unwrap_or(Instruction::NOP)
    }
}

impl Routines for Context {
    fn setting(&self) -> Setting {
        let arguments = [0, 1, 2].map(|index| self.convention.arguments[index]);
        let abilities = Abilities {
            word: 32,
            accumulator: 0,
            sets_high: false,
            shift: false,
            take: false,
            twice: false,
            words: false,
            carryless: self.core.has(Extension::Zbc),
        };
        let returned = self.convention.returned;
        Setting { abilities, ring: self.ring, arguments, returned, stack: SP, home: 0 }
    }

    fn over(&self, ring: Ring) -> Self {
        Context { ring, ..*self }
    }

    fn registers(&self) -> Registers {
        let all = registers(self.convention);
        let kept = self.convention.saved | 1 << RA;
        let free = all.iter().filter(|register| kept >> **register & 1 == 0).count();
        Registers { all, free, most: self.registers, stack: Some(SP) }
    }

    fn enclose(&self, body: Vec<Instruction>, stack_bytes: u32) -> Kernel {
        let written = body.iter().fold(0, |set, one| set | one.writes() as u32);
        let kept = written & (self.convention.saved | 1 << RA) & !(1 << SP);
        let saves: Vec<Register> = (0..32).filter(|register| kept >> register & 1 == 1).collect();
        let bytes = stack_bytes + 4 * saves.len() as u32;
        let bytes = bytes.next_multiple_of(self.convention.stack_alignment);
        let places = || saves.iter().copied().zip((stack_bytes as i32..).step_by(4));
        let mut program = Vec::with_capacity(body.len() + 2 * saves.len() + 3);
        let moved = |by: i32| (by != 0).then(|| code::addi(SP, SP, by));
        program.extend(moved(-(bytes as i32)));
        program.extend(places().map(|(register, place)| code::sw(register, SP, place)));
        let before = program.len();
        program.extend(body);
        program.extend(places().map(|(register, place)| code::lw(register, SP, place)));
        program.extend(moved(bytes as i32));
        program.push(code::ret());
        Kernel { program, saves, before, cycles: None, schedule: None, stack_bytes: bytes }
    }

    fn cycles(&self, program: &[Instruction], _: bool) -> Option<u64> {
        let mut clock = Ready::default();
        for one in program {
            draft::Clock::issue(&mut clock, one.reads(), one.writes(), &self.time(one)?);
        }
        Some(clock.now)
    }

    fn call(&self, frame: &Frame, distance: usize) -> Result<Vec<Instruction>, Fault> {
        let r = self.convention.arguments[0];
        let [pointer, product] = [frame.pointer, frame.product].map(|word| 4 * word as i32);
        let from_call = 4 * (distance as i64 - 2);
        Ok(vec![code::sw(r, SP, pointer), code::addi(r, SP, product), code::jal(RA, from_call)?])
    }

    fn other(&self, task: &Task) -> Result<Kernel, Fault> {
        looped(task, self)
    }
}

impl Branches for Context {
    fn branch(&self, compare: Compare, [rs1, rs2]: [Register; 2], by: isize) -> Result<Instruction, Fault> {
        let op = match compare {
            Compare::Differ => Op::Bne,
            Compare::Same => Op::Beq,
        };
        let immediate = i32::try_from(4 * by).ok().filter(|by| (-4096..4096).contains(by));
        Ok(Instruction { rs1, rs2, immediate: immediate.ok_or(Fault::Displacement)?, ..Instruction::new(op) })
    }
}
