//! The library: every size and parameter gives a routine that passes its evidence.

use rhomb::{Bounds, ConstantTime, Parameters, Proof, Request, generate, measure};

fn request(bits: usize, method: &str, parameters: Parameters) -> Request {
    Request {
        operation: "mul".into(),
        bits,
        target: "atmega128".into(),
        method: Some(method.into()),
        parameters,
        ..Default::default()
    }
}

/// Squares by every method; each product of two different words is computed once.
#[test]
fn small_squares() {
    for bytes in (1..=8).chain([12, 16, 20]) {
        for method in ["best", "product-scanning", "operand-caching"] {
            let request =
                Request { operation: "sqr".into(), ..request(8 * bytes, method, Parameters::default()) };
            let report = generate(&request).unwrap().report;
            assert_eq!(report.instructions.multiply, (bytes * (bytes + 1) / 2) as u64, "{method}");
            assert_eq!(report.cycles.function_min, report.cycles.function_max);
            assert_eq!((report.proof, report.constant_time), (Proof::Proved, ConstantTime::Constant));
        }
    }
}

#[test]
fn small_sizes_of_every_method() {
    for bytes in 1..=12 {
        for value in 1..=bytes {
            let cache = Parameters { cache: Some(value), ..Default::default() };
            let rows = Parameters { rows: Some(value), ..Default::default() };
            for (method, parameters) in [
                ("operand-caching", cache),
                ("product-scanning", cache),
                ("operand-scanning", cache),
                ("hybrid", rows),
            ] {
                match measure(&request(8 * bytes, method, parameters)) {
                    Ok(measured) => {
                        assert_eq!(measured.report.instructions.multiply, (bytes * bytes) as u64);
                        assert_eq!(measured.report.cycles.function_min, measured.report.cycles.function_max);
                    }
                    // the register file ends there
                    Err(error) => assert!(value > 7 && error.fault.contains("registers"), "{error}"),
                }
            }
        }
    }
}

/// With the method open the answer is at least as fast as each method with its own best parameters.
#[test]
fn the_best_is_the_best() {
    for bits in [8, 24, 64, 100, 160] {
        let best = measure(&request(bits, "best", Parameters::default())).unwrap().report.cycles.function;
        for method in ["operand-scanning", "product-scanning", "hybrid", "operand-caching", "split"] {
            let own = measure(&request(bits, method, Parameters::default())).unwrap().report.cycles.function;
            assert!(best <= own, "{bits} {method}: {best} > {own}");
        }
    }
}

/// Without a method splits win where they are faster, and what is chosen is proved.
#[test]
fn splits_that_are_chosen_are_proved() {
    for (bits, method) in
        [(96, "operand-caching"), (112, "split"), (160, "split"), (256, "split"), (328, "split")]
    {
        let open = Request { method: None, ..request(bits, "best", Parameters::default()) };
        let report = generate(&open).unwrap().report;
        assert_eq!((report.method, report.proof), (Some(method), Proof::Proved), "{bits}");
    }
}

/// A single walk has all products.
#[test]
fn the_best_walk_is_no_split() {
    for (bits, cycles) in [(160, 2327), (192, 3377), (224, 4578)] {
        let walk = measure(&request(bits, "best-walk", Parameters::default())).unwrap().report;
        assert_eq!(walk.instructions.multiply, (bits * bits / 64) as u64);
        assert!(walk.cycles.body <= cycles, "{bits}: {}", walk.cycles.body);
    }
}

/// A split needs all registers, and Y.
#[test]
fn where_a_split_cannot_be_made_a_walk_is_chosen() {
    let open = Request { method: None, ..request(160, "best", Parameters::default()) };
    let few = Request { bounds: Bounds { registers: Some(20), ..Bounds::default() }, ..open.clone() };
    let iar = Request { convention: Some("iar".into()), ..open };
    for request in [few, iar] {
        assert_eq!(measure(&request).unwrap().report.method, Some("operand-caching"));
    }
}

#[test]
fn sizes_that_are_no_multiple_of_a_word_say_so() {
    let kernel = generate(&request(61, "best", Parameters::default())).unwrap();
    assert!(kernel.c_header.contains("void mul61(uint8_t r[16], const uint8_t a[8], const uint8_t b[8]);"));
    assert!(kernel.assembly.contains("All 64 bits of a and b count"));
}

#[test]
fn larger_parameters_than_words_mean_the_words() {
    let large = Parameters { cache: Some(10), initial_block: Some(99), ..Default::default() };
    let report = generate(&request(32, "operand-caching", large)).unwrap().report;
    assert!(report.parameters["cache"] == 4 && report.parameters["initial_block"] == 4);
}

#[test]
fn additions_and_subtractions_return_their_carry() {
    for (operation, prototype) in [
        ("add", "uint8_t add61(uint8_t r[8], const uint8_t a[8], const uint8_t b[8]);"),
        ("sub", "uint8_t sub61(uint8_t r[8], const uint8_t a[8], const uint8_t b[8]);"),
    ] {
        for form in ["unrolled", "looped"] {
            let wanted = Request {
                operation: operation.into(),
                bits: 61,
                target: "attiny85".into(),
                form: Some(form.into()),
                ..Default::default()
            };
            let kernel = generate(&wanted).unwrap();
            assert!(kernel.c_header.contains(prototype), "{}", kernel.c_header);
            assert_eq!(kernel.report.proof, rhomb::Proof::Proved, "{operation} {form}");
            assert_eq!(kernel.report.constant_time, rhomb::ConstantTime::Constant, "{operation} {form}");
        }
    }
}

#[test]
fn cores_without_multiplier_multiply_in_balanced_time() {
    for method in ["best", "strip", "software-products"] {
        let wanted = Request { target: "attiny85".into(), ..request(64, method, Parameters::default()) };
        let report = generate(&wanted).unwrap().report;
        assert_eq!(report.proof, rhomb::Proof::Proved, "{method}");
        assert_eq!(report.constant_time, rhomb::ConstantTime::Balanced, "{method}");
        assert_eq!(report.cycles.function_min, report.cycles.function_max, "{method}");
        assert_eq!(report.instructions.multiply, 0);
        let best = if method == "best" { "strip" } else { method };
        assert_eq!(report.method, Some(best));
    }
}
