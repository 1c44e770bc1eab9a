//! Products, quotients and the accumulator: LO, HI, and guard bits above where the processor has them.

use super::n;
use crate::instructions::{GUARD, HI, Instruction, LO, Op};
use crate::machine::Machine;
use rhomb_machine::words::{self, Words};
use rhomb_machine::{Domain, Fault};

impl<D: Domain> Machine<D> {
    fn has_guard(&self) -> bool {
        self.program.model().accumulator() > 64
    }

    /// Guard bits that nothing is known about, if there are any.
    pub(super) fn arbitrary_guard(&mut self) -> D::Word {
        if !self.has_guard() {
            return self.domain.word(0);
        }
        let word = self.domain.arbitrary();
        self.domain.split(&word, self.program.model().accumulator() - 64).0
    }

    /// The product of rs and rt in two words.
    fn product(&mut self, i: Instruction, signed: bool) -> [D::Word; 2] {
        let (x, y) = (self.r(i.rs), self.r(i.rt));
        let (low, mut high) = self.domain.mul(&x, &y);
        if signed {
            let zero = self.domain.word(0);
            for (sign, other) in [(&x, &y), (&y, &x)] {
                // a factor with its highest bit set is 2^32 less
                let negative = self.domain.bit_of(sign, 31);
                let less = self.domain.select(&negative, other, &zero);
                (high, _) = self.sub(&high, &less);
            }
        }
        [low, high]
    }

    /// MULT, MADD, MSUB and their unsigned forms.
    pub(super) fn accumulate(&mut self, i: Instruction) {
        let signed = matches!(i.op, Op::Mult | Op::Madd | Op::Msub);
        let [low, high] = self.product(i, signed);
        let zero = self.domain.word(0);
        if matches!(i.op, Op::Mult | Op::Multu) {
            let above = if signed { self.arbitrary_guard() } else { zero };
            self.accumulator = [low, high, above];
            self.unread = true;
            return;
        }
        // without guard bits, or with such that a signed product leaves open, two words are all
        let length = if self.has_guard() && !signed { 3 } else { 2 };
        let product = [low, high, zero.clone()];
        let old: Words<D::Word> = self.accumulator[..length].iter().cloned().collect();
        let sum = match i.op {
            Op::Madd | Op::Maddu => words::add(&mut self.domain, &old, &product[..length]),
            _ => words::sub(&mut self.domain, &old, &product[..length]).0,
        };
        let width = self.program.model().accumulator();
        let sum = words::low_bits(&mut self.domain, &sum, width);
        let mut sum = sum.into_iter();
        for part in &mut self.accumulator[..length] {
            if let Some(word) = sum.next() {
                *part = word;
            }
        }
        if signed {
            self.accumulator[2] = self.arbitrary_guard();
        }
    }

    /// MTHI and MTLO.
    pub(super) fn move_to_accumulator(&mut self, i: Instruction) {
        let (own, other, other_bit) = if i.op == Op::Mthi { (1, 0, LO) } else { (0, 1, HI) };
        self.accumulator[own] = self.r(i.rs);
        if self.unread {
            // MD00086, MTHI and MTLO, restrictions: a result that nobody read makes the other half unpredictable
            self.accumulator[other] = self.domain.arbitrary();
            self.defined &= !other_bit;
            self.unread = false;
        }
        if i.op == Op::Mthi && self.has_guard() {
            if self.program.model().core().mthi_clears_guard {
                self.accumulator[2] = self.domain.word(0);
            } else {
                self.accumulator[2] = self.arbitrary_guard();
                self.defined &= !GUARD;
            }
        }
    }

    /// DIV and DIVU of known numbers. Time and result depend on both operands.
    pub(super) fn divide(&mut self, i: Instruction) -> Result<(), Fault> {
        let value = |number: u8| self.domain.known_word(&self.registers[n(number)]);
        let (Some(x), Some(y)) = (value(i.rs), value(i.rt)) else {
            let hidden = self.domain.hidden(&[&self.registers[n(i.rs)], &self.registers[n(i.rt)]]);
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
        self.accumulator = [self.domain.word(quotient.into()), self.domain.word(remainder.into()), above];
        self.unread = true;
        Ok(())
    }
}
