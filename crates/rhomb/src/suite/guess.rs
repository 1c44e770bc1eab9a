//! What the functions of a file might compute: the first contract of a list that calls do not refute.

use crate::error::Error;
use crate::field::MODULI;
use crate::question::{Question, parsed};
use crate::report;
use crate::targets::Target;
use rhomb_certificate::Contract;
use rhomb_machine::{Fault, Stopped};
use serde::Serialize;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A function of an object file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its name.
    pub symbol: String,
    /// Bytes of its code.
    pub bytes: usize,
}

/// A function, and what it might compute.
#[derive(Clone, Debug)]
pub struct Guess {
    /// The function.
    pub listed: Listed,
    /// What calls do not refute; `None` where they refute all that was tried.
    pub contract: Result<Option<Contract>, Error>,
}

impl Guess {
    /// One line of JSON.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Function<'a> {
            symbol: &'a str,
            code_bytes: usize,
            contract: Option<String>,
            fault: Option<&'a str>,
        }
        let Listed { symbol, bytes } = &self.listed;
        let contract = self.contract.as_ref().ok().and_then(|contract| contract.map(|own| own.to_string()));
        let fault = self.contract.as_ref().err().map(|error| error.fault.as_str());
        report::versioned("rhomb function 1", &Function { symbol, code_bytes: *bytes, contract, fault })
    }
}

/// The functions of a file as a suite, with those that nothing was found for as comments.
///
/// # Errors
/// The first of those of the functions, where there are no others.
pub fn listing(
    (file, target, convention): (&str, &str, Option<&str>),
    guesses: &[Guess],
) -> Result<String, Error> {
    let faults = guesses.iter().filter_map(|guess| guess.contract.as_ref().err());
    if let Some(fault) = faults.clone().next().filter(|_| faults.count() == guesses.len()) {
        return Err(fault.clone());
    }
    let quoted = |text: &str| serde_json::Value::from(text).to_string();
    let mut lines = vec![
        "# Contracts that calls do not refute. Nothing is proved yet, and the names may mean something else."
            .to_owned(),
        "# rhomb verify --contracts FILE proves them.".to_owned(),
        format!("file = {}", quoted(file)),
        format!("target = {}", quoted(target)),
    ];
    lines.extend(convention.map(|convention| format!("convention = {}", quoted(convention))));
    lines.extend([String::new(), "[functions]".to_owned()]);
    for Guess { listed: Listed { symbol, bytes }, contract } in guesses {
        let is_bare = symbol.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        let key = if is_bare && !symbol.is_empty() { symbol.clone() } else { quoted(symbol) };
        lines.push(match contract {
            Ok(Some(contract)) => format!("{key} = {}", quoted(&contract.to_string())),
            Ok(None) => format!("# {key} = \"\"  # {bytes} bytes; no contract was found"),
            Err(error) => format!("# {key} = \"\"  # {bytes} bytes; {}", error.fault),
        });
    }
    Ok(lines.join("\n") + "\n")
}

/// Instructions after which a call is given up, and calls that take so long until the function is.
const STEPS: u64 = 2_000_000;
const MOST_ENDLESS: usize = 4;
/// Instructions of the calls that a contract has to stand.
const BUDGET: u64 = 200_000;

/// The functions of an object file, each name once, in the order of the names.
///
/// # Errors
/// A file that cannot be read, or is for another processor.
pub fn functions(file: &[u8], target: &dyn Target) -> Result<Vec<Listed>, Error> {
    let file = parsed(file, target)?;
    let all = file.functions().map(|function| (function.name.to_owned(), function.size));
    let all: BTreeMap<String, usize> = all.collect();
    Ok(all.into_iter().map(|(symbol, bytes)| Listed { symbol, bytes }).collect())
}

/// What a function might compute: the first contract that calls do not refute. It is not proved, and others may fit, too.
///
/// # Errors
/// A file or a symbol that cannot be read.
pub fn guess(question: &Question<'_>) -> Result<Option<Contract>, Error> {
    let (_, subject) = question.load(STEPS)?;
    let mut endless = 0;
    for contract in tried(question.target.description().word_bits) {
        match subject.keeps_once(contract) {
            Ok(true) if subject.search(contract, BUDGET).is_kept_alone() => return Ok(Some(*contract)),
            Err(Stopped { fault: Fault::StepLimit { .. }, .. }) => endless += 1,
            Ok(_) | Err(_) => {}
        }
        if endless == MOST_ENDLESS {
            break;
        }
    }
    Ok(None)
}

/// What is tried on words of so many bits.
fn tried(word_bits: u32) -> &'static [Contract] {
    static OF_8: OnceLock<Vec<Contract>> = OnceLock::new();
    static OF_16: OnceLock<Vec<Contract>> = OnceLock::new();
    static OF_32: OnceLock<Vec<Contract>> = OnceLock::new();
    let all = match word_bits {
        8 => &OF_8,
        16 => &OF_16,
        _ => &OF_32,
    };
    all.get_or_init(|| contracts(word_bits))
}

/// How functions take two operands, or one. A length by argument is tried with one size only: any would do.
const TWO: [&str; 5] = ["", "(r=a, b)", "(a, b, r)", "(r, a, b, words)", "(r=a, b, words)"];
const ONE: [&str; 4] = ["", "(r=a)", "(r, a, words)", "(r=a, words)"];

fn contracts(word_bits: u32) -> Vec<Contract> {
    let mut all = Vec::new();
    let mut take = |text: String| all.extend(text.parse::<Contract>().ok());
    let sizes: Vec<u32> =
        (1..=32).chain([33, 34, 36, 40, 48, 64, 66, 96, 128]).map(|words| words * word_bits).collect();
    let by_argument = 8 * word_bits;
    for (operations, prototypes, returned) in [
        (&["add", "sub"][..], &TWO[..], &["", "-> void"][..]),
        (&["mac", "msub"], &["", "(r, a, b, words)"], &["", "-> void"]),
        (&["mul", "mullow", "gf2mul", "gf2add"], &TWO, &[""]),
        (&["select"], &["(r, a, b, c)", "(r=b, a, c)", "(r, a, b, -c)", "(r=b, a, -c)"], &[""]),
        (&["sqr", "gf2sqr"], &ONE, &[""]),
        (&["neg"], &ONE, &["-> carry", ""]),
    ] {
        for (operation, prototype) in
            operations.iter().flat_map(|name| prototypes.iter().map(move |own| (name, own)))
        {
            let has_length = prototype.contains("words");
            for size in sizes.iter().filter(|size| !has_length || **size == by_argument) {
                for returned in returned {
                    take(format!("{operation} {size} {prototype} {returned}"));
                }
            }
        }
    }
    for size in &sizes {
        for (by, prototype) in (1..=4).flat_map(|by| ["(r, a)", "(r=a)"].map(|prototype| (by, prototype))) {
            take(format!("shl {size} {by} {prototype} -> carry"));
            take(format!("shl {size} {by} {prototype}"));
            take(format!("shr {size} {by} {prototype}"));
        }
        for operation in ["mul", "mac", "msub"] {
            take(format!("{operation} {size} word"));
        }
        take(format!("mul {size} word -> r"));
    }
    for operation in ["mul", "mac", "msub"] {
        take(format!("{operation} {by_argument} word (r, a, words, b)"));
    }
    take(format!("mul {by_argument} word (r, a, words, b) -> r"));
    for (_, modulus) in MODULI {
        for (operation, prototypes) in [
            ("modadd", &TWO[..3]),
            ("modsub", &TWO[..3]),
            ("modmul", &TWO[..3]),
            ("montmul", &TWO[..3]),
            ("modneg", &ONE[..2]),
            ("moddouble", &ONE[..2]),
            ("modhalf", &ONE[..2]),
            ("cond-sub", &ONE[..2]),
            ("modsqr", &ONE[..2]),
            ("montsqr", &ONE[..2]),
            ("modreduce", &ONE[..1]),
            ("montreduce", &ONE[..1]),
        ] {
            let two = prototypes.len() == 3;
            let below = if two {
                "a<p b<p"
            } else if operation == "modreduce" || operation == "montreduce" {
                ""
            } else {
                "a<p"
            };
            for prototype in prototypes {
                // the most that it may claim comes first
                for bounds in ["r<p".to_owned(), format!("{below} r<p"), String::new(), below.to_owned()] {
                    // what does nothing leaves a number congruent
                    if operation == "cond-sub" && !bounds.contains('r') {
                        continue;
                    }
                    take(format!("{operation} {modulus} {bounds} {prototype}"));
                }
            }
        }
    }
    all
}
