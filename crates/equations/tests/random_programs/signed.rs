//! Sums, products, shifts and masks of words that stand for numbers below zero, too.

use crate::valuation::{Observation, Valuation};
use crate::{Tally, each_seed};
use rhomb_equations::{Equations, Flag, Value};
use rhomb_machine::{Domain, words};
use rhomb_oracles::Random;
use std::collections::VecDeque;

/// Numbers that programs begin with.
const INPUTS: usize = 4;
const STEPS: usize = 28;
const RUNS: usize = 12;

/// An instruction, of words by their numbers.
#[derive(Clone, Copy, Debug)]
enum Step {
    Sum(usize, usize),
    Difference(usize, usize),
    Plus(usize, u32),
    /// To the right, all bits above being the highest one.
    Arithmetic(usize, u32),
    Right(usize, u32),
    Left(usize, u32),
    /// What is below a place.
    Below(usize, u32),
    Or(usize, usize),
    /// With what left the last step but so many.
    SumAnd(usize, usize, usize),
    DifferenceAnd(usize, usize, usize),
    /// Words of products, the lower one or the higher one, of signed words.
    Low(usize, usize),
    High(usize, usize),
    /// The same by a constant, the higher one of unsigned words.
    Times(usize, u32),
    Above(usize, u32),
}

/// Steps as compiled code has them: a sum of two words with a carry, a product that is added so, and a number that is rounded at a place,
/// what is above it being taken off.
fn steps(random: &mut Random, words: usize) -> Vec<Step> {
    let mut word = || words - 1 - random.below(words.min(6) as u64) as usize;
    let (a, b, c, d) = (word(), word(), word(), word());
    let place = 1 + random.below(31) as u32;
    match random.below(12) {
        0 => vec![Step::Sum(a, b), Step::SumAnd(c, d, 0)],
        1 => vec![Step::Difference(a, b), Step::DifferenceAnd(c, d, 0)],
        2 | 3 => {
            let product = [Step::Low(a, b), Step::High(a, b)];
            [&product[..], &[Step::Sum(c, words), Step::SumAnd(d, words + 1, 0)]].concat()
        }
        4 => {
            let times = [3, 19, 128, 121_666][random.below(4) as usize];
            vec![Step::Times(a, times), Step::Above(a, times)]
        }
        5 | 6 => {
            let half = [0, 1 << (place - 1)][random.below(2) as usize];
            let [sum, above, moved] = [words, words + 1, words + 2];
            vec![
                Step::Plus(a, half),
                Step::Right(sum, place),
                Step::Left(above, place),
                Step::Difference(a, moved),
            ]
        }
        // two words, of which the higher one is moved into the lower one
        7 => {
            let [low, left, moved] = [words, words + 1, words + 2];
            let high = Step::Arithmetic(b, place);
            vec![
                Step::Right(a, place),
                Step::Left(b, 32 - place),
                Step::Or(low, left),
                high,
                Step::Left(moved, place),
            ]
        }
        _ => vec![step(random, words)],
    }
}

fn step(random: &mut Random, words: usize) -> Step {
    let mut below = |count: u32| random.below(count.into()) as u32;
    // the last words mostly
    let word = |below: &mut dyn FnMut(u32) -> u32| match below(3) {
        0 => below(words as u32) as usize,
        _ => words - 1 - below(words.min(4) as u32) as usize,
    };
    let (x, y) = (word(&mut below), word(&mut below));
    let place = match below(3) {
        0 => [8, 13, 15, 16, 30, 31][below(6) as usize],
        _ => 1 + below(31),
    };
    match below(10) {
        0 | 1 => Step::Sum(x, y),
        2 | 3 => Step::Difference(x, y),
        4 => Step::Plus(x, [1, 38, 128, 1 << 16, 1 << 28][below(5) as usize]),
        5 => Step::Plus(x, [1u32, 38, 128, 1 << 16, 1 << 28][below(5) as usize].wrapping_neg()),
        6 | 7 => Step::Arithmetic(x, place),
        8 => [Step::Right(x, place), Step::Left(x, place)][below(2) as usize],
        _ => Step::Below(x, place),
    }
}

/// The word that a step makes, and the carry or borrow.
fn number(step: Step, words: &[u32], flags: &[bool]) -> (u32, bool) {
    let signed = |x: usize, y: usize| i64::from(words[x] as i32) * i64::from(words[y] as i32);
    let by = |x: usize, y: u32| u64::from(words[x]) * u64::from(y);
    match step {
        Step::Or(x, y) => (words[x] | words[y], false),
        Step::SumAnd(x, y, at) => {
            let sum = u64::from(words[x]) + u64::from(words[y]) + u64::from(flags[flags.len() - 1 - at]);
            (sum as u32, sum >> 32 != 0)
        }
        Step::DifferenceAnd(x, y, at) => {
            let less = u64::from(words[y]) + u64::from(flags[flags.len() - 1 - at]);
            (words[x].wrapping_sub(less as u32), u64::from(words[x]) < less)
        }
        Step::Low(x, y) => (signed(x, y) as u32, false),
        Step::High(x, y) => ((signed(x, y) >> 32) as u32, false),
        Step::Times(x, y) => (by(x, y) as u32, false),
        Step::Above(x, y) => ((by(x, y) >> 32) as u32, false),
        Step::Sum(x, y) => words[x].overflowing_add(words[y]),
        Step::Difference(x, y) => words[x].overflowing_sub(words[y]),
        Step::Plus(x, constant) => words[x].overflowing_add(constant),
        Step::Arithmetic(x, places) => ((words[x] as i32 >> places) as u32, false),
        Step::Right(x, places) => (words[x] >> places, false),
        Step::Left(x, places) => (words[x] << places, false),
        Step::Below(x, place) => (words[x] & ((1 << place) - 1), false),
    }
}

fn value(step: Step, words: &[Value], flags: &[Flag], d: &mut Equations) -> (Value, Flag) {
    let none = d.bit(false);
    let plain = |word| (word, Flag::Known(false));
    match step {
        Step::Or(x, y) => plain(d.or(&words[x], &words[y])),
        Step::SumAnd(x, y, at) => d.add(&words[x], &words[y], &flags[flags.len() - 1 - at]),
        Step::DifferenceAnd(x, y, at) => d.sub(&words[x], &words[y], &flags[flags.len() - 1 - at]),
        Step::Low(x, y) => plain(words::mul_signed(d, &words[x], &words[y]).0),
        Step::High(x, y) => plain(words::mul_signed(d, &words[x], &words[y]).1),
        Step::Times(x, y) | Step::Above(x, y) => {
            let factor = d.word(y.into());
            let (low, high) = d.mul(&words[x], &factor);
            plain(if matches!(step, Step::Times(..)) { low } else { high })
        }
        Step::Sum(x, y) => d.add(&words[x], &words[y], &none),
        Step::Difference(x, y) => d.sub(&words[x], &words[y], &none),
        Step::Plus(x, constant) => {
            let constant = d.word(constant.into());
            d.add(&words[x], &constant, &none)
        }
        Step::Arithmetic(x, places) => {
            let (_, high) = d.split(&words[x], places);
            let sign = d.bit_of(&words[x], 31);
            let (ones, zero) = (d.word(u64::from(u32::MAX << (32 - places))), d.word(0));
            let above = d.select(&sign, &ones, &zero);
            plain(d.add(&high, &above, &none).0)
        }
        Step::Right(x, places) => plain(d.split(&words[x], places).1),
        Step::Left(x, places) => plain(d.shift_left(&words[x], places).0),
        Step::Below(x, place) => {
            let mask = d.word((1 << place) - 1);
            plain(d.and(&words[x], &mask))
        }
    }
}

fn program(seed: u64) -> Tally {
    let mut random = Random::new(seed);
    let d = Equations::new(32);
    let d = if seed.is_multiple_of(2) { d.compiled() } else { d.with_signs() };
    let mut d = if seed % 4 < 2 { d.with_signed_limbs() } else { d };
    let widths: Vec<u32> = (0..INPUTS).map(|_| 1 + random.below(31) as u32).collect();
    let inputs: Vec<_> = widths.iter().map(|width| d.graph.variable((1 << width) - 1)).collect();
    let mut words: Vec<Value> = inputs.iter().map(|input| Value::Variable(*input)).collect();
    let (mut done, mut observations) = (Vec::new(), Vec::new());
    let (mut next, mut flags) = (VecDeque::new(), vec![Flag::Known(false)]);
    // numbers on both sides of zero
    next.extend((0..INPUTS).map(|input| Step::Plus(input, (1u32 << (widths[input] - 1)).wrapping_neg())));
    for at in 0..STEPS {
        if next.is_empty() {
            next.extend(steps(&mut random, words.len()));
        }
        let Some(step) = next.pop_front() else { break };
        let (word, flag) = value(step, &words, &flags, &mut d);
        flags.push(flag.clone());
        let flag = d.bit_polynomial(&flag);
        let what = format!("{at} {step:?} of {done:?}");
        let word_polynomial = d.polynomial(&word).unwrap();
        for (what, polynomial) in [(what.clone(), word_polynomial), (format!("carry {what}"), flag)] {
            observations.push(Observation { what, polynomial: (*polynomial).clone() });
        }
        done.push(step);
        words.push(word);
    }
    let mut tally = Tally { programs: 1, ..Tally::default() };
    for run in 0..RUNS {
        let own = widths.iter().map(|width| match run {
            0 => 0,
            1 => (1 << width) - 1,
            _ => random.below(1 << width) as u32 >> (random.below(3) as u32 * width / 3),
        });
        let mut numbers: Vec<u32> = own.collect();
        let given: Vec<_> =
            inputs.iter().zip(&numbers).map(|(input, own)| (*input, i64::from(*own))).collect();
        let (mut seen, mut flags) = (Vec::new(), vec![false]);
        for step in &done {
            let (word, carry) = number(*step, &numbers, &flags);
            flags.push(carry);
            numbers.push(word);
            seen.extend([i64::from(word), i64::from(carry)]);
        }
        let mut valuation = Valuation::new(&d.graph, &given);
        let told =
            valuation.settle(&observations, &seen).and_then(|()| valuation.compare(&observations, &seen));
        tally.observed += seen.len();
        tally.determined += told.unwrap_or_else(|error| panic!("seed {seed}, {given:?}: {error}"));
    }
    tally
}

#[test]
fn numbers_below_zero_are_what_the_machine_has() {
    let tally = each_seed(8000, program);
    println!("{tally:?}");
    assert!(tally.programs > 0 && tally.determined * 100 > tally.observed * 95, "{tally:?}");
}
