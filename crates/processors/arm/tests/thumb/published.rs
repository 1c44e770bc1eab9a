//! Cycles of other people's code against what they measured on silicon, by the flat count.
//!
//! Emil Lenngren's P256-Cortex-M4, as the crate p256-cortex-m4-sys 0.1.0 has it: its comments tell the cycles of functions on an
//! nRF52840, the caller's BL among them. Those with the
//! floating-point unit are its author's, too.

use num_bigint::BigUint;
use rhomb_arm::cores::core;
use rhomb_arm::link::link;
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete, Control, Processor};
use rhomb_object::ObjectFile;
use rhomb_oracles::{Random, ThumbGnu, place};
use std::sync::Arc;

const A: u32 = 0x2000_0100;
const B: u32 = 0x2000_0200;
const STACK: u32 = 0x2000_2000;

/// The caller's BL, 1 + P.
const CALL: u64 = 3;

/// By core and function: what was published; how many VMOV of two words there are, which take 2 by the manual and must have taken 1
/// for these totals; and cycles that no rule here explains.
const PUBLISHED: [(&str, &str, u64, u64, u64); 7] = [
    ("cortex-m4", "P256_mulmod", 231, 0, 1),
    ("cortex-m4", "P256_sqrmod", 173, 0, 1),
    ("cortex-m4", "P256_submod", 42, 0, 0),
    ("cortex-m4", "P256_addmod", 52, 0, 0),
    ("cortex-m4", "P256_times2", 33, 0, 0),
    ("cortex-m4f", "P256_mulmod", 198, 13, 0),
    ("cortex-m4f", "P256_sqrmod", 154, 7, 0),
];

fn number(words: &[u32]) -> BigUint {
    BigUint::new(words.to_vec())
}

fn object(more: &[&str]) -> Vec<u8> {
    let file = place().join("crates/p256-cortex-m4-sys-0.1.0/P256-Cortex-M4/p256-cortex-m4-asm-gcc.S");
    ThumbGnu { mcpu: "cortex-m4" }.preprocessed(&file, more).unwrap()
}

/// R0 to R7 after a call with two numbers behind R1 and R2, the first in R0 to R7 instead where `in_registers`, and its cycles.
fn call(
    name: &str,
    object: &[u8],
    symbol: &str,
    numbers: [&[u32; 8]; 2],
    in_registers: bool,
) -> (Vec<u32>, u64) {
    let file = ObjectFile::parse(object).unwrap();
    let image = link(&file, &file.function(symbol).unwrap(), true).unwrap();
    let halves: Vec<u16> = image.bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect();
    let program = Program::placed(core(name).unwrap(), image.origin, &halves, image.placement);
    let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
    let all = A / 4 - 32..STACK / 4;
    machine.memory.own("all", all, Access::Store).unwrap();
    for (address, words) in [A, B].into_iter().zip(numbers) {
        machine.memory.fill(address / 4, words).unwrap();
    }
    (0..15).for_each(|register| machine.set_register(register, 0));
    (16..48).for_each(|register| machine.set_register(register, 0));
    machine.set_register(1, A);
    machine.set_register(2, B);
    if in_registers {
        (0..8).zip(numbers[0]).for_each(|(register, word)| machine.set_register(register, *word));
    }
    machine.set_register(13, STACK);
    rhomb_machine::Machine::call(&mut machine, image.origin + image.routine.start as u32).unwrap();
    while machine.step().unwrap() != Control::Return {}
    let registers = (0..8).map(|register| *machine.register(register)).collect();
    let cycles = machine.cycles();
    assert_eq!(cycles.min, cycles.max);
    (registers, cycles.min)
}

#[test]
fn field_functions_of_p256_take_what_was_measured() {
    let one = BigUint::from(1u8);
    let power = |bits: u32| &one << bits as usize;
    let p = power(256) - power(224) + power(192) + power(96) - &one;
    let inverse = power(256).modinv(&p).unwrap();
    let mut random = Random::new(5);
    let below = |random: &mut Random| loop {
        let words: [u32; 8] = std::array::from_fn(|_| random.edge_word());
        if number(&words) < p {
            return words;
        }
    };
    let plain = object(&[]);
    let extended = object(&["-mfpu=fpv4-sp-d16", "-mfloat-abi=hard", "-Dhas_fpu=1"]);
    for (name, symbol, published, pairs, open) in PUBLISHED {
        let object = if name == "cortex-m4f" { &extended } else { &plain };
        let in_registers = ["P256_sqrmod", "P256_times2"].contains(&symbol);
        for _ in 0..50 {
            let (a, b) = (below(&mut random), below(&mut random));
            let (result, cycles) = call(name, object, symbol, [&a, &b], in_registers);
            let [a, b] = [number(&a), number(&b)];
            let wanted = match symbol {
                "P256_mulmod" => a * b * &inverse,
                "P256_sqrmod" => &a * &a * &inverse,
                "P256_submod" => a + &p - b,
                "P256_addmod" => a + b,
                _ => &a + &a,
            } % &p;
            assert_eq!(number(&result), wanted, "{name} {symbol}");
            assert_eq!(cycles + CALL + open, published + pairs, "{name} {symbol}");
        }
    }
}
