//! Reads the text of a routine back to its instructions.
//!
//! It reads what [`super::function()`] writes: of the assembler's language the directives of a routine's
//! file, labels, comments and instructions, one a line. What it does not know is an error, with its line.

use super::read::{Goal, instruction, is_symbol, number, shown};
use super::{Dialect, Directive};
use crate::decode::decode;
use crate::encode::encode;
use crate::instructions::{Action, Instruction};
use std::collections::HashMap;

/// A routine that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Symbols that others see, in the order of the text; each stands at the first instruction.
    pub public: Vec<String>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
}

/// What is wrong with a text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {fault}")]
pub struct ParseError {
    /// The line, from 1.
    pub line: usize,
    /// One line, without a final full stop.
    pub fault: String,
}

struct Line {
    number: usize,
    address: u32,
    instruction: Instruction,
    goal: Option<Goal>,
}

/// The routine in `text`, whose first instruction stands at byte address `origin`.
///
/// # Errors
/// The first line that the dialect does not have, or a label that is missing.
pub fn parse(dialect: &Dialect, origin: u32, text: &str) -> Result<Parsed, ParseError> {
    let mut labels: HashMap<String, u32> = HashMap::new();
    let mut public: Vec<(usize, String)> = Vec::new();
    let mut lines: Vec<Line> = Vec::new();
    let (mut address, mut ended, mut last) = (origin, false, 0);
    let mut inside = false;
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        last = number;
        let at = |fault: String| ParseError { line: number, fault };
        let line = without_comment(dialect, line, &mut inside).map_err(at)?;
        let mut rest = line.trim_end();
        while let Some((label, after)) = label(dialect, rest).map_err(at)? {
            if ended {
                return Err(at("text after the end".to_owned()));
            }
            if labels.insert(label.to_owned(), address).is_some() {
                return Err(at(format!("label {} stands twice", shown(label))));
            }
            rest = after;
        }
        let rest = rest.trim();
        if rest.is_empty() {
            continue;
        }
        if ended {
            return Err(at("text after the end".to_owned()));
        }
        let (word, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let lower = word.to_ascii_lowercase();
        let directive = dialect.directives.iter().find(|(name, _)| *name == lower);
        let (instruction, goal) = match directive {
            Some((_, Directive::Public)) => {
                public.push((number, operands.trim().to_owned()));
                continue;
            }
            Some((_, Directive::End)) => {
                ended = true;
                continue;
            }
            Some((_, Directive::Other)) => continue,
            Some((_, Directive::Word)) => (as_number(operands.trim()).map_err(at)?, None),
            None => instruction(&dialect.spelling, &lower, operands).map_err(at)?,
        };
        lines.push(Line { number, address, instruction, goal });
        address = address.wrapping_add(4);
    }
    let at_end = |fault: &str| ParseError { line: last, fault: fault.to_owned() };
    if inside {
        return Err(at_end("a comment does not end"));
    }
    if !ended && dialect.directives.iter().any(|(_, directive)| *directive == Directive::End) {
        return Err(at_end("the text has no end directive"));
    }
    for (line, symbol) in &public {
        if labels.get(symbol) != Some(&origin) {
            let fault = format!("public symbol {} does not stand at the first instruction", shown(symbol));
            return Err(ParseError { line: *line, fault });
        }
    }
    let resolve =
        |line: &Line| resolved(line, &labels).map_err(|fault| ParseError { line: line.number, fault });
    Ok(Parsed {
        instructions: lines.iter().map(resolve).collect::<Result<_, _>>()?,
        public: public.into_iter().map(|(_, symbol)| symbol).collect(),
    })
}

/// The line without comments; `inside` says whether one goes on to the next line.
fn without_comment(dialect: &Dialect, line: &str, inside: &mut bool) -> Result<String, String> {
    let mut text = String::new();
    let mut rest = line;
    loop {
        if *inside {
            match rest.split_once("*/") {
                Some((_, after)) => (rest, *inside) = (after, false),
                None => return Ok(text),
            }
        }
        let block = rest.find("/*").filter(|_| dialect.block_comments);
        let to_end = rest.find(dialect.comment);
        match (block, to_end) {
            (Some(block), to_end) if to_end.is_none_or(|to_end| block < to_end) => {
                text.push_str(&rest[..block]);
                text.push(' ');
                (rest, *inside) = (&rest[block + 2..], true);
            }
            (_, Some(to_end)) => {
                text.push_str(&rest[..to_end]);
                return Ok(text);
            }
            _ => {
                text.push_str(rest);
                return Ok(text);
            }
        }
    }
}

/// A label, and what follows: a name with a colon, or a name in the first column.
fn label<'a>(dialect: &Dialect, text: &'a str) -> Result<Option<(&'a str, &'a str)>, String> {
    if dialect.colons {
        let found = text.trim_start().split_once(':');
        return Ok(found.filter(|(name, _)| is_symbol(name)));
    }
    if text.is_empty() || text.starts_with(char::is_whitespace) {
        return Ok(None);
    }
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    let (name, after) = text.split_at(end);
    if is_symbol(name) { Ok(Some((name, after))) } else { Err(format!("{} is no label", shown(name))) }
}

/// An instruction that is written as a number.
fn as_number(operand: &str) -> Result<Instruction, String> {
    let word = number(operand).ok_or_else(|| format!("{} is no instruction as a number", shown(operand)))?;
    decode(word).map_err(|error| error.to_string())
}

/// The instruction with its place.
fn resolved(line: &Line, labels: &HashMap<String, u32>) -> Result<Instruction, String> {
    let mut whole = line.instruction;
    if let (Some(goal), Action::Branch { distance, .. }) = (&line.goal, &mut whole.action) {
        *distance = match goal {
            Goal::Distance(given) => *given,
            Goal::Label(label) => {
                let place = labels.get(label.as_str());
                let place = place.ok_or_else(|| format!("there is no label {}", shown(label)))?;
                place.wrapping_sub(line.address) as i32
            }
        };
    }
    encode(&whole).map(|_| whole).map_err(|error| error.to_string())
}
