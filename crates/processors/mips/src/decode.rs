//! Words to instructions, by the patterns of the table.

use crate::encode::is_signed;
use crate::instructions::{Instruction, Op, ROWS, Row};

/// A word that is no instruction: reserved, or of a coprocessor, which no core here has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:#010x} is no integer instruction of MIPS32 or of an extension that is present")]
pub struct DecodeError(pub u32);

/// The instruction in a word whose fixed bits are those of the row.
pub(crate) fn decode_row(row: &Row, word: u32) -> Option<Instruction> {
    if !row.pattern.fits(word) {
        return None;
    }
    let field = |letter| row.pattern.extract(letter, word);
    let (rs, rt, rd, sa) = (field(b's') as u8, field(b't') as u8, field(b'd') as u8, field(b'a') as u8);
    let mut immediate = field(b'i') as i32;
    if is_signed(row) {
        let above = 32 - row.pattern.width(b'i');
        immediate = immediate << above >> above;
    }
    let mut instruction = Instruction { op: row.op, rs, rt, rd, sa, custom: 0, immediate };
    if matches!(row.op, Op::Clz | Op::Clo) {
        if rt != rd {
            return None;
        }
        instruction.rt = 0;
    }
    Some(instruction)
}

/// The instruction of the table in a word.
///
/// # Errors
/// There is none. Instructions that extensions add are decoded by [`Model::decode`](crate::Model::decode).
pub fn decode(word: u32) -> Result<Instruction, DecodeError> {
    ROWS.iter().find_map(|row| decode_row(row, word)).ok_or(DecodeError(word))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{EncodeError, encode};
    use rhomb_machine::Random;

    /// Words of every row, with free bits at random, decode to its instruction and encode to themselves;
    /// any word does, or is refused.
    #[test]
    fn words_survive_the_round_trip() {
        let mut random = Random::new(1);
        for row in ROWS {
            for _ in 0..200 {
                let mut word = row.pattern.filled(random.bits() as u32);
                if matches!(row.op, Op::Clz | Op::Clo) {
                    word = word & !(31 << 16) | (word >> 11 & 31) << 16;
                }
                let instruction = decode(word).unwrap();
                assert_eq!(instruction.op, row.op);
                assert_eq!(encode(&instruction), Ok(word), "{instruction:?}");
            }
        }
        let mut known = 0;
        for _ in 0..200_000 {
            let word = random.bits() as u32;
            match decode(word) {
                Ok(instruction) => {
                    assert_eq!(encode(&instruction), Ok(word), "{instruction:?}");
                    known += 1;
                }
                Err(error) => assert_eq!(error, DecodeError(word)),
            }
        }
        assert!(known > 80_000 && known < 190_000, "{known}");
    }

    #[test]
    fn figures_of_the_manual() {
        assert_eq!(decode(0), Ok(Instruction::NOP));
        // addiu $29, $29, -32
        let down = Instruction::rt_rs_immediate(Op::Addiu, 29, 29, -32);
        assert_eq!(decode(0x27bd_ffe0), Ok(down));
        assert_eq!(decode(0x03e0_0008), Ok(Instruction { rs: 31, ..Instruction::new(Op::Jr) }));
        // MTC0, COP1 and CLZ with two destinations are none
        for word in [0x4080_6000, 0x4600_0000, 0x7085_1020] {
            assert_eq!(decode(word), Err(DecodeError(word)));
        }
        assert_eq!(encode(&Instruction::new(Op::Custom)), Err(EncodeError::Custom(0)));
    }

    #[test]
    fn operands_out_of_range_are_refused() {
        let range = |instruction: Instruction| encode(&instruction).unwrap_err().to_string();
        let far = Instruction::rt_rs_immediate(Op::Lw, 4, 5, 32768);
        assert_eq!(range(far), "lw: operand 32768 is out of range");
        let negative = Instruction::rt_rs_immediate(Op::Ori, 4, 5, -1);
        assert_eq!(range(negative), "ori: operand -1 is out of range");
        assert!(encode(&Instruction { rd: 32, ..Instruction::new(Op::Mflo) }).is_err());
        assert!(encode(&Instruction { rd: 1, ..Instruction::new(Op::Lw) }).is_err());
    }
}
