//! Whole texts of small kernels.

use crate::matrix::kernels::Request;
use rhomb_avr::cores::core;
use rhomb_avr::syntax::gnu;
use rhomb_kernel::{Form, Operation, Parameters, walks};

const OPEN: Parameters = Parameters::OPEN;

fn text(request: &Request) -> String {
    let kernel = request.lower(core("atmega128").unwrap()).unwrap();
    let mut text = format!("; {request}\n");
    for instruction in &kernel.program {
        text.push_str(&gnu::instruction(instruction));
        text.push('\n');
    }
    text
}

#[test]
fn two_words_by_every_method() {
    for method in walks() {
        insta::assert_snapshot!(format!("{}_2", method.name), text(&Request::new(method.name, 2, OPEN)));
    }
}

#[test]
fn one_word() {
    insta::assert_snapshot!("operand-caching_1", text(&Request::new("operand-caching", 1, OPEN)));
}

#[test]
fn four_words_squared() {
    let request = Request::of(Operation::Sqr, "product-scanning", 4, OPEN);
    insta::assert_snapshot!("square-product-scanning_4", text(&request));
}

#[test]
fn four_words_with_small_parameters() {
    let cache = Parameters { cache: Some(2), carry_once: Some(2), ..OPEN };
    insta::assert_snapshot!("operand-caching_4", text(&Request::new("operand-caching", 4, cache)));
    insta::assert_snapshot!("operand-scanning_4", text(&Request::new("operand-scanning", 4, cache)));
    let rows = Parameters { rows: Some(2), ..OPEN };
    insta::assert_snapshot!("hybrid_4", text(&Request::new("hybrid", 4, rows)));
    let narrow = Parameters { cache: Some(1), ..OPEN };
    insta::assert_snapshot!("product-scanning_4", text(&Request::new("product-scanning", 4, narrow)));
}

/// Loops inside a loop, entered in the middle.
#[test]
fn five_words_with_loops() {
    let cache = Parameters { cache: Some(2), carry_once: Some(2), ..OPEN };
    let request = Request { form: Form::Looped, ..Request::new("operand-caching", 5, cache) };
    insta::assert_snapshot!("looped-operand-caching_5", text(&request));
}
