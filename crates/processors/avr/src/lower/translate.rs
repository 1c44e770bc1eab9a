//! Actions to instructions, for whatever gives them registers; memory accesses stay symbolic until pointers are assigned.

use crate::instructions::{Instruction, Op};
use rhomb_kernel::{AccumulatorWord, Action, Carry, Operand, Source};
use rhomb_line::Array;
use rhomb_lower::Access;

/// An instruction, or an access that will become one.
pub(super) type Item = rhomb_lower::Item<Instruction>;

/// Registers of the last product.
pub(super) const LOW: u8 = 0;
pub(super) const HIGH: u8 = 1;

/// What gives registers to the words of actions, in their order.
pub(super) trait Registers {
    /// Where an operand word is to be loaded by action `at`; `None` where it is in a register already.
    fn load(&mut self, at: usize, slot: usize, operand: Operand) -> Option<u8>;
    /// Where the word in a slot is.
    fn operand(&self, slot: usize) -> u8;
    /// Action `at` has used the word in a slot.
    fn used(&mut self, at: usize, slot: usize) {
        let _ = (at, slot);
    }
    /// A register for a new word.
    fn take(&mut self, place: AccumulatorWord) -> u8;
    /// Registers for both words of a product; for one instruction where they are an aligned pair.
    fn take_product(&mut self, low: AccumulatorWord, high: AccumulatorWord) -> [u8; 2];
    /// What makes a new word zero; EOR and MOVW keep the carry.
    fn clear(&mut self, place: AccumulatorWord) -> [Option<Instruction>; 2];
    /// The register of a word that is there.
    fn of(&self, place: AccumulatorWord) -> u8;
    /// The register of a word that is no longer needed; it is free afterwards.
    fn release(&mut self, place: AccumulatorWord) -> u8;
    /// Gives the register of one word to another.
    fn rename(&mut self, from: AccumulatorWord, to: AccumulatorWord);
    /// Where a carry waits: SBC of a register with itself sets it to 0 or 255, adding it to itself gives the carry back.
    fn mask(&self, carry: Carry) -> u8;
    /// Holds zero.
    fn zero(&self) -> u8;
    /// Action `at` is done.
    fn done(&mut self, at: usize) {
        let _ = at;
    }
}

/// The items of actions.
pub(super) fn translate(actions: &[Action], registers: &mut impl Registers) -> Vec<Item> {
    let mut translator = Translator { registers, items: Vec::with_capacity(actions.len() * 2) };
    for (at, action) in actions.iter().enumerate() {
        translator.one(action, at);
        translator.registers.done(at);
    }
    translator.items
}

struct Translator<'a, R> {
    registers: &'a mut R,
    items: Vec<Item>,
}

impl<R: Registers> Translator<'_, R> {
    fn code(&mut self, op: Op, d: u8, r: u8) {
        self.items.push(Item::Code(Instruction::dr(op, d, r)));
    }

    fn access(&mut self, array: Array, index: usize, register: u8, store: bool) {
        self.items.push(Item::Access(Access { array, index, register, store }));
    }

    fn add(&mut self, carry_in: bool, d: u8, r: u8) {
        self.code(if carry_in { Op::Adc } else { Op::Add }, d, r);
    }

    fn one(&mut self, action: &Action, at: usize) {
        match *action {
            Action::Load { slot, operand } => {
                let (array, index) = match operand {
                    Operand::A(i) => (Array::A, i),
                    Operand::B(j) => (Array::B, j),
                };
                if let Some(register) = self.registers.load(at, slot, operand) {
                    self.access(array, index, register, false);
                }
                self.registers.used(at, slot);
            }
            Action::Multiply { a, b, .. } => {
                self.code(Op::Mul, self.registers.operand(a), self.registers.operand(b));
                self.registers.used(at, a);
                if a != b {
                    self.registers.used(at, b);
                }
            }
            Action::PlaceProduct { low, high } => match self.registers.take_product(low, high) {
                [low, high] if low.is_multiple_of(2) && high == low + 1 => self.code(Op::Movw, low, LOW),
                [low, high] => {
                    self.code(Op::Mov, low, LOW);
                    self.code(Op::Mov, high, HIGH);
                }
            },
            Action::Place { to, source: Source::Accumulator(from) } => self.registers.rename(from, to),
            Action::Place { to, source: Source::Zero } | Action::Clear { to, .. } => {
                let code = self.registers.clear(to);
                self.items.extend(code.into_iter().flatten().map(Item::Code));
            }
            Action::Place { to, source } => {
                let register = self.registers.take(to);
                match source {
                    Source::Result(column) => self.access(Array::Result, column, register, false),
                    Source::ProductLow => self.code(Op::Mov, register, LOW),
                    _ => self.code(Op::Mov, register, HIGH),
                }
            }
            Action::Add { to, source, carry_in, .. } => {
                let from = match source {
                    Source::ProductLow => LOW,
                    Source::ProductHigh => HIGH,
                    Source::Result(column) => {
                        self.access(Array::Result, column, LOW, false); // LD keeps the carry
                        LOW
                    }
                    Source::Accumulator(from) => self.registers.release(from),
                    Source::Zero => self.registers.zero(),
                };
                self.add(carry_in, self.registers.of(to), from);
            }
            Action::Store { column, .. } => {
                let register = self.registers.release(AccumulatorWord::Column(column));
                self.access(Array::Result, column, register, true);
            }
            Action::StoreZero { column, .. } => {
                self.access(Array::Result, column, self.registers.zero(), true);
            }
            Action::Drop { place } => _ = self.registers.release(place),
            Action::Double { to, carry_in, .. } => {
                let register = self.registers.of(to);
                self.add(carry_in, register, register);
            }
            Action::Park { carry } => {
                let mask = self.registers.mask(carry);
                self.code(Op::Sbc, mask, mask);
            }
            Action::Restore { carry } => {
                let mask = self.registers.mask(carry);
                self.code(Op::Add, mask, mask);
            }
        }
    }
}
