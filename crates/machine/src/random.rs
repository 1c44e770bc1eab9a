//! Numbers from a seed, the same in every run.

/// The next 64 bits (SplitMix64; Steele, Lea and Flood, OOPSLA 2014).
pub(crate) fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// Reproducible random numbers; not for secrets.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed; any seed gives a good one.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        next(&mut self.0)
    }

    /// A random byte.
    pub fn byte(&mut self) -> u8 {
        self.bits() as u8
    }

    /// A byte that is extreme half of the time: 0, 1, 0x7f, 0x80, 0xff and their neighbours in nibbles.
    pub fn edge(&mut self) -> u8 {
        const EDGES: [u8; 8] = [0, 0, 1, 0x0f, 0x7f, 0x80, 0xff, 0xff];
        let bits = self.bits();
        if bits >> 63 == 0 { bits as u8 } else { EDGES[(bits >> 8) as usize % EDGES.len()] }
    }

    /// A word that is extreme half of the time: few bits at either end, all ones, the signs' border.
    pub fn edge_word(&mut self) -> u32 {
        let bits = self.bits();
        let word = bits as u32;
        match bits >> 61 {
            0 => 0,
            1 => u32::MAX,
            2 => 0x8000_0000u32.wrapping_sub(word & 1),
            3 => word & 0xff,
            4 => !(word & 0xffff),
            _ => word,
        }
    }

    /// Words of 32 random bits.
    pub fn words(&mut self, count: usize) -> Vec<u32> {
        (0..count).map(|_| self.bits() as u32).collect()
    }

    /// Words, a third of which are 0 or all ones.
    pub fn extreme_words(&mut self, count: usize) -> Vec<u32> {
        let mut word = || match self.bits() % 6 {
            0 => 0,
            1 => u32::MAX,
            _ => self.bits() as u32,
        };
        (0..count).map(|_| word()).collect()
    }

    /// A number below `limit`, which is at least 1.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// An index below `length`; 0 where there is none.
    pub fn index(&mut self, length: usize) -> usize {
        self.below(length.max(1) as u64) as usize
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.index(choices.len())]
    }

    /// A number from 0 to 1, without 1.
    pub fn fraction(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first numbers of seed 1234567, as the authors' implementation gives them.
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = Random::new(1_234_567);
        let first: [u64; 3] = std::array::from_fn(|_| random.bits());
        assert_eq!(first, [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]);
    }
}
