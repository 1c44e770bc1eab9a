//! Instructions of machine code, prepared for any number of runs.

use crate::cores::{Core, Early, Needs};
use crate::decode::{DecodeError, decode_for};
use crate::encode::{EncodeError, encode};
use crate::extension::{Extension, REGISTERS};
use crate::instructions::{
    Action, Condition, DataOp, Instruction, Later, PC, SP, ShiftKind, Shifter, Size, flag,
};
use crate::syntax;
use crate::thumb::{self, Block, Found};
use rhomb_machine::{CauseOf, Class, Encoded, Filled, Flow, Jump, Placement, Unplaced, Way};
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
    /// How many it has.
    pub(crate) bytes: u8,
    /// The IT block in which it stands.
    pub(crate) block: Block,
    /// Whether the linker fills in half an address.
    pub(crate) filled: bool,
    /// How far PC is ahead, where it is an operand.
    pub(crate) ahead: u8,
    pub(crate) uses: Uses,
}

/// Registers (from bit 0 on) and flags (from bit [`FLAGS`] on, in the order of [`flag`]).
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

/// Where the flags stand in [`Uses`].
pub(crate) const FLAGS: u32 = REGISTERS as u32;

/// Flags as they stand there.
pub(crate) const fn flag_bits(flags: u8) -> u64 {
    (flags as u64) << FLAGS
}

/// `r4`, `sp`, `s0`.
pub(crate) fn register_name(number: u8) -> &'static str {
    const NAMES: [&str; REGISTERS] = [
        "r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11", "r12", "sp", "lr", "pc",
        "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7", "s8", "s9", "s10", "s11", "s12", "s13", "s14", "s15",
        "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23", "s24", "s25", "s26", "s27", "s28", "s29",
        "s30", "s31",
    ];
    NAMES.get(usize::from(number)).copied().unwrap_or_default()
}

impl Encoded for Arm {
    /// Half an instruction of ARM state.
    type Word = u16;
    type Model = &'static Core;
    type Instruction = Instruction;
    type Found = Found;
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
        words: &[u16],
    ) -> Result<Found, Cause> {
        Arm::decode_among(core, placement, address, words, 0)
    }

    fn decode_among(
        core: &&'static Core,
        placement: &Placement,
        address: u32,
        words: &[u16],
        number: usize,
    ) -> Result<Found, Cause> {
        let decoded = match (core.thumb, words.get(number..).unwrap_or_default()) {
            (Some(level), _) => {
                // a pool of literals may end with what looks like an IT
                let code = (address - placement.code_begins(address)) as usize / 2;
                let first = number.saturating_sub(code);
                thumb::decode_among(level, words.get(first..).unwrap_or_default(), number - first)
            }
            (None, [low, high, ..]) if address.is_multiple_of(4) => {
                let word = u32::from(*high) << 16 | u32::from(*low);
                decode_for(word, core.umaal).map(|instruction| Found {
                    instruction,
                    bytes: 4,
                    block: Block::default(),
                })
            }
            (None, _) => return Err(Unplaced::Outside.into()),
        };
        is_placed(placement, address, decoded.as_ref().ok())?;
        decoded.map_err(Cause::Decode)
    }

    fn check(core: &&'static Core, one: &Found) -> Result<(), Untimed> {
        core.cycles(one).map(|_| ()).ok_or(Untimed { core: core.name })
    }

    fn encode(core: &&'static Core, one: &Instruction) -> Result<SmallVec<[u16; 2]>, Cause> {
        core.cycles(one).ok_or(Cause::Core(Untimed { core: core.name }))?;
        if let Some(level) = core.thumb {
            return thumb::encode(level, one).map_err(Cause::Encode);
        }
        let word = encode(one).map_err(Cause::Encode)?;
        Ok(smallvec![word as u16, (word >> 16) as u16])
    }

    fn length(found: &Found) -> u32 {
        u32::from(found.bytes) / 2
    }

    fn prepare(program: &Program, address: u32, found: Option<Found>) -> (Decoded, Needs) {
        let core = program.core();
        let needs = found.and_then(|one| core.needs(&one)).unwrap_or_default();
        let filled = program.placement().filled(address);
        let filled = matches!(filled, Some(Filled::Immediate(_) | Filled::Rest { .. }));
        (Decoded { filled, ..Decoded::of(core, address, found) }, needs)
    }

    fn way(_: &Program, address: u32, one: &Found) -> Way {
        let next = address.wrapping_add(one.bytes.into());
        let always = one.condition == Condition::Al;
        let flow = match one.action {
            Action::Branch { link: false, distance } if always => {
                Flow::To(address.wrapping_add_signed(distance))
            }
            Action::BranchExchange { .. } if always => Flow::Away,
            Action::Branch { link: true, .. }
            | Action::Later(Later::CompareBranch { .. } | Later::CallExchange { .. }) => Flow::Next,
            _ if always && one.registers_written() >> PC & 1 != 0 => Flow::Away,
            _ => Flow::Next,
        };
        let or = match one.action {
            Action::Branch { link: false, distance } if !always => Some(distance),
            Action::Later(Later::CompareBranch { distance, .. }) => Some(distance),
            _ => None,
        };
        Way { flow, next, delayed: false, or: or.map(|distance| address.wrapping_add_signed(distance)) }
    }

    fn class(_: &&'static Core, one: &Decoded) -> Option<Class> {
        Some(one.instruction.class())
    }

    fn text(core: &&'static Core, one: &Found) -> String {
        text(core, one)
    }

    fn identity(core: &&'static Core) -> String {
        core.name.to_owned()
    }
}

impl Decoded {
    /// An instruction on a core, if there is one.
    pub(crate) fn of(core: &Core, address: u32, found: Option<Found>) -> Decoded {
        let operand = Shifter::plain(0);
        let nothing = Action::Data { op: DataOp::Mov, set: false, rd: 0, rn: 0, operand }.into();
        let found = found.and_then(|one| Some((one, core.cycles(&one)?)));
        let instruction = found.map_or(nothing, |(one, _)| one.instruction);
        Decoded {
            instruction,
            cycles: found.map_or(0, |(_, cycles)| cycles.least),
            early: found.and_then(|(_, cycles)| cycles.early),
            bytes: found.map_or(4, |(one, _)| one.bytes),
            block: found.map_or(Block::default(), |(one, _)| one.block),
            filled: false,
            // DDI 0100, A2.4.3; DDI 0403E, A5.1.2: the base of a literal is a multiple of 4
            ahead: match core.thumb {
                None => 8,
                Some(_) if counts_from_words(&instruction.action) => 4 - (address & 2) as u8,
                Some(_) => 4,
            },
            uses: uses(&instruction, core.thumb.is_some()),
        }
    }

    /// Whether it is executed only where something holds.
    pub(crate) fn is_conditional(&self) -> bool {
        self.instruction.condition != Condition::Al
            || matches!(self.instruction.action, Action::Later(Later::CompareBranch { .. }))
    }
}

/// Whether it reads PC, as the address of a word.
pub(crate) fn is_from_words(action: &Action) -> bool {
    Instruction::from(*action).registers_read() >> PC & 1 != 0 && counts_from_words(action)
}

/// Whether PC as an operand is the address of a word: in literals and ADR.
fn counts_from_words(action: &Action) -> bool {
    match action {
        Action::Data { operand, .. } => operand.value().is_some(),
        Action::Transfer { .. }
        | Action::Later(Later::Double { .. } | Later::Extension(Extension::Transfer { .. })) => true,
        _ => false,
    }
}

/// The halfwords of words.
pub fn halves(words: &[u32]) -> Vec<u16> {
    words.iter().flat_map(|word| [*word as u16, (word >> 16) as u16]).collect()
}

/// The words of halfwords.
pub fn words(halves: &[u16]) -> Vec<u32> {
    halves.as_chunks().0.iter().map(|[low, high]| u32::from(*high) << 16 | u32::from(*low)).collect()
}

/// An instruction as reports show it.
pub(crate) fn text(core: &Core, instruction: &Instruction) -> String {
    match core.thumb {
        Some(_) => syntax::gnu::thumb(instruction),
        None => syntax::gnu::instruction(instruction).unwrap_or_else(|error| error.to_string()),
    }
}

/// Whether the code at an address is one that can be executed.
fn is_placed(placement: &Placement, address: u32, found: Option<&Found>) -> Result<(), Unplaced> {
    let jump = found.and_then(|one| match one.action {
        Action::Branch { distance, .. } | Action::Later(Later::CompareBranch { distance, .. }) => {
            Some(Jump::Relative(address.wrapping_add_signed(distance)))
        }
        _ => None,
    });
    let takes = found.is_some_and(|one| match placement.filled(address) {
        Some(Filled::Immediate(_)) => matches!(one.action, Action::Data { op: DataOp::Mov, set: false, .. }),
        Some(Filled::Rest { .. }) => matches!(one.action, Action::Later(Later::MoveTop { .. })),
        _ => false,
    });
    placement.check(address, found.map_or(2, |one| one.bytes.into()), jump, takes)
}

/// What must be defined before, and is defined after, an instruction. Differs from the roles in
/// [`Instruction::registers_read`] and its kin where a value is named but does not matter.
fn uses(instruction: &Instruction, thumb: bool) -> Uses {
    let always = Instruction { condition: Condition::Al, ..*instruction };
    let mut reads = always.registers_read() | flag_bits(always.flags_read());
    let mut writes = always.registers_written() | flag_bits(always.flags_written());
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
        // DDI 0403E, A7.7.84
        Action::Multiply { set: true, .. } if thumb => writes &= !flag_bits(flag::C),
        Action::Multiply { set: true, .. } => destroys = flag_bits(flag::C),
        Action::LongMultiply { set: true, .. } => destroys = flag_bits(flag::C | flag::V),
        // saving an undefined register is no use of it
        Action::Transfer { load: false, size: Size::Word, rd, address } => {
            let stored = Action::Transfer { load: true, size: Size::Word, rd, address };
            reads = Instruction::from(stored).registers_read() | reads & flag_bits(flag::ALL);
        }
        Action::Block { load: false, rn, .. } => reads = 1 << rn,
        Action::Later(
            Later::Double { load: false, address, .. }
            | Later::Extension(Extension::Transfer { load: false, address, .. }),
        ) => reads = 1 << address.rn,
        Action::Later(Later::Extension(Extension::Block { load: false, rn, .. })) => reads = 1 << rn,
        Action::Later(Later::Extension(Extension::Move { .. })) => (reads, writes) = (0, 0),
        _ => {}
    }
    let branches = matches!(
        instruction.action,
        Action::Branch { .. }
            | Action::BranchExchange { .. }
            | Action::Later(Later::CompareBranch { .. } | Later::CallExchange { .. })
    );
    let compared = match instruction.action {
        Action::Later(Later::CompareBranch { rn, .. }) => 1 << rn,
        _ => 0,
    };
    let pc = 1 << PC;
    Uses {
        condition: flag_bits(instruction.condition.flags()) | compared,
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
