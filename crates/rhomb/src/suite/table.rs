//! The verdicts on a suite, for people: a line for each function, and below it why it is not proved.

use super::{Answer, Member, Outcome};
use crate::error::shown;
use crate::style::{NAME, QUIET, of_proof, of_time};
use crate::verdict::Proof;
use crate::verify::Verification;
use crate::verify_text::reason;
use anstyle::Style;

const HEADINGS: [&str; 8] = ["function", "contract", "target", "proof", "time", "cycles", "code", "stack"];
/// What is aligned on its right.
const NUMBERS: std::ops::Range<usize> = 5..8;
/// The longest contract that widens its column.
const WIDEST: usize = 48;

/// With line ends and terminal styles (which the printer strips where they are not wanted).
pub fn table(answers: &[Answer]) -> String {
    let rows: Vec<[String; 8]> = answers.iter().map(cells).collect();
    let width = |column: usize| {
        let lengths = rows.iter().map(|row| row[column].chars().count().min(WIDEST));
        lengths.chain([HEADINGS[column].len()]).max().unwrap_or(0)
    };
    let aligned = |column: usize, text: &str| {
        let width = width(column);
        if NUMBERS.contains(&column) { format!("{text:>width$}") } else { format!("{text:width$}") }
    };
    let heading: Vec<String> = HEADINGS.iter().enumerate().map(|(at, text)| aligned(at, text)).collect();
    let mut lines = vec![format!("  {}", heading.join("  ").trim_end())];
    for (answer, row) in answers.iter().zip(&rows) {
        let style = |column: usize| match (column, &answer.found) {
            (0, _) => NAME,
            (3, Ok(found)) => of_proof(found.proof),
            (4, Ok(found)) => of_time(found.constant_time),
            (3, Err(_)) => of_proof(Proof::Refuted),
            _ => Style::new(),
        };
        let cell = |column: usize| {
            let style = style(column);
            format!("{style}{}{style:#}", aligned(column, &row[column]))
        };
        let line = (0..HEADINGS.len()).map(cell).collect::<Vec<_>>().join("  ");
        lines.push(format!("  {}", line.trim_end()));
        lines.extend(why(answer).map(|why| format!("    {why}")));
    }
    lines.push(String::new());
    lines.push(format!("  {}", counts(answers)));
    lines
        .push(format!("  {QUIET}cycles of the function, the slowest call; code and stack in bytes{QUIET:#}"));
    lines.join("\n") + "\n"
}

fn cells(answer: &Answer) -> [String; 8] {
    let Member { symbol, contract, target, .. } = &answer.member;
    let (symbol, contract, target) = (shown(symbol), contract.to_string(), target.clone());
    let Ok(found) = &answer.found else {
        let none = || "-".to_owned();
        return [symbol, contract, target, "failed".to_owned(), none(), none(), none(), none()];
    };
    let proof = match found.proof {
        Proof::Proved => "proved",
        Proof::Refuted => "REFUTED",
        Proof::Unknown | Proof::NotRun => "UNKNOWN",
    };
    let number = |number: Option<u64>| number.map_or("-".to_owned(), |number| number.to_string());
    [
        symbol,
        contract,
        target,
        proof.to_owned(),
        found.constant_time.name().to_owned(),
        number(found.cycles.as_ref().map(|cycles| cycles.function_max)),
        found.code_bytes.to_string(),
        number(found.stack_bytes.map(u64::from)),
    ]
}

/// Why a function is not proved, and how its time is not as required.
fn why(answer: &Answer) -> impl Iterator<Item = String> {
    let (verdict, time) = match &answer.found {
        Err(error) => (Some(error.fault.clone()), None),
        Ok(found) => (not_proved(found), late(answer, found)),
    };
    verdict.into_iter().chain(time)
}

fn not_proved(found: &Verification) -> Option<String> {
    match &found.counterexample {
        Some(counter) => Some(counter.text.clone()),
        None if found.proof == Proof::Proved => None,
        None => found.reasons.first().map(reason),
    }
}

fn late(answer: &Answer, found: &Verification) -> Option<String> {
    let require = answer.member.require.filter(|require| !require.holds(found.constant_time))?;
    let place = found.leak.as_ref().map(|leak| &leak.why).or(found.timing_reason.as_ref()).map(reason);
    let place = place.map(|place| format!(", {place}")).unwrap_or_default();
    Some(format!("its time must be {}{place}", require.name()))
}

/// `5 functions: 3 proved, 1 refuted, 1 unknown`.
fn counts(answers: &[Answer]) -> String {
    let of = |outcome: Outcome| answers.iter().filter(|answer| answer.outcome() == outcome).count();
    let all = answers.len();
    let parts = [
        (Outcome::Good, "proved"),
        (Outcome::Bad, "refuted or not in the time required"),
        (Outcome::Unknown, "unknown"),
        (Outcome::Failed, "failed"),
    ];
    let parts: Vec<String> = parts
        .into_iter()
        .filter_map(|(outcome, text)| {
            Some(of(outcome)).filter(|count| *count > 0).map(|count| format!("{count} {text}"))
        })
        .collect();
    format!("{all} function{}: {}", if all == 1 { "" } else { "s" }, parts.join(", "))
}
