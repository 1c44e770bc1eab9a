//! Cells of memory of which parts are undefined, and who may reach a cell.

use super::{InstructionSet, State};
use crate::{Access, Base, Domain, Fault, Hidden, is_section};

impl<I: InstructionSet, D: Domain> State<I, D> {
    /// All bytes of a cell.
    const ALL: u8 = u8::MAX >> (8 - I::UNITS.cell);

    /// The undefined bytes of a cell (bit 0 the lowest).
    pub fn undefined_bytes(&self, cell: u32) -> u8 {
        self.undefined_cells.iter().find(|(at, _)| *at == cell).map_or(0, |(_, bytes)| *bytes)
    }

    /// These bytes of a cell are undefined, and no others.
    pub fn set_undefined_bytes(&mut self, cell: u32, bytes: u8) {
        if !self.undefined_cells.is_empty() {
            self.undefined_cells.retain(|(at, _)| *at != cell);
        }
        if bytes != 0 {
            self.undefined_cells.push((cell, bytes));
        }
    }

    /// Whether some byte of a cell has a value, or had one.
    pub fn is_partly_defined(&self, cell: u32) -> bool {
        self.memory.left(cell).is_some() && self.undefined_bytes(cell) != Self::ALL
    }

    /// Whether every byte of a cell has a value.
    pub fn is_cell_defined(&self, cell: u32) -> bool {
        self.memory.peek(cell).is_some() && self.undefined_bytes(cell) == 0
    }

    /// What a cell holds that nobody has written.
    pub fn supplied(&mut self, cell: u32) -> D::Word {
        let word = self.domain.arbitrary();
        self.memory.supply(cell, word.clone());
        word
    }

    /// A store into the cell of an address, some bytes of which are undefined then.
    ///
    /// # Errors
    /// The cell is not to be written.
    #[inline(always)]
    pub fn store_cell(&mut self, address: u32, word: D::Word, undefined: u8) -> Result<(), Fault> {
        let cell = address / I::UNITS.cell;
        self.memory.store(cell, word).map_err(|fault| fault.at(address))?;
        self.stored = cell..cell + 1;
        self.set_undefined_bytes(cell, undefined);
        Ok(())
    }

    /// What the cell of an address holds, and its undefined bytes, before a store into a part of it.
    pub fn cell_before(&mut self, address: u32) -> (u8, D::Word) {
        let cell = address / I::UNITS.cell;
        if !self.strict {
            return (0, self.memory.load(cell).unwrap_or_else(|_| self.domain.arbitrary()));
        }
        let undefined = if self.memory.peek(cell).is_some() { self.undefined_bytes(cell) } else { Self::ALL };
        (undefined, self.memory.left(cell).cloned().unwrap_or_else(|| self.domain.word(0)))
    }

    /// The fault of an address that is not known: `named` of the registers that it is made of stands in the message.
    #[cold]
    pub fn unknown_address(&mut self, hidden: Hidden, named: u8, registers: &[u8]) -> Fault {
        self.fork.address = registers.to_vec();
        hidden.fault(format!("the address in {}", I::register_name(named)))
    }

    /// Leaves in cells what nobody knows.
    pub(super) fn forget_cells(&mut self, cells: std::ops::Range<u32>) -> Result<(), Fault> {
        if !I::UNDEFINED_CELLS {
            self.memory.give_up(cells);
            return Ok(());
        }
        for cell in cells {
            if self.memory.peek(cell).is_some() {
                let word = self.domain.arbitrary();
                self.memory.fill(cell, &[word])?;
                self.set_undefined_bytes(cell, Self::ALL);
            }
        }
        Ok(())
    }

    /// Whether an address that has this base may reach a cell, as far as that is no code.
    ///
    /// # Errors
    /// It does not point there.
    #[inline(never)]
    pub fn permit_based(&self, base: Base, address: u32, access: Access) -> Result<(), Fault> {
        let wanted = match base {
            Base::Of(base) => Some(base),
            Base::Any | Base::Constant => None,
        };
        let cell = address / I::UNITS.cell;
        // code is no data memory: it is looked up elsewhere
        let is_code = I::LOADS_CODE && access == Access::Load && wanted.is_some_and(is_section);
        if is_code || self.memory.base(cell) == wanted {
            return Ok(());
        }
        let region = self.memory.region_name(cell).unwrap_or("what is no buffer").to_owned();
        Err(Fault::Astray { address, access, region })
    }
}
