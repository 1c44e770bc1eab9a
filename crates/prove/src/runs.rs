//! Runs of words that together are one number, and the lemmas about them.
//!
//! A word of a finished number has left nothing but carries and high words behind, all of them multiples
//! of the radix; the next word is the one that took these up. So a run starts at a word without
//! unsettled terms of its own weight and follows the outflow.

use crate::exclude::exclude;
use crate::numbers::{is_needed_apart, prefixed};
use crate::rungs::find;
use crate::uses::Uses;
use rhomb_certificate::{Execution, Facts, Lemma, MOST_CASES, Modulo, Reduction, Step, Sum, View, vanishes};
use rhomb_equations::Equation;
use rhomb_poly::{Dyadic, Monomial, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Most terms of a function of words that is looked at.
const MOST_TERMS_OF_IMAGES: usize = 8;

/// How many times longer than another value one may be.
const MOST_LONGER: usize = 8;

/// Most terms that are touched to see what one word is made of.
const MOST_OF_A_WORD: u64 = 1 << 16;

/// Looks for runs at every checkpoint and records the lemmas that hold.
pub(crate) fn find_lemmas(execution: &mut Execution, uses: &Uses, steps: &mut Vec<Step>) {
    let mut finder = Finder::default();
    let mut seen = 0;
    for now in &uses.checkpoints {
        // carries that nobody uses were dropped, which the code can only do where they are constant
        for index in seen..*now {
            if uses.is_dropped(index)
                && let Some(claim) = find(&execution.facts, index)
            {
                execution.facts.record_claim(index, claim.value);
                steps.push(Step::Claim(claim));
            }
        }
        seen = *now;
        let live = uses.live(&execution.facts, *now);
        if execution.facts.is_exhausted() {
            return;
        }
        loop {
            let known = execution.facts.lemmas().len();
            finder.forget(steps);
            for run in finder.runs(&execution.facts, &live, uses, *now) {
                finder.lemma(&mut execution.facts, run, uses, *now, steps);
            }
            // a difference of parts is seen when the number that they are parts of is
            if execution.facts.lemmas().len() == known || !uses.is_sign(*now) {
                break;
            }
        }
    }
}

#[derive(Default)]
struct Finder {
    /// Bits that stand in the value of a lemma: signs, which never need to settle.
    kept: BTreeSet<usize>,
    /// Runs that were looked at.
    tried: BTreeSet<Vec<usize>>,
    /// Words that are made of too much.
    large: BTreeSet<usize>,
    /// What words are made of, by what is known after the first `known` steps.
    made_of: BTreeMap<usize, Sum>,
    known: usize,
}

/// What a sum is after substitution of what is younger than `floor`.
pub(crate) fn reduce(facts: &Facts, sum: &Sum, floor: usize) -> Sum {
    // what comes in for a variable is older, or stays
    let ceiling = sum.variables().iter().map(|variable| variable.index() + 1).max().unwrap_or(0);
    let mut reduction = Reduction::new(facts, View::Identity, floor, ceiling);
    reduction.add_sum(sum, &Dyadic::new(1, 0));
    reduction.finish()
}

/// The number that words make.
pub(crate) fn number(facts: &Facts, words: &[usize]) -> Sum {
    let words: Vec<Variable> = words.iter().map(|word| facts.graph.variable_at(*word)).collect();
    Sum::number(&words, facts.word_bits(), &Dyadic::new(1, 0))
}

impl Finder {
    /// Whether a variable is a carry or a high word that nothing has taken up yet.
    fn unsettled(&self, facts: &Facts, variable: &Variable) -> bool {
        let index = variable.index();
        facts.graph.defining_high(index).is_some()
            && facts.claimed(index).is_none()
            && facts.word_of(index, &[]).is_none()
            && !self.kept.contains(&index)
    }

    fn open(&self, facts: &Facts, monomial: &Monomial) -> bool {
        monomial.variables().iter().any(|variable| self.unsettled(facts, variable))
    }

    /// Forgets what words are made of, where these steps tell more of it.
    fn forget(&mut self, steps: &[Step]) {
        let new = &steps[self.known..];
        let claimed: BTreeSet<usize> = new
            .iter()
            .filter_map(|step| if let Step::Claim(own) = step { Some(own.variable as usize) } else { None })
            .collect();
        if claimed.len() < new.len() {
            self.made_of.clear();
        } else if !claimed.is_empty() {
            self.made_of.retain(|_, sum| !sum.variables().iter().any(|own| claimed.contains(&own.index())));
        }
        self.known = steps.len();
    }

    /// All runs among the live words.
    fn runs(&mut self, facts: &Facts, live: &[usize], uses: &Uses, now: usize) -> Vec<Vec<usize>> {
        let bits = facts.word_bits() as i32;
        // words of earlier numbers stay as they are
        let lowest: Vec<Variable> =
            facts.lemmas().iter().map(|lemma| facts.graph.variable_at(lemma.words[0] as usize)).collect();
        let expand = |word: &usize| {
            facts.within(MOST_OF_A_WORD, || {
                let mut reduction = Reduction::new(facts, View::Identity, 0, *word + 1);
                reduction.keep(&lowest);
                let word = Monomial::variable(facts.graph.variable_at(*word));
                reduction.add_term(&word, &Dyadic::new(1, 0));
                reduction.finish()
            })
        };
        for word in live {
            // what many bits choose says nothing, and takes long: once is enough
            if !self.large.contains(word) && !self.made_of.contains_key(word) {
                match expand(word) {
                    Some(sum) => drop(self.made_of.insert(*word, sum)),
                    None => drop(self.large.insert(*word)),
                }
            }
        }
        let made_of = |word: &usize| Some((*word, self.made_of.get(word)?));
        let (live, expanded): (Vec<usize>, Vec<&Sum>) = live.iter().filter_map(made_of).unzip();
        let live = &live[..];
        // which words take up what
        let mut takers: BTreeMap<&Monomial, Vec<usize>> = BTreeMap::new();
        let mut starts = Vec::new();
        for (word, sum) in expanded.iter().enumerate() {
            let mut starts_here = true;
            for (monomial, factor) in sum.terms() {
                if factor.exponent() < bits && self.open(facts, monomial) {
                    takers.entry(monomial).or_default().push(word);
                    starts_here = false;
                }
            }
            if starts_here {
                starts.push(word);
            }
        }
        let images = if uses.has_signs() { images(facts, live) } else { Vec::new() };
        let in_images: BTreeSet<usize> = images.iter().flatten().flatten().copied().collect();
        let whole = images.into_iter().filter_map(|image| image.into_iter().collect());
        let mut runs: Vec<Vec<usize>> = whole.collect();
        // a word of an image says nothing without the others
        for start in starts.into_iter().filter(|start| !in_images.contains(&live[*start])) {
            let mut words = vec![start];
            let mut sum = expanded[start].clone();
            loop {
                let due = bits * words.len() as i32;
                let mut votes: BTreeMap<usize, usize> = BTreeMap::new();
                for (monomial, factor) in sum.terms() {
                    if factor.exponent() < due + bits && self.open(facts, monomial) && !is_pattern(monomial) {
                        for word in takers.get(monomial).into_iter().flatten() {
                            *votes.entry(*word).or_default() += 1;
                        }
                    }
                }
                let mut candidates: Vec<(usize, usize)> =
                    votes.into_iter().filter(|(word, _)| !words.contains(word)).collect();
                // the one that takes up most; of equals the oldest: signs extend upwards
                candidates.sort_by_key(|(word, votes)| (std::cmp::Reverse(*votes), *word));
                let next = candidates.into_iter().find_map(|(word, _)| {
                    facts.spend(sum.len() + expanded[word].len());
                    if facts.is_exhausted() {
                        return None;
                    }
                    let mut longer = sum.clone();
                    longer.add_multiple(expanded[word], &Dyadic::power(due));
                    let left: Vec<&Monomial> = longer
                        .terms()
                        .filter(|(monomial, factor)| {
                            factor.exponent() < due + bits && self.open(facts, monomial)
                        })
                        .map(|(monomial, _)| monomial)
                        .collect();
                    // a table over values that cannot occur leaves products of bits behind, and these bits
                    let (patterns, others): (Vec<_>, Vec<_>) =
                        left.into_iter().partition(|monomial| is_pattern(monomial));
                    let of_pattern = |bit: &Variable| {
                        bit.is_bit() && patterns.iter().any(|pattern| pattern.variables().contains(bit))
                    };
                    let complete = others.iter().all(|other| other.variables().iter().all(of_pattern));
                    complete.then_some((word, longer))
                });
                let Some((word, longer)) = next else { break };
                words.push(word);
                sum = longer;
            }
            // a number is finished when nothing is to be added to its products, or taken over its top
            let finished = sum.terms().all(|(monomial, _)| {
                let variables = monomial.variables();
                let product = variables.iter().filter(|variable| !variable.is_bit()).count() > 1;
                let open = |variable: &Variable| {
                    self.unsettled(facts, variable) && uses.is_carried_after(variable.index(), now)
                        || product && uses.is_grid_open(variable.index(), now)
                };
                !variables.iter().any(open)
            });
            let is_number = words.len() > 1 || uses.is_multiplied(live[start]);
            if is_number && finished {
                runs.push(words.into_iter().map(|word| live[word]).collect());
            }
        }
        runs
    }

    /// Tries to make a lemma of a run.
    fn lemma(&mut self, facts: &mut Facts, run: Vec<usize>, uses: &Uses, now: usize, steps: &mut Vec<Step>) {
        if is_needed_apart(facts, &run, uses, now) || !self.tried.insert(run.clone()) {
            return;
        }
        let bits = facts.word_bits() as i32;
        let mut words = run;
        let mut sum = reduce(facts, &number(facts, &words), 0);
        if let Some(longer) = prefixed(facts, &words, &sum) {
            words = longer;
            if is_needed_apart(facts, &words, uses, now) || !self.tried.insert(words.clone()) {
                return;
            }
            sum = reduce(facts, &number(facts, &words), 0);
        }
        let places = bits * words.len() as i32;
        // carries inside the number must be settled, those above it need not
        let mut inside: Vec<usize> = sum
            .terms()
            .filter(|(monomial, factor)| factor.exponent() < places && self.open(facts, monomial))
            .flat_map(|(monomial, _)| monomial.variables().to_vec())
            .filter(|variable| self.unsettled(facts, variable))
            .map(|variable| variable.index())
            .collect();
        inside.sort_unstable();
        inside.dedup();
        let known = steps.len();
        for index in inside {
            if let Some(claim) = find(facts, index) {
                facts.record_claim(index, claim.value);
                steps.push(Step::Claim(claim));
            }
        }
        if steps.len() > known {
            sum = reduce(facts, &sum, 0);
        }
        // what is left may vanish for all values that the carries can have together
        let mut left = sum.clone();
        left.retain(|monomial, factor| factor.exponent() < places && self.open(facts, monomial));
        let mut pattern = Sum::default();
        if !exclude(facts, &left, &Modulo::Power(places), steps) {
            // or only together with the signs that were tabulated with them
            let lowest = left.terms().map(|(_, factor)| factor.exponent()).min().unwrap_or(places);
            pattern = sum;
            pattern.retain(|monomial, factor| {
                (lowest..places).contains(&factor.exponent())
                    && monomial.variables().iter().all(|own| own.is_bit())
            });
            if !exclude(facts, &pattern, &Modulo::Power(places), steps) {
                return;
            }
        }
        let (sums, values) = self.values(facts, &words, &pattern);
        for value in values {
            let Some(lemma) = following(facts, &words, &value, &sums, &pattern) else { continue };
            if lemma.clone().accept(facts).is_ok() {
                let signs = lemma.value.variables().into_iter().filter(|variable| variable.is_bit());
                self.kept.extend(signs.map(|variable| variable.index()));
                steps.push(Step::Lemma(lemma));
                return;
            }
        }
    }

    /// What these words are equal to without what was not taken up, and the values that they may have,
    /// the simplest first. The pattern is left out: it vanishes.
    fn values(&self, facts: &Facts, words: &[usize], pattern: &Sum) -> (Vec<Part>, Vec<Candidate>) {
        let places = (facts.word_bits() as usize * words.len()) as i32;
        let mut number = number(facts, words);
        // the value may be written in the words of earlier lemmas or in what these stand for
        let mut floors: BTreeSet<usize> = BTreeSet::from([0]);
        for lemma in facts.lemmas() {
            floors.extend(lemma.words.iter().max().map(|youngest| *youngest as usize + 1));
        }
        let (mut sums, mut named): (Vec<Sum>, _) = (Vec::new(), number.variables());
        for floor in floors.into_iter().rev() {
            // what is replaced above one floor is so above a lower one
            let of_floor = named.partition_point(|own| own.index() < floor)..;
            if named.drain(of_floor).len() == 0 {
                continue;
            }
            number = reduce(facts, &number, floor);
            named = number.variables();
            named.retain(|own| own.index() < floor);
            // what is much longer in older words is not their value
            if sums.iter().any(|shorter| number.len() > MOST_LONGER * shorter.len()) {
                break;
            }
            let mut sum = number.clone();
            sum.add_multiple(pattern, &Dyadic::new(-1, 0));
            if !sum.variables().contains(&facts.graph.variable_at(words[0])) && !sums.contains(&sum) {
                sums.push(sum);
            }
        }
        // of as many terms the one in the oldest words
        sums.reverse();
        sums.sort_by_key(Sum::len);
        let settled: Vec<Part> =
            sums.iter().map(|sum| Part::of(facts, sum, |monomial, _| !self.open(facts, monomial))).collect();
        let low = sums.iter().map(|sum| {
            Part::of(facts, sum, |monomial, factor| !self.open(facts, monomial) && factor.exponent() < places)
        });
        let mut values: Vec<Part> = settled.iter().cloned().chain(low).collect();
        values.sort_by_key(|part| part.sum.len());
        values.dedup_by(|one, other| one.sum == other.sum);
        // what is plainly a number of as many words bounds what is made of it later, too
        values.sort_by_key(|part| {
            let (least, most) = facts.range(part.sum.terms(), &[]);
            least.is_negative() || most >= Dyadic::power(places)
        });
        let mut candidates: Vec<Candidate> =
            values.into_iter().map(|part| Candidate { part, is_sign: false }).collect();
        // a sign: one bit above the number that is part of its value, for differences only; the carries of
        // products say nothing that is worth keeping
        let words_in = |monomial: &Monomial| monomial.variables().iter().filter(|own| !own.is_bit()).count();
        let linear = sums.iter().all(|sum| sum.terms().all(|(monomial, _)| words_in(monomial) < 2));
        for sum in sums.iter().filter(|_| linear) {
            let signs: Vec<Variable> =
                sum.variables().into_iter().filter(|variable| self.unsettled(facts, variable)).collect();
            // of three numbers two carries leave, which exclude each other
            if (1..=2).contains(&signs.len()) && signs.iter().all(|sign| sign.is_bit()) {
                candidates.push(Candidate { part: Part::of(facts, sum, |_, _| true), is_sign: true });
            }
        }
        (settled, candidates)
    }
}

/// A part of what words are equal to.
#[derive(Clone)]
struct Part {
    sum: Sum,
    /// What the words are equal to, less this part, after substitution: little, so that nothing large is substituted
    /// again for each part.
    left: Sum,
}

impl Part {
    fn of(facts: &Facts, sum: &Sum, keep: impl Fn(&Monomial, &Dyadic) -> bool) -> Part {
        let (mut part, mut left) = (sum.clone(), sum.clone());
        part.retain(&keep);
        left.retain(|monomial, factor| !keep(monomial, factor));
        Part { sum: part, left: reduce(facts, &left, 0) }
    }
}

/// The lemma that words have this value, if it seems to follow, in other forms too, which the settled parts give.
fn following(
    facts: &Facts,
    words: &[usize],
    Candidate { part, is_sign }: &Candidate,
    settled: &[Part],
    pattern: &Sum,
) -> Option<Lemma> {
    let lemma = plain(words, part.sum.clone());
    let lemma = if *is_sign { lemma } else { with_cases(lemma) };
    let places = lemma.places(facts);
    let mut left = part.left.clone();
    left.add_multiple(pattern, &Dyadic::new(1, 0));
    if !vanishes(&left, facts, &Modulo::Power(places)) {
        return None;
    }
    // a value in range needs no other forms
    if vanishes(&left, facts, &Modulo::Nothing) || lemma.bounding(facts).is_some() {
        return Some(lemma);
    }
    let forms = if *is_sign { Vec::new() } else { forms(part, settled, places) };
    let mut lemma = with_cases(Lemma { forms, ..lemma });
    let bounding = lemma.bounding(facts)?;
    lemma.forms = bounding.into_iter().map(|at| lemma.forms[at].clone()).collect();
    Some(lemma)
}

/// The other forms of a value that the settled parts give.
fn forms(value: &Part, settled: &[Part], places: i32) -> Vec<Sum> {
    let minus = Dyadic::new(-1, 0);
    let mut forms = Vec::new();
    for part in settled {
        let (mut form, mut difference) = (part.sum.clone(), value.left.clone());
        difference.add_multiple(&part.left, &minus);
        if difference.terms().all(|(_, factor)| factor.exponent() >= places) {
            form.add_multiple(&difference, &minus);
            if form != value.sum && !forms.contains(&form) {
                forms.push(form);
            }
        }
    }
    forms
}

/// Words that are one function, word by word and without a carry, of the words of an earlier number and of bits: masked, or the
/// complement where a bit is set. Those that are not there yet are `None`.
fn images(facts: &Facts, live: &[usize]) -> Vec<Vec<Option<usize>>> {
    type Function = Vec<(Monomial, bool, i64)>;
    let mut all: BTreeMap<(u32, Function), Vec<Option<usize>>> = BTreeMap::new();
    for word in live {
        let Some(Equation { high: None, right, .. }) = facts.graph.defining_low(*word) else { continue };
        if right.terms().len() > MOST_TERMS_OF_IMAGES {
            continue;
        }
        let variables = right.variables();
        let mut words = variables.iter().filter(|own| !own.is_bit());
        let (Some(of), None) = (words.next(), words.next()) else { continue };
        let Some((lemma, position)) = facts.word_of(of.index(), &[]) else { continue };
        let term = |(monomial, factor): &(Monomial, i64)| {
            let names = monomial.variables().contains(of);
            (if names { monomial.without(*of) } else { monomial.clone() }, names, *factor)
        };
        let function: Function = right.terms().iter().map(term).collect();
        let is_mixed = function.iter().any(|(rest, names, _)| *names && !rest.variables().is_empty());
        let count = lemma.words.len();
        if is_mixed && count > 1 {
            let image = all.entry((lemma.words[0], function)).or_insert_with(|| vec![None; count]);
            image[position] = Some(*word);
        }
    }
    all.into_values().collect()
}

/// The lemma with the bits of its products as cases.
fn with_cases(lemma: Lemma) -> Lemma {
    let mut cases: Vec<u32> = [&lemma.value]
        .into_iter()
        .chain(&lemma.forms)
        .flat_map(|sum| sum.terms())
        .filter(|(monomial, _)| monomial.variables().len() > 1)
        .flat_map(|(monomial, _)| monomial.variables().to_vec())
        .filter(|variable| variable.is_bit())
        .map(|variable| variable.index() as u32)
        .collect();
    cases.sort_unstable();
    cases.dedup();
    cases.truncate(MOST_CASES);
    Lemma { cases, ..lemma }
}

/// A value that words may have.
struct Candidate {
    part: Part,
    /// One bit above the number is part of it.
    is_sign: bool,
}

/// Whether it is a product of bits only: what a table over values that cannot occur leaves behind.
fn is_pattern(monomial: &Monomial) -> bool {
    let variables = monomial.variables();
    variables.len() > 1 && variables.iter().all(|variable| variable.is_bit())
}

pub(crate) fn plain(words: &[usize], value: Sum) -> Lemma {
    let words = words.iter().map(|word| *word as u32).collect();
    Lemma { words, value, forms: Vec::new(), cases: Vec::new(), open: Vec::new() }
}
