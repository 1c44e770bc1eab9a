//! Loads and stores: words, and the bytes in them; the stack. Bytes are in little-endian order.

use super::n;
use crate::instructions::Instruction;
use crate::machine::Machine;
use crate::syntax::name;
use rhomb_machine::words;
use rhomb_machine::{Access, Base, Domain, Fault, STACK_ARGUMENTS};

/// The bytes of a whole word.
const ALL: u8 = 0xf;

impl<D: Domain> Machine<D> {
    /// The byte address of an access, permitted.
    #[inline(always)]
    fn address(&mut self, i: Instruction, access: Access, alignment: u32) -> Result<u32, Fault> {
        let base = &self.state.registers[n(i.rs1)];
        let found = if i.immediate == 0 {
            self.state.domain.address(&[base])
        } else {
            let moved = self.state.domain.moved([base], i.immediate.into());
            moved.and_then(|[word]| self.state.domain.address(&[&word]))
        };
        let Some(found) = found else {
            return Err(self.state.domain.hidden(&[base]).fault(format!("the address in {}", name(i.rs1))));
        };
        self.permitted(i, found, access, alignment)
    }

    /// The byte address of an access, if it is permitted.
    #[inline(always)]
    fn permitted(
        &mut self,
        i: Instruction,
        (base, address): (Base, u64),
        access: Access,
        alignment: u32,
    ) -> Result<u32, Fault> {
        let address = address as u32;
        self.state.domain.accesses(address.into());
        self.state.own.bytes = (address / 4, part_mask(address, alignment));
        if !address.is_multiple_of(alignment) {
            let what = format!("{} of address {address:#010x}, which is not aligned", self.text(i));
            return Err(Fault::NotModelled { what });
        }
        if self.state.stack.contains(address / 4) {
            // ilp32 leaves nothing below the stack pointer to a routine
            self.state.stack.permit(self.state.stack.pointer(), address, access, true)?;
        } else if access == Access::Load && self.is_argument(address) {
            return Err(Fault::stack_argument(address));
        }
        match base {
            Base::Any => {}
            Base::Constant | Base::Of(_) => self.permit_based(base, address, access)?,
        }
        Ok(address)
    }

    /// Whether the caller would give further arguments at an address: above the stack.
    #[inline(always)]
    fn is_argument(&self, address: u32) -> bool {
        self.state.frame.is_some() && address.wrapping_sub(4 * self.state.stack.cells().end) < STACK_ARGUMENTS
    }

    #[inline(always)]
    pub(super) fn load_word(&mut self, i: Instruction) -> Result<(), Fault> {
        let address = match self.address(i, Access::Load, 4) {
            Err(Fault::Secret { what }) => {
                let word = self.looked_up(i)?.ok_or(Fault::Secret { what })?;
                self.set(i.rd, word);
                return Ok(());
            }
            found => found?,
        };
        let cell = address / 4;
        let word = self.cell(address)?;
        if !self.state.undefined_cells.is_empty() {
            match self.undefined_bytes(cell) {
                0 => {}
                ALL if i.rd != 0 => self.state.defined &= !(1 << i.rd),
                ALL => {}
                _ => return Err(Fault::Uninitialised { address }),
            }
        }
        self.set(i.rd, word);
        Ok(())
    }

    /// The word of the cell at an address.
    #[inline(always)]
    fn cell(&mut self, address: u32) -> Result<D::Word, Fault> {
        self.state.memory.load(address / 4).or_else(|fault| self.cell_elsewhere(address, fault))
    }

    /// Not in memory.
    #[cold]
    fn cell_elsewhere(&mut self, address: u32, fault: Fault) -> Result<D::Word, Fault> {
        match fault {
            Fault::Uninitialised { .. } if !self.is_strict() => Ok(self.supplied(address / 4)),
            fault => Err(fault.at(address)),
        }
    }

    /// The word at an address that is one of a few, in a domain that can say which: all of them are accessed.
    #[cold]
    fn looked_up(&mut self, i: Instruction) -> Result<Option<D::Word>, Fault> {
        let base = self.r(i.rs1);
        let Some([word]) = self.state.domain.moved([&base], i.immediate.into()) else { return Ok(None) };
        let Some((bits, addresses)) = self.state.domain.cases(&word) else { return Ok(None) };
        let mut values = Vec::with_capacity(addresses.len());
        for address in &addresses {
            let Some(found) = self.state.domain.address(&[address]) else { return Ok(None) };
            let address = self.permitted(i, found, Access::Load, 4)?;
            values.push(self.word_with(address, ALL)?);
        }
        Ok(self.state.domain.chosen(&bits, &values))
    }

    /// The word of a cell, whose bytes in the mask must be defined.
    fn word_with(&mut self, address: u32, mask: u8) -> Result<D::Word, Fault> {
        let word = self.cell(address)?;
        let undefined = self.undefined_bytes(address / 4);
        if undefined == ALL && self.is_strict() {
            let what = format!("data address {address:#06x}, where an undefined register was stored");
            return Err(Fault::Undefined { what });
        }
        if undefined != ALL && undefined & mask != 0 {
            return Err(Fault::Uninitialised { address });
        }
        Ok(word)
    }

    /// LB, LBU, LH, LHU.
    pub(super) fn load_part(&mut self, i: Instruction, bytes: u32, signed: bool) -> Result<(), Fault> {
        let address = self.address(i, Access::Load, bytes)?;
        let word = self.word_with(address, part_mask(address, bytes))?;
        let (_, above) = self.state.domain.split(&word, 8 * (address % 4));
        let (mut part, _) = self.state.domain.split(&above, 8 * bytes);
        if signed {
            part = words::extend_sign(&mut self.state.domain, &[part], 8 * bytes).remove(0);
        }
        self.set(i.rd, part);
        Ok(())
    }

    #[inline(always)]
    pub(super) fn store_word(&mut self, i: Instruction) -> Result<(), Fault> {
        let address = self.address(i, Access::Store, 4)?;
        let cell = address / 4;
        let defined = self.is_defined(i.rs2) || !self.is_strict();
        if !defined && !self.state.stack.contains(cell) {
            return Err(Fault::Undefined { what: name(i.rs2).to_owned() });
        }
        let word = self.r(i.rs2);
        self.store_cell(address, word, if defined { 0 } else { ALL })
    }

    /// Replaces `bytes` bytes from byte `first` of a cell on by the low ones of a word.
    fn replace(&mut self, address: u32, value: &D::Word, first: u32, bytes: u32) -> Result<(), Fault> {
        let (undefined, old) = self.cell_before(address);
        let (part, _) = self.state.domain.split(value, 8 * bytes);
        let (part, _) = self.state.domain.shift_left(&part, 8 * first);
        let (below, _) = self.state.domain.split(&old, 8 * first);
        let (_, above) = self.state.domain.split(&old, 8 * (first + bytes));
        let (above, _) = self.state.domain.shift_left(&above, 8 * (first + bytes));
        let word = words::join(&mut self.state.domain, &below, &part);
        let word = words::join(&mut self.state.domain, &word, &above);
        self.store_cell(address, word, undefined & !part_mask(first, bytes))
    }

    /// SB and SH.
    pub(super) fn store_low(&mut self, i: Instruction, bytes: u32) -> Result<(), Fault> {
        let address = self.address(i, Access::Store, bytes)?;
        self.replace(address, &self.r(i.rs2), address % 4, bytes)
    }
}

fn part_mask(address: u32, bytes: u32) -> u8 {
    (ALL >> (4 - bytes)) << (address % 4)
}
