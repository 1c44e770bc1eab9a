//! A whole routine as a file, with labels where its branches go.

use super::Dialect;
use super::operands::write;
use crate::instructions::{Instruction, Operand};
use std::collections::BTreeMap;

/// Why a routine cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// A branch, jump or call goes to no instruction of the routine, and the dialect has no way to say so.
    #[error(
        "the instruction at {address:#06x} leaves the routine, which {dialect} syntax cannot say without a label"
    )]
    Outside {
        /// Byte address of the instruction.
        address: u64,
        /// Name of the dialect.
        dialect: &'static str,
    },
}

/// Where the instruction at a word address goes if it names a place.
pub(crate) fn target(address: u32, instruction: &Instruction) -> Option<i64> {
    let row = instruction.op.row();
    if row.operands.contains(&Operand::Relative) {
        return Some(i64::from(address) + row.words() as i64 + i64::from(instruction.k));
    }
    row.operands.contains(&Operand::Absolute).then_some(i64::from(instruction.k))
}

/// A global function of instructions that follow each other from word address `origin` on, without
/// comments on top. `name` must be a symbol that the assembler takes unquoted. Branches, jumps and calls
/// inside the routine go to labels.
///
/// # Errors
/// A place outside of the routine that the dialect cannot name.
pub fn function(
    dialect: &Dialect,
    name: &str,
    origin: u32,
    instructions: &[Instruction],
) -> Result<String, SyntaxError> {
    let mut address = origin;
    let mut addressed = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        addressed.push((address, instruction));
        address += instruction.op.row().words() as u32;
    }
    // by address: the label's text
    let mut labels: BTreeMap<u32, String> = BTreeMap::new();
    for (address, instruction) in &addressed {
        let goal = target(*address, instruction).and_then(|target| u32::try_from(target).ok());
        if let Some(goal) = goal
            && addressed.binary_search_by_key(&goal, |(address, _)| *address).is_ok()
        {
            labels.insert(goal, String::new());
        }
    }
    let (before, between) = dialect.local;
    let inner = labels.iter_mut().filter(|(address, _)| **address != origin);
    for (number, (_, label)) in (1..).zip(inner) {
        *label = format!("{before}{name}{between}{number}");
    }
    if let Some(label) = labels.get_mut(&origin) {
        *label = name.to_owned();
    }
    let (mut text, tail) = (dialect.frame)(name);
    for (address, instruction) in addressed {
        if let Some(label) = labels.get(&address).filter(|_| address != origin) {
            text.push_str(label);
            text.push_str(":\n");
        }
        let place = target(address, instruction);
        let label = place.and_then(|place| labels.get(&u32::try_from(place).ok()?)).map(String::as_str);
        if place.is_some() && label.is_none() && !dialect.spelling.distances {
            return Err(SyntaxError::Outside { address: 2 * u64::from(address), dialect: dialect.name });
        }
        text.push('\t');
        write(&mut text, &dialect.spelling, instruction, label);
        text.push('\n');
    }
    Ok(text + &tail)
}
