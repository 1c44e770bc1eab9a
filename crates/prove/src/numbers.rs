//! Numbers that share words with earlier ones.

use crate::uses::Uses;
use rhomb_certificate::{Facts, Sum};
use rhomb_poly::{Dyadic, Monomial};
use std::collections::BTreeMap;

/// Whether the words share some with an earlier number that is still to be used: as parts of two numbers they
/// would be replaced by the newer one only.
pub(crate) fn is_needed_apart(facts: &Facts, words: &[usize], uses: &Uses, now: usize) -> bool {
    let numbers = words.iter().filter_map(|word| facts.word_of(*word, &[]));
    let mut others = numbers.flat_map(|(lemma, _)| &lemma.words).map(|word| *word as usize);
    others.any(|word| !words.contains(&word) && uses.is_used_after(word, now))
}

/// The run with the low words of an earlier lemma in front, where its number has that lemma's upper
/// words left over in just these places: then the whole is simpler.
pub(crate) fn prefixed(facts: &Facts, words: &[usize], sum: &Sum) -> Option<Vec<usize>> {
    let bits = facts.word_bits() as usize;
    let factors: BTreeMap<&Monomial, &Dyadic> = sum.terms().collect();
    for lemma in facts.lemmas().iter().rev() {
        let variables = lemma.variables(facts);
        let count = variables.len();
        let first = (1..count).find(|first| {
            (*first..count).all(|position| {
                let weight = Dyadic::power((bits * (position - first)) as i32);
                factors.get(&Monomial::variable(variables[position])) == Some(&&weight)
            })
        });
        if let Some(first) = first {
            let prefix: Vec<usize> = variables[..first].iter().map(|variable| variable.index()).collect();
            if prefix.iter().all(|word| !words.contains(word)) {
                return Some(prefix.into_iter().chain(words.iter().copied()).collect());
            }
        }
    }
    None
}
