//! Conditions, branches and jumps (DDI 0100, A3.2, A4.1.5, A4.1.10).

use super::n;
use crate::cores::Core;
use crate::instructions::{Action, Condition, IP, Instruction, LR, Later};
use crate::machine::Machine;
use crate::program::{Decoded, text};
use rhomb_machine::{Base, CODE, Control, Domain, Fault, Unit};

impl<D: Domain> Machine<D> {
    /// Whether an instruction's condition holds.
    pub(crate) fn holds(&mut self, instruction: Instruction) -> Result<bool, Fault> {
        let bit = match instruction.action {
            Action::Later(Later::CompareBranch { nonzero, rn, .. }) => {
                let zero = self.state.domain.is_zero(&self.state.registers[n(rn)]);
                if nonzero { self.state.domain.bit_not(&zero) } else { zero }
            }
            _ => self.condition_bit(instruction.condition),
        };
        let core = self.state.program.core();
        let side = self.state.fork.decide(&self.state.domain, &bit, || condition_of(core, instruction))?;
        if core.timing.skips_leak && self.state.domain.known_bit(&bit).is_none() {
            self.count_skipped(instruction, &bit);
        }
        Ok(side)
    }

    fn condition_bit(&mut self, condition: Condition) -> D::Bit {
        let d = &mut self.state.domain;
        let [v, c, z, n] = &self.state.flags;
        match condition {
            Condition::Eq => z.clone(),
            Condition::Ne => d.bit_not(z),
            Condition::Cs => c.clone(),
            Condition::Cc => d.bit_not(c),
            Condition::Mi => n.clone(),
            Condition::Pl => d.bit_not(n),
            Condition::Vs => v.clone(),
            Condition::Vc => d.bit_not(v),
            Condition::Hi => {
                let not_zero = d.bit_not(z);
                d.bit_and(c, &not_zero)
            }
            Condition::Ls => {
                let below = d.bit_not(c);
                d.bit_or(&below, z)
            }
            Condition::Ge => {
                let less = d.bit_xor(n, v);
                d.bit_not(&less)
            }
            Condition::Lt => d.bit_xor(n, v),
            Condition::Gt => {
                let less = d.bit_xor(n, v);
                let not_more = d.bit_or(&less, z);
                d.bit_not(&not_more)
            }
            Condition::Le => {
                let less = d.bit_xor(n, v);
                d.bit_or(&less, z)
            }
            Condition::Al => d.bit(true),
        }
    }

    #[inline(always)]
    pub(super) fn branch(&mut self, one: Decoded, link: bool, distance: i32) -> Result<Control, Fault> {
        if link {
            self.set_link(one);
        }
        if self.state.program.placement().filled(self.state.pc).is_some() {
            // IHI 0042, 5.3.1.1: the linker may put code in between that changes IP
            self.state.registers[n(IP)] = self.state.domain.arbitrary();
            self.state.defined &= !(1 << IP);
        }
        self.state.pc = self.state.pc.wrapping_add_signed(distance);
        Ok(Control::Continue)
    }

    /// The address behind a call; odd in Thumb state.
    pub(super) fn set_link(&mut self, one: Decoded) {
        let next = u64::from(self.state.pc.wrapping_add(one.bytes.into())) | u64::from(self.is_thumb());
        let base = self.state.program.placement().own_base(self.state.pc, Unit::Bytes);
        let word = self.state.domain.pointer(base, next as i64, next, 0);
        self.set(LR, word);
    }

    /// Goes to an address in a register; tells whether the routine is left. BX is an `exchange`: bit 0 asks for
    /// Thumb state. In Thumb state loads of PC are, too, and data processing takes the bit off (DDI 0403E, B1.4.7: BranchTo).
    #[inline(always)]
    pub(super) fn jump(&mut self, target: &D::Word, exchange: bool) -> Result<Control, Fault> {
        let (base, address) =
            self.domain.address(&[target]).map(|(base, address)| (base, address as u32)).ok_or_else(
                || self.state.domain.hidden(&[target]).fault("the address to jump to".to_owned()),
            )?;
        let odd = address & u32::from(self.is_thumb());
        if exchange && self.is_thumb() && odd == 0 {
            return Err(Fault::NotModelled { what: format!("a jump to {address:#06x}: ARM state") });
        }
        let address = address - odd;
        let known = match base {
            Base::Any => true,
            Base::Of(CODE) => self.state.frame.is_some_and(|frame| frame.return_address == address),
            Base::Of(base) => self.state.program.is_at(base, Unit::Bytes, address),
            // a number is an address once all is linked
            Base::Constant => self.state.program.placement().is_final(),
        };
        if !known {
            return Err(Fault::NotModelled {
                what: "a jump to an address that is not made from one of code".to_owned(),
            });
        }
        if address % 4 != 0 && !self.is_thumb() {
            let what =
                if exchange && address % 2 == 1 { "Thumb state" } else { "an address that is not aligned" };
            return Err(Fault::NotModelled { what: format!("a jump to {address:#06x}: {what}") });
        }
        if let Some(frame) = self.state.frame
            && address == frame.return_address
            && matches!(base, Base::Any | Base::Of(CODE))
        {
            let control = self.leave(frame)?;
            self.state.pc = address;
            return Ok(control);
        }
        self.state.pc = address;
        Ok(Control::Continue)
    }
}

#[cold]
fn condition_of(core: &Core, instruction: Instruction) -> String {
    let what = if let Action::Branch { .. } = instruction.action { "the branch" } else { "the condition of" };
    format!("{what} {}", text(core, &instruction))
}
