//! Montgomery multiplication and exponentiation: files, figures, verdicts, refusals.

use rhomb::{ConstantTime, Error, Proof, Request, generate, measure, reproduce};

fn request(operation: &str, bits: usize) -> Request {
    Request { operation: operation.into(), bits, target: "tms320vc5510".into(), ..Request::default() }
}

fn method(operation: &str, bits: usize, method: &str) -> Request {
    Request { method: Some(method.into()), ..request(operation, bits) }
}

const P: &str = "2^192-2^64-1";

#[test]
fn a_modulus_in_the_code_is_proved() {
    for operation in ["montmul", "montsqr"] {
        let request = Request { modulus: Some(P.into()), ..request(operation, 0) };
        let kernel = generate(&request).unwrap();
        assert_eq!((kernel.report.proof, kernel.report.bits), (Proof::Proved, 192));
        assert!(kernel.report.constant_time.is_same_for_operands());
        assert!(kernel.certificate.is_some());
        assert!(kernel.assembly.contains(&format!("rhomb generate {operation} --modulus {P} --target")));
        assert!(
            kernel.c_header.contains(&format!("void {operation}_p192(uint16_t r[12], const uint16_t a[12]"))
        );
    }
}

#[test]
fn a_modulus_as_an_argument_is_proved() {
    for operation in ["montmul", "montsqr"] {
        let kernel = generate(&request(operation, 250)).unwrap();
        assert_eq!(kernel.report.proof, Proof::Proved);
        // three reads of the workspace may fall into one block of memory, or not
        assert_eq!(kernel.report.constant_time, ConstantTime::DependsOnAddresses);
        assert!(kernel.certificate.is_some() && kernel.c_header.contains("uint16_t w["));
    }
    // exponentiations of its own are not proved
    let kernel = generate(&request("modexp", 64)).unwrap();
    assert!(kernel.report.proof == Proof::Unknown && kernel.assembly.contains("NOT PROVED"));
    let cycles = |request: &Request| measure(request).unwrap().report.cycles.function;
    assert!(cycles(&request("montmul", 1024)) <= 5_300);
    assert!(cycles(&request("montsqr", 1024)) <= 4_500);
    assert!(cycles(&method("montmul", 1024, "fips")) < cycles(&method("montmul", 1024, "cios")));
}

/// Whatever the processor: products and squares are straight lines behind products, and exponentiations call them.
#[test]
fn processors_share_what_has_a_modulus_as_an_argument() {
    for (target, operation) in [
        ("atmega128", "montmul"),
        ("atmega128", "montreduce"),
        ("arm7tdmi", "montsqr"),
        ("arm9ej-s", "montmul"),
        ("mips32-4km", "montmul"),
        ("mips32-ise", "montreduce"),
        ("rv32im", "montmul"),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(2, 1))
    {
        let kernel = generate(&Request { target: target.into(), ..request(operation, 128) }).unwrap();
        assert_eq!(kernel.report.proof, Proof::Proved, "{operation} on {target}");
        assert!(kernel.assembly.contains("--bits 128") && kernel.c_header.contains(" w["));
        let is_constant = kernel.report.constant_time.is_same_for_operands();
        assert!(is_constant || !matches!(target, "atmega128" | "mips32-ise"), "{operation} on {target}");
    }
    for target in ["atmega128", "arm7tdmi", "mips32-ise", "rv32im", "cortex-m0plus"]
        .into_iter()
        .step_by(rhomb_oracles::sample(2, 1))
    {
        let kernel = generate(&Request { target: target.into(), ..request("modexp", 64) }).unwrap();
        assert_eq!((kernel.report.method, kernel.report.proof), (Some("fixed-window"), Proof::Proved));
        assert!(kernel.assembly.contains("proved right for every input"));
        assert!(kernel.assembly.contains("--window 3"));
        let leaks = kernel.report.constant_time == ConstantTime::Leaks;
        assert_eq!(leaks, target == "arm7tdmi", "modexp on {target}");
    }
    let window = |window| {
        let request = Request { target: "atmega128".into(), window: Some(window), ..request("modexp", 64) };
        measure(&request).unwrap().report.cycles.function
    };
    assert!(window(3) < window(1) && window(3) < window(6));
}

/// What is straight grows with the square of a block, and not with that of the numbers.
#[test]
fn large_moduli_are_divided_by_blocks() {
    let on = |target: &str, operation: &str, bits| Request {
        target: target.into(),
        no_proof: true,
        ..request(operation, bits)
    };
    let large = [("mips32-ise", 2048, [30_000, 60_000]), ("atmega2560", 2048, [655_000, 39_000])];
    for (target, bits, most) in large.into_iter().take(rhomb_oracles::sample(1, 2)) {
        let report = measure(&on(target, "montmul", bits)).unwrap().report;
        assert!(report.constant_time.is_same_for_operands(), "{target}");
        let own = [report.cycles.function, report.code_bytes as u64];
        assert!(own <= most && own[1] <= most[1], "{target}: {own:?}");
    }
    // by blocks and straight
    let cycles = |block: Option<usize>| {
        let own = Request { block, ..on("mips32-4km", "montreduce", 768) };
        measure(&own).unwrap().report.cycles.function
    };
    assert!(cycles(None) < cycles(Some(24)) && cycles(None) <= cycles(Some(8)));
    // with a carry flag the straight line is taken, unless blocks are asked for
    for (target, operation, bits, block) in
        [("arm7tdmi", "montreduce", 768, Some(8)), ("mips32-ise", "montsqr", 768, None)]
    {
        let kernel = generate(&Request { no_proof: false, block, ..on(target, operation, bits) }).unwrap();
        assert_eq!(kernel.report.proof, Proof::Proved, "{operation} on {target}");
        assert!(kernel.assembly.contains("--block 8"), "{operation} on {target}");
    }
}

/// Without a multiplication instruction blocks are divided by products with an inverse.
#[test]
fn moduli_as_arguments_without_a_multiplier() {
    let on = |operation: &str, bits| Request { target: "attiny85".into(), ..request(operation, bits) };
    for operation in ["montmul", "montsqr", "montreduce"] {
        let report = measure(&on(operation, 64)).unwrap().report;
        assert_eq!(report.constant_time, ConstantTime::Balanced, "{operation}");
    }
    assert!(measure(&on("modexp", 64)).unwrap().report.code_bytes <= 8192);
}

#[test]
fn windows_of_one_size_take_constant_time() {
    let constant = measure(&Request { constant_time: true, ..request("modexp", 256) }).unwrap().report;
    assert!(constant.method == Some("fixed-window") && constant.constant_time.is_same_for_operands());
    assert_eq!(constant.cycles.function_min, constant.cycles.function_max);
    let sliding = measure(&request("modexp", 256)).unwrap().report;
    assert_eq!((sliding.method, sliding.constant_time), (Some("sliding-window"), ConstantTime::Leaks));
    assert!(sliding.cycles.function_min < sliding.cycles.function_max);
    let binary = measure(&method("modexp", 256, "binary")).unwrap().report;
    assert!(binary.cycles.function > sliding.cycles.function);
}

fn refused(request: &Request) -> String {
    match measure(request) {
        Err(Error { fault, .. }) => fault,
        Ok(_) => panic!("{request:?} is measured"),
    }
}

#[test]
fn other_requests_are_refused() {
    let with_modulus = |operation: &str, modulus: &str| {
        refused(&Request { modulus: Some(modulus.into()), ..request(operation, 0) })
    };
    assert!(with_modulus("modexp", P).contains("argument"));
    assert!(refused(&request("modexp", 100)).contains("multiples of 64"));
    assert!(refused(&request("montmul", 5000)).contains("1 to 4096"));
    assert!(refused(&method("montmul", 4096, "fips")).contains("fips 2048"));
    assert!(refused(&method("montmul", 256, "hybrid")).contains("separated, cios, fips"));
    let on =
        |target: &str, operation: &str, bits| Request { target: target.into(), ..request(operation, bits) };
    assert!(refused(&on("attiny85", "montmul", 512)).contains("RCALL"));
    assert!(refused(&on("uno", "montmul", 4096)).contains("of flash"));
    let block = |block| Request { block: Some(block), ..on("uno", "montmul", 256) };
    assert!(refused(&block(7)).contains("valid for 32 words: 32, 16, 8, 4"));
    assert!(refused(&Request { target: "tms320vc5510".into(), ..block(8) }).contains("--block"));
    assert!(refused(&on("arm7tdmi", "modexp", 100)).contains("multiples of 32"));
    assert!(refused(&request("montreduce", 256)).contains("valid: montmul and montsqr"));
    let sliding = Request { method: Some("sliding-window".into()), ..on("mips32-4km", "modexp", 64) };
    assert!(refused(&sliding).contains("fixed-window"));
    let window = Request { window: Some(9), ..on("arm7tdmi", "modexp", 64) };
    assert!(refused(&window).contains("1 to 6"));
    let levels = Request {
        parameters: rhomb::Parameters { levels: Some(1), ..Default::default() },
        ..on("arm7tdmi", "montmul", 64)
    };
    assert!(refused(&levels).contains("no --levels"));
    let window = Request { window: Some(4), ..request("montmul", 256) };
    assert!(refused(&window).contains("no --window"));
    let leaks = Request { constant_time: true, ..method("modexp", 128, "binary") };
    assert!(refused(&leaks).contains("--constant-time"));
    let window = Request { window: Some(4), ..request("mul", 256) };
    assert!(refused(&window).contains("mul has no --window"));
}

/// What splits are compared with: rows by one multiplier, splits above them, single columns.
#[test]
fn classical_multiplications() {
    let cycles = |method: &str, way: &str| {
        let request = Request {
            method: Some(method.into()),
            parameters: rhomb::Parameters { cache: Some(1), ..Default::default() },
            accumulation: Some(way.into()),
            ..request("mul", 1024)
        };
        measure(&request).unwrap().report.cycles.function
    };
    assert_eq!(cycles("operand-scanning", "columns"), 12_682);
    assert!(cycles("operand-scanning", "halves") < 12_682);
    assert_eq!(cycles("product-scanning", "single-columns"), 4_352);
}

/// The cells of small sizes; the others take minutes.
#[test]
fn reproduced_cycles_are_those_of_programs() {
    let table = reproduce("hwang-huang-su", Some("7"), &rhomb::Work::default()).unwrap();
    let cell = |row: &str, column: &str| {
        let cells = &table.tables[0].cells;
        cells.iter().find(|cell| cell.row == row && cell.column == column).unwrap().measured
    };
    let body = |request: &Request| measure(request).unwrap().report.cycles.body as i64;
    assert_eq!(cell("CIOS", "1024 bits"), Some(body(&method("montmul", 1024, "cios"))));
    assert_eq!(cell("recursive balanced 2-way split", "2048 bits"), Some(body(&request("montmul", 2048))));
    assert_eq!(cell("FIPS", "1024 bits"), Some(body(&method("montmul", 1024, "fips"))));
    assert_eq!(cell("KCM", "8192 bits"), None);
}
