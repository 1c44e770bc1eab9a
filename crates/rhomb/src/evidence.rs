//! What a routine's machine code does: calls in the simulator, compared with exact arithmetic.

use crate::contract::Contract;
use crate::error::Error;
use crate::inputs::{Input, inputs};
use crate::target::{Buffer, Call, Code, Mix, Run, Static, Target};
use num_bigint::BigUint;
use rhomb_machine::Cycles;

/// Instructions that the calls of one routine may take together, so that large sizes do not keep the
/// user waiting.
const BUDGET: u64 = 1_000_000;
/// Calls that are made whatever they take.
const FEWEST: usize = 32;
/// Bytes between the arrays, where there is room: they belong to nobody, so that any access to them is
/// a fault.
const GAP: u32 = 61;

/// What was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evidence {
    /// Number of calls.
    pub calls: usize,
    /// Cycles from the first instruction to the return.
    pub function: Cycles,
    /// Cycles between saves and restores, in the slowest call.
    pub body: u64,
    /// Instructions of the body in the slowest call.
    pub mix: Mix,
    /// Bytes of stack, the return address left out.
    pub stack_bytes: u32,
}

/// Calls the routine on edge cases and random operands, at several places in memory.
///
/// # Errors
/// A request error where memory is too small, an evidence error for the first call that breaks the
/// contract or the convention.
pub fn simulate(
    target: &dyn Target,
    code: &Code,
    facts: &Static,
    contract: Contract,
    convention: &str,
) -> Result<Evidence, Error> {
    let length = contract.words(target.word_bits()) * target.word_bits() / 8;
    let room = Room::new(target, contract, facts.stack_bytes)?;
    let failed = |fault: String| {
        let Contract { operation, bits } = contract;
        let fault = format!("the code fails {} {bits} on {}: {fault}", operation.name(), target.name());
        Error::evidence(
            fault,
            "nothing was written; contract, target and convention must be those of the code",
        )
    };
    let mut simulator = target.simulator(code, convention).map_err(failed)?;
    let mut evidence: Option<Evidence> = None;
    for (number, input) in inputs(length).iter().enumerate() {
        let spent = evidence.as_ref().map_or(0, |evidence| evidence.mix.total() * number as u64);
        if number >= FEWEST && spent > BUDGET {
            break;
        }
        let run = simulator.call(&room.call(number, input, length)).map_err(failed)?;
        let (a, b) = input.values(length);
        let answer = contract.operation.answer(&[a, b].map(BigUint::from_bytes_le));
        if BigUint::from_bytes_le(&run.result) != answer {
            let operands = [a, b].map(|value| BigUint::from_bytes_le(value).to_str_radix(16));
            let [a, b] = operands.map(|text| crate::error::shown(&text));
            return Err(failed(format!("wrong result for a = 0x{a}, b = 0x{b}")));
        }
        evidence = Some(merge(evidence, run));
    }
    evidence.ok_or_else(|| failed("no call was made".to_owned()))
}

fn merge(before: Option<Evidence>, run: Run) -> Evidence {
    let cycles = Cycles::exact(run.function_cycles);
    let this = Evidence {
        calls: 1,
        function: cycles,
        body: run.body_cycles,
        mix: run.mix,
        stack_bytes: run.stack_bytes,
    };
    let Some(before) = before else { return this };
    let slower = run.function_cycles > before.function.max;
    Evidence {
        calls: before.calls + 1,
        function: before.function.hull(cycles),
        stack_bytes: before.stack_bytes.max(run.stack_bytes),
        ..if slower { this } else { before }
    }
}

/// Refuses operands that no placement can hold, before any work is done.
pub(crate) fn check_memory(target: &dyn Target, contract: Contract) -> Result<(), Error> {
    Room::new(target, contract, Some(0)).map(|_| ())
}

/// Data memory of a target, shared out.
struct Room {
    /// Where arrays may lie.
    start: u32,
    /// Bytes that no array takes, between them or around.
    spare: u32,
    /// Bytes of the result, then of each operand.
    lengths: [u32; 3],
    /// Lowest address of the stack.
    stack: u32,
}

impl Room {
    /// `stack_bytes`: what the routine pushes, `None` when unknown.
    fn new(target: &dyn Target, contract: Contract, stack_bytes: Option<u32>) -> Result<Room, Error> {
        let ram = target.ram();
        let words = contract.words(target.word_bits());
        let bytes = (words * target.word_bits() / 8) as u32;
        let result = (contract.operation.result_words(words) * target.word_bits() / 8) as u32;
        let lengths = [result, bytes, bytes];
        let arrays: u32 = lengths.iter().sum();
        let stack = stack_bytes.unwrap_or(0) + target.return_bytes();
        let size = ram.len() as u32;
        let Some(spare) = size.checked_sub(arrays + stack) else {
            let fault = format!(
                "operands, result and stack of {} {} take {} bytes; {} has {size} bytes of data memory",
                contract.operation.name(),
                contract.bits,
                arrays + stack,
                target.name(),
            );
            return Err(Error::request(fault, "a smaller size, or another core (`rhomb list targets`)"));
        };
        // half of what is left serves a stack of unknown depth
        let unknown = if stack_bytes.is_none() { spare / 2 } else { 0 };
        Ok(Room { start: ram.start, spare: spare - unknown, lengths, stack: ram.end - stack - unknown })
    }

    /// Call number `number`: the arrays in one of the six orders, moved up and down in memory.
    fn call(&self, number: usize, input: &Input, length: usize) -> Call {
        const ORDERS: [[usize; 3]; 6] = [[0, 1, 2], [2, 1, 0], [1, 0, 2], [2, 0, 1], [0, 2, 1], [1, 2, 0]];
        const NAMES: [&str; 3] = ["r", "a", "b"];
        let gap = GAP.min(self.spare / 4);
        let movable = self.spare - 3 * gap;
        let mut address = self.start + gap + (number as u32 * 89) % (movable + 1);
        let mut addresses = [0; 3];
        // one array over the places of both operands: they must be neighbours
        let order = match input {
            Input::Overlapping { .. } => [0, 1, 2],
            Input::Apart(..) | Input::Same(_) => ORDERS[number % ORDERS.len()],
        };
        for index in order {
            addresses[index] = address;
            address += self.lengths[index] + gap;
        }
        match input {
            Input::Apart(..) => {}
            Input::Same(_) => addresses[2] = addresses[1],
            Input::Overlapping { shift, .. } => addresses[2] = addresses[1] + *shift as u32,
        }
        let (a, b) = input.values(length);
        let values = [None, Some(a.to_vec()), Some(b.to_vec())];
        let arguments = NAMES.iter().zip(addresses).zip(self.lengths).zip(values);
        Call {
            arguments: arguments
                .map(|(((name, address), length), value)| Buffer {
                    name,
                    address,
                    length: length as usize,
                    value,
                })
                .collect(),
            stack: self.stack,
            number,
        }
    }
}
