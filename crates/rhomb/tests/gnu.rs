//! Generated files through the GNU tools, and their machine code on libsimavr.
#![cfg(feature = "oracles")]

use rhomb::{
    ConstantTime, Contract, Interrupts, Kernel, Operation, Parameters, Proof, Question, Request, files,
    generate, measure_object, replay, targets, verify,
};
use rhomb_object::ObjectFile;
use rhomb_oracles::{Gnu, Job, Random, Run, SimAvr, Stop};
use std::fs;
use std::path::Path;
use std::process::Command;
use std::sync::LazyLock;

fn request(target: &str, bits: usize, method: &str, parameters: Parameters) -> Request {
    Request {
        operation: "mul".into(),
        bits,
        target: target.into(),
        method: Some(method.into()),
        parameters,
        ..Default::default()
    }
}

fn open(target: &str, bits: usize) -> Request {
    request(target, bits, "best", Parameters::default())
}

/// Writes a routine's files and gives the name they start with.
fn write(folder: &Path, request: &Request) -> String {
    put(folder, &generate(request).unwrap())
}

/// The same of one that is made.
fn put(folder: &Path, kernel: &Kernel) -> String {
    let contents = [
        (folder.join(format!("{}.S", kernel.name)), &*kernel.assembly),
        (folder.join(format!("{}.h", kernel.name)), &*kernel.c_header),
    ];
    files::write_all(&contents).unwrap();
    kernel.name.clone()
}

/// Runs a tool, which must succeed without a word.
fn run(folder: &Path, tool: &str, arguments: &[&str]) {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{tool} {arguments:?}: {said}");
}

/// Requests of all methods, of sizes around the block sizes, for old and new cores.
fn matrix() -> Vec<Request> {
    let mut list = Vec::new();
    for bits in [1, 8, 16, 61, 80, 160, 192, 256] {
        list.push(open("atmega128", bits));
    }
    for value in [1, 2, 3, 5, 7] {
        let cache = Parameters { cache: Some(value), ..Default::default() };
        list.push(request("atmega128", 104, "operand-caching", cache));
        list.push(request("atmega128", 104, "product-scanning", cache));
        list.push(request("atmega128", 104, "operand-scanning", cache));
        list.push(request(
            "atmega128",
            104,
            "hybrid",
            Parameters { rows: Some(value), ..Default::default() },
        ));
    }
    list.push(open("atmega328p", 160));
    list.push(open("atmega2560", 160));
    list.push(open("avr128da48", 160));
    list
}

/// Those, and what is made of them.
static MATRIX: LazyLock<Vec<(Request, Kernel)>> = LazyLock::new(|| {
    let made = |request: Request| {
        let kernel = generate(&request).unwrap();
        (request, kernel)
    };
    // in `./test` every other one
    matrix().into_iter().step_by(rhomb_oracles::sample(2, 1)).map(made).collect()
});

/// GNU as makes of our text the words that our encoder makes, and measuring them gives the figures that
/// were printed when they were generated.
#[test]
fn the_assembled_object_is_the_program_that_was_measured() {
    for (request, kernel) in MATRIX.iter() {
        let folder = tempfile::tempdir().unwrap();
        let name = put(folder.path(), kernel);
        // the tools of the distribution are older than the AVR DA
        let mmcu = if request.target == "avr128da48" { "avrxmega4" } else { &request.target };
        let (source, object) = (format!("{name}.S"), format!("{name}.o"));
        run(folder.path(), "avr-gcc", &[&format!("-mmcu={mmcu}"), "-c", &source, "-o", &object]);
        let bytes = fs::read(folder.path().join(&object)).unwrap();
        let file = ObjectFile::parse(&bytes).unwrap();
        // calls inside the routine get their distances when it is linked
        let (linked, entry) = (format!("{name}.elf"), format!("-Wl,--entry={name}"));
        let options = ["-nostartfiles", "-nodefaultlibs", &entry, &object, "-o", &linked];
        run(folder.path(), "avr-gcc", &[&[&*format!("-mmcu={mmcu}")], &options[..]].concat());
        let program = fs::read(folder.path().join(&linked)).unwrap();
        let program = ObjectFile::parse(&program).unwrap();
        assert_eq!(
            program.function(&name).unwrap().bytes(),
            request.plan().unwrap().code.bytes,
            "{request:?}"
        );
        assert_eq!(
            file.function(&name).unwrap().bytes().len(),
            program.function(&name).unwrap().bytes().len()
        );
        let bits = request.bits as u32;
        let contract = Contract::whole(Operation::Mul, bits);
        let target = targets::find(&request.target).unwrap();
        let measured = measure_object(
            &Question { file: &bytes, symbol: &name, target, convention: None, interrupts: Interrupts::Any },
            &contract,
        )
        .unwrap();
        let generated = &kernel.report;
        assert_eq!(measured.report.cycles, generated.cycles);
        assert_eq!(measured.report.instructions, generated.instructions);
        assert_eq!(
            (measured.report.code_bytes, measured.report.stack_bytes),
            (generated.code_bytes, generated.stack_bytes)
        );
    }
}

/// Programs of calls from their object files: calls by address, and by distance, stay what they were.
#[test]
fn inversions_are_verified_from_object_files() {
    let order = "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
    for (target, modulus, tool, options) in [
        ("atmega128", "2^256-2^224+2^192+2^96-1", "avr-gcc", &["-mmcu=atmega128", "-c"][..]),
        ("arm7tdmi", order, "arm-none-eabi-gcc", &["-marm", "-mcpu=arm7tdmi", "-c"][..]),
    ]
    .into_iter()
    .skip(rhomb_oracles::sample(1, 0))
    {
        let folder = tempfile::tempdir().unwrap();
        let request = Request {
            operation: "modinv".into(),
            modulus: Some(modulus.into()),
            target: target.into(),
            no_proof: true,
            ..Default::default()
        };
        let kernel = generate(&request).unwrap();
        let name = put(folder.path(), &kernel);
        let (source, object) = (format!("{name}.S"), format!("{name}.o"));
        run(folder.path(), tool, &[options, &[&source, "-o", &object]].concat());
        let bytes = fs::read(folder.path().join(&object)).unwrap();
        let core = targets::find(target).unwrap();
        let question = Question {
            file: &bytes,
            symbol: &name,
            target: core,
            convention: None,
            interrupts: Interrupts::Any,
        };
        let contract = |operation: &str| -> Contract { format!("{operation} {modulus}").parse().unwrap() };
        let measured = measure_object(&question, &contract("modinv")).unwrap();
        assert_eq!(measured.report.cycles, kernel.report.cycles, "{target}");
        let found = verify(&question, &contract("modinv")).unwrap();
        assert_eq!(found.proof, Proof::Proved, "{target}: {:?}", found.reasons);
        assert_eq!(verify(&question, &contract("modsqr")).unwrap().proof, Proof::Refuted, "{target}");
    }
}

/// The header is C and C++ without a warning.
#[test]
fn headers_compile_as_c_and_as_cpp() {
    let folder = tempfile::tempdir().unwrap();
    let name = write(folder.path(), &open("atmega128", 61));
    let text = format!(
        "#include \"{name}.h\"\n#include \"{name}.h\"\nvoid f(uint8_t *r, const uint8_t *a) {{ {name}(r, a, a); }}\n"
    );
    let strict = ["-mmcu=atmega128", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", "-o", "use.o"];
    for (file, tool, standard) in [("use.c", "avr-gcc", "-std=c99"), ("use.cpp", "avr-g++", "-std=c++11")] {
        // the prototype asks for missing declarations in C only
        fs::write(folder.path().join(file), &text).unwrap();
        run(folder.path(), tool, &[&strict[..], &[standard, file]].concat());
    }
}

/// The headers for other compilers are C, and refuse any compiler but theirs.
#[test]
fn headers_for_other_compilers_are_c() {
    for (convention, macros) in [("iar", "-D__ICCAVR__ -D__near="), ("crossworks", "-D__CROSSWORKS_AVR")] {
        let folder = tempfile::tempdir().unwrap();
        let name =
            write(folder.path(), &Request { convention: Some(convention.into()), ..open("atmega128", 24) });
        let text =
            format!("#include \"{name}.h\"\nvoid f(uint8_t *r, const uint8_t *a) {{ {name}(r, a, a); }}\n");
        fs::write(folder.path().join("use.c"), text).unwrap();
        let strict =
            ["-mmcu=atmega128", "-Wall", "-Wextra", "-pedantic", "-Werror", "-c", "-o", "use.o", "use.c"];
        let macros: Vec<&str> = macros.split(' ').collect();
        run(folder.path(), "avr-gcc", &[&strict[..], &macros].concat());
        let other = Command::new("avr-gcc").args(strict).current_dir(folder.path()).output().unwrap();
        assert!(
            String::from_utf8_lossy(&other.stderr)
                .contains(&format!("called by the convention {convention}"))
        );
    }
}

/// A C program that multiplies by our routine and by schoolbook, and returns 42 when they agree.
const PROGRAM: &str = r#"
#include "NAME.h"
static uint8_t a[WORDS], b[WORDS], r[2 * WORDS], expected[2 * WORDS];
int main(void) {
    uint16_t state = 12345;
    for (uint8_t round = 0; round < 3; round++) {
        for (uint8_t i = 0; i < WORDS; i++) {
            state = state * 25173u + 13849u;
            a[i] = round == 1 ? 0xff : state >> 8;
            state = state * 25173u + 13849u;
            b[i] = round == 1 ? 0xff : state >> 8;
        }
        for (uint8_t i = 0; i < 2 * WORDS; i++) expected[i] = 0;
        for (uint8_t i = 0; i < WORDS; i++) {
            uint8_t carry = 0;
            for (uint8_t j = 0; j < WORDS; j++) {
                uint16_t sum = (uint16_t)a[i] * b[j] + expected[i + j] + carry;
                expected[i + j] = (uint8_t)sum;
                carry = sum >> 8;
            }
            expected[i + WORDS] = carry;
        }
        NAME(r, a, b);
        for (uint8_t i = 0; i < 2 * WORDS; i++) if (r[i] != expected[i]) return 1;
    }
    return 42;
}
"#;

#[test]
fn a_c_program_gets_the_right_products() {
    for bits in [8, 61, 160, 256] {
        let folder = tempfile::tempdir().unwrap();
        let name = write(folder.path(), &open("atmega128", bits));
        let program = PROGRAM.replace("NAME", &name).replace("WORDS", &bits.div_ceil(8).to_string());
        fs::write(folder.path().join("main.c"), program).unwrap();
        let source = format!("{name}.S");
        let arguments =
            ["-mmcu=atmega128", "-O2", "-Wall", "-Wextra", "-pedantic", "main.c", &source, "-o", "main.elf"];
        run(folder.path(), "avr-gcc", &arguments);
        run(folder.path(), "avr-objcopy", &["-O", "binary", "-j", ".text", "main.elf", "main.bin"]);
        let words = fs::read(folder.path().join("main.bin")).unwrap();
        let words = words.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
        let elf = fs::read(folder.path().join("main.elf")).unwrap();
        let main = ObjectFile::parse(&elf).unwrap().function("main").unwrap().address;
        let outcome = SimAvr::start("atmega128").run(&Job {
            origin: 0,
            words,
            registers: [0; 32],
            sreg: 0,
            sp: 0x10ff,
            pc: (main / 2) as u32,
            run: Run::Call { return_to: 0xff00, limit: 2_000_000 },
            memory: Vec::new(),
            watch: Vec::new(),
        });
        assert_eq!(outcome.stop, Stop::Done);
        assert_eq!((outcome.registers[24], outcome.registers[25]), (42, 0), "{bits} bits");
    }
}

/// libsimavr counts the cycles that we print, and finds the same products.
#[test]
fn libsimavr_agrees_on_cycles_and_products() {
    let mut simulator = SimAvr::start("atmega128");
    let mut random = Random::new(1);
    for (request, kernel) in MATRIX.iter().filter(|(request, _)| request.target == "atmega128") {
        let plan = request.plan().unwrap();
        let report = &kernel.report;
        let length = request.bits.div_ceil(8);
        let operand = |random: &mut Random| (0..length).map(|_| random.edge()).collect::<Vec<u8>>();
        let (a, b) = (operand(&mut random), operand(&mut random));
        let (r_at, a_at, b_at) = (0x0200u16, 0x0400u16, 0x0500u16);
        let mut registers = [0; 32];
        for (low, address) in [(24, r_at), (22, a_at), (20, b_at)] {
            registers[low..low + 2].copy_from_slice(&address.to_le_bytes());
        }
        let outcome = simulator.run(&Job {
            origin: 0,
            words: plan
                .code
                .bytes
                .chunks_exact(2)
                .map(|pair| u16::from_le_bytes([pair[0], pair[1]]))
                .collect(),
            registers,
            sreg: 0,
            sp: 0x10ff,
            pc: 0,
            run: Run::Call { return_to: 0xff00, limit: 1_000_000 },
            memory: vec![(a_at, a.clone()), (b_at, b.clone())],
            watch: vec![(r_at, 2 * length as u16)],
        });
        assert_eq!(outcome.stop, Stop::Done);
        let operands = [a, b].map(|bytes| num_bigint::BigUint::from_bytes_le(&bytes));
        let product = num_bigint::BigUint::from_bytes_le(&outcome.memory[0]);
        assert_eq!(product, &operands[0] * &operands[1], "{request:?}");
        assert_eq!(outcome.cycles, report.cycles.function, "{request:?}");
    }
}

/// A branch on an address: not constant, and the least and most cycles are those of libsimavr with the array at two
/// addresses, in every report.
#[test]
fn time_that_depends_on_addresses_is_told() {
    let sum = "movw r30,r22\n ld r18,Z\n ldd r19,Z+1\n movw r30,r20\n ld r20,Z\n ldd r21,Z+1\n \
        add r18,r20\n adc r19,r21\n st X+,r18\n st X,r19\n clr r24\n adc r24,r1\n ret\n";
    let low_byte = "movw r26,r24\n cpi r22,0x77\n brne 2f\n ldi r24,200\n1: dec r24\n brne 1b\n2:";
    let parity = "movw r26,r24\n sbrs r22,0\n rjmp 2f\n ldi r24,20\n1: dec r24\n brne 1b\n2:";
    let mut simulator = SimAvr::start("atmega128");
    for (test, at) in [(low_byte, 4), (parity, 2)] {
        let folder = tempfile::tempdir().unwrap();
        let text = format!(".global f\n.type f, @function\nf: {test} {sum}.size f, . - f\n");
        fs::write(folder.path().join("f.S"), &text).unwrap();
        run(folder.path(), "avr-gcc", &["-mmcu=atmega128", "-c", "f.S", "-o", "f.o"]);
        let file = fs::read(folder.path().join("f.o")).unwrap();
        let target = targets::find("atmega128").unwrap();
        let contract: Contract = "add 16".parse().unwrap();
        let question =
            Question { file: &file, symbol: "f", target, convention: None, interrupts: Interrupts::Any };
        let found = verify(&question, &contract).unwrap();
        assert_eq!((found.proof, found.constant_time), (Proof::Proved, ConstantTime::DependsOnAddresses));
        assert!(found.leak.is_none());
        assert_eq!(found.timing_reason.as_ref().unwrap().addresses, [at]);
        let json: serde_json::Value = serde_json::from_str(&found.json()).unwrap();
        assert_eq!(json["constant_time"], "depends-on-addresses");
        let words = Gnu::new("atmega128").assemble(&text).unwrap();
        let mut cycles = |a_at: u16| {
            let mut registers = [0; 32];
            for (low, address) in [(24, 0x0300u16), (22, a_at), (20, 0x0500)] {
                registers[low..low + 2].copy_from_slice(&address.to_le_bytes());
            }
            let outcome = simulator.run(&Job {
                origin: 0,
                words: words.clone(),
                registers,
                sreg: 0,
                sp: 0x10ff,
                pc: 0,
                run: Run::Call { return_to: 0xff00, limit: 10_000 },
                memory: vec![],
                watch: vec![],
            });
            assert_eq!(outcome.stop, Stop::Done);
            outcome.cycles
        };
        let (usual, other) = (cycles(0x0200), cycles(0x0277));
        assert!(usual < other);
        let measured = measure_object(&question, &contract).unwrap().report;
        assert_eq!(measured.constant_time, ConstantTime::DependsOnAddresses);
        for report in [found.cycles.unwrap(), measured.cycles] {
            assert_eq!((report.function_min, report.function_max, report.function), (usual, other, other));
            assert_eq!((report.body_min, report.body), (usual - 4, other - 4));
        }
        let shown = rhomb::verification_text(&found);
        assert!(shown.contains("depends on addresses") && !shown.contains("in every call"), "{shown}");
    }
}

/// Compiled C, with its own frame, calls and branches, is measured like our own code, before linking and after.
#[test]
fn compiled_code_is_measured() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <stdint.h>\n\
        void mul32(uint8_t *r, const uint8_t *a, const uint8_t *b) {\n\
            for (uint8_t i = 0; i < 8; i++) r[i] = 0;\n\
            for (uint8_t i = 0; i < 4; i++) {\n\
                uint8_t carry = 0;\n\
                for (uint8_t j = 0; j < 4; j++) {\n\
                    uint16_t sum = (uint16_t)a[i] * b[j] + r[i + j] + carry;\n\
                    r[i + j] = sum; carry = sum >> 8;\n\
                }\n\
                r[i + 4] = carry;\n\
            }\n\
        }\n";
    fs::write(folder.path().join("mul32.c"), text).unwrap();
    run(folder.path(), "avr-gcc", &["-mmcu=atmega128", "-Os", "-c", "mul32.c"]);
    let contract: Contract = "mul 32".parse().unwrap();
    let target = targets::find("atmega128").unwrap();
    let object = fs::read(folder.path().join("mul32.o")).unwrap();
    let unlinked = measure_object(
        &Question { file: &object, symbol: "mul32", target, convention: None, interrupts: Interrupts::Any },
        &contract,
    )
    .unwrap()
    .report;
    let link = ["-mmcu=atmega128", "-nostartfiles", "-Wl,--entry=mul32", "-o", "mul32.elf", "mul32.o"];
    run(folder.path(), "avr-gcc", &link);
    let linked = fs::read(folder.path().join("mul32.elf")).unwrap();
    let report = measure_object(
        &Question { file: &linked, symbol: "mul32", target, convention: None, interrupts: Interrupts::Any },
        &contract,
    )
    .unwrap()
    .report;
    assert_eq!(report.instructions.multiply, 16);
    assert!(report.cycles.body < report.cycles.function_max);
    assert_eq!(unlinked.cycles, report.cycles);
}

/// Assembled for address 0 by the client of the oracles: no relocation is left.
#[test]
fn the_text_needs_no_preprocessor() {
    let request = open("atmega128", 96);
    let kernel = generate(&request).unwrap();
    let words = Gnu::new("atmega128").assemble(&kernel.assembly).unwrap();
    let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    assert_eq!(bytes, request.plan().unwrap().code.bytes);
}

/// Operand scanning in C, which the compiler turns into loops over pointers.
const SCANNING: &str = "#include <stdint.h>\n\
    void f(uint8_t *r, const uint8_t *a, const uint8_t *b) {\n\
        for (uint8_t i = 0; i < 2 * N; i++) r[i] = 0;\n\
        for (uint8_t i = 0; i < N; i++) {\n\
            uint8_t carry = 0;\n\
            for (uint8_t j = 0; j < N; j++) {\n\
                uint16_t sum = (uint16_t)a[i] * b[j] + r[i + j] + carry;\n\
                r[i + j] = sum; carry = sum >> 8;\n\
            }\n\
            r[i + N] = carry;\n\
        }\n\
    }\n";

fn compiled(folder: &Path, words: usize, level: &str) -> Vec<u8> {
    fs::write(folder.join("f.c"), SCANNING).unwrap();
    run(folder, "avr-gcc", &["-mmcu=atmega128", level, &format!("-DN={words}"), "-c", "f.c", "-o", "f.o"]);
    fs::read(folder.join("f.o")).unwrap()
}

/// What avr-gcc makes of C is proved as it comes from the compiler, without annotation.
#[test]
fn compiled_code_is_proved() {
    let folder = tempfile::tempdir().unwrap();
    for words in [4, 8, 20, 32] {
        for level in ["-Os", "-O2"] {
            let file = compiled(folder.path(), words, level);
            let target = targets::find("atmega128").unwrap();
            let question =
                Question { file: &file, symbol: "f", target, convention: None, interrupts: Interrupts::Any };
            let contract: Contract = format!("mul {}", 8 * words).parse().unwrap();
            let found = verify(&question, &contract).unwrap();
            assert_eq!(found.proof, Proof::Proved, "{words} {level} {:?}", found.reasons);
            assert_eq!(found.constant_time, ConstantTime::Constant);
            let certificate = found.written.unwrap();
            assert_eq!(replay(&question, certificate.text.as_bytes()).unwrap(), contract.into());
            // one word less is another function
            let shorter: Contract = format!("mul {}", 8 * words - 8).parse().unwrap();
            assert_eq!(verify(&question, &shorter).unwrap().proof, Proof::Refuted);
        }
    }
}

/// Our way of laying out sections gives what the GNU linker gives.
#[test]
fn linked_like_the_gnu_linker() {
    let folder = tempfile::tempdir().unwrap();
    let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/museum.S");
    fs::copy(source, folder.path().join("museum.S")).unwrap();
    run(folder.path(), "avr-gcc", &["-mmcu=atmega128", "-c", "museum.S", "-o", "museum.o"]);
    let made = fs::read(folder.path().join("museum.o")).unwrap();
    let file = ObjectFile::parse(&made).unwrap();
    let kept = include_bytes!("data/museum.o");
    let kept = ObjectFile::parse(kept).unwrap();
    assert_eq!(file.sections(), kept.sections(), "tests/data/museum.o is out of date");
    let mut compared = 0;
    for symbol in ["mul16", "calls", "secret_branch", "endless"] {
        let linked = rhomb_avr::link::link(&file, &file.function(symbol).unwrap()).unwrap();
        // the script puts the sections where we do
        let other = file.function("add_cross").unwrap();
        let part = |(range, index): &(std::ops::Range<usize>, usize)| {
            format!(". = {}; museum.o({})", range.start, file.section(*index).unwrap().name)
        };
        let parts: Vec<String> = linked.sections.iter().map(part).collect();
        let at_other = linked.sections.iter().find(|(_, index)| *index == other.section.index);
        let start = at_other.unwrap().0.start;
        let script = format!(
            "SECTIONS {{ .text 0 : {{ {} museum.o(.progmem*) }}\n\
             .data 0x800100 : {{ museum.o(.data) }} somewhere_else = 0; }}",
            parts.join(" ")
        );
        fs::write(folder.path().join("script"), script).unwrap();
        run(folder.path(), "avr-ld", &["-mavr51", "-T", "script", "museum.o", "-o", "museum.elf"]);
        let elf = fs::read(folder.path().join("museum.elf")).unwrap();
        let elf = ObjectFile::parse(&elf).unwrap();
        let expected = elf.function(symbol).unwrap().bytes();
        assert_eq!(&linked.bytes[linked.routine.clone()], expected, "{symbol}");
        let expected = elf.function("add_cross").unwrap().bytes();
        assert_eq!(&linked.bytes[start..start + other.size], expected);
        compared += expected.len();
    }
    assert!(compared > 0);
}

/// Failures name the lines of a MIPS32 function's source, in whichever section it stands.
#[test]
fn lines_of_mips_sources_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let text = "\t.set noreorder
\t.section .text.other, \"ax\", @progbits
\t.globl half
\t.type half, @function
half: lw $8, 0($5)
\tlw $9, 0($6)
\taddu $8, $8, $9
\tsw $8, 0($4)
\tjr $31
\tor $2, $0, $0
\t.size half, . - half
";
    fs::write(folder.path().join("half.s"), text).unwrap();
    run(
        folder.path(),
        "mipsel-linux-gnu-as",
        &["-gdwarf-2", "-march=mips32", "-mabi=32", "-o", "half.o", "half.s"],
    );
    let file = fs::read(folder.path().join("half.o")).unwrap();
    let target = targets::find("mips32-4km").unwrap();
    let question =
        Question { file: &file, symbol: "half", target, convention: None, interrupts: Interrupts::Any };
    let found = verify(&question, &"add 32".parse().unwrap()).unwrap();
    assert_eq!(found.proof, Proof::Refuted);
    let place = found.counterexample.unwrap().place.unwrap();
    assert_eq!(place.line.as_deref(), Some("half.s:10"), "{place:?}");
}
