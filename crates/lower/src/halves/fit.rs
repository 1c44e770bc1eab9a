//! Registers for a draft: of the states after each step the best are kept, with all decisions of the next one.

use super::state::{Known, LOW, Picks, State, Step};
use super::{Draft, Placed, Routine, Setting};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

/// The most decisions that are tried of one state.
const TRIES: usize = 24;

/// A step taken.
struct Taken {
    before: u32,
    code: SmallVec<[Placed; 4]>,
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
        let mut step = Step::new(known, at, state, &mut picks);
        step.take()?;
        cycles += step.cycles;
        if at + 1 == end {
            weight = step.weight(setting.weights);
        }
        state = step.state;
    }
    Some(16 * i64::from(cycles) + i64::from(weight))
}

fn fitted<const LOW: usize>(draft: &Draft, setting: &Setting) -> Option<Routine> {
    let known = Known::new(draft, setting);
    let mut taken = vec![Taken { before: 0, code: SmallVec::new() }];
    let mut states = vec![(0u32, 0u32, State::new(draft.arguments))];
    for at in 0..draft.ops.len() {
        let mut index: FxHashMap<State<LOW>, usize> = FxHashMap::default();
        // weight, cycles, step before, code
        let mut next: Vec<(i64, u32, u32, SmallVec<[Placed; 4]>)> = Vec::new();
        for (cycles, node, state) in &states {
            let mut picks = Picks::default();
            for _ in 0..TRIES {
                let mut step = Step::new(&known, at, state.clone(), &mut picks);
                if step.take().is_some() {
                    let cycles = cycles + step.cycles;
                    let weight = 16 * i64::from(cycles) + i64::from(step.weight(setting.weights));
                    let Step { state, code, .. } = step;
                    let place = *index.entry(state).or_insert(next.len());
                    if place == next.len() {
                        next.push((weight, cycles, *node, code));
                    } else if cycles < next[place].1 {
                        next[place] = (weight, cycles, *node, code);
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
            let (_, cycles, before, code) = std::mem::replace(&mut next[place], (0, 0, 0, SmallVec::new()));
            let node = match code.is_empty() {
                true => before,
                false => {
                    taken.push(Taken { before, code });
                    (taken.len() - 1) as u32
                }
            };
            states.extend(found[place].take().map(|state| (cycles, node, state)));
        }
    }
    let (cycles, mut node, _) = states.into_iter().min_by_key(|(cycles, ..)| *cycles)?;
    let mut steps = Vec::new();
    while node != 0 {
        steps.push(node);
        node = taken[node as usize].before;
    }
    let code: Vec<Placed> =
        steps.into_iter().rev().flat_map(|node| taken[node as usize].code.iter().copied()).collect();
    let word = |placed: &Placed| match *placed {
        Placed::Load { from: None, word, .. } | Placed::Store { to: None, word, .. } => usize::from(word) + 1,
        _ => 0,
    };
    let frame = code.iter().map(word).max().unwrap_or(0).max(draft.frame);
    Some(Routine { code, frame, cycles })
}
