//! Exclusions of a few values of a case, where all of them together say less: a bit whose value is given is not replaced
//! by what it is made of.

use crate::combination::combination;
use rhomb_certificate::{Exclusion, Facts, Manner};
use rhomb_equations::Equation;
use rhomb_poly::Variable;

/// Most bits of a case that is looked at.
const MOST_BITS: usize = 12;
/// Most carries that a carry is followed to.
const MOST_ENDS: usize = 4;
/// Most carries that are combined.
const MOST_COMBINED: usize = 3;

/// Exclusions of parts of a case; none where there is none. A carry that is only handed on comes with those that it comes
/// from, the youngest first.
pub(crate) fn apart(facts: &Facts, assignment: &[(u32, bool)]) -> Vec<Exclusion> {
    if assignment.len() > MOST_BITS {
        return Vec::new();
    }
    let chain = handed_on(facts, assignment);
    if !chain.is_empty() {
        return chain;
    }
    few(facts, assignment).into_iter().collect()
}

/// That a carry which is handed on needs one that comes in: where from, down to sums whose word stands in a sum of the
/// case, too, which gave no carry.
fn handed_on(facts: &Facts, assignment: &[(u32, bool)]) -> Vec<Exclusion> {
    let mut found = Vec::new();
    for (carry, _) in assignment.iter().filter(|(_, value)| *value) {
        let (mut next, mut seen, mut ends, mut same) = (vec![*carry], vec![*carry], Vec::new(), Vec::new());
        while let Some(handed) = next.pop() {
            let Some((word, bits)) = increment(facts, handed) else {
                ends.push((handed, false));
                continue;
            };
            let twin = assignment.iter().find(|(other, value)| {
                let equation = facts.graph.defining_high(*other as usize);
                !value && *other != handed && equation.is_some_and(|one| one.right.variables() == [word])
            });
            if let Some((twin, _)) = twin {
                ends.push((handed, false));
                same.push(exclusion(vec![(*twin, false), (handed, true)], vec![(handed, 1), (*twin, -1)]));
                continue;
            }
            next.extend(bits.iter().filter(|bit| !seen.contains(bit)));
            seen.extend(bits);
        }
        if !ends.is_empty() && !same.is_empty() && ends.len() <= MOST_ENDS {
            ends.push((*carry, true));
            found.push(exclusion(ends, vec![(*carry, 1)]));
            found.extend(same);
        }
    }
    let is_new = |one: &Exclusion| !facts.exclusions().contains(&one.assignment) && one.holds(facts);
    found.retain(is_new);
    found
}

/// The word and the bits that a carry is the carry of, or a borrow the borrow, where nothing else is added.
fn increment(facts: &Facts, carry: u32) -> Option<(Variable, Vec<u32>)> {
    let Equation { high, right, .. } = facts.graph.defining_high(carry as usize)?;
    let sign = high.map_or(1, |(_, radix)| radix.signum());
    let (mut bits, mut words) = (Vec::new(), Vec::new());
    for (monomial, factor) in right.terms() {
        match monomial.variables() {
            [bit] if bit.is_bit() && *factor == sign => bits.push(bit.index() as u32),
            [word] if !word.is_bit() && *factor == 1 => words.push(*word),
            _ => return None,
        }
    }
    (words.len() == 1).then(|| (words[0], bits))
}

fn exclusion(mut assignment: Vec<(u32, bool)>, combined: Vec<(u32, i8)>) -> Exclusion {
    assignment.sort_unstable();
    assignment.dedup();
    Exclusion { assignment, combined, manner: Manner::Telescoped, floor: 0, open: Vec::new() }
}

/// An exclusion of a few carries, and of one more bit at most.
fn few(facts: &Facts, assignment: &[(u32, bool)]) -> Option<Exclusion> {
    let is_carry = |own: &&(u32, bool)| facts.graph.defining_high(own.0 as usize).is_some();
    let carries: Vec<(u32, bool)> = assignment.iter().filter(is_carry).copied().collect();
    let mut members: Vec<usize> = (1..1usize << carries.len()).collect();
    members.retain(|members| (members.count_ones() as usize) <= MOST_COMBINED);
    members.sort_by_key(|members| members.count_ones());
    for members in members {
        if facts.is_exhausted() {
            return None;
        }
        let chosen: Vec<(u32, bool)> =
            (0..carries.len()).filter(|at| members >> at & 1 == 1).map(|at| carries[at]).collect();
        let members: Vec<u32> = chosen.iter().map(|own| own.0).collect();
        let others = assignment.iter().filter(|own| !chosen.contains(own)).map(Some);
        for more in std::iter::once(None).chain(others) {
            let mut fixed = chosen.clone();
            fixed.extend(more);
            fixed.sort_unstable();
            for manner in [Manner::Telescoped, Manner::Expanded] {
                let (assignment, combined) = (fixed.clone(), Vec::new());
                let none = Exclusion { assignment, combined, manner, floor: 0, open: Vec::new() };
                if let Some(one) = combination(facts, &none, &members) {
                    return Some(one);
                }
            }
        }
    }
    None
}
