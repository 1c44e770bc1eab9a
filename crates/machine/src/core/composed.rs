//! Calls that are not executed: what the called routine does by its contract takes their place.

use super::{Code, Convention, InstructionSet, Machine};
use crate::{Access, Base, Calls, Domain, Fault, Takes};
use std::ops::Range;

fn refused(what: impl Into<String>) -> Fault {
    Fault::NotModelled { what: what.into() }
}

fn overlap(one: &Range<u32>, two: &Range<u32>) -> bool {
    one.start < two.end && two.start < one.end
}

/// Where an operand of a call is.
enum Operand<W> {
    Cells(Range<u32>),
    Word(W),
}

/// What stands in a cell.
fn load<M: Machine>(machine: &M, cell: u32) -> Result<<M::Domain as Domain>::Word, Fault> {
    let unit = M::Set::UNITS.cell;
    match machine.is_cell_defined(cell) {
        true => machine.memory.load(cell).map_err(|fault| fault.at(unit * cell)),
        false => Err(Fault::Uninitialised { address: unit * cell }),
    }
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
    let (mut result, mut constants) = (None, Vec::new());
    let mut operands: Vec<Option<Operand<_>>> = callee.operands.iter().map(|_| None).collect();
    let bits = machine.domain.bits();
    for (index, takes) in callee.takes.iter().enumerate() {
        let registers = convention.argument(index);
        if registers.is_empty() {
            return Err(refused("a call with so many arguments"));
        }
        let array = |length: u32, access: Access| {
            let cells = pointed(machine, convention, registers.clone(), length)?;
            match overlap(&cells, &own) {
                true => Err(Fault::BelowStack { address: unit * cells.start, access }),
                false => Ok(cells),
            }
        };
        let is = |register: u8, word: u64| {
            machine.is_defined(register)
                && machine.domain.known_word(machine.register(register)) == Some(word)
        };
        match takes {
            Takes::Result => result = Some(array(callee.result, Access::Store)?),
            Takes::Operand(operand) => {
                let cells = array(callee.operands[*operand], Access::Load)?;
                operands[*operand] = Some(Operand::Cells(cells));
            }
            Takes::Word(operand) => {
                let register = registers.start;
                if !machine.is_defined(register) {
                    return Err(Fault::Undefined { what: M::Set::register_name(register) });
                }
                operands[*operand] = Some(Operand::Word(machine.register(register).clone()));
            }
            Takes::Number(number) => {
                let part =
                    |part: u32| number.checked_shr(bits * part).unwrap_or(0) & (u64::MAX >> (64 - bits));
                if !registers.clone().zip(0..).all(|(register, at)| is(register, part(at))) {
                    return Err(refused(format!("a call whose argument {} is not {number}", index + 1)));
                }
            }
            Takes::Words(words) => {
                let cells = array(words.len() as u32, Access::Load)?;
                constants.push(cells.clone());
                for (cell, word) in cells.zip(words) {
                    let there = load(machine, cell)?;
                    if machine.domain.known_word(&there) != Some(*word) {
                        let name = convention.further_name(registers.start);
                        return Err(refused(format!("a call with {name} to other words than the modulus")));
                    }
                }
            }
            Takes::Ignored => {}
        }
    }
    let result = result.ok_or_else(|| refused("a call without a result"))?;
    if constants.iter().any(|cells| overlap(cells, &result)) {
        return Err(refused("a call whose result lies on the modulus"));
    }
    // an operand that is no argument is what the result's words were
    let operands: Vec<Operand<_>> = operands
        .into_iter()
        .map(|operand| operand.unwrap_or_else(|| Operand::Cells(result.clone())))
        .collect();
    let lies_on =
        |(_, operand): &(usize, &Operand<_>)| matches!(operand, Operand::Cells(cells) if *cells == result);
    let on: Vec<usize> = operands.iter().enumerate().filter(lies_on).map(|(index, _)| index).collect();
    let is_apart = |operand: &Operand<_>| match operand {
        Operand::Cells(cells) => *cells == result || !overlap(cells, &result),
        Operand::Word(_) => true,
    };
    if !operands.iter().all(is_apart) || !callee.result_on.contains(&&on[..]) {
        return Err(refused("a call whose result lies on an operand"));
    }
    let words = operands.into_iter().map(|operand| match operand {
        Operand::Cells(cells) => cells.map(|cell| load(machine, cell)).collect(),
        Operand::Word(word) => Ok(vec![word]),
    });
    let words: Vec<Vec<_>> = words.collect::<Result<_, Fault>>()?;
    let left = calls.result(&mut machine.domain, entry, &words)?;
    machine.stack.reach(unit * own.start);
    convention.forget::<M::Domain>(machine);
    machine.forget_cells(own)?;
    if let Some(word) = left.returned {
        convention.set_pointer::<M::Domain>(machine, convention.returned(1).start, word);
    }
    for (cell, word) in result.zip(left.result) {
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
