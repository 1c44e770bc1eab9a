//! Values of bits that cannot occur together.

use rhomb_certificate::{Exclusion, Facts, Manner, Step, Sum, open_assignments};

/// Most assignments that are looked at for one sum.
const MOST: usize = 256;

/// Excludes all values of bits for which the sum does not vanish; `false` where one is left over.
pub(crate) fn exclude(facts: &mut Facts, sum: &Sum, places: Option<i32>, steps: &mut Vec<Step>) -> bool {
    loop {
        let Some(open) = open_assignments(sum, facts, places) else { return false };
        if open.len() > MOST || facts.is_exhausted() {
            return false;
        }
        let Some(assignment) = open.first() else { return true };
        let Some(exclusion) = exclusion(facts, assignment) else { return false };
        if !exclusion.accept(facts) {
            return false;
        }
        steps.push(Step::Exclusion(exclusion));
    }
}

/// An exclusion of these values: some carries among the bits are added up, the others are given.
fn exclusion(facts: &Facts, assignment: &[(u32, bool)]) -> Option<Exclusion> {
    let carries: Vec<u32> = assignment
        .iter()
        .map(|(index, _)| *index)
        .filter(|index| facts.graph.defining_high(*index as usize).is_some())
        .collect();
    // pairs and single ones, the youngest first: signs are older than what they decide
    let mut subsets: Vec<Vec<u32>> = Vec::new();
    let youngest: Vec<u32> = carries.iter().rev().take(6).copied().collect();
    for (at, first) in youngest.iter().enumerate() {
        subsets.extend(youngest[at + 1..].iter().map(|second| vec![*first, *second]));
        subsets.push(vec![*first]);
    }
    for (at, first) in youngest.iter().enumerate() {
        for (next, second) in youngest.iter().enumerate().skip(at + 1) {
            subsets.extend(youngest[next + 1..].iter().map(|third| vec![*first, *second, *third]));
        }
    }
    // the numbers that are multiplied may be derived themselves: the youngest that are older than all
    // bits, or what all comes from
    let oldest = assignment.iter().map(|(index, _)| *index).min().unwrap_or(0);
    let youngest_words = facts.lemmas().iter().filter_map(|lemma| lemma.words.iter().max());
    let before = youngest_words.map(|word| word + 1).filter(|floor| *floor <= oldest).max();
    let floors: Vec<u32> = before.into_iter().chain([0]).collect();
    for combined in subsets {
        for manner in [Manner::Telescoped, Manner::Expanded, Manner::Relaxed] {
            for floor in &floors {
                for newest in 0..=3.min(facts.lemmas().len()) {
                    if facts.is_exhausted() {
                        return None;
                    }
                    let count = facts.lemmas().len() as u32;
                    let exclusion = Exclusion {
                        assignment: assignment.to_vec(),
                        combined: combined.clone(),
                        manner,
                        floor: *floor,
                        open: (count - newest as u32..count).collect(),
                    };
                    if exclusion.holds(facts) {
                        return Some(exclusion);
                    }
                }
            }
        }
    }
    None
}
