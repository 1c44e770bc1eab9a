//! The text of kernels, assembled by GNU as: the same words.

use crate::matrix::requests::{CORES, OPEN, Request};
use rhomb_kernel::{Form, Operation, Parameters};
use rhomb_mips::Program;
use rhomb_mips::lower::Ring;
use rhomb_mips::syntax;
use rhomb_oracles::MipsGnu;

#[test]
fn gnu_as_makes_the_same_words() {
    let gnu = MipsGnu { march: "mips32" };
    let small = Parameters { cache: Some(1), ..OPEN };
    let halves = Parameters { cache: Some(4), levels: Some(1), ..OPEN };
    let mut count = 0;
    for core in CORES {
        for (operation, name, form, parameters) in [
            (Operation::Mul, "product-scanning", Form::Unrolled, OPEN),
            (Operation::Mul, "operand-caching", Form::Unrolled, small),
            (Operation::Mul, "split", Form::Unrolled, halves),
            (Operation::Mul, "product-scanning", Form::Looped, small),
            (Operation::Mul, "operand-scanning", Form::Looped, small),
            (Operation::Sqr, "product-scanning", Form::Unrolled, OPEN),
            (Operation::Sqr, "product-scanning", Form::Looped, OPEN),
            (Operation::Add, "carry-chain", Form::Unrolled, OPEN),
            (Operation::Sub, "carry-chain", Form::Looped, OPEN),
        ] {
            for (words, ring) in
                [(1, Ring::Integers), (6, Ring::Integers), (8, Ring::Integers), (6, Ring::BinaryPolynomials)]
            {
                let polynomials = ring == Ring::BinaryPolynomials;
                let sums = matches!(operation, Operation::Add | Operation::Sub);
                if polynomials && (core == "mips32-4km" || sums || name == "split") {
                    continue;
                }
                let request = Request::of(core, operation, name, words, parameters);
                let request = Request { form, ring, ..request };
                let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
                let model = request.model();
                let text = syntax::function(&model, "kernel", 0, &kernel.program);
                let program = Program::assemble(model.clone(), 0, &kernel.program).unwrap();
                let parsed = syntax::parse_file(&model, 0, &text).unwrap();
                assert_eq!(parsed.instructions, kernel.program, "{request}");
                let mut words = gnu.assemble(&text).unwrap_or_else(|error| panic!("{request}: {error}"));
                // the section may be filled up with zeros
                words.truncate(program.words().len());
                assert_eq!(words, program.words(), "{request}");
                count += 1;
            }
        }
    }
    assert!(count > 70, "{count}");
}
