//! Kernels that are proved from their bytes.

use crate::OPEN;
use crate::run::{Request, function};
use rhomb_certificate::{Contract, check};
use rhomb_kernel::{Operation, Parameters};
use rhomb_prove::{prove, refute};

fn proved(operation: Operation, name: &str, words: usize, parameters: Parameters) {
    let request = Request::of("ibex-single", operation, name, words, parameters);
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

#[test]
fn splits() {
    for words in [8, 12] {
        let parameters = Parameters { levels: Some(1), cache: Some(6), ..OPEN };
        proved(Operation::Mul, "split", words, parameters);
    }
}
