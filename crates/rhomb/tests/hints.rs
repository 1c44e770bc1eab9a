//! Whoever does what a hint says gets on: the failing commands of `tests/cmd` are tried again as their hints say.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A command that fails, with its two lines.
struct Failure {
    command: Vec<String>,
    error: String,
    hint: String,
}

fn failures() -> Vec<Failure> {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cmd/bad-requests.md"));
    let text = text.unwrap();
    let blocks = text.split("\n$ rhomb ").skip(1);
    let failure = |block: &str| {
        let mut lines = block.lines();
        let line = lines.next()?;
        // what needs a shell is left out
        let command = line.split_whitespace().map(str::to_owned).collect();
        let of = |start: &str| block.lines().find_map(|line| line.strip_prefix(start)).map(str::to_owned);
        let whole = !line.contains(['"', '\'', '>', '|']);
        Some(Failure { command, error: of("error: ")?, hint: of("hint: ")? }).filter(|_| whole)
    };
    blocks.filter_map(failure).collect()
}

/// The command with another value of an option, or with the option where it has none.
fn with(command: &[String], option: &str, value: &str) -> Vec<String> {
    let mut command = without(command, option);
    command.extend([option.to_owned(), value.to_owned()]);
    command
}

fn without(command: &[String], option: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = command.iter().peekable();
    while let Some(word) = words.next() {
        if word != option {
            out.push(word.clone());
        } else if words.peek().is_some_and(|next| !next.starts_with("--")) {
            words.next();
        }
    }
    out
}

/// The command that the hint asks for; `None` where it says something else.
fn followed(Failure { command, error, hint }: &Failure) -> Option<Vec<String>> {
    let words: Vec<&str> = hint.split_whitespace().map(|word| word.trim_end_matches([',', ';'])).collect();
    let quoted = |text: &str| text.split('\'').nth(1).map(str::to_owned);
    if hint.starts_with("did you mean") {
        let (wrong, right) = (quoted(error)?, quoted(hint)?);
        return Some(
            command.iter().map(|word| if *word == wrong { right.clone() } else { word.clone() }).collect(),
        );
    }
    if let Some(line) = hint.split("`rhomb ").nth(1).and_then(|rest| rest.split('`').next()) {
        return Some(line.split_whitespace().map(str::to_owned).collect())
            .filter(|line: &Vec<String>| line.len() > 1);
    }
    match words[..] {
        ["leave", option, "out", ..] if option.starts_with("--") => Some(without(command, option)),
        ["leave", option, "and", other, "out", ..] => Some(without(&without(command, option), other)),
        ["add", option, value] => Some(with(command, option, value)),
        [option, value, "is" | "are", "the", "largest" | "fewest", ..] => Some(with(command, option, value)),
        [option, "belongs", "to", method, ..] if option.starts_with("--") => {
            Some(with(command, "--method", method))
        }
        ["methods", "that", "need", "none:", method, ..] => Some(with(command, "--method", method)),
        ["methods", "with", "the", "form", _, method, ..] => Some(with(command, "--method", method)),
        _ => None,
    }
}

/// How often somebody does what hints say before the command works.
const PATIENCE: usize = 3;

#[test]
fn what_a_hint_says_works() {
    let mut followed_hints = 0;
    for mut failure in failures() {
        let first = failure.command.join(" ");
        for _ in 0..PATIENCE {
            let Some(command) = followed(&failure) else { break };
            let folder = tempfile::tempdir().unwrap();
            let mut rhomb = Command::new(env!("CARGO_BIN_EXE_rhomb"));
            let output = rhomb.args(&command).current_dir(folder.path()).output().unwrap();
            followed_hints += 1;
            if output.status.success() {
                break;
            }
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let of = |start: &str| said.lines().find_map(|line| line.strip_prefix(start)).unwrap().to_owned();
            let next = Failure { command, error: of("error: "), hint: of("hint: ") };
            assert_ne!(next.error, failure.error, "{first}: {}", failure.hint);
            assert!(followed(&next).is_some(), "{first}\n{}\n{:?}\n{said}", failure.hint, next.command);
            failure = next;
        }
    }
    assert!(followed_hints >= 12, "{followed_hints}");
}
