use crate::{Access, Domain, Fault};
use std::array;
use std::ops::Range;
use std::sync::Arc;

/// A named range of cells that the contract gives to the routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Region {
    /// What the contract calls it.
    pub name: String,
    /// Addresses, in cells.
    pub range: Range<u32>,
    /// Whether stores are allowed.
    pub access: Access,
}

const READABLE: u8 = 1;
const WRITABLE: u8 = 2;
const DEFINED: u8 = 4;
/// Was defined, and may have changed since.
const STALE: u8 = 8;
/// Read before anybody wrote it, in a run where that gives an arbitrary word.
const SUPPLIED: u8 = 16;

/// Cells of a page.
const PAGE: usize = 64;

/// Data memory, cell by cell, with ownership: a cell that no region covers faults on any access, a
/// read-only one on a store, an unwritten one on a load. Everything between the buffers is thereby a
/// guard.
#[derive(Clone, Debug)]
pub struct Memory<W> {
    start: u32,
    /// What cells hold, by pages: there is one where some cell has held something, so that a copy is made fast.
    pages: Vec<Option<Box<[W; PAGE]>>>,
    /// What the other cells of a page hold, and nobody sees.
    filler: W,
    state: Vec<u8>,
    /// The base of each cell, plus one; 0 where there is none. All copies share it, and the regions.
    bases: Arc<Vec<u64>>,
    regions: Arc<Vec<Region>>,
}

impl<W: Clone> Memory<W> {
    /// Cells `range`, owned by nobody; `filler` is a value that no program can observe.
    pub fn new(range: Range<u32>, filler: W) -> Self {
        let length = range.len();
        Memory {
            start: range.start,
            pages: vec![None; length.div_ceil(PAGE)],
            filler,
            state: vec![0; length],
            bases: Arc::new(vec![0; length]),
            regions: Arc::default(),
        }
    }

    /// Gives a region to the routine. Regions may overlap (aliased operands); the wider right wins.
    pub fn own(&mut self, name: &str, range: Range<u32>, access: Access) -> Result<(), Fault> {
        for address in range.clone() {
            let index = self.index(address).ok_or(Fault::NotOwned { address, access })?;
            self.state[index] |= match access {
                Access::Load => READABLE,
                Access::Store => READABLE | WRITABLE,
            };
        }
        Arc::make_mut(&mut self.regions).push(Region { name: name.to_owned(), range, access });
        Ok(())
    }

    /// As [`Memory::own`], and addresses that reach the region must have this base (see
    /// [`crate::Base::Of`]).
    pub fn own_based(
        &mut self,
        base: u32,
        name: &str,
        range: Range<u32>,
        access: Access,
    ) -> Result<(), Fault> {
        self.own(name, range.clone(), access)?;
        let indices: Vec<usize> = range.filter_map(|address| self.index(address)).collect();
        let bases = Arc::make_mut(&mut self.bases);
        indices.into_iter().for_each(|index| bases[index] = u64::from(base) + 1);
        Ok(())
    }

    /// The base that an address must have to reach this cell; `None` where any will do.
    #[inline(always)]
    pub fn base(&self, address: u32) -> Option<u32> {
        let index = address.wrapping_sub(self.start) as usize;
        self.bases.get(index).filter(|base| **base != 0).map(|base| (base - 1) as u32)
    }

    /// The name of the region that covers an address.
    pub fn region_name(&self, address: u32) -> Option<&str> {
        self.regions.iter().find(|region| region.range.contains(&address)).map(|region| region.name.as_str())
    }

    /// The regions, in the order in which they were given.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Sets cells from outside the program (the caller's view); they count as written.
    pub fn fill(&mut self, address: u32, values: &[W]) -> Result<(), Fault> {
        for (address, value) in (address..).zip(values) {
            let index = self.index(address).ok_or(Fault::NotOwned { address, access: Access::Store })?;
            self.set(index, value.clone());
            self.state[index] = self.state[index] & !(STALE | SUPPLIED) | DEFINED;
        }
        Ok(())
    }

    /// Reads cells from outside the program; `None` where nothing was written.
    pub fn peek(&self, address: u32) -> Option<&W> {
        let index = self.index(address)?;
        self.cell(index).filter(|_| self.state[index] & DEFINED != 0)
    }

    /// What the program wrote to a cell last, though it may have changed since; `None` where nothing was written.
    pub fn left(&self, address: u32) -> Option<&W> {
        let index = self.index(address)?;
        self.cell(index).filter(|_| self.state[index] & (DEFINED | STALE) != 0)
    }

    /// What was written to these cells may change from now on: they are stale, and reading one is a fault until it is
    /// written again.
    pub fn give_up(&mut self, cells: Range<u32>) {
        for address in cells {
            if let Some(state) = self.state.get_mut(address.wrapping_sub(self.start) as usize) {
                *state &= !SUPPLIED;
                if *state & DEFINED != 0 {
                    *state = *state & !DEFINED | STALE;
                }
            }
        }
    }

    /// The cells that hold different words after the two sides of a branch, this one and `other`; `None` where a cell
    /// was written on one side only. What is stale on one side is stale afterwards.
    pub fn differing<D: Domain<Word = W>>(&mut self, other: &Memory<W>, domain: &mut D) -> Option<Vec<u32>> {
        let mut differing = Vec::new();
        let is_written = |state: u8| state & (DEFINED | STALE) != 0;
        let pages = self.pages.iter().zip(&other.pages).enumerate();
        let pages: Vec<usize> =
            pages.filter(|(_, (own, others))| own.is_some() || others.is_some()).map(|(at, _)| at).collect();
        let length = self.state.len().min(other.state.len());
        for index in pages.into_iter().flat_map(|page| page * PAGE..length.min((page + 1) * PAGE)) {
            let (own, others) = (self.state[index], other.state[index]);
            if !is_written(own) && !is_written(others) {
                continue;
            }
            let words = self.cell(index).zip(other.cell(index));
            let words = words.filter(|_| is_written(own) && is_written(others));
            let same = words.is_some_and(|(own, others)| domain.same(own, others));
            if (own | others) & STALE != 0 {
                self.state[index] = own & !DEFINED | STALE;
                if !same {
                    self.set(index, domain.arbitrary());
                }
            } else if own & others & DEFINED == 0 {
                return None;
            } else if !same {
                differing.push(self.start + index as u32);
            }
        }
        Some(differing)
    }

    /// Addresses of the cells that hold something.
    pub fn defined(&self) -> impl Iterator<Item = u32> + '_ {
        let defined = self.state.iter().enumerate().filter(|(_, state)| **state & DEFINED != 0);
        defined.map(|(index, _)| self.start + index as u32)
    }

    /// A load by the program.
    #[inline(always)]
    pub fn load(&self, address: u32) -> Result<W, Fault> {
        let index = address.wrapping_sub(self.start) as usize;
        match self.state.get(index) {
            Some(state) if state & READABLE != 0 && state & (DEFINED | SUPPLIED) != 0 => {
                self.cell(index).cloned().ok_or_else(|| self.refuse(address, Access::Load))
            }
            _ => Err(self.refuse(address, Access::Load)),
        }
    }

    #[inline(always)]
    fn cell(&self, index: usize) -> Option<&W> {
        Some(&self.pages.get(index / PAGE)?.as_ref()?[index % PAGE])
    }

    #[inline(always)]
    fn set(&mut self, index: usize, value: W) {
        let filler = &self.filler;
        let page = &mut self.pages[index / PAGE];
        page.get_or_insert_with(|| Box::new(array::from_fn(|_| filler.clone())))[index % PAGE] = value;
    }

    /// Sets what a cell holds that nobody has written: loads find it, and it counts as never written all the same.
    pub fn supply(&mut self, address: u32, value: W) {
        if let Some(index) = self.index(address).filter(|index| self.state[*index] & (DEFINED | STALE) == 0) {
            self.set(index, value);
            self.state[index] |= SUPPLIED;
        }
    }

    /// A store by the program.
    #[inline(always)]
    pub fn store(&mut self, address: u32, value: W) -> Result<(), Fault> {
        let index = address.wrapping_sub(self.start) as usize;
        match self.state.get_mut(index) {
            Some(state) if *state & WRITABLE != 0 => {
                *state = *state & !(STALE | SUPPLIED) | DEFINED;
                self.set(index, value);
                Ok(())
            }
            _ => Err(self.refuse(address, Access::Store)),
        }
    }

    fn index(&self, address: u32) -> Option<usize> {
        let index = address.checked_sub(self.start)? as usize;
        (index < self.state.len()).then_some(index)
    }

    #[cold]
    fn refuse(&self, address: u32, access: Access) -> Fault {
        let state = self.index(address).map_or(0, |index| self.state[index]);
        match access {
            Access::Load if state & STALE != 0 => Fault::Stale { address },
            Access::Load if state & READABLE != 0 => Fault::Uninitialised { address },
            Access::Store if state & READABLE != 0 => Fault::ReadOnly {
                address,
                region: self
                    .regions
                    .iter()
                    .find(|region| region.range.contains(&address))
                    .map_or_else(String::new, |region| region.name.clone()),
            },
            _ => Fault::NotOwned { address, access },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ownership_is_checked_on_every_access() {
        let mut memory = Memory::new(0x100..0x200, 0u8);
        memory.own("a", 0x110..0x112, Access::Load).unwrap();
        memory.own("r", 0x120..0x122, Access::Store).unwrap();
        memory.fill(0x110, &[7, 8]).unwrap();
        assert_eq!(memory.load(0x111), Ok(8));
        assert_eq!(memory.load(0x112), Err(Fault::NotOwned { address: 0x112, access: Access::Load }));
        assert_eq!(memory.store(0x110, 1), Err(Fault::ReadOnly { address: 0x110, region: "a".into() }));
        assert_eq!(memory.load(0x120), Err(Fault::Uninitialised { address: 0x120 }));
        assert_eq!(memory.store(0x120, 9), Ok(()));
        assert_eq!(memory.load(0x120), Ok(9));
        assert_eq!(memory.store(0xff, 1), Err(Fault::NotOwned { address: 0xff, access: Access::Store }));
        assert_eq!(memory.store(0x200, 1), Err(Fault::NotOwned { address: 0x200, access: Access::Store }));
        assert!(memory.own("x", 0x1ff..0x201, Access::Load).is_err());
        // what is there before anybody writes
        memory.supply(0x121, 3);
        memory.supply(0x120, 3);
        assert_eq!((memory.load(0x121), memory.load(0x120)), (Ok(3), Ok(9)));
        assert_eq!((memory.peek(0x121), memory.peek(0x120)), (None, Some(&9)));
        // and may have changed when it lay below the stack pointer
        memory.give_up(0x120..0x122);
        assert_eq!(memory.load(0x121), Err(Fault::Uninitialised { address: 0x121 }));
        memory.supply(0x120, 3);
        assert_eq!(memory.load(0x120), Err(Fault::Stale { address: 0x120 }));
        memory.supply(0x112, 3);
        assert_eq!(memory.load(0x112), Err(Fault::NotOwned { address: 0x112, access: Access::Load }));
    }
}
