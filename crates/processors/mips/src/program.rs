//! Machine code, decoded once for any number of runs.

use crate::cores::Times;
use crate::decode::DecodeError;
use crate::encode::EncodeError;
use crate::instructions::{Instruction, Kind, Op, Operand};
use crate::model::Model;
use rhomb_machine::{Jump, Placement, Unit, Unplaced};
use std::sync::Arc;

/// What is wrong with the word at an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("address {address:#06x}: {cause}")]
pub struct ProgramError {
    /// Byte address.
    pub address: u32,
    /// Why it cannot be executed.
    pub cause: Cause,
}

/// Why a word cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// No instruction.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// An operand that does not fit.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Nothing that is executed.
    #[error(transparent)]
    Unplaced(#[from] Unplaced),
}

/// An instruction as the simulator wants it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
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
}

/// Machine code for a processor at an address.
#[derive(Debug)]
pub struct Program {
    model: Arc<Model>,
    origin: u32,
    words: Vec<u32>,
    code: Vec<Decoded>,
    placement: Placement,
}

impl Program {
    /// The program `words` at byte address `origin`, a multiple of 4. Data may stand among the code: what is no
    /// instruction is an error only when it is executed.
    pub fn new(model: Arc<Model>, origin: u32, words: &[u32]) -> Self {
        Program::placed(model, origin, words, Placement::default())
    }

    /// The same where more is known of how the words are placed.
    pub fn placed(model: Arc<Model>, origin: u32, words: &[u32], placement: Placement) -> Self {
        let decoded = |(number, word): (u32, &u32)| {
            let address = origin.wrapping_add(4 * number);
            let found = model.decode(*word).ok();
            let found = found.filter(|one| is_placed(&model, &placement, address, Some(one)).is_ok());
            let instruction = found.unwrap_or(Instruction::NOP);
            let row = model.row(&instruction);
            let (reads, writes) = row.map_or((0, 0), |row| (instruction.reads(row), instruction.writes(row)));
            let (needs, defines, destroys) = definitions(&instruction, reads, writes);
            Decoded {
                instruction,
                kind: row.filter(|_| found.is_some()).map(|row| row.kind),
                times: model.times(&instruction),
                reads,
                writes,
                needs,
                defines,
                destroys,
            }
        };
        let code = (0..).zip(words).map(decoded).collect();
        Program { model, origin, words: words.to_vec(), code, placement }
    }

    /// The same, when every word is an instruction of this processor; anything else is an error.
    ///
    /// # Errors
    /// The first word that is none.
    pub fn strict(model: Arc<Model>, origin: u32, words: &[u32]) -> Result<Self, ProgramError> {
        let program = Program::new(model, origin, words);
        for number in 0..words.len() as u32 {
            program.instruction(origin.wrapping_add(4 * number))?;
        }
        Ok(program)
    }

    /// A program of instructions, encoded one after the other.
    ///
    /// # Errors
    /// The first instruction that cannot be encoded.
    pub fn assemble(
        model: Arc<Model>,
        origin: u32,
        instructions: &[Instruction],
    ) -> Result<Self, ProgramError> {
        let mut words = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            let address = origin.wrapping_add(4 * words.len() as u32);
            let word = model.encode(instruction);
            words.push(word.map_err(|error| ProgramError { address, cause: error.into() })?);
        }
        Ok(Program::new(model, origin, &words))
    }

    /// The processor.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    /// Byte address of the first word.
    pub fn origin(&self) -> u32 {
        self.origin
    }

    /// The code.
    pub fn words(&self) -> &[u32] {
        &self.words
    }

    /// The instruction at a byte address.
    ///
    /// # Errors
    /// There is no program or no instruction.
    pub fn instruction(&self, address: u32) -> Result<Instruction, ProgramError> {
        let at = |cause| ProgramError { address, cause };
        let word = self.word(address).ok_or(at(Unplaced::Outside.into()))?;
        let decoded = self.model.decode(word);
        is_placed(&self.model, &self.placement, address, decoded.as_ref().ok())
            .map_err(|error| at(error.into()))?;
        decoded.map_err(|error| at(error.into()))
    }

    /// How the code is placed.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether an address of this base is that of a byte of the program.
    pub(crate) fn is_at(&self, base: u32, byte: u32) -> bool {
        self.placement.base(byte, Unit::Bytes) == Some(base)
    }

    /// The word at a byte address, if the program covers it.
    pub fn word(&self, address: u32) -> Option<u32> {
        self.words.get(self.index(address)?).copied()
    }

    /// Which word stands at a byte address; it may be none of the program's.
    #[inline(always)]
    pub(crate) fn index(&self, address: u32) -> Option<usize> {
        let distance = address.wrapping_sub(self.origin);
        distance.is_multiple_of(4).then_some((distance / 4) as usize)
    }

    #[inline(always)]
    pub(crate) fn decoded(&self, address: u32) -> Option<&Decoded> {
        self.code.get(self.index(address)?)
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
    placement.check(address, 4, jump, false)
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
