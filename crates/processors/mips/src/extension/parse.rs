//! From tokens to instructions: a parser by recursive descent.

use super::check::{self, Draft};
use super::expression::{Binary, Expression, Node, Source, Target, Width};
use super::lex::{Position, Token, lex};
use super::{CustomInstruction, Extension, ExtensionError, width};
use crate::cores::Unit;
use crate::instructions::Class;
use rhomb_machine::syntax::shown;

/// Most expressions inside each other.
const DEEPEST: usize = 48;
/// Most operators in a file's expression.
const LONGEST: usize = 200;

pub(super) fn parse(
    text: &str,
    accumulator: u32,
    others: &[CustomInstruction],
) -> Result<Extension, ExtensionError> {
    let mut parser = Parser { tokens: lex(text)?, at: 0, depth: 0, operators: 0, accumulator };
    let mut instructions: Vec<CustomInstruction> = Vec::new();
    loop {
        let place = parser.place();
        match parser.next() {
            Token::End => return Ok(Extension { accumulator: parser.accumulator, instructions }),
            Token::Word(word) if word == "accumulator" && instructions.is_empty() => {
                let (bits, place) = parser.number("the accumulator's width in bits")?;
                let bits = u32::try_from(bits).ok().filter(|bits| (64..=96).contains(bits));
                let bits = bits.ok_or_else(|| place.error("the accumulator has 64 to 96 bits"))?;
                if !others.is_empty() && bits != accumulator {
                    return Err(place.error(format!("the accumulator has {accumulator} bits already")));
                }
                parser.accumulator = bits;
            }
            Token::Word(word) if word == "accumulator" => {
                return Err(place.error("the accumulator's width stands before the instructions"));
            }
            Token::Word(word) if word == "instruction" => {
                let draft = parser.instruction()?;
                let present: Vec<&CustomInstruction> = others.iter().chain(&instructions).collect();
                let instruction = check::complete(draft, &present)?;
                instructions.push(instruction);
            }
            other => return Err(place.error(format!("expected 'instruction', found {other}"))),
        }
    }
}

struct Parser {
    tokens: Vec<(Token, Position)>,
    at: usize,
    depth: usize,
    operators: usize,
    /// Width of the accumulator in bits.
    accumulator: u32,
}

impl Parser {
    fn peek(&self) -> &Token {
        self.tokens.get(self.at).map_or(&Token::End, |(token, _)| token)
    }

    fn place(&self) -> Position {
        let last = self.tokens.len() - 1;
        self.tokens[self.at.min(last)].1
    }

    fn next(&mut self) -> Token {
        let token = self.peek().clone();
        self.at += 1;
        token
    }

    /// Whether the sign comes next; then it is taken.
    fn takes(&mut self, sign: &str) -> bool {
        let found = matches!(self.peek(), Token::Sign(next) if *next == sign);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str, after: &str) -> Result<(), ExtensionError> {
        let place = self.place();
        if self.takes(sign) {
            return Ok(());
        }
        Err(place.error(format!("expected '{sign}' after {after}, found {}", self.peek())))
    }

    fn word(&mut self, what: &str) -> Result<(String, Position), ExtensionError> {
        let place = self.place();
        match self.next() {
            Token::Word(word) => Ok((word, place)),
            other => Err(place.error(format!("expected {what}, found {other}"))),
        }
    }

    fn text(&mut self, what: &str) -> Result<(String, Position), ExtensionError> {
        let place = self.place();
        match self.next() {
            Token::Text(text) => Ok((text, place)),
            other => Err(place.error(format!("expected {what} in quotation marks, found {other}"))),
        }
    }

    fn number(&mut self, what: &str) -> Result<(u64, Position), ExtensionError> {
        let place = self.place();
        match self.next() {
            Token::Number(number) => Ok((number, place)),
            other => Err(place.error(format!("expected {what}, found {other}"))),
        }
    }

    /// `NAME rs, rt { PROPERTIES }`
    fn instruction(&mut self) -> Result<Draft, ExtensionError> {
        let mut draft = Draft::new(self.word("the instruction's name")?);
        while !self.takes("{") {
            if !draft.operands.is_empty() {
                self.expect(",", "an operand; a list of operands ends with '{'")?;
            }
            let place = self.place();
            match self.next() {
                Token::Word(word) => draft.operand(&word, place)?,
                other => return Err(place.error(format!("expected an operand or '{{', found {other}"))),
            }
        }
        let properties = "a property: encoding, meaning, unit, issue, occupies, latency, counts, gnu; or '}'";
        while !self.takes("}") {
            let (word, place) = self.word(properties)?;
            let twice = || place.error(format!("{} stands twice", shown(&word)));
            match word.as_str() {
                "encoding" if draft.encoding.is_some() => return Err(twice()),
                "encoding" => draft.encoding = Some(self.text("32 places of 0, 1, s, t, d, a and i")?),
                "meaning" if draft.meaning.is_some() => return Err(twice()),
                "meaning" => draft.meaning = Some(self.meaning(&draft)?),
                "unit" if draft.unit.is_some() => return Err(twice()),
                "unit" => draft.unit = Some(self.choice(&UNITS)?),
                "issue" if draft.issue.is_some() => return Err(twice()),
                "issue" => draft.issue = Some(self.cycles()?),
                "occupies" if draft.occupies.is_some() => return Err(twice()),
                "occupies" => draft.occupies = Some(self.cycles()?),
                "latency" if draft.latency.is_some() => return Err(twice()),
                "latency" => draft.latency = Some(self.cycles()?),
                "counts" if draft.class.is_some() => return Err(twice()),
                "counts" => draft.class = Some(self.choice(&CLASSES)?),
                "gnu" if draft.gnu.is_some() => return Err(twice()),
                "gnu" => draft.gnu = Some(self.text("the mnemonic that GNU as knows")?),
                other => {
                    return Err(place.error(format!("expected {properties}, found {}", shown(other))));
                }
            }
        }
        Ok(draft)
    }

    fn choice<T: Copy>(&mut self, choices: &[(&str, T)]) -> Result<T, ExtensionError> {
        let names: Vec<&str> = choices.iter().map(|(name, _)| *name).collect();
        let what = format!("one of {}", names.join(", "));
        let (word, place) = self.word(&what)?;
        let found = choices.iter().find(|(name, _)| *name == word);
        found
            .map(|(_, choice)| *choice)
            .ok_or_else(|| place.error(format!("expected {what}, found {}", shown(&word))))
    }

    fn cycles(&mut self) -> Result<u8, ExtensionError> {
        let (number, place) = self.number("a number of cycles")?;
        let cycles = u8::try_from(number).ok().filter(|cycles| *cycles > 0);
        cycles.ok_or_else(|| place.error("a number of cycles is 1 to 255"))
    }

    /// `{ TARGET = EXPRESSION; ... }`
    fn meaning(&mut self, draft: &Draft) -> Result<Vec<(Target, Expression, Position)>, ExtensionError> {
        self.expect("{", "'meaning'")?;
        let mut meaning = Vec::new();
        while !self.takes("}") {
            if !meaning.is_empty() {
                self.expect(";", "what is assigned")?;
                if self.takes("}") {
                    break;
                }
            }
            let names: Vec<&str> = Target::NAMES.iter().map(|(name, _)| *name).collect();
            let what = format!("a target ({})", names.join(", "));
            let (word, place) = self.word(&what)?;
            let target = Target::NAMES.iter().find(|(name, _)| *name == word);
            let (name, target) =
                *target.ok_or_else(|| place.error(format!("expected {what}, found {}", shown(&word))))?;
            self.expect("=", "a target")?;
            self.operators = 0;
            let value_place = self.place();
            let value = self.expression(draft)?;
            let bits = match target {
                Target::Rd | Target::Rt | Target::Lo | Target::Hi => 32,
                Target::Accumulator => self.accumulator,
                Target::Guard => self.guard(place)?,
            };
            width::assignable(&value, bits, name).map_err(|message| value_place.error(message))?;
            meaning.push((target, value, place));
        }
        Ok(meaning)
    }

    fn guard(&self, place: Position) -> Result<u32, ExtensionError> {
        match self.accumulator - 64 {
            0 => Err(place.error(
                "there are no guard bits: the accumulator has 64 bits; hint: begin the file with 'accumulator 72'",
            )),
            bits => Ok(bits),
        }
    }

    /// `C ? X : Y`, or what binds tighter.
    fn expression(&mut self, draft: &Draft) -> Result<Expression, ExtensionError> {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(self.place().error(format!("more than {DEEPEST} expressions inside each other")));
        }
        let condition = self.level(draft, 0)?;
        let place = self.place();
        let value = if self.takes("?") {
            let x = self.expression(draft)?;
            self.expect(":", "the first choice")?;
            let y = self.expression(draft)?;
            self.made(place, width::choose(condition, x, y))?
        } else {
            condition
        };
        self.depth -= 1;
        Ok(value)
    }

    /// An expression, or where in the text it is wrong; there cannot be too many.
    fn made(
        &mut self,
        place: Position,
        result: Result<Expression, String>,
    ) -> Result<Expression, ExtensionError> {
        self.operators += 1;
        if self.operators > LONGEST {
            return Err(place.error(format!("more than {LONGEST} operators in one expression")));
        }
        result.map_err(|message| place.error(message))
    }

    /// Operators of a level and tighter ones, from the left.
    fn level(&mut self, draft: &Draft, level: usize) -> Result<Expression, ExtensionError> {
        let Some(operators) = LEVELS.get(level) else { return self.unary(draft) };
        let mut value = self.level(draft, level + 1)?;
        loop {
            let place = self.place();
            let Some((sign, operation)) = operators.iter().find(|(sign, _)| self.takes(sign)) else {
                return Ok(value);
            };
            let right = self.level(draft, level + 1)?;
            let (left, right) = match *sign {
                ">" | ">=" => (right, value),
                _ => (value, right),
            };
            value = self.made(place, width::binary(*operation, left, right))?;
        }
    }

    fn unary(&mut self, draft: &Draft) -> Result<Expression, ExtensionError> {
        let place = self.place();
        if self.takes("~") {
            self.depth += 1;
            if self.depth > DEEPEST {
                return Err(place.error(format!("more than {DEEPEST} expressions inside each other")));
            }
            let value = self.unary(draft)?;
            self.depth -= 1;
            return self.made(place, width::not(value));
        }
        let mut value = self.atom(draft)?;
        while self.takes("[") {
            let (high, place) = self.number("the number of the highest bit")?;
            let low = if self.takes(":") { self.number("the number of the lowest bit")?.0 } else { high };
            self.expect("]", "the bits")?;
            value = self.made(place, width::slice(value, high, low))?;
        }
        Ok(value)
    }

    fn atom(&mut self, draft: &Draft) -> Result<Expression, ExtensionError> {
        let place = self.place();
        match self.next() {
            Token::Number(number) => Ok(width::number(number)),
            Token::Sign("(") => {
                let value = self.expression(draft)?;
                self.expect(")", "the expression in parentheses")?;
                Ok(value)
            }
            Token::Sign("{") => {
                let mut parts = vec![self.expression(draft)?];
                while self.takes(",") {
                    parts.push(self.expression(draft)?);
                }
                self.expect("}", "the parts")?;
                self.made(place, width::concat(parts))
            }
            Token::Word(word) => match word.as_str() {
                "signed" => {
                    self.expect("(", "signed")?;
                    let x = self.expression(draft)?;
                    self.expect(")", "the number")?;
                    self.made(place, width::signed(x))
                }
                "clmul" => {
                    self.expect("(", "clmul")?;
                    let x = self.expression(draft)?;
                    self.expect(",", "the first factor")?;
                    let y = self.expression(draft)?;
                    self.expect(")", "the second factor")?;
                    self.made(place, width::binary(Binary::CarrylessMul, x, y))
                }
                _ => self.source(draft, &word, place),
            },
            other => Err(place.error(format!("expected a number, a register or '(', found {other}"))),
        }
    }

    fn source(&mut self, draft: &Draft, word: &str, place: Position) -> Result<Expression, ExtensionError> {
        let Some((_, source)) = Source::NAMES.iter().find(|(name, _)| *name == word) else {
            let names: Vec<&str> = Source::NAMES.iter().map(|(name, _)| *name).collect();
            let valid = names.join(", ");
            return Err(
                place.error(format!("{} is unknown; valid: {valid}, signed(x), clmul(x, y)", shown(word)))
            );
        };
        let bits = match source {
            Source::Accumulator => self.accumulator,
            Source::Guard => self.guard(place)?,
            Source::Lo | Source::Hi => 32,
            Source::Rs | Source::Rt | Source::Rd | Source::Sa | Source::Immediate => {
                draft.source_bits(*source, place)?
            }
        };
        Ok(Expression { node: Node::Source(*source), width: Width::unsigned(bits) })
    }
}

/// Operators, from the loosest to the tightest level.
const LEVELS: [&[(&str, Binary)]; 7] = [
    &[
        ("==", Binary::Equal),
        ("!=", Binary::NotEqual),
        ("<=", Binary::LessEqual),
        (">=", Binary::LessEqual),
        ("<", Binary::Less),
        (">", Binary::Less),
    ],
    &[("|", Binary::Or)],
    &[("^", Binary::Xor)],
    &[("&", Binary::And)],
    &[("<<", Binary::ShiftLeft), (">>", Binary::ShiftRight)],
    &[("+", Binary::Add), ("-", Binary::Sub)],
    &[("*", Binary::Mul)],
];

const UNITS: [(&str, Unit); 2] = [("integer", Unit::Integer), ("mdu", Unit::MultiplyDivide)];

const CLASSES: [(&str, Class); 3] =
    [("multiply", Class::Multiply), ("add", Class::Add), ("other", Class::Other)];
