//! Multiplications (DDI 0100, A4.1.28, A4.1.40 and the long forms).

use super::n;
use crate::machine::{C, Machine, N, V, Z};
use rhomb_machine::{Domain, words};

impl<D: Domain> Machine<D> {
    #[inline(always)]
    pub(super) fn multiply(&mut self, set: bool, rd: u8, rm: u8, rs: u8, rn: Option<u8>) {
        let d = &mut self.state.domain;
        let (mut result, _) = d.mul(&self.state.registers[n(rm)], &self.state.registers[n(rs)]);
        if let Some(rn) = rn {
            let none = d.bit(false);
            (result, _) = d.add(&result, &self.state.registers[n(rn)], &none);
        }
        if set {
            self.set_nz(&result);
            if !self.is_thumb() {
                self.spoil(C);
            }
        }
        self.set(rd, result);
    }

    #[inline(always)]
    pub(super) fn long_multiply(
        &mut self,
        signed: bool,
        accumulate: bool,
        set: bool,
        [low, high]: [u8; 2],
        rm: u8,
        rs: u8,
    ) {
        let d = &mut self.state.domain;
        let (x, y) = (&self.state.registers[n(rm)], &self.state.registers[n(rs)]);
        let (mut low_word, mut high_word) = if signed { words::mul_signed(d, x, y) } else { d.mul(x, y) };
        if accumulate {
            let none = d.bit(false);
            let carry;
            (low_word, carry) = d.add(&self.state.registers[n(low)], &low_word, &none);
            (high_word, _) = d.add(&self.state.registers[n(high)], &high_word, &carry);
        }
        if set {
            let (low_zero, high_zero) = (d.is_zero(&low_word), d.is_zero(&high_word));
            self.state.flags[Z] = d.bit_and(&low_zero, &high_zero);
            self.state.flags[N] = d.bit_of(&high_word, 31);
            self.spoil(C);
            self.spoil(V);
        }
        self.set(low, low_word);
        self.set(high, high_word);
    }

    /// Neither sum has a carry out of its high word, as a product of two words is (2^32 - 1)^2 at most.
    #[inline(always)]
    pub(super) fn double_accumulate(&mut self, [low, high]: [u8; 2], rm: u8, rs: u8) {
        let registers = &self.state.registers;
        let [x, y] = [&registers[n(low)], &registers[n(high)]];
        let words = self.state.domain.mul_add(&registers[n(rm)], &registers[n(rs)], [x, y]);
        self.set(low, words.0);
        self.set(high, words.1);
    }
}
