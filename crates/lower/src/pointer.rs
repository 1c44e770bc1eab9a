//! The addressing modes of a pointer's accesses, as a shortest path over the values that it can have: plain, with a
//! displacement, with a step behind or before.

/// What an adjustment costs where none is possible.
pub const FORBIDDEN: u32 = 1 << 20;

/// Addressing mode of one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// So many words above the pointer, which stays.
    Displacement(usize),
    /// At the pointer, which then moves up by a word.
    PostIncrement,
    /// A word below the pointer, which moves there before.
    PreDecrement,
}

/// One access: how far the pointer moves before it, and the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "said above")]
pub struct Choice {
    pub adjust: i32,
    pub mode: Mode,
}

/// The way of a pointer through its accesses.
#[derive(Clone, Debug)]
pub struct Plan {
    /// How often it is adjusted.
    pub adjustments: u32,
    /// By access.
    pub choices: Vec<Choice>,
    /// How far it moves after the last access.
    pub last: i32,
    /// Where it is then.
    pub end: usize,
}

/// What an access can do.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    /// Largest displacement.
    pub reach: usize,
    /// Whether it can move the pointer.
    pub moving: bool,
}

/// The values that the pointer can have after an access.
struct Reached {
    /// The lowest of them.
    lowest: usize,
    /// The value before the access from which adjusting is cheapest.
    cheapest: usize,
    /// Where the steps to these values begin.
    first: usize,
}

/// How a value is reached: the mode, and whether an adjustment came first.
#[derive(Clone, Copy)]
struct Step {
    mode: u8,
    adjusted: bool,
}

/// The path with the fewest adjustments through `accesses` (index, and whether the pointer may be
/// adjusted before it) for a pointer that starts at 0. Where there is none without an adjustment in a
/// forbidden place, that adjustment is charged as if it cost all others.
pub fn plan(accesses: &[(usize, bool)], length: usize, steps: Steps) -> Plan {
    plan_between(accesses, 0, None, length, steps)
}

/// The same for a pointer that starts at `start`, and ends at `end` if that is given; `length` is no less
/// than either.
pub fn plan_between(
    accesses: &[(usize, bool)],
    start: usize,
    end: Option<usize>,
    length: usize,
    steps: Steps,
) -> Plan {
    let Steps { reach, moving } = steps;
    const FAR: u32 = u32::MAX / 4;
    // Values of the pointer after an access to `index`: index - reach ..= index + 1, never negative. All others cost FAR.
    let mut cost = vec![FAR; length + 2];
    cost[start] = 0;
    let (mut from, mut to) = (start, start); // values that have a cost
    let mut reached: Vec<Reached> = Vec::with_capacity(accesses.len());
    let mut by_value: Vec<Step> = Vec::new();
    for (index, adjustable) in accesses {
        let index = *index;
        let least = cost[from..=to].iter().copied().min().unwrap_or(FAR);
        let cheapest = (from..=to).find(|value| cost[*value] == least).unwrap_or(0);
        // however many are forbidden
        let moved = (least + if *adjustable { 1 } else { FORBIDDEN }).min(FAR - 1);
        let taken = |cost: u32| (cost.min(moved), cost > moved);
        let low = index.saturating_sub(reach);
        let [up, down] = [index, index + 1].map(|value| taken(cost[value]));
        if from < low {
            cost[from..low.min(to + 1)].fill(FAR);
        }
        if to > index + 1 {
            cost[index + 2..=to].fill(FAR);
        }
        let first = by_value.len();
        reached.push(Reached { lowest: low, cheapest, first });
        by_value.extend(cost[low..=index].iter_mut().map(|own| {
            let (price, adjusted) = taken(*own);
            *own = price;
            Step { mode: 0, adjusted }
        }));
        cost[index + 1] = if moving { up.0 } else { FAR };
        by_value.push(Step { mode: 1, adjusted: moving && up.1 });
        if moving && down.0 < cost[index] {
            cost[index] = down.0;
            by_value[first + index - low] = Step { mode: 2, adjusted: down.1 };
        }
        (from, to) = (low, index + 1);
    }
    let total = |value: usize| cost[value] + u32::from(end.is_some_and(|end| end != value));
    let mut value = (from..=to).min_by_key(|value| total(*value)).unwrap_or(start);
    let adjustments = total(value);
    let end = end.unwrap_or(value);
    let last = end as i32 - value as i32;
    let mut choices = Vec::with_capacity(accesses.len());
    for (step, (index, _)) in reached.iter().zip(accesses).rev() {
        let Step { mode, adjusted } = by_value[step.first + value - step.lowest];
        let (mode, before) = match mode {
            0 => (Mode::Displacement(index - value), value),
            1 => (Mode::PostIncrement, *index),
            _ => (Mode::PreDecrement, index + 1),
        };
        value = if adjusted { step.cheapest } else { before };
        choices.push(Choice { adjust: before as i32 - value as i32, mode });
    }
    choices.reverse();
    Plan { adjustments, choices, last, end }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UNDISPLACED: Steps = Steps { reach: 0, moving: true };
    const DISPLACED: Steps = Steps { reach: 63, moving: true };
    const IN_PLACE: Steps = Steps { reach: 63, moving: false };

    fn adjustments(accesses: &[usize], steps: Steps) -> u32 {
        let accesses: Vec<_> = accesses.iter().map(|index| (*index, true)).collect();
        let length = accesses.iter().map(|access| access.0).max().unwrap_or(0) + 1;
        let plan = plan(&accesses, length, steps);
        // the plan's own arithmetic must arrive at each access
        let (mut pointer, mut moved) = (0i32, 0);
        for (choice, (index, _)) in plan.choices.iter().zip(&accesses) {
            moved += u32::from(choice.adjust != 0);
            pointer += choice.adjust;
            let address = match choice.mode {
                Mode::Displacement(places) => pointer + places as i32,
                Mode::PostIncrement => {
                    pointer += 1;
                    pointer - 1
                }
                Mode::PreDecrement => {
                    pointer -= 1;
                    pointer
                }
            };
            assert_eq!(address, *index as i32);
        }
        assert_eq!(moved, plan.adjustments);
        plan.adjustments
    }

    #[test]
    fn nothing_that_is_possible_is_still_a_path() {
        let accesses: Vec<_> = (0..3000).map(|at| (at % 2 * 9, false)).collect();
        assert!(plan(&accesses, 10, UNDISPLACED).adjustments > 1000 * FORBIDDEN);
    }

    #[test]
    fn runs_need_no_adjustment() {
        assert_eq!(adjustments(&[0, 1, 2, 3], UNDISPLACED), 0);
        assert_eq!(adjustments(&[0, 1, 2, 1, 0, 0, 1], UNDISPLACED), 0);
        assert_eq!(adjustments(&[0, 2, 1], UNDISPLACED), 1);
        assert_eq!(adjustments(&[3, 2, 1], UNDISPLACED), 1);
        assert_eq!(adjustments(&[0, 63, 20], DISPLACED), 0);
        assert_eq!(adjustments(&[0, 65, 20], DISPLACED), 1);
        // post-increment at 0 brings 64 within reach
        assert_eq!(adjustments(&[0, 64, 20], DISPLACED), 0);
        assert_eq!(adjustments(&[0, 1, 64, 20], DISPLACED), 0);
        assert_eq!(adjustments(&[0, 200, 0, 200], DISPLACED), 3);
        // a copy cannot move
        assert_eq!(adjustments(&[0, 63, 20], IN_PLACE), 0);
        assert_eq!(adjustments(&[0, 64, 20], IN_PLACE), 1);
    }
}
