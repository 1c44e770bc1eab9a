//! The digits of a scalar in windows of four bits, the highest first, and a table of odd multiples that is read as a whole
//! for each of them, so that neither branches nor addresses tell a digit.
//!
//! An odd k is the sum of digits (2 u - 15) 16^i, where u are the digits of (k - 1) / 2 to the base 16, but for the highest
//! digit, which is 2 u + 1: so 8 is added to its u. A digit is negative where u is below 8, and its absolute value is
//! 2 j + 1 for a j of three bits.
//!
//! The slot of a scalar has a mask for each j, one for negative digits, and then the words of u. In the table the words of
//! all entries with the same place stand together, the first entry first.

use super::words::{load, one_of, store};
use rhomb_line::{Array, Line, Logic, Value};

/// Bits of a window.
pub(super) const WINDOW: u32 = 4;
/// Entries of a table: 15 P, 13 P, down to P.
pub(super) const ENTRIES: usize = 1 << (WINDOW - 1);
/// Bytes that the shortest displacements reach, those of Thumb's loads.
const REACH: usize = 128;
/// The mask of negative digits.
pub(super) const NEGATIVE: usize = ENTRIES;
/// Where the words begin.
pub(super) const WORDS: usize = ENTRIES + 1;

/// Words of a scalar's slot.
pub(super) fn length(count: usize) -> usize {
    WORDS + count
}

/// The slot before the first digit, for an odd number.
pub(super) fn of_odd(bits: u32, count: usize) -> Line {
    halved((bits, count), WORDS, true)
}

/// Half of an odd number, to words from one on, with the highest bit set where that is wanted.
pub(super) fn halved((bits, count): (u32, usize), first: usize, has_top: bool) -> Line {
    let mut line = Line::default();
    for word in (0..count).rev() {
        let own = load(&mut line, Array::A, word);
        let mut half = line.halve(own, word + 1 < count, word > 0);
        if has_top && word + 1 == count {
            let top = line.number(1 << (bits - 1));
            half = line.logic(Logic::Or, half, top);
        }
        store(&mut line, half, first + word);
    }
    line
}

/// The next digit: its masks, and u moves up.
pub(super) fn next(bits: u32, count: usize) -> Line {
    let mut line = Line::default();
    let mut digit = None;
    let mut above: Option<(Value, usize)> = None;
    // from the highest word on, so that a word is read before it is written
    for word in (0..count).rev() {
        let own = load(&mut line, Array::A, WORDS + word);
        let [low, high] = line.shift(own, WINDOW);
        match above {
            None => digit = Some(high),
            Some((value, at)) => {
                let whole = line.logic(Logic::Or, value, high);
                store(&mut line, whole, at);
            }
        }
        above = Some((low, WORDS + word));
    }
    if let Some((value, at)) = above {
        store(&mut line, value, at);
    }
    let Some(digit) = digit else { return line };
    let set = |line: &mut Line, bit: u32| {
        let own = if bit == 0 { digit } else { line.shift_down(digit, bits, bit) };
        let own = line.mask(own, 1);
        line.negate(own)
    };
    let positive = set(&mut line, WINDOW - 1);
    masks(&mut line, (WINDOW as usize - 1, positive), |line, bit| set(line, bit as u32));
    line
}

/// The masks of a digit in the slot of its scalar, from that of its sign and those of so many bits of j, which are the other way
/// round in a positive digit. That of negative digits stands behind them.
pub(super) fn masks(
    line: &mut Line,
    (bits, positive): (usize, Value),
    mut set: impl FnMut(&mut Line, usize) -> Value,
) {
    let negative = line.not(positive);
    store(line, negative, 1 << bits);
    // those of the entries whose lowest bits of j are the bits so far
    let mut masks: Vec<Value> = Vec::new();
    for bit in 0..bits {
        let own = set(line, bit);
        let one = line.logic(Logic::Xor, own, positive);
        let zero = line.not(one);
        masks = match masks.is_empty() {
            true => vec![zero, one],
            false => {
                let with = |line: &mut Line, bit| -> Vec<Value> {
                    masks.iter().map(|mask| line.logic(Logic::And, *mask, bit)).collect()
                };
                [with(line, zero), with(line, one)].concat()
            }
        };
    }
    masks.into_iter().enumerate().for_each(|(at, mask)| store(line, mask, at));
}

/// How many words of a number a routine takes that goes over all entries: such as divide a number, and of the table no more
/// than short displacements reach.
pub(super) fn part(bits: u32, count: usize) -> usize {
    let most = REACH / (ENTRIES * bits as usize / 8);
    (1..=most.max(1)).rev().find(|part| count.is_multiple_of(*part)).unwrap_or(1)
}

/// Words of a number before those of the first entry of a table, whose last leaves it, or behind the last, where the first does: a is the
/// number, b the table, and the result is where the table is.
pub(super) fn push(part: usize, behind: bool) -> Line {
    let mut line = Line::default();
    let last = ENTRIES - 1;
    for word in 0..part {
        for step in 0..ENTRIES {
            // what moves is read before another one takes its place
            let (entry, from) =
                if behind { (step, step + 1) } else { (last - step, (last - step).wrapping_sub(1)) };
            let own = match from {
                0..ENTRIES => load(&mut line, Array::B, ENTRIES * word + from),
                _ => load(&mut line, Array::A, word),
            };
            store(&mut line, own, ENTRIES * word + entry);
        }
    }
    line
}

/// Words of the first entry of the table a.
pub(super) fn front(part: usize) -> Line {
    let mut line = Line::default();
    for word in 0..part {
        let own = load(&mut line, Array::A, ENTRIES * word);
        store(&mut line, own, word);
    }
    line
}

/// Words of that entry of the table a whose mask b has.
pub(super) fn selected(bits: u32, part: usize) -> Line {
    let mut line = Line::default();
    let masks: Vec<Value> = (0..ENTRIES).map(|entry| load(&mut line, Array::B, entry)).collect();
    for word in 0..part {
        // two at a time, which takes less where a load follows a load; nothing waits for bytes
        let mut next = None;
        let own = one_of(&mut line, &masks, |line, entry, mask| {
            let place = ENTRIES * word + entry;
            let own = next.take().unwrap_or_else(|| {
                let own = load(line, Array::A, place);
                next = (bits > 8 && entry + 1 < ENTRIES).then(|| load(line, Array::A, place + 1));
                own
            });
            line.logic(Logic::And, own, mask)
        });
        store(&mut line, own, word);
    }
    line
}
