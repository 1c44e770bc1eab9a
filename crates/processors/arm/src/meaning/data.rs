//! Data processing and its flags (DDI 0100, A4.1 and A5.1).

use super::n;
use crate::instructions::{Action, DataOp, Shifter};
use crate::machine::{C, Machine, V};
use crate::program::is_copy;
use rhomb_machine::Domain;

impl<D: Domain> Machine<D> {
    #[inline(always)]
    pub(super) fn data(&mut self, op: DataOp, set: bool, rd: u8, rn: u8, operand: Shifter) {
        if op == DataOp::Mov && !set {
            if let Shifter::Register { rm, .. } = operand
                && is_copy(&Action::Data { op, set, rd, rn, operand })
            {
                self.copy_register(rd, rm);
                return;
            }
            let (word, _) = self.shifted(operand, false);
            return self.set(rd, word);
        }
        let (y, carry) = self.shifted(operand, set && !op.is_arithmetic());
        let result = match op {
            DataOp::Add | DataOp::Cmn => {
                let none = self.state.domain.bit(false);
                self.sum(n(rn), &y, &none, set)
            }
            DataOp::Adc => self.sum(n(rn), &y, &self.carry(), set),
            DataOp::Sub | DataOp::Cmp => {
                let (x, none) = (self.r(rn), self.state.domain.bit(false));
                self.difference(&x, &y, &none, set)
            }
            DataOp::Rsb => {
                let (x, none) = (self.r(rn), self.state.domain.bit(false));
                self.difference(&y, &x, &none, set)
            }
            DataOp::Sbc => {
                let (x, borrow) = (self.r(rn), self.borrow());
                self.difference(&x, &y, &borrow, set)
            }
            DataOp::Rsc => {
                let (x, borrow) = (self.r(rn), self.borrow());
                self.difference(&y, &x, &borrow, set)
            }
            DataOp::And | DataOp::Tst => self.state.domain.and(&self.state.registers[n(rn)], &y),
            DataOp::Eor | DataOp::Teq => self.state.domain.xor(&self.state.registers[n(rn)], &y),
            DataOp::Orr => self.state.domain.or(&self.state.registers[n(rn)], &y),
            DataOp::Bic => {
                let y = self.complement(&y);
                self.state.domain.and(&self.state.registers[n(rn)], &y)
            }
            DataOp::Mov => y,
            DataOp::Mvn => self.complement(&y),
        };
        if set {
            self.set_nz(&result);
            if let Some(carry) = carry
                && !op.is_arithmetic()
            {
                self.state.flags[C] = carry;
            }
        }
        if op.keeps_result() {
            self.set(rd, result);
        }
    }

    #[inline(always)]
    fn sum(&mut self, rn: usize, y: &D::Word, carry: &D::Bit, set: bool) -> D::Word {
        let x = &self.state.registers[rn];
        let (sum, carry) = self.state.domain.add(x, y, carry);
        if set {
            let into_sign = self.state.domain.carry_into(31, x, y, &sum);
            self.state.flags[V] = self.state.domain.bit_xor(&into_sign, &carry);
            self.state.flags[C] = carry;
        }
        sum
    }

    /// `x - y - borrow`; C is set where nothing is borrowed.
    #[inline(always)]
    fn difference(&mut self, x: &D::Word, y: &D::Word, borrow: &D::Bit, set: bool) -> D::Word {
        let (difference, borrow) = self.state.domain.sub(x, y, borrow);
        if set {
            let into_sign = self.state.domain.carry_into(31, x, y, &difference);
            self.state.flags[V] = self.state.domain.bit_xor(&into_sign, &borrow);
            self.state.flags[C] = self.state.domain.bit_not(&borrow);
        }
        difference
    }

    #[inline(always)]
    fn borrow(&mut self) -> D::Bit {
        self.state.domain.bit_not(&self.state.flags[C])
    }

    #[inline(always)]
    fn complement(&mut self, word: &D::Word) -> D::Word {
        let ones = self.state.domain.word(u64::MAX);
        let none = self.state.domain.bit(false);
        // all ones less a word never borrows
        self.state.domain.sub(&ones, word, &none).0
    }
}
