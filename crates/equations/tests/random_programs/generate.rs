//! Random programs on few registers, so that values meet again.

use rhomb_avr::instructions::{Instruction, Op, Operand, flag};
use rhomb_oracles::Random;

/// The registers that programs compute with.
pub(crate) const POOL: [u8; 10] = [0, 1, 2, 3, 16, 17, 18, 19, 24, 25];

const SREG: i32 = 0x3f;

/// Operations on data, those that make carries and masks more often.
const OPERATIONS: &[Op] = &[
    Op::Add,
    Op::Add,
    Op::Add,
    Op::Adc,
    Op::Adc,
    Op::Adc,
    Op::Adc,
    Op::Sub,
    Op::Sub,
    Op::Sbc,
    Op::Sbc,
    Op::Sbc,
    Op::Subi,
    Op::Sbci,
    Op::Sbci,
    Op::And,
    Op::And,
    Op::Andi,
    Op::Or,
    Op::Ori,
    Op::Eor,
    Op::Eor,
    Op::Com,
    Op::Neg,
    Op::Inc,
    Op::Dec,
    Op::Lsr,
    Op::Lsr,
    Op::Ror,
    Op::Ror,
    Op::Asr,
    Op::Swap,
    Op::Mul,
    Op::Mul,
    Op::Mul,
    Op::Muls,
    Op::Mulsu,
    Op::Fmul,
    Op::Fmuls,
    Op::Fmulsu,
    Op::Mov,
    Op::Mov,
    Op::Movw,
    Op::Ldi,
    Op::Bst,
    Op::Bst,
    Op::Bld,
    Op::Bld,
    Op::Bset,
    Op::Bclr,
    Op::Cp,
    Op::Cpc,
    Op::Cpi,
    Op::Adiw,
    Op::Sbiw,
];

const CONSTANTS: [i32; 12] = [0, 0, 1, 1, 2, 0x0f, 0x10, 0x7f, 0x80, 0xf0, 0xfe, 0xff];

/// Makes instructions.
pub(crate) struct Generator {
    pub(crate) random: Random,
    /// Registers that may be read beside [`POOL`].
    pub(crate) also_read: Vec<u8>,
}

impl Generator {
    fn register(&mut self, low: u8, high: u8, step: u8, source: bool) -> u8 {
        if source && !self.also_read.is_empty() && self.random.below(8) == 0 {
            let register = *self.random.pick(&self.also_read);
            if register >= low && register <= high && register.is_multiple_of(step) {
                return register;
            }
        }
        let fitting: Vec<u8> =
            POOL.into_iter().filter(|own| (low..=high).contains(own) && own.is_multiple_of(step)).collect();
        *self.random.pick(&fitting)
    }

    /// An instruction with these operands.
    fn fill(&mut self, op: Op) -> Instruction {
        let mut one = Instruction::new(op);
        for operand in op.row().operands {
            let (low, high, step) = operand.range();
            let (least, most, by) = (low as u8, high as u8, step as u8);
            match operand {
                Operand::D | Operand::DHigh | Operand::DMid | Operand::DPair | Operand::DWord => {
                    one.d = self.register(least, most, by, false);
                }
                Operand::R | Operand::RHigh | Operand::RMid | Operand::RPair => {
                    one.r = self.register(least, most, by, true);
                }
                Operand::K8 => {
                    one.k = match self.random.below(4) {
                        0 => self.random.byte().into(),
                        _ => *self.random.pick(&CONSTANTS),
                    }
                }
                Operand::K6 => one.k = *self.random.pick(&[0, 1, 1, 2, 31, 63]),
                Operand::Bit => one.b = *self.random.pick(&[0, 0, 1, 3, 4, 6, 7, 7]),
                // all but the one for interrupts
                Operand::Flag => one.b = self.random.below(flag::I as u64) as u8,
                other => unreachable!("{other:?}"),
            }
        }
        one
    }

    /// An operation on data.
    pub(crate) fn data(&mut self) -> Instruction {
        match self.random.below(16) {
            // zero, mask of the carry, double
            0 => {
                let op = *self.random.pick(&[Op::Eor, Op::Sub, Op::Sbc, Op::Sbc, Op::Add, Op::Adc]);
                let both = self.register(0, 31, 1, false);
                Instruction::dr(op, both, both)
            }
            _ => {
                let op = *self.random.pick(OPERATIONS);
                self.fill(op)
            }
        }
    }

    fn block(&mut self, most: u64) -> Vec<Instruction> {
        let length = 1 + self.random.below(most);
        (0..length).map(|_| self.data()).collect()
    }

    fn branch(&mut self) -> Instruction {
        let op = *self.random.pick(&[Op::Brbs, Op::Brbc]);
        let b = *self.random.pick(&[flag::C, flag::C, flag::Z, flag::N, flag::V, flag::S, flag::H, flag::T]);
        Instruction { b: b as u8, ..Instruction::new(op) }
    }

    /// A skip or branch with both its sides.
    pub(crate) fn hammock(&mut self, nested: bool) -> Vec<Instruction> {
        let mut side = |most: u64| match nested && self.random.below(4) == 0 {
            true => self.hammock(false),
            false => self.block(most),
        };
        let (first, second) = (side(3), side(3));
        let distance = |side: &[Instruction]| side.len() as i32;
        match self.random.below(4) {
            0 => {
                let op = *self.random.pick(&[Op::Sbrc, Op::Sbrs, Op::Cpse]);
                vec![self.fill(op), self.data()]
            }
            1 | 2 => {
                let branch = Instruction { k: distance(&first), ..self.branch() };
                [&[branch], &first[..]].concat()
            }
            _ => {
                let branch = Instruction { k: distance(&first) + 1, ..self.branch() };
                let over = Instruction { k: distance(&second), ..Instruction::new(Op::Rjmp) };
                [&[branch], &first[..], &[over], &second[..]].concat()
            }
        }
    }

    /// A block behind several conditions, each of which leads to another block, or behind that.
    fn exits(&mut self) -> Vec<Instruction> {
        let mut code = Vec::new();
        let mut branches = Vec::new();
        for _ in 0..2 + self.random.below(3) {
            code.extend(self.block(2));
            branches.push((code.len(), self.random.below(3) > 0));
            code.push(self.branch());
        }
        code.extend(self.block(2));
        let other = self.block(3);
        code.push(Instruction { k: other.len() as i32, ..Instruction::new(Op::Rjmp) });
        let goal = code.len();
        code.extend(other);
        for (at, is_other) in branches {
            let goal = if is_other { goal } else { code.len() };
            code[at].k = (goal - at - 1) as i32;
        }
        code
    }

    /// Storing or loading a byte of the scratch area at Z.
    pub(crate) fn access(&mut self) -> Instruction {
        let place = self.random.below(SCRATCH as u64) as i32;
        let register = self.register(0, 31, 1, false);
        match self.random.below(2) {
            0 => Instruction::dk(Op::LddZ, register, place),
            _ => Instruction::rk(Op::StdZ, register, place),
        }
    }

    /// A function of `r` and `a`: loads all registers and the flags from `a`, computes, and on its way
    /// stores registers and flags behind the scratch area at the start of `r`. Returns the number of
    /// bytes that it stores there, too.
    pub(crate) fn function(&mut self, hammocks: bool) -> (Vec<Instruction>, u32) {
        let mut code = vec![Instruction::dr(Op::Movw, 28, 22), Instruction::dr(Op::Movw, 30, 24)];
        code.push(Instruction::dr(Op::Movw, 26, 24));
        code.push(Instruction::dk(Op::Adiw, 26, SCRATCH));
        for place in 0..SCRATCH {
            code.push(Instruction::dk(Op::LdYInc, 0, 0));
            code.push(Instruction::rk(Op::StdZ, 0, place));
        }
        code.push(Instruction::dk(Op::LdYInc, 0, 0));
        code.push(Instruction::rk(Op::Out, 0, SREG));
        code.extend(POOL.map(|register| Instruction::dk(Op::LdYInc, register, 0)));
        let mut stored = 0;
        for _ in 0..8 + self.random.below(16) {
            let mut piece = match self.random.below(if hammocks { 8 } else { 6 }) {
                0 => vec![self.access()],
                1 => vec![Instruction::rk(Op::Push, self.register(0, 31, 1, true), 0)],
                2..6 => self.block(2),
                6 => self.hammock(true),
                _ => self.exits(),
            };
            if piece[0].op == Op::Push {
                piece.extend(self.block(2));
                piece.push(Instruction::dk(Op::Pop, self.register(0, 31, 1, false), 0));
            }
            let written = piece.iter().fold(0, |set, one| set | one.registers_written());
            code.extend(piece);
            for register in POOL.into_iter().filter(|register| written >> register & 1 == 1) {
                code.push(Instruction::rk(Op::StXInc, register, 0));
                stored += 1;
            }
            if self.random.below(6) == 0 {
                stored += flags(&mut code);
            }
        }
        stored += flags(&mut code);
        code.push(Instruction::new(Op::Ret));
        (code, stored)
    }
}

/// Bytes at the start of `r` that programs store to and load from.
pub(crate) const SCRATCH: i32 = 4;
/// Bytes of `a`.
pub(crate) const INPUTS: usize = SCRATCH as usize + 1 + POOL.len();

/// Stores the flags; R4 is free for this.
fn flags(code: &mut Vec<Instruction>) -> u32 {
    code.extend([Instruction::dk(Op::In, 4, SREG), Instruction::rk(Op::StXInc, 4, 0)]);
    1
}

/// An input byte that makes carries run.
pub(crate) fn biased(random: &mut Random) -> u8 {
    match random.below(8) {
        0..5 => *random.pick(&[0x00, 0xff]),
        5 | 6 => *random.pick(&[0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff]),
        _ => random.byte(),
    }
}
