//! Three arrays on two pointers, where the convention keeps Y for itself.
//!
//! X belongs to one array. Z serves the other two: each has a pair of its own among R16 to R25 that holds
//! its pointer, its *home*, and MOVW copies the home to Z when the array changes, in one cycle and
//! without touching the carry. Adjustments are made to the home, at any place since the array's last
//! access where no carry waits.

use super::pointers::{Assignment, X, Z};
use super::translate::Item;
use crate::conventions::Convention;
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
    let may = |array: &usize| on_x.is_none_or(|on_x| on_x as usize == *array);
    let with_x = |on_x: usize| {
        let pointers = std::array::from_fn(|array| if array == on_x { X } else { Z });
        let (assignment, adjustments) =
            Assignment::of(pointers, homes(on_x, convention), 3).planned(items, length)?;
        Some((assignment, ADJUSTMENT * u64::from(adjustments) + changes(items, on_x)))
    };
    let fewest = (0..3).filter(may).filter_map(with_x).min_by_key(|(_, cost)| *cost);
    fewest.map(|(assignment, _)| assignment)
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
