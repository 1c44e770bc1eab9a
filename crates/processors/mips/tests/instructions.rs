//! Delay slots, hazards, secrets: what is easy to get wrong, by hand. The multitude of states stands in the tests
//! against unicorn.

use rhomb_machine::{Access, Concrete, Cycles, Domain, Fault, Processor, Secrets, run};
use rhomb_mips::cores::core;
use rhomb_mips::syntax::parse;
use rhomb_mips::{Machine, Model, Program};
use std::sync::Arc;

fn program(name: &str, text: &str) -> Arc<Program> {
    let model = Arc::new(Model::of(core(name).unwrap()));
    let parsed = parse(&model, 0x100, text).unwrap_or_else(|error| panic!("{error}"));
    Arc::new(Program::assemble(model, 0x100, &parsed.instructions).unwrap())
}

/// A machine with all registers but $29 and $31 at 0, and 16 words of data to which $4 points.
fn machine(name: &str, text: &str) -> Machine<Concrete<u32>> {
    let mut machine = Machine::new(program(name, text), Concrete::new());
    let data = machine.program().model().core().ram.start;
    machine.memory.own("data", data / 4..data / 4 + 16, Access::Store).unwrap();
    machine.memory.fill(data / 4, &[0x0403_0201; 16]).unwrap();
    for number in 1..32 {
        machine.set_register(number, 0);
    }
    machine.set_register(4, data);
    machine.set_sp(data + 0x400, 0);
    machine.enter(0x100).unwrap();
    machine
}

/// $2 and the cycles after a run.
fn ran(text: &str) -> (u32, u64) {
    let mut machine = machine("mips32-4km", text);
    let tally = run(&mut machine, 1000).unwrap_or_else(|fault| panic!("{fault}: {text}"));
    assert_eq!(tally.cycles.min, tally.cycles.max);
    (*machine.register(2), tally.cycles.max)
}

fn fault(name: &str, text: &str) -> String {
    let mut machine = machine(name, text);
    run(&mut machine, 1000).unwrap_err().to_string()
}

#[test]
fn delay_slots_are_executed_before_the_target() {
    assert_eq!(ran("jr $ra\n addiu $2, $0, 7"), (7, 2));
    assert_eq!(ran("beq $0, $0, x\n addiu $2, $0, 7\n addiu $2, $0, 9\n x: jr $ra\n nop"), (7, 4));
    // a branch that is not taken has its slot, too
    assert_eq!(ran("bne $0, $0, x\n addiu $2, $2, 7\n addiu $2, $2, 9\n x: jr $ra\n nop"), (16, 5));
    // a likely one only where it is taken; the slot costs its cycle
    assert_eq!(ran("bnel $0, $0, x\n addiu $2, $2, 7\n addiu $2, $2, 9\n x: jr $ra\n nop"), (9, 5));
    assert_eq!(ran("beql $0, $0, x\n addiu $2, $2, 7\n addiu $2, $2, 9\n x: jr $ra\n nop"), (7, 4));
    // the link points past the slot; the target is read before it
    let call =
        "or $16, $ra, $0\n jal f\n addiu $2, $2, 1\n jr $16\n addiu $2, $2, 2\n f: jr $ra\n addiu $ra, $0, 0";
    assert_eq!(ran(call), (3, 7));
    assert_eq!(
        ran("addiu $8, $0, 3\n x: addiu $8, $8, -1\n bgtz $8, x\n addiu $2, $2, 5\n jr $ra\n nop"),
        (15, 12)
    );
}

#[test]
fn loads_and_moves_from_the_accumulator_are_waited_for() {
    assert_eq!(ran("lw $2, 0($4)\n nop\n addiu $2, $2, 0\n jr $ra\n nop").1, 5);
    assert_eq!(ran("lw $2, 0($4)\n addiu $2, $2, 0\n nop\n jr $ra\n nop").1, 6);
    let product = |text: &str| ran(&format!("lui $8, 1\n multu $8, $8\n {text}\n jr $ra\n nop")).1;
    assert_eq!(product("nop\n mfhi $2\n nop"), 7);
    assert_eq!(product("mfhi $2\n nop\n nop"), 8);
    assert_eq!(product("nop\n mfhi $2\n addiu $2, $2, 0"), 8);
    // MUL stalls two cycles, and one more where it is used at once
    let mul = |text: &str| ran(&format!("lui $8, 1\n mul $2, $8, $8\n {text}\n jr $ra\n nop")).1;
    assert_eq!(mul("nop"), 7);
    assert_eq!(mul("addiu $2, $2, 0"), 8);
    // early-in division: a byte, four bytes
    assert_eq!(ran("addiu $8, $0, 200\n divu $0, $8, $8\n mflo $2\n jr $ra\n nop"), (1, 1 + 9 + 3));
    assert_eq!(ran("lui $8, 200\n divu $0, $8, $8\n mflo $2\n jr $ra\n nop"), (1, 1 + 25 + 3));
    assert_eq!(
        ran("lui $8, 0x8000\n addiu $9, $0, -1\n div $0, $8, $9\n mflo $2\n jr $ra\n nop"),
        (1 << 31, 2 + 34 + 3)
    );
}

#[test]
fn what_the_manual_leaves_open_is_refused() {
    let plain = |text: &str| fault("mips32-4km", text);
    assert!(plain("beq $0, $0, x\n x: beq $0, $0, x\n nop").contains("in a delay slot"));
    assert!(plain("addiu $8, $0, 1\n mul $2, $8, $8\n mflo $2").contains("read of LO"));
    // a result that nobody read makes the other half unpredictable
    assert!(plain("mult $8, $8\n mtlo $8\n mfhi $2").contains("read of HI"));
    assert!(plain("mult $8, $8\n mthi $8\n mflo $2").contains("read of LO"));
    assert_eq!(ran("mult $8, $8\n mflo $9\n mthi $4\n mflo $2\n jr $ra\n nop").0, 0);
    assert!(plain("div $0, $8, $8\n").contains("by zero"));
    assert!(plain("lui $8, 0x8000\n add $2, $8, $8\n").contains("the exception of add $2, $8, $8"));
    assert!(plain("teq $8, $8\n").contains("the exception of teq"));
    assert!(plain("syscall\n").contains("not modelled: syscall"));
    assert!(plain("ll $2, 0($4)\n").contains("not modelled: ll"));
    assert!(plain("jalr $8, $8\n nop").contains("not modelled"));
    assert!(plain("lh $2, 1($4)\n").contains("not aligned"));
    assert!(plain("lw $2, -4($4)\n").contains("does not own"));
    assert!(plain("nop\n").contains("left the program"));
    // signed products leave guard bits open, and MTHI does on SmartMIPS
    assert!(fault("mips32-ise", "mult $8, $8\n sha\n").contains("guard bits"));
    assert!(fault("smartmips", "mthi $8\n mtlo $8\n mflhxu $2\n").contains("guard bits"));
    let mut paper = machine("mips32-ise", "mthi $8\n mtlo $8\n sha\n jr $ra\n nop");
    run(&mut paper, 10).unwrap();
    assert_eq!(paper.accumulator(), &[0, 0, 0]);
}

#[test]
fn parts_of_words() {
    assert_eq!(ran("lbu $2, 3($4)\n jr $ra\n nop").0, 4);
    assert_eq!(ran("addiu $8, $0, -2\n sb $8, 2($4)\n lb $2, 2($4)\n jr $ra\n nop").0, -2i32 as u32);
    assert_eq!(ran("addiu $8, $0, -2\n sh $8, 2($4)\n lw $2, 0($4)\n jr $ra\n nop").0, 0xfffe_0201);
    // an unaligned word in two halves
    assert_eq!(ran("lwr $2, 1($4)\n lwl $2, 4($4)\n jr $ra\n nop").0, 0x0104_0302);
}

fn secret(text: &str) -> Machine<Secrets<u32>> {
    let mut machine = Machine::new(program("mips32-4km", text), Secrets::joining());
    let data = machine.program().model().core().ram.start;
    machine.memory.own("data", data / 4..data / 4 + 16, Access::Store).unwrap();
    let word = machine.domain.word(data.into());
    machine.set_register(4, word);
    let word = machine.domain.arbitrary();
    machine.set_register(8, word);
    machine.set_sp(data + 0x400, 0);
    machine.enter(0x100).unwrap();
    machine
}

#[test]
fn secrets_are_no_addresses_and_decide_no_time() {
    let refused = |text: &str| match run(&mut secret(text), 100).unwrap_err() {
        Fault::Secret { what } => what,
        other => panic!("{other}"),
    };
    assert_eq!(refused("addu $4, $4, $8\n lw $2, 0($4)\n"), "the address in $4");
    assert_eq!(refused("bne $8, $0, x\n nop\n x: nop"), "the branch bne $8, $0, . + 8");
    assert_eq!(refused("jr $8\n nop"), "the target of jr $8");
    assert_eq!(refused("addiu $9, $0, 1\n divu $0, $8, $9\n"), "the division divu $0, $8, $9");
    assert_eq!(refused("add $2, $8, $8\n"), "the exception of add $2, $8, $8");
    // a product takes one cycle or two
    let mut product = secret("multu $8, $8\n mflo $2\n jr $ra\n nop");
    run(&mut product, 10).unwrap();
    assert_eq!(product.cycles(), Cycles { min: 4, max: 5 });
}
