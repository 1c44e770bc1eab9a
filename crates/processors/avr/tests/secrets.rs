//! The meaning over secrets. Addresses, branches and the return must not depend on a secret; data may.

use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::cores::core;
use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::lower::multiplication;
use rhomb_avr::{Function, Machine, Program};
use rhomb_kernel::{Parameters, walks};
use rhomb_machine::{
    Access, Breach, Buffer, Domain, Fault, Finished, Processor, Routine, Secrets, Stopped, Taint, TaintedBit,
};
use std::sync::Arc;

/// A machine with R4 secret, R5 = 5 and X, Y, Z at 0x200.
fn machine(code: &[Instruction]) -> Machine<Secrets<u8>> {
    let program = Program::assemble(core("atmega2560").unwrap(), 0, code).unwrap();
    let mut machine = Machine::new(Arc::new(program), Secrets::new());
    machine.set_sreg(0);
    machine.memory.own("data", 0x200..0x300, Access::Store).unwrap();
    machine.memory.fill(0x200, &[Taint::Known(7); 0x80]).unwrap();
    for number in 0..32 {
        machine.set_register(number, Taint::Known(number));
    }
    for low in [26, 28, 30] {
        machine.set_pair(low, 0x200);
    }
    let secret = machine.domain.arbitrary();
    machine.set_register(4, secret);
    machine.set_sp(0x2ff);
    machine
}

fn fault(code: &[Instruction]) -> Fault {
    let mut machine = machine(code);
    loop {
        if let Err(fault) = machine.step() {
            return fault;
        }
    }
}

#[test]
fn secret_addresses_and_branches_are_faults() {
    let secret = |code: &[Instruction], what: &str| {
        assert_eq!(fault(code), Fault::Secret { what: what.to_owned() });
    };
    let mov = |d| Instruction::dr(Op::Mov, d, 4);
    secret(&[mov(26), Instruction::dk(Op::LdX, 0, 0)], "the address in X");
    secret(&[mov(29), Instruction::rk(Op::StdY, 0, 1)], "the address in Y");
    secret(&[mov(30), Instruction::dk(Op::LpmZ, 0, 0)], "the address in Z");
    secret(&[mov(30), Instruction::new(Op::Ijmp)], "the address in Z");
    let branch = Instruction { b: 0, k: 1, ..Instruction::new(Op::Brbs) };
    secret(&[Instruction::dr(Op::Add, 5, 4), branch], "the branch brcs .+2");
    secret(&[Instruction::dr(Op::Cpse, 5, 4)], "the branch cpse r5, r4");
    secret(&[Instruction { r: 4, b: 2, ..Instruction::new(Op::Sbrc) }], "the branch sbrc r4, 2");
    secret(&[Instruction::rk(Op::Out, 4, 0x3e), Instruction::rk(Op::Out, 4, 0x3d)], "the stack pointer");
    secret(&[Instruction::rk(Op::Out, 4, 0x3b)], "RAMPZ");
    let push = Instruction::rk(Op::Push, 4, 0);
    secret(&[push, push, push, Instruction::new(Op::Ret)], "the return address");
}

#[test]
fn secret_data_flows_and_a_refused_branch_changes_nothing() {
    let branch = Instruction { b: 1, k: 1, ..Instruction::new(Op::Brbs) };
    let code = [
        Instruction::dr(Op::Mul, 4, 5),
        Instruction::rk(Op::StXInc, 0, 0),
        Instruction::dk(Op::LddY, 6, 0),
        Instruction::dk(Op::LddY, 7, 1),
        // masks what was secret: the flags know it again
        Instruction::dr(Op::Sub, 7, 7),
        branch,
    ];
    let mut m = machine(&code);
    for _ in 0..4 {
        m.step().unwrap();
    }
    assert!(matches!((m.register(6), m.register(7)), (Taint::Secret(_), Taint::Known(7))));
    m.step().unwrap();
    m.step().unwrap();
    assert_eq!((m.pc(), m.cycles().max), (7, 2 + 2 + 2 + 2 + 1 + 2));

    let mut m = machine(&[Instruction::dr(Op::And, 5, 4), branch]);
    m.step().unwrap();
    let before = (m.pc(), m.sp(), m.cycles(), *m.register(5));
    m.step().unwrap_err();
    assert_eq!((m.pc(), m.sp(), m.cycles(), *m.register(5)), before);
    // whoever knows the answer decides and goes on
    m.set_flag(1, TaintedBit::Known(true));
    m.step().unwrap();
    assert_eq!(m.pc(), 3);
}

/// Calls code as a function of a result of two words and operands of one, all of it secret.
fn call(words: usize, code: &[Instruction]) -> Result<Finished<Secrets<u8>>, Stopped> {
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, code).unwrap());
    let function = Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 32, step_limit: 10_000 };
    let mut domain = Secrets::new();
    let mut operand = |name| Buffer {
        name,
        length: words as u32,
        content: Some((0..words).map(|_| domain.arbitrary()).collect()),
        access: Access::Load,
        shares: None,
    };
    let (a, b) = (operand("a"), operand("b"));
    let r =
        Buffer { name: "r", length: 2 * words as u32, content: None, access: Access::Store, shares: None };
    function.call(domain, &[r, a, b])
}

#[test]
fn kernels_take_the_same_way_for_all_operands() {
    for method in walks() {
        let walk = method.walk(10, &Parameters::default()).unwrap();
        let kernel = multiplication(&walk, core("atmega128").unwrap(), &AVR_GCC).unwrap();
        let finished = call(10, &kernel.program).unwrap();
        assert_eq!(finished.breaches, Vec::<Breach>::new());
        assert!(finished.buffers[0].iter().all(|word| matches!(word, Some(Taint::Secret(_)))));
    }
}

#[test]
fn a_function_that_branches_on_an_operand_is_stopped_there() {
    let code = [
        Instruction::dr(Op::Movw, 30, 22),
        Instruction::dk(Op::LddZ, 18, 0),
        Instruction { r: 18, b: 0, ..Instruction::new(Op::Sbrc) },
        Instruction::new(Op::Nop),
        Instruction::new(Op::Ret),
    ];
    let stopped = call(1, &code).unwrap_err();
    assert_eq!(stopped.to_string(), "the branch sbrc r18, 0 depends on secret data (at 0x0004: sbrc r18, 0)");
    // a table look-up
    let code = [
        Instruction::dr(Op::Movw, 30, 22),
        Instruction::dk(Op::LddZ, 30, 0),
        Instruction::dk(Op::LddZ, 18, 0),
        Instruction::new(Op::Ret),
    ];
    let stopped = call(1, &code).unwrap_err();
    assert_eq!(stopped.fault, Fault::Secret { what: "the address in Z".into() });
    assert_eq!(stopped.address, 4);
}
