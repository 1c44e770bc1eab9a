//! Changes of bytes that know nothing of their meaning.

use rhomb_machine::Random;

/// Numbers at which sizes and offsets go wrong.
pub(crate) fn interesting(random: &mut Random, length: usize) -> u64 {
    let length = length as u64;
    let edges = [
        0,
        1,
        2,
        3,
        7,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_fffe,
        0xffff_ffff,
        u64::MAX,
        i64::MAX as u64,
        length,
        length.wrapping_sub(1),
        length + 1,
        length / 2,
    ];
    match random.index(3) {
        0 => random.bits() % (length + 1),
        1 => *random.pick(&edges),
        _ => random.bits() >> random.index(64),
    }
}

/// One change; `other` is a part to take pieces from.
pub(crate) fn change(bytes: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    if bytes.is_empty() {
        bytes.extend_from_slice(&other[..random.index(other.len() + 1)]);
        return;
    }
    let at = random.index(bytes.len());
    let run = 1 + random.index((bytes.len() - at).min(40));
    match random.index(9) {
        0 => bytes[at] ^= 1 << random.index(8),
        1 => bytes[at] = random.bits() as u8,
        2 => bytes[at] = *random.pick(&[0, 1, 0x7f, 0x80, 0xff]),
        3 => bytes.truncate(at),
        4 => drop(bytes.drain(at..at + run)),
        5 => {
            let copy = bytes[at..at + run].to_vec();
            let to = random.index(bytes.len() + 1);
            bytes.splice(to..to, copy);
        }
        6 => {
            let copy = bytes[at..at + run].to_vec();
            let to = random.index(bytes.len() - run + 1);
            bytes[to..to + run].copy_from_slice(&copy);
        }
        7 => bytes[at..at + run].fill_with(|| random.bits() as u8),
        _ if !other.is_empty() => {
            // the front of one, the rest of another
            let from = random.index(other.len());
            bytes.truncate(at);
            bytes.extend_from_slice(&other[from..]);
        }
        _ => {}
    }
}
