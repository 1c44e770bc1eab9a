//! Squaring: products of different words once, doubled.
//!
//! All rows but the last store sums that are not doubled. In the last row either products, and what the others stored,
//! are added twice (at once, where the accumulator can); or each finished word of the sum is doubled in registers, a
//! bit carried from word to word, and the squares are added there. The faster routine is taken.

use super::line::{Array, Line, Name, Value, ZERO};
use super::sum::{Ring, Sum};
use super::{Context, Kernel, LowerError, finish};
use crate::instructions::{Instruction, Op};
use rhomb_kernel::{Product, Squaring};
use std::collections::HashMap;

/// Slots of operand words that are tried, and the one for long operands.
const SLOTS: [usize; 9] = [2, 4, 6, 8, 10, 11, 12, 14, 16];
const LONG_SLOTS: usize = 12;
/// Words of long operands.
const LONG: usize = 20;

pub(super) fn squaring(task: &Squaring, context: &Context<'_>) -> Result<Kernel, LowerError> {
    if context.ring == Ring::BinaryPolynomials {
        return spread(task.words, context);
    }
    // guard bits do not leave the accumulator
    let ways: &[bool] = if context.abilities.is_wide() { &[false] } else { &[false, true] };
    let mut best: Option<Kernel> = None;
    let mut fault = None;
    let tried = |slots: &usize| task.words < LONG || *slots == LONG_SLOTS;
    let all: Vec<usize> =
        SLOTS.iter().copied().filter(tried).take_while(|slots| *slots < task.words).collect();
    let every = (task.words <= 16).then_some(task.words.max(2));
    for slots in all.into_iter().chain(every) {
        for doubled in ways {
            let writer = Writer::new(task, context, slots)?;
            let kernel = writer
                .write(task, *doubled)
                .and_then(|line| finish(&line, context.model, context.convention, context.registers));
            match kernel {
                Ok(kernel) if best.as_ref().is_none_or(|best| kernel.cycles < best.cycles) => {
                    best = Some(kernel);
                }
                Ok(_) => {}
                Err(error) => fault = Some(error),
            }
        }
    }
    best.ok_or(fault.unwrap_or(LowerError::Instruction))
}

/// In characteristic 2 a square is the squares of the words.
fn spread(words: usize, context: &Context<'_>) -> Result<Kernel, LowerError> {
    let mut line = Line::new();
    let [r, a, ..] = context.convention.arguments;
    let [r, a] = [r, a].map(|register| line.argument(register));
    let [r, a] = [r, a].map(|pointer| line.array(pointer));
    let mut sum = context.sum()?;
    for i in 0..words {
        let word = line.load(a, i);
        sum.product(&mut line, word, word)?;
        let low = line.take(Instruction::new(Op::Mflo));
        let high = line.take(Instruction::new(Op::Mfhi));
        line.store(r, 2 * i, low);
        line.store(r, 2 * i + 1, high);
        sum.clear();
    }
    finish(&line, context.model, context.convention, context.registers)
}

struct Writer<'a> {
    line: Line,
    result: Array,
    sum: Sum<'a>,
    operands: Operands,
}

/// The bit and the carry that go from word to word.
#[derive(Default)]
struct Between {
    /// The highest bit of the last word.
    top: Option<Value>,
    carry: Option<Value>,
    /// The high word of the last square.
    square: Option<Value>,
}

impl<'a> Writer<'a> {
    fn new(task: &Squaring, context: &'a Context<'_>, slots: usize) -> Result<Self, LowerError> {
        let mut line = Line::new();
        let [r, a, ..] = context.convention.arguments;
        let [r, a] = [r, a].map(|register| line.argument(register));
        let [r, a] = [r, a].map(|pointer| line.array(pointer));
        Ok(Writer { line, result: r, sum: context.sum()?, operands: Operands::new(task, a, slots) })
    }

    fn write(mut self, task: &Squaring, doubled: bool) -> Result<Line, LowerError> {
        let mut stored = 0..0;
        for (index, row) in task.rows.iter().enumerate() {
            let last = index + 1 == task.rows.len();
            let start = row.first_column;
            self.sum.clear();
            let mut between = Between::default();
            for (column, segment) in (start..).zip(&row.segments) {
                if stored.contains(&column) {
                    let word = self.line.load(self.result, column);
                    self.sum.word(&mut self.line, word)?;
                    if last && !doubled {
                        self.sum.word(&mut self.line, word)?;
                    }
                }
                let square = (last && column % 2 == 0).then_some(column / 2);
                if let Some(i) = square.filter(|_| !doubled) {
                    let [word, _] = self.operands.pair(&mut self.line, Product { i, j: i });
                    self.sum.product(&mut self.line, word, word)?;
                }
                for product in &segment.products {
                    let [x, y] = self.operands.pair(&mut self.line, *product);
                    if last && !doubled {
                        self.sum.twice(&mut self.line, x, y)?;
                    } else {
                        self.sum.product(&mut self.line, x, y)?;
                    }
                }
                let word = if last && doubled {
                    self.doubled(square, &mut between)
                } else if last && column + 1 == 2 * task.words {
                    self.sum.last(&mut self.line)?
                } else {
                    self.sum.take(&mut self.line)
                };
                self.line.store(self.result, column, word);
                // what is added up is a part of the square
                self.sum.limit(2 * task.words - column - 1);
            }
            if !last {
                let carry = row.carry_column();
                let word = self.sum.last(&mut self.line)?;
                self.line.store(self.result, carry, word);
                stored =
                    if stored.is_empty() { start..carry + 1 } else { start.min(stored.start)..carry + 1 };
            } else if doubled && self.sum.most() > 0 {
                return Err(LowerError::Carry);
            }
        }
        Ok(self.line)
    }

    /// The next word of the square: twice the sum's, with what was carried, and the square of a word where one begins.
    fn doubled(&mut self, square: Option<usize>, between: &mut Between) -> Name {
        let Writer { line, sum, operands, .. } = self;
        let mut low_of_square = None;
        let mut high_of_square = None;
        let word = sum.take_around(line, square.is_some(), |line| {
            if let Some(i) = square {
                let [word, _] = operands.pair(line, Product { i, j: i });
                line.accumulate(Instruction::new(Op::Multu), word, word);
                low_of_square = Some(line.take(Instruction::new(Op::Mflo)));
                high_of_square = Some(line.take(Instruction::new(Op::Mfhi)));
            }
        });
        let mut terms: Vec<Value> = Vec::new();
        let twice = match word {
            Name::Value(word) => {
                let twice = line.shift(Op::Sll, word, 1);
                let low = between.top.take().map_or(twice, |top| line.compute(Op::Addu, twice, top));
                between.top = Some(line.shift(Op::Srl, word, 31));
                Some(low)
            }
            Name::Register(_) => between.top.take(),
        };
        terms.extend(twice);
        terms.extend(low_of_square.or(between.square.take()));
        between.square = high_of_square;
        terms.extend(between.carry.take());
        let Some((first, rest)) = terms.split_first() else { return ZERO };
        let mut total = *first;
        for term in rest {
            total = line.compute(Op::Addu, total, *term);
            let carry = line.compute(Op::Sltu, total, *term);
            // two additions of words and a bit carry once together
            between.carry = Some(match between.carry {
                Some(other) => line.compute(Op::Addu, other, carry),
                None => carry,
            });
        }
        total.into()
    }
}

/// Words of the operand in a number of slots; the one that is needed last makes room.
struct Operands {
    array: Array,
    slots: usize,
    /// By word: when it is used, the last time first.
    uses: Vec<Vec<usize>>,
    held: HashMap<usize, Value>,
    time: usize,
}

impl Operands {
    fn new(task: &Squaring, array: Array, slots: usize) -> Self {
        let mut uses = vec![Vec::new(); task.words];
        let mut time = 0;
        let mut see = |product: Product| {
            uses[product.i].push(time);
            uses[product.j].push(time);
            time += 1;
        };
        for (index, row) in task.rows.iter().enumerate() {
            let last = index + 1 == task.rows.len();
            for (column, segment) in (row.first_column..).zip(&row.segments) {
                // roughly in the order of their uses: it only decides which word makes room
                if last && column % 2 == 0 && column / 2 < task.words {
                    see(Product { i: column / 2, j: column / 2 });
                }
                segment.products.iter().for_each(|product| see(*product));
            }
        }
        uses.iter_mut().for_each(|times| times.reverse());
        Operands { array, slots, uses, held: HashMap::new(), time: 0 }
    }

    /// The words of a product.
    fn pair(&mut self, line: &mut Line, product: Product) -> [Value; 2] {
        let Product { i, j } = product;
        let words = [i, j].map(|word| self.word(line, word, [i, j]));
        self.time += 1;
        for word in [i, j] {
            self.uses[word].pop();
            if self.uses[word].is_empty() {
                self.held.remove(&word);
            }
        }
        words
    }

    fn word(&mut self, line: &mut Line, word: usize, pair: [usize; 2]) -> Value {
        if let Some(value) = self.held.get(&word) {
            return *value;
        }
        if self.held.len() >= self.slots.max(2) {
            let next = |word: &usize| (self.uses[*word].last().copied().unwrap_or(usize::MAX), *word);
            let others = self.held.keys().copied().filter(|other| !pair.contains(other));
            if let Some(victim) = others.max_by_key(next) {
                self.held.remove(&victim);
            }
        }
        let value = line.load(self.array, word);
        self.held.insert(word, value);
        value
    }
}
