//! Calls that are not executed: what the called routine does by its contract takes their place.

use super::{Code, Convention, InstructionSet, Machine};
use crate::{Access, Base, Calls, Domain, Fault};
use std::ops::Range;

fn refused(what: impl Into<String>) -> Fault {
    Fault::NotModelled { what: what.into() }
}

fn overlap(one: &Range<u32>, two: &Range<u32>) -> bool {
    one.start < two.end && two.start < one.end
}

/// Does what the routine that was just called does by its contract, and returns from it. One without a contract goes on.
pub(super) fn take_over<M: Machine>(
    machine: &mut M,
    convention: &<M::Set as InstructionSet>::Convention,
    back: u32,
    calls: &mut dyn Calls<M::Domain>,
) -> Result<(), Fault>
where
    M::Set: InstructionSet<Machine<M::Domain> = M>,
{
    let unit = M::Set::UNITS.cell;
    let entry = machine.program.address(machine.pc);
    let Some(callee) = calls.callee(entry)? else { return Ok(()) };
    let convention = match callee.inner {
        true => convention.inner().ok_or_else(|| refused("a call by an inner convention"))?,
        false => convention,
    };
    let pointer = convention.ready::<M::Domain>(machine)?;
    // the routine's own stack, and what the caller owes it above
    let below = callee.stack_bytes.div_ceil(M::Set::UNITS.bytes);
    let low = pointer.checked_sub(below).map_or(0, |low| low / unit);
    let own = low..(pointer + convention.home()) / unit;
    let cells = machine.stack.cells();
    if own.start < cells.start || own.end > cells.end {
        return Err(refused("a call that takes more stack than there is"));
    }
    let mut index = 0;
    let mut array = |length: u32, access: Access| {
        let registers = convention.argument(index);
        index += 1;
        if registers.is_empty() {
            return Err(refused("a call with so many arguments"));
        }
        let cells = pointed(machine, convention, registers, length)?;
        if overlap(&cells, &own) {
            return Err(Fault::BelowStack { address: unit * cells.start, access });
        }
        Ok(cells)
    };
    let result = array(callee.result, Access::Store)?;
    let operands = callee.operands.iter().map(|length| array(*length, Access::Load));
    let operands: Vec<Range<u32>> = operands.collect::<Result<_, Fault>>()?;
    let is_apart = |operand: &Range<u32>| !overlap(operand, &result);
    if !operands.iter().all(|operand| is_apart(operand) || callee.in_place && *operand == result) {
        return Err(refused("a call whose result lies on an operand"));
    }
    let load = |cell: u32| match machine.is_cell_defined(cell) {
        true => machine.memory.load(cell).map_err(|fault| fault.at(unit * cell)),
        false => Err(Fault::Uninitialised { address: unit * cell }),
    };
    let words: Result<Vec<Vec<_>>, Fault> =
        operands.into_iter().map(|cells| cells.map(load).collect()).collect();
    let words = calls.result(&mut machine.domain, entry, &words?)?;
    machine.stack.reach(unit * own.start);
    convention.forget::<M::Domain>(machine);
    machine.forget_cells(own)?;
    for (cell, word) in result.zip(words) {
        machine.memory.store(cell, word).map_err(|fault| fault.at(unit * cell))?;
        machine.set_undefined_bytes(cell, 0);
    }
    machine.come_back(back)
}

/// The cells of an array to which registers point.
fn pointed<M: Machine>(
    machine: &M,
    convention: &<M::Set as InstructionSet>::Convention,
    registers: Range<u8>,
    length: u32,
) -> Result<Range<u32>, Fault>
where
    M::Set: InstructionSet<Machine<M::Domain> = M>,
{
    let name = convention.further_name(registers.start);
    let words: Vec<_> = registers.clone().map(|register| machine.register(register)).collect();
    let is_pointer = registers.clone().all(|register| convention.is_pointer::<M::Domain>(machine, register));
    let (base, address) = match machine.domain.address(&words).filter(|_| is_pointer) {
        Some((Base::Of(base), address)) => (Some(base), address as u32),
        Some((Base::Any, address)) => (None, address as u32),
        _ => return Err(refused(format!("a call with {name} no pointer to an array"))),
    };
    if !address.is_multiple_of(<M::Set as InstructionSet>::Convention::ARRAYS) {
        return Err(refused(format!("a call with an array at {address:#010x}, which is not aligned")));
    }
    let first = address / M::Set::UNITS.cell;
    let cells = first..first.saturating_add(length);
    let is_of = |cell: u32| base.is_none() || machine.memory.base(cell) == base;
    match cells.clone().all(is_of) {
        true => Ok(cells),
        false => Err(refused(format!("a call with {name} to less than {length} words"))),
    }
}
