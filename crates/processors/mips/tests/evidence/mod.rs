//! Encodings, text and meaning against other people's tools.
#![cfg(feature = "oracles")]

mod gnu;
mod link;
mod texts;
mod unicorn;

use rhomb_mips::Model;
use rhomb_mips::cores::core;
use rhomb_mips::instructions::{Instruction, Op, Operand, Row};
use rhomb_oracles::Random;

fn model(name: &str) -> Model {
    Model::of(core(name).unwrap())
}

/// An instruction of a row with random operands that are legal.
fn instruction(row: &Row, custom: u8, random: &mut Random) -> Instruction {
    let mut one = Instruction { custom, ..Instruction::new(row.op) };
    for operand in row.operands.iter() {
        let register = random.below(32) as u8;
        match operand {
            Operand::Rs => one.rs = register,
            Operand::Rt => one.rt = register,
            Operand::Rd => one.rd = register,
            Operand::Sa => one.sa = register,
            Operand::Signed | Operand::Branch => one.immediate = random.bits() as i16 as i32,
            Operand::Memory => {
                one.rs = register;
                one.immediate = random.bits() as i16 as i32;
            }
            Operand::Unsigned => one.immediate = random.bits() as u16 as i32,
            Operand::Code if matches!(row.op, Op::Syscall | Op::Sdbbp) => {
                one.immediate = random.below(1 << 20) as i32;
            }
            Operand::Code => one.immediate = random.below(1 << 10) as i32,
            Operand::Halves => one.immediate = random.below(1 << 20) as i32,
            Operand::Jump => one.immediate = random.below(1 << 26) as i32,
            Operand::Zero => {}
        }
    }
    if row.op == Op::Jalr && one.rs == one.rd {
        one.rd = (one.rd + 1) % 32;
    }
    // unpredictable; the assembler refuses it
    if matches!(row.op, Op::Bltzal | Op::Bgezal | Op::Bltzall | Op::Bgezall) {
        one.rs %= 31;
    }
    one
}
