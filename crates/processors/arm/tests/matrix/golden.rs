//! Whole texts of small kernels.

use crate::matrix::requests::{OPEN, Request, arm7tdmi};
use rhomb_arm::lower::Kernel;
use rhomb_arm::syntax::gnu;
use rhomb_kernel::{Form, Operation, Parameters};

fn text(request: &Request, kernel: &Kernel) -> String {
    let mut text = format!("@ {request}\n");
    for instruction in &kernel.program {
        text.push_str(&gnu::instruction(instruction).unwrap());
        text.push('\n');
    }
    text
}

#[test]
fn column_by_column() {
    let cache = Parameters { cache: Some(2), carry_once: Some(2), ..OPEN };
    let rows = Parameters { rows: Some(2), ..OPEN };
    let narrow = Parameters { cache: Some(1), ..OPEN };
    for (name, words, parameters) in [
        ("operand-caching", 1, cache),
        ("operand-caching", 4, cache),
        ("product-scanning", 3, narrow),
        ("hybrid", 4, rows),
        ("operand-scanning", 3, narrow),
    ] {
        let request = Request::of(Operation::Mul, name, words, parameters);
        let kernel = request.by_columns(arm7tdmi()).unwrap();
        insta::assert_snapshot!(format!("columns_{name}_{words}"), text(&request, &kernel));
    }
}

#[test]
fn chains() {
    for (operation, form, words) in [
        (Operation::Add, Form::Unrolled, 1),
        (Operation::Add, Form::Unrolled, 8),
        (Operation::Sub, Form::Unrolled, 3),
        (Operation::Add, Form::Looped, 32),
        (Operation::Sub, Form::Looped, 30),
    ] {
        let request = Request { form, ..Request::of(operation, "carry-chain", words, OPEN) };
        let kernel = request.lower(arm7tdmi()).unwrap();
        let name = format!("{}_{}_{words}", operation.name(), form.name());
        insta::assert_snapshot!(name, text(&request, &kernel));
    }
}

/// Loops inside a loop, entered in the middle.
#[test]
fn loops() {
    let cache = Parameters { cache: Some(2), carry_once: Some(2), ..OPEN };
    let narrow = Parameters { cache: Some(1), ..OPEN };
    for (name, words, parameters) in [("operand-caching", 7, cache), ("product-scanning", 16, narrow)] {
        let request = Request { form: Form::Looped, ..Request::of(Operation::Mul, name, words, parameters) };
        let kernel = request.lower(arm7tdmi()).unwrap();
        insta::assert_snapshot!(format!("looped_{name}_{words}"), text(&request, &kernel));
    }
}
