//! The verdicts on a function, for people.

use crate::header;
use crate::verdict::{ConstantTime, Proof};
use crate::verify::{Place, Verification, Why};
use anstyle::Style;

const NAME: Style = Style::new().bold();

/// Reasons that are listed; the JSON has all.
const MOST_REASONS: usize = 5;

/// With line ends and terminal styles (which the printer strips where they are not wanted).
pub fn text(verification: &Verification) -> String {
    let Verification { symbol, contract, target, convention, .. } = verification;
    let mut lines = vec![
        format!("{NAME}{symbol}{NAME:#}: {contract} on {target}, {convention} convention"),
        String::new(),
    ];
    let mut row = |label: &str, text: String| lines.push(format!("  {label:12}{text}").trim_end().to_owned());
    row("proof", proof(verification));
    if let Some(counter) = &verification.counterexample {
        // where the call is stopped, the place below says the same
        if verification.reasons.is_empty() || counter.word.is_some() {
            row("", counter.text.clone());
        }
        if let (Some(word), Some(weight)) = (counter.word, &counter.weight) {
            row("", format!("word {word} of the result has the weight {weight}"));
        }
        let untold = |place: &&Place| verification.reasons.iter().all(|why| why.addresses != [place.address]);
        if let Some(place) = counter.place.as_ref().filter(untold) {
            row("", format!("last written at {}", instruction(place)));
        }
    }
    for why in verification.reasons.iter().take(MOST_REASONS) {
        row("", place(why));
    }
    match verification.reasons.len().saturating_sub(MOST_REASONS) {
        0 => {}
        more => row("", format!("and {more} more; --format json lists all")),
    }
    row("timing", timing(verification.constant_time).to_owned());
    if let Some(leak) = &verification.leak {
        row("", place(leak));
    }
    if let Some(cycles) = &verification.cycles {
        let range = match cycles.function_min == cycles.function_max {
            true => cycles.function_max.to_string(),
            false => format!("{} to {}", cycles.function_min, cycles.function_max),
        };
        let always = matches!(verification.constant_time, ConstantTime::Constant | ConstantTime::Balanced);
        let whose = if always { "in every call" } else { "in the simulated calls" };
        row("cycles", format!("{range} function, {} body, {whose}", cycles.body));
    }
    let operands: Vec<String> = verification
        .memory
        .names
        .iter()
        .zip(&verification.memory.operands)
        .map(|(name, bytes)| format!("{name} {bytes} bytes"))
        .collect();
    row("memory", format!("r {} bytes, {}", verification.memory.result, operands.join(", ")));
    if let Some(stack) = verification.stack_bytes {
        row("stack", format!("{stack} bytes, the return address left out"));
    }
    if let Some(left) = header::left(verification.residue_bytes) {
        row("", left);
    }
    row("size", format!("{} bytes of code", verification.code_bytes));
    if let Some(sha256) = &verification.certificate {
        row("certificate", format!("SHA-256 {sha256}"));
    }
    let calls = verification.calls;
    row("simulated", format!("{calls} call{}", if calls == 1 { "" } else { "s" }));
    lines.join("\n") + "\n"
}

fn proof(verification: &Verification) -> String {
    match verification.proof {
        Proof::Proved => "proved for every input: result, memory, registers, stack".to_owned(),
        Proof::Refuted => "REFUTED".to_owned(),
        Proof::Unknown => "UNKNOWN: neither proved nor refuted".to_owned(),
        Proof::NotRun => "not run".to_owned(),
    }
}

fn timing(verdict: ConstantTime) -> &'static str {
    match verdict {
        ConstantTime::Constant => "constant: no branch and no address depends on the operands",
        ConstantTime::Balanced => "balanced: branches depend on the operands, but take equally long",
        ConstantTime::Leaks => "LEAKS: it depends on the operands",
        ConstantTime::Unchecked => "unchecked: the code could not be followed",
    }
}

/// `0x0012 std Z+3, r25 (mul.S:40)`.
fn instruction(place: &Place) -> String {
    let Place { address, instruction, line } = place;
    let line = line.as_ref().map(|line| format!("({line})")).unwrap_or_default();
    let parts = [format!("{address:#06x}"), instruction.clone(), line];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn place(why: &Why) -> String {
    let place = |(index, address): (usize, &u64)| Place {
        address: *address,
        instruction: why.instructions.get(index).cloned().unwrap_or_default(),
        line: why.lines.get(index).cloned().flatten(),
    };
    let addresses: Vec<String> =
        why.addresses.iter().enumerate().map(place).map(|place| instruction(&place)).collect();
    let weight = why.weight.as_ref().map(|weight| format!("weight {weight}: ")).unwrap_or_default();
    let at = if addresses.is_empty() { String::new() } else { format!("at {}: ", addresses.join(", ")) };
    format!("{at}{weight}{}", why.text)
}
