//! The verdicts on a suite in the format of static analysis, SARIF 2.1.0 (OASIS, 2020), which code hosts show beside the
//! source.

use super::{Answer, Member};
use crate::verdict::Proof;
use crate::verify::{Verification, Why};
use serde_json::{Value, json};

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// One run, with a result for each function that is refuted, unknown, failed, or not in the time that is asked for; one line.
pub fn sarif(answers: &[Answer]) -> String {
    let rule = |id: &str, text: &str| json!({"id": id, "shortDescription": {"text": text}});
    let results: Vec<Value> = answers.iter().flat_map(results).collect();
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "rhomb",
                "version": env!("CARGO_PKG_VERSION"),
                "rules": [
                    rule("refuted", "The function does not keep its contract."),
                    rule("unknown", "The function is neither proved nor refuted."),
                    rule("time", "The time of the function is not as required."),
                    rule("failed", "The function could not be verified."),
                ],
            }},
            "results": results,
        }],
    });
    format!("{document}\n")
}

fn results(answer: &Answer) -> Vec<Value> {
    let Member { symbol, contract, file, target, .. } = &answer.member;
    let result = |rule: &str, level: &str, text: &str, line: Option<&str>| {
        let at = line.and_then(place).unwrap_or_else(|| json!({"artifactLocation": {"uri": file}}));
        json!({
            "ruleId": rule,
            "level": level,
            "message": {"text": format!("{symbol}: {contract} on {target}: {text}")},
            "locations": [{
                "physicalLocation": at,
                "logicalLocations": [{"name": symbol, "kind": "function"}],
            }],
        })
    };
    let found = match &answer.found {
        Err(error) => return vec![result("failed", "error", &error.fault, None)],
        Ok(found) => found,
    };
    let mut results = Vec::new();
    let why = found.reasons.first();
    match found.proof {
        Proof::Proved => {}
        Proof::Refuted => {
            let text = found.counterexample.as_ref().map_or("refuted", |counter| &counter.text);
            results.push(result("refuted", "error", text, refuted_at(found)));
        }
        Proof::Unknown | Proof::NotRun => {
            let text = why.map_or("neither proved nor refuted", |why| &why.text);
            results.push(result("unknown", "warning", text, why.and_then(line)));
        }
    }
    if let Some(require) = answer.member.require.filter(|require| !require.holds(found.constant_time)) {
        let why = found.leak.as_ref().map(|leak| &leak.why).or(found.timing_reason.as_ref());
        let text = why.map_or(String::new(), |why| format!(": {}", why.text));
        let text = format!("the time must be {}{text}", require.name());
        results.push(result("time", "error", &text, why.and_then(line)));
    }
    results
}

/// The source of the instruction that is to blame.
fn refuted_at(found: &Verification) -> Option<&str> {
    let reason = found.reasons.first().and_then(line);
    let place = found.counterexample.as_ref().and_then(|counter| counter.place.as_ref());
    reason.or(place.and_then(|place| place.line.as_deref()))
}

fn line(why: &Why) -> Option<&str> {
    why.lines.first()?.as_deref()
}

/// `file:line` as a physical location.
fn place(line: &str) -> Option<Value> {
    let (file, line) = line.rsplit_once(':')?;
    let line: u64 = line.parse().ok().filter(|line| *line > 0)?;
    Some(json!({"artifactLocation": {"uri": file}, "region": {"startLine": line}}))
}
