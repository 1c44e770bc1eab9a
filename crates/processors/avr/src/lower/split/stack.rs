//! The stack frame of a level: the pointers, the sign, and the product of the differences.
//!
//! The stack pointer lies one below the frame (AVR Instruction Set Manual DS40002198, PUSH: post-decrement),
//! so that Y, which is a copy of it, reaches byte n of the frame at distance n + 1.

use super::{A, B, R};
use crate::assembler::{Assembler, Y};

/// Distance from Y of the first pointer.
const POINTERS: usize = 1;

/// The frame of a level: r and the operands, of a product the mask that negates, and the product of the differences.
#[derive(Clone, Copy)]
pub(super) struct Frame {
    /// Whether it is of a square, with one operand and no sign.
    pub(super) square: bool,
    /// Bytes of the low half.
    pub(super) low: usize,
}

impl Frame {
    /// The distance of the mask from Y.
    fn sign(self) -> usize {
        POINTERS + arguments(self.square).count()
    }

    /// The distance of the product.
    pub(super) fn middle(self) -> usize {
        self.sign() + usize::from(!self.square)
    }

    fn bytes(self) -> i32 {
        (self.middle() - 1 + 2 * self.low) as i32
    }

    /// Makes the frame, and keeps the arguments in it. R0 is lost.
    pub(super) fn open(self, asm: &mut Assembler) {
        open_bytes(asm, self.bytes(), self.square);
    }

    /// Gives it back. Y and R0 are lost.
    pub(super) fn close(self, asm: &mut Assembler) {
        close_bytes(asm, self.bytes());
    }

    /// The arguments back in their registers.
    pub(super) fn restore(self, asm: &mut Assembler) {
        for (index, register) in arguments(self.square) {
            asm.load_at(register, Y, index);
        }
    }

    /// Keeps the mask that negates.
    pub(super) fn keep_sign(self, asm: &mut Assembler, register: u8) {
        asm.store_at(Y, self.sign(), register);
    }

    /// The mask that negates.
    pub(super) fn get_sign(self, asm: &mut Assembler, register: u8) {
        asm.load_at(register, Y, self.sign());
    }
}

/// A frame of any content, which begins one above Y. R0 is lost.
pub(in super::super) fn reserve(asm: &mut Assembler, bytes: i32) {
    find(asm);
    asm.advance(Y, -bytes);
    asm.write_sp(Y);
}

/// A frame of any content, which begins one above Y, and at its beginning the arguments of a product or square.
pub(super) fn open_bytes(asm: &mut Assembler, bytes: i32, square: bool) {
    reserve(asm, bytes);
    for (index, register) in arguments(square) {
        asm.store_at(Y, index, register);
    }
}

fn arguments(square: bool) -> impl Iterator<Item = (usize, u8)> {
    (POINTERS..).zip([R, R + 1, A, A + 1, B, B + 1]).take(if square { 4 } else { 6 })
}

/// Gives it back. Y and R0 are lost.
pub(in super::super) fn close_bytes(asm: &mut Assembler, bytes: i32) {
    find(asm);
    asm.advance(Y, bytes);
    asm.write_sp(Y);
}

/// The stack pointer into Y.
pub(in super::super) fn find(asm: &mut Assembler) {
    asm.read_sp(Y);
}

/// The pointer that argument number `index` is into a pair.
pub(super) fn argument(asm: &mut Assembler, pair: u8, index: usize) {
    asm.load_at(pair, Y, POINTERS + 2 * index);
    asm.load_at(pair + 1, Y, POINTERS + 2 * index + 1);
}
