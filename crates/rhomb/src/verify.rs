//! Evidence for a function of anybody's object file.

use crate::error::Error;
use crate::evidence::{self, Evidence, describe};
use crate::question::{Loaded, Question};
use crate::report::{self, Cycles};
use crate::source::Source;
use crate::subject::Subject;
use crate::targets::{Code, MOST_STEPS, Target};
use crate::verdict::{ConstantTime, Proof, Written};
use rhomb_certificate::{Certificate, Contract};
use rhomb_composition::{Composition, Program};
use rhomb_machine::{Interrupts, Stopped};
use rhomb_prove::{Budget, CounterExample, Difference, Failure, Reason, Spread, Time, Timing, Verdict};
use serde::{Deserialize, Serialize};

/// What was asked, and the verdicts.
#[derive(Clone, Debug, Serialize)]
pub struct Verification {
    /// The function.
    pub symbol: String,
    /// What it is to compute.
    pub contract: String,
    /// The core.
    pub target: &'static str,
    /// By which it is called.
    pub convention: &'static str,
    /// What is assumed about interrupts.
    pub interrupts: Interrupts,
    /// Whether it is right for every input, and keeps the convention.
    pub proof: Proof,
    /// Whether its time depends on the operands.
    pub constant_time: ConstantTime,
    /// Times; `None` where no call came to its end. The same for all inputs where the time is constant, else
    /// what was seen.
    pub cycles: Option<Cycles>,
    /// What it may touch.
    pub memory: Footprint,
    /// Size of the function itself.
    pub code_bytes: usize,
    /// Stack beyond the return address; `None` where no call came to its end.
    pub stack_bytes: Option<u32>,
    /// Bytes of it that depend on the operands after the return, the saved registers left out; `None` where the way
    /// through the code could not be followed.
    pub residue_bytes: Option<u32>,
    /// A call that breaks the contract.
    pub counterexample: Option<Counter>,
    /// What it rests on of what a linker is still to fill in, and what else a linker may do to it.
    pub linker: Vec<String>,
    /// Why it is refuted, or why it is not proved.
    pub reasons: Vec<Why>,
    /// Where time leaks, and two calls that show it.
    pub leak: Option<Leak>,
    /// Where time depends on addresses, or why it could not be told whether it depends on anything.
    pub timing_reason: Option<Why>,
    /// SHA-256 of the certificate.
    pub certificate: Option<String>,
    /// How long it took.
    pub time_ms: u64,
    /// The certificate itself.
    #[serde(skip)]
    pub written: Option<Written>,
    /// Simulated calls.
    #[serde(skip)]
    pub calls: u64,
}

/// Memory that belongs to a call beside its stack, in bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Footprint {
    /// The result, which it writes.
    pub result: u32,
    /// The operands, which it only reads, and behind them a workspace where there is one.
    pub operands: Vec<u32>,
    /// What the contract calls them.
    #[serde(skip)]
    pub names: &'static [&'static str],
}

/// A call that breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Counter {
    /// How result and operands share memory.
    pub pattern: &'static str,
    /// The operands in hexadecimal, `a` first.
    pub operands: Vec<String>,
    /// The lowest wrong word of the result, from 0.
    pub word: Option<usize>,
    /// Its weight in the result.
    pub weight: Option<String>,
    /// What it should be.
    pub expected: Option<String>,
    /// What it is.
    pub got: Option<String>,
    /// The instruction that is responsible last: that stopped, stored the wrong word, or wrote the register
    /// that is lost; `None` where there is none.
    pub place: Option<Site>,
    /// In words.
    pub text: String,
    /// What else than wrong code may be the matter.
    pub hint: Option<String>,
}

/// An instruction.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Site {
    /// Byte address.
    pub address: u64,
    /// The instruction.
    pub instruction: String,
    /// `file:line` of its source, where the object file tells.
    pub line: Option<String>,
}

/// Places in the code and what is wrong there.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Why {
    /// Byte addresses.
    pub addresses: Vec<u64>,
    /// The instructions there.
    pub instructions: Vec<String>,
    /// `file:line` of their source; `None` where the object file does not tell.
    pub lines: Vec<Option<String>>,
    /// Weight in the result, where it is about a term of the result.
    pub weight: Option<String>,
    /// What is the matter.
    pub text: String,
    /// How often it is the matter there.
    pub count: usize,
}

/// Where time leaks.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Leak {
    /// The instruction.
    #[serde(flatten)]
    pub why: Why,
    /// How result and operands share memory in the calls.
    pub pattern: &'static str,
    /// Two calls, with the same addresses, in which it does not do the same.
    pub calls: Vec<LeakingCall>,
}

/// One of the calls that show a leak.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LeakingCall {
    /// The operands in hexadecimal, `a` first.
    pub operands: Vec<String>,
    /// Cycles of the function, the most of them where the core leaves them open; `None` where the call does not return.
    pub cycles: Option<u64>,
    /// What the instruction does.
    pub does: String,
    /// Whether the cycles are the most that the call may take.
    #[serde(skip)]
    pub at_most: bool,
}

impl Verification {
    /// One line of JSON.
    pub fn json(&self) -> String {
        report::versioned("rhomb verification 1", self)
    }
}

/// Terms that the proof of somebody else's function may touch unless told otherwise: mostly some seconds.
pub const EFFORT: u64 = 20_000_000;

/// Instructions of calls after a proof that failed: a second or two.
const SECOND: u64 = 30_000_000;

/// How long to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Instructions after which a call is given up.
    pub steps: u64,
    /// Instructions of all calls before the proof together.
    pub first: u64,
    /// Instructions of all calls after a proof that failed together.
    pub second: u64,
    /// Effort for the proof: see [`EFFORT`].
    pub effort: u64,
    /// Effort for a proof without calls where a composition may take its place.
    pub whole: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            steps: MOST_STEPS,
            first: evidence::BUDGET,
            second: SECOND,
            effort: EFFORT,
            whole: Budget::default().whole,
        }
    }
}

/// Proves a function of an object file, or finds out why not.
///
/// # Errors
/// A file or a symbol that cannot be read.
pub fn verify(question: &Question<'_>, contract: &Contract) -> Result<Verification, Error> {
    verify_within(question, contract, Limits::default())
}

/// The same within other limits.
///
/// # Errors
/// As for [`verify`].
pub fn verify_within(
    question: &Question<'_>,
    contract: &Contract,
    limits: Limits,
) -> Result<Verification, Error> {
    verify_with_calls(question, contract, &[], limits)
}

/// The same of a function that calls others of its file, each with the contract by which it is proved first, and then followed.
///
/// # Errors
/// As for [`verify`].
pub fn verify_with_calls(
    question: &Question<'_>,
    contract: &Contract,
    calls: &[(String, Contract)],
    limits: Limits,
) -> Result<Verification, Error> {
    let Question { symbol, target, interrupts, .. } = *question;
    evidence::check_memory(target, contract)?;
    let entries = question.entries(calls)?;
    let (loaded, subject) = question.load(limits.steps)?;
    Ok(verified((symbol, target, interrupts), loaded, &*subject, (contract, &entries), limits))
}

/// The same for machine code without a file, such as that of [`crate::targets::Target::assemble`].
///
/// # Errors
/// Code that cannot be read.
pub fn verify_code(
    name: &str,
    target: &'static dyn Target,
    convention: Option<&str>,
    code: Code,
    contract: &Contract,
    limits: Limits,
) -> Result<Verification, Error> {
    evidence::check_memory(target, contract)?;
    let (loaded, subject) = Loaded::bare(target, convention, code, limits.steps)?;
    Ok(verified((name, target, Interrupts::Any), loaded, &*subject, (contract, &[]), limits))
}

fn verified(
    (symbol, target, interrupts): (&str, &'static dyn Target, Interrupts),
    Loaded { convention, code, source, notes, .. }: Loaded,
    subject: &dyn Subject,
    (contract, calls): (&Contract, &[(u64, Contract)]),
    limits: Limits,
) -> Verification {
    let search = subject.search(contract, limits.first);
    let simulated = search.calls;
    let Time { timing, bounds, residue } = subject.time(contract);
    let pairs = (&code, convention);
    let evidence = Evidence::alone(&search).map(|own| own.within(bounds).with_pairs(target, pairs, contract));
    let Limits { first, second, effort, whole, .. } = limits;
    let verdict = subject.decide(search, contract, calls, Budget { first, second, effort, whole });
    let why = |reason: &Reason| Why {
        addresses: reason.addresses.clone(),
        instructions: reason.addresses.iter().filter_map(|address| subject.instruction(*address)).collect(),
        lines: reason.addresses.iter().map(|address| source.line(*address)).collect(),
        weight: reason.weight.clone(),
        text: reason.text.clone(),
        count: reason.count,
    };
    let place = |address: u64| Site {
        address,
        instruction: subject.instruction(address).unwrap_or_default(),
        line: source.line(address),
    };
    let (proof, written, counterexample, reasons) = match &verdict {
        Verdict::Proved(certificate) => (Proof::Proved, Some(Written::new(certificate)), None, &[][..]),
        Verdict::Composed(composition) => (Proof::Proved, Some(Written::new(composition)), None, &[][..]),
        Verdict::Refuted(example, reasons) => {
            let counter = Counter { place: example.address.map(place), ..counter(contract, example) };
            (Proof::Refuted, None, Some(counter), &reasons[..])
        }
        Verdict::Unknown(reasons) => (Proof::Unknown, None, None, &reasons[..]),
    };
    let bytes = |words: u32| words * target.description().word_bits / 8;
    Verification {
        symbol: symbol.to_owned(),
        contract: contract.to_string(),
        target: target.name(),
        convention,
        interrupts,
        proof,
        constant_time: ConstantTime::from(&timing),
        cycles: evidence.as_ref().map(|evidence| Cycles::of(evidence, target)),
        memory: Footprint {
            result: bytes(contract.result(target.description().word_bits)),
            operands: contract.operands(target.description().word_bits).into_iter().map(bytes).collect(),
            names: contract.names(),
        },
        code_bytes: target.code_bytes(&code),
        stack_bytes: evidence.as_ref().map(|evidence| evidence.stack_bytes),
        residue_bytes: residue,
        counterexample,
        linker: [&code.placement.relocations[..], &notes].concat(),
        reasons: reasons.iter().map(why).collect(),
        leak: leak(&timing, &source, target.description().word_bits),
        timing_reason: timing_reason(&timing, &source),
        certificate: written.as_ref().map(|written| written.sha256.clone()),
        time_ms: 0,
        written,
        calls: simulated,
    }
}

fn counter(contract: &Contract, example: &CounterExample) -> Counter {
    let digits = example.word_bits as usize / 4 + 2;
    let hex = |value: u64| format!("{value:#0digits$x}");
    let wrong = match &example.failure {
        Failure::Wrong { word, expected, got } => Some((*word, hex(*expected), hex(*got))),
        Failure::Missing { .. } | Failure::Stopped(_) | Failure::Breach(_) => None,
    };
    let weight = |word: &usize| match example.word_bits as usize * word {
        0 => "1".to_owned(),
        power => format!("2^{power}"),
    };
    let word = match (&example.failure, &wrong) {
        (Failure::Missing { word }, _) => Some(*word),
        (_, Some((word, ..))) => Some(*word),
        _ => None,
    };
    let (expected, got) = wrong.map(|(_, expected, got)| (expected, got)).unzip();
    Counter {
        pattern: example.pattern,
        operands: evidence::operands(contract, example),
        word,
        weight: word.as_ref().map(weight),
        expected,
        got,
        place: None,
        text: describe(contract, example),
        hint: evidence::hint(contract, example),
    }
}

fn leak(timing: &Timing, source: &Source, word_bits: u32) -> Option<Leak> {
    let Timing::Leaks { at, cycles, shown } = timing else { return None };
    let calls = shown.calls.iter().map(|call| LeakingCall {
        operands: call
            .numbers(word_bits)
            .iter()
            .map(|value| format!("0x{}", value.to_str_radix(16)))
            .collect(),
        cycles: call.cycles,
        does: does(shown.differs, call.value),
        at_most: shown.differs == Difference::Operands,
    });
    Some(Leak { why: why(at, *cycles, source), pattern: shown.pattern, calls: calls.collect() })
}

/// What an instruction does in a call that shows a leak.
fn does(differs: Difference, value: u64) -> String {
    match differs {
        Difference::Way => format!("goes on at {value:#06x}"),
        Difference::Access if value == 0 => "accesses nothing".to_owned(),
        Difference::Access => format!("accesses data address {value:#06x}"),
        Difference::Time => format!("takes {value} cycle{}", if value == 1 { "" } else { "s" }),
        Difference::Visits => format!("is executed {value} time{}", if value == 1 { "" } else { "s" }),
        Difference::Wait => "has its result waited for".to_owned(),
        Difference::Operands => "has operands that the other call does not give it".to_owned(),
    }
}

fn timing_reason(timing: &Timing, source: &Source) -> Option<Why> {
    match timing {
        Timing::Constant | Timing::Balanced | Timing::Leaks { .. } | Timing::Unknown(_) => None,
        Timing::Places { at, cycles } => Some(why(at, Some(*cycles), source)),
        Timing::Apart(at) => Some(why(at, None, source)),
        Timing::Unshown { at, calls } => {
            let mut why = why(at, None, source);
            why.text.push_str(&format!(", as far as the analysis tells; none of {calls} calls shows it"));
            Some(why)
        }
    }
}

fn why(at: &Stopped, cycles: Option<Spread>, source: &Source) -> Why {
    let mut text = at.fault.to_string();
    match cycles {
        Some(Spread::Branch(branch)) => {
            text.push_str(&format!(": {} cycles if it is taken, {} if not", branch.taken, branch.other));
        }
        Some(Spread::Instruction(cycles)) => {
            text.push_str(&format!(": {} to {} cycles", cycles.min, cycles.max));
        }
        Some(Spread::Unpublished(cycles)) => {
            text.push_str(&format!(
                ": {} to {} cycles, and it is not published for which operands",
                cycles.min, cycles.max
            ));
        }
        None => {}
    }
    let instructions = vec![at.instruction.clone()];
    let lines = vec![source.line(at.address)];
    Why { addresses: vec![at.address], instructions, lines, weight: None, text, count: 1 }
}

/// Writes out the statement that a proof is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Export {
    /// SMT-LIB 2, all aliasing patterns.
    pub smt: String,
    /// CryptoLine, one for each aliasing pattern.
    pub cryptoline: Vec<String>,
}

/// The statement about a function of an object file, for other people's tools. `proof` is the certificate,
/// where there is one.
///
/// # Errors
/// A file or a symbol that cannot be read, or an evidence error where there is no statement because the
/// execution does not come to its end.
pub fn export(
    question: &Question<'_>,
    contract: &Contract,
    proof: Option<&Written>,
) -> Result<Export, Error> {
    let (_, subject) = question.load(MOST_STEPS)?;
    let certificate: Option<Certificate> = proof.and_then(|proof| serde_json::from_str(&proof.text).ok());
    let none = |error| {
        let fault = format!("there is nothing to export: {error}");
        Error::evidence(fault, "an export needs an execution that comes to its end")
    };
    Ok(Export {
        smt: subject.smt(contract).map_err(none)?,
        cryptoline: subject.cryptoline(contract, certificate.as_ref()).map_err(none)?,
    })
}

/// A certificate of any format.
enum AnyCertificate {
    Composition(Composition),
    Routine(Certificate),
}

/// Only the format of a certificate.
#[derive(Deserialize)]
struct Format {
    format: String,
}

fn read_certificate(text: &[u8]) -> Result<AnyCertificate, serde_json::Error> {
    let Format { format } = serde_json::from_slice(text)?;
    // with whatever number
    match format.starts_with(rhomb_composition::FORMAT.trim_end_matches(|last: char| last.is_ascii_digit())) {
        true => serde_json::from_slice(text).map(AnyCertificate::Composition),
        false => serde_json::from_slice(text).map(AnyCertificate::Routine),
    }
}

/// Replays a certificate against a function of an object file; gives what the function is shown to compute.
///
/// # Errors
/// A request error for what cannot be read, an evidence error for a certificate that does not hold.
pub fn replay(question: &Question<'_>, certificate: &[u8]) -> Result<Program, Error> {
    let certificate = read_certificate(certificate).map_err(|error| {
        let fault = format!("the certificate cannot be read: {error}");
        Error::request(
            fault,
            "`rhomb verify --certificate FILE` and `rhomb generate --certificate FILE` write one",
        )
    })?;
    let (_, subject) = question.load(MOST_STEPS)?;
    let held = match &certificate {
        AnyCertificate::Composition(own) => subject.check_composition(own).map_err(|error| error.to_string()),
        AnyCertificate::Routine(own) => {
            subject.check(own).map(Program::from).map_err(|error| error.to_string())
        }
    };
    held.map_err(|error| {
        let fault = format!("the certificate does not hold: {error}");
        Error::evidence(
            fault,
            "a certificate belongs to one code, core, convention and --interrupts; `rhomb verify` makes it",
        )
    })
}
