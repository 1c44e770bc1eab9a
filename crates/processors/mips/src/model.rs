//! A core with the instructions that extensions add to it.

use crate::cores::{Core, Times};
use crate::decode::{self, DecodeError, decode_row};
use crate::encode::{EncodeError, encode_row};
use crate::extension::{CustomInstruction, Extension, ExtensionError};
use crate::instructions::{Instruction, Op, Row};

/// A processor: its core, and all instructions that it has beside those of the table.
#[derive(Clone, Debug)]
pub struct Model {
    core: &'static Core,
    accumulator: u32,
    custom: Vec<CustomInstruction>,
    /// Of the extensions that are not the core's own.
    digest: Option<u64>,
}

impl Model {
    /// The core as it is, with its own extension.
    pub fn of(core: &'static Core) -> Model {
        let plain = Model { core, accumulator: 64, custom: Vec::new(), digest: None };
        match core.extension.map_or(Ok(plain.clone()), |text| plain.with(text)) {
            Ok(model) => Model { digest: None, ..model },
            Err(error) => unreachable!("the extension of {}: {error}", core.name),
        }
    }

    /// The same with the instructions of an extension's file.
    ///
    /// # Errors
    /// The first thing in the file that is not as it must be.
    pub fn with(&self, text: &str) -> Result<Model, ExtensionError> {
        let Extension { accumulator, instructions } = Extension::parse(text, self.accumulator, &self.custom)?;
        let mut custom = self.custom.clone();
        custom.extend(instructions);
        // FNV-1a (Fowler, Noll, Vo)
        let start = self.digest.unwrap_or(0xcbf2_9ce4_8422_2325);
        let digest =
            text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
        Ok(Model { core: self.core, accumulator, custom, digest: Some(digest) })
    }

    /// The core.
    pub fn core(&self) -> &'static Core {
        self.core
    }

    /// Width of the accumulator in bits, of which HI and LO are the low 64.
    pub fn accumulator(&self) -> u32 {
        self.accumulator
    }

    /// The instructions that extensions add; [`Instruction::custom`] is the number in this list.
    pub fn custom(&self) -> &[CustomInstruction] {
        &self.custom
    }

    /// A name that tells it from every other model: the core's, and a number for extensions that are not its own.
    pub fn identity(&self) -> String {
        match self.digest {
            None => self.core.name.to_owned(),
            Some(digest) => format!("{}+{digest:016x}", self.core.name),
        }
    }

    /// The row of an instruction; `None` for a custom one that is not there.
    pub fn row(&self, instruction: &Instruction) -> Option<&Row> {
        match instruction.op {
            Op::Custom => self.custom.get(usize::from(instruction.custom)).map(|custom| &custom.row),
            op => op.row(),
        }
    }

    /// What an instruction takes; `None` for those of system mode and for custom ones that are not there.
    pub fn times(&self, instruction: &Instruction) -> Option<Times> {
        match instruction.op {
            Op::Custom => {
                let custom = self.custom.get(usize::from(instruction.custom))?;
                Some(Times { most: custom.time, narrow: None, divide: None })
            }
            op => self.core.timing.times(op.row()?.kind),
        }
    }

    /// The instruction in a word.
    ///
    /// # Errors
    /// There is none on this processor.
    pub fn decode(&self, word: u32) -> Result<Instruction, DecodeError> {
        decode::decode(word).or_else(|error| {
            let found = (0..=u8::MAX).zip(&self.custom).find_map(|(number, custom)| {
                let instruction = decode_row(&custom.row, word)?;
                Some(Instruction { custom: number, ..instruction })
            });
            found.ok_or(error)
        })
    }

    /// The word of an instruction.
    ///
    /// # Errors
    /// An operand that does not fit, or a custom instruction that is not there.
    pub fn encode(&self, instruction: &Instruction) -> Result<u32, EncodeError> {
        let row = self.row(instruction).ok_or(EncodeError::Custom(instruction.custom))?;
        encode_row(row, instruction)
    }
}
