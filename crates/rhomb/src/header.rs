//! The comment on top of an assembly file: the routine's contract and what is known about it.

use crate::evidence::Evidence;
use crate::request::Plan;
use crate::target::{Comment, Static};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use rhomb_kernel::Operation;

/// Licence of what is generated.
pub(crate) const LICENCE: &str = "SPDX-License-Identifier: MIT OR Apache-2.0";

/// The program and its version.
pub(crate) const VERSION: &str = concat!("rhomb ", env!("CARGO_PKG_VERSION"));

/// The C prototype, without semicolon.
pub(crate) fn prototype(plan: &Plan) -> String {
    let words = plan.words();
    let word = format!("uint{}_t", plan.target.word_bits());
    let operation = plan.operation;
    let mut arguments = vec![format!("{word} r[{}]", operation.result_words(words))];
    arguments.extend(operation.operands().iter().map(|name| format!("const {word} {name}[{words}]")));
    let returned = if operation.returns_carry() { word } else { "void".to_owned() };
    format!("{returned} {}({})", plan.name, arguments.join(", "))
}

/// What the routine computes and asks for, one sentence a line.
pub(crate) fn rules(plan: &Plan) -> Vec<String> {
    let (bits, word_bits) = (plan.bits, plan.target.word_bits() as usize);
    let words = plan.words();
    let result = plan.operation.result_words(words);
    // on a processor of bytes a word is a byte
    let (unit, lowest) = match word_bits {
        8 => ("bytes".to_owned(), "least significant byte"),
        bits => (format!("words of {bits} bits"), "least significant word"),
    };
    let mut lines = match plan.operation {
        Operation::Mul => vec![
            format!("r = a * b: the product of two {bits}-bit numbers."),
            format!("a and b are {words} {unit} long, r is {result}; the {lowest} comes first."),
            "r must not overlap a or b; a and b may be the same array, or overlap each other.".to_owned(),
        ],
        Operation::Sqr => vec![
            format!("r = a * a: the square of a {bits}-bit number."),
            format!("a is {words} {unit} long, r is {result}; the {lowest} comes first."),
            "r must not overlap a.".to_owned(),
        ],
        Operation::Add | Operation::Sub => {
            let (sign, name, carry) = match plan.operation {
                Operation::Add => ("+", "sum", "carry"),
                _ => ("-", "difference", "borrow"),
            };
            vec![
                format!("r = a {sign} b modulo 2^{}: the {name} of two numbers.", words * word_bits),
                format!("a, b and r are {words} {unit} long; the {lowest} comes first."),
                format!("The {carry}, 0 or 1, is returned."),
                "r may be a or b or both, and must not overlap them otherwise.".to_owned(),
            ]
        }
    };
    if bits % word_bits != 0 {
        lines.push(format!(
            "All {} bits of {} count: they need not be below 2^{bits}.",
            words * word_bits,
            plan.operation.operands().join(" and ")
        ));
    }
    lines
}

/// The comment, with an empty line after it.
pub(crate) fn contract(plan: &Plan, facts: &Static, evidence: &Evidence, verdicts: &Verdicts) -> String {
    let mut lines = vec![format!("    {};", prototype(plan)), String::new()];
    lines.extend(rules(plan));
    lines.push(String::new());
    let Evidence { calls, function, body, stack_bytes, .. } = evidence;
    let cycles = if function.min == function.max {
        format!("{body} body, {} function, the same in every call", function.max)
    } else {
        format!("{body} body, {} to {} function", function.min, function.max)
    };
    let facts = [
        ("core", format!("{} ({})", plan.target.name(), plan.target.processor())),
        ("convention", plan.target.convention_summary(plan.convention).to_owned()),
        ("method", format!("{}, {}", method(plan), plan.form.name())),
        ("saved", facts.saved.clone()),
        ("written", facts.written.clone()),
        ("stack", stack(*stack_bytes, plan.target.return_bytes())),
        ("", left(plan.copied_bytes)),
        ("cycles", cycles),
        ("", "body: after the saves, before the restores, argument moves included".to_owned()),
        ("", "function: first instruction to return, without the caller's call".to_owned()),
        ("size", format!("{} bytes", plan.target.code_bytes(&plan.code))),
        ("simulated", format!("{calls} calls from the machine code, all right")),
        ("timing", constant_time(verdicts.constant_time).to_owned()),
        ("proof", proof(verdicts.proof).to_owned()),
    ];
    let certificate =
        verdicts.certificate.iter().map(|made| ("certificate", format!("SHA-256 {}", made.sha256)));
    let said = |(_, value): &(&str, String)| !value.is_empty();
    lines.extend(
        facts.into_iter().filter(said).chain(certificate).map(|(key, value)| format!("{key:11} {value}")),
    );
    lines.push(String::new());
    lines.push(LICENCE.to_owned());
    lines.push(format!("Made by {VERSION}:"));
    lines.push(format!("    {}", plan.command_line()));
    comment(plan.target.file_style(plan.syntax).comment, &lines) + "\n"
}

/// What it takes of the stack. Some processors keep the return address in a register.
fn stack(bytes: u32, return_bytes: u32) -> String {
    match return_bytes {
        0 => format!("{bytes} bytes"),
        more => format!("{bytes} bytes, and {more} of return address"),
    }
}

/// What stays on the stack.
fn left(copied_bytes: u32) -> String {
    match copied_bytes {
        0 => String::new(),
        bytes => {
            format!("{bytes} bytes below the stack pointer hold a copy of b after the return: not wiped")
        }
    }
}

/// `operand-caching, cache 10, carry-once 2`.
pub(crate) fn method(plan: &Plan) -> String {
    let mut text = plan.method.name.to_owned();
    for parameter in plan.method.parameters {
        if let Some(value) = parameter.of(&plan.parameters) {
            text.push_str(&format!(", {} {value}", parameter.name()));
        }
    }
    if let Some(accumulation) = plan.accumulation {
        text.push_str(&format!(", by {accumulation}"));
    }
    if plan.constant_time {
        text.push_str(", of constant time");
    }
    text
}

/// Lines as one comment.
pub(crate) fn comment(style: Comment, lines: &[String]) -> String {
    let marked = |mark: &str| -> String {
        lines.iter().map(|line| format!("{}\n", format!("{mark} {line}").trim_end())).collect()
    };
    match style {
        Comment::Block => format!("/*\n{} */\n", marked(" *")),
        Comment::Lines(mark) => marked(mark),
    }
}

fn constant_time(verdict: ConstantTime) -> &'static str {
    match verdict {
        ConstantTime::Constant => "no branch and no address depends on the operands",
        ConstantTime::Balanced => "branches depend on the operands, but take equally long",
        ConstantTime::Leaks => "DEPENDS ON THE OPERANDS",
        ConstantTime::Unchecked => "whether it depends on the operands was not checked",
    }
}

fn proof(verdict: Proof) -> &'static str {
    match verdict {
        Proof::Proved => "proved right for every input, from the machine code",
        Proof::Refuted => "REFUTED",
        Proof::Unknown => "NOT PROVED: the prover could not tell",
        Proof::NotRun => "NOT PROVED: not run",
    }
}
