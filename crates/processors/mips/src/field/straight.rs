//! Arithmetic modulo any odd number in straight lines, for every core: sums are [`Sum`]s, which know what the accumulator
//! can do.
//!
//! Elements are numbers below R = 2^(32d), not always below p; every operation takes and gives such numbers. What stands
//! above R comes back as R mod p, until the largest value that is left is below R. Where R mod p has half the words of p or
//! more, products are divided by R instead (P. L. Montgomery, "Modular multiplication without trial division", 1985), row by
//! row after the product, and brought back by a product with R^2 mod p.

mod signed;

use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};
use crate::lower::{self, Abilities, Array, Line, LowerError, Name, Ring, Sum, Value, ZERO};
use crate::model::Model;
use crate::syntax;
use num_bigint::BigUint;
use rhomb_contract::ModularOperation;
use rhomb_field::words::{negative_inverse, number, words};
pub(super) use signed::rows;
use std::collections::BTreeMap;

/// A word of a number on the way.
#[derive(Clone, Copy, Debug)]
enum Word {
    Name(Name),
    Memory(Array, usize),
    /// All ones less what stands there.
    Complement(Array, usize),
}

/// A number on the way, lowest word first, and the largest that it can be.
struct Number {
    words: Vec<Word>,
    most: BigUint,
}

/// The routine `void f(r, a)` or `void f(r, a, b)` that keeps the contract; for a product the reduction of one, whose
/// operand has 2d words. With `rows` of a generalized Mersenne number that reduction adds and subtracts words by them.
///
/// # Errors
/// Where registers are too few or an instruction is missing.
pub(super) fn routine(
    operation: ModularOperation,
    modulus: &BigUint,
    model: &Model,
    convention: &Convention,
    in_registers: bool,
    rows: Option<&[Vec<i32>]>,
) -> Result<Vec<Instruction>, LowerError> {
    let abilities = Abilities::of(model);
    let d = modulus.bits().div_ceil(32) as usize;
    let mut line = Line::new();
    let [r, a, b, _] = convention.arguments;
    let [r, a, b] = [r, a, b].map(|register| line.argument(register));
    let r = line.array(r);
    let [a, b] = [a, b].map(|pointer| line.array_over(pointer, r));
    let sum = Sum::new(&abilities, Ring::Integers)?;
    let mut writer = Writer { line, sum, modulus, d, in_registers, numbers: BTreeMap::new(), scratch: 0 };
    let result = match operation {
        ModularOperation::Add => writer.sum_of(a, b)?,
        ModularOperation::Sub => writer.difference(a, b)?,
        ModularOperation::Half => return writer.half(a, r).and_then(|()| writer.finish(model, convention)),
        ModularOperation::Mul | ModularOperation::Sqr | ModularOperation::Reduce => match rows {
            Some(rows) => writer.signed(a, rows)?,
            None => writer.reduced(a)?,
        },
        ModularOperation::MontgomeryMul
        | ModularOperation::MontgomerySqr
        | ModularOperation::MontgomeryReduce => {
            let z = writer.double(a);
            writer.divided(z)?
        }
        // calls, see `made::inverse`
        ModularOperation::Inverse | ModularOperation::MontgomeryInverse => {
            return Err(LowerError::Instruction);
        }
    };
    writer.folded(result, r)?;
    writer.finish(model, convention)
}

/// Bytes of the stack for what is called.
const HOME: usize = 16;

/// The text of `void f(r, a, b)`, which has a product, whose routine must follow, made on the stack and then reduced by
/// these instructions.
pub(super) fn after_product(model: &Model, name: &str, d: usize, reduction: &[Instruction]) -> String {
    let link = HOME + 8 * d;
    let size = (link + 8).next_multiple_of(8);
    let lines: String = reduction.iter().map(|one| syntax::instruction(model, one) + "\n").collect();
    format!(
        "{name}: addiu $sp, $sp, -{size}
        sw $a0, {place}($sp)
        sw $ra, {link}($sp)
        bgezal $0, {name}_product
        addiu $a0, $sp, {HOME}
        lw $a0, {place}($sp)
        bgezal $0, {name}_reduce
        addiu $a1, $sp, {HOME}
        lw $ra, {link}($sp)
        nop
        jr $ra
        addiu $sp, $sp, {size}
{name}_reduce:
{lines}{name}_product:\n",
        place = link + 4
    )
}

struct Writer<'a> {
    line: Line,
    sum: Sum<'a>,
    modulus: &'a BigUint,
    /// Words of an element.
    d: usize,
    /// Whether words on the way stay in registers, not on the stack.
    in_registers: bool,
    /// Numbers that stand in registers.
    numbers: BTreeMap<u32, Value>,
    /// Words of the stack in use.
    scratch: usize,
}

impl Writer<'_> {
    fn finish(&self, model: &Model, convention: &Convention) -> Result<Vec<Instruction>, LowerError> {
        Ok(lower::finish(&self.line, model, convention, usize::MAX)?.program)
    }

    /// R.
    fn radix(&self) -> BigUint {
        BigUint::from(1u8) << (32 * self.d)
    }

    /// An operand of 2d words.
    fn double(&self, a: Array) -> Number {
        let words = (0..2 * self.d).map(|word| Word::Memory(a, word)).collect();
        Number { words, most: (BigUint::from(1u8) << (64 * self.d)) - 1u8 }
    }

    /// A register with a number, the same for the same one.
    fn constant(&mut self, value: u32) -> Name {
        match value {
            0 => ZERO,
            _ => (*self.numbers.entry(value).or_insert_with(|| self.line.number(value))).into(),
        }
    }

    fn get(&mut self, word: Word) -> Name {
        match word {
            Word::Name(name) => name,
            Word::Memory(array, index) => self.line.load(array, index).into(),
            Word::Complement(array, index) => {
                let own = self.line.load(array, index);
                self.line.compute(Op::Nor, own, ZERO).into()
            }
        }
    }

    /// Adds words to the sum, two by two.
    fn add(&mut self, words: &[Word]) -> Result<(), LowerError> {
        for pair in words.chunks(2) {
            let x = self.get(pair[0]);
            let y = pair.get(1).map_or(ZERO, |word| self.get(*word));
            self.sum.words(&mut self.line, x, y)?;
        }
        Ok(())
    }

    /// Adds a word times a number.
    fn add_multiple(&mut self, word: Word, factor: u32) -> Result<(), LowerError> {
        match factor {
            0 => Ok(()),
            1 => self.add(&[word]),
            _ => {
                let (x, y) = (self.get(word), self.constant(factor));
                self.sum.product(&mut self.line, x, y)
            }
        }
    }

    /// Room for words on the way.
    fn room(&mut self, count: usize) -> Option<(Array, usize)> {
        if self.in_registers {
            return None;
        }
        self.scratch += count;
        let array = self.line.stack(self.scratch);
        Some((array, self.scratch - count))
    }

    /// Keeps a word.
    fn keep(&mut self, room: Option<(Array, usize)>, index: usize, name: Name) -> Word {
        match room {
            None => Word::Name(name),
            Some((array, start)) => {
                self.line.store(array, start + index, name);
                Word::Memory(array, start + index)
            }
        }
    }

    /// What is to be added up in each column, as words with their factors, and the largest sum, becomes a number; its words
    /// go to the result where it is given.
    fn columns(
        &mut self,
        columns: &[Vec<(Word, u32)>],
        most: BigUint,
        result: Option<Array>,
    ) -> Result<Number, LowerError> {
        let count = (most.bits().div_ceil(32) as usize).max(self.d);
        let room = match result {
            Some(array) => Some((array, 0)),
            None => self.room(count),
        };
        self.sum.clear();
        let mut words = Vec::new();
        for column in 0..count {
            let terms = columns.get(column).map_or(&[][..], |terms| terms);
            for (word, factor) in terms.iter().filter(|(_, factor)| *factor > 1) {
                self.add_multiple(*word, *factor)?;
            }
            let plain: Vec<Word> =
                terms.iter().filter(|(_, factor)| *factor == 1).map(|(word, _)| *word).collect();
            self.add(&plain)?;
            // nothing is above the largest number
            self.sum.limit(count - column);
            let name = self.sum.take(&mut self.line);
            words.push(self.keep(room, column, name));
        }
        self.sum.clear();
        Ok(Number { words, most })
    }

    /// What stands above R, times R mod p, is added to what is below, as often as it takes; then that is the result.
    fn folded(&mut self, mut value: Number, result: Array) -> Result<(), LowerError> {
        let back = words(&(self.radix() % self.modulus), self.d);
        let c = number(&back);
        loop {
            let radix = self.radix();
            let over = &value.most / &radix;
            // at its largest, or below with all ones in the words that stay
            let below = &radix - 1u8 + (&over - 1u8.min(over.bits() as u8)) * &c;
            let most = below.max(&value.most % &radix + &over * &c);
            if over == BigUint::from(1u8) {
                // that it is a bit tells a proof more than that it is a carry or two
                let top = self.get(value.words[self.d]);
                let bit = self.line.immediate(Op::Andi, top, 1);
                value.words.truncate(self.d);
                value.words.push(Word::Name(bit.into()));
            }
            let columns = self.with_multiple(&value, &back);
            let is_last = most < radix;
            value = self.columns(&columns, most, is_last.then_some(result))?;
            if is_last {
                return Ok(());
            }
        }
    }

    /// The columns of a number's low words and of the others times a number.
    fn with_multiple(&self, value: &Number, factor: &[u32]) -> Vec<Vec<(Word, u32)>> {
        let mut columns: Vec<Vec<(Word, u32)>> = vec![Vec::new(); 3 * self.d + 2];
        for (column, word) in value.words.iter().take(self.d).enumerate() {
            columns[column].push((*word, 1));
        }
        for (i, word) in value.words.iter().skip(self.d).enumerate() {
            for (j, factor) in factor.iter().enumerate().filter(|(_, factor)| **factor > 0) {
                columns[i + j].push((*word, *factor));
            }
        }
        columns
    }

    /// Whether what is above R comes back short enough to be added.
    fn is_special(&self) -> bool {
        let back = self.radix() % self.modulus;
        2 * back.bits() <= 32 * self.d as u64
    }

    /// A number of 2d words modulo p, still to be folded.
    fn reduced(&mut self, a: Array) -> Result<Number, LowerError> {
        let z = self.double(a);
        if self.is_special() {
            return Ok(z);
        }
        let quotient = self.divided(z)?;
        let factor = words(&((&self.radix() * &self.radix()) % self.modulus), self.d);
        // the word above is 0 or 1
        let mut columns: Vec<Vec<(Word, u32)>> = vec![Vec::new(); 2 * self.d + 2];
        for (i, word) in quotient.words.iter().enumerate() {
            for (j, factor) in factor.iter().enumerate().filter(|(_, factor)| **factor > 0) {
                columns[i + j].push((*word, *factor));
            }
        }
        let most = &quotient.most * number(&factor);
        let product = self.columns(&columns, most, None)?;
        self.divided(product)
    }

    /// A number divided by R modulo p: word by word, the multiple of p is added that makes it 0.
    fn divided(&mut self, mut z: Number) -> Result<Number, LowerError> {
        let p = words(self.modulus, self.d);
        let factor = negative_inverse(p[0]);
        z.words.resize(z.words.len().max(2 * self.d), Word::Name(ZERO));
        let count = z.words.len();
        let room = self.room(count);
        let mut carry: Option<Word> = None;
        for i in 0..self.d {
            let low = self.get(z.words[i]);
            let quotient = match factor {
                1 => low,
                _ => {
                    let factor = self.constant(factor);
                    self.line.accumulate(Instruction::new(Op::Multu), low, factor);
                    self.line.take(Instruction::new(Op::Mflo)).into()
                }
            };
            self.sum.clear();
            for (j, factor) in p.iter().enumerate() {
                self.add_multiple(Word::Name(quotient), *factor)?;
                let own = if j == 0 { Word::Name(low) } else { z.words[i + j] };
                self.add(&[own])?;
                let name = self.sum.take(&mut self.line);
                if j > 0 {
                    z.words[i + j] = self.keep(room, i + j, name);
                }
            }
            let above: Vec<Word> = [Some(z.words[i + self.d]), carry].into_iter().flatten().collect();
            self.add(&above)?;
            let name = self.sum.take(&mut self.line);
            z.words[i + self.d] = self.keep(room, i + self.d, name);
            self.sum.limit(1);
            carry = Some(Word::Name(self.sum.take(&mut self.line)));
            self.sum.clear();
        }
        let most = (&z.most + (self.radix() - 1u8) * self.modulus) / self.radix();
        let mut words: Vec<Word> = z.words.split_off(self.d);
        // beyond 2d words there is nothing but what the carry is added to
        let last = carry.unwrap_or(Word::Name(ZERO));
        match words.get(self.d).copied() {
            None => words.push(last),
            Some(own) => {
                self.add(&[own, last])?;
                self.sum.limit(1);
                let name = self.sum.take(&mut self.line);
                self.sum.clear();
                words[self.d] = Word::Name(name);
            }
        }
        Ok(Number { words, most })
    }

    /// a + b.
    fn sum_of(&mut self, a: Array, b: Array) -> Result<Number, LowerError> {
        let column = |word| vec![(Word::Memory(a, word), 1), (Word::Memory(b, word), 1)];
        let columns: Vec<_> = (0..self.d).map(column).collect();
        let most = (self.radix() - 1u8) * 2u8;
        self.columns(&columns, most, None)
    }

    /// a - b: the complement of b is R - 1 - b, and a number that is 1 - R modulo p makes up for it.
    fn difference(&mut self, a: Array, b: Array) -> Result<Number, LowerError> {
        let more = (self.modulus + 1u8 - self.radix() % self.modulus) % self.modulus;
        let more = words(&more, self.d);
        let mut columns = Vec::new();
        for (word, more) in more.iter().enumerate() {
            let own = self.line.load(b, word);
            let complement = self.line.compute(Op::Nor, own, ZERO);
            let constant = self.constant(*more);
            let mut column = vec![(Word::Memory(a, word), 1), (Word::Name(complement.into()), 1)];
            if *more > 0 {
                column.push((Word::Name(constant), 1));
            }
            columns.push(column);
        }
        let most = (self.radix() - 1u8) * 2u8 + number(&more);
        self.columns(&columns, most, None)
    }

    /// a / 2: a, or a + p where a is odd, moved down by a place.
    fn half(&mut self, a: Array, r: Array) -> Result<(), LowerError> {
        let p = words(self.modulus, self.d);
        let low = self.line.load(a, 0);
        let odd = self.line.immediate(Op::Andi, low, 1);
        let mask = self.line.compute(Op::Subu, ZERO, odd);
        let mut columns = Vec::new();
        for (word, own) in p.iter().enumerate() {
            let masked: Name = match *own {
                0 => ZERO,
                u32::MAX => mask.into(),
                own => {
                    let own = self.constant(own);
                    self.line.compute(Op::And, own, mask).into()
                }
            };
            let a = if word == 0 { Word::Name(low.into()) } else { Word::Memory(a, word) };
            columns.push(if masked == ZERO { vec![(a, 1)] } else { vec![(a, 1), (Word::Name(masked), 1)] });
        }
        let most = self.radix() - 1u8 + self.modulus;
        let sum = self.columns(&columns, most, None)?;
        for word in 0..self.d {
            let own = self.get(sum.words[word]);
            let above = match sum.words.get(word + 1) {
                Some(above) => self.get(*above),
                None => ZERO,
            };
            let low = self.line.shift(Op::Srl, own, 1);
            let high = self.line.shift(Op::Sll, above, 31);
            let moved = self.line.compute(Op::Or, low, high);
            self.line.store(r, word, moved);
        }
        Ok(())
    }
}
