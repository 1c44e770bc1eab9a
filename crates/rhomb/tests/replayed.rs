//! Certificates of whole programs, replayed against what an assembler makes of the text.
#![cfg(feature = "oracles")]

use rhomb_composition::Composition;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// What is generated, the core, and the assembler for it.
type Subject = (&'static [&'static str], &'static str, &'static [&'static str]);

const AVR: &[&str] = &["avr-gcc", "-mmcu=atmega328p", "-c"];
const THUMB: &[&str] = &["arm-none-eabi-gcc", "-mcpu=cortex-m4", "-c"];
const RISCV: &[&str] = &["riscv64-unknown-elf-as", "-march=rv32im", "-mabi=ilp32"];
const MIPS: &[&str] = &["mipsel-linux-gnu-as", "-march=mips32"];

const SUBJECTS: [Subject; 6] = [
    (&["modexp", "--bits", "64"], "rv32im", RISCV),
    (&["x25519"], "cortex-m4", THUMB),
    (&["modinv", "--modulus", "p192"], "cortex-m4", THUMB),
    (&["rsa-private", "--bits", "128"], "atmega328p", AVR),
    (&["public", "--curve", "p192"], "mips32-4km", MIPS),
    (&["ecdh", "--curve", "p192"], "rv32im", RISCV),
];

fn rhomb(folder: &Path, arguments: &[&str]) -> Output {
    let mut own = Command::new(env!("CARGO_BIN_EXE_rhomb"));
    own.args(arguments).current_dir(folder).env("RHOMB_PROGRESS", "off").output().unwrap()
}

/// They hold; and none does that says something else, or is not all of it.
#[test]
fn certificates_of_programs_hold() {
    let every = rhomb_oracles::sample(3, 1);
    for (request, target, assembler) in SUBJECTS.into_iter().step_by(every) {
        let folder = tempfile::tempdir().unwrap();
        let folder = folder.path();
        let options = ["--target", target, "--name", "f", "--certificate", "f.json"];
        let made = rhomb(folder, &[&["generate"], request, &options].concat());
        assert!(made.status.success(), "{request:?}: {}", String::from_utf8_lossy(&made.stderr));
        let output = Command::new(assembler[0])
            .args(&assembler[1..])
            .args(["-o", "f.o", "f.S"])
            .current_dir(folder)
            .output()
            .unwrap_or_else(|error| panic!("{}: {error}; run tests/oracles/setup", assembler[0]));
        assert!(output.status.success(), "{request:?}: {}", String::from_utf8_lossy(&output.stderr));
        let text = fs::read_to_string(folder.join("f.json")).unwrap();
        let right: Composition = serde_json::from_str(&text).unwrap();
        let replayed = |own: &Composition| {
            fs::write(folder.join("own.json"), serde_json::to_string(own).unwrap()).unwrap();
            let options = ["certificate", "f.o", "own.json", "--symbol", "f", "--target", target];
            let output = rhomb(folder, &options);
            (
                output.status.code(),
                String::from_utf8(output.stdout).unwrap() + &String::from_utf8(output.stderr).unwrap(),
            )
        };
        let (status, said) = replayed(&right);
        let does = if right.program.contains("inv") { "keeps" } else { "computes" };
        let wanted = format!("f {does} {} on {target}: the certificate holds\n", right.program);
        assert_eq!((status, said), (Some(0), wanted), "{request:?}");
        let refused = |change: &dyn Fn(&mut Composition), fault: &str| {
            let mut own = right.clone();
            change(&mut own);
            let (status, said) = replayed(&own);
            assert!(status == Some(1) && said.contains(fault), "{request:?} {fault}: {status:?} {said}");
        };
        refused(&|own| own.program = "x25518".into(), "names no operation");
        refused(&|own| own.program = "ecdh p257".into(), "'ecdh p257' is no program; valid: x25519");
        for other in
            ["modexp 96", "modexp 1000000000000000000", "modexp 0", "rsa-private 65", "rsa-private 130"]
        {
            refused(&|own| own.program = other.into(), "");
        }
        refused(&|own| own.format.push('0'), "format 'rhomb composition 10'");
        refused(&|own| own.code_sha256.replace_range(..1, "g"), "the certificate is for code g");
        refused(&|own| own.routine.push('x'), "the certificate is for routine");
        refused(&|own| own.calls.push(own.calls[0].clone()), "is named twice, or is not called");
        for at in 0..right.calls.len() {
            // what it shows is wanted
            refused(&|own| drop(own.calls.remove(at)), "");
            if right.calls[at].stack_bytes > 0 {
                refused(&|own| own.calls[at].stack_bytes = 0, "");
            }
            refused(&|own| own.calls[at].inner ^= true, "");
            refused(&|own| own.calls[at].entry += 4, "");
            refused(&|own| own.calls[at].certificate.patterns.clear(), "patterns are not those");
        }
    }
}
