//! Whole object files are changed: headers, sections, relocations, symbols. What is proved of a changed file must
//! hold once GNU ld has linked that very file, wherever it puts the code.
#![cfg(feature = "oracles")]

mod elf;
mod families;

use families::{FAMILIES, Family};
use rhomb::{Interrupts, Limits, Proof, Question, targets, verify_within};
use rhomb_machine::Random;
use std::collections::BTreeMap;
use std::path::Path;

/// What became of the mutants that are proved.
#[derive(Debug, Default)]
struct Tally {
    proved: usize,
    refuted: usize,
    unknown: usize,
    refused: usize,
    /// Proved, and GNU ld refuses them, or makes a program without the function.
    unlinked: usize,
    /// Proved mutants by what was changed.
    kinds: BTreeMap<&'static str, usize>,
    wrong: Vec<String>,
}

/// The verdict on a file; `None` where it is refused.
fn verdict(family: &Family, file: &[u8], contract: &str) -> Option<Proof> {
    let target = targets::find(family.target).expect("a target");
    let contract = rhomb::parse_contract(contract).expect("a contract");
    let question = Question { file, symbol: "f", target, convention: None, interrupts: Interrupts::Any };
    // what is unknown is of no interest here: no long search
    let limits =
        Limits { steps: 100_000, first: 100_000, second: 100_000, effort: 10_000_000, whole: 10_000_000 };
    verify_within(&question, &contract, limits).ok().map(|verification| verification.proof)
}

/// Whether a mutant goes wrong once it is linked, at either of two addresses: the sentence that says how.
fn fault_when_linked(
    family: &Family,
    folder: &Path,
    object: &[u8],
    contract: &str,
) -> Result<Option<String>, ()> {
    let mut linked = false;
    for address in family.addresses {
        let Some(program) = family.link(folder, object, address) else { continue };
        match verdict(family, &program, contract) {
            Some(Proof::Refuted) => return Ok(Some(format!("refuted when linked at {address:#x}"))),
            Some(Proof::Proved | Proof::Unknown | Proof::NotRun) => linked = true,
            // ld has lost the symbol with its table
            None => {}
        }
    }
    if linked { Ok(None) } else { Err(()) }
}

fn check(family: &Family) {
    let mutants = rhomb_oracles::sample(250, 1000);
    let folder = tempfile::tempdir().unwrap();
    let objects: Vec<(Vec<u8>, &str)> = family
        .functions
        .iter()
        .map(|(text, contract)| (family.assemble(folder.path(), text), *contract))
        .collect();
    for (object, contract) in &objects {
        assert!(elf::is_object(object));
        assert_eq!(verdict(family, object, contract), Some(Proof::Proved), "{}: {contract}", family.target);
        assert_eq!(fault_when_linked(family, folder.path(), object, contract), Ok(None), "{}", family.target);
    }
    let mut random = Random::new(7);
    let mut tally = Tally::default();
    for number in 0..mutants {
        let (object, contract) = &objects[number % objects.len()];
        let (mutant, what) = elf::mutate(object, &mut random);
        match verdict(family, &mutant, contract) {
            None => tally.refused += 1,
            Some(Proof::Refuted) => tally.refuted += 1,
            Some(Proof::Unknown | Proof::NotRun) => tally.unknown += 1,
            Some(Proof::Proved) => {
                tally.proved += 1;
                *tally.kinds.entry(what).or_default() += 1;
                match fault_when_linked(family, folder.path(), &mutant, contract) {
                    Ok(None) => {}
                    Ok(Some(fault)) => tally.wrong.push(format!(
                        "mutant {number} ({what}, {contract}): {fault}; {}",
                        elf::difference(object, &mutant)
                    )),
                    Err(()) => tally.unlinked += 1,
                }
            }
        }
    }
    println!("{}: {tally:?}", family.target);
    assert!(tally.wrong.is_empty(), "{}: {:#?}", family.target, tally.wrong);
    // the mutants are of every kind: some do no harm, some do
    let few = mutants / 20;
    assert!(tally.proved > few && tally.refused > few && tally.refuted + tally.unknown > few, "{tally:?}");
}

#[test]
fn nothing_wrong_is_proved_of_changed_object_files_for_avr() {
    check(&FAMILIES[0]);
}

#[test]
fn nothing_wrong_is_proved_of_changed_object_files_for_arm() {
    check(&FAMILIES[1]);
}

#[test]
fn nothing_wrong_is_proved_of_changed_object_files_for_mips() {
    check(&FAMILIES[2]);
}
