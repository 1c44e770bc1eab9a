//! The instructions of a routine, and what encloses it.

use super::super::code;
use super::super::literals::Literals;
use super::{Kernel, LOW};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{
    Action, BlockMode, DataOp, Instruction, LR, Later, PC, Register, SP, ShiftKind, Shifter,
};
use crate::later::Unary;
use rhomb_lower::halves::{One, Placed, Routine, Two};
use smallvec::{SmallVec, smallvec};

/// The most that is added to the stack pointer at once, in bytes.
const STEP: usize = 508;

/// The routine of a call.
pub(super) fn enclose(routine: &Routine, core: &Core, convention: &Convention) -> Option<Kernel> {
    let mut arguments: Vec<u8> = routine
        .code
        .iter()
        .filter_map(|placed| match placed {
            Placed::Argument { number, .. } => Some(*number),
            _ => None,
        })
        .collect();
    arguments.sort_unstable();
    arguments.dedup();
    let mut literals = Literals::default();
    let body: Vec<Instruction> = routine
        .code
        .iter()
        .flat_map(|placed| match *placed {
            Placed::Number { to, number } => numbered(to, number, &mut literals),
            _ => smallvec![instruction(placed, core.is_small(), routine.frame, &arguments)],
        })
        .collect();
    let written = code::written(&body) & !(1 << SP | 1 << PC);
    let kept = written & convention.saved;
    // what one instruction pushes
    let end = if core.is_small() { LOW.end } else { LR };
    let (low, high) = (kept & ((1 << end) - 1), kept >> end);
    let links = kept != 0 || written & code::LR_BIT != 0 || !arguments.is_empty();
    let mut program = Vec::new();
    let mut saves: Vec<Register> = (0..LR).filter(|register| kept >> register & 1 == 1).collect();
    // high registers go by way of low ones
    let by_way: Vec<(Register, Register)> =
        saves.iter().copied().filter(|register| *register >= end).zip(4..LOW.end).collect();
    let low = low | by_way.iter().fold(0, |set, (_, low)| set | 1 << low);
    if links {
        saves.push(LR);
        program.push(code::push(low | code::LR_BIT));
    }
    let set = |registers: &mut dyn Iterator<Item = Register>| registers.fold(0u16, |set, own| set | 1 << own);
    program.extend(by_way.iter().map(|(high, low)| code::mov(*low, Shifter::plain(*high))));
    let way = set(&mut by_way.iter().map(|(_, low)| *low));
    let pushed = set(&mut arguments.iter().map(|number| convention.arguments[usize::from(*number)]));
    if way | pushed != 0 {
        program.push(code::push(way | pushed));
    }
    stack(&mut program, DataOp::Sub, 4 * routine.frame);
    program.extend(body);
    stack(&mut program, DataOp::Add, 4 * (routine.frame + arguments.len()));
    if high != 0 {
        program.push(code::pop(way));
        program.extend(by_way.iter().map(|(high, low)| code::mov(*high, Shifter::plain(*low))));
    }
    program.push(if links { code::pop(low | code::PC_BIT) } else { code::return_to_caller() });
    let pushed = low.count_ones() as usize + usize::from(links) + by_way.len() + arguments.len();
    let stack_bytes = 4 * (pushed + routine.frame) as u32;
    let program = literals.within(program, core.is_small())?;
    Some(Kernel { program, saves, cycles: None, schedule: None, accumulation: None, stack_bytes })
}

/// Moves the stack pointer.
fn stack(program: &mut Vec<Instruction>, op: DataOp, bytes: usize) {
    for from in (0..bytes).step_by(STEP) {
        let part = (bytes - from).min(STEP) as u32;
        program.push(code::data(op, false, SP, SP, Shifter::constant(part)));
    }
}

/// A number of a byte or its complement, or any other one from behind the code.
fn numbered(to: Register, number: u32, literals: &mut Literals) -> SmallVec<[Instruction; 2]> {
    let byte = |byte| code::data(DataOp::Mov, true, to, 0, Shifter::constant(byte));
    match (number >> 8, !number >> 8) {
        (0, _) => smallvec![byte(number)],
        (_, 0) => smallvec![byte(!number), code::data(DataOp::Mvn, true, to, 0, Shifter::plain(to))],
        _ => smallvec![literals.read(to, number)],
    }
}

/// The instruction but for products, and whether it sets the carry.
fn data_op(two: Two) -> Option<(DataOp, bool)> {
    Some(match two {
        Two::Multiply => return None,
        Two::Add => (DataOp::Add, true),
        Two::Subtract => (DataOp::Sub, true),
        Two::AddCarry => (DataOp::Adc, true),
        Two::SubtractCarry => (DataOp::Sbc, true),
        Two::Xor => (DataOp::Eor, false),
        Two::Or => (DataOp::Orr, false),
        Two::And => (DataOp::And, false),
        Two::AndNot => (DataOp::Bic, false),
    })
}

fn instruction(placed: &Placed, small: bool, frame: usize, arguments: &[u8]) -> Instruction {
    let shift =
        |to, kind, rm, amount| code::data(DataOp::Mov, true, to, 0, Shifter::Register { rm, kind, amount });
    match *placed {
        Placed::One { one, to, x } => match one {
            One::Low => Action::Later(Later::Unary { op: Unary::Uxth, rd: to, rm: x }).into(),
            One::High => shift(to, ShiftKind::Lsr, x, 16),
            One::Up(places) => shift(to, ShiftKind::Lsl, x, places),
            One::Down(places) => shift(to, ShiftKind::Lsr, x, places),
            One::Not => code::data(DataOp::Mvn, true, to, 0, Shifter::plain(x)),
            One::Sign => shift(to, ShiftKind::Asr, x, 1),
            One::Highest => shift(to, ShiftKind::Asr, x, 31),
            One::Negate => code::data(DataOp::Rsb, true, to, x, code::ZERO),
        },
        Placed::Two { two, to, x, y, moved } => {
            let [x, y] =
                if to == y && two.commutes() && two.destroys() && moved.is_none() { [y, x] } else { [x, y] };
            let by = |kind, amount| Shifter::Register { rm: y, kind, amount };
            let operand = match moved {
                Some(One::High) => by(ShiftKind::Lsr, 16),
                Some(One::Up(places)) => by(ShiftKind::Lsl, places),
                Some(One::Down(places)) => by(ShiftKind::Lsr, places),
                _ => Shifter::plain(y),
            };
            match data_op(two) {
                // a move on the way would decide the carry
                Some((op, sets)) => code::data(op, sets || moved.is_none(), to, x, operand),
                None => {
                    let set = to == x && to.max(y) < LOW.end;
                    Action::Multiply { set, rd: to, rm: y, rs: x, rn: None }.into()
                }
            }
        }
        Placed::With { two, to, x, number } => {
            let (op, set) = data_op(two).unwrap_or((DataOp::Mov, false));
            code::data(op, set, to, x, Shifter::constant(number))
        }
        Placed::Spread { to } => code::sub(true, true, to, to, Shifter::plain(to)),
        Placed::Number { to, number } => code::mov(to, Shifter::constant(number)),
        Placed::Copy { to, from } => code::mov(to, Shifter::plain(from)),
        Placed::Load { to, from, word } => code::ldr(to, from.unwrap_or(SP), 4 * i32::from(word)),
        Placed::Store { from, to, word } => code::str(from, to.unwrap_or(SP), 4 * i32::from(word)),
        Placed::LoadMany { pointer, registers } => {
            let moves = registers >> pointer & 1 == 0;
            code::block(true, pointer, moves, BlockMode::Ia, registers)
        }
        Placed::StoreMany { pointer, registers } => {
            code::block(false, pointer, true, BlockMode::Ia, registers)
        }
        Placed::Point { to, word } => {
            code::data(DataOp::Add, false, to, SP, Shifter::constant(4 * u32::from(word)))
        }
        Placed::Argument { to, number } => {
            let index = arguments.iter().take_while(|own| **own != number).count();
            code::ldr(to, SP, 4 * (frame + index) as i32)
        }
        Placed::Advance { pointer, words } => {
            let op = if words < 0 { DataOp::Sub } else { DataOp::Add };
            let bytes = 4 * u32::from(words.unsigned_abs());
            code::data(op, small, pointer, pointer, Shifter::constant(bytes))
        }
    }
}
