//! A whole routine as a file, with labels where its branches go.

use super::Dialect;
use super::operands::{target, write};
use crate::encode::{EncodeError, encode};
use crate::instructions::{Action, Instruction};
use std::collections::BTreeMap;
use std::fmt::Write;

/// Why a routine cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// A branch goes to no instruction of the routine, and the dialect has no way to say so.
    #[error(
        "the instruction at {address:#010x} leaves the routine, which {dialect} syntax cannot say without a label"
    )]
    Outside {
        /// Byte address of the instruction.
        address: u32,
        /// Name of the dialect.
        dialect: &'static str,
    },
    /// An instruction of a coprocessor, or a number in a form that the assembler would not choose.
    #[error("the instruction at {address:#010x} has an encoding that {dialect} syntax cannot say")]
    Form {
        /// Byte address of the instruction.
        address: u32,
        /// Name of the dialect.
        dialect: &'static str,
    },
    /// It is no instruction at all.
    #[error("the instruction at {address:#010x} cannot be encoded: {error}")]
    Encode {
        /// Byte address of the instruction.
        address: u32,
        /// Why not.
        error: EncodeError,
    },
}

/// A global function of instructions that follow each other from byte address `origin` on, without
/// comments on top. `name` must be a symbol that the assembler takes unquoted. Branches inside the routine
/// go to labels.
///
/// # Errors
/// A place outside of the routine or an encoding that the dialect cannot name; an instruction that cannot
/// be encoded.
pub fn function(
    dialect: &Dialect,
    name: &str,
    origin: u32,
    instructions: &[Instruction],
) -> Result<String, SyntaxError> {
    let place = |index: usize| origin.wrapping_add(4 * index as u32);
    let inside = |address: u32| {
        let offset = address.wrapping_sub(origin);
        offset.is_multiple_of(4) && (offset as usize) / 4 < instructions.len()
    };
    // by offset from the origin: the label's text
    let mut labels: BTreeMap<u32, String> = BTreeMap::new();
    for (index, instruction) in instructions.iter().enumerate() {
        if let Some(goal) = target(place(index), instruction).filter(|goal| inside(*goal)) {
            labels.insert(goal.wrapping_sub(origin), String::new());
        }
    }
    let (before, between) = dialect.local;
    let inner = labels.iter_mut().filter(|(offset, _)| **offset != 0);
    for (number, (_, label)) in (1..).zip(inner) {
        *label = format!("{before}{name}{between}{number}");
    }
    if let Some(label) = labels.get_mut(&0) {
        *label = name.to_owned();
    }
    let (mut text, tail) = (dialect.frame)(name);
    for (index, instruction) in instructions.iter().enumerate() {
        let address = place(index);
        let word = encode(instruction).map_err(|error| SyntaxError::Encode { address, error })?;
        if let Some(label) = labels.get(&(4 * index as u32)).filter(|_| index != 0) {
            text.push_str(label);
            text.push_str(if dialect.colons { ":\n" } else { "\n" });
        }
        let goal = target(address, instruction);
        let label = goal.and_then(|goal| labels.get(&goal.wrapping_sub(origin))).map(String::as_str);
        text.push('\t');
        let start = text.len();
        if write(&mut text, &dialect.spelling, instruction, label).is_err() {
            text.truncate(start);
            let outside = matches!(instruction.action, Action::Branch { .. });
            match dialect.spelling.word {
                // writing to a String cannot fail
                Some(directive) if !outside => _ = write!(text, "{directive} {word:#010x}"),
                _ if outside => return Err(SyntaxError::Outside { address, dialect: dialect.name }),
                _ => return Err(SyntaxError::Form { address, dialect: dialect.name }),
            }
        }
        text.push('\n');
    }
    Ok(text + &tail)
}
