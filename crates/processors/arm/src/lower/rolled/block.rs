//! Registers inside a block, with those at its borders in mind.
//!
//! Operand words of the pool have registers of their own. A word of the accumulator takes the register that is
//! wanted for it at the block's end if that is free, then or when it is added to; what is elsewhere at the end
//! is moved.

use crate::instructions::{Instruction, Register, Shifter};
use crate::lower::code;
use crate::lower::columns::allocate::{Allocator, Output};
use crate::lower::columns::line::{self, Op, Value};
use rhomb_kernel::Action;
use rhomb_line::Array;
use rhomb_lower::rolled::Words;
use rhomb_lower::{Access, Placed, moves};

/// An instruction, or an access that will become one.
pub(super) type Item = rhomb_lower::Item<Instruction>;

/// The registers of all blocks.
pub(super) struct Layout {
    /// Slots of operand words that stay from block to block, and their registers.
    pub(super) slots: Vec<usize>,
    pub(super) pool: Vec<Register>,
    /// Of the accumulator and of products.
    pub(super) others: Vec<Register>,
    /// Of the outer and the inner loop's counter; where there is but one for both, an outer counter waits on
    /// the stack.
    pub(super) counters: Vec<Register>,
    /// Of carries that wait, in the order of [`rhomb_kernel::Carry`]; none in a multiplication.
    pub(super) masks: Vec<Register>,
}

/// The items of a block, and where the accumulator's words are at its end. `None` where registers do not last.
pub(super) fn items(
    actions: &[Action],
    layout: &Layout,
    entry: Words,
    exit: Words,
) -> Option<(Vec<Item>, Vec<Register>)> {
    let block = line::block(actions, &layout.slots, !layout.masks.is_empty(), entry.places, exit.places);
    let code = Vec::with_capacity(block.line.ops.len());
    let mut allocator = Allocator::new(&block.line, layout.others.clone(), Symbolic(code));
    allocator.wants = vec![None; block.line.values];
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
        if allocator.last[*value] == 0 && !is_read_first(&block.line.ops, *value) {
            allocator.release(*value);
        }
    }
    for (at, op) in block.line.ops.iter().enumerate() {
        allocator.one(at, op)?;
    }
    let end = block.exit.iter().map(|value| allocator.of(*value)).collect::<Option<Vec<Register>>>()?;
    let Some(wanted) = exit.registers else { return Some((allocator.output.0, end)) };
    let outside = |register: &&Register| !end.contains(register) && !wanted.contains(register);
    for one in moves(&end, wanted, layout.others.iter().find(outside).copied(), false)? {
        if let Placed::Copy { to, from } = one {
            allocator.emit(code::mov(to, Shifter::plain(from)));
        }
    }
    Some((allocator.output.0, wanted.to_vec()))
}

fn is_read_first(ops: &[Op], value: Value) -> bool {
    let mut read = false;
    if let Some(op) = ops.first() {
        op.reads(|own| read |= own == value);
    }
    read
}

/// Items, whose accesses have no addressing mode yet.
struct Symbolic(Vec<Item>);

impl Output for Symbolic {
    fn code(&mut self, instruction: Instruction) {
        self.0.push(Item::Code(instruction));
    }

    fn access(&mut self, _: usize, op: &Op, registers: &[Register]) {
        let (array, index, store) = match op {
            Op::Load { array, index, .. } => (*array, *index, false),
            Op::Store { index, .. } | Op::StoreZero { index } => (Array::Result, *index, true),
            _ => return,
        };
        for (word, register) in registers.iter().enumerate() {
            self.0.push(Item::Access(Access { array, index: index + word, register: *register, store }));
        }
    }
}
