//! The last operand of data processing, and register offsets (DDI 0100, A5.1, A5.2).

use crate::instructions::{Offset, ShiftKind, Shifter, flag};
use crate::machine::Machine;
use crate::program::flag_bits;
use rhomb_machine::Domain;

impl<D: Domain> Machine<D> {
    /// The operand and, where `carry` is asked for and the shifter gives another one than C, its carry.
    #[inline(always)]
    pub(super) fn shifted(&mut self, operand: Shifter, carry: bool) -> (D::Word, Option<D::Bit>) {
        match operand {
            Shifter::Register { rm, kind: ShiftKind::Lsl, amount: 0 } => (self.r(rm), None),
            Shifter::Immediate { value, rotation } => {
                let number = u32::from(value).rotate_right(2 * u32::from(rotation));
                let new = carry && rotation != 0;
                let carry = new.then(|| self.state.domain.bit(number >> 31 != 0));
                (self.state.domain.word(number.into()), carry)
            }
            Shifter::Number(number) => {
                let new = carry && operand.carries_out();
                let carry = new.then(|| self.state.domain.bit(number >> 31 != 0));
                (self.state.domain.word(number.into()), carry)
            }
            Shifter::Register { rm, kind, amount } => {
                let word = self.r(rm);
                self.shift(&word, kind, amount.into(), carry)
            }
            Shifter::Rrx { rm } => self.rotate_with_carry(rm, carry),
            Shifter::ByRegister { rm, kind, rs } => self.shift_by_register(rm, kind, rs, carry),
        }
    }

    /// What is added to a base register.
    pub(super) fn offset(&mut self, offset: Offset) -> D::Word {
        match offset {
            Offset::Immediate(number) => self.state.domain.word(number.into()),
            Offset::Register { rm, kind, amount } => {
                self.shifted(Shifter::Register { rm, kind, amount }, false).0
            }
            Offset::Rrx { rm } => self.shifted(Shifter::Rrx { rm }, false).0,
        }
    }

    fn rotate_with_carry(&mut self, rm: u8, carry: bool) -> (D::Word, Option<D::Bit>) {
        let (word, top) = (self.r(rm), self.carry());
        let (word, out) = self.state.domain.shift_right(&word, &top);
        (word, carry.then_some(out))
    }

    #[inline(never)]
    fn shift_by_register(
        &mut self,
        rm: u8,
        kind: ShiftKind,
        rs: u8,
        carry: bool,
    ) -> (D::Word, Option<D::Bit>) {
        let (word, places) = (self.r(rm), self.r(rs));
        let low_byte = self.state.domain.word(0xff);
        let places = self.state.domain.and(&places, &low_byte);
        match self.state.domain.known_word(&places) {
            Some(0) => (word, None),
            Some(places) => {
                if carry {
                    self.state.defined |= flag_bits(flag::C);
                }
                self.shift(&word, kind, places as u32, carry)
            }
            None => {
                let result = self.state.domain.arbitrary();
                let out = self.state.domain.bit_of(&result, 0);
                let out = carry.then(|| {
                    // by nothing, the carry stays
                    let none = self.state.domain.is_zero(&places);
                    let (stays, kept) = (self.carry(), self.state.domain.bit_not(&none));
                    let new = self.state.domain.bit_and(&kept, &out);
                    let old = self.state.domain.bit_and(&none, &stays);
                    self.state.domain.bit_or(&new, &old)
                });
                (result, out)
            }
        }
    }

    /// A shift by any number of places, in operations that are exact in every domain.
    #[inline(always)]
    pub(super) fn shift(
        &mut self,
        word: &D::Word,
        kind: ShiftKind,
        places: u32,
        carry: bool,
    ) -> (D::Word, Option<D::Bit>) {
        let d = &mut self.state.domain;
        let zero = d.bit(false);
        match (kind, places) {
            (_, 0) => (word.clone(), None),
            // the carry of a sum is told as such
            (ShiftKind::Lsl, 1) if carry => {
                let (word, out) = d.add(word, word, &zero);
                (word, Some(out))
            }
            (ShiftKind::Lsl, 1..=31) => {
                let (result, above) = d.shift_left(word, places);
                (result, carry.then(|| d.bit_of(&above, 0)))
            }
            (ShiftKind::Lsl, 32) => (d.word(0), carry.then(|| d.bit_of(word, 0))),
            (ShiftKind::Lsr, 32) => (d.word(0), carry.then(|| d.bit_of(word, 31))),
            (ShiftKind::Lsl | ShiftKind::Lsr, 33..) => (d.word(0), Some(zero)),
            (ShiftKind::Lsr, 1) => {
                let (word, out) = d.shift_right(word, &zero);
                (word, Some(out))
            }
            (ShiftKind::Asr, 1) => {
                let sign = d.bit_of(word, 31);
                let (word, out) = d.shift_right(word, &sign);
                (word, Some(out))
            }
            (ShiftKind::Asr, 32..) => {
                let sign = d.bit_of(word, 31);
                let (ones, none) = (d.word(u64::MAX), d.word(0));
                (d.select(&sign, &ones, &none), Some(sign))
            }
            (ShiftKind::Ror, places) if places % 32 == 0 => (word.clone(), carry.then(|| d.bit_of(word, 31))),
            (ShiftKind::Lsr | ShiftKind::Asr | ShiftKind::Ror, places) => {
                let places = places % 32;
                let (below, result) = d.split(word, places);
                let out = carry.then(|| d.bit_of(&below, places - 1));
                let above = match kind {
                    ShiftKind::Ror => d.shift_left(&below, 32 - places).0,
                    ShiftKind::Asr => {
                        let sign = d.bit_of(word, 31);
                        let (ones, none) = (d.word(u64::from(u32::MAX << (32 - places))), d.word(0));
                        d.select(&sign, &ones, &none)
                    }
                    ShiftKind::Lsl | ShiftKind::Lsr => return (result, out),
                };
                (d.add(&result, &above, &zero).0, out)
            }
        }
    }
}
