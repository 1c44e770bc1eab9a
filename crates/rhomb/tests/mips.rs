//! Routines for MIPS32, as the library makes them: proved, and within the figures that are known.

use rhomb::{ConstantTime, Parameters, Proof, Request, generate};

fn request(operation: &str, bits: usize, target: &str, form: Option<&str>) -> Request {
    Request {
        operation: operation.into(),
        bits,
        target: target.into(),
        form: form.map(Into::into),
        ..Default::default()
    }
}

#[test]
fn routines_are_proved() {
    for (target, operation, form, most) in [
        ("mips32-ise", "mul", None, 101),
        ("mips32-ise", "mul", Some("looped"), 316),
        ("mips32-ise", "sqr", None, 70),
        ("mips32-ise", "sqr", Some("looped"), 228),
        ("mips32-ise", "add", None, 62),
        ("mips32-ise", "sub", Some("looped"), 100),
        ("mips32-4km", "mul", None, 331),
        ("mips32-4km", "sqr", None, 331),
        ("mips32-4km", "mul", Some("looped"), 612),
        ("mips32-4km", "add", Some("looped"), 100),
        ("smartmips", "mul", None, 101),
        ("smartmips", "sqr", Some("looped"), 228),
        ("smartmips", "sub", None, 62),
    ] {
        let kernel = generate(&request(operation, 192, target, form)).unwrap();
        let report = &kernel.report;
        assert_eq!(report.proof, Proof::Proved, "{target} {operation} {form:?}");
        let cycles = report.cycles.function_max;
        assert!(cycles <= most, "{target} {operation} {form:?}: {cycles} of {most}");
        // only the paper's model has products that take the same time for all factors
        if target == "mips32-ise" {
            assert_eq!(report.constant_time, ConstantTime::Constant, "{target} {operation} {form:?}");
        }
        assert!(kernel.assembly.contains(".set noreorder"));
    }
}

#[test]
fn what_is_not_made_is_refused() {
    let refused = |request: &Request| generate(request).map(|_| ()).unwrap_err().to_string();
    // a column of 257 products
    let long = Request {
        method: Some("product-scanning".into()),
        ..request("mul", 32 * 257, "mips32-ise", Some("looped"))
    };
    assert!(refused(&long).contains("72 bits"), "{}", refused(&long));
    let blocks = Request {
        method: Some("hybrid".into()),
        parameters: Parameters { rows: Some(2), ..Default::default() },
        ..request("mul", 192, "mips32-ise", Some("looped"))
    };
    assert!(refused(&blocks).contains("by columns"), "{}", refused(&blocks));
}
