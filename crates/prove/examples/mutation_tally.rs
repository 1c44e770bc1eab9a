//! Prints what becomes of kernels with one instruction changed; with arguments, of those families whose
//! names begin so.

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
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let start = std::time::Instant::now();
    let rows = tally::tally(|kernel| {
        wanted.is_empty() || wanted.iter().any(|prefix| kernel.family.starts_with(prefix))
    });
    print!("{}", tally::table(&rows));
    eprintln!("{:.1} s", start.elapsed().as_secs_f64());
}
