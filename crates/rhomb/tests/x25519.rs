//! X25519 as a whole program: files, proofs, refusals, and calls on other people's simulators.

use crate::pages::compare_table;
use rhomb::{ConstantTime, Kernel, Proof, Request, generate};
use rhomb_field::specification::x25519_of_bytes;
use std::path::Path;

fn request(target: &str) -> Request {
    Request { operation: "x25519".into(), target: target.into(), ..Request::default() }
}

fn made(target: &str) -> Kernel {
    generate(&request(target)).unwrap_or_else(|error| panic!("{target}: {error:?}"))
}

/// The cores of the page's table.
const CORES: [&str; 7] =
    ["atmega328p", "cortex-m0plus", "cortex-m4", "cortex-m4f", "arm9ej-s", "rv32im", "mips32-ise"];

/// What `docs/programs.md` says of each core; `RHOMB_TABLES=overwrite` writes it anew.
#[test]
fn the_table_of_the_page() {
    let mut rows = String::new();
    for core in CORES {
        let report = made(core).report;
        let proof = if report.proof == Proof::Proved { "proved" } else { "**not proved**" };
        assert_eq!(report.constant_time, ConstantTime::Constant, "{core}");
        assert_eq!(report.cycles.function_min, report.cycles.function_max, "{core}");
        let about = if report.cycles.about.is_some() { "about " } else { "" };
        let cycles = match report.cycles.function_paired {
            Some(paired) => format!("{about}{} ({about}{paired})", report.cycles.function),
            None => format!("{about}{}", report.cycles.function),
        };
        let (code, stack) = (report.code_bytes, report.stack_bytes);
        rows.push_str(&format!("| {core} | {cycles} | {code} | {stack} | {proof} |\n"));
    }
    let head = "| core | cycles | code bytes | stack bytes | every input |\n|---|---|---|---|---|\n";
    compare_table("programs.md", head, &rows);
}

#[test]
fn files_say_what_a_caller_needs() {
    let kernel = made("cortex-m4");
    let line = "rhomb generate x25519 --target cortex-m4 --method montgomery-ladder --convention aapcs";
    assert!(kernel.assembly.contains(line) && kernel.command_line.starts_with(line));
    assert!(kernel.c_header.contains("void x25519(uint32_t r[8], const uint32_t k[8], const uint32_t u[8])"));
    assert!(kernel.assembly.contains("RFC 7748, section 5"));
    assert_eq!((kernel.name.as_str(), kernel.report.bits), ("x25519", 256));
}

#[test]
fn refusals() {
    let refused = |request: Request, fault: &str| {
        let error = generate(&request).map(|_| ()).unwrap_err();
        assert!(error.fault.contains(fault), "{}", error.fault);
    };
    refused(Request { bits: 256, ..request("cortex-m4") }, "x25519 has no --bits; valid: --target");
    refused(Request { modulus: Some("p256".into()), ..request("cortex-m4") }, "has no --modulus");
    refused(Request { form: Some("looped".into()), ..request("cortex-m4") }, "has no --form");
    refused(Request { method: Some("comb".into()), ..request("cortex-m4") }, "montgomery-ladder");
    refused(request("attiny85"), "x25519 on attiny85");
    refused(request("tms320vc5510"), "x25519 on tms320vc5510");
    let request = Request { constant_time: true, ..request("arm7tdmi") };
    refused(request, "the time of x25519 depends on its operands");
}

/// Scalars and u-coordinates, and the results.
#[cfg(feature = "oracles")]
fn cases() -> Vec<[[u8; 32]; 3]> {
    let mut random = rhomb_oracles::Random::new(7748);
    let mut any = || [(); 32].map(|()| random.byte());
    let mut prime = [0xff; 32];
    (prime[0], prime[31]) = (0xed, 0x7f);
    let mut nine = [0; 32];
    nine[0] = 9;
    let cases = [(any(), any()), ([0xff; 32], [0xff; 32]), (any(), prime), (any(), [0; 32]), (any(), nine)];
    cases.into_iter().map(|(k, u)| [k, u, x25519_of_bytes(&k, &u)]).collect()
}

#[cfg(feature = "oracles")]
mod oracles {
    use super::*;
    use rhomb_object::ObjectFile;
    use rhomb_oracles::{Job, Outcome, Run, SimAvr, Stop};
    use std::process::Command;

    fn run(folder: &Path, tool: &str, arguments: &[&str]) -> String {
        let output = Command::new(tool).args(arguments).current_dir(folder).output();
        let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"));
        assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(folder: &Path, target: &str) -> Kernel {
        let kernel = generate(&Request { no_proof: true, ..request(target) }).unwrap();
        std::fs::write(folder.join("x25519.S"), &kernel.assembly).unwrap();
        std::fs::write(folder.join("x25519.h"), &kernel.c_header).unwrap();
        kernel
    }

    /// Assembled by GNU as and called on libsimavr: results, cycles, and that nothing else is written.
    #[test]
    fn on_libsimavr() {
        let folder = tempfile::tempdir().unwrap();
        let kernel = write(folder.path(), "atmega1284p");
        run(folder.path(), "avr-gcc", &["-mmcu=atmega1284p", "-nostdlib", "-o", "f.elf", "x25519.S"]);
        run(folder.path(), "avr-objcopy", &["-O", "binary", "-j", ".text", "f.elf", "f.bin"]);
        let elf = std::fs::read(folder.path().join("f.elf")).unwrap();
        let text = std::fs::read(folder.path().join("f.bin")).unwrap();
        let entry = ObjectFile::parse(&elf).unwrap().function("x25519").unwrap().address;
        let words = text.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let words: Vec<u16> = words.collect();
        let (r, k, u, stack_end) = (0x3010u16, 0x3100u16, 0x3200u16, 0x40ffu16);
        let stack = u16::try_from(kernel.report.stack_bytes).unwrap() + 2;
        let below = stack_end + 1 - stack - 256;
        let mut registers = [0; 32];
        for (low, address) in [(24, r), (22, k), (20, u)] {
            registers[low..low + 2].copy_from_slice(&address.to_le_bytes());
        }
        let mut simavr = SimAvr::start("atmega1284p");
        for [scalar, point, wanted] in cases().into_iter().take(3) {
            let Outcome { stop, cycles, memory, .. } = simavr.run(&Job {
                origin: 0,
                words: words.clone(),
                registers,
                sreg: 0,
                sp: stack_end,
                pc: (entry / 2) as u32,
                run: Run::Call { return_to: 0xff00, limit: 100_000_000 },
                memory: vec![
                    (r - 16, vec![0x5a; 64]),
                    (k, scalar.to_vec()),
                    (u, point.to_vec()),
                    (below, vec![0x5a; 256]),
                ],
                watch: vec![(r - 16, 64), (k, 32), (u, 32), (below, 256)],
            });
            assert_eq!((stop, cycles), (Stop::Done, kernel.report.cycles.function));
            assert_eq!(memory[0], [&[0x5a; 16], &wanted[..], &[0x5a; 16]].concat());
            assert_eq!(memory[1..], [scalar.to_vec(), point.to_vec(), vec![0x5a; 256]]);
        }
    }

    /// Called from C as gcc compiles it: under qemu, the 1,000 rounds of RFC 7748, section 5.2, and what reaches the ends of the
    /// field.
    #[test]
    fn called_from_c() {
        for (target, options, qemu, gcc) in [
            ("arm9ej-s", &["-marm", "-mcpu=arm946e-s"][..], "qemu-arm", "arm-none-eabi-gcc"),
            ("cortex-m4", &["-mthumb", "-mcpu=cortex-m4"], "qemu-arm", "arm-none-eabi-gcc"),
        ] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), target);
            let mut text = format!("{}#include \"x25519.h\"\nstatic int test(void) {{\n", crate::arm::START);
            text.push_str("    uint32_t k[8] = {9}, u[8] = {9}, r[10];\n    int broken = 0;\n");
            text.push_str("    r[0] = r[9] = 0x5a5aa5a5u;\n");
            text.push_str(
                "    for (int round = 1; round <= 1000; round++) {\n        x25519(r + 1, k, u);\n",
            );
            text.push_str("        memcpy(u, k, 32); memcpy(k, r + 1, 32);\n");
            text.push_str("        if (round == 1 || round == 1000) print(k, 8);\n    }\n");
            let cases = cases();
            for [scalar, point, _] in &cases {
                let list = |bytes: &[u8; 32]| {
                    let words = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
                    words.map(|word| format!("{word:#x}u")).collect::<Vec<_>>().join(", ")
                };
                text.push_str(&format!(
                    "    {{ uint32_t k[] = {{{}}}, u[] = {{{}}}; x25519(r + 1, k, u); print(r + 1, 8); }}\n",
                    list(scalar),
                    list(point)
                ));
            }
            text.push_str(
                "    broken = r[0] != 0x5a5aa5a5u || r[9] != 0x5a5aa5a5u;\n    return broken;\n}\n",
            );
            text.push_str(crate::arm::END);
            std::fs::write(folder.path().join("main.c"), text).unwrap();
            let fixed = ["-O1", "-nostdlib", "-ffreestanding", "-fno-builtin", "-static", "-o", "main"];
            let files = ["main.c", "x25519.S", "-lgcc"];
            run(folder.path(), gcc, &[&fixed, options, &files].concat());
            let said = run(folder.path(), qemu, &["./main"]);
            let hex =
                |bytes: &[u8; 32]| bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect::<String>();
            // the lowest byte first
            let rounds = [
                "422c8e7a6227d7bca1350b3e2bb7279f7897b87bb6854b783c60e80311ae3079",
                "684cf59ba83309552800ef566f2f4d3c1c3887c49360e3875f2eb94d99532c51",
            ];
            let turned = |text: &str| (0..32).rev().map(|at| &text[2 * at..][..2]).collect::<String>();
            let mut expected: Vec<String> = rounds.map(turned).to_vec();
            expected.extend(cases.iter().map(|[_, _, wanted]| hex(wanted)));
            assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{target}");
        }
    }
}
