//! How a function takes its arguments, and what it returns.

use crate::error::{ContractError, short};
use std::fmt;

/// Most arguments of a function.
const MOST: usize = 8;

/// An argument of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Argument {
    /// A pointer to the result, which lies in the place of an operand where there is one.
    Result(Option<u8>),
    /// A pointer to an operand, by its number; the operand itself, where it is a word that is given by value.
    Operand(u8),
    /// A pointer to an operand that the function may overwrite.
    Spoiled(u8),
    /// An operand that is given by value, or its two's complement, which of a bit is a mask, as a number of so many bits.
    Value {
        /// The operand's number.
        operand: u8,
        /// Whether it is the two's complement.
        is_negative: bool,
        /// Its bits, where they are not those of a word.
        bits: Option<u8>,
    },
    /// A pointer to the words of the modulus.
    Modulus,
    /// The word -1/p modulo 2^w.
    Inverse,
    /// The number of words of the first operand.
    Words,
    /// A number that anybody may know.
    Number(u32),
    /// It is not looked at.
    Ignored,
}

/// What a function returns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Returned {
    /// The carry or borrow; of a comparison, its outcome.
    Carry,
    /// The two's complement of that: a mask, where it is a bit.
    Mask,
    /// Nothing that anybody looks at.
    Void,
    /// The number 0.
    Zero,
    /// Nothing: the word above the result is that of its array's last place.
    Result,
}

/// Arguments in their order, and what is returned; what is not said is as the operation has it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Prototype {
    arguments: Option<([Option<Argument>; MOST], u8)>,
    pub(crate) returned: Option<Returned>,
    /// Bits of the number that is returned, where they are not those of a word.
    pub(crate) returned_bits: Option<u8>,
}

/// Names of what a function returns.
const RETURNED: [(&str, Returned); 5] = [
    ("carry", Returned::Carry),
    ("-carry", Returned::Mask),
    ("void", Returned::Void),
    ("0", Returned::Zero),
    (RESULT, Returned::Result),
];
/// Names of arguments that are no operands.
const MODULUS: &str = "p";
const INVERSE: &str = "n0";
const WORDS: &str = "words";
const IGNORED: &str = "_";
const RESULT: &str = "r";
/// What stands before what is returned.
const ARROW: &str = "->";
/// What stands before the bits of a number, and how many there may be.
const OF: &str = "of";
const BITS: [u8; 3] = [8, 16, 32];

/// What a prototype may name.
pub(crate) struct Named<'a> {
    /// Names of the operands.
    pub(crate) operands: &'a [&'static str],
    /// Of each operand, whether it lies in the place of the result anyway.
    pub(crate) is_result: &'a dyn Fn(usize) -> bool,
    /// Of each operand, whether it is given by value.
    pub(crate) by_value: &'a dyn Fn(usize) -> bool,
    /// Whether there is a result of its own.
    pub(crate) has_result: bool,
    /// Whether there is a modulus.
    pub(crate) has_modulus: bool,
    /// Whether there is a carry to return.
    pub(crate) has_carry: bool,
    /// Whether there is a word above the result, which may be a part of it.
    pub(crate) has_word: bool,
}

impl Named<'_> {
    fn valid(&self) -> String {
        let own = (0..self.operands.len()).filter(|index| !(self.is_result)(*index));
        let result = self.has_result.then(|| RESULT.to_owned());
        let mut names: Vec<String> =
            result.into_iter().chain(own.map(|index| self.operands[index].to_owned())).collect();
        let by_value = self.operands.iter().enumerate().filter(|(index, _)| (self.by_value)(*index));
        names.extend(by_value.flat_map(|(_, name)| [format!("-{name}"), format!("{name} {OF} 16")]));
        let in_place = (0..self.operands.len()).find(|index| self.may_hold_result(*index));
        names.extend(in_place.map(|index| format!("{RESULT}={}", self.operands[index])));
        if self.has_modulus {
            names.extend([MODULUS.to_owned(), INVERSE.to_owned()]);
        }
        format!("{}, {WORDS}, {IGNORED}, numbers", names.join(", "))
    }

    fn operand(&self, name: &str) -> Option<usize> {
        self.operands.iter().position(|own| *own == name).filter(|index| !(self.is_result)(*index))
    }

    /// Whether the result may lie in the place of an operand.
    fn may_hold_result(&self, operand: usize) -> bool {
        self.has_result && !(self.by_value)(operand) && !(self.is_result)(0)
    }

    fn argument(&self, text: &str) -> Option<Argument> {
        // what was there at the call is where it is
        let in_memory = |name: &str| self.operand(name).filter(|index| self.may_hold_result(*index));
        if let Some(on) = text.strip_prefix(RESULT).and_then(|rest| rest.trim_start().strip_prefix('=')) {
            return in_memory(on.trim()).map(|index| Argument::Result(Some(index as u8)));
        }
        if let Some((name, rest)) = text.split_once('=') {
            let own = in_memory(name.trim()).filter(|_| rest.trim() == IGNORED);
            return own.map(|index| Argument::Spoiled(index as u8));
        }
        let (name, bits) = with_bits(text)?;
        let (name, is_negative) = name.strip_prefix('-').map_or((name, false), |name| (name, true));
        if is_negative || bits.is_some() {
            let by_value = self.operand(name).filter(|index| (self.by_value)(*index))?;
            return Some(Argument::Value { operand: by_value as u8, is_negative, bits });
        }
        match text {
            RESULT => self.has_result.then_some(Argument::Result(None)),
            IGNORED => Some(Argument::Ignored),
            WORDS => Some(Argument::Words),
            MODULUS if self.has_modulus => Some(Argument::Modulus),
            INVERSE if self.has_modulus => Some(Argument::Inverse),
            _ => {
                let operand = self.operand(text).map(|index| Argument::Operand(index as u8));
                operand.or_else(|| number(text).map(Argument::Number))
            }
        }
    }
}

/// A name, and the bits behind it, `c of 16`, where there are any; `None` where they are no such number.
fn with_bits(text: &str) -> Option<(&str, Option<u8>)> {
    match text.split_ascii_whitespace().collect::<Vec<_>>()[..] {
        [name, OF, bits] => {
            bits.parse().ok().filter(|bits| BITS.contains(bits)).map(|bits| (name, Some(bits)))
        }
        _ => Some((text, None)),
    }
}

/// A decimal or hexadecimal number of 32 bits.
fn number(text: &str) -> Option<u32> {
    match text.strip_prefix("0x") {
        Some(digits) => u32::from_str_radix(digits, 16).ok(),
        None => text.bytes().all(|digit| digit.is_ascii_digit()).then(|| text.parse().ok())?,
    }
}

impl Prototype {
    /// The part of a contract before its prototype, and that.
    pub fn cut(text: &str) -> (&str, &str) {
        let at = text.find('(').or_else(|| text.find(ARROW)).unwrap_or(text.len());
        text.split_at(at)
    }

    /// Whether nothing is said.
    pub fn is_default(&self) -> bool {
        *self == Prototype::default()
    }

    /// The arguments, where they are said.
    pub(crate) fn arguments(&self) -> Option<impl Iterator<Item = Argument> + '_> {
        let (arguments, count) = self.arguments.as_ref()?;
        Some(arguments.iter().take(usize::from(*count)).flatten().copied())
    }

    /// The operand in whose place the result lies, where that is said.
    pub(crate) fn in_place(&self) -> Option<u8> {
        self.arguments()?.find_map(|argument| match argument {
            Argument::Result(on) => on,
            _ => None,
        })
    }

    /// Reads `(r, a, b) -> carry`, of which a part may be missing.
    pub(crate) fn parse(text: &str, named: &Named<'_>) -> Result<Prototype, ContractError> {
        let text = text.trim();
        let (arguments, rest) = match text.strip_prefix('(') {
            Some(behind) => {
                let Some((inner, rest)) = behind.split_once(')') else {
                    return Err(ContractError::Parenthesis(short(text)));
                };
                (Some(Prototype::list(inner, named)?), rest.trim())
            }
            None => (None, text),
        };
        let mut returned_bits = None;
        let returned = match rest.strip_prefix(ARROW).map(str::trim) {
            None if rest.is_empty() => None,
            None => return Err(ContractError::Behind(short(rest))),
            Some(text) => {
                let (name, bits) = with_bits(text).unwrap_or((text, None));
                returned_bits = bits;
                let known = RETURNED.iter().find(|(known, _)| *known == name).map(|(_, returned)| *returned);
                let is_carry = |known: &Returned| matches!(known, Returned::Carry | Returned::Mask);
                let known = known.filter(|known| !is_carry(known) || named.has_carry);
                let known = known.filter(|known| *known != Returned::Result || named.has_word);
                let is_number = |known: &Returned| !matches!(known, Returned::Result | Returned::Void);
                let known = known.filter(|known| bits.is_none() || is_number(known));
                let valid = || match (named.has_word, named.has_carry) {
                    (true, _) => "carry, carry of 16, -carry, void, 0, r",
                    (false, true) => "carry, carry of 16, -carry, void, 0",
                    (false, false) => "void, 0: this operation has no carry",
                };
                Some(known.ok_or_else(|| ContractError::Returned { given: short(text), valid: valid() })?)
            }
        };
        Ok(Prototype { arguments, returned, returned_bits })
    }

    fn list(text: &str, named: &Named<'_>) -> Result<([Option<Argument>; MOST], u8), ContractError> {
        let mut arguments = [None; MOST];
        let mut count = 0;
        let mut seen: Vec<String> = Vec::new();
        let operand_name = |index: u8| named.operands[usize::from(index)].to_owned();
        let is_again = |arguments: &[Option<Argument>], index| {
            let named = |own: &Option<Argument>| *own == Some(Argument::Operand(index));
            arguments.contains(&Some(Argument::Result(Some(index)))) && !arguments.iter().any(named)
        };
        for word in text.split(',').map(str::trim) {
            let Some(argument) = named.argument(word) else {
                return Err(ContractError::Argument { given: short(word), valid: named.valid() });
            };
            let names = match argument {
                Argument::Result(on) => {
                    std::iter::once(RESULT.to_owned()).chain(on.map(operand_name)).collect()
                }
                // the pointer to what lies in the place of the result may come once more
                Argument::Operand(index) if is_again(&arguments, index) => Vec::new(),
                Argument::Operand(index)
                | Argument::Spoiled(index)
                | Argument::Value { operand: index, .. } => vec![operand_name(index)],
                Argument::Modulus => vec![MODULUS.to_owned()],
                _ => Vec::new(),
            };
            for name in names {
                if seen.contains(&name) {
                    return Err(ContractError::Twice(name));
                }
                seen.push(name);
            }
            if count == MOST {
                return Err(ContractError::Arguments(MOST));
            }
            arguments[count] = Some(argument);
            count += 1;
        }
        let own = (0..named.operands.len()).filter(|index| !(named.is_result)(*index));
        let result = named.has_result.then_some(RESULT);
        let needed = result.into_iter().chain(own.map(|index| named.operands[index]));
        match needed.into_iter().find(|name| !seen.iter().any(|own| own == name)) {
            Some(missing) => Err(ContractError::Unpassed(missing.to_owned())),
            None => Ok((arguments, count as u8)),
        }
    }

    /// Prints it behind a contract, whose operands have these names.
    pub(crate) fn print(&self, operands: &[&'static str], f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(arguments) = self.arguments() {
            let name = |index: u8| operands[usize::from(index)];
            let text = |argument: Argument| match argument {
                Argument::Result(None) => RESULT.to_owned(),
                Argument::Result(Some(on)) => format!("{RESULT}={}", name(on)),
                Argument::Operand(index) => name(index).to_owned(),
                Argument::Spoiled(index) => format!("{}={IGNORED}", name(index)),
                Argument::Value { operand, is_negative, bits } => {
                    let sign = if is_negative { "-" } else { "" };
                    format!("{sign}{}{}", name(operand), printed_bits(bits))
                }
                Argument::Modulus => MODULUS.to_owned(),
                Argument::Inverse => INVERSE.to_owned(),
                Argument::Words => WORDS.to_owned(),
                Argument::Number(number) => number.to_string(),
                Argument::Ignored => IGNORED.to_owned(),
            };
            let texts: Vec<String> = arguments.map(text).collect();
            write!(f, " ({})", texts.join(", "))?;
        }
        let named = RETURNED.iter().filter(|(_, returned)| Some(*returned) == self.returned);
        let bits = printed_bits(self.returned_bits);
        named.into_iter().try_for_each(|(name, _)| write!(f, " {ARROW} {name}{bits}"))
    }
}

fn printed_bits(bits: Option<u8>) -> String {
    bits.map_or_else(String::new, |bits| format!(" {OF} {bits}"))
}
