//! A whole routine as a file, with labels where its branches go.

use super::{Dialect, Spelling, Unsayable};
use std::collections::BTreeMap;

/// Why a routine cannot be written in a dialect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SyntaxError {
    /// A branch, jump or call goes to no instruction of the routine, and the dialect has no way to say so.
    #[error(
        "the instruction at {address:#010x} leaves the routine, which {dialect} syntax cannot say without a label"
    )]
    Outside {
        /// Byte address of the instruction.
        address: u64,
        /// Name of the dialect.
        dialect: &'static str,
    },
    /// An instruction in a form that the assembler would not choose.
    #[error("the instruction at {address:#010x} has an encoding that {dialect} syntax cannot say")]
    Form {
        /// Byte address of the instruction.
        address: u64,
        /// Name of the dialect.
        dialect: &'static str,
    },
    /// It is no instruction at all.
    #[error("the instruction at {address:#010x} cannot be encoded: {error}")]
    Encode {
        /// Byte address of the instruction.
        address: u64,
        /// Why not.
        error: String,
    },
}

/// A global function of instructions that follow each other from the address `origin` on, without comments on top. `name` must
/// be a symbol that the assembler takes unquoted. Branches, jumps and calls inside the routine go to labels.
///
/// # Errors
/// A place outside of the routine or an encoding that the dialect cannot name; an instruction that cannot be encoded.
pub fn function<S: Spelling>(
    dialect: &Dialect<S>,
    name: &str,
    origin: u32,
    instructions: &[S::Instruction],
) -> Result<String, SyntaxError> {
    let mut address = origin;
    let mut addressed = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        addressed.push((address, instruction));
        address = address.wrapping_add(dialect.spelling.length(instruction));
    }
    // in the order of the instructions, whose addresses may wrap around
    let place = |goal: u32| {
        addressed.binary_search_by_key(&goal.wrapping_sub(origin), |(own, _)| own.wrapping_sub(origin)).ok()
    };
    let goal = |address: u32, one: &S::Instruction| dialect.spelling.target(address, one).and_then(place);
    // by number of an instruction: the label's text
    let goals = addressed.iter().filter_map(|(address, one)| goal(*address, one));
    let mut labels: BTreeMap<usize, String> = goals.map(|goal| (goal, String::new())).collect();
    let (before, between) = dialect.local;
    for (number, (_, label)) in (1..).zip(labels.iter_mut().filter(|(goal, _)| **goal != 0)) {
        *label = format!("{before}{name}{between}{number}");
    }
    if let Some(label) = labels.get_mut(&0) {
        *label = name.to_owned();
    }
    let (mut text, tail) = (dialect.frame)(name);
    let mut mode = S::MODES.first().copied();
    for (number, (address, one)) in addressed.iter().enumerate() {
        if let Some(label) = labels.get(&number).filter(|_| number != 0) {
            text.push_str(label);
            text.push_str(if dialect.colons { ":\n" } else { "\n" });
        }
        if let Some(other) = S::mode(one).filter(|other| mode != Some(*other)) {
            text.extend(["\t", other, "\n"]);
            mode = Some(other);
        }
        let label = goal(*address, one).and_then(|goal| labels.get(&goal)).map(String::as_str);
        text.push('\t');
        let at = u64::from(S::UNIT) * u64::from(*address);
        dialect.spelling.write(&mut text, one, label).map_err(|why| match why {
            Unsayable::Outside => SyntaxError::Outside { address: at, dialect: dialect.name },
            Unsayable::Form => SyntaxError::Form { address: at, dialect: dialect.name },
            Unsayable::Encode(error) => SyntaxError::Encode { address: at, error },
        })?;
        text.push('\n');
    }
    Ok(text + &tail)
}
