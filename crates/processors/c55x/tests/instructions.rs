//! Single instructions: registers set, one line executed, registers and cycles compared with what the manual says.

use rhomb_c55x::cores::core;
use rhomb_c55x::instructions::Ta;
use rhomb_c55x::{Machine, Program, Status, syntax::parse};
use rhomb_machine::{Access, Concrete, Fault, Memory, Processor};
use std::sync::Arc;

type State = Machine<Concrete<u16>>;

fn machine(text: &str) -> State {
    let program = Program::new(core("tms320vc5510").unwrap(), 0, parse(text).unwrap().lines);
    let mut machine = Machine::new(Arc::new(program.unwrap()), Concrete::new());
    machine.memory = Memory::new(0x100..0xa000, 0);
    machine.memory.own("m", 0x100..0x9f00, Access::Store).unwrap();
    machine.memory.fill(0x1000, &[0x1234, 0x8765, 0xffff, 2]).unwrap();
    machine.memory.fill(0x1800, &[3, 5]).unwrap();
    machine.memory.fill(0x2000, &[0xffff, 7]).unwrap();
    machine.memory.fill(0x9000, &[11, 13]).unwrap();
    machine.set_stack(0x9f00..0xa000, 0x9fff).unwrap();
    for number in 0..4 {
        set(&mut machine, number, 0);
        machine.set_ta(Ta::T(number), 0);
    }
    for (number, address) in (0..).zip([0x1000, 0x1002, 0x1800, 0x9000]) {
        machine.set_pointer(number, address);
    }
    machine.set_pointer(8, 0x2000);
    machine
}

fn set(machine: &mut State, ac: u8, value: u64) {
    machine.set_ac(ac, [value as u16, (value >> 16) as u16, (value >> 32) as u16]);
}

fn value(machine: &State, ac: u8) -> u64 {
    let [low, high, guard] = *machine.ac(ac);
    u64::from(low) | u64::from(high) << 16 | u64::from(guard) << 32
}

fn run(machine: &mut State, lines: usize) -> u64 {
    for _ in 0..lines {
        machine.step().unwrap();
    }
    machine.cycles().max
}

/// AC0 and AC1 before, the text, AC0 and AC1 afterwards.
fn check(before: [u64; 2], text: &str, after: [u64; 2]) {
    let mut machine = machine(text);
    set(&mut machine, 0, before[0]);
    set(&mut machine, 1, before[1]);
    run(&mut machine, 1);
    assert_eq!([value(&machine, 0), value(&machine, 1)], after, "{text}");
}

const TOP: u64 = (1 << 40) - 1;

#[test]
fn products() {
    let dual = "uns(*AR0), uns(*CDP), AC0 :: MAC uns(*AR1), uns(*CDP), AC1";
    check([1, TOP], &format!("MAC {dual}"), [1 + 0x1234 * 0xffff, 0xffff * 0xffff - 1]);
    // without uns() a word of ones is -1
    check([0, 0], "MAC *AR0, *CDP, AC0 :: MAC *AR1, *CDP, AC1", [(1 << 40) - 0x1234, 1]);
    check(
        [5, 0],
        "MAS uns(*AR0), uns(*CDP), AC0 :: MAC uns(*AR2), uns(*CDP), AC1",
        [5 + (1 << 40) - 0x1234 * 0xffff, 3 * 0xffff],
    );
}

#[test]
fn operands_of_both_halves_are_unsigned_together() {
    // the text would need uns() on both sides: one code bit stands for both
    assert!(parse("MAC uns(*AR0), *CDP, AC0 :: MAC *AR1, *CDP, AC1").is_err());
    check(
        [0, 0],
        "MAC uns(*AR0), *CDP, AC0 :: MAC uns(*AR1), *CDP, AC1",
        [(1 << 40) - 0x1234, (1 << 40) - 0xffff],
    );
}

#[test]
fn sums_moved_down_keep_their_sign_in_products_only() {
    let negative = 0x80_0001_0000;
    check([negative, 0], "MACM uns(*AR1), uns(*AR2), AC0 >> #16, AC0", [0xff_ff82_fffe, 0]);
    check([negative, 0], "SFTL AC0, #-16, AC0", [0x80_0001, 0]);
    check([negative, 0], "SFTS AC0, #-16, AC0", [0x80_0001, 0]);
    check([negative, 1], "ADD AC0 << #-16, AC1", [negative, 0x80_0002]);
    check([negative, 1], "BSET SXMD", [negative, 1]);
    let mut machine = machine("BSET SXMD\nSFTS AC0, #-16, AC0\nADD AC0 << #-4, AC1");
    set(&mut machine, 0, negative);
    set(&mut machine, 1, 1);
    run(&mut machine, 3);
    assert_eq!([value(&machine, 0), value(&machine, 1)], [0xff_ff80_0001, 0xff_fff8_0001]);
}

#[test]
fn shifts_and_sums_have_40_bits() {
    check([0x80_0000_0001, 0], "SFTL AC0, #1", [2, 0]);
    check([3, 0], "SFTL AC0, #-1", [1, 0]);
    check([TOP, 3], "ADD AC0, AC1", [TOP, 2]);
    check([1, 0], "SUB AC0, AC1", [1, TOP]);
    check([0x12_3456_789a, 0], "SFTL AC0, #-20, AC1", [0x12_3456_789a, 0x12345]);
    check([0x12_3456_789a, 0], "SFTL AC0, #12, AC1", [0x12_3456_789a, 0x45_6789_a000]);
}

#[test]
fn double_words_have_the_higher_word_first() {
    check([1, 0], "ADD dbl(*AR0), AC0", [0x1234_8766, 0]);
    let mut machine = machine("MOV AC0, dbl(*AR0+)\nMOV pair(LO(AC0)), dbl(*AR0+)");
    set(&mut machine, 0, 0x12_3456_789a);
    set(&mut machine, 1, 0xbcde);
    run(&mut machine, 2);
    let cells: Vec<u16> = (0x1000..0x1004).map(|at| *machine.memory.peek(at).unwrap()).collect();
    assert_eq!(cells, [0x3456, 0x789a, 0x789a, 0xbcde]);
}

#[test]
fn carries() {
    let mut machine =
        machine("ADD AC0, AC1\nADD uns(*AR2), CARRY, AC2\nSUB uns(*AR2), AC3\nSUB uns(*AR2), BORROW, AC3");
    set(&mut machine, 0, TOP);
    set(&mut machine, 1, 1);
    run(&mut machine, 2);
    assert_eq!((value(&machine, 1), value(&machine, 2)), (0, 4));
    run(&mut machine, 2);
    assert_eq!(value(&machine, 3), (1 << 40) - 7);
}

/// The third access to a block of dual-access memory in a cycle waits; single-access memory has one.
#[test]
fn accesses_wait_for_each_other() {
    let dual = |x: u8, y: u8| {
        let mut machine = machine(&format!("MAC *AR{x}, *CDP, AC0 :: MAC *AR{y}, *CDP, AC1"));
        if x == 2 {
            machine.set_pointer(8, 0x1801);
        }
        run(&mut machine, 1)
    };
    assert_eq!((dual(0, 1), dual(2, 0), dual(3, 0)), (1, 2, 1));
    let mut machine = machine("MAC *AR3, *CDP, AC0 :: MAC *AR0, *CDP, AC1");
    machine.set_pointer(8, 0x9001);
    assert_eq!(run(&mut machine, 1), 2);
}

#[test]
fn late_address_registers_are_waited_for() {
    let cycles = |text: &str, lines| run(&mut machine(text), lines);
    assert_eq!(cycles("MOV AC0, AR4\nAMOV #1, T0\nMOV AR4, T1", 3), 3);
    assert_eq!(cycles("MOV T0, AR0\nAADD AR0, AR1", 2), 6);
    assert_eq!(cycles("MOV T0, AR0\nNOP\nNOP\nAADD AR0, AR1", 4), 6);
    assert_eq!(cycles("AMOV #16, AR0\nAADD AR0, AR1", 2), 2);
}

#[test]
fn loops_and_calls() {
    let text = "MOV #2, BRC0\nRPTBLOCAL end-1\nADD #1, AC0\nRPT #9\nADD #1, AC1\nend: CALL f\nNOP\nf: ADD #5, AC0\nRET";
    let mut machine = machine(text);
    machine.enter(0).unwrap();
    assert_eq!(run(&mut machine, 2 + 3 * 3), 2 + 3 * 12);
    assert_eq!((value(&machine, 0), value(&machine, 1)), (3, 30));
    assert_eq!(run(&mut machine, 4), 38 + 6 + 1 + 5 + 1);
    assert_eq!(value(&machine, 0), 8);
}

#[test]
fn what_is_not_modelled_is_a_fault() {
    let fault = |text: &str, prepare: fn(&mut State)| {
        let mut machine = machine(text);
        prepare(&mut machine);
        machine.step().unwrap_err()
    };
    let narrow = |machine: &mut State| {
        machine.set_status(Status { m40: false, sxmd: false, arms: false });
    };
    assert!(matches!(fault("ADD AC0, AC1", narrow), Fault::NotModelled { .. }));
    let arms = |machine: &mut State| machine.set_status(Status { m40: true, sxmd: false, arms: true });
    assert!(matches!(fault("MOV AC0, *(AR0+T1)", arms), Fault::NotModelled { .. }));
    assert!(matches!(fault("MOV AC0, *AR4", |_| {}), Fault::Undefined { .. }));
    assert!(matches!(fault("MOV AC0, *AR0(#-0x1000)", |_| {}), Fault::NotOwned { .. }));
    let foreign = |machine: &mut State| machine.set_ta(Ta::Ar(4), 0x1000);
    assert!(matches!(fault("MOV AC0, *AR4", foreign), Fault::NotModelled { .. }));
}

/// The fault of the last of so many lines.
fn fault_after(text: &str, lines: usize, status: Option<Status>) -> Fault {
    let mut machine = machine(text);
    if let Some(status) = status {
        machine.set_status(status);
    }
    machine.enter(0).unwrap();
    run(&mut machine, lines - 1);
    machine.step().unwrap_err()
}

/// BRC0 counts down: a second block that nobody gave a count runs once.
#[test]
fn a_block_leaves_its_counter_at_zero() {
    let text = "MOV #2, BRC0\nRPTBLOCAL a-1\nADD #1, AC0\nNOP\na: RPTBLOCAL b-1\nADD #1, AC1\nNOP\nb: NOP";
    let mut machine = machine(text);
    run(&mut machine, 2 + 3 * 2 + 1 + 2);
    assert_eq!((value(&machine, 0), value(&machine, 1), machine.pc()), (3, 1, 7));
}

#[test]
fn loops_that_manuals_leave_open_are_faults() {
    let not_modelled = |text: &str, lines: usize| {
        let fault = fault_after(text, lines, None);
        assert!(matches!(fault, Fault::NotModelled { .. }), "{text}: {fault}");
    };
    not_modelled("MOV #1, BRC0\nRPTBLOCAL e-1\nMOV #2, BRC0\nNOP\ne: NOP", 3);
    not_modelled("MOV #1, BRC0\nRPTBLOCAL e-1\nNOP\nRPT #1\ne: NOP", 4);
    not_modelled("RPT #2\nB x\nx: NOP", 2);
    not_modelled("RPT #2\nRPT #1\nNOP", 2);
    not_modelled("RPT #2\nBSET SXMD", 2);
    not_modelled("RPT #0\nRET", 2);
}

#[test]
fn what_status_bits_leave_open_is_a_fault() {
    let narrow = Some(Status { m40: false, sxmd: false, arms: false });
    let signed = Some(Status { m40: true, sxmd: true, arms: false });
    for (text, status) in [
        ("BCC x, AC0 < #0\nx: NOP", narrow),
        ("AND T0, AC0", signed),
        ("OR T0, AC0", signed),
        ("XOR AR0, AC0", signed),
        ("NOT T0, AC0", signed),
    ] {
        assert!(matches!(fault_after(text, 1, status), Fault::NotModelled { .. }), "{text}");
    }
}

/// The upper bits of an address register lie on the system stack.
#[test]
fn upper_bits_are_saved_and_restored() {
    let mut machine = machine("PSHBOTH XAR5\nAMAR *AR0, XAR5\nPOPBOTH XAR5\nRET");
    machine.set_caller(5, 0x1234);
    machine.enter(0).unwrap();
    run(&mut machine, 2);
    assert!(!machine.has_upper_of_call(5));
    run(&mut machine, 1);
    assert!(machine.has_upper_of_call(5));
    assert_eq!(machine.step(), Ok(rhomb_machine::Control::Return));
    assert!(matches!(fault_after("POPBOTH XAR0", 1, None), Fault::NotModelled { .. }));
    assert!(matches!(fault_after("PSHBOTH XAR0\nPOP AR0\nRET", 3, None), Fault::NotModelled { .. }));
}

/// What is repeated waits for its own address register each time.
#[test]
fn a_repeated_line_waits_for_itself() {
    assert_eq!(run(&mut machine("MOV AR0, *AR0\nRPT #2\nMOV *AR0, AR0"), 3), 1 + 1 + 3 + 2 * 4);
}
