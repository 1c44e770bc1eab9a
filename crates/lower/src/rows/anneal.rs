//! The search for the choices with the fewest cycles within the registers: simulated annealing, with numbers
//! from a seed.

use super::arrange::{Arrangement, Choice, Score};
use rhomb_machine::Random;

/// How hot it begins and ends, in cycles.
const HOT: f64 = 4.0;
const COLD: f64 = 0.15;

/// How dear it is to have too few registers, at first and in the end.
const LOOSE: f64 = 0.3;
const STRICT: f64 = 4.0;

/// The best choices found: cycles, and the arrangement; nothing where all take too many registers.
pub(super) fn search<'a>(
    start: &Arrangement<'a>,
    rounds: usize,
    seed: u64,
) -> Option<(usize, Arrangement<'a>)> {
    let mut random = Random::new(seed);
    let mut now = start.clone();
    let energy = |score: &Score, strict: f64| {
        score.cost as f64 + strict * (0.2 * score.over as f64 + 5.0 * score.wrong as f64)
    };
    let fits = |score: &Score| score.over == 0 && score.wrong == 0;
    let mut score = now.score();
    let mut best = fits(&score).then(|| (score.cost, now.clone()));
    let number = now.choices.len();
    if number == 0 {
        return best;
    }
    let cooling = (COLD / HOT).powf(1.0 / rounds.max(1) as f64);
    let mut heat = HOT;
    for round in 0..rounds {
        heat *= cooling;
        let strict = LOOSE + (STRICT - LOOSE) * round as f64 / rounds as f64;
        let flips = 1 + random.index(3).saturating_sub(1);
        let first = random.index(number);
        let mut chosen: Vec<Choice> = vec![now.choices[first]];
        if flips > 1 {
            chosen.push(now.choices[random.index(number)]);
        }
        chosen.iter().for_each(|choice| now.flip(*choice));
        let next = now.score();
        let worse = energy(&next, strict) - energy(&score, strict);
        if worse <= 0.0 || random.fraction() < (-worse / heat).exp() {
            score = next;
            if fits(&score) && best.as_ref().is_none_or(|(cost, _)| score.cost < *cost) {
                best = Some((score.cost, now.clone()));
            }
        } else {
            chosen.iter().for_each(|choice| now.flip(*choice));
        }
    }
    best
}
