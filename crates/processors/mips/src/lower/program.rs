//! Programs of calls on MIPS32: what they are made of. All else is shared.

use super::{LowerError, code};
use crate::conventions::Convention;
use crate::instructions::{FP, Instruction, Op, RA, Register, SP};
use rhomb_field::program::Program;
use rhomb_lower::program::{self as shared, At, Frame, Way};
use std::ops::Range;

/// Registers that keep the outermost counter, the arguments, and further counters.
const KEPT: Range<Register> = 16..24;

struct Caller<'a> {
    convention: &'a Convention,
    /// Whether routines preserve no registers: arguments and counters stand below the numbers, and all that the convention preserves is
    /// saved at the beginning.
    inner: bool,
}

fn kept(argument: usize) -> Register {
    KEPT.start + 1 + argument as Register
}

fn counter(frame: &Frame, number: usize) -> Register {
    if number == 0 { KEPT.start } else { kept(frame.arguments + number - 1) }
}

/// A distance in instructions from behind the branch.
fn distance(from: i64, to: i64) -> Result<i32, LowerError> {
    i16::try_from(to - from - 1).map(i32::from).map_err(|_| LowerError::Displacement)
}

impl Caller<'_> {
    /// What is saved, with its place in the frame, and the bytes of the frame: those of what is called come first, the
    /// numbers last.
    fn frame(&self, frame: &Frame) -> (Vec<(Register, i32)>, usize) {
        let saved = self.saved(frame);
        let numbers = self.numbers(frame);
        let places = (self.convention.home as i32..).step_by(4);
        let size = (numbers + frame.bytes).next_multiple_of(self.convention.stack_alignment as usize);
        (saved.into_iter().zip(places).collect(), size)
    }

    fn saved(&self, frame: &Frame) -> Vec<Register> {
        let mut saved: Vec<Register> = match self.inner {
            true => KEPT.chain([FP]).collect(),
            false => {
                let counters = (0..frame.counters).map(|number| counter(frame, number));
                counters.chain((0..frame.arguments).map(kept)).collect()
            }
        };
        saved.sort_unstable();
        saved.push(RA);
        saved
    }

    /// Where an argument stands, where routines preserve no registers, and counters behind them.
    fn place(&self, frame: &Frame, argument: usize) -> i32 {
        self.convention.home as i32 + 4 * (self.saved(frame).len() + argument) as i32
    }

    /// Bytes of the frame below the numbers.
    fn numbers(&self, frame: &Frame) -> usize {
        let own = if self.inner { frame.arguments + frame.counters } else { 0 };
        self.convention.home as usize + 4 * (self.saved(frame).len() + own)
    }
}

impl shared::Caller for Caller<'_> {
    type Instruction = Instruction;
    type Error = LowerError;
    const WORD_BYTES: usize = 4;
    const MOST_TURNS: u32 = 1 << 15;

    fn length(code: &[Instruction]) -> i64 {
        code.len() as i64
    }

    fn enter(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        let needed = if self.inner { 0 } else { frame.arguments + frame.counters.max(1) };
        if needed > KEPT.len() {
            return Err(LowerError::Registers { needed, available: KEPT.len() });
        }
        let (saved, size) = self.frame(frame);
        let size = i16::try_from(size).map_err(|_| LowerError::Displacement)?;
        let mut made = vec![code::addiu(SP, SP, -i32::from(size))];
        made.extend(saved.into_iter().map(|(register, place)| code::sw(register, SP, place)));
        let arguments = self.convention.arguments.into_iter().take(frame.arguments);
        made.extend(arguments.enumerate().map(|(index, from)| match self.inner {
            true => code::sw(from, SP, self.place(frame, index)),
            false => code::copy(kept(index), from),
        }));
        Ok(made)
    }

    fn leave(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        let (saved, size) = self.frame(frame);
        let mut made: Vec<Instruction> =
            saved.into_iter().map(|(register, place)| code::lw(register, SP, place)).collect();
        made.push(Instruction { rs: RA, ..Instruction::new(Op::Jr) });
        made.push(code::addiu(SP, SP, size as i32));
        Ok(made)
    }

    fn call(&self, frame: &Frame, pointers: &[At], way: Way) -> Result<Vec<Instruction>, LowerError> {
        let pointer = |(to, at): (Register, &At)| {
            let (index, by) = match *at {
                At::Argument(index) => (index, None),
                At::Inside(index, place) => (index, Some(place as i32)),
                At::Frame(place) => {
                    return vec![code::addiu(to, SP, (self.numbers(frame) + place) as i32)];
                }
            };
            match (self.inner, by) {
                (false, None) => vec![code::copy(to, kept(index))],
                (false, Some(by)) => vec![code::addiu(to, kept(index), by)],
                (true, by) => {
                    let own = code::lw(to, SP, self.place(frame, index));
                    [own].into_iter().chain(by.map(|by| code::addiu(to, to, by))).collect()
                }
            }
        };
        let mut made: Vec<Instruction> =
            self.convention.arguments.into_iter().zip(pointers).flat_map(pointer).collect();
        // the last pointer stands in the slot
        let slot = made.pop().unwrap_or(Instruction::NOP);
        let immediate = distance(way.from + made.len() as i64, way.to)?;
        made.push(Instruction { immediate, ..Instruction::new(Op::Bgezal) });
        made.push(slot);
        Ok(made)
    }

    fn count(&self, frame: &Frame, number: usize, turns: u32) -> Vec<Instruction> {
        let set = |to| code::addiu(to, 0, turns as i32 - 1);
        let free = self.convention.arguments[0];
        match self.inner {
            true => vec![set(free), code::sw(free, SP, self.place(frame, frame.arguments + number))],
            false => vec![set(counter(frame, number))],
        }
    }

    fn again(&self, frame: &Frame, number: usize, way: Way) -> Result<Vec<Instruction>, LowerError> {
        if self.inner {
            // what takes arguments is free between calls
            let [own, less, ..] = self.convention.arguments;
            let place = self.place(frame, frame.arguments + number);
            let branch = Instruction::rs_rt(Op::Bne, own, 0);
            let branch = Instruction { immediate: distance(way.from + 2, way.to)?, ..branch };
            let made = [code::lw(own, SP, place), code::addiu(less, own, -1), branch];
            return Ok(made.into_iter().chain([code::sw(less, SP, place)]).collect());
        }
        let own = counter(frame, number);
        let branch = Instruction::rs_rt(Op::Bne, own, 0);
        let branch = Instruction { immediate: distance(way.from, way.to)?, ..branch };
        Ok(vec![branch, code::addiu(own, own, -1)])
    }

    fn skip(&self, frame: &Frame, place: usize, way: Way) -> Result<Vec<Instruction>, LowerError> {
        // what takes an argument is free between calls
        let word = self.convention.arguments[0];
        let branch = Instruction::rs_rt(Op::Beq, word, 0);
        let branch = Instruction { immediate: distance(way.from + 1, way.to)?, ..branch };
        Ok(vec![code::lw(word, SP, (self.numbers(frame) + place) as i32), branch, Instruction::NOP])
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
/// More than registers hold, or offsets and branches reach.
pub fn program(
    program: &Program,
    routines: &[&[Instruction]],
    (convention, inner): (&Convention, bool),
) -> Result<Vec<Instruction>, LowerError> {
    shared::program(&Caller { convention, inner }, program, routines)
}
