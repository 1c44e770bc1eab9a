//! The text of an extension in words, numbers and signs.

use super::ExtensionError;
use rhomb_machine::syntax::shown;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    Word(String),
    Number(u64),
    /// Between quotation marks.
    Text(String),
    Sign(&'static str),
    End,
}

/// Where a token begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Position {
    pub(super) line: usize,
    pub(super) column: usize,
}

impl Position {
    pub(super) fn error(self, message: impl Into<String>) -> ExtensionError {
        ExtensionError { line: self.line, column: self.column, message: message.into() }
    }
}

/// Longer ones first.
const SIGNS: [&str; 25] = [
    "<<", ">>", "==", "!=", "<=", ">=", "{", "}", "(", ")", "[", "]", ",", ";", ":", "=", "+", "-", "*", "&",
    "|", "^", "~", "<", ">",
];

impl std::fmt::Display for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Token::Word(word) => write!(f, "{}", shown(word)),
            Token::Number(number) => write!(f, "'{number}'"),
            Token::Text(text) => write!(f, "\"{}\"", shown(text).trim_matches('\'')),
            Token::Sign(sign) => write!(f, "'{sign}'"),
            Token::End => f.write_str("the end of the file"),
        }
    }
}

/// All tokens with their places; the last is [`Token::End`].
pub(super) fn lex(text: &str) -> Result<Vec<(Token, Position)>, ExtensionError> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut place = Position { line: 1, column: 1 };
    while let Some(first) = rest.chars().next() {
        let length = match first {
            '\n' => {
                place = Position { line: place.line + 1, column: 1 };
                rest = &rest[1..];
                continue;
            }
            '#' => rest.find('\n').unwrap_or(rest.len()),
            blank if blank.is_whitespace() => blank.len_utf8(),
            '"' => {
                let line = rest.lines().next().unwrap_or_default();
                let end = line[1..]
                    .find('"')
                    .ok_or_else(|| place.error("the text has no closing quotation mark on its line"))?;
                tokens.push((Token::Text(line[1..=end].to_owned()), place));
                end + 2
            }
            digit if digit.is_ascii_digit() => {
                let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_');
                let word = &rest[..end.unwrap_or(rest.len())];
                tokens.push((Token::Number(number(word, place)?), place));
                word.len()
            }
            letter if letter.is_ascii_alphabetic() || letter == '_' => {
                let end = rest
                    .find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '_' && letter != '.');
                let word = &rest[..end.unwrap_or(rest.len())];
                tokens.push((Token::Word(word.to_owned()), place));
                word.len()
            }
            '?' => {
                tokens.push((Token::Sign("?"), place));
                1
            }
            _ => {
                let sign = SIGNS.iter().find(|sign| rest.starts_with(**sign));
                let sign = sign.ok_or_else(|| {
                    place.error(format!("{} has no meaning here", shown(&first.to_string())))
                })?;
                tokens.push((Token::Sign(sign), place));
                sign.len()
            }
        };
        place.column += rest[..length].chars().count();
        rest = &rest[length..];
    }
    tokens.push((Token::End, place));
    Ok(tokens)
}

/// `12`, `0x3f`, `0b1010`; `_` only groups.
fn number(word: &str, place: Position) -> Result<u64, ExtensionError> {
    let plain = word.replace('_', "");
    let (digits, radix) = match (plain.strip_prefix("0x"), plain.strip_prefix("0b")) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => (plain.as_str(), 10),
    };
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(radix)) {
        let forms = "valid: 12, 0x3f, 0b101";
        return Err(place.error(format!("{} is not a number; {forms}", shown(word))));
    }
    u64::from_str_radix(digits, radix)
        .map_err(|_| place.error(format!("number {} has more than 64 bits", shown(word))))
}
