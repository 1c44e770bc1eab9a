//! Operations of a line, one after the other.

use super::adder::Adder;
use super::arrays::{Arrays, Frame, Product};
use super::core::{Fault, Ring, Setting};
use super::form::{Change, Draft, Made, Name, Pair, Part, ZERO};
use super::sum::Sum;
use super::waiting::Waiting;
use super::waits;
use super::way::{SumsIn, Way};
use rhomb_line::{Address, Array, Line, Logic, Op, Source, Term, Value};
use std::collections::{BTreeMap, HashMap};

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

/// About how many instructions an operation takes.
const OF_OPERATION: usize = 3;

/// Where a word of the line is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Word {
    Name(Name),
    Number(u32),
    /// All ones where this bit is set, zero elsewhere; nobody has wanted it yet.
    Mask(Name),
    /// These bits where a bit is set, zero elsewhere; the mask of the bit, too, is a value.
    Masked(Name, Value, u32),
    Waits(Address),
}

pub(super) struct Writer<'a> {
    shared: &'a Line,
    pub(super) way: Way,
    pub(super) draft: Draft,
    pub(super) arrays: Arrays,
    pub(super) words: Vec<Option<Word>>,
    /// Where words wait.
    pub(super) waiting: BTreeMap<Value, Address>,
    /// Values that are 0 or 1.
    pub(super) bits: Vec<bool>,
    pub(super) loaded: HashMap<Address, Name>,
    /// All ones less what another name stands for.
    pub(super) complements: Vec<(Name, Name)>,
    /// What is all ones or zero, and the bit that says which, where there is one.
    pub(super) masks: Vec<(Name, Option<Name>)>,
    /// Some bits of what another name stands for.
    pub(super) masked: Vec<(Name, u32, Name)>,
    pub(super) numbers: BTreeMap<u32, Made>,
    empty: Sum,
    /// Whether there is an accumulator.
    pub(super) accumulates: bool,
    adder: Adder,
    carry: Carry,
    /// What is still to be added to the column.
    terms: Vec<Term>,
    /// An operation that was done with the one before it.
    done: Option<usize>,
    /// How many instructions the words of a product that is made before stay in registers; where nothing is called.
    joined: Option<usize>,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        shared: &'a Line,
        product: Product<'_>,
        way: Way,
        setting: &Setting,
    ) -> Result<Self, Fault> {
        let mut draft = Draft::default();
        let apart = !matches!(product, Product::None);
        let joined = match product {
            Product::Called => None,
            Product::None => Some(0),
            Product::Inside(_) => Some(way.patience.saturating_mul(OF_OPERATION)),
        };
        let waiting = waits::places(shared, apart, way);
        let own = waiting.values().filter(|place| place.array == Array::Scratch);
        let scratch = own.map(|place| place.index + 1).max().unwrap_or(0).max(shared.scratch_with_homes());
        let arrays = Arrays::new(&mut draft, (product, shared.words(Array::A)), scratch, setting)?;
        let empty = Sum::new(setting.abilities, Ring::Integers)?;
        Ok(Writer {
            shared,
            way,
            draft,
            arrays,
            words: vec![None; shared.values],
            waiting,
            bits: vec![false; shared.values],
            loaded: HashMap::new(),
            complements: Vec::new(),
            masks: Vec::new(),
            masked: Vec::new(),
            numbers: BTreeMap::new(),
            adder: match setting.abilities.accumulates() {
                true => Adder::Accumulator(empty.clone()),
                false => Adder::Registers(Waiting::new(Ring::Integers, empty.bits())),
            },
            accumulates: setting.abilities.accumulates(),
            empty,
            carry: Carry::Sum,
            terms: Vec::new(),
            done: None,
            joined,
        })
    }

    /// The whole line.
    pub(super) fn written(mut self) -> Result<(Draft, Frame), Fault> {
        for at in 0..self.shared.ops.len() {
            if Some(at) != self.done {
                self.one(at)?;
            }
        }
        let Arrays { stack, mut frame, .. } = self.arrays;
        if let Some(patience) = self.joined {
            frame.words = self.draft.forward(stack, patience, false);
        }
        Ok((self.draft, frame))
    }

    fn one(&mut self, at: usize) -> Result<(), Fault> {
        match self.shared.ops[at] {
            Op::Load { to, from } => {
                let name = self.load(from);
                self.name(to, name);
            }
            Op::Store { from, to } => {
                if self.waiting.get(&from) != Some(&to) {
                    let name = self.get(from)?;
                    self.arrays.store(&mut self.draft, to, name);
                }
            }
            Op::Number { to, number } => self.words[to.0] = Some(Word::Number(word(number)?)),
            Op::Multiply { low, high, x, y } => {
                if !self.accumulates {
                    let (x, y) = (self.get(x)?, self.get(y)?);
                    self.computed(high, Pair::High, x, y);
                    self.computed(low, Pair::Low, x, y);
                    return Ok(());
                }
                self.multiply(at, x, y)?;
                for (to, part) in [(low, Part::Low), (high, Part::High)] {
                    let name = self.draft.part(part).into();
                    self.name(to, name);
                }
            }
            Op::Low { to, x, y } if !self.accumulates => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                self.computed(to, Pair::Low, x, y);
            }
            Op::Low { to, x, y } => {
                self.multiply(at, x, y)?;
                let name = self.draft.part(Part::Low).into();
                self.name(to, name);
            }
            op @ (Op::Add { to, x, y, carry_in: false, carry_out: false }
            | Op::Subtract { to, x, y, carry_in: false, carry_out: false }) => {
                let own = if matches!(op, Op::Add { .. }) { Pair::Add } else { Pair::Subtract };
                let (x, y) = (self.get(x)?, self.optional(y)?);
                self.computed(to, own, x, y);
            }
            Op::Add { to, x, y, carry_in, carry_out } => {
                let x = self.get(x)?;
                self.enter(at, carry_in)?;
                let masked = y.and_then(|y| self.words[y.0]);
                let (products, y) = match (masked, &self.adder) {
                    (Some(Word::Masked(bit, _, bits)), Adder::Accumulator(_)) => {
                        (vec![([self.number(bits), bit], Some(1))], ZERO)
                    }
                    _ => (Vec::new(), self.optional(y)?),
                };
                let is_bit = self.words_bit(at);
                let y = if carry_in && is_bit { self.adder.joined(&mut self.draft, y) } else { y };
                let words: Vec<Name> = [x, y].into_iter().filter(|word| *word != ZERO).collect();
                self.adder.add(&mut self.draft, &products, &words, if carry_out { 2 } else { 1 })?;
                self.leave(to, carry_out);
            }
            Op::Subtract { to, x, y, carry_in, carry_out } => {
                let (x, y) = (self.get(x)?, self.optional(y)?);
                self.enter(at, carry_in)?;
                self.adder.subtract(&mut self.draft, x, y, !carry_in, !carry_out)?;
                self.leave(to, carry_out);
            }
            Op::Spread { to, borrow } => {
                let bit = self.carry()?;
                self.words[to.0] = Some(match self.adder {
                    Adder::Accumulator(_) if borrow => {
                        Word::Name(self.draft.with_number(Pair::Add, bit, -1).into())
                    }
                    _ => Word::Mask(bit),
                });
            }
            Op::Sign { to, x } => {
                let x = self.get(x)?;
                let name = self.draft.sign(x, self.empty.bits() - 1).into();
                self.masks.push((name, None));
                self.name(to, name);
            }
            Op::Not { to, x } => {
                let x = self.get(x)?;
                self.computed(to, Pair::Nor, x, ZERO);
            }
            Op::Mask { to, x, bits } => self.mask(to, x, word(bits)?)?,
            Op::Negate { to, x } => {
                if let Some(Word::Mask(bit)) = self.words[x.0] {
                    self.bits[to.0] = true;
                    self.name(to, bit);
                    return Ok(());
                }
                let own = self.get(x)?;
                if self.bits[x.0] {
                    self.words[to.0] = Some(Word::Mask(own));
                } else {
                    self.computed(to, Pair::Subtract, ZERO, own);
                }
            }
            Op::Logic { to, logic, x, y } => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                let pair = match logic {
                    Logic::And => Pair::And,
                    Logic::Or => Pair::Or,
                    Logic::Xor => Pair::Xor,
                };
                self.computed(to, pair, x, y);
            }
            Op::Halve { to, x, carry_in, carry_out } => {
                let own = self.get(x)?;
                let above = match carry_in {
                    true => self.carry()?,
                    false => ZERO,
                };
                let mut half: Name = self.draft.down(own, 1).into();
                if above != ZERO {
                    let top = self.draft.up(above, self.empty.bits() - 1);
                    half = self.draft.pair(Pair::Or, half, top).into();
                }
                if carry_out {
                    self.carry = Carry::Lowest(own);
                }
                self.name(to, half);
            }
            Op::Shift { low, high, x, places } => {
                let x = self.get(x)?;
                if let Some(to) = low {
                    let name = self.draft.up(x, places).into();
                    self.name(to, name);
                }
                if let Some(to) = high {
                    let name = self.draft.down(x, self.empty.bits() - places).into();
                    self.name(to, name);
                }
            }
            Op::Clear => self.enter(at, false)?,
            Op::Term(term) => self.terms.push(term),
            Op::Carryless { x, y } => {
                let (x, y) = (self.get(x)?, self.get(y)?);
                self.adder.add(&mut self.draft, &[([x, y], None)], &[], 0)?;
            }
            Op::Peek { to } => {
                self.flush(0)?;
                let name = self.adder.peek(&mut self.draft);
                self.name(to, name);
            }
            Op::Take { to, words } => {
                self.flush(words)?;
                let Some(to) = to else {
                    self.adder.skip(&mut self.draft);
                    return Ok(());
                };
                let is_known = !self.accumulates && self.shared.bits.contains(&to);
                self.bits[to.0] = is_known || self.adder.is_bit();
                // a word is stored when it is made
                let is_stored = |op: &&Op| matches!(op, Op::Store { from, .. } if *from == to);
                let after = at + 1 + self.shared.ops[at + 1..].iter().take_while(is_stored).count();
                let next = self.shared.ops.get(after).copied();
                if let (Some(Op::Take { to: Some(high), .. }), Adder::Accumulator(sum)) =
                    (next, &mut self.adder)
                    && let Some(([low, above], most)) = sum.both(&mut self.draft)
                {
                    self.bits[high.0] = most <= 1;
                    self.name(to, low);
                    self.name(high, above);
                    self.done = Some(after);
                    return Ok(());
                }
                let name = self.adder.take(&mut self.draft);
                self.name(to, name);
            }
        }
        Ok(())
    }

    /// Whether the second word of a sum is 0 or 1.
    fn words_bit(&self, at: usize) -> bool {
        matches!(self.shared.ops[at], Op::Add { y: Some(y), .. } if self.bits[y.0])
    }

    /// A product in the accumulator, where nothing else may be.
    fn multiply(&mut self, at: usize, x: Value, y: Value) -> Result<(), Fault> {
        let next = self.shared.ops[at..].iter().find(|op| is_of_sum(op));
        let is_needed = next.is_some_and(|op| !begins(op)) && matches!(self.adder, Adder::Accumulator(_));
        if is_needed || !self.terms.is_empty() {
            return Err(Fault::Instruction);
        }
        let (x, y) = (self.get(x)?, self.get(y)?);
        self.draft.change(Change::Product, x, y);
        Ok(())
    }

    /// A sum begins, or goes on with its carry.
    fn enter(&mut self, at: usize, carry_in: bool) -> Result<(), Fault> {
        if carry_in {
            return if self.carry == Carry::Sum { Ok(()) } else { Err(Fault::Instruction) };
        }
        let ops = &self.shared.ops[at..];
        let length = 1 + ops[1..].iter().take_while(|op| !begins(op)).count();
        // what moves down in many instructions is worth it for many words only
        let most = if self.empty.is_wide() { 3 } else { 5 };
        let in_registers = match (self.way.place, is_short(&ops[..length], most)) {
            (SumsIn::Accumulator, _) | (_, None) => false,
            (SumsIn::Registers, _) => true,
            (SumsIn::Shorter, Some(short)) => short,
        };
        let is_carryless = ops[..length].iter().any(|op| matches!(op, Op::Carryless { .. }));
        let ring = if is_carryless { Ring::BinaryPolynomials } else { Ring::Integers };
        self.adder = match in_registers || !self.accumulates {
            true if is_carryless && !self.empty.is_carryless() => return Err(Fault::Carryless),
            true => Adder::Registers(Waiting::new(ring, self.empty.bits())),
            false => Adder::Accumulator(self.empty.over(ring)?),
        };
        self.carry = Carry::Sum;
        Ok(())
    }

    /// A word of a chain is done.
    fn leave(&mut self, to: Value, carry_out: bool) {
        let name = self.adder.take(&mut self.draft);
        self.name(to, name);
        self.carry = if carry_out { Carry::Sum } else { Carry::Nowhere };
    }

    /// The carry as the lowest bit of a word whose others may be anything where a word was halved.
    fn carry(&mut self) -> Result<Name, Fault> {
        match std::mem::replace(&mut self.carry, Carry::Nowhere) {
            Carry::Sum => Ok(self.adder.take(&mut self.draft)),
            Carry::Lowest(name) => Ok(name),
            Carry::Nowhere => Err(Fault::Instruction),
        }
    }

    /// Adds the terms that are left of a column.
    fn flush(&mut self, left: usize) -> Result<(), Fault> {
        let terms = std::mem::take(&mut self.terms);
        let mut words: Vec<(Source, bool)> = Vec::new();
        let mut number = 0i64;
        // in registers products take words with them
        let mut products = Vec::new();
        for Term { minus, word, factor } in terms {
            match (word, factor) {
                (_, Some(_)) if minus => return Err(Fault::Instruction),
                (_, Some(factor)) => {
                    let most = match factor {
                        Source::Number(factor) => u32::try_from(factor).ok(),
                        _ => None,
                    };
                    let product = ([self.source(word)?, self.source(factor)?], most);
                    if !self.accumulates {
                        let is_bit = matches!(word, Source::Value(value) if self.bits[value.0]);
                        if let (true, Some(most), ([x, y], _)) = (is_bit, most, product) {
                            let low = self.draft.pair(Pair::Low, x, y).into();
                            self.adder.word(low, most);
                            continue;
                        }
                        products.push(product);
                        continue;
                    }
                    self.adder.add(&mut self.draft, &[product], &[], left)?;
                }
                (Source::Number(own), None) => number += if minus { -(own as i64) } else { own as i64 },
                (_, None) => {
                    // a complement is 2^32 - 1 more than what is subtracted
                    number -= if minus { (1 << self.empty.bits()) - 1 } else { 0 };
                    words.push((word, minus));
                }
            }
        }
        if number != 0 {
            words.push((Source::Number(u64::try_from(number).map_err(|_| Fault::Instruction)?), false));
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
            self.adder.add(&mut self.draft, &products, &names, left)?;
        }
        if words.is_empty() {
            self.adder.add(&mut self.draft, &products, &[], left)?;
        }
        Ok(())
    }
}

/// Whether an operation is one of columns, or uses a carry.
fn is_of_sum(op: &Op) -> bool {
    let is_alone = matches!(
        op,
        Op::Add { carry_in: false, carry_out: false, .. }
            | Op::Subtract { carry_in: false, carry_out: false, .. }
    );
    !is_alone
        && matches!(
            op,
            Op::Clear
                | Op::Term(_)
                | Op::Carryless { .. }
                | Op::Peek { .. }
                | Op::Take { .. }
                | Op::Add { .. }
                | Op::Subtract { .. }
                | Op::Spread { .. }
                | Op::Halve { .. }
        )
}

/// Whether a sum begins there, so that nothing is left of the one before.
fn begins(op: &Op) -> bool {
    matches!(
        op,
        Op::Clear
            | Op::Add { carry_in: false, carry_out: true, .. }
            | Op::Subtract { carry_in: false, carry_out: true, .. }
    )
}

/// Whether there are no more words in two columns than these, so that sums take fewer instructions in registers than in the
/// accumulator. Nothing where there are products.
fn is_short(ops: &[Op], most: usize) -> Option<bool> {
    let (mut words, mut columns) = (0, 0);
    for op in ops {
        match op {
            Op::Term(Term { factor: Some(_), .. }) | Op::Carryless { .. } => return None,
            Op::Term(_) => words += 1,
            Op::Take { .. } => columns += 1,
            Op::Add { y, .. } | Op::Subtract { y, .. } => {
                words += 1 + usize::from(y.is_some());
                columns += 1;
            }
            _ => {}
        }
    }
    Some(2 * words <= most * columns)
}

pub(super) fn word(number: u64) -> Result<u32, Fault> {
    u32::try_from(number).map_err(|_| Fault::Instruction)
}
