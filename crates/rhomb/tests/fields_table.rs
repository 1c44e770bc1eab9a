//! The table of `docs/fields.md`: what is made for the operations of fields, how many cycles it takes, and what of it is
//! proved. After a change that is meant, `RHOMB_TABLES=overwrite cargo test -p rhomb --test all fields_table` brings it up to
//! date.

use rhomb::{Proof, Request, generate};
use std::fmt::Write;
use std::path::Path;

const MODULAR: [&str; 11] = [
    "modmul",
    "modsqr",
    "modreduce",
    "modadd",
    "modsub",
    "modhalf",
    "montmul",
    "montsqr",
    "montreduce",
    "modinv",
    "montinv",
];
const BINARY: [&str; 6] = ["gf2modmul", "gf2modsqr", "gf2modreduce", "gf2montmul", "gf2montsqr", "gf2modinv"];
const CORES: [&str; 3] = ["mips32-ise", "smartmips", "mips32-4km"];

/// Cycles of the slowest call, method, form, and the verdicts.
fn cell(operation: &str, size: &str, core: &str, form: Option<&str>) -> String {
    let is_binary = operation.starts_with("gf2");
    let request = Request {
        operation: operation.into(),
        modulus: (!is_binary).then(|| size.into()),
        polynomial: is_binary.then(|| size.into()),
        target: core.into(),
        form: form.map(str::to_owned),
        ..Default::default()
    };
    let Ok(kernel) = generate(&request) else { return "not made | | | | |".to_owned() };
    let report = &kernel.report;
    let proof = match report.proof {
        Proof::Proved => "proved",
        _ => "**could not be proved**",
    };
    let time = report.constant_time.name();
    let (method, form) = (report.method.unwrap_or_default(), report.form.unwrap_or_default());
    format!("{method} | {form} | {} | {proof} | {time} |", report.cycles.function_max)
}

fn table() -> String {
    let mut text = String::from(
        "| operation | modulus | core | method | form | cycles | proof | time |\n|---|---|---|---|---|---|---|---|\n",
    );
    let mut row = |operation: &str, size: &str, core: &str, form: Option<&str>| {
        let _ = writeln!(text, "| {operation} | {size} | {core} | {}", cell(operation, size, core, form));
    };
    for core in CORES {
        MODULAR.iter().for_each(|operation| row(operation, "p192", core, None));
    }
    MODULAR.iter().for_each(|operation| row(operation, "p256", CORES[0], None));
    for operation in ["montmul", "montsqr"] {
        row(operation, "p192", CORES[0], Some("looped"));
    }
    for core in CORES {
        BINARY.iter().for_each(|operation| row(operation, "t191", core, None));
    }
    text
}

#[test]
fn what_is_made_and_proved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fields.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let start = page.find("| operation |").expect("a table");
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    let table = table();
    if std::env::var_os("RHOMB_TABLES").is_some_and(|value| value == "overwrite") {
        std::fs::write(&path, [&page[..start], &table, &page[end..]].concat()).unwrap();
        return;
    }
    assert_eq!(&page[start..end], table);
    assert!(!table.contains("could not be proved"), "{table}");
}
