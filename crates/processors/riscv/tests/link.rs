//! Object files of GNU as: branches and calls inside and between sections, and what a linker may still change.
#![cfg(feature = "oracles")]

use rhomb_machine::{Concrete, run};
use rhomb_object::{LinkError, ObjectFile};
use rhomb_oracles::RiscvGnu;
use rhomb_riscv::cores::core;
use rhomb_riscv::link::{check, link};
use rhomb_riscv::{Machine, Program};
use std::sync::Arc;

const GNU: RiscvGnu = RiscvGnu { march: "rv32imc" };
const TEXT: &str = "\t.option norelax
\t.text
\t.balign 4
\t.globl before
\t.type before, @function
before: addi a0, a0, 1
\tret
\t.size before, . - before
\t.globl calls
\t.type calls, @function
calls: mv s0, ra
\tli a0, 0
\tcall before
\tcall other
\tjal before
\tbeqz zero, 1f
\tcall nowhere
1:\tjal outside
\tjr s0
\t.size calls, . - calls
\t.globl lost
\t.type lost, @function
lost: call nowhere
\tret
\t.size lost, . - lost
\t.section .text.other, \"ax\", @progbits
\t.balign 4
\t.globl other
\t.type other, @function
\tnop
other: addi a0, a0, 16
\tret
\t.size other, . - other
\t.globl outside
\t.type outside, @function
outside: bnez a0, 2f
\tret
2:\taddi a0, a0, 64
\tret
\t.size outside, . - outside
";

#[test]
fn calls_reach_their_functions() {
    let text = TEXT.replace("\tcall nowhere\n1:", "1:");
    let object = GNU.object(&text).unwrap();
    let file = ObjectFile::parse(&object).unwrap();
    assert_eq!(check(&file, "ilp32"), Ok(()));
    let linked = link(&file, &file.function("calls").unwrap()).unwrap();
    assert!(linked.placement.relocations.iter().any(|told| told.contains("jump to other")), "{linked:?}");
    let halves: Vec<u16> = linked.bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect();
    let program = Program::placed(core("ibex-single").unwrap(), linked.origin, &halves, linked.placement);
    let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
    machine.set_register(8, 0);
    machine.set_sp(0x9000, 0);
    machine.enter(linked.routine.start as u32).unwrap();
    run(&mut machine, 100).unwrap();
    // before, other, before, outside
    assert_eq!(*machine.register(10), 1 + 16 + 1 + 64);
}

#[test]
fn what_cannot_be_linked_is_named() {
    let error = |text: &str, name: &str| {
        let object = GNU.object(text).unwrap();
        let file = ObjectFile::parse(&object).unwrap();
        link(&file, &file.function(name).unwrap()).unwrap_err()
    };
    for name in ["calls", "lost"] {
        let error = error(TEXT, name);
        assert!(matches!(&error, LinkError::Elsewhere { symbol, .. } if symbol == "nowhere"), "{error}");
    }
    // addresses in a table of addresses
    let data = TEXT.replace("lost: call nowhere", "lost: auipc a0, %got_pcrel_hi(before)");
    let found = error(&data, "lost");
    assert!(matches!(found, LinkError::Kind { kind: 20, .. }), "{found}");
    // bytes that the linker takes away
    let moved = "\t.text\n\t.balign 4\n\t.globl f\n\t.type f, @function\nf:\taddi a0, a0, 1\n\tret\n\t.balign 4\n\tret\n\t.size f, . - f\n";
    let file = GNU.object(moved).unwrap();
    let file = ObjectFile::parse(&file).unwrap();
    let found = link(&file, &file.function("f").unwrap()).unwrap_err();
    assert!(matches!(found, LinkError::Marked { .. }) && found.to_string().contains("-mno-relax"), "{found}");
    // a section that may stand anywhere, which the time is told of
    let object = GNU.object("\t.option norelax\n\t.globl f\nf:\tret\n").unwrap();
    let file = ObjectFile::parse(&object).unwrap();
    let linked = link(&file, &file.function("f").unwrap()).unwrap();
    assert_eq!(linked.placement.relocations, ["time: .text stands at a multiple of 4"]);
}

/// Words of the file as data, by both kinds of addresses; the file is taken as it lies.
#[test]
fn constants_are_read() {
    let text = "\t.option relax
\t.text
\t.globl f
\t.type f, @function
f:\tlui a1, %hi(table)
\tlw a0, %lo(table)(a1)
\taddi a1, a1, %lo(table + 4)
\tlw a2, 0(a1)
\tadd a0, a0, a2
1:\tauipc a2, %pcrel_hi(bytes)
\tlb a3, %pcrel_lo(1b)(a2)
\tadd a0, a0, a3
\tlui a4, %hi(where)
\tlw a4, %lo(where)(a4)
\tlhu a4, 2(a4)
\tadd a0, a0, a4
\tret
\t.size f, . - f
\t.globl wrong
\t.type wrong, @function
wrong:\tlui a1, %hi(table)
\tlw a0, %lo(bytes)(a1)
\tret
\t.size wrong, . - wrong
\t.section .rodata
\t.balign 8
table:\t.word 0x1000, 0x200
where:\t.word table + 4
bytes:\t.byte -3
\t.balign 4
";
    let object = RiscvGnu { march: "rv32im" }.object(text).unwrap();
    let file = ObjectFile::parse(&object).unwrap();
    let called = |name: &str| {
        let linked = link(&file, &file.function(name).unwrap()).unwrap();
        assert!(linked.placement.relocations.iter().any(|told| told.contains("--no-relax")), "{linked:?}");
        let halves: Vec<u16> =
            linked.bytes.as_chunks().0.iter().map(|half| u16::from_le_bytes(*half)).collect();
        let program = Program::placed(core("ibex-single").unwrap(), linked.origin, &halves, linked.placement);
        let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
        machine.set_sp(0x9000, 0);
        machine.enter(linked.routine.start as u32).unwrap();
        run(&mut machine, 100).map(|_| *machine.register(10)).map_err(|fault| fault.to_string())
    };
    assert_eq!(called("f"), Ok(0x1000 + 0x200 - 3));
    assert!(called("wrong").unwrap_err().contains("does not hold the first part"));
}
