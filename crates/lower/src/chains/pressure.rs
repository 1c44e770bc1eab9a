//! How many registers are needed where.

use super::script::{Op, Script};
use rhomb_line::Array;

/// The registers that each operation needs for the values that are there and those it makes, less the pointers
/// that are free by then.
pub(super) fn pressure(script: &Script) -> Vec<i32> {
    let last = script.last_reads();
    let ends = script.last_accesses();
    let (mut live, mut freed) = (0i32, 0);
    let mut list = Vec::with_capacity(script.ops.len());
    for (at, op) in script.ops.iter().enumerate() {
        let mut ending = 0;
        let mut seen = None;
        op.reads(|value| {
            ending += i32::from(last[value] == at && seen != Some(value));
            seen = Some(value);
        });
        let made = op.makes() as i32;
        let most = match op {
            // the register of one factor takes a word of the product
            Op::Multiply { a, b, .. } => live + made - i32::from(a != b && ending > 0),
            // some zero
            Op::StoreZero { .. } => live + 1,
            _ => live + made,
        };
        list.push(most - freed);
        live += made - ending;
        for array in [Array::A, Array::B] {
            freed += i32::from(ends[array as usize] == Some(at));
        }
    }
    list
}

/// The most registers that are needed at a time.
pub fn needed(script: &Script) -> usize {
    pressure(script).into_iter().max().unwrap_or(0).max(0) as usize
}
