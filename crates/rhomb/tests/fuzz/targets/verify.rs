//! The way from the bytes of an object file to a verdict, with little time for each.

use rhomb::{Contract, Interrupts, Limits, Proof, Question, replay, targets, verify_within};
use rhomb_object::ObjectFile;

const CONTRACTS: [&str; 6] = ["mul 16", "sqr 16", "add 16", "sub 24", "mul 8", "mul 32 8"];
const TARGETS: [&str; 3] = ["atmega128", "attiny85", "avr128da48"];

/// A second or so for each.
const LIMITS: Limits =
    Limits { steps: 4000, first: 20_000, second: 20_000, effort: 10_000_000, whole: 10_000_000 };

/// Functions that are asked about.
const MOST_FUNCTIONS: usize = 3;

/// The first byte chooses contract and core, the second the first function; the rest is the file.
pub(crate) fn run(bytes: &[u8]) -> String {
    let [choice, first, file @ ..] = bytes else { return "too short".to_owned() };
    let choice = usize::from(*choice);
    let contract: Contract = CONTRACTS[choice % CONTRACTS.len()].parse().expect("a contract");
    let target = targets::find(TARGETS[choice / CONTRACTS.len() % TARGETS.len()]).expect("a core");
    let read = match ObjectFile::parse(file) {
        Ok(read) => read,
        Err(error) => return error.to_string(),
    };
    let mut names: Vec<String> = read.functions().map(|function| function.name.to_owned()).collect();
    let count = names.len().max(1);
    names.rotate_left(usize::from(*first) % count);
    names.truncate(MOST_FUNCTIONS);
    names.resize(names.len().max(1), "nothing".to_owned());
    let mut answers = Vec::new();
    for symbol in &names {
        let question = Question { file, symbol, target, convention: None, interrupts: Interrupts::Any };
        match verify_within(&question, &contract, LIMITS) {
            Err(error) => {
                assert!(!error.fault.contains('\n'), "{error:?}");
                answers.push(error.fault);
            }
            Ok(found) => {
                assert!(!found.json().contains('\n'));
                assert!(!rhomb::verification_text(&found).is_empty());
                // what is proved can be replayed
                if let Some(written) = &found.written {
                    assert_eq!(found.proof, Proof::Proved);
                    let kept = replay(&question, written.text.as_bytes()).expect("a certificate that holds");
                    assert_eq!(kept.to_string(), contract.to_string());
                }
                let why = found.reasons.first().map_or("", |why| &why.text);
                answers.push(format!("{:?} {:?} {why}", found.proof, found.constant_time));
            }
        }
    }
    answers.dedup();
    answers.join("; ")
}
