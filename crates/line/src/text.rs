//! Lines as text, for people and for tests: an operation a line, written as [`Line`]'s `Display` and read by its `FromStr`.
//!
//! ```text
//! v0 = a[0]                       a word from memory; r is the result, a and b are the operands, s is scratch
//! r[0] = v0                       a word goes to memory
//! v1 at r[1] = 0x13               a number; the value may wait at home, in r[1]
//! v2 v3 = v0 * v1                 a product, its low word first; `low v0 * v1`: the low word alone
//! v4 carry = v0 + v1              a sum that makes a carry
//! v5 = v2 - v3 - carry            a difference that takes one; `v2 + 0 + carry`: the carry alone
//! v6 = ones if carry              all ones or zero; also `if borrow`, and `if v2 < 0`, for the highest bit
//! v7 = not v0                     also `0 - v0`, `v0 and 0x7f`, `v0 and v1`, `v0 or v1`, `v0 xor v1`
//! v8 carry = half carry:v0        shifted down by a bit, with the carry on top; `half v0`: without
//! v9 v10 = v0 << 3                both words; `_` stands for one that nobody wants
//! column                          a column begins
//!   + v0 * b[1]                   a term; also `- v0`, and `+ v0 carryless v1`, for a product over GF(2)
//! v11 = peek                      the column's low word, which stays
//! v12 = take 2                    the low word of two that are left; `take` where it is not known how many
//! v13 bit = take 1                the last one, which is known to be 0 or 1
//! v14 mask = b[0]                 a word that is known to be all ones or zero
//! ```

use crate::line::Line;
use crate::op::{Address, Array, Logic, Op, Source, Term, Value};
use std::collections::HashSet;
use std::fmt::{self, Display, Formatter};
use std::str::FromStr;

impl Display for Value {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "v{}", self.0)
    }
}

impl Display for Array {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(["r", "a", "b", "s"][*self as usize])
    }
}

impl Display for Address {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(f, "{}[{}]", self.array, self.index)
    }
}

impl Display for Source {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Source::Value(value) => value.fmt(f),
            Source::Memory(address) => address.fmt(f),
            Source::Number(number) => write!(f, "{number:#x}"),
        }
    }
}

impl Display for Logic {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Logic::And => "and",
            Logic::Or => "or",
            Logic::Xor => "xor",
        })
    }
}

impl Display for Line {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        for op in &self.ops {
            self.write_made(op, f)?;
            write_computed(op, f)?;
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl Line {
    /// What an operation makes, up to the equals sign.
    fn write_made(&self, op: &Op, f: &mut Formatter<'_>) -> fmt::Result {
        let value = |f: &mut Formatter<'_>, value: Option<Value>| match value {
            None => f.write_str("_ "),
            Some(value) => {
                write!(f, "{value} ")?;
                self.homes.get(&value).map_or(Ok(()), |home| write!(f, "at {home} "))?;
                f.write_str(if self.bits.contains(&value) { "bit " } else { "" })?;
                f.write_str(if self.masks.contains(&value) { "mask " } else { "" })
            }
        };
        match *op {
            Op::Clear | Op::Term(_) | Op::Carryless { .. } => return Ok(()),
            Op::Store { to, .. } => write!(f, "{to} ")?,
            _ => {
                let [first, second] = op.makes();
                value(f, first)?;
                if matches!(op, Op::Multiply { .. } | Op::Shift { .. }) {
                    value(f, second)?;
                }
            }
        }
        f.write_str(if makes_carry(op) { "carry = " } else { "= " })
    }
}

fn makes_carry(op: &Op) -> bool {
    match *op {
        Op::Add { carry_out, .. } | Op::Subtract { carry_out, .. } | Op::Halve { carry_out, .. } => carry_out,
        _ => false,
    }
}

/// How it is made.
fn write_computed(op: &Op, f: &mut Formatter<'_>) -> fmt::Result {
    let sum = |f: &mut Formatter<'_>, sign, x, y: Option<Value>, carry_in| {
        let y = y.map_or(String::from("0"), |y| y.to_string());
        let carry = if carry_in { format!(" {sign} carry") } else { String::new() };
        write!(f, "{x} {sign} {y}{carry}")
    };
    match *op {
        Op::Load { from, .. } => write!(f, "{from}"),
        Op::Store { from, .. } => write!(f, "{from}"),
        Op::Number { number, .. } => write!(f, "{number:#x}"),
        Op::Multiply { x, y, .. } => write!(f, "{x} * {y}"),
        Op::Low { x, y, .. } => write!(f, "low {x} * {y}"),
        Op::Add { x, y, carry_in, .. } => sum(f, '+', x, y, carry_in),
        Op::Subtract { x, y, carry_in, .. } => sum(f, '-', x, y, carry_in),
        Op::Spread { borrow, .. } => f.write_str(if borrow { "ones if borrow" } else { "ones if carry" }),
        Op::Sign { x, .. } => write!(f, "ones if {x} < 0"),
        Op::Not { x, .. } => write!(f, "not {x}"),
        Op::Mask { x, bits, .. } => write!(f, "{x} and {bits:#x}"),
        Op::Negate { x, .. } => write!(f, "0 - {x}"),
        Op::Logic { logic, x, y, .. } => write!(f, "{x} {logic} {y}"),
        Op::Halve { x, carry_in, .. } => write!(f, "half {}{x}", if carry_in { "carry:" } else { "" }),
        Op::Shift { x, places, .. } => write!(f, "{x} << {places}"),
        Op::Clear => f.write_str("column"),
        Op::Term(Term { minus, word, factor }) => {
            write!(f, "  {} {word}", if minus { '-' } else { '+' })?;
            factor.map_or(Ok(()), |factor| write!(f, " * {factor}"))
        }
        Op::Carryless { x, y } => write!(f, "  + {x} carryless {y}"),
        Op::Peek { .. } => f.write_str("peek"),
        Op::Take { words: 0, .. } => f.write_str("take"),
        Op::Take { words, .. } => write!(f, "take {words}"),
    }
}

/// Why a text is no line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TextError {
    /// It is not written as one.
    #[error("line {0}: `{1}` is no operation; valid: as in `v2 carry = v0 + v1`")]
    Operation(usize, String),
    /// It reads what is not there yet.
    #[error("line {0}: {1} is read before it is made")]
    Unmade(usize, Value),
    /// It is there already.
    #[error("line {0}: {1} is made twice")]
    Twice(usize, Value),
}

impl FromStr for Line {
    type Err = TextError;

    fn from_str(text: &str) -> Result<Self, TextError> {
        let mut line = Line::default();
        let mut made = HashSet::new();
        for (at, row) in text.lines().enumerate().filter(|(_, row)| !row.trim().is_empty()) {
            let number = at + 1;
            let tokens: Vec<&str> = row.split_whitespace().collect();
            let op = line.read(&tokens).ok_or_else(|| TextError::Operation(number, row.trim().to_owned()))?;
            let mut reads = op.reads().into_iter().flatten();
            if let Some(value) = reads.find(|value| !made.contains(value)) {
                return Err(TextError::Unmade(number, value));
            }
            for value in op.makes().into_iter().flatten() {
                if !made.insert(value) {
                    return Err(TextError::Twice(number, value));
                }
                line.values = line.values.max(value.0 + 1);
            }
            line.ops.push(op);
        }
        Ok(line)
    }
}

impl Line {
    /// An operation; the homes of what it makes are noted.
    fn read(&mut self, tokens: &[&str]) -> Option<Op> {
        let Some(equals) = tokens.iter().position(|token| *token == "=") else { return read_term(tokens) };
        let (left, right) = (&tokens[..equals], &tokens[equals + 1..]);
        if let ([to], [from]) = (left, right)
            && let (Some(to), Some(from)) = (address(to), value(from))
        {
            return Some(Op::Store { from, to });
        }
        let (left, carry) = match left {
            [left @ .., "carry"] => (left, true),
            left => (left, false),
        };
        let to = self.read_made(left)?;
        let op = match *to.as_slice() {
            [Some(to)] => read_one(to, carry, right),
            [None] => read_take(None, right),
            [low, high] => read_two(low, high, right),
            _ => None,
        }?;
        (makes_carry(&op) == carry).then_some(op)
    }

    fn read_made(&mut self, mut tokens: &[&str]) -> Option<Vec<Option<Value>>> {
        let mut all = Vec::new();
        while let [first, rest @ ..] = tokens {
            tokens = rest;
            let made = if *first == "_" { None } else { Some(value(first)?) };
            if let (Some(made), ["at", home, rest @ ..]) = (made, rest) {
                self.homes.insert(made, address(home)?);
                tokens = rest;
            }
            if let (Some(made), ["bit", rest @ ..]) = (made, tokens) {
                self.bits.insert(made);
                tokens = rest;
            }
            if let (Some(made), ["mask", rest @ ..]) = (made, tokens) {
                self.masks.insert(made);
                tokens = rest;
            }
            all.push(made);
        }
        Some(all)
    }
}

/// A column's beginning, or what is added to it.
fn read_term(tokens: &[&str]) -> Option<Op> {
    let term = |minus, word, factor| Some(Op::Term(Term { minus, word, factor }));
    match *tokens {
        ["column"] => Some(Op::Clear),
        ["+", x, "carryless", y] => Some(Op::Carryless { x: value(x)?, y: value(y)? }),
        [sign @ ("+" | "-"), word] => term(sign == "-", source(word)?, None),
        [sign @ ("+" | "-"), word, "*", factor] => term(sign == "-", source(word)?, Some(source(factor)?)),
        _ => None,
    }
}

/// What makes two words.
fn read_two(low: Option<Value>, high: Option<Value>, tokens: &[&str]) -> Option<Op> {
    match *tokens {
        [x, "*", y] => Some(Op::Multiply { low: low?, high: high?, x: value(x)?, y: value(y)? }),
        [x, "<<", places] => Some(Op::Shift { low, high, x: value(x)?, places: places.parse().ok()? }),
        _ => None,
    }
}

fn read_take(to: Option<Value>, tokens: &[&str]) -> Option<Op> {
    match *tokens {
        ["take"] => Some(Op::Take { to, words: 0 }),
        ["take", words] => Some(Op::Take { to, words: count(words).filter(|words| *words > 0)? }),
        _ => None,
    }
}

/// What makes one word, and perhaps a carry.
fn read_one(to: Value, carry_out: bool, tokens: &[&str]) -> Option<Op> {
    match *tokens {
        ["peek"] => Some(Op::Peek { to }),
        ["take", ..] => read_take(Some(to), tokens),
        ["ones", "if", "carry"] => Some(Op::Spread { to, borrow: false }),
        ["ones", "if", "borrow"] => Some(Op::Spread { to, borrow: true }),
        ["ones", "if", x, "<", "0"] => Some(Op::Sign { to, x: value(x)? }),
        ["not", x] => Some(Op::Not { to, x: value(x)? }),
        ["0", "-", x] => Some(Op::Negate { to, x: value(x)? }),
        ["low", x, "*", y] => Some(Op::Low { to, x: value(x)?, y: value(y)? }),
        ["half", x] => {
            let (x, carry_in) = x.strip_prefix("carry:").map_or((x, false), |x| (x, true));
            Some(Op::Halve { to, x: value(x)?, carry_in, carry_out })
        }
        [x, "and", y] if number(y).is_some() => Some(Op::Mask { to, x: value(x)?, bits: number(y)? }),
        [x, logic, y] if Logic::ALL.iter().any(|own| own.to_string() == logic) => {
            let logic = Logic::ALL.into_iter().find(|own| own.to_string() == logic)?;
            Some(Op::Logic { to, logic, x: value(x)?, y: value(y)? })
        }
        [x, sign @ ("+" | "-"), y, ref carry @ ..] => {
            let carry_in = match *carry {
                [] => false,
                [again, "carry"] if again == sign => true,
                _ => return None,
            };
            let (x, y) = (value(x)?, if y == "0" { None } else { Some(value(y)?) });
            Some(match sign {
                "+" => Op::Add { to, x, y, carry_in, carry_out },
                _ => Op::Subtract { to, x, y, carry_in, carry_out },
            })
        }
        [from] => match source(from)? {
            Source::Memory(from) => Some(Op::Load { to, from }),
            Source::Number(number) => Some(Op::Number { to, number }),
            Source::Value(_) => None,
        },
        _ => None,
    }
}

fn value(token: &str) -> Option<Value> {
    Some(Value(count(token.strip_prefix('v')?)?))
}

fn number(token: &str) -> Option<u64> {
    let digits = token.strip_prefix("0x").filter(|digits| !digits.starts_with('+'))?;
    u64::from_str_radix(digits, 16).ok()
}

fn count(digits: &str) -> Option<usize> {
    let count: Option<u32> = digits.parse().ok();
    count.filter(|_| !digits.starts_with('+')).map(|count| count as usize)
}

fn address(token: &str) -> Option<Address> {
    let (array, index) = token.strip_suffix(']')?.split_once('[')?;
    let array = Array::ALL.into_iter().find(|own| own.to_string() == array)?;
    Some(Address { array, index: count(index)? })
}

fn source(token: &str) -> Option<Source> {
    let memory = address(token).map(Source::Memory);
    memory.or_else(|| value(token).map(Source::Value)).or_else(|| number(token).map(Source::Number))
}
