//! Many functions at once: files of contracts, shards, SARIF, lists with guessed contracts.

use rhomb::Require;
use rhomb::suite::{Defaults, Shard, Suite, guess};
use rhomb::{Interrupts, Question, targets};
use std::path::Path;
use std::process::{Command, Output};

const MUSEUM: &[u8] = include_bytes!("data/museum.o");

fn fault(text: &str) -> String {
    let error = Suite::parse(text, Defaults::default()).unwrap_err();
    assert!(!error.hint.is_empty() && !error.fault.contains('\n'));
    error.fault
}

#[test]
fn faults_of_a_file_of_contracts_are_named() {
    let head = "file = 'a.o'\ntarget = 'atmega128'\n";
    assert_eq!(fault(head), "the contracts name no function; valid: [functions], then f = \"mul 256\"");
    assert!(fault("file = 'a.o'\ntargets = 'x'\n").starts_with("line 2 of the contracts: unknown field"));
    assert!(fault("[functions]\nf = 3\n").starts_with("line 2 of the contracts: expected a contract"));
    assert!(fault("[functions\n").starts_with("line 1 of the contracts: "));
    assert!(fault("require = 'fast'\n[functions]\n").starts_with("line 1 of the contracts: unknown variant"));
    assert_eq!(
        fault("contract = 'mul 8'\n[functions]\nf = 'mul 8'\n"),
        "contract, symbol and calls are of one function; valid: below [functions]"
    );
    assert_eq!(
        fault(&format!("{head}[functions]\nf = {{ symbol = 'g' }}\n")),
        "functions.f: no contract is named; valid: contract = \"mul 256\""
    );
    assert_eq!(
        fault("target = 'atmega128'\n[functions]\nf = 'mul 8'\n"),
        "functions.f: no file is named; valid: file = \"lib.o\""
    );
    assert_eq!(
        fault("file = 'a.o'\n[functions]\nf = 'mul 8'\n"),
        "functions.f: no target is named; valid: target = \"cortex-m4\""
    );
    assert_eq!(
        fault(&format!("{head}[functions]\nf = 'mul 0'\n")),
        "functions.f: '0' is no size in bits; valid: 1 to 32768"
    );
}

/// What a function says goes before what the file says of all, and that before the command line.
#[test]
fn what_is_nearer_goes_first() {
    let text = "target = 'atmega128'\nrequire = 'balanced'\n[functions]\nadd = 'add 16'\n\
                'a.b' = { contract = 'mul 16', symbol = 'mul16', file = 'b.o', target = 'atmega328p', interrupts = 'any', \
                effort = 7, require = 'constant', convention = 'iar' }\n";
    let defaults = Defaults {
        file: Some("a.o"),
        target: Some("attiny85"),
        convention: Some("crossworks"),
        interrupts: Some(Interrupts::Off),
        require: Some(Require::Constant),
        effort: Some(5),
    };
    let members = Suite::parse(text, defaults).unwrap().members;
    let [own, plain] = &members[..] else { panic!("{members:?}") };
    assert_eq!((own.symbol.as_str(), own.file.as_str(), own.target.as_str()), ("mul16", "b.o", "atmega328p"));
    assert_eq!((own.interrupts, own.effort, own.require), (Interrupts::Any, 7, Some(Require::Constant)));
    assert_eq!(own.convention.as_deref(), Some("iar"));
    assert_eq!(
        (plain.symbol.as_str(), plain.file.as_str(), plain.target.as_str()),
        ("add", "a.o", "atmega128")
    );
    assert_eq!(
        (plain.interrupts, plain.effort, plain.require),
        (Interrupts::Off, 5, Some(Require::Balanced))
    );
    assert_eq!(plain.convention.as_deref(), Some("crossworks"));
}

#[test]
fn shards_take_each_item_once() {
    for count in 1..=5 {
        let parts = (1..=count).map(|number| format!("{number}/{count}").parse::<Shard>().unwrap());
        let mut all: Vec<usize> = parts.flat_map(|shard| shard.of((0..11).collect())).collect();
        all.sort_unstable();
        assert_eq!(all, (0..11).collect::<Vec<_>>());
    }
    for wrong in ["0/3", "4/3", "1", "1/0", "a/b", ""] {
        assert!(wrong.parse::<Shard>().unwrap_err().fault.ends_with("valid: I/N, with I from 1 to N"));
    }
}

fn run(folder: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rhomb")).args(words).current_dir(folder).output().unwrap()
}

fn lines(output: &Output) -> Vec<serde_json::Value> {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The status of all is that of the worst; parts join; certificates hold.
#[test]
fn a_suite_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let place = folder.path();
    std::fs::create_dir(place.join("lib")).unwrap();
    std::fs::write(place.join("lib/museum.o"), MUSEUM).unwrap();
    let head = "file = 'museum.o'\ntarget = 'atmega128'\n[functions]\n";
    let (good, bad) = ("mul16 = 'mul 16'\ncalls = 'mul 16'\ntable = 'mul 16'\n", "lost_carry = 'mul 16'\n");
    for (name, functions, status) in [
        ("good", good.to_owned(), 0),
        ("unknown", format!("{good}x = {{ contract = 'mul 16', symbol = 'mul16', effort = 1 }}\n"), 3),
        ("missing", format!("{good}nothing = 'mul 16'\n"), 2),
        ("bad", format!("{good}{bad}nothing = 'mul 16'\n"), 1),
        ("timed", "table = { contract = 'mul 16', require = 'constant' }\n".to_owned(), 0),
        ("late", "secret_branch = { contract = 'mul 16', require = 'balanced' }\n".to_owned(), 1),
    ] {
        std::fs::write(place.join(format!("lib/{name}.toml")), format!("{head}{functions}")).unwrap();
        let output = run(place, &["verify", "--contracts", &format!("lib/{name}.toml")]);
        let text = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(status), "{name}: {text}");
        assert_eq!(text.matches("mul 16").count(), functions.lines().count(), "{text}");
    }
    let asked = |more: &[&str]| run(place, &[&["verify", "--contracts", "lib/bad.toml"], more].concat());
    let symbols = |output: &Output| -> Vec<String> {
        lines(output).iter().map(|line| line["symbol"].as_str().unwrap().to_owned()).collect()
    };
    let all = symbols(&asked(&["--format", "json"]));
    assert_eq!(all, ["calls", "lost_carry", "mul16", "nothing", "table"]);
    let mut parts: Vec<String> = ["1/2", "2/2"]
        .iter()
        .flat_map(|part| symbols(&asked(&["--format", "json", "--shard", part])))
        .collect();
    parts.sort_unstable();
    assert_eq!(parts, all);
    let sarif = &lines(&asked(&["--format", "sarif"]))[0];
    let results = sarif["runs"][0]["results"].as_array().unwrap();
    let rules: Vec<&str> = results.iter().map(|result| result["ruleId"].as_str().unwrap()).collect();
    assert_eq!((sarif["version"].as_str(), rules), (Some("2.1.0"), vec!["refuted", "failed"]));
    asked(&["--certificates", "proofs"]);
    for symbol in ["mul16", "table"] {
        let path = format!("proofs/{symbol}.json");
        let words = ["certificate", "lib/museum.o", &path, "--symbol", symbol, "-t", "atmega128"];
        assert!(run(place, &words).status.success(), "{symbol}");
    }
    assert!(!place.join("proofs/lost_carry.json").exists());
}

/// A list is a file of contracts that are kept.
#[test]
fn a_list_is_a_suite() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("museum.o"), MUSEUM).unwrap();
    let output = run(folder.path(), &["verify", "museum.o", "--target", "atmega128"]);
    assert!(output.status.success());
    let text = String::from_utf8(output.stdout).unwrap();
    let members = Suite::parse(&text, Defaults::default()).unwrap().members;
    let known: Vec<&str> = members.iter().map(|member| member.symbol.as_str()).collect();
    for symbol in ["mul16", "calls", "table"] {
        let member = members.iter().find(|member| member.symbol == symbol).expect(symbol);
        assert_eq!(member.contract.to_string(), "mul 16");
    }
    for symbol in ["lost_carry", "forgotten_carry", "endless"] {
        assert!(!known.contains(&symbol) && text.contains(&format!("# {symbol} = ")), "{text}");
    }
    std::fs::write(folder.path().join("own.toml"), &text).unwrap();
    let output = run(folder.path(), &["verify", "--contracts", "own.toml", "--format", "json"]);
    for line in lines(&output) {
        assert_ne!(line["proof"], "refuted", "{line}");
    }
}

/// What would be proved is told where only the contract is missing.
#[test]
fn a_missing_contract_is_guessed() {
    let target = targets::find("atmega128").unwrap();
    let question =
        |symbol| Question { file: MUSEUM, symbol, target, convention: None, interrupts: Interrupts::Any };
    let guessed = |symbol| guess(&question(symbol)).unwrap().map(|contract| contract.to_string());
    assert_eq!(guessed("mul16").as_deref(), Some("mul 16"));
    assert_eq!(guessed("lost_carry"), None);
    assert!(guess(&question("nothing")).is_err());
}
