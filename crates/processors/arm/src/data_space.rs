//! Data memory: words, and the bytes and halfwords in them; the stack; words of the program as data.

use crate::machine::Machine;
use rhomb_machine::{Access, Base, Domain, Fault, Filled, STACK_ARGUMENTS, Unit, is_section};

/// What a load brings.
pub(crate) struct Loaded<W> {
    pub(crate) word: W,
    /// Not where an undefined register was stored.
    pub(crate) defined: bool,
}

/// The bytes of a whole word.
const ALL: u8 = 0xf;

impl<D: Domain> Machine<D> {
    /// Whether an address of this base may reach the cell. `moved` is where the stack pointer stands after the
    /// instruction, if that moves it.
    #[inline(always)]
    pub(crate) fn permit(
        &mut self,
        base: Base,
        address: u32,
        access: Access,
        moved: Option<u32>,
    ) -> Result<(), Fault> {
        self.state.domain.accesses(address.into());
        if self.state.stack.contains(address / 4) {
            let pointer = self.state.stack.pointer().min(moved.unwrap_or(u32::MAX));
            self.state.stack.permit(pointer, address, access, true)?;
        } else if access == Access::Load && self.is_argument(address, moved) {
            return Err(Fault::stack_argument(address));
        }
        match base {
            Base::Any => Ok(()),
            Base::Constant | Base::Of(_) => self.permit_based(base, address, access),
        }
    }

    /// Whether the caller would give further arguments at an address, which is no place to take words from the stack.
    #[inline(always)]
    fn is_argument(&self, address: u32, moved: Option<u32>) -> bool {
        self.state.frame.is_some_and(|frame| {
            address.wrapping_sub(frame.sp) < STACK_ARGUMENTS && moved.is_none_or(|sp| sp <= frame.sp)
        })
    }

    /// A load of the word that holds a byte address, after it was permitted.
    #[inline(always)]
    pub(crate) fn load(&mut self, base: Base, address: u32) -> Result<Loaded<D::Word>, Fault> {
        let cell = address / 4;
        if is_code(base) {
            return self.load_code(base, address, 4);
        }
        match self.state.memory.load(cell) {
            Ok(word) if self.state.undefined_cells.is_empty() => Ok(Loaded { word, defined: true }),
            Ok(word) => match self.undefined_bytes(cell) {
                0 => Ok(Loaded { word, defined: true }),
                ALL => Ok(Loaded { word, defined: !self.is_strict() }),
                _ => Err(Fault::Uninitialised { address }),
            },
            Err(fault) => self.load_elsewhere(base, address, fault),
        }
    }

    /// Not in memory: in the program, or the fault that memory reported.
    #[cold]
    #[inline(never)]
    fn load_elsewhere(&mut self, base: Base, address: u32, fault: Fault) -> Result<Loaded<D::Word>, Fault> {
        match fault {
            Fault::NotOwned { .. }
                if (base == Base::Any
                    || base == Base::Constant && self.state.program.placement().is_final())
                    && self.state.program.word(address & !1).is_some() =>
            {
                self.load_code(base, address, 1)
            }
            Fault::Uninitialised { .. } if !self.is_strict() => {
                Ok(Loaded { word: self.supplied(address / 4), defined: true })
            }
            fault => Err(fault.at(address)),
        }
    }

    /// The word of the program with the `bytes` bytes at an address.
    #[inline(never)]
    fn load_code(&mut self, base: Base, address: u32, bytes: u32) -> Result<Loaded<D::Word>, Fault> {
        let place = address & !3;
        let outside = || Fault::NotOwned { address, access: Access::Load };
        let placement = self.state.program.placement();
        let own = placement.base(address, Unit::Bytes).ok_or_else(outside)?;
        let end = placement.base(address.wrapping_add(bytes - 1), Unit::Bytes);
        if end != Some(own) || matches!(base, Base::Of(base) if base != own) {
            return Err(outside());
        }
        let half = |address: u32| self.state.program.word(address & !1);
        if (0..bytes).any(|byte| half(address.wrapping_add(byte)).is_none()) {
            return Err(outside());
        }
        let [low, high] = [place, place.wrapping_add(2)].map(|half_at| u32::from(half(half_at).unwrap_or(0)));
        let word = high << 16 | low;
        let filled = |byte: &u32| self.state.program.placement().filled(place.wrapping_add(*byte));
        let word = match filled(&0) {
            Some(Filled::Data(address)) => address.word(&mut self.state.domain),
            _ if (0..4).any(|byte| filled(&byte) == Some(Filled::Missing)) => return Err(outside()),
            _ if (0..4).any(|byte| filled(&byte).is_some()) => self.state.domain.placed(word.into()),
            _ => self.state.domain.word(word.into()),
        };
        Ok(Loaded { word, defined: true })
    }

    /// A load of the `bytes` bytes at an address inside a word, with zeros above.
    pub(crate) fn load_part(&mut self, base: Base, address: u32, bytes: u32) -> Result<D::Word, Fault> {
        let (cell, mask) = (address / 4, part_mask(address, bytes));
        let undefined = self.undefined_bytes(cell);
        let word = if is_code(base) {
            self.load_code(base, address, bytes)?.word
        } else if undefined == 0 {
            self.load(base, address)?.word
        } else if undefined & mask == 0 {
            self.state.memory.load(cell).map_err(|fault| fault.at(address))?
        } else if undefined == ALL && self.is_strict() {
            return Err(undefined_cell(address));
        } else if undefined == ALL {
            self.state.memory.load(cell).map_err(|fault| fault.at(address))?
        } else {
            return Err(Fault::Uninitialised { address });
        };
        Ok(self.part(&word, address % 4, bytes))
    }

    /// The `bytes` bytes from byte `first` of a word, with zeros above.
    fn part(&mut self, word: &D::Word, first: u32, bytes: u32) -> D::Word {
        let (_, word) = self.state.domain.split(word, 8 * first);
        self.state.domain.split(&word, 8 * bytes).0
    }

    /// A store of a whole word, after it was permitted; the word may be undefined.
    #[inline(always)]
    pub(crate) fn store(&mut self, address: u32, value: D::Word, defined: bool) -> Result<(), Fault> {
        let cell = address / 4;
        if !defined && !self.state.stack.contains(cell) {
            return Err(Fault::Undefined {
                what: format!("a register, stored to data address {address:#06x}"),
            });
        }
        self.store_cell(address, value, if defined { 0 } else { ALL })
    }

    /// A store of the low bytes of a word at an address inside a word.
    pub(crate) fn store_part(&mut self, address: u32, value: &D::Word, bytes: u32) -> Result<(), Fault> {
        let first = address % 4;
        let (undefined, old) = self.cell_before(address);
        let d = &mut self.state.domain;
        let none = d.bit(false);
        // below, the part, and above
        let (mut word, rest) = d.split(&old, 8 * first);
        let (_, above) = d.split(&rest, 8 * bytes);
        let (part, _) = d.split(value, 8 * bytes);
        for (part, places) in [(part, 8 * first), (above, 8 * (first + bytes))] {
            let (part, _) = d.shift_left(&part, places);
            (word, _) = d.add(&word, &part, &none);
        }
        self.store_cell(address, word, undefined & !part_mask(address, bytes))
    }
}

/// Whether an address is that of something in the program.
fn is_code(base: Base) -> bool {
    matches!(base, Base::Of(base) if is_section(base))
}

fn part_mask(address: u32, bytes: u32) -> u8 {
    (ALL >> (4 - bytes)) << (address % 4)
}

#[cold]
fn undefined_cell(address: u32) -> Fault {
    Fault::Undefined { what: format!("data address {address:#06x}, where an undefined register was stored") }
}
