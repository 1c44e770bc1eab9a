//! The arithmetic and logic units and the shifter.
//!
//! Accumulators are added, shifted and compared with 40 bits (M40 is 1); with M40 0 that is not modelled.

use super::not_modelled;
use crate::instructions::{Ind, Mode, Reg, RegOp, ShiftOp};
use crate::machine::{Machine, index};
use rhomb_machine::{Domain, Fault, words};

impl<D: Domain> Machine<D> {
    pub(super) fn wide(&self) -> Result<(), Fault> {
        if self.state.own.status.m40 {
            Ok(())
        } else {
            Err(not_modelled("arithmetic of accumulators while M40 is 0"))
        }
    }

    /// A word of `bits` ones if SXMD is 1 and the bit is set, else zero.
    pub(super) fn sign_fill(&mut self, word: &D::Word, place: u32, bits: u32) -> D::Word {
        let zero = self.state.domain.word(0);
        if !self.state.own.status.sxmd {
            return zero;
        }
        let sign = self.state.domain.bit_of(word, place);
        let ones = self.state.domain.word((1 << bits) - 1);
        self.state.domain.select(&sign, &ones, &zero)
    }

    /// A word as an operand of 40 bits.
    #[inline(always)]
    pub(super) fn extended(&mut self, word: &D::Word, unsigned: bool) -> [D::Word; 3] {
        if unsigned || !self.state.own.status.sxmd {
            let zero = self.state.domain.word(0);
            return [word.clone(), zero.clone(), zero];
        }
        let (high, guard) = (self.sign_fill(word, 15, 16), self.sign_fill(word, 15, 8));
        [word.clone(), high, guard]
    }

    pub(super) fn low_word(&self, reg: Reg) -> D::Word {
        match reg {
            Reg::Ac(n) => self.state.own.ac[usize::from(n & 3)][0].clone(),
            Reg::Ta(ta) => self.state.registers[index(ta)].clone(),
        }
    }

    /// A register as an operand of 40 bits.
    fn operand(&mut self, reg: Reg) -> [D::Word; 3] {
        match reg {
            Reg::Ac(n) => self.state.own.ac[usize::from(n & 3)].clone(),
            Reg::Ta(ta) => {
                let word = self.state.registers[index(ta)].clone();
                self.extended(&word, false)
            }
        }
    }

    /// A sum or difference of 40 bits and the carry; with a difference that is the borrow turned over.
    fn sum(
        &mut self,
        subtract: bool,
        carry: Option<D::Bit>,
        x: &[D::Word; 3],
        y: &[D::Word; 3],
    ) -> ([D::Word; 3], D::Bit) {
        let mut carry = match (carry, subtract) {
            (None, _) => self.state.domain.bit(false),
            (Some(carry), false) => carry,
            (Some(carry), true) => self.state.domain.bit_not(&carry),
        };
        let parts: [D::Word; 3] = std::array::from_fn(|part| {
            let (word, out) = match subtract {
                false => self.state.domain.add(&x[part], &y[part], &carry),
                true => self.state.domain.sub(&x[part], &y[part], &carry),
            };
            carry = out;
            word
        });
        let [low, high, guard] = parts;
        let carry =
            if subtract { self.state.domain.bit_not(&carry) } else { self.state.domain.bit_of(&guard, 8) };
        let (guard, _) = self.state.domain.split(&guard, 8);
        ([low, high, guard], carry)
    }

    pub(super) fn add_to(
        &mut self,
        subtract: bool,
        carry: Option<D::Bit>,
        src: u8,
        operand: &[D::Word; 3],
        dst: u8,
    ) -> Result<(), Fault> {
        self.wide()?;
        let old = self.state.own.ac[usize::from(src & 3)].clone();
        let (result, carry) = self.sum(subtract, carry, &old, operand);
        self.state.own.ac[usize::from(dst & 3)] = result;
        self.state.flags[0] = carry;
        Ok(())
    }

    /// An accumulator moved by places of a shift; right with zeros, or with the sign.
    fn moved(&mut self, ac: u8, shift: i8, signed: bool) -> [D::Word; 3] {
        let number = self.state.own.ac[usize::from(ac & 3)].clone();
        let places = u32::from(shift.unsigned_abs());
        // whole words
        if matches!(shift, -16 | -32) && !signed {
            let zero = self.state.domain.word(0);
            let [_, high, guard] = number;
            return if shift == -16 { [high, guard, zero] } else { [guard, zero.clone(), zero] };
        }
        let moved = if shift >= 0 {
            let moved = words::shift_left(&mut self.state.domain, &number, places);
            words::low_bits(&mut self.state.domain, &moved, 40)
        } else if signed {
            let wide = words::extend_sign(&mut self.state.domain, &number, 40);
            let moved = words::shift_right(&mut self.state.domain, &wide, places);
            let moved = words::extend_sign(&mut self.state.domain, &moved, 48 - places);
            words::low_bits(&mut self.state.domain, &moved, 40)
        } else {
            words::shift_right(&mut self.state.domain, &number, places)
        };
        std::array::from_fn(|part| moved[part].clone())
    }

    pub(super) fn shifted(&mut self, op: ShiftOp, src: u8, shift: i8, dst: u8) -> Result<(), Fault> {
        self.wide()?;
        let to = usize::from(dst & 3);
        let signed = self.state.own.status.sxmd && matches!(op, ShiftOp::Add | ShiftOp::Sub | ShiftOp::Sfts);
        let moved = self.moved(src, shift, signed);
        let old = self.state.own.ac[to].clone();
        self.state.own.ac[to] = match op {
            ShiftOp::Sftl | ShiftOp::Sfts => moved,
            ShiftOp::Add => self.sum(false, None, &old, &moved).0,
            ShiftOp::Sub => self.sum(true, None, &old, &moved).0,
            ShiftOp::And | ShiftOp::Or | ShiftOp::Xor => {
                let operation = match op {
                    ShiftOp::And => D::and,
                    ShiftOp::Or => D::or,
                    _ => D::xor,
                };
                std::array::from_fn(|part| operation(&mut self.state.domain, &old[part], &moved[part]))
            }
        };
        Ok(())
    }

    pub(super) fn shift_by_one(&mut self, dst: Reg, left: bool) -> Result<(), Fault> {
        let no = self.state.domain.bit(false);
        match dst {
            Reg::Ac(n) => {
                self.wide()?;
                let (place, part) = if left { (7, 2) } else { (0, 0) };
                self.state.flags[0] =
                    self.state.domain.bit_of(&self.state.own.ac[usize::from(n & 3)][part], place);
                self.state.own.ac[usize::from(n & 3)] = self.moved(n, if left { 1 } else { -1 }, false);
            }
            Reg::Ta(ta) => {
                let word = self.state.registers[index(ta)].clone();
                let (word, out) = match left {
                    true => {
                        let out = self.state.domain.bit_of(&word, 15);
                        (self.state.domain.shift_left(&word, 1).0, out)
                    }
                    false => self.state.domain.shift_right(&word, &no),
                };
                self.state.registers[index(ta)] = word;
                self.state.flags[0] = out;
            }
        }
        Ok(())
    }

    pub(super) fn registers(&mut self, op: RegOp, src: Reg, dst: Reg) -> Result<(), Fault> {
        let ta = match dst {
            Reg::Ac(n) => return self.accumulators(op, src, usize::from(n & 3)),
            Reg::Ta(ta) => index(ta),
        };
        let (source, old) = (self.low_word(src), self.state.registers[ta].clone());
        let no = self.state.domain.bit(false);
        self.state.registers[ta] = match op {
            RegOp::Mov => source,
            RegOp::And => self.state.domain.and(&old, &source),
            RegOp::Or => self.state.domain.or(&old, &source),
            RegOp::Xor => self.state.domain.xor(&old, &source),
            RegOp::Not => {
                let ones = self.state.domain.word(u64::MAX);
                self.state.domain.sub(&ones, &source, &no).0
            }
            RegOp::Add => {
                let (sum, carry) = self.state.domain.add(&old, &source, &no);
                self.state.flags[0] = carry;
                sum
            }
            RegOp::Sub | RegOp::Neg => {
                let from = if op == RegOp::Sub { old } else { self.state.domain.word(0) };
                let (difference, borrow) = self.state.domain.sub(&from, &source, &no);
                self.state.flags[0] = self.state.domain.bit_not(&borrow);
                difference
            }
        };
        Ok(())
    }

    fn accumulators(&mut self, op: RegOp, src: Reg, to: usize) -> Result<(), Fault> {
        self.wide()?;
        let logical = matches!(op, RegOp::And | RegOp::Or | RegOp::Xor | RegOp::Not);
        if logical && self.state.own.status.sxmd && matches!(src, Reg::Ta(_)) {
            // whether these extend a word by its sign was not read in a manual
            return Err(not_modelled("a logical operation of 16 bits with an accumulator while SXMD is 1"));
        }
        let (source, old) = (self.operand(src), self.state.own.ac[to].clone());
        let zero = self.state.domain.word(0);
        let zeros = [zero.clone(), zero.clone(), zero];
        self.state.own.ac[to] = match op {
            RegOp::Mov => source,
            RegOp::And | RegOp::Or | RegOp::Xor => {
                let operation = match op {
                    RegOp::And => D::and,
                    RegOp::Or => D::or,
                    _ => D::xor,
                };
                std::array::from_fn(|part| operation(&mut self.state.domain, &old[part], &source[part]))
            }
            RegOp::Not => {
                let (ones, top) = (self.state.domain.word(u64::MAX), self.state.domain.word(0xff));
                self.sum(true, None, &[ones.clone(), ones, top], &source).0
            }
            RegOp::Add | RegOp::Sub | RegOp::Neg => {
                let from = if op == RegOp::Neg { zeros } else { old };
                let (result, carry) = self.sum(op != RegOp::Add, None, &from, &source);
                self.state.flags[0] = carry;
                result
            }
        };
        Ok(())
    }

    pub(super) fn constant(&mut self, value: i64, dst: Reg) {
        let value = value as u64;
        match dst {
            Reg::Ac(n) => {
                let (low, high) = (self.state.domain.word(value), self.state.domain.word(value >> 16));
                self.state.own.ac[usize::from(n & 3)] =
                    [low, high, self.state.domain.word(value >> 32 & 0xff)];
            }
            Reg::Ta(ta) => self.state.registers[index(ta)] = self.state.domain.word(value),
        }
    }

    pub(super) fn add_constant(
        &mut self,
        subtract: bool,
        value: i64,
        src: Reg,
        dst: Reg,
    ) -> Result<(), Fault> {
        match (src, dst) {
            (Reg::Ac(src), Reg::Ac(dst)) => {
                let value = value as u64;
                let operand =
                    [value, value >> 16, value >> 32 & 0xff].map(|part| self.state.domain.word(part));
                self.add_to(subtract, None, src, &operand, dst)
            }
            (Reg::Ta(src), Reg::Ta(dst)) => {
                let old = self.state.registers[index(src)].clone();
                let no = self.state.domain.bit(false);
                let by = self.state.domain.word(value as u64);
                let (result, out) = match subtract {
                    false => self.state.domain.add(&old, &by, &no),
                    true => self.state.domain.sub(&old, &by, &no),
                };
                self.state.flags[0] = if subtract { self.state.domain.bit_not(&out) } else { out };
                self.state.registers[index(dst)] = result;
                Ok(())
            }
            _ => Err(not_modelled("a sum of registers of different units")),
        }
    }

    pub(super) fn and_constant(&mut self, value: u16, src: Reg, dst: Reg) {
        let source = self.low_word(src);
        let mask = self.state.domain.word(value.into());
        let low = self.state.domain.and(&source, &mask);
        match dst {
            Reg::Ac(n) => {
                let zero = self.state.domain.word(0);
                self.state.own.ac[usize::from(n & 3)] = [low, zero.clone(), zero];
            }
            Reg::Ta(ta) => self.state.registers[index(ta)] = low,
        }
    }

    /// AMAR in a dual multiplication: only the address register changes.
    #[inline(always)]
    pub(super) fn amar(&mut self, ind: Ind) -> Result<(), Fault> {
        let register = 8 + usize::from(ind.ar & 7);
        match ind.mode {
            Mode::Plain | Mode::IndexT0 => Ok(()),
            Mode::Up => self.move_register(register, 1),
            Mode::Down => self.move_register(register, -1),
            Mode::PlusT0 | Mode::MinusT0 | Mode::PlusT1 | Mode::MinusT1 => {
                self.moved_by_index(register, ind.mode)
            }
        }
    }
}
