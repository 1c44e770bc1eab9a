//! Instructions of machine code, prepared for any number of runs.

use crate::cores::{Core, Early, Needs};
use crate::decode::{DecodeError, decode_for};
use crate::encode::{EncodeError, encode};
use crate::instructions::{Action, Condition, DataOp, Instruction, PC, SP, ShiftKind, Shifter, Size, flag};
use crate::syntax;
use rhomb_machine::{CauseOf, Class, Encoded, Flow, Jump, Placement, Unplaced, Way};
use smallvec::{SmallVec, smallvec};

/// ARM state.
#[derive(Clone, Copy, Debug)]
pub struct Arm;

/// Machine code for a core at an address.
pub type Program = rhomb_machine::Program<Arm>;
/// What is wrong with the word at an address.
pub type ProgramError = rhomb_machine::ProgramError<Cause>;
/// Why a word cannot be executed.
pub type Cause = CauseOf<Arm>;

/// An instruction whose time the core's model does not know.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the time of this instruction on {core} is not modelled")]
pub struct Untimed {
    /// Name of the core.
    pub core: &'static str,
}

/// An instruction as the simulator wants it: registers spread out, times looked up.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    pub(crate) instruction: Instruction,
    /// Least cycles; 0 marks words that are no instruction.
    pub(crate) cycles: u8,
    /// Whether the value of a register adds to that.
    pub(crate) early: Option<Early>,
    pub(crate) uses: Uses,
}

/// Registers (bits 0 to 15) and flags (bits 16 to 19, in the order of [`flag`]).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uses {
    /// Flags that the condition reads.
    pub(crate) condition: u64,
    /// What must be defined before an instruction that is executed.
    pub(crate) reads: u64,
    /// What is defined after it.
    pub(crate) writes: u64,
    /// What is undefined after it.
    pub(crate) destroys: u64,
    /// Whether PC is an operand.
    pub(crate) reads_pc: bool,
    /// Whether data processing or a load writes PC.
    pub(crate) writes_pc: bool,
    /// Whether it writes the stack pointer.
    pub(crate) moves_stack: bool,
}

/// Flags as they stand in [`Uses`].
pub(crate) const fn flag_bits(flags: u8) -> u64 {
    (flags as u64) << 16
}

/// `r4`, `sp`.
pub(crate) fn register_name(number: u8) -> &'static str {
    const NAMES: [&str; 16] =
        ["r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc"];
    NAMES[usize::from(number & 15)]
}

impl Encoded for Arm {
    type Word = u32;
    type Model = &'static Core;
    type Instruction = Instruction;
    type Found = Instruction;
    type Prepared = Decoded;
    /// What the instruction waits for; of a core that never waits nothing.
    type Beside = Needs;
    type DecodeError = DecodeError;
    type EncodeError = EncodeError;
    type CoreError = Untimed;

    const UNIT: u32 = 1;

    fn decode(
        core: &&'static Core,
        placement: &Placement,
        address: u32,
        words: &[u32],
    ) -> Result<Instruction, Cause> {
        let decoded = decode_for(*words.first().ok_or(Unplaced::Outside)?, core.umaal);
        is_placed(placement, address, decoded.as_ref().ok())?;
        decoded.map_err(Cause::Decode)
    }

    fn check(core: &&'static Core, one: &Instruction) -> Result<(), Untimed> {
        core.cycles(one).map(|_| ()).ok_or(Untimed { core: core.name })
    }

    fn encode(core: &&'static Core, one: &Instruction) -> Result<SmallVec<[u32; 2]>, Cause> {
        Arm::check(core, one).map_err(Cause::Core)?;
        Ok(smallvec![encode(one).map_err(Cause::Encode)?])
    }

    fn prepare(program: &Program, _: u32, found: Option<Instruction>) -> (Decoded, Needs) {
        let operand = Shifter::plain(0);
        let nothing = Action::Data { op: DataOp::Mov, set: false, rd: 0, rn: 0, operand }.into();
        let core = program.core();
        let needs = found.and_then(|one| core.needs(&one)).unwrap_or_default();
        let found = found.and_then(|one| Some((one, core.cycles(&one)?)));
        let instruction = found.map_or(nothing, |(one, _)| one);
        let decoded = Decoded {
            instruction,
            cycles: found.map_or(0, |(_, cycles)| cycles.least),
            early: found.and_then(|(_, cycles)| cycles.early),
            uses: uses(&instruction),
        };
        (decoded, needs)
    }

    fn way(_: &Program, address: u32, one: &Instruction) -> Way {
        let next = address.wrapping_add(4);
        let always = one.condition == Condition::Al;
        let flow = match one.action {
            Action::Branch { link: false, distance } if always => {
                Flow::To(address.wrapping_add_signed(distance))
            }
            Action::BranchExchange { .. } if always => Flow::Away,
            Action::Branch { link: true, .. } => Flow::Next,
            _ if always && one.registers_written() >> PC & 1 != 0 => Flow::Away,
            _ => Flow::Next,
        };
        Way { flow, next, delayed: false }
    }

    fn class(_: &&'static Core, one: &Decoded) -> Option<Class> {
        Some(one.instruction.class())
    }

    fn text(_: &&'static Core, one: &Instruction) -> String {
        text(one)
    }

    fn identity(core: &&'static Core) -> String {
        core.name.to_owned()
    }
}

/// An instruction as reports show it.
pub(crate) fn text(instruction: &Instruction) -> String {
    syntax::gnu::instruction(instruction).unwrap_or_else(|error| error.to_string())
}

/// Whether the word at an address is one that can be executed.
fn is_placed(placement: &Placement, address: u32, found: Option<&Instruction>) -> Result<(), Unplaced> {
    let jump = found.and_then(|one| match one.action {
        Action::Branch { distance, .. } => Some(Jump::Relative(address.wrapping_add_signed(distance))),
        _ => None,
    });
    placement.check(address, 4, jump, false)
}

/// What must be defined before, and is defined after, an instruction. Differs from the roles in
/// [`Instruction::registers_read`] and its kin where a value is named but does not matter.
fn uses(instruction: &Instruction) -> Uses {
    let always = Instruction { condition: Condition::Al, ..*instruction };
    let mut reads = u64::from(always.registers_read()) | flag_bits(always.flags_read());
    let mut writes = u64::from(always.registers_written()) | flag_bits(always.flags_written());
    let mut destroys = 0;
    match instruction.action {
        // the copy is as defined as the original
        action if is_copy(&action) => (reads, writes) = (0, 0),
        Action::Data { op, rn, operand, .. } => {
            let cancels = matches!(
                op,
                DataOp::Eor
                    | DataOp::Sub
                    | DataOp::Rsb
                    | DataOp::Sbc
                    | DataOp::Rsc
                    | DataOp::Teq
                    | DataOp::Cmp
            );
            // x - x and x ^ x do not depend on x
            if cancels && operand == Shifter::plain(rn) && rn != PC {
                reads &= !(1 << rn);
            }
            // by no places, C stays: it is as defined as before
            if !op.is_arithmetic() && matches!(operand, Shifter::ByRegister { .. }) {
                writes &= !flag_bits(flag::C);
            }
        }
        Action::Multiply { set: true, .. } => destroys = flag_bits(flag::C),
        Action::LongMultiply { set: true, .. } => destroys = flag_bits(flag::C | flag::V),
        // saving an undefined register is no use of it
        Action::Transfer { load: false, size: Size::Word, rd, address } => {
            let stored = Action::Transfer { load: true, size: Size::Word, rd, address };
            reads = u64::from(Instruction::from(stored).registers_read()) | reads & flag_bits(flag::ALL);
        }
        Action::Block { load: false, rn, .. } => reads = 1 << rn,
        _ => {}
    }
    let branches = matches!(instruction.action, Action::Branch { .. } | Action::BranchExchange { .. });
    let pc = 1 << PC;
    Uses {
        condition: flag_bits(instruction.condition.flags()),
        reads: reads & !pc,
        writes: writes & !destroys & !pc,
        destroys,
        reads_pc: reads & pc != 0,
        writes_pc: writes & pc != 0 && !branches,
        moves_stack: always.registers_written() >> SP & 1 != 0,
    }
}

/// MOV from a register to another, neither of them PC, that sets no flags.
pub(crate) fn is_copy(action: &Action) -> bool {
    match *action {
        Action::Data {
            op: DataOp::Mov,
            set: false,
            rd,
            operand: Shifter::Register { rm, kind: ShiftKind::Lsl, amount: 0 },
            ..
        } => rm != PC && rd != PC,
        _ => false,
    }
}
