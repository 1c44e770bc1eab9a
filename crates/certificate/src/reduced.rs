//! Numbers that are reduced step by step: a number from which another one is taken, unless it is less, lies below a bound that
//! the step before it and the number taken decide. So does the remainder of a division by shifts and subtractions.
//!
//! All of this is read off the equations as they stand. Nothing is substituted.

use crate::facts::Facts;
use crate::lemma::Lemma;
use num_bigint::BigUint;
use rhomb_equations::{Equation, Graph};
use rhomb_poly::{Dyadic, Monomial, Polynomial, Sum, Variable};
use serde::{Deserialize, Serialize};

/// That words are the number `of`, or `of` less a constant where that does not borrow, as a bit says.
///
/// What is kept is less than the constant, and what is left is the bound of `of` less the constant: the larger of both is the bound of the
/// words. Of `of` without a bound only its length is known. Words that are fewer than those of `of` are the whole number, where its
/// bound says that there is nothing above them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reduced {
    /// Indices of the words, lowest first.
    pub words: Vec<u32>,
    /// Those of the words of the number before.
    pub of: Vec<u32>,
    /// The bit.
    pub bit: u32,
}

/// That no borrow leaves a constant from which bounded words are taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NoBorrow {
    /// Indices of the words, lowest first.
    pub words: Vec<u32>,
    /// The borrow.
    pub borrow: u32,
}

/// A word of a difference: what it is taken from, or what is taken, the constant, and the word that is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The word.
    pub word: Variable,
    /// The constant.
    pub constant: u32,
    /// What is left.
    pub left: Variable,
}

/// A difference of a number and a constant, word by word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// Its words, the highest first, down to the first into which nothing is borrowed.
    pub words: Vec<Taken>,
    /// The value of the bit that says that the highest word borrows.
    pub borrows: bool,
}

impl Difference {
    /// The one whose last borrow a bit tells: of a number less a constant where `sign` is 1, and of a constant less a number where it is
    /// -1. `None` where the equations are others.
    ///
    /// A word is `left - radix * borrow = sign * word + constant - borrow below`. A borrow may be told by the opposite bit, as a carry is
    /// when the opposite of the constant is added.
    pub fn of(graph: &Graph, bit: u32, bits: u32, sign: i64) -> Option<Difference> {
        let radix = 1i64 << bits;
        let mut words = Vec::new();
        let mut borrows = None;
        let mut next = Some((bit as usize, None)).filter(|_| (bit as usize) < graph.len());
        while let Some((index, wanted)) = next.take() {
            let Equation { low, high, right } = equation(graph, index)?;
            let is_borrow = high.filter(|(high, by)| high.is_bit() && by.abs() == radix)?.1 < 0;
            // what is taken below is told as it is taken here
            if wanted.is_some_and(|wanted| wanted != is_borrow) {
                return None;
            }
            borrows.get_or_insert(is_borrow);
            let (mut word, mut constant) = (None, if is_borrow { 0 } else { -radix });
            for (product, factor) in right.terms() {
                match product.variables() {
                    [] => constant += factor,
                    [own] if own.is_bit() && factor.abs() == 1 && next.is_none() => {
                        next = Some((own.index(), Some(*factor < 0)));
                        constant += i64::from(*factor > 0);
                    }
                    [own] if *factor == sign && word.is_none() && graph.most(*own) < radix => {
                        word = Some(*own)
                    }
                    _ => return None,
                }
            }
            let constant = u32::try_from(-sign * constant).ok().filter(|own| i64::from(*own) < radix)?;
            if graph.most(low) >= radix {
                return None;
            }
            words.push(Taken { word: word?, constant, left: low });
        }
        Some(Difference { words, borrows: borrows? })
    }
}

/// The equation whose high part a bit is, or that follows for it where it is a sum of two of which that is so: a word of one of them is taken
/// for a word of the other.
fn equation(graph: &Graph, bit: usize) -> Option<Equation> {
    if let Some(own) = graph.defining_high(bit) {
        return Some(own.clone());
    }
    let sum = graph.defining_low(bit).filter(|own| own.high.is_none())?;
    let [(one, own), (two, other)] = sum.right.terms() else { return None };
    let ([one], [two]) = (one.variables(), two.variables()) else { return None };
    // the younger one is made of what the older one left
    let ((young, 1), (old, sign)) =
        (if one > two { ((one, *own), (two, *other)) } else { ((two, *other), (one, *own)) })
    else {
        return None;
    };
    let (young, old) = (graph.defining_high(young.index())?, graph.defining_high(old.index())?);
    let ((_, by), (_, factor)) = (young.high?, old.high?);
    if sign.abs() != 1 || by != -sign * factor {
        return None;
    }
    let right =
        young.right.plus_multiple(&old.right, -1)?.plus_multiple(&Polynomial::variable(old.low), 1)?;
    Some(Equation { low: young.low, high: Some((graph.variable_at(bit), by)), right })
}

/// The number of constants, the highest first, above `below` words of this value.
fn number(taken: &[Taken], bits: u32, (below, value): (usize, u64)) -> BigUint {
    let above = taken.iter().map(|own| u64::from(own.constant));
    let all = above.chain(std::iter::repeat_n(value, below));
    all.fold(BigUint::ZERO, |number, word| (number << bits) + word)
}

impl Reduced {
    /// Checks the step and records what it shows.
    pub fn accept(&self, facts: &mut Facts) -> bool {
        self.bound(facts)
            .map(|(most, lemma)| {
                facts.record_bound(self.words.clone(), most);
                lemma.into_iter().for_each(|lemma| facts.record_lemma(lemma));
            })
            .is_some()
    }

    /// The bound of the words, and what number they are where that is not said by each of them.
    fn bound(&self, facts: &Facts) -> Option<(BigUint, Option<Lemma>)> {
        let (graph, bits) = (&facts.graph, facts.word_bits());
        facts.spend(self.of.len());
        let exists = |index: &u32| (*index as usize) < graph.len();
        if self.words.is_empty()
            || self.words.len() > self.of.len()
            || !self.words.iter().chain(&self.of).all(exists)
        {
            return None;
        }
        let variable = |index: &u32| graph.variable_at(*index as usize);
        let (words, of): (Vec<Variable>, Vec<Variable>) =
            (self.words.iter().map(variable).collect(), self.of.iter().map(variable).collect());
        let Difference { words: taken, borrows } = Difference::of(graph, self.bit, bits, 1)?;
        // nothing is taken from words below the first
        let below = of.len().checked_sub(taken.len())?;
        let fits = |own: &Variable| graph.most(*own) < 1 << bits;
        let is_of = taken.iter().rev().zip(&of[below..]).all(|(taken, own)| taken.word == *own);
        if !is_of || !of.iter().chain(&words).all(fits) {
            return None;
        }
        let bit = variable(&self.bit);
        for (at, word) in words.iter().enumerate() {
            let kept = of[at];
            let is_chosen = match at.checked_sub(below) {
                None => *word == kept,
                Some(at) => {
                    let left = taken[taken.len() - 1 - at].left;
                    let equation = graph.defining_low(word.index()).filter(|own| own.high.is_none())?;
                    choice((bit, borrows), kept, left).as_ref() == Some(&equation.right)
                }
            };
            if !is_chosen {
                return None;
            }
        }
        let constant = number(&taken, bits, (below, 0));
        let whole = BigUint::from(1u8) << (bits as usize * of.len());
        let before = facts.bound(&self.of).cloned().unwrap_or(whole - 1u8);
        let one = BigUint::from(1u8);
        // what is kept is less than the constant, and what is left is no less than 0
        let kept = if constant >= one { &constant - &one } else { return None };
        let most = if before > constant { kept.max(before - &constant) } else { kept };
        if words.len() == of.len() {
            return Some((most, None));
        }
        let is_whole = most.bits() <= u64::from(bits) * words.len() as u64;
        if !is_whole || of.contains(&words[0]) {
            return None;
        }
        let mut value = Sum::number(&of, bits, &Dyadic::new(1, 0));
        let constant = Dyadic::whole(constant);
        // less the constant where nothing borrows
        if borrows {
            value.add(&Monomial::one(), &constant.negate());
            value.add(&Monomial::variable(bit), &constant);
        } else {
            value.add(&Monomial::variable(bit), &constant.negate());
        }
        Some((most, Some(Lemma::given(&words, value))))
    }
}

/// `kept` where the bit has this value, and else `left`.
fn choice((bit, value): (Variable, bool), kept: Variable, left: Variable) -> Option<Polynomial> {
    let (kept, left) = if value { (kept, left) } else { (left, kept) };
    let product = |word: Variable| Monomial::variable(bit).times(&Monomial::variable(word));
    Polynomial::from_terms(vec![(product(kept), 1), (Monomial::variable(left), 1), (product(left), -1)])
}

impl NoBorrow {
    /// Checks the step and records what it shows.
    pub fn accept(&self, facts: &mut Facts) -> bool {
        let borrows = self.borrows(facts);
        if let Some(borrows) = borrows {
            facts.record_claim(self.borrow as usize, u8::from(!borrows));
        }
        borrows.is_some()
    }

    /// The value of the bit that it does not have, if that is shown.
    fn borrows(&self, facts: &Facts) -> Option<bool> {
        let bits = facts.word_bits();
        facts.spend(self.words.len());
        let most = facts.bound(&self.words)?;
        let Difference { words: taken, borrows } = Difference::of(&facts.graph, self.borrow, bits, -1)?;
        // of words below the first none borrows from all ones
        let below = self.words.len().checked_sub(taken.len())?;
        let mut all = taken.iter().rev().zip(&self.words[below..]);
        let is_of = all.all(|(taken, own)| taken.word.index() == *own as usize);
        (is_of && number(&taken, bits, (below, (1 << bits) - 1)) >= *most).then_some(borrows)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accept::tests::polynomial;

    const BITS: u32 = 2;
    const RADIX: i64 = 1 << BITS;

    /// The variables of a step as a program makes it, and its equations.
    struct Made {
        graph: Graph,
        /// Of two words.
        of: [Variable; 2],
        words: [Variable; 2],
        borrow: Variable,
        /// When the words are taken from a second constant.
        last: Variable,
    }

    /// Two words less a constant, kept where that borrows; each word's borrow is told as such or by the opposite carry. A `crossed` one is
    /// taken for its opposite by the word above.
    fn made(constant: i64, limit: i64, carries: [bool; 2], crossed: bool) -> Made {
        let mut graph = Graph::default();
        let most = RADIX as u32 - 1;
        let of = [0, 1].map(|_| graph.variable(most));
        let mut equated = |factor, right| {
            let (high, low) = (graph.variable(1), graph.variable(most));
            graph.equate(Equation { low, high: Some((high, factor)), right });
            (high, low)
        };
        let mut chain = |signs: i64, own: [Variable; 2], number: i64, carries: [bool; 2]| {
            let (mut lefts, mut below) = (Vec::new(), None);
            for (at, is_carry) in carries.into_iter().enumerate() {
                let part = number >> (BITS * at as u32) & (RADIX - 1);
                let mut terms = vec![(own[at], signs)];
                let mut number = if is_carry { RADIX } else { 0 } - signs * part;
                if let Some((bit, was_carry)) = below {
                    // a borrow, or the opposite of a carry
                    let is_opposite = was_carry != crossed;
                    terms.push((bit, if is_opposite { 1 } else { -1 }));
                    number -= i64::from(is_opposite);
                }
                let (high, low) = equated(if is_carry { RADIX } else { -RADIX }, polynomial(number, &terms));
                lefts.push(low);
                below = Some((high, is_carry));
            }
            (below.unwrap().0, lefts)
        };
        let (borrow, left) = chain(1, of, constant, carries);
        let words = [0, 1].map(|at| {
            let low = graph.variable(most);
            let right = choice((borrow, !carries[1]), of[at], left[at]).unwrap();
            graph.equate(Equation { low, high: None, right });
            low
        });
        let mut equated = |factor, right| {
            let (high, low) = (graph.variable(1), graph.variable(most));
            graph.equate(Equation { low, high: Some((high, factor)), right });
            (high, low)
        };
        let (below, _) = equated(-RADIX, polynomial(limit & (RADIX - 1), &[(words[0], -1)]));
        let (last, _) = equated(-RADIX, polynomial(limit >> BITS, &[(words[1], -1), (below, -1)]));
        Made { graph, of, words, borrow, last }
    }

    /// The values of all variables.
    fn values(made: &Made, of: i64) -> Vec<i64> {
        let mut values = vec![0; made.graph.len()];
        for (at, own) in made.of.iter().enumerate() {
            values[own.index()] = of >> (BITS * at as u32) & (RADIX - 1);
        }
        evaluated(&made.graph, values)
    }

    /// The values of all variables, where those of inputs are given.
    fn evaluated(graph: &Graph, mut values: Vec<i64>) -> Vec<i64> {
        for Equation { low, high, right } in graph.equations() {
            let whole = right.evaluate(|own| values[own.index()]).unwrap() as i64;
            match high {
                None => values[low.index()] = whole,
                Some((high, factor)) => {
                    values[low.index()] = whole.rem_euclid(factor.abs());
                    values[high.index()] = (whole - values[low.index()]) / factor;
                    assert!((0..=1).contains(&values[high.index()]), "{right:?}");
                }
            }
        }
        values
    }

    fn indices(words: &[Variable]) -> Vec<u32> {
        words.iter().map(|own| own.index() as u32).collect()
    }

    fn value(words: &[u32], values: &[i64]) -> i64 {
        words.iter().rev().fold(0, |sum, own| sum * RADIX + values[*own as usize])
    }

    /// Whatever step is accepted, of all that can be written down, says what holds for every number; and the program's own are accepted.
    #[test]
    fn what_is_accepted_holds() {
        let mut right = 0;
        for constant in 0..16 {
            for (at, limit) in [0, 3, constant - 1, constant, 11, 15].into_iter().enumerate() {
                for carries in [[false, false], [false, true], [true, false], [true, true]] {
                    // a carry cannot tell the opposite of what is more than a radix
                    let parts = [constant & (RADIX - 1), constant >> BITS];
                    if limit < 0 || carries.iter().zip(parts).any(|(is_carry, part)| *is_carry && part == 0) {
                        continue;
                    }
                    let made = made(constant, limit, carries, false);
                    let all: Vec<Vec<i64>> = (0..16).map(|of| values(&made, of)).collect();
                    let own = Reduced {
                        words: indices(&made.words),
                        of: indices(&made.of),
                        bit: made.borrow.index() as u32,
                    };
                    let facts = Facts::new(made.graph.clone(), BITS);
                    let mut after = facts.clone();
                    assert_eq!(own.accept(&mut after), constant > 0, "{constant} {carries:?}");
                    let below = NoBorrow { words: own.words.clone(), borrow: made.last.index() as u32 };
                    let never = all.iter().all(|values| values[made.last.index()] == 0);
                    let accepted = constant > 0 && below.accept(&mut after.clone());
                    assert!(!accepted || never, "{constant} {limit}");
                    // what the bound says is all that can be
                    assert_eq!(accepted, never && constant > 0, "{constant} {limit}");
                    right += u32::from(accepted);
                    if at == 0 {
                        whatever(&facts, &all);
                    }
                }
            }
        }
        assert!(right > 50, "{right}");
    }

    /// Nor is anything else accepted where the word above takes a borrow for its opposite: that is no difference of two words.
    #[test]
    fn a_borrow_is_not_taken_for_its_opposite() {
        for parts in (1..RADIX).flat_map(|low| (1..RADIX).map(move |high| [low, high])) {
            for carries in [[false, false], [false, true], [true, false], [true, true]] {
                let made = made(parts[0] + RADIX * parts[1], 0, carries, true);
                let all: Vec<Vec<i64>> = (0..16).map(|of| values(&made, of)).collect();
                whatever(&Facts::new(made.graph, BITS), &all);
            }
        }
    }

    /// Nor where twice a word, or a sum of two, stands where a word does, or where another word is kept.
    #[test]
    fn sums_are_no_differences() {
        for constant in 1..RADIX {
            for (shape, is_carry) in (0..5).flat_map(|shape| [(shape, false), (shape, true)]) {
                let mut graph = Graph::default();
                let most = RADIX as u32 - 1;
                // what is added leaves no more than one word
                let of = [graph.variable(most), graph.variable(constant as u32)];
                let terms = [(of[0], [1, 2, 1, 2, 1][shape]), (of[1], [1, 0, 2, 1, 0][shape])];
                let sums = (0..16).map(|of| terms[0].1 * (of & 3) + terms[1].1 * (of >> 2).min(constant));
                if sums.max().is_none_or(|most| most - constant >= RADIX) {
                    continue;
                }
                let number = if is_carry { RADIX } else { 0 } - constant;
                let terms: Vec<(Variable, i64)> = terms.into_iter().filter(|(_, by)| *by != 0).collect();
                let (high, low) = (graph.variable(1), graph.variable(most));
                let factor = if is_carry { RADIX } else { -RADIX };
                graph.equate(Equation { low, high: Some((high, factor)), right: polynomial(number, &terms) });
                for kept in of {
                    let word = graph.variable(most);
                    let right = choice((high, !is_carry), kept, low).unwrap();
                    graph.equate(Equation { low: word, high: None, right });
                }
                let all = (0..16).map(|number| {
                    let mut given = vec![0; graph.len()];
                    given[of[0].index()] = number & 3;
                    given[of[1].index()] = (number >> 2).min(graph.most(of[1]));
                    evaluated(&graph, given)
                });
                let all: Vec<Vec<i64>> = all.collect();
                whatever(&Facts::new(graph, BITS), &all);
            }
        }
    }

    /// All steps of one or two words.
    fn whatever(facts: &Facts, all: &[Vec<i64>]) {
        let count = facts.graph.len() as u32;
        let pairs = || (0..count).flat_map(|low| (0..count).map(move |high| vec![low, high]));
        let all_words = || pairs().chain((0..count).map(|one| vec![one]));
        for of in all_words() {
            for bit in 0..count {
                // what is taken from is named in the difference
                for words in all_words() {
                    let step = Reduced { words, of: of.clone(), bit };
                    let Some((most, lemma)) = step.bound(facts) else { continue };
                    for values in all {
                        assert!(BigUint::from(value(&step.words, values) as u64) <= most, "{step:?}");
                        let known = |own: &Variable| Some(values[own.index()]);
                        let told = lemma.as_ref().map(|lemma| lemma.value.where_known(known));
                        let mut sum = told.unwrap_or_default();
                        sum.add(&Monomial::one(), &Dyadic::new(-value(&step.words, values), 0));
                        assert!(lemma.is_none() || sum.is_empty(), "{step:?}");
                    }
                }
            }
        }
    }

    /// Words that sums left, from which a constant is taken before what left them is known: the borrows are told by two bits each.
    #[test]
    fn borrows_are_told_by_two_bits() {
        let mut right = 0;
        for parts in (1..RADIX).flat_map(|low| (1..RADIX).map(move |high| [low, high])) {
            for carries in [[false, false], [false, true], [true, false], [true, true]] {
                let mut graph = Graph::default();
                let most = RADIX as u32 - 1;
                let inputs: Vec<[Variable; 2]> =
                    (0..2).map(|_| [graph.variable(most), graph.variable(1)]).collect();
                let equated = |graph: &mut Graph, factor, right| {
                    let (high, low) = (graph.variable(1), graph.variable(most));
                    graph.equate(Equation { low, high: Some((high, factor)), right });
                    (high, low)
                };
                let sum = |[own, bit]: [Variable; 2]| [(own, 1), (bit, 1)];
                let sums: Vec<(Variable, Variable)> =
                    inputs.iter().map(|own| equated(&mut graph, RADIX, polynomial(0, &sum(*own)))).collect();
                let (mut below, mut left): (Option<(Variable, bool)>, Vec<Variable>) = (None, Vec::new());
                for at in 0..2 {
                    let mut terms = sum(inputs[at]).to_vec();
                    let mut number = if carries[at] { RADIX } else { 0 } - parts[at];
                    if let Some((bit, is_carry)) = below {
                        terms.push((bit, if is_carry { 1 } else { -1 }));
                        number -= i64::from(is_carry);
                    }
                    let factor = if carries[at] { RADIX } else { -RADIX };
                    let (high, low) = equated(&mut graph, factor, polynomial(number, &terms));
                    let told = polynomial(0, &[(high, 1), (sums[at].0, if carries[at] { -1 } else { 1 })]);
                    let bit = graph.variable(1);
                    graph.equate(Equation { low: bit, high: None, right: told });
                    left.push(low);
                    below = Some((bit, carries[at]));
                }
                let (borrow, is_carry) = below.unwrap();
                let of = [sums[0].1, sums[1].1];
                let words = [0, 1].map(|at| {
                    let low = graph.variable(most);
                    let right = choice((borrow, !is_carry), of[at], left[at]).unwrap();
                    graph.equate(Equation { low, high: None, right });
                    low
                });
                let made = Made { graph, of: inputs[0], words, borrow, last: borrow };
                let own = Reduced { words: indices(&words), of: indices(&of), bit: borrow.index() as u32 };
                let facts = Facts::new(made.graph.clone(), BITS);
                let (bound, _) = own.bound(&facts).unwrap();
                right += 1;
                let all = (0..64).map(|number| {
                    let mut given = vec![0; made.graph.len()];
                    for (at, [own, bit]) in inputs.iter().enumerate() {
                        given[own.index()] = number >> (3 * at) & 3;
                        given[bit.index()] = number >> (3 * at + 2) & 1;
                    }
                    evaluated(&made.graph, given)
                });
                let all: Vec<Vec<i64>> = all.collect();
                assert!(all.iter().all(|values| BigUint::from(value(&own.words, values) as u64) <= bound));
                let constant = parts[0] + RADIX * parts[1];
                for values in &all {
                    let before = value(&own.of, values);
                    let after = if before < constant { before } else { before - constant };
                    assert_eq!(value(&own.words, values), after, "{parts:?} {carries:?}");
                }
                whatever(&facts, &all);
            }
        }
        assert_eq!(right, 36);
    }
}
