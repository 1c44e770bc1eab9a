//! Karatsuba with a branch on the sign, both sides of which take the same time.

use crate::assembler::{Assembler, ByHand, Y, Z};
use crate::karatsuba::{Extension, Inner, Recombination, Shape, Sign, karatsuba, recombine};
use rhomb_avr::instructions::{Instruction, flag};

/// What the two sides of the branch do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sides {
    /// The whole chain with its loads and stores.
    Memory,
    /// The chain on registers only, where it has at most 10 words.
    Registers,
}

/// Karatsuba, see [`crate::karatsuba`]; `w M` is added to the result where the differences have different
/// signs, and subtracted otherwise.
pub fn branched(n: usize, levels: u32, sides: Sides, extension: Extension) -> Vec<Instruction> {
    let sign = Sign::Branched(sides);
    let recombination = Recombination::Refined;
    karatsuba(n, Shape { levels, sign, recombination, extension, inner: Inner::Inlined })
}

/// 2h words at Z plus or minus those at Y, by the sign mask; the carry counts as 1, the borrow as -1. Z moves
/// on.
pub(crate) fn add_or_subtract(asm: &mut Assembler, h: usize, sides: Sides) {
    match sides {
        Sides::Registers if h <= 5 => registers(asm, h),
        Sides::Memory | Sides::Registers => memory(asm, h),
    }
}

fn memory(asm: &mut Assembler, h: usize) {
    const WORD: u8 = 18;
    const OF_M: u8 = 19;
    let (add, subtract, join) = (asm.label(), asm.label(), asm.label());
    asm.lsr(recombine::SIGN);
    asm.branch(flag::C, true, add);
    // 1 + 2 cycles
    asm.rjmp(subtract);
    // 2 + 1 cycles
    asm.bind(add);
    asm.nop(1);
    for (side, chain) in
        [(add, Assembler::add_chain as fn(&mut _, _, _, _)), (subtract, Assembler::sub_chain)]
    {
        if side == subtract {
            asm.bind(subtract);
        }
        for j in 0..2 * h {
            asm.load_at(WORD, Z, 0);
            asm.load(OF_M, Y);
            chain(asm, j == 0, WORD, OF_M);
            asm.store(Z, WORD);
        }
        asm.park(recombine::CARRY_OF_M);
        if side == add {
            asm.neg(recombine::CARRY_OF_M);
            asm.rjmp(join);
        } else {
            asm.nop(3);
        }
    }
    asm.bind(join);
}

fn registers(asm: &mut Assembler, h: usize) {
    let (word, of_m) = (|j: usize| j as u8, |j: usize| 10 + j as u8);
    // the words of M lie on the sign
    const SIGN: u8 = 24;
    asm.mov(SIGN, recombine::SIGN);
    for j in 0..2 * h {
        asm.load_at(word(j), Z, j);
        asm.load(of_m(j), Y);
    }
    let (add, join) = (asm.label(), asm.label());
    asm.lsr(SIGN);
    asm.branch(flag::C, true, add);
    // 1 cycle so far, 2 more for the jump
    (0..2 * h).for_each(|j| asm.sub_chain(j == 0, word(j), of_m(j)));
    asm.park(recombine::CARRY_OF_M);
    asm.rjmp(join);
    // 2 cycles so far
    asm.bind(add);
    (0..2 * h).for_each(|j| asm.add_chain(j == 0, word(j), of_m(j)));
    asm.park(recombine::CARRY_OF_M);
    asm.neg(recombine::CARRY_OF_M);
    asm.bind(join);
    (0..2 * h).for_each(|j| asm.store(Z, word(j)));
}
