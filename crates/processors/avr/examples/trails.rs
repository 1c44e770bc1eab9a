//! Searches for the registers of a product by phases, and prints the best trail as a line of `src/lower/phases/found.txt`:
//!
//! ```console
//! $ cargo run --release -p rhomb-avr --example trails -- 2 5 60 1
//! ```
//!
//! LEVELS (1 or 2) and WORDS of a part (4 to 8), then SECONDS and SEED: with other seeds other machines search elsewhere. It begins with the
//! trail that is known; each search changes the plan of the best one so far a little.

use rhomb_avr::lower::Parts;
use std::time::{Duration, Instant};

/// States side by side.
const WIDTH: usize = 100;
/// Searches of a seed are numbered from here on.
const APART: u32 = 100_000;

fn main() -> Result<(), String> {
    let usage = "usage: trails LEVELS WORDS SECONDS SEED";
    let numbers: Result<Vec<u32>, _> = std::env::args().skip(1).map(|word| word.parse()).collect();
    let [levels, words, seconds, seed] = numbers.unwrap_or_default()[..] else {
        return Err(usage.to_owned());
    };
    let parts = Parts::of((words as usize) << levels.min(8), levels as usize)
        .ok_or_else(|| format!("no such product; valid: 1 or 2 levels, 4 to 8 words of a part; {usage}"))?;
    let known = parts.known();
    let mut best = match &known {
        Some(trail) => (parts.cycles(trail).map_err(|error| error.to_string())?, trail.clone()),
        None => (u32::MAX, parts.start()),
    };
    let (start, time) = (Instant::now(), Duration::from_secs(seconds.into()));
    for number in 0.. {
        if start.elapsed() >= time {
            break;
        }
        let own = seed.wrapping_mul(APART).wrapping_add(number);
        let Some((cycles, trail)) = parts.search(&best.1, own, WIDTH) else { continue };
        if cycles < best.0 {
            eprintln!("{} s: {cycles} cycles", start.elapsed().as_secs());
        }
        if cycles <= best.0 {
            best = (cycles, trail);
        }
    }
    println!("{levels} {words} {}", best.1);
    Ok(())
}
