//! Routines with loops.

use crate::matrix::requests::{CORES, OPEN, Request};
use crate::matrix::run::{call_secretly, check, check_in_place, cycles};
use rhomb_kernel::{Form, Operation, Parameters};
use rhomb_mips::lower::{LowerError, Ring};

fn looped(core: &'static str, operation: Operation, name: &str, words: usize) -> Request {
    let one = Parameters { cache: if name == "carry-chain" { None } else { Some(1) }, ..OPEN };
    Request { form: Form::Looped, ..Request::of(core, operation, name, words, one) }
}

const ALL: [(Operation, &str); 5] = [
    (Operation::Mul, "product-scanning"),
    (Operation::Mul, "operand-scanning"),
    (Operation::Sqr, "product-scanning"),
    (Operation::Add, "carry-chain"),
    (Operation::Sub, "carry-chain"),
];

#[test]
fn every_loop_up_to_16_words() {
    for core in CORES {
        for (operation, name) in ALL {
            for words in (1..=16).chain([32, 64]) {
                let request = looped(core, operation, name, words);
                let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
                check(&request, &kernel, if words > 16 { 1 } else { 6 });
                if matches!(operation, Operation::Add | Operation::Sub) {
                    check_in_place(&request, &kernel, 2);
                }
                if words <= 3 {
                    call_secretly(&request, &kernel);
                }
            }
        }
    }
}

#[test]
fn polynomials() {
    for core in ["mips32-ise", "smartmips"] {
        for (operation, name) in &ALL[..3] {
            for words in (1..=12).chain([32]) {
                let request = looped(core, *operation, name, words);
                let request = Request { ring: Ring::BinaryPolynomials, ..request };
                let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
                check(&request, &kernel, 2);
            }
        }
    }
    let request = looped("mips32-4km", Operation::Mul, "product-scanning", 6);
    let request = Request { ring: Ring::BinaryPolynomials, ..request };
    assert_eq!(request.lower().map(|_| ()), Err(LowerError::Carryless));
}

/// The code does not grow with the operands.
#[test]
fn code_is_short() {
    for core in CORES {
        for (operation, name) in ALL {
            let length = |words| looped(core, operation, name, words).lower().unwrap().program.len();
            assert_eq!(length(20), length(64), "{core} {name}");
            assert!(length(64) < 240, "{core} {name}: {}", length(64));
        }
    }
}

/// Cycles of functions at 192 bits, and the inner loop of figure 3.
#[test]
fn figures_of_the_paper_are_reached() {
    let of = |core, operation, name: &str, ring, words| {
        let request = Request { ring, ..looped(core, operation, name, words) };
        let kernel = request.lower().unwrap();
        let (body, function) = cycles(&request, &kernel);
        println!("{request}: body {body}, function {function}");
        function
    };
    let (integers, polynomials) = (Ring::Integers, Ring::BinaryPolynomials);
    for (core, operation, name, ring, most) in [
        ("mips32-ise", Operation::Mul, "product-scanning", integers, 316),
        ("mips32-ise", Operation::Sqr, "product-scanning", integers, 228),
        ("mips32-ise", Operation::Mul, "product-scanning", polynomials, 316),
        ("mips32-ise", Operation::Sqr, "product-scanning", polynomials, 57),
        ("mips32-ise", Operation::Mul, "operand-scanning", integers, 612),
        ("mips32-4km", Operation::Mul, "product-scanning", integers, 612),
        ("mips32-4km", Operation::Mul, "operand-scanning", integers, 612),
        ("mips32-4km", Operation::Sqr, "product-scanning", integers, 612),
        ("smartmips", Operation::Mul, "product-scanning", integers, 316),
        ("smartmips", Operation::Sqr, "product-scanning", integers, 316),
    ] {
        let cycles = of(core, operation, name, ring, 6);
        assert!(cycles <= most, "{core} {name}: {cycles} of {most}");
    }
    // one more product in each of the 2n - 1 columns, and two columns more, which have as many
    for ring in [integers, polynomials] {
        let at = |words| of("mips32-ise", Operation::Mul, "product-scanning", ring, words) as i64;
        let second: Vec<i64> = (4..12).map(|n| at(n + 1) - 2 * at(n) + at(n - 1)).collect();
        // n^2 products of 6 cycles have a second difference of 12
        assert!(second.iter().all(|difference| *difference == 12), "{second:?}");
    }
}
