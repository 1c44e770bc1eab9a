//! Object files of GNU as: branches and calls inside and between sections.

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
\tlui $2, %hi(before)
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
    assert!(matches!(error, LinkError::Kind { kind: 5, .. }), "{error}");
}
