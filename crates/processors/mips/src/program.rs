//! Instructions of machine code, prepared for any number of runs.

use crate::cores::Times;
use crate::decode::DecodeError;
use crate::encode::EncodeError;
use crate::instructions::{Instruction, Kind, Op, Operand, RA};
use crate::link;
use crate::model::Model;
use crate::syntax::{self, target};
use rhomb_machine::{CauseOf, Class, Encoded, Filled, Flow, Jump, Placement, Unplaced, Way};
use smallvec::{SmallVec, smallvec};
use std::convert::Infallible;
use std::sync::Arc;

/// MIPS32, with the instructions that extensions add.
#[derive(Clone, Copy, Debug)]
pub struct Mips;

/// Machine code for a processor at an address.
pub type Program = rhomb_machine::Program<Mips>;
/// What is wrong with the word at an address.
pub type ProgramError = rhomb_machine::ProgramError<Cause>;
/// Why a word cannot be executed.
pub type Cause = CauseOf<Mips>;

/// An instruction as the simulator wants it.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    pub(crate) instruction: Instruction,
    /// `None` for a word that is no instruction.
    pub(crate) kind: Option<Kind>,
    /// `None` for what has no time on the core.
    pub(crate) times: Option<Times>,
    /// Registers that it waits for.
    pub(crate) reads: u64,
    /// Registers that others wait for.
    pub(crate) writes: u64,
    /// Registers that must be defined before it.
    pub(crate) needs: u64,
    /// Registers that are defined after it.
    pub(crate) defines: u64,
    /// Registers that are undefined after it.
    pub(crate) destroys: u64,
    /// Whether it adds the rest of an address that the linker fills in.
    pub(crate) has_rest: bool,
}

impl Encoded for Mips {
    type Word = u32;
    type Model = Arc<Model>;
    type Instruction = Instruction;
    type Found = Instruction;
    type Prepared = Decoded;
    type Beside = ();
    type DecodeError = DecodeError;
    type EncodeError = EncodeError;
    type CoreError = Infallible;

    const UNIT: u32 = 1;

    fn decode(
        model: &Arc<Model>,
        placement: &Placement,
        address: u32,
        words: &[u32],
    ) -> Result<Instruction, Cause> {
        let decoded = model.decode(*words.first().ok_or(Unplaced::Outside)?);
        is_placed(model, placement, address, decoded.as_ref().ok())?;
        decoded.map_err(Cause::Decode)
    }

    fn check(_: &Arc<Model>, _: &Instruction) -> Result<(), Infallible> {
        Ok(())
    }

    fn encode(model: &Arc<Model>, one: &Instruction) -> Result<SmallVec<[u32; 2]>, Cause> {
        Ok(smallvec![model.encode(one).map_err(Cause::Encode)?])
    }

    fn prepare(program: &Program, address: u32, found: Option<Instruction>) -> (Decoded, ()) {
        let model = program.model();
        let instruction = found.unwrap_or(Instruction::NOP);
        let row = model.row(&instruction);
        let (reads, writes) = row.map_or((0, 0), |row| (instruction.reads(row), instruction.writes(row)));
        let (needs, defines, destroys) = definitions(&instruction, reads, writes);
        let kind = row.filter(|_| found.is_some()).map(|row| row.kind);
        let times = model.times(&instruction);
        let has_rest = matches!(program.placement().filled(address), Some(Filled::Rest { .. }));
        (Decoded { instruction, kind, times, reads, writes, needs, defines, destroys, has_rest }, ())
    }

    fn way(program: &Program, address: u32, one: &Instruction) -> Way {
        let way = |flow, delayed| Way { flow, next: address.wrapping_add(4), delayed, or: None };
        match (one.op, target(program.model(), address, one)) {
            (Op::J, Some(goal)) => way(Flow::To(goal), true),
            (_, Some(goal)) if always(one) => way(Flow::To(goal), true),
            (Op::Jr, _) if one.rs == RA => way(Flow::Back, true),
            (Op::Jr, _) => way(Flow::Away, true),
            (Op::Jal | Op::Bltzal | Op::Bgezal | Op::Bltzall | Op::Bgezall, _) | (Op::Jalr, _) => {
                way(Flow::Next, true)
            }
            (_, or @ Some(_)) => Way { or, ..way(Flow::Next, true) },
            _ => way(Flow::Next, false),
        }
    }

    fn class(model: &Arc<Model>, one: &Decoded) -> Option<Class> {
        one.kind.and_then(|_| model.row(&one.instruction)).map(|row| row.class)
    }

    fn text(model: &Arc<Model>, one: &Instruction) -> String {
        syntax::instruction(model, one)
    }

    fn identity(model: &Arc<Model>) -> String {
        model.identity()
    }
}

/// Whether a conditional branch is always taken: `b`, `bal`.
fn always(one: &Instruction) -> bool {
    match one.op {
        Op::Beq | Op::Beql => one.rs == one.rt,
        Op::Bgez | Op::Bgezl | Op::Blez | Op::Blezl => one.rs == 0,
        _ => false,
    }
}

/// Whether the word at an address is one that can be executed.
fn is_placed(
    model: &Model,
    placement: &Placement,
    address: u32,
    found: Option<&Instruction>,
) -> Result<(), Unplaced> {
    let jump = found.and_then(|one| match one.op {
        Op::J | Op::Jal => Some(Jump::Absolute),
        _ if model.row(one).is_some_and(|row| row.operands.contains(&Operand::Branch)) => {
            let next = address.wrapping_add(4);
            Some(Jump::Relative(next.wrapping_add_signed(one.immediate.wrapping_mul(4))))
        }
        _ => None,
    });
    let takes = found.is_some_and(|one| link::takes(placement.filled(address), one));
    placement.check(address, 4, jump, takes)
}

/// Whether it copies a register, and which: the copy is as defined as the original.
pub(crate) fn copied(instruction: &Instruction) -> Option<u8> {
    match (instruction.op, instruction.rs, instruction.rt) {
        (Op::Or | Op::Addu, from, 0) | (Op::Or | Op::Addu, 0, from) => Some(from),
        _ => None,
    }
}

/// What must be defined before an instruction, and what is defined and undefined after it. Differs from what it
/// reads and writes where a value is named but does not matter, and where the manual leaves a result open.
fn definitions(instruction: &Instruction, reads: u64, writes: u64) -> (u64, u64, u64) {
    use crate::instructions::{GUARD, HI, LO};
    let Instruction { op, rs, rt, .. } = *instruction;
    if copied(instruction).is_some() {
        return (0, 0, 0);
    }
    match op {
        // x - x, x ^ x and x < x do not depend on x
        Op::Subu | Op::Xor | Op::Slt | Op::Sltu if rs == rt => (0, writes, 0),
        // storing an undefined register in the stack is no use of it: the store itself decides
        Op::Sw => (reads & 1 << rs, writes, 0),
        // the accumulator's guard bits are as defined as they were
        Op::Maddu | Op::Msubu => (reads, writes & !GUARD, 0),
        // what a signed product means to guard bits is nowhere said
        Op::Mult | Op::Div | Op::Divu | Op::Madd | Op::Msub => (reads, writes & !GUARD, GUARD),
        // MD00086, MUL: HI and LO are unpredictable afterwards
        Op::Mul => (reads, writes & !(LO | HI | GUARD), LO | HI | GUARD),
        _ => (reads, writes, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;

    #[test]
    fn data_are_errors_of_the_strict_constructor_only() {
        let plain = Arc::new(Model::of(core("mips32-4km").unwrap()));
        // nop, multp $4, $5
        let words = [0, 0x0085_0459];
        assert_eq!(Program::new(plain.clone(), 8, &words).words(), words);
        let error = Program::strict(plain, 8, &words).unwrap_err().to_string();
        assert!(error.starts_with("address 0x000c: 0x00850459 is no integer instruction"), "{error}");
        let extended = Arc::new(Model::of(core("mips32-ise").unwrap()));
        let program = Program::strict(extended.clone(), 8, &words).unwrap();
        let mulgf2 = program.instruction(12).unwrap();
        assert_eq!(extended.row(&mulgf2).unwrap().mnemonic, "mulgf2");
        assert_eq!(extended.encode(&mulgf2), Ok(words[1]));
        assert!(program.instruction(13).is_err() && program.instruction(16).is_err());
    }
}
