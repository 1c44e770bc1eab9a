//! Registers, symbols and numbers as they are written.

/// Names of the registers by number (MIPS ABI supplement, figure 3-18).
pub(crate) const NAMES: [&str; 32] = [
    "zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "t7", "s0",
    "s1", "s2", "s3", "s4", "s5", "s6", "s7", "t8", "t9", "k0", "k1", "gp", "sp", "fp", "ra",
];

/// Symbols of GNU as; of those with a dollar only the compiler's own labels, as others may be registers.
pub(super) fn is_symbol(name: &str) -> bool {
    let letter = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '.';
    let (first, plain) = match name.strip_prefix('$') {
        Some(plain) => (plain.starts_with('L'), plain),
        None => (!name.starts_with(|first: char| first.is_ascii_digit()) && name != ".", name),
    };
    first && !plain.is_empty() && plain.chars().all(letter)
}

/// `$4`, `$a0`.
pub(super) fn register(text: &str) -> Option<u8> {
    let name = text.strip_prefix('$')?;
    if let Some(number) = NAMES.iter().position(|known| *known == name) {
        return Some(number as u8);
    }
    if name == "s8" {
        return Some(30);
    }
    let plain = name.bytes().all(|digit| digit.is_ascii_digit()) && (name == "0" || !name.starts_with('0'));
    name.parse().ok().filter(|number| plain && *number < 32)
}

/// `12`, `-0x3f`, `+8`, `017`, `0b101`, as GNU as takes them.
pub(super) fn whole(text: &str) -> Option<i64> {
    let (sign, digits) = match (text.strip_prefix('-'), text.strip_prefix('+')) {
        (Some(digits), _) => (-1, digits),
        (_, Some(digits)) => (1, digits),
        _ => (1, text),
    };
    let after = |prefixes: [&str; 2]| prefixes.into_iter().find_map(|prefix| digits.strip_prefix(prefix));
    let (digits, radix) = match (after(["0x", "0X"]), after(["0b", "0B"])) {
        (Some(digits), _) => (digits, 16),
        (_, Some(digits)) => (digits, 2),
        _ => (digits, if digits.starts_with('0') { 8 } else { 10 }),
    };
    if digits.is_empty() || !digits.bytes().all(|digit| char::from(digit).is_digit(radix)) {
        return None;
    }
    i64::from_str_radix(digits, radix).ok()?.checked_mul(sign)
}
