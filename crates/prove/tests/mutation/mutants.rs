//! Changes of single instructions.

use rhomb_avr::instructions::{Instruction, Op, Operand, ROWS};
use rhomb_machine::Random;

/// Operations that take each other's place in mistakes.
const LIKE: &[&[Op]] = &[
    &[Op::Add, Op::Adc, Op::Sub, Op::Sbc, Op::Mov, Op::Eor, Op::And, Op::Or, Op::Cp, Op::Cpc],
    &[Op::Mul, Op::Add, Op::Adc],
    &[Op::Lsr, Op::Ror, Op::Asr, Op::Swap, Op::Com, Op::Neg, Op::Inc, Op::Dec],
    &[Op::Ldi, Op::Subi, Op::Sbci, Op::Cpi, Op::Andi, Op::Ori],
    &[Op::Adiw, Op::Sbiw],
    &[Op::Brbs, Op::Brbc],
    &[Op::Bset, Op::Bclr],
    &[Op::Sbrc, Op::Sbrs],
    &[Op::Bst, Op::Bld],
    &[Op::Push, Op::Pop],
    &[Op::LdX, Op::LdXInc, Op::LdXDec, Op::LddY, Op::LdYInc, Op::LdYDec, Op::LddZ, Op::LdZInc, Op::LdZDec],
    &[Op::StX, Op::StXInc, Op::StXDec, Op::StdY, Op::StYInc, Op::StYDec, Op::StdZ, Op::StZInc, Op::StZDec],
    &[Op::In, Op::Out],
];

fn is_d(operand: &Operand) -> bool {
    matches!(operand, Operand::D | Operand::DHigh | Operand::DMid | Operand::DPair | Operand::DWord)
}

fn is_r(operand: &Operand) -> bool {
    matches!(operand, Operand::R | Operand::RHigh | Operand::RMid | Operand::RPair)
}

/// A register that the code uses, in the operand's range.
fn register(code: &[Instruction], operand: Operand, random: &mut Random) -> u8 {
    let (low, high, step) = operand.range();
    let used = code.iter().fold(0, |set, one| set | one.registers_read() | one.registers_written());
    let fitting: Vec<u8> = (low..=high)
        .step_by(step as usize)
        .map(|number| number as u8)
        .filter(|number| used >> number & 1 == 1)
        .collect();
    if fitting.is_empty() || random.index(8) == 0 {
        return (low + step * random.index(((high - low) / step + 1) as usize) as i32) as u8;
    }
    *random.pick(&fitting)
}

/// A change of the instruction at a random place; the place, and the new code.
pub(crate) fn replaced(code: &[Instruction], random: &mut Random) -> (usize, Vec<Instruction>) {
    loop {
        let at = random.index(code.len());
        let mut one = code[at];
        let operands = one.op.row().operands;
        match random.index(10) {
            0 | 1 => {
                let Some(like) = LIKE.iter().find(|like| like.contains(&one.op)) else { continue };
                one.op = *random.pick(like);
            }
            2 | 3 => {
                let Some(operand) = operands.iter().copied().find(is_d) else { continue };
                one.d = register(code, operand, random);
            }
            4 | 5 => {
                let Some(operand) = operands.iter().copied().find(is_r) else { continue };
                one.r = register(code, operand, random);
            }
            6 => std::mem::swap(&mut one.d, &mut one.r),
            7 => {
                let moved = *random.pick(&[-2, -1, 1, 2, 8]);
                one.k += moved;
            }
            8 => one.b = random.index(8) as u8,
            // something that stands elsewhere, or anything
            _ if random.index(2) == 0 => one = *random.pick(code),
            _ => {
                one = Instruction::new(random.pick(ROWS).op);
                for operand in one.op.row().operands {
                    match operand {
                        operand if is_d(operand) => one.d = register(code, *operand, random),
                        operand if is_r(operand) => one.r = register(code, *operand, random),
                        Operand::Bit | Operand::Flag => one.b = random.index(8) as u8,
                        Operand::Io => one.k = *random.pick(&[0x3d, 0x3e, 0x3f]),
                        Operand::Relative => one.k = random.index(9) as i32 - 4,
                        _ => one.k = random.index(64) as i32,
                    }
                }
            }
        }
        // distances stay only among instructions of one word
        if one == code[at] || one.op.row().words() != 1 {
            continue;
        }
        let mut changed = code.to_vec();
        changed[at] = one;
        return (at, changed);
    }
}

/// The code without the instruction at a place.
pub(crate) fn deleted(code: &[Instruction], at: usize) -> Vec<Instruction> {
    let mut changed = code.to_vec();
    changed[at] = Instruction::new(Op::Nop);
    changed
}
