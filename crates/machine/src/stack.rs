//! The rule of the stack, the same on every processor.
//!
//! Between the call and the return the stack pointer stands at most where it stood at the call, and not below the
//! stack that the routine has. What lies below it may change any time, as interrupts write there: it can be neither
//! read nor written, and what came to lie below it once is undefined when the pointer comes down again. Such cells
//! are [stale](Memory::give_up), not forgotten: what they hold is left on the stack.

use crate::{Access, Domain, Fault, Hidden, Memory};
use std::ops::Range;

/// How a processor counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StackUnits {
    /// Bits of a stack pointer.
    pub bits: u32,
    /// Addresses in a cell of memory.
    pub cell: u32,
    /// Bytes at an address.
    pub bytes: u32,
}

/// The stack of a call. "Pointer" is the lowest address in use, wherever the processor's stack pointer points.
#[derive(Clone, Debug)]
pub struct Stack {
    units: StackUnits,
    cells: Range<u32>,
    pointer: u32,
    /// The pointer at the call; before it there is no rule but that nothing below the pointer is accessed.
    call: Option<u32>,
    /// Distance from the call's pointer to the lowest one, and to the one below which all has been given up.
    deepest: u32,
    settled: u32,
    undisturbed: bool,
}

impl Stack {
    /// No stack yet.
    pub fn new(units: StackUnits) -> Self {
        Stack { units, cells: 0..0, pointer: 0, call: None, deepest: 0, settled: 0, undisturbed: false }
    }

    /// The cells that the routine has, and perhaps some above the pointer of the call.
    pub fn own(&mut self, cells: Range<u32>) {
        self.cells = cells;
    }

    /// The cells.
    pub fn cells(&self) -> &Range<u32> {
        &self.cells
    }

    /// Whether a cell is one of the stack's.
    #[inline(always)]
    pub fn contains(&self, cell: u32) -> bool {
        self.cells.contains(&cell)
    }

    /// Whether no interrupt comes during the call, as somebody else has to see to.
    pub fn set_undisturbed(&mut self, undisturbed: bool) {
        self.undisturbed = undisturbed;
    }

    /// Whether that is so.
    pub fn is_undisturbed(&self) -> bool {
        self.undisturbed
    }

    /// The lowest address in use.
    #[inline(always)]
    pub fn pointer(&self) -> u32 {
        self.pointer
    }

    /// Sets the pointer outside of any call, as that which runs the machine may.
    pub fn reset(&mut self, pointer: u32) {
        self.pointer = pointer;
        self.call = None;
    }

    /// The routine is called: from now on the rule holds.
    pub fn enter(&mut self, pointer: u32) {
        self.pointer = pointer;
        self.call = Some(pointer);
        (self.deepest, self.settled) = (0, 0);
    }

    /// The program has moved the pointer; `disturbed` tells whether the processor may be interrupted now.
    ///
    /// # Errors
    /// A pointer that stands outside of the stack.
    #[inline(always)]
    pub fn moved<W: Clone>(
        &mut self,
        memory: &mut Memory<W>,
        pointer: u32,
        disturbed: bool,
    ) -> Result<(), Fault> {
        let Some(call) = self.call else {
            self.pointer = pointer;
            return Ok(());
        };
        let depth = call.wrapping_sub(pointer) & self.mask();
        if depth > self.limit(call) {
            return Err(self.outside(call, depth));
        }
        self.pointer = pointer;
        self.deepest = self.deepest.max(depth);
        self.settled = self.settled.max(depth);
        if disturbed {
            self.disturb(memory);
        }
        Ok(())
    }

    /// An interrupt may come now: what lies below the pointer is given up.
    #[inline(always)]
    pub fn disturb<W: Clone>(&mut self, memory: &mut Memory<W>) {
        let Some(call) = self.call.filter(|_| !self.undisturbed) else { return };
        let depth = call.wrapping_sub(self.pointer) & self.mask();
        if self.settled > depth {
            let lowest = call.saturating_sub(self.settled) / self.units.cell;
            memory.give_up(lowest..self.pointer.div_ceil(self.units.cell));
            self.settled = depth;
        }
    }

    /// Whether an address in the stack may be accessed while the pointer is, or is about to be, `pointer`.
    ///
    /// # Errors
    /// It lies below, where interrupts write.
    #[inline(always)]
    pub fn permit(
        &mut self,
        pointer: u32,
        address: u32,
        access: Access,
        disturbed: bool,
    ) -> Result<(), Fault> {
        if address >= pointer { Ok(()) } else { self.permit_below(address, access, disturbed) }
    }

    #[cold]
    fn permit_below(&mut self, address: u32, access: Access, disturbed: bool) -> Result<(), Fault> {
        match self.call {
            Some(call) if !disturbed || self.undisturbed => {
                self.settled = self.settled.max(call.saturating_sub(address));
                Ok(())
            }
            _ => Err(Fault::BelowStack { address, access }),
        }
    }

    /// Somebody whom the routine called has moved the pointer down to an address, and back.
    pub fn reach(&mut self, pointer: u32) {
        let depth = self.call.map_or(0, |call| call.saturating_sub(pointer));
        self.deepest = self.deepest.max(depth);
    }

    /// After a branch that left `other` on its other side.
    pub fn join(&mut self, other: &Stack) {
        self.deepest = self.deepest.max(other.deepest);
        self.settled = self.settled.max(other.settled);
    }

    /// The cells below the pointer of the call down to the lowest one that the pointer reached, or that was written.
    pub fn used<W: Clone>(&self, memory: &Memory<W>) -> Range<u32> {
        let call = self.call.unwrap_or(self.pointer);
        let end = call / self.units.cell;
        let lowest = call.saturating_sub(self.deepest) / self.units.cell;
        let written = (self.cells.start..lowest).find(|cell| memory.left(*cell).is_some());
        written.unwrap_or(lowest)..end
    }

    /// Bytes of so many cells.
    pub fn bytes(&self, cells: u32) -> u32 {
        cells * self.units.cell * self.units.bytes
    }

    #[inline(always)]
    fn mask(&self) -> u32 {
        u32::MAX >> (32 - self.units.bits)
    }

    /// How far the pointer may go down. Where nobody said what the stack is, an address is below or above the
    /// call's, whichever is nearer.
    #[inline(always)]
    fn limit(&self, call: u32) -> u32 {
        match self.cells.is_empty() {
            true => self.mask() >> 1,
            false => call.saturating_sub(self.cells.start * self.units.cell),
        }
    }

    #[cold]
    fn outside(&self, call: u32, depth: u32) -> Fault {
        let bytes = |addresses: u32| u64::from(addresses) * u64::from(self.units.bytes);
        match depth > self.mask() >> 1 {
            true => Fault::StackRaised { by: bytes(self.mask() - depth + 1) },
            false => Fault::StackLowered { by: bytes(depth), limit: bytes(self.limit(call)) },
        }
    }
}

/// How many cells of the stack have a value that the domain does not know, addresses left out. Left out are those of which `is_set` says
/// that nobody set any part, and copies of these words that the caller keeps.
pub fn cells_left<'a, D: Domain>(
    memory: &Memory<D::Word>,
    domain: &D,
    stack: Range<u32>,
    is_set: impl Fn(u32) -> bool,
    kept: impl Iterator<Item = &'a D::Word> + Clone,
) -> u32
where
    D::Word: 'a,
{
    let stays = |cell: &u32| {
        let unknown =
            |word: &&D::Word| domain.known_word(word).is_none() && domain.hidden(&[word]) == Hidden::Secret;
        let own = |word: &&D::Word| !kept.clone().any(|kept| domain.same(kept, word));
        memory.left(*cell).filter(unknown).filter(own).is_some() && is_set(*cell)
    };
    stack.filter(stays).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Random, Secrets};

    const BYTES: StackUnits = StackUnits { bits: 16, cell: 1, bytes: 1 };
    const WORDS: StackUnits = StackUnits { bits: 32, cell: 4, bytes: 1 };

    fn called(units: StackUnits, cells: Range<u32>, call: u32) -> (Stack, Memory<u8>) {
        let mut memory = Memory::new(cells.start..cells.end + 16, 0);
        memory.own("stack", cells.clone(), Access::Store).unwrap();
        let mut stack = Stack::new(units);
        stack.own(cells);
        stack.enter(call);
        (stack, memory)
    }

    /// Moves, loads and stores in any order, with interrupts that go off and on, against the rule said once more: each
    /// cell remembers whether an interrupt could have come while it lay below the pointer.
    #[test]
    fn random_walks_keep_the_rule() {
        let mut random = Random::new(3);
        let (mut stale, mut reached) = (0, 0);
        for round in 0..2_000 {
            let (cells, call) = (0x100..0x120u32, 0x11c);
            let (mut stack, mut memory) = called(BYTES, cells.clone(), call);
            stack.set_undisturbed(round % 7 == 0);
            let (mut pointer, mut on) = (call, true);
            // what each cell holds, and whether that may still be so
            let mut model: Vec<Option<(u8, bool)>> = vec![None; cells.len()];
            let mut deepest = 0;
            for step in 0..60u8 {
                let place = cells.start + random.below(cells.len() as u64) as u32;
                let index = (place - cells.start) as usize;
                let disturbed = on && !stack.is_undisturbed();
                match random.below(8) {
                    0..3 => {
                        let to = pointer.wrapping_add(random.below(13) as u32).wrapping_sub(6);
                        let moved = stack.moved(&mut memory, to, on);
                        assert_eq!(moved.is_ok(), (cells.start..=call).contains(&to));
                        if moved.is_ok() {
                            pointer = to;
                            deepest = deepest.max(call - to);
                        }
                    }
                    3 => {
                        on = !on;
                        if on {
                            stack.disturb(&mut memory);
                        }
                    }
                    4..6 => {
                        let permitted = stack.permit(pointer, place, Access::Store, on).is_ok();
                        assert_eq!(permitted, !disturbed || place >= pointer);
                        if permitted {
                            memory.store(place, step).unwrap();
                            model[index] = Some((step, true));
                        }
                    }
                    _ => {
                        let permitted = stack.permit(pointer, place, Access::Load, on).is_ok();
                        assert_eq!(permitted, !disturbed || place >= pointer);
                        if permitted {
                            let expected = match model[index] {
                                Some((value, true)) => Ok(value),
                                Some((_, false)) => Err(Fault::Stale { address: place }),
                                None => Err(Fault::Uninitialised { address: place }),
                            };
                            stale += u32::from(matches!(expected, Err(Fault::Stale { .. })));
                            assert_eq!(memory.load(place), expected);
                        }
                    }
                }
                if on && !stack.is_undisturbed() {
                    for below in model.iter_mut().take((pointer - cells.start) as usize).flatten() {
                        below.1 = false;
                    }
                }
            }
            let left: Vec<_> = model.iter().map(|cell| cell.map(|(value, _)| value)).collect();
            let found: Vec<_> = cells.clone().map(|cell| memory.left(cell).copied()).collect();
            assert_eq!(found, left);
            let written = model.iter().position(Option::is_some).map_or(call, |at| cells.start + at as u32);
            assert_eq!(stack.used(&memory), (call - deepest).min(written)..call);
            reached += u32::from(deepest > 0);
        }
        assert!(stale > 500 && reached > 1_000, "{stale} {reached}");
    }

    #[test]
    fn the_pointer_stays_between_the_call_and_the_end() {
        let (mut stack, mut memory) = called(WORDS, 0x40..0x50, 4 * 0x50);
        assert_eq!(stack.moved(&mut memory, 0x104, true), Ok(()));
        assert_eq!(stack.moved(&mut memory, 0x144, true), Err(Fault::StackRaised { by: 4 }));
        let lowered = Fault::StackLowered { by: 68, limit: 64 };
        assert_eq!(stack.moved(&mut memory, 0xfc, true), Err(lowered));
        assert_eq!(stack.used(&memory), 0x41..0x50);
        assert_eq!(stack.bytes(3), 12);
        // the same wherever addresses wrap
        let (mut stack, mut memory) = called(BYTES, 0x40..0x50, 0x50);
        assert_eq!(
            stack.moved(&mut memory, 0xfff0, true),
            Err(Fault::StackLowered { by: 0x60, limit: 0x10 })
        );
    }

    /// A pointer inside of a word: the whole word is given up.
    #[test]
    fn words_are_given_up_whole() {
        let (mut stack, mut memory) = called(WORDS, 0x40..0x50, 4 * 0x50);
        stack.moved(&mut memory, 0x100, true).unwrap();
        memory.fill(0x40, &[1, 2, 3]).unwrap();
        stack.moved(&mut memory, 0x106, true).unwrap();
        stack.moved(&mut memory, 0x100, true).unwrap();
        assert_eq!(memory.load(0x40), Err(Fault::Stale { address: 0x40 }));
        assert_eq!(memory.load(0x41), Err(Fault::Stale { address: 0x41 }));
        assert_eq!(memory.load(0x42), Ok(3));
        memory.store(0x41, 4).unwrap();
        assert_eq!(memory.load(0x41), Ok(4));
    }

    /// What one side of a branch gave up is given up; what it wrote is not known to be there, and is left.
    #[test]
    fn sides_are_joined() {
        let mut domain = Secrets::<u8>::joining();
        let [public, one, other] = [domain.word(5), domain.arbitrary(), domain.arbitrary()];
        let mut taken = Memory::new(0..6, public);
        taken.own("stack", 0..6, Access::Store).unwrap();
        taken.fill(0, &[public, public, one, one]).unwrap();
        let mut skipped = taken.clone();
        taken.give_up(0..2);
        skipped.give_up(1..2);
        skipped.fill(3, &[other]).unwrap();
        taken.fill(4, &[public]).unwrap();
        assert_eq!(taken.clone().differing(&skipped, &mut domain), None, "written on one side only");
        taken.give_up(4..5);
        assert_eq!(taken.differing(&skipped, &mut domain), Some(vec![3]));
        for cell in [0, 1, 4] {
            assert_eq!(taken.load(cell), Err(Fault::Stale { address: cell }));
        }
        let left = |cells| cells_left(&taken, &domain, cells, |_| true, std::iter::empty());
        assert_eq!((left(0..2), left(2..4), left(4..6)), (0, 2, 1));
    }
}
