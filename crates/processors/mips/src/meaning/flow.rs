//! Branches and jumps; all of them have a delay slot.

use super::n;
use crate::instructions::{Instruction, Op, RA};
use crate::machine::{Flow, Machine};
use crate::syntax;
use rhomb_machine::{Base, CODE, Domain, Fault, Unit};

/// What a branch compares.
enum Test {
    Equal,
    Negative,
    /// Negative or zero.
    NotPositive,
}

impl<D: Domain> Machine<D> {
    pub(super) fn branch(&mut self, i: Instruction) -> Result<Flow, Fault> {
        if self.state.slot.is_some() {
            // MD00086, every branch: unpredictable
            return Err(Fault::NotModelled { what: format!("{} in a delay slot", self.text(i)) });
        }
        let link = self.state.pc.wrapping_add(8);
        let (test, wanted, likely) = match i.op {
            Op::J => return self.go(self.region_target(i)),
            Op::Jal => {
                self.link(RA, link);
                return self.go(self.region_target(i));
            }
            Op::Jr => return Ok(Flow::To(self.register_target(i)?)),
            Op::Jalr => {
                if i.rs == i.rd {
                    // MD00086, JALR: not restartable, and so undefined
                    return Err(Fault::NotModelled { what: self.text(i) });
                }
                let target = self.register_target(i)?;
                self.link(i.rd, link);
                return Ok(Flow::To(target));
            }
            Op::Beq => (Test::Equal, true, false),
            Op::Bne => (Test::Equal, false, false),
            Op::Beql => (Test::Equal, true, true),
            Op::Bnel => (Test::Equal, false, true),
            Op::Bltz | Op::Bltzal => (Test::Negative, true, false),
            Op::Bgez | Op::Bgezal => (Test::Negative, false, false),
            Op::Bltzl | Op::Bltzall => (Test::Negative, true, true),
            Op::Bgezl | Op::Bgezall => (Test::Negative, false, true),
            Op::Blez => (Test::NotPositive, true, false),
            Op::Bgtz => (Test::NotPositive, false, false),
            Op::Blezl => (Test::NotPositive, true, true),
            Op::Bgtzl => (Test::NotPositive, false, true),
            _ => return Err(Fault::NotModelled { what: self.text(i) }),
        };
        let links = matches!(i.op, Op::Bltzal | Op::Bgezal | Op::Bltzall | Op::Bgezall);
        if links && i.rs == RA {
            // MD00086, BGEZAL: unpredictable
            return Err(Fault::NotModelled { what: self.text(i) });
        }
        let bit = match test {
            Test::Equal => self.equal(&self.r(i.rs), &self.r(i.rt)),
            Test::Negative => self.state.domain.bit_of(&self.state.registers[n(i.rs)], 31),
            Test::NotPositive => {
                let negative = self.state.domain.bit_of(&self.state.registers[n(i.rs)], 31);
                let zero = self.state.domain.is_zero(&self.state.registers[n(i.rs)]);
                self.state.domain.bit_or(&negative, &zero)
            }
        };
        let model = self.state.program.model();
        let what = || format!("the branch {}", syntax::instruction(model, &i));
        let holds = self.state.fork.decide(&self.state.domain, &bit, what)?;
        if links {
            self.link(RA, link);
        }
        if holds == wanted {
            let distance = i.immediate.wrapping_mul(4);
            return self.go(self.state.pc.wrapping_add(4).wrapping_add_signed(distance));
        }
        Ok(if likely { Flow::Nullify } else { Flow::Slot })
    }

    /// J and JAL: within the 256 MB of the delay slot.
    fn region_target(&self, i: Instruction) -> u32 {
        self.state.pc.wrapping_add(4) & 0xf000_0000 | (i.immediate as u32) << 2
    }

    /// To a place in the program: where the caller goes on only a register tells.
    fn go(&self, target: u32) -> Result<Flow, Fault> {
        match self.state.frame {
            Some(frame) if frame.return_address == target => Err(Fault::NoInstruction { address: target }),
            _ => Ok(Flow::To(target)),
        }
    }

    fn link(&mut self, register: u8, address: u32) {
        let base = self.state.program.placement().own_base(self.state.pc, Unit::Bytes);
        let word = self.state.domain.pointer(base, address.into(), address.into(), 0);
        self.set(register, word);
    }

    fn register_target(&self, i: Instruction) -> Result<u32, Fault> {
        let back = self.state.frame.map(|frame| frame.return_address);
        match self.state.domain.address(&[&self.state.registers[n(i.rs)]]) {
            Some((Base::Any, target)) if target % 4 == 0 => Ok(target as u32),
            Some((Base::Of(CODE), target)) if Some(target as u32) == back => Ok(target as u32),
            Some((Base::Of(base), target))
                if target % 4 == 0 && self.state.program.is_at(base, Unit::Bytes, target as u32) =>
            {
                Ok(target as u32)
            }
            Some((Base::Constant, target))
                if target % 4 == 0
                    && Some(target as u32) != back
                    && self.state.program.placement().is_final() =>
            {
                Ok(target as u32)
            }
            Some((Base::Constant, _)) => {
                Err(Fault::NotModelled { what: format!("{} to a number", self.text(i)) })
            }
            Some((Base::Of(_), _)) => {
                Err(Fault::NotModelled { what: "a program address made from a data address".to_owned() })
            }
            Some((Base::Any, _)) => {
                Err(Fault::NotModelled { what: format!("the target of {}", self.text(i)) })
            }
            None => {
                let hidden = self.state.domain.hidden(&[&self.state.registers[n(i.rs)]]);
                Err(hidden.fault(format!("the target of {}", self.text(i))))
            }
        }
    }
}
