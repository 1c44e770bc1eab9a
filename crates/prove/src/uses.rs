//! Where the variables of an execution are used: which words are alive when, and when products of
//! derived words begin.

use rhomb_certificate::{Execution, Facts, Sum};
use rhomb_equations::{Equation, Graph};
use rhomb_poly::{Monomial, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Uses of all variables. Time is the index of the variable that an equation defines.
pub(crate) struct Uses {
    /// Times at which signs have just been made.
    signs: BTreeSet<usize>,
    /// The last use; the result's words are used for ever, what is never used has 0.
    last: Vec<usize>,
    /// The first use, if there it is added as it is: a carry to the next word.
    carried: Vec<Option<usize>>,
    /// The last product of the grid that a word belongs to.
    grid_end: Vec<usize>,
    /// Times at which it pays to look for runs of words.
    pub(crate) checkpoints: BTreeSet<usize>,
    /// Whether a derived word is multiplied, by another or by a bit.
    multiplied: Vec<bool>,
    /// Whether any is.
    pub(crate) nested: bool,
}

fn derived(graph: &Graph, variable: Variable) -> bool {
    let index = variable.index();
    !variable.is_bit() && (graph.defining_low(index).is_some() || graph.defining_high(index).is_some())
}

/// The word of which a variable is a part.
fn whole(graph: &Graph, part: Variable) -> Option<Variable> {
    let equation = graph.defining_low(part.index()).or_else(|| graph.defining_high(part.index()))?;
    match equation.right.terms() {
        [(monomial, 1)] if equation.high.is_some() => match monomial.variables() {
            [word] if !word.is_bit() => Some(*word),
            _ => None,
        },
        _ => None,
    }
}

fn time(equation: &Equation) -> usize {
    equation.high.map_or(equation.low, |(high, _)| high).index()
}

/// Monomials, and whether they are added or subtracted as they are.
type Terms<'t> = &'t mut dyn Iterator<Item = (&'t Monomial, bool)>;

/// Products that calls made, and when: their operands are older than the words of the result.
fn products(facts: &Facts) -> Vec<(usize, &Sum)> {
    let is_product = |value: &Sum| value.terms().any(|(monomial, _)| monomial.variables().len() > 1);
    let made = facts.lemmas().iter().filter(|lemma| is_product(&lemma.value));
    made.map(|lemma| (lemma.words[0] as usize, &lemma.value)).collect()
}

impl Uses {
    /// With `by_signs`, differences are looked for where their signs are made.
    pub(crate) fn new(execution: &Execution, by_signs: bool) -> Self {
        let graph = &execution.facts.graph;
        let mut last = vec![0; graph.len()];
        let mut carried = vec![None; graph.len()];
        let mut multiplied = vec![false; graph.len()];
        // by a sign
        let mut signed = vec![false; graph.len()];
        let mut first_product: BTreeMap<usize, usize> = BTreeMap::new();
        // bits whose first use is that they are added up, and their sums
        let mut counted: Vec<(usize, usize)> = Vec::new();
        let mut counts = BTreeSet::new();
        // borrows that are subtracted before words are multiplied by them
        let mut signs: BTreeSet<Variable> = BTreeSet::new();
        let mut grids = Grids::new(graph.len());
        // one `now` after the other; `count` is a number of bits
        let mut use_all = |now: usize, count: Option<Variable>, terms: Terms<'_>| {
            counts.extend(count);
            for (monomial, is_unit) in terms {
                let plain = is_unit && monomial.variables().len() == 1;
                let is_sign = |own: &&Variable| by_signs && own.is_bit() && carried[own.index()].is_some();
                let own_signs: Vec<Variable> = match monomial.variables() {
                    [] | [_] => Vec::new(),
                    variables => variables.iter().filter(is_sign).copied().collect(),
                };
                for variable in monomial.variables() {
                    if last[variable.index()] == 0 && plain {
                        carried[variable.index()] = Some(now);
                        counted.extend(count.map(|low| (variable.index(), low.index())));
                    }
                    last[variable.index()] = now;
                    if monomial.variables().len() > 1 && derived(graph, *variable) {
                        multiplied[variable.index()] = true;
                        if let Some(whole) = whole(graph, *variable) {
                            multiplied[whole.index()] = true;
                        }
                        // a sign was looked at when it was made
                        if own_signs.is_empty() {
                            first_product.entry(variable.index()).or_insert(now);
                        } else {
                            signed[variable.index()] = true;
                        }
                    }
                }
                let is_word = |variable: &&Variable| !variable.is_bit() && !counts.contains(variable);
                let words: Vec<&Variable> = monomial.variables().iter().filter(is_word).collect();
                if !words.is_empty() {
                    signs.extend(own_signs);
                }
                if let [x, y] = words[..] {
                    grids.join(x.index(), y.index(), now);
                }
            }
        };
        let mut products = products(&execution.facts).into_iter().peekable();
        for equation in graph.equations() {
            let now = time(equation);
            while let Some((before, value)) = products.next_if(|(before, _)| *before < now) {
                use_all(before, None, &mut value.terms().map(|(monomial, _)| (monomial, false)));
            }
            let is_count =
                equation.high.is_none() && equation.right.variables().iter().all(|own| own.is_bit());
            let terms = equation.right.terms().iter();
            let count = is_count.then_some(equation.low);
            use_all(now, count, &mut terms.map(|(monomial, factor)| (monomial, factor.abs() == 1)));
        }
        for (now, value) in products {
            use_all(now, None, &mut value.terms().map(|(monomial, _)| (monomial, false)));
        }
        for polynomial in execution.statement() {
            for variable in polynomial.variables() {
                last[variable.index()] = usize::MAX;
            }
        }
        // what becomes a sign is taken off the number that it belongs to, not handed on to a next word
        for sign in &signs {
            carried[sign.index()] = None;
        }
        // they go where their sum goes, which is younger
        for (bit, sum) in counted.into_iter().rev() {
            carried[bit] = carried[sum];
        }
        let nested = multiplied.contains(&true);
        let grid_end = (0..graph.len()).map(|index| grids.end(index)).collect();
        // a chain of additions ends where its carry is dropped: a number may be finished there
        let dropped = (0..graph.len()).filter(|index| {
            last[*index] == 0 && graph.variable_at(*index).is_bit() && graph.defining_high(*index).is_some()
        });
        let ends = dropped.filter(|index| nested && !signed[index + 1]).map(|index| index + 2);
        // where sides of a branch meet, many words are made at once: all of them after the same numbers
        let mut instruction: Vec<usize> = (0..graph.len()).collect();
        for index in 1..graph.len() {
            if graph.origin(index) == graph.origin(index - 1) {
                instruction[index] = instruction[index - 1];
            }
        }
        let starts = first_product.into_values().map(|index| instruction[index]);
        // a difference is finished where the borrow is counted that becomes its sign
        let made =
            |sign: Variable| sign.index() + 1 + usize::from(graph.defining_high(sign.index()).is_some());
        let signs: BTreeSet<usize> = signs.into_iter().map(made).collect();
        let checkpoints = starts.chain(grids.starts()).chain(ends).chain(signs.iter().copied()).collect();
        Uses { signs, last, carried, grid_end, checkpoints, multiplied, nested }
    }

    /// Whether there are signs that are made apart from the words which they decide.
    pub(crate) fn has_signs(&self) -> bool {
        !self.signs.is_empty()
    }

    /// Whether a sign was made just before `now`.
    pub(crate) fn is_sign(&self, now: usize) -> bool {
        self.signs.contains(&now)
    }

    /// Whether nothing ever uses a variable.
    pub(crate) fn is_dropped(&self, index: usize) -> bool {
        self.last[index] == 0
    }

    /// Whether a derived word is multiplied, by another or by a bit.
    pub(crate) fn is_multiplied(&self, index: usize) -> bool {
        self.multiplied[index]
    }

    /// Whether a variable is used at or after `now`.
    pub(crate) fn is_used_after(&self, index: usize, now: usize) -> bool {
        self.last[index] >= now
    }

    /// Whether a carry still goes to a next word at or after `now`.
    pub(crate) fn is_carried_after(&self, index: usize, now: usize) -> bool {
        self.carried[index].is_some_and(|first| first >= now)
    }

    /// Whether products of the grid to which a word belongs are still to come at `now`.
    pub(crate) fn is_grid_open(&self, index: usize, now: usize) -> bool {
        self.grid_end[index] >= now
    }

    /// The words that are derived, or in a lemma, before `now` and used at or after it.
    pub(crate) fn live(&self, facts: &Facts, now: usize) -> Vec<usize> {
        (0..now.min(self.last.len()))
            .filter(|index| {
                self.last[*index] >= now && derived(&facts.graph, facts.graph.variable_at(*index))
            })
            .collect()
    }
}

/// Operands that are multiplied with each other belong to one grid of partial products.
struct Grids {
    parent: Vec<usize>,
    start: BTreeMap<usize, usize>,
    end: BTreeMap<usize, usize>,
}

impl Grids {
    fn new(count: usize) -> Self {
        Grids { parent: (0..count).collect(), start: BTreeMap::new(), end: BTreeMap::new() }
    }

    fn root(&mut self, mut index: usize) -> usize {
        while self.parent[index] != index {
            self.parent[index] = self.parent[self.parent[index]];
            index = self.parent[index];
        }
        index
    }

    fn join(&mut self, x: usize, y: usize, now: usize) {
        let (x, y) = (self.root(x), self.root(y));
        let start = [x, y].into_iter().filter_map(|root| self.start.remove(&root)).chain([now]).min();
        self.end.remove(&y);
        self.end.insert(x, now);
        self.parent[y] = x;
        self.start.insert(x, start.unwrap_or(now));
    }

    fn end(&mut self, index: usize) -> usize {
        let root = self.root(index);
        self.end.get(&root).copied().unwrap_or(0)
    }

    fn starts(self) -> impl Iterator<Item = usize> {
        self.start.into_values()
    }
}
