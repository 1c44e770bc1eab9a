//! Addresses that are one of two, by a bit.

use crate::equations::Equations;
use crate::tabulate::{bits_of, evaluate};
use crate::together::opposite;
use crate::value::{Either, Flag, Value};
use rhomb_machine::{Cases, Domain, Pointer};
use rhomb_poly::Polynomial;
use std::rc::Rc;

impl Equations {
    /// `bit ? x : y` of two whole addresses, each of which may itself be one of the same two.
    pub(crate) fn either(&mut self, bit: &Polynomial, x: &Value, y: &Value) -> Option<Value> {
        let parts = |value: &Value| match value {
            Value::Pointer(pointer) if self.is_whole(pointer) => Some((None, vec![*pointer])),
            Value::Either(either) => Some((Some(either.bit.clone()), either.addresses.to_vec())),
            _ => None,
        };
        let ((own, ones), (other, others)) = (parts(x)?, parts(y)?);
        let first = ones[0];
        let mut rest = ones.iter().chain(&others).filter(|address| **address != first);
        let Some(second) = rest.next().copied() else { return Some(x.clone()) };
        if rest.any(|address| *address != second) {
            return None;
        }
        // by which bit each of them is the first one
        let by = |bit: Option<Polynomial>, addresses: &[Pointer]| match bit {
            Some(bit) if addresses[0] == first => Some(bit),
            Some(bit) => Polynomial::constant(1).plus_multiple(&bit, -1),
            None => Some(Polynomial::constant(i64::from(addresses[0] == first))),
        };
        let (x, y) = (by(own, &ones)?, by(other, &others)?);
        let all = y.plus_multiple(&bit.times(&x.plus_multiple(&y, -1)?)?, 1)?;
        self.one_of(all, [first, second])
    }

    /// The first of two addresses where a function of bits is 1, told by one bit.
    fn one_of(&mut self, function: Polynomial, [first, second]: [Pointer; 2]) -> Option<Value> {
        bits_of(&[&function])?;
        let function = self.lean(function)?;
        match function.as_constant() {
            Some(0) => return Some(Value::Pointer(second)),
            Some(_) => return Some(Value::Pointer(first)),
            None => {}
        }
        let function = self.in_one_bit(function)?;
        let (bit, addresses) = match opposite(&function) {
            Some(bit) => (Polynomial::variable(bit), [second, first]),
            None => (function, [first, second]),
        };
        Some(Value::Either(Rc::new(Either { bit, addresses })))
    }

    /// Whether a word of an address is all of it.
    fn is_whole(&self, pointer: &Pointer) -> bool {
        self.bits >= 32 && pointer.part == 0
    }

    /// A whole address moved by a word that is one of two numbers.
    pub(crate) fn moved_by_bit(&mut self, pointer: &Pointer, by: &Value) -> Option<Value> {
        let by = self.polynomial(by).filter(|_| self.is_whole(pointer))?;
        let (function, values) = self.one_of_two(&by)?;
        let ones = self.ones();
        let addresses = values.map(|value| pointer.moved(value & ones, self.bits));
        self.one_of(function, addresses)
    }

    /// Both values of a word that has but two, and the function of bits that is 1 where it is the first one.
    fn one_of_two(&mut self, word: &Polynomial) -> Option<(Polynomial, [i64; 2])> {
        let bits = bits_of(&[word])?;
        let values: Vec<i64> = (0..1usize << bits.len())
            .map(|assignment| evaluate(word, &bits, assignment))
            .collect::<Option<_>>()?;
        let second = values[0];
        let first = *values.iter().find(|value| **value != second)?;
        if values.iter().any(|value| *value != first && *value != second) {
            return None;
        }
        Some((
            self.interpolated(&bits, |assignment| i64::from(values[assignment] == first))?,
            [first, second],
        ))
    }

    /// An address that is one of two, moved by a number.
    pub(crate) fn either_moved(&self, either: &Either, by: i64) -> Value {
        let addresses = either.addresses.map(|address| address.moved(by, self.bits));
        Value::Either(Rc::new(Either { bit: either.bit.clone(), addresses }))
    }

    /// What a word is where the bit is 0, and where it is 1.
    pub(crate) fn both_cases(&mut self, word: &Value) -> Option<Cases<Value, Flag>> {
        if let Value::Either(either) = word {
            let [set, unset] = either.addresses.map(Value::Pointer);
            return Some((vec![Flag::Polynomial(Rc::new(either.bit.clone()))], vec![unset, set]));
        }
        let (function, values) = self.one_of_two(&*self.polynomial(word)?)?;
        let bit = self.in_one_bit(function)?;
        let [set, unset] = values.map(|value| Value::Known(value as u64));
        Some((vec![Flag::Polynomial(Rc::new(bit))], vec![unset, set]))
    }

    /// What lies at one of two addresses, the first of which it is where the bit is 1. What was chosen by this bit before
    /// stands for what it was chosen of.
    pub(crate) fn chosen_by_address(&mut self, bit: &Flag, x: &Value, y: &Value) -> Value {
        let by = (*self.bit_polynomial(bit)).clone();
        let standing = [(true, x), (false, y)].map(|(is_set, word)| match word {
            Value::Variable(word) => {
                self.loaded.get(&(by.clone(), is_set, *word)).map(|word| Value::Variable(*word))
            }
            _ => None,
        });
        let [own, other] = standing;
        let chosen = self.select(bit, x, y);
        if let Value::Variable(chosen) = chosen {
            if own.is_some() || other.is_some() {
                let (own, other) = (own.unwrap_or_else(|| x.clone()), other.unwrap_or_else(|| y.clone()));
                self.selected.insert(chosen, (Rc::new(by.clone()), own, other));
            }
            for (is_set, word) in [(true, x), (false, y)] {
                if let Value::Variable(word) = word {
                    self.loaded.entry((by.clone(), is_set, *word)).or_insert(chosen);
                }
            }
        }
        chosen
    }

    /// Two words, of which one at least is one of two addresses, where the bit is 1 and where it is 0.
    pub(crate) fn in_both_cases(&self, x: &Value, y: &Value) -> Option<(Polynomial, [(Value, Value); 2])> {
        let bit = match (x, y) {
            (Value::Either(x), Value::Either(y)) if x.bit != y.bit => return None,
            (Value::Either(either), _) | (_, Value::Either(either)) => either.bit.clone(),
            _ => return None,
        };
        let case = |value: &Value, at: usize| match value {
            Value::Either(either) => Value::Pointer(either.addresses[at]),
            _ => value.clone(),
        };
        Some((bit, [0, 1].map(|at| (case(x, at), case(y, at)))))
    }

    /// The difference of two words, of which one at least is one of two addresses.
    pub(crate) fn sub_in_cases(&mut self, x: &Value, y: &Value, borrow: &Flag) -> Option<(Value, Flag)> {
        let (bit, cases) = self.in_both_cases(x, y)?;
        let [(word, out), (other, other_out)] = cases.map(|(x, y)| self.sub(&x, &y, borrow));
        let bit = Flag::Polynomial(Rc::new(bit));
        let word = self.select(&bit, &word, &other);
        let (_, bits) = self.join(&bit, &[], &[(out, other_out)])?;
        Some((word, bits.into_iter().next()?))
    }

    /// The exclusive or of two words, of which one at least is one of two addresses.
    pub(crate) fn xor_in_cases(&mut self, x: &Value, y: &Value) -> Option<Value> {
        let (bit, cases) = self.in_both_cases(x, y)?;
        let [word, other] = cases.map(|(x, y)| self.xor(&x, &y));
        Some(self.select(&Flag::Polynomial(Rc::new(bit)), &word, &other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::Equation;

    fn pointer(base: u32, offset: i64) -> Pointer {
        Pointer { base, offset, address: 0x1000 * u64::from(base) + offset as u64, part: 0 }
    }

    /// The value of a bit, where those of the first two variables are given.
    fn value(domain: &Equations, bit: &Polynomial, given: [i64; 2]) -> i64 {
        let mut values = vec![0; domain.graph.len()];
        values[..2].copy_from_slice(&given);
        for Equation { low, high, right } in domain.graph.equations() {
            assert_eq!(*high, None);
            values[low.index()] = right.evaluate(|own| values[own.index()]).unwrap() as i64;
        }
        bit.evaluate(|own| values[own.index()]).unwrap() as i64
    }

    /// Which address a word is for all values of two bits; `None` where it is none.
    fn addresses(domain: &Equations, word: &Value) -> Option<Vec<Pointer>> {
        let given = (0..4).map(|all| [all & 1, all >> 1]);
        let address = |given| match word {
            Value::Pointer(pointer) => Some(*pointer),
            Value::Either(either) => {
                let value = value(domain, &either.bit, given);
                assert!((0..=1).contains(&value));
                Some(either.addresses[usize::from(value == 0)])
            }
            _ => None,
        };
        given.map(address).collect()
    }

    /// Addresses that bits choose are the ones that they choose, whichever bit or opposite says so, also when they are chosen again, moved and
    /// told apart.
    #[test]
    fn one_of_two_addresses_is_the_one() {
        for compiled in [false, true] {
            let mut domain = Equations::new(32);
            domain.compiled = compiled;
            let [b, c] = std::array::from_fn(|_| domain.new_bit());
            let (p, q) = (pointer(1, 4), pointer(2, 8));
            let [x, y] = [p, q].map(Value::Pointer);
            let not = |domain: &mut Equations, bit: &Flag| domain.bit_not(bit);
            let (not_b, not_c) = (not(&mut domain, &b), not(&mut domain, &c));
            let choices = [(b.clone(), 0, 1), (not_b, 0, 0), (c.clone(), 1, 1), (not_c, 1, 0)];
            let by = |at: usize, all: usize| (all >> choices[at].1 & 1) == choices[at].2;
            for (one, (bit, ..)) in choices.iter().enumerate() {
                let first = domain.select(bit, &x, &y);
                let own = |all: usize| if by(one, all) { p } else { q };
                assert_eq!(addresses(&domain, &first), Some((0..4).map(own).collect()));
                for (two, (bit, ..)) in choices.iter().enumerate() {
                    for turned in [false, true] {
                        let (s, t) = if turned { (&y, &first) } else { (&first, &x) };
                        let second = domain.select(bit, s, t);
                        let own = |all: usize| match (by(two, all), turned) {
                            (true, true) => q,
                            (true, false) | (false, true) => own(all),
                            (false, false) => p,
                        };
                        assert_eq!(
                            addresses(&domain, &second),
                            Some((0..4).map(own).collect()),
                            "{one} {two}"
                        );
                        // moved there and back, by a number
                        let (none, four) = (Flag::Known(false), Value::Known(4));
                        let (moved, _) = domain.add(&second, &four, &none);
                        let [also] = domain.moved([&second], 4).unwrap();
                        assert_eq!(moved, also);
                        let (back, _) = domain.sub(&moved, &four, &none);
                        assert_eq!(back, second);
                        assert_eq!(domain.sub(&moved, &second, &none).0, four);
                        if let Some((bits, words)) = domain.cases(&second) {
                            assert_eq!((bits.len(), words.len()), (1, 2));
                            let chosen = domain.select(&bits[0], &words[1], &words[0]);
                            assert_eq!(chosen, second);
                        }
                    }
                }
                // a third address is none of both
                let third = Value::Pointer(pointer(3, 0));
                let bit = (*domain.bit_polynomial(bit)).clone();
                assert_eq!(domain.either(&bit, &first, &third), None);
            }
            // by a word that has two values
            for (at, (bit, ..)) in choices.iter().enumerate() {
                let word = domain.select(bit, &Value::Known(12), &Value::Known(0xffff_fffc));
                let (moved, _) = domain.add(&x, &word, &Flag::Known(false));
                let own = |all: usize| p.moved(if by(at, all) { 12 } else { -4 }, 32);
                assert_eq!(addresses(&domain, &moved), Some((0..4).map(own).collect()));
            }
        }
    }

    /// Addresses of one array compare as their offsets do, with signs, too, and a word less nothing has no carry.
    #[test]
    fn carries_into_the_sign_are_known() {
        let mut domain = Equations::new(32);
        domain.places = vec![(1, 0..=8, false)];
        let (none, zero) = (Flag::Known(false), Value::Known(0));
        let mut is_less = |x: &Value, y: &Value| {
            let (difference, borrow) = domain.sub(x, y, &none);
            let into_sign = domain.carry_into(31, x, y, &difference);
            let is_overflow = domain.bit_xor(&into_sign, &borrow);
            let Value::Known(difference) = difference else { return None };
            Domain::known_bit(&domain, &is_overflow).map(|own| own != (difference >> 31 == 1))
        };
        for (x, y) in [(0, 8), (8, 0), (4, 8), (8, 8)] {
            let [to, from] = [x, y].map(|offset| Value::Pointer(pointer(1, offset)));
            assert_eq!(is_less(&to, &from), Some(x < y), "{x} {y}");
        }
        // beyond the array, and of another one
        for (x, y) in [(pointer(1, 12), pointer(1, 8)), (pointer(2, 0), pointer(1, 0))] {
            assert_eq!(is_less(&Value::Pointer(x), &Value::Pointer(y)), None);
        }
        // what an address is below its sign, or beyond the array, nobody knows
        let four = Value::Known(4);
        let mut is_known = |place, x, y| {
            let [x, y] = [x, y].map(|offset| Value::Pointer(pointer(1, offset)));
            let carry = domain.carry_into(place, &x, &y, &four);
            Domain::known_bit(&domain, &carry).is_some()
        };
        assert_eq!([is_known(31, 8, 4), is_known(30, 8, 4), is_known(31, 12, 8)], [true, false, false]);
        let word = domain.input();
        let (same, borrow) = domain.sub(&word, &zero, &none);
        assert_eq!((same.clone(), Domain::known_bit(&domain, &borrow)), (word.clone(), Some(false)));
        for (x, y, result, bit) in [
            (&word, &zero, &same, false),
            (&zero, &word, &word, false),
            (&word, &word, &Value::Known(6), true),
        ] {
            let carry = domain.carry_into(1, x, y, result);
            assert_eq!(Domain::known_bit(&domain, &carry), Some(bit));
        }
    }
}
