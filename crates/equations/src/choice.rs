//! Choices of choices: of paths that leave two words only, whichever they are, the word is chosen once, by one bit.

use crate::equations::Equations;
use crate::tabulate::{bits_of, interpolate};
use crate::together::opposite;
use crate::value::Value;
use rhomb_poly::{Polynomial, Variable};
use std::rc::Rc;

/// Most bits of which a bit is a function without a variable of its own.
const MOST_BITS_OF_CHOICE: usize = 2;

/// Most bits that are written out, one after the other: the one that chooses now, and the one that chose before.
const MOST_WRITTEN_OUT: usize = 2;

impl Equations {
    /// Notes that a word was chosen, if it is younger than both.
    pub(crate) fn note_choice(&mut self, chosen: &Value, bit: &Polynomial, x: &Value, y: &Value) {
        let Value::Variable(word) = chosen else { return };
        let is_older = |value: &Value| {
            // an address is no variable
            let variables = self.polynomial(value).map(|polynomial| polynomial.variables());
            variables.is_none_or(|variables| variables.iter().all(|own| own < word))
        };
        if self.compiled && is_older(x) && is_older(y) {
            self.selected.entry(*word).or_insert_with(|| (Rc::new(bit.clone()), x.clone(), y.clone()));
        }
    }

    /// The one bit, or its opposite, that a function of bits is once the youngest of these are written out.
    fn by_older_bits(&mut self, function: &Polynomial) -> Option<Polynomial> {
        let mut function = function.clone();
        for _ in 0..MOST_WRITTEN_OUT {
            if function.as_variable().is_some() || opposite(&function).is_some() {
                return Some(function);
            }
            let defined = |bit: &Variable| {
                let equation = self.graph.defining_low(bit.index()).filter(|own| own.high.is_none())?;
                Some((*bit, equation.right.clone()))
            };
            let (bit, right) = function.variables().iter().rev().find_map(defined)?;
            let all = bits_of(&[&function, &right])?;
            let older: Vec<Variable> = all.iter().copied().filter(|own| *own != bit).collect();
            let value = |assignment: usize| {
                let own =
                    |variable| older.binary_search(&variable).map_or(0, |at| (assignment >> at & 1) as i64);
                let value = right.evaluate(own)?;
                let value = i64::try_from(value).ok()?;
                i64::try_from(
                    function.evaluate(|variable| if variable == bit { value } else { own(variable) })?,
                )
                .ok()
            };
            let values: Vec<i64> = (0..1usize << older.len()).map(value).collect::<Option<_>>()?;
            let all = interpolate(&older, |assignment| values[assignment])?;
            function = self.lean(all)?;
        }
        (function.as_variable().is_some() || opposite(&function).is_some()).then_some(function)
    }

    /// `bit ? x : y`, where `x` or `y` was chosen of two words, and no third one comes in: by which bit one of two is chosen, the first of
    /// them where it is 1.
    pub(crate) fn one_choice(
        &mut self,
        bit: &Polynomial,
        x: &Value,
        y: &Value,
    ) -> Option<(Polynomial, Value, Value)> {
        if !self.compiled {
            return None;
        }
        // functions of bits are told otherwise
        let chosen = |word: &Value| match word {
            Value::Variable(word) if !word.is_bit() => self.selected.get(word),
            _ => None,
        };
        let (one, two) = [chosen(x), chosen(y)].into_iter().flatten().find_map(|(_, one, two)| {
            let within = |word: &Value| {
                word == one
                    || word == two
                    || chosen(word)
                        .is_some_and(|(_, x, y)| [x, y].iter().all(|own| *own == one || *own == two))
            };
            (within(x) && within(y)).then(|| (one.clone(), two.clone()))
        })?;
        // by which bit a word is the first one of both
        let by = |word: &Value| -> Option<Polynomial> {
            if *word == one || *word == two {
                return Some(Polynomial::constant(i64::from(*word == one)));
            }
            let (by, x, y) = chosen(word)?;
            let times = |word: &Value, by: &Polynomial| {
                if *word == one { Some(by.clone()) } else { Some(Polynomial::zero()) }
            };
            let not = Polynomial::constant(1).plus_multiple(by, -1)?;
            times(x, by)?.plus_multiple(&times(y, &not)?, 1)
        };
        let (x, y) = (by(x)?, by(y)?);
        let all = y.plus_multiple(&bit.times(&x.plus_multiple(&y, -1)?)?, 1)?;
        let bits = bits_of(&[&all])?;
        let all = self.lean(all)?;
        let all = self.ordered(all);
        let all = self.by_older_bits(&all).unwrap_or(all);
        self.find(Some(()));
        let all = match bits.len() > MOST_BITS_OF_CHOICE && all.variables().len() > MOST_BITS_OF_CHOICE {
            true => Polynomial::variable(self.bit_of_polynomial(all)),
            false => all,
        };
        Some((all, one, two))
    }
}
