//! Where the saves of a routine end and its restores begin.
//!
//! The frame is what keeps the caller's registers: the stack pointer moved down and preserved registers stored
//! there at the entry; they loaded and the stack pointer moved up before the return; the return itself, with its
//! delay slot where that does nothing but this. Everything else is the body.

use crate::instructions::{Instruction, Op, RA, SP};
use crate::program::Program;
use rhomb_machine::{Code, Cycles, Visits, framed};

/// Whether an instruction at the entry is the frame's.
fn saves(one: &Instruction, kept: u32) -> bool {
    match one.op {
        Op::Addiu => one.rs == SP && one.rt == SP && one.immediate < 0,
        Op::Sw => one.rs == SP && kept >> one.rt & 1 == 1,
        _ => false,
    }
}

/// Whether an instruction before the return, or in its delay slot, is the frame's.
fn restores(one: &Instruction, kept: u32) -> bool {
    match one.op {
        Op::Addiu => one.rs == SP && one.rt == SP && one.immediate > 0,
        Op::Lw => one.rs == SP && kept >> one.rt & 1 == 1,
        _ => false,
    }
}

/// The registers that a routine's first instructions save, as a set: those among `preserved`, and the return address.
pub fn saved(code: &[Instruction], preserved: u32) -> u32 {
    let kept = preserved | 1 << RA;
    let leading = code.iter().take_while(|one| saves(one, kept));
    leading.filter(|one| one.op == Op::Sw).fold(0, |set, one| set | 1 << one.rt)
}

/// The cycles of the body of a function that was executed, from byte address `entry` on to the delay slot of its return.
/// `preserved` are the registers that the convention wants preserved, `end` is the cycle after the last instruction. The
/// frame's visits are taken away.
pub(crate) fn take_frame(
    program: &Program,
    visits: &mut Visits,
    entry: u32,
    preserved: u32,
    end: Cycles,
) -> Cycles {
    let (kept, last) = (preserved | 1 << RA, visits.last);
    let jump = last.wrapping_sub(4);
    let instruction =
        |address: u32| program.prepared(address).filter(|one| one.kind.is_some()).map(|one| one.instruction);
    let count = |address: u32| program.index(address).and_then(|index| visits.counts.get(index));
    let once = |address: u32| count(address).filter(|count| **count == 1).and_then(|_| instruction(address));
    let start_of = |address: u32| {
        let index = program.index(address).filter(|_| count(address).is_some_and(|count| *count > 0));
        index.map_or(end, |index| visits.starts[index])
    };
    let returns = instruction(jump).filter(|one| one.op == Op::Jr && one.rs == RA).map(|_| jump);
    let is_saved = |address| once(address).filter(|one| saves(one, kept));
    let is_restored = |address| once(address).filter(|one| restores(one, kept));
    let leading = framed((entry, None), 4, is_saved, |_| None);
    let first = entry.wrapping_add(4 * leading.len() as u32);
    let trailing =
        framed((first, returns), 4, |_| None, |address| is_restored(address).filter(|_| address >= first));
    let start = start_of(first);
    let mut stop = end;
    let mut frame: Vec<u32> = leading.iter().chain(&trailing).map(|(address, _)| *address).collect();
    if returns.is_some() {
        let mut above = Cycles::default();
        match instruction(last) {
            Some(one) if one == Instruction::NOP || restores(&one, kept) => frame.push(last),
            // the body goes on in the delay slot
            _ => above = end.since(start_of(last)),
        }
        frame.push(jump);
        stop = start_of(trailing.last().map_or(jump, |(address, _)| *address)).plus(above);
    }
    for index in frame.into_iter().filter_map(|address| program.index(address)) {
        if let Some(count) = visits.counts.get_mut(index) {
            *count = count.saturating_sub(1);
        }
    }
    stop.since(start)
}

/// `$16-$23 $30`; a range stands for three registers or more.
pub fn register_list(set: u32) -> String {
    rhomb_machine::register_list(set, 32, |number| format!("${number}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn register_lists() {
        assert_eq!(register_list(0), "none");
        assert_eq!(register_list(0x70ff_0000), "$16-$23 $28-$30");
        assert_eq!(register_list(1 << 31 | 3), "$0 $1 $31");
    }
}
