//! A level of any split: its plan step by step, each a loop over bytes in memory.

use super::super::LowerError;
use super::super::count::Count;
use super::{A, B, R, stack};
use crate::assembler::{Assembler, Label, X, Y, Z};
use crate::instructions::{Instruction, Op};
use rhomb_kernel::split::Node;
use rhomb_kernel::split::plan::{Array, Plan, Step, Subtract, Words};

const ZERO: u8 = 2;
/// A byte of a string, and one of another.
const BYTE: u8 = 3;
const OTHER: u8 = 4;
/// A mask, and the sign of an addition beyond its summand.
const MASK: u8 = 5;
/// A pair for what Y will point to.
const THIRD: u8 = 18;
/// Turns.
const COUNT: u8 = 16;
const COUNT_OF_COUNT: u8 = 17;

/// Bytes of the frame before the plan's: the pointers and the flags.
const POINTERS: usize = 6;

/// Follows the plan of a product or square; `call` is where a multiplication is.
pub(super) fn level(
    asm: &mut Assembler,
    (plan, square): (&Plan, bool),
    mut call: impl FnMut(&mut Assembler, &Node) -> Label,
) -> Result<(), LowerError> {
    let bytes = POINTERS + plan.flags + plan.frame;
    if bytes > i16::MAX as usize {
        return Err(LowerError::Count { what: "bytes of a stack frame", count: bytes });
    }
    stack::open_bytes(asm, bytes as i32, square);
    let mut level = Level { asm, flags: plan.flags };
    for step in &plan.steps {
        match step {
            Step::Multiply { to, x, y, node } => {
                level.point(R, *to);
                level.point(A, *x);
                if !square {
                    level.point(B, *y);
                }
                let label = call(level.asm, node);
                level.asm.rcall(label);
                stack::find(level.asm);
            }
            step => level.step(step),
        }
    }
    stack::close_bytes(asm, bytes as i32);
    Ok(())
}

struct Level<'a> {
    asm: &'a mut Assembler,
    flags: usize,
}

impl Level<'_> {
    /// The address of a string into a pair; Y is the frame's.
    fn point(&mut self, pair: u8, words: Words) {
        let at = words.at as i32;
        match words.array {
            Array::Result => stack::argument(self.asm, pair, 0),
            Array::A => stack::argument(self.asm, pair, 1),
            Array::B => stack::argument(self.asm, pair, 2),
            Array::Frame => {
                self.asm.movw(pair, Y);
                return self.asm.advance(pair, at + (1 + POINTERS + self.flags) as i32);
            }
        }
        self.asm.advance(pair, at);
    }

    fn flag(&mut self, register: u8, flag: usize) {
        self.asm.load_at(register, Y, 1 + POINTERS + flag);
    }

    fn keep_flag(&mut self, flag: usize, register: u8) {
        self.asm.store_at(Y, 1 + POINTERS + flag, register);
    }

    /// `write` so many times, in a loop that keeps the carry.
    fn repeat(&mut self, times: usize, mut write: impl FnMut(&mut Assembler)) {
        match times {
            0 => {}
            1 => write(self.asm),
            _ => {
                let count = Count::of(COUNT, (times > 256).then_some(COUNT_OF_COUNT));
                count.set(self.asm, times);
                let top = self.asm.here();
                write(self.asm);
                count.back(self.asm, top);
            }
        }
    }

    /// `to = x + y` or `x - y`, zeros above the shorter one; the carry waits in the flag. Y is lost.
    fn combine(&mut self, to: Words, x: Words, y: Words, subtract: bool) {
        self.point(X, x);
        self.point(Z, to);
        // not in Y itself, through which the pointers are found
        self.point(THIRD, y);
        self.asm.movw(Y, THIRD);
        let chain = move |asm: &mut Assembler, from| match subtract {
            true => asm.sbc(BYTE, from),
            false => asm.adc(BYTE, from),
        };
        let both = x.length.min(y.length);
        self.asm.clr(ZERO);
        self.asm.clc();
        self.repeat(both, |asm| {
            asm.load(BYTE, X);
            asm.load(OTHER, Y);
            chain(asm, OTHER);
            asm.store(Z, BYTE);
        });
        self.repeat(x.length - both, |asm| {
            asm.load(BYTE, X);
            chain(asm, ZERO);
            asm.store(Z, BYTE);
        });
        self.repeat(y.length - both, |asm| {
            asm.mov(BYTE, ZERO);
            asm.load(OTHER, Y);
            chain(asm, OTHER);
            asm.store(Z, BYTE);
        });
    }

    /// `to = to + from`, with `change` done to each byte of `from`; above, `above` is added. The carry is set.
    fn add(&mut self, to: Words, from: Words, above: u8, change: impl Fn(&mut Assembler)) {
        self.repeat(from.length, |asm| {
            asm.load(OTHER, X);
            change(asm);
            asm.load_at(BYTE, Z, 0);
            asm.adc(BYTE, OTHER);
            asm.store(Z, BYTE);
        });
        self.repeat(to.length - from.length, |asm| {
            asm.load_at(BYTE, Z, 0);
            asm.adc(BYTE, above);
            asm.store(Z, BYTE);
        });
    }

    fn step(&mut self, step: &Step) {
        match *step {
            // the calls are made by the level
            Step::Multiply { .. } => {}
            Step::Difference { to, x, y, sign, turn } => {
                self.combine(to, x, y, true);
                self.asm.park(MASK);
                self.asm.advance(Z, -(to.length as i32));
                self.asm.clc();
                self.repeat(to.length, |asm| {
                    asm.load_at(BYTE, Z, 0);
                    asm.eor(BYTE, MASK);
                    asm.sbc(BYTE, MASK);
                    asm.store(Z, BYTE);
                });
                stack::find(self.asm);
                if turn {
                    self.flag(OTHER, sign);
                    self.asm.eor(MASK, OTHER);
                }
                self.keep_flag(sign, MASK);
            }
            Step::Sum { to, x, y, carry } => {
                self.combine(to, x, y, false);
                self.asm.park(MASK);
                stack::find(self.asm);
                self.keep_flag(carry, MASK);
            }
            Step::Copy { to, from } => {
                self.point(X, from);
                self.point(Z, to);
                self.repeat(to.length, |asm| {
                    asm.load(BYTE, X);
                    asm.store(Z, BYTE);
                });
            }
            Step::Add { to, from, subtract } => {
                self.point(X, from);
                self.point(Z, to);
                // negated by a mask and a carry: (from ^ m) + 1 - w^n
                match subtract {
                    Subtract::Never => self.asm.clr(MASK),
                    Subtract::Always => {
                        self.asm.clr(MASK);
                        self.asm.dec(MASK);
                    }
                    Subtract::Unless(flag) => {
                        self.flag(MASK, flag);
                        self.asm.com(MASK);
                    }
                }
                self.asm.mov(OTHER, MASK);
                self.asm.restore(OTHER);
                self.add(to, from, MASK, |asm| asm.eor(OTHER, MASK));
            }
            Step::AddWhere { to, from, flag } => {
                self.point(X, from);
                self.point(Z, to);
                self.flag(MASK, flag);
                self.asm.clr(ZERO);
                self.asm.clc();
                self.add(to, from, ZERO, |asm| and(asm, OTHER, MASK));
            }
            Step::AddOne { to, flags } => {
                self.point(Z, to);
                self.flag(MASK, flags[0]);
                self.flag(OTHER, flags[1]);
                self.asm.clr(ZERO);
                and(self.asm, MASK, OTHER);
                self.asm.restore(MASK);
                self.add(to, Words { length: 0, ..to }, ZERO, |_| {});
            }
        }
    }
}

fn and(asm: &mut Assembler, d: u8, r: u8) {
    asm.emit(Instruction::dr(Op::And, d, r));
}
