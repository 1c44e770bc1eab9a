//! Gives the readers changed inputs for some time:
//!
//! ```text
//! cargo run --profile fuzz -p rhomb --features fuzz --example fuzz -- TARGET [--minutes N] [--seed S] [--keep FOLDER]
//! ```
//!
//! It starts from the files of `tests/corpus/TARGET`. Inputs that get an answer of a new kind join them for
//! the run. A panic, an overflow, more than 10 seconds or more than 2 GiB is a finding: the input is kept in
//! `FOLDER` (`target/fuzz` unless told). The same seed gives the same inputs.

mod bytes;
#[path = "../../tests/fuzz/corpus.rs"]
mod corpus;
mod elf;
mod json;
#[path = "../../tests/fuzz/targets/mod.rs"]
mod targets;
mod text;
mod watch;

use rhomb_machine::Random;
use std::collections::HashSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Inputs in memory, and bytes of one.
const MOST_INPUTS: usize = 4000;
const MOST_BYTES: usize = 20_000;
/// Findings after which there is no point in going on.
const MOST_FINDINGS: usize = 20;

struct Options {
    target: &'static Target,
    minutes: f64,
    seed: u64,
    folder: PathBuf,
}

fn options() -> Option<Options> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next()?;
    let target = TARGETS.iter().find(|target| target.name == name)?;
    let mut options = Options { target, minutes: 1.0, seed: 1, folder: "target/fuzz".into() };
    while let Some(option) = arguments.next() {
        let value = arguments.next()?;
        match option.as_str() {
            "--minutes" => options.minutes = value.parse().ok()?,
            "--seed" => options.seed = value.parse().ok()?,
            "--keep" => options.folder = value.into(),
            _ => return None,
        }
    }
    Some(options)
}

fn main() -> ExitCode {
    let Some(options) = options() else {
        let names: Vec<&str> = TARGETS.iter().map(|target| target.name).collect();
        eprintln!("usage: fuzz {} [--minutes N] [--seed S] [--keep FOLDER]", names.join("|"));
        return ExitCode::from(2);
    };
    run(&options)
}

fn run(options: &Options) -> ExitCode {
    let Options { target, folder, .. } = options;
    let name = target.name;
    // the panic is told below, with its input
    std::panic::set_hook(Box::new(|panic| println!("{panic}")));
    let watch = watch::Watch::start(&folder.join(name));
    let mut random = Random::new(options.seed);
    let mut inputs: Vec<Vec<u8>> = corpus::files(name).into_iter().map(|(_, bytes)| bytes).collect();
    let mut known = HashSet::new();
    for input in &inputs {
        known.insert(kind(&(target.run)(input)));
    }
    let kept = inputs.len();
    let until = Instant::now() + Duration::from_secs_f64(60.0 * options.minutes);
    let (mut count, mut findings) = (0u64, 0);
    let mut next_report = Instant::now() + Duration::from_secs(60);
    while Instant::now() < until && findings < MOST_FINDINGS {
        let mut input = random.pick(&inputs).clone();
        let other = random.pick(&inputs).clone();
        for _ in 0..1 << random.index(4) {
            change(name, &mut input, &other, &mut random);
        }
        input.truncate(MOST_BYTES);
        watch.begin(&input);
        let answer = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        watch.end();
        count += 1;
        match answer {
            Ok(answer) => {
                if inputs.len() < MOST_INPUTS && known.insert(kind(&answer)) {
                    inputs.push(input);
                }
            }
            Err(_) => {
                findings += 1;
                println!("FINDING panic: {}", watch::keep(&folder.join(name), "panic", &input).display());
            }
        }
        if Instant::now() > next_report {
            next_report += Duration::from_secs(60);
            println!("{name}: {count} inputs, {} kinds of answers", known.len());
        }
    }
    let new = folder.join("new").join(name);
    for input in &inputs[kept..] {
        watch::keep(&new, "input", input);
    }
    println!(
        "{name} seed {}: {count} inputs, {} kinds of answers, {findings} findings",
        options.seed,
        known.len()
    );
    if findings == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// One change of an input of the target.
fn change(target: &str, input: &mut Vec<u8>, other: &[u8], random: &mut Random) {
    let changed = match target {
        "object" => elf::change(input, random),
        // the file stands behind two bytes of choices
        "verify" if input.len() > 2 && random.index(8) != 0 => elf::change(&mut input[2..], random),
        "certificate" if random.index(8) != 0 => json::change(input, other, random),
        _ => match text::words(target) {
            Some(words) if random.index(4) != 0 => {
                text::change(input, &words, random);
                true
            }
            _ => false,
        },
    };
    if !changed {
        bytes::change(input, other, random);
    }
}

/// An answer without what it quotes, its names and its numbers: its first words of small letters.
fn kind(answer: &str) -> String {
    let (before, rest) = answer.split_once('\'').unwrap_or((answer, ""));
    let after = rest.rsplit('\'').next().unwrap_or_default();
    let words = before
        .split(|one: char| !one.is_ascii_alphanumeric())
        .chain(after.split(|one: char| !one.is_ascii_alphanumeric()));
    let plain = |word: &&str| word.len() > 2 && word.bytes().all(|letter| letter.is_ascii_lowercase());
    words.filter(plain).take(30).collect::<Vec<_>>().join(" ")
}
