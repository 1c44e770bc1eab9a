//! Reads the text of a routine back to its instructions.
//!
//! It reads what [`super::function()`] writes: of the assembler's language the directives of a routine's
//! file, labels, comments and instructions, one a line. What it does not know is an error, with its line.

use super::operands::{Spelling, short_form};
use super::{Dialect, Directive};
use crate::encode::encode;
use crate::instructions::{Instruction, Op, Operand, ROWS};
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

/// A place that an instruction names.
#[derive(Clone, Debug)]
enum Goal {
    Label(String),
    /// From the next instruction, in words.
    Distance(i32),
    /// In words.
    Address(i32),
}

struct Line {
    number: usize,
    address: u32,
    instruction: Instruction,
    goal: Option<Goal>,
}

/// The routine in `text`, whose first instruction stands at word address `origin`.
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
        let mut rest = line.trim();
        while let Some((label, after)) = label(rest) {
            if ended {
                return Err(at("text after the end".to_owned()));
            }
            if labels.insert(label.to_owned(), address).is_some() {
                return Err(at(format!("label {} stands twice", shown(label))));
            }
            rest = after.trim_start();
        }
        if rest.is_empty() {
            continue;
        }
        if ended {
            return Err(at("text after the end".to_owned()));
        }
        let (word, operands) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let lower = word.to_ascii_lowercase();
        let directive = dialect.directives.iter().find(|(name, _)| *name == lower);
        match directive {
            Some((_, Directive::Public)) => public.push((number, operands.trim().to_owned())),
            Some((_, Directive::End)) => ended = true,
            Some((_, Directive::Other)) => {}
            None => {
                let (instruction, goal) = instruction(&dialect.spelling, &lower, operands).map_err(at)?;
                lines.push(Line { number, address, instruction, goal });
                address += instruction.op.row().words() as u32;
            }
        }
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

/// A label with its colon, and what follows.
fn label(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.split_once(':')?;
    is_symbol(name).then_some((name, after))
}

fn is_symbol(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    name.chars().all(letter) && name.starts_with(|first: char| !first.is_ascii_digit())
}

/// The instruction of a mnemonic in lower case and its operands. Where it names a place, its distance or
/// address is still open.
fn instruction(
    spelling: &Spelling,
    mnemonic: &str,
    operands: &str,
) -> Result<(Instruction, Option<Goal>), String> {
    let given: Vec<&str> = match operands.trim() {
        "" => Vec::new(),
        operands => operands.split(',').map(str::trim).collect(),
    };
    let mut forms: Vec<(Op, Vec<Operand>, Option<u8>)> = Vec::new();
    let mut twice = false;
    if let Some((op, flag)) = short_form(mnemonic) {
        twice = flag.is_none();
        let left_out = if twice { Operand::R } else { Operand::Flag };
        let operands = op.row().operands.iter().copied().filter(|operand| *operand != left_out);
        forms.push((op, operands.collect(), flag));
    }
    let plain = matches!(mnemonic, "ld" | "st");
    for row in ROWS {
        // LD and ST with Y and Z are LDD and STD without a displacement
        let displaced = matches!(row.op, Op::LddY | Op::LddZ | Op::StdY | Op::StdZ);
        if row.mnemonic == mnemonic || plain && displaced && &row.mnemonic[..2] == mnemonic {
            forms.push((row.op, row.operands.to_vec(), None));
        }
    }
    if forms.is_empty() {
        return Err(format!("{} is neither an instruction nor a directive", shown(mnemonic)));
    }
    for (op, operands, flag) in &forms {
        if operands.len() != given.len() {
            continue;
        }
        let mut instruction = Instruction { b: flag.unwrap_or(0), ..Instruction::new(*op) };
        let mut goal = None;
        let fits = operands.iter().zip(&given).all(|(operand, text)| {
            let one = Reader { spelling, displaced: !plain };
            one.read(*operand, text, &mut instruction, &mut goal)
        });
        if !fits {
            continue;
        }
        if twice {
            instruction.r = instruction.d;
        }
        if goal.is_none() {
            encode(&instruction).map_err(|error| error.to_string())?;
        }
        return Ok((instruction, goal));
    }
    Err(format!("{} does not take the operands {}", shown(mnemonic), shown(operands.trim())))
}

/// Reads operands.
struct Reader<'a> {
    spelling: &'a Spelling,
    /// Whether `Y+1` may stand where an instruction has a displacement; otherwise it is `Y`.
    displaced: bool,
}

impl Reader<'_> {
    /// Puts the operand into the instruction; `false` where the text is none.
    fn read(
        &self,
        operand: Operand,
        text: &str,
        instruction: &mut Instruction,
        goal: &mut Option<Goal>,
    ) -> bool {
        let Instruction { d, r, b, k, .. } = instruction;
        let set = |field: &mut u8, value: Option<u8>| value.map(|value| *field = value).is_some();
        let constant = |field: &mut i32, value: Option<i32>| value.map(|value| *field = value).is_some();
        match operand {
            Operand::D | Operand::DHigh | Operand::DMid => set(d, self.register(text)),
            Operand::R | Operand::RHigh | Operand::RMid => set(r, self.register(text)),
            Operand::DPair | Operand::DWord => set(d, self.pair(text)),
            Operand::RPair => set(r, self.pair(text)),
            Operand::K8 | Operand::K6 | Operand::Io | Operand::Data => constant(k, number(text)),
            Operand::Bit | Operand::Flag => set(b, number(text).and_then(|value| u8::try_from(value).ok())),
            Operand::Relative | Operand::Absolute => {
                *goal = self.goal(operand, text);
                goal.is_some()
            }
            Operand::X => text == "X",
            Operand::XInc => text == "X+",
            Operand::XDec => text == "-X",
            Operand::YInc => text == "Y+",
            Operand::YDec => text == "-Y",
            Operand::Z => text == "Z",
            Operand::ZInc => text == "Z+",
            Operand::ZDec => text == "-Z",
            Operand::YDisp => constant(k, self.displacement(text, "Y")),
            Operand::ZDisp => constant(k, self.displacement(text, "Z")),
        }
    }

    fn register(&self, text: &str) -> Option<u8> {
        let digits = text.strip_prefix(if self.spelling.upper { 'R' } else { 'r' })?;
        let plain =
            digits.bytes().all(|digit| digit.is_ascii_digit()) && (digits == "0" || !digits.starts_with('0'));
        digits.parse().ok().filter(|number| plain && *number < 32)
    }

    /// The low register.
    fn pair(&self, text: &str) -> Option<u8> {
        if !self.spelling.pairs {
            return self.register(text);
        }
        let (high, low) = text.split_once(':')?;
        let low = self.register(low)?;
        (self.register(high)? == low + 1).then_some(low)
    }

    fn displacement(&self, text: &str, pointer: &str) -> Option<i32> {
        let rest = text.strip_prefix(pointer)?;
        match self.displaced {
            true => number(rest.strip_prefix('+')?),
            false => rest.is_empty().then_some(0),
        }
    }

    fn goal(&self, operand: Operand, text: &str) -> Option<Goal> {
        let halved = |bytes: i32| (bytes % 2 == 0).then_some(bytes / 2);
        if self.spelling.distances {
            match (operand, text.strip_prefix('.')) {
                (Operand::Relative, Some(rest)) if rest.starts_with(['+', '-']) => {
                    return rest.parse().ok().and_then(halved).map(Goal::Distance);
                }
                (Operand::Absolute, _) if text.starts_with("0x") => {
                    return number(text).and_then(halved).map(Goal::Address);
                }
                _ => {}
            }
        }
        is_symbol(text).then(|| Goal::Label(text.to_owned()))
    }
}

/// A number without a sign: `12`, `0x3f`.
fn number(text: &str) -> Option<i32> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    if !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
        return None;
    }
    i32::from_str_radix(digits, radix).ok()
}

/// The instruction with its place.
fn resolved(line: &Line, labels: &HashMap<String, u32>) -> Result<Instruction, String> {
    let Line { address, instruction, goal, .. } = line;
    let Some(goal) = goal else { return Ok(*instruction) };
    let row = instruction.op.row();
    let k = match goal {
        Goal::Distance(k) | Goal::Address(k) => *k,
        Goal::Label(label) => {
            let place =
                *labels.get(label.as_str()).ok_or_else(|| format!("there is no label {}", shown(label)))?;
            let next = i64::from(*address) + row.words() as i64;
            let relative = row.operands.contains(&Operand::Relative);
            let k = if relative { i64::from(place) - next } else { place.into() };
            i32::try_from(k).map_err(|_| format!("label {} is too far away", shown(label)))?
        }
    };
    let whole = Instruction { k, ..*instruction };
    encode(&whole).map(|_| whole).map_err(|error| error.to_string())
}

/// What somebody wrote, fit for one line of a message.
fn shown(text: &str) -> String {
    let mut shown: String = text.chars().take(40).flat_map(char::escape_default).collect();
    if text.chars().nth(40).is_some() {
        shown.push_str("...");
    }
    format!("'{shown}'")
}
