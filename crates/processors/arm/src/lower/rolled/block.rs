//! Registers inside a block, with those at its borders in mind.
//!
//! Operand words of the pool have registers of their own. A word of the accumulator takes the register that is
//! wanted for it at the block's end if that is free, then or when it is added to; what is elsewhere at the end
//! is moved.

use crate::instructions::{DataOp, Instruction, Register, Shifter};
use crate::lower::code;
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
    let mut last = block.line.last_reads();
    let mut wants = vec![None; block.line.values];
    for (at, value) in block.exit.iter().enumerate() {
        last[*value] = usize::MAX;
        wants[*value] = exit.registers.map(|registers| registers[at]);
    }
    let mut allocation = Allocation {
        order: &layout.others,
        free: layout.others.iter().fold(0, |set, register| set | 1 << register),
        zeros: 0,
        registers: vec![None; block.line.values],
        last,
        wants,
        items: Vec::with_capacity(block.line.ops.len()),
    };
    let masks = block.masks.iter().zip(&layout.masks);
    for (value, register) in block.pinned.iter().zip(&layout.pool).chain(masks) {
        allocation.last[*value] = usize::MAX;
        allocation.registers[*value] = Some(*register);
    }
    for (value, register) in block.entry.iter().zip(entry.registers.unwrap_or(&[])) {
        allocation.put(*value, *register);
    }
    // a word that nobody reads
    for value in &block.entry {
        if allocation.last[*value] == 0 && !allocation.is_read_first(&block.line.ops, *value) {
            allocation.release(*value);
        }
    }
    for (at, op) in block.line.ops.iter().enumerate() {
        allocation.one(at, op)?;
    }
    let mut end = Vec::with_capacity(block.exit.len());
    for value in &block.exit {
        end.push(allocation.registers[*value]?);
    }
    if let Some(wanted) = exit.registers {
        allocation.moves(&end, wanted)?;
        end = wanted.to_vec();
    }
    Some((allocation.items, end))
}

struct Allocation<'a> {
    order: &'a [Register],
    /// Registers without a value.
    free: u32,
    /// Those among them that hold zero.
    zeros: u32,
    registers: Vec<Option<Register>>,
    last: Vec<usize>,
    /// Registers that are wanted at the end.
    wants: Vec<Option<Register>>,
    items: Vec<Item>,
}

impl Allocation<'_> {
    fn is_read_first(&self, ops: &[Op], value: Value) -> bool {
        let mut read = false;
        if let Some(op) = ops.first() {
            op.reads(|own| read |= own == value);
        }
        read
    }

    fn of(&self, value: Value) -> Option<Register> {
        self.registers[value]
    }

    fn is_free(&self, register: Register) -> bool {
        self.free & 1 << register != 0
    }

    fn put(&mut self, value: Value, register: Register) {
        self.free &= !(1 << register);
        self.zeros &= !(1 << register);
        self.registers[value] = Some(register);
    }

    fn release(&mut self, value: Value) {
        if let Some(register) = self.registers[value] {
            self.free |= 1 << register;
        }
    }

    fn done(&mut self, value: Value, at: usize) {
        if self.last[value] <= at {
            self.release(value);
        }
    }

    /// The wanted register if it is free; else one that nobody wants; one that holds zero last.
    fn take(&mut self, value: Value) -> Option<Register> {
        let wanted = self.wants[value].filter(|register| self.is_free(*register));
        let any = || {
            let free = self.order.iter().copied().filter(|register| self.is_free(*register));
            free.min_by_key(|register| {
                (self.wants.contains(&Some(*register)), self.zeros & 1 << register != 0)
            })
        };
        let register = wanted.or_else(any)?;
        self.put(value, register);
        Some(register)
    }

    fn emit(&mut self, instruction: Instruction) {
        self.items.push(Item::Code(instruction));
    }

    /// Where the sum goes that a word becomes.
    fn target(&mut self, value: Value) -> Option<Register> {
        let old = self.of(value)?;
        match self.wants[value] {
            Some(wanted) if wanted != old && self.is_free(wanted) => {
                self.release(value);
                self.put(value, wanted);
                Some(wanted)
            }
            _ => Some(old),
        }
    }

    fn access(&mut self, load: bool, array: Array, index: usize, register: Register) {
        self.items.push(Item::Access(Access { array, index, register, store: !load }));
    }

    /// A free register other than `other` that holds zero, if there is one to be had.
    fn zero(&mut self, other: Option<Register>) -> Option<Register> {
        let free = |register: &Register| self.is_free(*register) && Some(*register) != other;
        let ready = |register: &Register| self.zeros & 1 << register != 0 && free(register);
        if let Some(register) = self.order.iter().copied().find(ready) {
            return Some(register);
        }
        let register = self.order.iter().copied().rev().find(free)?;
        self.zeros |= 1 << register;
        self.emit(code::mov(register, code::ZERO));
        Some(register)
    }

    fn one(&mut self, at: usize, op: &Op) -> Option<()> {
        match op {
            Op::Load { to, array, index } => {
                for (word, value) in to.iter().enumerate() {
                    let register = match self.of(*value) {
                        Some(register) => register,
                        None => self.take(*value)?,
                    };
                    self.access(true, *array, index + word, register);
                    self.done(*value, at);
                }
            }
            Op::Store { from, index } => {
                for (word, value) in from.iter().enumerate() {
                    self.access(false, Array::Result, index + word, self.of(*value)?);
                    self.done(*value, at);
                }
            }
            Op::StoreZero { index } => {
                let zero = self.zero(None)?;
                self.access(false, Array::Result, *index, zero);
            }
            Op::Multiply { low, high, a, b } => {
                // the register of Rs can take a word of the product, that of Rm cannot
                let ends = |value: Value| self.last[value] <= at;
                let (rm, rs) = if ends(*a) && !ends(*b) { (*b, *a) } else { (*a, *b) };
                let (first, second) = (self.of(rm)?, self.of(rs)?);
                if rs != rm {
                    self.done(rs, at);
                }
                let (low_register, high_register) = (self.take(*low)?, self.take(*high)?);
                self.done(rm, at);
                self.emit(code::umull(low_register, high_register, first, second));
                self.done(*low, at);
                self.done(*high, at);
            }
            Op::Add { to, value, carry_in, set } => {
                let (old, other) = (self.of(*to)?, self.of(*value)?);
                self.done(*value, at);
                let rd = self.target(*to)?;
                self.emit(code::add(*carry_in, *set, rd, old, Shifter::plain(other)));
                self.done(*to, at);
            }
            Op::AddNumber { to, number, carry_in, set } => {
                let old = self.of(*to)?;
                let rd = self.target(*to)?;
                let number = Shifter::Immediate { value: *number, rotation: 0 };
                self.emit(code::add(*carry_in, *set, rd, old, number));
                self.done(*to, at);
            }
            Op::Clear { to } => {
                let register = self.take(*to)?;
                self.emit(code::mov(register, code::ZERO));
                self.done(*to, at);
            }
            Op::Catch { to } => {
                let register = self.take(*to)?;
                let zero = self.zero(Some(register));
                if zero.is_none() {
                    self.emit(code::mov(register, code::ZERO));
                }
                self.emit(code::add(true, false, register, zero.unwrap_or(register), code::ZERO));
                self.done(*to, at);
            }
            Op::CatchLess { to, any } => {
                let any_register = self.of(*any)?;
                self.done(*any, at);
                let register = match self.of(*to) {
                    Some(register) => register,
                    None => self.take(*to)?,
                };
                self.emit(code::sub(true, false, register, any_register, Shifter::plain(any_register)));
                self.done(*to, at);
            }
            Op::Release { from } => {
                let register = self.of(*from)?;
                self.emit(code::data(DataOp::Rsb, true, register, register, code::ZERO));
                self.done(*from, at);
            }
            Op::Moved => {}
        }
        Some(())
    }

    /// Brings the word of each register in `from` to the one in `to`.
    fn moves(&mut self, from: &[Register], to: &[Register]) -> Option<()> {
        let outside = |register: &Register| !from.contains(register) && !to.contains(register);
        let spare = self.order.iter().copied().find(outside);
        for one in moves(from, to, spare, false)? {
            if let Placed::Copy { to, from } = one {
                self.emit(code::mov(to, Shifter::plain(from)));
            }
        }
        Some(())
    }
}
