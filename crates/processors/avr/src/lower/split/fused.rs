//! One level with the words of a half of both operands in registers: two equal halves of up to ten words.
//!
//! Three products by columns. `L` goes to r; `H` has the upper half of L added as it is made, and its
//! operands stay in registers, where they become the differences; the columns of their product are added at
//! once to the middle of r, in batches of as many as there are registers for, and never stored. `H'` as in
//! `straight`. Registers of operand words join the others as the words are done with, and keep h1 of H'.

use super::super::LowerError;
use super::{A, B, R, extend};
use crate::assembler::{Assembler, X, Y, Z};
use crate::instructions::{Instruction, Op};
use rhomb_kernel::accumulator::accumulate;
use rhomb_kernel::{AccumulatorWord, Action, Operand, Operation, Parameters, Schedule, Source, Step, method};
use std::collections::HashMap;

/// The most words of a half.
pub(super) const MOST: usize = 10;

/// Columns of intermediates that are added at once.
const AT_ONCE: usize = 2;

const ZERO: u8 = 25;
/// With it an aligned pair of zeros, where halves leave it free.
const SECOND_ZERO: u8 = 24;
/// The most words of a half that do.
const MOST_WITH_PAIR: usize = 9;
/// In the registers of X and Y, when these are done with: the mask that negates M, and the chains of the sum
/// and of M.
const NEGATION: u8 = X;
const OF_SUM: u8 = X + 1;
const OF_MIDDLE: u8 = Y;
const SPARE: u8 = Y + 1;

/// Multiplies twice `half` words.
pub(super) fn multiplication(asm: &mut Assembler, half: usize) -> Result<(), LowerError> {
    asm.movw(X, A);
    asm.movw(Y, B);
    asm.movw(Z, R);
    asm.clr(ZERO);
    if half <= MOST_WITH_PAIR {
        asm.clr(SECOND_ZERO);
    }
    product(asm, half, Part::Low)?;
    product(asm, half, Part::High)?;
    let [first, second] = [words_from(half), words_from(half) + 1];
    asm.advance(X, -2 * half as i32);
    difference(asm, a, half, first, |asm, _| asm.load(0, X));
    difference(asm, |index| b(half, index), half, second, |asm, index| asm.load_at(0, Y, index));
    asm.eor(first, second);
    asm.com(first);
    asm.mov(NEGATION, first);
    asm.mov(OF_SUM, first);
    product(asm, half, Part::Middle)
}

/// Which product.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Low,
    High,
    Middle,
}

/// Registers of the operands' words.
fn a(index: usize) -> u8 {
    2 + index as u8
}
fn b(half: usize, index: usize) -> u8 {
    2 + (half + index) as u8
}
/// The first register for words of the accumulator.
fn words_from(half: usize) -> u8 {
    2 + 2 * half as u8
}

/// High half in registers less the low half that `load` brings to R0, as absolute value and sign.
fn difference(
    asm: &mut Assembler,
    own: impl Fn(usize) -> u8,
    half: usize,
    sign: u8,
    load: impl Fn(&mut Assembler, usize),
) {
    for index in 0..half {
        load(asm, index);
        asm.sub_chain(index == 0, own(index), 0);
    }
    asm.park(sign);
    for index in 0..half {
        asm.eor(own(index), sign);
        asm.sub_chain(index == 0, own(index), sign);
    }
}

/// The columns of a product of halves; the high one has the words of r above the low one's lower half added.
fn steps(half: usize, part: Part) -> Option<Schedule> {
    let parameters = Parameters { cache: Some(half), ..Parameters::default() };
    let walk = method(Operation::Mul, "product-scanning")?.walk(half, &parameters)?;
    let mut schedule = Schedule::new(&walk, 2 * half, 0);
    if part == Part::High {
        let mut column = 0;
        let mut steps = Vec::with_capacity(schedule.steps.len() + half);
        for step in schedule.steps {
            let next = match &step {
                Step::StartRow { .. } => Some(0),
                Step::Finish { columns, .. } => Some(columns.end),
                _ => None,
            };
            steps.push(step);
            if let Some(next) = next {
                column = column.max(next);
                if next < half && next.is_multiple_of(AT_ONCE) {
                    steps.push(Step::AddIntermediates { columns: next..half.min(next + AT_ONCE) });
                }
            }
        }
        schedule.steps = steps;
    }
    Some(schedule)
}

fn product(asm: &mut Assembler, half: usize, part: Part) -> Result<(), LowerError> {
    let unmade = LowerError::Unmade { what: "a product of halves by columns" };
    let schedule = steps(half, part).ok_or(unmade)?;
    let actions = accumulate(&schedule, 8, 0)?;
    let mut left = HashMap::new();
    for step in &schedule.steps {
        if let Step::Multiply { product, .. } = step {
            *left.entry(a(product.i)).or_insert(0usize) += 1;
            *left.entry(b(half, product.j)).or_insert(0usize) += 1;
        }
    }
    let zeros = if half <= MOST_WITH_PAIR { SECOND_ZERO } else { ZERO };
    let mut free: Vec<u8> = (words_from(half)..zeros).collect();
    if part == Part::Middle {
        free.push(SPARE);
    }
    let mut columns = Columns {
        asm,
        half,
        part,
        free,
        cleared: Vec::new(),
        left,
        words: HashMap::new(),
        waiting: Vec::new(),
        begun: false,
        kept: Vec::new(),
    };
    for action in &actions {
        columns.one(action)?;
    }
    if part == Part::Middle {
        columns.flush()?;
        columns.finish();
    }
    Ok(())
}

struct Columns<'a> {
    asm: &'a mut Assembler,
    half: usize,
    part: Part,
    /// Registers without a word.
    free: Vec<u8>,
    /// Others, which hold zero.
    cleared: Vec<u8>,
    /// Products that are still to come, by register of an operand word.
    left: HashMap<u8, usize>,
    /// Words of the accumulator.
    words: HashMap<AccumulatorWord, u8>,
    /// Finished columns of the middle product that are not in r yet, with their registers.
    waiting: Vec<(usize, u8)>,
    /// Whether a column of the middle product is in r.
    begun: bool,
    /// Registers that hold words of h1, the lowest first; those that found no room are missing at the end.
    kept: Vec<Option<u8>>,
}

impl Columns<'_> {
    fn take(&mut self) -> Result<u8, LowerError> {
        if self.free.is_empty() {
            self.free.append(&mut self.cleared);
        }
        // one whose neighbour is taken, so that pairs stay whole
        let alone = self.free.iter().position(|register| !self.free.contains(&(register ^ 1)));
        match self.free.is_empty() {
            true => Err(LowerError::Registers { needed: 1, available: 0 }),
            false => Ok(self.free.remove(alone.unwrap_or(0))),
        }
    }

    fn put(&mut self, place: AccumulatorWord) -> Result<u8, LowerError> {
        let register = self.take()?;
        self.words.insert(place, register);
        Ok(register)
    }

    /// A word that is zero. EOR and MOVW leave the carry alone.
    fn zero(&mut self, place: AccumulatorWord) -> Result<(), LowerError> {
        if let Some(register) = self.cleared.pop() {
            self.words.insert(place, register);
            return Ok(());
        }
        let two = self.half <= MOST_WITH_PAIR;
        let Some(even) = self.pair().filter(|_| two) else {
            let register = self.put(place)?;
            self.asm.clr(register);
            return Ok(());
        };
        self.free.retain(|register| register & !1 != even);
        self.asm.movw(even, SECOND_ZERO);
        self.words.insert(place, even);
        self.cleared.push(even + 1);
        Ok(())
    }

    /// An aligned pair of registers without words.
    fn pair(&self) -> Option<u8> {
        self.free.iter().copied().find(|register| register % 2 == 0 && self.free.contains(&(register + 1)))
    }

    fn of(&self, place: AccumulatorWord) -> Result<u8, LowerError> {
        let lacking = LowerError::Unmade { what: "a word that is not there" };
        self.words.get(&place).copied().ok_or(lacking)
    }

    fn one(&mut self, action: &Action) -> Result<(), LowerError> {
        match *action {
            Action::Load { operand, .. } => self.load(operand),
            Action::Multiply { product, .. } => {
                let [x, y] = [a(product.i), b(self.half, product.j)];
                self.asm.emit(Instruction::dr(Op::Mul, x, y));
                for register in [x, y] {
                    let left = self.left.entry(register).or_insert(1);
                    *left -= 1;
                    if *left == 0 && self.part == Part::Middle {
                        self.free.push(register);
                    }
                }
            }
            Action::PlaceProduct { low, high } => {
                if let Some(even) = self.pair() {
                    self.free.retain(|register| register & !1 != even);
                    self.words.insert(low, even);
                    self.words.insert(high, even + 1);
                    self.asm.movw(even, 0);
                } else {
                    for (place, from) in [(low, 0), (high, 1)] {
                        let register = self.put(place)?;
                        self.asm.mov(register, from);
                    }
                }
            }
            Action::Place { to, source } => match source {
                Source::Accumulator(from) => {
                    let register = self.of(from)?;
                    self.words.remove(&from);
                    self.words.insert(to, register);
                }
                Source::Zero => self.zero(to)?,
                Source::ProductLow | Source::ProductHigh | Source::Result(_) => {
                    let register = self.put(to)?;
                    match source {
                        Source::Result(column) => self.intermediate(register, column),
                        Source::ProductLow => self.asm.mov(register, 0),
                        _ => self.asm.mov(register, 1),
                    }
                }
            },
            Action::Clear { to, .. } => self.zero(to)?,
            Action::Add { to, source, carry_in, .. } => {
                let from = match source {
                    Source::ProductLow => 0,
                    Source::ProductHigh => 1,
                    Source::Result(column) => {
                        self.intermediate(0, column);
                        0
                    }
                    Source::Accumulator(from) => {
                        let register = self.of(from)?;
                        self.words.remove(&from);
                        self.free.push(register);
                        register
                    }
                    Source::Zero => ZERO,
                };
                let to = self.of(to)?;
                self.asm.add_chain(!carry_in, to, from);
            }
            Action::Store { column, .. } => self.store(column)?,
            Action::StoreZero { column, .. } => {
                self.zero(AccumulatorWord::Column(column))?;
                self.store(column)?;
            }
            Action::Drop { place } => {
                let register = self.of(place)?;
                self.words.remove(&place);
                self.free.push(register);
            }
            Action::Double { .. } | Action::Park { .. } | Action::Restore { .. } => {
                return Err(LowerError::Unmade { what: "a squaring of halves" });
            }
        }
        Ok(())
    }

    /// An operand word, unless it is there already. X moves through A.
    fn load(&mut self, operand: Operand) {
        let high = match self.part {
            Part::Low => 0,
            Part::High => self.half,
            Part::Middle => return,
        };
        match operand {
            Operand::A(index) => self.asm.load(a(index), X),
            Operand::B(index) => self.asm.load_at(b(self.half, index), Y, high + index),
        }
    }

    /// A word of l1.
    fn intermediate(&mut self, register: u8, column: usize) {
        self.asm.load_at(register, Z, self.half + column);
    }

    fn store(&mut self, column: usize) -> Result<(), LowerError> {
        let register = self.of(AccumulatorWord::Column(column))?;
        self.words.remove(&AccumulatorWord::Column(column));
        let base = match self.part {
            Part::Low => 0,
            Part::High => 2 * self.half,
            Part::Middle => {
                self.waiting.push((column, register));
                // the next column takes a word
                let room = self.free.len() + self.cleared.len();
                return if room < 1 { self.flush() } else { Ok(()) };
            }
        };
        self.asm.store_at(Z, base + column, register);
        self.free.push(register);
        Ok(())
    }

    /// Brings the columns that wait into r: the negated word of M, and the two words of the sum.
    fn flush(&mut self) -> Result<(), LowerError> {
        let waiting = std::mem::take(&mut self.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let half = self.half;
        self.asm.restore(OF_SUM);
        for (column, register) in &waiting {
            let place = if *column < half { *column } else { half + column };
            self.asm.load_at(0, Z, place);
            self.asm.eor(*register, NEGATION);
            self.asm.adc(*register, 0);
        }
        self.asm.park(OF_SUM);
        if self.begun {
            self.asm.restore(OF_MIDDLE);
        }
        for (index, (column, register)) in waiting.iter().enumerate() {
            let chain = self.begun || index > 0;
            let mut from = 0;
            if *column >= half {
                // some must stay free for the columns to come
                let room = self.free.len() + self.cleared.len() > 2 && !self.free.is_empty();
                let kept = room.then(|| self.free.remove(0));
                self.kept.push(kept);
                from = kept.unwrap_or(0);
            }
            self.asm.load_at(from, Z, 2 * half + column);
            self.asm.add_chain(!chain, *register, from);
            self.asm.store_at(Z, half + column, *register);
        }
        self.asm.park(OF_MIDDLE);
        self.begun = true;
        self.free.extend(waiting.iter().map(|(_, register)| *register));
        Ok(())
    }

    /// The carries into the upper quarter of r.
    fn finish(&mut self) {
        extend(self.asm, NEGATION, [OF_SUM, OF_MIDDLE]);
        let kept = std::mem::take(&mut self.kept);
        for (index, kept) in kept.into_iter().enumerate() {
            let place = 3 * self.half + index;
            let register = kept.unwrap_or(0);
            if kept.is_none() {
                self.asm.load_at(0, Z, place);
            }
            self.asm.add_chain(index == 0, register, if index == 0 { NEGATION } else { OF_SUM });
            self.asm.store_at(Z, place, register);
        }
    }
}
