//! Our cycles, and those that another simulator must take by what is known of its deviations: the ARMulator in ARM state,
//! rp2040js in Thumb state.

use rhomb_arm::Machine;
use rhomb_arm::instructions::{Action, Instruction, LR};
use rhomb_machine::{Concrete, Control, Fault, Processor};
use rhomb_oracles::{Armulator, Rp2040js};

/// What a run takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Times {
    /// By our core.
    pub(crate) ours: u64,
    /// By the other simulator.
    pub(crate) theirs: u64,
}

/// What the ARMulator takes for this instruction, its condition holding, where it deviates from the manual; by the
/// registers before it.
fn armulator(machine: &Machine<Concrete<u32>>, instruction: &Instruction) -> Option<u64> {
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

/// What rp2040js lacks of the manual's time for this instruction.
fn lacks(instruction: &Instruction) -> u64 {
    match instruction.action {
        Action::Block { registers, .. } if registers >> LR != 0 => Rp2040js::LINK,
        _ => 0,
    }
}

/// Executes the next instruction.
pub(crate) fn step(machine: &mut Machine<Concrete<u32>>, times: &mut Times) -> Result<Control, Fault> {
    // where nothing is decoded the step below tells why
    let instruction = machine.program().instruction(machine.pc()).ok();
    let thumb = machine.program().core().thumb.is_some();
    let exchanged = instruction.filter(|_| !thumb).and_then(|instruction| armulator(machine, &instruction));
    let lacks = instruction.filter(|_| thumb).map_or(0, |instruction| lacks(&instruction));
    let before = machine.cycles();
    let control = machine.step()?;
    let ours = machine.cycles().since(before).max;
    times.ours += ours;
    // a failed condition takes one cycle, and none of these does
    times.theirs += exchanged.filter(|_| ours > 1).unwrap_or(ours) - lacks;
    Ok(control)
}
