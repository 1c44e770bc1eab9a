//! Calls that are not executed: what the called routine does by its contract takes their place.

use crate::conventions::Convention;
use crate::instructions::{GUARD, HI, LO, RA, SP};
use crate::machine::Machine;
use rhomb_machine::{Access, Base, CODE, Callee, Calls, Domain, Fault, STACK};
use std::ops::Range;

/// Calls that are executed like everything else.
pub(crate) enum Executed {}

impl<D: Domain> Calls<D> for Executed {
    fn callee(&mut self, _: u64) -> Result<Callee, Fault> {
        match *self {}
    }

    fn result(&mut self, _: &mut D, _: u64, _: &[Vec<D::Word>]) -> Result<Vec<D::Word>, Fault> {
        match *self {}
    }
}

fn refused(what: impl Into<String>) -> Fault {
    Fault::NotModelled { what: what.into() }
}

fn overlap(one: &Range<u32>, two: &Range<u32>) -> bool {
    one.start < two.end && two.start < one.end
}

impl<D: Domain> Machine<D> {
    /// Whether the instruction in the delay slot at this address was that of a call, which stands at its beginning now.
    pub(crate) fn is_called_from(&self, slot: u32) -> bool {
        let back = slot.wrapping_add(4);
        !self.in_slot && self.pc != back && self.defined_link().is_some_and(|link| link == back)
    }

    /// Where register 31 points into the program, if it was set.
    fn defined_link(&self) -> Option<u32> {
        match self.domain.address(&[self.register(RA)]) {
            Some((Base::Any | Base::Of(CODE), address)) if self.is_defined(RA) => Some(address as u32),
            Some((Base::Of(base), address))
                if self.is_defined(RA) && self.program.is_at(base, address as u32) =>
            {
                Some(address as u32)
            }
            _ => None,
        }
    }

    /// Does what the routine that was just called does by its contract, and returns from it.
    pub(crate) fn take_over<C: Calls<D>>(
        &mut self,
        convention: &Convention,
        calls: &mut C,
    ) -> Result<(), Fault> {
        let entry = self.pc;
        let callee = calls.callee(entry.into())?;
        let back = self.defined_link().ok_or_else(|| refused("a call that does not return"))?;
        let sp = match self.domain.address(&[self.register(SP)]) {
            Some((Base::Any | Base::Of(STACK), sp)) => sp as u32,
            _ => return Err(refused("a call while $29 does not point into the stack")),
        };
        if !sp.is_multiple_of(convention.stack_alignment) {
            return Err(refused("a call with a stack pointer that is not aligned"));
        }
        // the routine's own stack, and what the caller owes it above
        let low = sp.checked_sub(callee.stack_bytes).map_or(0, |low| low / 4);
        let own = low..(sp + convention.home) / 4;
        if own.start < self.stack.cells().start || own.end > self.stack.cells().end {
            return Err(refused("a call that takes more stack than there is"));
        }
        let mut arguments = convention.arguments.iter();
        let mut array = |length: u32, access: Access| {
            let register = *arguments.next().ok_or_else(|| refused("a call with so many arguments"))?;
            let cells = self.pointed(register, length)?;
            if overlap(&cells, &own) {
                return Err(Fault::BelowStack { address: 4 * cells.start, access });
            }
            Ok(cells)
        };
        let result = array(callee.result, Access::Store)?;
        let operands = callee.operands.iter().map(|length| array(*length, Access::Load));
        let operands: Vec<Range<u32>> = operands.collect::<Result<_, Fault>>()?;
        if operands.iter().any(|operand| overlap(operand, &result)) {
            return Err(refused("a call whose result lies on an operand"));
        }
        let load = |cell: u32| match self.is_cell_defined(cell) {
            true => self.memory.load(cell),
            false => Err(Fault::Uninitialised { address: 4 * cell }),
        };
        let words: Result<Vec<Vec<D::Word>>, Fault> =
            operands.into_iter().map(|cells| cells.map(load).collect()).collect();
        let words = calls.result(&mut self.domain, entry.into(), &words?)?;
        self.stack.reach(4 * own.start);
        self.forget(convention, own)?;
        for (cell, word) in result.zip(words) {
            self.memory.store(cell, word)?;
            self.undefined_cells.retain(|(undefined, _)| *undefined != cell);
        }
        self.set_pc(back);
        Ok(())
    }

    /// The cells of an array to which a register points.
    fn pointed(&self, register: u8, length: u32) -> Result<Range<u32>, Fault> {
        let (base, address) = match self.domain.address(&[self.register(register)]) {
            Some((Base::Of(base), address)) if self.is_defined(register) => (Some(base), address as u32),
            Some((Base::Any, address)) if self.is_defined(register) => (None, address as u32),
            _ => return Err(refused(format!("a call with ${register} no pointer to an array"))),
        };
        if !address.is_multiple_of(4) {
            return Err(refused(format!("a call with an array at {address:#010x}, which is not aligned")));
        }
        let cells = address / 4..(address / 4).saturating_add(length);
        let is_of = |cell: u32| base.is_none() || self.memory.base(cell) == base;
        match cells.clone().all(is_of) {
            true => Ok(cells),
            false => Err(refused(format!("a call with ${register} to less than {length} words"))),
        }
    }

    /// What a call may change is undefined afterwards.
    fn forget(&mut self, convention: &Convention, stack: Range<u32>) -> Result<(), Fault> {
        for register in (1..32u8).filter(|register| convention.saved >> register & 1 == 0) {
            let word = self.domain.arbitrary();
            self.set_register(register, word);
            self.defined &= !(1 << register);
        }
        self.accumulator = std::array::from_fn(|_| self.domain.arbitrary());
        self.defined &= !(LO | HI | GUARD);
        self.unread = true;
        for cell in stack {
            if self.memory.peek(cell).is_some() {
                let word = self.domain.arbitrary();
                self.memory.fill(cell, &[word])?;
                self.undefined_cells.retain(|(undefined, _)| *undefined != cell);
                self.undefined_cells.push((cell, 0b1111));
            }
        }
        Ok(())
    }
}
