//! The additions of a schedule as a line.

use rhomb_kernel::{AccumulatorWord, Action, Carry, Operand, Source};
use rhomb_line::{Address, Array, Line, Op, Value};
use std::collections::HashMap;

/// What actions work on.
#[derive(Default)]
struct Words {
    line: Line,
    /// By slot.
    operands: HashMap<usize, Value>,
    words: HashMap<AccumulatorWord, Value>,
    /// Low and high word of the last product.
    product: [Option<Value>; 2],
    masks: HashMap<Carry, Value>,
}

/// The same as a straight line: words of the result, A and B from memory and to it.
pub fn line(actions: &[Action]) -> Line {
    let mut words = Words::default();
    actions.iter().for_each(|action| words.one(action));
    words.line
}

impl Words {
    fn load(&mut self, array: Array, index: usize) -> Value {
        self.line.load(Address { array, index })
    }

    /// The word that is there; what was never made is zero.
    fn word(&mut self, place: AccumulatorWord) -> Value {
        self.words.remove(&place).unwrap_or_else(|| self.line.number(0))
    }

    fn source(&mut self, source: Source) -> Option<Value> {
        match source {
            Source::ProductLow => self.product[0],
            Source::ProductHigh => self.product[1],
            Source::Result(column) => Some(self.load(Array::Result, column)),
            Source::Accumulator(from) => Some(self.word(from)),
            Source::Zero => None,
        }
    }

    fn store(&mut self, from: Value, index: usize) {
        self.line.store(from, Address { array: Array::Result, index });
    }

    fn one(&mut self, action: &Action) {
        match *action {
            Action::Load { slot, operand } => {
                let (array, index) = match operand {
                    Operand::A(index) => (Array::A, index),
                    Operand::B(index) => (Array::B, index),
                };
                let word = self.load(array, index);
                self.operands.insert(slot, word);
            }
            Action::Multiply { a, b, .. } => {
                if let (Some(x), Some(y)) = (self.operands.get(&a), self.operands.get(&b)) {
                    self.product = self.line.multiply(*x, *y).map(Some);
                }
            }
            Action::PlaceProduct { low, high } => {
                let words = [low, high].into_iter().zip(self.product);
                self.words.extend(words.filter_map(|(place, word)| Some((place, word?))));
            }
            Action::Place { to, source } => {
                let word = self.source(source).unwrap_or_else(|| self.line.number(0));
                self.words.insert(to, word);
            }
            Action::Clear { to, .. } => {
                let zero = self.line.number(0);
                self.words.insert(to, zero);
            }
            Action::Add { to, source, carry_in, carry_out } => {
                let y = self.source(source);
                let x = self.word(to);
                let sum = self.line.add(x, y, carry_in, carry_out);
                self.words.insert(to, sum);
            }
            Action::Double { to, carry_in, carry_out } => {
                let x = self.word(to);
                let sum = self.line.add(x, Some(x), carry_in, carry_out);
                self.words.insert(to, sum);
            }
            Action::Store { column, .. } => {
                let word = self.word(AccumulatorWord::Column(column));
                self.store(word, column);
            }
            Action::StoreZero { column, .. } => {
                let zero = self.line.number(0);
                self.store(zero, column);
            }
            Action::Drop { place } => drop(self.words.remove(&place)),
            Action::Park { carry } => {
                let mask = self.line.spread(false);
                self.masks.insert(carry, mask);
            }
            Action::Restore { carry } => {
                if let Some(mask) = self.masks.remove(&carry) {
                    // all ones and all ones leave a carry, zero and zero none
                    let to = self.line.value();
                    self.line.ops.push(Op::Add {
                        to,
                        x: mask,
                        y: Some(mask),
                        carry_in: false,
                        carry_out: true,
                    });
                }
            }
        }
    }
}
