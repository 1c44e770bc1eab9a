//! Lemmas about runs of words.

use crate::kernels::{Proved, all, executed, valuations};
use rhomb_certificate::{Execution, Facts, Lemma, LemmaError, MOST_CASES, Step, Sum, take};
use rhomb_poly::{Dyadic, Monomial, Variable};

fn karatsuba() -> Proved {
    all().into_iter().find(|proved| proved.name == "karatsuba").unwrap()
}

/// What is known before each lemma of a certificate, and the lemma.
fn lemmas(proved: &Proved) -> (Execution, Vec<(Facts, Lemma)>) {
    let (mut execution, _) = executed(&proved.code, &proved.contract).unwrap();
    let mut found = Vec::new();
    for step in &proved.certificate.patterns[0].steps {
        if let Step::Lemma(lemma) = step {
            found.push((execution.facts.clone(), lemma.clone()));
        }
        take(step, &mut execution.facts).unwrap();
    }
    assert!(!found.is_empty());
    (execution, found)
}

fn refused(facts: &Facts, lemma: &Lemma) -> LemmaError {
    match lemma.clone().accept(&mut facts.clone()) {
        Ok(()) => panic!("{lemma:?}"),
        Err(error) => error,
    }
}

fn constant(value: i64) -> (Monomial, Dyadic) {
    (Monomial::one(), Dyadic::new(value, 0))
}

#[test]
fn wrong_values_are_refused() {
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let bits = 8 * lemma.words.len() as i32;
        for (at, weight) in [(0, 0), (0, 1), (0, bits - 1), (0, bits), (0, bits + 8)] {
            let mut forged = lemma.clone();
            forged.value.add(&constant(at).0, &Dyadic::power(weight));
            refused(&facts, &forged);
            forged.value.add(&constant(at).0, &Dyadic::power(weight + 1).negate());
            refused(&facts, &forged);
        }
        let zero = Lemma { value: Sum::default(), ..lemma.clone() };
        refused(&facts, &zero);
    }
}

/// A sum that is zero, times a power of two, may stand in a form: but only one that a result could have. Else each term
/// would be added to a number of megabits, for the price of one term.
#[test]
fn numbers_out_of_all_proportion_are_refused() {
    let mut tried = 0;
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let equation = facts.graph.equations().iter().find(|one| one.high.is_some()).unwrap();
        let outcome = |power: i32| {
            let mut form = lemma.value.clone();
            let factor = Dyadic::power(power);
            form.add(&Monomial::variable(equation.low), &factor);
            let (high, radix) = equation.high.unwrap();
            form.add(&Monomial::variable(high), &factor.scale(radix));
            for (monomial, own) in equation.right.terms() {
                form.add(monomial, &factor.scale(-own));
            }
            let forms = [lemma.forms.clone(), vec![form]].concat();
            let mut facts = facts.clone();
            let outcome = Lemma { forms, ..lemma.clone() }.accept(&mut facts);
            (outcome, facts.effort())
        };
        for power in [-200, -8, 0, 8, 200] {
            assert_eq!(outcome(power).0, Ok(()), "{power}");
        }
        for power in [1 << 20, -(1 << 20), 1 << 16, -(1 << 16)] {
            // nothing was added yet
            assert_eq!(outcome(power), (Err(LemmaError::Variables), facts.effort()));
        }
        tried += 1;
    }
    assert!(tried > 0);
}

#[test]
fn words_are_words_each_once_in_their_order() {
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let with = |change: &dyn Fn(&mut Vec<u32>)| {
            let mut forged = lemma.clone();
            change(&mut forged.words);
            refused(&facts, &forged)
        };
        assert_eq!(with(&|words| words.push(words[0])), LemmaError::Variables);
        assert_eq!(with(&|words| words[1] = words[0]), LemmaError::Variables);
        assert_eq!(with(&Vec::clear), LemmaError::Variables);
        assert_eq!(with(&|words| words[0] = facts.graph.len() as u32), LemmaError::Variables);
        assert_eq!(with(&|words| words[0] = u32::MAX), LemmaError::Variables);
        with(&|words| words.swap(0, 1));
        with(&|words| words.rotate_left(1));
        // whatever else stands in the place of a word
        for other in 0..facts.graph.len() as u32 {
            if !lemma.words.contains(&other) {
                with(&|words| words[0] = other);
            }
        }
    }
}

#[test]
fn a_lemma_does_not_define_a_word_by_itself() {
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let words = lemma.variables(&facts);
        let number: Sum = words
            .iter()
            .zip(0..)
            .map(|(word, at)| (Monomial::variable(*word), Dyadic::power(8 * at)))
            .collect();
        let forged = Lemma { value: number, ..lemma.clone() };
        assert_eq!(refused(&facts, &forged), LemmaError::Variables);
        let mut forged = lemma.clone();
        let square = Monomial::variable(words[0]).times(&Monomial::variable(words[0]));
        forged.value.add(&square, &Dyadic::new(1, 0));
        assert_eq!(refused(&facts, &forged), LemmaError::Variables);
    }
}

#[test]
fn variables_are_what_they_are() {
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let count = facts.graph.len();
        for (index, bit) in [(count as u32, false), (count as u32, true), (Variable::MOST, false)] {
            let mut forged = lemma.clone();
            forged.value.add(&Monomial::variable(Variable::new(index, bit)), &Dyadic::power(800));
            assert_eq!(refused(&facts, &forged), LemmaError::Variables);
        }
        // a word that calls itself a bit would be its own square
        for index in 0..count {
            let own = facts.graph.variable_at(index);
            let mut forged = lemma.clone();
            let twisted = Variable::new(index as u32, !own.is_bit());
            forged.value.add(&Monomial::variable(twisted), &Dyadic::power(800));
            assert_eq!(refused(&facts, &forged), LemmaError::Variables);
        }
    }
}

#[test]
fn cases_are_few_and_bits() {
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let word = (0..facts.graph.len()).find(|at| !facts.graph.variable_at(*at).is_bit()).unwrap();
        for cases in [vec![word as u32], vec![u32::MAX], vec![0; MOST_CASES + 1]] {
            let forged = Lemma { cases, ..lemma.clone() };
            assert_eq!(refused(&facts, &forged), LemmaError::Variables);
        }
    }
}

/// Where the value needs no range, nobody looks at the other forms.
#[test]
fn other_forms_are_the_value() {
    let mut count = 0;
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let bare = Lemma { forms: Vec::new(), cases: Vec::new(), ..lemma.clone() };
        if bare.accept(&mut facts.clone()).is_ok() {
            continue;
        }
        count += lemma.forms.len();
        for at in 0..lemma.forms.len() {
            let mut forged = lemma.clone();
            forged.forms[at].add(&Monomial::one(), &Dyadic::new(1, 0));
            refused(&facts, &forged);
        }
    }
    assert!(count > 0);
}

/// Without its range a congruence is no equality: the same value and a multiple of the power.
#[test]
fn a_value_out_of_range_is_refused_whatever_the_forms_say() {
    for (facts, lemma) in lemmas(&karatsuba()).1 {
        let mut forged = lemma.clone();
        forged.value.add(&Monomial::one(), &Dyadic::power(8 * lemma.words.len() as i32));
        forged.forms = vec![Sum::default(), lemma.value.clone()];
        refused(&facts, &forged);
        forged.forms = vec![forged.value.clone(); 40];
        refused(&facts, &forged);
    }
}

/// Changed at random, again and again: whatever is accepted holds for all operands tried.
#[test]
fn what_is_accepted_is_true() {
    let proved = karatsuba();
    let (execution, lemmas) = lemmas(&proved);
    let operands = proved.contract.operands(8).iter().sum::<u32>() as usize;
    let valuations = valuations(&execution, operands, 60);
    let mut state = 5u64;
    let mut random = |limit: usize| {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (state >> 33) as usize % limit
    };
    let mut accepted = 0;
    for round in 0..3000 {
        let (facts, lemma) = &lemmas[round % lemmas.len()];
        let count = facts.graph.len();
        let mut forged = lemma.clone();
        for _ in 0..=random(2) {
            match random(7) {
                0 => {
                    let at = random(forged.words.len());
                    forged.words[at] = random(count) as u32;
                }
                1 => {
                    forged.words.pop();
                }
                2 => forged.words.push(random(count) as u32),
                3 => {
                    let variable = Monomial::variable(facts.graph.variable_at(random(count)));
                    let sign = [1, -1][random(2)];
                    forged.value.add(&variable, &Dyadic::new(sign, 8 * random(9) as i32));
                }
                4 => forged.open.push(random(4) as u32),
                5 => {
                    let number = random(forged.value.len().max(1));
                    let term = forged.value.terms().nth(number).map(|(own, by)| (own.clone(), by.negate()));
                    if let Some((monomial, by)) = term {
                        forged.value.add(&monomial, &by);
                    }
                }
                _ => forged.cases.push(random(count) as u32),
            }
        }
        if forged.clone().accept(&mut facts.clone()).is_err() {
            continue;
        }
        accepted += 1;
        for values in &valuations {
            let number: Sum = forged
                .variables(facts)
                .iter()
                .zip(0..)
                .map(|(word, at)| (Monomial::variable(*word), Dyadic::power(8 * at)))
                .collect();
            let (left, right) = (value(&number, values), value(&forged.value, values));
            if let (Some(left), Some(right)) = (left, right) {
                assert_eq!(left, right, "{forged:?}");
            }
        }
    }
    assert!(accepted > 10, "{accepted}");
}

fn value(sum: &Sum, values: &[Option<i64>]) -> Option<Dyadic> {
    sum.terms().try_fold(Dyadic::ZERO, |total, (monomial, factor)| {
        let mut term = factor.clone();
        for variable in monomial.variables() {
            term = term.scale(values[variable.index()]?);
        }
        Some(total.plus(&term))
    })
}
