//! Key agreements as whole programs: files, proofs, refusals, and calls on other people's simulators.

use crate::pages::{compare_table, has_rows};
use rhomb::{ConstantTime, Kernel, Proof, Request, generate};
use rhomb_field::specification::x25519_of_bytes;
use std::path::Path;

fn request(target: &str) -> Request {
    Request { operation: "x25519".into(), target: target.into(), ..Request::default() }
}

fn on_curve(operation: &str, curve: &str, target: &str) -> Request {
    let curve = Some(curve.to_owned());
    Request { operation: operation.into(), curve, target: target.into(), ..Request::default() }
}

fn ecdh(curve: &str, target: &str) -> Request {
    on_curve("ecdh", curve, target)
}

fn made(request: &Request) -> Kernel {
    generate(request).unwrap_or_else(|error| panic!("{request:?}: {error:?}"))
}

/// The cores of the page's tables.
const CORES: [&str; 7] =
    ["atmega328p", "cortex-m0plus", "cortex-m4", "cortex-m4f", "arm9ej-s", "rv32im", "mips32-ise"];

/// The columns of a row that follow its names.
fn columns(kernel: &Kernel) -> String {
    let report = &kernel.report;
    assert_eq!(report.constant_time, ConstantTime::Constant, "{}", report.target);
    assert_eq!(report.cycles.function_min, report.cycles.function_max, "{}", report.target);
    let about = if report.cycles.about.is_some() { "about " } else { "" };
    let cycles = match report.cycles.function_paired {
        Some(paired) => format!("{about}{} ({about}{paired})", report.cycles.function),
        None => format!("{about}{}", report.cycles.function),
    };
    let proof = if report.proof == Proof::Proved { "proved" } else { "**not proved**" };
    format!("{cycles} | {} | {} | {proof} |", report.code_bytes, report.stack_bytes)
}

/// Compares rows with those under a head of `docs/programs.md`, or some of them; `RHOMB_TABLES=overwrite` writes it anew.
fn compare(head: &str, rows: Vec<String>, all: usize) {
    let whole: String = rows.iter().map(|row| format!("{row}\n")).collect();
    match rows.len() == all {
        true => compare_table("programs.md", head, &whole),
        false => has_rows("programs.md", &whole),
    }
}

/// Every how many rows are made.
fn every(of: usize) -> usize {
    if std::env::var_os("RHOMB_TABLES").is_some() { 1 } else { rhomb_oracles::sample(of, 1) }
}

#[test]
fn the_table_of_x25519() {
    let row = |core: &&str| {
        let kernel = made(&request(core));
        format!("| {core} | {}", columns(&kernel))
    };
    let rows: Vec<String> = CORES.iter().step_by(every(3)).map(row).collect();
    let head = "| core | cycles | code bytes | stack bytes | every input |\n|---|---|---|---|---|\n";
    compare(head, rows, CORES.len());
}

#[test]
fn the_table_of_ecdh() {
    let cells = ["p256", "secp256k1"].into_iter().flat_map(|curve| CORES.map(|core| (curve, core)));
    let cells: Vec<(&str, &str)> =
        cells.chain([("p384", "cortex-m4"), ("p224", "cortex-m4"), ("p192", "atmega128")]).collect();
    let row = |(curve, core): &(&str, &str)| {
        let kernel = made(&ecdh(curve, core));
        let method = kernel.report.method.unwrap();
        format!("| {curve} | {core} | {method} | {}", columns(&kernel))
    };
    let rows: Vec<String> = cells.iter().step_by(every(9)).map(row).collect();
    let head = "| curve | core | method | cycles | code bytes | stack bytes | every input |\n|---|---|---|---|---|---|---|\n";
    compare(head, rows, cells.len());
}

#[test]
fn the_table_of_signatures() {
    let operations = ["public", "ecdsa-sign", "ecdsa-verify"];
    // signatures are too large for the flash of an ATmega328P
    let core = |operation: &str, core| match (operation, core) {
        ("public", core) => core,
        (_, "atmega328p") => "atmega1284p",
        (_, core) => core,
    };
    let cells = CORES.into_iter().flat_map(|own| operations.map(|name| (name, "p256", core(name, own))));
    let others = [
        ("public", "p192", "atmega128"),
        ("scalarmul", "p256", "cortex-m4"),
        ("scalarmul", "p192", "mips32-ise"),
        ("scalarmul", "b191", "mips32-ise"),
        ("scalarmul", "b191", "atmega328p"),
        ("scalarmul", "b191", "cortex-m4"),
        ("ecdsa-verify", "secp256k1", "cortex-m4"),
    ];
    let cells: Vec<(&str, &str, &str)> = cells.chain(others).collect();
    let row = |(operation, curve, core): &(&str, &str, &str)| {
        let kernel = made(&on_curve(operation, curve, core));
        let method = kernel.report.method.unwrap();
        format!("| {operation} | {curve} | {core} | {method} | {}", columns(&kernel))
    };
    let rows: Vec<String> = cells.iter().skip(every(11) - 1).step_by(every(11)).map(row).collect();
    let head = "| operation | curve | core | method | cycles | code bytes | stack bytes | every input |\n|---|---|---|---|---|---|---|---|\n";
    compare(head, rows, cells.len());
}

#[test]
fn files_say_what_a_caller_needs() {
    let kernel = made(&request("cortex-m4"));
    let line = "rhomb generate x25519 --target cortex-m4 --method montgomery-ladder --convention aapcs";
    assert!(kernel.assembly.contains(line) && kernel.command_line.starts_with(line));
    assert!(kernel.c_header.contains("void x25519(uint32_t r[8], const uint32_t k[8], const uint32_t u[8])"));
    assert!(kernel.assembly.contains("RFC 7748, section 5"));
    assert_eq!((kernel.name.as_str(), kernel.report.bits), ("x25519", 256));
    let kernel = made(&ecdh("p192", "cortex-m4"));
    let line = "rhomb generate ecdh --target cortex-m4 --method fixed-window --curve p192 --convention aapcs";
    assert!(kernel.command_line.starts_with(line), "{}", kernel.command_line);
    let prototype = "uint32_t ecdh_p192(uint32_t r[6], const uint32_t k[6], const uint32_t point[12])";
    assert!(kernel.c_header.contains(prototype) && kernel.assembly.contains("2 where x or y is not below p"));
    assert_eq!((kernel.name.as_str(), kernel.report.bits), ("ecdh_p192", 192));
    // the same file from the line in its header
    let again = Request { method: Some("fixed-window".into()), ..ecdh("p192", "cortex-m4") };
    assert_eq!(made(&again).assembly, kernel.assembly);
}

/// A program that may take less code has fewer multiples in its tables, takes longer, and is proved.
#[test]
fn programs_stay_within_bounds() {
    let within = |code: usize, stack: usize| {
        let bounds = rhomb::Bounds { code: Some(code), stack: Some(stack), ..rhomb::Bounds::default() };
        generate(&Request { bounds, ..on_curve("public", "p192", "cortex-m4") })
    };
    let free = made(&on_curve("public", "p192", "cortex-m4")).report;
    let (most, stack) = (free.code_bytes - 1, free.stack_bytes as usize);
    let less = within(most, stack).unwrap();
    assert!(less.report.code_bytes <= most && less.report.cycles.function > free.cycles.function);
    assert_eq!(less.report.proof, Proof::Proved);
    assert!(less.command_line.contains(&format!("--curve p192 --max-code {most} --max-stack {stack} ")));
    assert_eq!(within(free.code_bytes, stack).unwrap().report.code_bytes, free.code_bytes);
    let error = within(1000, stack).map(|_| ()).unwrap_err();
    assert!(
        error.fault.starts_with("no program keeps --max-code and --max-stack; valid: "),
        "{}",
        error.fault
    );
    assert!(within(free.code_bytes, 100).is_err());
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
    refused(Request { curve: Some("p256".into()), ..request("cortex-m4") }, "x25519 has no --curve");
    refused(request("attiny85"), "x25519 on attiny85");
    refused(request("tms320vc5510"), "x25519 on tms320vc5510");
    let constant = |own: Request| Request { constant_time: true, ..own };
    refused(constant(request("arm7tdmi")), "the time of x25519 depends on its operands");
    refused(Request { curve: None, ..ecdh("", "cortex-m4") }, "ecdh needs a curve; valid: p192, p224, p256");
    refused(ecdh("p257", "cortex-m4"), "unknown curve 'p257'");
    refused(ecdh("b191", "cortex-m4"), "unknown curve 'b191'; valid: p192, p224, p256, p384, secp256k1");
    refused(on_curve("scalarmul", "p257", "cortex-m4"), "secp256k1, b191");
    refused(
        Request { bits: 256, ..ecdh("p256", "cortex-m4") },
        "ecdh has no --bits; valid: --target, --curve",
    );
    refused(ecdh("p256", "attiny85"), "ecdh on attiny85");
    refused(ecdh("p256", "tms320vc5510"), "ecdh on tms320vc5510");
    refused(constant(ecdh("p192", "arm7tdmi")), "the time of ecdh depends on its operands");
    let product = Request { operation: "mul".into(), bits: 64, ..ecdh("p256", "cortex-m4") };
    refused(product, "mul has no --curve; valid with ecdh");
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
    use num_bigint::BigUint;
    use rhomb_object::ObjectFile;
    use rhomb_oracles::{Job, Outcome, Run, SimAvr, Stop};
    use std::process::Command;

    fn run(folder: &Path, tool: &str, arguments: &[&str]) -> String {
        let output = Command::new(tool).args(arguments).current_dir(folder).output();
        let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"));
        assert!(output.status.success(), "{tool}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn write(folder: &Path, request: Request) -> Kernel {
        let kernel = generate(&Request { no_proof: true, ..request }).unwrap();
        std::fs::write(folder.join(format!("{}.S", kernel.name)), &kernel.assembly).unwrap();
        std::fs::write(folder.join(format!("{}.h", kernel.name)), &kernel.c_header).unwrap();
        kernel
    }

    /// A call, with what it leaves in the result and returns.
    struct Case {
        operands: Vec<Vec<u8>>,
        result: Vec<u8>,
        returned: Option<u8>,
    }

    /// Assembled by GNU as and called on libsimavr: results, cycles, and that nothing else is written.
    fn on_libsimavr(request: Request, cases: Vec<Case>) {
        let folder = tempfile::tempdir().unwrap();
        let kernel = write(folder.path(), Request { target: "atmega1284p".into(), ..request });
        let source = format!("{}.S", kernel.name);
        run(folder.path(), "avr-gcc", &["-mmcu=atmega1284p", "-nostdlib", "-o", "f.elf", &source]);
        run(folder.path(), "avr-objcopy", &["-O", "binary", "-j", ".text", "f.elf", "f.bin"]);
        let elf = std::fs::read(folder.path().join("f.elf")).unwrap();
        let text = std::fs::read(folder.path().join("f.bin")).unwrap();
        let entry = ObjectFile::parse(&elf).unwrap().function(&kernel.name).unwrap().address;
        let words = text.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let words: Vec<u16> = words.collect();
        let (r, stack_end) = (0x3010u16, 0x40ffu16);
        let stack = u16::try_from(kernel.report.stack_bytes).unwrap() + 2;
        let below = stack_end + 1 - stack - 256;
        let mut simavr = SimAvr::start("atmega1284p");
        for Case { operands, result, returned } in cases {
            let length = |bytes: &[u8]| bytes.len() as u16;
            let inputs = (0x3100..).step_by(0x100).zip(operands);
            let inputs: Vec<(u16, Vec<u8>)> = inputs.collect();
            // pointers in pairs of registers from r24 on downwards; without a result operands are first
            let pointers =
                (!result.is_empty()).then_some(r).into_iter().chain(inputs.iter().map(|own| own.0));
            let mut registers = [0; 32];
            for (low, address) in (0..=24).rev().step_by(2).zip(pointers) {
                registers[low..low + 2].copy_from_slice(&address.to_le_bytes());
            }
            let given = [(r - 16, vec![0x5a; 32 + result.len()]), (below, vec![0x5a; 256])];
            let memory: Vec<(u16, Vec<u8>)> = given.into_iter().chain(inputs).collect();
            let watch = memory.iter().map(|(at, bytes)| (*at, length(bytes))).collect();
            let mut wanted: Vec<Vec<u8>> = memory.iter().map(|(_, bytes)| bytes.clone()).collect();
            wanted[0] = [&[0x5a; 16], &result[..], &[0x5a; 16]].concat();
            let Outcome { stop, cycles, memory, registers, .. } = simavr.run(&Job {
                origin: 0,
                words: words.clone(),
                registers,
                sreg: 0,
                sp: stack_end,
                pc: (entry / 2) as u32,
                run: Run::Call { return_to: 0xff00, limit: 100_000_000 },
                memory,
                watch,
            });
            assert_eq!((stop, cycles), (Stop::Done, kernel.report.cycles.function));
            assert_eq!(memory, wanted);
            assert!(returned.is_none_or(|status| registers[24] == status));
        }
    }

    #[test]
    fn x25519_on_libsimavr() {
        let case = |[k, u, wanted]: [[u8; 32]; 3]| Case {
            operands: vec![k.to_vec(), u.to_vec()],
            result: wanted.to_vec(),
            returned: None,
        };
        on_libsimavr(request(""), cases().into_iter().take(3).map(case).collect());
    }

    fn hex(digits: &str) -> Vec<u8> {
        let digits: Vec<char> = digits.chars().filter(|one| !one.is_whitespace()).collect();
        let byte = |pair: &[char]| u8::from_str_radix(&pair.iter().collect::<String>(), 16).unwrap();
        digits.chunks(2).map(byte).collect()
    }

    /// RFC 5903, section 8.1: a private key, the public key of the other side, and the shared secret.
    fn vector() -> [Vec<u8>; 3] {
        [
            "C88F01F5 10D9AC3F 70A292DA A2316DE5 44E9AAB8 AFE84049 C62A9C57 862D1433",
            "D12DFB52 89C8D4F8 1208B702 70398C34 2296970A 0BCCB74C 736FC755 4494BF63
             56FBF3CA 366CC23E 8157854C 13C58D6A AC23F046 ADA30F83 53E74F33 039872AB",
            "D6840F6B 42F6EDAF D13116E0 E1256520 2FEF8E9E CE7DCE03 812464D0 4B9442DE",
        ]
        .map(hex)
    }

    /// A key of RSA with 512 bits, a message, and that to the power 65537: all made by OpenSSL 3.0 (`openssl genrsa -traditional
    /// 512`, `openssl rsautl -raw`). p, q, dp, dq, qinv, m and c, with their lowest bytes first.
    fn rsa_key() -> [Vec<u8>; 7] {
        let numbers = [
            "E863528B9CC14DBB7DF2007208127AC8B6CAB6634E185A21DC996D6331E9DDD1",
            "C284C4A60F47B153B919981972364F8BD44D26F8C6203D25914895EBF7D19B55",
            "26A0239F3AFDD23AC0B351A9A277D7DAB6AF38E3869E7B94B742F53090A24B91",
            "BE70C4229C85214C89C5500F61AD6095D2C5B2690F7892C50C0757988DA8EE7D",
            "7697CF33CF3D93D6AE3ADE7B015E1CD3FD2F6EA56879475CC9E6E88C8BD0F9F2",
            "000B30557A9FC4E90E33587DA2C7EC11365B80A5CAEF14395E83A8CDF2173C61
             86ABD0F51A3F6489AED3F81D42678CB1D6FB20456A8FB4D9FE23486D92B7DC01",
            "7F959E1A3C01B2BADE1B28B76742614B78D8D03B870A1E1F8F4748FDA9438450
             A90157F9CB54D2D820DA9CF498F2250AB0EDF4BCB3EEC832E04E18FAAB597187",
        ];
        numbers.map(|number| hex(number).into_iter().rev().collect())
    }

    #[test]
    fn rsa_on_libsimavr() {
        let [p, q, dp, dq, inverse, message, sent] = rsa_key();
        let number = |bytes: &[u8]| BigUint::from_bytes_le(bytes);
        let modulus = (number(&p) * number(&q)).to_bytes_le();
        let of = |operation: &str| Request { operation: operation.into(), bits: 512, ..request("") };
        let case = |operands: [&[u8]; 2], result: &[u8]| {
            let operands = operands.map(<[u8]>::to_vec).to_vec();
            vec![Case { operands, result: result.to_vec(), returned: None }]
        };
        let key = [p, q, dp, dq, inverse].concat();
        on_libsimavr(of("rsa-private"), case([&sent, &key], &message));
        let public = Request { public: Some(65537), ..of("modexp") };
        on_libsimavr(public, case([&message, &modulus], &sent));
    }

    /// That of a standard, and faults of the key, of the point and of both: then the result stays.
    fn agreements() -> Vec<Case> {
        let [k, point, wanted] = vector();
        let mut off = point.clone();
        off[63] ^= 1;
        let stays = vec![0x5a; 32];
        let case = |k: &[u8], point: &[u8], result: &[u8], status| Case {
            operands: vec![k.to_vec(), point.to_vec()],
            result: result.to_vec(),
            returned: Some(status),
        };
        vec![
            case(&k, &point, &wanted, 0),
            case(&[0xff; 32], &point, &stays, 1),
            case(&k, &off, &stays, 2),
            case(&[0; 32], &off, &stays, 3),
        ]
    }

    #[test]
    fn ecdh_on_libsimavr() {
        on_libsimavr(ecdh("p256", ""), agreements());
    }

    /// RFC 6979, section A.2.5, of "sample" with SHA-256: the key, its point, the hash, the nonce, and the signature.
    fn signature() -> [Vec<u8>; 5] {
        [
            "C9AFA9D845BA75166B5C215767B1D6934E50C3DB36E89B127B8A622B120F6721",
            "60FED4BA255A9D31C961EB74C6356D68C049B8923B61FA6CE669622E60F29FB6
             7903FE1008B8BC99A41AE9E95628BC64F2F1B20C2D7E9F5177A3C294D4462299",
            "AF2BDBE1AA9B6EC1E2ADE1D694F41FC71A831D0268E9891562113D8A62ADD1BF",
            "A6E3C57DD01ABE90086538398355DD4C3B17AA873382B0F24D6129493D8AAD60",
            "EFD48B2AACB6A8FD1140DD9CD45E81D69D2C877B56AAF991C34D0EA84EAF3716
             F7CB1C942D657C41D436C7A1B6E29F65F3E900DBB9AFF4064DC4AB2F843ACDA8",
        ]
        .map(hex)
    }

    #[test]
    fn signatures_on_libsimavr() {
        let [key, point, hash, nonce, signed] = signature();
        let case = |operands: &[&Vec<u8>], result: &[u8], status| Case {
            operands: operands.iter().map(|own| own.to_vec()).collect(),
            result: result.to_vec(),
            returned: Some(status),
        };
        let none = vec![0; 32];
        let stays = [0x5a; 64];
        let request = |operation: &str| on_curve(operation, "p256", "");
        on_libsimavr(request("public"), vec![case(&[&key], &point, 0), case(&[&none], &stays, 1)]);
        let cases = vec![case(&[&hash, &key, &nonce], &signed, 0), case(&[&hash, &none, &nonce], &stays, 1)];
        on_libsimavr(request("ecdsa-sign"), cases);
        let cases = vec![case(&[&signed, &hash, &point], &[], 0), case(&[&signed, &nonce, &point], &[], 4)];
        on_libsimavr(request("ecdsa-verify"), cases);
    }

    /// Called from C under qemu: the same.
    #[test]
    fn ecdh_called_from_c() {
        for (target, options) in [
            ("arm9ej-s", &["-marm", "-mcpu=arm946e-s"][..]),
            ("cortex-m4", &["-mthumb", "-mcpu=cortex-m4"]),
            ("cortex-m0plus", &["-mthumb", "-mcpu=cortex-m0plus"]),
        ] {
            let folder = tempfile::tempdir().unwrap();
            write(folder.path(), ecdh("p256", target));
            let mut text =
                format!("{}#include \"ecdh_p256.h\"\nstatic int test(void) {{\n", crate::arm::START);
            text.push_str("    uint32_t r[10], status;\n    int broken = 0;\n");
            let list = |bytes: &[u8]| {
                let words = bytes.chunks(4).map(|word| u32::from_le_bytes(word.try_into().unwrap()));
                words.map(|word| format!("{word:#x}u")).collect::<Vec<_>>().join(", ")
            };
            let mut expected = Vec::new();
            for Case { operands, result, returned } in agreements() {
                let [k, point] = &operands[..] else { panic!("{operands:x?}") };
                text.push_str(&format!(
                    "    {{ uint32_t k[] = {{{}}}, point[] = {{{}}}; memset(r, 0x5a, 40); status = ecdh_p256(r + 1, k, point); print(r + 1, 8); print(&status, 1); broken |= r[0] != 0x5a5a5a5au || r[9] != 0x5a5a5a5au; }}\n",
                    list(k),
                    list(point)
                ));
                let digits: String = result.iter().rev().map(|byte| format!("{byte:02x}")).collect();
                expected.extend([digits, format!("{:08x}", returned.unwrap())]);
            }
            text.push_str("    return broken;\n}\n");
            text.push_str(crate::arm::END);
            std::fs::write(folder.path().join("main.c"), text).unwrap();
            let fixed = ["-O1", "-nostdlib", "-ffreestanding", "-fno-builtin", "-static", "-o", "main"];
            let files = ["main.c", "ecdh_p256.S", "-lgcc"];
            run(folder.path(), "arm-none-eabi-gcc", &[&fixed, options, &files].concat());
            let said = run(folder.path(), "qemu-arm", &["./main"]);
            assert_eq!(said.lines().collect::<Vec<_>>(), expected, "{target}");
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
            write(folder.path(), request(target));
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
