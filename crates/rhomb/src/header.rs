//! The comment on top of an assembly file: the routine's contract and what is known about it.

use crate::evidence::{CyclesFrom, Evidence};
use crate::plan::Plan;
use crate::report::{counted, range, rests_on};
use crate::targets::{CDialect, Comment, Static, Target};
use crate::verdict::{ConstantTime, Proof, Verdicts};
use rhomb_certificate::{Binary, Computation, Expression, Factor, Modular, Operation};
use rhomb_machine::{Cycles, Interrupts};

/// Licence of what is generated.
pub(crate) const LICENCE: &str = "SPDX-License-Identifier: MIT OR Apache-2.0";

/// The program and its version.
pub(crate) const VERSION: &str = concat!("rhomb ", env!("CARGO_PKG_VERSION"));

/// The C prototype, without semicolon.
pub(crate) fn prototype(plan: &Plan) -> String {
    let (contract, bits) = (&plan.contract, plan.target.description().word_bits);
    let word = format!("uint{bits}_t");
    let mut arguments = vec![format!("{word} r[{}]", contract.result(bits))];
    let operands = contract.expression().operands().iter().zip(contract.operands(bits));
    arguments.extend(operands.map(|(name, words)| format!("const {word} {name}[{words}]")));
    let returned = if contract.returns_carry() { word } else { "void".to_owned() };
    format!("{returned} {}({})", plan.name, arguments.join(", "))
}

/// The prototype as the convention wants it.
fn declaration(plan: &Plan) -> String {
    match plan.target.description().convention(plan.convention).c {
        CDialect { pointed: "", .. } => prototype(plan),
        CDialect { pointed, .. } => with_pointers(plan, pointed),
    }
}

/// The prototype with pointers in place of arrays, so that what they point to can be qualified.
fn with_pointers(plan: &Plan, pointed: &str) -> String {
    let word = format!("uint{}_t", plan.target.description().word_bits);
    let mut arguments = vec![format!("{word} {pointed}*r")];
    let operands = plan.contract.expression().operands();
    arguments.extend(operands.iter().map(|name| format!("const {word} {pointed}*{name}")));
    format!("void {}({})", plan.name, arguments.join(", "))
}

/// What the routine computes and asks for, one sentence a line.
pub(crate) fn rules(plan: &Plan) -> Vec<String> {
    let word_bits = plan.target.description().word_bits;
    let (contract, bits) = (&plan.contract, plan.contract.bits());
    let (words, result) = (contract.operands(word_bits)[0], contract.result(word_bits));
    // on a processor of bytes a word is a byte
    let (unit, lowest) = match word_bits {
        8 => ("bytes".to_owned(), "least significant byte"),
        bits => (format!("words of {bits} bits"), "least significant word"),
    };
    let names = contract.expression().operands().join(" and ");
    let is_sum = matches!(contract.operation(), Operation::Add | Operation::Sub);
    let mut lines = match &contract.computation {
        Computation::Whole(own) => match own.operation {
            Operation::Mul => vec![format!("r = a * b: the product of two {bits}-bit numbers.")],
            Operation::Sqr => vec![format!("r = a * a: the square of a {bits}-bit number.")],
            operation => {
                let name = if operation == Operation::Sub { "difference" } else { "sum" };
                let value = operation.expression();
                vec![format!("r = {value} modulo 2^{}: the {name} of two numbers.", words * word_bits)]
            }
        },
        Computation::Modular(modular) => modulo_number(modular, word_bits),
        // whole programs, with a heading of their own
        Computation::AnyModulus(any) => vec![format!("Contract: {any}.")],
        Computation::Binary(binary) => over_gf2(binary, word_bits),
    };
    let is_or_are = if names.len() > 1 { "are" } else { "is" };
    lines.push(match is_sum {
        true => format!("a, b and r are {words} {unit} long; the {lowest} comes first."),
        false => format!("{names} {is_or_are} {words} {unit} long, r is {result}; the {lowest} comes first."),
    });
    match contract.operation() {
        Operation::Add => lines.push("The carry, 0 or 1, is returned.".to_owned()),
        Operation::Sub => lines.push("The borrow, 0 or 1, is returned.".to_owned()),
        _ => {}
    }
    lines.push(
        match (contract.patterns().len() > 1, contract.expression().operands().len()) {
            (true, _) => "r may be a or b or both, and must not overlap them otherwise.",
            (false, 1) => "r must not overlap a.",
            (false, _) => "r must not overlap a or b; a and b may be the same array, or overlap each other.",
        }
        .to_owned(),
    );
    let is_modular =
        contract.modular().is_some() || contract.binary().is_some_and(|own| own.modulus().is_some());
    if !bits.is_multiple_of(word_bits) && !is_modular {
        lines.push(format!(
            "All {} bits of {names} count: they need not be below 2^{bits}.",
            words * word_bits
        ));
    }
    lines
}

fn modulo_number(modular: &Modular, word_bits: u32) -> Vec<String> {
    let value = modular.operation.expression();
    let radix = word_bits * modular.modulus.words(word_bits);
    let value = match modular.operation.factor() {
        Factor::One => value.to_string(),
        Factor::Half => format!("{value} / 2"),
        Factor::Double => format!("2 * {value}"),
        Factor::Radix => format!("{value} * 2^{radix}"),
        Factor::InverseRadix => format!("{value} / 2^{radix}"),
        Factor::SquareRadix => format!("2^{} / a", 2 * radix),
    };
    let mut lines = vec![
        format!("r = {value} modulo p = {}.", modular.modulus),
        "r is congruent to that, and need not be below p; neither need the operands.".to_owned(),
    ];
    if modular.operation.expression() == Expression::Inverse {
        lines.push("r is 0 where p, which is prime, divides a.".to_owned());
    }
    lines
}

fn over_gf2(binary: &Binary, word_bits: u32) -> Vec<String> {
    let value = binary.operation().expression();
    let by = match binary.shift(word_bits) {
        0 => String::new(),
        bits => format!(" / x^{bits}"),
    };
    let modulo = binary.modulus().map_or_else(String::new, |f| format!(" modulo f = {f}"));
    let mut lines = vec![
        format!("r = {value}{by}{modulo}, over GF(2)."),
        "Bit i of a number is the coefficient of x^i.".to_owned(),
    ];
    if binary.modulus().is_some() {
        lines.push(
            "r is congruent to that; neither its degree nor the operands' need be below that of f."
                .to_owned(),
        );
    }
    if value == Expression::Inverse {
        lines.push("r is 0 where f, which is irreducible, divides a.".to_owned());
    }
    lines
}

/// What the files of a routine say about it, beside what was found.
pub(crate) struct Heading<'a> {
    pub(crate) name: &'a str,
    pub(crate) target: &'static dyn Target,
    pub(crate) convention: &'static str,
    pub(crate) syntax: &'static str,
    /// The C prototype, without semicolon.
    pub(crate) prototype: String,
    /// The same as the C header has it.
    pub(crate) declaration: String,
    /// What it computes and asks for, one sentence a line.
    pub(crate) rules: Vec<String>,
    pub(crate) method: String,
    /// What a file adds to the core, and the file's name; may be empty.
    pub(crate) extension: (&'static str, String),
    pub(crate) code_bytes: usize,
    /// What makes the same file.
    pub(crate) command_line: String,
}

/// The heading of a routine.
pub(crate) fn of_plan(plan: &Plan) -> Heading<'_> {
    Heading {
        name: &plan.name,
        target: plan.target,
        convention: plan.convention,
        syntax: plan.syntax,
        prototype: prototype(plan),
        declaration: declaration(plan),
        rules: rules(plan),
        method: format!("{}, {}", method(plan), plan.form.name()),
        extension: plan
            .extension
            .as_ref()
            .map_or_else(Default::default, |own| (own.adds.noun(), own.name.clone())),
        code_bytes: plan.target.code_bytes(&plan.code),
        command_line: plan.command_line(),
    }
}

/// The comment, with an empty line after it.
pub(crate) fn heading(plan: &Heading, facts: &Static, evidence: &Evidence, verdicts: &Verdicts) -> String {
    let mut lines = vec![format!("    {};", plan.prototype), String::new()];
    lines.extend(plan.rules.iter().cloned());
    lines.push(String::new());
    let Evidence { calls, body, stack_bytes, .. } = evidence;
    let about = plan.target.description().about;
    let cycles = format!("{} body, {}", counted(about, body.min, body.max), function_cycles(evidence, about));
    let facts = [
        ("core", format!("{} ({})", plan.target.name(), plan.target.description().processor)),
        plan.extension.clone(),
        ("convention", plan.target.description().convention(plan.convention).named.summary.to_owned()),
        ("method", plan.method.clone()),
        ("saved", facts.saved.clone()),
        ("written", facts.written.clone()),
        ("stack", stack(*stack_bytes, plan.target.description().return_bytes)),
        ("", left(verdicts.residue_bytes).unwrap_or_default()),
        ("cycles", cycles),
        ("", evidence.paired.map(paired).unwrap_or_default()),
        ("", about.map(rests_on).unwrap_or_default()),
        ("", "body: after the saves, before the restores, argument moves included".to_owned()),
        ("", "function: first instruction to return, without the caller's call".to_owned()),
        ("size", format!("{} bytes", plan.code_bytes)),
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
    lines.push(format!("    {}", plan.command_line));
    comment(plan.target.description().file_style(plan.syntax).comment, &lines) + "\n"
}

/// `5185 function, the same in every call`.
fn function_cycles(Evidence { calls, function, from, .. }: &Evidence, about: Option<&str>) -> String {
    let cycles = counted(about, function.min, function.max);
    match (from, function.is_exact()) {
        (CyclesFrom::Exact, true) => format!("{cycles} function, the same in every call"),
        (from, _) => format!("{cycles} function{}", of_calls(*from, *calls)),
    }
}

/// `loads paired, the best of the manual: 140 body, 162 function`.
fn paired([function, body]: [Cycles; 2]) -> String {
    let [function, body] = [function, body].map(|own| range(own.min, own.max));
    format!("loads paired, the best of the manual: {body} body, {function} function; above, none are")
}

/// What a caller wants to know, a line each.
pub(crate) fn briefly(plan: &Heading, evidence: &Evidence, verdicts: &Verdicts) -> Vec<String> {
    let about = plan.target.description().about;
    let resting =
        about.map(|about| format!(" Nobody promises them; they rest on {about}.")).unwrap_or_default();
    vec![
        format!("Cycles: {}, without the caller's call.{resting}", function_cycles(evidence, about)),
        format!("Stack: {}.", stack(evidence.stack_bytes, plan.target.description().return_bytes)),
        format!("Time: {}.", constant_time(verdicts.constant_time)),
        format!("Proof: {}.", proof(verdicts.proof)),
    ]
}

/// Of which calls a range of cycles is.
pub(crate) fn of_calls(from: CyclesFrom, calls: u64) -> String {
    match from {
        CyclesFrom::Exact => ", least and most of all calls".to_owned(),
        CyclesFrom::Bounds => ", bounds of all calls".to_owned(),
        CyclesFrom::Seen => format!(", seen in {calls} call{}", if calls == 1 { "" } else { "s" }),
    }
}

/// What it takes of the stack. Some processors keep the return address in a register.
fn stack(bytes: u32, return_bytes: u32) -> String {
    match return_bytes {
        0 => format!("{bytes} bytes"),
        more => format!("{bytes} bytes, and {more} of return address"),
    }
}

/// What is assumed about interrupts, for people.
pub(crate) fn assumed(interrupts: Interrupts) -> Option<&'static str> {
    match interrupts {
        Interrupts::Any => None,
        Interrupts::Off => Some("no interrupt comes during the call"),
    }
}

/// What stays on the stack, in words.
pub(crate) fn left(residue_bytes: Option<u32>) -> Option<String> {
    let bytes = residue_bytes.filter(|bytes| *bytes > 0)?;
    Some(format!("{bytes} bytes below the stack pointer depend on the operands after the return: not wiped"))
}

/// `operand-caching, cache 10, carry-once 2`.
pub(crate) fn method(plan: &Plan) -> String {
    let mut text = plan.way.name().to_owned();
    for (name, value) in plan.way.parameters() {
        text.push_str(&format!(", {name} {value}"));
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
        ConstantTime::Balanced => {
            "branches or instructions depend on the operands, but take equally long in all"
        }
        ConstantTime::DependsOnAddresses => "depends on where the arrays lie",
        ConstantTime::Leaks => "DEPENDS ON THE OPERANDS",
        ConstantTime::Unknown => "whether it depends on the operands could not be told",
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
