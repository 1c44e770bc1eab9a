//! The answer for people.

use crate::compare::{Others, origin, others};
use crate::evidence::CyclesFrom;
use crate::header;
use crate::report::{Clock, Report, rests_on};
use crate::style::{self, NAME, QUIET};
use crate::targets::Static;
use crate::verdict::{ConstantTime, Proof};
use rhomb_papers::{Figure, Scope};

/// The summary of a routine called `name`, with line ends and terminal styles (which the printer strips
/// where they are not wanted).
pub fn text(name: &str, report: &Report, facts: &Static, calls: u64) -> String {
    let mut lines = vec![title(name, report)];
    if let Some(method) = method(report) {
        lines.push(format!("  {method}"));
    }
    lines.push(String::new());
    lines.extend(cycles(report, calls));
    let mix = &report.instructions;
    let Report { code_bytes, stack_bytes, .. } = report;
    let (done, open) = checks(report, calls);
    lines.push(String::new());
    let mut row = |label: &str, text: String| lines.push(format!("  {label:9}{text}"));
    row(
        "body",
        format!(
            "{} instructions: {} load, {} store, {} multiply, {} add, {} other",
            mix.total(),
            mix.load,
            mix.store,
            mix.multiply,
            mix.add,
            mix.other
        ),
    );
    row("size", format!("{code_bytes} bytes of code, {stack_bytes} bytes of stack"));
    if let Some(left) = header::left(report.residue_bytes) {
        row("left", left);
    }
    if let Some(assumed) = header::assumed(report.interrupts) {
        row("assumed", assumed.to_owned());
    }
    row("saves", facts.saved.clone());
    row("checked", done);
    if !open.is_empty() {
        row("open", open);
    }
    if !report.files.is_empty() {
        row("files", report.files.join("  "));
    }
    lines.join("\n") + "\n"
}

fn title(name: &str, report: &Report) -> String {
    let Report { operation, bits, target, convention, .. } = report;
    let noun = crate::contract::noun(operation);
    format!("{NAME}{name}{NAME:#}: {bits}-bit {noun} for {target}, {convention} convention")
}

/// The method with its parameters.
pub(crate) fn method(report: &Report) -> Option<String> {
    let mut text = report.method?.to_owned();
    for setting in report.settings() {
        text.push_str(&format!(", {setting}"));
    }
    if let Some(accumulation) = report.accumulation {
        text.push_str(&format!(", by {accumulation}"));
    }
    if let Some(form) = report.form {
        text.push_str(&format!(", {form}"));
    }
    Some(text)
}

/// Our cycles, and in columns of their own what others report, with the difference of ours.
fn cycles(report: &Report, calls: u64) -> Vec<String> {
    let mut sources: Vec<String> = Vec::new();
    let mut cell = |ours: u64, figure: Option<Figure>| {
        let Some(figure) = figure else { return "-".to_owned() };
        let source = origin(&figure, report);
        let number = sources.iter().position(|known| *known == source).unwrap_or_else(|| {
            sources.push(source);
            sources.len() - 1
        });
        let difference = i128::from(ours) - i128::from(figure.cycles);
        format!("{} ({difference:+}) [{}]", figure.cycles, number + 1)
    };
    let crate::report::Cycles { body, function, function_min, function_max, from, .. } = report.cycles;
    let mut wrong: Vec<Figure> = Vec::new();
    let mut row = |label: &str, scope: Scope, ours: String, most: u64| {
        let Others { same_method, best, refuted } = others(report, scope);
        wrong.extend(refuted);
        (label.to_owned(), ours, cell(most, same_method), cell(most, best))
    };
    let rows = [
        row("body", Scope::Body, report.cycles.body_text(), body),
        row("function", Scope::Function, report.cycles.function_text(), function),
    ];
    let own = report.method.is_some();
    let width = rows.iter().map(|row| row.1.len()).max().unwrap_or(0).max(6);
    let same_width = rows.iter().map(|row| row.2.len()).max().unwrap_or(0).max(20);
    let known = !sources.is_empty();
    let same = |text: &str| if own { format!("   {text:same_width$}") } else { String::new() };
    let mut lines = Vec::new();
    let heading = match known {
        true => {
            format!("  {:9}{:>width$}{}   others, any method", "cycles", "ours", same("others, same method"))
        }
        false => format!("  {:9}{:>width$}   others: no figure known at this size", "cycles", "ours"),
    };
    lines.push(heading);
    for (label, ours, same_method, best) in rows {
        let beside = if known { format!("{}   {best}", same(&same_method)) } else { String::new() };
        lines.push(format!("  {label:9}{NAME}{ours:>width$}{NAME:#}{beside}"));
    }
    for (number, source) in sources.iter().enumerate() {
        lines.push(format!("  {QUIET}[{}] {source}{QUIET:#}", number + 1));
    }
    for Figure { source, cycles, scope, note, .. } in &wrong {
        let why = note.as_deref().unwrap_or_default();
        lines.push(format!("  {QUIET}refuted: {source}, {scope} {cycles}, {why}{QUIET:#}"));
    }
    if let Some(Clock { mhz, milliseconds }) = report.clock {
        // three digits of what is short
        let digits = if milliseconds < 10.0 { 6 } else { 3 };
        lines.push(format!("  {:9}{milliseconds:.digits$} ms of the function at {mhz} MHz", "time"));
    }
    if let Some(floor) = report.floor {
        let above = 100.0 * (body as f64 / floor as f64 - 1.0);
        lines.push(format!(
            "  {QUIET}floor {floor} (body {above:.1} % above): products, their sum without carries, each word once{QUIET:#}"
        ));
    }
    if let (Some(function), Some(body)) = (report.cycles.function_paired, report.cycles.body_paired) {
        let text = format!(
            "loads paired, the best of the manual: body {body}, function {function}; above, none are"
        );
        lines.push(format!("  {QUIET}{text}{QUIET:#}"));
    }
    if let Some(about) = report.cycles.about {
        lines.push(format!("  {QUIET}{}{QUIET:#}", rests_on(about)));
    }
    let meaning = "body leaves out saves, restores and return; function is all but the caller's call";
    lines.push(format!("  {QUIET}{meaning}{QUIET:#}"));
    if function_min != function_max || from == CyclesFrom::Seen {
        let of_calls = header::of_calls(from, calls);
        lines.push(format!("  {QUIET}cycles: {}{QUIET:#}", of_calls.trim_start_matches(", ")));
    }
    lines
}

/// What was checked, and what was not.
fn checks(report: &Report, calls: u64) -> (String, String) {
    let mut done =
        vec![format!("{calls} calls simulated from the machine code: result, memory, registers, stack")];
    let mut open = Vec::new();
    let (time, proof) = (style::of_time(report.constant_time), style::of_proof(report.proof));
    match report.constant_time {
        ConstantTime::Constant => done.push("constant time".to_owned()),
        ConstantTime::Balanced => done.push("balanced time".to_owned()),
        ConstantTime::DependsOnAddresses => {
            done.push("time depends on where the arrays lie".to_owned());
        }
        ConstantTime::Unknown => open.push("whether time depends on the operands could not be told"),
        ConstantTime::Leaks => done.push(format!("{time}time DEPENDS on the operands{time:#}")),
        ConstantTime::Unchecked => open.push("constant time was not checked"),
    }
    match report.proof {
        Proof::Proved => done.push(format!("{proof}proved for every input{proof:#}")),
        Proof::Refuted => done.push(format!("{proof}REFUTED{proof:#}")),
        Proof::Unknown => open.push("the prover could not tell whether it is right for every input"),
        Proof::NotRun => open.push("not proved: that is for `rhomb generate`"),
    }
    (done.join(", "), open.join(", "))
}
