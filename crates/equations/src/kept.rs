//! Carries that are kept where a word is zero: `t = y + c; if (t != 0) c = x < t`, as compilers write the borrow of `x - y - c`,
//! and the same of a sum that is compared only where it has changed.

use crate::compare::is_none_without;
use crate::equations::Equations;
use crate::graph::Equation;
use crate::value::Value;
use rhomb_poly::{Polynomial, Variable};

/// A word as the sum `y + c` that it was made by.
struct Made {
    /// `y + c`, of which the word is what is left.
    sum: Polynomial,
    /// The carry of that sum, where it may have one.
    over: Option<Variable>,
}

impl Equations {
    /// What is chosen by whether a word is zero: there a bit that was added to it, and else a carry (or borrow) that needs the word.
    ///
    /// Let the word be `t`, with `t + radix * over = y + c`, where `c` is a bit and `y` a word. Where `t` is zero, `y + c` is nothing or
    /// the radix, so that `c` is `over`, and the carry is 0. Elsewhere `over` is 0, as `y + c` is at most the radix. So the one
    /// or the other is `over` and the carry, one of which at most is 1.
    pub(crate) fn kept_where_zero(&mut self, is_first: &Polynomial, x: &Value, y: &Value) -> Option<Value> {
        if !self.compiled {
            return None;
        }
        let not = Polynomial::constant(1).plus_multiple(is_first, -1)?;
        for (unequal, carry, kept) in [(is_first, x, y), (&not, y, x)] {
            let Some(unequal) = unequal.as_variable() else { continue };
            let Some(word) = self.word_not_zero(unequal) else { continue };
            let (Some(carry), Some(kept)) = (self.polynomial(carry), self.polynomial(kept)) else { continue };
            let made = self.made(word);
            if !self.is_part(&made.sum, &kept) {
                continue;
            }
            if carry.as_constant() == Some(0) && kept.as_constant().is_none() {
                return Some(made.over.map_or(Value::Known(0), Value::Variable));
            }
            let Some(carry) = carry.as_variable().filter(|carry| carry.is_bit()) else { continue };
            if !self.is_carry_of(carry, word, &made) {
                continue;
            }
            self.imply(carry, unequal);
            let Some(over) = made.over else { return Some(Value::Variable(carry)) };
            if over == carry {
                continue;
            }
            self.graph.exclude(over.min(carry), over.max(carry));
            let both = Polynomial::variable(over).plus_multiple(&Polynomial::variable(carry), 1)?;
            return Some(Value::Variable(self.bit_of_polynomial(both)));
        }
        None
    }

    fn made(&self, word: Variable) -> Made {
        let whole = || Made { sum: Polynomial::variable(word), over: None };
        match self.graph.defining_low(word.index()) {
            None => whole(),
            Some(Equation { high: None, right, .. }) => Made { sum: right.clone(), over: None },
            Some(Equation { high: Some((over, factor)), right, .. }) => {
                let is_sum = *factor == self.radix() && over.is_bit();
                if is_sum { Made { sum: right.clone(), over: Some(*over) } } else { whole() }
            }
        }
    }

    /// Whether a sum is `y + c` with a word `y`, for this `c`, a bit.
    fn is_part(&self, sum: &Polynomial, kept: &Polynomial) -> bool {
        let within = |polynomial: &Polynomial, most: i128| {
            self.graph.range(polynomial).is_some_and(|(least, own)| least >= 0 && own <= most)
        };
        let rest = sum.plus_multiple(kept, -1);
        within(kept, 1) && rest.is_some_and(|rest| within(&rest, self.ones().into()))
    }

    /// Whether a bit is a carry that is 0 where this word is.
    fn is_carry_of(&self, carry: Variable, word: Variable, made: &Made) -> bool {
        let own = self.graph.defining_high(carry.index());
        let own = own.and_then(|equation| Some((equation.right.clone(), equation.high?.1)));
        let Some((sum, factor)) = own.or_else(|| self.second_step(carry)) else { return false };
        if factor.abs() != self.radix() {
            return false;
        }
        // what is nothing where the word is: itself, and what it was made of, where nothing is left out
        let written = made.over.is_none().then_some(&made.sum);
        let word = Polynomial::variable(word);
        let nothing = [Some(&word), written].into_iter().flatten();
        nothing.flat_map(|own| [1, -1].map(|times| (own, times))).any(|(own, times)| {
            let without = sum.plus_multiple(own, -times);
            without.is_some_and(|without| is_none_without(self, &without, factor))
        })
    }
}

#[cfg(test)]
mod tests {
    use crate::{Equations, Value};
    use rhomb_machine::Domain;
    use rhomb_poly::{Polynomial, Variable};

    /// The right side of the equation of which a bit is the borrow.
    fn difference(domain: &Equations, borrow: &Value) -> Polynomial {
        let Value::Variable(borrow) = borrow else { panic!("{borrow:?}") };
        let equation = domain.graph.defining_high(borrow.index()).unwrap();
        assert_eq!(equation.high, Some((*borrow, -domain.radix())));
        equation.right.clone()
    }

    fn variable(domain: &Equations, value: &Value) -> Variable {
        domain.polynomial(value).unwrap().as_variable().unwrap()
    }

    /// `t = b + c; if (t != 0) c = a < t`, whether or not zero is tested for before the comparison: the borrow of `a - b - c`.
    #[test]
    fn a_borrow_that_is_kept_is_that_of_the_whole_difference() {
        for late in [false, true] {
            let mut domain = Equations::new(32).compiled();
            let mut kept = domain.word(0);
            for _ in 0..3 {
                let (a, b) = (domain.input(), domain.input());
                let none = domain.bit(false);
                let (sum, _) = domain.add(&b, &kept, &none);
                let zero = domain.is_zero(&sum);
                if !late {
                    domain.bit_polynomial(&zero);
                }
                let (_, less) = domain.sub(&a, &sum, &none);
                let (one, nothing) = (domain.word(1), domain.word(0));
                let less = domain.select(&less, &one, &nothing);
                let before = domain.polynomial(&kept).unwrap();
                kept = domain.select(&zero, &kept, &less);
                let [a, b] = [a, b].map(|word| Polynomial::variable(variable(&domain, &word)));
                let whole = a.plus_multiple(&b, -1).and_then(|rest| rest.plus_multiple(&before, -1));
                assert_eq!(Some(difference(&domain, &kept)), whole);
            }
        }
    }

    /// Whether what is kept is another bit, or the word another sum, nothing is told.
    #[test]
    fn other_bits_are_not_taken_for_it() {
        let mut domain = Equations::new(32).compiled();
        let [a, b] = std::array::from_fn(|_| domain.input());
        let [c, d] = std::array::from_fn(|_| domain.new_bit());
        let none = domain.bit(false);
        let (one, nothing) = (domain.word(1), domain.word(0));
        let [c, d] = [c, d].map(|bit| domain.select(&bit, &one, &nothing));
        let (sum, _) = domain.add(&b, &c, &none);
        let (_, less) = domain.sub(&a, &sum, &none);
        let less = domain.select(&less, &one, &nothing);
        let zero = domain.is_zero(&sum);
        let kept = domain.select(&zero, &d, &less);
        let kept = domain.polynomial(&kept).unwrap();
        let d = variable(&domain, &d);
        let told = kept.as_variable().and_then(|bit| domain.graph.defining_low(bit.index()));
        assert!(
            kept.variables().contains(&d) || told.is_some_and(|told| told.right.variables().contains(&d))
        );
    }
}
