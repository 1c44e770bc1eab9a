//! The verdicts on a function, for people.

use crate::error::shown;
use crate::evidence::CyclesFrom;
use crate::header;
use crate::report::rests_on;
use crate::style::{self, NAME};
use crate::verdict::{ConstantTime, Proof};
use crate::verify::{LeakingCall, Site, Verification, Why};
use anstyle::Style;

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
    row("proof", styled(style::of_proof(verification.proof), &proof(verification)));
    if let Some(assumed) = header::assumed(verification.interrupts) {
        row("assumed", assumed.to_owned());
    }
    if let Some(counter) = &verification.counterexample {
        // where the call is stopped, the place below says the same
        if verification.reasons.is_empty() || counter.word.is_some() {
            row("", counter.text.clone());
        }
        if let (Some(word), Some(weight)) = (counter.word, &counter.weight) {
            row("", format!("word {word} of the result has the weight {weight}"));
        }
        let untold = |place: &&Site| verification.reasons.iter().all(|why| why.addresses != [place.address]);
        if let Some(place) = counter.place.as_ref().filter(untold) {
            row("", format!("last written at {}", instruction(place)));
        }
    }
    if let Some(hint) = verification.counterexample.as_ref().and_then(|counter| counter.hint.as_ref()) {
        row("", format!("hint: {hint}"));
    }
    for why in verification.reasons.iter().take(MOST_REASONS) {
        row("", reason(why));
    }
    match verification.reasons.iter().skip(MOST_REASONS).map(|why| why.count).sum::<usize>() {
        0 => {}
        more => row(
            "",
            format!("and {more} more; --format json lists those of {} places", verification.reasons.len()),
        ),
    }
    for (number, note) in verification.linker.iter().take(MOST_REASONS).enumerate() {
        row(if number == 0 { "linker" } else { "" }, note.clone());
    }
    match verification.linker.len().saturating_sub(MOST_REASONS) {
        0 => {}
        more => row("", format!("and {more} more; --format json lists all")),
    }
    row("timing", styled(style::of_time(verification.constant_time), timing(verification.constant_time)));
    if let Some(leak) = &verification.leak {
        row("", reason(&leak.why));
        for call in &leak.calls {
            row("", leaking(call, verification.memory.names));
        }
    }
    if let Some(why) = &verification.timing_reason {
        row("", reason(why));
    }
    if let Some(cycles) = &verification.cycles {
        let (function, body) = (cycles.function_text(), cycles.body_text());
        let whose = match cycles.from {
            CyclesFrom::Exact if cycles.function_min == cycles.function_max => ", in every call".to_owned(),
            from => header::of_calls(from, verification.calls),
        };
        row("cycles", format!("{function} function, {body} body{whose}"));
        if let Some(about) = cycles.about {
            row("", rests_on(about));
        }
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

/// The verdict in colour, without its explanation.
fn styled(style: Style, text: &str) -> String {
    let end = text.find(':').unwrap_or(text.len());
    format!("{style}{}{style:#}{}", &text[..end], &text[end..])
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
        ConstantTime::Balanced => {
            "balanced: branches or instructions depend on the operands, but take equally long in all"
        }
        ConstantTime::DependsOnAddresses => {
            "depends on addresses: on where the arrays lie, not on the operands"
        }
        ConstantTime::Unknown => "UNKNOWN: whether it depends on the operands could not be told",
        ConstantTime::Leaks => "LEAKS: it depends on the operands",
        ConstantTime::Unchecked => "unchecked: the code could not be followed",
    }
}

/// `a = 0x1, b = 0x2: takes 3 cycles; 26 cycles in all`.
fn leaking(call: &LeakingCall, names: &[&str]) -> String {
    let operands: Vec<String> =
        names.iter().zip(&call.operands).map(|(name, value)| format!("{name} = {}", shown(value))).collect();
    let all = match call.cycles {
        Some(cycles) if call.at_most => format!("at most {cycles} cycles in all"),
        Some(cycles) => format!("{cycles} cycles in all"),
        None => "the call does not return".to_owned(),
    };
    format!("{}: it {}, {all}", operands.join(", "), call.does)
}

/// `0x0012 std Z+3, r25 (mul.S:40)`.
fn instruction(place: &Site) -> String {
    let Site { address, instruction, line } = place;
    let line = line.as_ref().map(|line| format!("({line})")).unwrap_or_default();
    let parts = [format!("{address:#06x}"), instruction.clone(), line];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

/// A reason with its instructions.
pub(crate) fn reason(why: &Why) -> String {
    let place = |(index, address): (usize, &u64)| Site {
        address: *address,
        instruction: why.instructions.get(index).cloned().unwrap_or_default(),
        line: why.lines.get(index).cloned().flatten(),
    };
    let addresses: Vec<String> =
        why.addresses.iter().enumerate().map(place).map(|place| instruction(&place)).collect();
    let others = if why.count > 1 { format!(" and {} more", why.count - 1) } else { String::new() };
    let weight = why.weight.as_ref().map(|weight| format!("weight {weight}{others}: ")).unwrap_or_default();
    let at = if addresses.is_empty() { String::new() } else { format!("at {}: ", addresses.join(", ")) };
    format!("{at}{weight}{}", why.text)
}
