//! Bit patterns of instructions: 32 places, high bit first, each 0, 1 or the letter of a field. Blanks
//! only group.

/// Letters of fields: the registers rs, rt and rd, the shift amount, and everything else.
pub(crate) const LETTERS: [u8; 5] = *b"stdai";

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

/// Bits of the field with this letter.
pub(crate) fn width(pattern: &str, letter: u8) -> u32 {
    places(pattern).filter(|(other, _)| *other == letter).count() as u32
}

/// The field with this letter in a word.
pub(crate) fn extract(pattern: &str, letter: u8, word: u32) -> u32 {
    let bits = places(pattern).filter(|(other, _)| *other == letter).zip(0..);
    bits.fold(0, |field, ((_, place), bit)| field | (word >> place & 1) << bit)
}

/// The bits of a field, at their places.
pub(crate) fn insert(pattern: &str, letter: u8, field: u32) -> u32 {
    let bits = places(pattern).filter(|(other, _)| *other == letter).zip(0..);
    bits.fold(0, |word, ((_, place), bit)| word | (field >> bit & 1) << place)
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
    }
}
