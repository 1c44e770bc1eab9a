//! Arithmetic in C as portable libraries write it, compiled afresh and verified: with limbs of a byte on AVR, of a word elsewhere.
#![cfg(feature = "oracles")]

use crate::pages::compare_table;
use num_bigint::BigUint;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A compiler for a target.
struct Compiler {
    name: &'static str,
    target: &'static str,
    limb: u32,
    command: &'static [&'static str],
}

const COMPILERS: [Compiler; 7] = [
    Compiler { name: "gcc", target: "atmega128", limb: 8, command: &["avr-gcc", "-mmcu=atmega128"] },
    Compiler {
        name: "gcc",
        target: "arm7tdmi",
        limb: 32,
        command: &["arm-none-eabi-gcc", "-mcpu=arm7tdmi", "-marm"],
    },
    Compiler {
        name: "gcc",
        target: "cortex-m4",
        limb: 32,
        command: &["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-mthumb"],
    },
    Compiler {
        name: "gcc",
        target: "rv32im",
        limb: 32,
        command: &["riscv64-unknown-elf-gcc", "-march=rv32im", "-mabi=ilp32"],
    },
    Compiler {
        name: "clang",
        target: "cortex-m4",
        limb: 32,
        command: &["clang-14", "--target=thumbv7em-none-eabi", "-mcpu=cortex-m4"],
    },
    Compiler {
        name: "clang",
        target: "rv32im",
        limb: 32,
        command: &["clang-14", "--target=riscv32", "-march=rv32im", "-mabi=ilp32"],
    },
    Compiler {
        name: "clang",
        target: "mips32-4km",
        limb: 32,
        command: &["clang-14", "--target=mipsel", "-mcpu=mips32", "-fno-pic", "-mno-abicalls"],
    },
];

/// Functions of `portable.c`, and what they are to compute; P stands for the prime.
const FUNCTIONS: [(&str, &str); 24] = [
    ("add_or", "add"),
    ("sub_or", "sub"),
    ("add_plus", "add"),
    ("sub_plus", "sub"),
    ("add_changed", "add"),
    ("sub_changed", "sub"),
    ("add_wide", "add"),
    ("sub_wide", "sub"),
    ("sub_signed", "sub"),
    ("add_tops", "add"),
    ("sub_tops", "sub"),
    ("sub_less", "sub"),
    ("mul_rows", "mul"),
    ("mul_columns", "mul"),
    ("sqr_rows", "sqr"),
    ("sqr_columns", "sqr"),
    ("modadd_carry", "modadd P a<p b<p"),
    ("modadd_mask", "modadd P a<p b<p r<p"),
    ("modadd_xor", "modadd P a<p b<p r<p"),
    ("modadd_back", "modadd P a<p b<p r<p"),
    ("modsub_back", "modsub P a<p b<p r<p"),
    ("modsub_if", "modsub P a<p b<p r<p"),
    ("modhalf_mask", "modhalf P a<p"),
    ("montmul_words", "montmul P a<p b<p"),
];

/// 2^bits less a small number, prime.
fn prime(bits: u32) -> BigUint {
    let less: u32 = match bits {
        64 => 59,
        128 => 159,
        _ => 189,
    };
    (BigUint::from(1u8) << bits) - less
}

impl Compiler {
    /// The object file.
    fn object(&self, folder: &Path, level: &str, bits: u32, with_prime: bool) -> PathBuf {
        let prime = prime(bits);
        let radix = BigUint::from(1u8) << self.limb;
        let limbs: Vec<String> = (0..bits / self.limb)
            .map(|limb| format!("{:#x}", (&prime >> (self.limb * limb)) % &radix))
            .collect();
        // -1 divided by the prime, modulo 2^limb: by Newton's iteration
        let mut inverse = BigUint::from(1u8);
        for _ in 0..5 {
            let error = (BigUint::from(2u8) + &radix * &radix - &prime * &inverse % &radix) % &radix;
            inverse = inverse * error % &radix;
        }
        let file = folder.join("portable.o");
        let mut command = Command::new(self.command[0]);
        command.args(&self.command[1..]).args(["-c", "-std=c99", "-ffreestanding", level, "-o"]).arg(&file);
        command.arg(format!("-DLIMB={}", self.limb)).arg(format!("-DBITS={bits}"));
        if with_prime {
            command.arg(format!("-DPRIME={{{}}}", limbs.join(",")));
            command.arg(format!("-DINVERSE={:#x}u", radix - inverse));
        }
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/compiled/portable.c"));
        let output = command.output().unwrap_or_else(|error| panic!("{}: {error}", self.command[0]));
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        file
    }
}

/// Options and bits.
fn sizes(compiler: &Compiler) -> (&'static str, u32) {
    match (compiler.name, compiler.target) {
        ("gcc", "atmega128" | "arm7tdmi") => ("-O2", 128),
        ("gcc", _) => ("-Os", 64),
        _ => ("-O2", 64),
    }
}

/// Terms that a proof may touch: about a second.
const EFFORT: &str = "15000000";

/// None is refuted, and `docs/verify.md` tells which are proved.
#[test]
fn portable_c_is_proved() {
    let mut table = String::new();
    for compiler in &COMPILERS {
        let (level, bits) = sizes(compiler);
        let folder = tempfile::tempdir().unwrap();
        // constants of AVR lie in the data memory, where a linker puts them
        let with_prime = compiler.limb == 32;
        let file = compiler.object(folder.path(), level, bits, with_prime);
        let (mut proved, mut others) = (0, Vec::new());
        for (symbol, contract) in FUNCTIONS {
            let contract = match contract.split_once(" P") {
                Some(_) if !with_prime => continue,
                Some((operation, conditions)) => format!("{operation} {:#x}{conditions}", prime(bits)),
                None => format!("{contract} {bits}"),
            };
            let mut command = Command::new(env!("CARGO_BIN_EXE_rhomb"));
            command.arg("verify").arg(&file).args(["--symbol", symbol, "--contract", &contract]);
            command.args(["--target", compiler.target, "--effort", EFFORT]).env("RHOMB_PROGRESS", "off");
            let output = command.output().unwrap();
            let text = String::from_utf8_lossy(&output.stdout);
            match output.status.code() {
                Some(0) => proved += 1,
                Some(3) => others.push(symbol),
                // constants of a section that the linker merges, instructions that are not read
                Some(2) if compiler.name == "clang" => others.push(symbol),
                code => panic!("{symbol} {contract} {level} {}: {code:?} {text}", compiler.target),
            }
        }
        let others = if others.is_empty() { "-".to_owned() } else { format!("`{}`", others.join("`, `")) };
        let Compiler { name, target, .. } = compiler;
        table += &format!("| {target} | {name} {level} | {bits} | {proved} | {others} |\n");
    }
    let head = "| target | compiler | bits | proved | unknown |\n|---|---|---|---|---|\n";
    compare_table("verify.md", head, &table);
}
