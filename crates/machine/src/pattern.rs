//! Bit patterns of instructions: 32 places or fewer, high bit first. 0 and 1 are fixed; a small letter stands for the bits of a
//! field, the higher ones first; the letters from `A` on are the bits of a number, `A` its bit 0. Blanks only group.

/// Bits of a field, or of the number, that follow each other in both: from which bit on, at which place, how many.
#[derive(Clone, Copy, Debug)]
struct Run {
    letter: u8,
    bit: u8,
    place: u8,
    length: u8,
}

impl Run {
    fn ones(self) -> u32 {
        u32::MAX >> (PLACES - self.length as usize)
    }
}

/// The most places.
const PLACES: usize = 32;
/// The letter of the number's runs.
const NUMBER: u8 = b'A';

/// A bit pattern, read once.
#[derive(Clone, Copy, Debug)]
pub struct BitPattern {
    /// The fixed bits.
    pub value: u32,
    /// Which bits are fixed.
    pub mask: u32,
    /// How many places there are.
    pub places: u32,
    /// The number's bits that are there.
    pub number_mask: u32,
    /// Which letters have a field: bit 0 is `a`.
    letters: u32,
    /// By their places.
    runs: [Run; PLACES],
    count: usize,
}

impl BitPattern {
    /// That of a text, of which places above the lowest 32 are left out.
    pub const fn of(text: &str) -> Self {
        let letters = text.as_bytes();
        let none = Run { letter: 0, bit: 0, place: 0, length: 0 };
        let runs = [none; PLACES];
        let mut all = BitPattern { value: 0, mask: 0, places: 0, number_mask: 0, letters: 0, runs, count: 0 };
        let mut at = letters.len();
        while at > 0 {
            at -= 1;
            if letters[at] != b' ' && all.places < PLACES as u32 {
                all.add(letters[at]);
                all.places += 1;
            }
        }
        all
    }

    /// The next place.
    const fn add(&mut self, letter: u8) {
        let place = self.places;
        if letter == b'0' || letter == b'1' {
            self.mask |= 1 << place;
            self.value |= ((letter == b'1') as u32) << place;
            return;
        }
        let (letter, bit) = if letter.is_ascii_uppercase() {
            self.number_mask |= 1 << (letter - b'A');
            (NUMBER, letter - b'A')
        } else {
            let bit = self.width(letter) as u8;
            self.letters |= 1 << (letter - b'a');
            (letter, bit)
        };
        if let Some(last) = self.count.checked_sub(1) {
            let Run { letter: other, bit: first, place: begin, length } = self.runs[last];
            if other == letter && first + length == bit && (begin + length) as u32 == place {
                self.runs[last].length += 1;
                return;
            }
        }
        self.runs[self.count] = Run { letter, bit, place: place as u8, length: 1 };
        self.count += 1;
    }

    fn runs(&self, letter: u8) -> impl Iterator<Item = Run> {
        // most fields that are asked for are not there
        let count = if letter == NUMBER || self.has(letter) { self.count } else { 0 };
        self.runs[..count].iter().copied().filter(move |run| run.letter == letter)
    }

    /// Whether a word has the fixed bits.
    pub const fn fits(&self, word: u32) -> bool {
        word & self.mask == self.value
    }

    /// A word with the fixed bits, and these for the others.
    pub const fn filled(&self, others: u32) -> u32 {
        self.value | others & !self.mask
    }

    /// Whether there is a word that two patterns fit.
    pub const fn meets(&self, other: &BitPattern) -> bool {
        (self.value ^ other.value) & self.mask & other.mask == 0
    }

    /// Bits of the field with this letter.
    pub const fn width(&self, letter: u8) -> u32 {
        let (mut at, mut width) = (0, 0);
        while at < self.count {
            if self.runs[at].letter == letter {
                width += self.runs[at].length as u32;
            }
            at += 1;
        }
        width
    }

    /// Whether there is a field with this letter.
    pub const fn has(&self, letter: u8) -> bool {
        letter.is_ascii_lowercase() && self.letters >> (letter - b'a') & 1 == 1
    }

    /// The field with this letter.
    pub fn extract(&self, letter: u8, word: u32) -> u32 {
        self.runs(letter).fold(0, |field, run| field | (word >> run.place & run.ones()) << run.bit)
    }

    /// The bits of a field, at their places.
    pub fn insert(&self, letter: u8, field: u32) -> u32 {
        self.runs(letter).fold(0, |word, run| word | (field >> run.bit & run.ones()) << run.place)
    }

    /// The number in a word, without a sign.
    pub fn number(&self, word: u32) -> u32 {
        self.extract(NUMBER, word)
    }

    /// The bits of a number, at their places.
    pub fn spread(&self, number: u32) -> u32 {
        self.insert(NUMBER, number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_come_back() {
        let pattern = BitPattern::of("011100 sssss ttttt 00000 00000 010001");
        assert_eq!((pattern.value, pattern.mask, pattern.places), (0x7000_0011, 0xfc00_ffff, 32));
        assert_eq!((pattern.width(b's'), pattern.width(b'd')), (5, 0));
        assert!(pattern.has(b's') && !pattern.has(b'd') && !pattern.has(b'0'));
        let word = pattern.value | pattern.insert(b's', 9) | pattern.insert(b't', 31);
        assert_eq!(word, 0x7000_0011 | 9 << 21 | 31 << 16);
        assert!(pattern.fits(word) && !pattern.fits(word ^ 1));
        assert_eq!((pattern.extract(b's', word), pattern.extract(b't', word)), (9, 31));
        // a field in two parts: the lower one has the lower bits
        let parts = BitPattern::of("000000 iiiii 00000 00000 00000 0000ii");
        assert_eq!(parts.insert(b'i', 0b1010101), 0b10101 << 21 | 1);
        assert!(!parts.meets(&pattern) && parts.meets(&BitPattern::of("ii 0")));
        let branch = BitPattern::of("MKJIHGF ttttt sssss 001 EDCBL 1100011");
        assert_eq!((branch.value, branch.mask), (0x1063, 0x707f));
        assert_eq!((branch.width(b's'), branch.number_mask), (5, 0x1ffe));
        for value in [2, 0x800, 0x1000, 0x1ffe, 0x0aaa] {
            assert_eq!(branch.number(branch.spread(value)), value);
        }
        assert_eq!(branch.extract(b't', branch.insert(b't', 21)), 21);
        let whole = BitPattern::of("iiii iiii iiii iiii iiii iiii iiii iiii iiii");
        assert_eq!((whole.extract(b'i', u32::MAX), whole.insert(b'i', 5)), (u32::MAX, 5));
    }
}
