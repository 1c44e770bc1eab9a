//! The table of `docs/fields.md`: what is made for the operations of fields, how many cycles it takes, and what of it is
//! proved. After a change that is meant, `RHOMB_TABLES=overwrite cargo test -p rhomb --test all fields_table` brings it up to
//! date; with beginnings of names of cores in place of `overwrite`, as `mips,arm`, the rows of these and those that are missing.

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
const BINARY: [&str; 7] =
    ["gf2modmul", "gf2modsqr", "gf2modreduce", "gf2montmul", "gf2montsqr", "gf2montreduce", "gf2modinv"];
const CORES: [&str; 3] = ["mips32-ise", "smartmips", "mips32-4km"];
/// Cores whose routines are made of straight lines of words, and moduli for which they are shown.
const OTHERS: [&str; 4] = ["atmega128", "attiny85", "arm7tdmi", "tms320vc5510"];
const MODULI: [&str; 7] = ["p192", "p224", "p256", "p384", "p521", "p25519", "secp256k1"];
/// Cores for which fewer moduli and polynomials are shown.
const FEWER: [&str; 6] = ["arm9ej-s", "rv32im", "ibex-single", "cortex-m0plus", "cortex-m3", "cortex-m4"];
const POLYNOMIALS: [&str; 4] = ["b163", "t191", "b233", "b283"];

/// Those of which the prover does not show that the last carry vanishes; the page names them.
const OPEN: [&str; 4] = [
    "modmul | p224 | attiny85",
    "modsqr | p224 | attiny85",
    "modsqr | secp256k1 | tms320vc5510",
    "modinv | secp256k1 | tms320vc5510",
];

/// Products on strips, before reductions that double and add, for which the prover takes minutes; it is not asked here.
const LONG: [&str; 8] = [
    "modmul | p521 | attiny85",
    "modsqr | p521 | attiny85",
    "modmul | secp256k1 | attiny85",
    "modsqr | secp256k1 | attiny85",
    "montmul | p25519 | attiny85",
    "montsqr | p25519 | attiny85",
    "montmul | secp256k1 | attiny85",
    "montsqr | secp256k1 | attiny85",
];

/// Cycles of the slowest call, method, form, and the verdicts.
fn cell(operation: &str, size: &str, core: &str, form: Option<&str>) -> String {
    let is_binary = operation.starts_with("gf2");
    let request = Request {
        operation: operation.into(),
        modulus: (!is_binary).then(|| size.into()),
        polynomial: is_binary.then(|| size.into()),
        target: core.into(),
        form: form.map(str::to_owned),
        no_proof: LONG.contains(&format!("{operation} | {size} | {core}").as_str()),
        ..Default::default()
    };
    let Ok(kernel) = generate(&request) else { return "not made | | | | | | |".to_owned() };
    let report = &kernel.report;
    let proof = match report.proof {
        Proof::Proved => "proved",
        Proof::NotRun => "**takes minutes**",
        _ => "**could not be proved**",
    };
    let time = report.constant_time.name();
    let (method, form) = (report.method.unwrap_or_default(), report.form.unwrap_or_default());
    let (cycles, bytes, stack) = (report.cycles.function_max, report.code_bytes, report.stack_bytes);
    format!("{method} | {form} | {cycles} | {bytes} | {stack} | {proof} | {time} |")
}

/// Operation, modulus or polynomial, core and form of each row.
fn rows() -> Vec<(&'static str, &'static str, &'static str, Option<&'static str>)> {
    let mut rows = Vec::new();
    for core in CORES {
        rows.extend(MODULAR.map(|operation| (operation, "p192", core, None)));
    }
    rows.extend(MODULAR.map(|operation| (operation, "p256", CORES[0], None)));
    rows.extend(["montmul", "montsqr"].map(|operation| (operation, "p192", CORES[0], Some("looped"))));
    for core in CORES {
        rows.extend(BINARY.map(|operation| (operation, "t191", core, None)));
    }
    for core in OTHERS {
        for modulus in MODULI {
            // software products make an inversion too long to be simulated here
            let shown = |operation: &&str| core != "attiny85" || !operation.ends_with("inv");
            let shown = MODULAR.into_iter().filter(shown);
            rows.extend(shown.map(|operation| (operation, modulus, core, None)));
        }
        for polynomial in POLYNOMIALS {
            rows.extend(BINARY.map(|operation| (operation, polynomial, core, None)));
        }
    }
    for core in FEWER {
        for modulus in ["p256", "p25519", "secp256k1"] {
            rows.extend(MODULAR.map(|operation| (operation, modulus, core, None)));
        }
        rows.extend(BINARY.map(|operation| (operation, "t191", core, None)));
    }
    rows
}

const HEAD: &str = "| operation | modulus | core | method | form | cycles | code bytes | stack bytes | proof | time |\n|---|---|---|---|---|---|---|---|---|---|\n";

#[test]
fn what_is_made_and_proved() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/fields.md");
    let page = std::fs::read_to_string(&path).unwrap();
    let start = page.find("| operation |").expect("a table");
    let end = page[start..].find("\n\n").map_or(page.len(), |length| start + length + 1);
    let rewritten = std::env::var("RHOMB_TABLES").ok();
    // a part of the rows by turns
    let every = rhomb_oracles::sample(60, 1);
    let mut table = HEAD.to_owned();
    for (at, (operation, size, core, form)) in rows().into_iter().enumerate() {
        let head = format!("| {operation} | {size} | {core} | ");
        let mut rows = page[start..end].lines().filter(|row| row.starts_with(&head));
        let old = rows.find(|row| form.is_none_or(|form| row.contains(&format!("| {form} |"))));
        let is_made = match rewritten.as_deref() {
            None => at % every == 0,
            Some(cores) => cores == "overwrite" || cores.split(',').any(|own| core.starts_with(own)),
        };
        match old {
            Some(old) if !is_made => _ = writeln!(table, "{old}"),
            _ => _ = writeln!(table, "{head}{}", cell(operation, size, core, form)),
        }
    }
    let open = table.lines().filter(|row| row.contains("could not be proved"));
    let open: Vec<&str> = open.collect();
    let is_known = |row: &&str| OPEN.iter().any(|own| row.starts_with(&format!("| {own} |")));
    assert!(open.iter().all(is_known), "{}", open.join("\n"));
    if rewritten.is_some() {
        std::fs::write(&path, [&page[..start], &table, &page[end..]].concat()).unwrap();
    } else {
        assert_eq!(&page[start..end], table);
    }
}
