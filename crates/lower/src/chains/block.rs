//! Registers inside a block, with those at its borders in mind.
//!
//! Operand words of the pool have registers of their own. A word of the accumulator takes the register that is
//! wanted for it at the block's end if that is free, then or when it is added to; what is elsewhere at the end
//! is moved.

use super::allocate::{Allocator, Calculation};
use super::script::{Op, Value, block};
use crate::file::Register;
use crate::item::Item;
use crate::moves::moves;
use crate::placed::Placed;
use crate::rolled::Words;
use rhomb_kernel::Action;

/// The registers of all blocks.
#[derive(Clone, Debug)]
pub struct Layout {
    /// Slots of operand words that stay from block to block.
    pub slots: Vec<usize>,
    /// Those registers.
    pub pool: Vec<Register>,
    /// Of the accumulator and of products.
    pub others: Vec<Register>,
    /// Of the outer and the inner loop's counter; where there is but one for both, an outer counter waits on
    /// the stack.
    pub counters: Vec<Register>,
    /// Of carries that wait, in the order of [`rhomb_kernel::Carry`]; none in a multiplication.
    pub masks: Vec<Register>,
}

/// The items of a block, and where the accumulator's words are at its end; `calculation` gives instructions. `None` where
/// registers do not last.
pub fn items<I>(
    actions: &[Action],
    layout: &Layout,
    (entry, exit): (Words, Words),
    calculation: impl Fn(Calculation) -> I,
) -> Option<(Vec<Item<I>>, Vec<Register>)> {
    let block = block(actions, &layout.slots, !layout.masks.is_empty(), entry.places, exit.places);
    let mut allocator = Allocator::new(&block.script, layout.others.clone(), calculation);
    allocator.wants = vec![None; block.script.values];
    for (at, value) in block.exit.iter().enumerate() {
        allocator.last[*value] = usize::MAX;
        allocator.wants[*value] = exit.registers.map(|registers| registers[at]);
    }
    let masks = block.masks.iter().zip(&layout.masks);
    for (value, register) in block.pinned.iter().zip(&layout.pool).chain(masks) {
        allocator.last[*value] = usize::MAX;
        allocator.put(*value, *register);
    }
    for (value, register) in block.entry.iter().zip(entry.registers.unwrap_or(&[])) {
        allocator.put(*value, *register);
    }
    // a word that nobody reads
    for value in &block.entry {
        if allocator.last[*value] == 0 && !is_read_first(&block.script.ops, *value) {
            allocator.release(*value);
        }
    }
    for (at, op) in block.script.ops.iter().enumerate() {
        allocator.one(at, op)?;
    }
    let end = block.exit.iter().map(|value| allocator.of(*value)).collect::<Option<Vec<Register>>>()?;
    let Some(wanted) = exit.registers else { return Some((allocator.items, end)) };
    let outside = |register: &&Register| !end.contains(register) && !wanted.contains(register);
    for one in moves(&end, wanted, layout.others.iter().find(outside).copied(), false)? {
        if let Placed::Copy { to, from } = one {
            allocator.emit(Calculation::Copy { to, from });
        }
    }
    Some((allocator.items, wanted.to_vec()))
}

fn is_read_first(ops: &[Op], value: Value) -> bool {
    let mut read = false;
    if let Some(op) = ops.first() {
        op.reads(|own| read |= own == value);
    }
    read
}
