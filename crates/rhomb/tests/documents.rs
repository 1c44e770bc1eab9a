//! The commands of the README, of the documentation and of `tests/cmd` print what stands there.
//!
//! After a change that is meant, `TRYCMD=overwrite cargo test -p rhomb --test all documents` brings them up
//! to date.

use std::fs;
use std::path::{Path, PathBuf};

/// How the README starts the tool from the source.
const FROM_SOURCE: &str = "$ cargo run --release -- ";
/// What stands for it in the copy that is run; the second blank marks the place for the way back.
const INSTALLED: &str = "$ rhomb  ";

/// The document as `trycmd` wants it: the installed tool, and an empty line at the end of each block.
fn to_cases(text: &str) -> String {
    let (mut cases, mut inside) = (String::new(), false);
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix(FROM_SOURCE) {
            cases.push_str(&format!("{INSTALLED}{rest}\n"));
            continue;
        }
        match line {
            "```console" => inside = true,
            "```" if inside => {
                cases.push('\n');
                inside = false;
            }
            _ => {}
        }
        cases.push_str(&format!("{line}\n"));
    }
    cases
}

/// The reverse.
fn to_document(cases: &str) -> String {
    let with_source = cases.replace(INSTALLED, FROM_SOURCE);
    let (mut text, mut inside) = (String::new(), false);
    for line in with_source.lines() {
        match line {
            "```console" => inside = true,
            "```" if inside => {
                text.truncate(text.trim_end_matches('\n').len());
                text.push('\n');
                inside = false;
            }
            _ => {}
        }
        text.push_str(&format!("{line}\n"));
    }
    text
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn documents() -> Vec<PathBuf> {
    let mut list = vec![workspace().join("README.md")];
    for folder in [workspace().join("docs"), Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd")] {
        for entry in fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("readable").path();
            if path.extension().is_some_and(|extension| extension == "md") {
                list.push(path);
            }
        }
    }
    list.sort();
    list
}

/// Blocks that begin with a comment of a file's name are files for the commands.
fn files(text: &str) -> Vec<(String, String)> {
    let blocks = text.split("\n```").filter_map(|block| block.split_once('\n'));
    let named = blocks.filter_map(|(_, block)| {
        let name = block.lines().next()?.strip_prefix("# ")?;
        let is_name =
            name.contains('.') && name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '.');
        is_name.then(|| (name.to_owned(), format!("{block}\n")))
    });
    named.collect()
}

/// Runs a copy in a folder of its own, so that files which the commands write do no harm.
fn check(document: &Path) {
    let folder = tempfile::tempdir().expect("temporary folder");
    let copy = folder.path().join(document.file_name().expect("a file"));
    let text = fs::read_to_string(document).expect("readable");
    let cases_text = to_cases(&text);
    assert_eq!(to_document(&cases_text), text, "{}", document.display());
    fs::write(&copy, &cases_text).expect("writable");
    // the commands run in the folder of that name
    fs::create_dir(copy.with_extension("in")).expect("writable");
    for (name, content) in files(&text) {
        fs::write(copy.with_extension("in").join(name), content).expect("writable");
    }
    let museum = copy.with_extension("in").join("museum.o");
    fs::write(museum, include_bytes!("data/museum.o")).expect("writable");
    let cases = trycmd::TestCases::new();
    // a busy machine may take so long that progress is told
    cases.env("RHOMB_PROGRESS", "off");
    cases.register_bin("rhomb", Path::new(env!("CARGO_BIN_EXE_rhomb"))).case(&copy);
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| cases.run()));
    let after = fs::read_to_string(&copy).expect("readable");
    if after != cases_text {
        fs::write(document, to_document(&after)).expect("writable");
    }
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

#[test]
fn every_command_prints_what_the_documents_say() {
    let documents = documents();
    assert!(documents.iter().any(|path| fs::read_to_string(path).unwrap().contains(FROM_SOURCE)));
    documents.iter().for_each(|document| check(document));
}

/// What `rhomb` said to arguments: several tables ask the same.
type Measured = std::collections::BTreeMap<Vec<String>, std::process::Output>;

/// Compares all tables of a page below lines that start with `heading`: sizes, then rows `| options | figure | ... |`, with what
/// `measure` prints for `key`; `-` where it refuses. An operation other than `mul` stands before the options.
fn check_tables(measured: &mut Measured, page: &str, heading: &str, target: &str, key: &str) {
    let text = fs::read_to_string(workspace().join("docs").join(page)).unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let (mut checked, mut row_number, mut wrong) = (0, 0, Vec::new());
    let lines: Vec<&str> = text.lines().collect();
    let tables = lines.iter().enumerate().filter(|(_, line)| line.starts_with(heading));
    for (at, first) in tables {
        let sizes: Vec<usize> = cells(first).iter().skip(1).map(|size| size.parse().unwrap()).collect();
        for row in lines[at + 2..].iter().take_while(|line| line.starts_with('|')).map(|line| cells(line)) {
            let mut options: Vec<&str> = row[0].split('`').nth(1).unwrap().split_whitespace().collect();
            if !options.contains(&"--target") {
                options.extend(["--target", target]);
            }
            let operation = if options.first().is_some_and(|first| !first.starts_with('-')) {
                options.remove(0)
            } else {
                "mul"
            };
            // of all figures a part by turns, so that every row and every size has some
            row_number += 1;
            for (size, (bits, figure)) in sizes.iter().zip(&row[1..]).enumerate() {
                if checked > 0 && !(size + row_number).is_multiple_of(rhomb_oracles::sample(9, 1)) {
                    continue;
                }
                let bits_text = bits.to_string();
                let arguments =
                    [&["measure", operation, "--format", "json", "--bits", &bits_text], &options[..]];
                let given: Vec<String> = arguments.concat().into_iter().map(str::to_owned).collect();
                let output = measured.entry(given).or_insert_with_key(|given| {
                    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rhomb")).args(given).output();
                    output.unwrap()
                });
                // a parameter that is out of range at this size
                if figure == "-" {
                    assert_eq!(output.status.code(), Some(2), "{operation} {options:?} {bits}");
                    continue;
                }
                let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                let own = report["cycles"].get(key).unwrap_or(&report[key]).to_string();
                if own != *figure {
                    wrong.push(format!("{operation} {options:?} {bits}: {own}, not {figure}"));
                }
                checked += 1;
            }
        }
    }
    assert!(wrong.is_empty(), "{heading}:\n{}", wrong.join("\n"));
    assert!(checked >= 1, "{heading}: {checked}");
}

#[test]
fn the_tables_of_cycles_are_what_measure_gives() {
    let mut measured = Measured::new();
    check_tables(&mut measured, "avr.md", "| body cycles", "atmega128", "body");
    check_tables(&mut measured, "avr.md", "| without a multiplier", "attiny85", "function");
    check_tables(&mut measured, "avr.md", "| bytes without a multiplier", "attiny85", "code_bytes");
    check_tables(&mut measured, "avr.md", "| function cycles of a", "atmega128", "function");
    check_tables(&mut measured, "arm.md", "| worst case", "arm7tdmi", "function");
    check_tables(&mut measured, "arm.md", "| cycles on ARM9EJ-S", "arm9ej-s", "function");
    check_tables(&mut measured, "arm.md", "| cycles on the Cortex-M3", "cortex-m3", "function");
    check_tables(&mut measured, "arm.md", "| cycles by rules that", "cortex-m33", "function");
    check_tables(&mut measured, "mips32.md", "| function cycles", "mips32-ise", "function");
    check_tables(&mut measured, "riscv.md", "| function cycles", "rv32im", "function");
    check_tables(&mut measured, "c55x.md", "| cycles on C55x", "tms320vc5510", "function");
}

/// The contracts beside the prototypes in C are such.
#[test]
fn contracts_of_prototypes_are_read() {
    let text = fs::read_to_string(workspace().join("docs/contracts.md")).unwrap();
    let rows = text.lines().skip_while(|line| *line != "| prototype in C | contract |").skip(2);
    let rows: Vec<&str> = rows.take_while(|line| line.starts_with('|')).collect();
    assert!(rows.len() >= 10, "{}", rows.len());
    for row in rows {
        let contract = row.split('`').nth(3).unwrap();
        assert!(rhomb::parse_contract(contract).is_ok(), "{contract}");
    }
}
