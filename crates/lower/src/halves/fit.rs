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
        order.truncate(setting.width);
        let mut found: Vec<Option<State<LOW>>> = vec![None; next.len()];
        for (state, place) in index {
            found[place] = Some(state);
        }
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
