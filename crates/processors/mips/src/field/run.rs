//! Whole programs simulated, with the calls of each routine counted.

use super::Library;
use crate::conventions::O32;
use crate::machine::Machine;
use rhomb_machine::{Access, Concrete, Control, Cycles, Domain, Fault, Processor};
use std::collections::BTreeMap;

/// A program after its return.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The words of the result; `None` where nothing was written.
    pub result: Vec<Option<u32>>,
    /// Cycles from the first instruction to the return.
    pub cycles: Cycles,
    /// How often each label was reached.
    pub visits: BTreeMap<String, u64>,
}

impl Run {
    /// How often a label was reached.
    pub fn count(&self, label: &str) -> u64 {
        self.visits.get(label).copied().unwrap_or(0)
    }
}

/// Bytes of stack that a program has.
const STACK: u32 = 4096;
/// Cells between buffers.
const GAP: u32 = 4;

/// Calls `entry` with a result of `length` words and operands, for at most `limit` instructions. It may write operand number
/// `written`, from 0, and no other.
///
/// # Errors
/// Whatever stops the program.
pub fn run(
    library: &Library,
    entry: u32,
    length: u32,
    operands: &[&[u32]],
    written: Option<usize>,
    limit: u64,
) -> Result<Run, Fault> {
    let start = library.program.model().core().ram.start / 4;
    let words: u32 = operands.iter().map(|words| words.len() as u32 + GAP).sum();
    let stack = (start + 2 * GAP + length + words).next_multiple_of(2);
    let sp = stack + STACK / 4;
    let end = sp + O32.home / 4;
    let domain = Concrete::<u32>::new();
    let mut machine: Machine<_> =
        rhomb_machine::Machine::with_memory(library.program.clone(), domain, start..end);
    let mut cell = start + GAP;
    let result = cell..cell + length;
    machine.memory.own_based(0, "r", result.clone(), Access::Store)?;
    let mut addresses = vec![cell];
    cell += length + GAP;
    for (index, words) in operands.iter().enumerate() {
        let number = index as u32 + 1;
        let access = if written == Some(index) { Access::Store } else { Access::Load };
        machine.memory.own_based(number, "operand", cell..cell + words.len() as u32, access)?;
        machine.memory.fill(cell, words)?;
        addresses.push(cell);
        cell += words.len() as u32 + GAP;
    }
    machine.own_stack(stack..end)?;
    for (number, (register, cell)) in (0..).zip(O32.arguments.iter().zip(addresses)) {
        let word = machine.domain.pointer(number, 0, 4 * u64::from(cell), 0);
        machine.set_register(*register, word);
    }
    for register in (16..24).chain([28, 30]) {
        let word = machine.domain.arbitrary();
        machine.set_register(register, word);
    }
    machine.set_sp(4 * sp, O32.home);
    machine.enter(entry)?;
    let origin = library.program.origin();
    let mut reached = vec![0u64; library.program.words().len()];
    for _ in 0..limit {
        if let Some(count) = reached.get_mut((machine.pc().wrapping_sub(origin) / 4) as usize) {
            *count += 1;
        }
        if machine.step()? == Control::Return {
            let count = |address: &u32| reached.get((address.wrapping_sub(origin) / 4) as usize).copied();
            let visits =
                library.labels.iter().filter_map(|(label, at)| Some((label.clone(), count(at)?))).collect();
            let result = result.map(|cell| machine.memory.peek(cell).copied()).collect();
            return Ok(Run { result, cycles: machine.cycles(), visits });
        }
    }
    Err(Fault::StepLimit { limit })
}
