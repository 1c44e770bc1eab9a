//! Machine code of instructions; the length of an instruction in bytes follows from it.
//!
//! Source: the opcode table of SPRU374 (chapter 6, "Instruction Opcodes in Sequential Order"), as tabulated in public
//! disassemblers; the operand fields as listed there, checked in the tests against listings of another disassembler.

use crate::instructions::{
    AddressOp, AddressSource, Bundle, Compare, Condition, Counter, Dual, Half, Ind, Instruction, Mode, Reg,
    RegOp, Repeat, ShiftOp, Single, Smem, StatusBit, Ta,
};
use smallvec::{SmallVec, smallvec};

/// The bytes of an instruction, first byte first.
pub type Bytes = SmallVec<[u8; 6]>;

/// An operand that has no encoding.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// A combination of operations that a dual multiplication does not have.
    #[error("no dual multiplication does {0:?} and {1:?}")]
    Halves(Half, Half),
    /// A constant or register that does not fit.
    #[error("{0} does not fit in its field")]
    Range(&'static str),
    /// A target too far away.
    #[error("a target {0} bytes away is out of reach")]
    Reach(i64),
}

/// Bits that let an instruction stand in parallel with another: instructions whose first byte is below have an E bit.
const FIRST_WITHOUT_E: u8 = 0x60;

/// Whether an instruction's code has the parallel enable bit (SPRU374, chapter 6: column E).
pub fn has_enable_bit(bytes: &[u8]) -> bool {
    bytes.first().is_some_and(|first| *first < FIRST_WITHOUT_E)
}

fn reg(reg: Reg) -> u8 {
    match reg {
        Reg::Ac(n) => n & 3,
        Reg::Ta(ta) => self::ta(ta),
    }
}

fn ta(ta: Ta) -> u8 {
    match ta {
        Ta::T(n) => 4 | n & 3,
        Ta::Ar(n) => 8 | n & 7,
    }
}

fn mode(mode: Mode) -> u8 {
    match mode {
        Mode::Plain => 0,
        Mode::Up => 1,
        Mode::Down => 2,
        Mode::PlusT0 => 3,
        Mode::PlusT1 => 4,
        Mode::MinusT0 => 5,
        Mode::MinusT1 => 6,
        Mode::IndexT0 => 7,
    }
}

/// An operand of a dual access: three bits of the pointer, three of how it is used and moved.
fn dual(ind: Ind) -> u16 {
    u16::from((ind.ar & 7) << 3 | mode(ind.mode))
}

fn coefficient(cmem: Mode) -> Result<u8, EncodeError> {
    match mode(cmem) {
        bits @ 0..4 => Ok(bits),
        _ => Err(EncodeError::Range("the mode of CDP")),
    }
}

/// AAAAAAAI and the constant behind the instruction.
fn smem(smem: Smem) -> Result<(u8, Option<i16>), EncodeError> {
    Ok(match smem {
        Smem::Ind(Ind { ar, mode }) => {
            let bits = match mode {
                Mode::Plain => 0b00001,
                Mode::Up => 0b00011,
                Mode::Down => 0b00101,
                Mode::PlusT0 => 0b00111,
                Mode::MinusT0 => 0b01001,
                Mode::IndexT0 => 0b01011,
                Mode::PlusT1 => 0b10011,
                Mode::MinusT1 => 0b10101,
            };
            (ar << 5 | bits, None)
        }
        Smem::Offset(ar, by) => (ar << 5 | 0b01101, Some(by)),
        Smem::PreOffset(ar, by) => (ar << 5 | 0b01111, Some(by)),
        Smem::Cdp(mode @ (Mode::Plain | Mode::Up | Mode::Down)) => (0x71 + (coefficient(mode)? << 5), None),
        Smem::Cdp(_) => return Err(EncodeError::Range("the mode of CDP")),
        Smem::Sp(offset) if offset < 128 => (offset << 1, None),
        Smem::Sp(_) => return Err(EncodeError::Range("the distance from SP")),
    })
}

fn with_smem(first: u8, operand: Smem, rest: &[u8]) -> Result<Bytes, EncodeError> {
    let (field, constant) = smem(operand)?;
    let mut bytes: Bytes = smallvec![first, field];
    bytes.extend_from_slice(rest);
    if let Some(constant) = constant {
        bytes.extend_from_slice(&constant.to_be_bytes());
    }
    Ok(bytes)
}

/// Both operands of a dual access, with four bits below.
fn two(x: Ind, y: Ind, below: u8) -> [u8; 2] {
    let bits = dual(x) << 10 | dual(y) << 4 | u16::from(below & 15);
    bits.to_be_bytes()
}

fn dual_product(one: &Dual) -> Result<Bytes, EncodeError> {
    use Half::{Amar, Mac, MacShifted, Mas, Mpy};
    let (first, op) = match (one.x, one.y) {
        (Mpy, Mpy) => (0x82, 0),
        (Mac, Mpy) => (0x82, 1),
        (Mas, Mpy) => (0x82, 2),
        (Amar, Mpy) => (0x82, 3),
        (Mac, Mac) => (0x83, 0),
        (Mas, Mac) => (0x83, 1),
        (MacShifted, Mac) => (0x83, 2),
        (Amar, Mac) => (0x83, 3),
        (Mas, MacShifted) => (0x84, 0),
        (Amar, MacShifted) => (0x84, 1),
        (Mpy, MacShifted) => (0x84, 2),
        (MacShifted, MacShifted) => (0x84, 3),
        (Amar, Mas) => (0x85, 0),
        (Mas, Mas) => (0x85, 1),
        (x, y) => return Err(EncodeError::Halves(x, y)),
    };
    let [second, third] = two(one.xmem, one.ymem, op << 2 | coefficient(one.cmem)?);
    let uu = u8::from(one.unsigned_xy) << 7 | u8::from(one.unsigned_c) << 6;
    let accumulators = match one.x {
        Amar => (one.acy & 3) << 2,
        _ => (one.acx & 3) << 4 | (one.acy & 3) << 2,
    };
    Ok(smallvec![first, second, third, uu | accumulators])
}

fn condition(condition: Condition) -> u8 {
    let inverted = |bits: u8, is: bool| if is { 0b110_0000 | bits } else { 0b110_1000 | bits };
    match condition {
        Condition::Zero(of, compare) => {
            let compare = match compare {
                Compare::Eq => 0,
                Compare::Ne => 1,
                Compare::Lt => 2,
                Compare::Le => 3,
                Compare::Gt => 4,
                Compare::Ge => 5,
            };
            compare << 4 | reg(of)
        }
        Condition::Tc1(is) => inverted(4, is),
        Condition::Tc2(is) => inverted(5, is),
        Condition::Carry(is) => inverted(6, is),
    }
}

fn constant12(value: u16, low: u8) -> Result<Bytes, EncodeError> {
    if value >= 1 << 12 {
        return Err(EncodeError::Range("a counter"));
    }
    Ok(smallvec![0x16, (value >> 4) as u8, (value << 4) as u8 | low])
}

fn shift_field(shift: i8) -> Result<u8, EncodeError> {
    if (-32..32).contains(&shift) { Ok(shift as u8 & 0x3f) } else { Err(EncodeError::Range("a shift")) }
}

/// The code of an instruction. Targets are given as the distance in bytes from the end of the instruction.
///
/// # Errors
/// An operand that does not fit.
pub fn encode(instruction: &Instruction, distance: i64) -> Result<Bytes, EncodeError> {
    use Instruction as I;
    let near = || i16::try_from(distance).map(i16::to_be_bytes).map_err(|_| EncodeError::Reach(distance));
    Ok(match *instruction {
        I::Dual(ref one) => dual_product(one)?,
        I::Product { op, x, y, unsigned_x, unsigned_y, src, dst } => {
            let (op, src) = match op {
                Single::Mpy => (0, 0),
                Single::Mac => (1, src),
                Single::MacShifted => (2, src),
                Single::Mas => (3, src),
            };
            let [second, third] = two(x, y, (src & 3) << 2 | dst & 3);
            let uu = u8::from(unsigned_x) << 3 | u8::from(unsigned_y) << 2;
            smallvec![0x86, second, third, op << 5 | uu]
        }
        I::ProductT { smem, t, unsigned, dst } => {
            with_smem(0xd3, smem, &[(dst & 3) << 4 | u8::from(unsigned) << 3 | 4 | t & 3])?
        }
        I::AddMemory { subtract, carry, smem, unsigned, src, dst } => {
            let op = if carry { 8 } else { 12 } | if subtract { 2 } else { 0 };
            with_smem(0xdf, smem, &[(src & 3) << 6 | (dst & 3) << 4 | op | u8::from(unsigned)])?
        }
        I::AddDouble { subtract, lmem, src, dst } => {
            with_smem(0xed, lmem, &[(src & 3) << 6 | (dst & 3) << 4 | u8::from(subtract) << 1])?
        }
        I::LoadAc { smem, unsigned, dst } => {
            with_smem(0xdf, smem, &[(dst & 3) << 4 | 4 | u8::from(unsigned)])?
        }
        I::LoadTa { smem, dst } => with_smem(0xa0 | ta(dst), smem, &[])?,
        I::LoadDouble { lmem, dst } => with_smem(0xed, lmem, &[(dst & 3) << 4 | 8])?,
        I::Store { src, smem } => with_smem(0xc0 | reg(src), smem, &[])?,
        I::StoreHigh { src, smem } => with_smem(0xbc | src & 3, smem, &[])?,
        I::StoreDouble { src, lmem } => with_smem(0xeb, lmem, &[(src & 3) << 4 | 8])?,
        I::StorePair { src, lmem } if src == 0 || src == 2 => with_smem(0xed, lmem, &[src << 4 | 15])?,
        I::StorePair { .. } => return Err(EncodeError::Range("the first accumulator of a pair")),
        I::StoreConstant { value, smem } => match i8::try_from(value) {
            Ok(value) => with_smem(0xe6, smem, &[value as u8])?,
            Err(_) => with_smem(0xfb, smem, &value.to_be_bytes())?,
        },
        I::Copy { from, to } => {
            let [second, third] = two(from, to, 4);
            smallvec![0x80, second, third]
        }
        I::CopyDouble { from, to } => {
            let [second, third] = two(from, to, 0);
            smallvec![0x80, second, third]
        }
        I::Shifted { op, src, shift, dst } => {
            let op = match op {
                ShiftOp::And => 0,
                ShiftOp::Or => 1,
                ShiftOp::Xor => 2,
                ShiftOp::Add => 3,
                ShiftOp::Sub => 4,
                ShiftOp::Sfts => 5,
                ShiftOp::Sftl => 7,
            };
            smallvec![0x10, (dst & 3) << 6 | (src & 3) << 4 | op, shift_field(shift)?]
        }
        I::ShiftByOne { dst, left } => smallvec![0x50, reg(dst) << 4 | u8::from(!left)],
        I::Registers { op, src, dst } => {
            let first = match op {
                RegOp::Mov => 0x22,
                RegOp::Add => 0x24,
                RegOp::Sub => 0x26,
                RegOp::And => 0x28,
                RegOp::Or => 0x2a,
                RegOp::Xor => 0x2c,
                RegOp::Neg => 0x34,
                RegOp::Not => 0x36,
            };
            smallvec![first, reg(src) << 4 | reg(dst)]
        }
        I::MovK4 { value: value @ 0..16, dst } => smallvec![0x3c, (value as u8) << 4 | reg(dst)],
        I::MovK4 { value: value @ -15..0, dst } => smallvec![0x3e, value.unsigned_abs() << 4 | reg(dst)],
        I::MovK4 { .. } => return Err(EncodeError::Range("a constant of 4 bits")),
        I::AddK4 { subtract, value: value @ 0..16, dst } => {
            smallvec![if subtract { 0x42 } else { 0x40 }, value << 4 | reg(dst)]
        }
        I::AddK4 { .. } => return Err(EncodeError::Range("a constant of 4 bits")),
        I::MovK16 { value, dst } => constant16(0x76, value as u16, reg(dst) << 4 | 8),
        I::AddK16 { value, src, dst } => constant16(0x7b, value as u16, reg(dst) << 4 | reg(src)),
        I::AndK16 { value, src, dst } => constant16(0x7d, value, reg(dst) << 4 | reg(src)),
        I::Address { op, src, dst } => {
            let bits = match op {
                AddressOp::Add => 0,
                AddressOp::Mov => 1,
                AddressOp::Sub => 2,
            };
            match (src, op) {
                (AddressSource::Ta(src), _) => smallvec![0x14, ta(src) << 4, ta(dst) << 4 | bits],
                (AddressSource::P8(value), _) => smallvec![0x14, value, ta(dst) << 4 | 4 | bits],
                (AddressSource::D16(value), AddressOp::Mov) => constant16(0x77, value, ta(dst) << 4),
                (AddressSource::D16(_), _) => return Err(EncodeError::Range("a constant of 8 bits")),
            }
        }
        I::Amar { smem } => with_smem(0xb4, smem, &[])?,
        // XDDD: 1000 to 1111 for XAR0 to XAR7, 0110 for XCDP
        I::AmarTo { smem, dst } => {
            let register = if dst == 8 { 6 } else { 8 | dst & 7 };
            with_smem(0xec, smem, &[register << 4 | 14])?
        }
        I::AddSp { value } => smallvec![0x4e, value as u8],
        I::Push { src } => smallvec![0x50, ta(src) << 4 | 6],
        I::Pop { dst } => smallvec![0x50, ta(dst) << 4 | 2],
        I::PushBoth { ar } => smallvec![0x50, (8 | ar & 7) << 4 | 5],
        I::PopBoth { ar } => smallvec![0x50, (8 | ar & 7) << 4 | 4],
        I::PushDouble { src } => smallvec![0x50, (src & 3) << 4 | 7],
        I::PopDouble { dst } => smallvec![0x50, (dst & 3) << 4 | 3],
        I::SetCounter { counter, value } => constant12(
            value,
            match counter {
                Counter::Csr => 8,
                Counter::Brc0 => 9,
                Counter::Brc1 => 10,
            },
        )?,
        I::MoveCounter { counter, src } => smallvec![
            0x52,
            ta(src) << 4
                | match counter {
                    Counter::Csr => 12,
                    Counter::Brc1 => 13,
                    Counter::Brc0 => 14,
                }
        ],
        I::Repeat(repeat) => match repeat {
            Repeat::Times(count @ ..256) => smallvec![0x4c, count as u8],
            Repeat::Times(count) => smallvec![0x0c, (count >> 8) as u8, count as u8],
            Repeat::Csr => smallvec![0x48, 0],
            Repeat::Add(by @ ..16) => smallvec![0x48, by << 4 | 2],
            Repeat::Sub(by @ ..16) => smallvec![0x48, by << 4 | 3],
            Repeat::Add(_) | Repeat::Sub(_) => return Err(EncodeError::Range("a constant of 4 bits")),
            Repeat::AddTa(register) => smallvec![0x48, ta(register) << 4 | 1],
        },
        I::RepeatBlock { local: true, .. } => match distance {
            0..128 => smallvec![0x4a, 0x80 | distance as u8],
            _ => return Err(EncodeError::Reach(distance)),
        },
        I::RepeatBlock { local: false, .. } => {
            let [high, low] = near()?;
            smallvec![0x0e, high, low]
        }
        I::Branch { .. } => {
            let [high, low] = near()?;
            smallvec![0x06, high, low]
        }
        I::BranchIf { condition: when, .. } => {
            let [high, low] = near()?;
            smallvec![0x6d, condition(when), high, low]
        }
        I::Call { .. } => {
            let [high, low] = near()?;
            smallvec![0x08, high, low]
        }
        I::Return => smallvec![0x48, 4],
        I::Status { bit, set } => {
            let (number, register) = match bit {
                StatusBit::Carry => (11, 0),
                StatusBit::M40 => (10, 1),
                StatusBit::Sxmd => (8, 1),
                StatusBit::Arms => (15, 2),
            };
            smallvec![0x46, number << 4 | register << 1 | u8::from(set)]
        }
        I::Nop => smallvec![0x20],
    })
}

/// Bytes of a call of any address.
pub const FAR_CALL: u32 = 4;

/// `CALL P24`.
pub fn far_call(address: u32) -> Bytes {
    let [_, high, middle, low] = address.to_be_bytes();
    smallvec![0x6c, high, middle, low]
}

fn constant16(first: u8, value: u16, last: u8) -> Bytes {
    let [high, low] = value.to_be_bytes();
    smallvec![first, high, low, last]
}

/// Length of an instruction in bytes.
///
/// # Errors
/// An operand that does not fit.
pub fn length(instruction: &Instruction) -> Result<u32, EncodeError> {
    // the length of a branch does not depend on its distance
    encode(instruction, 0).map(|bytes| bytes.len() as u32)
}

/// The code of a line, whose targets are so many bytes from the end of each of its instructions. The instruction with
/// the enable bit set stands second.
///
/// # Errors
/// An operand that does not fit, or two instructions without an enable bit.
pub fn encode_line(line: &Bundle, distances: [i64; 2]) -> Result<Bytes, EncodeError> {
    let first = encode(&line.first, distances[0])?;
    let Some(second) = line.second else { return Ok(first) };
    let second = encode(&second, distances[1])?;
    let (mut bytes, mut enabled) = match (has_enable_bit(&second), has_enable_bit(&first)) {
        (true, _) => (first, second),
        (false, true) => (second, first),
        (false, false) => return Err(EncodeError::Range("two instructions without an enable bit")),
    };
    enabled[0] |= 1;
    bytes.extend(enabled);
    Ok(bytes)
}
