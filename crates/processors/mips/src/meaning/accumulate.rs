//! Products, quotients and the accumulator: LO, HI, and guard bits above where the processor has them.

use super::n;
use crate::instructions::{GUARD, HI, Instruction, LO, Op};
use crate::machine::Machine;
use rhomb_machine::words::{self, Words};
use rhomb_machine::{Domain, Fault};

impl<D: Domain> Machine<D> {
    fn has_guard(&self) -> bool {
        self.state.program.model().accumulator() > 64
    }

    /// Guard bits that nothing is known about, if there are any.
    pub(super) fn arbitrary_guard(&mut self) -> D::Word {
        if !self.has_guard() {
            return self.state.domain.word(0);
        }
        let word = self.state.domain.arbitrary();
        self.state.domain.split(&word, self.state.program.model().accumulator() - 64).0
    }

    /// The product of rs and rt in two words.
    fn product(&mut self, i: Instruction, signed: bool) -> [D::Word; 2] {
        let (x, y) = (self.r(i.rs), self.r(i.rt));
        let domain = &mut self.state.domain;
        let (low, high) = if signed { words::mul_signed(domain, &x, &y) } else { domain.mul(&x, &y) };
        [low, high]
    }

    /// MULT, MADD, MSUB and their unsigned forms.
    pub(super) fn accumulate(&mut self, i: Instruction) {
        let signed = matches!(i.op, Op::Mult | Op::Madd | Op::Msub);
        let [low, high] = self.product(i, signed);
        let zero = self.state.domain.word(0);
        if matches!(i.op, Op::Mult | Op::Multu) {
            let above = if signed { self.arbitrary_guard() } else { zero };
            self.state.own.accumulator = [low, high, above];
            self.state.own.unread = true;
            return;
        }
        // without guard bits, or with such that a signed product leaves open, two words are all
        let length = if self.has_guard() && !signed { 3 } else { 2 };
        let product = [low, high, zero.clone()];
        let old: Words<D::Word> = self.state.own.accumulator[..length].iter().cloned().collect();
        let sum = match i.op {
            Op::Madd | Op::Maddu => words::add(&mut self.state.domain, &old, &product[..length]),
            _ => words::sub(&mut self.state.domain, &old, &product[..length]).0,
        };
        let width = self.state.program.model().accumulator();
        let sum = words::low_bits(&mut self.state.domain, &sum, width);
        let mut sum = sum.into_iter();
        for part in &mut self.state.own.accumulator[..length] {
            if let Some(word) = sum.next() {
                *part = word;
            }
        }
        if signed {
            self.state.own.accumulator[2] = self.arbitrary_guard();
        }
    }

    /// MTHI and MTLO.
    pub(super) fn move_to_accumulator(&mut self, i: Instruction) {
        let (own, other, other_bit) = if i.op == Op::Mthi { (1, 0, LO) } else { (0, 1, HI) };
        self.state.own.accumulator[own] = self.r(i.rs);
        if self.state.own.unread {
            // MD00086, MTHI and MTLO, restrictions: a result that nobody read makes the other half unpredictable
            self.state.own.accumulator[other] = self.state.domain.arbitrary();
            self.state.defined &= !other_bit;
            self.state.own.unread = false;
        }
        if i.op == Op::Mthi && self.has_guard() {
            if self.state.program.model().core().mthi_clears_guard {
                self.state.own.accumulator[2] = self.state.domain.word(0);
            } else {
                self.state.own.accumulator[2] = self.arbitrary_guard();
                self.state.defined &= !GUARD;
            }
        }
    }

    /// DIV and DIVU of known numbers. Time and result depend on both operands.
    pub(super) fn divide(&mut self, i: Instruction) -> Result<(), Fault> {
        let value = |number: u8| self.state.domain.known_word(&self.state.registers[n(number)]);
        let (Some(x), Some(y)) = (value(i.rs), value(i.rt)) else {
            let hidden =
                self.state.domain.hidden(&[&self.state.registers[n(i.rs)], &self.state.registers[n(i.rt)]]);
            return Err(hidden.fault(format!("the division {}", self.text(i))));
        };
        let (x, y) = (x as u32, y as u32);
        if y == 0 {
            return Err(Fault::NotModelled { what: format!("{} by zero", self.text(i)) });
        }
        let (quotient, remainder) = match i.op {
            Op::Div => {
                let (x, y) = (x as i32, y as i32);
                (x.wrapping_div(y) as u32, x.wrapping_rem(y) as u32)
            }
            _ => (x / y, x % y),
        };
        let above = self.arbitrary_guard();
        self.state.own.accumulator =
            [self.state.domain.word(quotient.into()), self.state.domain.word(remainder.into()), above];
        self.state.own.unread = true;
        Ok(())
    }
}
