//! Proves and checks every kernel that the methods make, for all parameters, and prints how many there
//! are: `cargo run --release -p rhomb-prove --example methods -- 1-40 64 128 256`. Sizes are in words.
//! Exit status 1 if one is not proved.

#[path = "../tests/methods/settings.rs"]
mod settings;

use rhomb_kernel::walks;
use settings::{Kernels, Setting, combinations, proved};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// Up to this number of words every initial block is looked at, above only those up to the cache.
const EVERY_BLOCK: usize = 40;
const MOST_CACHE: usize = 10;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(sizes) = sizes(&arguments) else {
        eprintln!("sizes in words, as 20, or 1-40");
        return ExitCode::from(2);
    };
    let mut all = 0;
    let mut failures = Vec::new();
    println!("{:20} {:>5} {:>8} {:>8} {:>9}", "method", "words", "settings", "kernels", "seconds");
    for words in sizes {
        for method in walks() {
            let block = if words <= EVERY_BLOCK { words } else { MOST_CACHE };
            let settings = combinations(method, words, block);
            let start = Instant::now();
            let (kernels, failed) = prove_all(&settings);
            let seconds = start.elapsed().as_secs_f64();
            println!("{:20} {words:5} {:8} {kernels:8} {seconds:9.1}", method.name, settings.len());
            failed.iter().for_each(|failure| println!("NOT PROVED: {failure}"));
            all += kernels;
            failures.extend(failed);
        }
    }
    println!("{all} kernels, {} not proved", failures.len());
    ExitCode::from(u8::from(!failures.is_empty()))
}

/// Numbers and ranges; 1 to 40 and the large ones where there are none.
fn sizes(arguments: &[String]) -> Option<Vec<usize>> {
    if arguments.is_empty() {
        return Some((1..=40).chain([64, 128, 256]).collect());
    }
    let range = |text: &String| {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        let (first, last) = (first.parse().ok().filter(|first| *first > 0)?, last.parse().ok()?);
        Some(first..=last)
    };
    Some(arguments.iter().map(range).collect::<Option<Vec<_>>>()?.into_iter().flatten().collect())
}

/// How many different kernels there are, and what is wrong with those that are not proved.
fn prove_all(settings: &[Setting]) -> (usize, Vec<String>) {
    let kernels = Kernels::new();
    let (next, count) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        let mut failed = Vec::new();
        while let Some(setting) = settings.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(function) = kernels.kernel(setting) else { continue };
            let done = count.fetch_add(1, Ordering::Relaxed) + 1;
            if done.is_multiple_of(100) {
                eprintln!("{} {} words: {done} kernels", setting.method.name, setting.words);
            }
            failed.extend(proved(&function, setting).err());
        }
        failed
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let failed = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().expect("no thread fails")).collect()
    });
    (count.into_inner(), failed)
}
