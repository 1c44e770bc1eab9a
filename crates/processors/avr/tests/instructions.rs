//! Single instructions: registers and flags in, registers, flags and cycles out. The states are chosen
//! by hand for what is easy to get wrong; the tests against other simulators have the multitude.

use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Instruction, Op, flag};
use rhomb_avr::{Machine, Program};
use rhomb_machine::{Access, Concrete, Control, Cycles, Fault, Processor, run};
use std::sync::Arc;

type Simulator = Machine<Concrete<u8>>;

/// A machine with that program at 0, all registers and flags 0 and owned SRAM from 0x200 to 0x300
/// or its end.
fn machine(name: &str, code: &[Instruction]) -> Simulator {
    let program = Program::assemble(core(name).unwrap(), 0, code).unwrap();
    let mut machine = Machine::new(Arc::new(program), Concrete::new());
    for number in 0..32 {
        machine.set_register(number, 0);
    }
    machine.set_sreg(0);
    let end = machine.program().core().sram.end.min(0x300);
    machine.memory.own("data", 0x200..end, Access::Store).unwrap();
    machine.memory.fill(0x200, &vec![0; end as usize - 0x200]).unwrap();
    machine.set_sp((end - 1) as u16);
    machine
}

fn letters(sreg: u8) -> String {
    (0..8).rev().filter(|bit| sreg >> bit & 1 != 0).map(|bit| flag::LETTERS[bit..=bit].to_owned()).collect()
}

/// Runs one instruction from registers and flags; checks registers, flags (high bit first) and cycles.
fn check(
    instruction: Instruction,
    registers: &[(u8, u8)],
    sreg: u8,
    after: &[(u8, u8)],
    flags: &str,
    cycles: u64,
) {
    let mut machine = machine("atmega128", &[instruction]);
    for (number, value) in registers {
        machine.set_register(*number, *value);
    }
    machine.set_sreg(sreg);
    assert_eq!(machine.step(), Ok(Control::Continue));
    for (number, value) in after {
        assert_eq!(*machine.register(*number), *value, "r{number}");
    }
    assert_eq!(letters(machine.sreg()), flags);
    assert_eq!(machine.cycles(), Cycles::exact(cycles));
    assert_eq!(machine.pc(), 1);
}

const C: u8 = 1 << flag::C;
const Z: u8 = 1 << flag::Z;

#[test]
fn additions() {
    let add = Instruction::dr(Op::Add, 4, 5);
    check(add, &[(4, 0xff), (5, 1)], 0, &[(4, 0)], "HZC", 1);
    check(add, &[(4, 0x7f), (5, 1)], C, &[(4, 0x80)], "HVN", 1);
    check(add, &[(4, 0x80), (5, 0x80)], 0, &[(4, 0)], "SVZC", 1);
    let adc = Instruction::dr(Op::Adc, 4, 4);
    check(adc, &[(4, 0x80)], C, &[(4, 1)], "SVC", 1);
    check(Instruction::dk(Op::Adiw, 26, 63), &[(26, 0xc1), (27, 0xff)], 0, &[(26, 0), (27, 0)], "ZC", 2);
    check(Instruction::dk(Op::Adiw, 24, 1), &[(24, 0xff), (25, 0x7f)], 0, &[(24, 0), (25, 0x80)], "VN", 2);
    check(Instruction::dk(Op::Inc, 9, 0), &[(9, 0x7f)], C, &[(9, 0x80)], "VNC", 1);
}

#[test]
fn subtractions() {
    check(Instruction::dr(Op::Sub, 4, 5), &[(4, 0), (5, 1)], 0, &[(4, 0xff)], "HSNC", 1);
    let cpc = Instruction::dr(Op::Cpc, 4, 5);
    // Z only narrows
    check(cpc, &[], Z, &[], "Z", 1);
    check(cpc, &[], 0, &[], "", 1);
    // 0 - 0xff - 1 is 0 in eight bits
    check(Instruction::dr(Op::Sbc, 4, 5), &[(5, 0xff)], C | Z, &[(4, 0)], "HZC", 1);
    check(Instruction::dk(Op::Cpi, 16, 0x80), &[(16, 0x7f)], 0, &[(16, 0x7f)], "VNC", 1);
    check(Instruction::dk(Op::Neg, 3, 0), &[(3, 0x80)], 0, &[(3, 0x80)], "VNC", 1);
    check(Instruction::dk(Op::Neg, 3, 0), &[(3, 0)], 0, &[(3, 0)], "Z", 1);
    check(Instruction::dk(Op::Sbiw, 30, 1), &[], 0, &[(30, 0xff), (31, 0xff)], "SNC", 2);
    check(Instruction::dk(Op::Dec, 9, 0), &[(9, 0x80)], 0, &[(9, 0x7f)], "SV", 1);
}

#[test]
fn logic_and_shifts() {
    check(Instruction::dk(Op::Com, 7, 0), &[(7, 0xff)], 0, &[(7, 0)], "ZC", 1);
    check(Instruction::dr(Op::Eor, 7, 7), &[(7, 0xff)], C, &[(7, 0)], "ZC", 1);
    check(Instruction::dk(Op::Lsr, 7, 0), &[(7, 1)], 0, &[(7, 0)], "SVZC", 1);
    check(Instruction::dk(Op::Ror, 7, 0), &[(7, 0)], C, &[(7, 0x80)], "VN", 1);
    check(Instruction::dk(Op::Asr, 7, 0), &[(7, 0x81)], 0, &[(7, 0xc0)], "SNC", 1);
    check(Instruction::dk(Op::Swap, 7, 0), &[(7, 0xa5)], 0xff, &[(7, 0x5a)], "ITHSVNZC", 1);
}

#[test]
fn products() {
    let after = |low, high| [(0, low), (1, high)];
    let product = |op| Instruction::dr(op, 16, 17);
    check(product(Op::Mul), &[(16, 0xff), (17, 0xff)], 0, &after(0x01, 0xfe), "C", 2);
    check(product(Op::Mul), &[(16, 0), (17, 0xff)], C, &after(0, 0), "Z", 2);
    check(product(Op::Muls), &[(16, 0xff), (17, 0xff)], C, &after(1, 0), "", 2);
    check(product(Op::Muls), &[(16, 0x80), (17, 0x80)], 0, &after(0, 0x40), "", 2);
    check(product(Op::Mulsu), &[(16, 0xff), (17, 0xff)], 0, &after(0x01, 0xff), "C", 2);
    check(product(Op::Fmul), &[(16, 0x80), (17, 0x80)], 0, &after(0, 0x80), "", 2);
    check(product(Op::Fmuls), &[(16, 0x80), (17, 0x80)], 0, &after(0, 0x80), "", 2);
    check(product(Op::Fmulsu), &[(16, 0x80), (17, 0xff)], 0, &after(0, 0x01), "C", 2);
}

#[test]
fn bits_and_moves() {
    check(Instruction { op: Op::Bst, d: 0, r: 8, b: 3, k: 0 }, &[(8, 8)], 0, &[], "T", 1);
    check(Instruction { op: Op::Bld, d: 8, r: 0, b: 0, k: 0 }, &[], 1 << flag::T, &[(8, 1)], "T", 1);
    check(Instruction { b: 7, ..Instruction::new(Op::Bset) }, &[], 0, &[], "I", 1);
    check(Instruction::dr(Op::Movw, 24, 30), &[(30, 3), (31, 4)], 0, &[(24, 3), (25, 4)], "", 1);
}

#[test]
fn branches_and_skips_cost_what_they_do() {
    let branch = Instruction { b: 1, k: -5, ..Instruction::new(Op::Brbs) };
    let skip = Instruction { r: 3, b: 0, ..Instruction::new(Op::Sbrs) };
    let lds = Instruction::dk(Op::Lds, 4, 0x200);
    let cases = [
        (branch, 0, 0, 9, 1),
        (branch, 0, Z, 4, 2),
        (skip, 0, 0, 9, 1),
        // over two words
        (skip, 1, 0, 11, 3),
    ];
    for (instruction, r3, sreg, pc, cycles) in cases {
        let mut code = vec![Instruction::new(Op::Nop); 8];
        code.extend([instruction, lds, lds]);
        let mut machine = machine("atmega128", &code);
        machine.set_pc(8);
        machine.set_register(3, r3);
        machine.set_sreg(sreg);
        machine.step().unwrap();
        assert_eq!((machine.pc(), machine.cycles().max), (pc, cycles));
    }
}

#[test]
fn the_stack_and_the_call() {
    let code = [Instruction::rk(Op::Push, 5, 0), Instruction::dk(Op::Pop, 6, 0), Instruction::new(Op::Ret)];
    for (name, width, cycles) in [("atmega128", 2, 8), ("atmega2560", 3, 9), ("avr128da48", 2, 7)] {
        let mut machine = machine("atmega128", &code);
        if name != "atmega128" {
            let program = Program::assemble(core(name).unwrap(), 0, &code).unwrap();
            machine = Machine::new(Arc::new(program), Concrete::new());
            machine.set_register(5, 0);
        }
        let top = core(name).unwrap().sram.end - 1;
        machine.memory.own("stack", top - 16..top - 4, Access::Store).unwrap();
        machine.set_sp((top - 4) as u16 - 1 + width);
        machine.set_register(5, 99);
        machine.enter(0).unwrap();
        let tally = run(&mut machine, 10).unwrap();
        assert_eq!((tally.instructions, tally.cycles.max), (3, cycles), "{name}");
        assert_eq!((*machine.register(6), machine.sp()), (99, (top - 4) as u16 - 1 + width));
    }
}

#[test]
fn taking_the_return_address_from_the_stack_is_a_fault() {
    let mut machine = machine("atmega128", &[Instruction::dk(Op::Pop, 6, 0), Instruction::new(Op::Ret)]);
    machine.set_sp(0x280);
    machine.enter(0).unwrap();
    assert_eq!(run(&mut machine, 10), Err(Fault::StackRaised { by: 1 }));
    assert_eq!(machine.pc(), 0);
}

#[test]
fn faults_of_memory_come_through() {
    let store = Instruction::rk(Op::StXInc, 5, 0);
    let mut m = machine("atmega128", &[store, Instruction::dk(Op::LddY, 5, 2)]);
    m.set_pair(26, 0x300);
    assert_eq!(m.step(), Err(Fault::NotOwned { address: 0x300, access: Access::Store }));
    let mut m = machine("atmega128", &[store]);
    m.memory.own("operand", 0x300..0x310, Access::Load).unwrap();
    m.set_pair(26, 0x300);
    assert_eq!(m.step(), Err(Fault::ReadOnly { address: 0x300, region: "operand".into() }));
    let mut m = machine("atmega128", &[Instruction::dk(Op::LddY, 5, 2)]);
    m.memory.own("operand", 0x300..0x310, Access::Load).unwrap();
    m.set_pair(28, 0x300);
    assert_eq!(m.step(), Err(Fault::Uninitialised { address: 0x302 }));
}

fn fault(machine: &mut Simulator) -> String {
    loop {
        if let Err(fault) = machine.step() {
            return fault.to_string();
        }
    }
}

#[test]
fn what_is_not_modelled_is_named() {
    let check = |instruction: Instruction, expected: &str| {
        assert_eq!(fault(&mut machine("atmega128", &[instruction])), expected);
    };
    // the manual leaves these undefined: 6.53, 6.66 to 6.68, 6.72, 6.114 to 6.116
    for (register, pointer) in [(26, 'X'), (27, 'X'), (28, 'Y'), (29, 'Y'), (30, 'Z'), (31, 'Z')] {
        let ops = match pointer {
            'X' => [Op::LdXInc, Op::LdXDec, Op::StXInc, Op::StXDec],
            'Y' => [Op::LdYInc, Op::LdYDec, Op::StYInc, Op::StYDec],
            _ => [Op::LdZInc, Op::LdZDec, Op::StZInc, Op::StZDec],
        };
        check(Instruction::dk(ops[0], register, 0), &format!("not modelled: ld r{register}, {pointer}+"));
        check(Instruction::dk(ops[1], register, 0), &format!("not modelled: ld r{register}, -{pointer}"));
        check(Instruction::rk(ops[2], register, 0), &format!("not modelled: st {pointer}+, r{register}"));
        check(Instruction::rk(ops[3], register, 0), &format!("not modelled: st -{pointer}, r{register}"));
        if pointer == 'Z' {
            check(Instruction::dk(Op::LpmZInc, register, 0), &format!("not modelled: lpm r{register}, Z+"));
        }
    }
    check(Instruction::new(Op::Sleep), "not modelled: sleep");
    check(Instruction::new(Op::Break), "not modelled: break");
    check(Instruction::dk(Op::In, 5, 0x01), "not modelled: load of the I/O register at data address 0x0021");
    let spm = [0x95e8u16];
    let mut m =
        Machine::new(Arc::new(Program::new(core("atmega128").unwrap(), 0, &spm)), Concrete::<u8>::new());
    m.set_strict(false);
    let expected = "not modelled: address 0x0000: the time of spm on atmega128 is not in the manual";
    assert_eq!(fault(&mut m), expected);
    let mul = [0x9c01u16];
    let mut m =
        Machine::new(Arc::new(Program::new(core("attiny85").unwrap(), 0, &mul)), Concrete::<u8>::new());
    m.set_strict(false);
    assert_eq!(fault(&mut m), "not modelled: address 0x0000: attiny85 has no instruction mul");
    let mut m = machine("atmega128", &[Instruction::new(Op::Nop)]);
    assert_eq!(fault(&mut m), "execution left the program at 0x0001");
}

#[test]
fn undefined_registers_and_flags_are_faults_until_written() {
    let undefined = |code: &[Instruction]| {
        let program = Program::assemble(core("atmega128").unwrap(), 0, code).unwrap();
        let mut machine = Machine::new(Arc::new(program), Concrete::<u8>::new());
        machine.memory.own("stack", 0x200..0x300, Access::Store).unwrap();
        machine.set_sp(0x2ff);
        machine.set_register(9, 1);
        fault(&mut machine)
    };
    let over = "execution left the program at";
    assert_eq!(undefined(&[Instruction::dr(Op::Add, 4, 9)]), "read of r4, which holds what nobody has set");
    assert_eq!(
        undefined(&[Instruction::dr(Op::Adc, 9, 9)]),
        "read of flag C, which holds what nobody has set"
    );
    // r - r does not depend on r
    assert!(undefined(&[Instruction::dr(Op::Eor, 4, 4), Instruction::dr(Op::Add, 4, 9)]).starts_with(over));
    // saved and restored: still undefined
    let save =
        [Instruction::rk(Op::Push, 4, 0), Instruction::dk(Op::Ldi, 20, 3), Instruction::dk(Op::Pop, 4, 0)];
    assert!(undefined(&save).starts_with(over));
    let mut used = save.to_vec();
    used.push(Instruction::dr(Op::Add, 9, 4));
    assert_eq!(undefined(&used), "read of r4, which holds what nobody has set");
    // a copy is as undefined as the original, and can be copied back
    let mut copied = vec![Instruction::dr(Op::Movw, 18, 4), Instruction::dr(Op::Mov, 4, 9)];
    copied.extend([Instruction::dr(Op::Add, 4, 9), Instruction::dr(Op::Movw, 4, 18)]);
    assert!(undefined(&copied).starts_with(over));
    copied.push(Instruction::dr(Op::Cp, 9, 4));
    assert_eq!(undefined(&copied), "read of r4, which holds what nobody has set");
    let copy = [Instruction::dr(Op::Mov, 9, 5), Instruction::dk(Op::Inc, 9, 0)];
    assert_eq!(undefined(&copy), "read of r9, which holds what nobody has set");
    let pushed = [Instruction::rk(Op::Push, 4, 0), Instruction::dk(Op::Lds, 5, 0x2ff)];
    assert_eq!(
        undefined(&pushed),
        "read of data address 0x02ff, where an undefined register was pushed, which holds what nobody has set"
    );
    // the prologue that saves SREG
    assert!(
        undefined(&[Instruction::dk(Op::In, 0, 0x3f), Instruction::rk(Op::Out, 0, 0x3f)]).starts_with(over)
    );
}

#[test]
fn a_program_runs_again_after_reset() {
    let code = [Instruction::dr(Op::Add, 4, 5), Instruction::new(Op::Ret)];
    let mut machine = machine("atmega128", &code);
    for run_number in 0..3 {
        machine.reset();
        machine.set_sp(0x280);
        machine.set_register(4, run_number);
        machine.set_register(5, 10);
        machine.enter(0).unwrap();
        assert_eq!(run(&mut machine, 10).unwrap().cycles.max, 5);
        assert_eq!(*machine.register(4), run_number + 10);
    }
}

#[test]
fn programs_may_outgrow_the_flash_but_not_the_return_address() {
    let mut code = vec![Instruction::new(Op::Nop); 70_000];
    code.push(Instruction::new(Op::Ret));
    let mut m = machine("attiny85", &code);
    m.set_sp(0x250);
    m.enter(0).unwrap();
    assert_eq!(run(&mut m, 100_000).unwrap().cycles.max, 70_004);
    code[69_999] = Instruction { k: -2, ..Instruction::new(Op::Rcall) };
    let mut m = machine("attiny85", &code);
    m.set_pc(69_999);
    let expected = "not modelled: a call from 0x1116f, beyond the reach of the return address";
    assert_eq!(fault(&mut m), expected);
}
