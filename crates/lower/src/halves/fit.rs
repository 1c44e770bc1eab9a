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
pub(super) type Decisions = SmallVec<[u8; 8]>;

/// A step taken.
struct Taken {
    before: u32,
    decisions: Decisions,
}

/// A way through a draft, by what is decided in its steps.
#[derive(Clone, Debug)]
pub struct Way {
    /// As it was found.
    pub(super) found: Vec<Decisions>,
    /// As it was changed then.
    pub(super) changed: Vec<Decisions>,
}

/// The routine of a draft; nothing where registers do not suffice. Where a way was found by the same search before, it begins there.
pub fn fit(draft: &Draft, setting: &Setting, found: Option<&Way>) -> Option<Routine> {
    by_size(draft, setting, Begin { way: found, changes: None })
}

/// The routine of a way as it is; nothing where it is none through this draft.
pub fn follow(draft: &Draft, setting: &Setting, way: &Way) -> Option<Routine> {
    refine(draft, setting, way, 0, 0)
}

/// The routine of a way by so many more changes for each step, which differ by number: mostly a better one, and no slower, but it may
/// be longer.
pub fn refine(draft: &Draft, setting: &Setting, way: &Way, tries: usize, number: u64) -> Option<Routine> {
    by_size(draft, setting, Begin { way: Some(way), changes: Some((tries, number)) })
}

/// Where it begins, and where it is not a search, how many changes are tried for each step, and which.
struct Begin<'a> {
    way: Option<&'a Way>,
    changes: Option<(usize, u64)>,
}

fn by_size(draft: &Draft, setting: &Setting, begin: Begin<'_>) -> Option<Routine> {
    // states are small where they can be
    if setting.low >> 8 == 0 {
        fitted::<8>(draft, setting, begin)
    } else {
        fitted::<LOW>(draft, setting, begin)
    }
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

/// The best way that is found by keeping so many states at a time.
fn search<const LOW: usize>(known: &Known<'_>, setting: &Setting) -> Option<Vec<Decisions>> {
    let draft = known.draft;
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
                let mut step = Step::new(known, at, &mut state, &mut picks);
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
                ahead(known, setting, (at + 1, steps), state.clone(), cycles).unwrap_or(weight + LOST)
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
    Some(decisions)
}

fn fitted<const LOW: usize>(
    draft: &Draft,
    setting: &Setting,
    Begin { way, changes }: Begin<'_>,
) -> Option<Routine> {
    let known = Known::new(draft, setting);
    if way.is_some_and(|way| way.changed.len() != draft.ops.len()) {
        return None;
    }
    let found = match way {
        Some(way) => way.found.clone(),
        None => search::<LOW>(&known, setting)?,
    };
    let start = Made {
        state: State::<LOW>::new(draft.arguments),
        cost: Cost::default(),
        decisions: Decisions::new(),
    };
    let mut run = Run { known: &known, made: vec![start] };
    match (way, changes) {
        (Some(way), Some((tries, number))) => {
            run.replace(0, way.changed.clone())?;
            run.refine(tries * draft.ops.len(), number);
        }
        _ => {
            run.replace(0, found.clone())?;
            run.improve(setting.look.tries);
        }
    }
    let way = Way { found, changed: run.decisions() };
    let cycles = run.made.last()?.cost.cycles;
    let code = run.code();
    let word = |placed: &Placed| match *placed {
        Placed::Load { from: None, word, .. } | Placed::Store { to: None, word, .. } => usize::from(word) + 1,
        _ => 0,
    };
    let frame = code.iter().map(word).max().unwrap_or(0).max(draft.frame);
    Some(Routine { code, frame, cycles, way })
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

/// Where the places of a change are chosen first: so many at most, and cycles by which it may be behind after the last of them.
const PLACES: usize = 11;
const AFTER: u32 = 2;

/// Shorter drafts are changed less often; and which part of the changes comes late.
const STEPS: usize = 100;
const LATE: usize = 4;

/// A change: from which step on, after which one nothing is decided anew, by how many cycles it may be behind then, and whether it
/// comes late.
struct Change {
    first: usize,
    last: usize,
    after: u32,
    is_late: bool,
}

/// Whether a change comes late, of so many.
fn is_late(index: usize, tries: usize) -> bool {
    LATE * (tries - index) <= tries
}

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
            let near = first + TOGETHER;
            let is_new = |at, random: &mut Random| at == first || at < near && random.below(SELDOM) == 0;
            let change = Change { first, last: near, after: BEHIND, is_late: is_late(index, tries) };
            let Some((decisions, cost)) = self.changed(change, is_new, &mut random) else { continue };
            self.change(first, decisions, cost);
        }
    }

    /// The same by places that are chosen first, so that a change ends soon after the last of them. Where it ends at what is worse
    /// than the best on the way that was no longer than at the beginning, that one is taken.
    fn refine(&mut self, tries: usize, number: u64) {
        let mut random = Random::new(2 + number);
        let steps = self.made.len() - 1;
        let mut best = (self.made[steps].cost, None);
        let longest = best.0.size;
        for index in 0..tries {
            let first = random.index(steps);
            if self.made[first].decisions.is_empty() {
                continue;
            }
            let mut places: SmallVec<[usize; PLACES]> = SmallVec::new();
            let last = first + TOGETHER.min(steps - 1 - first);
            for _ in 0..random.index(PLACES) {
                places.push(first + random.index(last - first + 1));
            }
            let is_new = |at, _: &mut Random| at == first || places.contains(&at);
            let last = places.iter().copied().max().unwrap_or(first);
            let change = Change { first, last, after: AFTER, is_late: is_late(index, tries) };
            let Some((decisions, cost)) = self.changed(change, is_new, &mut random) else { continue };
            self.change(first, decisions, cost);
            let cost = self.made[steps].cost;
            if cost < best.0 && cost.size <= longest {
                best = (cost, Some(self.decisions()));
            }
        }
        if let (cost, Some(decisions)) = best
            && cost < self.made[steps].cost
        {
            let _ = self.replace(0, decisions);
        }
    }

    /// What was decided in all steps.
    fn decisions(&self) -> Vec<Decisions> {
        self.made[..self.made.len() - 1].iter().map(|own| own.decisions.clone()).collect()
    }

    /// Takes other decisions from a step on, which lead to where these steps led at this cost.
    fn change(&mut self, first: usize, decisions: Vec<Decisions>, cost: Cost) {
        let end = first + decisions.len();
        let before = self.made[end].cost;
        let _ = self.replace(first, decisions);
        for own in &mut self.made[end + 1..] {
            own.cost.cycles = own.cost.cycles + cost.cycles - before.cycles;
            own.cost.size = own.cost.size + cost.size - before.size;
        }
    }

    /// Other decisions from a step on, until all is where it was before, and the cost up to there; nothing where it takes more cycles,
    /// or in the end more instructions, or where nothing is another one.
    fn changed(
        &self,
        Change { first, last, after, is_late }: Change,
        is_new: impl Fn(usize, &mut Random) -> bool,
        random: &mut Random,
    ) -> Option<(Vec<Decisions>, Cost)> {
        let Made { state, cost, .. } = &self.made[first];
        let (mut state, mut cost) = (state.clone(), *cost);
        let mut changed = Vec::new();
        let mut differs = false;
        for (at, own) in self.made[..self.made.len() - 1].iter().enumerate().skip(first) {
            let mut picks = match is_new(at, random) {
                true => Picks::of(&[(); 4].map(|()| random.byte())),
                false => Picks::of(&own.decisions),
            };
            let mut step = Step::new(self.known, at, &mut state, &mut picks);
            step.take()?;
            cost = cost.and(&step);
            let decisions = picks.decisions();
            differs |= decisions != own.decisions;
            changed.push(decisions);
            let before = &self.made[at + 1];
            let behind = if at > last { after } else { BEHIND };
            if cost.cycles > before.cost.cycles + behind {
                return None;
            }
            if at >= last && state == before.state {
                break;
            }
        }
        let before = self.made[first + changed.len()].cost;
        let is_kept = if is_late { cost <= before } else { cost.cycles <= before.cycles };
        (differs && is_kept).then_some((changed, cost))
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
