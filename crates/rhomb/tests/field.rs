//! Operations of fields and instruction set extensions, as the library takes requests for them.

use rhomb::{
    ConstantTime, Extension, Interrupts, Kernel, Limits, Proof, Question, Request, generate, measure,
    targets, verify, verify_within,
};

fn request(operation: &str, size: &str, target: &str) -> Request {
    let (mut bits, mut modulus, mut polynomial) = (0, None, None);
    match size.parse() {
        Ok(number) => bits = number,
        Err(_) if operation.starts_with("gf2") => polynomial = Some(size.to_owned()),
        Err(_) => modulus = Some(size.to_owned()),
    }
    Request {
        operation: operation.into(),
        bits,
        modulus,
        polynomial,
        target: target.into(),
        ..Default::default()
    }
}

/// The file without what is for the C preprocessor.
fn plain(kernel: &Kernel) -> String {
    kernel.assembly.lines().filter(|line| !line.starts_with('#')).map(|line| format!("{line}\n")).collect()
}

/// What was written is assembler text that `verify` reads: it must prove the contract in the header.
fn verified(kernel: &Kernel, contract: &str, core: &str) {
    let target = targets::find(core).unwrap();
    let text = plain(kernel);
    let question = Question {
        file: text.as_bytes(),
        symbol: &kernel.name,
        target,
        convention: None,
        interrupts: Interrupts::Any,
    };
    // as far as `generate` looks, which finds the same proof
    let limits = Limits { effort: 1_000_000_000, ..Limits::default() };
    let found = verify_within(&question, &contract.parse().unwrap(), limits).unwrap();
    assert_eq!(found.proof, Proof::Proved, "{contract} on {core}");
    let ours = kernel.certificate.as_ref().map(|written| &written.sha256);
    assert_eq!(found.certificate.as_ref(), ours, "{contract} on {core}");
}

#[test]
fn field_operations_are_proved() {
    for (operation, size, core, most) in [
        ("modmul", "p192", "mips32-ise", 154),
        ("modsqr", "p192", "mips32-ise", 123),
        ("modreduce", "p192", "mips32-ise", 69),
        ("modadd", "p192", "mips32-ise", 74),
        ("modsub", "p192", "mips32-ise", 74),
        ("modhalf", "p192", "mips32-ise", 74),
        ("modmul", "p192", "smartmips", 204),
        ("modmul", "p192", "mips32-4km", 329),
        ("modmul", "p224", "mips32-ise", 263),
        ("modmul", "p256", "mips32-ise", 349),
        ("modsqr", "p256", "mips32-4km", 558),
        ("modreduce", "p25519", "mips32-ise", 114),
        ("modadd", "p256", "mips32-4km", 173),
        ("modsub", "p256", "mips32-ise", 135),
        ("modhalf", "p256", "smartmips", 68),
        ("montmul", "p192", "mips32-ise", 348),
        ("montmul", "p256", "mips32-4km", 842),
        ("montsqr", "p224", "smartmips", 455),
        ("montreduce", "p256", "mips32-ise", 342),
        ("modinv", "p192", "mips32-ise", 25_699),
        ("montinv", "p224", "smartmips", 130_000),
        ("modmul", "0xd1a3b5c79e3779b97f4a7c15f39cc061", "mips32-ise", 400),
        ("gf2modmul", "t191", "mips32-ise", 134),
        ("gf2modsqr", "t191", "mips32-ise", 63),
        ("gf2modreduce", "t191", "mips32-ise", 68),
        ("gf2modmul", "b233", "mips32-ise", 350),
        ("gf2modsqr", "b233", "smartmips", 260),
        ("gf2modreduce", "b163", "mips32-4km", 180),
        ("gf2modmul", "t191", "mips32-4km", 1700),
        ("gf2montmul", "t191", "mips32-ise", 204),
        ("gf2montsqr", "b163", "mips32-ise", 330),
        ("gf2montmul", "t191", "smartmips", 204),
        ("gf2modsqr", "t191", "mips32-4km", 218),
        ("gf2modmul", "x^191+x^170+1", "mips32-ise", 372),
        ("gf2modinv", "t191", "mips32-ise", 11_668),
        ("gf2mul", "192", "mips32-ise", 101),
        ("gf2mul", "191", "mips32-4km", 1518),
        ("gf2sqr", "192", "mips32-ise", 38),
        ("gf2mul", "256", "smartmips", 180),
        ("gf2add", "192", "mips32-4km", 30),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(3, 1))
    {
        let what = format!("{operation} {size} on {core}");
        let kernel =
            generate(&request(operation, size, core)).unwrap_or_else(|error| panic!("{what}: {error}"));
        let report = &kernel.report;
        assert_eq!(report.proof, Proof::Proved, "{what}");
        assert!(report.cycles.function_max <= most, "{what}: {} of {most}", report.cycles.function_max);
        // a comb looks its table up at addresses that depend on an operand
        let is_comb = core == "mips32-4km" && operation.ends_with("mul");
        let expected = if is_comb { ConstantTime::Leaks } else { ConstantTime::Constant };
        // products of the 4K take less time for small factors
        if core == "mips32-ise" || operation.starts_with("gf2") && core != "smartmips" {
            assert_eq!(report.constant_time, expected, "{what}");
        }
        let size = match (operation, size) {
            (_, "p192") => "2^192-2^64-1",
            (_, "t191") => "x^191+x^9+1",
            (_, "p224") => "2^224-2^96+1",
            (_, "p256") => "2^256-2^224+2^192+2^96-1",
            (_, "p25519") => "2^255-2^4-2^2+1",
            (_, "b163") => "x^163+x^7+x^6+x^3+1",
            (_, "b233") => "x^233+x^74+1",
            (_, bits) => bits,
        };
        assert!(kernel.assembly.contains(&format!("rhomb generate {operation} --")), "{what}");
        assert!(kernel.assembly.contains(&format!(" {size} --target {core}")), "{what}");
        verified(&kernel, &format!("{operation} {size}"), core);
    }
}

/// Products of half words with their reduction in one line.
#[test]
fn field_operations_of_halves_are_proved() {
    for (operation, size, most) in [
        ("modmul", "p25519", 1421),
        ("modsqr", "p25519", 1023),
        ("modadd", "p256", 124),
        ("montmul", "p192", 911),
        ("gf2modsqr", "t191", 355),
    ] {
        let what = format!("{operation} {size}");
        let report = generate(&request(operation, size, "cortex-m0plus")).unwrap().report;
        let verdicts = (report.proof, report.constant_time);
        assert_eq!(verdicts, (Proof::Proved, ConstantTime::Constant), "{what}");
        let cycles = report.cycles.function_max;
        assert!(cycles <= most, "{what}: {cycles} of {most}");
    }
}

/// Modulo numbers of which nothing comes back by a fold, two calls of a Montgomery routine are proved as a composition.
#[test]
fn products_modulo_orders_are_proved_as_compositions() {
    for (operation, size, core, most) in [
        ("modmul", "p256-order", "atmega128", 22_090),
        ("modreduce", "p256-order", "atmega128", 16_927),
        ("modmul", "p384-order", "atmega128", 41_132),
        ("modsqr", "p256-order", "arm9ej-s", 2_037),
        ("modinv", "p256-order", "atmega128", 2_845_471),
        ("modinv", "p192-order", "tms320vc5510", 86_098),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(3, 1))
    {
        let what = format!("{operation} {size} on {core}");
        let kernel =
            generate(&request(operation, size, core)).unwrap_or_else(|error| panic!("{what}: {error}"));
        let report = &kernel.report;
        let method = if operation == "modinv" { "fermat" } else { "montgomery-twice" };
        assert_eq!((report.proof, report.method), (Proof::Proved, Some(method)), "{what}");
        let cycles = report.cycles.function_max;
        assert!(cycles <= most, "{what}: {cycles} of {most}");
    }
}

/// Inversions on processors whose products are straight lines, or of several routines.
#[test]
fn inversions_are_proved_as_compositions() {
    for (operation, size, core, convention, most) in [
        ("modinv", "p192", "atmega128", None, 472_298),
        ("modinv", "p25519", "avr128da48", None, 1_047_500),
        ("montinv", ORDER, "atmega328p", None, 2_823_459),
        ("modinv", "p192", "arm7tdmi", None, 71_727),
        ("montinv", ORDER, "arm9ej-s", None, 300_000),
        ("montinv", "p192", "tms320vc5510", None, 150_000),
        ("modinv", "p25519", "cortex-m0plus", None, 300_000),
        // a product that calls, far away from what calls it
        ("gf2modinv", "b163", "atmega128", None, 260_000),
        ("montinv", "p256", "tms320vc5510", Some("ti-c"), 250_000),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(3, 1))
    {
        let what = format!("{operation} {size} on {core}");
        let request = Request { convention: convention.map(str::to_owned), ..request(operation, size, core) };
        let kernel = generate(&request).unwrap_or_else(|error| panic!("{what}: {error}"));
        let report = &kernel.report;
        assert_eq!(
            (report.proof, report.method),
            (Proof::Proved, Some(if operation.starts_with("gf2") { "itoh-tsujii" } else { "fermat" })),
            "{what}"
        );
        let cycles = report.cycles.function_max;
        assert!(cycles <= most, "{what}: {cycles} of {most}");
        // products of the ARM7 take less time for small factors; on the C55x it depends on where arrays lie
        let is_constant = core != "arm7tdmi";
        if core != "tms320vc5510" {
            assert_eq!(report.constant_time == ConstantTime::Constant, is_constant, "{what}");
        }
    }
}

/// The order of P-256's group.
const ORDER: &str = "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";

/// The command line in the header makes the same file: names are written out, choices stated.
#[test]
fn choices_are_stated() {
    let kernel = generate(&request("gf2mul", "192", "mips32-ise")).unwrap();
    let method = kernel.report.method.map(str::to_owned);
    let again = Request { method, form: Some("unrolled".into()), ..request("gf2mul", "192", "mips32-ise") };
    assert_eq!(generate(&again).unwrap().assembly, kernel.assembly);
    assert!(
        kernel
            .c_header
            .contains("void gf2mul192_ise(uint32_t r[12], const uint32_t a[6], const uint32_t b[6]);")
    );
    let hexadecimal = request("modadd", "0xfffffffffffffffffffffffffffffffeffffffffffffffff", "mips32-ise");
    assert_eq!(
        generate(&hexadecimal).unwrap().assembly,
        generate(&request("modadd", "p192", "mips32-ise")).unwrap().assembly
    );
    let looped = Request { form: Some("looped".into()), ..request("gf2mul", "192", "mips32-ise") };
    let looped = measure(&looped).unwrap();
    assert!(looped.report.cycles.function <= 316 && looped.report.code_bytes < 200);
}

#[test]
fn what_cannot_be_met_is_refused() {
    let refused = |request: &Request, parts: &[&str]| {
        let error = measure(request).map(|_| ()).unwrap_err().to_string();
        assert!(parts.iter().all(|part| error.contains(part)), "{error}");
    };
    refused(
        &request("gf2modinv", "b283", "attiny85"),
        &["gf2modinv on attiny85: it takes 557 bytes of stack or more; 512 bytes"],
    );
    refused(
        &Request { form: Some("unrolled".into()), ..request("modinv", "p192", "atmega128") },
        &["modinv on atmega128: it is not made unrolled; valid: looped"],
    );
    let with_loops = |target| Request { form: Some("looped".into()), ..request("montmul", "p192", target) };
    refused(&with_loops("smartmips"), &["smartmips", "lacks an instruction", "mips32-ise"]);
    refused(&request("modmul", "192", "mips32-ise"), &["takes no --bits; valid: --modulus"]);
    refused(&request("gf2mul", "x^9+1", "mips32-ise"), &["takes no --polynomial; valid: --bits"]);
    refused(&request("gf2modmul", "x^9+x", "mips32-ise"), &["has no term 1"]);
    refused(&request("montmul", "2^192-1-", "mips32-ise"), &["is no modulus"]);
    refused(&request("modadd", "2^192-2^64-1 r<p", "mips32-ise"), &["has blanks; valid: --modulus p192"]);
    let bare = Request { modulus: None, ..request("modmul", "p192", "mips32-ise") };
    refused(&bare, &["no --modulus; valid: modmul --modulus p192"]);
    let looped = Request { form: Some("looped".into()), ..request("modmul", "p192", "mips32-ise") };
    refused(&looped, &["not made looped; valid: unrolled"]);
    let method = Request { method: Some("comb".into()), ..request("modmul", "p192", "mips32-ise") };
    refused(&method, &["highest-first"]);
    let small = Request {
        bounds: rhomb::Bounds { code: Some(10), ..Default::default() },
        ..request("gf2mul", "192", "mips32-ise")
    };
    refused(&small, &["no routine keeps --max-code"]);
    let number = Request { bits: 160, modulus: Some("p192".into()), ..request("mul", "160", "mips32-ise") };
    refused(&number, &["mul takes no --modulus; valid: --bits 160"]);
}

const DOUBLE: &str = "instruction double rs, rt {
    encoding \"011100 sssss ttttt 00000 00000 010111\"
    meaning { acc = acc + 2 * rs * rt }
    unit mdu issue 1 occupies 2 latency 2
    counts multiply
}";

fn extended(text: &str, target: &str) -> Request {
    let extension =
        Some(Extension { adds: rhomb::Adds::Instructions, name: "double.isa".into(), text: text.into() });
    Request { extension, ..request("sqr", "192", target) }
}

/// An instruction of the user's: it is scheduled where its meaning is known, printed, simulated and proved.
#[test]
fn extensions_are_used() {
    let without = measure(&request("sqr", "192", "smartmips")).unwrap().report;
    let kernel = generate(&extended(DOUBLE, "smartmips")).unwrap();
    assert_eq!(kernel.report.proof, Proof::Proved);
    assert!(kernel.report.cycles.function_max < without.cycles.function_max);
    // GNU as does not know it
    assert!(kernel.assembly.contains(".word") && kernel.assembly.contains("double $"));
    assert!(kernel.assembly.contains("--extension double.isa"));
    // as text it is read with the file only
    let text = plain(&kernel);
    let question = |target| Question {
        file: text.as_bytes(),
        symbol: &kernel.name,
        target,
        convention: None,
        interrupts: Interrupts::Any,
    };
    let plain = targets::find("smartmips").unwrap();
    assert!(verify(&question(plain), &"sqr 192".parse().unwrap()).is_err());
    let own = targets::extended(plain, extended(DOUBLE, "smartmips").extension.as_ref()).unwrap();
    assert_eq!(verify(&question(own), &"sqr 192".parse().unwrap()).unwrap().proof, Proof::Proved);
}

#[test]
fn wrong_extensions_are_refused() {
    let refused = |request: &Request| generate(request).map(|_| ()).unwrap_err().to_string();
    let error = refused(&extended("instruction double rs rt {", "smartmips"));
    assert!(error.starts_with("double.isa, line 1"), "{error}");
    let error = refused(&extended(DOUBLE, "atmega128"));
    assert!(
        error.contains("atmega128 takes no --extension; valid: mips32-4km, mips32-ise, smartmips"),
        "{error}"
    );
}
