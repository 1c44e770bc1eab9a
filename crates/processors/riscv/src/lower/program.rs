//! Programs of calls on RISC-V: what they are made of. All else is shared.

use super::{LowerError, code};
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op, RA, Register, SP};
use rhomb_field::program::Program;
use rhomb_lower::program::{self as shared, At, Frame, Way};

/// Registers that keep the outermost counter, the arguments, and further counters.
const KEPT: [Register; 12] = [8, 9, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27];
/// What no call keeps and takes no argument.
const FREE: Register = 5;
/// How far conditional branches reach.
const NEAR: i64 = 4096;

struct Caller<'a> {
    convention: &'a Convention,
    /// Whether routines preserve no registers: arguments and counters stand below the numbers, and all that the convention preserves is
    /// saved at the beginning.
    inner: bool,
}

fn kept(argument: usize) -> Register {
    KEPT[1 + argument]
}

fn counter(frame: &Frame, number: usize) -> Register {
    if number == 0 { KEPT[0] } else { kept(frame.arguments + number - 1) }
}

/// `to = from + number`.
fn plus(to: Register, from: Register, number: i32) -> Vec<Instruction> {
    if code::fits(number) {
        return vec![code::addi(to, from, number)];
    }
    let mut made = constant(FREE, number as u32);
    made.push(code::compute(Op::Add, to, from, FREE));
    made
}

/// `to = number`.
fn constant(to: Register, number: u32) -> Vec<Instruction> {
    match code::halves(number) {
        (0, low) => vec![code::addi(to, 0, low)],
        (high, low) => vec![code::lui(to, high), code::addi(to, to, low)],
    }
}

/// To another place where a register is zero, or is not.
fn branch(op: Op, register: Register, Way { from, to }: Way) -> Result<Vec<Instruction>, LowerError> {
    let own =
        |op, distance: i64| Instruction { rs1: register, immediate: distance as i32, ..Instruction::new(op) };
    if (-NEAR..NEAR).contains(&(to - from)) {
        return Ok(vec![own(op, to - from)]);
    }
    // over a jump
    let other = if op == Op::Beq { Op::Bne } else { Op::Beq };
    Ok(vec![own(other, 8), code::jal(0, to - from - 4)?])
}

impl Caller<'_> {
    /// Registers that are saved, at the beginning of the frame.
    fn saved(&self, frame: &Frame) -> Vec<Register> {
        let is_preserved =
            |own: &Register| (self.convention.saved & !self.convention.foreign) >> own & 1 == 1;
        let kept: Vec<Register> = match self.inner {
            true => KEPT.into_iter().filter(is_preserved).collect(),
            false => {
                let counters = (0..frame.counters).map(|number| counter(frame, number));
                counters.chain((0..frame.arguments).map(kept)).collect()
            }
        };
        [RA].into_iter().chain(kept).collect()
    }

    /// What is saved, with its place in the frame, and the bytes of the frame.
    fn frame(&self, frame: &Frame) -> (Vec<(Register, i32)>, i32) {
        let saved = self.saved(frame).into_iter().zip((0..).step_by(4));
        let size =
            (self.numbers(frame) + frame.bytes).next_multiple_of(self.convention.stack_alignment as usize);
        (saved.collect(), size as i32)
    }

    /// Where an argument stands, where routines preserve no registers, and counters behind them.
    fn place(&self, frame: &Frame, argument: usize) -> i32 {
        4 * (self.saved(frame).len() + argument) as i32
    }

    /// Bytes of the frame below the numbers.
    fn numbers(&self, frame: &Frame) -> usize {
        let own = if self.inner { frame.arguments + frame.counters } else { 0 };
        4 * (self.saved(frame).len() + own)
    }
}

/// Bytes of code.
fn length(code: &[Instruction]) -> i64 {
    code.iter().map(|one| i64::from(one.bytes())).sum()
}

impl shared::Caller for Caller<'_> {
    type Instruction = Instruction;
    type Error = LowerError;
    const WORD_BYTES: usize = 4;
    const MOST_TURNS: u32 = 1 << 30;

    fn length(code: &[Instruction]) -> i64 {
        length(code)
    }

    fn enter(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        let needed = if self.inner { 0 } else { frame.arguments + frame.counters.max(1) };
        let foreign = self.convention.foreign;
        let available = KEPT.iter().filter(|register| foreign >> **register & 1 == 0).count();
        if needed > available {
            return Err(LowerError::Registers { needed, available });
        }
        let (saved, size) = self.frame(frame);
        let mut made = plus(SP, SP, -size);
        made.extend(saved.into_iter().map(|(register, place)| code::sw(register, SP, place)));
        let arguments = self.convention.arguments.iter().copied().take(frame.arguments);
        made.extend(arguments.enumerate().map(|(index, from)| match self.inner {
            true => code::sw(from, SP, self.place(frame, index)),
            false => code::addi(kept(index), from, 0),
        }));
        Ok(made)
    }

    fn leave(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        let (saved, size) = self.frame(frame);
        let mut made: Vec<Instruction> =
            saved.into_iter().map(|(register, place)| code::lw(register, SP, place)).collect();
        made.extend(plus(SP, SP, size));
        made.push(code::ret());
        Ok(made)
    }

    fn call(&self, frame: &Frame, pointers: &[At], way: Way) -> Result<Vec<Instruction>, LowerError> {
        let pointer = |(to, at): (Register, &At)| {
            let (index, by) = match *at {
                At::Argument(index) => (index, 0),
                At::Inside(index, place) => (index, place as i32),
                At::Frame(place) => return plus(to, SP, (self.numbers(frame) + place) as i32),
            };
            if !self.inner {
                return plus(to, kept(index), by);
            }
            let further = if by == 0 { Vec::new() } else { plus(to, to, by) };
            [code::lw(to, SP, self.place(frame, index))].into_iter().chain(further).collect()
        };
        let mut made: Vec<Instruction> =
            self.convention.arguments.iter().copied().zip(pointers).flat_map(pointer).collect();
        made.push(code::jal(RA, way.to - way.from - length(&made))?);
        Ok(made)
    }

    fn count(&self, frame: &Frame, number: usize, turns: u32) -> Vec<Instruction> {
        if !self.inner {
            return constant(counter(frame, number), turns);
        }
        let mut made = constant(FREE, turns);
        made.push(code::sw(FREE, SP, self.place(frame, frame.arguments + number)));
        made
    }

    fn again(&self, frame: &Frame, number: usize, way: Way) -> Result<Vec<Instruction>, LowerError> {
        let own = if self.inner { FREE } else { counter(frame, number) };
        let place = self.place(frame, frame.arguments + number);
        let mut made = vec![code::addi(own, own, -1)];
        if self.inner {
            made = vec![code::lw(own, SP, place), made[0], code::sw(own, SP, place)];
        }
        let from = way.from + length(&made);
        made.extend(branch(Op::Bne, own, Way { from, ..way })?);
        Ok(made)
    }

    fn skip(&self, frame: &Frame, place: usize, way: Way) -> Result<Vec<Instruction>, LowerError> {
        let mut made = plus(FREE, SP, (self.numbers(frame) + place) as i32);
        made.push(code::lw(FREE, FREE, 0));
        let from = way.from + length(&made);
        made.extend(branch(Op::Beq, FREE, Way { from, ..way })?);
        Ok(made)
    }

    fn give(&self, frame: &Frame, place: usize) -> Result<Vec<Instruction>, LowerError> {
        Ok(vec![code::lw(self.convention.returned, SP, (self.numbers(frame) + place) as i32)])
    }

    fn take(&self, frame: &Frame, place: usize) -> Result<Vec<Instruction>, LowerError> {
        Ok(vec![code::sw(self.convention.returned, SP, (self.numbers(frame) + place) as i32)])
    }

    fn unsettled(&self) -> LowerError {
        LowerError::Displacement
    }
}

/// The code of a program with its routines behind it, which keep the convention, or its inner one.
///
/// # Errors
/// More than registers hold, or jumps reach.
pub fn program(
    program: &Program,
    routines: &[&[Instruction]],
    (convention, inner): (&Convention, bool),
) -> Result<Vec<Instruction>, LowerError> {
    shared::program(&Caller { convention, inner }, program, routines)
}
