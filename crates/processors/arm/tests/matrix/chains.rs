//! Addition and subtraction.

use crate::matrix::requests::{OPEN, Request, arm7tdmi, paper};
use crate::matrix::run::{check, check_in_place};
use rhomb_kernel::{Form, Operation};
use std::fmt::Write as _;

fn requests(words: usize) -> Vec<Request> {
    let mut all = Vec::new();
    for operation in [Operation::Add, Operation::Sub] {
        for form in Form::ALL {
            all.push(Request { form, ..Request::of(operation, "carry-chain", words, OPEN) });
        }
    }
    all
}

#[test]
fn sums_and_differences_of_every_size() {
    for words in (1..=40).chain([63, 64, 65, 128, 300, 1025, 3000]) {
        for request in requests(words) {
            let kernel = request.lower(arm7tdmi()).unwrap_or_else(|error| panic!("{request}: {error}"));
            let random = if words > 40 { 3 } else { 30 };
            check(arm7tdmi(), &request, &kernel, random);
            check_in_place(arm7tdmi(), &request, &kernel, random);
        }
    }
}

#[test]
fn code_of_loops_does_not_grow() {
    for operation in [Operation::Add, Operation::Sub] {
        let request =
            |words| Request { form: Form::Looped, ..Request::of(operation, "carry-chain", words, OPEN) };
        let length = |words| request(words).lower(paper()).unwrap().program.len();
        let least = length(40);
        assert!((41..400).all(|words| length(words) <= least + 12));
    }
}

#[test]
fn cycles_of_chains_are_the_ones_written_down() {
    const WORDS: [usize; 10] = [1, 2, 4, 5, 6, 7, 8, 16, 32, 128];
    let mut table = format!("{:28}", "function cycles, by words");
    WORDS.iter().for_each(|words| table += &format!("{words:>7}"));
    table.push('\n');
    for index in 0..4 {
        let one = requests(1)[index];
        let label = format!("{} {}", one.method.operation.name(), one.form.name());
        let _ = write!(table, "{label:28}");
        for words in WORDS {
            let cycles = requests(words)[index].lower(arm7tdmi()).unwrap().cycles.unwrap();
            let _ = write!(table, "{cycles:>7}");
        }
        table.push('\n');
    }
    insta::assert_snapshot!("chain_cycles", table);
}
