//! How a lemma follows from what is known before it.

use crate::exclusion::vanishes;
use crate::facts::Facts;
use crate::lemma::Lemma;
use crate::modulo::Modulo;
use crate::reduce::{Reduction, View};
use rhomb_poly::{Dyadic, Sum, Variable};

/// Most bits over whose values a range is shown case by case.
pub const MOST_CASES: usize = 6;

/// Why a lemma does not follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LemmaError {
    /// Its words, cases or value name no fitting variables, or numbers that are out of all proportion.
    #[error("a lemma names variables or numbers that do not fit")]
    Variables,
    /// Difference of words and value is no multiple of the power.
    #[error("a lemma's value does not follow by substitution")]
    Value,
    /// A form differs from the value.
    #[error("a lemma's form {0} is not its value")]
    Form(usize),
    /// The value is not shown to be in range.
    #[error("a lemma's value is not shown to be in range")]
    Range,
}

impl Lemma {
    /// Checks the lemma and records it.
    pub fn accept(self, facts: &mut Facts) -> Result<(), LemmaError> {
        self.check(facts)?;
        facts.record_lemma(self);
        Ok(())
    }

    /// The words as variables.
    pub fn variables(&self, facts: &Facts) -> Vec<Variable> {
        self.words.iter().map(|index| facts.graph.variable_at(*index as usize)).collect()
    }

    fn check(&self, facts: &Facts) -> Result<(), LemmaError> {
        let bits = facts.word_bits();
        let count = facts.graph.len();
        let exists = |index: &u32| (*index as usize) < count;
        let mut sorted = self.words.clone();
        sorted.sort_unstable();
        sorted.dedup();
        let all = [&self.value].into_iter().chain(&self.forms);
        let known = all.clone().all(|sum| {
            sum.variables()
                .iter()
                .all(|own| own.index() < count && *own == facts.graph.variable_at(own.index()))
                && sum.terms().all(|(_, factor)| facts.is_near(factor))
        });
        if self.words.is_empty()
            || sorted.len() != self.words.len()
            || !self.words.iter().chain(&self.cases).all(exists)
            || !known
            || self.cases.len() > MOST_CASES
        {
            return Err(LemmaError::Variables);
        }
        let words = self.variables(facts);
        let is_bit = |index: &u32| facts.graph.variable_at(*index as usize).is_bit();
        let fits = |word: &Variable| facts.most(*word) < 1 << bits;
        // a lemma whose value names its own lowest word would be replaced for ever
        if !words.iter().all(fits)
            || !self.cases.iter().all(is_bit)
            || self.value.variables().contains(&words[0])
        {
            return Err(LemmaError::Variables);
        }
        let difference = self.difference(facts, &Sum::number(&words, bits, &Dyadic::new(1, 0)));
        if !vanishes(&difference, facts, &Modulo::Power(self.places(facts))) {
            return Err(LemmaError::Value);
        }
        if vanishes(&difference, facts, &Modulo::Nothing) {
            return Ok(());
        }
        let is_value = |form: &Sum| vanishes(&self.difference(facts, form), facts, &Modulo::Nothing);
        if let Some(wrong) = self.forms.iter().position(|form| !is_value(form)) {
            return Err(LemmaError::Form(wrong));
        }
        self.bounding(facts).map(|_| ()).ok_or(LemmaError::Range)
    }

    /// The power of two that the number is below.
    pub fn places(&self, facts: &Facts) -> i32 {
        match self.variables(facts)[..] {
            // a part of a word is a narrower number
            [one] if (facts.most(one) + 1).count_ones() == 1 => (facts.most(one) + 1).trailing_zeros() as i32,
            _ => (facts.word_bits() as usize * self.words.len()) as i32,
        }
    }

    /// The forms, by number, that bound the value where it does not bound itself; `None` where they do not, either. That
    /// the forms are the value is not looked at.
    pub fn bounding(&self, facts: &Facts) -> Option<Vec<usize>> {
        let limit = Dyadic::power(self.places(facts));
        let mut bounding = vec![false; 1 + self.forms.len()];
        for assignment in 0..1usize << self.cases.len() {
            let case = |(at, index): (usize, &u32)| {
                (facts.graph.variable_at(*index as usize), assignment >> at & 1 == 1)
            };
            let fixed: Vec<(Variable, bool)> = self.cases.iter().enumerate().map(case).collect();
            if facts.is_excluded(&fixed) {
                continue;
            }
            let (mut above, mut below) = (false, false);
            for (sum, bounding) in [&self.value].into_iter().chain(&self.forms).zip(&mut bounding) {
                if facts.is_exhausted() || above && below {
                    break;
                }
                let (low, high) = facts.range(sum.terms(), &fixed);
                *bounding |= !above && !low.is_negative() || !below && high < limit;
                above |= !low.is_negative();
                below |= high < limit;
            }
            if !above || !below {
                return None;
            }
        }
        Some((0..self.forms.len()).filter(|at| bounding[at + 1]).collect())
    }

    /// `sum - value` after substitution.
    fn difference(&self, facts: &Facts, sum: &Sum) -> Sum {
        let mut reduction = Reduction::new(facts, View::Identity, 0, facts.graph.len());
        reduction.leave_open(&self.open);
        reduction.add_sum(sum, &Dyadic::new(1, 0));
        reduction.add_sum(&self.value, &Dyadic::new(-1, 0));
        reduction.finish()
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use rhomb_equations::{Equation, Graph};
    use rhomb_poly::{Monomial, Polynomial};

    /// A constant, and multiples of variables.
    pub(crate) fn polynomial(constant: i64, terms: &[(Variable, i64)]) -> Polynomial {
        let terms = terms.iter().map(|(own, factor)| (Monomial::variable(*own), *factor));
        Polynomial::from_terms(
            terms.chain([(Monomial::one(), constant)]).filter(|(_, by)| *by != 0).collect(),
        )
        .unwrap()
    }

    /// That a word of eight bits has this value.
    fn accepted(graph: &Graph, word: Variable, value: &Polynomial) -> Result<(), LemmaError> {
        let mut sum = Sum::default();
        value.terms().iter().for_each(|(own, factor)| sum.add(own, &Dyadic::new(*factor, 0)));
        let words = vec![word.index() as u32];
        let lemma = Lemma { words, value: sum, forms: Vec::new(), cases: Vec::new(), open: Vec::new() };
        lemma.accept(&mut Facts::new(graph.clone(), 8))
    }

    /// A sum that may leave a carry is not what it left; and one that may just not, is.
    #[test]
    fn a_value_stays_below_the_power() {
        for (most, outcome) in [(254, Ok(())), (255, Err(LemmaError::Range))] {
            let mut graph = Graph::default();
            let x = graph.variable(most);
            let (high, low) = (graph.variable(1), graph.variable(255));
            let right = polynomial(1, &[(x, 1)]);
            graph.equate(Equation { low, high: Some((high, 256)), right: right.clone() });
            assert_eq!(accepted(&graph, low, &right), outcome);
        }
    }

    /// A variable that is no word, or no part of one, is no number by itself.
    #[test]
    fn words_are_no_wider_and_parts_end_at_places() {
        let mut graph = Graph::default();
        let (x, bit) = (graph.variable(44), graph.variable(1));
        let wide = graph.variable(300);
        graph.equate(Equation { low: wide, high: None, right: polynomial(0, &[(x, 1), (bit, 256)]) });
        assert_eq!(accepted(&graph, wide, &polynomial(0, &[(x, 1)])), Err(LemmaError::Variables));
        let few = graph.variable(2);
        assert_eq!(accepted(&graph, few, &polynomial(0, &[])), Err(LemmaError::Value));
    }
}
