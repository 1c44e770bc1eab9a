//! Programs of calls on ARM: what they are made of. All else is shared.

use super::place::counted;
use super::{LowerError, code};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Action, Condition, DataOp, Instruction, Register, SP, Shifter};
use rhomb_field::program::Program;
use rhomb_lower::program::{self as shared, At, Frame, Way};
use std::ops::Range;

/// Registers that keep arguments, and counters behind these.
const KEPT: Range<Register> = 4..12;
/// How many of these short codes push and count in.
const SHORT_KEPT: usize = 4;
/// Bytes that a condition's short branch surely reaches.
const SHORT_REACH: i64 = 240;
/// Bytes that a short branch without a condition surely reaches.
const SHORT_FAR: i64 = 2000;
/// The most that a short code adds to the stack pointer, in bytes, and that it adds to it elsewhere.
const SHORT_FRAME: usize = 508;
const SHORT_PLACE: usize = 1020;
/// The most that ADDW adds (DDI 0403E, A7.7.3).
const WIDE_PLACE: u32 = 4095;
/// Bytes that a branch reaches, from itself, in either direction.
const REACH: i64 = 1 << 25;

struct Caller<'a> {
    convention: &'a Convention,
    /// Whether all must be said in short codes, whose sums set flags.
    short: bool,
    /// Whether there is ADDW.
    wide: bool,
    /// Whether routines preserve no registers: arguments and counters stand below the numbers, and all that the convention preserves is
    /// saved at the beginning.
    inner: bool,
}

/// What saves and restores the upper registers of a program in short codes, between pushes and pops of the lower ones.
fn copies(back: bool) -> impl Iterator<Item = Instruction> {
    KEPT.take(SHORT_KEPT).map(move |low| {
        let high = low + SHORT_KEPT as Register;
        let (to, from) = if back { (high, low) } else { (low, high) };
        code::mov(to, Shifter::plain(from))
    })
}

/// The first registers of those that are kept.
fn first(count: usize) -> u16 {
    ((1 << count) - 1) << KEPT.start
}

impl Caller<'_> {
    /// Short codes count in low registers, and copy pointers from others.
    fn kept(&self, frame: &Frame, argument: usize) -> Register {
        let before = if self.short { frame.counters } else { 0 };
        KEPT.start + (before + argument) as Register
    }

    fn counter(&self, frame: &Frame, number: usize) -> Register {
        let before = if self.short { 0 } else { frame.arguments };
        KEPT.start + (before + number) as Register
    }

    /// How many registers are pushed, LR left out, how many are copied to such to be pushed behind them, and the bytes of the
    /// frame below.
    fn frame_of(&self, frame: &Frame) -> (usize, usize, i32) {
        let count = if self.inner { KEPT.len() } else { frame.arguments + frame.counters };
        let pushed = 4 * (count + 1);
        let bytes = frame.bytes + self.place(frame, 0);
        let all = (bytes + pushed).next_multiple_of(self.convention.stack_alignment as usize);
        let own = if self.short { count.min(SHORT_KEPT) } else { count };
        (own, count - own, (all - pushed) as i32)
    }

    /// Bytes from the stack pointer to a place among the numbers.
    fn place(&self, frame: &Frame, place: usize) -> usize {
        place + if self.inner { 4 * (frame.arguments + frame.counters) } else { 0 }
    }

    /// The same to a counter, where routines preserve no registers.
    fn counter_place(frame: &Frame, number: usize) -> i32 {
        4 * (frame.arguments + number) as i32
    }

    /// A register between calls.
    fn free(&self) -> Register {
        self.convention.arguments[0]
    }

    /// A number of bytes that one instruction adds to a pointer.
    fn added(&self, by: u32) -> Option<Shifter> {
        if self.wide && by <= WIDE_PLACE { Some(Shifter::constant(by)) } else { Shifter::number(by) }
    }

    /// Adds a number of bytes to a pointer.
    fn advance(&self, made: &mut Vec<Instruction>, pointer: Register, by: i32) {
        if !self.short {
            return code::advance(made, pointer, by);
        }
        let op = if by < 0 { DataOp::Sub } else { DataOp::Add };
        let (step, set) = if pointer == SP { (SHORT_FRAME, false) } else { (u8::MAX.into(), true) };
        let bytes = by.unsigned_abs();
        for from in (0..bytes).step_by(step) {
            let part = (bytes - from).min(step as u32);
            made.push(code::data(op, set, pointer, pointer, Shifter::constant(part)));
        }
    }
}

fn branch(condition: Condition, link: bool, distance: i64) -> Result<Instruction, LowerError> {
    let distance = i32::try_from(distance).ok().filter(|own| i64::from(*own).abs() < REACH - 8);
    let distance = distance.ok_or(LowerError::Loops)?;
    Ok(Instruction { condition, action: Action::Branch { link, distance } })
}

impl shared::Caller for Caller<'_> {
    type Instruction = Instruction;
    type Error = LowerError;
    const WORD_BYTES: usize = 4;
    const MOST_TURNS: u32 = 255;

    fn length(code: &[Instruction]) -> i64 {
        4 * code.len() as i64
    }

    fn enter(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        let needed = if self.inner { 0 } else { frame.arguments + frame.counters };
        let available = if self.short && frame.counters > SHORT_KEPT { SHORT_KEPT } else { KEPT.len() };
        if needed > available {
            return Err(LowerError::Registers { needed, available });
        }
        let (pushed, copied, bytes) = self.frame_of(frame);
        let mut made = vec![code::push(first(pushed) | code::LR_BIT)];
        if copied > 0 {
            made.extend(copies(false).take(copied));
            made.push(code::push(first(copied)));
        }
        self.advance(&mut made, SP, -bytes);
        let arguments = self.convention.arguments.into_iter().take(frame.arguments);
        made.extend(arguments.enumerate().map(|(index, from)| match self.inner {
            true => code::str(from, SP, 4 * index as i32),
            false => code::mov(self.kept(frame, index), Shifter::plain(from)),
        }));
        Ok(made)
    }

    fn leave(&self, frame: &Frame) -> Result<Vec<Instruction>, LowerError> {
        let (pushed, copied, bytes) = self.frame_of(frame);
        let mut made = Vec::new();
        self.advance(&mut made, SP, bytes);
        if copied > 0 {
            made.push(code::pop(first(copied)));
            made.extend(copies(true).take(copied));
        }
        made.push(code::pop(first(pushed) | code::PC_BIT));
        Ok(made)
    }

    fn call(&self, frame: &Frame, pointers: &[At], way: Way) -> Result<Vec<Instruction>, LowerError> {
        let mut made = Vec::new();
        for (to, at) in self.convention.arguments.into_iter().zip(pointers) {
            let (index, by) = match *at {
                At::Argument(index) => (Some(index), 0),
                At::Inside(index, by) => (Some(index), by),
                At::Frame(place) => (None, self.place(frame, place)),
            };
            if let Some(index) = index.filter(|_| self.inner) {
                made.push(code::ldr(to, SP, 4 * index as i32));
                self.advance(&mut made, to, by as i32);
                continue;
            }
            let from = index.map_or(SP, |index| self.kept(frame, index));
            // a short code adds to the stack pointer alone
            let is_one = if self.short { from == SP && by <= SHORT_PLACE } else { by > 0 || from == SP };
            match self.added(by as u32).filter(|_| is_one) {
                Some(number) => made.push(code::data(DataOp::Add, false, to, from, number)),
                None if !self.short && by > 0 => {
                    let mut from = from;
                    for part in code::parts(by as u32) {
                        made.push(code::data(DataOp::Add, false, to, from, part));
                        from = to;
                    }
                }
                None => {
                    made.push(code::mov(to, Shifter::plain(from)));
                    self.advance(&mut made, to, by as i32);
                }
            }
        }
        made.push(branch(Condition::Al, true, way.to - way.from - Self::length(&made))?);
        Ok(made)
    }

    fn count(&self, frame: &Frame, number: usize, turns: u32) -> Vec<Instruction> {
        let turns = Shifter::number(turns).unwrap_or(code::ZERO);
        let set = |to| code::data(DataOp::Mov, self.short, to, 0, turns);
        match self.inner {
            true => {
                vec![set(self.free()), code::str(self.free(), SP, Self::counter_place(frame, number))]
            }
            false => vec![set(self.counter(frame, number))],
        }
    }

    fn again(&self, frame: &Frame, number: usize, way: Way) -> Result<Vec<Instruction>, LowerError> {
        let one = Shifter::Immediate { value: 1, rotation: 0 };
        let mut made = Vec::new();
        match self.inner {
            true => {
                let (own, place) = (self.free(), Self::counter_place(frame, number));
                let down = code::sub(false, true, own, own, one);
                made.extend([code::ldr(own, SP, place), down, code::str(own, SP, place)]);
            }
            false => {
                let own = self.counter(frame, number);
                made.push(code::sub(false, true, own, own, one));
            }
        }
        let distance = way.to - way.from - Self::length(&made);
        if self.short && distance < -SHORT_REACH {
            made.push(branch(Condition::Eq, false, 8)?);
            // a call reaches farther, and between calls nobody reads LR
            made.push(branch(Condition::Al, distance < -SHORT_FAR, distance - 4)?);
        } else {
            made.push(branch(Condition::Ne, false, distance)?);
        }
        Ok(made)
    }

    fn give(&self, frame: &Frame, place: usize) -> Result<Vec<Instruction>, LowerError> {
        Ok(vec![code::ldr(self.convention.returned, SP, self.place(frame, place) as i32)])
    }

    fn take(&self, frame: &Frame, place: usize) -> Result<Vec<Instruction>, LowerError> {
        Ok(vec![code::str(self.convention.returned, SP, self.place(frame, place) as i32)])
    }

    fn unsettled(&self) -> LowerError {
        LowerError::Loops
    }
}

/// The code of a program with its routines behind it, which keep the convention, or its inner one.
///
/// # Errors
/// More than registers hold or branches reach.
pub fn program(
    program: &Program,
    routines: &[&[Instruction]],
    core: &Core,
    (convention, inner): (&Convention, bool),
) -> Result<Vec<Instruction>, LowerError> {
    let counted: Vec<_> = routines.iter().map(|own| counted(core, own)).collect::<Result<_, _>>()?;
    let routines: Vec<&[Instruction]> = counted.iter().map(Vec::as_slice).collect();
    let short = core.is_small();
    let wide = core.thumb.is_some() && !short;
    shared::program(&Caller { convention, short, wide, inner }, program, &routines)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conventions::AAPCS;
    use rhomb_lower::program::Caller as _;

    /// Places in the frame above those that data processing has a number for take one instruction where there is ADDW, as far as it reaches.
    #[test]
    fn far_places() {
        let frame = Frame { bytes: 8000, arguments: 3, counters: 1 };
        let length = |wide: bool, place: usize| {
            let caller = Caller { convention: &AAPCS, short: false, wide, inner: true };
            let way = Way { from: 0, to: 100 };
            caller.call(&frame, &[At::Frame(place - caller.place(&frame, 0))], way).unwrap().len()
        };
        let lengths = |place| [true, false].map(|wide| length(wide, place));
        assert_eq!(lengths(0x400), [2, 2]);
        assert_eq!(lengths(0x65c), [2, 3]);
        assert_eq!(lengths(0xffc), [2, 3]);
        assert_eq!(lengths(0x165c), [3, 3]);
    }
}
