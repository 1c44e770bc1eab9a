//! Figures that must be reached: cycles of the function.

use crate::matrix::requests::{OPEN, Request};
use crate::matrix::run::{check, cycles};
use rhomb_kernel::{Operation, Parameters};
use rhomb_mips::lower::Ring;

fn function_cycles(request: &Request) -> u64 {
    let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
    check(request, &kernel, 20);
    let (body, function) = cycles(request, &kernel);
    println!("{request}: body {body}, function {function}");
    function
}

/// 192 bits, unrolled and scheduled.
#[test]
fn unrolled() {
    let all = Parameters { cache: Some(6), ..OPEN };
    let of = |core, operation, parameters| Request::of(core, operation, "product-scanning", 6, parameters);
    for (request, most) in [
        (of("mips32-ise", Operation::Mul, all), 101),
        (of("mips32-ise", Operation::Sqr, OPEN), 70),
        (Request { ring: Ring::BinaryPolynomials, ..of("mips32-ise", Operation::Mul, all) }, 101),
        (Request { ring: Ring::BinaryPolynomials, ..of("mips32-ise", Operation::Sqr, OPEN) }, 38),
        (of("mips32-4km", Operation::Mul, all), 331),
        (of("mips32-4km", Operation::Sqr, OPEN), 331),
        (of("smartmips", Operation::Mul, all), 101),
        (of("smartmips", Operation::Sqr, OPEN), 101),
    ] {
        let cycles = function_cycles(&request);
        assert!(cycles <= most, "{request}: {cycles} of {most}");
    }
}
