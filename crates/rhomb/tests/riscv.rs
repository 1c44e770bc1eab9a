//! Routines for RISC-V, as the library makes them: proved, assembled by GNU as, read back from its object file.
#![cfg(feature = "oracles")]

use rhomb::{
    Adds, ConstantTime, Error, Extension, Interrupts, Output, Proof, Question, Request, generate, measure,
    measure_object, parse_contract, targets, verify,
};
use rhomb_oracles::RiscvGnu;

fn request(operation: &str, size: &str, target: &str) -> Request {
    let bits = size.parse().ok();
    Request {
        operation: operation.into(),
        bits: bits.unwrap_or(0),
        modulus: bits.is_none().then(|| size.into()),
        target: target.into(),
        output: Output { plain: true, ..Output::default() },
        ..Default::default()
    }
}

#[test]
fn what_is_assembled_is_what_was_proved() {
    for (operation, size, target) in [
        ("mul", "256", "ibex-single"),
        ("mul", "160", "picorv32-fast"),
        ("mul", "512", "rv32im"),
        ("sqr", "192", "vexriscv"),
        ("add", "521", "hazard3"),
        ("sub", "33", "cv32e40p"),
        ("modmul", "p256", "ibex-maxperf"),
        ("modadd", "p25519", "e31"),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(3, 1))
    {
        let kernel = generate(&request(operation, size, target)).unwrap();
        assert_eq!(kernel.report.proof, Proof::Proved, "{operation} {size} {target}");
        let file = RiscvGnu { march: "rv32im" }.object(&kernel.assembly).unwrap();
        let contract = parse_contract(&format!("{operation} {size}")).unwrap();
        let question = Question {
            file: &file,
            symbol: &kernel.name,
            target: targets::find(target).unwrap(),
            convention: None,
            interrupts: Interrupts::Any,
        };
        let measured = measure_object(&question, &contract).unwrap();
        assert_eq!(measured.report.cycles, kernel.report.cycles, "{operation} {size} {target}");
        assert_eq!(measured.report.code_bytes, kernel.report.code_bytes, "{operation} {size} {target}");
    }
}

/// Times from a file are what is counted, and a range among them tells operands.
#[test]
fn times_from_a_file() {
    let text = "extensions = ['m']\n[cycles]\nplain = 1\nmul = 1\nmulh = 1\nload = 1\nstore = 1\nbranch = 1\n\
                taken = 1\njal = 1\njalr = 1\n";
    let with = |text: String, target: &str| {
        let extension = Some(Extension { adds: Adds::Times, name: "own.toml".into(), text });
        measure(&Request { extension, ..request("mul", "128", target) }).map(|measured| measured.report)
    };
    let counted = measure(&request("mul", "128", "rv32im")).unwrap().report.cycles;
    let own = with(text.into(), "rv32im").unwrap();
    assert_eq!((own.cycles, own.constant_time), (counted, ConstantTime::Constant));
    // 16 products, each of which may take two cycles more; by what rule the file does not say, so that no calls show it
    let ranged = with(format!("{text}[most]\nmulh = 3\n"), "rv32im").unwrap();
    assert_eq!(ranged.constant_time, ConstantTime::Unknown);
    assert_eq!(ranged.cycles.function_min, counted.function);
    assert_eq!(ranged.cycles.function_max, counted.function + 2 * 16);
    let refused = with(text.into(), "ibex-single").unwrap_err().to_string();
    assert!(refused.contains("ibex-single takes no --timing; valid: rv32im"), "{refused}");
}

/// Plain C of long numbers of N words.
const C: &str = "
typedef unsigned word;
typedef unsigned long long two;
word add(word *restrict r, const word *a, const word *b) {
    word c = 0;
    for (int i = 0; i < N; i++) {
        word s = a[i] + b[i], t = s + c;
        c = (s < a[i]) | (t < s);
        r[i] = t;
    }
    return c;
}
word sum(word *restrict r, const word *a, const word *b) {
    word c = 0;
    for (int i = 0; i < N; i++) {
        two t = (two)a[i] + b[i] + c;
        r[i] = (word)t;
        c = (word)(t >> 32);
    }
    return c;
}
void mul(word *restrict r, const word *a, const word *b) {
    for (int i = 0; i < N; i++) {
        word c = 0;
        for (int j = 0; j < N; j++) {
            two t = (two)a[i] * b[j] + (i ? r[i + j] : 0) + c;
            r[i + j] = (word)t;
            c = (word)(t >> 32);
        }
        r[i + N] = c;
    }
}
";

/// What the compilers make of it is proved.
#[test]
fn objects_of_compilers_are_proved() {
    for (compiler, options, march, words) in [
        ("gcc", ["-O2", "-mno-relax"], "rv32im", 5),
        ("gcc", ["-Os", "-mrelax"], "rv32im", 8),
        ("gcc", ["-O3", "-mcmodel=medany"], "rv32im", 3),
        ("gcc", ["-Os", "-mrelax"], "rv32imc", 6),
        ("clang", ["-O2", "-mno-relax"], "rv32imc", 8),
        ("clang", ["-Os", "-mrelax"], "rv32im", 5),
        ("clang", ["-O3", "-mrelax"], "rv32imc", 4),
    ] {
        let bits = 32 * words;
        let text = C.replace('N', &words.to_string());
        let options = [&options[..], &["-ffreestanding"]].concat();
        let file = RiscvGnu { march }.compile(compiler, &options, &text).unwrap();
        for (symbol, contract) in [("add", "add"), ("sum", "add"), ("mul", "mul")] {
            let found = asked(&file, symbol, &format!("{contract} {bits}"));
            assert_eq!(found, Proof::Proved, "{compiler} {options:?} {march} {bits} {symbol}");
        }
    }
}

fn asked(file: &[u8], symbol: &str, contract: &str) -> Proof {
    asked_on("ibex-single", file, symbol, contract).unwrap_or_else(|error| panic!("{symbol}: {error}"))
}

/// What becomes of the proof of a function of an object file.
pub(crate) fn asked_on(target: &str, file: &[u8], symbol: &str, contract: &str) -> Result<Proof, Error> {
    let target = targets::find(target).unwrap();
    let question = Question { file, symbol, target, convention: None, interrupts: Interrupts::Any };
    verify(&question, &parse_contract(contract).unwrap()).map(|found| found.proof)
}

/// A number of the file is known, at an address by both kinds of parts; parts that do not fit each other are not followed.
#[test]
fn constants_of_a_file_are_known() {
    let text = |load: &str, number: &str| {
        format!(
            "\t.text\n\t.globl f\n\t.type f, @function\nf:\tlw a1, 0(a1)\n\tlw a2, 0(a2)\n{load}\tadd a1, a1, a2
\tsltu a2, a1, a2\n\tmul a2, a2, a5\n\tadd a1, a1, a2\n\tsltu a2, a1, a2\n\tmul a2, a2, a5\n\tadd a1, a1, a2
\tsw a1, 0(a0)\n\tret\n\t.size f, . - f
\t.section .rodata\n\t.balign 8\n\t.word 0\nnumber:\t.word {number}\n\t.word {number}\nother:\t.word {number}\n"
        )
    };
    for (load, number, expected) in [
        ("\tlui a5, %hi(number)\n\tlw a5, %lo(number)(a5)\n", "5", Proof::Proved),
        ("\tlui a5, %hi(number)\n\taddi a5, a5, %lo(number)\n\tlw a5, 0(a5)\n", "5", Proof::Proved),
        ("1:\tauipc a5, %pcrel_hi(number)\n\tlw a5, %pcrel_lo(1b)(a5)\n", "5", Proof::Proved),
        ("\tlui a5, %hi(number - 4)\n\tlw a5, %lo(number)(a5)\n", "5", Proof::Proved),
        ("\tlui a5, %hi(number)\n\tlw a5, %lo(number)(a5)\n", "6", Proof::Refuted),
        ("\tlui a5, %hi(number)\n\tlw a5, %lo(other)(a5)\n", "5", Proof::Unknown),
        ("\tlui a5, %hi(number)\n\tlw a5, 4(a5)\n", "5", Proof::Unknown),
    ] {
        let file = RiscvGnu { march: "rv32im" }.object(&text(load, number)).unwrap();
        assert_eq!(asked(&file, "f", "modadd 0xfffffffb"), expected, "{load}");
    }
}
