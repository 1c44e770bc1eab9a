//! Words that stand for numbers below zero, too, as compiled code carries them from limb to limb: `w = a - b + c; r = w & mask; c = w >> 30`
//! with an arithmetic shift.
//!
//! Of such a word the number is known that it stands for, so that what is added to it, and what it is cut to, is told of numbers, whatever
//! the word borrowed on the way.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, evaluate};
use crate::value::{Flag, Value};
use num_integer::Integer;
use rhomb_poly::{Monomial, Polynomial, Variable};
use std::collections::HashMap;
use std::ops::Range;

/// Most words inside each other that are written out.
const DEEPEST: usize = 4;

/// Bits above a number that all are its sign, where it is moved up by itself.
const LEAST_SIGNS: u32 = 2;

/// Most terms of a number.
const MOST_TERMS: usize = 64;

/// What is known of words that stand for signed numbers.
#[derive(Clone, Debug, Default)]
pub(crate) struct Signed {
    words: HashMap<Variable, Number>,
    /// What lies below the sign of such a word.
    below_signs: HashMap<Variable, Number>,
    /// Sums that cannot be below zero though a part of them can.
    sums: HashMap<Variable, Polynomial>,
    /// What numbers are that were raised.
    raised: HashMap<Variable, Polynomial>,
    /// How numbers were cut, by their terms without the constant.
    cuts: HashMap<Polynomial, Vec<Cut>>,
    /// Whether numbers are below zero, by what is left of them where multiples are divided and what is below is left out.
    signs: HashMap<Polynomial, Variable>,
}

/// A word is a number, and 2^width where a bit is 1. Of a word that stands for a signed number, the number is at least -2^(width - 1)
/// and below 2^(width - 1), and the bit is 1 where it is below zero.
#[derive(Clone, Debug)]
struct Number {
    number: Polynomial,
    is_negative: Variable,
    width: u32,
}

/// A number with this constant is what is below the place, and 2^place times what is above.
#[derive(Clone, Debug)]
struct Cut {
    constant: i64,
    place: u32,
    low: Variable,
    above: Polynomial,
}

impl Number {
    fn word(&self) -> Option<Polynomial> {
        self.number.plus_multiple(&Polynomial::variable(self.is_negative), 1 << self.width)
    }
}

/// The bit of which a number is the opposite.
fn opposite_of(number: &Polynomial) -> Option<Variable> {
    Polynomial::zero().plus_multiple(number, -1)?.as_variable().filter(|bit| bit.is_bit())
}

impl Equations {
    /// Notes the number that a word stands for, which borrowed where that is below zero, or left a carry where it is not.
    pub(crate) fn note_signed(
        &mut self,
        word: Variable,
        number: &Polynomial,
        carry: Variable,
        has_borrowed: bool,
    ) {
        let is_number = self.compiled && self.is_wide() && number.terms().len() <= MOST_TERMS;
        if !is_number || self.is_signed(number, self.bits) != Some(true) {
            return;
        }
        let is_negative = match Polynomial::constant(1).plus_multiple(&Polynomial::variable(carry), -1) {
            Some(none) if !has_borrowed => self.bit_of_polynomial(none),
            _ => carry,
        };
        self.signed.words.insert(word, Number { number: number.clone(), is_negative, width: self.bits });
    }

    /// Whether a number that a word of so many bits can stand for is below zero at times; `None` where it cannot.
    fn is_signed(&self, number: &Polynomial, width: u32) -> Option<bool> {
        let half = 1i128 << (width - 1);
        let (least, most) = self.range_over_bits(number)?;
        (least >= -half && most < half).then_some(least < 0)
    }

    /// A sum of words, with those that stand for signed numbers written out where nothing but multiples of the radix goes with these;
    /// `None` where there is none.
    fn with_numbers(&self, sum: &Polynomial, added: [&Polynomial; 2]) -> Option<Polynomial> {
        // a mask that was moved up is the opposite of a power of two, or nothing
        let is_moved = |(product, factor): &(Monomial, i64)| {
            matches!(product.variables(), [bit] if bit.is_bit())
                && (self.radix() / 2..self.ones()).contains(&factor.abs())
        };
        let added = added.into_iter().filter(|_| self.tells_limbs());
        let mut terms = added.chain([sum]).flat_map(|own| own.terms());
        let (mut sum, mut is_found) = (sum.clone(), terms.any(is_moved));
        for _ in 0..DEEPEST {
            let (mut next, mut is_changed) = (Polynomial::zero(), false);
            for (product, factor) in sum.terms() {
                let own = match product.variables() {
                    [word] => self.number_within(*word, *factor, &sum),
                    _ => None,
                };
                is_found |= own.as_ref().is_some_and(|(_, is_signed)| *is_signed);
                is_changed |= own.is_some();
                let own = match own {
                    Some((own, _)) => own,
                    None => Polynomial::from_terms(vec![(product.clone(), 1)])?,
                };
                next = next.plus_multiple(&own, *factor)?;
            }
            if !is_changed || next.terms().len() > MOST_TERMS {
                break;
            }
            sum = next;
        }
        is_found.then_some(sum)
    }

    /// A number with the parts of others that come together in it told as what these are, where that is shorter.
    pub(crate) fn with_cuts_undone(&self, mut number: Polynomial) -> Polynomial {
        let factor_of = |number: &Polynomial, own: Variable| {
            number.terms().iter().find(|(product, _)| product.variables() == [own]).map(|(_, factor)| *factor)
        };
        let undone = |number: &Polynomial| {
            number.terms().iter().find_map(|(product, factor)| {
                let [low] = product.variables() else { return None };
                let equation = self.graph.defining_low(low.index())?;
                let (high, radix) = equation.high?;
                factor_of(number, high).filter(|own| Some(*own) == factor.checked_mul(radix))?;
                let parts = Polynomial::variable(*low).plus_multiple(&Polynomial::variable(high), radix)?;
                let change = equation.right.plus_multiple(&parts, -1)?;
                let undone = number.plus_multiple(&change, *factor)?;
                (undone.terms().len() < number.terms().len()).then_some(undone)
            })
        };
        while let Some(next) = undone(&number) {
            number = next;
        }
        number
    }

    /// What a word is that stands for a signed number, or was put together of such, and whether it is the former.
    fn number_within(&self, word: Variable, factor: i64, sum: &Polynomial) -> Option<(Polynomial, bool)> {
        let numbers = [&self.signed.words, &self.signed.below_signs];
        if let Some(own) = numbers.into_iter().find_map(|own| own.get(&word)) {
            if let [bit] = own.number.variables()[..]
                && bit.is_bit()
            {
                // a part that is nothing but signs
                return Some((own.word()?, false));
            }
            let is_whole = |signs: i128| signs % i128::from(self.radix()) == 0;
            let moved = i128::from(factor) << own.width;
            // a part by itself is no number, unless all its highest bits are the sign
            let is_narrow =
                || self.is_signed(&own.number, own.width.saturating_sub(LEAST_SIGNS).max(1)).is_some();
            let is_alone = || is_whole(moved) && (own.width == self.bits || is_narrow());
            let signs = sum.terms().iter().find(|(product, _)| product.variables() == [own.is_negative]);
            let is_number = signs.is_some_and(|(_, factor)| is_whole(moved + i128::from(*factor)));
            return (is_number || is_alone()).then(|| own.word().map(|word| (word, true)))?;
        }
        if let Some(sum) = self.signed.sums.get(&word) {
            return Some((sum.clone(), false));
        }
        let equation = self.graph.defining_low(word.index())?;
        if equation.high.is_some() || word.is_bit() {
            return None;
        }
        let is_part = |own: &Variable| numbers.into_iter().any(|numbers| numbers.contains_key(own));
        equation.right.variables().iter().any(is_part).then(|| (equation.right.clone(), false))
    }

    /// A sum, or a difference, of words of which one stands for a signed number, where that of the result is one, too: the word, and what
    /// leaves it.
    pub(crate) fn signed_sum(
        &mut self,
        x: &Value,
        y: &Value,
        entering: &Flag,
        is_sum: bool,
    ) -> Option<(Value, Flag)> {
        if !self.compiled || self.signed.words.is_empty() {
            return None;
        }
        let sign = if is_sum { 1 } else { -1 };
        let (x, y) = (self.polynomial(x)?, self.polynomial(y)?);
        let mut whole = x.plus_multiple(&y, sign)?;
        if !matches!(entering, Flag::Known(false)) {
            if !self.tells_limbs() {
                return None;
            }
            let entering = self.bit_polynomial(entering);
            whole = whole.plus_multiple(&entering, sign)?;
        }
        let whole = self.with_numbers(&whole, [&x, &y])?;
        // of bits, and of constants, what is the radix or more stands for what is below zero
        let radix = self.radix();
        let lowered = |factor: i64| {
            let low = factor.rem_euclid(radix);
            if low >= radix / 2 { low - radix } else { low }
        };
        let terms = whole.terms().iter();
        let number = Polynomial::from_terms(
            terms.map(|(product, factor)| (product.clone(), lowered(*factor))).collect(),
        )?;
        let above = whole.plus_multiple(&number, -1)?;
        let above = above.terms().iter().map(|(product, factor)| (product.clone(), factor / radix));
        let above = Polynomial::from_terms(above.collect())?;
        let number = if self.tells_limbs() { self.with_cuts_undone(number) } else { number };
        let is_signed = self.is_signed(&number, self.bits)?;
        self.find(Some(()));
        let (word, is_negative) = if !is_signed {
            let word = self.word_of(number.clone());
            if let Value::Variable(word) = word {
                self.signed.sums.insert(word, number);
            }
            (word, Polynomial::zero())
        } else if let Some(bits) = bits_of(&[&number]) {
            let values: Vec<i64> =
                (0..1usize << bits.len()).map(|all| evaluate(&number, &bits, all)).collect::<Option<_>>()?;
            let word = self.interpolated(&bits, |all| values[all].rem_euclid(radix))?;
            let negative = self.interpolated(&bits, |all| i64::from(values[all] < 0))?;
            (self.word_of(word), negative)
        } else {
            let (word, is_negative) = self.word_of_number(&number);
            (Value::Variable(word), Polynomial::variable(is_negative))
        };
        // both sides of word = number + radix * is_negative, and x + y = number + radix * above
        let left = if is_sum {
            above.plus_multiple(&is_negative, -1)
        } else {
            is_negative.plus_multiple(&above, -1)
        }?;
        let left = match left.as_constant() {
            Some(known) => Polynomial::constant(known),
            None => Polynomial::variable(self.bit_of_polynomial(left)),
        };
        Some((word, self.flag_of(left)))
    }

    /// The word that stands for a number, and whether that is below zero.
    pub(crate) fn word_of_number(&mut self, number: &Polynomial) -> (Variable, Variable) {
        let radix = self.radix();
        if let Some(known) = self.recent(number, -radix) {
            return known;
        }
        let (is_negative, equation) = self.with_sign(number, radix);
        self.graph.equate(equation.clone());
        self.note_signed(equation.low, number, is_negative, true);
        (equation.low, is_negative)
    }

    /// Whether a number is below zero, and what makes the lowest part of it, below a radix that it is never so far below zero.
    fn with_sign(&mut self, number: &Polynomial, radix: i64) -> (Variable, Equation) {
        let told = self.known_sign(number).and_then(|sign| {
            let right = number.plus_multiple(&Polynomial::variable(sign), radix)?;
            Some((sign, right))
        });
        let ones = (radix - 1) as u32;
        match told {
            Some((sign, right)) => {
                self.signs_told += 1;
                let low = self.graph.variable(ones);
                (sign, Equation { low, high: None, right })
            }
            None => {
                let sign = self.graph.variable(1);
                let low = self.graph.variable(ones);
                self.note_sign(number, sign);
                (sign, Equation { low, high: Some((sign, -radix)), right: number.clone() })
            }
        }
    }

    /// The sign of a number, where that of a multiple of it was told, or of what is above its lowest places.
    fn known_sign(&self, number: &Polynomial) -> Option<Variable> {
        if !self.signs_stay || !self.tells_limbs() {
            return None;
        }
        self.signed.signs.get(&self.without_lowest(number)?).copied()
    }

    fn note_sign(&mut self, number: &Polynomial, sign: Variable) {
        if self.signs_stay
            && self.tells_limbs()
            && let Some(number) = self.without_lowest(number)
        {
            self.signed.signs.entry(number).or_insert(sign);
        }
    }

    /// A number of the same sign: divided by what all its terms are multiples of, and without what is below the places of others.
    fn without_lowest(&self, number: &Polynomial) -> Option<Polynomial> {
        let mut number = number.clone();
        loop {
            let common =
                number.terms().iter().fold(0, |common: u64, (_, factor)| common.gcd(&factor.unsigned_abs()));
            let divided = |part: i64| -> Option<Polynomial> {
                let terms = number.terms().iter().map(|(own, factor)| (own.clone(), factor.div_euclid(part)));
                Polynomial::from_terms(terms.filter(|(_, factor)| *factor != 0).collect())
            };
            if common > 1 {
                number = divided(i64::try_from(common).ok()?)?;
                continue;
            }
            let places = number.terms().iter().map(|(_, factor)| factor.trailing_zeros());
            let next = places.filter(|place| *place > 0).find_map(|place| self.parts_below(&number, place));
            match next {
                Some((_, above)) => number = above,
                None => return Some(number),
            }
        }
    }

    /// The parts of a word that stands for a signed number, or of what lies below the sign of one: what is below the place, and the number
    /// that is above it, in as many bits.
    pub(crate) fn signed_parts(&mut self, word: Variable, place: u32) -> Option<(Variable, Variable)> {
        if let Some(parts) = self.near_multiple(word, place) {
            return Some(parts);
        }
        let (own, is_below) = match self.signed.words.get(&word) {
            Some(own) => (own.clone(), false),
            None => (self.signed.below_signs.get(&word)?.clone(), true),
        };
        let Number { number, is_negative, width } = own;
        if place + 1 == width && !is_below {
            let right = number.plus_multiple(&Polynomial::variable(is_negative), 1 << place)?;
            let low = self.graph.variable((1u64 << place) as u32 - 1);
            self.graph.equate(Equation { low, high: None, right });
            self.signed.below_signs.insert(low, Number { number, is_negative, width: place });
            return Some((low, is_negative));
        }
        // whose sign was read, is told by it
        let sign = (is_below || self.signs_stay && self.is_of_cut(is_negative)).then_some(is_negative);
        let (low, above) = self.parts_of_number(&number, place..width, sign)?;
        let is_negative = opposite_of(&above).unwrap_or(is_negative);
        if let Some(own) = self.signed.words.get_mut(&word) {
            own.is_negative = is_negative;
        }
        let number = Number { number: above, is_negative, width: width - place };
        let right = number.word()?;
        let high = self.graph.variable(((1u64 << number.width) - 1) as u32);
        self.graph.equate(Equation { low: high, high: None, right });
        let numbers = if is_below { &mut self.signed.below_signs } else { &mut self.signed.words };
        numbers.insert(high, number);
        Some((low, high))
    }

    /// Whether a bit is what a cut below the highest place has borrowed.
    fn is_of_cut(&self, bit: Variable) -> bool {
        let equation = self.graph.defining_high(bit.index());
        equation.and_then(|equation| equation.high).is_some_and(|(_, factor)| factor > -self.radix())
    }

    /// The terms of a number, and its constant, with what was raised as it was before.
    fn apart(&self, number: &Polynomial) -> Option<(Polynomial, i64)> {
        let mut terms = number.clone();
        for (product, factor) in number.terms() {
            if let [raised] = product.variables()
                && let Some(before) = self.signed.raised.get(raised)
            {
                let change = before.plus_multiple(&Polynomial::variable(*raised), -1)?;
                terms = terms.plus_multiple(&change, *factor)?;
            }
        }
        let constant = terms.terms().iter().find(|(product, _)| product.variables().is_empty());
        let constant = constant.map_or(0, |(_, constant)| *constant);
        Some((terms.plus_multiple(&Polynomial::constant(constant), -1)?, constant))
    }

    /// A number cut at the first of these places: what is below it, and the number above. All cuts of one number, and of multiples of it by
    /// powers of two, are told by the same parts; those from the last place on are not looked at.
    fn parts_of_number(
        &mut self,
        number: &Polynomial,
        places: Range<u32>,
        sign: Option<Variable>,
    ) -> Option<(Variable, Polynomial)> {
        let place = places.start;
        let zeros = number.terms().iter().map(|(_, factor)| factor.trailing_zeros()).min()?;
        if zeros > 0 && zeros < place {
            let halved = number.terms().iter().map(|(product, factor)| (product.clone(), factor >> zeros));
            let halved = Polynomial::from_terms(halved.collect())?;
            let (low, above) = self.parts_of_number(&halved, place - zeros..places.end - zeros, sign)?;
            let low = Polynomial::zero().plus_multiple(&Polynomial::variable(low), 1 << zeros)?;
            return Some((self.low_part(low, place), above));
        }
        if let Some(known) = self.cut_before(number, places) {
            return Some(known);
        }
        let (terms, constant) = self.apart(number)?;
        let known = self.signed.cuts.get(&terms).into_iter().flatten();
        let known = known.filter(|own| own.place < place && own.constant == constant);
        let Some(Cut { place: below, low, above, .. }) = known.max_by_key(|own| own.place).cloned() else {
            return self.cut_number(number, place, sign);
        };
        let (middle, above) = self.parts_of_number(&above, place - below..self.bits, sign)?;
        let low = Polynomial::variable(low).plus_multiple(&Polynomial::variable(middle), 1 << below)?;
        Some((self.low_part(low, place), above))
    }

    /// A variable for what lies below a place.
    fn low_part(&mut self, part: Polynomial, place: u32) -> Variable {
        if let Some(known) = self.defined.get(&part) {
            return *known;
        }
        let low = self.graph.variable(((1u64 << place) - 1) as u32);
        self.defined.insert(part.clone(), low);
        self.graph.equate(Equation { low, high: None, right: part });
        low
    }

    /// The same of a number of which nothing is known.
    fn cut_number(
        &mut self,
        number: &Polynomial,
        place: u32,
        sign: Option<Variable>,
    ) -> Option<(Variable, Polynomial)> {
        if let Some(bit) = opposite_of(number).filter(|_| !self.signs_stay) {
            // nothing but signs
            let all = Polynomial::zero().plus_multiple(&Polynomial::variable(bit), (1 << place) - 1)?;
            return Some((if place == 1 { bit } else { self.low_part(all, place) }, number.clone()));
        }
        if self.tells_limbs()
            && let Some(parts) = self.parts_apart(number, place).or_else(|| self.parts_across(number, place))
        {
            return Some(parts);
        }
        let (least, most) = self.graph.range(number)?;
        let (least, most) = ((least >> place) as i64, (most >> place) as i64);
        let radix = 1i64 << place;
        let ones = (radix - 1) as u32;
        let (low, above) = if (least, most) == (-1, 0) {
            let sign = sign.or_else(|| self.known_sign(number));
            self.signs_told += u32::from(sign.is_some());
            let borrow = sign.unwrap_or_else(|| self.graph.variable(1));
            let low = self.graph.variable(ones);
            let (high, right) = match sign {
                Some(_) => (None, number.plus_multiple(&Polynomial::variable(borrow), radix)?),
                None => (Some((borrow, -radix)), number.clone()),
            };
            self.graph.equate(Equation { low, high, right });
            self.note_sign(number, borrow);
            if self.is_signed(number, place) == Some(true) {
                let number = if sign.is_none() { self.raised(number, borrow, place) } else { None }
                    .unwrap_or_else(|| number.clone());
                self.signed.words.insert(low, Number { number, is_negative: borrow, width: place });
            }
            (low, Polynomial::zero().plus_multiple(&Polynomial::variable(borrow), -1)?)
        } else {
            let right = number.plus_multiple(&Polynomial::constant(-least), radix)?;
            let carry = self.graph.variable((most - least) as u32);
            let low = self.graph.variable(ones);
            self.graph.equate(Equation { low, high: Some((carry, radix)), right });
            let above = Polynomial::variable(carry).plus_multiple(&Polynomial::constant(least), 1)?;
            // it is below zero where the number is
            if let Some(sign) = self.known_sign(number) {
                self.note_sign(&above, sign);
            }
            (low, above)
        };
        let (terms, constant) = self.apart(number)?;
        let cut = Cut { constant, place, low, above: above.clone() };
        self.signed.cuts.entry(terms).or_default().push(cut);
        Some((low, above))
    }

    /// The parts of a number whose terms are multiples of what the place counts, but for some that are below it together.
    fn parts_apart(&mut self, number: &Polynomial, place: u32) -> Option<(Variable, Polynomial)> {
        let (low, above) = self.parts_below(number, place)?;
        self.find(Some(()));
        let low = low.as_variable().unwrap_or_else(|| self.low_part(low, place));
        Some((low, above))
    }

    /// The parts of a number of which one word lies across the place, and all else is a multiple of what the places above that word count.
    fn parts_across(&mut self, number: &Polynomial, place: u32) -> Option<(Variable, Polynomial)> {
        let mut places =
            number.terms().iter().map(|(_, factor)| factor.trailing_zeros()).filter(|own| *own > place);
        let (end, word, above) = places.find_map(|end| {
            let (low, above) = self.parts_below(number, end)?;
            Some((end, low.as_variable()?, above))
        })?;
        self.cut(word, place);
        let (at, low, high) = *self.parts.cut.get(&word)?;
        let above = Polynomial::variable(high).plus_multiple(&above, 1 << (end - place))?;
        (at == place).then_some((low, above))
    }

    /// The same as numbers.
    fn parts_below(&self, number: &Polynomial, place: u32) -> Option<(Polynomial, Polynomial)> {
        let radix = 1i64 << place;
        let of = |part: &dyn Fn(&Monomial, i64) -> i64| {
            let terms = number.terms().iter().map(|(own, factor)| (own.clone(), part(own, *factor)));
            Polynomial::from_terms(terms.filter(|(_, factor)| *factor != 0).collect())
        };
        let below = |own: &Monomial, factor: i64| match own.variables() {
            [] => factor.rem_euclid(radix),
            _ if factor % radix == 0 => 0,
            _ => factor,
        };
        let low = of(&below)?;
        let (least, most) = self.graph.range(&low)?;
        if low.variables().is_empty() || least < 0 || most >= radix.into() {
            return None;
        }
        let above = of(&|own, factor| (factor - below(own, factor)) / radix)?;
        Some((low, above))
    }

    /// A number that is far from what a word holds, told by one that is never below zero, and by how much it is raised where it is below:
    /// so do ranges say that it is below zero only there.
    fn raised(&mut self, number: &Polynomial, is_negative: Variable, width: u32) -> Option<Polynomial> {
        let (least, most) = self.graph.range(number)?;
        let least = i64::try_from(least).ok()?;
        if least < -1 << width.checked_sub(LEAST_SIGNS)? || bits_of(&[number]).is_some() {
            return None;
        }
        let right = number.plus_multiple(&Polynomial::variable(is_negative), -least)?;
        let raised = self.graph.variable(u32::try_from(most.max((-least - 1).into())).ok()?);
        self.graph.equate(Equation { low: raised, high: None, right: right.clone() });
        self.signed.raised.insert(raised, right);
        Polynomial::variable(raised).plus_multiple(&Polynomial::variable(is_negative), least)
    }

    /// The same where a number was cut at the first of these places, or at another of them, that differs by a multiple of what the place
    /// counts.
    fn cut_before(&mut self, number: &Polynomial, places: Range<u32>) -> Option<(Variable, Polynomial)> {
        let (place, (terms, constant)) = (places.start, self.apart(number)?);
        let known = self.signed.cuts.get(&terms)?.iter();
        let is_multiple = |own: &&Cut| (constant - own.constant) % (1 << place) == 0;
        let known = known.filter(|own| places.contains(&own.place)).filter(is_multiple);
        let known = known.min_by_key(|own| own.place)?.clone();
        let moved = Polynomial::constant((constant - known.constant) >> place);
        let above = moved.plus_multiple(&known.above, 1 << (known.place - place))?;
        if known.place == place {
            return Some((known.low, above));
        }
        self.cut(known.low, place);
        let (at, low, high) = *self.parts.cut.get(&known.low)?;
        (at == place).then_some(())?;
        Some((low, above.plus_multiple(&Polynomial::variable(high), 1)?))
    }

    /// The parts of a sum that lies around a multiple of what the place counts, but for 0: from there on it is a signed number.
    fn near_multiple(&mut self, word: Variable, place: u32) -> Option<(Variable, Variable)> {
        let equation = self.graph.defining_low(word.index()).filter(|own| own.high.is_none())?;
        let (least, most) = self.graph.range(&equation.right)?;
        let multiple = (most >> place) as i64;
        if !self.compiled || !self.is_wide() || least <= 0 || multiple == 0 {
            return None;
        }
        let number = equation.right.plus_multiple(&Polynomial::constant(multiple), -1 << place)?;
        if self.is_signed(&number, place) != Some(true) {
            return None;
        }
        let (low, above) = self.parts_of_number(&number, place..self.bits, None)?;
        let right = above.plus_multiple(&Polynomial::constant(multiple), 1)?;
        let high = self.graph.variable(multiple as u32);
        self.graph.equate(Equation { low: high, high: None, right });
        Some((low, high))
    }

    /// The number that a whole word stands for, which is below zero at times.
    pub(crate) fn number_of(&self, value: &Value) -> Option<Polynomial> {
        let Value::Variable(word) = value else { return None };
        self.signed.words.get(word).filter(|own| own.width == self.bits).map(|own| own.number.clone())
    }

    /// Whether a number that fits a word is below zero at times.
    pub(crate) fn is_negative_at_times(&self, number: &Polynomial) -> bool {
        self.is_signed(number, self.bits) == Some(true)
    }

    /// The highest bit of a word that stands for a signed number.
    pub(crate) fn sign_of(&self, value: &Value) -> Option<Polynomial> {
        let Value::Variable(word) = value else { return None };
        let number = self.signed.words.get(word).filter(|own| own.width == self.bits)?;
        Some(Polynomial::variable(number.is_negative))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_machine::Domain;

    const BELOW: u32 = 30;

    /// An arithmetic shift, as processors compute it.
    fn shifted(domain: &mut Equations, word: &Value, places: u32) -> Value {
        let (_, high) = domain.split(word, places);
        let sign = domain.bit_of(word, 31);
        let (ones, zero) = (domain.word(u64::from(u32::MAX << (32 - places))), domain.word(0));
        let above = domain.select(&sign, &ones, &zero);
        let none = domain.bit(false);
        domain.add(&high, &above, &none).0
    }

    /// `w = a - b + c; r = w & mask; c = w >> 30`: with a carry that is -2 to 0, no limb has lost anything.
    #[test]
    fn carries_below_zero_go_from_limb_to_limb() {
        let mut domain = Equations::new(32).compiled();
        let none = domain.bit(false);
        let mut carry = domain.word(u64::from(-38i32 as u32));
        let mask = domain.word((1 << BELOW) - 1);
        let mut before = Polynomial::constant(-38);
        for _ in 0..3 {
            let [a, b] = std::array::from_fn(|_| Value::Variable(domain.graph.variable((1 << BELOW) - 1)));
            let (difference, _) = domain.sub(&a, &b, &none);
            let (word, _) = domain.add(&difference, &carry, &none);
            let Value::Variable(limb) = domain.and(&word, &mask) else { panic!("no limb") };
            carry = shifted(&mut domain, &word, BELOW);
            // limb + 2^30 * (above + m) = a - b + before + 2^30 * m
            let Equation { high, right, .. } = domain.graph.defining_low(limb.index()).unwrap();
            let (above, radix) = high.unwrap();
            let whole = domain.polynomial(&a).unwrap().plus_multiple(&domain.polynomial(&b).unwrap(), -1);
            let rest =
                right.plus_multiple(&whole.unwrap(), -1).and_then(|rest| rest.plus_multiple(&before, -1));
            let raised = rest.unwrap().as_constant().unwrap();
            assert_eq!((radix, raised % radix), (1 << BELOW, 0));
            assert!(domain.graph.most(above) <= 2);
            before =
                Polynomial::constant(-raised / radix).plus_multiple(&Polynomial::variable(above), 1).unwrap();
        }
    }
}
