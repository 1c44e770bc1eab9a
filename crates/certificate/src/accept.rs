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
        let cases: Vec<Variable> =
            self.cases.iter().map(|index| facts.graph.variable_at(*index as usize)).collect();
        let fits = |word: &Variable| facts.most(*word) < 1 << bits;
        // a lemma whose value names its own lowest word would be replaced for ever
        if !words.iter().all(fits)
            || !cases.iter().all(|case| case.is_bit())
            || self.value.variables().contains(&words[0])
        {
            return Err(LemmaError::Variables);
        }
        let difference = self.difference(facts, &Sum::number(&words, bits, &Dyadic::new(1, 0)));
        let places = match words[..] {
            // a part of a word is a narrower number
            [one] if (facts.most(one) + 1).count_ones() == 1 => (facts.most(one) + 1).trailing_zeros() as i32,
            _ => (bits as usize * words.len()) as i32,
        };
        if !vanishes(&difference, facts, &Modulo::Power(places)) {
            return Err(LemmaError::Value);
        }
        if vanishes(&difference, facts, &Modulo::Nothing) {
            return Ok(());
        }
        let is_value = |form: &Sum| vanishes(&self.difference(facts, form), facts, &Modulo::Nothing);
        if let Some(wrong) = self.forms.iter().position(|form| !is_value(form)) {
            return Err(LemmaError::Form(wrong));
        }
        for assignment in 0..1usize << cases.len() {
            let fixed: Vec<(Variable, bool)> =
                cases.iter().enumerate().map(|(at, case)| (*case, assignment >> at & 1 == 1)).collect();
            if facts.is_excluded(&fixed) {
                continue;
            }
            let (mut above, mut below) = (false, false);
            for sum in all.clone().take_while(|_| !facts.is_exhausted()) {
                let (low, high) = facts.range(sum.terms(), &fixed);
                above |= !low.is_negative();
                below |= high < Dyadic::power(places);
                if above && below {
                    break;
                }
            }
            if !above || !below {
                return Err(LemmaError::Range);
            }
        }
        Ok(())
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
