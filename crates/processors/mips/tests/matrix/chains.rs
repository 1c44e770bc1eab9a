//! Additions and subtractions.

use crate::matrix::requests::{CORES, OPEN, Request};
use crate::matrix::run::{call_secretly, check, check_in_place};
use rhomb_kernel::Operation;

#[test]
fn straight_lines() {
    for core in CORES {
        for operation in [Operation::Add, Operation::Sub] {
            for words in (1..=16).chain([32, 64]) {
                let request = Request::of(core, operation, "carry-chain", words, OPEN);
                let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
                check(&request, &kernel, 12);
                check_in_place(&request, &kernel, 4);
                call_secretly(&request, &kernel);
            }
        }
    }
}
