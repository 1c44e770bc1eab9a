//! Actions to instructions; memory accesses stay symbolic until pointers are assigned.

use super::PASSING;
use super::registers::{Allocation, Clearing, Layout};
use crate::instructions::{Instruction, Op};
use rhomb_kernel::{AccumulatorWord, Action, Carry, Operand, Source};
use rhomb_line::Array;
use rhomb_lower::Access;

/// An instruction, or an access that will become one.
pub(super) type Item = rhomb_lower::Item<Instruction>;

/// Registers of the last product.
pub(super) const LOW: u8 = 0;
pub(super) const HIGH: u8 = 1;

/// What the registers of a straight line depend on.
pub(super) struct Liveness<'a> {
    pub(super) actions: &'a [Action],
    /// For each load, the action that uses the word last.
    pub(super) uses: &'a [Option<usize>],
    /// Size of the operand pool; the slots after it are R0 and R1.
    pub(super) slots: usize,
}

impl Liveness<'_> {
    /// The actions that access an array last, by array.
    fn last_accesses(&self) -> [Option<usize>; 3] {
        let mut last = [None; 3];
        for (at, action) in self.actions.iter().enumerate() {
            match action {
                Action::Load { operand: Operand::A(_), .. } => last[Array::A as usize] = Some(at),
                Action::Load { operand: Operand::B(_), .. } => last[Array::B as usize] = Some(at),
                _ => {}
            }
        }
        last
    }
}

/// `pointers` are the registers that only an array's accesses need, by array; they join the others after
/// the last one.
pub(super) fn translate(line: &Liveness, layout: &Layout, pointers: [u32; 3]) -> Vec<Item> {
    let last = line.last_accesses();
    let mut translator = Translator {
        zero: layout.zero,
        masks: layout.masks,
        slots: line.slots,
        allocation: Allocation::new(layout),
        operands: vec![None; line.slots + PASSING],
        clears: line.actions.iter().filter(|action| clears(action)).count(),
        items: Vec::with_capacity(line.actions.len() * 2),
    };
    for (at, (action, end)) in line.actions.iter().zip(line.uses).enumerate() {
        translator.one(action, at, *end);
        for (last, pointer) in last.iter().zip(pointers) {
            if *last == Some(at) {
                translator.allocation.join(pointer);
            }
        }
    }
    translator.items
}

/// An operand word in a register, and the action that uses it last.
#[derive(Clone, Copy)]
struct Held {
    operand: Operand,
    register: u8,
    end: usize,
}

/// Whether a word becomes zero.
fn clears(action: &Action) -> bool {
    matches!(action, Action::Clear { .. } | Action::Place { source: Source::Zero, .. })
}

struct Translator {
    zero: u8,
    masks: [u8; 2],
    slots: usize,
    allocation: Allocation,
    /// The pool's words, by slot.
    operands: Vec<Option<Held>>,
    /// How often a word is still to be cleared.
    clears: usize,
    items: Vec<Item>,
}

impl Translator {
    fn code(&mut self, op: Op, d: u8, r: u8) {
        self.items.push(Item::Code(Instruction::dr(op, d, r)));
    }

    fn access(&mut self, array: Array, index: usize, register: u8, store: bool) {
        self.items.push(Item::Access(Access { array, index, register, store }));
    }

    fn mask(&self, carry: Carry) -> u8 {
        self.masks[carry as usize]
    }

    fn operand(&self, slot: usize) -> u8 {
        match self.operands[slot] {
            Some(held) => held.register,
            None if slot == self.slots => LOW,
            None => HIGH,
        }
    }

    /// Frees the register of a word that no later action uses.
    fn used(&mut self, slot: usize, at: usize) {
        if let Some(held) = self.operands[slot]
            && held.end == at
        {
            self.allocation.release_operand(held.register, held.operand);
        }
    }

    fn one(&mut self, action: &Action, at: usize, end: Option<usize>) {
        match *action {
            Action::Load { slot, operand } => {
                let (array, index) = match operand {
                    Operand::A(i) => (Array::A, i),
                    Operand::B(j) => (Array::B, j),
                };
                let end = end.unwrap_or(at);
                let again = self.allocation.take_again(operand, end);
                let register =
                    again.or_else(|| (slot < self.slots).then(|| self.allocation.take_operand(end)));
                self.operands[slot] = register.map(|register| Held { operand, register, end });
                if again.is_none() {
                    self.access(array, index, self.operand(slot), false);
                }
                self.used(slot, at);
            }
            Action::Multiply { a, b, .. } => {
                self.code(Op::Mul, self.operand(a), self.operand(b));
                self.used(a, at);
                if a != b {
                    self.used(b, at);
                }
            }
            Action::PlaceProduct { low, high } => match self.allocation.take_pair(low, high) {
                Some(even) => self.code(Op::Movw, even, LOW),
                None => {
                    let low = self.allocation.take(low);
                    self.code(Op::Mov, low, LOW);
                    let high = self.allocation.take(high);
                    self.code(Op::Mov, high, HIGH);
                }
            },
            Action::Place { to, source } => self.place(to, source),
            Action::Clear { to, .. } => self.clear(to),
            Action::Add { to, source, carry_in, .. } => {
                let from = match source {
                    Source::ProductLow => LOW,
                    Source::ProductHigh => HIGH,
                    Source::Result(column) => {
                        self.access(Array::Result, column, LOW, false); // LD keeps the carry
                        LOW
                    }
                    Source::Accumulator(from) => self.allocation.release(from),
                    Source::Zero => self.zero,
                };
                self.code(if carry_in { Op::Adc } else { Op::Add }, self.allocation.of(to), from);
            }
            Action::Store { column, .. } => {
                let register = self.allocation.release(AccumulatorWord::Column(column));
                self.access(Array::Result, column, register, true);
            }
            Action::StoreZero { column, .. } => self.access(Array::Result, column, self.zero, true),
            Action::Drop { place } => {
                self.allocation.release(place);
            }
            Action::Double { to, carry_in, .. } => {
                let register = self.allocation.of(to);
                self.code(if carry_in { Op::Adc } else { Op::Add }, register, register);
            }
            Action::Park { carry } => self.code(Op::Sbc, self.mask(carry), self.mask(carry)),
            Action::Restore { carry } => self.code(Op::Add, self.mask(carry), self.mask(carry)),
        }
    }

    fn place(&mut self, to: AccumulatorWord, source: Source) {
        match source {
            Source::ProductLow => {
                let register = self.allocation.take(to);
                self.code(Op::Mov, register, LOW);
            }
            Source::ProductHigh => {
                let register = self.allocation.take(to);
                self.code(Op::Mov, register, HIGH);
            }
            Source::Result(column) => {
                let register = self.allocation.take(to);
                self.access(Array::Result, column, register, false);
            }
            Source::Accumulator(from) => self.allocation.rename(from, to),
            Source::Zero => self.clear(to),
        }
    }

    /// EOR and MOVW keep the carry.
    fn clear(&mut self, to: AccumulatorWord) {
        self.clears -= 1;
        match self.allocation.take_zero(to, self.clears) {
            Clearing::None => {}
            Clearing::One(register) => self.code(Op::Eor, register, register),
            Clearing::Pair { low, first } => {
                if let Some(partner) = first {
                    self.code(Op::Eor, partner, partner);
                }
                self.code(Op::Movw, low, self.zero & !1);
            }
        }
    }
}
