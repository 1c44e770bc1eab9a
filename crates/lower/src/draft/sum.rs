//! Columns of products in the accumulator, whatever it can do.
//!
//! With guard bits a column is a list of products, and one or two instructions take its low word and move the rest down.
//! Without, with words below `w`, a product may overflow the two words: then the high one, which grew by less than `w`, is
//! smaller than before. Proof: an addition of `p <= (w - 1)^2` that overflows lowers the sum by `w^2 - p >= 2 w - 1`,
//! hence the high word by 1 or more; one that does not overflow does not lower it. So a comparison of the high word
//! before and after is the carry, and the carries of a column are counted in a register. Where the ranges exclude an
//! overflow nothing is compared.

use super::core::{Abilities, Fault, Ring};
use super::form::{Change, Draft, Made, Name, Pair, Part, ZERO};

/// The sum of a column, in the accumulator. Bounds are those of the sum itself, so that the sum of a row of columns
/// is known to be zero above the last one.
#[derive(Clone, Debug)]
pub struct Sum {
    abilities: Abilities,
    ring: Ring,
    /// The largest value of the sum, carries that were counted included.
    most: u128,
    /// The largest value of the two low words, without guard bits.
    part: u128,
    /// What the word above the lowest one holds, where that is known.
    high: Option<Name>,
    /// Overflows so far.
    count: Option<Made>,
    /// A register that holds 1.
    one: Option<Made>,
}

impl Sum {
    /// An empty sum.
    ///
    /// # Errors
    /// Where the processor cannot multiply in this ring.
    pub fn new(abilities: Abilities, ring: Ring) -> Result<Self, Fault> {
        if ring == Ring::BinaryPolynomials && !abilities.carryless {
            return Err(Fault::Carryless);
        }
        Ok(Sum { abilities, ring, most: 0, part: 0, high: None, count: None, one: None })
    }

    /// An empty sum over a ring.
    pub(super) fn over(&self, ring: Ring) -> Result<Self, Fault> {
        Sum::new(self.abilities, ring)
    }

    /// Bits of a word.
    pub(super) fn bits(&self) -> u32 {
        self.abilities.word
    }

    /// Whether there are carry-less products.
    pub(super) fn is_carryless(&self) -> bool {
        self.abilities.carryless
    }

    /// The largest word.
    fn word_most(&self) -> u128 {
        (1 << self.abilities.word) - 1
    }

    /// The largest product of two words; without carries, one of degree `2 (bits - 1)`.
    fn product_most(&self) -> u128 {
        match self.ring {
            Ring::Integers => self.word_most() * self.word_most(),
            Ring::BinaryPolynomials => self.low_most() >> 1,
        }
    }

    /// The largest value of the two low words.
    fn low_most(&self) -> u128 {
        (1 << (2 * self.abilities.word)) - 1
    }

    /// The instructions for the first product of a column and for the others.
    fn products(&self) -> [Change; 2] {
        match self.ring {
            Ring::Integers => [Change::Product, Change::More],
            Ring::BinaryPolynomials => [Change::Carryless, Change::MoreCarryless],
        }
    }

    /// Whether it is known to be zero.
    pub fn is_empty(&self) -> bool {
        self.most == 0
    }

    /// The largest value that it can have.
    pub fn most(&self) -> u128 {
        self.most
    }

    /// States a bound that the caller knows for another reason than the sizes of what was added: the sum has no more
    /// than so many words.
    pub fn limit(&mut self, words: usize) {
        if words < 4 {
            self.most = self.most.min((1 << (self.abilities.word as usize * words)) - 1);
            self.part = self.part.min(self.most);
        }
    }

    /// It becomes zero; nothing is emitted for it.
    pub fn clear(&mut self) {
        (self.most, self.part, self.high, self.count) = (0, 0, None, None);
    }

    /// Whether the accumulator moves down by a word in one instruction.
    pub fn is_wide(&self) -> bool {
        self.abilities.is_wide()
    }

    /// Adds something of at most `most` by an instruction that adds to the accumulator.
    fn add(&mut self, draft: &mut Draft, change: Change, [x, y]: [Name; 2], most: u128) -> Result<(), Fault> {
        if self.ring == Ring::BinaryPolynomials {
            draft.change(change, x, y);
            self.most |= most;
            return Ok(());
        }
        if self.is_wide() {
            let room = (1 << self.abilities.accumulator) - 1 - self.most;
            if most > room {
                return Err(Fault::Guard { bits: self.abilities.accumulator });
            }
            draft.change(change, x, y);
        } else if most <= self.low_most() - self.part {
            draft.change(change, x, y);
            self.part += most;
            self.high = None;
        } else {
            let before = self.high(draft);
            draft.change(change, x, y);
            let after = draft.part(Part::High);
            let carry = draft.pair(Pair::Below, after, before);
            self.count = Some(match self.count {
                Some(count) => draft.pair(Pair::Add, count, carry),
                None => carry,
            });
            self.high = Some(after.into());
            self.part = self.low_most();
        }
        self.most += most;
        Ok(())
    }

    /// Adds the product of two words.
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn product(
        &mut self,
        draft: &mut Draft,
        x: impl Into<Name>,
        y: impl Into<Name>,
    ) -> Result<(), Fault> {
        let names = [x.into(), y.into()];
        let ([first, more], most) = (self.products(), self.product_most());
        if self.most > 0 {
            return self.add(draft, more, names, most);
        }
        self.clear();
        draft.change(first, names[0], names[1]);
        (self.most, self.part) = (most, most);
        Ok(())
    }

    /// Adds twice the product of two words; in characteristic 2 that is nothing.
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn twice(&mut self, draft: &mut Draft, x: impl Into<Name>, y: impl Into<Name>) -> Result<(), Fault> {
        let names = [x.into(), y.into()];
        if self.ring == Ring::BinaryPolynomials {
            return Ok(());
        }
        if !(self.abilities.twice && self.is_wide()) {
            self.product(draft, names[0], names[1])?;
            return self.product(draft, names[0], names[1]);
        }
        self.begin(draft);
        self.add(draft, Change::Twice, names, 2 * self.product_most())
    }

    /// The accumulator holds the sum, even where that is zero.
    fn begin(&mut self, draft: &mut Draft) {
        if self.most == 0 {
            draft.change(Change::Product, ZERO, ZERO);
            self.clear();
            self.high = Some(ZERO);
        }
    }

    fn one(&mut self, draft: &mut Draft) -> Made {
        *self.one.get_or_insert_with(|| draft.number(1))
    }

    /// Adds a word.
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn word(&mut self, draft: &mut Draft, x: impl Into<Name>) -> Result<(), Fault> {
        self.words(draft, x, ZERO)
    }

    /// Adds two words; either may be [`ZERO`].
    ///
    /// # Errors
    /// Where it may be more than the accumulator holds.
    pub fn words(&mut self, draft: &mut Draft, x: impl Into<Name>, y: impl Into<Name>) -> Result<(), Fault> {
        let words: Vec<Name> = [x.into(), y.into()].into_iter().filter(|name| *name != ZERO).collect();
        if self.ring == Ring::Integers && self.abilities.words && self.is_wide() {
            let (Some(x), y) = (words.first(), words.get(1)) else { return Ok(()) };
            if self.most == 0 && y.is_none() && self.abilities.sets_high {
                self.set(draft, *x, ZERO, self.word_most());
                return Ok(());
            }
            self.begin(draft);
            let most = self.word_most() * words.len() as u128;
            return self.add(draft, Change::Words, [*x, *y.unwrap_or(&ZERO)], most);
        }
        for x in words {
            if self.most == 0 && self.abilities.sets_high {
                self.set(draft, x, ZERO, self.word_most());
                continue;
            }
            let one = self.one(draft).into();
            let [first, more] = self.products();
            if self.most == 0 {
                draft.change(first, x, one);
                (self.most, self.part, self.high) = (self.word_most(), self.word_most(), None);
            } else {
                self.add(draft, more, [x, one], self.word_most())?;
            }
        }
        Ok(())
    }

    /// The two low words become these; guard bits become zero.
    fn set(&mut self, draft: &mut Draft, low: Name, high: Name, most: u128) {
        draft.change(Change::SetLow, low, ZERO);
        draft.change(Change::SetHigh, high, ZERO);
        (self.most, self.part, self.high, self.count) = (most, most, Some(high), None);
    }

    /// The low word of the sum, which stays.
    pub fn peek(&self, draft: &mut Draft) -> Name {
        if self.most == 0 { ZERO } else { draft.part(Part::Low).into() }
    }

    /// The low word of the sum, which is divided by a word; [`ZERO`] where the sum is known to be zero.
    pub fn take(&mut self, draft: &mut Draft) -> Name {
        self.take_around(draft, false, |_| ())
    }

    /// The same; with `away`, for which there must be no guard bits, the sum is nowhere in the accumulator while `other`
    /// writes instructions that may use it.
    pub(super) fn take_around(
        &mut self,
        draft: &mut Draft,
        away: bool,
        other: impl FnOnce(&mut Draft),
    ) -> Name {
        if self.most == 0 {
            other(draft);
            return ZERO;
        }
        let rest = self.most >> self.abilities.word;
        if rest == 0 {
            let low = draft.part(Part::Low);
            other(draft);
            self.clear();
            return low.into();
        }
        debug_assert!(!away || !self.is_wide());
        if self.is_wide() {
            let low = draft.part(if self.abilities.take { Part::Take } else { Part::Low });
            if !self.abilities.take {
                draft.change(Change::Shift, ZERO, ZERO);
            }
            other(draft);
            (self.most, self.part, self.high) = (rest, rest.min(self.low_most()), None);
            return low.into();
        }
        let low = draft.part(Part::Low);
        let high = self.high(draft);
        let above = self.count.map_or(ZERO, Name::from);
        other(draft);
        self.set(draft, high, above, rest);
        low.into()
    }

    /// The low word and the one above, where there is nothing else, and the most that this one can be: the sum is empty then.
    pub(super) fn both(&mut self, draft: &mut Draft) -> Option<([Name; 2], u128)> {
        if self.most > self.low_most() || self.most <= self.word_most() {
            return None;
        }
        let low = draft.part(Part::Low).into();
        let high = self.high(draft);
        let most = self.most >> self.abilities.word;
        self.clear();
        Some(([low, high], most))
    }

    /// The same, where nobody wants the low word.
    pub fn skip(&mut self, draft: &mut Draft) {
        let rest = self.most >> self.abilities.word;
        match self.abilities.shift {
            _ if rest == 0 => self.clear(),
            true if self.is_wide() => {
                draft.change(Change::Shift, ZERO, ZERO);
                (self.most, self.part, self.high) = (rest, rest.min(self.low_most()), None);
            }
            _ if self.is_wide() => {
                self.take(draft);
            }
            _ => {
                let high = self.high(draft);
                self.set(draft, high, self.count.map_or(ZERO, Name::from), rest);
            }
        }
    }

    /// What the word above the lowest one holds.
    fn high(&self, draft: &mut Draft) -> Name {
        self.high.unwrap_or_else(|| draft.part(Part::High).into())
    }

    /// The last word of a sum that has no more.
    ///
    /// # Errors
    /// Where it may have more than a word.
    pub fn last(&mut self, draft: &mut Draft) -> Result<Name, Fault> {
        if self.most > self.word_most() {
            return Err(Fault::Carry);
        }
        Ok(self.take(draft))
    }
}
