//! Splits: halves of every size and number of levels against products of big integers, the contract kept.

use crate::matrix::requests::{CORES, OPEN, Request};
use crate::matrix::run::{call_secretly, check, check_as};
use rhomb_kernel::split::Pairs;
use rhomb_kernel::{Operation, Parameters};
use rhomb_mips::conventions::O32;
use rhomb_mips::lower::{LowerError, Ring, routine_within};

pub(crate) fn request(core: &'static str, words: usize, levels: usize) -> Request {
    let parameters = Parameters { levels: Some(levels), cache: Some(6), ..OPEN };
    Request::of(core, Operation::Mul, "split", words, parameters)
}

#[test]
fn every_size_and_number_of_levels_multiplies() {
    let mut runs = 0;
    for words in 2..=24 {
        for (index, core) in CORES.into_iter().enumerate() {
            for levels in 1..=3 {
                // large sizes take one core by turns
                if words > 9 && (words + levels) % 3 != index {
                    continue;
                }
                let request = request(core, words, levels);
                let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
                runs += check(&request, &kernel, 20);
            }
        }
    }
    // differences that registers do not hold, of halves equal and not
    for (core, words, levels) in [("mips32-4km", 40, 2), ("mips32-ise", 51, 2), ("smartmips", 64, 1)] {
        let request = request(core, words, levels);
        runs += check(&request, &request.lower().unwrap(), 12);
    }
    println!("{runs} runs");
}

#[test]
fn the_way_is_the_same_for_all_operands() {
    for core in CORES {
        for (words, levels) in [(5, 1), (8, 2)] {
            let request = request(core, words, levels);
            call_secretly(&request, &request.lower().unwrap());
        }
    }
}

/// Products below hold fewer words where registers are few.
#[test]
fn few_registers_are_enough() {
    let request = request("mips32-ise", 12, 1);
    let least = (1..20).find(|registers| request.within(*registers).is_ok()).unwrap();
    println!("{least} registers");
    assert!(least <= 12, "{least}");
    check_as(&format!(", in {least}"), &request, &request.within(least).unwrap(), 12);
    let refused = request.within(least - 1);
    assert!(matches!(refused, Err(LowerError::Registers { .. })), "{refused:?}");
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
pub(crate) fn other(
    core: &'static str,
    (parts, pairs, words, levels): (usize, Pairs, usize, usize),
) -> Request {
    let request = request(core, words, levels);
    let parameters = Parameters { parts: Some(parts), pairs: Some(pairs as usize), ..request.parameters };
    Request { parameters, ..request }
}

#[test]
fn any_parts_multiply() {
    for (index, split) in OTHERS.into_iter().enumerate() {
        let request = other(CORES[index % CORES.len()], split);
        let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
        check(&request, &kernel, 20);
        call_secretly(&request, &kernel);
    }
}

#[test]
fn splits_over_polynomials_are_refused() {
    let request = request("mips32-ise", 12, 1);
    let refused =
        routine_within(&request.task(), &request.model(), &O32, Ring::BinaryPolynomials, usize::MAX);
    assert_eq!(refused, Err(LowerError::Splits));
}

/// Cycles of functions, in the worst case: they only go down.
#[test]
fn figures() {
    for (core, words, levels, most) in [
        ("mips32-4km", 16, 1, 1519),
        ("mips32-4km", 32, 1, 5150),
        ("mips32-4km", 64, 2, 17739),
        ("mips32-ise", 64, 1, 10103),
        ("smartmips", 64, 1, 10512),
    ] {
        let request = request(core, words, levels);
        let cycles = request.lower().unwrap().cycles.unwrap();
        println!("{request}: {cycles}");
        assert!(cycles <= most, "{request}: {cycles} of {most}");
    }
}
