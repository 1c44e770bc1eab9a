//! The stack frame of a level: the pointers, the sign, and the product of the differences.
//!
//! The stack pointer lies one below the frame (AVR Instruction Set Manual DS40002198, PUSH: post-decrement),
//! so that Y, which is a copy of it, reaches byte n of the frame at distance n + 1.

use super::{A, B, R};
use crate::assembler::{Assembler, Y};

/// Distances from Y: r, a and b, the mask that negates, and the product.
const POINTERS: usize = 1;
const SIGN: usize = 7;
pub(super) const MIDDLE: usize = 8;

/// Bytes of the frame of a level with such a low half.
fn bytes(low: usize) -> i32 {
    (MIDDLE - 1 + 2 * low) as i32
}

/// Makes the frame, and keeps the arguments in it. R0 is lost.
pub(super) fn open(asm: &mut Assembler, low: usize) {
    open_bytes(asm, bytes(low));
}

/// A frame of any content, which begins one above Y. R0 is lost.
pub(in super::super) fn reserve(asm: &mut Assembler, bytes: i32) {
    find(asm);
    asm.advance(Y, -bytes);
    asm.write_sp(Y);
}

/// A frame of any content, which begins one above Y, and the arguments at its beginning.
pub(super) fn open_bytes(asm: &mut Assembler, bytes: i32) {
    reserve(asm, bytes);
    for (index, register) in [R, A, B].into_iter().flat_map(|low| [low, low + 1]).enumerate() {
        asm.store_at(Y, POINTERS + index, register);
    }
}

/// Gives it back. Y and R0 are lost.
pub(in super::super) fn close_bytes(asm: &mut Assembler, bytes: i32) {
    find(asm);
    asm.advance(Y, bytes);
    asm.write_sp(Y);
}

/// Gives it back. Y and R0 are lost.
pub(super) fn close(asm: &mut Assembler, low: usize) {
    close_bytes(asm, bytes(low));
}

/// The stack pointer into Y.
pub(in super::super) fn find(asm: &mut Assembler) {
    asm.read_sp(Y);
}

/// The arguments back in their registers.
pub(super) fn arguments(asm: &mut Assembler) {
    for (index, register) in [R, A, B].into_iter().flat_map(|low| [low, low + 1]).enumerate() {
        asm.load_at(register, Y, POINTERS + index);
    }
}

/// The pointer to r into a pair.
pub(super) fn result(asm: &mut Assembler, pair: u8) {
    argument(asm, pair, 0);
}

/// The pointer that argument number `index` is into a pair.
pub(super) fn argument(asm: &mut Assembler, pair: u8, index: usize) {
    asm.load_at(pair, Y, POINTERS + 2 * index);
    asm.load_at(pair + 1, Y, POINTERS + 2 * index + 1);
}

/// Keeps the mask that negates.
pub(super) fn keep_sign(asm: &mut Assembler, register: u8) {
    asm.store_at(Y, SIGN, register);
}

/// The mask that negates.
pub(super) fn sign(asm: &mut Assembler, register: u8) {
    asm.load_at(register, Y, SIGN);
}
