//! What each instruction does, once, over any domain of values.
//!
//! MIPS MD00086, chapter 3: description, operation and restrictions, one section an instruction. What
//! extensions add is computed from their files.

mod access;
mod accumulate;
mod flow;

use crate::extension::Operands;
use crate::instructions::{GUARD, HI, Instruction, Kind, LO, Op};
use crate::machine::{Flow, Machine};
use crate::program::{Decoded, copied};
use crate::syntax;
use rhomb_machine::words;
use rhomb_machine::{Domain, Fault, Filled, Hidden};

impl<D: Domain> Machine<D> {
    /// Executes an instruction that stands at the program counter.
    #[inline(always)]
    pub(crate) fn execute(&mut self, one: &Decoded, kind: Kind) -> Result<Flow, Fault> {
        let i = one.instruction;
        if kind == Kind::Branch {
            return self.branch(i);
        }
        if let Some(from) = copied(&i) {
            self.copy(i.rd, from);
            return Ok(Flow::Next);
        }
        match i.op {
            Op::Addu => {
                let (sum, _) = self.add(&self.r(i.rs), &self.r(i.rt));
                self.set(i.rd, sum);
            }
            Op::Addiu => {
                let k = self.state.domain.word(i.immediate as u64);
                let (sum, _) = self.add(&self.r(i.rs), &k);
                self.set(i.rt, sum);
            }
            Op::Subu => {
                let (difference, _) = self.sub(&self.r(i.rs), &self.r(i.rt));
                self.set(i.rd, difference);
            }
            Op::Add | Op::Sub => {
                let (x, y) = (self.r(i.rs), self.r(i.rt));
                let (result, out) = if i.op == Op::Add { self.add(&x, &y) } else { self.sub(&x, &y) };
                let into = self.state.domain.carry_into(31, &x, &y, &result);
                let overflow = self.state.domain.bit_xor(&into, &out);
                self.no_overflow(&overflow, &result, i)?;
                self.set(i.rd, result);
            }
            Op::Addi => {
                let (x, y) = (self.r(i.rs), self.state.domain.word(i.immediate as u64));
                let (result, out) = self.add(&x, &y);
                let into = self.state.domain.carry_into(31, &x, &y, &result);
                let overflow = self.state.domain.bit_xor(&into, &out);
                self.no_overflow(&overflow, &result, i)?;
                self.set(i.rt, result);
            }
            Op::And => {
                let result =
                    self.state.domain.and(&self.state.registers[n(i.rs)], &self.state.registers[n(i.rt)]);
                self.set(i.rd, result);
            }
            Op::Or => {
                let result =
                    self.state.domain.or(&self.state.registers[n(i.rs)], &self.state.registers[n(i.rt)]);
                self.set(i.rd, result);
            }
            Op::Xor => {
                let result =
                    self.state.domain.xor(&self.state.registers[n(i.rs)], &self.state.registers[n(i.rt)]);
                self.set(i.rd, result);
            }
            Op::Nor => {
                let either =
                    self.state.domain.or(&self.state.registers[n(i.rs)], &self.state.registers[n(i.rt)]);
                let ones = self.state.domain.word(u64::MAX);
                let (result, _) = self.sub(&ones, &either);
                self.set(i.rd, result);
            }
            Op::Andi | Op::Ori | Op::Xori => {
                let k = self.state.domain.word(i.immediate as u64);
                let operation = match i.op {
                    Op::Andi => D::and,
                    Op::Ori => D::or,
                    _ => D::xor,
                };
                let result = operation(&mut self.state.domain, &self.state.registers[n(i.rs)], &k);
                self.set(i.rt, result);
            }
            Op::Lui => {
                let word = match self.state.program.placement().filled(self.state.pc) {
                    Some(Filled::Immediate(Some(first))) => first.word(&mut self.state.domain),
                    _ => self.state.domain.word((i.immediate as u64) << 16),
                };
                self.set(i.rt, word);
            }
            Op::Slt | Op::Sltu => {
                let bit = self.less(&self.r(i.rs), &self.r(i.rt), i.op == Op::Slt);
                self.set_bit(i.rd, &bit);
            }
            Op::Slti | Op::Sltiu => {
                let k = self.state.domain.word(i.immediate as u64);
                let bit = self.less(&self.r(i.rs), &k, i.op == Op::Slti);
                self.set_bit(i.rt, &bit);
            }
            Op::Movz | Op::Movn => {
                let zero = self.state.domain.is_zero(&self.state.registers[n(i.rt)]);
                let (moved, kept) = (self.r(i.rs), self.r(i.rd));
                let (if_zero, if_not) = if i.op == Op::Movz { (moved, kept) } else { (kept, moved) };
                let result = self.state.domain.select(&zero, &if_zero, &if_not);
                self.set(i.rd, result);
            }
            Op::Clz | Op::Clo => self.count_leading(i),

            Op::Sll => {
                let (low, _) = self.state.domain.shift_left(&self.state.registers[n(i.rt)], i.sa.into());
                self.set(i.rd, low);
            }
            Op::Srl => {
                let (_, high) = self.state.domain.split(&self.state.registers[n(i.rt)], i.sa.into());
                self.set(i.rd, high);
            }
            Op::Sra => {
                let result = self.shift_arithmetic(&self.r(i.rt), i.sa.into());
                self.set(i.rd, result);
            }
            Op::Sllv | Op::Srlv | Op::Srav => self.shift_by_register(i),

            Op::Mult | Op::Multu | Op::Madd | Op::Maddu | Op::Msub | Op::Msubu => self.accumulate(i),
            Op::Mul => {
                let (low, _) =
                    self.state.domain.mul(&self.state.registers[n(i.rs)], &self.state.registers[n(i.rt)]);
                self.set(i.rd, low);
                // nobody may rely on what stands there
                self.state.own.accumulator =
                    [self.state.domain.arbitrary(), self.state.domain.arbitrary(), self.arbitrary_guard()];
            }
            Op::Div | Op::Divu => self.divide(i)?,
            Op::Mfhi | Op::Mflo => {
                let part = self.state.own.accumulator[usize::from(i.op == Op::Mfhi)].clone();
                self.state.own.unread = false;
                self.set(i.rd, part);
            }
            Op::Mthi | Op::Mtlo => self.move_to_accumulator(i),

            Op::Lb | Op::Lbu | Op::Lh | Op::Lhu | Op::Lw | Op::Lwl | Op::Lwr => self.access(i)?,
            Op::Sb | Op::Sh | Op::Sw | Op::Swl | Op::Swr => self.access(i)?,
            // a hint
            Op::Pref => {}

            Op::Tge | Op::Tgeu | Op::Tlt | Op::Tltu | Op::Teq | Op::Tne => {
                let bit = self.trap_condition(i.op, &self.r(i.rs), &self.r(i.rt));
                self.no_exception(&bit, i)?;
            }
            Op::Tgei | Op::Tgeiu | Op::Tlti | Op::Tltiu | Op::Teqi | Op::Tnei => {
                let k = self.state.domain.word(i.immediate as u64);
                let bit = self.trap_condition(i.op, &self.r(i.rs), &k);
                self.no_exception(&bit, i)?;
            }

            Op::Custom => self.custom(one)?,
            // synchronisation and the operating system; branches are done above
            _ => return Err(self.not_modelled(one)),
        }
        Ok(Flow::Next)
    }

    #[inline(always)]
    pub(crate) fn r(&self, number: u8) -> D::Word {
        self.state.registers[n(number)].clone()
    }

    #[inline(always)]
    pub(crate) fn set(&mut self, number: u8, value: D::Word) {
        if number != 0 {
            self.state.registers[n(number)] = value;
        }
    }

    fn set_bit(&mut self, number: u8, bit: &D::Bit) {
        let (one, zero) = (self.state.domain.word(1), self.state.domain.word(0));
        let word = self.state.domain.select(bit, &one, &zero);
        self.set(number, word);
    }

    /// Copies a register; the copy is defined where the original is.
    #[inline(always)]
    fn copy(&mut self, to: u8, from: u8) {
        if to != 0 {
            self.state.registers[n(to)] = self.state.registers[n(from)].clone();
            let defined = self.state.defined >> from & 1;
            self.state.defined = self.state.defined & !(1 << to) | defined << to;
        }
    }

    #[inline(always)]
    fn add(&mut self, x: &D::Word, y: &D::Word) -> (D::Word, D::Bit) {
        let carry = self.state.domain.bit(false);
        self.state.domain.add(x, y, &carry)
    }

    #[inline(always)]
    fn sub(&mut self, x: &D::Word, y: &D::Word) -> (D::Word, D::Bit) {
        let borrow = self.state.domain.bit(false);
        self.state.domain.sub(x, y, &borrow)
    }

    fn less(&mut self, x: &D::Word, y: &D::Word, signed: bool) -> D::Bit {
        words::less(&mut self.state.domain, std::slice::from_ref(x), std::slice::from_ref(y), signed)
    }

    /// Whether two words are equal: by their difference, which domains know of addresses too.
    fn equal(&mut self, x: &D::Word, y: &D::Word) -> D::Bit {
        let (difference, _) = self.sub(x, y);
        self.state.domain.is_zero(&difference)
    }

    fn shift_arithmetic(&mut self, x: &D::Word, places: u32) -> D::Word {
        let (_, high) = self.state.domain.split(x, places);
        if places == 0 {
            return high;
        }
        words::extend_sign(&mut self.state.domain, &[high], 32 - places).remove(0)
    }

    fn shift_by_register(&mut self, i: Instruction) {
        let amount = self.r(i.rs);
        let shift = |machine: &mut Self, x: &D::Word, places: u32| match i.op {
            Op::Sllv => machine.domain.shift_left(x, places).0,
            Op::Srlv => machine.domain.split(x, places).1,
            _ => machine.shift_arithmetic(x, places),
        };
        let mut result = self.r(i.rt);
        if let Some(places) = self.state.domain.known_word(&amount) {
            result = shift(self, &result, places as u32 & 31);
        } else {
            for place in 0..5 {
                let moved = shift(self, &result, 1 << place);
                let bit = self.state.domain.bit_of(&amount, place);
                result = self.state.domain.select(&bit, &moved, &result);
            }
        }
        self.set(i.rd, result);
    }

    /// CLZ and CLO: by halves, as far as they have no bit that ends the count.
    fn count_leading(&mut self, i: Instruction) {
        let mut word = self.r(i.rs);
        if i.op == Op::Clo {
            let ones = self.state.domain.word(u64::MAX);
            (word, _) = self.sub(&ones, &word);
        }
        let mut count = self.state.domain.word(0);
        for places in [16, 8, 4, 2, 1] {
            let (_, top) = self.state.domain.split(&word, 32 - places);
            let empty = self.state.domain.is_zero(&top);
            let (moved, _) = self.state.domain.shift_left(&word, places);
            let more = self.state.domain.word(places.into());
            let (sum, _) = self.add(&count, &more);
            word = self.state.domain.select(&empty, &moved, &word);
            count = self.state.domain.select(&empty, &sum, &count);
        }
        // a word without any such bit has one more
        let empty = self.state.domain.bit_of(&word, 31);
        let one = self.state.domain.word(1);
        let (sum, _) = self.add(&count, &one);
        let result = self.state.domain.select(&empty, &count, &sum);
        self.set(i.rd, result);
    }

    fn trap_condition(&mut self, op: Op, x: &D::Word, y: &D::Word) -> D::Bit {
        let (bit, wanted) = match op {
            Op::Teq | Op::Teqi => (self.equal(x, y), true),
            Op::Tne | Op::Tnei => (self.equal(x, y), false),
            Op::Tlt | Op::Tlti => (self.less(x, y, true), true),
            Op::Tltu | Op::Tltiu => (self.less(x, y, false), true),
            Op::Tge | Op::Tgei => (self.less(x, y, true), false),
            _ => (self.less(x, y, false), false),
        };
        if wanted { bit } else { self.state.domain.bit_not(&bit) }
    }

    /// Exceptions end the model's knowledge; whether there is one must not depend on a secret.
    fn no_exception(&mut self, exception: &D::Bit, i: Instruction) -> Result<(), Fault> {
        match self.state.domain.known_bit(exception) {
            Some(false) => Ok(()),
            Some(true) => Err(Fault::NotModelled { what: format!("the exception of {}", self.text(i)) }),
            None => {
                let hidden = self.state.domain.hidden_bit(exception);
                Err(hidden.fault(format!("the exception of {}", self.text(i))))
            }
        }
    }

    /// An address that is moved within what it points into does not overflow: neither arrays nor the stack lie across
    /// the middle of the address space.
    fn no_overflow(&mut self, overflow: &D::Bit, result: &D::Word, i: Instruction) -> Result<(), Fault> {
        let domain = &self.state.domain;
        let is_moved = || domain.hidden_bit(overflow) == Hidden::Place || domain.address(&[result]).is_some();
        if domain.known_bit(overflow).is_none() && is_moved() {
            Ok(())
        } else {
            self.no_exception(overflow, i)
        }
    }

    /// An instruction of an extension.
    fn custom(&mut self, one: &Decoded) -> Result<(), Fault> {
        let i = one.instruction;
        let model = self.state.program.model().clone();
        let Some(custom) = model.custom().get(usize::from(i.custom)) else {
            return Err(self.not_modelled(one));
        };
        let operands = Operands {
            rs: self.r(i.rs),
            rt: self.r(i.rt),
            rd: self.r(i.rd),
            sa: i.sa.into(),
            immediate: i.immediate as u64,
            accumulator: self.state.own.accumulator.clone(),
        };
        let results = custom.evaluate(&mut self.state.domain, &operands, model.accumulator());
        if results.rd.is_some() && results.rt.is_some() && i.rd == i.rt {
            // the description does not say which of both it is then
            return Err(self.not_modelled(one));
        }
        if let Some(rd) = results.rd {
            self.set(i.rd, rd);
        }
        if let Some(rt) = results.rt {
            self.set(i.rt, rt);
        }
        for (part, result) in self.state.own.accumulator.iter_mut().zip(results.accumulator) {
            if let Some(result) = result {
                *part = result;
            }
        }
        let (accumulator, any) = (LO | HI | GUARD, |set: u64| set & (LO | HI | GUARD) != 0);
        if any(one.reads) || one.writes & accumulator == accumulator {
            self.state.own.unread = false;
        }
        Ok(())
    }

    pub(crate) fn text(&self, i: Instruction) -> String {
        syntax::instruction(self.state.program.model(), &i)
    }

    #[cold]
    pub(crate) fn not_modelled(&self, one: &Decoded) -> Fault {
        Fault::NotModelled { what: self.text(one.instruction) }
    }
}

/// A register number as an index; the mask is for the compiler.
#[inline(always)]
pub(crate) fn n(number: u8) -> usize {
    usize::from(number & 31)
}
