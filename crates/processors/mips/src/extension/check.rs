//! What must hold between the parts of an instruction's description.

use super::expression::{Expression, Source, Target};
use super::lex::Position;
use super::{CustomInstruction, ExtensionError};
use crate::cores::{Time, Unit};
use crate::instructions::LETTERS;
use crate::instructions::{Class, Kind, Op, Operand, ROWS, Roles, Row};
use crate::syntax;
use rhomb_machine::pattern::BitPattern;
use rhomb_machine::syntax::shown;
use std::borrow::Cow;

/// An instruction as far as it was read.
pub(super) struct Draft {
    name: (String, Position),
    pub(super) operands: Vec<(Source, Position)>,
    pub(super) encoding: Option<(String, Position)>,
    pub(super) meaning: Option<Vec<(Target, Expression, Position)>>,
    pub(super) unit: Option<Unit>,
    pub(super) issue: Option<u8>,
    pub(super) occupies: Option<u8>,
    pub(super) latency: Option<u8>,
    pub(super) class: Option<Class>,
    pub(super) gnu: Option<(String, Position)>,
}

/// Most instructions: their number is a byte.
const MOST: usize = 200;

/// What GNU as knows after `.set smartmips`: mnemonic, encoding and operands (opcodes/mips-opc.c of GNU binutils 2.40).
const SMARTMIPS: [(&str, &str, &[Source]); 7] = [
    ("multp", "000000sssssttttt0000010001011001", &[Source::Rs, Source::Rt]),
    ("maddp", "011100sssssttttt0000010001000001", &[Source::Rs, Source::Rt]),
    ("pperm", "011100sssssttttt0000010010000001", &[Source::Rs, Source::Rt]),
    ("mflhxu", "0000000000000000ddddd00001010010", &[Source::Rd]),
    ("mtlhx", "000000sssss000000000000001010011", &[Source::Rs]),
    ("ror", "00000000001tttttdddddaaaaa000010", &[Source::Rd, Source::Rt, Source::Sa]),
    ("rorv", "000000ssssstttttddddd00001000110", &[Source::Rd, Source::Rt, Source::Rs]),
];

/// Encodings of MIPS32 that have no row: coprocessors 0 and 1 (MD00086, appendix A; coprocessor 2 is the user's).
const NO_ROWS: [(&str, &str); 8] = [
    ("coprocessor 0", "010000iiiiiiiiiiiiiiiiiiiiiiiiii"),
    ("coprocessor 1", "010001iiiiiiiiiiiiiiiiiiiiiiiiii"),
    ("coprocessor 1", "010011iiiiiiiiiiiiiiiiiiiiiiiiii"),
    ("movf and movt", "000000iiiiiiiiiiiiiii00000000001"),
    ("lwc1", "110001iiiiiiiiiiiiiiiiiiiiiiiiii"),
    ("ldc1", "110101iiiiiiiiiiiiiiiiiiiiiiiiii"),
    ("swc1", "111001iiiiiiiiiiiiiiiiiiiiiiiiii"),
    ("sdc1", "111101iiiiiiiiiiiiiiiiiiiiiiiiii"),
];

/// Operands by their letters in the encoding, with the widths that their fields may have.
const OPERANDS: [(Source, u8, &str, u32, u32); 5] = [
    (Source::Rs, b's', "rs", 5, 5),
    (Source::Rt, b't', "rt", 5, 5),
    (Source::Rd, b'd', "rd", 5, 5),
    (Source::Sa, b'a', "sa", 1, 5),
    (Source::Immediate, b'i', "imm", 1, 20),
];

impl Draft {
    pub(super) fn new(name: (String, Position)) -> Self {
        Draft {
            name,
            operands: Vec::new(),
            encoding: None,
            meaning: None,
            unit: None,
            issue: None,
            occupies: None,
            latency: None,
            class: None,
            gnu: None,
        }
    }

    /// The time that a file gives.
    fn time(&self) -> Option<Time> {
        Some(Time { unit: self.unit?, issue: self.issue?, occupies: self.occupies?, latency: self.latency? })
    }

    pub(super) fn operand(&mut self, word: &str, place: Position) -> Result<(), ExtensionError> {
        let found = OPERANDS.iter().find(|(_, _, name, ..)| *name == word);
        let (source, ..) = found.ok_or_else(|| {
            place.error(format!("{} is no operand; valid: rs, rt, rd, sa, imm", shown(word)))
        })?;
        if self.operands.iter().any(|(other, _)| other == source) {
            return Err(place.error(format!("operand {} stands twice", shown(word))));
        }
        self.operands.push((*source, place));
        Ok(())
    }

    fn has(&self, source: Source) -> bool {
        self.operands.iter().any(|(operand, _)| *operand == source)
    }

    /// Bits of an operand that the meaning uses.
    pub(super) fn source_bits(&self, source: Source, place: Position) -> Result<u32, ExtensionError> {
        if !self.has(source) {
            return Err(place.error("this is not among the instruction's operands"));
        }
        let (_, letter, ..) = OPERANDS[index_of(source)];
        if matches!(source, Source::Rs | Source::Rt | Source::Rd) {
            return Ok(32);
        }
        let Some((encoding, _)) = &self.encoding else {
            return Err(place.error("the encoding, which says how wide this is, stands before the meaning"));
        };
        Ok(BitPattern::of(encoding).width(letter).clamp(1, 32))
    }
}

fn index_of(source: Source) -> usize {
    OPERANDS.iter().position(|(operand, ..)| *operand == source).unwrap_or_default()
}

/// The instruction, if all is there and fits together and with what is there already.
pub(super) fn complete(
    draft: Draft,
    others: &[&CustomInstruction],
) -> Result<CustomInstruction, ExtensionError> {
    let (name, place) = draft.name.clone();
    let lacks = |what: &str| place.error(format!("{} has no {what}", shown(&name)));
    if name.chars().any(|letter| letter.is_ascii_uppercase()) {
        return Err(place.error(format!("mnemonic {} is written in lower case", shown(&name))));
    }
    if others.len() >= MOST {
        return Err(place.error(format!("more than {MOST} instructions")));
    }
    is_free(&name, place, others)?;
    let (pattern, pattern_place) = draft.encoding.clone().ok_or_else(|| lacks("encoding"))?;
    check_pattern(&draft, &pattern, pattern_place, others)?;
    let meaning = draft.meaning.clone().filter(|meaning| !meaning.is_empty());
    let meaning = meaning.ok_or_else(|| lacks("meaning"))?;
    let (reads, writes) = roles(&draft, &meaning)?;
    let missing = [
        ("unit", draft.unit.is_none()),
        ("issue", draft.issue.is_none()),
        ("occupies", draft.occupies.is_none()),
        ("latency", draft.latency.is_none()),
        ("counts", draft.class.is_none()),
    ];
    if let Some((what, _)) = missing.iter().find(|(_, missing)| *missing) {
        return Err(lacks(what));
    }
    let time = draft.time().ok_or_else(|| lacks("time"))?;
    if let Some((mnemonic, place)) = &draft.gnu {
        let plain = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '.';
        if !mnemonic.chars().all(plain) || !mnemonic.starts_with(|first: char| first.is_ascii_lowercase()) {
            return Err(place.error("a mnemonic has small letters, digits and dots only, a letter first"));
        }
        is_free(mnemonic, *place, others)?;
        let bits: String = pattern.split(' ').collect();
        let sources: Vec<Source> = draft.operands.iter().map(|(source, _)| *source).collect();
        if !SMARTMIPS.contains(&(mnemonic.as_str(), bits.as_str(), sources.as_slice())) {
            let names = SMARTMIPS.map(|(name, ..)| name).join(", ");
            return Err(place.error(format!(
                "GNU as has no {} with this encoding and these operands; valid: {names}, or leave gnu out",
                shown(mnemonic)
            )));
        }
    }
    let operand = |(source, _): &(Source, Position)| match source {
        Source::Rs => Operand::Rs,
        Source::Rt => Operand::Rt,
        Source::Rd => Operand::Rd,
        Source::Sa => Operand::Sa,
        _ => Operand::Unsigned,
    };
    let row = Row {
        op: Op::Custom,
        mnemonic: Cow::Owned(name),
        pattern: BitPattern::of(&pattern),
        operands: Cow::Owned(draft.operands.iter().map(operand).collect()),
        reads,
        writes,
        kind: Kind::Extension,
        class: draft.class.unwrap_or(Class::Other),
    };
    let meaning = meaning.into_iter().map(|(target, value, _)| (target, value)).collect();
    Ok(CustomInstruction { row, time, gnu: draft.gnu.map(|(mnemonic, _)| mnemonic), meaning })
}

/// Whether text with this mnemonic cannot be read as another instruction.
fn is_free(mnemonic: &str, place: Position, others: &[&CustomInstruction]) -> Result<(), ExtensionError> {
    let known = ROWS.iter().any(|row| row.mnemonic == mnemonic)
        || syntax::SHORT.iter().any(|(short, ..)| *short == mnemonic)
        || others
            .iter()
            .any(|other| other.row.mnemonic == mnemonic || other.gnu.as_deref() == Some(mnemonic));
    if known {
        Err(place.error(format!("there is an instruction {} already", shown(mnemonic))))
    } else {
        Ok(())
    }
}

fn check_pattern(
    draft: &Draft,
    pattern: &str,
    place: Position,
    others: &[&CustomInstruction],
) -> Result<(), ExtensionError> {
    let known = |letter: char| matches!(letter, '0' | '1' | ' ') || LETTERS.map(char::from).contains(&letter);
    if let Some(other) = pattern.chars().find(|letter| !known(*letter)) {
        let letters = "0, 1, s, t, d, a, i and blanks";
        return Err(place.error(format!("an encoding has {letters}; {} is none", shown(&other.to_string()))));
    }
    let count = pattern.bytes().filter(|letter| *letter != b' ').count();
    if count != 32 {
        return Err(place.error(format!("an encoding has 32 places; this one has {count}")));
    }
    let pattern = BitPattern::of(pattern);
    for (source, letter, name, least, most) in OPERANDS {
        let bits = pattern.width(letter);
        let letter = char::from(letter);
        match (draft.has(source), bits) {
            (true, 0) => {
                return Err(place.error(format!("operand {name} has no place '{letter}' in the encoding")));
            }
            (true, bits) if !(least..=most).contains(&bits) => {
                let range = if least == most { least.to_string() } else { format!("{least} to {most}") };
                return Err(
                    place.error(format!("field '{letter}' has {bits} bits; operand {name} has {range}"))
                );
            }
            (false, 1..) => {
                return Err(place.error(format!("field '{letter}' belongs to no operand; hint: name {name}")));
            }
            _ => {}
        }
    }
    let rows = ROWS.iter().chain(others.iter().map(|other| &other.row));
    let rows = rows.map(|row| (&*row.mnemonic, row.pattern));
    for (name, other) in rows.chain(NO_ROWS.map(|(name, pattern)| (name, BitPattern::of(pattern)))) {
        if pattern.meets(&other) {
            return Err(place.error(format!(
                "this encoding is also that of {name}; hint: 011100 in front and 010000 to 011111 at the end is free for users"
            )));
        }
    }
    Ok(())
}

/// What is read and written, and whether that makes sense.
fn roles(
    draft: &Draft,
    meaning: &[(Target, Expression, Position)],
) -> Result<(Roles, Roles), ExtensionError> {
    let (mut reads, mut writes) = (Roles::default(), Roles::default());
    let mut used: Vec<Source> = Vec::new();
    for (_, value, _) in meaning {
        value.sources(&mut |source| used.push(source));
    }
    for source in &used {
        match source {
            Source::Rs => reads.add("s"),
            Source::Rt => reads.add("t"),
            Source::Rd => reads.add("d"),
            Source::Accumulator => reads.add("LHG"),
            Source::Lo => reads.add("L"),
            Source::Hi => reads.add("H"),
            Source::Guard => reads.add("G"),
            Source::Sa | Source::Immediate => {}
        }
    }
    for (index, (target, _, place)) in meaning.iter().enumerate() {
        let clashes = |other: &Target| {
            let part = |target| matches!(target, Target::Lo | Target::Hi | Target::Guard);
            other == target
                || *other == Target::Accumulator && part(*target)
                || *target == Target::Accumulator && part(*other)
        };
        if meaning[..index].iter().any(|(other, ..)| clashes(other)) {
            return Err(place.error("this target is written already; all targets are written at once"));
        }
        let operand = match target {
            Target::Rd => Some(Source::Rd),
            Target::Rt => Some(Source::Rt),
            Target::Accumulator | Target::Lo | Target::Hi | Target::Guard => None,
        };
        if let Some(operand) = operand {
            if !draft.has(operand) {
                return Err(place.error("this target is not among the instruction's operands"));
            }
            used.push(operand);
        }
        writes.add(match target {
            Target::Rd => "d",
            Target::Rt => "t",
            Target::Accumulator => "LHG",
            Target::Lo => "L",
            Target::Hi => "H",
            Target::Guard => "G",
        });
    }
    if let Some((_, place)) = draft.operands.iter().find(|(operand, _)| !used.contains(operand)) {
        return Err(place.error("the meaning does not use this operand"));
    }
    Ok((reads, writes))
}
