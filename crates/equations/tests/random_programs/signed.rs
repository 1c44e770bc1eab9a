//! Sums, shifts and masks of words that stand for numbers below zero, too.

use crate::valuation::{Observation, Valuation};
use crate::{Tally, each_seed};
use rhomb_equations::{Equations, Flag, Value};
use rhomb_machine::Domain;
use rhomb_oracles::Random;

/// Numbers that programs begin with.
const INPUTS: usize = 4;
const STEPS: usize = 24;
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
fn number(step: Step, words: &[u32]) -> (u32, bool) {
    match step {
        Step::Sum(x, y) => words[x].overflowing_add(words[y]),
        Step::Difference(x, y) => words[x].overflowing_sub(words[y]),
        Step::Plus(x, constant) => words[x].overflowing_add(constant),
        Step::Arithmetic(x, places) => ((words[x] as i32 >> places) as u32, false),
        Step::Right(x, places) => (words[x] >> places, false),
        Step::Left(x, places) => (words[x] << places, false),
        Step::Below(x, place) => (words[x] & ((1 << place) - 1), false),
    }
}

fn value(step: Step, words: &[Value], d: &mut Equations) -> (Value, Flag) {
    let none = d.bit(false);
    let plain = |word| (word, Flag::Known(false));
    match step {
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
    let mut d = if seed.is_multiple_of(2) { d.compiled() } else { d.with_signs() };
    let widths: Vec<u32> = (0..INPUTS).map(|_| 1 + random.below(31) as u32).collect();
    let inputs: Vec<_> = widths.iter().map(|width| d.graph.variable((1 << width) - 1)).collect();
    let mut words: Vec<Value> = inputs.iter().map(|input| Value::Variable(*input)).collect();
    let (mut steps, mut observations) = (Vec::new(), Vec::new());
    for at in 0..STEPS {
        let step = step(&mut random, words.len());
        let (word, flag) = value(step, &words, &mut d);
        let flag = d.bit_polynomial(&flag);
        let what = format!("{at} {step:?} of {steps:?}");
        let word_polynomial = d.polynomial(&word).unwrap();
        for (what, polynomial) in [(what.clone(), word_polynomial), (format!("carry {what}"), flag)] {
            observations.push(Observation { what, polynomial: (*polynomial).clone() });
        }
        steps.push(step);
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
        let mut seen = Vec::new();
        for step in &steps {
            let (word, carry) = number(*step, &numbers);
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
    let tally = each_seed(4000, program);
    println!("{tally:?}");
    assert!(tally.programs > 0 && tally.determined * 100 > tally.observed * 95, "{tally:?}");
}
