//! Products by numbers become doublings and sums, for processors without a multiplication instruction.

use crate::line::Line;
use crate::op::{Op, Source, Term, Value};
use std::collections::BTreeMap;

/// The same line without products, on words of so many bits; `None` where two words are multiplied of which neither is a
/// number.
pub fn without_products(line: &Line, bits: u32) -> Option<Line> {
    let mut numbers = BTreeMap::new();
    let mut made = Line { ops: Vec::with_capacity(line.ops.len()), ..line.clone() };
    // the terms of a column wait behind the words of its products; the high words are terms of the next one
    let (mut terms, mut above) = (Vec::new(), Vec::new());
    for op in &line.ops {
        match *op {
            Op::Number { to, number } => {
                numbers.insert(to, number);
                made.ops.push(*op);
            }
            Op::Low { to, x, y } => {
                let (x, number) = by_number(&numbers, x, y)?;
                made.times([Some(to), None], x, number, bits);
            }
            Op::Multiply { low, high, x, y } => {
                let (x, number) = by_number(&numbers, x, y)?;
                made.times([Some(low), Some(high)], x, number, bits);
            }
            Op::Term(Term { minus: false, word, factor: Some(Source::Number(number)) }) => {
                let x = match word {
                    Source::Value(value) => value,
                    Source::Memory(address) => made.load(address),
                    Source::Number(number) => made.number(number),
                };
                let [low, high] = [made.value(), made.value()];
                made.times([Some(low), Some(high)], x, number, bits);
                terms.push(plus(low));
                above.push(plus(high));
            }
            Op::Term(Term { factor: Some(_), .. }) => return None,
            Op::Term(_) => terms.push(*op),
            Op::Clear => {
                terms.clear();
                made.ops.push(*op);
            }
            Op::Peek { .. } => {
                made.ops.append(&mut terms);
                made.ops.push(*op);
            }
            Op::Take { words, .. } => {
                made.ops.append(&mut terms);
                made.ops.push(*op);
                // nothing is above the highest word of a sum
                terms = std::mem::take(&mut above);
                terms.truncate(if words == 1 { 0 } else { terms.len() });
            }
            other => made.ops.push(other),
        }
    }
    Some(made)
}

fn plus(word: Value) -> Op {
    Op::Term(Term { minus: false, word: Source::Value(word), factor: None })
}

/// The factor that is no number, and the one that is.
fn by_number(numbers: &BTreeMap<Value, u64>, x: Value, y: Value) -> Option<(Value, u64)> {
    let of = |x: Value, y: &Value| numbers.get(y).map(|number| (x, *number));
    of(x, &y).or_else(|| of(y, &x))
}

impl Line {
    /// The words of `number x`, the high one where it is wanted: it is doubled and added to by the number's digits, from the
    /// highest on. Two words are only added to, so that it is seen that none leaves the higher one.
    fn times(&mut self, made: [Option<Value>; 2], x: Value, number: u64, bits: u32) {
        let start = self.ops.len();
        let is_wide = made[1].is_some();
        let zero = if is_wide { self.number(0) } else { x };
        let words = match number.checked_ilog2() {
            None => [self.number(0); 2],
            Some(places) if number.is_power_of_two() && 2 * places > bits && is_wide => {
                // down from the word above
                (places..bits).fold([zero, x], |[low, high], _| {
                    let high = self.halve(high, false, true);
                    [self.halve(low, true, false), high]
                })
            }
            Some(_) => digits(number, !is_wide).into_iter().skip(1).fold([x, zero], |own, digit| {
                let [low, high] = own.map(Some);
                let doubled = self.sum(false, own, [low, high], is_wide);
                match digit {
                    0 => doubled,
                    digit => self.sum(digit < 0, doubled, [Some(x), None], is_wide),
                }
            }),
        };
        for (to, own) in made.into_iter().zip(words) {
            let Some(to) = to else { continue };
            let last = self.ops[start..].iter_mut().find(|op| op.makes()[0] == Some(own));
            match last {
                Some(
                    Op::Add { to: place, .. } | Op::Subtract { to: place, .. } | Op::Halve { to: place, .. },
                ) => *place = to,
                _ => self.ops.push(Op::Add { to, x: own, y: None, carry_in: false, carry_out: false }),
            }
        }
    }

    /// A number of two words with another one added to it, or subtracted; the low word where the high one is not wanted.
    fn sum(&mut self, minus: bool, own: [Value; 2], other: [Option<Value>; 2], is_wide: bool) -> [Value; 2] {
        let mut one = |at: usize| match minus {
            false => self.add(own[at], other[at], at > 0, at == 0 && is_wide),
            true => self.subtract(own[at], other[at], at > 0, at == 0 && is_wide),
        };
        let low = one(0);
        [low, if is_wide { one(1) } else { own[1] }]
    }
}

/// The binary digits of a number, the highest first; signed ones, of which no two neighbours are not zero, where that is said.
fn digits(number: u64, is_signed: bool) -> Vec<i8> {
    let mut left = u128::from(number);
    let mut digits = Vec::new();
    while left > 0 {
        let digit = match left % 4 {
            3 if is_signed => -1,
            odd => (odd % 2) as i8,
        };
        left = if digit < 0 { left + 1 } else { left - digit as u128 } / 2;
        digits.push(digit);
    }
    digits.reverse();
    digits
}
