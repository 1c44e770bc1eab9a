//! Kernels written by hand: what is proved, and what is not yet.

use rhomb_certificate::{CheckError, check};
use rhomb_prove::{Unproved, prove};
use rhomb_samples::{Sample, catalogue};
use std::time::Instant;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// And the certificate passes the checker.
    Proved,
    /// Terms of the result remain.
    Open,
    /// Anything else: the execution stops, or the convention is broken.
    Other,
}
use Outcome::{Open, Other, Proved};

/// What to expect of each kernel: the first line whose words its name begins with holds.
const EXPECTED: &[(&str, Outcome)] = &[
    ("add", Proved),
    ("sub", Proved),
    ("looped", Proved),
    ("squaring", Proved),
    ("stack frame", Proved),
    ("pushed", Proved),
    ("T flag", Proved),
    ("karatsuba", Open),
    ("branched", Open),
    ("strip", Proved),
    ("called", Proved),
];

fn expected(sample: &Sample) -> Outcome {
    let line = EXPECTED.iter().find(|(family, _)| sample.name.starts_with(family));
    line.unwrap_or_else(|| panic!("no line for {}", sample.name)).1
}

/// Proves and checks; what the prover says otherwise.
fn outcome(sample: &Sample) -> Result<(), Unproved> {
    let contract = sample.contract.parse().unwrap();
    let function = sample.function();
    let certificate = prove(&function, &contract)?;
    assert_eq!(check(&function, &certificate), Ok::<_, CheckError>(contract), "{}", sample.name);
    Ok(())
}

#[test]
fn proved() {
    let proved = catalogue().into_iter().filter(|sample| expected(sample) == Proved);
    let failures: Vec<String> = proved
        .filter_map(|sample| {
            let failure = outcome(&sample).err()?;
            Some(format!("{}: {}", sample.name, describe(&sample, &failure)))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Prints the verdict on each kernel that is not expected to be proved; where one is, its line in
/// [`EXPECTED`] can change. With SAMPLES=PREFIX, on each kernel whose name begins so:
/// `SAMPLES=karatsuba cargo test --release -p rhomb-prove --test samples -- --ignored --nocapture`.
#[test]
#[ignore = "a list for people"]
fn not_proved_yet() {
    match std::env::var("SAMPLES") {
        Ok(prefix) => list(|sample| sample.name.starts_with(&prefix)),
        Err(_) => list(|sample| expected(sample) != Proved),
    }
}

fn list(wanted: impl Fn(&Sample) -> bool) {
    for sample in catalogue().iter().filter(|sample| wanted(sample)) {
        let start = Instant::now();
        let (outcome, text) = match outcome(sample) {
            Ok(()) => (Proved, String::new()),
            Err(failure @ Unproved::Open(_)) => (Open, describe(sample, &failure)),
            Err(failure) => (Other, describe(sample, &failure)),
        };
        let remark = if outcome == expected(sample) { "" } else { "NOT AS EXPECTED: " };
        println!("{:62} {:8.3} s {remark}{outcome:?} {text}", sample.name, start.elapsed().as_secs_f64());
    }
}

/// The message, and for an open obligation the instructions that made its first terms.
fn describe(sample: &Sample, failure: &Unproved) -> String {
    let mut text = failure.to_string();
    let Unproved::Open(open) = failure else { return text };
    let program = sample.function().program;
    for obligation in open.iter().take(3) {
        text += "\n        ";
        for address in &obligation.addresses {
            let instruction = program.instruction(address / 2).map(|(instruction, _)| instruction);
            let instruction = instruction.as_ref().map(rhomb_avr::syntax::gnu::instruction);
            text += &format!("{address:#x} {}; ", instruction.unwrap_or_default());
        }
        text += &format!("weight {}", obligation.weight);
    }
    text
}
