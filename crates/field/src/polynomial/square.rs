//! Squares: (sum of a_i x^i)^2 = sum of a_i x^(2 i), so that each half of a word becomes a word with zeros between its bits,
//! by shifts and masks.

use rhomb_line::{Address, Array, Line, Logic, Value};

/// A word of the square of A.
pub(super) fn word(line: &mut Line, at: usize, bits: u32) -> Value {
    let word = line.load(Address { array: Array::A, index: at / 2 });
    let half = bits / 2;
    let own = match at.is_multiple_of(2) {
        true => line.mask(word, (1 << half) - 1),
        false => line.shift_down(word, bits, half),
    };
    let mut spread = own;
    let mut places = half / 2;
    while places >= 1 {
        spread = apart(line, spread, places, bits);
        places /= 2;
    }
    spread
}

/// Runs of bits that have zeros as long above them: the upper half of each goes up by its length.
fn apart(line: &mut Line, word: Value, places: u32, bits: u32) -> Value {
    // the lower ones of each 2 * places bits
    let lower =
        (0..bits / (2 * places)).fold(0, |all, run| all | ((1u64 << places) - 1) << (2 * places * run));
    if places == 1 {
        // what moves up by one is added to itself; only the upper bit of each run
        let upper = lower << 1;
        let moves = line.mask(word, upper);
        return line.add(word, Some(moves), false, false);
    }
    let moved = line.shift_up(word, places);
    let both = line.logic(Logic::Or, word, moved);
    line.mask(both, lower)
}
