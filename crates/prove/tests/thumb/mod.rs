//! Code of Thumb state: proved, its mutants not, and its time.

#[cfg(feature = "oracles")]
mod objects;

use crate::timing::contract;
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::{Function, Program};
use rhomb_certificate::check;
use rhomb_machine::Cycles;
use rhomb_prove::{Difference, Spread, Timing, duration, prove, timing};
use std::sync::Arc;

/// `push {r4-r8, lr}`, two `ldrd`, `umull r3, r8, r4, r6`, `mov r12, #0`, `umaal r8, r12, r5, r6`, `mov r1, #0`,
/// `umaal r8, r1, r4, r7`, `umaal r1, r12, r5, r7`, four `str`, `pop {r4-r8, pc}`.
const PRODUCT: &[u16] = &[
    0xe92d, 0x41f0, 0xe9d1, 0x4500, 0xe9d2, 0x6700, 0xfba4, 0x3806, 0xf04f, 0x0c00, 0xfbe5, 0x8c66, 0xf04f,
    0x0100, 0xfbe4, 0x8167, 0xfbe5, 0x1c67, 0x6003, 0xf8c0, 0x8004, 0x6081, 0xf8c0, 0xc00c, 0xe8bd, 0x81f0,
];
/// A word by a word from four MULS: `push {r4, r5, lr}`, loads, halves by UXTH and LSRS, products, two sums across the
/// middle, stores, `pop {r4, r5, pc}`.
const HALVES: &[u16] = &[
    0xb530, 0x6809, 0x6812, 0xb28b, 0x0c09, 0xb294, 0x0c12, 0x461d, 0x4365, 0x434c, 0x4353, 0x4351, 0x0422,
    0x0c24, 0x18ad, 0x4161, 0x041a, 0x0c1b, 0x18ad, 0x4159, 0x6005, 0x6041, 0xbd30,
];
/// `push {r4-r6, lr}`, two `ldm`, `adds`, `adcs`, `stm`, `ite cs`, `movcs r3, #1`, `movcc r3, #0`, `mov r0, r3`,
/// `pop {r4-r6, pc}`.
const SUM: &[u16] =
    &[0xb570, 0xe891, 0x0018, 0xe892, 0x0060, 0x195b, 0x4174, 0xc018, 0xbf2c, 0x2301, 0x2300, 0x4618, 0xbd70];

fn function(name: &str, halves: &[u16]) -> Function {
    let program = Arc::new(Program::new(core(name).unwrap(), 0x100, halves));
    Function { program, entry: 0x100, convention: &AAPCS, stack_limit: 64, step_limit: 1000 }
}

fn cycles(number: u64) -> Option<Cycles> {
    Some(Cycles { min: number, max: number })
}

#[test]
fn products_and_sums_are_proved() {
    for (name, halves, text, time) in [
        ("cortex-m4", PRODUCT, "mul 64", 36),
        ("cortex-m0", HALVES, "mul 32", 36),
        ("cortex-m0plus", HALVES, "mul 32", 35),
        ("cortex-m0plus-slowmul", HALVES, "mul 32", 35 + 4 * 31),
        ("cortex-m3", HALVES, "mul 32", 35),
        ("cortex-m3", SUM, "add 64", 27),
        ("cortex-m4", SUM, "add 64", 27),
    ] {
        let (function, contract) = (function(name, halves), contract(text));
        let certificate = prove(&function, &contract).unwrap_or_else(|why| panic!("{name} {text}: {why:?}"));
        assert_eq!(check(&function, &certificate).as_ref(), Ok(&contract), "{name} {text}");
        assert_eq!(duration(&function, &contract), cycles(time), "{name} {text}");
        let constant = matches!(timing(&function, &contract), Timing::Constant | Timing::Balanced);
        assert!(constant, "{name} {text}");
    }
}

/// The core has no UMAAL, or the code is that of the other state: nothing is executed.
#[test]
fn what_a_core_lacks_is_refused() {
    for name in ["cortex-m3", "cortex-m0", "arm7tdmi"] {
        assert!(prove(&function(name, PRODUCT), &contract("mul 64")).is_err(), "{name}");
    }
}

#[test]
fn mutants_are_not_proved() {
    for (name, halves, text) in
        [("cortex-m4", PRODUCT, "mul 64"), ("cortex-m0plus", HALVES, "mul 32"), ("cortex-m3", SUM, "add 64")]
    {
        let mut at = 0;
        while at < halves.len() {
            let length = if halves[at] >> 11 >= 0b11101 { 2 } else { 1 };
            let mut mutant = halves.to_vec();
            // NOP
            mutant[at..at + length].fill(0xbf00);
            assert!(prove(&function(name, &mutant), &contract(text)).is_err(), "{name} without {at}");
            at += length;
        }
    }
}

/// Loads, code, `str r3, [r0]`, `bx lr`: `ldr r3, [r1]`, `ldr r2, [r2]`.
fn of_words(code: &[u16]) -> Vec<u16> {
    [&[0x680b, 0x6812], code, &[0x6003, 0x4770]].concat()
}

/// Sums modulo 2^32 - 5: `adds r3, r2`, `it cs`, `addcs r3, #5`, `adds r2, r3, #5`, `it cs`, `movcs r3, r2`. The second sum sets the
/// flags for the second block; what stands in a block sets none.
const CORRECTED: &[u16] = &[0x189b, 0xbf28, 0x3305, 0x1d5a, 0xbf28, 0x4613];

#[test]
fn corrections_in_it_blocks_are_proved() {
    let code = of_words(CORRECTED);
    let reduced = contract("modadd 0xfffffffb a<p b<p r<p");
    for name in ["cortex-m3", "cortex-m4"] {
        let function = function(name, &code);
        assert_eq!(prove(&function, &reduced).err(), None, "{name}");
        // a skipped instruction takes as long as a sum
        assert_eq!(duration(&function, &reduced), cycles(4 + 6 + 2 + 3));
        assert_eq!(timing(&function, &reduced), Timing::Balanced);
    }
    // nobody promises what a skipped instruction takes
    for name in ["cortex-m33", "cortex-m33-nodsp", "cortex-m7"] {
        let function = function(name, &code);
        assert_eq!(prove(&function, &reduced).err(), None, "{name}");
        let found = timing(&function, &reduced);
        assert!(matches!(found, Timing::Leaks { .. }), "{name} {found:?}");
    }
    for (at, other) in [(3, 0xbf38), (6, 0xbf38), (6, 0xbf88), (4, 0x3304), (7, 0x461a)] {
        let mut mutant = code.clone();
        mutant[at] = other;
        assert!(prove(&function("cortex-m4", &mutant), &reduced).is_err(), "{at}");
    }
}

/// `it cs` before a load, a store and a product: what is skipped takes 1 cycle, what is executed more.
#[test]
fn blocks_whose_instructions_take_longer_leak() {
    // adds r3, r2; it cs; ldrcs r2, [r1]
    let loads = of_words(&[0x189b, 0xbf28, 0x680a]);
    // adds r3, r2; str r3, [r0]; it cs; strcs r3, [r0]
    let stores = of_words(&[0x189b, 0x6003, 0xbf28, 0x6003]);
    // adds r3, r2; it cs; mlacs r3, r3, r2, r3: 2 cycles on Cortex-M3
    let sums = of_words(&[0x189b, 0xbf28, 0xfb03, 0x3302]);
    // adds r3, r2; str r3, [r0]; itt cs; movcs r2, r3; bxcs lr
    let jumps = of_words(&[0x189b, 0x6003, 0xbf24, 0x461a, 0x4770]);
    for (name, code, least, most) in [
        ("cortex-m3", &loads, 12, 13),
        ("cortex-m4", &stores, 14, 15),
        ("cortex-m3", &sums, 12, 13),
        ("cortex-m4", &sums, 12, 12),
        ("cortex-m4", &jumps, 12, 15),
    ] {
        let (function, contract) = (function(name, code), contract("add 32"));
        let found = timing(&function, &contract);
        assert_eq!(matches!(found, Timing::Leaks { .. }), least != most, "{name} {found:?}");
        assert_eq!(duration(&function, &contract), Some(Cycles { min: least, max: most }), "{name}");
    }
}

/// What the architecture leaves open in IT blocks is executed nowhere.
#[test]
fn open_uses_of_it_are_refused() {
    let stopped = |code: &[u16]| match timing(&function("cortex-m4", &of_words(code)), &contract("add 32")) {
        Timing::Unknown(Some(stopped)) => stopped.fault.to_string(),
        other => panic!("{code:04x?}: {other:?}"),
    };
    for (code, why) in [
        // itt al; b over the next one; adds
        (&[0xbfe4, 0xe7ff, 0x189b][..], "a jump within an IT block, not at its end"),
        // itt al; it al; nop
        (&[0xbfe4, 0xbfe8, 0xbf00], "an IT of its own in an IT block"),
        // it al; cbz r3
        (&[0xbfe8, 0xb103], "a branch or an IT of its own in an IT block"),
        // it al; beq, in both lengths
        (&[0xbfe8, 0xd0ff], "a branch or an IT of its own in an IT block"),
        (&[0xbfe8, 0xf000, 0x8000], "a branch or an IT of its own in an IT block"),
        // it al; movs r3, r2
        (&[0xbfe8, 0x0013], "MOVS in an IT block"),
        // b to the second instruction of itt al; nop; nop
        (&[0xe000, 0xbfe4, 0xbf00, 0xbf00], "a jump into an IT block"),
        // the same where an instruction before has a second half that looks like one
        (&[0xe002, 0xf8d0, 0x3000, 0xbfe8, 0xbf00], "a jump into an IT block"),
    ] {
        let found = stopped(code);
        assert!(found.contains(why), "{code:04x?}: {found}");
    }
    // the function ends before its block
    let cut = function("cortex-m4", &[0x680b, 0xbfe4, 0x3301]);
    assert!(matches!(timing(&cut, &contract("add 32")), Timing::Unknown(Some(_))));
    // cores without IT
    assert!(prove(&function("cortex-m0", SUM), &contract("add 64")).is_err());
    // second halves that look like an IT begin no block: a b.w that is jumped over
    let like = of_words(&[0xe001, 0xf7ff, 0xbffe, 0x189b]);
    assert_eq!(timing(&function("cortex-m4", &like), &contract("add 32")), Timing::Constant);
}

/// Long products of the Cortex-M3 take 3 to 5 cycles by operands, in a way that is not published: they leak where operands
/// reach them, with the range, and not where constants do.
#[test]
fn long_products_leak_where_operands_reach_them() {
    // ldr r3, [r1]; ldr r2, [r2]; umull r3, r2, r3, r2; str r3, [r0]; str r2, [r0, #4]; bx lr
    let product = [0x680b, 0x6812, 0xfba3, 0x3202, 0x6003, 0x6042, 0x4770];
    let function = |name: &str, code: &[u16]| function(name, code);
    let by_name = |name| timing(&function(name, &product), &contract("mul 32"));
    assert_eq!(by_name("cortex-m4"), Timing::Constant);
    let Timing::Leaks { at, cycles, shown } = by_name("cortex-m3") else { panic!() };
    assert_eq!((at.address, cycles), (0x104, Some(Spread::Unpublished(Cycles { min: 3, max: 5 }))));
    assert_eq!((shown.address, shown.differs), (0x104, Difference::Operands));
    assert_ne!(shown.calls[0].operands, shown.calls[1].operands);
    assert_eq!(
        duration(&function("cortex-m3", &product), &contract("mul 32")),
        Some(Cycles { min: 14, max: 16 })
    );
    // movs r3, #7; umull r3, r2, r3, r3: how long it takes is not known, and the same in every call
    let constant = [0x2307, 0xfba3, 0x3203, 0x4770];
    let found = timing(&function("cortex-m3", &constant), &contract("mul 32"));
    assert_eq!(found, Timing::Constant);
    // (x + 1) - x is 1: no two calls differ
    let same = [0x680b, 0x1c5a, 0x1ad2, 0xfba2, 0x3202, 0x4770];
    let found = timing(&function("cortex-m3", &same), &contract("mul 32"));
    assert!(matches!(found, Timing::Unshown { .. }), "{found:?}");
}
