//! Pointers and addressing modes.
//!
//! Each array gets one of X, Y and Z. For a given pointer, the addressing modes of all accesses and
//! the places of adjustments are found together, as a shortest path over the values that the pointer
//! can have: plain, post-increment and pre-decrement cost nothing, Y and Z reach 63 words upwards by
//! displacement, an adjustment costs one ADIW or SBIW (SUBI and SBCI for more than 63), and is possible
//! only where no carry waits. All six assignments of arrays to pointers are compared, so the number of
//! adjustments is the least possible for one pointer an array. Where the convention keeps Y for itself,
//! `shared` does the same with two pointers.

use super::carry;
use super::translate::Item;
use crate::assembler::moved;
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};
use rhomb_line::Array;
use rhomb_lower::pointer::{Choice, FORBIDDEN, Mode, Steps, plan};

pub(super) use crate::assembler::{X, Y, Z};

/// Largest displacement of LDD and STD.
const REACH: usize = 63;
/// With X.
pub(super) const UNDISPLACED: Steps = Steps { reach: 0, moving: true };
/// With Y or Z.
pub(super) const DISPLACED: Steps = Steps { reach: REACH, moving: true };
/// With a copy of a pointer, which is lost.
const IN_PLACE: Steps = Steps { reach: REACH, moving: false };

/// Pointers, and the addressing modes of all accesses of a body.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    /// Low registers of the pointers to the result, A and B.
    pub(super) pointers: [u8; 3],
    /// Low registers of the pairs that hold the pointers of arrays that share one.
    pub(super) homes: [Option<u8>; 3],
    pub(super) choices: [Vec<Choice>; 3],
    /// How many of the arrays there are.
    pub(super) arrays: usize,
    /// Whether pointers may move earlier than right before an access; homes may in any case.
    early: bool,
}

impl Assignment {
    /// Pointers without accesses.
    pub(super) fn of(pointers: [u8; 3], homes: [Option<u8>; 3], arrays: usize) -> Assignment {
        Assignment { pointers, homes, choices: [const { Vec::new() }; 3], arrays, early: false }
    }

    /// The same, where pointers may move at any place since the array's last access.
    pub(super) fn early(pointers: [u8; 3], arrays: usize) -> Assignment {
        Assignment { early: true, ..Assignment::of(pointers, [None; 3], arrays) }
    }

    /// Registers that nothing but an array's accesses need, by array.
    pub(super) fn own_registers(&self) -> [u32; 3] {
        std::array::from_fn(|array| {
            if array >= self.arrays {
                return 0;
            }
            let pointer = self.pointers[array];
            let shared = self.pointers[..self.arrays].iter().filter(|other| **other == pointer).count() > 1;
            match self.homes[array] {
                Some(home) => 3 << home,
                None if shared => 0,
                None => 3 << pointer,
            }
        })
    }

    /// The latest item up to `at`, where an access to an array stands whose last one is `last`, before which its pointer may
    /// be adjusted.
    fn place(&self, array: usize, live: &[bool], last: Option<usize>, at: usize) -> Option<usize> {
        let first =
            if self.early || self.homes[array].is_some() { last.map_or(0, |last| last + 1) } else { at };
        (first..=at).rev().find(|place| !live[*place])
    }

    /// The addressing modes with the fewest adjustments of accesses to arrays of at most `length` words, and how many
    /// adjustments these are; `None` where a pointer would have to move while a carry waits. They depend on the order of
    /// accesses and on where carries wait, not on the registers of the data.
    pub(super) fn planned(&self, items: &[Item], length: usize) -> Option<(Assignment, u32)> {
        let live = carry::live(items);
        let mut adjustments = 0u32;
        let choices = Array::ARGUMENTS.map(|array| {
            let index = array as usize;
            let steps = match (self.homes[index], self.pointers[index]) {
                (Some(_), _) => IN_PLACE,
                (None, X) => UNDISPLACED,
                (None, _) => DISPLACED,
            };
            let may = |at: usize, last: Option<usize>| self.place(index, &live, last, at).is_some();
            let plan = plan(&accesses(items, array, may), length, steps);
            adjustments = adjustments.saturating_add(plan.adjustments);
            plan.choices
        });
        (adjustments < FORBIDDEN).then(|| (Assignment { choices, ..self.clone() }, adjustments))
    }

    /// The same for other accesses.
    pub(super) fn again(&self, items: &[Item], length: usize) -> Option<Assignment> {
        self.planned(items, length).map(|(assignment, _)| assignment)
    }

    /// The moves that bring the arguments where they belong, in this order: (to, from).
    pub(super) fn moves(&self, convention: &Convention) -> Vec<(u8, u8)> {
        let places = (0..self.arrays).map(|array| (self.homes[array].unwrap_or(self.pointers[array]), array));
        let mut moves: Vec<(u8, u8)> =
            places.map(|(place, array)| (place, convention.arguments[array])).collect();
        if convention.arguments.contains(&X) {
            // what arrives in X leaves first
            moves.sort_by_key(|(place, _)| *place == X);
        }
        moves.retain(|(place, argument)| place != argument);
        moves
    }
}

/// The accesses to an array: index, and whether the pointer may be adjusted before it, by the access's
/// place among all items and that of the array's access before it.
pub(super) fn accesses(
    items: &[Item],
    array: Array,
    adjustable: impl Fn(usize, Option<usize>) -> bool,
) -> Vec<(usize, bool)> {
    let mut last = None;
    let mut list = Vec::new();
    for (at, item) in items.iter().enumerate() {
        if let Item::Access(access) = item
            && access.array == array
        {
            list.push((access.index, adjustable(at, last)));
            last = Some(at);
        }
    }
    list
}

/// Finds the assignment with the fewest adjustments for arrays of at most `length` words. With `on_x` X gets that array.
pub(super) fn assign(items: &[Item], length: usize, on_x: Option<Array>) -> Option<Assignment> {
    // which array gets X, the pointer without displacement: result, A or B
    let with_x = |on_x: usize| {
        let mut displaced = [Z, Y].into_iter();
        let pointers =
            std::array::from_fn(|array| if array == on_x { X } else { displaced.next().unwrap_or(Z) });
        Assignment::of(pointers, [None; 3], 3).planned(items, length)
    };
    let all = [2, 1, 0].into_iter().filter(|array| on_x.is_none_or(|on_x| on_x as usize == *array));
    let fewest = all.filter_map(with_x).min_by_key(|(_, adjustments)| *adjustments);
    fewest.map(|(assignment, _)| assignment)
}

/// Replaces all accesses. Where arrays share a pointer, MOVW copies a home to it when the array changes.
pub(super) fn apply(items: &[Item], assignment: &Assignment) -> Vec<Instruction> {
    let Assignment { pointers, homes, choices, early, .. } = assignment;
    let live = carry::live(items);
    let mut adjustments: Vec<(usize, usize, usize, i32)> = Vec::new();
    let (mut next, mut last) = ([0; 3], [None; 3]);
    for (at, item) in items.iter().enumerate() {
        let Item::Access(access) = item else { continue };
        let array = access.array as usize;
        let Choice { adjust, .. } = choices[array][next[array]];
        if adjust != 0 {
            let place = assignment.place(array, &live, last[array], at).unwrap_or(at);
            let order = if *early { usize::from(pointers[array]) } else { array };
            adjustments.push((place, order, array, adjust));
        }
        next[array] += 1;
        last[array] = Some(at);
    }
    adjustments.sort_unstable();
    let mut adjustments = adjustments.into_iter().peekable();
    next = [0; 3];
    let mut active = None;
    let mut program = Vec::with_capacity(items.len() + items.len() / 8);
    for (at, item) in items.iter().enumerate() {
        while let Some((.., array, by)) = adjustments.next_if(|(place, ..)| *place == at) {
            program.extend(moved(homes[array].unwrap_or(pointers[array]), by));
            active = active.filter(|active| *active != array);
        }
        match item {
            Item::Code(instruction) => program.push(*instruction),
            Item::Access(access) => {
                let array = access.array as usize;
                let Choice { mode, .. } = choices[array][next[array]];
                next[array] += 1;
                if let Some(home) = homes[array]
                    && active.replace(array) != Some(array)
                {
                    program.push(Instruction::dr(Op::Movw, pointers[array], home));
                }
                program.push(instruction(pointers[array], mode, access.register, access.store));
            }
        }
    }
    program
}

/// An access as an instruction.
pub(super) fn instruction(pointer: u8, mode: Mode, register: u8, store: bool) -> Instruction {
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
