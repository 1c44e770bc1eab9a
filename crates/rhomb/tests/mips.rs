//! Routines for MIPS32, as the library makes them: proved, and within the figures that are known.

use crate::riscv::asked_on;
use rhomb::{ConstantTime, Parameters, Proof, Request, generate};
use rhomb_oracles::MipsGnu;

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

/// Of two parts in the code, the first with the upper half and the rest with the sign of the lower one.
#[test]
fn constants_of_a_file_are_known() {
    let found = |load: &str, number: &str| {
        let text = format!(
            "\t.set noreorder\n\t.text\n\t.globl f\n\t.type f, @function\nf:\tlw $5, 0($5)\n\tlw $6, 0($6)\n{load}\taddu $5, $5, $6
\tsltu $6, $5, $6\n\tmul $6, $6, $9\n\taddu $5, $5, $6\n\tsltu $6, $5, $6\n\tmul $6, $6, $9\n\taddu $5, $5, $6
\tjr $31\n\tsw $5, 0($4)\n\t.size f, . - f
\t.section .rodata\n\t.balign 8\n\t.word 0\nnumber:\t.word {number}\n\t.word {number}\nwhere:\t.word number\n"
        );
        let file = MipsGnu { march: "mips32" }.object(&text).unwrap();
        asked_on("mips32-4km", &file, "f", "modadd 0xfffffffb")
    };
    for (load, number, expected) in [
        ("\tlui $9, %hi(number)\n\tlw $9, %lo(number)($9)\n", "5", Proof::Proved),
        ("\tlui $9, %hi(number)\n\taddiu $9, $9, %lo(number)\n\tlw $9, 0($9)\n", "5", Proof::Proved),
        ("\tlui $9, %hi(where)\n\tlw $9, %lo(where)($9)\n\tlbu $9, 0($9)\n", "5", Proof::Proved),
        ("\tlui $9, %hi(number)\n\tlw $9, %lo(number)($9)\n", "6", Proof::Refuted),
        ("\tlui $9, %hi(number)\n\tlw $9, 4($9)\n", "5", Proof::Unknown),
        ("\tlui $9, 0\n\tlw $9, %lo(number)($9)\n", "5", Proof::Unknown),
    ] {
        assert_eq!(found(load, number).unwrap(), expected, "{load}");
    }
    let of_a_table = "\tlw $9, %got(number)($28)\n\taddiu $9, $9, %lo(number)\n\tlw $9, 0($9)\n";
    let refused = found(of_a_table, "5").unwrap_err();
    assert!(refused.fault.contains("relocation"), "{}", refused.fault);
}
