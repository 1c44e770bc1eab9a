//! Operands.

use crate::instructions::{Ind, Mode, Reg, Smem, Ta};

/// Operands, split at commas outside of parentheses.
pub(super) fn operands(text: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(text[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    if !text[start..].trim().is_empty() {
        parts.push(text[start..].trim());
    }
    parts
}

pub(super) fn numbered(text: &str, prefix: &str, count: u8) -> Option<u8> {
    let number = text.strip_prefix(prefix)?;
    (number.len() == 1).then(|| number.parse::<u8>().ok()).flatten().filter(|n| *n < count)
}

pub(super) fn ac(text: &str) -> Option<u8> {
    numbered(text, "AC", 4)
}

pub(super) fn ta(text: &str) -> Option<Ta> {
    numbered(text, "T", 4).map(Ta::T).or_else(|| numbered(text, "AR", 8).map(Ta::Ar))
}

pub(super) fn reg(text: &str) -> Option<Reg> {
    ac(text).map(Reg::Ac).or_else(|| ta(text).map(Reg::Ta))
}

/// `#12`, `#-0x1f`. A number that begins with 0 is octal to TI's assembler, and one that ends with a letter has that
/// letter's base: neither is read.
pub(super) fn constant(text: &str) -> Option<i64> {
    let text = text.strip_prefix('#')?.trim();
    let (sign, digits) = text.strip_prefix('-').map_or((1, text), |digits| (-1, digits));
    let hexadecimal = digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X"));
    let (digits, radix) = hexadecimal.map_or((digits, 10), |digits| (digits, 16));
    let is_octal = radix == 10 && digits.len() > 1 && digits.starts_with('0');
    let plain = !is_octal && digits.chars().all(|digit| digit.is_digit(radix));
    plain.then(|| i64::from_str_radix(digits, radix).ok()).flatten().map(|value| sign * value)
}

/// `*R`, `*R+`, `*(R+T0)` and so on: the register's name and the mode.
pub(super) fn through(text: &str) -> Option<(&str, Mode)> {
    let text = text.strip_prefix('*')?;
    if let Some(inner) = text.strip_prefix('(').and_then(|text| text.strip_suffix(')')) {
        let suffixes =
            [("+T0", Mode::PlusT0), ("-T0", Mode::MinusT0), ("+T1", Mode::PlusT1), ("-T1", Mode::MinusT1)];
        return suffixes.into_iter().find_map(|(end, mode)| Some((inner.strip_suffix(end)?, mode)));
    }
    let suffixes = [("(T0)", Mode::IndexT0), ("+", Mode::Up), ("-", Mode::Down)];
    let found = suffixes.into_iter().find_map(|(end, mode)| Some((text.strip_suffix(end)?, mode)));
    Some(found.unwrap_or((text, Mode::Plain)))
}

pub(super) fn ind(text: &str) -> Option<Ind> {
    let (register, mode) = through(text)?;
    Some(Ind { ar: numbered(register, "AR", 8)?, mode })
}

pub(super) fn cmem(text: &str) -> Option<Mode> {
    through(text).filter(|(register, _)| *register == "CDP").map(|(_, mode)| mode)
}

pub(super) fn smem(text: &str) -> Option<Smem> {
    if let Some(one) = ind(text) {
        return Some(Smem::Ind(one));
    }
    if let Some(mode) = cmem(text) {
        return Some(Smem::Cdp(mode));
    }
    let inner = text.strip_prefix('*')?.strip_suffix(')')?;
    let (register, by) = inner.split_once('(')?;
    let by = constant(by)?;
    if register == "SP" {
        return Some(Smem::Sp(u8::try_from(by).ok()?));
    }
    let by = i16::try_from(by).ok()?;
    match register.strip_prefix('+') {
        Some(register) => Some(Smem::PreOffset(numbered(register, "AR", 8)?, by)),
        None => Some(Smem::Offset(numbered(register, "AR", 8)?, by)),
    }
}

/// What stands inside `name(...)`.
pub(super) fn inside<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.strip_prefix(name)?.trim_start().strip_prefix('(')?.strip_suffix(')').map(str::trim)
}

pub(super) fn uns(text: &str) -> (&str, bool) {
    inside(text, "uns").map_or((text, false), |inner| (inner, true))
}

pub(super) fn double(text: &str) -> Option<Smem> {
    inside(text, "dbl").and_then(smem)
}
