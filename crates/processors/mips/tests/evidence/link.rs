//! Object files of GNU as: branches and calls inside and between sections, and constants.

use super::*;
use rhomb_machine::{Concrete, run};
use rhomb_mips::link::{LinkError, link};
use rhomb_mips::{Machine, Program};
use rhomb_object::ObjectFile;
use rhomb_oracles::MipsGnu;
use std::sync::Arc;

const TEXT: &str = "\t.set noreorder
\t.text
\t.globl before
\t.type before, @function
\t.ent before
before: jr $31
\taddiu $2, $2, 1
\t.end before
\t.size before, . - before
\t.globl calls
\t.type calls, @function
\t.ent calls
calls: or $16, $31, $0
\tjal before
\taddiu $2, $0, 0
\tjal other
\tnop
\tbal before
\tnop
\tbeq $0, $0, 1f
\tjal nowhere
\taddiu $2, $2, 64
1:\tjr $16
\tnop
\t.end calls
\t.size calls, . - calls
\t.globl lost
\t.type lost, @function
lost: jal nowhere
\tlw $2, %gp_rel(before)($28)
\tjr $31
\tnop
\t.size lost, . - lost
\t.section .text.other, \"ax\", @progbits
\t.globl other
\t.type other, @function
\tnop
other: jr $31
\taddiu $2, $2, 16
\t.size other, . - other
";

#[test]
fn calls_reach_their_functions() {
    // a jump in a delay slot is only there to be filled in
    let text = TEXT.replace("\tjal nowhere\n\taddiu $2, $2, 64\n", "\taddiu $2, $2, 64\n");
    let object = MipsGnu { march: "mips32" }.object(&text).unwrap();
    let file = ObjectFile::parse(&object).unwrap();
    let linked = link(&file, &file.function("calls").unwrap()).unwrap();
    let model = Arc::new(model("mips32-4km"));
    let program = Program::placed(model, linked.origin, &linked.words(), linked.placement);
    let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
    machine.set_register(16, 0);
    machine.set_sp(0x8010_0100, 0);
    machine.enter(linked.routine.start as u32).unwrap();
    run(&mut machine, 100).unwrap();
    // before, other, before, and the delay slot of the branch
    assert_eq!(*machine.register(2), 1 + 16 + 1 + 64);
}

#[test]
fn what_is_missing_is_named() {
    let object = MipsGnu { march: "mips32" }.object(TEXT).unwrap();
    let file = ObjectFile::parse(&object).unwrap();
    for name in ["calls", "lost"] {
        let error = link(&file, &file.function(name).unwrap()).unwrap_err();
        assert!(matches!(error, LinkError::Elsewhere { .. }), "{error}");
        assert!(error.to_string().contains(&format!("'{name}' needs")), "{error}");
        assert!(error.to_string().contains("nowhere"), "{error}");
    }
    assert!(link(&file, &file.function("other").unwrap()).is_ok());
    let data = TEXT.replace("lost: jal nowhere", "lost: nop");
    let object = MipsGnu { march: "mips32" }.object(&data).unwrap();
    let file = ObjectFile::parse(&object).unwrap();
    let error = link(&file, &file.function("lost").unwrap()).unwrap_err();
    assert!(matches!(error, LinkError::Kind { kind: 7, .. }), "{error}");
}

/// Words of the file as data, whose addresses have two parts; the file has the second one of an address elsewhere than behind the first,
/// once in a delay slot. That of `far` is below zero.
#[test]
fn constants_are_read() {
    let text = "\t.set noreorder
\t.text
\t.globl f
\t.type f, @function
f:\tlui $8, %hi(table)
\tlui $9, %hi(bytes)
\tlw $2, %lo(table)($8)
\taddiu $8, $8, %lo(table + 4)
\tlw $10, 0($8)
\taddu $2, $2, $10
\tlb $11, %lo(bytes)($9)
\taddu $2, $2, $11
\tlui $12, %hi(where)
\tlw $12, %lo(where)($12)
\tlhu $12, 2($12)
\taddu $2, $2, $12
\tlui $13, %hi(far)
\tjr $31
\tlw $3, %lo(far)($13)
\t.size f, . - f
\t.globl wrong
\t.type wrong, @function
wrong:\tlui $8, %hi(table)
\tlw $2, %lo(table)($8)
\tlui $9, %hi(bytes)
\tlb $10, %lo(bytes)($9)
\tlb $2, %lo(bytes)($8)
\tjr $31
\tnop
\t.size wrong, . - wrong
\t.section .rodata
\t.balign 8
table:\t.word 0x1000, 0x200
where:\t.word table + 4
bytes:\t.byte -3
\t.space 0x9000
\t.balign 4
far:\t.word 7
";
    let object = MipsGnu { march: "mips32" }.object(text).unwrap();
    let file = ObjectFile::parse(&object).unwrap();
    let called = |name: &str| {
        let linked = link(&file, &file.function(name).unwrap()).unwrap();
        let program =
            Program::placed(Arc::new(model("mips32-4km")), linked.origin, &linked.words(), linked.placement);
        let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
        machine.set_sp(0x8010_0100, 0);
        machine.enter(linked.routine.start as u32).unwrap();
        let returned = run(&mut machine, 100).map_err(|fault| fault.to_string());
        returned.map(|_| [2, 3].map(|number| *machine.register(number)))
    };
    assert_eq!(called("f"), Ok([0x1000 + 0x200 - 3, 7]));
    assert!(called("wrong").unwrap_err().contains("does not hold the first part"));
}
