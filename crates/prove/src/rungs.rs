//! Rungs that settle a carry: in which manner it is followed, and how far.

use rhomb_certificate::{Claim, Facts, Manner, settle_within};
use std::collections::BTreeSet;
use std::ops::RangeInclusive;

/// Carries inside a column or a row settle by their neighbourhood, or not by telescoping alone.
const NEIGHBOURHOOD: usize = 1024;

/// Reaches of which each is tried for a borrow that is not settled otherwise: what is subtracted from a sum just
/// vanishes in it, and a word too many that is replaced brings in others.
const CLOSE: RangeInclusive<u32> = 8..=160;
/// The same for parts of numbers, which may be a word long.
const CLOSE_IN_PARTS: RangeInclusive<u32> = 2..=160;

/// How far behind a term of its sum a borrow is followed to.
const MOST_AFTER: usize = 4;

/// A rung that settles a variable, the cheapest first.
pub(crate) fn find(facts: &Facts, variable: usize) -> Option<Claim> {
    let (_, factor) = facts.graph.defining_high(variable)?.high?;
    let far = variable + 1;
    let manners = [
        (Manner::Telescoped, 64, NEIGHBOURHOOD),
        (Manner::Expanded, 64, far),
        (Manner::Relaxed, 64, far),
        // a carry that was handed on along a whole row
        (Manner::Telescoped, 2 * NEIGHBOURHOOD as u32, far),
    ];
    let claim = |(value, rung)| Claim { variable: variable as u32, value, rung };
    let far = manners.into_iter().find_map(|(manner, first, most)| {
        let longer = |reach: &u32| ((*reach as usize) < most).then_some(2 * reach);
        let reaches = std::iter::successors(Some(first), longer);
        let reaches = reaches.take_while(|_| !facts.is_exhausted());
        settle_within(facts, variable, manner, reaches)
    });
    let close = || {
        let mut manners = [Manner::Expanded, Manner::Relaxed].into_iter().filter(|_| factor < 0);
        let close = if facts.graph.in_parts() { CLOSE_IN_PARTS } else { CLOSE };
        let reaches = || close.clone().take_while(|_| !facts.is_exhausted());
        manners.find_map(|manner| settle_within(facts, variable, manner, reaches()))
    };
    // from what stands in its sum on, as a sign by which a number was raised does
    let from_terms = || {
        let equation = facts.graph.defining_high(variable).filter(|_| factor < 0)?;
        let terms = equation.right.variables();
        let floors: BTreeSet<usize> =
            terms.iter().flat_map(|own| own.index() + 1..=own.index() + MOST_AFTER).collect();
        let reaches = || {
            let reaches = floors.iter().rev().filter_map(|floor| variable.checked_sub(*floor));
            reaches.map(|reach| reach as u32).take_while(|_| !facts.is_exhausted())
        };
        let mut manners = [Manner::Expanded, Manner::Relaxed].into_iter();
        manners.find_map(|manner| settle_within(facts, variable, manner, reaches()))
    };
    far.or_else(close).or_else(from_terms).map(claim)
}
