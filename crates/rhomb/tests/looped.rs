//! Routines with loops, from request to file.

use rhomb::{ConstantTime, Kernel, Proof, Request, generate, measure};
use rhomb_kernel::Parameters;
use std::process::Command;

fn request(bits: usize, method: Option<&str>, parameters: Parameters) -> Request {
    Request {
        operation: "mul".into(),
        bits,
        target: "atmega128".into(),
        method: method.map(Into::into),
        parameters,
        form: Some("looped".into()),
        ..Default::default()
    }
}

fn make(request: &Request) -> Kernel {
    generate(request).unwrap_or_else(|error| panic!("{request:?}: {error}"))
}

const METHODS: [&str; 4] = ["operand-scanning", "product-scanning", "hybrid", "operand-caching"];
/// It takes twice the code for a few cycles, so that it is made where it is asked for.
const CONSECUTIVE: &str = "consecutive-operand-caching";

#[test]
fn every_method_is_made_and_proved() {
    for method in METHODS.into_iter().chain([CONSECUTIVE]) {
        for bits in [8, 16, 61, 160, 200] {
            let kernel = make(&request(bits, Some(method), Parameters::default()));
            assert_eq!(kernel.report.form, Some("looped"));
            assert_eq!(kernel.report.proof, Proof::Proved);
            assert_eq!(kernel.report.constant_time, ConstantTime::Constant);
        }
    }
}

/// The method that is open is the fastest, and its code is much smaller than the straight line's.
#[test]
fn open_requests_take_the_fastest() {
    let open = measure(&request(512, None, Parameters::default())).unwrap().report;
    assert_eq!(open.method, Some("operand-caching"));
    assert!(open.code_bytes < 3000, "{}", open.code_bytes);
    for method in METHODS {
        let other = measure(&request(512, Some(method), Parameters::default())).unwrap().report;
        assert!(other.cycles.function >= open.cycles.function, "{method}");
    }
}

/// Body cycles, and bytes of the routine, that were possible before.
#[test]
fn figures_are_no_worse_than_asked_for() {
    let caching = |bits, cache| {
        let parameters = Parameters { cache: Some(cache), ..Default::default() };
        measure(&request(bits, Some("operand-caching"), parameters)).unwrap().report
    };
    for (bits, cache, cycles, bytes) in [
        (160, 5, 2877, 922),
        (160, 4, 3112, 662),
        (256, 8, 6417, 1966),
        (512, 8, 25445, 1966),
        (1024, 8, 101_325, 1966),
    ] {
        let report = caching(bits, cache);
        assert!(report.cycles.body <= cycles, "{bits}: {} cycles", report.cycles.body);
        assert!(report.code_bytes <= bytes, "{bits}: {} bytes", report.code_bytes);
    }
}

#[test]
fn files_are_reproduced_by_their_command_line() {
    for (bits, method) in [(160, None), (61, Some("operand-scanning"))] {
        let kernel = make(&request(bits, method, Parameters::default()));
        assert!(kernel.assembly.contains("\tbr"), "no loop");
        let line = kernel.assembly.lines().find_map(|line| line.strip_prefix(" *     rhomb ")).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
            .args(line.split(' '))
            .args(["-o", "-"])
            .output()
            .unwrap();
        assert!(output.status.success());
        assert_eq!(String::from_utf8(output.stdout).unwrap(), kernel.assembly);
    }
}

/// 4096 bits: counters of two bytes.
#[test]
fn the_largest_operands_are_simulated() {
    let report = measure(&request(4096, None, Parameters::default())).unwrap().report;
    assert!(report.code_bytes < 3500, "{}", report.code_bytes);
}

/// Squarings are made, proved, and much faster than multiplications.
#[test]
fn squarings() {
    for bits in [8, 61, 160, 320] {
        let squaring =
            make(&Request { operation: "sqr".into(), ..request(bits, None, Parameters::default()) });
        assert_eq!((squaring.report.form, squaring.report.proof), (Some("looped"), Proof::Proved));
        assert_eq!(squaring.report.constant_time, ConstantTime::Constant);
    }
    for bits in [160, 512, 2048] {
        let fastest = |operation: &str| {
            let request =
                Request { operation: operation.into(), ..request(bits, None, Parameters::default()) };
            measure(&request).unwrap().report.cycles.body
        };
        assert!(20 * fastest("sqr") < 11 * fastest("mul"), "{bits}");
    }
}

/// The tables of loops on the page on AVR.
#[test]
fn figures_are_those_of_the_page() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/avr.md")).unwrap();
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let mut checked = 0;
    for (operation, head) in [("mul", "| looped: body cycles"), ("sqr", "| looped squaring: body cycles")] {
        let mut lines = page.lines().skip_while(|line| !line.starts_with(head));
        let sizes: Vec<usize> =
            cells(lines.next().unwrap()).iter().skip(1).map(|size| size.parse().unwrap()).collect();
        for row in lines.skip(1).take_while(|line| line.starts_with('|')).map(cells) {
            for (bits, figure) in sizes.iter().zip(&row[1..]) {
                let output = Command::new(env!("CARGO_BIN_EXE_rhomb"))
                    .args(["measure", operation, "--target", "atmega128", "--format", "json", "--bits"])
                    .arg(bits.to_string())
                    .args(row[0].trim_matches('`').split_whitespace())
                    .output()
                    .unwrap();
                let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
                let found = format!("{}, {}", report["cycles"]["body"], report["code_bytes"]);
                assert_eq!(found, *figure, "{operation} {} {bits}", row[0]);
                checked += 1;
            }
        }
    }
    assert!(checked >= 24, "{checked}");
}
