//! A product of two equal halves as one line: Karatsuba and Ofman's method with the words of all three products, and of what
//! is made of them, in registers as far as these last.
//!
//! As in [`rhomb_kernel::split::halves`]: `L` and `H' = H + l1` by columns, the high product with l1 added as it is made; then
//! the differences of the halves, and the columns of their product, which go to the middle of the result in batches and are
//! never stored. Three chains of carries run on; those of the sum and of M wait as masks from one batch to the next.

use crate::actions::line as line_of;
use rhomb_kernel::accumulator::accumulate;
use rhomb_kernel::{Operation, Parameters, Schedule, Step, method};
use rhomb_line::{Address, Array, Line, Logic, Op, Value};

/// Columns of l1 that are added at once.
const AT_ONCE: usize = 2;

/// The product of twice `half` words of so many bits. As many columns of M wait as there are words left of `room` that hold
/// no operands. `None` where there is no such product.
pub fn fused(half: usize, bits: u32, room: usize) -> Option<Line> {
    let mut fused = Fused { line: Line::default(), half };
    let low = [Array::A, Array::B].map(|array| fused.operand(array, 0));
    let mut result = vec![None; 4 * half];
    fused.product(bits, &low, &[], &mut |line, word, column| {
        let home = Address { array: Array::Result, index: column };
        line.homes.insert(word, home);
        if column < half {
            line.store(word, home);
        }
        result[column] = Some(word);
    })?;
    let l1: Vec<Value> = result[half..2 * half].iter().copied().collect::<Option<_>>()?;
    let high = [Array::A, Array::B].map(|array| fused.operand(array, half));
    let mut upper = Vec::new();
    fused.product(bits, &high, &l1, &mut |line, word, column| {
        line.homes.insert(word, Address { array: Array::Result, index: 2 * half + column });
        upper.push(word);
    })?;
    let [(x, sign), (y, other)] = [0, 1].map(|own| fused.difference(&high[own], &low[own]));
    let sign = fused.line.logic(Logic::Xor, sign, other);
    let negation = fused.line.not(sign);
    let places: Vec<Value> = result[..half].iter().copied().collect::<Option<_>>()?;
    let mut sum = Sums {
        places: [places, upper[..half].to_vec()].concat(),
        upper,
        negation,
        waits: Vec::new(),
        carries: [None; 2],
    };
    fused.product(bits, &[x, y], &[], &mut |line, word, column| {
        sum.waits.push((column, word));
        // words of operands that are still needed
        let needed = 2 * half.min((2 * half).saturating_sub(column + 2));
        if needed + sum.waits.len() >= room || column + 1 == 2 * half {
            sum.flush(line, half);
        }
    })?;
    sum.finish(&mut fused.line, half);
    Some(fused.line)
}

struct Fused {
    line: Line,
    half: usize,
}

/// Where a finished word of a product goes.
type Finished<'a> = &'a mut dyn FnMut(&mut Line, Value, usize);

/// A word of an operand, and its value once it is loaded.
#[derive(Clone, Copy)]
struct Word {
    from: Address,
    value: Value,
}

impl Fused {
    /// The words of a half; they are loaded when they are first needed.
    fn operand(&mut self, array: Array, first: usize) -> Vec<Word> {
        let word = |index| Word { from: Address { array, index: first + index }, value: self.line.value() };
        (0..self.half).map(word).collect()
    }

    /// The words of a product of two halves, by columns; `added` are added to the lowest ones.
    fn product(
        &mut self,
        bits: u32,
        operands: &[Vec<Word>; 2],
        added: &[Value],
        finished: Finished<'_>,
    ) -> Option<()> {
        let actions = accumulate(&schedule(self.half, added.len())?, bits, 0).ok()?;
        let own = line_of(&actions);
        let first = self.line.values;
        self.line.values += own.values;
        // what is loaded is there already, or is loaded from elsewhere
        let mut names: Vec<Value> = (0..own.values).map(|value| Value(first + value)).collect();
        let of = |names: &[Value], value: Value| names[value.0];
        for op in &own.ops {
            match *op {
                Op::Load { to, from: Address { array: Array::Result, index } } => names[to.0] = added[index],
                Op::Load { to, from: Address { array, index } } => {
                    let word = operands[usize::from(array == Array::B)][index];
                    names[to.0] = word.value;
                    let load = Op::Load { to: word.value, from: word.from };
                    if !self.is_made(word.value) {
                        self.line.ops.push(load);
                    }
                }
                Op::Store { from, to } => finished(&mut self.line, of(&names, from), to.index),
                Op::Number { to, number } => self.line.ops.push(Op::Number { to: of(&names, to), number }),
                Op::Multiply { low, high, x, y } => {
                    let [low, high, x, y] = [low, high, x, y].map(|value| of(&names, value));
                    self.line.ops.push(Op::Multiply { low, high, x, y });
                }
                Op::Add { to, x, y, carry_in, carry_out } => {
                    let [to, x] = [to, x].map(|value| of(&names, value));
                    let y = y.map(|value| of(&names, value));
                    self.line.ops.push(Op::Add { to, x, y, carry_in, carry_out });
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn is_made(&self, value: Value) -> bool {
        self.line.ops.iter().any(|op| op.makes().contains(&Some(value)))
    }

    /// `|x - y|`, and its sign as a mask: `(d ^ m) - m`.
    fn difference(&mut self, x: &[Word], y: &[Word]) -> (Vec<Word>, Value) {
        let mut words = Vec::with_capacity(x.len());
        for (at, (x, y)) in x.iter().zip(y).enumerate() {
            // where it still stands in a register it is not loaded again
            let y = self.line.load(y.from);
            words.push(self.line.subtract(x.value, Some(y), at > 0, true));
        }
        let sign = self.line.spread(true);
        let mut finish = |(at, word): (usize, Value)| {
            let turned = self.line.logic(Logic::Xor, word, sign);
            let more = at + 1 < x.len();
            let value = self.line.subtract(turned, Some(sign), at > 0, more);
            Word { from: x[at].from, value }
        };
        (words.into_iter().enumerate().map(&mut finish).collect(), sign)
    }
}

/// The columns of a product of halves, with so many words added as it is made.
fn schedule(half: usize, added: usize) -> Option<Schedule> {
    let parameters = Parameters { cache: Some(half), ..Parameters::default() };
    let walk = method(Operation::Mul, "product-scanning")?.walk(half, &parameters)?;
    let mut schedule = Schedule::new(&walk, 2 * half, 0);
    let mut steps = Vec::with_capacity(schedule.steps.len() + added);
    let mut column = 0;
    for step in schedule.steps {
        let next = match &step {
            Step::StartRow { .. } => Some(0),
            Step::Finish { columns, .. } => Some(columns.end),
            _ => None,
        };
        steps.push(step);
        if let Some(next) = next {
            column = column.max(next);
            if next < added && next.is_multiple_of(AT_ONCE) {
                steps.push(Step::AddIntermediates { columns: next..added.min(next + AT_ONCE) });
            }
        }
    }
    schedule.steps = steps;
    Some(schedule)
}

/// How M comes to the middle of the result.
struct Sums {
    /// What is added column by column: l0 and the low half of H', and all of H'.
    places: Vec<Value>,
    upper: Vec<Value>,
    /// All ones where M is subtracted.
    negation: Value,
    /// Finished columns of M.
    waits: Vec<(usize, Value)>,
    /// The chains of the sum and of M, as masks.
    carries: [Option<Value>; 2],
}

/// The carry that a mask stands for.
fn restore(line: &mut Line, mask: Value) {
    line.add(mask, Some(mask), false, true);
}

impl Sums {
    fn flush(&mut self, line: &mut Line, half: usize) {
        // a subtraction adds the complement and one
        restore(line, self.carries[0].unwrap_or(self.negation));
        for (column, word) in &mut self.waits {
            let turned = line.logic(Logic::Xor, *word, self.negation);
            *word = line.add(turned, Some(self.places[*column]), true, true);
        }
        self.carries[0] = Some(line.spread(false));
        if let Some(mask) = self.carries[1] {
            restore(line, mask);
        }
        for (at, (column, word)) in self.waits.drain(..).enumerate() {
            let has_carry = self.carries[1].is_some() || at > 0;
            let word = line.add(word, Some(self.upper[column]), has_carry, true);
            line.store(word, Address { array: Array::Result, index: half + column });
        }
        self.carries[1] = Some(line.spread(false));
    }

    /// The carries into the upper quarter: -1 to 1 in all, with its sign above.
    fn finish(self, line: &mut Line, half: usize) {
        let [Some(sum), Some(middle)] = self.carries else { return };
        let number = line.subtract(self.negation, Some(sum), false, false);
        let number = line.subtract(number, Some(middle), false, false);
        let above = line.sign(number);
        for (at, word) in self.upper[half..].iter().enumerate() {
            let more = at + 1 < half;
            let word = line.add(*word, Some(if at == 0 { number } else { above }), at > 0, more);
            line.store(word, Address { array: Array::Result, index: 3 * half + at });
        }
    }
}
