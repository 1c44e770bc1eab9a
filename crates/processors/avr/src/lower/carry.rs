//! Where a carry is waiting.

use super::translate::Item;
use crate::instructions::flag;

/// For each item of a straight line, whether the carry flag that stands before it is read later.
/// There, nothing that changes the carry may be inserted.
pub(super) fn live(items: &[Item]) -> Vec<bool> {
    let mut after = false;
    let mut live = vec![false; items.len()];
    for (item, live) in items.iter().zip(&mut live).rev() {
        if let Item::Code(instruction) = item {
            let carry = 1 << flag::C;
            if instruction.flags_read() & carry != 0 {
                after = true;
            } else if instruction.flags_written() & carry != 0 {
                after = false;
            }
        }
        *live = after;
    }
    live
}
