//! Loads and stores of several registers (DDI 0100, A4.1.20, A4.1.97, A5.4).

use super::access::unaligned;
use super::{n, not_modelled};
use crate::instructions::{BlockMode, PC, SP};
use crate::machine::Machine;
use crate::program::Decoded;
use rhomb_machine::{Access, Base, Domain, Fault};

/// Where a block lies, and where its base goes.
struct Span<W> {
    base: Base,
    /// Of the lowest register.
    address: u32,
    moved: Option<(W, u32)>,
}

impl<D: Domain> Machine<D> {
    #[inline(always)]
    fn span(
        &mut self,
        rn: u8,
        write_back: bool,
        mode: BlockMode,
        registers: u64,
        access: Access,
    ) -> Result<Span<D::Word>, Fault> {
        let base = self.state.domain.address(&[&self.state.registers[n(rn)]]);
        let Some((base, start)) = base else {
            let hidden = self.state.domain.hidden(&[&self.state.registers[n(rn)]]);
            return Err(self.state.unknown_address(hidden, rn, &[rn]));
        };
        let start = start as u32;
        if !start.is_multiple_of(4) {
            return Err(unaligned(start, access));
        }
        let bytes = 4 * registers.count_ones();
        let (address, by) = match mode {
            BlockMode::Ia => (start, i64::from(bytes)),
            BlockMode::Ib => (start.wrapping_add(4), i64::from(bytes)),
            BlockMode::Da => (start.wrapping_sub(bytes).wrapping_add(4), -i64::from(bytes)),
            BlockMode::Db => (start.wrapping_sub(bytes), -i64::from(bytes)),
        };
        let moved = match write_back {
            true => self.state.domain.moved([&self.state.registers[n(rn)]], by),
            false => None,
        };
        Ok(Span { base, address, moved: moved.map(|[word]| (word, start.wrapping_add(by as u32))) })
    }

    #[inline(always)]
    pub(super) fn load_block(
        &mut self,
        rn: u8,
        write_back: bool,
        mode: BlockMode,
        registers: u64,
    ) -> Result<(), Fault> {
        let span = self.span(rn, write_back, mode, registers, Access::Load)?;
        let stack = span.moved.as_ref().filter(|_| rn == SP).map(|(_, address)| *address);
        let (mut address, mut left) = (span.address, registers);
        // the base itself may be loaded: its old value counts until the end
        let mut loaded_base = None;
        while left != 0 {
            let number = left.trailing_zeros() as u8;
            left &= left - 1;
            self.permit(span.base, address, Access::Load, stack)?;
            let loaded = self.load(span.base, address)?;
            if !loaded.defined {
                if number == PC {
                    return Err(Fault::Undefined { what: "the address to jump to".to_owned() });
                }
                self.state.defined &= !(1 << number);
            }
            if number == rn {
                loaded_base = Some(loaded.word);
            } else {
                self.state.registers[usize::from(number)] = loaded.word;
            }
            address = address.wrapping_add(4);
        }
        if let Some(word) = loaded_base.or(span.moved.map(|(word, _)| word)) {
            self.set(rn, word);
        }
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store_block(
        &mut self,
        one: Decoded,
        rn: u8,
        write_back: bool,
        mode: BlockMode,
        registers: u64,
    ) -> Result<(), Fault> {
        if registers >> PC & 1 != 0 {
            return Err(not_modelled(one, "what is stored is for the implementation to define"));
        }
        let span = self.span(rn, write_back, mode, registers, Access::Store)?;
        let stack = span.moved.as_ref().filter(|_| rn == SP).map(|(_, address)| *address);
        let (mut address, mut left) = (span.address, registers);
        while left != 0 {
            let number = left.trailing_zeros() as u8;
            left &= left - 1;
            self.permit(span.base, address, Access::Store, stack)?;
            let defined = !self.is_strict() || self.is_defined(number);
            self.store(address, self.state.registers[usize::from(number)].clone(), defined)?;
            address = address.wrapping_add(4);
        }
        self.state.stored = span.address / 4..address / 4;
        if let Some((word, _)) = span.moved {
            self.set(rn, word);
        }
        Ok(())
    }
}
