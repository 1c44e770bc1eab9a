//! Instructions of machine code, prepared for any number of runs.

use crate::cores::{Core, Times};
use crate::decode::{DecodeError, decode};
use crate::encode::{EncodeError, encode};
use crate::instructions::{Extension, Instruction, Kind, Op, RA};
use crate::{link, syntax};
use rhomb_machine::{CauseOf, Class, Encoded, Filled, Flow, Jump, Placement, Way};
use smallvec::SmallVec;

/// RISC-V of 32 bits.
#[derive(Clone, Copy, Debug)]
pub struct Riscv;

/// Machine code for a core at an address.
pub type Program = rhomb_machine::Program<Riscv>;
/// What is wrong with the halfword at an address.
pub type ProgramError = rhomb_machine::ProgramError<Cause>;
/// Why a halfword cannot be executed.
pub type Cause = CauseOf<Riscv>;

/// An instruction that is not executed on a core.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{mnemonic} on {core}, {why}")]
pub struct Lacking {
    /// Why not.
    pub why: &'static str,
    /// Name of the core.
    pub core: &'static str,
    /// The instruction.
    pub mnemonic: &'static str,
}

/// An instruction as the simulator wants it.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    pub(crate) instruction: Instruction,
    pub(crate) kind: Kind,
    /// The least and the most that it takes; `None` for what cannot be executed.
    pub(crate) times: Option<Times>,
    /// Whether it has 32 bits and stands across two words.
    pub(crate) unaligned: bool,
    /// Whether the linker fills the rest of an address into it.
    pub(crate) has_rest: bool,
    /// Cycles that this adds, which are among the times.
    pub(crate) later: u8,
    /// Registers that it waits for.
    pub(crate) reads: u64,
    /// Registers that others wait for.
    pub(crate) writes: u64,
    /// Registers that must be defined before it.
    pub(crate) needs: u64,
    /// Registers that are defined after it.
    pub(crate) defines: u64,
}

impl Encoded for Riscv {
    type Word = u16;
    type Model = &'static Core;
    type Instruction = Instruction;
    type Found = Instruction;
    type Prepared = Decoded;
    type Beside = ();
    type DecodeError = DecodeError;
    type EncodeError = EncodeError;
    type CoreError = Lacking;

    const UNIT: u32 = 1;

    fn decode(
        _: &&'static Core,
        placement: &Placement,
        address: u32,
        words: &[u16],
    ) -> Result<Instruction, Cause> {
        let decoded = decode(words);
        let (length, target, takes) = match &decoded {
            Ok(one) => (one.bytes(), one.target(address), link::takes(placement.filled(address), one)),
            Err(_) => (2, None, false),
        };
        placement.check(address, length, target.map(Jump::Relative), takes)?;
        decoded.map_err(Cause::Decode)
    }

    fn check(core: &&'static Core, one: &Instruction) -> Result<(), Lacking> {
        let row = one.op.row();
        let why = if row.kind == Kind::Divide && core.has(row.extension) {
            "whose time depends on its operands"
        } else {
            "which does not have it"
        };
        let lacking = Lacking { core: core.name, mnemonic: row.mnemonic, why };
        times(core, one).map(|_| ()).ok_or(lacking)
    }

    fn encode(core: &&'static Core, one: &Instruction) -> Result<SmallVec<[u16; 2]>, Cause> {
        Riscv::check(core, one).map_err(Cause::Core)?;
        encode(one).map_err(Cause::Encode)
    }

    fn length(found: &Instruction) -> u32 {
        found.bytes() / 2
    }

    fn prepare(program: &Program, address: u32, found: Option<Instruction>) -> (Decoded, ()) {
        let instruction = found.unwrap_or(Instruction::NOP);
        let unaligned = instruction.short.is_none() && !address.is_multiple_of(4);
        let later = if unaligned { program.core().timing.rules.unaligned } else { 0 };
        let times =
            found.and_then(|one| times(program.core(), &one)).map(|times| times.map(|one| one.later(later)));
        let (reads, writes) = (instruction.reads(), instruction.writes());
        let (needs, defines) = definitions(&instruction, reads, writes);
        let kind = instruction.op.row().kind;
        let has_rest = matches!(program.placement().filled(address), Some(Filled::Rest { .. }));
        (Decoded { instruction, kind, times, unaligned, has_rest, later, reads, writes, needs, defines }, ())
    }

    fn way(_: &Program, address: u32, one: &Instruction) -> Way {
        let flow = match (one.op, one.target(address)) {
            (Op::Jal, Some(goal)) if one.rd == 0 => Flow::To(goal),
            (Op::Jalr, _) if one.rd == 0 && one.rs1 == RA => Flow::Back,
            (Op::Jalr, _) if one.rd == 0 => Flow::Away,
            _ => Flow::Next,
        };
        let or = one.target(address).filter(|_| one.op != Op::Jal);
        Way { flow, next: address.wrapping_add(one.bytes()), delayed: false, or }
    }

    fn class(_: &&'static Core, one: &Decoded) -> Option<Class> {
        one.times.map(|_| one.instruction.op.row().class)
    }

    fn text(_: &&'static Core, one: &Instruction) -> String {
        syntax::instruction(one)
    }

    fn identity(core: &&'static Core) -> String {
        core.name.to_owned()
    }
}

/// What an instruction takes on a core that has it.
fn times(core: &Core, one: &Instruction) -> Option<Times> {
    let row = one.op.row();
    let has = core.has(row.extension) && (one.short.is_none() || core.has(Extension::C));
    core.timing.times(row.kind).filter(|_| has)
}

/// Whether it copies a register, and which: the copy is as defined as the original.
pub(crate) fn copied(one: &Instruction) -> Option<u8> {
    match (one.op, one.rs1, one.rs2, one.immediate) {
        (Op::Addi, from, _, 0) => Some(from),
        (Op::Add, from, 0, _) | (Op::Add, 0, from, _) => Some(from),
        _ => None,
    }
}

/// What must be defined before an instruction, and what is defined after it. Differs from what it reads and writes where a
/// value is named but does not matter.
fn definitions(one: &Instruction, reads: u64, writes: u64) -> (u64, u64) {
    if copied(one).is_some() {
        return (0, 0);
    }
    match one.op {
        // x - x, x ^ x and x < x do not depend on x
        Op::Sub | Op::Xor | Op::Slt | Op::Sltu if one.rs1 == one.rs2 => (0, writes),
        // storing an undefined register in the stack is no use of it: the store itself decides
        Op::Sw => ((1 << one.rs1) & !1, writes),
        _ => (reads, writes),
    }
}
