//! Lemmas: what number a run of words is.

use rhomb_poly::{Sum, Variable};
use serde::{Deserialize, Serialize};

/// That `sum of 2^(w*k) * words[k] = value`, for words of `w` bits.
///
/// Substitution shows that both sides differ by a multiple of `2^(w * words.len())`. Where the
/// difference is not plainly zero, the value is shown to lie in the range of such a number: then
/// congruence is equality, whatever carries were dropped on the way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lemma {
    /// Indices of the words, lowest first.
    pub words: Vec<u32>,
    /// Their number, in older variables.
    pub value: Sum,
    /// Other expressions for the value. The range may follow from one in one case and from another in
    /// another.
    pub forms: Vec<Sum>,
    /// Bits, by index, over whose values the range is shown case by case.
    pub cases: Vec<u32>,
    /// Lemmas, by number, that are not used.
    pub open: Vec<u32>,
}

impl Lemma {
    /// That words are a number, by the contract.
    pub(crate) fn given(words: &[Variable], value: Sum) -> Lemma {
        let words = words.iter().map(|word| word.index() as u32).collect();
        Lemma { words, value, forms: Vec::new(), cases: Vec::new(), open: Vec::new() }
    }
}
