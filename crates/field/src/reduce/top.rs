//! Sums and differences modulo p = 2^b - c, for a small c and few bits of the highest word above b, in one pass: the highest words
//! come first, and what stands above 2^b of their sum or difference is a multiple of c that goes into the lowest column.
//!
//! A carry is a word of its own here, which may be 2. So these are for processors without a carry flag, and the carries of two
//! numbers may be on the way at once.

use super::{Task, address};
use rhomb_line::{Address, Array, Line, Value};

/// A number that is made from its highest word on.
struct Number {
    minus: bool,
    /// The highest word, before the last carry.
    top: Value,
    /// What goes on into the next column: first a multiple of c, then carries.
    carry: Value,
}

impl Task<'_> {
    /// a + b or a - b, or with both the one and above it the other.
    pub(super) fn in_one_pass(&self, signs: &[bool]) -> Option<Line> {
        let (spare, small) = self.spare_at_the_top()?;
        // the largest multiple that goes into the lowest column
        if u128::from(small) << (spare + 1) > u128::from(self.ones()) {
            return None;
        }
        let mut line = Line::default();
        let last = self.d - 1;
        let words = |line: &mut Line, index| {
            [Array::A, Array::B].map(|array| self.value(line, address(array, index)))
        };
        let [x, y] = words(&mut line, last);
        let mut numbers: Vec<Number> =
            signs.iter().map(|minus| self.begun(&mut line, *minus, [x, y], (spare, small))).collect();
        for index in 0..last {
            let [x, y] = words(&mut line, index);
            for (above, Number { minus, carry, .. }) in numbers.iter_mut().enumerate() {
                let (own, first) = with_carry(&mut line, *minus, x, y);
                let (own, second) = with_carry(&mut line, *minus, own, *carry);
                *carry = line.add(first, Some(second), false, false);
                line.store(own, Address { array: Array::Result, index: above * self.d + index });
            }
        }
        for (above, Number { minus, top, carry }) in numbers.into_iter().enumerate() {
            let own = match minus {
                false => line.add(top, Some(carry), false, false),
                true => line.subtract(top, Some(carry), false, false),
            };
            line.store(own, Address { array: Array::Result, index: above * self.d + last });
        }
        Some(line)
    }

    /// The highest word of a sum below 2^b, or of a difference that is not below zero whatever is lent: p is added to it as often
    /// as there are bits for; and what comes back for that.
    fn begun(&self, line: &mut Line, minus: bool, [x, y]: [Value; 2], (spare, small): (u32, u64)) -> Number {
        let (own, above) = with_carry(line, minus, x, y);
        let kept = self.bits - spare;
        let (top, bits) = match minus {
            false => {
                let bits = line.shift_down(own, self.bits, kept);
                (line.mask(own, self.ones() >> spare), bits)
            }
            true => {
                let others = line.not(own);
                let missing = line.shift_down(others, self.bits, kept);
                let more = line.shift_up(missing, kept);
                (line.add(own, Some(more), false, false), missing)
            }
        };
        let above = line.shift_up(above, spare);
        let times = line.add(above, Some(bits), false, false);
        let small = line.number(small);
        Number { minus, top, carry: line.low(times, small) }
    }
}

/// A sum or difference, and its carry or borrow as a word.
fn with_carry(line: &mut Line, minus: bool, x: Value, y: Value) -> (Value, Value) {
    if minus {
        let own = line.subtract(x, Some(y), false, true);
        let mask = line.spread(true);
        return (own, line.negate(mask));
    }
    let own = line.add(x, Some(y), false, true);
    let zero = line.number(0);
    (own, line.add(zero, None, true, false))
}
