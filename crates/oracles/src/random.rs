/// Reproducible random numbers (SplitMix64; Steele, Lea and Flood, OOPSLA 2014).
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// The sequence of a seed.
    pub fn new(seed: u64) -> Self {
        Random(seed)
    }

    /// 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
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

    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.bits() % limit
    }

    /// One of several.
    pub fn pick<'a, T>(&mut self, choices: &'a [T]) -> &'a T {
        &choices[self.below(choices.len() as u64) as usize]
    }
}
