//! What each instruction does, once, over any domain of values.
//!
//! SPRU374 and SWPU067E, chapter 5: one section an instruction. Two instructions in parallel are executed in the order
//! of the text; [`crate::rules::check`] refuses those where that matters.

mod access;
mod arithmetic;
mod product;

use crate::instructions::{
    AddressOp, AddressSource, Bundle, Compare, Condition, Counter, Instruction, Reg, Repeat, StatusBit, Ta,
};
use crate::machine::{Machine, index};
use crate::rules::SP;
use crate::units::{Block, Flow};
use rhomb_machine::{Domain, Fault, words};

/// A fault with what an instruction tried.
pub(crate) fn not_modelled(what: &str) -> Fault {
    Fault::NotModelled { what: what.to_owned() }
}

impl<D: Domain> Machine<D> {
    /// Executes a line; with the cycles that its accesses wait for each other.
    #[inline(always)]
    pub(crate) fn execute(&mut self, line: &Bundle) -> Result<(Flow, u64), Fault> {
        let waits = match &line.first {
            Instruction::Dual(one) => self.dual(one)?,
            _ => {
                let (flow, waits) = self.instruction(&line.first)?;
                let Some(second) = &line.second else { return Ok((flow, waits)) };
                let (other, more) = self.instruction(second)?;
                return Ok((if flow == Flow::Next { other } else { flow }, waits + more));
            }
        };
        match &line.second {
            None => Ok((Flow::Next, waits)),
            Some(second) => {
                let (flow, more) = self.instruction(second)?;
                Ok((flow, waits + more))
            }
        }
    }

    fn instruction(&mut self, one: &Instruction) -> Result<(Flow, u64), Fault> {
        use Instruction as I;
        let mut waits = 0;
        match *one {
            I::Dual(ref one) => waits = self.dual(one)?,
            I::Product { op, x, y, unsigned_x, unsigned_y, src, dst } => {
                waits = self.single(op, (x, unsigned_x), (y, unsigned_y), src, dst)?;
            }
            I::ProductT { smem, t, unsigned, dst } => self.product_t(smem, t, unsigned, dst)?,
            I::AddMemory { subtract, carry, smem, unsigned, src, dst } => {
                let address = self.smem(smem, 1)?;
                let word = self.load(address)?;
                let operand = self.extended(&word, unsigned);
                let carry = carry.then(|| self.state.flags[0].clone());
                self.add_to(subtract, carry, src, &operand, dst)?;
            }
            I::AddDouble { subtract, lmem, src, dst } => {
                let operand = self.load_double(lmem)?;
                self.add_to(subtract, None, src, &operand, dst)?;
            }
            I::LoadAc { smem, unsigned, dst } => {
                let address = self.smem(smem, 1)?;
                let word = self.load(address)?;
                self.state.own.ac[usize::from(dst & 3)] = self.extended(&word, unsigned);
            }
            I::LoadTa { smem, dst } => {
                let address = self.smem(smem, 1)?;
                let word = self.load(address)?;
                self.state.registers[index(dst)] = word;
            }
            I::LoadDouble { lmem, dst } => {
                self.state.own.ac[usize::from(dst & 3)] = self.load_double(lmem)?;
            }
            I::Store { src, smem } => {
                let address = self.smem(smem, 1)?;
                let word = self.low_word(src);
                self.store(address, word)?;
            }
            I::StoreHigh { src, smem } => {
                let address = self.smem(smem, 1)?;
                let [_, high, _] = self.state.own.ac[usize::from(src & 3)].clone();
                self.store(address, high)?;
            }
            I::StoreDouble { src, lmem } => {
                let address = self.smem(lmem, 2)?;
                let [low, high, _] = self.state.own.ac[usize::from(src & 3)].clone();
                let lower = self.partner(address)?;
                self.store(address, high)?;
                self.store(lower, low)?;
            }
            I::StorePair { src, lmem } => {
                let address = self.smem(lmem, 2)?;
                let (first, second) = (usize::from(src & 3), usize::from((src + 1) & 3));
                let lower = self.partner(address)?;
                self.store(address, self.state.own.ac[first][0].clone())?;
                self.store(lower, self.state.own.ac[second][0].clone())?;
            }
            I::StoreConstant { value, smem } => {
                let address = self.smem(smem, 1)?;
                let word = self.state.domain.word(value as u64);
                self.store(address, word)?;
            }
            I::Copy { from, to } => {
                let (from, to) = self.both(from, to, 1)?;
                let word = self.load(from)?;
                self.store(to, word)?;
            }
            I::CopyDouble { from, to } => {
                let (from, to) = self.both(from, to, 2)?;
                let other = self.partner(from)?;
                let (high, low) = (self.load(from)?, self.load(other)?);
                let lower = self.partner(to)?;
                self.store(to, high)?;
                self.store(lower, low)?;
            }
            I::Shifted { op, src, shift, dst } => self.shifted(op, src, shift, dst)?,
            I::ShiftByOne { dst, left } => self.shift_by_one(dst, left)?,
            I::Registers { op, src, dst } => self.registers(op, src, dst)?,
            I::MovK4 { value, dst } => self.constant(i64::from(value), dst),
            I::AddK4 { subtract, value, dst } => self.add_constant(subtract, value.into(), dst, dst)?,
            I::MovK16 { value, dst } => {
                let value =
                    if self.state.own.status.sxmd { i64::from(value) } else { i64::from(value as u16) };
                self.constant(value, dst);
            }
            I::AddK16 { value, src, dst } => {
                let value =
                    if self.state.own.status.sxmd { i64::from(value) } else { i64::from(value as u16) };
                self.add_constant(false, value, src, dst)?;
            }
            I::AndK16 { value, src, dst } => self.and_constant(value, src, dst),
            I::Address { op, src, dst } => self.address_arithmetic(op, src, dst)?,
            I::Amar { smem } => {
                self.target(smem, 1)?;
            }
            I::AmarTo { smem, dst } => {
                let word = self.address_word(smem)?;
                self.set_pointer(dst, word);
            }
            I::AddSp { value } => self.move_register(SP as usize, value.into())?,
            I::Push { src } => self.push_word(self.state.registers[index(src)].clone())?,
            I::Pop { dst } => self.state.registers[index(dst)] = self.pop_word()?,
            I::PushBoth { ar } => {
                self.push_upper(ar & 7);
                self.push_word(self.state.registers[8 + usize::from(ar & 7)].clone())?;
            }
            I::PopBoth { ar } => {
                self.pop_upper(ar & 7)?;
                self.state.registers[8 + usize::from(ar & 7)] = self.pop_word()?;
            }
            I::PushDouble { src } => {
                let [low, high, _] = self.state.own.ac[usize::from(src & 3)].clone();
                self.push_word(low)?;
                self.push_word(high)?;
            }
            I::PopDouble { dst } => {
                let (high, low) = (self.pop_word()?, self.pop_word()?);
                let [.., guard] = self.state.own.ac[usize::from(dst & 3)].clone();
                self.state.own.ac[usize::from(dst & 3)] = [low, high, guard];
            }
            I::SetCounter { counter, value } => {
                self.free(counter)?;
                self.state.own.counters[Self::counter(counter)] = value;
            }
            I::MoveCounter { counter, src } => {
                self.free(counter)?;
                let known = self.state.domain.known_word(&self.state.registers[index(src)]);
                let value = known.ok_or_else(|| self.unknown(index(src), "a loop counter"))?;
                self.state.own.counters[Self::counter(counter)] = value as u16;
            }
            I::Repeat(repeat) => self.repeated(repeat)?,
            I::RepeatBlock { end, .. } => {
                if self.state.own.blocks.len() == 2 {
                    return Err(not_modelled("more than two block repeats inside each other"));
                }
                let left = self.state.own.counters[1 + self.state.own.blocks.len()];
                if self.state.defined >> crate::rules::BRC[self.state.own.blocks.len()] & 1 == 0 {
                    return Err(Fault::Undefined { what: format!("BRC{}", self.state.own.blocks.len()) });
                }
                self.state.own.blocks.push(Block { start: self.state.pc + 1, end, left });
            }
            I::Branch { to } => return self.outside_blocks(Flow::Jump(to)),
            I::BranchIf { to, .. } => {
                if self.taken {
                    return self.outside_blocks(Flow::To(to));
                }
            }
            I::Call { to } => return self.outside_blocks(Flow::Call(to)),
            I::Return => return self.outside_blocks(Flow::Return),
            I::Status { bit, set } => match bit {
                StatusBit::Carry => self.state.flags[0] = self.state.domain.bit(set),
                StatusBit::M40 => self.state.own.status.m40 = set,
                StatusBit::Sxmd => self.state.own.status.sxmd = set,
                StatusBit::Arms => self.state.own.status.arms = set,
            },
            I::Nop => {}
        }
        Ok((Flow::Next, waits))
    }

    fn outside_blocks(&self, flow: Flow) -> Result<(Flow, u64), Fault> {
        if self.state.own.blocks.is_empty() {
            return Ok((flow, 0));
        }
        Err(not_modelled("a branch, call or return while a block is repeated"))
    }

    /// That no block is counting by this counter.
    fn free(&self, counter: Counter) -> Result<(), Fault> {
        match Self::counter(counter) {
            level @ 1.. if level <= self.state.own.blocks.len() => {
                Err(not_modelled("a new count for a block that is being repeated"))
            }
            _ => Ok(()),
        }
    }

    fn repeated(&mut self, repeat: Repeat) -> Result<(), Fault> {
        if self.state.own.blocks.last().is_some_and(|block| block.end == self.state.pc + 1) {
            return Err(not_modelled("a single repeat as the last line of a block"));
        }
        let csr = self.state.own.counters[0];
        let (times, next) = match repeat {
            Repeat::Times(times) => (times, csr),
            Repeat::Csr => (csr, csr),
            Repeat::Add(by) => (csr, csr.wrapping_add(by.into())),
            Repeat::Sub(by) => (csr, csr.wrapping_sub(by.into())),
            Repeat::AddTa(by) => {
                let known = self.state.domain.known_word(&self.state.registers[index(by)]);
                let by = known.ok_or_else(|| self.unknown(index(by), "a loop counter"))?;
                (csr, csr.wrapping_add(by as u16))
            }
        };
        self.state.own.repeat = Some(times);
        self.state.own.counters[0] = next;
        Ok(())
    }

    pub(crate) fn condition(&mut self, condition: Condition) -> Result<D::Bit, Fault> {
        let (bit, wanted) = match condition {
            Condition::Carry(is) => (self.state.flags[0].clone(), is),
            Condition::Tc1(is) => (self.state.flags[1].clone(), is),
            Condition::Tc2(is) => (self.state.flags[2].clone(), is),
            Condition::Zero(reg, compare) => {
                if matches!(reg, Reg::Ac(_)) {
                    self.wide()?;
                }
                let (words, top): (words::Words<D::Word>, u32) = match reg {
                    Reg::Ac(n) => (self.state.own.ac[usize::from(n & 3)].iter().cloned().collect(), 7),
                    Reg::Ta(ta) => (std::iter::once(self.state.registers[index(ta)].clone()).collect(), 15),
                };
                let zero = words::known(&mut self.state.domain, 0, words.len());
                let is_zero = words::equal(&mut self.state.domain, &words, &zero);
                let negative = match words.last() {
                    Some(last) => self.state.domain.bit_of(last, top),
                    None => self.state.domain.bit(false),
                };
                let either = self.state.domain.bit_or(&is_zero, &negative);
                match compare {
                    Compare::Eq => (is_zero, true),
                    Compare::Ne => (is_zero, false),
                    Compare::Lt => (negative, true),
                    Compare::Ge => (negative, false),
                    Compare::Le => (either, true),
                    Compare::Gt => (either, false),
                }
            }
        };
        Ok(if wanted { bit } else { self.state.domain.bit_not(&bit) })
    }

    /// AADD, AMOV, ASUB: 16 bits, no flags.
    fn address_arithmetic(&mut self, op: AddressOp, src: AddressSource, dst: Ta) -> Result<(), Fault> {
        let to = index(dst);
        let source = match src {
            AddressSource::Ta(src) => self.state.registers[index(src)].clone(),
            AddressSource::P8(value) => self.state.domain.word(value.into()),
            AddressSource::D16(value) => self.state.domain.word(value.into()),
        };
        if op == AddressOp::Mov {
            self.state.registers[to] = source;
            return Ok(());
        }
        if let Some(by) = self.state.domain.known_word(&source) {
            let by = i64::from(by as u16 as i16);
            return self.move_register(to, if op == AddressOp::Add { by } else { -by });
        }
        let old = self.state.registers[to].clone();
        let zero = self.state.domain.bit(false);
        let (result, _) = match op {
            AddressOp::Add => self.state.domain.add(&old, &source, &zero),
            _ => self.state.domain.sub(&old, &source, &zero),
        };
        self.state.registers[to] = result;
        Ok(())
    }
}
