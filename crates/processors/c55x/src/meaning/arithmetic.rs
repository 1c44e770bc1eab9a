//! The arithmetic and logic units and the shifter.
//!
//! Accumulators are added, shifted and compared with 40 bits (M40 is 1); with M40 0 that is not modelled.

use super::not_modelled;
use crate::instructions::{Ind, Mode, Reg, RegOp, ShiftOp};
use crate::machine::{Machine, index};
use rhomb_machine::{Domain, Fault, words};

impl<D: Domain> Machine<D> {
    pub(super) fn wide(&self) -> Result<(), Fault> {
        if self.status.m40 { Ok(()) } else { Err(not_modelled("arithmetic of accumulators while M40 is 0")) }
    }

    /// A word of `bits` ones if SXMD is 1 and the bit is set, else zero.
    pub(super) fn sign_fill(&mut self, word: &D::Word, place: u32, bits: u32) -> D::Word {
        let zero = self.domain.word(0);
        if !self.status.sxmd {
            return zero;
        }
        let sign = self.domain.bit_of(word, place);
        let ones = self.domain.word((1 << bits) - 1);
        self.domain.select(&sign, &ones, &zero)
    }

    /// A word as an operand of 40 bits.
    #[inline(always)]
    pub(super) fn extended(&mut self, word: &D::Word, unsigned: bool) -> [D::Word; 3] {
        if unsigned || !self.status.sxmd {
            let zero = self.domain.word(0);
            return [word.clone(), zero.clone(), zero];
        }
        let (high, guard) = (self.sign_fill(word, 15, 16), self.sign_fill(word, 15, 8));
        [word.clone(), high, guard]
    }

    pub(super) fn low_word(&self, reg: Reg) -> D::Word {
        match reg {
            Reg::Ac(n) => self.ac[usize::from(n & 3)][0].clone(),
            Reg::Ta(ta) => self.registers[index(ta)].clone(),
        }
    }

    /// A register as an operand of 40 bits.
    fn operand(&mut self, reg: Reg) -> [D::Word; 3] {
        match reg {
            Reg::Ac(n) => self.ac[usize::from(n & 3)].clone(),
            Reg::Ta(ta) => {
                let word = self.registers[index(ta)].clone();
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
            (None, _) => self.domain.bit(false),
            (Some(carry), false) => carry,
            (Some(carry), true) => self.domain.bit_not(&carry),
        };
        let parts: [D::Word; 3] = std::array::from_fn(|part| {
            let (word, out) = match subtract {
                false => self.domain.add(&x[part], &y[part], &carry),
                true => self.domain.sub(&x[part], &y[part], &carry),
            };
            carry = out;
            word
        });
        let [low, high, guard] = parts;
        let carry = if subtract { self.domain.bit_not(&carry) } else { self.domain.bit_of(&guard, 8) };
        let (guard, _) = self.domain.split(&guard, 8);
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
        let old = self.ac[usize::from(src & 3)].clone();
        let (result, carry) = self.sum(subtract, carry, &old, operand);
        self.ac[usize::from(dst & 3)] = result;
        self.carry = carry;
        Ok(())
    }

    /// An accumulator moved by places of a shift; right with zeros, or with the sign.
    fn moved(&mut self, ac: u8, shift: i8, signed: bool) -> [D::Word; 3] {
        let number = self.ac[usize::from(ac & 3)].clone();
        let places = u32::from(shift.unsigned_abs());
        // whole words
        if matches!(shift, -16 | -32) && !signed {
            let zero = self.domain.word(0);
            let [_, high, guard] = number;
            return if shift == -16 { [high, guard, zero] } else { [guard, zero.clone(), zero] };
        }
        let moved = if shift >= 0 {
            let moved = words::shift_left(&mut self.domain, &number, places);
            words::low_bits(&mut self.domain, &moved, 40)
        } else if signed {
            let wide = words::extend_sign(&mut self.domain, &number, 40);
            let moved = words::shift_right(&mut self.domain, &wide, places);
            let moved = words::extend_sign(&mut self.domain, &moved, 48 - places);
            words::low_bits(&mut self.domain, &moved, 40)
        } else {
            words::shift_right(&mut self.domain, &number, places)
        };
        std::array::from_fn(|part| moved[part].clone())
    }

    pub(super) fn shifted(&mut self, op: ShiftOp, src: u8, shift: i8, dst: u8) -> Result<(), Fault> {
        self.wide()?;
        let to = usize::from(dst & 3);
        let signed = self.status.sxmd && matches!(op, ShiftOp::Add | ShiftOp::Sub | ShiftOp::Sfts);
        let moved = self.moved(src, shift, signed);
        let old = self.ac[to].clone();
        self.ac[to] = match op {
            ShiftOp::Sftl | ShiftOp::Sfts => moved,
            ShiftOp::Add => self.sum(false, None, &old, &moved).0,
            ShiftOp::Sub => self.sum(true, None, &old, &moved).0,
            ShiftOp::And | ShiftOp::Or | ShiftOp::Xor => {
                let operation = match op {
                    ShiftOp::And => D::and,
                    ShiftOp::Or => D::or,
                    _ => D::xor,
                };
                std::array::from_fn(|part| operation(&mut self.domain, &old[part], &moved[part]))
            }
        };
        Ok(())
    }

    pub(super) fn shift_by_one(&mut self, dst: Reg, left: bool) -> Result<(), Fault> {
        let no = self.domain.bit(false);
        match dst {
            Reg::Ac(n) => {
                self.wide()?;
                let (place, part) = if left { (7, 2) } else { (0, 0) };
                self.carry = self.domain.bit_of(&self.ac[usize::from(n & 3)][part], place);
                self.ac[usize::from(n & 3)] = self.moved(n, if left { 1 } else { -1 }, false);
            }
            Reg::Ta(ta) => {
                let word = self.registers[index(ta)].clone();
                let (word, out) = match left {
                    true => {
                        let out = self.domain.bit_of(&word, 15);
                        (self.domain.shift_left(&word, 1).0, out)
                    }
                    false => self.domain.shift_right(&word, &no),
                };
                self.registers[index(ta)] = word;
                self.carry = out;
            }
        }
        Ok(())
    }

    pub(super) fn registers(&mut self, op: RegOp, src: Reg, dst: Reg) -> Result<(), Fault> {
        let ta = match dst {
            Reg::Ac(n) => return self.accumulators(op, src, usize::from(n & 3)),
            Reg::Ta(ta) => index(ta),
        };
        let (source, old) = (self.low_word(src), self.registers[ta].clone());
        let no = self.domain.bit(false);
        self.registers[ta] = match op {
            RegOp::Mov => source,
            RegOp::And => self.domain.and(&old, &source),
            RegOp::Or => self.domain.or(&old, &source),
            RegOp::Xor => self.domain.xor(&old, &source),
            RegOp::Not => {
                let ones = self.domain.word(u64::MAX);
                self.domain.sub(&ones, &source, &no).0
            }
            RegOp::Add => {
                let (sum, carry) = self.domain.add(&old, &source, &no);
                self.carry = carry;
                sum
            }
            RegOp::Sub | RegOp::Neg => {
                let from = if op == RegOp::Sub { old } else { self.domain.word(0) };
                let (difference, borrow) = self.domain.sub(&from, &source, &no);
                self.carry = self.domain.bit_not(&borrow);
                difference
            }
        };
        Ok(())
    }

    fn accumulators(&mut self, op: RegOp, src: Reg, to: usize) -> Result<(), Fault> {
        self.wide()?;
        let logical = matches!(op, RegOp::And | RegOp::Or | RegOp::Xor | RegOp::Not);
        if logical && self.status.sxmd && matches!(src, Reg::Ta(_)) {
            // whether these extend a word by its sign was not read in a manual
            return Err(not_modelled("a logical operation of 16 bits with an accumulator while SXMD is 1"));
        }
        let (source, old) = (self.operand(src), self.ac[to].clone());
        let zero = self.domain.word(0);
        let zeros = [zero.clone(), zero.clone(), zero];
        self.ac[to] = match op {
            RegOp::Mov => source,
            RegOp::And | RegOp::Or | RegOp::Xor => {
                let operation = match op {
                    RegOp::And => D::and,
                    RegOp::Or => D::or,
                    _ => D::xor,
                };
                std::array::from_fn(|part| operation(&mut self.domain, &old[part], &source[part]))
            }
            RegOp::Not => {
                let (ones, top) = (self.domain.word(u64::MAX), self.domain.word(0xff));
                self.sum(true, None, &[ones.clone(), ones, top], &source).0
            }
            RegOp::Add | RegOp::Sub | RegOp::Neg => {
                let from = if op == RegOp::Neg { zeros } else { old };
                let (result, carry) = self.sum(op != RegOp::Add, None, &from, &source);
                self.carry = carry;
                result
            }
        };
        Ok(())
    }

    pub(super) fn constant(&mut self, value: i64, dst: Reg) {
        let value = value as u64;
        match dst {
            Reg::Ac(n) => {
                let (low, high) = (self.domain.word(value), self.domain.word(value >> 16));
                self.ac[usize::from(n & 3)] = [low, high, self.domain.word(value >> 32 & 0xff)];
            }
            Reg::Ta(ta) => self.registers[index(ta)] = self.domain.word(value),
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
                let operand = [value, value >> 16, value >> 32 & 0xff].map(|part| self.domain.word(part));
                self.add_to(subtract, None, src, &operand, dst)
            }
            (Reg::Ta(src), Reg::Ta(dst)) => {
                let old = self.registers[index(src)].clone();
                let no = self.domain.bit(false);
                let by = self.domain.word(value as u64);
                let (result, out) = match subtract {
                    false => self.domain.add(&old, &by, &no),
                    true => self.domain.sub(&old, &by, &no),
                };
                self.carry = if subtract { self.domain.bit_not(&out) } else { out };
                self.registers[index(dst)] = result;
                Ok(())
            }
            _ => Err(not_modelled("a sum of registers of different units")),
        }
    }

    pub(super) fn and_constant(&mut self, value: u16, src: Reg, dst: Reg) {
        let source = self.low_word(src);
        let mask = self.domain.word(value.into());
        let low = self.domain.and(&source, &mask);
        match dst {
            Reg::Ac(n) => {
                let zero = self.domain.word(0);
                self.ac[usize::from(n & 3)] = [low, zero.clone(), zero];
            }
            Reg::Ta(ta) => self.registers[index(ta)] = low,
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
