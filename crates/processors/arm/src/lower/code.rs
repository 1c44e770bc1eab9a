//! Instructions as the lowering writes them: always executed.

use crate::instructions::{Action, Address, BlockMode, DataOp, Indexing, Instruction, Offset, Size};
use crate::instructions::{LR, PC, Register, SP, Shifter};

/// `op rd, rn, operand`; with `set`, the flags are set.
pub(crate) fn data(op: DataOp, set: bool, rd: Register, rn: Register, operand: Shifter) -> Instruction {
    Action::Data { op, set, rd, rn, operand }.into()
}

/// Registers of the core that instructions write (bit n is Rn).
pub(crate) fn written(program: &[Instruction]) -> u16 {
    program.iter().fold(0, |set, one| set | one.registers_written() as u16)
}

/// `ADD` or, with `carry_in`, `ADC`; with `set`, the flags are set.
pub(crate) fn add(carry_in: bool, set: bool, rd: Register, rn: Register, operand: Shifter) -> Instruction {
    data(if carry_in { DataOp::Adc } else { DataOp::Add }, set, rd, rn, operand)
}

/// `SUB` or, with `carry_in`, `SBC`; with `set`, the flags are set.
pub(crate) fn sub(carry_in: bool, set: bool, rd: Register, rn: Register, operand: Shifter) -> Instruction {
    data(if carry_in { DataOp::Sbc } else { DataOp::Sub }, set, rd, rn, operand)
}

/// `MOV rd, operand`; the flags stay.
pub(crate) fn mov(rd: Register, operand: Shifter) -> Instruction {
    data(DataOp::Mov, false, rd, 0, operand)
}

/// The number 0.
pub(crate) const ZERO: Shifter = Shifter::Immediate { value: 0, rotation: 0 };

/// `high:low = rm * rs`. The three of `low`, `high` and `rm` differ; `rs` decides the time. The flags stay.
pub(crate) fn umull(low: Register, high: Register, rm: Register, rs: Register) -> Instruction {
    Action::LongMultiply { signed: false, accumulate: false, set: false, low, high, rm, rs }.into()
}

/// `high:low = high:low + rm * rs`. The flags stay.
pub(crate) fn umlal(low: Register, high: Register, rm: Register, rs: Register) -> Instruction {
    Action::LongMultiply { signed: false, accumulate: true, set: false, low, high, rm, rs }.into()
}

/// The word at `rn + distance`, up to 4095 bytes either way.
fn word(load: bool, rd: Register, rn: Register, distance: i32, indexing: Indexing) -> Instruction {
    debug_assert!(distance.unsigned_abs() < 4096);
    let offset = Offset::Immediate(distance.unsigned_abs() as u16);
    let address = Address { rn, up: distance >= 0, offset, indexing };
    Action::Transfer { load, size: Size::Word, rd, address }.into()
}

/// `LDR rd, [rn, #distance]`.
pub(crate) fn ldr(rd: Register, rn: Register, distance: i32) -> Instruction {
    word(true, rd, rn, distance, Indexing::Offset)
}

/// `STR rd, [rn, #distance]`.
pub(crate) fn str(rd: Register, rn: Register, distance: i32) -> Instruction {
    word(false, rd, rn, distance, Indexing::Offset)
}

/// `LDR rd, [rn], #step`.
pub(crate) fn ldr_step(rd: Register, rn: Register, step: i32) -> Instruction {
    word(true, rd, rn, step, Indexing::After)
}

/// `STR rd, [rn], #step`.
pub(crate) fn str_step(rd: Register, rn: Register, step: i32) -> Instruction {
    word(false, rd, rn, step, Indexing::After)
}

/// `LDR` or `STR rd, [rn, #distance]!`.
pub(crate) fn moving(load: bool, rd: Register, rn: Register, distance: i32) -> Instruction {
    word(load, rd, rn, distance, Indexing::Before)
}

/// Words from or to a pointer, which moves on if it is to; the registers ascend.
pub(crate) fn transfer(load: bool, pointer: Register, words: &[Register], moves: bool) -> Instruction {
    match (words, load, moves) {
        ([word], true, true) => ldr_step(*word, pointer, 4),
        ([word], true, false) => ldr(*word, pointer, 0),
        ([word], false, true) => str_step(*word, pointer, 4),
        ([word], false, false) => str(*word, pointer, 0),
        _ => {
            let list = words.iter().fold(0, |set, register| set | 1 << register);
            block(load, pointer, moves, BlockMode::Ia, list)
        }
    }
}

/// LDM or STM of `registers` (bit n is Rn).
pub(crate) fn block(
    load: bool,
    rn: Register,
    write_back: bool,
    mode: BlockMode,
    registers: u16,
) -> Instruction {
    Action::Block { load, rn, write_back, mode, registers, user: false }.into()
}

/// `STMFD sp!, {..}`.
pub(crate) fn push(registers: u16) -> Instruction {
    block(false, SP, true, BlockMode::Db, registers)
}

/// `LDMFD sp!, {..}`.
pub(crate) fn pop(registers: u16) -> Instruction {
    block(true, SP, true, BlockMode::Ia, registers)
}

/// `BX LR`.
pub(crate) fn return_to_caller() -> Instruction {
    Action::BranchExchange { rm: LR }.into()
}

/// The set with LR or PC alone.
pub(crate) const LR_BIT: u16 = 1 << LR;
pub(crate) const PC_BIT: u16 = 1 << PC;

/// A number as a sum of such as data processing has room for: eight bits from an even place.
pub(crate) fn parts(number: u32) -> impl Iterator<Item = Shifter> {
    let mut left = number;
    std::iter::from_fn(move || {
        let part = left & 0xff << (left.trailing_zeros() & !1 & 31);
        left -= part;
        Shifter::number(part).filter(|_| part != 0)
    })
}

/// Adds a number of bytes to a pointer; the flags stay.
pub(crate) fn advance(code: &mut Vec<Instruction>, pointer: Register, by: i32) {
    let op = if by < 0 { DataOp::Sub } else { DataOp::Add };
    code.extend(parts(by.unsigned_abs()).map(|part| data(op, false, pointer, pointer, part)));
}
