//! Changes of contracts.

use crate::random::Random;

const PIECES: [&str; 16] = [
    "mul",
    "sqr",
    "add",
    "sub",
    " ",
    "  ",
    "\t",
    "0",
    "1",
    "8",
    "160",
    "32768",
    "32769",
    "4294967296",
    "-1",
    "é",
];

/// One change.
pub(crate) fn change(bytes: &mut Vec<u8>, random: &mut Random) {
    let piece = random.pick(&PIECES).as_bytes();
    let at = random.below(bytes.len() + 1);
    let end = if random.one_in(2) { at } else { at + random.below(bytes.len() + 1 - at) };
    bytes.splice(at..end, piece.iter().copied());
}
