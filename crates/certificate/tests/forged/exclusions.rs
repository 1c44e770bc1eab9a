//! Exclusions of values that bits never take together.

use crate::kernels::{Proved, all, executed, function, valuations, without};
use rhomb_certificate::{CheckError, Exclusion, Facts, Manner, Step, check, take};

type Values = Vec<Option<i64>>;

fn random(state: &mut u64, limit: usize) -> usize {
    *state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
    (*state >> 33) as usize % limit
}

/// The kernels whose proofs need exclusions.
fn kernels() -> Vec<Proved> {
    let needs = |proved: &Proved| {
        proved.certificate.patterns[0].steps.iter().any(|step| matches!(step, Step::Exclusion(_)))
    };
    let found: Vec<Proved> = all().into_iter().filter(needs).collect();
    assert_eq!(
        found.iter().map(|proved| proved.name).collect::<Vec<_>>(),
        ["karatsuba", "corrected", "branched"]
    );
    found
}

/// What is known before each exclusion of a certificate, and the exclusion; values of all variables.
fn exclusions(proved: &Proved) -> (Vec<(Facts, Exclusion)>, Vec<Values>) {
    let (mut execution, operands) = executed(&proved.code, &proved.contract).unwrap();
    let mut found = Vec::new();
    for step in &proved.certificate.patterns[0].steps {
        if let Step::Exclusion(exclusion) = step {
            found.push((execution.facts.clone(), exclusion.clone()));
        }
        take(step, &mut execution.facts).unwrap();
    }
    let values = valuations(&execution, operands, 400);
    (found, values)
}

fn occurs(assignment: &[(u32, bool)], values: &Values) -> bool {
    assignment.iter().all(|(index, value)| values[*index as usize] == Some(i64::from(*value)))
}

fn refused(facts: &Facts, exclusion: &Exclusion) {
    let step = Step::Exclusion(exclusion.clone());
    assert_eq!(take(&step, &mut facts.clone()), Err(CheckError::Exclusion), "{exclusion:?}");
}

/// Each exclusion is of values that do not occur, and says what does not follow as soon as they do.
#[test]
fn values_that_occur_are_not_excluded() {
    let mut count = 0;
    for proved in kernels() {
        let (found, valuations) = exclusions(&proved);
        for (facts, exclusion) in found {
            assert!(!valuations.iter().any(|values| occurs(&exclusion.assignment, values)));
            for changes in 1..1usize << exclusion.assignment.len() {
                let mut forged = exclusion.clone();
                for (at, (_, value)) in forged.assignment.iter_mut().enumerate() {
                    *value ^= changes >> at & 1 == 1;
                }
                if valuations.iter().any(|values| occurs(&forged.assignment, values)) {
                    refused(&facts, &forged);
                    count += 1;
                }
            }
        }
    }
    assert!(count > 30, "{count}");
}

#[test]
fn bits_are_bits_each_once() {
    for proved in kernels() {
        for (facts, exclusion) in exclusions(&proved).0 {
            let with = |change: &dyn Fn(&mut Exclusion)| {
                let mut forged = exclusion.clone();
                change(&mut forged);
                refused(&facts, &forged);
            };
            let word =
                (0..facts.graph.len()).find(|at| !facts.graph.variable_at(*at).is_bit()).unwrap() as u32;
            for index in [word, facts.graph.len() as u32, u32::MAX] {
                with(&|forged| forged.assignment.push((index, true)));
                with(&|forged| forged.assignment[0].0 = index);
                with(&|forged| forged.combined.push((index, 1)));
            }
            // the same bit with two values never occurs, and would exclude nothing
            let (first, value) = exclusion.assignment[0];
            with(&|forged| forged.assignment.push((first, value)));
            with(&|forged| forged.assignment.push((first, !value)));
        }
    }
}

/// Only carries that the assignment names are added up, and they must be carries.
#[test]
fn what_is_combined_is_given() {
    for proved in kernels() {
        for (facts, exclusion) in exclusions(&proved).0 {
            refused(&facts, &Exclusion { combined: Vec::new(), ..exclusion.clone() });
            let none = exclusion.combined.iter().map(|(index, _)| (*index, 0)).collect();
            refused(&facts, &Exclusion { combined: none, ..exclusion.clone() });
            let named = |index: u32| exclusion.assignment.iter().any(|(own, _)| *own == index);
            for index in (0..facts.graph.len() as u32).filter(|index| !named(*index)) {
                let mut forged = exclusion.clone();
                forged.combined.push((index, 1));
                refused(&facts, &forged);
            }
            for index in (0..facts.graph.len()).filter(|index| facts.graph.defining_high(*index).is_none()) {
                let mut forged = exclusion.clone();
                let is_low = facts.graph.defining_low(index).is_some();
                if facts.graph.variable_at(index).is_bit() && !named(index as u32) && !is_low {
                    forged.assignment.push((index as u32, true));
                    forged.combined.push((index as u32, 1));
                    refused(&facts, &forged);
                }
            }
        }
    }
}

/// The lowest bit of a word is combined by its own equation: what is accepted with it does not occur, and what occurs is
/// refused.
#[test]
fn lowest_bits_are_combined_rightly() {
    let (mut occurring, mut accepted) = (0, 0);
    for proved in kernels() {
        let (found, valuations) = exclusions(&proved);
        for (facts, exclusion) in found {
            let lows = (0..facts.graph.len()).filter(|index| {
                let graph = &facts.graph;
                graph.variable_at(*index).is_bit()
                    && graph.defining_high(*index).is_none()
                    && graph.defining_low(*index).is_some()
            });
            for (index, value, times) in
                lows.flat_map(|index| [(index, true, 1), (index, false, 1), (index, true, -1)])
            {
                // of the others one only, too: all together never occur
                let others = exclusion.assignment.iter().filter(|(own, _)| *own != index as u32);
                for other in others.map(Some).chain([None]) {
                    let mut forged = exclusion.clone();
                    forged.assignment.retain(|own| other.is_none_or(|other| own == other));
                    forged.assignment.retain(|(own, _)| *own != index as u32);
                    forged.combined.retain(|(own, _)| forged.assignment.iter().any(|(bit, _)| bit == own));
                    forged.assignment.push((index as u32, value));
                    forged.combined.push((index as u32, times));
                    let occurs = valuations.iter().any(|values| occurs(&forged.assignment, values));
                    let taken = take(&Step::Exclusion(forged), &mut facts.clone()).is_ok();
                    assert!(!(occurs && taken));
                    occurring += u32::from(occurs);
                    accepted += u32::from(taken);
                }
            }
        }
    }
    assert!(occurring > 0 && accepted > 0, "{occurring} occur, {accepted} accepted");
}

/// What bounds from one side only is not equal to the carries.
#[test]
fn relaxed_sums_exclude_nothing() {
    for proved in kernels() {
        for (facts, exclusion) in exclusions(&proved).0 {
            refused(&facts, &Exclusion { manner: Manner::Relaxed, ..exclusion });
        }
    }
}

/// Exclusions made up at random, of right kernels and of broken ones: what is accepted does not occur.
#[test]
fn what_is_accepted_is_true() {
    let mut state = 11;
    let mut accepted = 0;
    for proved in kernels() {
        let (found, valuations) = exclusions(&proved);
        for round in 0..3000 {
            let (facts, exclusion) = &found[round % found.len()];
            let bits: Vec<u32> = (0..facts.graph.len())
                .filter(|index| facts.graph.variable_at(*index).is_bit() && facts.claimed(*index).is_none())
                .map(|index| index as u32)
                .collect();
            let forged = changed(exclusion, &bits, &mut state);
            if forged.accept(&mut facts.clone()) {
                accepted += 1;
                let wrong = valuations.iter().any(|values| occurs(&forged.assignment, values));
                assert!(!wrong, "{} {forged:?}", proved.name);
            }
        }
    }
    assert!(accepted > 30, "{accepted}");
}

/// The exclusion with one or two changes.
fn changed(exclusion: &Exclusion, bits: &[u32], state: &mut u64) -> Exclusion {
    let mut forged = exclusion.clone();
    for _ in 0..=random(state, 2) {
        let other = bits[random(state, bits.len())];
        let at = random(state, forged.assignment.len());
        let sum = random(state, forged.combined.len().max(1));
        match random(state, 8) {
            0 => forged.assignment[at].1 ^= true,
            1 => {
                let old = forged.assignment[at].0;
                forged.assignment[at].0 = other;
                forged.combined.iter_mut().filter(|(own, _)| *own == old).for_each(|(own, _)| *own = other);
            }
            2 if forged.assignment.len() > 1 => {
                forged.assignment.remove(at);
            }
            3 => forged.assignment.push((other, random(state, 2) == 1)),
            4 => forged.combined.push((forged.assignment[at].0, [1, -1, 2, -3, 127][random(state, 5)])),
            5 if !forged.combined.is_empty() => forged.combined[sum].1 = [1, -1, 3, -128][random(state, 4)],
            6 => forged.floor = bits[random(state, bits.len())],
            _ => forged.open.push(random(state, 9) as u32),
        }
    }
    forged
}

/// All exclusions of two carries that can be had in kernels with an instruction left out.
#[test]
fn what_is_accepted_of_broken_kernels_is_true() {
    let mut accepted = 0;
    for proved in kernels() {
        for at in (0..proved.code.len()).step_by(5) {
            let Some((execution, operands)) = executed(&without(&proved.code, at), &proved.contract) else {
                continue;
            };
            let facts = &execution.facts;
            let valuations = valuations(&execution, operands, 100);
            let carries: Vec<u32> = (0..facts.graph.len())
                .filter(|index| {
                    facts.graph.variable_at(*index).is_bit() && facts.graph.defining_high(*index).is_some()
                })
                .map(|index| index as u32)
                .collect();
            let mut state = at as u64;
            for _ in 0..20 {
                // carries that have to do with each other lie close together
                let first = random(&mut state, carries.len());
                let second = (first + 1 + random(&mut state, 4)) % carries.len();
                let (x, y) = (carries[first], carries[second]);
                for values in 0..8 {
                    let exclusion = Exclusion {
                        assignment: vec![(x, values & 1 == 1), (y, values & 2 == 2)],
                        combined: vec![(x, 1), (y, if values & 4 == 4 { 1 } else { -1 })],
                        manner: [Manner::Telescoped, Manner::Expanded][random(&mut state, 2)],
                        floor: random(&mut state, facts.graph.len()) as u32,
                        open: Vec::new(),
                    };
                    if exclusion.holds(facts) {
                        accepted += 1;
                        let wrong = valuations.iter().any(|values| occurs(&exclusion.assignment, values));
                        assert!(!wrong, "{} without {at}: {exclusion:?}", proved.name);
                    }
                }
            }
        }
    }
    assert!(accepted > 30, "{accepted}");
}

#[test]
fn a_proof_that_needs_exclusions_is_none_without_them() {
    for proved in kernels() {
        let routine = function(&proved.code);
        let mut forged = proved.certificate.clone();
        forged.patterns[0].steps.retain(|step| !matches!(step, Step::Exclusion(_)));
        assert!(check(&routine, &forged).is_err(), "{}", proved.name);
    }
}
