//! The search for registers: many states side by side, each followed by several ways of going on by chance, of which the best stay.
//!
//! A trail is named by the seed of the search, the steps that are gone at once, and for each of these a number: with them the same
//! registers come out without a search.

use super::place::{Line, Run, State};
use crate::assembler::Assembler;
use rhomb_machine::Random;
use rustc_hash::FxHashSet;

/// Ways of going on from a state, whose numbers are letters of a text.
pub(super) const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/// Ways from a state where there are as many states as stay.
const WAYS: usize = 5;

/// What leads to a routine: as a text, the four with dots between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trail {
    /// How it is written, as bits.
    pub plan: u32,
    /// Of the choices by chance.
    pub seed: u32,
    /// Steps that are gone at once.
    pub stride: usize,
    /// A letter for each of these.
    pub turns: String,
}

/// Why a trail leads nowhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TrailError {
    /// A text that is no trail.
    #[error("it is no trail, which is three numbers and letters with dots between them")]
    Form,
    /// One of something else.
    #[error("it is the trail of another product")]
    Other,
}

impl std::fmt::Display for Trail {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}.{}.{}", self.plan, self.seed, self.stride, self.turns)
    }
}

impl std::str::FromStr for Trail {
    type Err = TrailError;
    fn from_str(text: &str) -> Result<Self, TrailError> {
        let words: Vec<&str> = text.split('.').collect();
        let [plan, seed, stride, turns] = words[..] else { return Err(TrailError::Form) };
        let number = |word: &str| word.parse::<u32>().map_err(|_| TrailError::Form);
        if !turns.bytes().all(|letter| LETTERS.contains(&letter)) {
            return Err(TrailError::Form);
        }
        let (plan, seed, stride) = (number(plan)?, number(seed)?, number(stride)? as usize);
        Ok(Trail { plan, seed, stride, turns: turns.to_owned() })
    }
}

fn seed_of(seed: u32, step: usize, turn: usize) -> u64 {
    let mut random = Random::new(u64::from(seed) << 32 | (step as u64) << 8 | turn as u64);
    random.bits()
}

/// Goes along a trail; `after` sees the state behind each step.
fn go(
    line: &Line,
    names: usize,
    length: usize,
    trail: &Trail,
    code: &mut Assembler,
    mut after: impl FnMut(&State),
) -> Result<State, TrailError> {
    if trail.stride == 0 || trail.turns.len() != line.len().div_ceil(trail.stride) {
        return Err(TrailError::Other);
    }
    let mut state = State::new(names, length);
    for (from, letter) in (0..line.len()).step_by(trail.stride).zip(trail.turns.bytes()) {
        let turn = LETTERS.iter().position(|own| *own == letter).ok_or(TrailError::Form)?;
        let seed = seed_of(trail.seed, from, turn);
        let to = line.len().min(from.saturating_add(trail.stride));
        Run::new(line, &mut state, seed, Some(&mut *code)).steps(from..to, &mut after);
        if state.is_stuck {
            return Err(TrailError::Other);
        }
    }
    Ok(state)
}

/// The cycles and the code along a trail.
pub(super) fn follow(
    line: &Line,
    names: usize,
    length: usize,
    trail: &Trail,
) -> Result<(u32, Assembler), TrailError> {
    let mut code = Assembler::default();
    let state = go(line, names, length, trail, &mut code, |_| ())?;
    Ok((state.cycles, code))
}

/// The cycles before each step along a trail, and behind the last one, without saves.
pub(super) fn spent(line: &Line, names: usize, length: usize, trail: &Trail) -> Result<Vec<u32>, TrailError> {
    let mut spent = vec![0];
    go(line, names, length, trail, &mut Assembler::default(), |state| spent.push(state.without_saves()))?;
    Ok(spent)
}

/// The best trail of a search with so many states, and its cycles; nothing where none goes to the end.
pub(super) fn search(
    line: &Line,
    names: usize,
    length: usize,
    plan: u32,
    (seed, width): (u32, usize),
) -> Option<(u32, Trail)> {
    let mut random = Random::new(u64::from(seed) ^ 0x5eed);
    let stride = 3 + random.index(10);
    let weight = 0.2 + 0.6 * random.fraction();
    let mut states = vec![State::new(names, length)];
    let mut back: Vec<Vec<(u32, u8)>> = Vec::new();
    for from in (0..line.len()).step_by(stride) {
        let to = line.len().min(from + stride);
        let ways = (width / states.len()).clamp(WAYS, LETTERS.len());
        let mut next = Vec::with_capacity(states.len() * ways);
        for (index, state) in states.iter().enumerate() {
            for turn in 0..ways {
                // different states take different turns of the same numbers
                let turn = (turn + index * 7) % LETTERS.len();
                let mut state = state.clone();
                Run::new(line, &mut state, seed_of(seed, from, turn), None).steps(from..to, |_| ());
                if state.is_stuck {
                    continue;
                }
                let rank =
                    f64::from(state.cycles) + weight * state.single() as f64 + 0.05 * random.fraction();
                next.push((rank, (index as u32, turn as u8), state));
            }
        }
        next.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut seen = FxHashSet::default();
        let mut own = Vec::new();
        states.clear();
        for (_, turn, state) in next {
            if states.len() == width {
                break;
            }
            if seen.insert(state.key()) {
                own.push(turn);
                states.push(state);
            }
        }
        if states.is_empty() {
            return None;
        }
        back.push(own);
    }
    let best = (0..states.len()).min_by_key(|index| states[*index].cycles)?;
    let mut turns = Vec::new();
    let mut at = best;
    for own in back.iter().rev() {
        let (before, turn) = own[at];
        turns.push(LETTERS[usize::from(turn)]);
        at = before as usize;
    }
    turns.reverse();
    let turns = String::from_utf8_lossy(&turns).into_owned();
    Some((states[best].cycles, Trail { plan, seed, stride, turns }))
}
