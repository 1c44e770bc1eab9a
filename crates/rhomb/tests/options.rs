//! Every option that takes a number refuses what is out of its range, and what it takes stands in the file's header.

use std::collections::BTreeSet;
use std::process::{Command, Output};

fn rhomb(arguments: &str) -> Output {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    command
        .args(arguments.split_whitespace())
        .current_dir(folder.path())
        .env("RHOMB_PROGRESS", "off")
        .output()
        .unwrap()
}

/// A command, values that are out of range, and what names the range.
type Case = (&'static str, &'static str, &'static [&'static str], &'static str);

const MUL: &str = "measure mul --bits 64 --target atmega128";
const SQR: &str = "measure sqr --bits 64 --target atmega128";
const POWER: &str = "measure modexp --bits 128 --target tms320vc5510";
const HUGE: &str = "18446744073709551616";
const ANY: &str = "not a whole number from 0 to 999999999";

const CASES: &[Case] = &[
    ("measure mul --target atmega128", "--bits", &["0", "32769", "999999999"], "valid: 1 to 32768"),
    (
        "measure mul --target atmega128",
        "--bits",
        &[HUGE, "-1", "1e3", ""],
        "not a size in bits; valid: 1 to 32768",
    ),
    (MUL, "--jobs", &["0", "-1", "1025", HUGE, "many"], "not a whole number from 1 to 1024"),
    (MUL, "--cache", &["9", "99", "99999999"], "with operands of 8 words; valid: 1 to 8"),
    (MUL, "--cache", &["0"], "valid: 1 or more"),
    (MUL, "--cache", &[HUGE, "-1"], ANY),
    (
        "measure mul --bits 64 --target atmega128 --form looped --method operand-scanning",
        "--cache",
        &["2"],
        "valid: 1",
    ),
    ("measure mul --bits 256 --target tms320vc5510", "--cache", &["99999999", "17"], "valid: 1 to 16"),
    (SQR, "--cache", &["9"], "valid: 1 to 8"),
    (MUL, "--carry-once", &["17", "99999999"], "valid: 1 to 16"),
    (MUL, "--carry-once", &["0"], "valid: 1 or more"),
    (MUL, "--carry-once", &[HUGE, "-1"], ANY),
    (
        "measure mul --bits 64 --target atmega128 --method operand-scanning",
        "--carry-once",
        &["9"],
        "valid: 1 to 8",
    ),
    (MUL, "--levels", &["4", "99", "99999999"], "valid: 0 to 3"),
    (MUL, "--levels", &[HUGE, "-1"], "neither a whole number from 0 to 999999999 nor auto, paper or model"),
    ("measure mul --bits 72 --target atmega128 --parts 3", "--levels", &["3"], "valid: 0 to 2"),
    (POWER, "--levels", &["99"], "--levels and --square-levels that leave halves of an even number of words"),
    (MUL, "--parts", &["9"], "valid: up to 8 parts"),
    (
        MUL,
        "--parts",
        &["0", "1", "10", "99999", "1:0", "-2", HUGE],
        "neither 2 to 9 parts nor shares of 1 to 9",
    ),
    (MUL, "--rows", &["9", "99999999"], "valid: 1 to 8"),
    (MUL, "--rows", &["8"], "valid: 1 to 7"),
    (MUL, "--rows", &["0"], "valid: 1 or more"),
    (MUL, "--rows", &[HUGE, "-1"], ANY),
    (MUL, "--initial-block", &["9", "99999999"], "valid: 0 to 8"),
    (
        "measure mul --bits 160 --target atmega128 --method consecutive-operand-caching --cache 9",
        "--initial-block",
        &["10", "20"],
        "valid: 0 to 9",
    ),
    (MUL, "--initial-block", &[HUGE, "-1"], ANY),
    (SQR, "--batch", &["9", "99999999"], "valid: 1 to 8"),
    (SQR, "--batch", &["0"], "valid: 1 or more"),
    (SQR, "--batch", &[HUGE, "-1"], ANY),
    ("measure mul --bits 160 --target atmega128", "--narrow-strip", &["20", "999"], "valid: 0 to 2"),
    (
        "measure mul --bits 160 --target atmega128 --method consecutive-operand-caching --cache 9 --initial-block 2",
        "--narrow-strip",
        &["3"],
        "valid: 0 to 2",
    ),
    (
        "measure mul --bits 160 --target atmega128 --method consecutive-operand-caching --cache 9 --initial-block 0",
        "--narrow-strip",
        &["1"],
        "valid: 0",
    ),
    (MUL, "--narrow-strip", &[HUGE, "-1"], ANY),
    (MUL, "--strips", &["9", "4,5", "0,8", "255"], "with a sum of 8"),
    (MUL, "--strips", &["256", "-1", ""], "not widths of up to 255 words"),
    (POWER, "--window", &["0", "1", "9", "99999999"], "valid: 2 to 8"),
    (POWER, "--window", &[HUGE, "-1"], ANY),
    ("measure modexp --bits 64 --target rv32im", "--public", &["0"], "valid: 1 to 999999999"),
    (POWER, "--public", &["3"], "valid: --method fixed-window"),
    (POWER, "--public", &[HUGE, "-1"], ANY),
    (POWER, "--block", &["0", "8"], "has no --block; valid: --window"),
    (POWER, "--block", &[HUGE, "-1"], ANY),
    (
        POWER,
        "--square-levels",
        &["9", "99999999"],
        "--square-levels that leave halves of an even number of words",
    ),
    (POWER, "--square-levels", &[HUGE, "-1"], ANY),
    (MUL, "--registers", &["0", "33", "99999999"], "valid: 1 to 32"),
    (MUL, "--registers", &["1"], "too few on atmega128; valid: 6 or more"),
    (MUL, "--registers", &[HUGE, "-1"], ANY),
    (MUL, "--max-code", &["0", "10"], "the least found is"),
    (MUL, "--max-code", &[HUGE, "-1"], ANY),
    (MUL, "--max-stack", &["0"], "(the least found is 2); valid: more"),
    (
        "measure mul --bits 256 --target atmega128",
        "--max-stack",
        &["0"],
        "(the least found is 2); valid: more",
    ),
    (MUL, "--max-stack", &[HUGE, "-1"], ANY),
    (MUL, "--mhz", &["0", "-1", "10001", "NaN"], "not a number from 0.001 to 10000"),
    ("draw mul --target atmega128", "--bits", &["0", "32769"], "valid: 1 to 32768"),
    ("draw mul --target atmega128 --bits 64", "--cache", &["9"], "valid: 1 to 8"),
    ("generate mul --target atmega128 --no-proof", "--bits", &["0"], "valid: 1 to 32768"),
    ("generate gf2mul --target mips32-ise", "--bits", &["0", "99999"], "valid: "),
    (
        "verify x --symbol f --target atmega128 --contract nothing",
        "--effort",
        &["0", "-1", HUGE],
        "from 1 to 1000000000000000",
    ),
    ("tune mul --target atmega128 --searches 1", "--bits", &["0", "32769"], "valid: 1 to 32768"),
    ("tune mul --target atmega128 --bits 64", "--seconds", &["-1", HUGE], ANY),
    ("tune mul --target atmega128 --bits 64", "--searches", &["-1", HUGE], ANY),
    ("tune mul --target atmega128 --bits 64 --searches 1", "--seed", &["-1", HUGE], ANY),
    ("tune mul --target atmega128 --bits 64 --searches 1", "--levels", &["-1", HUGE], ANY),
    ("tune mul --target atmega128 --bits 64 --searches 1", "--levels", &["4", "9"], "valid: 0 to 3"),
    ("reproduce hutter-wenger", "--table", &["99", "0", "-1"], "valid: "),
    ("records sqr --target arm7tdmi", "--bits", &["0", "161", "-1"], "valid: "),
];

#[test]
fn what_is_out_of_range_is_refused_with_the_range() {
    for (command, option, values, range) in CASES {
        for value in *values {
            let folder = tempfile::tempdir().unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
                .args(command.split_whitespace())
                .arg(format!("{option}={value}"))
                .env("RHOMB_PROGRESS", "off")
                .current_dir(folder.path())
                .output()
                .unwrap();
            let text = String::from_utf8_lossy(&output.stderr);
            let case = format!("{command} {option} {value}: {text}");
            assert_eq!(output.status.code(), Some(2), "{case}");
            let fault = text.lines().next().unwrap_or_default();
            assert!(fault.starts_with("error: ") && fault.contains(range), "{case}");
            assert!(fault.contains(option) || *option == "--bits" || *option == "--table", "{case}");
            assert!(text.lines().nth(1).is_some_and(|line| line.starts_with("hint: ")), "{case}");
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{case}");
        }
    }
}

/// Options whose values are no numbers.
const NO_NUMBERS: &[&str] = &[
    "accumulation",
    "calls",
    "certificate",
    "chart",
    "contract",
    "convention",
    "export-cryptoline",
    "export-smt",
    "extension",
    "timing",
    "trail",
    "form",
    "format",
    "interrupts",
    "method",
    "modulus",
    "name",
    "on-x",
    "orders",
    "output",
    "pairs",
    "polynomial",
    "symbol",
    "syntax",
    "target",
    "constant-time",
    "no-proof",
    "contracts",
    "curve",
    "shard",
    "certificates",
    "require",
    "section",
    "plain",
    "force",
    "quiet",
    "color",
    "programs",
    "theme",
    "walk",
];

#[test]
fn no_option_that_takes_a_number_is_left_out() {
    let mut tested: BTreeSet<&str> =
        CASES.iter().map(|(_, option, ..)| option.trim_start_matches('-')).collect();
    tested.extend(NO_NUMBERS);
    let mut seen = 0;
    for command in [
        "generate",
        "library",
        "measure",
        "tune",
        "draw",
        "verify",
        "certificate",
        "reproduce",
        "records",
        "list",
        "man",
        "completions",
    ] {
        let help = String::from_utf8(rhomb(&format!("{command} --help")).stdout).unwrap();
        let options = help
            .lines()
            .map(str::trim_start)
            .filter(|line| line.starts_with("--") || line.get(2..4) == Some(", "));
        for option in options.filter_map(|line| line.split_once("--")?.1.split([' ', '=']).next()) {
            assert!(tested.contains(option) || option == "help", "{command}: --{option}");
            seen += 1;
        }
    }
    assert!(seen > 80, "{seen}");
}

/// The command line in the header has the numbers as they were typed, and makes the same file.
#[test]
fn what_is_taken_is_echoed_and_reproduced() {
    for (request, options) in [
        ("mul --bits 64 --target atmega128", "--method product-scanning --cache 8"),
        (
            "mul --bits 64 --target atmega128",
            "--method operand-caching --cache 4 --carry-once 16 --initial-block 0",
        ),
        (
            "mul --bits 64 --target atmega128",
            "--method operand-caching --cache 3 --carry-once 2 --initial-block 8",
        ),
        ("mul --bits 64 --target atmega128", "--method hybrid --rows 7"),
        (
            "mul --bits 64 --target atmega128",
            "--method consecutive-operand-caching --cache 3 --initial-block 2 --narrow-strip 2",
        ),
        (
            "mul --bits 64 --target atmega128",
            "--method mixed-operand-caching --cache 3 --initial-block 8 --narrow-strip 2",
        ),
        ("mul --bits 64 --target atmega128", "--method split --levels 3 --cache 8"),
        ("mul --bits 64 --target atmega128", "--method split --levels 1 --parts 8"),
        ("mul --bits 64 --target atmega128", "--strips 1,2,5 --registers 32"),
        (
            "mul --bits 64 --target atmega128",
            "--method operand-scanning --form looped --cache 1 --carry-once 8",
        ),
        ("sqr --bits 64 --target atmega128", "--cache 8 --batch 3"),
        ("sqr --bits 64 --target atmega128", "--method product-scanning --batch 2 --registers 20"),
        ("modexp --bits 128 --target tms320vc5510", "--window 8"),
        ("modexp --bits 64 --target rv32im", "--public 3"),
        ("modexp --bits 128 --target tms320vc5510", "--square-levels 0 --levels 0"),
        ("public --curve p192 --target cortex-m4", "--max-code 9000 --max-stack 2000"),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(3, 1))
    {
        let command = format!("generate {request} {options} --no-proof -o -");
        let first = rhomb(&command);
        let text = String::from_utf8(first.stdout).unwrap();
        assert!(first.status.success(), "{command}: {}", String::from_utf8_lossy(&first.stderr));
        let line = text.lines().find_map(|line| Some(line.split_once("rhomb generate ")?.1)).unwrap();
        let words: Vec<&str> = options.split_whitespace().collect();
        for option in words.chunks(2).map(|pair| pair.join(" ")) {
            assert!(format!("{line} ").contains(&format!("{option} ")), "{command}: {option} in {line}");
        }
        let again = String::from_utf8(rhomb(&format!("generate {line} -o -")).stdout).unwrap();
        assert!(again == text, "{command}: {line}");
    }
}
