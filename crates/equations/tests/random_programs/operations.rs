//! Random lists of the domain's own operations on words of any width, without a processor.

use crate::steps::{Kind, POOL, Step, step};
use crate::valuation::{Observation, Valuation};
use crate::{Tally, each_seed};
use rhomb_equations::{Equations, Flag, Value};
use rhomb_machine::{Concrete, Domain, Limb};
use rhomb_oracles::Random;
use rhomb_poly::{Polynomial, Variable};
use std::rc::Rc;

const RUNS: u32 = 12;

struct State<D: Domain> {
    domain: D,
    words: Vec<D::Word>,
    flags: Vec<D::Bit>,
}

impl<D: Domain> State<D> {
    fn execute(&mut self, step: &Step) {
        let d = &mut self.domain;
        let (x, y) = (self.words[step.x].clone(), self.words[step.y].clone());
        let (b, c) = (self.flags[step.b].clone(), self.flags[step.c].clone());
        let none = d.bit(false);
        let (mut first, mut second, mut bit) = (None, None, None);
        match step.kind {
            Kind::Known(value) => first = Some(d.word(value)),
            Kind::Add => (first, bit) = both(d.add(&x, &y, &b)),
            Kind::Sub => (first, bit) = both(d.sub(&x, &y, &b)),
            Kind::Double => (first, bit) = both(d.add(&x, &x, &none)),
            Kind::CompareSum => {
                let (sum, _) = d.add(&x, &y, &b);
                (second, bit) = both(d.sub(&sum, &y, &none));
                first = Some(sum);
            }
            Kind::CompareDifference => {
                let (difference, _) = d.sub(&x, &y, &none);
                let (again, borrow) = d.sub(&x, &y, &none);
                (second, bit) = both(d.sub(&x, &difference, &none));
                // both borrows leave their mark
                let word = d.with_bit(&again, 0, &borrow);
                first = Some(if step.b == step.c { again } else { word });
            }
            Kind::CompareBack => {
                let (difference, less) = d.sub(&x, &y, &none);
                let (not_less, not_zero) = (d.bit_not(&less), d.is_zero(&difference));
                let not_zero = d.bit_not(&not_zero);
                bit = Some(d.bit_and(&not_less, &not_zero));
                let (back, borrow) = d.sub(&y, &x, &none);
                first = Some(d.with_bit(&difference, 0, &borrow));
                second = Some(back);
            }
            Kind::CompareUnequal { wide, less } => {
                let z = self.words[step.z].clone();
                let mut step = |x: &D::Word, y: &D::Word, carry: &D::Bit| match less {
                    true => d.sub(x, y, carry),
                    false => d.add(x, y, carry),
                };
                let (sum, mut carry) = step(&x, &y, &b);
                let mut top = None;
                if wide {
                    let (word, out) = step(&z, &x, &carry);
                    (top, carry) = (Some(word), out);
                }
                let mut compare = |sum: &D::Word, x: &D::Word, borrow: &D::Bit| match less {
                    true => d.sub(x, sum, borrow),
                    false => d.sub(sum, x, borrow),
                };
                let (rest, mut below) = compare(&sum, &x, &none);
                let mut equal = d.is_zero(&rest);
                if let Some(top) = &top {
                    let (rest, out) = match less {
                        true => d.sub(&z, top, &below),
                        false => d.sub(top, &z, &below),
                    };
                    let own = d.is_zero(&rest);
                    (equal, below) = (d.bit_and(&equal, &own), out);
                }
                let (zero, one) = (d.word(0), d.word(1));
                let (entered, left) = (d.select(&b, &one, &zero), d.select(&below, &one, &zero));
                second = Some(d.select(&equal, &entered, &left));
                (first, bit) = (Some(top.unwrap_or(sum)), Some(carry));
            }
            Kind::Ordered { words, outcomes, back } => {
                let all = |from: usize| (0..words).map(move |at| (from + at) % POOL);
                let pairs: Vec<(D::Word, D::Word)> = all(step.x)
                    .zip(all(step.y))
                    .map(|(a, b)| (self.words[a].clone(), self.words[b].clone()))
                    .collect();
                let [below, mut outcome, above] = outcomes.map(|outcome| d.word(outcome));
                for (a, b) in &pairs {
                    let (difference, less) = d.sub(a, b, &none);
                    let zero = d.is_zero(&difference);
                    let unequal = d.select(&less, &below, &above);
                    outcome = d.select(&zero, &outcome, &unequal);
                }
                let mut borrow = none;
                let mut word = None;
                for (a, b) in &pairs {
                    let (a, b) = if back { (b, a) } else { (a, b) };
                    let (low, out) = d.sub(a, b, &borrow);
                    (word, borrow) = (Some(low), out);
                }
                (first, second, bit) = (Some(outcome), word, Some(borrow));
            }
            Kind::CompareBoth { less } => {
                let (nothing, some) = (d.word(0), d.word(0x5b));
                let base = d.select(&b, &some, &nothing);
                let change = |d: &mut D, word: &D::Word, by: &D::Word| match less {
                    true => d.sub(word, by, &none).0,
                    false => d.add(word, by, &none).0,
                };
                let (one, other) = (change(d, &base, &y), change(d, &nothing, &y));
                let (word, out) = d.sub(&one, &other, &none);
                let third = change(d, &x, &y);
                let (again, less) = d.sub(&third, &other, &none);
                (first, second) = (Some(word), Some(d.with_bit(&again, 0, &less)));
                bit = Some(out);
            }
            Kind::Kept { late, other, less } => {
                let (zero, one) = (d.word(0), d.word(1));
                let entering = d.select(&b, &one, &zero);
                let (sum, _) = d.add(&y, &entering, &none);
                let is_zero = d.is_zero(&sum);
                if !late {
                    self.flags[step.z] = d.bit_not(&is_zero);
                    d.select(&is_zero, &x, &y);
                }
                let (rest, out) = if less { d.sub(&x, &sum, &none) } else { d.add(&x, &sum, &none) };
                let left = d.select(&out, &one, &zero);
                let kept = if other { d.select(&c, &one, &zero) } else { entering };
                (first, second) = (Some(rest), Some(d.select(&is_zero, &kept, &left)));
                bit = Some(out);
            }
            Kind::UnderMask { words } => {
                let (ones, nothing) = (d.word(u64::MAX), d.word(0));
                let (mut mask, mut outcome) = (ones.clone(), d.word(0));
                for at in 0..words {
                    let [x, y] = [step.x, step.y].map(|from| self.words[(from + at) % POOL].clone());
                    let (x, y) = (d.and(&x, &mask), d.and(&y, &mask));
                    let (_, below) = d.sub(&x, &y, &none);
                    let (below, _) = d.sub(&nothing, &nothing, &below);
                    (outcome, _) = d.add(&outcome, &below, &none);
                    let not = d.xor(&below, &ones);
                    mask = d.and(&mask, &not);
                    let (_, above) = d.sub(&y, &x, &none);
                    let (above, _) = d.sub(&nothing, &nothing, &above);
                    (outcome, _) = d.sub(&outcome, &above, &none);
                    let not = d.xor(&above, &ones);
                    mask = d.and(&mask, &not);
                }
                (first, second) = (Some(outcome), Some(mask));
            }
            Kind::ChosenByTop { differ, of } => {
                let top = d.bits() - 1;
                let (difference, _) = d.sub(&x, &y, &none);
                let tops = if differ { d.xor(&x, &y) } else { x.clone() };
                let by = d.bit_of(&tops, top);
                let (ones, zero) = (d.word(u64::MAX), d.word(0));
                let mask = d.select(&by, &ones, &zero);
                let not = d.xor(&mask, &ones);
                let any = [x.clone(), y.clone(), difference, self.words[step.z].clone()];
                let [one, other] = [d.and(&any[of[0]], &mask), d.and(&any[of[1]], &not)];
                let chosen = d.or(&one, &other);
                bit = Some(d.bit_of(&chosen, top));
                first = Some(chosen);
            }
            Kind::OneLess { number, late, added } => {
                let (nothing, one) = (d.word(0), d.word(1));
                let zero = d.is_zero(&x);
                let one = d.select(&zero, &nothing, &one);
                let (rest, out) = match late {
                    // in two steps, of which the first one leaves a carry
                    true => {
                        let (sum, carry) = d.add(&x, &y, &none);
                        self.flags[step.z] = carry;
                        d.sub(&sum, &one, &none)
                    }
                    false => d.sub(&x, &one, &none),
                };
                // the word and the number, compared in four ways
                let below = d.word(number.wrapping_sub(1));
                let (number, negative) = (d.word(number), d.word(number.wrapping_neg()));
                let entering = d.select(&b, &one, &nothing);
                let sum = if late { d.add(&y, &entering, &none).0 } else { y };
                let (taken, borrow) = d.sub(&sum, &number, &none);
                let (_, above) = d.sub(&below, &sum, &none);
                self.flags[step.c] = above;
                if !late {
                    // with the number before it, too
                    d.sub(&sum, &below, &none);
                    let ones = d.word(u64::MAX);
                    let not = d.xor(&sum, &ones);
                    (_, self.flags[step.z]) = d.add(&number, &not, &none);
                }
                let (again, carry) = d.add(&sum, &negative, &none);
                self.flags[step.b] = borrow;
                (first, second) = (Some(rest), Some(if added { again } else { taken }));
                bit = Some(if added { carry } else { out });
            }
            Kind::ByWords { numbers, words, how, back, off } => {
                let ones = u64::MAX >> (64 - d.bits());
                let [zero, one, all] = [0, 1, ones].map(|number| d.word(number));
                let own: Vec<D::Word> =
                    (0..words).map(|at| self.words[(step.x + at) % POOL].clone()).collect();
                let (mut no, mut yes) = (zero.clone(), zero.clone());
                for place in 0..words {
                    let at = if back { place } else { words - 1 - place };
                    let (number, own) = (numbers[at], &own[at]);
                    let [this, next, last, negative] =
                        [number, number + u64::from(!off), number.wrapping_sub(1), number.wrapping_neg()]
                            .map(|number| d.word(number));
                    let (rest, below) = d.sub(own, &this, &none);
                    let (less, greater) = match how {
                        0 => (below, d.sub(&this, own, &none).1),
                        1 => {
                            let [least, most] = [d.sub(&last, own, &none).1, d.sub(own, &next, &none).1];
                            // nothing is below nothing, or above all ones
                            let more = if number == ones { none.clone() } else { d.bit_not(&most) };
                            (d.bit_not(&least), more)
                        }
                        2 => {
                            let (_, enough) = d.add(own, &negative, &none);
                            let same = d.is_zero(&rest);
                            let other = d.bit_not(&same);
                            (d.bit_not(&enough), d.bit_and(&enough, &other))
                        }
                        // the largest number is what leaves nothing with 1
                        _ => {
                            let (rest, _) = d.add(own, &one, &none);
                            (below, d.is_zero(&rest))
                        }
                    };
                    let [less, greater] = [less, greater].map(|bit| d.select(&bit, &one, &zero));
                    let not_yes = d.xor(&yes, &all);
                    let less = d.and(&less, &not_yes);
                    no = d.or(&no, &less);
                    let not_no = d.xor(&no, &all);
                    let greater = d.and(&greater, &not_no);
                    yes = d.or(&yes, &greater);
                }
                let joined = own.iter().skip(1).fold(own[0].clone(), |all, word| d.and(&all, word));
                let (more, carry) =
                    if off { d.add(&joined, &one, &none) } else { d.sub(&joined, &all, &none) };
                let are_ones = d.is_zero(&more);
                let are_ones = d.select(&are_ones, &one, &zero);
                let mut borrow = none;
                for (own, number) in own.iter().zip(numbers) {
                    let number = d.word(number);
                    borrow = d.sub(own, &number, &borrow).1;
                }
                self.words[step.y] = d.or(&no, &are_ones);
                (first, second, bit) = (Some(yes), Some(d.sub(&x, &no, &borrow).0), Some(carry));
            }
            Kind::RowLeftOut { how, halves, other, less: taken } => {
                let (nothing, z) = (d.word(0), self.words[step.z].clone());
                let before = [step.b, step.c].map(|at| self.words[at].clone());
                let factors = [x.clone(), z.clone()];
                let asked = if other { z } else { y.clone() };
                // whether the word is below 2, and whether it is 1
                let [one, most] = [1, if how == 4 { 3 } else { 2 }].map(|number| d.word(number));
                let (rest, less) = match how {
                    0 | 4 => (d.sub(&asked, &one, &none).0, d.sub(&asked, &most, &none).1),
                    1 => {
                        let (rest, above) = d.sub(&one, &asked, &none);
                        (rest, d.bit_not(&above))
                    }
                    _ => d.sub(&asked, &one, &none),
                };
                let is_one = d.is_zero(&rest);
                let few = match how {
                    2 => d.bit_or(&less, &is_one),
                    3 => d.is_zero(&asked),
                    _ => less,
                };
                let alone = row(d, (&before, taken), factors.clone().map(|word| (word, nothing.clone())));
                let whole = factors.map(|word| if halves { product(d, &word, &y) } else { d.mul(&word, &y) });
                let whole = row(d, (&before, taken), whole);
                let kept = [before[0].clone(), before[1].clone(), nothing.clone()];
                let pairs: Vec<_> = alone.into_iter().zip(kept.clone()).collect();
                let inner = if how == 3 { kept.to_vec() } else { join(d, &is_one, &pairs) };
                let pairs: Vec<_> = inner.into_iter().zip(whole).collect();
                let all = join(d, &few, &pairs);
                (first, second, bit) = (Some(all[0].clone()), Some(all[2].clone()), Some(few));
                self.words[step.y] = all[1].clone();
            }
            Kind::NoneOfZero { words, number, masked } => {
                let own: Vec<D::Word> =
                    (0..words).map(|at| self.words[(step.x + at) % POOL].clone()).collect();
                let any = own.iter().skip(1).fold(own[0].clone(), |any, word| d.or(&any, word));
                let zero = d.is_zero(&any);
                let (ones, nothing, number) = (d.word(u64::MAX), d.word(0), d.word(number));
                let mask = d.select(&zero, &nothing, &ones);
                let mut borrow = none;
                for word in &own {
                    let (rest, out) = d.sub(&number, word, &borrow);
                    let kept = if masked { d.and(&rest, &mask) } else { d.select(&zero, &y, &rest) };
                    (first, second, borrow) = (Some(kept), Some(rest), out);
                }
                bit = Some(borrow);
            }
            Kind::Paths { joined, back } => {
                let (sum, out) = if back { d.sub(&x, &y, &none) } else { d.add(&x, &y, &none) };
                let either = |d: &mut D, bit: &D::Bit, one: &D::Word, two: &D::Word| {
                    let pair = [(one.clone(), two.clone())];
                    let words = if joined { d.join(bit, &pair, &[]) } else { None };
                    match words.and_then(|(words, _)| words.into_iter().next()) {
                        Some(word) => word,
                        None => d.select(bit, one, two),
                    }
                };
                let inner = either(d, &b, &sum, &x);
                let outer = match back {
                    true => either(d, &c, &sum, &inner),
                    false => either(d, &c, &inner, &x),
                };
                let zero = d.is_zero(&x);
                (first, second) = (Some(either(d, &zero, &x, &outer)), Some(inner));
                bit = Some(out);
            }
            Kind::AllZero => {
                let z = self.words[step.z].clone();
                let (one, other) = (d.or(&x, &y), d.or(&z, &y));
                let (one, other) = (d.or(&one, &z), d.or(&x, &other));
                let (one, other) = (d.is_zero(&one), d.is_zero(&other));
                let (nothing, all) = (d.word(0), d.word(1));
                first = Some(d.select(&one, &all, &nothing));
                bit = Some(other);
            }
            Kind::ZeroByTop { differ, how } => {
                let [zero, one, ones] = [0, 1, u64::MAX].map(|number| d.word(number));
                let joined = if differ { d.xor(&x, &y) } else { d.or(&x, &y) };
                let (other, _) = match how {
                    0 => d.add(&joined, &ones, &none),
                    1 => d.sub(&joined, &one, &none),
                    _ => d.sub(&zero, &joined, &none),
                };
                let tops = if how == 2 {
                    d.or(&joined, &other)
                } else {
                    let not = d.xor(&joined, &ones);
                    d.and(&not, &other)
                };
                let top = d.bits() - 1;
                bit = Some(d.bit_of(&tops, top));
                (first, second) = (Some(other), Some(d.split(&tops, top).1));
            }
            Kind::MaskLess { words } => {
                let zero = d.word(0);
                let mut borrow = b;
                for at in 0..words {
                    let y = self.words[(step.y + at) % POOL].clone();
                    let (mask, _) = d.sub(&zero, &zero, &borrow);
                    let (low, out) = d.sub(&mask, &y, &none);
                    let (above, _) = d.sub(&mask, &zero, &out);
                    borrow = d.bit_of(&above, 0);
                    first = Some(low);
                }
                bit = Some(borrow);
            }
            Kind::CarryByTops { less } => {
                let (sum, _) = if less { d.sub(&x, &y, &b) } else { d.add(&x, &y, &b) };
                let ones = d.word(u64::MAX);
                let (x, s) = match less {
                    true => (d.xor(&x, &ones), sum.clone()),
                    false => (x, d.xor(&sum, &ones)),
                };
                // by the majority of three
                let (both, either) = (d.and(&x, &y), d.or(&x, &y));
                let rest = d.and(&either, &s);
                let tops = d.or(&both, &rest);
                bit = Some(d.bit_of(&tops, d.bits() - 1));
                (first, second) = (Some(sum), Some(d.shift_left(&tops, 1).1));
            }
            Kind::Step { mask, less, entering } => {
                let (zero, one) = (d.word(0), d.word(1));
                let up = if mask { zero.clone() } else { d.select(&c, &one, &zero) };
                let (change, _) = d.sub(&up, &zero, &b);
                let enters = if entering { self.flags[step.z].clone() } else { none };
                (first, bit) =
                    both(if less { d.sub(&x, &change, &enters) } else { d.add(&x, &change, &enters) });
            }
            Kind::ThereAndBack { less } => {
                let (zero, one) = (d.word(0), d.word(1));
                let (there, left) = if less { d.add(&x, &y, &b) } else { d.sub(&x, &y, &b) };
                // from a word and a bit, there is back what was never taken
                let (bit_there, bit_left) = match less {
                    true => d.add(&x, &zero, &b),
                    false => d.sub(&x, &zero, &b),
                };
                let mut back = |there: &D::Word| match less {
                    true => d.sub(there, &one, &none),
                    false => d.add(there, &one, &none),
                };
                let ((back_one, came), (back_two, bit_came)) = (back(&there), back(&bit_there));
                let (one, two) = (d.bit_xor(&left, &came), d.bit_xor(&bit_left, &bit_came));
                // never both
                let neither = d.bit_and(&two, &bit_left);
                (first, second) = (Some(back_one), Some(back_two));
                bit = Some(match step.b.cmp(&step.c) {
                    std::cmp::Ordering::Less => neither,
                    std::cmp::Ordering::Equal => one,
                    std::cmp::Ordering::Greater => two,
                });
            }
            Kind::NotZero { first: before, less } => {
                if before {
                    let zero = d.is_zero(&y);
                    self.flags[step.b] = d.bit_not(&zero);
                    d.select(&zero, &x, &y);
                }
                let (sum, carry) = if less { d.sub(&x, &y, &none) } else { d.add(&x, &y, &none) };
                let zero = d.is_zero(&y);
                let not_zero = d.bit_not(&zero);
                bit = Some(d.bit_and(&carry, &not_zero));
                // where it is zero, it is taken itself
                let one = d.word(1);
                (first, second) = (Some(sum), Some(d.select(&not_zero, &one, &y)));
            }
            Kind::Guarded { high_first, constant } => {
                let z = self.words[step.z].clone();
                let (zero, number) = (d.word(0), d.word(59));
                let (sum, carry) = d.add(&x, if constant { &number } else { &y }, &none);
                let (top, out) = d.add(&z, &zero, &carry);
                let mut joined = |word: &D::Word, kept: &D::Word| {
                    join(d, &b, &[(word.clone(), kept.clone())]).into_iter().next()
                };
                (second, first) = match high_first {
                    true => (joined(&top, &z), joined(&sum, &x)),
                    false => {
                        let low = joined(&sum, &x);
                        (joined(&top, &z), low)
                    }
                };
                bit = Some(out);
            }
            Kind::Differ { less } => {
                let (sum, _) = if less { d.sub(&x, &y, &b) } else { d.add(&x, &y, &b) };
                let differ = d.xor(&sum, &x);
                let (zero, equal) = (d.word(0), d.is_zero(&differ));
                let (_, not_equal) = d.sub(&zero, &differ, &none);
                let either = d.bit_or(&equal, &not_equal);
                (first, second) = (Some(sum), Some(d.with_bit(&differ, 0, &either)));
                bit = Some(equal);
            }
            Kind::ChooseByXor => {
                let zero = d.word(0);
                let (mask, _) = d.sub(&zero, &zero, &b);
                let change = d.xor(&x, &y);
                let change = d.and(&mask, &change);
                first = Some(d.xor(&x, &change));
            }
            Kind::Quotient { factor, exact, late } => {
                let number = d.word(factor);
                // by Newton's iteration
                let mut inverse = 1u64;
                for _ in 0..6 {
                    inverse = inverse.wrapping_mul(2u64.wrapping_sub(factor.wrapping_mul(inverse)));
                }
                let other = d.word(if exact { inverse.wrapping_neg() } else { inverse });
                let zero = d.word(0);
                let early = (!late).then(|| d.sub(&zero, &x, &none));
                let (quotient, _) = d.mul(&x, &number);
                let (low, high) = d.mul(&quotient, &other);
                let (negative, borrow) = match early {
                    Some(early) => early,
                    None => d.sub(&zero, &x, &none),
                };
                let (_, carry) = d.add(&low, &x, &none);
                let high = d.xor(&high, &low);
                let both = d.bit_xor(&borrow, &carry);
                (first, second) = (Some(negative), Some(high));
                bit = Some(if step.b == step.c { both } else { borrow });
            }
            Kind::TimesOnes { late } => {
                let (zero, ones) = (d.word(0), d.word(u64::MAX));
                let early = (!late).then(|| d.sub(&zero, &x, &none));
                let (low, high) = d.mul(&ones, &x);
                let (negative, borrow) = match early {
                    Some(early) => early,
                    None => d.sub(&zero, &x, &none),
                };
                let (sum, _) = d.add(&high, &y, &borrow);
                let (_, less) = d.sub(&low, &negative, &b);
                (first, second, bit) = (Some(sum), Some(low), Some(less));
            }
            Kind::TwoByTops { operation, negated } => {
                let (zero, one, ones) = (d.word(0), d.word(1), d.word(u64::MAX));
                let taken = d.select(&b, &one, &zero);
                let (difference, _) = d.sub(&x, &y, &none);
                let (rest, _) = d.sub(&difference, &taken, &none);
                let mut less = |x: &D::Word, y: &D::Word, difference: &D::Word| {
                    let (both, other) = (d.xor(x, y), d.xor(difference, y));
                    let either = d.or(&both, &other);
                    d.xor(x, &either)
                };
                let first_less = less(&x, &y, &difference);
                let second_less = match negated {
                    true => {
                        let not = d.xor(&difference, &ones);
                        d.and(&rest, &not)
                    }
                    false => less(&difference, &taken, &rest),
                };
                let told = match operation {
                    0 => d.or(&first_less, &second_less),
                    1 => d.xor(&first_less, &second_less),
                    _ => d.and(&first_less, &second_less),
                };
                let bits = d.bits();
                let (_, top) = d.split(&told, bits - 1);
                bit = Some(d.bit_of(&told, bits - 1));
                (first, second) = (Some(rest), Some(top));
            }
            Kind::UntilZero { less, by_bit } => {
                let (zero, one) = (d.word(0), d.word(1));
                let step = if by_bit { d.select(&b, &one, &zero) } else { one.clone() };
                let (moved, out) = if less { d.sub(&x, &step, &none) } else { d.add(&x, &step, &none) };
                let is_zero = d.is_zero(if less { &x } else { &moved });
                let (came, told) = (d.select(&out, &one, &zero), d.select(&is_zero, &zero, &y));
                (first, second, bit) = (Some(moved), Some(d.xor(&came, &told)), Some(is_zero));
            }
            Kind::RestOf { less, back } => {
                let (zero, number) = (d.word(0), d.word(u64::MAX));
                let few = d.select(&c, &number, &zero);
                let (sum, out) = if less { d.sub(&x, &few, &b) } else { d.add(&x, &few, &b) };
                let (rest, below) = if back { d.sub(&x, &sum, &none) } else { d.sub(&sum, &x, &none) };
                let is_zero = d.is_zero(&rest);
                self.flags[step.z] = d.bit_xor(&out, &below);
                (first, second, bit) = (Some(sum), Some(rest), Some(is_zero));
            }
            Kind::Halved { number, joined, other } => {
                let (zero, one, number) = (d.word(0), d.word(1), d.word(number));
                let low = d.bit_of(&x, 0);
                let condition = if other { b.clone() } else { low };
                if joined {
                    let (sum, carry) = d.add(&x, &number, &none);
                    let carry = d.select(&carry, &one, &zero);
                    let words = join(d, &condition, &[(sum, x.clone()), (carry, zero)]);
                    (first, bit) = both(d.shift_right(&words[0], &none));
                    second = Some(words[1].clone());
                } else {
                    let own = d.select(&condition, &number, &zero);
                    let (sum, carry) = d.add(&x, &own, &none);
                    (first, bit) = both(d.shift_right(&sum, &carry));
                    second = Some(sum);
                }
            }
            Kind::Negated { joined } => {
                let (zero, one, ones) = (d.word(0), d.word(1), d.word(u64::MAX));
                let is_zero = d.is_zero(&x);
                let (negative, borrow) = d.sub(&zero, &x, &none);
                let (less, _) = d.sub(&ones, &x, &none);
                let told = d.select(&b, &one, &x);
                let mut chosen = |condition: &D::Bit, word: &D::Word, other: &D::Word| match joined {
                    true => join(d, condition, &[(word.clone(), other.clone())])[0].clone(),
                    false => d.select(condition, word, other),
                };
                first = Some(chosen(&is_zero, &x, &negative));
                second = Some(chosen(&b, &less, &negative));
                self.words[step.y] = chosen(&is_zero, &told, &one);
                bit = Some(borrow);
            }
            Kind::WhileCarried { less, ones } => {
                let z = self.words[step.z].clone();
                let (zero, one, most) = (d.word(0), d.word(1), d.word(u64::MAX));
                let mut stepped = |word: &D::Word| match (less, ones) {
                    (true, true) => (d.add(word, &most, &none).0, d.is_zero(word)),
                    (true, false) => d.sub(word, &one, &none),
                    (false, _) => d.add(word, &one, &none),
                };
                let [(x, over), (y, above), (next, last)] = [&x, &y, &z].map(&mut stepped);
                let out = d.select(&last, &one, &zero);
                let inner = join(d, &above, &[(next, z), (out, zero.clone())]);
                let [own, out] = [&inner[0], &inner[1]];
                let before = (self.words[step.z].clone(), self.words[step.y].clone());
                let all = join(d, &over, &[(y, before.1), (own.clone(), before.0), (out.clone(), zero)]);
                (first, second, bit) = (Some(x), Some(all[1].clone()), Some(d.bit_of(&all[2], 0)));
                self.words[step.y] = all[0].clone();
            }
            Kind::ByHalves { square, late, back, forgets } => {
                let (half, zero) = (d.bits() / 2, d.word(0));
                let other = if square { &x } else { &y };
                let [(a, b), (c, e)] = [&x, other].map(|word| d.split(word, half));
                let [low, one, two, high] =
                    [(&a, &c), (&a, &e), (&b, &c), (&b, &e)].map(|(x, y)| d.mul(x, y).0);
                let (low, carried) = d.split(&low, half);
                let added = if square { d.shift_left(&one, 1).0 } else { two.clone() };
                let [next, last] = match (square, late) {
                    (true, _) => [carried, added],
                    (false, true) => [two.clone(), carried],
                    (false, false) => [carried, two.clone()],
                };
                let begun = if square { next } else { d.add(&one, &next, &none).0 };
                let (middle, _) = d.add(&begun, &last, &none);
                let (rest, over) = match back {
                    true => d.sub(&middle, &two, &none),
                    false => {
                        // not less, and not equal
                        let (rest, below) = d.sub(&two, &middle, &none);
                        let (is_zero, not) = (d.is_zero(&rest), d.bit_not(&below));
                        let is_more = d.bit_not(&is_zero);
                        (rest, d.bit_and(&not, &is_more))
                    }
                };
                let place = d.word(if forgets { 0 } else { 1 << half });
                let over = d.select(&over, &place, &zero);
                let (down, up) = d.split(&middle, half);
                let (high, _) = d.add(&high, &over, &none);
                let (high, _) = d.add(&high, &up, &none);
                let (down, _) = d.shift_left(&down, half);
                let (low, _) = d.add(&low, &down, &none);
                let (sum, _) = d.add(&low, &y, &none);
                let (_, below) = d.sub(&sum, &y, &none);
                let (high, out) = d.add(&high, &zero, &below);
                (first, second, bit) = (Some(sum), Some(high), Some(out));
                self.words[step.y] = rest;
            }
            Kind::PartMask { places, operation } => {
                let bits = d.bits();
                let zero = d.word(0);
                let (ones, _) = d.sub(&zero, &zero, &b);
                let mask = d.split(&ones, bits / 2).0;
                let [x, y] = [&x, &y].map(|word| d.split(word, places).0);
                let change = d.xor(&x, &y);
                first = Some(match operation {
                    0 => d.and(&x, &mask),
                    1 => d.or(&x, &mask),
                    2 => d.xor(&x, &mask),
                    _ => {
                        let change = d.and(&change, &mask);
                        d.xor(&x, &change)
                    }
                });
                second = Some(change);
            }
            Kind::OnesAndCarry { opposite } => {
                let (zero, one, ones) = (d.word(0), d.word(1), d.word(u64::MAX));
                let mut carry = if opposite { d.bit_not(&b) } else { b.clone() };
                // twice, so that what enters is what was left
                for word in [&x, &y] {
                    let entering = d.select(&carry, &one, &zero);
                    let (other, _) = d.add(&ones, &entering, &none);
                    let (sum, out) = d.add(word, &other, &none);
                    let (rest, _) = d.sub(&sum, word, &none);
                    let same = d.is_zero(&rest);
                    let left = d.select(&out, &one, &zero);
                    let kept = d.select(&same, &entering, &left);
                    let is_zero = d.is_zero(&kept);
                    carry = d.bit_not(&is_zero);
                    (first, second) = (Some(sum), Some(kept));
                }
                bit = Some(carry);
            }
            Kind::Parts { places, at, extended } => {
                let (zero, ones) = (d.word(0), d.word(u64::MAX));
                let (above, _) = d.shift_left(&ones, places);
                let mut lower = |word: &D::Word| {
                    let (low, _) = d.split(word, places);
                    let top = d.bit_of(&low, places - 1);
                    let extension = d.select(&top, &above, &zero);
                    let long = d.or(&low, &extension);
                    (low.clone(), if extended { long } else { low })
                };
                let ((own, own_long), (other, other_long)) = (lower(&x), lower(&y));
                let (difference, _) = d.sub(&own, &other, &b);
                let (low, high) = d.split(&difference, at);
                let (mask, _) = d.sub(&zero, &zero, &b);
                let change = d.xor(&own_long, &other_long);
                let change = d.and(&change, &mask);
                let chosen = d.xor(&change, &own_long);
                let (chosen, rest) = d.split(&chosen, at);
                let (moved, _) = d.shift_left(&chosen, at);
                let put = d.or(&moved, &low);
                let (put_low, put_high) = d.split(&put, places);
                self.words[step.y] = d.or(&rest, &high);
                (first, second) = (Some(put_low), Some(put_high));
                bit = Some(d.bit_of(&high, 0));
            }
            Kind::TopAndBorrow { negative } => {
                let zero = d.word(0);
                let from = if negative { zero.clone() } else { x };
                let (word, borrow) = d.sub(&from, &y, &none);
                let top = d.bit_of(&word, d.bits() - 1);
                let is_set = d.select(&top, &word, &zero);
                first = Some(d.select(&borrow, &zero, &is_set));
                second = Some(word);
                bit = Some(d.bit_and(&top, &borrow));
            }
            Kind::Mask => (first, bit) = both(d.sub(&x, &x, &b)),
            Kind::Mul => (first, second) = both(d.mul(&x, &y)),
            Kind::And => first = Some(d.and(&x, &y)),
            Kind::Or => first = Some(d.or(&x, &y)),
            Kind::Xor => first = Some(d.xor(&x, &y)),
            Kind::Invert => {
                let ones = d.word(u64::MAX);
                first = Some(d.xor(&x, &ones));
            }
            Kind::HalveWith => (first, bit) = both(d.shift_right(&x, &b)),
            Kind::Rotate(places) => first = Some(d.rotate_left(&x, places)),
            Kind::Split(places) => (first, second) = both(d.split(&x, places)),
            Kind::ShiftLeft(places) => (first, second) = both(d.shift_left(&x, places)),
            Kind::BitOf(place) => bit = Some(d.bit_of(&x, place)),
            Kind::WithBit(place) => first = Some(d.with_bit(&x, place, &b)),
            Kind::IsZero => bit = Some(d.is_zero(&x)),
            Kind::CarryInto(place) => {
                let (sum, _) = d.add(&x, &y, &b);
                bit = Some(d.carry_into(place, &x, &y, &sum));
            }
            Kind::Select => first = Some(d.select(&b, &x, &y)),
            Kind::BitAnd => bit = Some(d.bit_and(&b, &c)),
            Kind::BitOr => bit = Some(d.bit_or(&b, &c)),
            Kind::BitXor => bit = Some(d.bit_xor(&b, &c)),
            Kind::BitNot => bit = Some(d.bit_not(&b)),
        }
        first.into_iter().for_each(|word| self.words[step.x] = word);
        second.into_iter().for_each(|word| self.words[step.z] = word);
        bit.into_iter().for_each(|bit| self.flags[step.c] = bit);
    }
}

/// The words of two sides, chosen by a bit.
fn join<D: Domain>(d: &mut D, bit: &D::Bit, sides: &[(D::Word, D::Word)]) -> Vec<D::Word> {
    match d.join(bit, sides, &[]) {
        Some((words, _)) => words,
        None => sides.iter().map(|(x, y)| d.select(bit, x, y)).collect(),
    }
}

/// Two words and (or less) a row of a product, whose low and high words these are; and what is above them.
fn row<D: Domain>(
    d: &mut D,
    (before, less): (&[D::Word; 2], bool),
    parts: [(D::Word, D::Word); 2],
) -> [D::Word; 3] {
    let (none, nothing) = (d.bit(false), d.word(0));
    let [(low, high), (next, top)] = parts;
    let step = |d: &mut D, before: &D::Word, word: &D::Word| match less {
        true => d.sub(before, word, &none),
        false => d.add(word, before, &none),
    };
    let (first, carry) = step(d, &before[0], &low);
    let (high, _) = d.add(&high, &nothing, &carry);
    let (next, carry) = d.add(&next, &high, &none);
    let (top, _) = d.add(&top, &nothing, &carry);
    let (second, carry) = step(d, &before[1], &next);
    let (top, _) = d.add(&top, &nothing, &carry);
    [first, second, top]
}

/// The low and the high word of a product by those of halves.
fn product<D: Domain>(d: &mut D, x: &D::Word, y: &D::Word) -> (D::Word, D::Word) {
    let (half, none, nothing) = (d.bits() / 2, d.bit(false), d.word(0));
    let [(a, b), (c, e)] = [x, y].map(|word| d.split(word, half));
    let [low, one, two, high] = [(&a, &c), (&a, &e), (&b, &c), (&b, &e)].map(|(x, y)| d.mul(x, y).0);
    let (mut low, mut high) = (low, high);
    for middle in [one, two] {
        let (down, up) = d.split(&middle, half);
        let (down, _) = d.shift_left(&down, half);
        let (sum, carry) = d.add(&low, &down, &none);
        let (up, _) = d.add(&up, &nothing, &carry);
        (low, high) = (sum, d.add(&high, &up, &none).0);
    }
    (low, high)
}

fn biased(random: &mut Random, bits: u32) -> u64 {
    let ones = u64::MAX >> (64 - bits);
    let extremes = [0, ones, 0, ones, 1, ones - 1, 1 << (bits - 1), ones >> 1];
    match random.below(4) {
        0 => random.bits() & ones,
        _ => *random.pick(&extremes),
    }
}

fn check<W: Limb>(seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let steps: Vec<Step> = (0..4 + random.below(24)).map(|_| step(&mut random, W::BITS)).collect();
    let mut domain = Equations::new(W::BITS).in_parts();
    domain = match seed % 8 {
        0 | 3 => domain,
        5 => domain.with_masks(),
        6 => domain.with_signs(),
        4 => domain.with_paths(),
        7 => domain.with_ranks(),
        _ => domain.compiled(),
    };
    let words: Vec<Value> = (0..POOL).map(|_| domain.input()).collect();
    let bits: Vec<Variable> = (0..POOL).map(|_| domain.graph.variable(1)).collect();
    let variables: Vec<Variable> = (0..2 * POOL).map(|index| domain.graph.variable_at(index)).collect();
    let flag = |bit: &Variable| Flag::Polynomial(Rc::new(Polynomial::variable(*bit)));
    let mut state = State { domain, words, flags: bits.iter().map(flag).collect() };
    // looking at a flag makes variables: half of the programs are left alone until their end
    let often = seed.is_multiple_of(2);
    let mut observations = Vec::new();
    for (at, one) in steps.iter().enumerate() {
        state.execute(one);
        for (number, word) in state.words.clone().iter().enumerate() {
            let polynomial = (*state.domain.polynomial(word).unwrap()).clone();
            observations.push(Observation { what: format!("word {number} after {at}"), polynomial });
        }
        if often || at + 1 == steps.len() {
            for (number, flag) in state.flags.clone().iter().enumerate() {
                let polynomial = (*state.domain.bit_polynomial(flag)).clone();
                observations.push(Observation { what: format!("bit {number} after {at}"), polynomial });
            }
        }
    }
    let mut tally = Tally { programs: 1, ..Tally::default() };
    for _ in 0..RUNS {
        let words: Vec<u64> = (0..POOL).map(|_| biased(&mut random, W::BITS)).collect();
        let flags: Vec<bool> = (0..POOL).map(|_| random.below(2) == 1).collect();
        let values = words.iter().map(|word| *word as i64).chain(flags.iter().map(|bit| i64::from(*bit)));
        let given: Vec<(Variable, i64)> = variables.iter().copied().zip(values).collect();
        let words = words.iter().map(|word| W::truncate(*word)).collect();
        let mut concrete = State { domain: Concrete::<W>::new(), words, flags };
        let mut seen = Vec::new();
        for (at, one) in steps.iter().enumerate() {
            concrete.execute(one);
            seen.extend(concrete.words.iter().map(|word| word.to_u64() as i64));
            if often || at + 1 == steps.len() {
                seen.extend(concrete.flags.iter().map(|bit| i64::from(*bit)));
            }
        }
        let mut valuation = Valuation::new(&state.domain.graph, &given);
        let outcome =
            valuation.settle(&observations, &seen).and_then(|()| valuation.compare(&observations, &seen));
        match outcome {
            Ok(determined) => tally.determined += determined,
            Err(error) => panic!("{} bits, seed {seed}: {error}\n{given:x?}\n{steps:#?}", W::BITS),
        }
        tally.observed += seen.len();
    }
    tally
}

#[test]
fn operations_on_words_of_any_width_compute_what_their_equations_say() {
    for (bits, tally) in [
        (8, each_seed(2000, check::<u8>)),
        (16, each_seed(2000, check::<u16>)),
        (32, each_seed(4000, check::<u32>)),
    ] {
        println!("{bits} bits: {tally:?}");
        assert!(10 * tally.determined > 9 * tally.observed, "{bits} bits: {tally:?}");
    }
}

fn both<T, U>((one, two): (T, U)) -> (Option<T>, Option<U>) {
    (Some(one), Some(two))
}
