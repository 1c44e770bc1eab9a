//! Registers for a draft: of the states after each step the best are kept, with all decisions of the next one. Then decisions of
//! the best way through are changed at random.

use super::state::{Known, LOW, Picks, State, Step};
use super::{Draft, Placed, Routine, Setting};
use rhomb_machine::Random;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The most decisions that are tried of one state.
const TRIES: usize = 24;

/// What is decided in a step.
type Decisions = SmallVec<[u8; 8]>;

/// A step taken.
struct Taken {
    before: u32,
    decisions: Decisions,
}

/// The routine of a draft; nothing where registers do not suffice.
pub fn fit(draft: &Draft, setting: &Setting) -> Option<Routine> {
    // states are small where they can be
    if setting.low >> 8 == 0 { fitted::<8>(draft, setting) } else { fitted::<LOW>(draft, setting) }
}

/// What a state that leads nowhere is worse by.
const LOST: i64 = 1000;

/// What a state is worth after so many steps from one on, each by its first decision; nothing where registers do not suffice.
fn ahead<const LOW: usize>(
    known: &Known<'_>,
    setting: &Setting,
    (from, steps): (usize, usize),
    mut state: State<LOW>,
    mut cycles: u32,
) -> Option<i64> {
    let mut weight = 0;
    let end = (from + steps).min(known.draft.ops.len());
    for at in from..end {
        let mut picks = Picks::default();
        let mut step = Step::new(known, at, &mut state, &mut picks);
        step.take()?;
        cycles += step.cycles;
        if at + 1 == end {
            weight = step.weight(setting.weights);
        }
    }
    Some(16 * i64::from(cycles) + i64::from(weight))
}

fn fitted<const LOW: usize>(draft: &Draft, setting: &Setting) -> Option<Routine> {
    let known = Known::new(draft, setting);
    let mut taken = vec![Taken { before: 0, decisions: SmallVec::new() }];
    let mut states = vec![(0u32, 0u32, State::new(draft.arguments))];
    for at in 0..draft.ops.len() {
        let mut index: FxHashMap<State<LOW>, usize> = FxHashMap::default();
        // weight, cycles, step before, decisions
        let mut next: Vec<(i64, u32, u32, Decisions)> = Vec::new();
        for (cycles, node, state) in &states {
            let mut picks = Picks::default();
            for _ in 0..TRIES {
                let mut state = state.clone();
                let mut step = Step::new(&known, at, &mut state, &mut picks);
                if step.take().is_some() {
                    let cycles = cycles + step.cycles;
                    let weight = 16 * i64::from(cycles) + i64::from(step.weight(setting.weights));
                    let place = *index.entry(state).or_insert(next.len());
                    if place == next.len() {
                        next.push((weight, cycles, *node, picks.decisions()));
                    } else if cycles < next[place].1 {
                        next[place] = (weight, cycles, *node, picks.decisions());
                    }
                }
                if !picks.next() {
                    break;
                }
            }
        }
        let mut order: Vec<usize> = (0..next.len()).collect();
        order.sort_by_key(|place| (next[*place].0, *place));
        let mut found: Vec<Option<State<LOW>>> = vec![None; next.len()];
        for (state, place) in index {
            found[place] = Some(state);
        }
        if let Some((times, steps)) = setting.look.ahead {
            order.truncate(setting.look.width * times);
            let value = |place: usize| {
                let (weight, cycles, ..) = next[place];
                let Some(state) = &found[place] else { return i64::MAX };
                ahead(&known, setting, (at + 1, steps), state.clone(), cycles).unwrap_or(weight + LOST)
            };
            order.sort_by_cached_key(|place| (value(*place), *place));
        }
        order.truncate(setting.look.width);
        states.clear();
        for place in order {
            let (_, cycles, before, decisions) =
                std::mem::replace(&mut next[place], (0, 0, 0, SmallVec::new()));
            taken.push(Taken { before, decisions });
            states.extend(found[place].take().map(|state| (cycles, (taken.len() - 1) as u32, state)));
        }
    }
    let (_, mut node, _) = states.into_iter().min_by_key(|(cycles, ..)| *cycles)?;
    let mut decisions = Vec::new();
    while node != 0 {
        let own = &mut taken[node as usize];
        decisions.push(std::mem::take(&mut own.decisions));
        node = own.before;
    }
    decisions.reverse();
    let start = Made {
        state: State::<LOW>::new(draft.arguments),
        cost: Cost::default(),
        decisions: Decisions::new(),
    };
    let mut run = Run { known: &known, made: vec![start] };
    run.replace(0, decisions)?;
    run.improve(setting.look.tries);
    let cycles = run.made.last()?.cost.cycles;
    let code = run.code();
    let word = |placed: &Placed| match *placed {
        Placed::Load { from: None, word, .. } | Placed::Store { to: None, word, .. } => usize::from(word) + 1,
        _ => 0,
    };
    let frame = code.iter().map(word).max().unwrap_or(0).max(draft.frame);
    Some(Routine { code, frame, cycles })
}

/// A step with the state before it, and what it took up to it.
struct Made<const LOW: usize> {
    state: State<LOW>,
    cost: Cost,
    decisions: Decisions,
}

/// Cycles, and instructions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Cost {
    cycles: u32,
    size: u32,
}

impl Cost {
    /// With a step behind it.
    fn and<const LOW: usize>(self, step: &Step<'_, LOW>) -> Cost {
        Cost { cycles: self.cycles + step.cycles, size: self.size + step.code.len() as u32 }
    }
}

/// Cycles by which a change may be behind before it pays, steps after the first one that may change with it, and one of how many does.
const BEHIND: u32 = 4;
const TOGETHER: usize = 40;
const SELDOM: u64 = 12;

/// Shorter drafts are changed less often; and which part of the changes comes late.
const STEPS: usize = 100;
const LATE: usize = 4;

/// All steps of a draft as they were decided, and what is behind the last.
struct Run<'a, const LOW: usize> {
    known: &'a Known<'a>,
    made: Vec<Made<LOW>>,
}

impl<const LOW: usize> Run<'_, LOW> {
    /// Takes steps from one on by these decisions.
    fn replace(&mut self, first: usize, decisions: Vec<Decisions>) -> Option<()> {
        for (at, own) in (first..).zip(decisions) {
            let mut picks = Picks::of(&own);
            let Made { state, cost, .. } = &self.made[at];
            let mut state = state.clone();
            let mut step = Step::new(self.known, at, &mut state, &mut picks);
            step.take()?;
            let cost = cost.and(&step);
            self.made[at].decisions = picks.decisions();
            match self.made.get_mut(at + 1) {
                Some(next) => (next.state, next.cost) = (state, cost),
                None => self.made.push(Made { state, cost, decisions: Decisions::new() }),
            }
        }
        Some(())
    }

    /// Changes decisions at random, so many times, and keeps what is not slower; in the end, nor longer.
    fn improve(&mut self, tries: usize) {
        let mut random = Random::new(1);
        let tries = tries.min(tries * self.made.len() / STEPS);
        for index in 0..tries {
            let first = random.index(self.made.len() - 1);
            if self.made[first].decisions.is_empty() {
                continue;
            }
            let is_late = LATE * (tries - index) <= tries;
            let Some((decisions, cost)) = self.changed(first, is_late, &mut random) else { continue };
            let end = first + decisions.len();
            let before = self.made[end].cost;
            let _ = self.replace(first, decisions);
            for own in &mut self.made[end + 1..] {
                own.cost.cycles = own.cost.cycles + cost.cycles - before.cycles;
                own.cost.size = own.cost.size + cost.size - before.size;
            }
        }
    }

    /// Other decisions from a step on, until all is where it was before, and the cost up to there; nothing where it takes more cycles,
    /// or in the end more instructions.
    fn changed(&self, first: usize, is_late: bool, random: &mut Random) -> Option<(Vec<Decisions>, Cost)> {
        let Made { state, cost, .. } = &self.made[first];
        let (mut state, mut cost) = (state.clone(), *cost);
        let mut changed = Vec::new();
        for (at, own) in self.made[..self.made.len() - 1].iter().enumerate().skip(first) {
            let is_new = at == first || at < first + TOGETHER && random.below(SELDOM) == 0;
            let mut picks = match is_new {
                true => Picks::of(&[(); 4].map(|()| random.byte())),
                false => Picks::of(&own.decisions),
            };
            let mut step = Step::new(self.known, at, &mut state, &mut picks);
            step.take()?;
            cost = cost.and(&step);
            changed.push(picks.decisions());
            let before = &self.made[at + 1];
            if cost.cycles > before.cost.cycles + BEHIND {
                return None;
            }
            if at >= first + TOGETHER && state == before.state {
                break;
            }
        }
        let before = self.made[first + changed.len()].cost;
        let is_kept = if is_late { cost <= before } else { cost.cycles <= before.cycles };
        is_kept.then_some((changed, cost))
    }

    /// The instructions of all steps.
    fn code(self) -> Vec<Placed> {
        let of = |(at, mut own): (usize, Made<LOW>)| {
            let mut picks = Picks::of(&own.decisions);
            let mut step = Step::new(self.known, at, &mut own.state, &mut picks);
            step.take().map(|()| step.code)
        };
        let steps = self.made.len() - 1;
        self.made.into_iter().take(steps).enumerate().filter_map(of).flatten().collect()
    }
}
