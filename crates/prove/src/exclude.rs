//! Values of bits that cannot occur together.

use crate::apart::apart;
use crate::chosen::{by_choice, by_deciding};
use crate::combination::combination;
use rhomb_certificate::{Exclusion, Facts, Manner, Modulo, Step, Sum, open_assignments};
use rhomb_equations::Equation;
use rhomb_poly::Variable;
use std::collections::BTreeSet;

/// Most assignments that are looked at for one sum.
const MOST: usize = 256;

/// Most bits that are tried to split an open case.
const MOST_SPLITS: usize = 8;

/// Most terms of a sum of which open cases are split: where more is wrong, splitting does not help.
const FEW_TERMS: usize = 8;

/// Most carries that are combined in a case that was split.
const MOST_CARRIES_OF_SPLITS: usize = 4;

/// Most bits by which cases are told apart; and where a result is to be below the modulus.
const DEEPEST: usize = 2;
const DEEPEST_BELOW: usize = 3;

/// Most bits of a range and of the statement together.
const MOST_BITS_BESIDE: usize = 10;

/// Most carries of a chain that are followed, and for a range.
const LONGEST_CHAIN: usize = 64;
const LONGEST_OF_RANGE: usize = 256;

/// Most carries that are combined.
const MOST_CARRIES: usize = 6;

/// Excludes all values of bits for which the sum does not vanish; `false` where one is left over.
pub(crate) fn exclude(facts: &mut Facts, sum: &Sum, modulo: &Modulo, steps: &mut Vec<Step>) -> bool {
    let deepest = if *modulo == Modulo::Nothing { DEEPEST_BELOW } else { DEEPEST };
    exclude_within(facts, sum, (modulo, deepest), steps)
}

/// The same of a range, told apart by few bits; then by those of the statement, which has excluded most of their values; then by
/// more.
pub(crate) fn exclude_range(facts: &mut Facts, sum: &Sum, statement: &Sum, steps: &mut Vec<Step>) -> bool {
    exclude_within(facts, sum, (&Modulo::Nothing, 1), steps)
        || exclude_chosen(facts, sum, steps)
        || exclude_beside(facts, sum, statement, steps)
        || exclude(facts, sum, &Modulo::Nothing, steps)
}

/// Excludes that a range is left, for all values of the bits that a choice is a function of.
fn exclude_chosen(facts: &mut Facts, sum: &Sum, steps: &mut Vec<Step>) -> bool {
    let Some(found) = by_choice(facts, sum).or_else(|| by_deciding(facts, sum)) else { return false };
    record(facts, found, steps)
        && open_assignments(sum, facts, &Modulo::Nothing).is_some_and(|open| open.is_empty())
}

/// Excludes all values of the bits of a sum, and of those of the statement, for which it does not vanish.
fn exclude_beside(facts: &mut Facts, sum: &Sum, statement: &Sum, steps: &mut Vec<Step>) -> bool {
    let bits_of = |sum: &Sum| sum.variables().into_iter().filter(|own| own.is_bit()).collect::<BTreeSet<_>>();
    let (own, mut beside) = (bits_of(sum), bits_of(statement));
    // what was excluded may have been told apart by others
    for exclusion in facts.exclusions() {
        let others = exclusion.iter().map(|(index, _)| facts.graph.variable_at(*index as usize));
        if own.len() + beside.len() + exclusion.len() <= MOST_BITS_BESIDE
            && others.clone().any(|bit| beside.contains(&bit))
        {
            beside.extend(others);
        }
    }
    let mut bits: Vec<Variable> = own.union(&beside).copied().collect();
    bits.sort_unstable();
    if bits.len() > MOST_BITS_BESIDE || beside.is_subset(&own) {
        return false;
    }
    let is_carry = |index: u32| facts.graph.defining_high(index as usize).is_some();
    let mut found: Vec<Exclusion> = Vec::new();
    for all in 0..1usize << bits.len() {
        let at = |bit: &Variable| bits.binary_search(bit).is_ok_and(|place| all >> place & 1 == 1);
        let assignment: Vec<(u32, bool)> = bits.iter().map(|bit| (bit.index() as u32, at(bit))).collect();
        let fixed: Vec<(Variable, bool)> = bits.iter().map(|bit| (*bit, at(bit))).collect();
        let within = |known: &Vec<(u32, bool)>| known.iter().all(|own| assignment.contains(own));
        let is_known = facts.exclusions().iter().chain(found.iter().map(|one| &one.assignment)).any(within);
        if is_known || facts.where_fixed(sum, &fixed).is_empty() {
            continue;
        }
        let Some(one) = exclusion(facts, &assignment, MOST_CARRIES, &is_carry) else { return false };
        found.push(one);
    }
    // what was excluded before comes once more, behind what names the sum's bits
    let names = |bits: &BTreeSet<Variable>, one: &Exclusion| {
        one.assignment.iter().any(|(index, _)| bits.iter().any(|own| own.index() == *index as usize))
    };
    let before: Vec<Exclusion> = steps
        .iter()
        .filter_map(|step| match step {
            Step::Exclusion(one) if names(&beside, one) && !names(&own, one) => Some(one.clone()),
            _ => None,
        })
        .collect();
    found.extend(before);
    record(facts, found, steps)
        && open_assignments(sum, facts, &Modulo::Nothing).is_some_and(|open| open.is_empty())
}

fn exclude_within(
    facts: &mut Facts,
    sum: &Sum,
    (modulo, deepest): (&Modulo, usize),
    steps: &mut Vec<Step>,
) -> bool {
    let mut repeated: Option<Vec<(u32, bool)>> = None;
    loop {
        let Some(open) = open_assignments(sum, facts, modulo) else { return false };
        if open.len() > MOST || facts.is_exhausted() {
            return false;
        }
        let Some(assignment) = open.first() else { return true };
        let is_carry = |index: u32| facts.graph.defining_high(index as usize).is_some();
        let is_derived = |index: u32| is_carry(index) || facts.graph.defining_low(index as usize).is_some();
        let is_range = *modulo == Modulo::Nothing;
        let covered = |facts: &Facts| {
            let is_odd = !matches!(modulo, Modulo::Power(_));
            is_odd
                .then(|| (0..=deepest).find_map(|depth| cover(facts, assignment, depth, is_range)))
                .flatten()
        };
        // one carry on which all depends
        if sum.len() <= 2
            && let Some(mut exclusions) = covered(facts)
        {
            if exclusions.is_empty() {
                // all is known, but of bits that are looked at only where what names them comes later
                if repeated.replace(assignment.clone()).as_ref() == Some(assignment) {
                    return false;
                }
                exclusions = beside(assignment, steps);
            }
            if !record(facts, exclusions, steps) {
                return false;
            }
            continue;
        }
        let found = exclusion(facts, assignment, MOST_CARRIES, &is_carry);
        let found = found.or_else(|| match modulo {
            Modulo::Odd(_) | Modulo::Argument if sum.len() <= FEW_TERMS => {
                exclusion(facts, assignment, MOST_CARRIES, &is_derived)
                    .or_else(|| narrower(facts, assignment, near))
            }
            Modulo::Odd(_) | Modulo::Argument | Modulo::Nothing | Modulo::Power(_) => None,
        });
        let found = match (found, modulo) {
            (None, Modulo::Odd(_)) if sum.len() <= 2 * FEW_TERMS => apart(facts, assignment),
            (found, _) => found.into_iter().collect(),
        };
        let found = match found.is_empty() && sum.len() <= 2 * FEW_TERMS {
            true => covered(facts).unwrap_or_default(),
            false => found,
        };
        if found.is_empty() || !record(facts, found, steps) {
            return false;
        }
    }
}

/// What was excluded before of values that are compatible with these, and of more bits.
fn beside(assignment: &[(u32, bool)], steps: &[Step]) -> Vec<Exclusion> {
    let is_beside = |own: &&Exclusion| {
        let known = |(bit, value): &(u32, bool)| {
            let found = assignment.iter().find(|(other, _)| other == bit);
            found.map(|(_, other)| other == value)
        };
        let known: Vec<Option<bool>> = own.assignment.iter().map(known).collect();
        known.contains(&Some(true)) && known.contains(&None) && !known.contains(&Some(false))
    };
    let exclusions = steps.iter().filter_map(|step| match step {
        Step::Exclusion(own) => Some(own),
        Step::Claim(_) | Step::Lemma(_) | Step::Reduced(_) | Step::NoBorrow(_) => None,
    });
    exclusions.filter(is_beside).cloned().collect()
}

/// Records exclusions as steps; `false` where one does not hold.
fn record(facts: &mut Facts, exclusions: Vec<Exclusion>, steps: &mut Vec<Step>) -> bool {
    exclusions.into_iter().all(|exclusion| {
        let holds = exclusion.accept(facts);
        if holds {
            steps.push(Step::Exclusion(exclusion));
        }
        holds
    })
}

/// An exclusion of all these values, some carries of which are added up.
pub(crate) fn exclusion_of_carries(facts: &Facts, assignment: &[(u32, bool)]) -> Option<Exclusion> {
    let is_carry = |index: u32| facts.graph.defining_high(index as usize).is_some();
    exclusion(facts, assignment, MOST_CARRIES, &is_carry)
}

/// An exclusion of these values, or of as few of them as are needed: some carries among the bits are added
/// up, the others are given.
fn exclusion(
    facts: &Facts,
    assignment: &[(u32, bool)],
    most: usize,
    is_carry: &dyn Fn(u32) -> bool,
) -> Option<Exclusion> {
    let carries = assignment.iter().rev().map(|(index, _)| *index).filter(|index| is_carry(*index));
    let carries: Vec<u32> = carries.collect();
    // the youngest first: signs are older than what they decide
    let youngest = &carries[..carries.len().min(most)];
    let oldest = &carries[carries.len().saturating_sub(most)..];
    let found = exclusion_by(facts, assignment, youngest);
    found.or_else(|| (youngest != oldest).then(|| exclusion_by(facts, assignment, oldest)).flatten())
}

/// The same with these carries added up.
fn exclusion_by(facts: &Facts, assignment: &[(u32, bool)], carries: &[u32]) -> Option<Exclusion> {
    let count = facts.lemmas().len() as u32;
    let floors = floors(facts, assignment);
    // that a lemma must not be used is rare
    let newest = (0..=count.min(3)).map(|newest| (count - newest..count).collect());
    // but that an operand is below the modulus often hides that it is not negative
    let is_given = |number: &u32| {
        let word = facts.lemmas()[*number as usize].words[0] as usize;
        facts.graph.defining_low(word).is_none() && facts.graph.defining_high(word).is_none()
    };
    let given = (0..count.saturating_sub(1)).take_while(is_given).map(|number| vec![number]);
    // and a sum whose carries are in question says nothing new about them
    let names = |number: &u32| {
        let own = facts.lemmas()[*number as usize].value.variables();
        own.iter().any(|own| own.is_bit() && carries.contains(&(own.index() as u32)))
    };
    let named: Vec<u32> = (0..count).filter(names).collect();
    let mut open: Vec<Vec<u32>> = newest.chain(given).collect();
    if !named.is_empty() && !open.contains(&named) {
        open.push(named);
    }
    // what was found later may have been written with what says that an operand is below the modulus
    let found: Vec<u32> = (0..count).filter(|number| !is_given(number)).collect();
    if !found.is_empty() {
        open.extend((0..count).take_while(is_given).map(|own| [vec![own], found.clone()].concat()));
    }
    for open in &open {
        for manner in [Manner::Telescoped, Manner::Expanded] {
            for floor in &floors {
                if facts.is_exhausted() {
                    return None;
                }
                let (assignment, combined) = (assignment.to_vec(), Vec::new());
                let none = Exclusion { assignment, combined, manner, floor: *floor, open: open.clone() };
                if let Some(exclusion) = combination(facts, &none, carries) {
                    return Some(shortened(facts, exclusion));
                }
            }
        }
    }
    None
}

/// An exclusion of these values together with that of one more bit, one of those that the sums of the carries name.
/// The other value of that bit is looked at next.
fn narrower(
    facts: &Facts,
    assignment: &[(u32, bool)],
    bits: impl Fn(&Facts, &[(u32, bool)], &[u32]) -> Option<Vec<u32>>,
) -> Option<Exclusion> {
    if assignment.len() >= MOST_CARRIES_OF_SPLITS {
        return None;
    }
    let is_carry = |index: u32| facts.graph.defining_high(index as usize).is_some();
    let is_derived = |index: u32| is_carry(index) || facts.graph.defining_low(index as usize).is_some();
    let carries = assignment.iter().map(|(index, _)| *index).filter(|index| is_carry(*index));
    let mut others = bits(facts, assignment, &carries.collect::<Vec<_>>())?;
    others.retain(|other| assignment.iter().all(|(own, _)| own != other));
    let with = |other: u32, value: bool| {
        let mut longer = assignment.to_vec();
        longer.push((other, value));
        longer.sort_unstable();
        exclusion(facts, &longer, MOST_CARRIES_OF_SPLITS, &is_derived)
    };
    // a bit of which both values are excluded ends the case; else one value less is left
    let mut half = None;
    for other in others.into_iter().take(MOST_SPLITS) {
        match (with(other, false), with(other, true)) {
            (Some(exclusion), Some(_)) => return Some(exclusion),
            (one, two) => half = half.or(one).or(two),
        }
    }
    half
}

/// Exclusions that together leave nothing of a case, told apart by at most so many more bits; for a range first by those at the
/// ends of chains.
fn cover(facts: &Facts, assignment: &[(u32, bool)], depth: usize, is_range: bool) -> Option<Vec<Exclusion>> {
    let within = |known: &Vec<(u32, bool)>| known.iter().all(|own| assignment.contains(own));
    if facts.exclusions().iter().any(within) {
        return Some(Vec::new());
    }
    let is_carry = |index: u32| facts.graph.defining_high(index as usize).is_some();
    // a carry of three numbers is a sum of two, made in two steps
    let is_sum = |index: u32| {
        let equation = facts.graph.defining_low(index as usize);
        is_carry(index) || equation.is_some_and(|equation| equation.high.is_none())
    };
    let found = exclusion(facts, assignment, MOST_CARRIES_OF_SPLITS, &is_carry);
    let has_sums = || assignment.iter().any(|(index, _)| is_sum(*index) && !is_carry(*index));
    let found = found.or_else(|| {
        has_sums().then(|| exclusion(facts, assignment, MOST_CARRIES_OF_SPLITS, &is_sum)).flatten()
    });
    if let Some(exclusion) = found {
        return Some(vec![exclusion]);
    }
    let depth = depth.checked_sub(1)?;
    let carries = assignment.iter().map(|(index, _)| *index).filter(|index| is_carry(*index));
    let others = far(facts, assignment, &carries.collect::<Vec<_>>(), is_range)?;
    let others = others.into_iter().filter(|other| assignment.iter().all(|(own, _)| own != other));
    others.take(MOST_SPLITS).find_map(|other| {
        let of = |value: bool| {
            let mut longer = assignment.to_vec();
            longer.push((other, value));
            longer.sort_unstable();
            cover(facts, &longer, depth, is_range)
        };
        let mut all = of(false)?;
        all.extend(of(true)?);
        Some(all)
    })
}

/// Bits by index, the youngest first, each once.
fn youngest_first(bits: impl Iterator<Item = Variable>) -> Vec<u32> {
    let mut bits: Vec<u32> = bits.filter(|own| own.is_bit()).map(|own| own.index() as u32).collect();
    bits.sort_unstable_by(|x, y| y.cmp(x));
    bits.dedup();
    bits
}

/// What is left of the carries' sums.
fn left(facts: &Facts, assignment: &[(u32, bool)], carries: &[u32], manner: Manner) -> Option<Vec<Variable>> {
    let mut left = Vec::new();
    for carry in carries {
        let (assignment, combined) = (assignment.to_vec(), vec![(*carry, 1)]);
        let alone = Exclusion { assignment, combined, manner, floor: 0, open: Vec::new() };
        left.extend(alone.excess(facts)?.variables());
    }
    Some(left)
}

/// The bits that the sums of the carries name, and those that are left of them.
fn near(facts: &Facts, assignment: &[(u32, bool)], carries: &[u32]) -> Option<Vec<u32>> {
    let mut all = left(facts, assignment, carries, Manner::Telescoped)?;
    for carry in carries {
        all.extend(facts.graph.defining_high(*carry as usize)?.right.variables());
    }
    Some(youngest_first(all.into_iter()))
}

/// The bits that are left of the sums of the carries; then those that decide what is added in their chains, and in
/// the chains of the words in these, and the carries of three numbers; then, for a range, the carries at the ends of chains; then
/// those that are handed on, which tear a chain apart.
fn far(facts: &Facts, assignment: &[(u32, bool)], carries: &[u32], is_range: bool) -> Option<Vec<u32>> {
    let mut bits = left(facts, assignment, carries, Manner::Telescoped)?;
    bits.extend(left(facts, assignment, carries, Manner::Expanded)?);
    let longest = if is_range { LONGEST_OF_RANGE } else { LONGEST_CHAIN };
    let Chains { deciding, sums, several, chain, inner } = chains(facts, carries, longest);
    let signs = [deciding, sums].concat();
    let is_end = |own: &&Variable| is_range && !inner.contains(own);
    let ends: Vec<Variable> = chain.iter().filter(is_end).copied().collect();
    let mut all = youngest_first(bits.into_iter());
    // of many bits the last ones that are tried are those
    let several: Vec<u32> = youngest_first(several.into_iter()).into_iter().take(2).collect();
    let at = all.len().min(MOST_SPLITS - several.len());
    all.splice(at..at, several);
    for bits in [signs, ends, chain] {
        all.extend(youngest_first(bits.into_iter()));
    }
    let mut seen = BTreeSet::new();
    all.retain(|own| seen.insert(*own));
    Some(all)
}

/// The chains of which carries come.
struct Chains {
    /// The bits that decide what is added.
    deciding: Vec<Variable>,
    /// The carries of three numbers, which are sums of two.
    sums: Vec<Variable>,
    /// The bits that are handed on to several words: they decide, too.
    several: Vec<Variable>,
    /// All carries of the chains, and of those of the words in these.
    chain: Vec<Variable>,
    /// Those that are handed on.
    inner: BTreeSet<Variable>,
}

/// Follows carries, at most so many.
fn chains(facts: &Facts, carries: &[u32], longest: usize) -> Chains {
    let mut all = Chains {
        deciding: Vec::new(),
        sums: Vec::new(),
        several: Vec::new(),
        chain: Vec::new(),
        inner: BTreeSet::new(),
    };
    let mut next: Vec<Variable> = carries.iter().map(|own| facts.graph.variable_at(*own as usize)).collect();
    while let Some(carry) = next.pop() {
        let sum = || sum_of_carries(facts, carry);
        let Some(equation) = facts.graph.defining_high(carry.index()).or_else(sum) else { continue };
        for (monomial, factor) in equation.right.terms() {
            let handed_on = monomial.variables().len() == 1 && factor.abs() == 1;
            for own in monomial.variables() {
                let high = facts.graph.defining_low(own.index()).and_then(|equation| equation.high);
                let carry = match high {
                    _ if own.is_bit() && handed_on => {
                        if !all.inner.insert(*own) {
                            all.several.push(*own);
                        }
                        all.sums.extend(sum_of_carries(facts, *own).map(|_| *own));
                        *own
                    }
                    _ if own.is_bit() => {
                        all.deciding.push(*own);
                        continue;
                    }
                    Some((high, _)) if high.is_bit() => high,
                    Some(_) | None => continue,
                };
                if all.chain.len() < longest && !all.chain.contains(&carry) {
                    all.chain.push(carry);
                    next.push(carry);
                }
            }
        }
    }
    all
}

/// The bits that decide what is added in the chains of carries.
pub(crate) fn deciding(facts: &Facts, carries: &[u32]) -> Vec<Variable> {
    let mut all = chains(facts, carries, LONGEST_OF_RANGE).deciding;
    all.sort_unstable();
    all.dedup();
    all
}

/// The equation of a carry of three numbers, which is the sum of two.
fn sum_of_carries(facts: &Facts, bit: Variable) -> Option<&Equation> {
    facts.graph.defining_low(bit.index()).filter(|equation| equation.high.is_none())
}

/// The numbers that are multiplied may be derived themselves: up to here products stay as they are. The
/// youngest number that is older than all bits, or than a carry; or what all comes from.
pub(crate) fn floors(facts: &Facts, assignment: &[(u32, bool)]) -> Vec<u32> {
    let before = |bit: &u32| {
        let youngest_words = facts.lemmas().iter().filter_map(|lemma| lemma.words.iter().max());
        youngest_words.map(|word| word + 1).filter(|floor| floor <= bit).max().unwrap_or(0)
    };
    let mut floors: Vec<u32> = assignment.iter().map(|(index, _)| before(index)).collect();
    // R - n, for a modulus that is an argument, is older than all that is computed
    floors.extend(facts.argument.is_some().then_some(0));
    floors.sort_unstable();
    floors.dedup();
    floors
}

/// The exclusion without the values that it does not need: it then holds for more.
fn shortened(facts: &Facts, mut exclusion: Exclusion) -> Exclusion {
    for (index, _) in exclusion.assignment.clone() {
        if exclusion.combined.iter().any(|(own, _)| *own == index) {
            continue;
        }
        let mut shorter = exclusion.clone();
        shorter.assignment.retain(|(own, _)| *own != index);
        if shorter.holds(facts) {
            exclusion = shorter;
        }
    }
    exclusion
}
