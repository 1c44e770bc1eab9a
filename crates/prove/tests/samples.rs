//! Kernels written by hand are proved without annotation, and the proofs pass the checker.

use rhomb_certificate::{CheckError, check};
use rhomb_prove::{Timing, Unproved, prove, timing};
use rhomb_samples::{Sample, catalogue};

/// Beginnings of the names of kernels that are left out, and why.
const LEFT_OUT: &[(&str, &str)] = &[
    ("karatsuba 3 32", "takes seconds"),
    ("karatsuba 3 64", "takes most of a minute"),
    ("branched 2 Memory Asr 32", "takes seconds"),
    ("branched 2 Memory Sbc 32", "takes seconds"),
    ("branched 3", "takes most of a minute"),
];

fn left_out(sample: &Sample) -> bool {
    LEFT_OUT.iter().any(|(prefix, _)| sample.name.starts_with(prefix))
}

fn failure(sample: &Sample) -> Option<String> {
    let contract = sample.contract.parse().unwrap();
    let function = sample.function();
    match prove(&function, &contract) {
        Ok(certificate) => {
            assert_eq!(check(&function, &certificate), Ok::<_, CheckError>(contract), "{}", sample.name);
            None
        }
        Err(failure) => Some(format!("{}: {}", sample.name, describe(sample, &failure))),
    }
}

#[test]
fn hand_written_kernels_are_proved() {
    let samples: Vec<Sample> = catalogue().into_iter().filter(|sample| !left_out(sample)).collect();
    assert!(samples.len() > 100, "{}", samples.len());
    let failures: Vec<String> =
        samples.iter().step_by(rhomb_oracles::sample(9, 1)).filter_map(failure).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// A branch on the sign shows, and takes the same time on both sides.
#[test]
fn branched_kernels_are_balanced_and_others_constant() {
    let of_karatsuba =
        |sample: &Sample| ["branched", "karatsuba"].iter().any(|own| sample.name.starts_with(own));
    for sample in catalogue().into_iter().filter(of_karatsuba) {
        let branched = sample.name.starts_with("branched");
        let expected = if branched { Timing::Balanced } else { Timing::Constant };
        let timing = timing(&sample.function(), &sample.contract.parse().unwrap());
        assert_eq!(timing, expected, "{}", sample.name);
    }
}

/// Each line of the list stands for kernels that exist.
#[test]
fn what_is_left_out_exists() {
    let samples = catalogue();
    for (prefix, reason) in LEFT_OUT {
        let exists = samples.iter().any(|sample| sample.name.starts_with(prefix));
        assert!(exists, "no kernel begins with '{prefix}' ({reason})");
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
