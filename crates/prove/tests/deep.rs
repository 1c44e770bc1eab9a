//! Long programs do not exhaust the prover's own stack.

use rhomb_avr::instructions::{Instruction, Op, flag};
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core};
use rhomb_prove::prove;
use std::sync::Arc;

/// Each SBC narrows Z, so that Z depends on all of them.
#[test]
fn a_million_borrows_in_a_row_end_at_the_step_limit() {
    let code = [
        Instruction::dr(Op::Movw, 26, 22),
        Instruction::dk(Op::LdX, 18, 0),
        Instruction::dk(Op::Lsr, 18, 0),
        Instruction::dr(Op::Sbc, 18, 18),
        Instruction { k: -2, ..Instruction::new(Op::Rjmp) },
    ];
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, &code).unwrap());
    let function =
        Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 16, step_limit: 2_000_000 };
    assert!(prove(&function, &"mul 8".parse().unwrap()).is_err());
}

/// A loop of as many turns as a secret says: each side of its branch has the same branch again.
#[test]
fn a_loop_with_a_secret_count_ends() {
    let code = [
        Instruction::dr(Op::Movw, 26, 22),
        Instruction::dk(Op::LdX, 18, 0),
        Instruction::dk(Op::Dec, 18, 0),
        Instruction { b: flag::Z as u8, k: -2, ..Instruction::new(Op::Brbc) },
        Instruction::new(Op::Ret),
    ];
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, &code).unwrap());
    let function =
        Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 16, step_limit: 2_000_000 };
    assert!(prove(&function, &"mul 8".parse().unwrap()).is_err());
}
