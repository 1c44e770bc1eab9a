//! Loops that are counted down without touching the carry.

use super::LowerError;
use super::pick::Pick;
use crate::assembler::{Assembler, Label};
use crate::instructions::flag;

/// A counter of one or two bytes. The low byte counts down from the rest, and then from 256 as often as the
/// high byte says: neither DEC nor the branches change the carry, as SBIW would.
#[derive(Clone, Debug)]
pub(super) struct Count {
    low: u8,
    high: Option<u8>,
}

impl Count {
    /// Registers for counts of up to `most`.
    pub(super) fn new(most: usize, pick: &mut Pick) -> Result<Count, LowerError> {
        let high = if most > 256 { Some(pick.high()?) } else { None };
        Ok(Count { low: pick.high()?, high })
    }

    /// In these registers.
    pub(super) fn of(low: u8, high: Option<u8>) -> Count {
        Count { low, high }
    }

    /// The byte that counts first, free where nothing is counted.
    pub(super) fn low(&self) -> u8 {
        self.low
    }

    /// Sets it to `turns`, at least 1.
    pub(super) fn set(&self, asm: &mut Assembler, turns: usize) {
        let [low, ..] = turns.to_le_bytes();
        asm.ldi(self.low, low);
        if let Some(high) = self.high {
            // the first 256 or fewer turns end the first of so many rounds; sizes end far below 2^16
            let [rounds, ..] = turns.div_ceil(256).to_le_bytes();
            asm.ldi(high, rounds);
        }
    }

    /// The end of a turn: back to `top` unless it was the last.
    pub(super) fn back(&self, asm: &mut Assembler, top: Label) {
        asm.dec(self.low);
        asm.back(top);
        if let Some(high) = self.high {
            asm.dec(high);
            asm.back(top);
        }
    }

    /// The end of a turn: away to `exit` if it was the last.
    pub(super) fn leave(&self, asm: &mut Assembler, exit: Label) {
        asm.dec(self.low);
        match self.high {
            None => asm.branch(flag::Z, true, exit),
            Some(high) => {
                let more = asm.label();
                asm.branch(flag::Z, false, more);
                asm.dec(high);
                asm.branch(flag::Z, true, exit);
                asm.bind(more);
            }
        }
    }
}
