//! Addresses that the caller chose, for domains that must not depend on where things lie.

/// Word `part` of the address `base + offset`; `address` is that address in this run, which only
/// memory may look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pointer {
    /// Into what it points.
    pub base: u32,
    /// Distance from its start.
    pub offset: i64,
    /// The whole address in this run.
    pub address: u64,
    /// Which word of it, 0 the lowest.
    pub part: u32,
}

/// Whether an address was added to or subtracted from: carry and borrow are different bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Added to.
    Up,
    /// Subtracted from.
    Down,
    /// Its negative subtracted from a number.
    Negated,
}

/// Bases of addresses in a program's sections have this bit; see [`crate::Placement::base`].
pub(crate) const SECTION: u32 = 1 << 31;
/// Those of such addresses subtracted from zero this one, too.
pub(crate) const NEGATED: u32 = 1 << 30;

/// Whether a base is that of addresses in a section of a program.
pub fn is_section(base: u32) -> bool {
    base & (SECTION | NEGATED) == SECTION
}

/// The carry (upwards) or borrow out of the lower words of an address on its way from one offset to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PointerCarry {
    /// Where it comes from.
    pub from: Pointer,
    /// The offset that it goes to.
    pub to: i64,
    /// Which way.
    pub direction: Direction,
}

/// What enters when a word of an address is added to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entering {
    /// A known carry or borrow.
    Known(bool),
    /// What the word below left.
    Carry(PointerCarry),
}

impl Pointer {
    /// The address `by` further on; addresses wrap at 16 bits, or at a word of `bits` bits where that is wider.
    pub fn moved(self, by: i64, bits: u32) -> Pointer {
        let width = 1i64 << bits.max(16);
        let offset = (self.offset + by + width / 2).rem_euclid(width) - width / 2;
        let address = (self.address as i64 + by).rem_euclid(width) as u64;
        Pointer { offset, address, ..self }
    }

    /// Whether this word of an address can be that of `whole`: it depends on the address's low bits only.
    pub fn agrees(&self, whole: &Pointer, bits: u32) -> bool {
        let width = 1i64 << (bits * (self.part + 1)).min(32);
        self.base == whole.base && (self.offset - whole.offset).rem_euclid(width) == 0
    }

    /// The address whose words, lowest first, these are.
    pub fn whole(words: &[Option<Pointer>], bits: u32) -> Option<Pointer> {
        let whole = (*words.last()?)?;
        let fits = |(part, word): (usize, &Option<Pointer>)| {
            word.is_some_and(|word| word.part as usize == part && word.agrees(&whole, bits))
        };
        words.iter().enumerate().all(fits).then_some(whole)
    }

    /// This word after a constant was added to it or subtracted, and what leaves it.
    pub fn plus(
        self,
        constant: u64,
        entering: Entering,
        direction: Direction,
        bits: u32,
    ) -> Option<(Pointer, PointerCarry)> {
        let sign = match direction {
            Direction::Up => 1,
            Direction::Down => -1,
            Direction::Negated => return None,
        };
        let constant = constant as i64;
        let by = match (self.part, entering) {
            // the words below stay as they are
            (part, Entering::Known(carry)) => sign * (constant + i64::from(carry)) * (1i64 << (bits * part)),
            // what the word below left on its way, in the same direction
            (1, Entering::Carry(below))
                if below.direction == direction && below.from.part == 0 && below.from.agrees(&self, bits) =>
            {
                below.to - below.from.offset + sign * constant * (1i64 << bits)
            }
            _ => return None,
        };
        Some((self.moved(by, bits), PointerCarry { from: self, to: self.offset + by, direction }))
    }

    /// A constant less this word, where it is one of a negated address: the word of the address, moved, and what leaves
    /// it. Compilers add an address to a number in this way where there is no addition of a constant.
    pub fn taken_from(self, constant: u64, entering: Entering, bits: u32) -> Option<(Pointer, PointerCarry)> {
        if self.base & (SECTION | NEGATED) != SECTION | NEGATED || self.base >= crate::CODE {
            return None;
        }
        let constant = constant as i64;
        let to = match (self.part, entering) {
            (0, Entering::Known(borrow)) => constant - i64::from(borrow),
            (1, Entering::Carry(below))
                if below.direction == Direction::Negated
                    && below.from.part == 0
                    && below.from.agrees(&self, bits) =>
            {
                below.to + constant * (1i64 << bits)
            }
            _ => return None,
        };
        let address = (self.address as i64).wrapping_neg() as u64;
        let plain = Pointer { base: self.base & !NEGATED, offset: -self.offset, address, ..self };
        Some((plain.moved(to, bits), PointerCarry { from: self, to, direction: Direction::Negated }))
    }

    /// The word of `self - from` in this place, where it is the same wherever the base lies: the low word of a distance,
    /// and an upper one where those below are equal, since they do not borrow then.
    pub fn distance(&self, from: &Pointer, bits: u32) -> Option<u64> {
        let radix = 1i64 << bits;
        let lower = radix.pow(self.part.min(1));
        let distance = self.offset - from.offset;
        let told = self.base == from.base && self.part == from.part && self.part <= 1;
        (told && distance % lower == 0).then(|| (distance / lower).rem_euclid(radix) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `subi r30, lo8(-(x)); sbci r31, hi8(-(x))` adds the address x, whatever it is.
    #[test]
    fn a_number_less_a_negated_address_is_the_address_moved() {
        for address in [0u64, 1, 0x34, 0xff, 0x100, 0x1234, 0xff00, 0xffff] {
            let negated = |part| Pointer {
                base: SECTION | NEGATED,
                offset: -(address as i64),
                address: (address as u32).wrapping_neg().into(),
                part,
            };
            for number in [0u64, 1, 0x7f, 0xcc, 0xff, 0x100, 0x10cc, 0xffff] {
                let low = negated(0).taken_from(number & 0xff, Entering::Known(false), 8);
                let (low, carry) = low.unwrap();
                let high = negated(1).taken_from(number >> 8, Entering::Carry(carry), 8);
                let (high, carry) = high.unwrap();
                let whole = Pointer::whole(&[Some(low), Some(high)], 8).unwrap();
                assert_eq!((whole.base, whole.address), (SECTION, (address + number) & 0xffff));
                // what is left is no carry of an addition
                assert_eq!(high.plus(0, Entering::Carry(carry), Direction::Down, 8), None);
                assert_eq!(high.plus(0, Entering::Carry(carry), Direction::Up, 8), None);
            }
        }
        let plain = Pointer { base: SECTION, offset: 0, address: 0, part: 0 };
        assert_eq!(plain.taken_from(1, Entering::Known(false), 8), None);
        let stack = Pointer { base: crate::STACK, ..plain };
        assert_eq!(stack.taken_from(1, Entering::Known(false), 8), None);
        assert!(is_section(SECTION) && ![0, crate::STACK, crate::CODE].into_iter().any(is_section));
    }
}
