//! Branches and jumps.

use super::n;
use crate::instructions::{Extension, Instruction, Op};
use crate::machine::Machine;
use crate::syntax;
use rhomb_machine::{Base, CODE, Domain, Fault, Unit};

impl<D: Domain> Machine<D> {
    /// Where it goes, if not to the next instruction.
    pub(super) fn branch(&mut self, i: Instruction) -> Result<Option<u32>, Fault> {
        let next = self.state.pc.wrapping_add(i.bytes());
        let target = self.state.pc.wrapping_add_signed(i.immediate);
        match i.op {
            Op::Jal => {
                let target = self.inside(target)?;
                self.link(i.rd, next);
                return Ok(Some(target));
            }
            Op::Jalr => {
                let target = self.register_target(i)?;
                self.link(i.rd, next);
                return Ok(Some(target));
            }
            _ => {}
        }
        let (x, y) = (self.r(i.rs1), self.r(i.rs2));
        let (bit, wanted) = match i.op {
            Op::Beq => (self.equal(&x, &y), true),
            Op::Bne => (self.equal(&x, &y), false),
            Op::Blt => (self.less(&x, &y, true), true),
            Op::Bge => (self.less(&x, &y, true), false),
            Op::Bltu => (self.less(&x, &y, false), true),
            _ => (self.less(&x, &y, false), false),
        };
        let what = || format!("the branch {}", syntax::instruction(&i));
        let holds = self.state.fork.decide(&self.state.domain, &bit, what)?;
        if holds == wanted { self.inside(target).map(Some) } else { Ok(None) }
    }

    /// A place in the program: where the caller goes on only a register tells.
    fn inside(&self, target: u32) -> Result<u32, Fault> {
        match self.state.frame {
            Some(frame) if frame.return_address == target => Err(Fault::NoInstruction { address: target }),
            _ if !self.is_aligned(target) => {
                Err(Fault::NotModelled { what: format!("a jump to {target:#010x}, which is not aligned") })
            }
            _ => Ok(target),
        }
    }

    fn is_aligned(&self, target: u32) -> bool {
        let short = self.state.program.core().has(Extension::C);
        target.is_multiple_of(if short { 2 } else { 4 })
    }

    fn link(&mut self, register: u8, address: u32) {
        let base = self.state.program.placement().own_base(self.state.pc, Unit::Bytes);
        let word = self.state.domain.pointer(base, address.into(), address.into(), 0);
        self.set(register, word);
    }

    fn register_target(&mut self, i: Instruction) -> Result<u32, Fault> {
        let refused = |what: String| Err(Fault::NotModelled { what });
        let back = self.state.frame.map(|frame| frame.return_address);
        let register = &self.state.registers[n(i.rs1)];
        let found = match i.immediate {
            0 => self.state.domain.address(&[register]),
            by => {
                let moved = self.state.domain.moved([register], by.into());
                moved.and_then(|[word]| self.state.domain.address(&[&word]))
            }
        };
        let Some((base, target)) = found else {
            let hidden = self.state.domain.hidden(&[&self.state.registers[n(i.rs1)]]);
            return Err(hidden.fault(format!("the target of {}", self.text(i))));
        };
        let target = target as u32;
        let is_place = self.is_aligned(target);
        match base {
            Base::Any if is_place => Ok(target),
            Base::Of(CODE) if Some(target) == back => Ok(target),
            Base::Of(base) if is_place && self.state.program.is_at(base, Unit::Bytes, target) => Ok(target),
            Base::Constant
                if is_place && Some(target) != back && self.state.program.placement().is_final() =>
            {
                Ok(target)
            }
            Base::Constant => refused(format!("{} to a number", self.text(i))),
            Base::Of(_) => refused("a program address made from a data address".to_owned()),
            Base::Any => refused(format!("the target of {}", self.text(i))),
        }
    }
}
