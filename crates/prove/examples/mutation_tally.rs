//! Prints what becomes of kernels with one instruction changed. A number among the arguments says how
//! many times the usual number of replacements; other arguments, beginnings of names of families, choose
//! among these: `cargo run --release -p rhomb-prove --example mutation_tally -- 10 karatsuba`.

#[path = "../tests/mutation/explain.rs"]
mod explain;
#[path = "../tests/mutation/families.rs"]
mod families;
#[path = "../tests/mutation/judge.rs"]
mod judge;
#[path = "../tests/mutation/mutants.rs"]
mod mutants;
#[path = "../tests/mutation/tally.rs"]
mod tally;

fn main() {
    let (times, wanted): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.parse::<usize>().is_ok());
    let times = times.first().and_then(|times| times.parse().ok()).unwrap_or(1);
    let start = std::time::Instant::now();
    let rows = tally::tally(
        |kernel| wanted.is_empty() || wanted.iter().any(|prefix| kernel.family.starts_with(prefix)),
        times,
    );
    print!("{}", tally::table(&rows));
    eprintln!("{:.1} s", start.elapsed().as_secs_f64());
}
