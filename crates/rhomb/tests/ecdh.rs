//! The example `examples/ecdh-p256-avr`: its secrets, and the cycles and bytes of its table.
#![cfg(feature = "oracles")]

use num_bigint::BigUint;
use rhomb::{ConstantTime, Contract, Interrupts, Proof, Question, targets, verify};
use rhomb_object::ObjectFile;
use rhomb_oracles::{Job, Outcome, Random, Run, SimAvr, Stop};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn example() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/ecdh-p256-avr")
}

/// Runs a tool in the example's folder, which must succeed without a word on standard error.
fn run(tool: &str, arguments: &[&str]) {
    let output = Command::new(tool).args(arguments).current_dir(example()).output();
    let output = output.unwrap_or_else(|error| panic!("{tool}: {error}; run tests/oracles/setup"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && said.is_empty(), "{tool} {arguments:?}: {said}");
}

fn number(hex: &str) -> BigUint {
    BigUint::parse_bytes(hex.as_bytes(), 16).unwrap()
}

/// 32 bytes, the most significant one first.
fn bytes(number: &BigUint) -> Vec<u8> {
    let digits = number.to_bytes_be();
    [vec![0; 32 - digits.len()], digits].concat()
}

/// P-256 as its standard defines it: points are pairs, and nothing is projective.
struct Curve {
    p: BigUint,
    b: BigUint,
    order: BigUint,
    base: Point,
}

type Point = (BigUint, BigUint);

impl Curve {
    fn new() -> Self {
        Curve {
            p: number("ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"),
            b: number("5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604b"),
            order: number("ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551"),
            base: (
                number("6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296"),
                number("4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5"),
            ),
        }
    }

    /// The third point on the tangent, or on the line through two points, below the axis; `None` is at infinity.
    fn sum(&self, one: Option<Point>, other: Option<Point>) -> Option<Point> {
        let (Some((x1, y1)), Some((x2, y2))) = (&one, &other) else {
            return one.or(other);
        };
        let p = &self.p;
        let (rise, run) = if x1 != x2 {
            (y2 + p - y1, x2 + p - x1)
        } else if y1 == y2 {
            (x1 * x1 * 3u8 + p - 3u8, y1 * 2u8)
        } else {
            return None;
        };
        let slope = rise * run.modinv(p).unwrap();
        let x = (&slope * &slope + p + p - x1 - x2) % p;
        let y = (slope * (x1 + p - &x) + p - y1) % p;
        Some((x, y))
    }

    fn multiple(&self, factor: &BigUint, point: &Point) -> Option<Point> {
        let mut result = None;
        for bit in (0..factor.bits()).rev() {
            result = self.sum(result.clone(), result);
            if factor.bit(bit) {
                result = self.sum(result, Some(point.clone()));
            }
        }
        result
    }

    fn contains(&self, (x, y): &Point) -> bool {
        let p = &self.p;
        x < p && y < p && (y * y + x * 3u8) % p == (x * x * x + &self.b) % p
    }
}

/// The first primitive vectors of NIST's CAVS for ECC CDH on P-256: private key, x and y of the public key, secret.
const VECTORS: [[&str; 4]; 2] = [
    [
        "7d7dc5f71eb29ddaf80d6214632eeae03d9058af1fb6d22ed80badb62bc1a534",
        "700c48f77f56584c5cc632ca65640db91b6bacce3a4df6b42ce7cc838833d287",
        "db71e509e3fd9b060ddb20ba5c51dcc5948d46fbf640dfe0441782cab85fa4ac",
        "46fc62106420ff012e54a434fbdd2d25ccc5852060561e68040dd7778997bd7b",
    ],
    [
        "38f65d6dce47676044d58ce5139582d568f64bb16098d179dbab07741dd5caf5",
        "809f04289c64348c01515eb03d5ce7ac1a8cb9498f5caa50197e58d43a86a7ae",
        "b29d84e811197f25eba8f5194092cb6ff440e26d4421011372461f579271cda3",
        "057d636096cb80b67a8c038c890e887d1adfa4195e9b3ce241c8a778c59cda67",
    ],
];

/// A program for AVR.
struct Program {
    elf: Vec<u8>,
    text: Vec<u8>,
    data: Vec<u8>,
}

/// More than the stack that the README says is taken.
const STACK: u16 = 1975;
const STACK_END: u16 = 0x40ff;

impl Program {
    /// What the example's `Makefile` makes, at a level of optimization.
    fn make(folder: &Path, name: &str, level: &str) -> Self {
        let build = format!("BUILD={}", folder.display());
        let program = folder.join(name).display().to_string();
        let rhomb = concat!("RHOMB=", env!("CARGO_BIN_EXE_rhomb"));
        run("make", &["-s", rhomb, &build, &format!("LEVEL={level}"), &program]);
        let section = |section: &str| {
            let binary = folder.join("section.bin");
            let copy = ["-O", "binary", "-j", section, &program, &binary.display().to_string()];
            run("avr-objcopy", &copy);
            fs::read(binary).unwrap()
        };
        Program { elf: fs::read(&program).unwrap(), text: section(".text"), data: section(".data") }
    }

    /// The shared secret of a vector, which is right, and its cycles; the stack is looked at.
    fn cycles(&self, [key, x, y, secret]: [&str; 4]) -> u64 {
        let (secret_at, key_at, point_at) = (0x3000u16, 0x3100u16, 0x3200u16);
        let mut registers = [0; 32];
        for (low, address) in [(24, secret_at), (22, key_at), (20, point_at)] {
            registers[low..low + 2].copy_from_slice(&address.to_le_bytes());
        }
        let function = ObjectFile::parse(&self.elf).unwrap().function("p256_shared_secret").unwrap().address;
        let words = self.text.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]]));
        let below = (STACK_END + 1 - STACK - 512, 512u16);
        let Outcome { stop, registers, cycles, memory, .. } = SimAvr::start("atmega1284p").run(&Job {
            origin: 0,
            words: words.collect(),
            registers,
            sreg: 0,
            sp: STACK_END,
            pc: (function / 2) as u32,
            run: Run::Call { return_to: 0xff00, limit: 100_000_000 },
            memory: vec![
                (0x0100, self.data.clone()),
                (key_at, bytes(&number(key))),
                (point_at, [bytes(&number(x)), bytes(&number(y))].concat()),
                (below.0, vec![0x5a; below.1.into()]),
            ],
            watch: vec![(secret_at, 32), below],
        });
        assert_eq!((stop, registers[24], registers[25]), (Stop::Done, 0, 0));
        assert_eq!(memory[0], bytes(&number(secret)));
        assert!(memory[1].iter().all(|&byte| byte == 0x5a), "the stack is deeper than {STACK} bytes");
        cycles
    }
}

/// `12,345`
fn grouped(number: u64) -> String {
    if number < 1000 {
        number.to_string()
    } else {
        format!("{},{:03}", grouped(number / 1000), number % 1000)
    }
}

#[test]
fn the_table_of_the_readme_is_what_libsimavr_counts() {
    let builds = [
        ("all in C, `LEVEL=-O3`", "c.elf", "-O3"),
        ("all in C", "c.elf", "-Os"),
        ("Rhomb's product", "product.elf", "-Os"),
        ("Rhomb's product and square", "rhomb.elf", "-Os"),
    ];
    let mut measured = String::from("| build | cycles | bytes |\n|---|---|---|\n");
    for (title, name, level) in builds {
        let folder = tempfile::tempdir().unwrap();
        let program = Program::make(folder.path(), name, level);
        let cycles = program.cycles(VECTORS[0]);
        let size = (program.text.len() + program.data.len()) as u64;
        measured += &format!("| {title} | {} | {} |\n", grouped(cycles), grouped(size));
        // an even key, and an odd one
        if name == "rhomb.elf" {
            assert_eq!(program.cycles(VECTORS[1]), cycles);
        }
    }
    let readme = fs::read_to_string(example().join("README.md")).unwrap();
    assert!(readme.contains(&format!("\n{measured}\n")), "measured:\n{measured}");
    assert!(readme.contains(&format!("stack takes {} bytes at most", grouped(STACK.into()))));
}

/// Reads lines of hexadecimal digits: a private and a public key, or two elements of the field.
const HOST: &str = r#"
#include <stdio.h>
#include <string.h>
#include "field.h"
#include "p256.h"

static int get(uint8_t *to, int count)
{
    for (int i = 0; i < count; i++) {
        unsigned value;
        if (scanf("%2x", &value) != 1)
            return 0;
        to[i] = (uint8_t)value;
    }
    return 1;
}

static void put(const uint8_t *from, int count)
{
    for (int i = 0; i < count; i++)
        printf("%02x", from[i]);
    putchar(' ');
}

int main(void)
{
    char kind;
    uint8_t a[32], b[64], r[64];

    while (scanf(" %c", &kind) == 1 && get(a, 32) && get(b, kind == 'k' ? 64 : 32)) {
        if (kind == 'k') {
            if (p256_shared_secret(r, a, b) == 0)
                put(r, 32);
            if (p256_public_key(r, a) == 0)
                put(r, 64);
        } else {
            field_mul(r, a, b);
            put(r, 32);
            field_sqr(r, a);
            put(r, 32);
            field_invert(r, a);
            put(r, 32);
            for (int8_t factor = -8; factor <= 8; factor++) {
                field_add(r, a, factor, b);
                put(r, 32);
            }
            printf("%d ", field_finish(a));
            put(a, 32);
        }
        putchar('\n');
    }
    return 0;
}
"#;

/// The answers of the C code, compiled for this machine, to such lines.
fn on_the_host(questions: &[String]) -> Vec<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let [source, program] = ["host.c", "host"].map(|name| folder.path().join(name).display().to_string());
    fs::write(&source, HOST).unwrap();
    let options =
        "-std=c99 -O2 -Wall -Wextra -pedantic -I. -fsanitize=undefined -fsanitize-undefined-trap-on-error";
    let files = ["p256.c", "field.c", "mul256.c", "sqr256.c", "rows.c", &source, "-o", &program];
    run("gcc", &[&options.split(' ').collect::<Vec<_>>()[..], &files].concat());
    let child = Command::new(&program).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
    let mut child = child.unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = questions.join("\n");
    let writer = std::thread::spawn(move || input.write_all(text.as_bytes()).unwrap());
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    assert!(output.status.success());
    let answers = String::from_utf8(output.stdout).unwrap();
    answers.lines().map(|line| line.split_whitespace().map(str::to_owned).collect()).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn hex_of((x, y): &Point) -> String {
    hex(&[bytes(x), bytes(y)].concat())
}

#[test]
fn secrets_and_public_keys_are_right() {
    let curve = Curve::new();
    let mut random = Random::new(1);
    let mut any = || BigUint::from_bytes_le(&[(); 32].map(|()| random.byte()));
    let small = |number: u32| BigUint::from(number);
    let mut cases = Vec::new();
    for vector in VECTORS {
        let [key, x, y, secret] = vector.map(number);
        assert_eq!(curve.multiple(&key, &(x.clone(), y.clone())).unwrap().0, secret);
        cases.push((key, (x, y)));
    }
    // keys out of range, at both of its ends, where windows are alike, and any
    let mut keys = vec![small(0), curve.order.clone(), &curve.order + 1u8, (small(1) << 256) - 1u8];
    keys.extend((1..=34).flat_map(|key| [small(key), &curve.order - key]));
    keys.extend([small(1) << 255, (small(1) << 252) - 1u8, &curve.order >> 1, number(&"8".repeat(64))]);
    keys.extend((0..20).map(|_| any() % &curve.order));
    for key in keys {
        cases.push((key, curve.multiple(&(any() % &curve.order), &curve.base).unwrap()));
    }
    // points that are none, and one with x and y moved up by the modulus
    let (x, y) = curve.base.clone();
    let five = number("459243b9aa581806fe913bce99817ade11ca503c64d9a3c533415c083248fbcc");
    assert!(curve.contains(&(small(5), five.clone())));
    let points = [(x.clone(), &y + 1u8), (y, x), (small(0), small(0)), (&curve.p + 5u8, five)];
    cases.extend(points.map(|point| (small(7), point)));

    let questions = cases.iter().map(|(key, point)| format!("k{}{}", hex(&bytes(key)), hex_of(point)));
    let answers = on_the_host(&questions.collect::<Vec<_>>());
    assert_eq!(answers.len(), cases.len());
    for ((key, point), answer) in cases.iter().zip(answers) {
        let mut expected = Vec::new();
        if small(0) < *key && *key < curve.order {
            if curve.contains(point) {
                expected.push(hex(&bytes(&curve.multiple(key, point).unwrap().0)));
            }
            expected.push(hex_of(&curve.multiple(key, &curve.base).unwrap()));
        }
        assert_eq!(answer, expected, "{key:x} {point:x?}");
    }
}

#[test]
fn the_field_is_right_at_its_ends() {
    let p = Curve::new().p;
    let one = BigUint::from(1u8);
    let end = &one << 256;
    let mut random = Random::new(2);
    let mut numbers = vec![BigUint::ZERO, one.clone(), &p - 1u8, p.clone(), &p + 1u8, &end - 1u8];
    for bit in [96, 192, 224] {
        numbers.extend([&one << bit, &end - (&one << bit)]);
        numbers.extend((1..9u8).map(|times| (&end - &p) * times % &end));
    }
    numbers.extend((0..20).map(|_| BigUint::from_bytes_le(&[(); 32].map(|()| random.edge()))));
    let pairs: Vec<_> = numbers.iter().flat_map(|a| numbers.iter().map(move |b| (a, b))).collect();
    let little = |number: &BigUint| hex(&bytes(number).into_iter().rev().collect::<Vec<_>>());
    let questions = pairs.iter().map(|(a, b)| format!("f{}{}", little(a), little(b)));
    let answers = on_the_host(&questions.collect::<Vec<_>>());
    assert_eq!(answers.len(), pairs.len());
    for ((a, b), answer) in pairs.into_iter().zip(answers) {
        let (finished, results) = answer.split_at(20);
        assert_eq!(*results, [u8::from(*a < p).to_string(), little(&(a % &p))]);
        let inverse = a.modinv(&p).unwrap_or_default();
        let sums = (0..17u8).map(|factor| a + b * factor + (&p << 4) - b * 8u8);
        for (found, expected) in finished.iter().zip([a * b, a * a, inverse].into_iter().chain(sums)) {
            let found: String =
                found.as_bytes().rchunks(2).map(|byte| String::from_utf8_lossy(byte)).collect();
            assert_eq!(number(&found) % &p, expected % &p, "{a:x} {b:x}");
        }
    }
}

/// The example says so: what avr-gcc makes of the product and the square in C is right for every input.
#[test]
fn product_and_square_in_c_are_proved() {
    let folder = tempfile::tempdir().unwrap();
    let program = Program::make(folder.path(), "c.elf", "-Os");
    let target = targets::find("atmega128").unwrap();
    for (symbol, contract) in [("mul256", "mul 256"), ("sqr256", "sqr 256")] {
        let question =
            Question { file: &program.elf, symbol, target, convention: None, interrupts: Interrupts::Any };
        let contract: Contract = contract.parse().unwrap();
        let found = verify(&question, &contract).unwrap();
        assert_eq!(found.proof, Proof::Proved, "{symbol} {:?}", found.reasons);
        assert_eq!(found.constant_time, ConstantTime::Constant);
    }
}
