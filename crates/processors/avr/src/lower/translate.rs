//! Actions to instructions; memory accesses stay symbolic until pointers are assigned.

use super::registers::{Allocation, Layout};
use crate::instructions::{Instruction, Op};
use rhomb_kernel::{Action, Operand, Place, Source};

/// The result and the operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Array {
    Result,
    A,
    B,
}

/// A word of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Access {
    pub(super) array: Array,
    pub(super) index: usize,
    pub(super) register: u8,
    pub(super) store: bool,
}

/// An instruction, or an access that will become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Item {
    Code(Instruction),
    Access(Access),
}

/// Registers of the last product.
const LOW: u8 = 0;
const HIGH: u8 = 1;

/// `slots` is the size of the operand pool; the slots after it are R0 and R1.
pub(super) fn translate(actions: &[Action], layout: &Layout, slots: usize) -> Vec<Item> {
    let mut allocation = Allocation::new(layout);
    let mut items = Vec::with_capacity(actions.len() * 2);
    for action in actions {
        one(action, layout, slots, &mut allocation, &mut items);
    }
    items
}

fn one(action: &Action, layout: &Layout, slots: usize, allocation: &mut Allocation, items: &mut Vec<Item>) {
    let access = |array, index, register, store| Item::Access(Access { array, index, register, store });
    let code = |op, d, r| Item::Code(Instruction::dr(op, d, r));
    let operand_register = |slot: usize, allocation: &Allocation| match slot.checked_sub(slots) {
        None => allocation.slot(slot),
        Some(0) => LOW,
        Some(_) => HIGH,
    };
    match *action {
        Action::Load { slot, operand } => {
            let dynamic = slot >= layout.pool.len() && slot < slots;
            let register =
                if dynamic { allocation.take_slot(slot) } else { operand_register(slot, allocation) };
            let (array, index) = match operand {
                Operand::A(i) => (Array::A, i),
                Operand::B(j) => (Array::B, j),
            };
            items.push(access(array, index, register, false));
        }
        Action::Multiply { a, b, .. } => {
            let (a, b) = (operand_register(a, allocation), operand_register(b, allocation));
            items.push(code(Op::Mul, a, b));
        }
        Action::PlaceProduct { low, high } => match allocation.take_pair(low, high) {
            Some(even) => items.push(code(Op::Movw, even, LOW)),
            None => {
                items.push(code(Op::Mov, allocation.take(low), LOW));
                items.push(code(Op::Mov, allocation.take(high), HIGH));
            }
        },
        Action::Place { to, source } => match source {
            Source::ProductLow => items.push(code(Op::Mov, allocation.take(to), LOW)),
            Source::ProductHigh => items.push(code(Op::Mov, allocation.take(to), HIGH)),
            Source::Result(column) => items.push(access(Array::Result, column, allocation.take(to), false)),
            Source::Place(from) => allocation.rename(from, to),
            Source::Zero => {
                let register = allocation.take(to);
                items.push(code(Op::Eor, register, register));
            }
        },
        Action::Clear { to, .. } => {
            // EOR and MOVW keep the carry
            if allocation.take_cleared(to).is_none() {
                let pair = if layout.zeros.len() == 2 { allocation.take_half_pair(to) } else { None };
                match pair {
                    Some(even) => items.push(code(Op::Movw, even, layout.zeros[0])),
                    None => {
                        let register = allocation.take(to);
                        items.push(code(Op::Eor, register, register));
                    }
                }
            }
        }
        Action::Add { to, source, carry_in, .. } => {
            let from = match source {
                Source::ProductLow => LOW,
                Source::ProductHigh => HIGH,
                Source::Result(column) => {
                    items.push(access(Array::Result, column, LOW, false)); // LD keeps the carry
                    LOW
                }
                Source::Place(from) => allocation.release(from),
                Source::Zero => layout.zeros[0],
            };
            items.push(code(if carry_in { Op::Adc } else { Op::Add }, allocation.of(to), from));
        }
        Action::Store { column, .. } => {
            let register = allocation.release(Place::Word(column));
            items.push(access(Array::Result, column, register, true));
        }
        Action::StoreZero { column, .. } => items.push(access(Array::Result, column, layout.zeros[0], true)),
        Action::Drop { place } => {
            allocation.release(place);
        }
        Action::Double { to, carry_in, .. } => {
            let register = allocation.of(to);
            items.push(code(if carry_in { Op::Adc } else { Op::Add }, register, register));
        }
        Action::Park { carry } => items.push(code(Op::Sbc, layout.mask(carry), layout.mask(carry))),
        Action::Restore { carry } => items.push(code(Op::Add, layout.mask(carry), layout.mask(carry))),
        Action::Release { slot } => allocation.release_slot(slot),
    }
}
