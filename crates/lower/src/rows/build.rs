//! From windows to operations: each step is two chains of additions through the products.
//!
//! The products at every second place touch each other nowhere, so that their words are one number, which is
//! added in one chain; UMULL leaves the carry alone. The chain that ends in the word above the window comes
//! first, for that word is then there to catch the carry of the other. One more word in the lowest column goes
//! first in the chain of the odd places.
//!
//! Where products must take equally long for all operands, see `constant`.

use super::line::{Address, Array, Data, Input, Op, Output, Source, Tight, Unit, Value};
use rhomb_kernel::Operand;
use rhomb_kernel::windows::TracedStep;
use std::collections::HashMap;

/// Makes a unit.
#[derive(Default)]
pub(super) struct Builder {
    /// What has been made so far.
    pub(super) unit: Unit,
    /// From where the words of A and the columns are counted.
    pub(super) origin: usize,
    /// The pointers, in the order of the arrays.
    pub(super) bases: [Value; 3],
    /// Whether B is read from a copy on the stack.
    pub(super) stacked: bool,
    /// Where operand words lie that were moved: the output that did it.
    moved: HashMap<Operand, usize>,
    /// The operand words of this part.
    operands: HashMap<Operand, Value>,
    /// The last value of each operand word in earlier parts.
    earlier: HashMap<Operand, Value>,
    /// Words of columns by their number in the trace: value, part, column.
    words: HashMap<usize, (Value, usize, usize)>,
    /// Number of the part.
    part: usize,
}

impl Builder {
    /// A fresh value.
    pub(super) fn value(&mut self) -> Value {
        self.unit.values += 1;
        self.unit.values - 1
    }

    /// Begins a part: words are loaded anew, or kept.
    pub(super) fn begin(&mut self) {
        self.part += 1;
        self.earlier.extend(self.operands.drain());
    }

    /// The pointer to an array.
    fn base(&self, array: Array) -> Value {
        match array {
            Array::A | Array::B | Array::Result => self.bases[array as usize],
            Array::Stack => self.bases[Array::B as usize],
            Array::Home => self.bases[Array::Result as usize],
        }
    }

    /// A fresh value that comes from memory.
    fn input(&mut self, place: Address, held: Option<Value>, order: usize) -> Value {
        let (value, base) = (self.value(), self.base(place.array));
        self.unit.inputs.push(Input { value, place, base, part: self.part, held, order });
        value
    }

    /// A value goes into memory.
    fn output(&mut self, value: Value, place: Address, inputs: Vec<usize>, order: usize) {
        let base = self.base(place.array);
        self.unit.outputs.push(Output { value, place, base, inputs, order });
    }

    /// An operand word in this part.
    pub(super) fn operand(&mut self, operand: Operand) -> Value {
        if let Some(value) = self.operands.get(&operand) {
            return *value;
        }
        let place = match self.moved.get(&operand).copied() {
            Some(moved) => {
                let input = self.unit.inputs.len();
                self.unit.outputs[moved].inputs.push(input);
                self.unit.outputs[moved].place
            }
            None => self.place(operand),
        };
        let held = self.earlier.get(&operand).copied();
        let value = self.input(place, held, 0);
        self.operands.insert(operand, value);
        value
    }

    /// Where an operand word lies at the start.
    fn place(&self, operand: Operand) -> Address {
        match operand {
            Operand::A(index) => Address { array: Array::A, index: index - self.origin },
            Operand::B(index) => Address { array: if self.stacked { Array::Stack } else { Array::B }, index },
        }
    }

    /// Brings a pointer from where an earlier unit moved it.
    pub(super) fn bring_pointer(&mut self, array: Array) {
        self.bases[array as usize] = self.input(Address { array: Array::Home, index: 0 }, None, 0);
    }

    /// Takes a pointer where later units find it.
    pub(super) fn leave_pointer(&mut self, array: Array) {
        self.output(self.base(array), Address { array: Array::Home, index: 0 }, Vec::new(), 0);
    }

    /// Moves an operand word: later parts find it there.
    pub(super) fn move_operand(&mut self, operand: Operand, place: Address) {
        let value = self.operand(operand);
        self.moved.insert(operand, self.unit.outputs.len());
        self.output(value, place, Vec::new(), 0);
    }

    /// Moves a pointer: later parts find it there.
    pub(super) fn move_pointer(&mut self, array: Array, place: Address) {
        let value = self.base(array);
        self.output(value, place, vec![self.unit.inputs.len()], 0);
        self.bases[array as usize] = self.input(place, Some(value), 0);
    }

    /// A column's word, brought back from memory if another part made it.
    pub(super) fn word(&mut self, word: usize, column: usize) -> Value {
        let known = self.words.get(&word).copied();
        if let Some((value, part, _)) = known
            && part == self.part
        {
            return value;
        }
        let place = Address { array: Array::Result, index: column - self.origin };
        let held = known.map(|known| known.0);
        let order = word + 1;
        if let Some(held) = held {
            self.output(held, place, vec![self.unit.inputs.len()], order);
        }
        let value = self.input(place, held, order);
        self.words.insert(word, (value, self.part, column));
        value
    }

    /// A column's word as it is.
    pub(super) fn known(&self, word: usize) -> Option<Value> {
        self.words.get(&word).map(|known| known.0)
    }

    /// A word that goes into the result; `order` is one more than its number in the trace, or greater.
    pub(super) fn store(&mut self, value: Value, column: usize, order: usize) {
        self.output(value, Address { array: Array::Result, index: column - self.origin }, Vec::new(), order);
    }

    /// `n op m`.
    pub(super) fn data(&mut self, op: Data, set: bool, n: Option<Value>, m: Source) -> Value {
        let d = self.value();
        self.unit.ops.push(Op::Data { op, set, d, n, m });
        d
    }

    /// `n + m`, and the carry if there is one.
    pub(super) fn add(&mut self, carry: bool, n: Value, m: Source) -> Value {
        let op = if carry { Data::Adc } else { Data::Add };
        self.data(op, true, Some(n), m)
    }

    /// `x * y`.
    pub(super) fn multiply(&mut self, x: Value, y: Value) -> (Value, Value) {
        let (low, high) = (self.value(), self.value());
        self.unit.ops.push(Op::Multiply { low, high, x, y });
        (low, high)
    }

    /// A step.
    pub(super) fn step(&mut self, traced: &TracedStep) {
        let base = traced.step.column();
        let mut columns: Vec<Option<Value>> = Vec::with_capacity(traced.makes.len());
        for (k, word) in traced.window.iter().enumerate() {
            columns.push(word.map(|word| self.word(word, base + k)));
        }
        columns.push(None);
        let more = traced.more.map(|word| self.word(word, base));
        let fixed: Vec<Value> = traced.step.fixed_words().map(|word| self.operand(word)).collect();
        let stream = self.operand(traced.step.stream);
        let [first, second] = parities(fixed.len());
        let both = [(first, more.filter(|_| first == 1)), (second, more.filter(|_| second == 1))];
        let factor = if self.is_constant() { self.with_top(stream) } else { stream };
        for (parity, more) in both {
            self.chain(parity, &fixed, factor, &mut columns, more);
        }
        if self.is_constant() {
            self.correct(&fixed, stream, &mut columns);
        }
        for (k, word) in traced.makes.iter().enumerate() {
            let value = columns[k].expect("a step makes a word in each column");
            self.words.insert(*word, (value, self.part, base + k));
        }
    }

    /// The products at even or odd places.
    fn chain(
        &mut self,
        parity: usize,
        fixed: &[Value],
        stream: Value,
        columns: &mut [Option<Value>],
        more: Option<Value>,
    ) {
        let mut carry = false;
        let mut next = parity;
        if let (Some(more), Some(lowest)) = (more, columns[0]) {
            columns[0] = Some(self.add(false, lowest, Source::Value(more)));
            (carry, next) = (true, 1);
        }
        for k in (parity..fixed.len()).step_by(2) {
            next = k + 2;
            // an empty column above: UMLAL is as fast as UMULL and two additions
            if let (false, Some(low_in), None) = (carry, columns[k], columns[k + 1]) {
                let high_in = self.data(Data::Mov, false, None, Source::Number(0));
                let (low, high) = (self.value(), self.value());
                self.unit.ops.push(Op::Accumulate { low, high, low_in, high_in, x: fixed[k], y: stream });
                (columns[k], columns[k + 1]) = (Some(low), Some(high));
                continue;
            }
            let at = self.unit.ops.len();
            let fresh = !carry;
            let (low, high) = self.multiply(fixed[k], stream);
            let old = columns[k];
            columns[k] = Some(match old {
                Some(word) => {
                    let sum = self.add(carry, word, Source::Value(low));
                    carry = true;
                    sum
                }
                None if carry => self.add(true, low, Source::Number(0)),
                None => low,
            });
            columns[k + 1] = Some(match columns[k + 1] {
                Some(word) => {
                    let sum = self.add(carry, word, Source::Value(high));
                    if let (true, true, Some(low_in), Some(sum_low)) = (fresh, carry, old, columns[k]) {
                        let tight = [
                            Op::Data { op: Data::Mov, set: false, d: low, n: None, m: Source::Number(0) },
                            Op::Accumulate {
                                low: sum_low,
                                high,
                                low_in,
                                high_in: low,
                                x: fixed[k],
                                y: stream,
                            },
                            Op::Data {
                                op: Data::Add,
                                set: true,
                                d: sum,
                                n: Some(word),
                                m: Source::Value(high),
                            },
                        ];
                        self.unit.tight.push(Tight { at, ops: tight });
                    }
                    carry = true;
                    sum
                }
                None if carry => {
                    // the high word of a product is at most 2^32 - 2
                    carry = false;
                    self.data(Data::Adc, false, Some(high), Source::Number(0))
                }
                None => high,
            });
        }
        if carry {
            let word = columns[next].expect("the other chain made the word above");
            columns[next] = Some(self.data(Data::Adc, false, Some(word), Source::Number(0)));
        }
    }
}

/// Whether the even or the odd places come first: those whose chain ends in the word above.
pub(super) fn parities(width: usize) -> [usize; 2] {
    let first = (width + 1) % 2;
    [first, 1 - first]
}
