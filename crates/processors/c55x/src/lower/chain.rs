//! Addition and subtraction, the carry or borrow returned in T0; three cycles for two words: see [`super::doubles`].

use super::code::{Code, copy};
use super::doubles::{self, Differences, OFFSET, minus, plus, point_double};
use super::linear::clear;
use super::location::Location;
use crate::instructions::{Instruction, Reg, RegOp, Ta};

/// `r = a + b` or `a - b` for `words` words: XAR0, XAR1, XAR2. The result may lie in the place of an operand. `None` for
/// no words.
pub fn chain(words: usize, subtract: bool) -> Option<Code> {
    if words == 0 {
        return None;
    }
    let mut code = Code::new();
    for ar in [0, 1, 2] {
        point_double(&mut code, Location::of(ar), ar);
    }
    match subtract {
        false => sum(&mut code, words),
        true => difference(&mut code, words),
    }
    code.push(Instruction::Return);
    Some(code)
}

fn sum(code: &mut Code, words: usize) {
    code.push(clear(0));
    doubles::sum(code, words, &[1, 2], 0);
    code.push(copy(Reg::Ac(0), Reg::Ta(Ta::T(0))));
}

fn difference(code: &mut Code, words: usize) {
    let mut chain = Differences::new(code, 0);
    chain.section(code, words, &[plus(1), minus(2)], None);
    let rest = Reg::Ac(chain.finish(code));
    let borrow = Reg::Ac(2);
    // its lowest word counts
    let offset = if words.is_multiple_of(2) { OFFSET } else { 0 };
    code.push(Instruction::MovK4 { value: offset, dst: borrow });
    code.push(Instruction::Registers { op: RegOp::Sub, src: rest, dst: borrow });
    code.push(copy(borrow, Reg::Ta(Ta::T(0))));
}
