//! The library: every size and parameter gives a routine that passes its evidence.

use rhomb::{Bounds, ConstantTime, Kind, List, Order, Parameters, Proof, Request, generate, measure};

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
    for bytes in (1..=8).chain([12, 16, 20]).step_by(rhomb_oracles::sample(3, 1)) {
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
    for bytes in (1..=12).step_by(rhomb_oracles::sample(3, 1)) {
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
        [(72, "operand-caching"), (96, "split"), (160, "split"), (256, "split"), (328, "split")]
    {
        let open = Request { method: None, ..request(bits, "best", Parameters::default()) };
        let report = generate(&open).unwrap().report;
        assert_eq!((report.method, report.proof), (Some(method), Proof::Proved), "{bits}");
    }
}

/// Large sizes take as many levels as are fastest, and are proved all the same; simavr counts as many cycles (`splits_agree_with_libsimavr`).
#[test]
fn large_splits_are_proved() {
    for (operation, bits, levels, cycles) in [
        ("mul", 384, 3, 9723),
        ("mul", 512, 3, 15_883),
        ("mul", 768, 4, 31_943),
        ("mul", 1024, 4, 51_449),
        ("sqr", 256, 1, 3101),
        ("sqr", 384, 1, 6548),
        ("sqr", 512, 2, 10_610),
        ("sqr", 768, 2, 21_719),
        ("sqr", 1024, 3, 34_679),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(3, 1))
    {
        let open = Request {
            operation: operation.into(),
            method: None,
            ..request(bits, "best", Parameters::default())
        };
        let report = generate(&open).unwrap().report;
        assert_eq!((report.method, report.parameters["levels"].as_u64()), (Some("split"), Some(levels)));
        let seen = report.cycles;
        assert_eq!([seen.function_min, seen.function_max], [cycles, cycles], "{operation} {bits}");
        let verdicts = (report.proof, report.constant_time);
        assert_eq!(verdicts, (Proof::Proved, ConstantTime::Constant), "{operation} {bits}");
    }
}

/// A single walk has all products.
#[test]
fn the_best_walk_is_no_split() {
    for (bits, cycles) in [(160, 2323), (192, 3370), (224, 4571), (256, 5965)] {
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
fn larger_parameters_than_words_are_refused() {
    for large in [
        Parameters { cache: Some(10), ..Default::default() },
        Parameters { cache: Some(4), initial_block: Some(99), ..Default::default() },
    ] {
        let error = generate(&request(32, "operand-caching", large)).err().unwrap();
        assert!(error.kind == Kind::Request && error.fault.contains("4 words; valid: "), "{error}");
    }
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

/// What a search found is stated, and found again by what is stated.
#[test]
fn rows_that_were_searched_are_stated() {
    let found = generate(&request(192, "best-walk", Parameters::default())).unwrap();
    assert_eq!(found.report.proof, Proof::Proved);
    let orders = List::of(&[Order::Own, Order::OldUp, Order::UpDown]);
    let stated = Parameters {
        cache: Some(10),
        carry_once: Some(3),
        strips: List::of(&[4, 10, 10]),
        orders,
        ..Parameters::default()
    };
    assert!(found.assembly.contains("--orders own,old-up,up-down"));
    let again = measure(&request(192, "operand-caching", stated)).unwrap().report;
    assert_eq!(again.cycles, found.report.cycles);
    assert!(again.json().contains(r#""orders":"own,old-up,up-down","strips":"4,10,10""#));
}

/// Strips of any widths, columns in any order and X on any array are proved.
#[test]
fn rows_of_any_shape_are_proved() {
    for (method, widths) in [
        ("operand-caching", [7, 3, 2, 8].as_slice()),
        ("consecutive-operand-caching", &[1, 9, 10]),
        ("mixed-operand-caching", &[6, 4, 3, 7]),
    ] {
        for (order, on_x) in Order::ALL.into_iter().zip(["a", "b", "result"].into_iter().cycle()) {
            for convention in ["avr-gcc", "iar", "crossworks"] {
                let cache = if convention == "avr-gcc" { 10 } else { 8 };
                let set = Parameters {
                    cache: Some(cache),
                    strips: List::of(widths),
                    orders: List::of(&[order]),
                    ..Parameters::default()
                };
                let wanted = Request {
                    on_x: Some(on_x.into()),
                    convention: Some(convention.into()),
                    ..request(160, method, set)
                };
                let kernel = generate(&wanted).unwrap_or_else(|error| panic!("{method} {order}: {error}"));
                assert_eq!(kernel.report.proof, Proof::Proved, "{method} {order} {on_x} {convention}");
                assert_eq!(kernel.report.constant_time, ConstantTime::Constant);
            }
        }
    }
}

#[test]
fn rows_that_cannot_be_are_refused() {
    let fault =
        |request: &Request| measure(request).err().map_or_else(String::new, |error| error.to_string());
    let strips = |widths: &[u8]| Parameters { strips: List::of(widths), ..Parameters::default() };
    let orders = |count| Parameters { orders: List::of(&vec![Order::Up; count]), ..Parameters::default() };
    let block = Parameters { initial_block: Some(5), ..strips(&[6, 4, 10]) };
    let cases = [
        ("operand-caching", strips(&[10, 9]), "19 words"),
        ("operand-caching", strips(&[10, 0, 10]), "widths of 1 or more"),
        ("product-scanning", strips(&[10, 10]), "has no --strips"),
        ("operand-caching", block, "both say a width"),
        ("mixed-operand-caching", block, "valid: 6, 10, 20"),
        ("operand-caching", orders(3), "valid: 1 or 2"),
    ];
    for (method, parameters, said) in cases {
        let wanted = Request {
            parameters: Parameters { cache: Some(10), ..parameters },
            ..request(160, method, parameters)
        };
        let error = fault(&wanted);
        assert!(error.contains(said), "{error}");
    }
    let looped =
        Request { form: Some("looped".into()), ..request(160, "operand-caching", strips(&[10, 10])) };
    assert!(fault(&looped).contains("all rows are alike"));
    for (target, method, said) in [
        ("arm7tdmi", "operand-caching", "has no pointer X"),
        ("atmega128", "split", "choice of the pointers"),
    ] {
        let wanted = Request {
            on_x: Some("a".into()),
            target: target.into(),
            ..request(160, method, Parameters::default())
        };
        let error = fault(&wanted);
        assert!(error.contains(said), "{error}");
    }
}
