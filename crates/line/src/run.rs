//! What a line computes.

use crate::line::Line;
use crate::op::{Address, Logic, Op, Source, Term};
use rhomb_machine::Domain;

/// Words of the widest column.
const WIDEST: usize = 5;

/// Executes a line over any domain. The arrays are those of [`Array::ALL`](crate::Array::ALL).
///
/// # Panics
/// Where it accesses what is no word of an array.
pub fn run<D: Domain>(line: &Line, domain: &mut D, arrays: &mut [Vec<D::Word>; 4]) {
    let zero = domain.word(0);
    let none = domain.bit(false);
    let mut words = vec![zero.clone(); line.values];
    let mut carry = none.clone();
    let mut sum = vec![zero.clone(); WIDEST];
    for op in &line.ops {
        match *op {
            Op::Load { to, from: Address { array, index } } => {
                words[to.0] = arrays[array as usize][index].clone();
            }
            Op::Store { from, to: Address { array, index } } => {
                arrays[array as usize][index] = words[from.0].clone();
            }
            Op::Number { to, number } => words[to.0] = domain.word(number),
            Op::Multiply { low, high, x, y } => {
                (words[low.0], words[high.0]) = domain.mul(&words[x.0], &words[y.0]);
            }
            Op::Low { to, x, y } => words[to.0] = domain.mul(&words[x.0], &words[y.0]).0,
            Op::Add { to, x, y, carry_in, carry_out } | Op::Subtract { to, x, y, carry_in, carry_out } => {
                let y = y.map_or(&zero, |y| &words[y.0]);
                let entering = if carry_in { &carry } else { &none };
                let (sum, leaving) = match op {
                    Op::Add { .. } => domain.add(&words[x.0], y, entering),
                    _ => domain.sub(&words[x.0], y, entering),
                };
                words[to.0] = sum;
                if carry_out {
                    carry = leaving;
                }
            }
            Op::Spread { to, .. } => words[to.0] = domain.sub(&zero, &zero, &carry).0,
            Op::Sign { to, x } => {
                let top = domain.bits() - 1;
                let sign = domain.bit_of(&words[x.0], top);
                words[to.0] = domain.sub(&zero, &zero, &sign).0;
            }
            Op::Not { to, x } => {
                let ones = domain.word(u64::MAX >> (64 - domain.bits()));
                words[to.0] = domain.xor(&words[x.0], &ones);
            }
            Op::Mask { to, x, bits } => {
                let bits = domain.word(bits);
                words[to.0] = domain.and(&words[x.0], &bits);
            }
            Op::Negate { to, x } => words[to.0] = domain.sub(&zero, &words[x.0], &none).0,
            Op::Logic { to, logic, x, y } => {
                let (x, y) = (&words[x.0], &words[y.0]);
                words[to.0] = match logic {
                    Logic::And => domain.and(x, y),
                    Logic::Or => domain.or(x, y),
                    Logic::Xor => domain.xor(x, y),
                };
            }
            Op::Halve { to, x, carry_in, carry_out } => {
                let top = if carry_in { &carry } else { &none };
                let (half, left) = domain.shift_right(&words[x.0], top);
                words[to.0] = half;
                if carry_out {
                    carry = left;
                }
            }
            Op::Shift { low, high, x, places } => {
                let (shifted, above) = domain.shift_left(&words[x.0], places);
                [(low, shifted), (high, above)].into_iter().for_each(|(to, word)| {
                    if let Some(to) = to {
                        words[to.0] = word;
                    }
                });
            }
            Op::Clear => sum = vec![zero.clone(); WIDEST],
            Op::Term(Term { minus, word, factor }) => {
                let get = |domain: &mut D, source| match source {
                    Source::Value(value) => vec![words[value.0].clone()],
                    Source::Memory(Address { array, index }) => vec![arrays[array as usize][index].clone()],
                    Source::Number(number) => {
                        let bits = domain.bits();
                        let rest = number.checked_shr(bits).unwrap_or(0);
                        let low = number & u64::MAX >> (64 - bits);
                        vec![domain.word(low), domain.word(rest)]
                    }
                };
                let mut added = get(domain, word);
                if let Some(factor) = factor {
                    let factor = get(domain, factor);
                    let (low, high) = domain.mul(&added[0], &factor[0]);
                    added = vec![low, high];
                }
                added.resize(WIDEST, zero.clone());
                let mut carried = none.clone();
                for (own, more) in sum.iter_mut().zip(&added) {
                    (*own, carried) = match minus {
                        false => domain.add(own, more, &carried),
                        true => domain.sub(own, more, &carried),
                    };
                }
            }
            Op::Carryless { x, y } => {
                let (low, high) = domain.carryless_mul(&words[x.0], &words[y.0]);
                sum[0] = domain.xor(&sum[0], &low);
                sum[1] = domain.xor(&sum[1], &high);
            }
            Op::Peek { to } => words[to.0] = sum[0].clone(),
            Op::Take { to, .. } => {
                let low = sum.remove(0);
                sum.push(zero.clone());
                if let Some(to) = to {
                    words[to.0] = low;
                }
            }
        }
    }
}
