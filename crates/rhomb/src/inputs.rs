//! Operands that routines are tried on: the edges, where carries run far, and random ones from a seed.

/// Operands of a call, little-endian, and how they share memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Input {
    /// Two arrays.
    Apart(Vec<u8>, Vec<u8>),
    /// Both operands are one array.
    Same(Vec<u8>),
    /// The second operand starts `shift` bytes into the first, in one array of `length + shift` bytes.
    Overlapping {
        /// The array.
        bytes: Vec<u8>,
        /// Bytes between the starts.
        shift: usize,
    },
}

impl Input {
    /// The values of the operands, `length` bytes each.
    pub(crate) fn values(&self, length: usize) -> (&[u8], &[u8]) {
        match self {
            Input::Apart(a, b) => (a, b),
            Input::Same(bytes) => (bytes, bytes),
            Input::Overlapping { bytes, shift } => (&bytes[..length], &bytes[*shift..]),
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): any seed gives a good sequence.
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    fn bytes(&mut self, length: usize) -> Vec<u8> {
        (0..length).map(|_| (self.bits() >> 56) as u8).collect()
    }

    /// Bytes most of which are extreme, so that carries run into carries.
    fn extremes(&mut self, length: usize) -> Vec<u8> {
        const EXTREMES: [u8; 8] = [0, 0, 1, 0x7f, 0x80, 0xfe, 0xff, 0xff];
        let mut byte = || {
            let bits = self.bits();
            if bits >> 62 == 0 { (bits >> 8) as u8 } else { EXTREMES[bits as usize % EXTREMES.len()] }
        };
        (0..length).map(|_| byte()).collect()
    }
}

/// Where carries begin, run, or stay away.
fn edges(length: usize) -> Vec<Vec<u8>> {
    let pattern = |byte: fn(usize) -> u8| (0..length).map(byte).collect::<Vec<u8>>();
    let mut top = vec![0; length];
    top[length - 1] = 0x80;
    vec![
        pattern(|_| 0xff),
        pattern(|_| 0),
        pattern(|at| u8::from(at == 0)),
        pattern(|_| 1),
        pattern(|at| if at % 2 == 0 { 0xff } else { 0 }),
        pattern(|at| if at % 2 == 0 { 0 } else { 0xff }),
        pattern(|_| 0xaa),
        top,
    ]
}

/// All inputs for operands of `length` bytes (at least 1), the most telling first.
pub(crate) fn inputs(length: usize) -> Vec<Input> {
    let mut random = Random(length as u64);
    let edges = edges(length);
    let mut list = vec![Input::Apart(edges[0].clone(), edges[0].clone()), Input::Same(edges[0].clone())];
    for _ in 0..4 {
        list.push(Input::Apart(random.bytes(length), random.bytes(length)));
        list.push(Input::Same(random.bytes(length)));
        let shift = (random.bits() % length as u64) as usize;
        list.push(Input::Overlapping { bytes: random.bytes(length + shift), shift });
    }
    // each pair of edges once, the pairs with themselves first
    for distance in 0..edges.len() {
        for (index, a) in edges.iter().enumerate() {
            let b = &edges[(index + distance) % edges.len()];
            list.push(Input::Apart(a.clone(), b.clone()));
            list.push(Input::Apart(random.extremes(length), random.extremes(length)));
        }
    }
    for _ in 0..200 {
        list.push(Input::Apart(random.extremes(length), random.extremes(length)));
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_have_the_length_and_share_memory_as_said() {
        for length in 1..20 {
            let inputs = inputs(length);
            for input in &inputs {
                let (a, b) = input.values(length);
                assert_eq!((a.len(), b.len()), (length, length));
            }
            assert_eq!(inputs.len(), 14 + 2 * 64 + 200);
        }
        let input = Input::Overlapping { bytes: vec![1, 2, 3], shift: 1 };
        assert_eq!(input.values(2), (&[1, 2][..], &[2, 3][..]));
    }
}
