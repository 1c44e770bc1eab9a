//! Programs of calls on AVR: what they are made of. All else is shared.

use super::LowerError;
use super::split::stack;
use crate::assembler::{Assembler, Y};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op, flag};
use rhomb_field::program::Program;
use rhomb_lower::program::{self as shared, At, Frame, Way};
use std::ops::Range;

/// Words that RCALL reaches downwards, and a branch upwards, from the instruction behind.
const NEAR: i64 = 2047;
const BACK: i64 = -64;
/// The farthest byte of the frame that a load reaches.
const FAR: usize = 62;
/// Registers that keep arguments, in pairs from the last one down, and counters below these.
const KEPT: Range<u8> = 2..18;

struct Caller<'a> {
    core: &'a Core,
    convention: &'a Convention,
}

/// Low register of the pair that keeps an argument.
fn kept(argument: usize) -> u8 {
    KEPT.end - 2 - 2 * argument as u8
}

fn counter(frame: &Frame, number: usize) -> u8 {
    KEPT.end - (2 * frame.arguments + number + 1) as u8
}

/// What is saved: the registers that keep something, and Y, which points to the frame.
fn saved(frame: &Frame) -> Vec<u8> {
    let first = KEPT.end - (2 * frame.arguments + frame.counters) as u8;
    (first..KEPT.end).chain([Y, Y + 1]).collect()
}

fn plain(asm: Assembler) -> Vec<Instruction> {
    asm.enclosed(&[], &[])
}

/// A load or store of the frame, of which a displacement reaches the beginning.
fn near(place: usize, access: impl FnOnce(&mut Assembler, usize)) -> Result<Vec<Instruction>, LowerError> {
    if place > FAR {
        return Err(LowerError::Unmade { what: "a returned word so far from the frame's beginning" });
    }
    let mut asm = Assembler::default();
    access(&mut asm, place + 1);
    Ok(plain(asm))
}

impl shared::Caller for Caller<'_> {
    type Instruction = Instruction;
    type Error = LowerError;
    const WORD_BYTES: usize = 1;
    const MOST_TURNS: u32 = 255;

    fn length(code: &[Instruction]) -> i64 {
        code.iter().map(|one| one.op.row().words() as i64).sum()
    }

    fn moved(&self, routine: &[Instruction], to: i64) -> Vec<Instruction> {
        // these go to an address, and the routine was made for 0
        let moved = |one: &Instruction| match one.op {
            Op::Call | Op::Jmp => Instruction { k: one.k + to as i32, ..*one },
            _ => *one,
        };
        routine.iter().map(moved).collect()
    }

    fn enter(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        if 2 * frame.arguments + frame.counters > KEPT.len() || frame.bytes > self.core.sram.len() {
            return Err(LowerError::Unmade { what: "a program with so many numbers" });
        }
        let mut asm = Assembler::default();
        saved(frame).into_iter().for_each(|register| asm.push(register));
        let arguments = self.convention.pointers().take(frame.arguments);
        arguments.enumerate().for_each(|(index, from)| asm.movw(kept(index), from));
        stack::reserve(&mut asm, frame.bytes as i32);
        Ok(plain(asm))
    }

    fn leave(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        let mut asm = Assembler::default();
        stack::close_bytes(&mut asm, frame.bytes as i32);
        saved(frame).into_iter().rev().for_each(|register| asm.pop(register));
        asm.emit(Instruction::new(Op::Ret));
        Ok(plain(asm))
    }

    fn call(&self, _: &Frame, pointers: &[At], way: Way) -> Result<Vec<Instruction>, LowerError> {
        let mut asm = Assembler::default();
        for (to, at) in self.convention.pointers().zip(pointers) {
            match *at {
                At::Argument(index) => asm.movw(to, kept(index)),
                At::Inside(index, place) => {
                    asm.movw(to, kept(index));
                    asm.advance(to, place as i32);
                }
                At::Frame(place) => {
                    asm.movw(to, Y);
                    asm.advance(to, place as i32 + 1);
                }
            }
        }
        let mut code = plain(asm);
        let distance = way.to - way.from - Self::length(&code) - 1;
        code.push(match distance {
            ..=NEAR => Instruction { k: distance as i32, ..Instruction::new(Op::Rcall) },
            _ if self.core.has(Op::Call) => Instruction { k: way.to as i32, ..Instruction::new(Op::Call) },
            _ => return Err(LowerError::Unmade { what: "a routine out of the reach of RCALL" }),
        });
        Ok(code)
    }

    fn count(&self, frame: &Frame, number: usize, turns: u32) -> Vec<Instruction> {
        // what takes an argument is free between calls
        let free = self.convention.arguments[0];
        vec![
            Instruction::dk(Op::Ldi, free, turns as i32),
            Instruction::dr(Op::Mov, counter(frame, number), free),
        ]
    }

    fn again(&self, frame: &Frame, number: usize, way: Way) -> Result<Vec<Instruction>, LowerError> {
        let branch = |op, k: i64| Instruction { b: flag::Z as u8, k: k as i32, ..Instruction::new(op) };
        let down = Instruction::dk(Op::Dec, counter(frame, number), 0);
        let distance = way.to - way.from - 2;
        Ok(match distance {
            BACK.. => vec![down, branch(Op::Brbc, distance)],
            _ => vec![
                down,
                branch(Op::Brbs, 1),
                Instruction { k: distance as i32 - 1, ..Instruction::new(Op::Rjmp) },
            ],
        })
    }

    fn give(&self, _: &Frame, place: usize) -> Result<Vec<Instruction>, LowerError> {
        near(place, |asm, distance| asm.load_at(self.convention.returned, Y, distance))
    }

    fn take(&self, _: &Frame, place: usize) -> Result<Vec<Instruction>, LowerError> {
        near(place, |asm, distance| asm.store_at(Y, distance, self.convention.returned))
    }

    fn unsettled(&self) -> LowerError {
        LowerError::Loops
    }
}

/// The code of a program with its routines behind it, which keep the convention. What calls a routine that is far from it
/// does so by its address: the code begins at 0.
///
/// # Errors
/// More than registers, frames or calls hold, and conventions that keep Y for themselves.
pub fn program(
    program: &Program,
    routines: &[&[Instruction]],
    core: &Core,
    convention: &Convention,
) -> Result<Vec<Instruction>, LowerError> {
    let kept = KEPT.chain([Y, Y + 1]).fold(0u32, |set, register| set | 1 << register);
    if convention.untouched & 3 << Y != 0 || convention.saved & kept != kept {
        return Err(LowerError::Unmade {
            what: "programs, which need Y for their frame, by this convention",
        });
    }
    shared::program(&Caller { core, convention }, program, routines)
}
