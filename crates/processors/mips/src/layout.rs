//! Where the saves of a routine end and its restores begin.
//!
//! The frame is what keeps the caller's registers: the stack pointer moved down and preserved registers stored
//! there at the entry; they loaded and the stack pointer moved up before the return; the return itself, with its
//! delay slot where that does nothing but this. Everything else is the body.

use crate::instructions::{Class, Instruction, Op, RA, SP};
use crate::program::Program;
use rhomb_machine::{Cycles, Mix};

/// How often, and when last, each instruction of a program was executed.
pub(crate) struct Visits {
    /// By word of the program.
    counts: Vec<u64>,
    /// The cycle in which the last execution could have begun.
    starts: Vec<Cycles>,
}

impl Visits {
    pub(crate) fn new(program: &Program) -> Self {
        let length = program.words().len();
        Visits { counts: vec![0; length], starts: vec![Cycles::default(); length] }
    }

    /// An execution at a byte address that could have begun in this cycle.
    pub(crate) fn note(&mut self, program: &Program, address: u32, cycles: Cycles) {
        let Some(index) = program.index(address).filter(|index| *index < self.counts.len()) else { return };
        self.counts[index] += 1;
        self.starts[index] = cycles;
    }
}

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

/// Cycles and instructions of the body of a function that was executed, from byte address `entry` on to `last`,
/// the delay slot of its return. `preserved` are the registers that the convention wants preserved, `end` is the
/// cycle after the last instruction.
pub(crate) fn body(
    program: &Program,
    mut visits: Visits,
    entry: u32,
    last: u32,
    preserved: u32,
    end: Cycles,
) -> (Cycles, Mix) {
    let kept = preserved | 1 << RA;
    let instruction =
        |address: u32| program.decoded(address).filter(|one| one.kind.is_some()).map(|one| one.instruction);
    let once = |visits: &Visits, address: u32| {
        program.index(address).and_then(|index| visits.counts.get(index)) == Some(&1)
    };
    let mut frame: Vec<u32> = Vec::new();
    let mut first = entry;
    while once(&visits, first) && instruction(first).is_some_and(|one| saves(&one, kept)) {
        frame.push(first);
        first = first.wrapping_add(4);
    }
    let start_of = |visits: &Visits, address: u32| {
        let index = program.index(address).filter(|index| visits.counts.get(*index).is_some_and(|n| *n > 0));
        index.map_or(end, |index| visits.starts[index])
    };
    let start = start_of(&visits, first);
    let mut stop = end;
    let jump = last.wrapping_sub(4);
    if instruction(jump).is_some_and(|one| one.op == Op::Jr && one.rs == RA) {
        let mut above = Cycles::default();
        match instruction(last) {
            Some(one) if one == Instruction::NOP || restores(&one, kept) => frame.push(last),
            // the body goes on in the delay slot
            _ => above = end.since(start_of(&visits, last)),
        }
        frame.push(jump);
        let mut lowest = jump;
        loop {
            let address = lowest.wrapping_sub(4);
            if address < first || !once(&visits, address) {
                break;
            }
            if !instruction(address).is_some_and(|one| restores(&one, kept)) {
                break;
            }
            frame.push(address);
            lowest = address;
        }
        stop = start_of(&visits, lowest).plus(above);
    }
    for address in frame {
        if let Some(index) = program.index(address) {
            visits.counts[index] = visits.counts[index].saturating_sub(1);
        }
    }
    let mut mix = Mix::default();
    let addresses = (0..).map(|number: u32| program.origin().wrapping_add(4 * number));
    for (address, count) in addresses.zip(&visits.counts).filter(|(_, count)| **count > 0) {
        let Some(one) = instruction(address) else { continue };
        let Some(class) = program.model().row(&one).map(|row| row.class) else { continue };
        match class {
            Class::Load => mix.load += count,
            Class::Store => mix.store += count,
            Class::Multiply => mix.multiply += count,
            Class::Add => mix.add += count,
            Class::Other => mix.other += count,
        }
    }
    (stop.since(start), mix)
}

/// `$16-$23 $30`; a range stands for three registers or more.
pub fn register_list(set: u32) -> String {
    let mut parts: Vec<String> = Vec::new();
    let mut number = 0;
    while number < 32 {
        let run = (!(set >> number)).trailing_zeros().min(32 - number);
        match run {
            0 => {
                number += 1;
                continue;
            }
            1 | 2 => parts.extend((number..number + run).map(|one| format!("${one}"))),
            _ => parts.push(format!("${number}-${}", number + run - 1)),
        }
        number += run;
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join(" ") }
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
