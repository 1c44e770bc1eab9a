//! Words taken apart: shifts by known numbers of places, single bits, masks.
//!
//! A word is cut in two by an equation `low + 2^place * high = word`, and so are its parts. All that is asked
//! of one word is told in the same parts.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{MOST_BITS, bits_of, evaluate};
use crate::value::{Bitwise, Flag, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Monomial, Polynomial, Variable};
use std::cmp::Ordering;
use std::ops::Range;
use std::rc::Rc;

/// Most words inside each other that were put together, and most parts of one.
const DEEPEST_OF_PUT: usize = 4;
const MOST_PARTS: usize = 32;

impl Equations {
    /// Whether a word has more bits than a function is tabulated over.
    pub(crate) fn is_wide(&self) -> bool {
        self.bits as usize > MOST_BITS
    }

    /// Lets a part of a word begin at a place, which is not its lowest, if the word reaches there.
    pub(crate) fn cut(&mut self, word: Variable, place: u32) {
        if let Some((at, low, high)) = self.parts.cut.get(&word).copied() {
            match place.cmp(&at) {
                Ordering::Less => self.cut(low, place),
                Ordering::Equal => {}
                Ordering::Greater => self.cut(high, place - at),
            }
            return;
        }
        let most = self.graph.most(word);
        if most >> place == 0 {
            // nothing stands there
            return;
        }
        let right = Polynomial::variable(word);
        let known = self.parts.doubled.get(&word).copied().filter(|_| place + 1 == self.bits);
        if let Some(high) = known
            && let Some(right) = right.plus_multiple(&Polynomial::variable(high), -1 << place)
        {
            let low = self.graph.variable((1 << place) - 1);
            self.graph.equate(Equation { low, high: None, right });
            self.parts.cut.insert(word, (place, low, high));
            return;
        }
        if let Some((low, high)) = self.signed_parts(word, place) {
            self.find(Some(()));
            self.parts.cut.insert(word, (place, low, high));
            return;
        }
        if place == 1 {
            let halved = self.halved_sum(word);
            if let Some((low, high)) = self.find(halved) {
                self.parts.cut.insert(word, (place, low, high));
                return;
            }
        }
        if self.compiled {
            let told = self.narrow_difference(word, place).or_else(|| self.chosen_parts(word, place));
            let told = told.or_else(|| self.put_parts(word, place));
            if let Some((low, high)) = self.find(told) {
                self.parts.cut.insert(word, (place, low, high));
                return;
            }
        }
        let above = self.most_above(word, place);
        let high = self.graph.variable(above as u32);
        let low = self.graph.variable(most.min((1 << place) - 1) as u32);
        self.graph.equate(Equation { low, high: Some((high, 1 << place)), right });
        self.parts.cut.insert(word, (place, low, high));
        if self.compiled
            && high.is_bit()
            && let Some(borrow) = self.borrow_of_negative(word)
        {
            self.imply(high, borrow);
        }
    }

    /// The largest value of what lies above a place: of a sum that goes on from limbs of numbers below bounds, these tell whether the
    /// last carry is one more.
    fn most_above(&mut self, word: Variable, place: u32) -> i64 {
        let most = self.graph.most(word);
        let above = most >> place;
        let is_near = above > 1 && above & (above - 1) == 0 && most - (above << place) < 1 << (place / 2);
        if !self.compiled || !is_near || self.graph.bounded_numbers().is_empty() {
            return above;
        }
        match self.graph.most_in_whole(&Polynomial::variable(word), (above << place) - 1) {
            Some(_) => above - 1,
            None => above,
        }
    }

    /// The parts of a difference of what lies below the place: above it all bits are its borrow.
    fn narrow_difference(&mut self, word: Variable, place: u32) -> Option<(Variable, Variable)> {
        let Equation { high, right, .. } = self.graph.defining_low(word.index())?;
        let (factor, radix) = (high.filter(|(high, _)| high.is_bit())?.1, 1i64 << place);
        let (least, most) = self.graph.range(right)?;
        let is_narrow = -factor > radix && least >= i128::from(-radix) && least < 0 && most < radix.into();
        if !is_narrow {
            return None;
        }
        let right = right.clone();
        let borrow = self.graph.variable(1);
        let low = self.graph.variable((radix - 1) as u32);
        self.graph.equate(Equation { low, high: Some((borrow, -radix)), right });
        let ones = -factor / radix - 1;
        let above = Polynomial::zero().plus_multiple(&Polynomial::variable(borrow), ones)?;
        let high = self.graph.variable(ones as u32);
        self.graph.equate(Equation { low: high, high: None, right: above });
        Some((low, high))
    }

    /// The parts of a word that was put together of others: those of the one that lies across the place, and the others.
    fn put_parts(&mut self, word: Variable, place: u32) -> Option<(Variable, Variable)> {
        let equation = self.graph.defining_low(word.index()).filter(|own| own.high.is_none())?;
        let right = equation.right.clone();
        if right.terms().len() < 2 || right.terms().iter().any(|(_, factor)| *factor < 0) {
            return None;
        }
        let mut parts = Vec::new();
        for (at, own) in self.placed(&right)? {
            if (at + 1..self.bits).contains(&place) {
                self.cut(own, place - at);
            }
            self.parts.of(own, at, &mut parts);
        }
        let bits = self.bits;
        let mut part = |range: Range<u32>| {
            let own = parts.iter().filter(|(at, _)| range.contains(at));
            let terms = own.map(|(at, own)| (Monomial::variable(*own), 1 << (at - range.start)));
            self.variable_of(Polynomial::from_terms(terms.collect())?)
        };
        Some((part(0..place)?, part(place..bits)?))
    }

    /// The parts of one of two words, where a border of what these are made of lies at the place: each is one of two.
    fn chosen_parts(&mut self, word: Variable, place: u32) -> Option<(Variable, Variable)> {
        let (bit, x, y) = self.selected.get(&word)?.clone();
        let ranges = [(0, place), (place, self.bits)];
        let parts = |own: &Value| self.exact_fields(&*self.written_out(own)?, &ranges);
        let (x, y) = (parts(&x)?, parts(&y)?);
        let bit = self.flag_of((*bit).clone());
        let most = self.graph.most(word);
        let mut chosen = |at: usize, most: u32| {
            let [x, y] = [&x, &y].map(|parts| self.word_of(parts[at].clone()));
            let chosen = self.select(&bit, &x, &y);
            let Value::Variable(part) = self.single(&chosen)? else { return None };
            if self.graph.most(part) <= most.into() {
                return Some(part);
            }
            // it is no more than the place has room for
            let own = self.graph.variable(most);
            self.graph.equate(Equation { low: own, high: None, right: Polynomial::variable(part) });
            Some(own)
        };
        Some((chosen(0, (1 << place) - 1)?, chosen(1, (most >> place) as u32)?))
    }

    /// What a word that is less nothing or more than that borrowed: it is 1 wherever the word is not zero.
    fn borrow_of_negative(&self, word: Variable) -> Option<Variable> {
        let Equation { high, right, .. } = self.graph.defining_low(word.index())?;
        let (borrow, factor) = (*high)?;
        let (_, most) = self.graph.range(right)?;
        (factor == -self.radix() && most <= 0).then_some(borrow)
    }

    /// The lowest bit of a word that a sum left, and the rest, where the lowest bits of what is added are known apart: the first is a
    /// function of these, and the rest is made of what is above them. So is what is halved seen to be even.
    fn halved_sum(&mut self, word: Variable) -> Option<(Variable, Variable)> {
        if !self.compiled {
            return None;
        }
        let Equation { high: carry, right, .. } = self.graph.defining_low(word.index())?;
        let (carry, right) = (*carry, right.clone());
        let (mut lowest, mut half) = (Polynomial::zero(), Polynomial::zero());
        for (monomial, factor) in right.terms() {
            let own = Polynomial::from_terms(vec![(monomial.clone(), 1)])?;
            let is_odd = factor.rem_euclid(2);
            half = half.plus_multiple(&own, (factor - is_odd) / 2)?;
            if is_odd == 0 {
                continue;
            }
            let mut words = monomial.variables().iter().filter(|own| !own.is_bit());
            let Some(word) = words.next().copied() else {
                lowest = lowest.plus_multiple(&own, 1)?;
                continue;
            };
            let mut parts = Vec::new();
            self.parts.of(word, 0, &mut parts);
            let [(_, low), above @ ..] = parts.as_slice() else { return None };
            if words.next().is_some() || !low.is_bit() || above.is_empty() {
                return None;
            }
            let beside = Polynomial::from_terms(vec![(monomial.without(word), 1)])?;
            lowest = lowest.plus_multiple(&beside.times(&Polynomial::variable(*low))?, 1)?;
            for (place, part) in above {
                half = half.plus_multiple(&beside.times(&Polynomial::variable(*part))?, 1 << (place - 1))?;
            }
        }
        if let Some((carry, radix)) = carry {
            half = half.plus_multiple(&Polynomial::variable(carry), -(radix / 2))?;
        }
        let bits = bits_of(&[&lowest])?;
        let all = 0..1usize << bits.len();
        let values: Vec<i64> =
            all.map(|assignment| evaluate(&lowest, &bits, assignment)).collect::<Option<_>>()?;
        let low = self.interpolated(&bits, |assignment| values[assignment].rem_euclid(2))?;
        if self.is_wide() && low.variables().len() > 1 {
            // a bit of its own says as much
            return None;
        }
        let rest = self.interpolated(&bits, |assignment| values[assignment].div_euclid(2))?;
        let half = half.plus_multiple(&rest, 1)?;
        let high = self.graph.variable((self.graph.most(word) >> 1) as u32);
        self.graph.equate(Equation { low: high, high: None, right: half });
        Some((self.bit_of_polynomial(low), high))
    }

    /// Whether the word that a sum left beside a carry was halved by that sum.
    pub(crate) fn is_halved(&self, carry: Variable) -> bool {
        let word = self.graph.defining_high(carry.index()).map(|equation| equation.low);
        let high = word.and_then(|word| self.parts.cut.get(&word)).filter(|(place, ..)| *place == 1);
        high.is_some_and(|(_, _, high)| self.graph.defining_low(high.index()).is_some())
    }

    /// The bits of a narrow word with their places, lowest first, but for those above its largest value.
    fn bits_of_word(&mut self, word: Variable) -> Vec<(u32, Variable)> {
        (1..self.bits).for_each(|place| self.cut(word, place));
        let mut bits = Vec::new();
        self.parts.of(word, 0, &mut bits);
        bits
    }

    /// The word of which a sum is twice the word, and a bit at most.
    pub(crate) fn doubled(&self, sum: &Polynomial) -> Option<Variable> {
        if !self.compiled {
            return None;
        }
        let word = sum.terms().iter().find_map(|(product, factor)| match product.variables() {
            [word] if *factor == 2 && !word.is_bit() => Some(*word),
            _ => None,
        })?;
        let rest = sum.plus_multiple(&Polynomial::variable(word), -2)?;
        let (least, most) = self.graph.range(&rest)?;
        (least >= 0 && most <= 1).then_some(word)
    }

    /// The highest bit of a word, if there is a variable for it.
    pub(crate) fn top_of(&self, word: Variable) -> Option<Variable> {
        let mut parts = Vec::new();
        self.parts.of(word, 0, &mut parts);
        let cut = parts.last().filter(|(place, bit)| place + 1 == self.bits && bit.is_bit());
        self.parts.doubled.get(&word).copied().or(cut.map(|(_, bit)| *bit))
    }

    /// The bit of a word at a place. A narrow word is taken apart into all its bits.
    pub(crate) fn bit_at(&mut self, value: &Value, place: u32) -> Option<Polynomial> {
        if place + 1 == self.bits
            && let Some(top) = self.sign_of(value).or_else(|| self.top_of_combined(value))
        {
            return Some(top);
        }
        match value {
            Value::Variable(word) if !word.is_bit() && !self.is_wide() => {
                let bits = self.bits_of_word(*word);
                let own = bits.iter().find(|(at, _)| *at == place);
                Some(own.map_or(Polynomial::zero(), |(_, bit)| Polynomial::variable(*bit)))
            }
            _ if self.is_wide() => self.fields(value, &[place, place + 1])?.into_iter().nth(1),
            _ => self.tabulated(&[value], |words| words[0] >> place & 1),
        }
    }

    /// What stands between the borders of a word, from below the first to above the last, each moved down;
    /// the borders ascend. `None` for an address.
    fn fields(&mut self, value: &Value, borders: &[u32]) -> Option<Vec<Polynomial>> {
        let polynomial = self.written_out(value)?;
        let ends = borders.iter().copied().chain([self.bits]);
        let ranges: Vec<(u32, u32)> = [0].into_iter().chain(borders.iter().copied()).zip(ends).collect();
        if let Some(bits) = bits_of(&[&polynomial]) {
            let at = |assignment| evaluate(&polynomial, &bits, assignment).unwrap_or(0);
            let field = |(from, to): &(u32, u32)| {
                self.interpolated(&bits, |assignment| at(assignment) >> from & ((1 << (to - from)) - 1))
            };
            return ranges.iter().map(field).collect();
        }
        if let Some(exact) = self.exact_fields(&polynomial, &ranges) {
            return Some(exact);
        }
        let placed = match self.placed(&polynomial).or_else(|| self.placed_apart(&polynomial)) {
            Some(placed) => placed,
            None => {
                let Value::Variable(word) = self.single(value)? else { return None };
                vec![(0, word)]
            }
        };
        let mut parts = Vec::new();
        for (place, variable) in placed {
            for border in borders {
                if *border > place {
                    self.cut(variable, border - place);
                }
            }
            self.parts.of(variable, place, &mut parts);
        }
        let field = |(start, end): &(u32, u32)| {
            let within = parts.iter().filter(|(place, _)| (start..end).contains(&place));
            let terms = within.map(|(place, part)| (Monomial::variable(*part), 1 << (place - start)));
            Polynomial::from_terms(terms.collect())
        };
        ranges.iter().map(field).collect()
    }

    /// The sums that a word is made of, with their places, the lowest first: each ends below the place of the next.
    fn sums_apart(&self, polynomial: &Polynomial) -> Option<Vec<(u32, Polynomial)>> {
        let mut terms = polynomial.terms().to_vec();
        terms.sort_by_key(|(_, factor)| factor.trailing_zeros());
        let mut sums: Vec<(u32, Polynomial)> = Vec::new();
        for (product, factor) in terms {
            let at = factor.trailing_zeros();
            let below = sums.last().is_none_or(|(place, sum)| {
                let range = self.graph.range(sum);
                range.is_some_and(|(least, most)| least >= 0 && most >> (at - place).min(self.bits) == 0)
            });
            if below {
                sums.push((at, Polynomial::zero()));
            }
            let (place, sum) = sums.last_mut()?;
            *sum = sum.plus_multiple(&Polynomial::from_terms(vec![(product, factor >> *place)])?, 1)?;
        }
        Some(sums)
    }

    /// The bits that a word may have, where it is made of sums that share no place.
    fn reached(&self, polynomial: &Polynomial) -> Option<u64> {
        let mask = |(place, sum): &(u32, Polynomial)| {
            let (least, most) = self.graph.range(sum)?;
            let bits = i128::BITS - most.leading_zeros();
            (least >= 0 && place + bits <= self.bits).then(|| ((1u64 << bits) - 1) << place)
        };
        self.sums_apart(polynomial)?.iter().try_fold(0, |all, sum| Some(all | mask(sum)?))
    }

    /// Variables and their places, where a word is made of some that share no place, or of sums that share none, for each of which there
    /// is a variable then.
    fn placed(&mut self, polynomial: &Polynomial) -> Option<Vec<(u32, Variable)>> {
        let sums = self.sums_apart(polynomial)?;
        // all of it is no part
        if let [(0, sum)] = &sums[..]
            && sum.as_variable().is_none()
        {
            return None;
        }
        sums.into_iter().map(|(place, sum)| Some((place, self.variable_of(sum)?))).collect()
    }

    /// The same, with the words that were put together of others written out.
    fn placed_apart(&mut self, polynomial: &Polynomial) -> Option<Vec<(u32, Variable)>> {
        let written = self.written_apart(polynomial).filter(|written| written != polynomial)?;
        let placed = self.placed(&written);
        self.find(placed)
    }

    /// A word with those that were put together of others written out.
    fn written_apart(&self, polynomial: &Polynomial) -> Option<Polynomial> {
        let put_together = |own: &Monomial| match own.variables() {
            [word] if self.compiled && !word.is_bit() => {
                let equation = self.graph.defining_low(word.index()).filter(|own| own.high.is_none())?;
                let terms = equation.right.terms();
                let is_put = terms.len() > 1 && terms.iter().all(|(_, factor)| *factor > 0);
                is_put.then(|| equation.right.clone())
            }
            _ => None,
        };
        let mut written = polynomial.clone();
        for _ in 0..DEEPEST_OF_PUT {
            let mut next = Polynomial::zero();
            for (product, factor) in written.terms() {
                let own = put_together(product);
                let own = own.or_else(|| Polynomial::from_terms(vec![(product.clone(), 1)]))?;
                next = next.plus_multiple(&own, *factor)?;
            }
            if next == written || next.terms().len() > MOST_PARTS {
                break;
            }
            written = next;
        }
        Some(written)
    }

    /// The variable of a sum that is a word.
    fn variable_of(&mut self, sum: Polynomial) -> Option<Variable> {
        let (least, most) = self.graph.range(&sum)?;
        if least < 0 || most >= self.radix().into() || sum.as_constant().is_some() {
            return None;
        }
        if let Some(variable) = sum.as_variable().or_else(|| self.defined.get(&sum).copied()) {
            return Some(variable);
        }
        match self.single(&Value::Polynomial(Rc::new(sum)))? {
            Value::Variable(word) => Some(word),
            _ => None,
        }
    }

    /// The polynomial of a word; of one that was made as a sum without a carry, that sum.
    pub(crate) fn written_out(&self, value: &Value) -> Option<Rc<Polynomial>> {
        if let Value::Variable(word) = value
            && let Some(Equation { high: None, right, .. }) = self.graph.defining_low(word.index())
        {
            return Some(Rc::new(right.clone()));
        }
        self.polynomial(value)
    }

    /// The fields where each term of the word lies in one of them, or is told in several.
    fn exact_fields(&self, polynomial: &Polynomial, ranges: &[(u32, u32)]) -> Option<Vec<Polynomial>> {
        let mut rest: Vec<(Monomial, i64)> = polynomial.terms().to_vec();
        let mut fields = Vec::new();
        for (from, to) in ranges {
            let radix = 1i64 << (to - from);
            let is_last = *to == self.bits;
            // what is below the radix leaves a multiple of it above
            let field = |low: &dyn Fn(i64) -> i64| {
                let own = |(monomial, factor): &(Monomial, i64)| (monomial.clone(), low(*factor));
                let terms = rest.iter().map(own).filter(|(_, factor)| *factor != 0);
                let field = Polynomial::from_terms(terms.collect())?;
                let (least, most) = self.range_over_bits(&field)?;
                (least >= 0 && most < radix.into()).then_some(field)
            };
            let in_one = |factor: i64| if !is_last && factor % radix == 0 { 0 } else { factor };
            let in_both = |factor: i64| factor.rem_euclid(radix);
            let (low, found): (&dyn Fn(i64) -> i64, _) = match field(&in_one) {
                None if !is_last && self.compiled => (&in_both, field(&in_both)),
                found => (&in_one, found),
            };
            fields.push(found?);
            let above = rest.iter().map(|(own, factor)| (own.clone(), (factor - low(*factor)) / radix));
            rest = above.filter(|(_, factor)| *factor != 0).collect();
        }
        Some(fields)
    }

    pub(crate) fn split_at(&mut self, x: &Value, places: u32) -> (Value, Value) {
        // an address may stay whole
        if places == 0 {
            return (Value::Known(0), x.clone());
        }
        if places >= self.bits {
            return (x.clone(), Value::Known(0));
        }
        let few = self.written_out(x).is_some_and(|polynomial| bits_of(&[&polynomial]).is_some());
        if places + 1 == self.bits
            && !few
            && let Some(top) = self.top_of_combined(x)
        {
            // nobody asks for what is below
            let rest = Value::Variable(self.graph.variable((self.ones() >> 1) as u32));
            return (rest, self.word_of(top));
        }
        match self.fields(x, &[places]).as_deref() {
            Some([low, high]) => (self.word_of(low.clone()), self.word_of(high.clone())),
            _ => (self.input(), self.input()),
        }
    }

    pub(crate) fn shifted_left(&mut self, x: &Value, places: u32) -> (Value, Value) {
        if places == 0 || places >= self.bits {
            return self.split_at(x, self.bits.saturating_sub(places));
        }
        if let Some(moved) = self.signed_moved(x, places) {
            return moved;
        }
        // moved as the parts that it is made of, which are asked for again
        let fields = self.fields(x, &[self.bits - places]);
        let moved = fields.as_deref().and_then(|fields| match fields {
            [low, high] => Some((Polynomial::zero().plus_multiple(low, 1 << places)?, high.clone())),
            _ => None,
        });
        match moved {
            Some((moved, high)) => (self.word_of(moved), self.word_of(high)),
            None => (self.input(), self.input()),
        }
    }

    /// Twice a narrow word, and a carry: moved by one place as the parts that it is made of, its highest bit being the carry.
    pub(crate) fn doubled_in_parts(&mut self, x: &Value, carry: &Flag) -> Option<(Value, Flag)> {
        if !self.compiled
            || self.same_operands
            || self.is_wide()
            || !matches!(x, Value::Variable(_) | Value::Polynomial(_))
        {
            return None;
        }
        let carry = self.bit_polynomial(carry);
        let fields = self.fields(x, &[self.bits - 1])?;
        let [low, high] = fields.as_slice() else { return None };
        let sum = carry.plus_multiple(low, 2)?;
        let found = (self.word_of(sum), self.flag_of(high.clone()));
        self.find(Some(found))
    }

    pub(crate) fn rotated(&mut self, x: &Value, places: u32) -> Value {
        let (bits, places) = (self.bits, places % self.bits);
        let fields = self.fields(x, &[bits - places]);
        let rotated = fields.and_then(|fields| match fields.as_slice() {
            [low, high] => high.plus_multiple(low, 1 << places),
            _ => None,
        });
        match rotated {
            Some(result) => self.word_of(result),
            None => self.input(),
        }
    }

    /// One place to the right, `top` entering above.
    pub(crate) fn halved(&mut self, x: &Value, top: &Polynomial) -> Option<(Value, Flag)> {
        if let Value::Variable(word) = x
            && !self.is_wide()
            && self.graph.is_input(*word)
        {
            // bits that are moved stay the same ones
            self.bits_of_word(*word);
        }
        let fields = self.fields(x, &[1])?;
        let [out, half] = fields.as_slice() else { return None };
        let half = half.plus_multiple(top, 1 << (self.bits - 1))?;
        Some((self.word_of(half), self.flag_of(out.clone())))
    }

    /// `x op y` of words that share no places, or of which one is known.
    pub(crate) fn of_parts(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        for (word, mask) in [(x, y), (y, x)] {
            if let Value::Known(mask) = mask {
                let (mask, ones) = (*mask, self.ones() as u64);
                let kept = if matches!(operation, Bitwise::Or) { ones & !mask } else { mask };
                let fields = self.field_mask(word, kept)?;
                let (word, mask) = (self.polynomial(word)?, Polynomial::constant(mask as i64));
                let result = match operation {
                    Bitwise::And => Some(fields),
                    Bitwise::Or => fields.plus_multiple(&mask, 1),
                    Bitwise::Xor => word.plus_multiple(&mask, 1)?.plus_multiple(&fields, -2),
                }?;
                return Some(self.word_of(result));
            }
            if self.compiled
                && self.is_even(word)
                && self.polynomial(mask).is_some_and(|bit| self.is_bit(&bit))
            {
                return self.put_together(word, mask, operation);
            }
            let (low, high) = (self.written_out(word)?, self.written_out(mask)?);
            let told = self.told_apart(&low, &high, operation);
            if let Some(told) = self.find(told) {
                return Some(told);
            }
            let zeros = high.terms().iter().map(|(_, factor)| factor.trailing_zeros()).min()?;
            let is_below = |own: &Polynomial| {
                self.graph.range(own).is_some_and(|(least, most)| least >= 0 && most < 1 << zeros)
            };
            if is_below(&low) || self.polynomial(word).is_some_and(|own| is_below(&own)) {
                return self.put_together(word, mask, operation);
            }
        }
        None
    }

    /// `x op y` of words which are made of sums that share no place.
    fn told_apart(&mut self, x: &Polynomial, y: &Polynomial, operation: Bitwise) -> Option<Value> {
        if !self.compiled || !self.is_wide() || x.terms().len() + y.terms().len() < 3 {
            return None;
        }
        let (x, y) = (self.written_apart(x)?, self.written_apart(y)?);
        let is_apart = self.reached(&x)? & self.reached(&y)? == 0;
        match operation {
            _ if !is_apart => None,
            Bitwise::And => Some(Value::Known(0)),
            Bitwise::Or | Bitwise::Xor => Some(self.word_of(x.plus_multiple(&y, 1)?)),
        }
    }

    /// `x op y` of words none of whose bits is 1 in both.
    fn put_together(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        match operation {
            Bitwise::And => Some(Value::Known(0)),
            Bitwise::Or | Bitwise::Xor => {
                let sum = self.polynomial(x)?.plus_multiple(&*self.polynomial(y)?, 1)?;
                Some(self.word_of(sum))
            }
        }
    }

    /// Whether a word was made as the low part of an even sum.
    fn is_even(&self, word: &Value) -> bool {
        let Value::Variable(word) = word else { return false };
        let equation = self.graph.defining_low(word.index());
        equation.is_some_and(|Equation { high, right, .. }| {
            let factors = right.terms().iter().map(|(_, factor)| *factor);
            high.is_some_and(|(_, radix)| radix.abs() == self.radix())
                && factors.into_iter().all(|own| own % 2 == 0)
        })
    }

    fn is_bit(&self, polynomial: &Polynomial) -> bool {
        self.graph.range(polynomial).is_some_and(|(least, most)| least >= 0 && most <= 1)
    }

    /// `word & mask`.
    fn field_mask(&mut self, word: &Value, mask: u64) -> Option<Polynomial> {
        if mask == 1 << (self.bits - 1)
            && let Some(top) = self.top_of_combined(word)
        {
            return Polynomial::zero().plus_multiple(&top, 1 << (self.bits - 1));
        }
        // where runs of ones and zeros begin
        let borders: Vec<u32> =
            (1..self.bits).filter(|place| (mask >> place ^ mask >> (place - 1)) & 1 == 1).collect();
        let fields = self.fields(word, &borders)?;
        let starts = [0].into_iter().chain(borders);
        let mut kept = starts.zip(&fields).filter(|(from, _)| mask >> from & 1 == 1);
        kept.try_fold(Polynomial::zero(), |sum, (from, field)| sum.plus_multiple(field, 1 << from))
    }
}
