//! What is printed as JSON keeps the published schema, by another's validator.
#![cfg(feature = "oracles")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn schema() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/report.schema.json")
}

/// What the validator says of lines of JSON: nothing where they keep the schema.
fn faults(lines: &[String]) -> String {
    let script = "import sys, json, fastjsonschema\n\
        check = fastjsonschema.compile(json.load(open(sys.argv[1])))\n\
        for line in sys.stdin:\n\
        \x20   try: check(json.loads(line))\n\
        \x20   except fastjsonschema.JsonSchemaException as fault: print(fault, line)\n";
    let mut child = Command::new("python3")
        .args(["-c", script])
        .arg(schema())
        .env("PYTHONPATH", rhomb_oracles::place().join("python"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let text: String = lines.iter().map(|line| format!("{}\n", line.trim())).collect();
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success(), "run tests/oracles/setup");
    String::from_utf8(output.stdout).unwrap()
}

fn printed(words: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("museum.o"), include_bytes!("data/museum.o")).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    let output = command.args(words).args(["--format", "json"]).current_dir(folder.path()).output().unwrap();
    assert_ne!(output.status.code(), Some(2), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn reports_keep_the_schema() {
    let mut lines = Vec::new();
    for request in [
        "generate mul --bits 64 --target atmega128",
        "generate mul --bits 64 --target arm7tdmi --no-proof",
        "generate modadd --modulus p192 --target mips32-ise",
        "measure sqr --bits 64 --target tms320vc5510",
        "measure modexp --bits 64 --target tms320vc5510",
        "measure mul --bits 64 --target atmega128 --parts 1:1:2",
    ] {
        lines.push(printed(&request.split_whitespace().collect::<Vec<_>>()));
    }
    for command in ["measure", "verify"] {
        for symbol in ["mul16", "lost_carry", "calls"] {
            if (command, symbol) != ("measure", "lost_carry") {
                let words =
                    [command, "museum.o", "--symbol", symbol, "--contract", "mul 16", "-t", "atmega128"];
                lines.push(printed(&words));
            }
        }
    }
    lines.push(printed(&[
        "verify",
        "museum.o",
        "--symbol",
        "mul16",
        "--contract",
        "mul 16",
        "-t",
        "atmega128",
        "--effort",
        "1",
    ]));
    let folder = tempfile::tempdir().unwrap();
    let suite =
        "file = 'museum.o'\ntarget = 'atmega128'\n[functions]\nmul16 = 'mul 16'\nnothing = 'mul 16'\n";
    std::fs::write(folder.path().join("suite.toml"), suite).unwrap();
    std::fs::write(folder.path().join("museum.o"), include_bytes!("data/museum.o")).unwrap();
    for words in [&["verify", "--contracts", "suite.toml"][..], &["verify", "museum.o", "-t", "atmega128"]] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
        let output =
            command.args(words).args(["--format", "json"]).current_dir(folder.path()).output().unwrap();
        lines.extend(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned));
    }
    assert!(lines.iter().any(|line| line.contains("rhomb failure 1")));
    assert!(lines.iter().any(|line| line.contains("rhomb function 1")));
    assert_eq!(faults(&lines), "");
    // the validator looks
    assert_ne!(
        faults(&[lines[0].replace("\"balanced\"", "\"so\"").replace("\"code_bytes\"", "\"bytes\"")]),
        ""
    );
    assert_ne!(faults(&[lines[0].replace("rhomb report 1", "rhomb report 0")]), "");
}
