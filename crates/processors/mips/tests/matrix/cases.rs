//! Operands of a routine.

use num_bigint::BigUint;
use rhomb_oracles::Random;

/// Words of random operands, taken by turns with uniform ones: many a carry comes in few uniform inputs only.
const PALETTES: [&[u32]; 2] =
    [&[0, u32::MAX], &[0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX - 1, u32::MAX, u32::MAX, u32::MAX]];

pub(crate) fn integer(words: &[u32]) -> BigUint {
    BigUint::from_slice(words)
}

/// Little-endian words, `length` of them.
pub(crate) fn words(number: &BigUint, length: usize) -> Vec<u32> {
    let mut words = number.to_u32_digits();
    assert!(words.len() <= length);
    words.resize(length, 0);
    words
}

/// Edge cases, and `random` pairs of random operands; the same for the same seed.
pub(crate) fn cases(n: usize, seed: u64, random: usize) -> Vec<[Vec<u32>; 2]> {
    let mut source = Random::new(seed);
    let mut any = |palette: Option<&&[u32]>| -> Vec<u32> {
        let mut word = || match palette {
            Some(words) => *source.pick(words),
            None => u32::from_le_bytes(std::array::from_fn(|_| source.byte())),
        };
        (0..n).map(|_| word()).collect()
    };
    let fill = |word: u32| vec![word; n];
    let alternating =
        |first: u32| (0..n).map(|i| if i % 2 == 0 { first } else { !first }).collect::<Vec<u32>>();
    let mut one = fill(0);
    one[0] = 1;
    let mut pairs = vec![
        [fill(u32::MAX), fill(u32::MAX)],
        [fill(0), fill(0)],
        [any(None), fill(0)],
        [one.clone(), any(None)],
        [fill(u32::MAX), one.clone()],
        [fill(0), one],
        [alternating(0), alternating(u32::MAX)],
        [alternating(u32::MAX), alternating(u32::MAX)],
        [alternating(u32::MAX), fill(u32::MAX)],
    ];
    for index in 0..random {
        let palette = PALETTES.get(index % 2).filter(|_| index % 8 != 7);
        pairs.push([any(palette), any(palette)]);
    }
    // the smaller number first, and last
    let swapped: Vec<_> = pairs.iter().rev().take(2).map(|[a, b]| [b.clone(), a.clone()]).collect();
    pairs.extend(swapped);
    pairs
}
