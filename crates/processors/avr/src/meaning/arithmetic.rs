//! Arithmetic and its flags.

use super::n;
use crate::instructions::flag;
use crate::machine::Machine;
use crate::program::Decoded;
use rhomb_machine::Domain;

impl<D: Domain> Machine<D> {
    /// N, Z, V and S from a result and V.
    #[inline(always)]
    pub(super) fn set_nzvs(&mut self, result: &D::Word, v: D::Bit) {
        self.state.flags[flag::Z] = self.state.domain.is_zero(result);
        let n = self.state.domain.bit_of(result, 7);
        self.state.flags[flag::S] = self.state.domain.bit_xor(&n, &v);
        self.state.flags[flag::N] = n;
        self.state.flags[flag::V] = v;
    }

    /// H, V, N, S, Z and C of an addition or subtraction.
    #[inline(always)]
    pub(super) fn set_arithmetic(&mut self, x: &D::Word, y: &D::Word, result: &D::Word, carry: D::Bit) {
        self.state.flags[flag::H] = self.state.domain.carry_into(4, x, y, result);
        let into_sign = self.state.domain.carry_into(7, x, y, result);
        let v = self.state.domain.bit_xor(&into_sign, &carry);
        self.set_nzvs(result, v);
        self.state.flags[flag::C] = carry;
    }

    #[inline(always)]
    pub(super) fn add(&mut self, x: &D::Word, y: &D::Word, carry: &D::Bit) -> D::Word {
        let (sum, carry) = self.state.domain.add(x, y, carry);
        self.set_arithmetic(x, y, &sum, carry);
        sum
    }

    #[inline(always)]
    pub(super) fn sub(&mut self, x: &D::Word, y: &D::Word) -> D::Word {
        let borrow = self.state.domain.bit(false);
        let (difference, borrow) = self.state.domain.sub(x, y, &borrow);
        self.set_arithmetic(x, y, &difference, borrow);
        difference
    }

    /// With borrow; Z stays clear once it is clear, so that a chain compares long numbers.
    #[inline(always)]
    pub(super) fn sbc(&mut self, x: &D::Word, y: &D::Word) -> D::Word {
        let zero_so_far = self.state.flags[flag::Z].clone();
        let (difference, borrow) = self.state.domain.sub(x, y, &self.state.flags[flag::C]);
        self.set_arithmetic(x, y, &difference, borrow);
        self.state.flags[flag::Z] = self.state.domain.bit_and(&self.state.flags[flag::Z], &zero_so_far);
        difference
    }

    /// ADIW and SBIW: a constant to or from a pair, in all `by`. No H; Z is that of the 16 bits.
    #[inline(always)]
    pub(super) fn add_to_pair(
        &mut self,
        i: Decoded,
        by: i64,
        operation: impl Fn(&mut D, &D::Word, &D::Word, &D::Bit) -> (D::Word, D::Bit),
    ) {
        let d = &mut self.state.domain;
        let (k, zero, none) = (d.word(i.k as u64), d.word(0), d.bit(false));
        let (low, carry) = operation(d, &self.state.registers[n(i.d)], &k, &none);
        let x = self.state.registers[n(i.d + 1)].clone();
        let (high, carry) = operation(d, &x, &zero, &carry);
        let into_sign = d.carry_into(7, &x, &zero, &high);
        let v = d.bit_xor(&into_sign, &carry);
        let low_zero = d.is_zero(&low);
        self.set_nzvs(&high, v);
        self.state.flags[flag::Z] = self.state.domain.bit_and(&self.state.flags[flag::Z], &low_zero);
        self.state.flags[flag::C] = carry;
        // an address stays one that the domain knows as such
        let moved =
            self.state.domain.moved([&self.state.registers[n(i.d)], &self.state.registers[n(i.d + 1)]], by);
        let [low, high] = moved.unwrap_or([low, high]);
        self.set(i.d, low);
        self.set(i.d + 1, high);
    }

    /// INC and DEC: C and H stay.
    #[inline(always)]
    pub(super) fn step_register(
        &mut self,
        i: Decoded,
        operation: impl Fn(&mut D, &D::Word, &D::Word, &D::Bit) -> (D::Word, D::Bit),
    ) {
        let x = self.r(i.d);
        let d = &mut self.state.domain;
        let (one, none) = (d.word(1), d.bit(false));
        let (result, carry) = operation(d, &x, &one, &none);
        let into_sign = d.carry_into(7, &x, &one, &result);
        let v = d.bit_xor(&into_sign, &carry);
        self.set_nzvs(&result, v);
        self.set(i.d, result);
    }

    /// Result and flags of a logical operation: V is clear.
    #[inline(always)]
    pub(super) fn set_logic(&mut self, number: u8, result: D::Word) {
        let v = self.state.domain.bit(false);
        self.set_nzvs(&result, v);
        self.set(number, result);
    }

    #[inline(always)]
    pub(super) fn shift_right(&mut self, i: Decoded, top: &D::Bit) {
        let (result, carry) = self.state.domain.shift_right(&self.state.registers[n(i.d)], top);
        let v = self.state.domain.bit_xor(top, &carry);
        self.set_nzvs(&result, v);
        self.state.flags[flag::C] = carry;
        self.set(i.d, result);
    }

    /// R1:R0 = d * r. An operand that is signed and negative counts 2^8 less than its bits, so the
    /// other one is taken off the high half. Fractional products stand one bit to the left. C is bit 15
    /// before that shift.
    #[inline(always)]
    pub(super) fn multiply(&mut self, i: Decoded, d_signed: bool, r_signed: bool, fractional: bool) {
        let (x, y) = (self.r(i.d), self.r(i.r));
        let d = &mut self.state.domain;
        let (mut low, mut high) = d.mul(&x, &y);
        for (signed, factor, other) in [(d_signed, &x, &y), (r_signed, &y, &x)] {
            if signed {
                let (negative, zero, none) = (d.bit_of(factor, 7), d.word(0), d.bit(false));
                let excess = d.select(&negative, other, &zero);
                high = d.sub(&high, &excess, &none).0;
            }
        }
        let carry = if fractional {
            let none = d.bit(false);
            let (shifted, carry) = d.add(&low, &low, &none);
            low = shifted;
            let (shifted, carry) = d.add(&high, &high, &carry);
            high = shifted;
            carry
        } else {
            d.bit_of(&high, 7)
        };
        let (low_zero, high_zero) = (d.is_zero(&low), d.is_zero(&high));
        self.state.flags[flag::Z] = d.bit_and(&low_zero, &high_zero);
        self.state.flags[flag::C] = carry;
        self.set(0, low);
        self.set(1, high);
    }
}
