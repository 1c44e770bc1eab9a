//! Reads the text of a routine back to its instructions.
//!
//! It reads what [`super::function()`] writes, and what people write by hand in the same language: directives of a
//! routine's file, labels, comments and instructions; registers by number or by their o32 names. Nothing is
//! reordered, no instruction is made of several. What it does not know is an error, with its line: a text means what
//! GNU as makes of it, or nothing.

use super::directives::{Meaning, Reader};
use super::statements::{Statement, statements};
use super::words::{is_symbol, register, whole};
use crate::instructions::{Instruction, Op, Operand, ROWS, Row};
use crate::model::Model;
use rhomb_machine::syntax::{ParseError, shown};
use std::collections::BTreeMap;

/// A routine that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// Symbols that others see, in the order of the text.
    pub public: Vec<String>,
    /// Byte addresses of all labels.
    pub labels: BTreeMap<String, u32>,
    /// The instructions.
    pub instructions: Vec<Instruction>,
    /// The line of each, from 1.
    pub lines: Vec<usize>,
}

/// A place that an instruction names.
#[derive(Clone, Debug)]
enum Goal {
    Label(String),
    /// A number as a label, which may stand many times: the next one, or the last one.
    Next(u32),
    Last(u32),
    /// In bytes, from the instruction.
    Distance(i64),
    /// In bytes, within 256 MB.
    Address(i64),
}

struct Read {
    number: usize,
    address: u32,
    instruction: Instruction,
    goal: Option<Goal>,
}

/// The labels of a text, in bytes.
#[derive(Default)]
struct Labels {
    names: BTreeMap<String, u32>,
    /// In the order of the text.
    numbers: Vec<(u32, u32)>,
}

/// What is said of a jump that names no label.
const NUMBER: &str = "a jump to an address, where the linker decides what stands; valid: a label";

/// The routine in a file that GNU as takes, whose first instruction stands at byte address `origin`. The file says
/// itself that instructions stay where they are (`.set noreorder`), and jumps to labels only: the linker decides
/// what stands at an address.
///
/// # Errors
/// The first line that is not understood, or a label that is missing.
pub fn parse_file(model: &Model, origin: u32, text: &str) -> Result<Parsed, ParseError> {
    read_text(model, origin, text, false)
}

/// The same for lines that are not a file: instructions stay where they are, and addresses are those of the program.
///
/// # Errors
/// As for [`parse_file`].
pub fn parse(model: &Model, origin: u32, text: &str) -> Result<Parsed, ParseError> {
    read_text(model, origin, text, true)
}

fn read_text(model: &Model, origin: u32, text: &str, are_lines: bool) -> Result<Parsed, ParseError> {
    let mut labels = Labels::default();
    let mut public: Vec<(usize, String)> = Vec::new();
    let mut named: Vec<(usize, String)> = Vec::new();
    let mut lines: Vec<Read> = Vec::new();
    let mut place = Reader::start(are_lines);
    let statements = statements(text).map_err(|(line, fault)| ParseError { line, fault })?;
    for Statement { line: number, text } in statements {
        let at = |fault: String| ParseError { line: number, fault };
        let address = origin.wrapping_add(4 * lines.len() as u32);
        let mut rest = text.as_str();
        while let Some((label, after)) = label(rest) {
            place.enter().map_err(at)?;
            match local(label) {
                Some(label) => labels.numbers.push((label, address)),
                None if labels.names.insert(label.to_owned(), address).is_some() => {
                    return Err(at(format!("label {} stands twice", shown(label))));
                }
                None => {}
            }
            rest = after.trim_start();
        }
        if rest.is_empty() {
            continue;
        }
        let (word, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        let (word, operands) = (word.to_ascii_lowercase(), operands.trim());
        if word.starts_with('.') {
            match place.directive(&word, operands).map_err(at)? {
                Meaning::Nothing => {}
                Meaning::Sized(symbol) => named.push((number, symbol)),
                Meaning::Public(symbols) => public.extend(symbols.into_iter().map(|symbol| (number, symbol))),
                Meaning::Word(word) => {
                    let instruction = model.decode(word).map_err(|error| at(error.to_string()))?;
                    if matches!(instruction.op, Op::J | Op::Jal) && !are_lines {
                        return Err(at(NUMBER.to_owned()));
                    }
                    lines.push(Read { number, address, instruction, goal: None });
                }
            }
            continue;
        }
        place.instruction().map_err(at)?;
        let (instruction, goal) = instruction(model, &word, operands).map_err(at)?;
        if matches!(goal, Some(Goal::Address(_))) && !are_lines {
            return Err(at(NUMBER.to_owned()));
        }
        lines.push(Read { number, address, instruction, goal });
    }
    for (line, symbol) in public.iter().chain(&named) {
        if !labels.names.contains_key(symbol) {
            let fault = format!("symbol {} stands nowhere", shown(symbol));
            return Err(ParseError { line: *line, fault });
        }
    }
    let resolve =
        |line: &Read| resolved(model, line, &labels).map_err(|fault| ParseError { line: line.number, fault });
    Ok(Parsed {
        instructions: lines.iter().map(resolve).collect::<Result<_, _>>()?,
        lines: lines.iter().map(|line| line.number).collect(),
        public: public.into_iter().map(|(_, symbol)| symbol).collect(),
        labels: labels.names,
    })
}

/// A label with its colon, and what follows.
fn label(text: &str) -> Option<(&str, &str)> {
    let (name, after) = text.split_once(':')?;
    // others with a dot may be sections
    let is_symbol = is_symbol(name) && (!name.starts_with('.') || name.starts_with(".L"));
    (is_symbol || local(name).is_some()).then_some((name, after))
}

/// The number of a label that is one.
fn local(name: &str) -> Option<u32> {
    let plain = name.bytes().all(|digit| digit.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    name.parse().ok().filter(|_| plain)
}

/// Short forms: mnemonic, instruction, operands that are written.
pub(crate) const SHORT: [(&str, Op, &[Operand]); 4] = [
    ("nop", Op::Sll, &[]),
    ("b", Op::Beq, &[Operand::Branch]),
    ("beqz", Op::Beq, &[Operand::Rs, Operand::Branch]),
    ("bnez", Op::Bne, &[Operand::Rs, Operand::Branch]),
];

fn instruction(model: &Model, mnemonic: &str, operands: &str) -> Result<(Instruction, Option<Goal>), String> {
    let given: Vec<&str> = match operands.trim() {
        "" => Vec::new(),
        operands => operands.split(',').map(str::trim).collect(),
    };
    if let Some((_, op, operands)) = SHORT.iter().find(|(short, ..)| *short == mnemonic) {
        return read(Instruction::new(*op), operands, &given)
            .ok_or_else(|| format!("{} does not take these operands", shown(mnemonic)));
    }
    let plain = ROWS.iter().find(|row| row.mnemonic == mnemonic).map(|row| (row, 0));
    let custom = || {
        let mut all = (0..=u8::MAX).zip(model.custom());
        let named = |row: &Row, gnu: Option<&str>| row.mnemonic == mnemonic || gnu == Some(mnemonic);
        all.find(|(_, custom)| named(&custom.row, custom.gnu.as_deref()))
            .map(|(number, custom)| (&custom.row, number))
    };
    let Some((row, custom)) = plain.or_else(custom) else {
        return Err(format!("{} is neither an instruction nor a directive", shown(mnemonic)));
    };
    let start = Instruction { custom, ..Instruction::new(row.op) };
    let found = read(start, &row.operands, &given);
    let found = found.ok_or_else(|| {
        format!("{} does not take the operands {}", shown(mnemonic), shown(operands.trim()))
    })?;
    if found.1.is_none() {
        model.encode(&found.0).map_err(|error| error.to_string())?;
    }
    Ok(found)
}

/// An instruction with the operands that are given; `None` where these are not the operands it has.
fn read(
    mut instruction: Instruction,
    operands: &[Operand],
    given: &[&str],
) -> Option<(Instruction, Option<Goal>)> {
    let mut goal = None;
    let mut given = given.iter();
    for operand in operands {
        let optional = matches!(operand, Operand::Code | Operand::Halves);
        let Some(text) = given.next() else {
            if optional {
                continue;
            }
            return None;
        };
        let Instruction { rs, rt, rd, sa, immediate, .. } = &mut instruction;
        match operand {
            Operand::Rs => *rs = register(text)?,
            Operand::Rt => *rt = register(text)?,
            Operand::Rd => *rd = register(text)?,
            Operand::Zero => {
                register(text).filter(|number| *number == 0)?;
            }
            Operand::Sa => *sa = u8::try_from(whole(text)?).ok()?,
            Operand::Signed | Operand::Unsigned | Operand::Code => {
                *immediate = i32::try_from(whole(text)?).ok()?;
            }
            Operand::Memory => {
                let (offset, base) = text.strip_suffix(')')?.split_once('(')?;
                *immediate =
                    if offset.trim().is_empty() { 0 } else { i32::try_from(whole(offset.trim())?).ok()? };
                *rs = register(base.trim())?;
            }
            Operand::Halves => {
                let (high, low) = (whole(text)?, given.next().map_or(Some(0), |low| whole(low))?);
                let fits = (0..1024).contains(&high) && (0..1024).contains(&low);
                *immediate = fits.then_some((high << 10 | low) as i32)?;
            }
            Operand::Branch | Operand::Jump => {
                let number = |suffix: char| text.strip_suffix(suffix).and_then(local);
                goal = Some(match text.strip_prefix('.') {
                    Some(rest) if rest.trim_start().starts_with(['+', '-']) => {
                        Goal::Distance(whole(&rest.replace(' ', ""))?)
                    }
                    _ if number('f').is_some() => Goal::Next(number('f')?),
                    _ if number('b').is_some() => Goal::Last(number('b')?),
                    _ if is_symbol(text) => Goal::Label((*text).to_owned()),
                    _ if *operand == Operand::Jump => Goal::Address(whole(text)?),
                    _ => return None,
                });
            }
        }
    }
    given.next().is_none().then_some((instruction, goal))
}

/// The instruction with its place.
fn resolved(model: &Model, line: &Read, labels: &Labels) -> Result<Instruction, String> {
    let Read { address, instruction, goal, .. } = line;
    let Some(goal) = goal else { return Ok(*instruction) };
    let row = model.row(instruction).ok_or("an instruction that is not there")?;
    let relative = row.operands.contains(&Operand::Branch);
    let (from, slot) = (i64::from(*address), address.wrapping_add(4));
    let place = match goal {
        Goal::Distance(distance) => from.saturating_add(*distance),
        Goal::Address(place) => i64::from(slot & 0xf000_0000).saturating_add(*place),
        Goal::Label(label) => {
            i64::from(*labels.names.get(label).ok_or_else(|| format!("there is no label {}", shown(label)))?)
        }
        // a label in front of an instruction is a last one there
        Goal::Next(label) | Goal::Last(label) => {
            let is_last = matches!(goal, Goal::Last(_));
            let mut places =
                labels.numbers.iter().filter(|(number, _)| number == label).map(|(_, place)| *place);
            let place = if is_last {
                places.rfind(|place| place <= address)
            } else {
                places.find(|place| place > address)
            };
            place.map(i64::from).ok_or_else(|| format!("there is no label {label}: in that direction"))?
        }
    };
    if place % 4 != 0 {
        return Err("the target is not at a word's address".to_owned());
    }
    let immediate = if relative {
        (place - from - 4) / 4
    } else {
        let start = i64::from(slot & 0xf000_0000);
        if !(start..start + (1 << 28)).contains(&place) {
            return Err("the target is outside of the 256 MB that a jump reaches".to_owned());
        }
        (place - start) / 4
    };
    let immediate = i32::try_from(immediate).map_err(|_| "the target is too far away".to_owned())?;
    let whole = Instruction { immediate, ..*instruction };
    model.encode(&whole).map(|_| whole).map_err(|error| error.to_string())
}
