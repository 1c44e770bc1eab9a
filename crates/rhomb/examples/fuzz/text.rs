//! Changes of contracts.

use rhomb_machine::Random;

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
    let at = random.index(bytes.len() + 1);
    let end = if random.index(2) == 0 { at } else { at + random.index(bytes.len() + 1 - at) };
    bytes.splice(at..end, piece.iter().copied());
}
