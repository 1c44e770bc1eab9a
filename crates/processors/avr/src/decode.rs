//! Opcode words to instructions, by the patterns of the table.

use crate::encode::field_scale;
use crate::instructions::{Instruction, Operand, ROWS, Row};
use std::sync::OnceLock;

/// Words that are no instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum DecodeError {
    /// No instruction has this opcode.
    #[error("opcode {0:#06x} is no AVR instruction")]
    Unknown(u16),
    /// The second word is missing.
    #[error("opcode {0:#06x} lacks its second word")]
    Truncated(u16),
}

/// For each first word, its row plus one; 0 where there is none.
fn rows() -> &'static [u8] {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table = vec![0; 1 << 16];
        for (index, row) in ROWS.iter().enumerate() {
            let (value, mask) = row.first();
            // all words that agree with the fixed bits: count through the free ones
            let free = !mask;
            let mut choice = 0u16;
            loop {
                table[usize::from(value | choice)] = index as u8 + 1;
                choice = (choice.wrapping_sub(free)) & free;
                if choice == 0 {
                    break;
                }
            }
        }
        table
    })
}

/// The row of a first word.
pub fn row_of(word: u16) -> Option<&'static Row> {
    match rows()[usize::from(word)] {
        0 => None,
        index => Some(&ROWS[usize::from(index) - 1]),
    }
}

/// The instruction at the start of `words`, and its length in words.
pub fn decode(words: &[u16]) -> Result<(Instruction, usize), DecodeError> {
    let Some(&first) = words.first() else { return Err(DecodeError::Truncated(0)) };
    let row = row_of(first).ok_or(DecodeError::Unknown(first))?;
    let length = row.words();
    let bits = match length {
        1 => u32::from(first),
        _ => u32::from(first) << 16 | u32::from(*words.get(1).ok_or(DecodeError::Truncated(first))?),
    };
    let field = |letter| row.pattern.extract(letter, bits) as i32;
    let (b, mut k) = (field(b'b'), field(b'k'));
    if row.operands.contains(&Operand::Relative) {
        let above = 32 - row.pattern.width(b'k');
        k = k << above >> above;
    }
    let register = |letter: u8| {
        if !row.pattern.has(letter) {
            return 0;
        }
        let (offset, scale) = field_scale(row, letter);
        (field(letter) * scale + offset) as u8
    };
    let instruction = Instruction { op: row.op, d: register(b'd'), r: register(b'r'), b: b as u8, k };
    Ok((instruction, length))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::encode;

    /// Every first word either decodes to an instruction that encodes to it again, or is refused.
    #[test]
    fn all_words_survive_the_round_trip() {
        let mut known = 0;
        for word in 0..=u16::MAX {
            for second in [0, 0xffff, 0xa5c3] {
                match decode(&[word, second]) {
                    Ok((instruction, 1)) => assert_eq!(encode(&instruction), Ok((word, None))),
                    Ok((instruction, _)) => assert_eq!(encode(&instruction), Ok((word, Some(second)))),
                    Err(error) => assert_eq!(error, DecodeError::Unknown(word)),
                }
            }
            known += usize::from(row_of(word).is_some());
        }
        // 65,536 less the reserved opcodes
        assert!(known > 60_000 && known < 65_536, "{known}");
    }

    #[test]
    fn no_two_rows_claim_one_word() {
        for (index, row) in ROWS.iter().enumerate() {
            for other in &ROWS[index + 1..] {
                let ((own, mask), (others, fixed)) = (row.first(), other.first());
                let common = mask & fixed;
                assert_ne!(own & common, others & common, "{:?} {:?}", row.op, other.op);
            }
        }
    }

    #[test]
    fn a_missing_second_word_is_an_error() {
        assert_eq!(decode(&[0x940e]), Err(DecodeError::Truncated(0x940e)));
    }
}
