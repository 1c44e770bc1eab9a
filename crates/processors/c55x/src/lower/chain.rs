//! Addition and subtraction, the carry or borrow returned in T0.
//!
//! Sums are made two words at once by dual multiplications by 1, two cycles a word. Differences go word by word through
//! the borrow, three cycles a word.

use super::code::{Code, at, copy, shifted, store};
use super::linear::{clear, linear, plus, steps};
use crate::instructions::{Instruction, Mode, Reg, ShiftOp, Smem, Ta};

/// `r = a + b` or `a - b` for `words` words: XAR0, XAR1, XAR2. The result may lie in the place of an operand. `None` for
/// no words.
pub fn chain(words: usize, subtract: bool) -> Option<Code> {
    match (words, subtract) {
        (0, _) => None,
        (_, false) => Some(sum(words)),
        (_, true) => Some(difference(words)),
    }
}

fn sum(words: usize) -> Code {
    let mut code = Code::new();
    code.push(Instruction::AddSp { value: -1 });
    code.push(Instruction::StoreConstant { value: 1, smem: Smem::Sp(0) });
    code.push(Instruction::AmarTo { smem: Smem::Sp(0), dst: 8 });
    steps(&mut code);
    code.push(clear(0));
    let carrier = linear(&mut code, words, &[plus(1), plus(2)], 0, 0, false);
    code.push(Instruction::AddSp { value: 1 });
    code.push(copy(Reg::Ac(carrier), Reg::Ta(Ta::T(0))));
    code.push(Instruction::Return);
    code
}

fn difference(words: usize) -> Code {
    let mut code = Code::new();
    let word = |code: &mut Code, borrow: bool| {
        code.push(Instruction::LoadAc { smem: at(1, Mode::Up), unsigned: true, dst: 0 });
        code.push(Instruction::AddMemory {
            subtract: true,
            carry: borrow,
            smem: at(2, Mode::Up),
            unsigned: true,
            src: 0,
            dst: 0,
        });
        code.push(store(0, 0));
    };
    word(&mut code, false);
    match words - 1 {
        0 => {}
        1 => word(&mut code, true),
        more => code.block(more, |code| word(code, true)),
    }
    // bit 39 is set where something was borrowed
    code.push(shifted(ShiftOp::Sftl, 0, -32, 0));
    code.push(shifted(ShiftOp::Sftl, 0, -7, 0));
    code.push(copy(Reg::Ac(0), Reg::Ta(Ta::T(0))));
    code.push(Instruction::Return);
    code
}
