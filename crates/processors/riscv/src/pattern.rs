//! Bit patterns of instructions: 32 places or 16, high bit first. 0 and 1 are fixed; `d`, `s`, `t` and `b` are places of
//! registers; the letters from `A` on are the bits of a number, `A` its bit 0. Blanks only group.

/// (value, mask) of the fixed bits.
pub(crate) const fn fixed(pattern: &str) -> (u32, u32) {
    let bytes = pattern.as_bytes();
    let (mut at, mut value, mut mask) = (0, 0u32, 0u32);
    while at < bytes.len() {
        let letter = bytes[at];
        if letter != b' ' {
            value = (value << 1) | (letter == b'1') as u32;
            mask = (mask << 1) | (letter == b'0' || letter == b'1') as u32;
        }
        at += 1;
    }
    (value, mask)
}

/// The places of a pattern with their bits, the lowest first.
fn places(pattern: &str) -> impl Iterator<Item = (u8, u32)> + '_ {
    pattern.bytes().rev().filter(|letter| *letter != b' ').zip(0..)
}

/// Bits of the register's field with this letter.
pub(crate) fn width(pattern: &str, letter: u8) -> u32 {
    places(pattern).filter(|(other, _)| *other == letter).count() as u32
}

/// The register's field with this letter.
pub(crate) fn extract(pattern: &str, letter: u8, word: u32) -> u32 {
    let bits = places(pattern).filter(|(other, _)| *other == letter).zip(0..);
    bits.fold(0, |field, ((_, place), bit)| field | (word >> place & 1) << bit)
}

/// The bits of a register's field, at their places.
pub(crate) fn insert(pattern: &str, letter: u8, field: u32) -> u32 {
    let bits = places(pattern).filter(|(other, _)| *other == letter).zip(0..);
    bits.fold(0, |word, ((_, place), bit)| word | (field >> bit & 1) << place)
}

/// The places of a number's bits: (bit of the number, bit of the word).
fn bits(pattern: &str) -> impl Iterator<Item = (u32, u32)> + '_ {
    let capital =
        |(letter, place): (u8, u32)| letter.is_ascii_uppercase().then(|| (u32::from(letter - b'A'), place));
    places(pattern).filter_map(capital)
}

/// The number's bits that are there.
pub(crate) fn number_mask(pattern: &str) -> u32 {
    bits(pattern).fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// The number in a word, without a sign.
pub(crate) fn number(pattern: &str, word: u32) -> u32 {
    bits(pattern).fold(0, |number, (bit, place)| number | (word >> place & 1) << bit)
}

/// The bits of a number, at their places.
pub(crate) fn spread(pattern: &str, number: u32) -> u32 {
    bits(pattern).fold(0, |word, (bit, place)| word | (number >> bit & 1) << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let branch = "MKJIHGF ttttt sssss 001 EDCBL 1100011";
        assert_eq!(fixed(branch), (0x1063, 0x707f));
        assert_eq!((width(branch, b's'), number_mask(branch)), (5, 0x1ffe));
        for value in [2, 0x800, 0x1000, 0x1ffe, 0x0aaa] {
            assert_eq!(number(branch, spread(branch, value)), value);
        }
        assert_eq!(extract(branch, b't', insert(branch, b't', 21)), 21);
    }
}
