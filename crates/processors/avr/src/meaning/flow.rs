//! Jumps, calls, branches and skips.

use super::text;
use crate::machine::Machine;
use crate::program::Decoded;
use rhomb_machine::{Control, Domain, Fault};

impl<D: Domain> Machine<D> {
    #[inline(always)]
    pub(super) fn relative(&self, i: Decoded) -> u32 {
        self.state.pc.wrapping_add(1).wrapping_add_signed(i.k)
    }

    #[inline(always)]
    pub(super) fn jump(&mut self, i: Decoded, target: u32) -> Result<Control, Fault> {
        self.state.pc = target;
        self.state.cycles += u64::from(i.plain);
        Ok(Control::Continue)
    }

    #[inline(always)]
    pub(super) fn call(&mut self, i: Decoded, target: u32) -> Result<Control, Fault> {
        self.push_return(self.state.pc.wrapping_add(i.length.into()))?;
        self.jump(i, target)
    }

    #[inline(always)]
    pub(super) fn branch(&mut self, i: Decoded, wanted: bool) -> Result<Control, Fault> {
        let flag = usize::from(i.b & 7);
        let bit = self.state.fork.decide(&self.state.domain, &self.state.flags[flag], || branch(i))?;
        if bit == wanted {
            self.state.pc = self.relative(i);
            self.state.cycles += u64::from(i.taken);
        } else {
            self.state.pc = self.state.pc.wrapping_add(1);
            self.state.cycles += u64::from(i.plain);
        }
        Ok(Control::Continue)
    }

    /// Skips the next instruction, of one or two words, if `bit` is `wanted`.
    #[inline(always)]
    pub(super) fn skip(&mut self, i: Decoded, bit: &D::Bit, wanted: bool) -> Result<Control, Fault> {
        let bit = self.state.fork.decide(&self.state.domain, bit, || branch(i))?;
        if bit == wanted {
            self.state.pc = self.state.pc.wrapping_add(1 + u32::from(i.next));
            self.state.cycles += u64::from(i.taken) + u64::from(i.next) - 1;
        } else {
            self.state.pc = self.state.pc.wrapping_add(1);
            self.state.cycles += u64::from(i.plain);
        }
        Ok(Control::Continue)
    }
}

#[cold]
fn branch(i: Decoded) -> String {
    format!("the branch {}", text(i))
}
