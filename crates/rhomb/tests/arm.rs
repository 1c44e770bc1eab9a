//! Routines for ARM: called from C under qemu-arm, and taken back from object files.
#![cfg(feature = "oracles")]

use num_bigint::BigUint;
use rhomb::{ConstantTime, Interrupts, Proof, Question, Request, files, generate, targets, verify};
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn request(operation: &str, bits: usize, more: &dyn Fn(&mut Request)) -> Request {
    let mut request = Request {
        operation: operation.into(),
        bits,
        target: "arm7tdmi".into(),
        no_proof: true,
        ..Default::default()
    };
    more(&mut request);
    request
}

/// Writes a routine's files and gives its name.
fn write(folder: &Path, request: &Request) -> String {
    let kernel = generate(request).unwrap();
    let contents = [
        (folder.join(format!("{}.{}", kernel.name, kernel.extension)), &*kernel.assembly),
        (folder.join(format!("{}.h", kernel.name)), &*kernel.c_header),
    ];
    files::write_all(&contents).unwrap();
    kernel.name
}

fn run(folder: &Path, tool: &str, arguments: &[&str]) -> Output {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"))
}

/// Start of a program for Linux: output by system calls, an exit status that says whether guards still stand.
pub(crate) const START: &str = r#"
#include <stdint.h>
void *memset(void *at, int byte, unsigned length) {
    for (volatile char *to = at; length-- > 0; to++) *to = (char)byte;
    return at;
}
void *memcpy(void *at, const void *from, unsigned length) {
    volatile char *to = at;
    for (const char *byte = from; length-- > 0; byte++) *to++ = *byte;
    return at;
}
static long call(long number, long a, const void *b, long c) {
    register long r7 __asm__("r7") = number;
    register long r0 __asm__("r0") = a;
    register const void *r1 __asm__("r1") = b;
    register long r2 __asm__("r2") = c;
    __asm__ volatile("svc 0" : "+r"(r0) : "r"(r7), "r"(r1), "r"(r2) : "memory");
    return r0;
}
static void print(const uint32_t *words, int count) {
    static char line[2048];
    int at = 0;
    while (count-- > 0)
        for (int shift = 28; shift >= 0; shift -= 4)
            line[at++] = "0123456789abcdef"[words[count] >> shift & 15];
    line[at++] = '\n';
    call(4, 1, line, at);
}
"#;

/// Its end, where `test` says by 0 that all is well.
pub(crate) const END: &str = r#"
void start(void) { call(1, test(), 0, 0); }
__attribute__((naked)) void _start(void) {
    __asm__("mov r0, sp\n lsr r0, r0, #3\n lsl r0, r0, #3\n mov sp, r0\n b start\n");
}
"#;

const GUARD: u32 = 0x5a5a_a5a5;

/// Numbers of `words` words: zeros, ones, all ones, half of it, a pattern without one.
fn numbers(words: usize) -> Vec<Vec<u32>> {
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state as u32
    };
    vec![
        vec![0; words],
        std::iter::once(1).chain(std::iter::repeat_n(0, words - 1)).collect(),
        vec![u32::MAX; words],
        (0..words).map(|k| if k % 2 == 0 { 0 } else { u32::MAX }).collect(),
        (0..words).map(|k| if k % 2 == 0 { u32::MAX } else { 0x8000_0000 }).collect(),
        (0..words).map(|_| random()).collect(),
    ]
}

fn number(words: &[u32]) -> BigUint {
    BigUint::new(words.to_vec())
}

#[test]
fn routines_are_called_from_c() {
    called_from_c("arm7tdmi", &["-marm", "-march=armv4t"]);
    for core in ["cortex-m4", "cortex-m3"].into_iter().take(rhomb_oracles::sample(1, 2)) {
        called_from_c(core, &["-mthumb", &format!("-mcpu={core}")]);
    }
    called_from_c("cortex-m4f", &["-mthumb", "-mcpu=cortex-m4"]);
}

/// The routines of a target, in one program with others that gcc compiles with these options.
fn called_from_c(target: &str, options: &[&str]) {
    let request = |operation: &str, bits, more: &dyn Fn(&mut Request)| Request {
        target: target.into(),
        ..request(operation, bits, more)
    };
    let folder = tempfile::tempdir().unwrap();
    let looped = |request: &mut Request| request.form = Some("looped".into());
    let columns = |request: &mut Request| {
        request.accumulation = Some("columns".into());
        request.name = Some("mul160_columns".into());
    };
    let requests = [
        request("mul", 160, &|_| {}),
        request("mul", 160, &columns),
        request("mul", 256, &looped),
        request("sqr", 160, &|_| {}),
        request("add", 160, &|_| {}),
        request("sub", 320, &looped),
    ];
    let (mut text, mut body, mut expected) = (START.to_owned(), String::new(), Vec::new());
    let mut sources = Vec::new();
    for request in &requests {
        let name = write(folder.path(), request);
        writeln!(text, "#include \"{name}.h\"").unwrap();
        sources.push(format!("{name}.S"));
        let words = request.bits.div_ceil(32);
        let doubled = ["mul", "sqr"].contains(&request.operation.as_str());
        let length = if doubled { 2 * words } else { words };
        let numbers = numbers(words);
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))) {
            let list =
                |words: &[u32]| words.iter().map(|word| format!("{word:#x}u")).collect::<Vec<_>>().join(", ");
            writeln!(body, "    {{ uint32_t a[] = {{{}}}, b[] = {{{}}};", list(a), list(b)).unwrap();
            writeln!(body, "      uint32_t r[{}], carry[1] = {{0}};", length + 2).unwrap();
            writeln!(body, "      r[0] = r[{}] = {GUARD:#x}u;", length + 1).unwrap();
            let (x, y) = (number(a), number(b));
            let modulus = BigUint::from(1u32) << (32 * words);
            let (result, carry, call) = match request.operation.as_str() {
                "mul" => (&x * &y, 0u32, format!("{name}(r + 1, a, b)")),
                "sqr" => (&x * &x, 0, format!("{name}(r + 1, a)")),
                "add" => {
                    let sum = &x + &y;
                    (&sum % &modulus, u32::from(sum >= modulus), format!("carry[0] = {name}(r + 1, a, b)"))
                }
                _ => {
                    let less = (&x + &modulus - &y) % &modulus;
                    (less, u32::from(x < y), format!("carry[0] = {name}(r + 1, a, b)"))
                }
            };
            writeln!(body, "      {call};").unwrap();
            writeln!(body, "      broken |= r[0] ^ {GUARD:#x}u | r[{}] ^ {GUARD:#x}u;", length + 1).unwrap();
            writeln!(body, "      print(r + 1, {length}); print(carry, 1); }}").unwrap();
            expected.push(format!("{result:0>width$x}", width = 8 * length));
            expected.push(format!("{carry:08x}"));
        }
    }
    write!(text, "static int test(void) {{\n    uint32_t broken = 0;\n{body}    return broken != 0;\n}}\n")
        .unwrap();
    text.push_str(END);
    fs::write(folder.path().join("main.c"), text).unwrap();
    let mut arguments =
        vec!["-masm-syntax-unified", "-O1", "-nostdlib", "-ffreestanding", "-fno-builtin", "-static"];
    arguments.extend(options);
    arguments.extend(["-o", "main", "main.c"]);
    arguments.extend(sources.iter().map(String::as_str));
    arguments.push("-lgcc");
    let compiled = run(folder.path(), "arm-none-eabi-gcc", &arguments);
    assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
    let output = run(folder.path(), "qemu-arm", &["./main"]);
    assert!(output.status.success(), "guards are broken, or it crashed: {:?}", output.status);
    let said = String::from_utf8(output.stdout).unwrap();
    assert!(said.lines().eq(expected.iter().map(String::as_str)), "{said}");
}

/// What GNU as makes of a text for Thumb state, in codes of two and four bytes, is as long and takes as long as what was made,
/// and is proved from its own bytes.
/// A carry that is cleared by adding 0 to an address, as hand-written sums do, in a file with a note that the stack is executable.
#[test]
fn carries_may_be_cleared_by_an_address() {
    let folder = tempfile::tempdir().unwrap();
    for (clear, proof) in [("cmn", Proof::Proved), ("cmp", Proof::Refuted)] {
        let text = format!(
            ".global f\nf: push {{r4, lr}}\n {clear} r0, #0\n ldm r1, {{r3, r12}}\n ldm r2, {{r4, lr}}
 adcs r3, r3, r4\n adcs r12, r12, lr\n stm r0, {{r3, r12}}\n mov r0, #0\n adc r0, r0, #0\n pop {{r4, pc}}
 .section .note.GNU-stack,\"x\",%progbits\n"
        );
        fs::write(folder.path().join("f.s"), text).unwrap();
        let output = run(folder.path(), "arm-none-eabi-as", &["-mcpu=arm9e", "-o", "f.o", "f.s"]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let file = fs::read(folder.path().join("f.o")).unwrap();
        let target = targets::find("arm9ej-s").unwrap();
        let question =
            Question { file: &file, symbol: "f", target, convention: None, interrupts: Interrupts::Any };
        let found = verify(&question, &"add 64".parse().unwrap()).unwrap();
        assert_eq!(found.proof, proof, "{clear}: {:?}", found.reasons);
    }
}

#[test]
fn assembled_thumb_code_is_what_was_made() {
    let folder = tempfile::tempdir().unwrap();
    for core in ["cortex-m0plus", "cortex-m3", "cortex-m4", "cortex-m33", "cortex-m7"]
        .into_iter()
        .step_by(rhomb_oracles::sample(2, 1))
    {
        let looped = |request: &mut Request| request.form = Some("looped".into());
        let mut requests = vec![request("mul", 128, &|_| {}), request("sqr", 96, &|_| {})];
        requests.push(request("sub", 256, &|_| {}));
        if core != "cortex-m0plus" {
            requests.extend([request("mul", 128, &looped), request("add", 320, &looped)]);
        }
        for request in requests {
            let kernel = generate(&Request { target: core.into(), ..request.clone() }).unwrap();
            fs::write(folder.path().join("f.S"), &kernel.assembly).unwrap();
            let state = ["-mthumb", &format!("-mcpu={core}")];
            let output = run(folder.path(), "arm-none-eabi-gcc", &[state[0], state[1], "-c", "f.S"]);
            assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
            let file = fs::read(folder.path().join("f.o")).unwrap();
            let target = targets::find(core).unwrap();
            let symbol = kernel.name.as_str();
            let question =
                Question { file: &file, symbol, target, convention: None, interrupts: Interrupts::Any };
            let contract = format!("{} {}", request.operation, request.bits).parse().unwrap();
            let found = verify(&question, &contract).unwrap();
            let what = format!("{symbol} on {core}");
            assert_eq!(found.proof, Proof::Proved, "{what}: {:?}", found.reasons);
            assert_eq!(found.code_bytes, kernel.report.code_bytes, "{what}");
            assert_eq!(found.cycles, Some(kernel.report.cycles), "{what}");
        }
    }
}

/// Long products of the Cortex-M3 leak; from half words, everything takes the same time for all operands.
#[test]
fn constant_time_on_cortex_m3() {
    let modulus = |request: &mut Request| request.modulus = Some("p192".into());
    for request in [
        request("mul", 128, &|_| {}),
        request("sqr", 256, &|_| {}),
        request("sub", 256, &|_| {}),
        request("modmul", 0, &modulus),
        request("montsqr", 0, &modulus),
    ]
    .into_iter()
    .step_by(rhomb_oracles::sample(2, 1))
    {
        let request = Request { target: "cortex-m3".into(), constant_time: true, no_proof: false, ..request };
        let report = generate(&request).unwrap().report;
        assert_eq!((report.constant_time, report.proof), (ConstantTime::Constant, Proof::Proved));
        assert_eq!(report.cycles.function_min, report.cycles.function_max);
    }
}

/// What gcc makes of a loop over words is verified as our own code is.
#[test]
fn compiled_code_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let source = "#include <stdint.h>
uint32_t add96(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint64_t sum = 0;
    for (int i = 0; i < 3; i++) { sum += (uint64_t)a[i] + b[i]; r[i] = (uint32_t)sum; sum >>= 32; }
    return (uint32_t)sum;
}
void mul64(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint64_t carry = 0;
    uint32_t t[4] = {0, 0, 0, 0};
    for (int i = 0; i < 2; i++) {
        carry = 0;
        for (int j = 0; j < 2; j++) {
            carry += (uint64_t)a[i] * b[j] + t[i + j];
            t[i + j] = (uint32_t)carry;
            carry >>= 32;
        }
        t[i + 2] = (uint32_t)carry;
    }
    for (int i = 0; i < 4; i++) r[i] = t[i];
}
void corrected(uint32_t *r, const uint32_t *a, const uint32_t *b) {
    uint32_t sum = *a + *b;
    if (sum < *a) sum += 5;
    *r = sum;
}
";
    fs::write(folder.path().join("code.c"), source).unwrap();
    let sum = ("add96", "add 96", ConstantTime::Constant);
    let product = |time| ("mul64", "mul 64", time);
    // by IT, in Thumb state
    let corrected = ("corrected", "modadd 0xfffffffb a<p b<p", ConstantTime::Balanced);
    // nobody promises what is skipped takes as long
    let skips = (corrected.0, corrected.1, ConstantTime::Leaks);
    for (target, options, functions) in [
        ("arm7tdmi", ["-marm", "-march=armv4t"], vec![sum, product(ConstantTime::Leaks)]),
        // its product is a call of libgcc
        ("cortex-m0plus", ["-mthumb", "-mcpu=cortex-m0plus"], vec![sum]),
        // how long a long product takes is not published
        ("cortex-m3", ["-mthumb", "-mcpu=cortex-m3"], vec![sum, corrected, product(ConstantTime::Leaks)]),
        ("cortex-m4", ["-mthumb", "-mcpu=cortex-m4"], vec![sum, corrected, product(ConstantTime::Constant)]),
        ("cortex-m33", ["-mthumb", "-mcpu=cortex-m33"], vec![sum, skips, product(ConstantTime::Constant)]),
        ("cortex-m7", ["-mthumb", "-mcpu=cortex-m7"], vec![sum, skips, product(ConstantTime::Constant)]),
    ] {
        let [state, core] = options;
        let compiled =
            run(folder.path(), "arm-none-eabi-gcc", &[state, core, "-O2", "-fno-builtin", "-c", "code.c"]);
        assert!(compiled.status.success(), "{}", String::from_utf8_lossy(&compiled.stderr));
        let file = fs::read(folder.path().join("code.o")).unwrap();
        let target = targets::find(target).unwrap();
        for (symbol, contract, constant_time) in functions {
            let question =
                Question { file: &file, symbol, target, convention: None, interrupts: Interrupts::Any };
            let what = format!("{symbol} on {}", target.name());
            let found = verify(&question, &contract.parse().unwrap()).unwrap();
            assert_eq!(found.proof, Proof::Proved, "{what}: {:?}", found.reasons);
            assert_eq!(found.constant_time, constant_time, "{what}");
            let wrong = verify(&question, &"sub 96".parse().unwrap()).unwrap();
            assert_eq!(wrong.proof, Proof::Refuted, "{what}");
        }
    }
}
