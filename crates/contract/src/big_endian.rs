//! Numbers whose highest byte, or limb, has the lowest address.

use crate::error::{ContractError, short};
use crate::limbs::Limbs;
use crate::operation::Operation;
use std::fmt;

const NAME: &str = "big-endian";
/// What stands behind it where only the operand, or only the result, lies so.
const OPERAND: &str = "a";
const RESULT: &str = "r";

/// Which numbers lie in memory with the highest byte first; of limbs the highest limb.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct BigEndian {
    /// The operands, and a modulus that is an argument.
    pub operands: bool,
    /// The result.
    pub result: bool,
}

impl BigEndian {
    /// Whether no number lies so.
    pub fn is_none(self) -> bool {
        self == BigEndian::default()
    }

    /// Takes what is said of it out of a contract's words.
    pub(crate) fn cut<'a>(
        operation: Operation,
        words: &[&'a str],
    ) -> Result<(BigEndian, Vec<&'a str>), ContractError> {
        let Some(at) = words.iter().position(|word| *word == NAME) else {
            return Ok((BigEndian::default(), words.to_vec()));
        };
        let (before, behind) = (&words[..at], &words[at + 1..]);
        if behind.contains(&NAME) {
            return Err(ContractError::Twice(NAME.to_owned()));
        }
        let (own, rest) = match behind {
            [OPERAND, rest @ ..] => (BigEndian { operands: true, result: false }, rest),
            [RESULT, rest @ ..] => (BigEndian { operands: false, result: true }, rest),
            rest => (BigEndian { operands: true, result: true }, rest),
        };
        // where several numbers may lie in one place, all of them lie alike
        let is_single = operation.operands() == [OPERAND] && !operation.expression().is_comparison();
        if !is_single && own.operands != own.result {
            return Err(ContractError::OneBigEndian(short(behind[0])));
        }
        Ok((own, [before, rest].concat()))
    }

    /// The words of numbers, each of so many words, the lowest first, as they lie in memory; or the same the other way round.
    pub(crate) fn turned(words: &[u64], each: usize, bits: u32, limbs: Option<&Limbs>) -> Vec<u64> {
        let numbers = words.chunks(each.max(1));
        match limbs {
            Some(limbs) => {
                let limbs = numbers.flat_map(|number| number.chunks(limbs.words_of_each(bits)).rev());
                limbs.flatten().copied().collect()
            }
            None => {
                let word = |own: &u64| own.swap_bytes() >> (64 - bits);
                numbers.flat_map(|number| number.iter().rev().map(word)).collect()
            }
        }
    }
}

impl fmt::Display for BigEndian {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.operands, self.result) {
            (false, false) => Ok(()),
            (true, true) => write!(f, " {NAME}"),
            (true, false) => write!(f, " {NAME} {OPERAND}"),
            (false, true) => write!(f, " {NAME} {RESULT}"),
        }
    }
}
