//! Splits: halves of every size and number of levels against products of big integers, the contract kept.

use crate::matrix::requests::{OPEN, Request, arm7tdmi};
use crate::matrix::run::{call_secretly, check, check_as, function_cycles};
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::lower::{Accumulation, Kernel, LowerError, Making, routine_by};
use rhomb_kernel::split::{Cut, Node, Pairs};
use rhomb_kernel::{Operation, Parameters, Task, method};

/// A split of so many levels, with products below by columns of a cache that the registers hold.
pub(crate) fn request(words: usize, levels: usize) -> Request {
    let parameters = Parameters { levels: Some(levels), cache: Some(3), ..OPEN };
    Request::of(Operation::Mul, "split", words, parameters)
}

pub(crate) fn by(accumulation: Accumulation, request: &Request) -> Kernel {
    let making = Making { accumulation: Some(accumulation), ..Making::default() };
    routine_by(&request.task(), arm7tdmi(), &AAPCS, &making)
        .unwrap_or_else(|error| panic!("{request}: {error}"))
}

#[test]
fn every_size_and_number_of_levels_multiplies() {
    let mut runs = 0;
    for words in 2..=34 {
        for levels in 1..=3 {
            let request = request(words, levels);
            runs += check(arm7tdmi(), &request, &by(Accumulation::Columns, &request), 12);
        }
    }
    // differences that registers do not hold, of halves equal and not
    for (words, levels) in [(48, 1), (51, 2), (64, 3), (75, 4)] {
        let request = request(words, levels);
        runs += check(arm7tdmi(), &request, &by(Accumulation::Columns, &request), 12);
    }
    println!("{runs} runs");
}

#[test]
fn rows_below_multiply() {
    for (words, levels) in [(2, 1), (3, 1), (5, 2), (8, 1), (9, 1), (12, 1), (13, 2), (16, 1), (23, 2)] {
        let request = request(words, levels);
        let kernel = by(Accumulation::Rows, &request);
        check(arm7tdmi(), &request, &kernel, 40);
        call_secretly(arm7tdmi(), &request, &kernel);
    }
}

/// Squares of parts, by their plan.
#[test]
fn squares_of_parts() {
    for (words, levels, pairs) in [(2, 1, 0), (3, 1, 1), (8, 1, 0), (9, 2, 1), (13, 2, 0), (34, 1, 0)] {
        let parameters = Parameters { levels: Some(levels), pairs: Some(pairs), cache: Some(3), ..OPEN };
        let request = Request::of(Operation::Sqr, "split", words, parameters);
        for accumulation in [Accumulation::Columns, Accumulation::Rows] {
            let kernel = by(accumulation, &request);
            check(arm7tdmi(), &request, &kernel, 40);
            call_secretly(arm7tdmi(), &request, &kernel);
        }
    }
}

/// Of what time it takes, nothing depends on the operands.
#[test]
fn splits_of_constant_time() {
    for words in [5, 8] {
        let request = request(words, 1);
        let making = Making { constant_time: true, ..Making::default() };
        let kernel = routine_by(&request.task(), arm7tdmi(), &AAPCS, &making).unwrap();
        check_as(" constant", arm7tdmi(), &request, &kernel, 20);
        assert_eq!(kernel.accumulation, Some(Accumulation::Rows));
        let refused = Making { accumulation: Some(Accumulation::Columns), ..making };
        let refused = routine_by(&request.task(), arm7tdmi(), &AAPCS, &refused);
        assert_eq!(refused, Err(LowerError::ConstantTime { what: "columns" }));
    }
}

/// Registers beside the pointers, from the fewest on.
#[test]
fn few_registers_are_enough() {
    let small = Parameters { cache: Some(1), levels: Some(1), ..OPEN };
    let request = Request::of(Operation::Mul, "split", 12, small);
    let making =
        |registers| Making { accumulation: Some(Accumulation::Columns), registers, ..Making::default() };
    let refused = routine_by(&request.task(), arm7tdmi(), &AAPCS, &making(6));
    assert_eq!(refused, Err(LowerError::Registers { needed: 7, available: 6 }));
    for registers in 7..=11 {
        let kernel = routine_by(&request.task(), arm7tdmi(), &AAPCS, &making(registers)).unwrap();
        check_as(&format!(" in {registers}"), arm7tdmi(), &request, &kernel, 12);
    }
}

/// Parts, pairs, words and levels of splits that are made step by step.
pub(crate) const OTHERS: [(usize, Pairs, usize, usize); 12] = [
    (3, Pairs::Subtractive, 3, 1),
    (3, Pairs::Subtractive, 10, 1),
    (3, Pairs::Additive, 13, 1),
    (112, Pairs::Subtractive, 9, 1),
    (112, Pairs::Additive, 8, 1),
    (31, Pairs::Subtractive, 11, 1),
    (31, Pairs::Additive, 16, 1),
    (2, Pairs::Additive, 2, 1),
    (2, Pairs::Additive, 7, 1),
    (2, Pairs::Additive, 12, 2),
    (3, Pairs::Subtractive, 11, 2),
    (4, Pairs::Subtractive, 22, 2),
];

/// Such a split.
pub(crate) fn other((parts, pairs, words, levels): (usize, Pairs, usize, usize)) -> Request {
    let request = request(words, levels);
    let parameters = Parameters { parts: Some(parts), pairs: Some(pairs as usize), ..request.parameters };
    Request { parameters, ..request }
}

#[test]
fn any_parts_multiply() {
    // strings that registers hold a part of at a time
    let long =
        [(3, Pairs::Additive, 50, 1), (112, Pairs::Subtractive, 51, 1), (21, Pairs::Subtractive, 45, 2)];
    for split in OTHERS.into_iter().chain(long) {
        let request = other(split);
        let kernel = by(Accumulation::Columns, &request);
        check(arm7tdmi(), &request, &kernel, 40);
        call_secretly(arm7tdmi(), &request, &kernel);
    }
    for split in [(3, Pairs::Subtractive, 9, 1), (2, Pairs::Additive, 8, 1)] {
        let request = other(split);
        check(arm7tdmi(), &request, &by(Accumulation::Rows, &request), 40);
    }
    let few = Making { accumulation: Some(Accumulation::Columns), registers: 7, ..Making::default() };
    let request = other((12, Pairs::Additive, 12, 1));
    let request = Request { parameters: Parameters { cache: Some(1), ..request.parameters }, ..request };
    let kernel = routine_by(&request.task(), arm7tdmi(), &AAPCS, &few).unwrap();
    check_as(" in 7", arm7tdmi(), &request, &kernel, 12);
}

/// Where the frame is beyond the reach of offsets.
#[test]
fn splits_of_large_frames_are_refused() {
    let walk = |words| method(Operation::Mul, "product-scanning").unwrap().walk(words, &OPEN).unwrap();
    let sums = Task::Split(Node::new(260, 3, &Cut::Balanced(2), Pairs::Additive, &walk));
    let differences =
        Request::of(Operation::Mul, "split", 300, Parameters { levels: Some(6), ..OPEN }).task();
    for task in [sums, differences] {
        let columns = Making { accumulation: Some(Accumulation::Columns), ..Making::default() };
        let refused = routine_by(&task, arm7tdmi(), &AAPCS, &columns);
        assert!(matches!(refused, Err(LowerError::Frame { .. })), "{refused:?}");
    }
}

/// Cycles of functions, in the worst case: they only go down. Operands whose words and whose differences of halves have
/// a bit among the highest eight take as long.
#[test]
fn figures() {
    for (words, levels, most) in [(12, 1, 1416), (16, 1, 2331), (32, 2, 7776), (64, 3, 24877)] {
        let request = request(words, levels);
        let kernel = by(Accumulation::Rows, &request);
        let cycles = kernel.cycles.unwrap();
        println!("{words} words: {cycles}");
        assert!(cycles <= most, "{words} words: {cycles}");
        if levels > 2 {
            continue;
        }
        // neither do quarters agree, nor their differences, nor the differences of these
        let quarters = [0xf000_0000, 0xd000_0000, 0xb000_0000, 0x8800_0000];
        let operand: Vec<u32> = (0..words).map(|index| quarters[4 * index / words]).collect();
        let taken = function_cycles(arm7tdmi(), &request, &kernel, &[operand.clone(), operand]);
        assert_eq!(taken, cycles, "{words} words");
    }
}
