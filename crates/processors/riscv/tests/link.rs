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
    machine.set_sp(0x9000);
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
    // addresses of data
    let data = TEXT.replace("lost: call nowhere", "lost: lui a0, %hi(before)");
    let found = error(&data, "lost");
    assert!(matches!(found, LinkError::Kind { kind: 26, .. }), "{found}");
    // what a linker may make shorter, with short forms even elsewhere in the section
    let relaxed = TEXT.replace("norelax", "relax");
    for name in ["calls", "before"] {
        let found = error(&relaxed, name);
        assert!(
            matches!(found, LinkError::Marked { .. }) && found.to_string().contains("-mno-relax"),
            "{found}"
        );
    }
    let long = RiscvGnu { march: "rv32im" }.object(&relaxed).unwrap();
    let file = ObjectFile::parse(&long).unwrap();
    assert!(link(&file, &file.function("before").unwrap()).is_ok());
    assert!(link(&file, &file.function("calls").unwrap()).is_err());
    // a section that may stand anywhere
    let found = error("\t.option norelax\n\t.globl f\nf:\tret\n", "f");
    assert!(matches!(found, LinkError::Alignment { alignment: 2, .. }), "{found}");
}
