//! Splits into halves: every size and number of levels against products of big integers, the contract kept.

use crate::requests::{CORES, OPEN, Request};
use crate::run::{call_secretly, check};
use rhomb_kernel::split::{Cut, Node, Pairs};
use rhomb_kernel::{Operation, Parameters, Task, method};
use rhomb_mips::conventions::O32;
use rhomb_mips::lower::{LowerError, Ring, routine, routine_within};

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
    check(&request, &request.within(least).unwrap(), 12);
    let refused = request.within(least - 1);
    assert!(matches!(refused, Err(LowerError::Registers { .. })), "{refused:?}");
}

#[test]
fn other_splits_are_refused() {
    let walk = |words| method(Operation::Mul, "product-scanning").unwrap().walk(words, &OPEN).unwrap();
    let model = request("mips32-ise", 12, 1).model();
    for (cut, pairs) in [
        (Cut::Balanced(3), Pairs::Subtractive),
        (Cut::Balanced(2), Pairs::Additive),
        (Cut::Ratio(vec![1, 3]), Pairs::Subtractive),
    ] {
        let task = Task::Split(Node::new(12, 1, &cut, pairs, &walk));
        assert_eq!(routine(&task, &model, &O32), Err(LowerError::Splits));
    }
    let task = request("mips32-ise", 12, 1).task();
    let refused = routine_within(&task, &model, &O32, Ring::BinaryPolynomials, usize::MAX);
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
