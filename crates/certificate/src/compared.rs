//! What comparisons are, in the words of the operands.

use rhomb_contract::{Contract, Expression};
use rhomb_equations::{Equations, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Polynomial, Variable};
use std::collections::BTreeSet;

/// The word that a comparison of operands is to return.
///
/// There are several ways to say it, all of them right whatever is returned: by the difference of whole numbers, by words that
/// differ, and word by word from the top. The one that speaks of the bits of what was returned leads to a proof.
pub(crate) fn outcome(
    contract: &Contract,
    operands: &[Vec<Value>],
    returned: &Polynomial,
    domain: &mut Equations,
) -> Option<Polynomial> {
    let a = operands.first()?.clone();
    let b = match operands.get(1) {
        Some(words) => words.clone(),
        None => vec![domain.word(0); a.len()],
    };
    let expression = contract.expression();
    let mut ways = Vec::new();
    for way in [from_the_top, by_difference, by_words, under_a_mask, until_decided] {
        let outcome = way(expression, &a, &b, domain);
        if outcome.as_ref() == Some(returned) {
            return outcome;
        }
        ways.extend(outcome);
    }
    let own = with_older(returned, domain);
    let shared = |way: &Polynomial| way.variables().iter().filter(|variable| own.contains(variable)).count();
    let nearest = (0..ways.len()).max_by_key(|at| shared(&ways[*at]))?;
    Some(ways.swap_remove(nearest))
}

/// The variables of a polynomial, and those that its bits are functions of.
fn with_older(polynomial: &Polynomial, domain: &Equations) -> BTreeSet<Variable> {
    let mut all = BTreeSet::new();
    let mut left = polynomial.variables();
    while let Some(own) = left.pop() {
        if all.insert(own)
            && let Some(equation) = domain.graph.defining_low(own.index()).filter(|own| own.high.is_none())
        {
            left.extend(equation.right.variables());
        }
    }
    all
}

/// What is returned where `a` is below, equal to and above `b`.
fn cases(expression: Expression, ones: i64) -> Option<[i64; 3]> {
    match expression {
        Expression::Order => Some([ones, 0, 1]),
        Expression::Less => Some([1, 0, 0]),
        Expression::Equality | Expression::Nothing => Some([0, 1, 0]),
        _ => None,
    }
}

/// The polynomial that has these values where bits say which: `less` and `equal` are never 1 together.
fn chosen([below, same, above]: [i64; 3], less: &Polynomial, equal: &Polynomial) -> Option<Polynomial> {
    let sum = Polynomial::constant(above).plus_multiple(less, below - above)?;
    sum.plus_multiple(equal, same - above)
}

fn ones(domain: &Equations) -> i64 {
    (1 << domain.bits()) - 1
}

/// By the borrow of `a - b`, and whether words of it are not zero.
fn by_difference(
    expression: Expression,
    a: &[Value],
    b: &[Value],
    domain: &mut Equations,
) -> Option<Polynomial> {
    let mut borrow = domain.bit(false);
    let mut any = domain.word(0);
    for (x, y) in a.iter().zip(b) {
        let word;
        (word, borrow) = domain.sub(x, y, &borrow);
        any = domain.or(&any, &word);
    }
    let equal = domain.is_zero(&any);
    let (less, equal) = (domain.bit_polynomial(&borrow), domain.bit_polynomial(&equal));
    chosen(cases(expression, ones(domain))?, &less, &equal)
}

/// By whether words of `a ^ b` are not zero; of an order, nothing is said so.
fn by_words(expression: Expression, a: &[Value], b: &[Value], domain: &mut Equations) -> Option<Polynomial> {
    let [below, same, above] = cases(expression, ones(domain))?;
    if below != above {
        return None;
    }
    let mut any = domain.word(0);
    for (x, y) in a.iter().zip(b) {
        let word = domain.xor(x, y);
        any = domain.or(&any, &word);
    }
    let equal = domain.is_zero(&any);
    let equal = domain.bit_polynomial(&equal);
    chosen([below, same, above], &Polynomial::zero(), &equal)
}

/// Word by word: what the words below say where a word is the same in both.
fn from_the_top(
    expression: Expression,
    a: &[Value],
    b: &[Value],
    domain: &mut Equations,
) -> Option<Polynomial> {
    let [below, same, above] = cases(expression, ones(domain))?.map(|value| domain.word(value as u64));
    let mut outcome = same;
    for (x, y) in a.iter().zip(b) {
        let none = domain.bit(false);
        let (word, less) = domain.sub(x, y, &none);
        let equal = domain.is_zero(&word);
        let unequal = domain.select(&less, &below, &above);
        outcome = domain.select(&equal, &outcome, &unequal);
    }
    domain.polynomial(&outcome).map(|outcome| (*outcome).clone())
}

/// All ones where a word is below another one.
fn mask_of_less(x: &Value, y: &Value, domain: &mut Equations) -> Value {
    let (ones, zero, none) = (domain.word(ones(domain) as u64), domain.word(0), domain.bit(false));
    let (_, less) = domain.sub(x, y, &none);
    domain.select(&less, &ones, &zero)
}

/// From the highest word on, under a mask that is all ones as long as all words were the same: -1 and 1 are added once at most.
fn under_a_mask(
    expression: Expression,
    a: &[Value],
    b: &[Value],
    domain: &mut Equations,
) -> Option<Polynomial> {
    let Expression::Order = expression else { return None };
    let ones = domain.word(ones(domain) as u64);
    let (mut mask, mut outcome) = (ones.clone(), domain.word(0));
    for (x, y) in a.iter().zip(b).rev() {
        let (x, y) = (domain.and(x, &mask), domain.and(y, &mask));
        let none = domain.bit(false);
        for (x, y, is_less) in [(&x, &y, true), (&y, &x, false)] {
            let found = mask_of_less(x, y, domain);
            (outcome, _) = match is_less {
                true => domain.add(&outcome, &found, &none),
                false => domain.sub(&outcome, &found, &none),
            };
            let other = domain.xor(&found, &ones);
            mask = domain.and(&mask, &other);
        }
    }
    domain.polynomial(&outcome).map(|outcome| (*outcome).clone())
}

/// From the highest word on, in masks: whether a word was less before any word was unequal.
fn until_decided(
    expression: Expression,
    a: &[Value],
    b: &[Value],
    domain: &mut Equations,
) -> Option<Polynomial> {
    let Expression::Less = expression else { return None };
    let ones = domain.word(ones(domain) as u64);
    let (mut is_less, mut is_decided) = (domain.word(0), domain.word(0));
    for (x, y) in a.iter().zip(b).rev() {
        let [more, less] = [(y, x), (x, y)].map(|(x, y)| mask_of_less(x, y, domain));
        is_decided = domain.or(&is_decided, &more);
        let is_open = domain.xor(&is_decided, &ones);
        let found = domain.and(&less, &is_open);
        is_less = domain.or(&is_less, &found);
        is_decided = domain.or(&is_decided, &less);
    }
    let is_zero = domain.is_zero(&is_less);
    Polynomial::constant(1).plus_multiple(&domain.bit_polynomial(&is_zero), -1)
}
