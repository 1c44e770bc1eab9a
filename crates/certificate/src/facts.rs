use crate::lemma::Lemma;
use rhomb_equations::Graph;
use rhomb_poly::Variable;
use std::cell::Cell;

/// Terms that a proof, or the check of a certificate, may touch unless told otherwise: about a minute.
pub const EFFORT: u64 = 1_000_000_000;

/// The equations of an execution, and what has been shown about its variables.
#[derive(Clone, Debug, Default)]
pub struct Facts {
    /// Equations.
    pub graph: Graph,
    word_bits: u32,
    claimed: Vec<Option<u8>>,
    lemmas: Vec<Lemma>,
    exclusions: Vec<Vec<(u32, bool)>>,
    /// The lemmas in which a variable is a word, as (lemma, position), the newest last.
    words: Vec<Vec<(u32, u32)>>,
    /// Terms that may still be touched.
    effort: Cell<u64>,
}

impl Facts {
    /// Nothing shown yet.
    pub fn new(graph: Graph, word_bits: u32) -> Self {
        let count = graph.len();
        Facts {
            graph,
            word_bits,
            claimed: vec![None; count],
            lemmas: Vec::new(),
            exclusions: Vec::new(),
            words: vec![Vec::new(); count],
            effort: Cell::new(EFFORT),
        }
    }

    /// Lets so many terms be touched from now on. When they are used up, sums stay as they are: nothing
    /// more is shown.
    pub fn set_effort(&self, terms: u64) {
        self.effort.set(terms);
    }

    /// Counts terms that were touched.
    pub fn spend(&self, terms: usize) {
        self.effort.set(self.effort.get().saturating_sub(terms as u64));
    }

    /// Terms that may still be touched.
    pub fn effort(&self) -> u64 {
        self.effort.get()
    }

    /// Whether no more terms may be touched.
    pub fn is_exhausted(&self) -> bool {
        self.effort.get() == 0
    }

    /// Width of a word.
    pub fn word_bits(&self) -> u32 {
        self.word_bits
    }

    /// The constant that a claim has shown a variable to be.
    pub fn claimed(&self, index: usize) -> Option<u8> {
        self.claimed[index]
    }

    /// Values that bits never take together.
    pub fn exclusions(&self) -> &[Vec<(u32, bool)>] {
        &self.exclusions
    }

    /// All lemmas, the oldest first.
    pub fn lemmas(&self) -> &[Lemma] {
        &self.lemmas
    }

    /// The newest lemma in which the variable is a word, but for those that are `open`, and its position
    /// there.
    pub fn word_of(&self, index: usize, open: &[u32]) -> Option<(&Lemma, usize)> {
        let newest = self.words[index].iter().rev().find(|(lemma, _)| !open.contains(lemma))?;
        Some((&self.lemmas[newest.0 as usize], newest.1 as usize))
    }

    /// Whether a lemma says that the variable is zero.
    pub fn is_zero_word(&self, index: usize, open: &[u32]) -> bool {
        let zero = |lemma: &Lemma| lemma.words.len() == 1 && lemma.value.is_empty();
        index < self.words.len() && self.word_of(index, open).is_some_and(|(lemma, _)| zero(lemma))
    }

    /// Largest value of a variable.
    pub fn most(&self, variable: Variable) -> i64 {
        match self.claimed[variable.index()] {
            Some(value) => value.into(),
            None => self.graph.most(variable),
        }
    }

    /// Takes a variable for a constant, unchecked: for who has just seen that it is.
    pub fn record_claim(&mut self, index: usize, value: u8) {
        self.claimed[index] = Some(value);
    }

    pub(crate) fn record_exclusion(&mut self, assignment: Vec<(u32, bool)>) {
        self.exclusions.push(assignment);
    }

    pub(crate) fn record_lemma(&mut self, lemma: Lemma) {
        let number = self.lemmas.len() as u32;
        for (position, word) in lemma.words.iter().enumerate() {
            self.words[*word as usize].push((number, position as u32));
        }
        self.lemmas.push(lemma);
    }
}
