//! Kernels that are proved from their bytes.

use crate::matrix::OPEN;
use crate::matrix::run::{Request, function};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Form, Operation, Parameters};
use rhomb_prove::{prove, prove_within, refute};
use rhomb_riscv::instructions::Instruction;

fn proved(operation: Operation, name: &str, words: usize, parameters: Parameters) {
    is_proved(Request::of("ibex-single", operation, name, words, parameters));
}

fn is_proved(request: Request) {
    let (operation, words) = (request.method.operation, request.words);
    let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
    let function = function(&request, &kernel);
    let contract: Contract = format!("{} {}", operation.name(), 32 * words).parse().unwrap();
    match prove(&function, &contract) {
        Ok(certificate) => assert_eq!(check(&function, &certificate), Ok(contract), "{request}"),
        Err(error) => {
            let found = refute(&function, &contract, 10_000).found;
            panic!("{request}: {error}; {found:x?}");
        }
    }
}

#[test]
fn products() {
    for (words, rows) in [(1, 1), (3, 2), (5, 3), (8, 4), (12, 6), (16, 9)] {
        proved(Operation::Mul, "hybrid", words, Parameters { rows: Some(rows), ..OPEN });
        proved(Operation::Mul, "product-scanning", words, OPEN);
    }
}

#[test]
fn squares() {
    for words in [1, 2, 3, 5, 8, 16] {
        proved(Operation::Sqr, "product-scanning", words, OPEN);
    }
}

#[test]
fn sums_and_differences() {
    for operation in [Operation::Add, Operation::Sub] {
        for words in [1, 2, 8, 16] {
            proved(operation, "carry-chain", words, OPEN);
        }
    }
}

/// Halves equal and not, of one level to three.
#[test]
fn splits() {
    for (words, levels) in [(8, 1), (12, 1), (3, 2), (4, 2), (5, 2), (7, 2), (8, 2), (11, 2), (8, 3)] {
        let parameters = Parameters { levels: Some(levels), cache: Some(6), ..OPEN };
        proved(Operation::Mul, "split", words, parameters);
    }
}

/// Of two levels with any one instruction left out, which is not proved but where nothing comes of that.
#[test]
fn no_split_without_an_instruction_is_proved_and_wrong() {
    let parameters = Parameters { levels: Some(2), cache: Some(6), ..OPEN };
    let request = Request::of("ibex-single", Operation::Mul, "split", 4, parameters);
    let kernel = request.lower().unwrap_or_else(|error| panic!("{request}: {error}"));
    let contract: Contract = "mul 128".parse().unwrap();
    let mut unproved = 0;
    for at in (0..kernel.program.len() - 1).step_by(rhomb_oracles::sample(9, 1)) {
        let mut mutant = kernel.clone();
        mutant.program[at] = Instruction::NOP;
        let function = function(&request, &mutant);
        match prove_within(&function, &contract, 500_000) {
            Ok(_) => assert!(refute(&function, &contract, 50_000).found.is_none(), "without {at}"),
            Err(_) => unproved += 1,
        }
    }
    assert!(unproved > rhomb_oracles::sample(20, 200), "{unproved} of {}", kernel.program.len());
}

#[test]
fn loops() {
    for (operation, name) in [
        (Operation::Mul, "product-scanning"),
        (Operation::Mul, "operand-scanning"),
        (Operation::Sqr, "product-scanning"),
        (Operation::Add, "carry-chain"),
        (Operation::Sub, "carry-chain"),
    ] {
        for words in [1, 2, 5, 8] {
            let cache = Parameters { cache: Some(1), ..OPEN };
            let request = Request::of("ibex-single", operation, name, words, cache);
            is_proved(Request { form: Form::Looped, ..request });
        }
    }
}
