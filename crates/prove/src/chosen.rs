//! The range of a result whose words a bit chose that is a function of others: carries that left the number above its words, and what
//! a subtraction borrowed.

use crate::combination::combination;
use crate::exclude::{deciding, exclusion_of_carries, floors};
use crate::reductions::chosen_by;
use rhomb_certificate::{Exclusion, Facts, Manner, Sum};
use rhomb_poly::Variable;

/// Most bits of an excess that is told by others.
const MOST_OF_EXCESS: usize = 3;

/// Most bits that the choice is a function of.
const MOST_BITS: usize = 6;

/// Exclusions that together say that an excess never is 1: for all values of the bits that the choice is a function of. `None` where it is
/// no function of bits, or some values are left.
pub(crate) fn by_choice(facts: &Facts, excess: &Sum) -> Option<Vec<Exclusion>> {
    let [borrow] = excess.variables()[..] else { return None };
    let (choice, bits) = choice(facts, borrow)?;
    let right = &facts.graph.defining_low(choice.index())?.right;
    let floors = [vec![0], floors(facts, &[(borrow.index() as u32, true)])].concat();
    let mut found: Vec<Exclusion> = Vec::new();
    for all in 0..1usize << bits.len() {
        let value = |own: &Variable| bits.binary_search(own).is_ok_and(|place| all >> place & 1 == 1);
        let chosen = right.evaluate(|own| i64::from(value(&own)))? == 1;
        let of = |own: &Variable| (own.index() as u32, value(own));
        let with = |others: &[(Variable, bool)]| {
            let others = others.iter().map(|(own, value)| (own.index() as u32, *value));
            let mut assignment: Vec<(u32, bool)> = bits.iter().map(of).chain(others).collect();
            assignment.sort_unstable();
            assignment
        };
        // the choice is what these bits say
        found.push(Exclusion {
            assignment: with(&[(choice, !chosen)]),
            combined: vec![(choice.index() as u32, 1)],
            manner: Manner::Telescoped,
            floor: 0,
            open: Vec::new(),
        });
        let assignment = with(&[(choice, chosen), (borrow, true)]);
        let others = |own: &u32| *own != choice.index() as u32;
        let carries: Vec<u32> = assignment.iter().rev().map(|(own, _)| *own).filter(others).collect();
        let one = floors.iter().find_map(|floor| {
            let (assignment, combined, open) = (assignment.clone(), Vec::new(), Vec::new());
            let none = Exclusion { assignment, combined, manner: Manner::Expanded, floor: *floor, open };
            combination(facts, &none, &carries)
        });
        found.push(one?);
    }
    Some(found)
}

/// Exclusions that together say that an excess never is off zero: for all values of its own few bits, and of those that decide what was added
/// to the words. `None` where there are too many, or some values are left.
pub(crate) fn by_deciding(facts: &Facts, excess: &Sum) -> Option<Vec<Exclusion>> {
    let own = excess.variables();
    let indices: Vec<u32> = own.iter().map(|own| own.index() as u32).collect();
    let mut bits = deciding(facts, &indices);
    if own.len() > MOST_OF_EXCESS || !own.iter().all(|own| own.is_bit()) || bits.is_empty() {
        return None;
    }
    bits.extend(own);
    bits.sort_unstable();
    bits.dedup();
    if bits.len() > MOST_BITS {
        return None;
    }
    let mut found: Vec<Exclusion> = Vec::new();
    for all in 0..1usize << bits.len() {
        let of = |(place, own): (usize, &Variable)| (*own, all >> place & 1 == 1);
        let fixed: Vec<(Variable, bool)> = bits.iter().enumerate().map(of).collect();
        let assignment: Vec<(u32, bool)> =
            fixed.iter().map(|(own, value)| (own.index() as u32, *value)).collect();
        let is_known = found.iter().any(|one| one.assignment.iter().all(|own| assignment.contains(own)));
        if is_known || facts.where_fixed(excess, &fixed).is_empty() {
            continue;
        }
        found.push(exclusion_of_carries(facts, &assignment)?);
    }
    Some(found)
}

/// The bit that chose the words of a difference, and the bits that it is a function of.
fn choice(facts: &Facts, borrow: Variable) -> Option<(Variable, Vec<Variable>)> {
    let words = facts.graph.defining_high(borrow.index())?.right.variables();
    let choice = words.iter().find_map(|word| chosen_by(&facts.graph, word.index() as u32))?;
    let equation = facts.graph.defining_low(choice.index()).filter(|own| own.high.is_none())?;
    let mut bits = equation.right.variables();
    bits.sort_unstable();
    let are_few = (2..=MOST_BITS).contains(&bits.len()) && bits.iter().all(|own| own.is_bit());
    are_few.then_some((choice, bits))
}
