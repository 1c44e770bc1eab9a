//! Montgomery's operations modulo a number that is an argument.

use crate::error::{ContractError, short, size};
use crate::operation::Operation;
use std::fmt;

/// `r = a * b / R`, `a * a / R`, or `a / R` for an operand of twice the words, modulo any odd `n` of so many bits,
/// R = 2^(w*words): `r` has the words of `n` and is congruent to that; neither it nor the operands need be below `n`. The
/// last argument points to a workspace, which the routine may write: it holds `n` from word 0 on, which is odd, further
/// on `R - n`, and a word `-1/n` modulo 2^w. They are there after the call too; what else it holds does not matter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AnyModulus {
    /// What is computed: a Montgomery product, square or reduction.
    pub operation: Operation,
    /// Size of `n` in bits.
    pub bits: u32,
    /// Words of the workspace.
    pub workspace: u32,
    /// The word of the workspace from which on it holds `R - n`.
    pub complement: u32,
    /// The word that holds `-1/n`.
    pub inverse: u32,
}

/// Bits of the widest words.
const WIDEST: u32 = 32;
/// What stands before the size.
pub(crate) const ANY: &str = "any";

impl AnyModulus {
    /// Words of `n`.
    pub fn words(&self, word_bits: u32) -> u32 {
        self.bits.div_ceil(word_bits)
    }

    /// Words of the operands, of which the workspace is the last.
    pub fn operands(&self, word_bits: u32) -> Vec<u32> {
        let mut operands = self.operation.operand_words(self.words(word_bits));
        operands.push(self.workspace);
        operands
    }

    /// The words of the workspace that stay: `n`, `R - n` and `-1/n`.
    pub fn constants(&self, word_bits: u32) -> impl Iterator<Item = usize> {
        let words = self.words(word_bits);
        let places = (0..words).chain(self.complement..self.complement + words).chain([self.inverse]);
        places.map(|place| place as usize)
    }

    /// Whether the workspace has room for all three, one behind the other, with words of so many bits.
    pub fn fits(&self, word_bits: u32) -> bool {
        let words = self.words(word_bits);
        words <= self.complement
            && self.complement.saturating_add(words) <= self.inverse
            && self.inverse < self.workspace
    }

    /// Reads what follows `any`.
    pub(crate) fn parse(operation: Operation, text: &[&str]) -> Result<AnyModulus, ContractError> {
        let fault = || ContractError::AnyModulus(short(&text.join(" ")));
        if !matches!(operation, Operation::MontMul | Operation::MontSqr | Operation::MontReduce) {
            return Err(fault());
        }
        let [bits, "workspace", workspace, "complement", complement, "inverse", inverse] = text else {
            return Err(fault());
        };
        let (bits, workspace) = (size(bits)?, size(workspace)?);
        let (complement, inverse) = (size(complement)?, size(inverse)?);
        let any = AnyModulus { operation, bits, workspace, complement, inverse };
        any.fits(WIDEST).then_some(any).ok_or_else(fault)
    }
}

impl fmt::Display for AnyModulus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let AnyModulus { bits, workspace, complement, inverse, .. } = self;
        write!(
            f,
            "{} {ANY} {bits} workspace {workspace} complement {complement} inverse {inverse}",
            self.operation.name()
        )
    }
}
