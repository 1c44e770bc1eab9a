//! Instructions of machine code, prepared for any number of runs.

use crate::cores::{Core, CoreError};
use crate::decode::{DecodeError, decode, row_of};
use crate::encode::{EncodeError, encode};
use crate::instructions::{Instruction, Op, flag};
use crate::syntax;
use rhomb_machine::{CauseOf, Class, Encoded, Filled, Flow, Jump, Placement, SectionAddress, Way};
use smallvec::SmallVec;

/// AVR.
#[derive(Clone, Copy, Debug)]
pub struct Avr;

/// Machine code for a core at a word address.
pub type Program = rhomb_machine::Program<Avr>;
/// What is wrong with the words at an address.
pub type ProgramError = rhomb_machine::ProgramError<Cause>;
/// Why words cannot be executed.
pub type Cause = CauseOf<Avr>;

/// An instruction as the simulator wants it: operands spread out, times looked up.
#[derive(Clone, Copy, Debug)]
pub struct Decoded {
    /// Of an immediate byte that the linker fills in, more than a byte: see [`rhomb_machine::Placement::filled`].
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
pub struct Uses {
    pub(crate) reads: u64,
    pub(crate) writes: u64,
}

/// Marks an immediate byte that the linker fills in.
pub(crate) const FILLED: i32 = 1 << 8;

/// All eight flags in [`Uses`].
pub(crate) const FLAGS: u64 = 0xff << 32;

impl Encoded for Avr {
    type Word = u16;
    type Model = &'static Core;
    type Instruction = Instruction;
    /// With its length in words.
    type Found = (Instruction, usize);
    type Prepared = Decoded;
    type Beside = Uses;
    type DecodeError = DecodeError;
    type EncodeError = EncodeError;
    type CoreError = CoreError;

    const UNIT: u32 = 2;

    fn decode(
        _: &&'static Core,
        placement: &Placement,
        address: u32,
        words: &[u16],
    ) -> Result<(Instruction, usize), Cause> {
        let byte = address.wrapping_mul(2);
        let (instruction, length) = match decode(words) {
            Ok(found) => found,
            Err(error) => {
                placement.check(byte, 2, None, false)?;
                return Err(Cause::Decode(error));
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
        // the second word of these is an address as it stands in data
        let is_direct = matches!(instruction.op, Op::Lds | Op::Sts) && direct_base(placement, byte).is_some();
        let checked = if is_direct { 2 } else { 2 * length as u32 };
        placement.check(byte, checked, jump, takes)?;
        Ok((instruction, length))
    }

    fn check(core: &&'static Core, (one, _): &(Instruction, usize)) -> Result<(), CoreError> {
        core.cycles(one.op).map(|_| ())
    }

    fn encode(core: &&'static Core, one: &Instruction) -> Result<SmallVec<[u16; 2]>, Cause> {
        core.cycles(one.op).map_err(Cause::Core)?;
        let (first, second) = encode(one).map_err(Cause::Encode)?;
        Ok(std::iter::once(first).chain(second).collect())
    }

    fn length((_, length): &(Instruction, usize)) -> u32 {
        *length as u32
    }

    fn prepare(program: &Program, address: u32, found: Option<(Instruction, usize)>) -> (Decoded, Uses) {
        let (instruction, length) = found.unwrap_or((Instruction::new(Op::Nop), 1));
        let time = program.core().cycles(instruction.op).ok().filter(|_| found.is_some());
        let next = program.word(address.wrapping_add(length as u32)).and_then(row_of);
        let filled = matches!(program.placement().filled(2 * address), Some(Filled::Immediate(_)));
        let decoded = Decoded {
            k: if filled { FILLED | instruction.k } else { instruction.k },
            op: instruction.op,
            d: instruction.d,
            r: instruction.r,
            b: instruction.b,
            plain: time.map_or(0, |time| time.plain),
            taken: time.map_or(0, |time| time.taken),
            length: length as u8,
            next: next.map_or(1, |row| row.words() as u8),
        };
        (decoded, uses(program.core(), &instruction))
    }

    fn way(program: &Program, address: u32, (one, length): &(Instruction, usize)) -> Way {
        let next = address.wrapping_add(*length as u32);
        let flow = match one.op {
            Op::Rjmp => Flow::To(address.wrapping_add(1).wrapping_add_signed(one.k)),
            Op::Jmp => Flow::To(one.k as u32),
            Op::Ret | Op::Reti | Op::Ijmp | Op::Eijmp => Flow::Away,
            _ => Flow::Next,
        };
        let or = match one.op {
            Op::Brbs | Op::Brbc => Some(next.wrapping_add_signed(one.k)),
            Op::Cpse | Op::Sbrc | Op::Sbrs | Op::Sbic | Op::Sbis => {
                program.instruction(next).ok().map(|(_, skipped)| next.wrapping_add(skipped as u32))
            }
            _ => None,
        };
        Way { flow, next, delayed: false, or }
    }

    fn class(_: &&'static Core, one: &Decoded) -> Option<Class> {
        Some(one.op.row().class)
    }

    fn text(_: &&'static Core, (one, _): &(Instruction, usize)) -> String {
        syntax::gnu::instruction(one)
    }

    fn identity(core: &&'static Core) -> String {
        core.name.to_owned()
    }
}

/// The base of the address in LDS or STS at a byte address, where it is one that the linker fills in.
pub(crate) fn direct_base(placement: &Placement, byte: u32) -> Option<u32> {
    match [placement.filled(byte.wrapping_add(2)), placement.filled(byte.wrapping_add(3))] {
        [Some(Filled::Data(low)), Some(Filled::Data(high))] => {
            (SectionAddress { part: 1, ..low } == high && low.part == 0).then_some(low.base)
        }
        _ => None,
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
