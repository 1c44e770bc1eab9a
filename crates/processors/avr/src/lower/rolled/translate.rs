//! A block's actions to instructions; memory accesses stay symbolic until pointers are assigned.

use super::layout::Layout;
use crate::instructions::{Instruction, Op};
use crate::lower::translate::{HIGH, Item, LOW};
use rhomb_kernel::{AccumulatorWord, Action, Operand, Source};
use rhomb_line::Array;
use rhomb_lower::Access;
use rhomb_lower::rolled::{Allocation, Zero};

/// `slots` is the size of the operand pool; the slots after it are R0 and R1.
pub(super) fn translate(
    actions: &[Action],
    layout: &Layout,
    slots: usize,
    allocation: &mut Allocation,
) -> Vec<Item> {
    let mut items = Vec::with_capacity(actions.len() * 2);
    for action in actions {
        one(action, layout, slots, allocation, &mut items);
    }
    items
}

fn one(action: &Action, layout: &Layout, slots: usize, allocation: &mut Allocation, items: &mut Vec<Item>) {
    let access = |array, index, register, store| Item::Access(Access { array, index, register, store });
    let code = |op, d, r| Item::Code(Instruction::dr(op, d, r));
    let operand_register = |slot: usize| match slot.checked_sub(slots) {
        None => layout.pool[slot],
        Some(0) => LOW,
        Some(_) => HIGH,
    };
    match *action {
        Action::Load { slot, operand } => {
            let (array, index) = match operand {
                Operand::A(i) => (Array::A, i),
                Operand::B(j) => (Array::B, j),
            };
            items.push(access(array, index, operand_register(slot), false));
        }
        Action::Multiply { a, b, .. } => items.push(code(Op::Mul, operand_register(a), operand_register(b))),
        Action::PlaceProduct { low, high } => {
            let [low, high] = allocation.take_product(low, high);
            if low % 2 == 0 && high == low + 1 {
                items.push(code(Op::Movw, low, LOW));
            } else {
                items.push(code(Op::Mov, low, LOW));
                items.push(code(Op::Mov, high, HIGH));
            }
        }
        Action::Place { to, source } => match source {
            Source::ProductLow => items.push(code(Op::Mov, allocation.take(to), LOW)),
            Source::ProductHigh => items.push(code(Op::Mov, allocation.take(to), HIGH)),
            Source::Result(column) => items.push(access(Array::Result, column, allocation.take(to), false)),
            Source::Accumulator(from) => allocation.rename(from, to),
            Source::Zero => {
                let register = allocation.take(to);
                items.push(code(Op::Eor, register, register));
            }
        },
        Action::Clear { to, .. } => {
            // EOR and MOVW keep the carry
            let (zero, register) = allocation.take_zero(to);
            match zero {
                Zero::There => {}
                Zero::Clear => items.push(code(Op::Eor, register, register)),
                Zero::ClearPair => items.push(code(Op::Movw, register & !1, layout.zeros[0])),
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
                Source::Accumulator(from) => allocation.release(from),
                Source::Zero => layout.zeros[0],
            };
            items.push(code(if carry_in { Op::Adc } else { Op::Add }, allocation.of(to), from));
        }
        Action::Store { column, .. } => {
            let register = allocation.release(AccumulatorWord::Column(column));
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
    }
}
