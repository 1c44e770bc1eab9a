//! Machine code, decoded once for any number of runs.

use crate::cores::{Core, Early, Needs};
use crate::decode::{DecodeError, decode};
use crate::encode::{EncodeError, encode};
use crate::instructions::{Action, Condition, DataOp, Instruction, PC, SP, ShiftKind, Shifter, Size, flag};
use rhomb_machine::{Jump, Placement, Unit, Unplaced};

/// What is wrong with the word at an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("address {address:#06x}: {cause}")]
pub struct ProgramError {
    /// Program address in bytes.
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
    /// An instruction whose time the core's model does not know.
    #[error("the time of this instruction on {core} is not modelled")]
    Untimed {
        /// Name of the core.
        core: &'static str,
    },
    /// An operand that does not fit.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Nothing that is executed.
    #[error(transparent)]
    Unplaced(#[from] Unplaced),
}

/// An instruction as the simulator wants it: registers spread out, times looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
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
    pub(crate) condition: u32,
    /// What must be defined before an instruction that is executed.
    pub(crate) reads: u32,
    /// What is defined after it.
    pub(crate) writes: u32,
    /// What is undefined after it.
    pub(crate) destroys: u32,
    /// Whether PC is an operand.
    pub(crate) reads_pc: bool,
    /// Whether data processing or a load writes PC.
    pub(crate) writes_pc: bool,
    /// Whether it writes the stack pointer.
    pub(crate) moves_stack: bool,
}

/// Flags as they stand in [`Uses`].
pub(crate) const fn flag_bits(flags: u8) -> u32 {
    (flags as u32) << 16
}

/// Machine code for a core at an address.
#[derive(Debug)]
pub struct Program {
    core: &'static Core,
    origin: u32,
    words: Vec<u32>,
    code: Vec<Decoded>,
    /// What each instruction waits for; of a core that never waits nothing.
    needs: Vec<Needs>,
    placement: Placement,
}

impl Program {
    /// The program `words` at byte address `origin`, a multiple of 4. Data may stand among the code: what is no
    /// instruction is an error only when it is executed.
    pub fn new(core: &'static Core, origin: u32, words: &[u32]) -> Self {
        Program::placed(core, origin, words, Placement::default())
    }

    /// The same where more is known of how the words are placed.
    pub fn placed(core: &'static Core, origin: u32, words: &[u32], placement: Placement) -> Self {
        let operand = Shifter::plain(0);
        let nothing = Action::Data { op: DataOp::Mov, set: false, rd: 0, rn: 0, operand }.into();
        let origin = origin & !3;
        let decoded = |(number, word): (u32, &u32)| {
            let address = origin.wrapping_add(4 * number);
            let found = decode(*word).ok().filter(|one| is_placed(&placement, address, Some(one)).is_ok());
            let found = found.and_then(|one| Some((one, core.cycles(&one)?)));
            let instruction = found.map_or(nothing, |(one, _)| one);
            Decoded {
                instruction,
                cycles: found.map_or(0, |(_, cycles)| cycles.least),
                early: found.and_then(|(_, cycles)| cycles.early),
                uses: uses(&instruction),
            }
        };
        Program {
            core,
            origin,
            words: words.to_vec(),
            needs: if core.timing.interlocks.is_some() {
                words
                    .iter()
                    .map(|word| decode(*word).ok().and_then(|one| core.needs(&one)).unwrap_or_default())
                    .collect()
            } else {
                Vec::new()
            },
            code: (0..).zip(words).map(decoded).collect(),
            placement,
        }
    }

    /// The same, when every word is an instruction: anything else is an error.
    pub fn strict(core: &'static Core, origin: u32, words: &[u32]) -> Result<Self, ProgramError> {
        let program = Program::new(core, origin, words);
        for number in 0..words.len() {
            program.instruction(program.origin + 4 * number as u32)?;
        }
        Ok(program)
    }

    /// A program of instructions, encoded one after the other.
    pub fn assemble(
        core: &'static Core,
        origin: u32,
        instructions: &[Instruction],
    ) -> Result<Self, ProgramError> {
        let mut words = Vec::with_capacity(instructions.len());
        for instruction in instructions {
            let at = |cause| ProgramError { address: origin + 4 * words.len() as u32, cause };
            core.cycles(instruction).ok_or_else(|| at(Cause::Untimed { core: core.name }))?;
            words.push(encode(instruction).map_err(|error| at(error.into()))?);
        }
        Ok(Program::new(core, origin, &words))
    }

    /// The core.
    pub fn core(&self) -> &'static Core {
        self.core
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
    pub fn instruction(&self, address: u32) -> Result<Instruction, ProgramError> {
        let at = |cause| ProgramError { address, cause };
        let word = self.word(address).ok_or(at(Unplaced::Outside.into()))?;
        let decoded = decode(word);
        is_placed(&self.placement, address, decoded.as_ref().ok()).map_err(|error| at(error.into()))?;
        let instruction = decoded.map_err(|error| at(error.into()))?;
        self.core.cycles(&instruction).ok_or(at(Cause::Untimed { core: self.core.name }))?;
        Ok(instruction)
    }

    /// The word at a byte address, if the program covers it.
    pub fn word(&self, address: u32) -> Option<u32> {
        self.words.get(self.index(address)).copied().filter(|_| address.is_multiple_of(4))
    }

    /// How the code is placed.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether an address of this base is that of a byte of the program.
    pub(crate) fn is_at(&self, base: u32, byte: u32) -> bool {
        self.placement.base(byte, Unit::Bytes) == Some(base)
    }

    #[inline(always)]
    pub(crate) fn index(&self, address: u32) -> usize {
        (address.wrapping_sub(self.origin) >> 2) as usize
    }

    /// What the instruction at a byte address waits for.
    pub(crate) fn needs(&self, address: u32) -> Needs {
        self.needs.get(self.index(address)).copied().unwrap_or_default()
    }

    #[inline(always)]
    pub(crate) fn decoded(&self, address: u32) -> Option<Decoded> {
        self.code.get(self.index(address)).copied()
    }
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
    let mut reads = u32::from(always.registers_read()) | flag_bits(always.flags_read());
    let mut writes = u32::from(always.registers_written()) | flag_bits(always.flags_written());
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
            reads = u32::from(Instruction::from(stored).registers_read()) | reads & flag_bits(flag::ALL);
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
