//! Pointers and addressing modes.
//!
//! Each array gets one of X, Y and Z. For a given pointer, the addressing modes of all accesses and
//! the places of adjustments are found together, as a shortest path over the values that the pointer
//! can have: plain, post-increment and pre-decrement cost nothing, Y and Z reach 63 words upwards by
//! displacement, an adjustment costs one ADIW or SBIW (SUBI and SBCI for more than 63), and is possible
//! only where no carry waits. All six assignments of arrays to pointers are compared, so the number of
//! adjustments is the least possible for one pointer an array.

use super::carry;
use super::translate::{Array, Item};
use crate::instructions::{Instruction, Op};

pub(super) const X: u8 = 26;
pub(super) const Y: u8 = 28;
pub(super) const Z: u8 = 30;
/// Largest displacement of LDD and STD.
const REACH: usize = 63;

/// Addressing mode of one access.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    Displacement(usize),
    PostIncrement,
    PreDecrement,
}

/// One access: how far the pointer moves before it, and the mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Choice {
    adjust: i32,
    mode: Mode,
}

struct Plan {
    adjustments: u32,
    choices: Vec<Choice>,
}

/// Pointers and addressing modes of all accesses of a body.
pub(super) struct Assignment {
    /// Low registers of the pointers to the result, A and B.
    pub(super) pointers: [u8; 3],
    choices: [Vec<Choice>; 3],
}

/// Addressing modes for pointers that are given.
pub(super) fn assign_to(items: &[Item], length: usize, pointers: [u8; 3]) -> Assignment {
    let accesses = accesses(items);
    let choices = std::array::from_fn(|array| {
        let reach = if pointers[array] == X { 0 } else { REACH };
        plan(&accesses[array], length, reach).choices
    });
    Assignment { pointers, choices }
}

/// The accesses to result, A and B: index, and whether the pointer may be adjusted before.
fn accesses(items: &[Item]) -> [Vec<(usize, bool)>; 3] {
    let live = carry::live(items);
    [Array::Result, Array::A, Array::B].map(|array| {
        items
            .iter()
            .zip(&live)
            .filter_map(|(item, live)| match item {
                Item::Access(access) if access.array == array => Some((access.index, !live)),
                _ => None,
            })
            .collect()
    })
}

/// Finds the assignment with the fewest adjustments for arrays of at most `length` words. It depends on
/// the order of accesses and on where carries wait, not on the registers of the data.
pub(super) fn assign(items: &[Item], length: usize) -> Assignment {
    let plans = accesses(items).map(|accesses| [plan(&accesses, length, 0), plan(&accesses, length, REACH)]);
    // which array gets X, the pointer without displacement: result, A or B
    let cost =
        |on_x: usize| (0..3).map(|array| plans[array][usize::from(array != on_x)].adjustments).sum::<u32>();
    let on_x = [2, 1, 0].into_iter().min_by_key(|on_x| cost(*on_x)).unwrap_or(2);
    let mut displaced = [Z, Y].into_iter();
    let pointers = std::array::from_fn(|array| if array == on_x { X } else { displaced.next().unwrap_or(Z) });
    let mut array = 0;
    let choices = plans.map(|[plain, displaced]| {
        array += 1;
        if array - 1 == on_x { plain.choices } else { displaced.choices }
    });
    Assignment { pointers, choices }
}

/// Replaces all accesses.
pub(super) fn apply(items: &[Item], assignment: &Assignment) -> Vec<Instruction> {
    let mut next = [0; 3];
    let mut program = Vec::with_capacity(items.len() + items.len() / 16);
    for item in items {
        match item {
            Item::Code(instruction) => program.push(*instruction),
            Item::Access(access) => {
                let array = access.array as usize;
                let choice = assignment.choices[array][next[array]];
                next[array] += 1;
                let pointer = assignment.pointers[array];
                adjust(&mut program, pointer, choice.adjust);
                program.push(instruction(pointer, choice.mode, access.register, access.store));
            }
        }
    }
    program
}

fn adjust(program: &mut Vec<Instruction>, pointer: u8, by: i32) {
    match by {
        0 => {}
        1..=63 => program.push(Instruction::dk(Op::Adiw, pointer, by)),
        -63..=-1 => program.push(Instruction::dk(Op::Sbiw, pointer, -by)),
        _ => {
            let [low, high] = (-by as u16).to_le_bytes();
            program.push(Instruction::dk(Op::Subi, pointer, low.into()));
            program.push(Instruction::dk(Op::Sbci, pointer + 1, high.into()));
        }
    }
}

fn instruction(pointer: u8, mode: Mode, register: u8, store: bool) -> Instruction {
    use Op::*;
    // load and store for: displacement (X: plain), post-increment, pre-decrement
    let ops = match pointer {
        X => [(LdX, StX), (LdXInc, StXInc), (LdXDec, StXDec)],
        Y => [(LddY, StdY), (LdYInc, StYInc), (LdYDec, StYDec)],
        _ => [(LddZ, StdZ), (LdZInc, StZInc), (LdZDec, StZDec)],
    };
    let (index, k) = match mode {
        Mode::Displacement(places) => (0, places as i32),
        Mode::PostIncrement => (1, 0),
        Mode::PreDecrement => (2, 0),
    };
    let (load, put) = ops[index];
    if store { Instruction::rk(put, register, k) } else { Instruction::dk(load, register, k) }
}

/// The values that the pointer can have after an access.
struct Reached {
    /// The lowest of them.
    lowest: usize,
    /// The value before the access from which adjusting is cheapest.
    cheapest: usize,
    /// For each value from `lowest` on: the mode that leads to it, and whether an adjustment came first.
    by_value: Vec<(u8, bool)>,
}

/// The path with the fewest adjustments through `accesses` (index, and whether the pointer may be
/// adjusted before it) for a pointer that starts at 0 and reaches `reach` upwards. Where there is none
/// without an adjustment in a forbidden place, that adjustment is charged as if it cost all others.
fn plan(accesses: &[(usize, bool)], length: usize, reach: usize) -> Plan {
    const FAR: u32 = u32::MAX / 4;
    const FORBIDDEN: u32 = 1 << 20;
    // Values of the pointer after an access to `index`: index - reach ..= index + 1, never negative.
    let lowest = |index: usize| index.saturating_sub(reach);
    let mut cost = vec![FAR; length + 2];
    cost[0] = 0;
    let (mut from, mut to) = (0, 0); // values that have a cost
    let mut steps: Vec<Reached> = Vec::with_capacity(accesses.len());
    for (index, adjustable) in accesses {
        let index = *index;
        let cheapest = (from..=to).min_by_key(|value| cost[*value]).unwrap_or(0);
        let moved = cost[cheapest] + if *adjustable { 1 } else { FORBIDDEN };
        let low = lowest(index);
        let mut after = vec![(FAR, (0u8, false)); index + 2 - low];
        let mut offer = |value: usize, before: usize, mode: u8, cost: &[u32]| {
            let stay = if (from..=to).contains(&before) { cost[before] } else { FAR };
            let (price, adjusted) = if stay <= moved { (stay, false) } else { (moved, true) };
            if price < after[value - low].0 {
                after[value - low] = (price, (mode, adjusted));
            }
        };
        for value in low..=index {
            offer(value, value, 0, &cost);
        }
        offer(index + 1, index, 1, &cost);
        offer(index, index + 1, 2, &cost);
        cost[from..=to].fill(FAR);
        (from, to) = (low, index + 1);
        for (value, entry) in (low..).zip(&after) {
            cost[value] = entry.0;
        }
        let by_value = after.into_iter().map(|entry| entry.1).collect();
        steps.push(Reached { lowest: low, cheapest, by_value });
    }
    let mut value = (from..=to).min_by_key(|value| cost[*value]).unwrap_or(0);
    let adjustments = cost[value];
    let mut choices = Vec::with_capacity(accesses.len());
    for (step, (index, _)) in steps.iter().zip(accesses).rev() {
        let (mode, adjusted) = step.by_value[value - step.lowest];
        let (mode, before) = match mode {
            0 => (Mode::Displacement(index - value), value),
            1 => (Mode::PostIncrement, *index),
            _ => (Mode::PreDecrement, index + 1),
        };
        value = if adjusted { step.cheapest } else { before };
        choices.push(Choice { adjust: before as i32 - value as i32, mode });
    }
    choices.reverse();
    Plan { adjustments, choices }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn adjustments(accesses: &[usize], reach: usize) -> u32 {
        let accesses: Vec<_> = accesses.iter().map(|index| (*index, true)).collect();
        let length = accesses.iter().map(|access| access.0).max().unwrap_or(0) + 1;
        let plan = plan(&accesses, length, reach);
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
    fn runs_need_no_adjustment() {
        assert_eq!(adjustments(&[0, 1, 2, 3], 0), 0);
        assert_eq!(adjustments(&[0, 1, 2, 1, 0, 0, 1], 0), 0);
        assert_eq!(adjustments(&[0, 2, 1], 0), 1);
        assert_eq!(adjustments(&[3, 2, 1], 0), 1);
        assert_eq!(adjustments(&[0, 63, 20], REACH), 0);
        assert_eq!(adjustments(&[0, 65, 20], REACH), 1);
        // post-increment at 0 brings 64 within reach
        assert_eq!(adjustments(&[0, 64, 20], REACH), 0);
        assert_eq!(adjustments(&[0, 1, 64, 20], REACH), 0);
        assert_eq!(adjustments(&[0, 200, 0, 200], REACH), 3);
    }
}
