//! The prose of the documents: options, files, targets, methods and figures that it names exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path from the workspace, and text.
fn documents() -> Vec<(String, String)> {
    let mut names = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "crates/README.md".to_owned()];
    for entry in fs::read_dir(workspace().join("docs")).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if name.ends_with(".md") {
            names.push(format!("docs/{name}"));
        }
    }
    names.sort_unstable();
    let read = |name: String| {
        let text = fs::read_to_string(workspace().join(&name)).unwrap();
        (name, text)
    };
    names.into_iter().map(read).collect()
}

/// Options of other tools that documents name.
const OTHERS: [&str; 21] = [
    "--dry-run",
    "--array",
    "--cpus-per-task",
    "--time",
    "--return",
    "--sshloginfile",
    "--yes",
    "--release",
    "--path",
    "--all",
    "--test",
    "--relax",
    "--no-relax",
    "--wrap",
    "--defsym",
    "--lock_regs",
    "--version1_calls",
    "--entry",
    "--features",
    "--example",
    "--no-default-features",
];

fn options() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = OTHERS.iter().map(|option| (*option).to_owned()).collect();
    for command in [
        "generate",
        "library",
        "measure",
        "tune",
        "verify",
        "draw",
        "certificate",
        "reproduce",
        "records",
        "page",
        "list",
    ] {
        let output = Command::new(env!("CARGO_BIN_EXE_rhomb")).args([command, "--help"]).output().unwrap();
        all.extend(named(&String::from_utf8(output.stdout).unwrap()));
    }
    all.extend(["--version".to_owned(), "--minutes".to_owned(), "--seed".to_owned()]);
    all
}

/// What looks like a long option.
fn named(text: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, _) in text.match_indices("--") {
        let before = text[..at].chars().next_back();
        if before.is_some_and(|letter| letter.is_ascii_alphanumeric() || "-/".contains(letter)) {
            continue;
        }
        let rest = &text[at + 2..];
        let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !"-_".contains(letter));
        let name = &rest[..end.unwrap_or(rest.len())];
        if name.starts_with(|first: char| first.is_ascii_alphabetic()) {
            found.insert(format!("--{}", name.trim_end_matches('-')));
        }
    }
    found
}

#[test]
fn options_that_documents_name_exist() {
    let known = options();
    let mut unknown = Vec::new();
    for (name, text) in documents() {
        unknown.extend(named(&text).difference(&known).map(|option| format!("{name}: {option}")));
    }
    assert!(known.len() > 40 && unknown.is_empty(), "{unknown:#?}");
}

/// Text in backticks outside blocks.
fn code(text: &str) -> Vec<String> {
    let mut inside = false;
    let mut found = Vec::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            inside = !inside;
        } else if !inside {
            found.extend(line.split('`').skip(1).step_by(2).map(str::to_owned));
        }
    }
    found
}

#[test]
fn files_that_documents_name_exist() {
    let folders = ["docs/", "crates/", "tests/", "examples/", "src/", ".ci/"];
    let mut missing = Vec::new();
    let mut seen = 0;
    for (name, text) in documents() {
        let folder = workspace().join(&name);
        let folder = folder.parent().unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.starts_with(['#']) && !link.contains("://")) {
            let link = link.split(['#', ' ']).next().unwrap();
            seen += 1;
            if !folder.join(link).exists() {
                missing.push(format!("{name}: {link}"));
            }
        }
        for path in code(&text) {
            let path = path.split_whitespace().next().unwrap_or_default().to_owned();
            if !folders.iter().any(|folder| path.starts_with(folder)) || path.contains(['*', '<', '{']) {
                continue;
            }
            // a capital stands for a name of the reader's
            let is_pattern =
                |part: &str| !part.is_empty() && part.chars().all(|letter| letter.is_ascii_uppercase());
            if path.split(['/', '.']).any(is_pattern) {
                continue;
            }
            seen += 1;
            let places = ["", "crates/rhomb", "crates/kernel", "crates/prove", "crates/processors/avr"];
            if !places.iter().any(|place| workspace().join(place).join(&path).exists()) {
                missing.push(format!("{name}: {path}"));
            }
        }
    }
    assert!(seen > 80 && missing.is_empty(), "{seen}: {missing:#?}");
}

#[test]
fn targets_and_methods_that_documents_name_exist() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for (name, text) in documents() {
        let words: Vec<&str> =
            text.split(|letter: char| letter.is_whitespace() || "`|\"()".contains(letter)).collect();
        for pair in words.windows(2) {
            let value = pair[1].trim_end_matches([',', '.', ';', ':']);
            if !value.starts_with(|first: char| first.is_ascii_lowercase()) {
                continue;
            }
            let known = match pair[0] {
                "--target" | "-t" => rhomb::targets::find(value).is_ok(),
                "--method" | "-m" => {
                    let others = rhomb::other_methods().iter().any(|(other, _)| *other == value);
                    let others = others || rhomb::program_methods().contains(&value);
                    let modular = rhomb::ModularOperation::ALL.iter().flat_map(|own| own.methods());
                    let modular = modular.into_iter().any(|method| method.name == value);
                    let fields = ["best", "best-walk", "highest-first", "product-scanning-upwards"];
                    let own = rhomb::methods().iter().any(|method| method.name == value);
                    own || others || modular || fields.contains(&value)
                }
                _ => continue,
            };
            seen += 1;
            if !known {
                wrong.push(format!("{name}: {} {value}", pair[0]));
            }
        }
    }
    assert!(seen > 40 && wrong.is_empty(), "{wrong:#?}");
}

/// Numbers of four digits and more, without the commas between thousands.
fn numbers(text: &str) -> BTreeSet<String> {
    let joined = text.replace("\u{202f}", "");
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || "_.^,".contains(letter);
    let words = joined.split(|letter: char| !is_part(letter)).map(|word| word.trim_matches([',', '.']));
    let plain = words.map(|word| word.replace(',', ""));
    plain.filter(|word| word.len() >= 4 && word.bytes().all(|digit| digit.is_ascii_digit())).collect()
}

/// Figures of the processors' pages and of the README: each stands in a table or a block that a test compares, or in the
/// collection of others' figures.
#[test]
fn figures_in_prose_are_known() {
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut prose: Vec<(String, String)> = Vec::new();
    let pages = ["README.md", "docs/avr.md", "docs/arm.md", "docs/mips32.md", "docs/c55x.md"];
    let mut texts = documents();
    let example = "examples/ecdh-p256-avr/README.md";
    texts.push((example.to_owned(), fs::read_to_string(workspace().join(example)).unwrap()));
    for (name, text) in texts {
        let mut inside = false;
        for line in text.lines() {
            if line.starts_with("```") {
                inside = !inside;
            } else if inside || line.starts_with('|') {
                known.extend(numbers(line));
            } else if pages.contains(&name.as_str()) {
                prose.push((name.clone(), line.to_owned()));
            }
        }
    }
    for target in rhomb::targets::all() {
        known.extend(rhomb_papers::of_core(target.name()).map(|figure| figure.cycles.to_string()));
    }
    // sizes in bits, and years
    known.extend(
        [1024, 2048, 3072, 4096, 8192, 32768, 2004, 2013, 2014, 2012, 2020].map(|one: u32| one.to_string()),
    );
    let mut unknown = Vec::new();
    for (name, line) in &prose {
        unknown.extend(numbers(line).difference(&known).map(|number| format!("{name}: {number}: {line}")));
    }
    assert!(known.len() > 200 && unknown.is_empty(), "{unknown:#?}");
}
