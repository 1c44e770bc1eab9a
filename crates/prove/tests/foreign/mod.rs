//! What others' tools make: compiled C with what it calls in libgcc, and assembly in GNU syntax. Each is
//! proved, or the reasons why not are listed.
#![cfg(feature = "oracles")]

mod build;

use build::{Source, function};
use rhomb_certificate::{Contract, EFFORT};
use rhomb_prove::{Budget, Timing, Verdict, decide, timing};

const BUDGET: Budget = Budget { first: 200_000, second: 3_000_000, effort: EFFORT, whole: EFFORT };

/// A line of the table.
fn outcome(name: &str, source: &Source, contract: &str) -> String {
    let contract: Contract = contract.parse().unwrap();
    let function = function(source);
    let verdict = match decide(&function, &contract, BUDGET) {
        Verdict::Proved(_) | Verdict::Composed(_) => "proved".to_owned(),
        Verdict::Refuted(example, _) => panic!("{name}: {example:?}"),
        Verdict::Unknown(reasons) => {
            let first = &reasons[0];
            let addresses: Vec<String> = first.addresses.iter().map(|at| format!("{at:#x}")).collect();
            format!("unknown: {} reasons, {} at {}", reasons.len(), first.text, addresses.join(" "))
        }
    };
    let time = match timing(&function, &contract) {
        Timing::Constant => "constant".to_owned(),
        Timing::Balanced => "balanced".to_owned(),
        Timing::Leaks { at, .. } => format!("leaks at {:#x}", at.address),
        Timing::Places { at, .. } => format!("depends on addresses at {:#x}", at.address),
        Timing::Unshown { .. } | Timing::Apart(_) | Timing::Unknown(_) => "unknown".to_owned(),
    };
    format!("{name:28} {time:10} {verdict}\n")
}

#[test]
fn compiled_c() {
    let mut table = String::new();
    for limb in [8, 16, 32] {
        for bits in [32, 64, 160, 256] {
            for level in ["-Os", "-O2"] {
                let source = Source::C { level, bits, limb };
                let name = format!("{bits} bits by {limb} {level}");
                table += &outcome(&name, &source, &format!("mul {bits}"));
            }
        }
    }
    println!("{table}");
    insta::assert_snapshot!(table);
}

#[test]
fn assembly_in_gnu_syntax() {
    let mut table = String::new();
    for (name, symbol, contract) in
        [("columns", "mul", "mul 32"), ("masks", "sub", "sub 40"), ("frame", "mul", "mul 24")]
    {
        table += &outcome(name, &Source::Assembly { name, symbol }, contract);
    }
    println!("{table}");
    insta::assert_snapshot!(table);
}
