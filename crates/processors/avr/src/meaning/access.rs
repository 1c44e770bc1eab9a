//! Pointers, and what they point to in data, program and I/O space.

use super::{n, not_modelled};
use crate::data_space::extension;
use crate::instructions::Op;
use crate::machine::Machine;
use crate::program::{Decoded, direct_base};
use rhomb_machine::{Access, Base, Domain, Fault, Filled, Hidden, Unit, is_section};

/// Low register of a pointer.
#[derive(Clone, Copy)]
pub(super) enum Pointer {
    X = 26,
    Y = 28,
    Z = 30,
}

/// What happens to a pointer around an access.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Step {
    None,
    Increment,
    Decrement,
}

impl<D: Domain> Machine<D> {
    #[inline(always)]
    fn based_pointer(&self, pointer: Pointer) -> Result<(Base, u16), Fault> {
        let low = pointer as usize;
        let words = [&self.state.registers[low], &self.state.registers[low + 1]];
        let address = self.state.domain.address(&words).map(|(base, address)| (base, address as u16));
        address.ok_or_else(|| unknown_pointer(self.state.domain.hidden(&words), pointer))
    }

    /// Where Z points in the program below its first 64 K units, in these units.
    #[inline(always)]
    fn program_pointer(&self, unit: Unit) -> Result<u16, Fault> {
        let (base, address) = self.based_pointer(Pointer::Z)?;
        let byte = match unit {
            Unit::Bytes => u32::from(address),
            Unit::Words => 2 * u32::from(address),
        };
        let what = match base {
            Base::Any => return Ok(address),
            Base::Constant if self.state.program.placement().is_final() => return Ok(address),
            Base::Of(base) if self.state.program.is_at(base, unit, byte) => return Ok(address),
            Base::Constant => "a program address that is a number, in code that is not linked",
            Base::Of(base) if is_section(base) => {
                "a program address outside of its section, or in other units"
            }
            Base::Of(_) => "a program address made from a data address",
        };
        Err(Fault::NotModelled { what: what.to_owned() })
    }

    /// Where IJMP and ICALL go.
    pub(super) fn jump_target(&self) -> Result<u32, Fault> {
        self.program_pointer(Unit::Words).map(u32::from)
    }

    /// That an address has bits above those of Z is known where it is a number.
    fn extended(&self) -> Result<(), Fault> {
        match self.based_pointer(Pointer::Z)? {
            (Base::Any | Base::Constant, _) => Ok(()),
            (Base::Of(_), _) => Err(Fault::NotModelled {
                what: "the upper byte of a program address before linking".to_owned(),
            }),
        }
    }

    /// Adds `by` to a pointer.
    #[inline(always)]
    pub(super) fn move_pointer(&mut self, pointer: Pointer, by: i64) -> Result<(), Fault> {
        let low = pointer as usize;
        let words = [&self.state.registers[low], &self.state.registers[low + 1]];
        let moved = self.state.domain.moved(words, by);
        let [low_byte, high_byte] =
            moved.ok_or_else(|| unknown_pointer(self.state.domain.hidden(&words), pointer))?;
        self.state.registers[low] = low_byte;
        self.state.registers[low + 1] = high_byte;
        Ok(())
    }

    /// The address of an indirect access, and the pointer moved.
    #[inline(always)]
    fn address(&mut self, i: Decoded, named: u8, access: Access) -> Result<u16, Fault> {
        let (pointer, step) = indirect(i.op);
        let (base, value) = self.based_pointer(pointer)?;
        let (address, by) = match step {
            Step::None => {
                let address = value.wrapping_add(i.k as u16);
                self.permit(base, address, access)?;
                return Ok(address);
            }
            Step::Increment => (value, 1),
            Step::Decrement => (value.wrapping_sub(1), -1),
        };
        self.permit(base, address, access)?;
        // 6.66 to 6.68, 6.114 to 6.116: the result is undefined when the register is the pointer's own
        if n(named) & !1 == pointer as usize {
            return Err(not_modelled(i));
        }
        self.move_pointer(pointer, by)?;
        Ok(address)
    }

    /// LDS and STS: an address in the instruction.
    pub(super) fn direct(&mut self, k: i32, access: Access) -> Result<u16, Fault> {
        let placed = direct_base(self.state.program.placement(), self.state.pc.wrapping_mul(2));
        let address = u64::from(k as u16);
        let words = [0, 1].map(|part| match placed {
            Some(base) => self.state.domain.pointer(base, address as i64, address, part),
            None => self.state.domain.word(address >> (8 * part) & 0xff),
        });
        let base = self.state.domain.address(&[&words[0], &words[1]]).map_or(Base::Any, |(base, _)| base);
        self.permit(base, k as u16, access)?;
        Ok(k as u16)
    }

    #[inline(always)]
    pub(super) fn load_indirect(&mut self, i: Decoded) -> Result<(), Fault> {
        let address = self.address(i, i.d, Access::Load)?;
        let word = self.load(address)?;
        self.set(i.d, word);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store_indirect(&mut self, i: Decoded) -> Result<(), Fault> {
        let address = self.address(i, i.r, Access::Store)?;
        self.store(address, self.r(i.r))
    }

    /// LPM and ELPM, to register `number`.
    pub(super) fn load_program(
        &mut self,
        i: Decoded,
        number: u8,
        extended: bool,
        step: Step,
    ) -> Result<(), Fault> {
        if extended {
            self.extended()?;
        }
        let z: u32 = self.program_pointer(Unit::Bytes)?.into();
        let page = if extended { u32::from(extension("RAMPZ", self.state.own.rampz)?) } else { 0 };
        let address = page << 16 | z;
        let outside =
            || Fault::NotModelled { what: format!("byte {address:#07x} of flash, outside the program") };
        let byte = self.state.program.byte(address).ok_or_else(outside)?;
        let filled = self.state.program.placement().filled(address);
        if filled == Some(Filled::Missing) {
            return Err(outside());
        }
        if step == Step::Increment {
            // 6.53, 6.72: undefined
            if number & !1 == Pointer::Z as u8 {
                return Err(not_modelled(i));
            }
            let moved = address + 1;
            if extended {
                let mask = self.state.program.core().rampz.map_or(0, |rampz| u32::from(rampz.mask));
                if moved >> 16 & !mask != 0 {
                    return Err(not_modelled(i));
                }
                self.state.own.rampz = Some((moved >> 16) as u8);
            }
            self.move_pointer(Pointer::Z, 1)?;
        }
        let word = match filled {
            None => self.state.domain.word(byte.into()),
            Some(Filled::Data(part)) => part.word(&mut self.state.domain),
            Some(_) => self.state.domain.placed(byte.into()),
        };
        self.set(number, word);
        Ok(())
    }

    /// Z with EIND in front.
    pub(super) fn extended_z(&self) -> Result<u32, Fault> {
        self.extended()?;
        Ok(u32::from(extension("EIND", self.state.own.eind)?) << 16 | self.jump_target()?)
    }

    #[inline(always)]
    pub(super) fn io_address(&self, i: Decoded) -> u32 {
        self.state.program.core().io_offset + i.k as u32
    }

    pub(super) fn set_io_bit(&mut self, i: Decoded, value: bool) -> Result<(), Fault> {
        let word = self.io_load(self.io_address(i))?;
        let bit = self.state.domain.bit(value);
        let word = self.state.domain.with_bit(&word, i.b.into(), &bit);
        self.io_store(self.io_address(i), word)
    }
}

/// How a load or a store names its address.
#[inline(always)]
fn indirect(op: Op) -> (Pointer, Step) {
    let pointer = match op {
        Op::LdX | Op::LdXInc | Op::LdXDec | Op::StX | Op::StXInc | Op::StXDec => Pointer::X,
        Op::LddY | Op::LdYInc | Op::LdYDec | Op::StdY | Op::StYInc | Op::StYDec => Pointer::Y,
        _ => Pointer::Z,
    };
    let step = match op {
        Op::LdXInc | Op::LdYInc | Op::LdZInc | Op::StXInc | Op::StYInc | Op::StZInc => Step::Increment,
        Op::LdXDec | Op::LdYDec | Op::LdZDec | Op::StXDec | Op::StYDec | Op::StZDec => Step::Decrement,
        _ => Step::None,
    };
    (pointer, step)
}

#[cold]
fn unknown_pointer(hidden: Hidden, pointer: Pointer) -> Fault {
    let name = match pointer {
        Pointer::X => "the address in X",
        Pointer::Y => "the address in Y",
        Pointer::Z => "the address in Z",
    };
    hidden.fault(name.to_owned())
}
