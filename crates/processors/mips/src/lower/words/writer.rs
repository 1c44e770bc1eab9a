//! Operations of a line, one after the other.

use super::super::LowerError;
use super::super::abilities::Abilities;
use super::super::line::{Line, Name, Value as Made, ZERO};
use super::super::sum::{Ring, Sum};
use super::adder::Adder;
use super::arrays::{Arrays, Frame};
use super::{Place, Way, waits};
use crate::conventions::Convention;
use crate::instructions::{Instruction, Op};
use rhomb_line::{self as shared, Address, Array, Logic, Source, Term, Value};
use std::collections::{BTreeMap, HashMap};

/// Where a word of the line is.
#[derive(Clone, Copy, Debug)]
enum Word {
    Name(Name),
    Number(u32),
    /// All ones where this bit is set, zero elsewhere; nobody has wanted it yet.
    Mask(Name),
    /// These bits where a bit is set, zero elsewhere; the mask of the bit, too, is a value.
    Masked(Name, Value, u32),
    Waits(Address),
}

/// Where the carry is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Carry {
    /// Above the last sum.
    Sum,
    /// It is the lowest bit of a word.
    Lowest(Name),
    /// Nobody is to want it.
    Nowhere,
}

pub(super) struct Writer<'a> {
    shared: &'a shared::Line,
    way: Way,
    line: Line,
    arrays: Arrays,
    words: Vec<Option<Word>>,
    /// Where words wait.
    waiting: BTreeMap<Value, Address>,
    /// Values that are 0 or 1.
    bits: Vec<bool>,
    loaded: HashMap<Address, Name>,
    /// All ones less what another name stands for.
    complements: Vec<(Name, Name)>,
    /// Some bits of what another name stands for.
    masked: Vec<(Name, u32, Name)>,
    numbers: BTreeMap<u32, Made>,
    empty: Sum<'a>,
    adder: Adder<'a>,
    carry: Carry,
    /// What is still to be added to the column.
    terms: Vec<Term>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        shared: &'a shared::Line,
        apart: bool,
        way: Way,
        abilities: &'a Abilities,
        convention: &Convention,
    ) -> Result<Self, LowerError> {
        let mut line = Line::new();
        let waiting = waits::places(shared, apart, way);
        let own = waiting.values().filter(|place| place.array == Array::Scratch);
        let scratch = own.map(|place| place.index + 1).max().unwrap_or(0).max(shared.scratch());
        let product = apart.then(|| shared.words(Array::A));
        let arrays = Arrays::new(&mut line, product, scratch, convention);
        let empty = Sum::new(abilities, Ring::Integers)?;
        Ok(Writer {
            shared,
            way,
            line,
            arrays,
            words: vec![None; shared.values],
            waiting,
            bits: vec![false; shared.values],
            loaded: HashMap::new(),
            complements: Vec::new(),
            masked: Vec::new(),
            numbers: BTreeMap::new(),
            adder: Adder::Accumulator(empty.clone()),
            empty,
            carry: Carry::Sum,
            terms: Vec::new(),
        })
    }

    /// The whole line.
    pub(super) fn written(mut self) -> Result<(Line, Frame), LowerError> {
        for at in 0..self.shared.ops.len() {
            self.one(at)?;
        }
        Ok((self.line, self.arrays.frame))
    }

    fn one(&mut self, at: usize) -> Result<(), LowerError> {
        match self.shared.ops[at] {
            shared::Op::Load { to, from } => {
                let name = self.load(from);
                self.name(to, name);
            }
            shared::Op::Store { from, to } => {
                if self.waiting.get(&from) != Some(&to) {
                    let name = self.get(from)?;
                    self.arrays.store(&mut self.line, to, name);
                }
            }
            shared::Op::Number { to, number } => self.words[to.0] = Some(Word::Number(word(number)?)),
            shared::Op::Multiply { low, high, x, y } => {
                self.multiply(at, x, y)?;
                for (to, op) in [(low, Op::Mflo), (high, Op::Mfhi)] {
                    let name = self.line.take(Instruction::new(op)).into();
                    self.name(to, name);
                }
            }
            shared::Op::Low { to, x, y } => {
                self.multiply(at, x, y)?;
                let name = self.line.take(Instruction::new(Op::Mflo)).into();
                self.name(to, name);
            }
            shared::Op::Add { to, x, y, carry_in: false, carry_out: false } => {
                let (x, y) = (self.get(x)?, self.optional(y)?);
                let name = self.line.compute(Op::Addu, x, y).into();
                self.name(to, name);
            }
            shared::Op::Subtract { to, x, y, carry_in: false, carry_out: false } => {
                let (x, y) = (self.get(x)?, self.optional(y)?);
                let name = self.line.compute(Op::Subu, x, y).into();
                self.name(to, name);
            }
            shared::Op::Add { to, x, y, carry_in, carry_out } => {
                let x = self.get(x)?;
                self.enter(at, carry_in)?;
                let masked = y.and_then(|y| self.words[y.0]);
                let (products, y) = match (masked, &self.adder) {
                    (Some(Word::Masked(bit, _, bits)), Adder::Accumulator(_)) => {
                        (vec![[self.number(bits), bit]], ZERO)
                    }
                    _ => (Vec::new(), self.optional(y)?),
                };
                let words: Vec<Name> = [x, y].into_iter().filter(|word| *word != ZERO).collect();
                self.adder.add(&mut self.line, &products, &words, if carry_out { 2 } else { 1 })?;
                self.leave(to, carry_out);
            }
            shared::Op::Subtract { to, x, y, carry_in, carry_out } => {
                let (x, y) = (self.get(x)?, self.optional(y)?);
                self.enter(at, carry_in)?;
                self.adder.subtract(&mut self.line, x, y, !carry_in, !carry_out)?;
                self.leave(to, carry_out);
            }
            shared::Op::Spread { to, borrow } => {
                let bit = self.carry()?;
                self.words[to.0] = Some(match self.adder {
                    Adder::Accumulator(_) if borrow => {
                        Word::Name(self.line.immediate(Op::Addiu, bit, -1).into())
                    }
                    _ => Word::Mask(bit),
                });
            }
            shared::Op::Not { to, x } => {
                let x = self.get(x)?;
                let name = self.line.compute(Op::Nor, x, ZERO).into();
                self.name(to, name);
            }
            shared::Op::Mask { to, x, bits } => self.mask(to, x, word(bits)?)?,
            shared::Op::Negate { to, x } => {
                let own = self.get(x)?;
                if self.bits[x.0] {
                    self.words[to.0] = Some(Word::Mask(own));
                } else {
                    let name = self.line.compute(Op::Subu, ZERO, own).into();
                    self.name(to, name);
                }
            }
            shared::Op::Logic { to, logic, x, y } => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                let op = match logic {
                    Logic::And => Op::And,
                    Logic::Or => Op::Or,
                    Logic::Xor => Op::Xor,
                };
                let name = self.line.compute(op, x, y).into();
                self.name(to, name);
            }
            shared::Op::Halve { to, x, carry_in, carry_out } => {
                let own = self.get(x)?;
                let above = match carry_in {
                    true => self.carry()?,
                    false => ZERO,
                };
                let mut half: Name = self.line.shift(Op::Srl, own, 1).into();
                if above != ZERO {
                    let top = self.line.shift(Op::Sll, above, 31);
                    half = self.line.compute(Op::Or, half, top).into();
                }
                if carry_out {
                    self.carry = Carry::Lowest(own);
                }
                self.name(to, half);
            }
            shared::Op::Shift { low, high, x, places } => {
                let x = self.get(x)?;
                for (to, op, places) in [(low, Op::Sll, places), (high, Op::Srl, 32 - places)] {
                    if let Some(to) = to {
                        let name = self.line.shift(op, x, places as u8).into();
                        self.name(to, name);
                    }
                }
            }
            shared::Op::Clear => self.enter(at, false)?,
            shared::Op::Term(term) => self.terms.push(term),
            shared::Op::Peek { to } => {
                self.flush(0)?;
                let name = self.adder.peek(&mut self.line);
                self.name(to, name);
            }
            shared::Op::Take { to, words } => {
                self.flush(words)?;
                let Some(to) = to else {
                    self.adder.skip(&mut self.line);
                    return Ok(());
                };
                self.bits[to.0] = self.adder.is_bit();
                let name = self.adder.take(&mut self.line);
                self.name(to, name);
            }
        }
        Ok(())
    }

    /// A value has a name now, and waits if it is to.
    fn name(&mut self, value: Value, name: Name) {
        self.words[value.0] = Some(match self.waiting.get(&value) {
            None => Word::Name(name),
            Some(place) => {
                self.arrays.store(&mut self.line, *place, name);
                Word::Waits(*place)
            }
        });
    }

    fn get(&mut self, value: Value) -> Result<Name, LowerError> {
        Ok(match self.words[value.0].ok_or(LowerError::Instruction)? {
            Word::Name(name) => name,
            Word::Number(number) => self.number(number),
            Word::Mask(ZERO) => ZERO,
            Word::Mask(bit) => {
                let mask = self.line.compute(Op::Subu, ZERO, bit).into();
                self.words[value.0] = Some(Word::Name(mask));
                mask
            }
            Word::Masked(_, mask, bits) => {
                let mask = self.get(mask)?;
                let name = self.and(mask, bits);
                self.words[value.0] = Some(Word::Name(name));
                name
            }
            Word::Waits(place) => self.arrays.load(&mut self.line, place),
        })
    }

    fn optional(&mut self, value: Option<Value>) -> Result<Name, LowerError> {
        value.map_or(Ok(ZERO), |value| self.get(value))
    }

    fn source(&mut self, source: Source) -> Result<Name, LowerError> {
        match source {
            Source::Value(value) => self.get(value),
            Source::Memory(address) => Ok(self.load(address)),
            Source::Number(number) => Ok(self.number(word(number)?)),
        }
    }

    fn load(&mut self, address: Address) -> Name {
        match self.loaded.get(&address) {
            Some(name) if self.way.keep => *name,
            _ => {
                let name = self.arrays.load(&mut self.line, address);
                self.loaded.insert(address, name);
                name
            }
        }
    }

    /// A register with a number, the same for the same one.
    fn number(&mut self, number: u32) -> Name {
        match number {
            0 => ZERO,
            _ => (*self.numbers.entry(number).or_insert_with(|| self.line.number(number))).into(),
        }
    }

    fn complement(&mut self, name: Name) -> Name {
        if let Some((_, complement)) = self.complements.iter().find(|(own, _)| *own == name) {
            return *complement;
        }
        let complement = self.line.compute(Op::Nor, name, ZERO).into();
        self.complements.push((name, complement));
        complement
    }

    fn mask(&mut self, to: Value, x: Value, bits: u32) -> Result<(), LowerError> {
        self.bits[to.0] = bits == 1;
        self.words[to.0] = Some(match (self.words[x.0], bits) {
            (Some(Word::Mask(bit)), 1) => Word::Name(bit),
            (Some(Word::Mask(bit)), _) => Word::Masked(bit, x, bits),
            _ => {
                let x = self.get(x)?;
                let name = self.and(x, bits);
                self.name(to, name);
                return Ok(());
            }
        });
        Ok(())
    }

    /// Some bits of a word, made once.
    fn and(&mut self, x: Name, bits: u32) -> Name {
        if let Some((.., name)) = self.masked.iter().find(|(own, mask, _)| *own == x && *mask == bits) {
            return *name;
        }
        let name = match bits {
            0..=0xffff => self.line.immediate(Op::Andi, x, bits as i32).into(),
            _ => {
                let bits = self.number(bits);
                self.line.compute(Op::And, x, bits).into()
            }
        };
        self.masked.push((x, bits, name));
        name
    }

    /// A product in the accumulator, where nothing else may be.
    fn multiply(&mut self, at: usize, x: Value, y: Value) -> Result<(), LowerError> {
        let next = self.shared.ops[at..].iter().find(|op| is_of_sum(op));
        let is_needed = next.is_some_and(|op| !begins(op)) && matches!(self.adder, Adder::Accumulator(_));
        if is_needed || !self.terms.is_empty() {
            return Err(LowerError::Instruction);
        }
        let (x, y) = (self.get(x)?, self.get(y)?);
        self.line.accumulate(Instruction::new(Op::Multu), x, y);
        Ok(())
    }

    /// A sum begins, or goes on with its carry.
    fn enter(&mut self, at: usize, carry_in: bool) -> Result<(), LowerError> {
        if carry_in {
            return if self.carry == Carry::Sum { Ok(()) } else { Err(LowerError::Instruction) };
        }
        let first = &self.shared.ops[at];
        let rest = self.shared.ops[at + 1..].iter().take_while(|op| !begins(op));
        let own: Vec<&shared::Op> = std::iter::once(first).chain(rest).filter(|op| is_of_sum(op)).collect();
        let is_product = |op: &&shared::Op| matches!(op, shared::Op::Term(Term { factor: Some(_), .. }));
        let in_registers = match self.way.place {
            _ if own.iter().any(is_product) => false,
            Place::Accumulator => false,
            Place::Registers => true,
            Place::Shorter => {
                let [registers, accumulator] = costs(&own, self.empty.abilities());
                registers < accumulator
            }
        };
        self.adder = match in_registers {
            true => Adder::REGISTERS,
            false => Adder::Accumulator(self.empty.clone()),
        };
        self.carry = Carry::Sum;
        Ok(())
    }

    /// A word of a chain is done.
    fn leave(&mut self, to: Value, carry_out: bool) {
        let name = self.adder.take(&mut self.line);
        self.name(to, name);
        self.carry = if carry_out { Carry::Sum } else { Carry::Nowhere };
    }

    /// The carry as the lowest bit of a word whose others may be anything where a word was halved.
    fn carry(&mut self) -> Result<Name, LowerError> {
        match std::mem::replace(&mut self.carry, Carry::Nowhere) {
            Carry::Sum => Ok(self.adder.take(&mut self.line)),
            Carry::Lowest(name) => Ok(name),
            Carry::Nowhere => Err(LowerError::Instruction),
        }
    }

    /// Adds the terms that are left of a column.
    fn flush(&mut self, left: usize) -> Result<(), LowerError> {
        let terms = std::mem::take(&mut self.terms);
        let mut words: Vec<(Source, bool)> = Vec::new();
        let mut number = 0i64;
        for Term { minus, word, factor } in terms {
            match (word, factor) {
                (_, Some(_)) if minus => return Err(LowerError::Instruction),
                (_, Some(factor)) => {
                    let product = [self.source(word)?, self.source(factor)?];
                    self.adder.add(&mut self.line, &[product], &[], left)?;
                }
                (Source::Number(own), None) => number += if minus { -(own as i64) } else { own as i64 },
                (_, None) => {
                    // a complement is 2^32 - 1 more than what is subtracted
                    number -= if minus { i64::from(u32::MAX) } else { 0 };
                    words.push((word, minus));
                }
            }
        }
        if number != 0 {
            words.push((Source::Number(u64::try_from(number).map_err(|_| LowerError::Instruction)?), false));
        }
        // in the accumulator two words are added at a time
        let count = if matches!(self.adder, Adder::Accumulator(_)) { 2 } else { words.len() };
        for some in words.chunks(count.max(1)) {
            let mut names = Vec::new();
            for (word, minus) in some {
                let own = self.source(*word)?;
                let own = if *minus { self.complement(own) } else { own };
                if own != ZERO {
                    names.push(own);
                }
            }
            self.adder.add(&mut self.line, &[], &names, left)?;
        }
        if words.is_empty() {
            self.adder.add(&mut self.line, &[], &[], left)?;
        }
        Ok(())
    }
}

fn word(number: u64) -> Result<u32, LowerError> {
    u32::try_from(number).map_err(|_| LowerError::Instruction)
}

/// Whether an operation is one of columns, or uses a carry.
fn is_of_sum(op: &shared::Op) -> bool {
    use shared::Op;
    matches!(
        op,
        Op::Clear
            | Op::Term(_)
            | Op::Peek { .. }
            | Op::Take { .. }
            | Op::Add { .. }
            | Op::Subtract { .. }
            | Op::Spread { .. }
            | Op::Halve { .. }
    )
}

/// Whether a sum begins there, so that nothing is left of the one before.
fn begins(op: &shared::Op) -> bool {
    use shared::Op;
    matches!(
        op,
        Op::Clear
            | Op::Add { carry_in: false, carry_out: true, .. }
            | Op::Subtract { carry_in: false, carry_out: true, .. }
    )
}

/// Instructions that a sum takes in registers and in the accumulator, without loads.
fn costs(ops: &[&shared::Op], abilities: &Abilities) -> [usize; 2] {
    use shared::Op;
    let column = |words: usize, minus: usize, carry: bool, last: bool| {
        let additions = (words + usize::from(carry)).saturating_sub(1);
        let registers = if last { additions } else { (3 * additions).saturating_sub(1) };
        let added = if abilities.words.is_some() { words.div_ceil(2) } else { words };
        let taken = match (abilities.is_wide(), abilities.take.is_some()) {
            (true, true) => 1,
            (true, false) => 2,
            (false, _) => 4,
        };
        [registers, added + taken + minus]
    };
    let (mut sums, mut words, mut carry) = ([0, 0], 0, false);
    for op in ops {
        let own = match op {
            Op::Term(_) => {
                words += 1;
                continue;
            }
            Op::Take { words: left, .. } => column(std::mem::take(&mut words), 0, carry, *left == 1),
            Op::Add { y, carry_in, carry_out, .. } => {
                column(1 + usize::from(y.is_some()), 0, *carry_in, !carry_out)
            }
            Op::Subtract { y, carry_in, carry_out, .. } => {
                column(1 + usize::from(y.is_some()), 1, *carry_in, !carry_out)
            }
            _ => continue,
        };
        carry = true;
        sums = [sums[0] + own[0], sums[1] + own[1]];
    }
    sums
}
