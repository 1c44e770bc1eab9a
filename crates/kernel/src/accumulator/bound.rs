//! Upper bounds of numbers of many words.

/// Limbs of 64 bits.
const LIMBS: usize = 16;

/// A number of up to 1024 bits, far more than an accumulator in registers holds. It is an upper bound, so it
/// saturates where it grows too large; then nothing is known any more.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Bound {
    /// The highest first, so that the order is that of numbers.
    limbs: [u64; LIMBS],
}

impl Default for Bound {
    fn default() -> Self {
        Bound::ZERO
    }
}

impl From<u128> for Bound {
    fn from(value: u128) -> Self {
        let mut limbs = [0; LIMBS];
        limbs[LIMBS - 1] = value as u64;
        limbs[LIMBS - 2] = (value >> 64) as u64;
        Bound { limbs }
    }
}

impl Bound {
    pub(crate) const ZERO: Bound = Bound { limbs: [0; LIMBS] };
    /// Nothing is known.
    pub(crate) const MAX: Bound = Bound { limbs: [u64::MAX; LIMBS] };
    /// Bits of the largest number.
    pub(crate) const BITS: u32 = 64 * LIMBS as u32;

    /// Numbers with so many bits are below that, as the largest of them is: `2^bits - 1`.
    pub(crate) fn ones(bits: usize) -> Bound {
        let mut limbs = Bound::MAX.limbs;
        let zeros = (Bound::BITS as usize).saturating_sub(bits);
        for (at, limb) in limbs.iter_mut().enumerate() {
            *limb = match zeros.saturating_sub(64 * at) {
                0 => break,
                64.. => 0,
                some => u64::MAX >> some,
            };
        }
        Bound { limbs }
    }

    /// Number of bits up to the highest one that is set.
    pub(crate) fn bits(&self) -> u32 {
        match self.limbs.iter().position(|limb| *limb != 0) {
            None => 0,
            Some(at) => 64 * (LIMBS - at) as u32 - self.limbs[at].leading_zeros(),
        }
    }

    pub(crate) fn plus(mut self, other: impl Into<Bound>) -> Bound {
        let mut carry = false;
        for (limb, other) in self.limbs.iter_mut().zip(&other.into().limbs).rev() {
            let (sum, first) = limb.overflowing_add(*other);
            let (sum, second) = sum.overflowing_add(carry.into());
            *limb = sum;
            carry = first || second;
        }
        if carry { Bound::MAX } else { self }
    }

    /// `other` is not larger.
    pub(crate) fn minus(mut self, other: Bound) -> Bound {
        let mut borrow = false;
        for (limb, other) in self.limbs.iter_mut().zip(&other.limbs).rev() {
            let (rest, first) = limb.overflowing_sub(*other);
            let (rest, second) = rest.overflowing_sub(borrow.into());
            *limb = rest;
            borrow = first || second;
        }
        debug_assert!(!borrow);
        self
    }

    pub(crate) fn times(mut self, factor: u64) -> Bound {
        let mut carry = 0;
        for limb in self.limbs.iter_mut().rev() {
            let product = u128::from(*limb) * u128::from(factor) + carry;
            *limb = product as u64;
            carry = product >> 64;
        }
        if carry == 0 { self } else { Bound::MAX }
    }

    /// Multiplied by `2^places`.
    pub(crate) fn up(self, places: usize) -> Bound {
        if self == Bound::ZERO {
            return self;
        }
        if self.bits() as usize + places > Bound::BITS as usize {
            return Bound::MAX;
        }
        let (limbs, bits) = (places / 64, places % 64);
        let at = |index: usize| self.limbs.get(index).copied().unwrap_or(0);
        Bound {
            limbs: std::array::from_fn(|index| {
                let low = if bits == 0 { 0 } else { at(index + limbs + 1) >> (64 - bits) };
                at(index + limbs) << bits | low
            }),
        }
    }

    /// Divided by `2^places`, rounded down; what is not known stays so.
    pub(crate) fn down(self, places: usize) -> Bound {
        if self == Bound::MAX {
            return self;
        }
        let (limbs, bits) = (places / 64, places % 64);
        let at =
            |index: usize, more: usize| index.checked_sub(limbs + more).map_or(0, |index| self.limbs[index]);
        Bound {
            limbs: std::array::from_fn(|index| {
                let high = if bits == 0 { 0 } else { at(index, 1) << (64 - bits) };
                at(index, 0) >> bits | high
            }),
        }
    }

    /// The same as a smaller number; the largest one where it is too large.
    pub(crate) fn narrow(self) -> u128 {
        if self.bits() > 128 {
            return u128::MAX;
        }
        u128::from(self.limbs[LIMBS - 2]) << 64 | u128::from(self.limbs[LIMBS - 1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        let small = Bound::from(0x1234_5678_9abc_def0_0fed_cba9_8765_4321);
        assert_eq!(small.bits(), 125);
        for places in [0, 1, 63, 64, 65, 200, 899] {
            assert_eq!(small.up(places).bits() as usize, 125 + places);
            assert_eq!(small.up(places).down(places), small);
        }
        assert_eq!(small.up(900), Bound::MAX);
        assert_eq!(small.down(64).narrow(), 0x1234_5678_9abc_def0);
        assert_eq!(small.up(8).narrow(), u128::MAX);
        for bits in [0, 1, 64, 127, 128, 129, 1023] {
            let ones = Bound::ones(bits);
            assert_eq!(ones.bits() as usize, bits);
            assert_eq!(ones.plus(1), Bound::from(1).up(bits));
            assert_eq!(ones.plus(1).minus(ones), Bound::from(1));
        }
        assert_eq!(Bound::ones(1024), Bound::MAX);
        assert_eq!(Bound::MAX.plus(1), Bound::MAX);
        assert_eq!(Bound::MAX.down(5), Bound::MAX);
        assert_eq!(Bound::from(u128::MAX).times(3), Bound::from(u128::MAX).up(1).plus(u128::MAX));
        assert_eq!(Bound::MAX.times(2), Bound::MAX);
        assert!(Bound::from(3) < Bound::from(1).up(64) && Bound::from(1) < Bound::from(2));
    }
}
