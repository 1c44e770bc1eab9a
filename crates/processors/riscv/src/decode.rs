//! Halfwords to instructions, by the patterns of the tables.

use crate::compressed;
use crate::instructions::{Instruction, ROWS, Row};

/// Bits that are no instruction: reserved, or of an extension that is not known here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// 16 bits.
    #[error("{0:#06x} is no instruction of RV32C without floating point")]
    Half(u16),
    /// 32 bits.
    #[error("{0:#010x} is no integer instruction of RV32IM, Zba, Zbb, Zbkb, Zbc, Zbs or Zicond")]
    Word(u32),
    /// The first half of 32 bits, or more, without what follows.
    #[error("{0:#06x} begins an instruction that does not end here, or is too long")]
    Cut(u16),
}

fn decode_row(row: &Row, word: u32) -> Option<Instruction> {
    if word & row.fixed.1 != row.fixed.0 {
        return None;
    }
    let pattern = row.format.pattern();
    let register = |letter| pattern.extract(letter, word) as u8;
    let mut immediate = pattern.number(word) as i32;
    if row.format.is_signed() {
        let above = pattern.number_mask.leading_zeros().min(31);
        immediate = immediate << above >> above;
    }
    let (rd, rs1, rs2) = (register(b'd'), register(b's'), register(b't'));
    Some(Instruction { op: row.op, rd, rs1, rs2, immediate, short: None })
}

/// The instruction in 32 bits.
///
/// # Errors
/// There is none.
pub fn decode_word(word: u32) -> Result<Instruction, DecodeError> {
    ROWS.iter().find_map(|row| decode_row(row, word)).ok_or(DecodeError::Word(word))
}

/// The instruction at the beginning of halfwords.
///
/// # Errors
/// There is none.
pub fn decode(halves: &[u16]) -> Result<Instruction, DecodeError> {
    match *halves {
        [] => Err(DecodeError::Half(0)),
        [half, ..] if half & 3 != 3 => compressed::decode(half).ok_or(DecodeError::Half(half)),
        [low, high, ..] if low & 0x1c != 0x1c => decode_word(u32::from(high) << 16 | u32::from(low)),
        [half, ..] => Err(DecodeError::Cut(half)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::{EncodeError, encode, encode_word};
    use crate::instructions::Op;
    use rhomb_machine::Random;

    #[test]
    fn words_survive_the_round_trip() {
        let mut random = Random::new(1);
        for row in ROWS {
            for _ in 0..200 {
                let word = row.fixed.0 | (random.bits() as u32) & !row.fixed.1;
                let one = decode_word(word).unwrap();
                assert_eq!(encode_word(&one), Ok(word), "{one:?}");
                assert!(one.op == row.op || one.op == Op::Zexth, "{one:?}");
            }
        }
        for _ in 0..100_000 {
            let word = random.bits() as u32;
            let halves = [word as u16, (word >> 16) as u16];
            if let Ok(one) = decode(&halves) {
                assert_eq!(encode(&one).unwrap().as_slice(), &halves[..one.bytes() as usize / 2], "{one:?}");
            }
        }
    }

    #[test]
    fn halfwords_survive_the_round_trip() {
        let known = (0..=u16::MAX).filter(|half| half & 3 != 3).filter(|half| {
            let found = decode(&[*half]);
            if let Ok(one) = &found {
                assert_eq!(encode(one).unwrap().as_slice(), [*half], "{one:?}");
                // what the short form does the long one does
                let long = Instruction { short: None, ..*one };
                assert_eq!(decode_word(encode_word(&long).unwrap()), Ok(long));
            }
            found.is_ok()
        });
        let known = known.count();
        assert!(known > 25_000 && known < 40_000, "{known}");
    }

    #[test]
    fn reserved_forms_are_none() {
        // c.addi4spn and c.addi16sp with 0, c.lui with 0, c.lwsp to zero, shifts by 32, c.jr zero, c.ebreak
        for half in [0, 0x0004, 0x6101, 0x6081, 0x4002, 0x1002, 0x9001, 0x8002, 0x9002, 0x9c01] {
            assert_eq!(decode(&[half]), Err(DecodeError::Half(half)), "{half:#06x}");
        }
        assert_eq!(decode(&[0x0013]), Err(DecodeError::Cut(0x0013)));
        assert_eq!(decode(&[0x001f, 0, 0]), Err(DecodeError::Cut(0x001f)));
        // ecall, fence
        assert!(decode_word(0x73).is_err() && decode_word(0x0ff0_000f).is_err());
    }

    #[test]
    fn operands_out_of_range_are_refused() {
        let refused = |one: Instruction| encode(&one).unwrap_err();
        let far = Instruction::rd_rs_immediate(Op::Lw, 4, 5, 2048);
        assert_eq!(refused(far).to_string(), "lw: operand 2048 is out of range");
        assert!(matches!(
            refused(Instruction { rd: 32, ..Instruction::new(Op::Add) }),
            EncodeError::Range { .. }
        ));
        assert!(encode(&Instruction { immediate: 3, ..Instruction::new(Op::Jal) }).is_err());
        assert!(encode(&Instruction { immediate: -4096, ..Instruction::new(Op::Beq) }).is_ok());
    }
}
