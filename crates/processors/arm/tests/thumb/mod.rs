//! Thumb state against GNU as and objdump, unicorn, and rp2040js.
#![cfg(feature = "oracles")]

mod encoding;
mod published;
mod rp2040js;
mod text;
mod unicorn;

use rhomb_oracles::Random;

/// Pairs of halfwords with so many samples of each first one of the floating-point extension.
fn extended(random: &mut Random, samples: usize) -> Vec<[u16; 2]> {
    let firsts = (0xec00..0xef00).flat_map(|first| (0..samples).map(move |sample| (first, sample)));
    let second = |(first, sample): (u16, usize)| {
        let bits = random.bits() as u16 & 0xf1ff | 0x0a00;
        // loads and stores, moves of one word, moves of two
        let second = [bits, bits & 0xff80 | 0x10, bits & 0xff3f | 0x10][sample % 3];
        [first, second]
    };
    firsts.map(second).collect()
}
