//! Reads the text of a routine back to its instructions.
//!
//! It reads what [`super::function()`] writes: of the assembler's language the directives of a routine's file, labels,
//! comments and instructions, one a line. What it does not know is an error, with its line.

use super::{Dialect, Directive, Goal, Spelling, Where};
use std::collections::HashMap;

/// A routine that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed<I> {
    /// Symbols that others see, in the order of the text; each stands at the first instruction.
    pub public: Vec<String>,
    /// The instructions.
    pub instructions: Vec<I>,
    /// The line of each, from 1.
    pub lines: Vec<usize>,
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

struct Line<I> {
    number: usize,
    instruction: I,
    goal: Option<Goal>,
}

/// The routine in `text`, whose first instruction stands at the address `origin`.
///
/// # Errors
/// The first line that the dialect does not have, or a label that is missing.
pub fn parse<S: Spelling>(
    dialect: &Dialect<S>,
    origin: u32,
    text: &str,
) -> Result<Parsed<S::Instruction>, ParseError> {
    // each with the number of the instruction that it stands at
    let mut labels: HashMap<String, usize> = HashMap::new();
    let mut public: Vec<(usize, String)> = Vec::new();
    let mut lines = Vec::new();
    let (mut ended, mut last) = (false, 0);
    let mut inside = false;
    let mut mode = S::MODES.first().copied();
    for (number, line) in (1..).zip(text.lines()) {
        last = number;
        let at = |fault: String| ParseError { line: number, fault };
        let line = without_comment(dialect, line, &mut inside);
        let mut rest = line.trim_end();
        while let Some((label, after)) = label(dialect, rest).map_err(at)? {
            if ended {
                return Err(at("text after the end".to_owned()));
            }
            if labels.insert(label.to_owned(), lines.len()).is_some() {
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
        let (instruction, goal) = match directive.map(|(_, directive)| directive) {
            Some(Directive::Public) => {
                public.push((number, operands.trim().to_owned()));
                continue;
            }
            Some(Directive::End) => {
                ended = true;
                continue;
            }
            Some(Directive::Other) => {
                S::directive(&lower, operands.trim(), lines.is_empty()).map_err(at)?;
                let whole = format!("{lower} {}", operands.trim());
                mode = S::MODES.iter().copied().find(|other| *other == whole).or(mode);
                continue;
            }
            Some(Directive::Word) => (dialect.spelling.of_number(operands.trim()).map_err(at)?, None),
            None => dialect.spelling.read(&lower, operands.trim()).map_err(at)?,
        };
        if let Some(other) = S::mode(&instruction).filter(|other| mode != Some(*other)) {
            return Err(at(format!("the assembler may choose another encoding of it; valid: {other}")));
        }
        lines.push(Line { number, instruction, goal });
    }
    let at_end = |fault: &str| ParseError { line: last, fault: fault.to_owned() };
    if inside {
        return Err(at_end("a comment does not end"));
    }
    if !ended && dialect.directives.iter().any(|(_, directive)| *directive == Directive::End) {
        return Err(at_end("the text has no end directive"));
    }
    for (line, symbol) in &public {
        if labels.get(symbol) != Some(&0) {
            let fault = format!("public symbol {} does not stand at the first instruction", shown(symbol));
            return Err(ParseError { line: *line, fault });
        }
    }
    Ok(Parsed {
        instructions: placed(&dialect.spelling, origin, &lines, &labels)?,
        lines: lines.iter().map(|line| line.number).collect(),
        public: public.into_iter().map(|(_, symbol)| symbol).collect(),
    })
}

/// The line without comments; `inside` says whether one goes on to the next line.
fn without_comment<S>(dialect: &Dialect<S>, line: &str, inside: &mut bool) -> String {
    let mut text = String::new();
    let mut rest = line;
    loop {
        if *inside {
            match rest.split_once("*/") {
                Some((_, after)) => (rest, *inside) = (after, false),
                None => return text,
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
            (_, to_end) => {
                text.push_str(&rest[..to_end.unwrap_or(rest.len())]);
                return text;
            }
        }
    }
}

/// A label, and what follows: a name with a colon, or a name in the first column.
fn label<'a, S>(dialect: &Dialect<S>, text: &'a str) -> Result<Option<(&'a str, &'a str)>, String> {
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

/// The instructions with their places. A branch that does not reach its goal takes a longer code, which moves what stands
/// behind it: as assemblers do, until all reach.
fn placed<S: Spelling>(
    spelling: &S,
    origin: u32,
    lines: &[Line<S::Instruction>],
    labels: &HashMap<String, usize>,
) -> Result<Vec<S::Instruction>, ParseError> {
    let mut lengths: Vec<u32> = lines.iter().map(|line| spelling.length(&line.instruction)).collect();
    loop {
        let mut addresses = vec![origin];
        for length in &lengths {
            addresses.push(addresses[addresses.len() - 1].wrapping_add(*length));
        }
        let mut all = Vec::with_capacity(lines.len());
        let mut is_settled = true;
        for (at, line) in lines.iter().enumerate() {
            let own = resolved(spelling, line, (labels, &addresses), addresses[at])
                .map_err(|fault| ParseError { line: line.number, fault })?;
            let length = spelling.length(&own);
            if length > lengths[at] {
                (lengths[at], is_settled) = (length, false);
            }
            all.push(own);
        }
        if is_settled {
            return Ok(all);
        }
    }
}

/// The instruction at an address, with its place.
fn resolved<S: Spelling>(
    spelling: &S,
    line: &Line<S::Instruction>,
    (labels, addresses): (&HashMap<String, usize>, &[u32]),
    address: u32,
) -> Result<S::Instruction, String> {
    let to = match &line.goal {
        None => return Ok(line.instruction),
        Some(Goal::Number(number)) => Where::Number(*number),
        Some(Goal::Label(label)) => match labels.get(label) {
            Some(at) => Where::Address(addresses[*at]),
            None => return Err(format!("there is no label {}", shown(label))),
        },
    };
    spelling.placed(&line.instruction, address, to)
}

/// Whether it can be a label.
pub fn is_symbol(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    name.chars().all(letter) && name.starts_with(|first: char| !first.is_ascii_digit())
}

/// A number without a sign: `12`, `0x3f`.
pub fn number(text: &str) -> Option<u32> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    let plain = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    u32::from_str_radix(digits, radix).ok().filter(|_| plain)
}

/// What somebody wrote, fit for one line of a message.
pub fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().nth(40).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}
