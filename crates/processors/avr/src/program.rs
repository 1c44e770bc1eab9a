//! Machine code, decoded once for any number of runs.

use crate::cores::{Core, CoreError};
use crate::decode::{DecodeError, decode, row_of};
use crate::encode::{EncodeError, encode};
use crate::instructions::{Instruction, Op, flag};
use rhomb_machine::{Filled, Jump, Placement, Unit, Unplaced};

/// What is wrong with the words at an address.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("address {:#06x}: {cause}", 2 * u64::from(*.address))]
pub struct ProgramError {
    /// Program address in words.
    pub address: u32,
    /// Why it cannot be executed.
    pub cause: Cause,
}

/// Why words cannot be executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Cause {
    /// No instruction.
    #[error(transparent)]
    Decode(#[from] DecodeError),
    /// No instruction of this core.
    #[error(transparent)]
    Core(#[from] CoreError),
    /// An operand that does not fit.
    #[error(transparent)]
    Encode(#[from] EncodeError),
    /// Nothing that is executed.
    #[error(transparent)]
    Unplaced(#[from] Unplaced),
}

/// An instruction as the simulator wants it: operands spread out, times looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Decoded {
    /// Of an immediate byte that the linker fills in, more than a byte: see [`Program::immediate`].
    pub(crate) k: i32,
    pub(crate) op: Op,
    pub(crate) d: u8,
    pub(crate) r: u8,
    pub(crate) b: u8,
    /// 0 marks words that are no instruction of this core.
    pub(crate) plain: u8,
    pub(crate) taken: u8,
    /// In words.
    pub(crate) length: u8,
    /// Length in words of the instruction that follows, for skips.
    pub(crate) next: u8,
}

/// Registers (bits 0 to 31) and flags (bits 32 to 39) that must be defined before an instruction, and
/// those that are defined after it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Uses {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
}

/// Marks an immediate byte that the linker fills in.
pub(crate) const FILLED: i32 = 1 << 8;

/// All eight flags in [`Uses`].
pub(crate) const FLAGS: u64 = 0xff << 32;

/// Machine code for a core at an address.
#[derive(Debug)]
pub struct Program {
    core: &'static Core,
    origin: u32,
    words: Vec<u16>,
    code: Vec<Decoded>,
    uses: Vec<Uses>,
    placement: Placement,
}

impl Program {
    /// The program `words` at word address `origin`. Data may stand among the code: what is no
    /// instruction of this core is an error only when it is executed.
    pub fn new(core: &'static Core, origin: u32, words: &[u16]) -> Self {
        Program::placed(core, origin, words, Placement::default())
    }

    /// The same where more is known of how the words are placed.
    pub fn placed(core: &'static Core, origin: u32, words: &[u16], placement: Placement) -> Self {
        let mut times = [None; 256];
        let mut program =
            Program { core, origin, words: words.to_vec(), code: Vec::new(), uses: Vec::new(), placement };
        program.code.reserve_exact(words.len());
        program.uses.reserve_exact(words.len());
        for index in 0..words.len() {
            let decoded = program.decode_at(origin.wrapping_add(index as u32)).ok();
            let (instruction, length) = decoded.unwrap_or((Instruction::new(Op::Nop), 1));
            let time = times[instruction.op as usize]
                .get_or_insert_with(|| core.cycles(instruction.op))
                .as_ref()
                .ok()
                .filter(|_| decoded.is_some());
            let next = words.get(index + length).and_then(|word| row_of(*word));
            let byte = 2 * origin.wrapping_add(index as u32);
            let filled = matches!(program.placement.filled(byte), Some(Filled::Immediate(_)));
            program.code.push(Decoded {
                k: if filled { FILLED | instruction.k } else { instruction.k },
                op: instruction.op,
                d: instruction.d,
                r: instruction.r,
                b: instruction.b,
                plain: time.map_or(0, |time| time.plain),
                taken: time.map_or(0, |time| time.taken),
                length: length as u8,
                next: next.map_or(1, |row| row.words() as u8),
            });
            program.uses.push(uses(core, &instruction));
        }
        program
    }

    /// The same, when every word belongs to an instruction of this core: decoded from the first word
    /// on, anything else is an error.
    pub fn strict(core: &'static Core, origin: u32, words: &[u16]) -> Result<Self, ProgramError> {
        let program = Program::new(core, origin, words);
        let mut address = origin;
        while let Some(rest) = words.len().checked_sub((address - origin) as usize).filter(|rest| *rest > 0) {
            let (_, length) = program.instruction(address)?;
            debug_assert!(length <= rest);
            address += length as u32;
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
            let address = origin + words.len() as u32;
            let at = |cause| ProgramError { address, cause };
            core.cycles(instruction.op).map_err(|error| at(error.into()))?;
            let (first, second) = encode(instruction).map_err(|error| at(error.into()))?;
            words.push(first);
            words.extend(second);
        }
        Ok(Program::new(core, origin, &words))
    }

    /// The core.
    pub fn core(&self) -> &'static Core {
        self.core
    }

    /// Word address of the first word.
    pub fn origin(&self) -> u32 {
        self.origin
    }

    /// The code.
    pub fn words(&self) -> &[u16] {
        &self.words
    }

    /// The instruction at a word address and its length in words.
    pub fn instruction(&self, address: u32) -> Result<(Instruction, usize), ProgramError> {
        let at = |cause| ProgramError { address, cause };
        let (instruction, length) = self.decode_at(address).map_err(at)?;
        self.core.cycles(instruction.op).map_err(|error| at(error.into()))?;
        Ok((instruction, length))
    }

    /// The instruction at a word address, if it can be executed.
    fn decode_at(&self, address: u32) -> Result<(Instruction, usize), Cause> {
        let words = self.words.get(self.index(address)..).filter(|words| !words.is_empty());
        let words = words.ok_or(Unplaced::Outside)?;
        let byte = address.wrapping_mul(2);
        let (instruction, length) = match decode(words) {
            Ok(found) => found,
            Err(error) => {
                self.placement.check(byte, 2, None, false)?;
                return Err(error.into());
            }
        };
        let jump = match instruction.op {
            Op::Rjmp | Op::Rcall | Op::Brbs | Op::Brbc => {
                let target = address.wrapping_add(1).wrapping_add_signed(instruction.k);
                Some(Jump::Relative(target.wrapping_mul(2)))
            }
            Op::Jmp | Op::Call => Some(Jump::Absolute),
            _ => None,
        };
        let takes = matches!(instruction.op, Op::Ldi | Op::Subi | Op::Sbci | Op::Cpi | Op::Andi | Op::Ori);
        self.placement.check(byte, 2 * length as u32, jump, takes)?;
        Ok((instruction, length))
    }

    /// What the linker fills into the instruction at a word address.
    pub(crate) fn immediate(&self, address: u32) -> Option<Filled> {
        self.placement.filled(address.wrapping_mul(2))
    }

    /// How the code is placed.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// Whether an address of this base, counted so, is that of a byte, given in bytes.
    pub(crate) fn is_at(&self, base: u32, unit: Unit, byte: u32) -> bool {
        self.placement.base(byte, unit) == Some(base)
    }

    /// The byte at a byte address of program memory, if the program covers it.
    pub fn byte(&self, address: u32) -> Option<u8> {
        self.placement.base(address, Unit::Bytes)?;
        let word = self.words.get(self.index(address >> 1))?;
        Some(word.to_le_bytes()[(address & 1) as usize])
    }

    #[inline(always)]
    pub(crate) fn index(&self, address: u32) -> usize {
        address.wrapping_sub(self.origin) as usize
    }

    #[inline(always)]
    pub(crate) fn decoded(&self, address: u32) -> Option<Decoded> {
        self.code.get(self.index(address)).copied()
    }

    #[inline(always)]
    pub(crate) fn uses(&self, address: u32) -> Option<Uses> {
        self.uses.get(self.index(address)).copied()
    }
}

/// What must be defined before, and is defined after, an instruction. Differs from the roles in the
/// table where a value is named but does not matter.
fn uses(core: &Core, instruction: &Instruction) -> Uses {
    let registers = instruction.registers_read();
    let mut reads = u64::from(registers) | u64::from(instruction.flags_read()) << 32;
    let mut writes =
        u64::from(instruction.registers_written()) | u64::from(instruction.flags_written()) << 32;
    match instruction.op {
        // x - x and x ^ x do not depend on x
        Op::Eor | Op::Sub | Op::Sbc | Op::Cp | Op::Cpc if instruction.d == instruction.r => {
            reads &= !(1 << instruction.d);
        }
        // saving an undefined register is no use of it
        Op::Push => reads &= !(1 << instruction.r),
        // nor is copying it: the copy is as defined as the original
        Op::Mov | Op::Movw => (reads, writes) = (0, 0),
        Op::Out if core.io_offset + instruction.k as u32 == core.sreg => writes |= FLAGS,
        _ => {}
    }
    if matches!(instruction.op, Op::Sbc | Op::Sbci | Op::Cpc) {
        // Z only narrows: an undefined one stays undefined, and matters when somebody reads it
        reads &= !(1 << (32 + flag::Z));
        writes &= !(1 << (32 + flag::Z));
    }
    Uses { reads, writes }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cores::core;

    #[test]
    fn absent_instructions_and_data_are_errors_of_the_strict_constructor_only() {
        let tiny = core("attiny85").unwrap();
        // mul r0, r1
        let words = [0x0000, 0x9c01];
        assert_eq!(Program::new(tiny, 8, &words).words(), words);
        let error = Program::strict(tiny, 8, &words).unwrap_err();
        assert_eq!(error.to_string(), "address 0x0012: attiny85 has no instruction mul");
        let error = Program::strict(tiny, 8, &[0xffff]).unwrap_err();
        assert_eq!(error.to_string(), "address 0x0010: opcode 0xffff is no AVR instruction");
        assert!(Program::strict(core("atmega128").unwrap(), 8, &words).is_ok());
        assert!(Program::strict(core("atmega128").unwrap(), 8, &[0x940e]).is_err());
    }

    #[test]
    fn bytes_are_little_endian() {
        let program = Program::new(core("atmega128").unwrap(), 2, &[0x1234]);
        assert_eq!((program.byte(4), program.byte(5)), (Some(0x34), Some(0x12)));
        assert_eq!((program.byte(3), program.byte(6)), (None, None));
    }
}
