//! Bit patterns of instructions: 32 places or fewer, high bit first. 0 and 1 are fixed; a small letter stands for the bits of a
//! field, the higher ones first; the letters from `A` on are the bits of a number, `A` its bit 0. Blanks only group.

/// (value, mask) of the fixed bits.
pub const fn fixed(pattern: &str) -> (u32, u32) {
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

/// Bits of the field with this letter.
pub fn width(pattern: &str, letter: u8) -> u32 {
    places(pattern).filter(|(other, _)| *other == letter).count() as u32
}

/// The field with this letter.
pub fn extract(pattern: &str, letter: u8, word: u32) -> u32 {
    let bits = places(pattern).filter(|(other, _)| *other == letter).zip(0..);
    bits.fold(0, |field, ((_, place), bit)| field | (word >> place & 1) << bit)
}

/// The bits of a field, at their places.
pub fn insert(pattern: &str, letter: u8, field: u32) -> u32 {
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
pub fn number_mask(pattern: &str) -> u32 {
    bits(pattern).fold(0, |mask, (bit, _)| mask | 1 << bit)
}

/// The number in a word, without a sign.
pub fn number(pattern: &str, word: u32) -> u32 {
    bits(pattern).fold(0, |number, (bit, place)| number | (word >> place & 1) << bit)
}

/// The bits of a number, at their places.
pub fn spread(pattern: &str, number: u32) -> u32 {
    bits(pattern).fold(0, |word, (bit, place)| word | (number >> bit & 1) << place)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let pattern = "011100 sssss ttttt 00000 00000 010001";
        assert_eq!(fixed(pattern), (0x7000_0011, 0xfc00_ffff));
        assert_eq!((width(pattern, b's'), width(pattern, b'd')), (5, 0));
        let word = 0x7000_0011 | insert(pattern, b's', 9) | insert(pattern, b't', 31);
        assert_eq!(word, 0x7000_0011 | 9 << 21 | 31 << 16);
        assert_eq!((extract(pattern, b's', word), extract(pattern, b't', word)), (9, 31));
        // a field in two parts: the lower one has the lower bits
        assert_eq!(insert("000000 iiiii 00000 00000 00000 0000ii", b'i', 0b1010101), 0b10101 << 21 | 1);
        let branch = "MKJIHGF ttttt sssss 001 EDCBL 1100011";
        assert_eq!(fixed(branch), (0x1063, 0x707f));
        assert_eq!((width(branch, b's'), number_mask(branch)), (5, 0x1ffe));
        for value in [2, 0x800, 0x1000, 0x1ffe, 0x0aaa] {
            assert_eq!(number(branch, spread(branch, value)), value);
        }
        assert_eq!(extract(branch, b't', insert(branch, b't', 21)), 21);
    }
}
