//! Where the saves of a routine end and its restores begin.
//!
//! The frame is what keeps the caller's registers: the stack pointer moved down and preserved registers stored there at the
//! entry; they loaded and the stack pointer moved up before the return; the return itself. Everything else is the body.

use crate::instructions::{Instruction, Op, RA, SP};
use crate::program::Program;
use rhomb_machine::{Code, Cycles, Visits, framed};

/// Whether an instruction at the entry is the frame's.
fn saves(one: &Instruction, kept: u32) -> bool {
    match one.op {
        Op::Addi => one.rs1 == SP && one.rd == SP && one.immediate < 0,
        Op::Sw => one.rs1 == SP && kept >> one.rs2 & 1 == 1,
        _ => false,
    }
}

/// Whether an instruction before the return is the frame's.
fn restores(one: &Instruction, kept: u32) -> bool {
    match one.op {
        Op::Addi => one.rs1 == SP && one.rd == SP && one.immediate > 0,
        Op::Lw => one.rs1 == SP && kept >> one.rd & 1 == 1,
        _ => false,
    }
}

/// Registers that are saved first: those that are to be preserved, and ra.
pub fn saved(code: &[Instruction], preserved: u32) -> u32 {
    let kept = preserved | 1 << RA;
    let leading = code.iter().take_while(|one| saves(one, kept));
    leading.filter(|one| one.op == Op::Sw).fold(0, |set, one| set | 1 << one.rs2)
}

/// A set of registers for people.
pub fn register_list(set: u32) -> String {
    rhomb_machine::register_list(set, 32, |number| crate::syntax::name(number as u8).to_owned())
}

/// The cycles of the body of a function that was executed, from byte address `entry` on to its return. `preserved` are the
/// registers that the convention wants preserved, `end` is the cycle after the last instruction. The frame's visits are taken
/// away.
pub(crate) fn take_frame(
    program: &Program,
    visits: &mut Visits,
    entry: u32,
    preserved: u32,
    end: Cycles,
) -> Cycles {
    let kept = preserved | 1 << RA;
    // what was executed, in the order of the addresses: instructions have two lengths
    let counts = visits.counts.iter().enumerate().filter(|(_, count)| **count > 0);
    let executed: Vec<(usize, u64)> = counts.map(|(index, count)| (index, *count)).collect();
    let address = |index: usize| program.origin().wrapping_add(2 * index as u32);
    let number = |of: u32| {
        let index = program.index(of)?;
        executed.binary_search_by_key(&index, |(index, _)| *index).ok().map(|number| number as u32)
    };
    let once = |number: u32| {
        let (index, _) = executed.get(number as usize).filter(|(_, count)| *count == 1)?;
        program.prepared(address(*index)).map(|one| one.instruction)
    };
    let start_of = |number: u32| {
        executed
            .get(number as usize)
            .and_then(|(index, _)| visits.starts.get(*index))
            .map_or(end, |start| *start)
    };
    let Some(first) = number(entry) else { return end.since(Cycles::default()) };
    let is_return = |one: &Instruction| one.op == Op::Jalr && one.rd == 0 && one.rs1 == RA;
    let returns = number(visits.last).filter(|number| once(*number).is_some_and(|one| is_return(&one)));
    let leading = framed((first, None), 1, |number| once(number).filter(|one| saves(one, kept)), |_| None);
    let body = first + leading.len() as u32;
    let is_restored = |number| once(number).filter(|one| number >= body && restores(one, kept));
    let trailing = framed((body, returns), 1, |_| None, is_restored);
    let start = start_of(body);
    let stop = returns.map_or(end, |last| start_of(trailing.last().map_or(last, |(number, _)| *number)));
    let frame = leading.iter().chain(&trailing).map(|(number, _)| *number).chain(returns);
    for (index, _) in frame.filter_map(|number| executed.get(number as usize)) {
        visits.counts[*index] -= 1;
    }
    stop.since(start)
}
