//! Addition and subtraction, the carry or borrow returned in T0.

use super::code::{Code, copy};
use super::linear::{clear, linear, minus, plus, steps};
use crate::instructions::{Instruction, Reg, RegOp, Smem, StatusBit, Ta};

/// `r = a + b` or `a - b` for `words` words: XAR0, XAR1, XAR2. The result may lie in the place of an operand.
pub fn chain(words: usize, subtract: bool) -> Option<Code> {
    if words == 0 {
        return None;
    }
    let mut code = Code::new();
    code.push(Instruction::AddSp { value: -1 });
    code.push(Instruction::StoreConstant { value: 1, smem: Smem::Sp(0) });
    code.push(Instruction::AmarTo { smem: Smem::Sp(0), dst: 8 });
    steps(&mut code);
    code.push(clear(0));
    if subtract {
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: true });
    }
    let other = if subtract { minus(2) } else { plus(2) };
    let carrier = linear(&mut code, words, &[plus(1), other], 0, 0, subtract);
    if subtract {
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: false });
    }
    code.push(Instruction::AddSp { value: 1 });
    code.push(copy(Reg::Ac(carrier), Reg::Ta(Ta::T(0))));
    if subtract {
        code.push(Instruction::Registers { op: RegOp::Neg, src: Reg::Ta(Ta::T(0)), dst: Reg::Ta(Ta::T(0)) });
    }
    code.push(Instruction::Return);
    Some(code)
}
