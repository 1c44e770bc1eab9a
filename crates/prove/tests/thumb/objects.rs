//! Object files of Thumb state, as GNU tools make them: calls and tail calls across sections, by distances and by addresses in
//! literal pools and in MOVW and MOVT, tables, and their linked form.

use super::contract;
use num_bigint::BigUint;
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::link::link;
use rhomb_arm::{Function, Program};
use rhomb_machine::{Concrete, Routine};
use rhomb_object::ObjectFile;
use rhomb_oracles::modular::is_right;
use rhomb_oracles::{ArmGnu, ThumbGnu, place};
use rhomb_prove::{Budget, Timing, Verdict, decide, prove, timing};
use std::sync::Arc;

fn function(object: &[u8], symbol: &str, name: &str) -> Function {
    let file = ObjectFile::parse(object).unwrap();
    let image = link(&file, &file.function(symbol).unwrap(), true).unwrap();
    let entry = image.origin + image.routine.start as u32;
    let halves: Vec<u16> = image.bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect();
    let program = Program::placed(core(name).unwrap(), image.origin, &halves, image.placement);
    Function { program: Arc::new(program), entry, convention: &AAPCS, stack_limit: 256, step_limit: 10_000 }
}

/// Everything that a program loads stands where the linker puts it; a call goes from one section to another and comes back.
fn linked(object: &[u8]) -> Vec<u8> {
    ArmGnu.link(object, "SECTIONS { . = 0x8000; .text : { *(.text.reduce) *(.text*) *(.rodata*) } }").unwrap()
}

const FIELD: &str = include_str!("field.s");

#[test]
fn hand_written_field_code_is_proved() {
    let gnu = ThumbGnu { mcpu: "cortex-m4" };
    let modulus = contract("modmul 0xfffffffffeffffff");
    let object = gnu.object(FIELD).unwrap();
    for file in [&object, &linked(&object)] {
        let function = function(file, "multiply", "cortex-m4");
        assert_eq!(prove(&function, &modulus).err(), None);
        assert_eq!(timing(&function, &modulus), Timing::Balanced);
    }
    for (from, to) in [
        ("=0x1000001", "=0x1000003"),
        ("it cs\n\tmovcs r5", "it cc\n\tmovcc r5"),
        ("b.w reduce", "b.w reduce + 2"),
        ("umaal r2, r6, r5, r4", "umaal r2, r6, r4, r4"),
        ("adc r3, r3, #0", "nop"),
        ("pop {r4-r8, pc}", "pop {r4-r7, pc}"),
    ] {
        assert!(FIELD.contains(from));
        let object = gnu.object(&FIELD.replace(from, to)).unwrap();
        assert!(prove(&function(&object, "multiply", "cortex-m4"), &modulus).is_err(), "{from} {to}");
    }
}

/// The same with words, and the result's address, in registers of the floating-point unit, of which S16 to S31 are preserved.
#[test]
fn words_in_the_floating_point_unit_are_proved() {
    let gnu = ThumbGnu { mcpu: "cortex-m4" };
    let modulus = contract("modmul 0xfffffffffeffffff");
    let changed = |changes: &[(&str, &str)]| {
        changes.iter().fold(FIELD.to_owned(), |text, (from, to)| {
            assert!(text.contains(from), "{from}");
            text.replace(from, to)
        })
    };
    let text = changed(&[
        (".thumb\n", ".fpu fpv4-sp-d16\n\t.thumb\n"),
        ("push {r4-r8, lr}", "push {r4-r8, lr}\n\tvpush {s16-s18}\n\tvmov s16, r0"),
        ("ldrd r6, r7, [r2]", "vldr d0, [r2]\n\tvmov r6, r7, d0\n\tvstmdb sp!, {d0}\n\tvldmia sp!, {s2-s3}"),
        ("mov r8, #0", "mov r8, #0\n\tmov r0, #0\n\tvmov s4, s5, r4, r5\n\tvmov r4, s4"),
        ("strd r2, r3, [r0]", "vmov r0, s16\n\tvmov d3, r2, r3\n\tvstr d3, [r0]"),
        ("pop {r4-r8, pc}", "vpop {s16-s18}\n\tpop {r4-r8, pc}"),
    ]);
    let object = gnu.object(&text).unwrap();
    for file in [&object, &linked(&object)] {
        let function = function(file, "multiply", "cortex-m4f");
        let certificate = prove(&function, &modulus).unwrap();
        assert_eq!(rhomb_certificate::check(&function, &certificate), Ok(modulus));
        assert_eq!(timing(&function, &modulus), Timing::Balanced);
    }
    // no other core has such instructions
    let refused = prove(&function(&object, "multiply", "cortex-m4"), &modulus).unwrap_err();
    assert!(format!("{refused:?}").contains("floating-point extension"), "{refused:?}");
    for (from, to) in [
        ("vmov r0, s16", "vmov r0, s17"),
        ("vpop {s16-s18}", "vpop {s15-s17}"),
        ("vpop {s16-s18}", "vpop {s17-s19}"),
        ("vpush {s16-s18}", "sub sp, #12"),
        ("vmov r6, r7, d0", "vmov r7, r6, d0"),
        ("vmov r6, r7, d0", "vmov r6, r7, d1"),
        ("vmov d3, r2, r3", "vmov s6, r2"),
        ("vmov r4, s4", "vmov r4, s5"),
        ("vldr d0, [r2]", "vldr s0, [r2]"),
        ("vldr d0, [r2]", "vldr d0, [r2, #4]"),
    ] {
        assert!(text.contains(from), "{from}");
        let object = gnu.object(&text.replace(from, to)).unwrap();
        assert!(prove(&function(&object, "multiply", "cortex-m4f"), &modulus).is_err(), "{from} {to}");
    }
}

/// Björn Haase's arithmetic modulo 2^255 - 19, as the crate salty 0.3.0 has it, for operands of 256 bits. A sum of its
/// multiplication loses a carry.
#[test]
fn field_code_of_others_is_proved_or_refuted() {
    let gnu = ThumbGnu { mcpu: "cortex-m4" };
    let salty = place().join("crates/salty-0.3.0");
    let object = |file: &str| gnu.preprocessed(&salty.join(file), &[]).unwrap();
    for (file, symbol, text) in [
        ("haase/cortex_m4_sqr_fe25519.S", "fe25519_square_asm", "modsqr 2^255-19"),
        ("asm/fe25519_add.s", "fe25519_add_asm", "modadd 2^255-19"),
    ] {
        let function = function(&object(file), symbol, "cortex-m4");
        assert_eq!(prove(&function, &contract(text)).err(), None, "{symbol}");
        assert_eq!(timing(&function, &contract(text)), Timing::Constant, "{symbol}");
    }
    let object = object("haase/cortex_m4_mpy_fe25519.S");
    let function = function(&object, "fe25519_mul_asm", "cortex-m4");
    let words = [[vec![u32::MAX - 1], vec![u32::MAX; 7]].concat(), vec![1 << 31; 8]];
    let contract = contract("modmul 2^255-19");
    let pattern = &contract.patterns()[0];
    let buffers = contract.buffers(32, pattern, &words);
    let finished = function.call(Concrete::<u32>::new(), &buffers).unwrap();
    let result: Vec<u32> = finished.buffers[0].iter().map(|word| word.unwrap()).collect();
    // 2^64 less than a number that is right
    assert_eq!(result[2], 0x11);
    assert!(!is_right(&contract, &words.map(BigUint::new), &result));
    assert!(matches!(decide(&function, &contract, Budget::default()), Verdict::Refuted(..)));
}

/// Sums of a word and a carry, by a call, a tail call, and a call by address.
const SUMS: &str = "
typedef unsigned u32;
__attribute__((noinline, section(\".text.low\"))) static u32 low(u32 *r, const u32 *a, const u32 *b, u32 c)
{
    u32 s, t, k = __builtin_add_overflow(*a, *b, &s);
    k += __builtin_add_overflow(s, c, &t);
    *r = t;
    return k;
}
__attribute__((noinline, section(\".text.high\"), long_call)) u32 high(u32 *r, const u32 *a, const u32 *b, u32 c);
u32 sum(u32 *r, const u32 *a, const u32 *b)
{
    u32 c = low(r, a, b, 0);
    return high(r + 1, a + 1, b + 1, c);
}
__attribute__((noinline, section(\".text.high\"))) u32 high(u32 *r, const u32 *a, const u32 *b, u32 c)
{
    return low(r, a, b, c);
}
";

#[test]
fn compiled_calls_are_proved() {
    for (mcpu, time) in [
        ("cortex-m0", Timing::Constant),
        ("cortex-m0plus", Timing::Constant),
        ("cortex-m3", Timing::Balanced),
        ("cortex-m4", Timing::Balanced),
    ] {
        let object = ThumbGnu { mcpu }.compile(SUMS, "-O2").unwrap();
        for file in [&object, &linked(&object)] {
            let function = function(file, "sum", mcpu);
            assert_eq!(prove(&function, &contract("add 64")).err(), None, "{mcpu}");
            assert_eq!(timing(&function, &contract("add 64")), time, "{mcpu}");
        }
    }
}

/// A number from a table whose address comes in two halves, and one whose distance does; `code` goes on with it in r3.
fn with_table(code: &str) -> String {
    format!(
        "\t.syntax unified\n\t.thumb\n\t.text\n\t.balign 4\n\t.type f, %function\n\t.thumb_func\nf:\n{code}\n\
         \t.section .rodata\n\t.balign 4\n\t.word 7\ntable:\t.word 0xffffff00, 5\n"
    )
}

#[test]
fn halves_of_addresses_are_filled_in() {
    let gnu = ThumbGnu { mcpu: "cortex-m4" };
    let sum = "\tldr r2, [r2]\n\tldr r1, [r1]\n\tadds r1, r1, r2\n\tstr r1, [r0]\n\tmov r0, #0\n\tadcs r0, r0\n\tbx lr";
    let none = format!(
        "\tldr r3, [r3, #4]\n\tsubs r3, #5\n\tldr r1, [r1, r3]\n{}",
        sum.replace("\tldr r1, [r1]\n", "")
    );
    let add = contract("add 32");
    let proved = |code: &str| {
        let object = gnu.object(&with_table(code)).unwrap();
        prove(&function(&object, "f", "cortex-m4"), &add).is_ok()
    };
    let lower = "\tmovw r3, #:lower16:table\n";
    let upper = "\tmovt r3, #:upper16:table\n";
    assert!(proved(&format!("{lower}{upper}{none}")));
    // another symbol with the same address, and something in between
    assert!(proved(&format!("{lower}\tmov r12, #1\n{upper}{none}")));
    for wrong in [
        // the other word, the other order, halves of two addresses, a half alone
        format!("{lower}{upper}{}", none.replace("#4", "#0")),
        format!("{upper}{lower}{none}"),
        format!("\tmovw r3, #:lower16:(table + 4)\n{upper}{none}"),
        format!("{lower}{none}"),
        format!("\tmovs r3, #0\n{upper}{none}"),
        // the half is no number
        format!("{lower}\tuxth r3, r3\n{upper}{none}"),
        format!("{lower}\tadds r3, #0\n\tadds r3, #1\n\tsubs r3, #1\n\tlsls r3, #16\n{none}"),
    ] {
        assert!(!proved(&wrong), "{wrong}");
    }
    // a function by its address, which is odd
    let jump = "\tmovw r3, #:lower16:g\n\tmovt r3, #:upper16:g\n\tbx r3";
    let behind =
        format!("\t.section .text.g,\"ax\"\n\t.type g, %function\n\t.thumb_func\ng:\n{sum}\n\t.text");
    assert!(proved(&format!("{jump}\n{behind}")));
    // even, as of ARM state: not executed
    assert!(!proved(&format!("{jump}\n{behind}").replace("\tbx r3", "\tbic r3, r3, #1\n\tbx r3")));
}

/// Branches of 16 bits, and those with a condition, whose targets are symbols.
#[test]
fn short_branches_are_filled_in() {
    let text = "\t.syntax unified\n\t.thumb\n\t.text\n\t.type f, %function\n\t.thumb_func\n\t.global f\nf:\n\tldr r3, [r1]\n\tldr r2, [r2]\n\
        \tadds r3, r3, r2\n\tb g\n\t.global h\n\t.type h, %function\n\t.thumb_func\nh:\n\tstr r3, [r0]\n\tmovs r0, #0\n\tadcs r0, r0\n\tbx lr\n\
        \t.global g\n\t.type g, %function\n\t.thumb_func\ng:\n\tbcs h\n\tb h\n";
    let object = ThumbGnu { mcpu: "cortex-m0" }.object(text).unwrap();
    let short = function(&object, "f", "cortex-m0");
    assert_eq!(prove(&short, &contract("add 32")).err(), None);
    let far = text.replace("g:\n", "g:\n\t.section .text.far,\"ax\"\n").replace("b g", "b.w g");
    let far = far.replace(
        "\t.global g\n\t.type g, %function\n\t.thumb_func\ng:\n\t.section .text.far,\"ax\"\n",
        "\t.section .text.far,\"ax\"\n\t.global g\n\t.type g, %function\n\t.thumb_func\ng:\n",
    );
    let object = ThumbGnu { mcpu: "cortex-m4" }.object(&far).unwrap();
    assert_eq!(prove(&function(&object, "f", "cortex-m4"), &contract("add 32")).err(), None);
}

/// A pool of literals that ends with what looks like an IT begins no block: the code behind it is executed as it stands.
#[test]
fn code_behind_a_pool_that_looks_like_an_it_is_proved() {
    let source = "
        .syntax unified
        .thumb
        .text
        .type first, %function
    first:
        ldr r0, 1f
        bx lr
        .align 2
    1:  .word 0xbfd20000
        .global sum
        .type sum, %function
    sum:
        ldr r1, [r1]
        ldr r2, [r2]
        adds r1, r1, r2
        str r1, [r0]
        movs r0, #0
        adcs r0, r0
        bx lr
        .size sum, . - sum
    ";
    let object = ThumbGnu { mcpu: "cortex-m4" }.object(source).unwrap();
    for file in [&object, &linked(&object)] {
        assert_eq!(prove(&function(file, "sum", "cortex-m4"), &contract("add 32")).err(), None);
    }
}
