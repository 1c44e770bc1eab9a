//! Branches and jumps; all of them have a delay slot.

use super::{Flow, n};
use crate::instructions::{Instruction, Op, RA};
use crate::machine::Machine;
use rhomb_machine::{Base, CODE, Domain, Fault};

/// What a branch compares.
enum Test {
    Equal,
    Negative,
    /// Negative or zero.
    NotPositive,
}

impl<D: Domain> Machine<D> {
    pub(super) fn branch(&mut self, i: Instruction) -> Result<Flow, Fault> {
        if self.in_slot {
            // MD00086, every branch: unpredictable
            return Err(Fault::NotModelled { what: format!("{} in a delay slot", self.text(i)) });
        }
        let link = self.pc.wrapping_add(8);
        let (test, wanted, likely) = match i.op {
            Op::J => return Ok(Flow::To(self.region_target(i))),
            Op::Jal => {
                self.link(RA, link);
                return Ok(Flow::To(self.region_target(i)));
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
            Test::Negative => self.domain.bit_of(&self.registers[n(i.rs)], 31),
            Test::NotPositive => {
                let negative = self.domain.bit_of(&self.registers[n(i.rs)], 31);
                let zero = self.domain.is_zero(&self.registers[n(i.rs)]);
                self.domain.bit_or(&negative, &zero)
            }
        };
        let Some(holds) = self.domain.known_bit(&bit).or_else(|| self.forced.take()) else {
            self.condition = Some(bit);
            return Err(Fault::Secret { what: format!("the branch {}", self.text(i)) });
        };
        if links {
            self.link(RA, link);
        }
        if holds == wanted {
            let distance = i.immediate.wrapping_mul(4);
            return Ok(Flow::To(self.pc.wrapping_add(4).wrapping_add_signed(distance)));
        }
        Ok(if likely { Flow::Nullify } else { Flow::Slot })
    }

    /// J and JAL: within the 256 MB of the delay slot.
    fn region_target(&self, i: Instruction) -> u32 {
        self.pc.wrapping_add(4) & 0xf000_0000 | (i.immediate as u32) << 2
    }

    fn link(&mut self, register: u8, address: u32) {
        let word = self.domain.pointer(CODE, address.into(), address.into(), 0);
        self.set(register, word);
    }

    fn register_target(&self, i: Instruction) -> Result<u32, Fault> {
        match self.domain.address(&[&self.registers[n(i.rs)]]) {
            Some((Base::Any | Base::Of(CODE) | Base::Constant, target)) if target % 4 == 0 => {
                Ok(target as u32)
            }
            Some((Base::Of(_), _)) => {
                Err(Fault::NotModelled { what: "a program address made from a data address".to_owned() })
            }
            Some(_) => Err(Fault::NotModelled { what: format!("the target of {}", self.text(i)) }),
            None => Err(Fault::Secret { what: format!("the target of {}", self.text(i)) }),
        }
    }
}
