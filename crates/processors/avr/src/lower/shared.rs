//! Three arrays on two pointers, where the convention keeps Y for itself.
//!
//! X belongs to one array. Z serves the other two: each has a pair of its own among R16 to R25 that holds
//! its pointer, its *home*, and MOVW copies the home to Z when the array changes, in one cycle and
//! without touching the carry. Adjustments are made to the home, at any place since the array's last
//! access where no carry waits.

use super::carry;
use super::pointers::{Assignment, Choice, FORBIDDEN, Steps, X, Z, accesses, adjust, instruction, plan};
use super::translate::Item;
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};
use rhomb_line::Array;

/// Registers that two homes take.
pub(super) const HOME_REGISTERS: usize = 4;

/// Cycles of an adjustment; a change of the array on Z takes one.
const ADJUSTMENT: u64 = 2;

/// Finds which array gets X, unless `on_x` says it, and the addressing modes of all accesses; `None` where a pointer would have to
/// move while a carry waits.
pub(super) fn assign(
    items: &[Item],
    length: usize,
    convention: &Convention,
    on_x: Option<Array>,
) -> Option<Assignment> {
    let live = carry::live(items);
    let alone = Array::ARGUMENTS.map(|array| {
        let adjustable = |at: usize, _: Option<usize>| !live[at];
        plan(&accesses(items, array, adjustable), length, Steps::UNDISPLACED)
    });
    let sharing = Array::ARGUMENTS.map(|array| {
        let adjustable = |at, last| place(&live, last, at).is_some();
        plan(&accesses(items, array, adjustable), length, Steps::IN_PLACE)
    });
    let cost = |on_x: usize| {
        let adjustments: u64 = (0..3)
            .map(|array| if array == on_x { &alone[array] } else { &sharing[array] })
            .map(|plan| u64::from(plan.adjustments))
            .sum();
        ADJUSTMENT * adjustments + changes(items, on_x)
    };
    let may = |array: &usize| on_x.is_none_or(|on_x| on_x as usize == *array);
    let (least, on_x) = (0..3).filter(may).map(|on_x| (cost(on_x), on_x)).min()?;
    if least >= u64::from(FORBIDDEN) {
        return None;
    }
    let mut plans = alone.into_iter().zip(sharing).enumerate();
    let choices = std::array::from_fn(|_| match plans.next() {
        Some((array, (alone, sharing))) => {
            if array == on_x {
                alone.choices
            } else {
                sharing.choices
            }
        }
        None => Vec::new(),
    });
    let pointers = std::array::from_fn(|array| if array == on_x { X } else { Z });
    Some(Assignment { pointers, homes: homes(on_x, convention), choices, arrays: 3 })
}

/// The addressing modes of other accesses with the same pointers; `None` where one would have to move
/// while a carry waits.
pub(super) fn again(items: &[Item], length: usize, before: &Assignment) -> Option<Assignment> {
    let live = carry::live(items);
    let plans = Array::ARGUMENTS.map(|array| {
        if before.homes[array as usize].is_none() {
            plan(&accesses(items, array, |at, _| !live[at]), length, Steps::UNDISPLACED)
        } else {
            let adjustable = |at, last| place(&live, last, at).is_some();
            plan(&accesses(items, array, adjustable), length, Steps::IN_PLACE)
        }
    });
    if plans.iter().map(|plan| u64::from(plan.adjustments)).sum::<u64>() >= u64::from(FORBIDDEN) {
        return None;
    }
    let choices = plans.map(|plan| plan.choices);
    Some(Assignment { pointers: before.pointers, homes: before.homes, choices, arrays: 3 })
}

/// How often Z must be loaded.
fn changes(items: &[Item], on_x: usize) -> u64 {
    let on_z = items.iter().filter_map(|item| match item {
        Item::Access(access) if access.array as usize != on_x => Some(access.array),
        _ => None,
    });
    let mut active = None;
    on_z.map(|array| u64::from(active.replace(array) != Some(array))).sum()
}

/// The latest item after `last` and up to `at` before which a pointer may be adjusted.
pub(super) fn place(live: &[bool], last: Option<usize>, at: usize) -> Option<usize> {
    (last.map_or(0, |last| last + 1)..=at).rev().find(|place| !live[*place])
}

/// Homes of the arrays that do not have a pointer alone: where their arguments arrive, unless that is X.
pub(super) fn homes(on_x: usize, convention: &Convention) -> [Option<u8>; 3] {
    let upper = [16u8, 18, 20, 22, 24];
    let is_argument = |pair: &u8| convention.arguments.contains(pair);
    let costly = |pair: &u8| convention.saved & (3 << pair) != 0;
    let mut others = upper.into_iter().filter(|pair| !is_argument(pair)).collect::<Vec<_>>();
    others.sort_by_key(costly);
    let mut others = others.into_iter();
    std::array::from_fn(|array| {
        let own = convention.arguments[array];
        match array {
            array if array == on_x => None,
            _ if upper.contains(&own) => Some(own),
            _ => others.next(),
        }
    })
}

/// Replaces all accesses.
pub(super) fn apply(items: &[Item], assignment: &Assignment) -> Vec<Instruction> {
    let live = carry::live(items);
    let mut moves: Vec<(usize, usize, i32)> = Vec::new();
    let (mut next, mut last) = ([0; 3], [None; 3]);
    let mut taken: Vec<Choice> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let Item::Access(access) = item else { continue };
        let array = access.array as usize;
        let choice = assignment.choices[array][next[array]];
        next[array] += 1;
        if choice.adjust != 0 {
            let place = assignment.homes[array].and_then(|_| place(&live, last[array], at)).unwrap_or(at);
            moves.push((place, array, choice.adjust));
        }
        last[array] = Some(at);
        taken.push(choice);
    }
    moves.sort_unstable();
    let (mut moves, mut taken) = (moves.into_iter().peekable(), taken.into_iter());
    let mut active = None;
    let mut program = Vec::with_capacity(items.len() + items.len() / 8);
    for (at, item) in items.iter().enumerate() {
        while let Some((_, array, by)) = moves.next_if(|(place, ..)| *place == at) {
            adjust(&mut program, assignment.homes[array].unwrap_or(assignment.pointers[array]), by);
            active = active.filter(|active| *active != array);
        }
        match item {
            Item::Code(instruction) => program.push(*instruction),
            Item::Access(access) => {
                let array = access.array as usize;
                let Some(choice) = taken.next() else { continue };
                if let Some(home) = assignment.homes[array]
                    && active.replace(array) != Some(array)
                {
                    program.push(Instruction::dr(Op::Movw, Z, home));
                }
                program.push(instruction(
                    assignment.pointers[array],
                    choice.mode,
                    access.register,
                    access.store,
                ));
            }
        }
    }
    program
}
