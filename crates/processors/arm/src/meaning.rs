//! What each instruction does, once, over any domain of values.
//!
//! Source: ARM DDI 0100, A4 (one section an instruction: operation and flags), A5 (shifts, addresses), A2.5 (flags).
//! The conditions for C and V are written as the carries they are: C is the carry out of bit 31, or after a
//! subtraction the absence of a borrow; V is the difference between the carries into and out of bit 31.

mod access;
mod block;
mod data;
mod flow;
mod later;
mod multiply;
mod shifter;

use crate::instructions::{Action, Later, PC};
use crate::machine::{C, Machine, N, V, Z};
use crate::program::Decoded;
use crate::syntax;
use rhomb_machine::{Control, Domain, Fault};

impl<D: Domain> Machine<D> {
    /// Executes an instruction that stands at the program counter and whose condition holds.
    #[inline(always)]
    pub(crate) fn execute(&mut self, one: Decoded) -> Result<Control, Fault> {
        if one.cycles == 0 {
            return Err(self.refused());
        }
        if one.filled {
            self.half_address(one)?;
            self.state.pc = self.state.pc.wrapping_add(one.bytes.into());
            return Ok(Control::Continue);
        }
        match one.instruction.action {
            Action::Data { op, set, rd, rn, operand } => {
                if set && one.uses.writes_pc {
                    return Err(not_modelled(one, "the status of another mode"));
                }
                self.data(op, set, rd, rn, operand);
            }
            Action::LongMultiply { signed, accumulate, set, low, high, rm, rs } => {
                self.long_multiply(signed, accumulate, set, [low, high], rm, rs);
            }
            Action::Multiply { set, rd, rm, rs, rn } => self.multiply(set, rd, rm, rs, rn),
            Action::DoubleAccumulate { low, high, rm, rs } => self.double_accumulate([low, high], rm, rs),
            Action::Transfer { load, size, rd, address } => {
                if load {
                    self.load_register(one, size, rd, &address)
                } else {
                    self.store_register(one, size, rd, &address)
                }?;
            }
            Action::Block { load, rn, write_back, mode, registers, user } => {
                if user {
                    return Err(not_modelled(one, "registers of another mode"));
                }
                if load {
                    self.load_block(rn, write_back, mode, registers.into())
                } else {
                    self.store_block(one, rn, write_back, mode, registers.into())
                }?;
            }
            Action::Swap { byte, rd, rm, rn } => self.swap(one, byte, rd, rm, rn)?,
            Action::Branch { link, distance } => return self.branch(one, link, distance),
            Action::BranchExchange { rm } => {
                let target = self.r(rm);
                return self.jump(&target, true);
            }
            Action::ReadStatus { saved, rd } => {
                if saved {
                    return Err(not_modelled(one, "the status of another mode"));
                }
                let status = self.status();
                self.set(rd, status);
            }
            Action::WriteStatus { saved, fields, operand } => {
                if saved || fields != 0b1000 {
                    return Err(not_modelled(one, "more of a status register than its flags"));
                }
                let (word, _) = self.shifted(operand, false);
                for number in V..=N {
                    self.state.flags[number] = self.state.domain.bit_of(&word, 28 + number as u32);
                }
            }
            Action::Later(Later::CompareBranch { distance, .. }) => return self.branch(one, false, distance),
            Action::Later(Later::CallExchange { rm }) => {
                let target = self.r(rm);
                self.set_link(one);
                return self.jump(&target, true);
            }
            Action::Later(later) => self.later(one, &later)?,
            Action::SoftwareInterrupt { .. } | Action::Coprocessor { .. } => {
                return Err(not_modelled(one, "what lies outside the core"));
            }
            Action::Literal(_) => return Err(not_modelled(one, "a word of data")),
        }
        if one.uses.writes_pc {
            let target = self.r(PC);
            let loaded = !matches!(one.instruction.action, Action::Data { .. });
            return self.jump(&target, loaded && self.is_thumb());
        }
        self.state.pc = self.state.pc.wrapping_add(one.bytes.into());
        Ok(Control::Continue)
    }

    #[inline(always)]
    fn r(&self, number: u8) -> D::Word {
        self.state.registers[n(number)].clone()
    }

    #[inline(always)]
    fn set(&mut self, number: u8, value: D::Word) {
        self.state.registers[n(number)] = value;
    }

    #[inline(always)]
    fn carry(&self) -> D::Bit {
        self.state.flags[C].clone()
    }

    /// N and Z of a result.
    #[inline(always)]
    fn set_nz(&mut self, result: &D::Word) {
        self.state.flags[N] = self.state.domain.bit_of(result, 31);
        self.state.flags[Z] = self.state.domain.is_zero(result);
    }

    /// Leaves a flag that the architecture calls UNPREDICTABLE.
    fn spoil(&mut self, number: usize) {
        let word = self.state.domain.arbitrary();
        self.state.flags[number] = self.state.domain.bit_of(&word, 0);
    }

    /// The status register: the flags, and bits of the caller's that stay the same.
    fn status(&mut self) -> D::Word {
        let control = match &self.control {
            Some(word) => word.clone(),
            None => {
                let (word, mask) = (self.state.domain.arbitrary(), self.state.domain.word(0x0fff_ffff));
                let word = self.state.domain.and(&word, &mask);
                self.control = Some(word.clone());
                word
            }
        };
        let mut flags = self.state.domain.word(0);
        for number in V..=N {
            flags = self.state.domain.with_bit(&flags, 28 + number as u32, &self.state.flags[number]);
        }
        self.state.domain.or(&control, &flags)
    }
}

/// A register number as an index; the mask is for the compiler.
#[inline(always)]
fn n(number: u8) -> usize {
    usize::from(number & 15)
}

#[cold]
fn not_modelled(one: Decoded, what: &str) -> Fault {
    let text =
        syntax::gnu::instruction(&one.instruction).unwrap_or_else(|_| syntax::gnu::thumb(&one.instruction));
    Fault::NotModelled { what: format!("{text} ({what})") }
}
