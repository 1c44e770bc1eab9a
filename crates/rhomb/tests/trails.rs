//! Trails: what a search for registers found, made again from its text; and the search.

use crate::pages::compare_table;
use rhomb::suite::Shard;
use rhomb::{Parameters, Request, Tuned, Tuning, measure, tune};
use rhomb_avr::lower::Parts;
use rhomb_kernel::{Form, Operation, Shape, method};
use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::Path;
use std::process::{Command, Output};

fn rhomb(folder: &Path, arguments: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    command
        .args(arguments.split_whitespace())
        .current_dir(folder)
        .env("RHOMB_PROGRESS", "off")
        .output()
        .unwrap()
}

fn good(folder: &Path, arguments: &str) -> String {
    let output = rhomb(folder, arguments);
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// A product of so many bits on one thread.
fn product(bits: usize, trail: Option<&str>) -> Request {
    Request {
        operation: "mul".into(),
        bits,
        target: "atmega128".into(),
        trail: trail.map(str::to_owned),
        work: rhomb::Work { jobs: Some(NonZeroUsize::MIN), told: None },
        ..Request::default()
    }
}

fn searched(request: &Request, searches: usize, (seed, shard): (u32, &str)) -> Tuned {
    let shard: Shard = shard.parse().unwrap();
    tune(request, &Tuning { seed, shard, searches: Some(searches), goes_on: &|| true }).unwrap()
}

/// The trail that is known of a size.
fn known(bits: usize) -> String {
    searched(&product(bits, None), 0, (1, "1/1")).trail.unwrap()
}

/// A trail of 64 bits that is not the best.
fn other() -> String {
    let parameters = Parameters { levels: Some(1), ..Parameters::OPEN };
    let shape = Shape { form: Form::Unrolled, words: 8, parameters: &parameters };
    let task = method(Operation::Mul, "split").unwrap().task(&shape).unwrap();
    let target = rhomb::targets::find("atmega128").unwrap();
    (0..9).find_map(|number| target.search(&task, "1.0.1.", number).unwrap()).unwrap()
}

/// Cycles by phase of two and of four parts, as the page has them.
#[test]
fn cycles_by_phase_stand_in_the_page() {
    for (levels, words) in [(1, vec![8, 10, 12, 14]), (2, vec![16, 20, 24, 28, 32])] {
        let parts: Vec<Parts> = words.iter().map(|words| Parts::of(*words, levels).unwrap()).collect();
        let of = |one: &Parts| {
            (one.account(&one.known().unwrap()).unwrap(), one.cycles(&one.known().unwrap()).unwrap())
        };
        let (accounts, calls): (Vec<_>, Vec<u32>) = parts.iter().map(of).unzip();
        let row = |names: &str, cycles: &[u32]| {
            let cycles: Vec<String> = cycles.iter().map(u32::to_string).collect();
            format!("| {names} | {} |\n", cycles.join(" | "))
        };
        let mut rows = format!("|---|---|{}\n", "---|".repeat(words.len()));
        let mut outside = calls.clone();
        for (phase, _) in &accounts[0] {
            let cycles =
                |account: &Vec<(_, u32)>| account.iter().find(|(known, _)| known == phase).unwrap().1;
            let own: Vec<u32> = accounts.iter().map(cycles).collect();
            outside.iter_mut().zip(&own).for_each(|(rest, cycles)| *rest -= cycles);
            rows += &row(&format!("{} | {}", phase.0, phase.1), &own);
        }
        rows += &row("| saves, restores, first moves, return", &outside);
        rows += &row("| function cycles", &calls);
        let sizes: Vec<String> = words.iter().map(|words| (8 * words).to_string()).collect();
        compare_table("best-walk.md", &format!("| block | phase | {} |\n", sizes.join(" | ")), &rows);
    }
}

#[test]
fn the_known_trail_makes_what_is_made_without_one() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let code = |text: &str| text.split_once("*/").unwrap().1.to_owned();
    let trail = known(64);
    let with =
        good(folder, &format!("generate mul --bits 64 --target atmega128 --trail {trail} --no-proof -o -"));
    let without = good(folder, "generate mul --bits 64 --target atmega128 --no-proof -o -");
    assert!(with != without && code(&with) == code(&without));
    assert!(!without.contains("--trail"));
}

/// The header has the trail, and its line makes the same files, proved.
#[test]
fn headers_with_trails_reproduce_their_files() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let trail = other();
    let first = format!("generate mul --bits 64 --target avr128da48 --trail {trail} --format json");
    let report: serde_json::Value = serde_json::from_str(&good(folder, &first)).unwrap();
    assert_eq!(
        (&report["proof"], &report["parameters"]["trail"]),
        (&"proved".into(), &trail.as_str().into())
    );
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    let text = read("mul64.S");
    let line = text.lines().find_map(|line| line.strip_prefix(" *     rhomb ")).unwrap();
    assert!(line.contains(&format!(" --trail {trail} ")), "{line}");
    good(folder, &format!("{line} -o again"));
    assert!(read("again/mul64.S") == text && read("again/mul64.h") == read("mul64.h"));
}

/// Of more levels the trail is that of the phases below.
#[test]
fn a_trail_holds_below_other_levels() {
    let (trail, levels) = (known(128), Some(3));
    let parameters = Parameters { levels, ..Parameters::OPEN };
    let cycles = |trail: Option<&str>| {
        let request = Request { method: Some("split".into()), parameters, ..product(256, trail) };
        measure(&request).unwrap().report.cycles.function
    };
    assert_eq!(cycles(Some(&trail)), cycles(None));
}

#[test]
fn a_number_of_searches_finds_the_same_trail_each_time() {
    let folder = tempfile::tempdir().unwrap();
    let from = other();
    let command = format!("tune mul --bits 64 --target atmega128 --trail {from} --searches 2 --jobs 1");
    let text = good(folder.path(), &command);
    assert_eq!(text, good(folder.path(), &command));
    let json = good(folder.path(), &format!("{command} --format json"));
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    let [before, now] = ["before", "now"].map(|key| json[key].as_u64().unwrap());
    let line = json["command"].as_str().unwrap();
    assert_eq!(text, format!("{now} function cycles, {before} before: {line}\n"));
    assert!(now <= before && json["searches"] == 2 && json["format"] == "rhomb tuning 1");
    // what is printed is what is made
    let report = good(folder.path(), &format!("{} --format json", line.strip_prefix("rhomb ").unwrap()));
    let report: serde_json::Value = serde_json::from_str(&report).unwrap();
    assert_eq!(
        (&report["cycles"]["function"], &report["parameters"]["trail"]),
        (&now.into(), &json["trail"])
    );
    assert_eq!(report["proof"], "proved");
    let begun = measure(&product(64, Some(&from))).unwrap();
    assert_eq!(begun.report.cycles.function, before);
    // the search goes on from there
    let trail = json["trail"].as_str().unwrap();
    assert_eq!(searched(&product(64, Some(trail)), 0, (1, "1/1")).now, now);
}

#[test]
fn shards_and_seeds_search_elsewhere() {
    let request = product(64, Some(&other()));
    let found = [(1, "1/2"), (1, "2/2"), (2, "1/2")].map(|place| searched(&request, 3, place));
    let trails: HashSet<&str> = found.iter().map(|one| one.trail.as_deref().unwrap()).collect();
    assert_eq!(trails.len(), found.len(), "{found:?}");
    let numbers = |shard: &str| {
        let shard: Shard = shard.parse().unwrap();
        (0..9).map(move |index| shard.nth(index))
    };
    let all: HashSet<u64> = ["1/3", "2/3", "3/3"].into_iter().flat_map(numbers).collect();
    assert_eq!(all, (0..27).collect());
}

/// Several threads find something that is as good as what is printed, and stop in time.
#[test]
fn threads_search_together() {
    let request = product(64, Some(&other()));
    let work = rhomb::Work { jobs: NonZeroUsize::new(3), told: None };
    let tuned = searched(&Request { work, ..request.clone() }, 5, (1, "1/1"));
    assert!(tuned.searches == 5 && tuned.now <= tuned.before);
    let trail = tuned.trail.as_deref();
    assert_eq!(measure(&product(64, trail)).unwrap().report.cycles.function, tuned.now);
    let shard = "1/1".parse().unwrap();
    let none = tune(&request, &Tuning { seed: 1, shard, searches: None, goes_on: &|| false }).unwrap();
    assert_eq!((none.searches, none.trail), (0, request.trail));
}

/// A command, with `TRAIL` for that of 64 bits, and what the line on the fault has.
const REFUSED: &[(&str, &[&str])] = &[
    (
        "generate mul --bits 64 --target atmega128 --trail x",
        &["it is no trail", "valid: what `rhomb tune mul --bits 64"],
    ),
    (
        "measure mul --bits 64 --target atmega128 --trail 1.2.3.",
        &["it is the trail of another product; valid: what"],
    ),
    (
        "generate mul --bits 80 --target atmega128 --trail TRAIL",
        &["it is the trail of another product; valid: what"],
    ),
    (
        "generate mul --bits 64 --target atmega128 --trail TRAILA",
        &["it is the trail of another product; valid: what"],
    ),
    (
        "generate mul --bits 72 --target atmega128 --trail TRAIL",
        &["a product of 9 words", "; valid: splits into 2 or 4"],
    ),
    (
        "measure mul --bits 64 --target atmega128 --levels 2 --trail TRAIL",
        &["; valid: splits into 2 or 4 equal parts"],
    ),
    (
        "generate mul --bits 64 --target cortex-m4 --trail TRAIL",
        &["cortex-m4 has no trails; valid: atmega128, "],
    ),
    (
        "generate mul --bits 64 --target attiny85 --trail TRAIL",
        &["attiny85 has no trails; valid: atmega128, "],
    ),
    ("generate sqr --bits 64 --target atmega128 --trail TRAIL", &["sqr has no trails; valid: mul"]),
    ("generate modmul --modulus p192 --target atmega128 --trail TRAIL", &["modmul has no --trail; valid: "]),
    ("measure modexp --bits 64 --target atmega128 --trail TRAIL", &["--trail; valid: "]),
    ("measure x25519 --target atmega128 --trail TRAIL", &["--trail; valid: "]),
    (
        "generate mul --bits 64 --target atmega128 --method hybrid --trail TRAIL",
        &["hybrid has no --trail; valid: --method split"],
    ),
    (
        "measure mul --bits 64 --target atmega128 --method best-walk --trail TRAIL",
        &["no --trail; valid: --method split --trail"],
    ),
    (
        "generate mul --bits 64 --target atmega128 --form looped --trail TRAIL",
        &["form 'looped'", "valid: unrolled"],
    ),
    (
        "generate mul --bits 64 --target atmega128 --convention iar --trail TRAIL",
        &["by this convention; valid: "],
    ),
    ("tune mul --bits 64 --target cortex-m4", &["cortex-m4 has no trails; valid: atmega128, "]),
    ("tune sqr --bits 64 --target atmega128", &["sqr has no trails; valid: mul"]),
    ("tune mul --bits 72 --target atmega128", &["a product of 9 words", "; valid: splits into 2 or 4"]),
    (
        "tune mul --bits 64 --target atmega128 --levels 2",
        &["a product of 8 words", "; valid: splits into 2 or 4"],
    ),
    (
        "tune mul --bits 80 --target atmega128 --trail TRAIL",
        &["it is the trail of another product; valid: what"],
    ),
    ("tune mul --bits 64 --target atmega12", &["unknown target 'atmega12'; valid: "]),
    (
        "tune mul --bits 64 --target atmega128 --shard 3/2",
        &["'3/2' is no part; valid: I/N, with I from 1 to N"],
    ),
    ("tune mul --bits 64 --target atmega128 --seconds 1 --searches 1", &["--seconds", "--searches"]),
];

#[test]
fn what_has_no_such_trail_is_refused() {
    let trail = known(64);
    for (command, parts) in REFUSED {
        let folder = tempfile::tempdir().unwrap();
        let output = rhomb(folder.path(), &command.replace("TRAIL", &trail));
        let text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command}: {text}");
        assert!(text.lines().count() == 2 && output.stdout.is_empty(), "{command}: {text}");
        let (fault, hint) = text.split_once('\n').unwrap();
        assert!(fault.starts_with("error: ") && hint.starts_with("hint: "), "{command}: {text}");
        assert!(parts.iter().all(|part| fault.contains(part)), "{command}: {text}");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{command}");
    }
}

/// What was found until then is printed.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_makes_the_searches_that_run_the_last_ones() {
    for signal in ["INT", "TERM"] {
        let child = Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args("tune mul --bits 64 --target atmega128 --jobs 1 --seconds 3600".split(' '))
            .env("RHOMB_PROGRESS", "off")
            .stdout(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // it searches when it has worked for a fifth of a second: the twelfth field behind its name counts hundredths
        let worked = || {
            let status = std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
            let fields = status.rsplit_once(") ").unwrap().1;
            fields.split(' ').nth(11).unwrap().parse::<u64>().unwrap()
        };
        while worked() < 20 {
            std::thread::yield_now();
        }
        let sent = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
        assert!(sent.unwrap().success());
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(output.status.success(), "{signal}: {text}");
        assert!(text.contains(" function cycles, 426 before: rhomb generate mul --bits 64 "), "{text}");
    }
}
