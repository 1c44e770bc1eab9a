//! Loads and stores of a processor whose cells are words of 32 bits, little-endian, by a register and an offset: words, and
//! the bytes in them.

use super::{InstructionSet, State};
use crate::{Access, Base, Domain, Fault, STACK_ARGUMENTS, words};

/// The bytes of a whole word.
const ALL: u8 = 0xf;

/// So many bytes of a word (bit 0 the lowest), from the one at an address on.
pub fn part_mask(address: u32, bytes: u32) -> u8 {
    (ALL >> (4 - bytes)) << (address % 4)
}

/// The number of a register as an index; the mask is for the compiler.
#[inline(always)]
pub(super) fn n(number: u8) -> usize {
    usize::from(number & 31)
}

impl<I: InstructionSet, D: Domain> State<I, D> {
    #[inline(always)]
    fn put(&mut self, register: u8, word: D::Word) {
        if I::DEFINED >> register & 1 == 0 {
            self.registers.as_mut()[n(register)] = word;
        }
    }

    /// The byte address of an access by a register and an offset, permitted; `text` gives the instruction.
    ///
    /// # Errors
    /// Why it is not.
    #[inline(always)]
    pub fn byte_address(
        &mut self,
        (register, offset): (u8, i32),
        access: Access,
        alignment: u32,
        text: impl Fn(&I::Program) -> String,
    ) -> Result<u32, Fault> {
        let base = &self.registers.as_ref()[n(register)];
        let found = if offset == 0 {
            self.domain.address(&[base])
        } else {
            let moved = self.domain.moved([base], offset.into());
            moved.and_then(|[word]| self.domain.address(&[&word]))
        };
        let Some(found) = found else {
            let hidden = self.domain.hidden(&[base]);
            return Err(self.unknown_address(hidden, register, &[register]));
        };
        self.permitted(found, access, alignment, text)
    }

    /// The byte address of an access, if it is permitted.
    #[inline(always)]
    fn permitted(
        &mut self,
        (base, address): (Base, u64),
        access: Access,
        alignment: u32,
        text: impl Fn(&I::Program) -> String,
    ) -> Result<u32, Fault> {
        let address = address as u32;
        self.domain.accesses(address.into());
        if !address.is_multiple_of(alignment) {
            let what = format!("{} of address {address:#010x}, which is not aligned", text(&self.program));
            return Err(Fault::NotModelled { what });
        }
        if self.stack.contains(address / 4) {
            // nothing below the stack pointer is a routine's
            self.stack.permit(self.stack.pointer(), address, access, true)?;
        } else if access == Access::Load && self.is_argument(address) {
            return Err(Fault::stack_argument(address));
        }
        match base {
            Base::Any => {}
            Base::Constant | Base::Of(_) => self.permit_based(base, address, access)?,
        }
        Ok(address)
    }

    /// Whether the caller would give further arguments at an address: above the stack, whose top is the home of the
    /// registers' arguments, where they have one.
    #[inline(always)]
    fn is_argument(&self, address: u32) -> bool {
        self.frame.is_some() && address.wrapping_sub(4 * self.stack.cells().end) < STACK_ARGUMENTS
    }

    /// Loads a word into a register; the answer is its address.
    ///
    /// # Errors
    /// It is not to be read.
    #[inline(always)]
    pub fn load_word(
        &mut self,
        to: u8,
        place: (u8, i32),
        text: impl Fn(&I::Program) -> String,
    ) -> Result<u32, Fault> {
        let address = match self.byte_address(place, Access::Load, 4, &text) {
            Err(Fault::Secret { what }) => {
                let (address, word) = self.looked_up(place, text)?.ok_or(Fault::Secret { what })?;
                self.fork.address.clear();
                self.put(to, word);
                return Ok(address);
            }
            found => found?,
        };
        let word = self.cell_at(address)?;
        if !self.undefined_cells.is_empty() {
            match self.undefined_bytes(address / 4) {
                0 => {}
                ALL => self.defined &= !(1 << to) | I::DEFINED,
                _ => return Err(Fault::Uninitialised { address }),
            }
        }
        self.put(to, word);
        Ok(address)
    }

    /// The word of the cell at an address.
    #[inline(always)]
    fn cell_at(&mut self, address: u32) -> Result<D::Word, Fault> {
        self.memory.load(address / 4).or_else(|fault| self.cell_elsewhere(address, fault))
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
    fn looked_up(
        &mut self,
        (register, offset): (u8, i32),
        text: impl Fn(&I::Program) -> String,
    ) -> Result<Option<(u32, D::Word)>, Fault> {
        let base = self.registers.as_ref()[n(register)].clone();
        let Some([word]) = self.domain.moved([&base], offset.into()) else { return Ok(None) };
        let Some((bits, addresses)) = self.domain.cases(&word) else { return Ok(None) };
        let (mut values, mut last) = (Vec::with_capacity(addresses.len()), 0);
        for address in &addresses {
            let Some(found) = self.domain.address(&[address]) else { return Ok(None) };
            last = self.permitted(found, Access::Load, 4, &text)?;
            values.push(self.word_with(last, ALL)?);
        }
        Ok(self.domain.chosen(&bits, &values).map(|word| (last, word)))
    }

    /// The word of the cell at an address, whose bytes in the mask must be defined.
    ///
    /// # Errors
    /// They are not, or it is not to be read.
    pub fn word_with(&mut self, address: u32, mask: u8) -> Result<D::Word, Fault> {
        let word = self.cell_at(address)?;
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

    /// Loads one or two bytes into a register, with or without a sign; the answer is their address.
    ///
    /// # Errors
    /// They are not to be read.
    pub fn load_part(
        &mut self,
        to: u8,
        place: (u8, i32),
        (bytes, signed): (u32, bool),
        text: impl Fn(&I::Program) -> String,
    ) -> Result<u32, Fault> {
        let address = self.byte_address(place, Access::Load, bytes, text)?;
        let word = self.word_with(address, part_mask(address, bytes))?;
        let (_, above) = self.domain.split(&word, 8 * (address % 4));
        let (mut part, _) = self.domain.split(&above, 8 * bytes);
        if signed {
            part = words::extend_sign(&mut self.domain, &[part], 8 * bytes).remove(0);
        }
        self.put(to, part);
        Ok(address)
    }

    /// Stores a register's word; the answer is its address.
    ///
    /// # Errors
    /// It is not to be written, or has no value and would leave the stack.
    #[inline(always)]
    pub fn store_word(
        &mut self,
        from: u8,
        place: (u8, i32),
        text: impl Fn(&I::Program) -> String,
    ) -> Result<u32, Fault> {
        let address = self.byte_address(place, Access::Store, 4, text)?;
        let defined = self.is_defined(from) || !self.is_strict();
        if !defined && !self.stack.contains(address / 4) {
            return Err(Fault::Undefined { what: I::register_name(from) });
        }
        let word = self.registers.as_ref()[n(from)].clone();
        self.store_cell(address, word, if defined { 0 } else { ALL })?;
        Ok(address)
    }

    /// Replaces `bytes` bytes from byte `first` of the cell at an address on by the low ones of a word.
    ///
    /// # Errors
    /// They are not to be written.
    pub fn replace(&mut self, address: u32, value: &D::Word, first: u32, bytes: u32) -> Result<(), Fault> {
        let (undefined, old) = self.cell_before(address);
        let (part, _) = self.domain.split(value, 8 * bytes);
        let (part, _) = self.domain.shift_left(&part, 8 * first);
        let (below, _) = self.domain.split(&old, 8 * first);
        let (_, above) = self.domain.split(&old, 8 * (first + bytes));
        let (above, _) = self.domain.shift_left(&above, 8 * (first + bytes));
        let word = words::join(&mut self.domain, &below, &part);
        let word = words::join(&mut self.domain, &word, &above);
        self.store_cell(address, word, undefined & !part_mask(first, bytes))
    }

    /// Stores a register's low bytes, one or two; the answer is their address.
    ///
    /// # Errors
    /// They are not to be written.
    pub fn store_part(
        &mut self,
        from: u8,
        place: (u8, i32),
        bytes: u32,
        text: impl Fn(&I::Program) -> String,
    ) -> Result<u32, Fault> {
        let address = self.byte_address(place, Access::Store, bytes, text)?;
        let word = self.registers.as_ref()[n(from)].clone();
        self.replace(address, &word, address % 4, bytes)?;
        Ok(address)
    }
}
