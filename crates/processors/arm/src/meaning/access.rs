//! Loads and stores of one register (DDI 0100, A5.2, A5.3).

use super::{n, not_modelled};
use crate::instructions::{Address, Indexing, Offset, PC, SP, Size};
use crate::machine::Machine;
use crate::program::Decoded;
use rhomb_machine::{Access, Base, Domain, Fault, Hidden};

/// Where an access goes.
struct EffectiveAddress<W> {
    base: Base,
    address: u32,
    /// What the base register holds afterwards, if that changes, with the address that it is.
    moved: Option<(W, u32)>,
}

impl<W> EffectiveAddress<W> {
    /// Where the stack pointer stands afterwards, if the access moves it.
    fn moved_stack(&self, rn: u8) -> Option<u32> {
        self.moved.as_ref().filter(|_| rn == SP).map(|(_, address)| *address)
    }
}

impl<D: Domain> Machine<D> {
    /// The address of a transfer.
    #[inline(always)]
    fn place(&mut self, one: Decoded, wanted: &Address) -> Result<EffectiveAddress<D::Word>, Fault> {
        let by = match wanted.offset {
            Offset::Immediate(number) => Some(i64::from(number)),
            Offset::Register { .. } | Offset::Rrx { .. } => {
                let offset = self.offset(wanted.offset);
                self.state.domain.known_word(&offset).map(|offset| i64::from(offset as u32 as i32))
            }
        };
        let base = self.state.domain.address(&[&self.state.registers[n(wanted.rn)]]);
        let (Some(by), Some((base, start))) = (by, base) else {
            return self.place_by_sum(wanted);
        };
        let by = if wanted.up { by } else { -by };
        let target = (start as u32).wrapping_add(by as u32);
        let address =
            if let Indexing::After | Indexing::AfterAsUser = wanted.indexing { start as u32 } else { target };
        let moved = match wanted.indexing {
            Indexing::Offset => None,
            Indexing::Before | Indexing::After => {
                let moved = self.state.domain.moved([&self.state.registers[n(wanted.rn)]], by);
                moved.map(|[word]| (word, target))
            }
            Indexing::AfterAsUser => return Err(not_modelled(one, "an access as another mode")),
        };
        Ok(EffectiveAddress { base, address, moved })
    }

    /// The same where the offset may be the address, and the base the distance.
    #[inline(never)]
    fn place_by_sum(&mut self, wanted: &Address) -> Result<EffectiveAddress<D::Word>, Fault> {
        if wanted.indexing != Indexing::Offset || !wanted.up {
            let offset = self.offset(wanted.offset);
            let hidden = self.state.domain.hidden(&[&self.state.registers[n(wanted.rn)], &offset]);
            return Err(self.unknown_address(hidden, wanted));
        }
        let offset = self.offset(wanted.offset);
        let none = self.state.domain.bit(false);
        let (sum, _) = self.state.domain.add(&self.state.registers[n(wanted.rn)], &offset, &none);
        let Some((base, address)) = self.state.domain.address(&[&sum]) else {
            let hidden = self.state.domain.hidden(&[&sum]);
            return Err(self.unknown_address(hidden, wanted));
        };
        Ok(EffectiveAddress { base, address: address as u32, moved: None })
    }

    #[cold]
    fn unknown_address(&mut self, hidden: Hidden, wanted: &Address) -> Fault {
        let offset = match wanted.offset {
            Offset::Register { rm, .. } | Offset::Rrx { rm } => Some(rm),
            Offset::Immediate(_) => None,
        };
        let registers: Vec<u8> = [wanted.rn].into_iter().chain(offset).collect();
        self.state.unknown_address(hidden, wanted.rn, &registers)
    }

    #[inline(always)]
    pub(super) fn load_register(
        &mut self,
        one: Decoded,
        size: Size,
        rd: u8,
        wanted: &Address,
    ) -> Result<(), Fault> {
        let place = self.place(one, wanted)?;
        self.permit(place.base, place.address, Access::Load, place.moved_stack(wanted.rn))?;
        if size == Size::Word {
            // the word would come rotated (A4.1.23)
            if !place.address.is_multiple_of(4) {
                return Err(unaligned(place.address, Access::Load));
            }
            let loaded = self.load(place.base, place.address)?;
            if !loaded.defined {
                if rd == PC {
                    return Err(Fault::Undefined { what: "the address to jump to".to_owned() });
                }
                self.state.defined &= !(1 << rd);
            }
            self.set(rd, loaded.word);
        } else {
            let (bytes, signed) = match size {
                Size::Byte | Size::Word => (1, false),
                Size::Half => (2, false),
                Size::SignedByte => (1, true),
                Size::SignedHalf => (2, true),
            };
            if !place.address.is_multiple_of(bytes) {
                return Err(unaligned(place.address, Access::Load));
            }
            let mut word = self.load_part(place.base, place.address, bytes)?;
            if signed {
                let d = &mut self.state.domain;
                let (sign, zero, none) = (d.bit_of(&word, 8 * bytes - 1), d.word(0), d.bit(false));
                let ones = d.word(u64::from(u32::MAX << (8 * bytes)));
                let above = d.select(&sign, &ones, &zero);
                (word, _) = d.add(&word, &above, &none);
            }
            self.set(rd, word);
        }
        if let Some((word, _)) = place.moved {
            self.set(wanted.rn, word);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store_register(
        &mut self,
        one: Decoded,
        size: Size,
        rd: u8,
        wanted: &Address,
    ) -> Result<(), Fault> {
        if rd == PC {
            return Err(not_modelled(one, "what is stored is for the implementation to define"));
        }
        let place = self.place(one, wanted)?;
        self.permit(place.base, place.address, Access::Store, place.moved_stack(wanted.rn))?;
        if size == Size::Word {
            if !place.address.is_multiple_of(4) {
                return Err(unaligned(place.address, Access::Store));
            }
            let defined = !self.is_strict() || self.is_defined(rd);
            self.store(place.address, self.r(rd), defined)?;
        } else {
            let bytes = if let Size::Half | Size::SignedHalf = size { 2 } else { 1 };
            if !place.address.is_multiple_of(bytes) {
                return Err(unaligned(place.address, Access::Store));
            }
            let word = self.r(rd);
            self.store_part(place.address, &word, bytes)?;
        }
        if let Some((word, _)) = place.moved {
            self.set(wanted.rn, word);
        }
        Ok(())
    }

    /// Words of several registers: LDRD and STRD, VLDR and VSTR.
    pub(super) fn transfer_several(
        &mut self,
        one: Decoded,
        load: bool,
        registers: &[u8],
        wanted: &Address,
    ) -> Result<(), Fault> {
        let place = self.place(one, wanted)?;
        let access = if load { Access::Load } else { Access::Store };
        if !place.address.is_multiple_of(4) {
            return Err(unaligned(place.address, access));
        }
        let mut words = Vec::new();
        for (register, address) in registers.iter().copied().zip((place.address..).step_by(4)) {
            self.permit(place.base, address, access, place.moved_stack(wanted.rn))?;
            if load {
                words.push((register, self.load(place.base, address)?));
            } else {
                let defined = !self.is_strict() || self.is_defined(register);
                self.store(address, self.state.registers[usize::from(register)].clone(), defined)?;
            }
        }
        if !load {
            self.state.stored = place.address / 4..place.address / 4 + registers.len() as u32;
        }
        for (register, loaded) in words {
            if !loaded.defined {
                self.state.defined &= !(1 << register);
            }
            self.state.registers[usize::from(register)] = loaded.word;
        }
        if let Some((word, _)) = place.moved {
            self.set(wanted.rn, word);
        }
        Ok(())
    }

    /// SWP and SWPB.
    pub(super) fn swap(&mut self, one: Decoded, byte: bool, rd: u8, rm: u8, rn: u8) -> Result<(), Fault> {
        let wanted = Address { rn, up: true, offset: Offset::Immediate(0), indexing: Indexing::Offset };
        let place = self.place(one, &wanted)?;
        self.permit(place.base, place.address, Access::Store, None)?;
        let new = self.r(rm);
        if byte {
            let old = self.load_part(place.base, place.address, 1)?;
            self.store_part(place.address, &new, 1)?;
            self.set(rd, old);
            return Ok(());
        }
        if !place.address.is_multiple_of(4) {
            return Err(unaligned(place.address, Access::Store));
        }
        let old = self.load(place.base, place.address)?;
        self.store(place.address, new, true)?;
        if !old.defined {
            self.state.defined &= !(1 << rd);
        }
        self.set(rd, old.word);
        Ok(())
    }
}

#[cold]
pub(super) fn unaligned(address: u32, access: Access) -> Fault {
    Fault::NotModelled { what: format!("{access} of data address {address:#06x}, which is not aligned") }
}
