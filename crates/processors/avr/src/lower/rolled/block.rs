//! The registers of a block, as they were found for it.

use super::layout::Layout;
use crate::instructions::{Instruction, Op};
use crate::lower::translate::{HIGH, LOW, Registers};
use rhomb_kernel::{AccumulatorWord, Carry, Operand};
use rhomb_lower::rolled::{Allocation, Zero};

/// `slots` is the size of the operand pool; the slots after it are R0 and R1.
pub(super) struct Block<'a> {
    pub(super) layout: &'a Layout,
    pub(super) slots: usize,
    pub(super) allocation: &'a mut Allocation,
}

impl Registers for Block<'_> {
    fn load(&mut self, _: usize, slot: usize, _: Operand) -> Option<u8> {
        Some(self.operand(slot))
    }

    fn operand(&self, slot: usize) -> u8 {
        match slot.checked_sub(self.slots) {
            None => self.layout.pool[slot],
            Some(0) => LOW,
            Some(_) => HIGH,
        }
    }

    fn take(&mut self, place: AccumulatorWord) -> u8 {
        self.allocation.take(place)
    }

    fn take_product(&mut self, low: AccumulatorWord, high: AccumulatorWord) -> [u8; 2] {
        self.allocation.take_product(low, high)
    }

    fn clear(&mut self, place: AccumulatorWord) -> [Option<Instruction>; 2] {
        let code = match self.allocation.take_zero(place) {
            (Zero::There, _) => None,
            (Zero::Clear, register) => Some(Instruction::dr(Op::Eor, register, register)),
            (Zero::ClearPair, register) => Some(Instruction::dr(Op::Movw, register & !1, self.zero())),
        };
        [code, None]
    }

    fn of(&self, place: AccumulatorWord) -> u8 {
        self.allocation.of(place)
    }

    fn release(&mut self, place: AccumulatorWord) -> u8 {
        self.allocation.release(place)
    }

    fn rename(&mut self, from: AccumulatorWord, to: AccumulatorWord) {
        self.allocation.rename(from, to);
    }

    fn mask(&self, carry: Carry) -> u8 {
        self.layout.mask(carry)
    }

    fn zero(&self) -> u8 {
        self.layout.zeros[0]
    }
}
