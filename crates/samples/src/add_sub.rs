//! Addition and subtraction of n bytes: `uint8_t f(r, a, b)`, the carry or borrow returned. `r` may lie
//! in the place of `a` or `b`: each byte is stored after it was read.

use crate::assembler::{A, Assembler, B, ByHand, R, X, Y, Z};
use rhomb_avr::instructions::{Instruction, Op, flag};

/// How the bytes follow each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// One after the other.
    Unrolled,
    /// A loop; DEC and the loads leave the carry alone. Up to 256 bytes.
    Looped,
    /// A loop counted in 16 bits: SBIW takes the carry, which waits in a mask meanwhile.
    Parked,
}

const BYTE: u8 = 18;
const OTHER: u8 = 19;

/// `sum_k r_k 2^8k + 2^8n c = a + b`, `c` returned.
pub fn add(n: usize, form: Form) -> Vec<Instruction> {
    let mut asm = Assembler::default();
    chain(&mut asm, n, form, Assembler::adc);
    asm.clr(R);
    asm.rol(R);
    asm.by_gcc()
}

/// `sum_k r_k 2^8k - 2^8n c = a - b`, `c` returned.
pub fn sub(n: usize, form: Form) -> Vec<Instruction> {
    let mut asm = Assembler::default();
    chain(&mut asm, n, form, Assembler::sbc);
    asm.park(R);
    asm.neg(R);
    asm.by_gcc()
}

/// All bytes from the lowest; the last carry is in C.
fn chain(asm: &mut Assembler, n: usize, form: Form, operation: fn(&mut Assembler, u8, u8)) {
    const COUNTER: u8 = 24;
    const MASK: u8 = 20;
    asm.movw(Z, R);
    asm.movw(X, A);
    asm.movw(Y, B);
    let byte = |asm: &mut Assembler| {
        asm.load(BYTE, X);
        asm.load(OTHER, Y);
        operation(asm, BYTE, OTHER);
        asm.store(Z, BYTE);
    };
    match form {
        Form::Unrolled => {
            asm.clc();
            (0..n).for_each(|_| byte(asm));
        }
        Form::Looped => {
            assert!(n <= 256);
            asm.with(Op::Ldi, COUNTER, n % 256);
            asm.clc();
            let top = asm.here();
            byte(asm);
            asm.count_down(COUNTER, top);
        }
        Form::Parked => {
            asm.with(Op::Ldi, COUNTER, n % 256);
            asm.with(Op::Ldi, COUNTER + 1, n / 256);
            asm.clr(MASK);
            let top = asm.here();
            asm.restore(MASK);
            byte(asm);
            asm.park(MASK);
            asm.with(Op::Sbiw, COUNTER, 1);
            asm.back_where(flag::Z, false, top);
            asm.restore(MASK);
        }
    }
}
