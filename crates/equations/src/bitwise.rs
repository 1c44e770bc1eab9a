//! Words combined bit by bit: under masks, with places of their own, and words of which only the highest bit matters.

use crate::equations::Equations;
use crate::tabulate::{bits_of, evaluate};
use crate::value::{Bitwise, Value};
use rhomb_poly::{Polynomial, Variable};
use std::collections::HashMap;

/// Most terms of words that are looked at for excluding each other.
const MOST_TERMS_OF_EXCLUSIVE: usize = 16;

/// Most words that a word is combined of whose highest bit is looked at, and most operations.
const MOST_WORDS: usize = 4;
/// Most words by whose highest bits a word is chosen.
const MOST_TOPS: usize = 2;
const MOST_OPERATIONS: usize = 32;

/// Most carries that highest bits are looked at for giving away.
const MOST_CARRIES: usize = 6;

/// Most words that are looked at for being all zero.
const MOST_WORDS_JOINED: usize = 160;

/// For a word that two were combined to, and of which nothing else is known, the operation and both; and that word, by the operation and
/// both, the older first, where these are variables.
#[derive(Clone, Debug, Default)]
pub(crate) struct Combined(
    HashMap<Variable, (Bitwise, Value, Value)>,
    HashMap<(Bitwise, Variable, Variable), Variable>,
);

/// A function of the highest bits of words.
enum Tree {
    Known(bool),
    /// One of the words.
    Word(usize),
    Not(Box<Tree>),
    Both(Bitwise, Box<[Tree; 2]>),
    /// By the highest bits of these words, one of as many as these have values.
    Chosen(Vec<usize>, Vec<Tree>),
}

impl Tree {
    fn of(&self, bits: usize) -> bool {
        match self {
            Tree::Known(value) => *value,
            Tree::Word(at) => bits >> at & 1 == 1,
            Tree::Not(tree) => !tree.of(bits),
            Tree::Both(operation, both) => {
                let (x, y) = (both[0].of(bits), both[1].of(bits));
                match operation {
                    Bitwise::And => x & y,
                    Bitwise::Or => x | y,
                    Bitwise::Xor => x ^ y,
                }
            }
            Tree::Chosen(by, of) => {
                let way = by.iter().enumerate().map(|(place, at)| (bits >> at & 1) << place).sum::<usize>();
                of[way].of(bits)
            }
        }
    }
}

impl Equations {
    /// The bit of a mask as one bit or its opposite, so that a word under it stays what it is. A mask and its opposite have the same bit.
    fn bit_of_mask(&mut self, bit: Polynomial) -> Option<Polynomial> {
        let not = Polynomial::constant(1).plus_multiple(&bit, -1)?;
        if !self.compiled || bit.as_constant().is_some() {
            return Some(bit);
        }
        let opposite = not.as_variable().or_else(|| self.known_bit(&not));
        if let Some(opposite) = opposite.filter(|own| self.masks.contains(own)) {
            return Polynomial::constant(1).plus_multiple(&Polynomial::variable(opposite), -1);
        }
        let bit = self.bit_of_polynomial(bit);
        self.masks.insert(bit);
        Some(Polynomial::variable(bit))
    }

    /// `x op y` bit by bit, where one of them is a mask: a word that is all zeros or all ones, or ones in the lower places outside of which
    /// the other has nothing.
    fn masked(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        for (mask, word) in [(x, y), (y, x)] {
            let Some((bit, ones)) = self.mask_bit(mask) else { continue };
            if ones < self.ones() && self.most(word).is_none_or(|most| most > ones) {
                continue;
            }
            let Some(single) = self.single(word) else { continue };
            let not = Polynomial::constant(1).plus_multiple(&bit, -1)?;
            if let (Bitwise::And, Some(none)) = (operation, self.cleared_where(&not, &single)) {
                return Some(none);
            }
            let bit = self.bit_of_mask(bit)?;
            let word = self.polynomial(&single)?;
            let product = bit.times(&word)?;
            let result = match operation {
                Bitwise::And => Some(product),
                // x | 255b = x + b(255 - x)
                Bitwise::Or => word.plus_multiple(&bit, ones)?.plus_multiple(&product, -1),
                // x ^ 255b = x + b(255 - 2x)
                Bitwise::Xor => word.plus_multiple(&bit, ones)?.plus_multiple(&product, -2),
            }?;
            let result = self.word_within(result, ones);
            // words of an absolute value are factors: all of them are variables at once
            return match operation {
                Bitwise::Xor if self.graph.in_parts && self.is_wide() && self.is_difference(&single) => {
                    self.single(&result)
                }
                _ => Some(result),
            };
        }
        None
    }

    /// A word, but nothing where a bit is 1, if the word is a number there: then it is the word less that many times the bit.
    fn cleared_where(&mut self, bit: &Polynomial, word: &Value) -> Option<Value> {
        let own = self.polynomial(word).filter(|own| self.compiled && bits_of(&[own]).is_none())?;
        let Value::Known(there) = self.chosen_where(bit, word, true) else { return None };
        let cleared = own.plus_multiple(bit, -(there as i64))?;
        let cleared = self.word_of(cleared);
        self.find(Some(cleared))
    }

    /// Whether a word was left by a subtraction that may borrow.
    fn is_difference(&self, word: &Value) -> bool {
        let Value::Variable(word) = word else { return false };
        let high = self.graph.defining_low(word.index()).and_then(|equation| equation.high);
        high.is_some_and(|(_, factor)| factor < 0)
    }

    /// `x op y` of words of which one is always zero, such as `b u` and `(1 - b) v`: their product vanishes.
    fn exclusive(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        let (x, y) = (self.polynomial(x)?, self.polynomial(y)?);
        // what a word is equal to says more
        let written_out = |polynomial: &Polynomial| {
            let equation = polynomial.as_variable().and_then(|own| self.graph.defining_low(own.index()));
            equation.filter(|equation| equation.high.is_none()).map(|equation| &equation.right)
        };
        let (u, v) = (written_out(&x).unwrap_or(&x), written_out(&y).unwrap_or(&y));
        let few = u.terms().len().max(v.terms().len()) <= MOST_TERMS_OF_EXCLUSIVE;
        if !few || !u.times(v)?.terms().is_empty() {
            return None;
        }
        match operation {
            Bitwise::And => Some(Value::Known(0)),
            Bitwise::Or | Bitwise::Xor => Some(self.word_of(x.plus_multiple(&y, 1)?)),
        }
    }

    /// The bit `b` of a word that is `b` times ones in all places, or in the lower ones, and these ones.
    pub(crate) fn mask_bit(&mut self, value: &Value) -> Option<(Polynomial, i64)> {
        let polynomial = self.polynomial(value)?;
        let bits = bits_of(&[&polynomial])?;
        let possible = self.possible(&bits);
        let mut values = vec![0; 1 << bits.len()];
        for assignment in possible {
            values[assignment] = evaluate(&polynomial, &bits, assignment)?;
        }
        let ones = values.iter().copied().max().filter(|ones| *ones > 1 && *ones & (*ones + 1) == 0)?;
        if !values.iter().all(|value| *value == 0 || *value == ones) {
            return None;
        }
        let bit = self.interpolated(&bits, |assignment| i64::from(values[assignment] != 0))?;
        Some((bit, ones))
    }

    /// A number that a word is never above; `None` where it may be negative, as no word is.
    pub(crate) fn most(&self, value: &Value) -> Option<i64> {
        let (least, most) = self.graph.range(&*self.polynomial(value)?)?;
        (least >= 0).then(|| most.min(self.ones().into()) as i64)
    }

    pub(crate) fn bitwise(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Value {
        let plain = |x: i64, y: i64| match operation {
            Bitwise::And => x & y,
            Bitwise::Or => x | y,
            Bitwise::Xor => x ^ y,
        };
        if x == y {
            return match operation {
                Bitwise::Xor => Value::Known(0),
                Bitwise::And | Bitwise::Or => x.clone(),
            };
        }
        if let (Some(word), Bitwise::Xor) = (self.xor_in_cases(x, y), operation) {
            return word;
        }
        if let (Value::Pointer(x), Value::Pointer(y), Bitwise::Xor) = (x, y, operation)
            && (x.base == y.base && (x.part, y.part) == (0, 0) && !x.agrees(y, self.bits)
                || self.lie_apart(x, y))
        {
            // addresses that differ
            if let Some(word) = self.any_but_zero() {
                return word;
            }
        }
        if let Some(result) = self.tabulated(&[x, y], |words| plain(words[0], words[1])) {
            return self.word_of(result);
        }
        let result = self
            .masked(x, y, operation)
            .or_else(|| self.exclusive(x, y, operation))
            .or_else(|| {
                let chosen = self.chosen(x, y, operation);
                self.find(chosen)
            })
            .or_else(|| self.signed_joined(x, y, operation))
            .or_else(|| self.of_parts(x, y, operation));
        result.unwrap_or_else(|| self.combined(x, y, operation))
    }

    /// `x op y`, of which nothing is known but what it was made of.
    fn combined(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Value {
        let most = [x, y].map(|own| self.most(own).unwrap_or(self.ones()));
        let most = match operation {
            Bitwise::And => most[0].min(most[1]),
            Bitwise::Or | Bitwise::Xor => most[0].max(most[1]),
        };
        let of_variables = match (x, y) {
            (Value::Variable(x), Value::Variable(y)) if self.compiled => {
                Some((operation, *x.min(y), *x.max(y)))
            }
            _ => None,
        };
        // the same again
        if let Some(word) = of_variables.and_then(|of| self.combined.1.get(&of)) {
            return Value::Variable(*word);
        }
        // as many places as they have
        let word = self.graph.variable(((most as u64 + 1).next_power_of_two() - 1) as u32);
        self.combined.1.extend(of_variables.map(|of| (of, word)));
        if self.compiled {
            self.combined.0.insert(word, (operation, x.clone(), y.clone()));
        }
        Value::Variable(word)
    }

    /// Whether a word was joined by OR, or is what two differ in, and nothing else is known of it.
    pub(crate) fn is_combined(&self, word: Variable) -> bool {
        matches!(self.combined.0.get(&word), Some((Bitwise::Or | Bitwise::Xor, ..)))
    }

    /// The words of which a word is the exclusive or, and of which nothing else is known.
    pub(crate) fn exclusive_or(&self, word: Variable) -> Option<[Value; 2]> {
        match self.combined.0.get(&word)? {
            (Bitwise::Xor, x, y) => Some([x.clone(), y.clone()]),
            _ => None,
        }
    }

    /// The words that a word was made of by OR alone; `None` where they are too many, or it was not.
    pub(crate) fn all_of_or(&self, value: &Value) -> Option<Vec<Value>> {
        self.all_joined(value, Bitwise::Or)
    }

    /// The same by AND.
    pub(crate) fn all_of_and(&self, value: &Value) -> Option<Vec<Value>> {
        self.all_joined(value, Bitwise::And)
    }

    fn all_joined(&self, value: &Value, by: Bitwise) -> Option<Vec<Value>> {
        let (mut words, mut open) = (Vec::new(), vec![value.clone()]);
        while let Some(value) = open.pop() {
            match &value {
                Value::Variable(word) => match self.combined.0.get(word) {
                    Some((operation, x, y)) if *operation == by => open.extend([x.clone(), y.clone()]),
                    _ => words.push(value),
                },
                _ => words.push(value),
            }
            if words.len() + open.len() > MOST_WORDS_JOINED {
                return None;
            }
        }
        (words.len() > 1).then_some(words)
    }

    /// `x ^ b(x ^ y)` for a bit `b`: `x` or `y`.
    fn chosen(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        let Bitwise::Xor = operation else { return None };
        for (word, change) in [(x, y), (y, x)] {
            let change = self.written_out(change)?;
            let words = change.variables().into_iter().filter(|own| self.combined.0.contains_key(own));
            let [of] = words.collect::<Vec<_>>()[..] else { continue };
            let (Bitwise::Xor, one, two) = &self.combined.0[&of] else { continue };
            let other = match (one == word, two == word) {
                (true, _) => two.clone(),
                (_, true) => one.clone(),
                _ => continue,
            };
            let bit = change.terms().iter().map(|(product, factor)| {
                product.variables().contains(&of).then(|| (product.without(of), *factor))
            });
            let bit = Polynomial::from_terms(bit.collect::<Option<_>>()?)?;
            let bits = bits_of(&[&bit])?;
            let is_bit = |all| matches!(evaluate(&bit, &bits, all), Some(0 | 1));
            if !(0..1usize << bits.len()).all(is_bit) {
                continue;
            }
            let (Some(from), Some(to)) = (self.single(word), self.single(&other)) else { continue };
            let most = self.most(&from).zip(self.most(&to)).map(|(from, to)| from.max(to));
            let [own, set] = [&from, &to].map(|side| self.polynomial(side));
            let (own, set) = (own?, set?);
            let moved = bit.times(&set.plus_multiple(&own, -1)?)?;
            let chosen = self.word_within(own.plus_multiple(&moved, 1)?, most.unwrap_or(self.ones()));
            self.note_choice(&chosen, &bit, &to, &from);
            return Some(chosen);
        }
        None
    }

    /// The highest bit of a word of which nothing else is known but what it was combined of, or of all ones less such a word.
    pub(crate) fn top_of_combined(&mut self, value: &Value) -> Option<Polynomial> {
        let (word, is_opposite) = match value {
            Value::Variable(word) if self.is_made_by_tops(*word) => (*word, false),
            Value::Variable(word) => (self.complement(*word)?, true),
            Value::Polynomial(word) => (self.word_less(word)?, true),
            Value::Known(_) | Value::Pointer(_) | Value::Either(_) => return None,
        };
        if !self.is_made_by_tops(word) {
            return None;
        }
        if is_opposite {
            let top = self.top_of_combined(&Value::Variable(word))?;
            return Polynomial::constant(1).plus_multiple(&top, -1);
        }
        self.find(Some(()));
        // what was compared with zero gives that away as a whole, by its own highest bit
        let mut words = Vec::new();
        let whole = self.tree(value, &mut words, (true, &mut { MOST_OPERATIONS }));
        if let Some(carry) = whole.and_then(|tree| self.carry_by_tops(&tree, &words)) {
            return Some(carry);
        }
        words.clear();
        let tree = self.tree(value, &mut words, (false, &mut { MOST_OPERATIONS }))?;
        if let Some(carry) = self.carry_by_tops(&tree, &words) {
            return Some(carry);
        }
        let place = self.bits - 1;
        let tops: Vec<Polynomial> =
            words.iter().map(|word| self.bit_at(&Value::Variable(*word), place)).collect::<Option<_>>()?;
        let bits = bits_of(&tops.iter().collect::<Vec<_>>())?;
        self.interpolated(&bits, |assignment| {
            let set = |top: &Polynomial| evaluate(top, &bits, assignment) == Some(1);
            let all = tops.iter().enumerate().fold(0, |all, (at, top)| all | usize::from(set(top)) << at);
            i64::from(tree.of(all))
        })
    }

    /// Whether the highest bit of a word is a function of those of others.
    fn is_made_by_tops(&self, word: Variable) -> bool {
        self.combined.0.contains_key(&word) || self.chosen_by_tops(word).is_some()
    }

    /// The words by whose highest bits a word is one of others, and which one it is for each of their values.
    fn chosen_by_tops(&self, word: Variable) -> Option<(Vec<Variable>, Vec<Value>)> {
        let right_of = |own: Variable| {
            let equation = self.graph.defining_low(own.index())?;
            (equation.high.is_none() && self.compiled).then_some(&equation.right)
        };
        let mut right = right_of(word).filter(|_| !word.is_bit())?.clone();
        // bits that are functions of bits
        for _ in 0..MOST_TOPS {
            let variables = right.variables();
            let Some((bit, of_bits)) = variables
                .iter()
                .filter(|own| own.is_bit())
                .find_map(|own| right_of(*own).map(|right| (*own, right)))
            else {
                break;
            };
            right = right.with(bit, of_bits)?;
        }
        let bits: Vec<Variable> = right.variables().into_iter().filter(|own| own.is_bit()).collect();
        if !(1..=MOST_TOPS).contains(&bits.len()) {
            return None;
        }
        let top_of = |bit: &Variable| {
            let equation = self.graph.defining_high(bit.index())?;
            (equation.high?.1 == self.radix() / 2).then(|| equation.right.as_variable())?
        };
        let tops: Vec<Variable> = bits.iter().map(top_of).collect::<Option<_>>()?;
        let chosen = |assignment: usize| {
            let value = |at: usize| Polynomial::constant((assignment >> at & 1) as i64);
            let mut bits = bits.iter().enumerate();
            let sum = bits.try_fold(right.clone(), |sum, (at, bit)| sum.with(*bit, &value(at)))?;
            match (sum.as_constant(), sum.as_variable()) {
                (Some(constant), _) => Some(Value::Known(u64::try_from(constant).ok()?)),
                (None, own) => own.map(Value::Variable),
            }
        };
        let chosen = (0..1 << bits.len()).map(chosen).collect::<Option<_>>()?;
        Some((tops, chosen))
    }

    /// What a word's highest bit is made of; with `by_whole` words stay whole that were compared with zero.
    fn tree(
        &self,
        value: &Value,
        words: &mut Vec<Variable>,
        (by_whole, left): (bool, &mut usize),
    ) -> Option<Tree> {
        *left = left.checked_sub(1)?;
        let range = self.polynomial(value).and_then(|polynomial| self.graph.range(&polynomial));
        if range.is_some_and(|(least, most)| least >= 0 && most <= i128::from(self.ones() >> 1)) {
            return Some(Tree::Known(false));
        }
        match value {
            Value::Known(value) => Some(Tree::Known(value >> (self.bits - 1) & 1 == 1)),
            Value::Variable(word) => match self.combined.0.get(word) {
                Some((operation, x, y)) if !by_whole || !self.is_compared_with_zero(*word) => {
                    let both =
                        [self.tree(x, words, (by_whole, left))?, self.tree(y, words, (by_whole, left))?];
                    Some(Tree::Both(*operation, Box::new(both)))
                }
                None if self.complement(*word).is_some() => {
                    let word = self.complement(*word)?;
                    Some(Tree::Not(Box::new(self.tree(&Value::Variable(word), words, (by_whole, left))?)))
                }
                Some(_) | None => {
                    let mut place = |word: Variable| {
                        words.iter().position(|own| *own == word).unwrap_or_else(|| {
                            words.push(word);
                            words.len() - 1
                        })
                    };
                    let tree = match self.chosen_by_tops(*word) {
                        Some((tops, of)) => {
                            let tops = tops.into_iter().map(place).collect();
                            let of = of.iter().map(|own| self.tree(own, words, (by_whole, left)));
                            Tree::Chosen(tops, of.collect::<Option<_>>()?)
                        }
                        None => Tree::Word(place(*word)),
                    };
                    (words.len() <= MOST_WORDS).then_some(tree)
                }
            },
            Value::Polynomial(polynomial) => {
                let word = self.word_less(polynomial)?;
                Some(Tree::Not(Box::new(self.tree(&Value::Variable(word), words, (by_whole, left))?)))
            }
            Value::Pointer(_) | Value::Either(_) => None,
        }
    }

    /// The word that a word is all ones less.
    fn complement(&self, word: Variable) -> Option<Variable> {
        let equation = self.graph.defining_low(word.index()).filter(|equation| equation.high.is_none())?;
        self.word_less(&equation.right)
    }

    fn word_less(&self, polynomial: &Polynomial) -> Option<Variable> {
        Polynomial::constant(self.ones())
            .plus_multiple(polynomial, -1)?
            .as_variable()
            .filter(|own| !own.is_bit())
    }

    /// The carry (or borrow) that the highest bits of a sum (or difference) `s` and of its terms give away; or the function of two
    /// of them, such as of the borrows of a difference that is made in two steps.
    ///
    /// A sum `x + y + c` has left a carry where two of `x`, `y`, `not s` have their highest bit set, a difference `x - y - c` a
    /// borrow where two of `not x`, `y`, `s` have: Warren, Hacker's Delight, section 2-13.
    fn carry_by_tops(&mut self, tree: &Tree, words: &[Variable]) -> Option<Polynomial> {
        let radix = self.radix();
        let sums = words
            .iter()
            .enumerate()
            .flat_map(|(at, sum)| [radix, -radix].into_iter().flat_map(move |factor| [(at, *sum, factor)]));
        let all = 0..1usize << words.len();
        // for each carry its values, by the highest bits
        let mut carries: Vec<(Variable, Vec<bool>)> = Vec::new();
        for (at, sum, factor) in sums.collect::<Vec<_>>() {
            for (right, carry) in self.sums(&Value::Variable(sum), factor) {
                let Some(place) = self.by_tops(at, &right, factor > 0, words) else { continue };
                let values: Vec<bool> = all.clone().map(place).collect();
                if all.clone().all(|bits| tree.of(bits) == values[bits]) {
                    return Some(Polynomial::variable(carry));
                }
                if all.clone().all(|bits| tree.of(bits) != values[bits]) {
                    return Polynomial::constant(1).plus_multiple(&Polynomial::variable(carry), -1);
                }
                if carries.len() < MOST_CARRIES && carries.iter().all(|(own, _)| *own != carry) {
                    carries.push((carry, values));
                }
            }
        }
        let pairs =
            carries.iter().enumerate().flat_map(|(at, x)| carries[at + 1..].iter().map(move |y| (x, y)));
        let (bits, function) = pairs.into_iter().find_map(|((x, of_x), (y, of_y))| {
            let (one, of_one, two, of_two) = if x < y { (x, of_x, y, of_y) } else { (y, of_y, x, of_x) };
            let mut function = [None; 4];
            for bits in all.clone() {
                let value = &mut function[usize::from(of_one[bits]) | usize::from(of_two[bits]) << 1];
                if *value.get_or_insert(tree.of(bits)) != tree.of(bits) {
                    return None;
                }
            }
            Some(([*one, *two], function))
        })?;
        // values that both never have together do not matter
        self.interpolated(&bits, |all| i64::from(function[all] == Some(true)))
    }

    /// The carry of a sum, or borrow of a difference, as a function of the highest bits of the words, one of which is its low part.
    fn by_tops(
        &self,
        at: usize,
        right: &Polynomial,
        is_sum: bool,
        words: &[Variable],
    ) -> Option<impl Fn(usize) -> bool + use<>> {
        let radix = self.radix();
        // words that are added and taken, and what is left of the sum
        let (mut added, mut taken, mut rest) = (Vec::new(), Vec::new(), right.clone());
        for (product, times) in right.terms() {
            if let ([word], -1 | 1 | 2) = (product.variables(), times)
                && !word.is_bit()
            {
                rest = rest.plus_multiple(&Polynomial::variable(*word), -times)?;
                let place = || words.iter().position(|own| own == word).map(Tree::Word);
                for _ in 0..times.abs() {
                    if *times > 0 { &mut added } else { &mut taken }.push(place()?);
                }
            }
        }
        let (least, most) = self.graph.range(&rest)?;
        if most - least > 1 {
            return None;
        }
        let known = |number: i128| {
            let is_word = (0..radix.into()).contains(&number);
            is_word.then_some(Tree::Known(number >> (self.bits - 1) & 1 == 1))
        };
        // where there is one word only, the other one is a constant
        let (x, y) = match (is_sum, added.pop(), added.pop(), taken.pop()) {
            (true, Some(x), Some(y), None) if least == 0 => (x, y),
            (true, Some(x), None, None) => (x, known(least)?),
            (false, Some(x), None, Some(y)) if most == 0 => (x, y),
            (false, Some(x), None, None) => (x, known(-most)?),
            (false, None, None, Some(y)) => (known(most)?, y),
            _ => return None,
        };
        if !added.is_empty() || !taken.is_empty() {
            return None;
        }
        Some(move |bits: usize| {
            let (x, y, s) = (x.of(bits), y.of(bits), bits >> at & 1 == 1);
            let (x, s) = if is_sum { (x, !s) } else { (!x, s) };
            x & y | x & s | y & s
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_machine::Domain;

    /// `(x ^ ((x ^ y) | ((x - y) ^ y)))`, whose highest bit says that `x` is below `y`.
    fn less(domain: &mut Equations, x: &Value, y: &Value, difference: &Value) -> Value {
        let (both, other) = (domain.xor(x, y), domain.xor(difference, y));
        let either = domain.or(&both, &other);
        domain.xor(x, &either)
    }

    /// Two borrows that are joined before their highest bit is taken are the borrow of the whole.
    #[test]
    fn borrows_of_both_steps_are_that_of_the_whole_difference() {
        for is_first in [false, true] {
            let mut domain = Equations::new(32).compiled();
            let (x, y, none) = (domain.input(), domain.input(), domain.bit(false));
            let entering = domain.new_bit();
            let [zero, one] = [0, 1].map(|number| domain.word(number));
            let taken = domain.select(&entering, &one, &zero);
            let (difference, _) = domain.sub(&x, &y, &none);
            let (rest, _) = domain.sub(&difference, &taken, &none);
            let mut told = less(&mut domain, &x, &y, &difference);
            if !is_first {
                let second = less(&mut domain, &difference, &taken, &rest);
                told = domain.or(&told, &second);
            }
            let (_, top) = domain.split(&told, 31);
            let Value::Variable(borrow) = top else { panic!("{top:?}") };
            let mut wanted =
                domain.polynomial(&x).unwrap().plus_multiple(&domain.polynomial(&y).unwrap(), -1);
            if !is_first {
                let taken = domain.polynomial(&taken).unwrap();
                wanted = wanted.and_then(|wanted| wanted.plus_multiple(&taken, -1));
            }
            assert_eq!(Some(&domain.graph.defining_high(borrow.index()).unwrap().right), wanted.as_ref());
        }
    }
}
