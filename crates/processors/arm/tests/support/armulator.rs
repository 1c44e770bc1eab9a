//! Our cycles, and those that the ARMulator must take by what its source says of multiplications.

use rhomb_arm::Machine;
use rhomb_arm::instructions::{Action, Instruction};
use rhomb_machine::{Concrete, Control, Fault, Processor};
use rhomb_oracles::Armulator;

/// What a run takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    /// By our core.
    pub(crate) ours: u64,
    /// By the ARMulator: the same but for multiplications.
    pub(crate) theirs: u64,
}

/// What the ARMulator takes for this instruction, its condition holding, where it deviates from the manual; by the
/// registers before it.
fn deviation(machine: &Machine<Concrete<u32>>, instruction: &Instruction) -> Option<u64> {
    let register = |number: u8| *machine.register(number);
    match instruction.action {
        Action::LongMultiply { signed, accumulate, rm, .. } => {
            Some(Armulator::long(signed, accumulate, register(rm)))
        }
        Action::Multiply { rs, .. } => Some(Armulator::short(register(rs))),
        Action::Swap { .. } => Some(Armulator::SWAP),
        _ => None,
    }
}

/// Executes the next instruction.
pub(crate) fn step(machine: &mut Machine<Concrete<u32>>, times: &mut Times) -> Result<Control, Fault> {
    // where nothing is decoded the step below tells why
    let instruction = machine.program().instruction(machine.pc()).ok();
    let deviation = instruction.and_then(|instruction| deviation(machine, &instruction));
    let before = machine.cycles();
    let control = machine.step()?;
    let ours = machine.cycles().since(before).max;
    times.ours += ours;
    // a failed condition takes one cycle, and none of these does
    times.theirs += deviation.filter(|_| ours > 1).unwrap_or(ours);
    Ok(control)
}
