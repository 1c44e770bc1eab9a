//! What the assembler text of any dialect needs of an instruction.

use super::spelling::Spelling;
use super::{mnemonics, operands, read};
use crate::decode::decode;
use crate::encode::{EncodeError, encode};
use crate::instructions::{Action, Instruction};
use crate::later::Later;
use crate::thumb;
use rhomb_machine::syntax::{self, Goal, Unsayable, Where, number, shown};
use smallvec::SmallVec;
use std::fmt::Write;

/// Names of registers beside r0 to r15, in lower case (ARM DUI 0473M, sections Predeclared core register
/// names and Predeclared extension register names).
const REGISTERS: [&str; 26] = [
    "a1", "a2", "a3", "a4", "v1", "v2", "v3", "v4", "v5", "v6", "v7", "v8", "wr", "sb", "sl", "fp", "ip",
    "sp", "lr", "pc", "cpsr", "spsr", "apsr", "fpscr", "fpsid", "fpexc",
];

/// Names of numbered registers, of coprocessors and floating point too (the same, and Predeclared coprocessor
/// names).
const NUMBERED: [(char, u8); 7] =
    [('r', 16), ('p', 16), ('c', 16), ('f', 8), ('s', 32), ('d', 32), ('q', 16)];

impl Spelling {
    /// The halfwords of an instruction.
    fn halves(&self, one: &Instruction) -> Result<SmallVec<[u16; 2]>, EncodeError> {
        match self.thumb {
            Some(level) => thumb::encode(level, one),
            None => encode(one).map(|word| SmallVec::from([word as u16, (word >> 16) as u16])),
        }
    }
}

impl syntax::Spelling for Spelling {
    type Instruction = Instruction;

    const UNIT: u32 = 1;

    fn length(&self, one: &Instruction) -> u32 {
        self.halves(one).map_or(4, |halves| 2 * halves.len() as u32)
    }

    fn target(&self, address: u32, one: &Instruction) -> Option<u32> {
        match one.action {
            Action::Branch { distance, .. } | Action::Later(Later::CompareBranch { distance, .. }) => {
                Some(address.wrapping_add_signed(distance))
            }
            _ => None,
        }
    }

    fn write(&self, text: &mut String, one: &Instruction, label: Option<&str>) -> Result<(), Unsayable> {
        let halves = self.halves(one).map_err(|error| Unsayable::Encode(error.to_string()))?;
        let start = text.len();
        if let Action::Literal(word) = one.action {
            // writing to a String cannot fail
            let _ = write!(text, "{} {word:#010x}", self.literal);
            return Ok(());
        }
        let written = operands::write(text, self, one, label);
        if let (Err(Unsayable::Form), Some(directive)) = (&written, self.word) {
            text.truncate(start);
            // writing to a String cannot fail
            let _ = write!(text, "{directive} 0x{:04x}{:04x}", halves[1], halves[0]);
            return Ok(());
        }
        written
    }

    fn read(&self, mnemonic: &str, operands: &str) -> Result<(Instruction, Option<Goal>), String> {
        if mnemonic.eq_ignore_ascii_case(self.literal) {
            let word = number(operands).ok_or_else(|| format!("{} is no number", shown(operands)))?;
            return Ok((Action::Literal(word).into(), None));
        }
        let (one, goal) = read::instruction(self, mnemonic, operands)?;
        if goal.is_none() {
            self.halves(&one).map_err(|error| error.to_string())?;
        }
        Ok((one, goal))
    }

    fn of_number(&self, operand: &str) -> Result<Instruction, String> {
        let word =
            number(operand).ok_or_else(|| format!("{} is no instruction as a number", shown(operand)))?;
        decode(word).map_err(|error| error.to_string())
    }

    fn placed(&self, one: &Instruction, address: u32, to: Where) -> Result<Instruction, String> {
        let mut whole = *one;
        if let Action::Branch { distance, .. } | Action::Later(Later::CompareBranch { distance, .. }) =
            &mut whole.action
        {
            *distance = match to {
                Where::Number(given) => given,
                Where::Address(place) => place.wrapping_sub(address) as i32,
            };
        }
        self.halves(&whole).map(|_| whole).map_err(|error| error.to_string())
    }

    fn is_register(name: &str) -> bool {
        let numbered = |(letter, count): &(char, u8)| {
            name.strip_prefix(*letter).and_then(operands::plain_number).is_some_and(|number| number < *count)
        };
        NUMBERED.iter().any(numbered) || REGISTERS.contains(&name)
    }

    fn is_mnemonic(name: &str) -> bool {
        mnemonics::find(name).is_some()
    }
}
