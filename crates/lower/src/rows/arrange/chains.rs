//! Which words may be accessed together, and which accesses are to one place.

use super::super::line::{Array, Unit};
use super::{Links, NEVER, time};

/// Inputs of one part with consecutive places.
pub(super) fn load_chains(unit: &Unit) -> Vec<Vec<usize>> {
    chains(unit.inputs.len(), |at| {
        let input = &unit.inputs[at];
        // the stack pointer stays, so that LDM does not reach
        let reached = input.place.array != Array::Stack;
        unit.inputs.iter().position(|other| {
            reached
                && other.part == input.part
                && other.place.array == input.place.array
                && other.place.index == input.place.index + 1
                && other.base == input.base
        })
    })
}

/// Outputs with consecutive places, those that are made nearest to each other: of two that could come before a
/// third, the nearer one does.
pub(super) fn store_chains(unit: &Unit, made: &[u32]) -> Vec<Vec<usize>> {
    let known = |at: usize| match made[unit.outputs[at].value] {
        NEVER => 0,
        time => time,
    };
    let mut pairs: Vec<(u32, usize, usize)> = Vec::new();
    for (at, output) in unit.outputs.iter().enumerate() {
        for (next, other) in unit.outputs.iter().enumerate() {
            if other.place.array == output.place.array && other.place.index == output.place.index + 1 {
                pairs.push((known(next).abs_diff(known(at)), at, next));
            }
        }
    }
    pairs.sort_unstable();
    let mut behind = vec![None; unit.outputs.len()];
    let mut taken = vec![false; unit.outputs.len()];
    for (_, at, next) in pairs {
        if behind[at].is_none() && !taken[next] {
            behind[at] = Some(next);
            taken[next] = true;
        }
    }
    chains(unit.outputs.len(), |at| behind[at])
}

/// Accesses to one place whose order choices might change.
pub(super) fn conflicts(unit: &Unit, links: &[Links], made: &[u32]) -> Vec<(usize, usize, bool)> {
    let mut conflicts = Vec::new();
    for (i, input) in unit.inputs.iter().enumerate() {
        for (o, output) in unit.outputs.iter().enumerate() {
            if input.place != output.place {
                continue;
            }
            // a word's own store has its order
            let before = output.order <= input.order;
            let last = links[input.value].uses.last().map_or(NEVER, |at| time(*at));
            let computed = made[output.value] != NEVER && last <= made[output.value];
            if before || !computed {
                conflicts.push((i, o, before));
            }
        }
    }
    conflicts
}

/// Stores to one place.
pub(super) fn crossings(unit: &Unit) -> Vec<(usize, usize)> {
    let mut crossings = Vec::new();
    for (first, one) in unit.outputs.iter().enumerate() {
        for (second, other) in unit.outputs.iter().enumerate() {
            if one.place == other.place && one.order < other.order {
                crossings.push((first, second));
            }
        }
    }
    crossings
}

/// Chains of things, each with at most one behind it and one before it.
fn chains(number: usize, next: impl Fn(usize) -> Option<usize>) -> Vec<Vec<usize>> {
    let mut after = vec![None; number];
    let mut begins = vec![true; number];
    for (at, after) in after.iter_mut().enumerate() {
        if let Some(one) = next(at)
            && begins[one]
        {
            begins[one] = false;
            *after = Some(one);
        }
    }
    let heads = (0..number).filter(|at| begins[*at]);
    heads.map(|head| std::iter::successors(Some(head), |at| after[*at]).collect()).collect()
}

/// In which chain each thing is.
pub(super) fn chain_of(chains: &[Vec<usize>], number: usize) -> Vec<usize> {
    let mut of = vec![0; number];
    for (chain, members) in chains.iter().enumerate() {
        members.iter().for_each(|member| of[*member] = chain);
    }
    of
}
