//! The meaning over secrets. Addresses, branches and the return must not depend on a secret; data may. The time of a
//! multiplication does.

use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::instructions::flag;
use rhomb_arm::{Function, Machine, Program};
use rhomb_machine::{
    Access, Buffer, Cycles, Domain, Fault, Finished, Hidden, Processor, Routine, SecretBranch, Secrets,
    Stopped, Taint, TaintedBit, VariableTime,
};
use std::sync::Arc;

/// A machine with R4 secret, the other registers their numbers, and R0 at data.
fn machine(code: &[u32]) -> Machine<Secrets<u32>> {
    let core = core("arm7tdmi").unwrap();
    let mut machine =
        Machine::new(Arc::new(Program::strict(core, 0, &rhomb_arm::halves(code)).unwrap()), Secrets::new());
    machine.set_flags(0);
    let cell = core.ram.start / 4;
    machine.memory.own("data", cell..cell + 16, Access::Store).unwrap();
    machine.memory.fill(cell, &[Taint::Known(7); 16]).unwrap();
    for number in 0..15 {
        machine.set_register(number, Taint::Known(number.into()));
    }
    machine.set_register(0, Taint::Known(core.ram.start));
    let secret = machine.domain.arbitrary();
    machine.set_register(4, secret);
    machine
}

fn fault(code: &[u32]) -> Fault {
    let mut machine = machine(code);
    loop {
        if let Err(fault) = machine.step() {
            return fault;
        }
    }
}

#[test]
fn secret_addresses_and_conditions_are_faults() {
    let secret = |code: &[u32], what: &str| {
        assert_eq!(fault(code), Fault::Secret { what: what.to_owned() });
    };
    // ldr r1, [r4]; ldr r1, [r0, r4]; stmia r4!, {r1}; ldrb r1, [r4], #1
    secret(&[0xe594_1000], "the address in r4");
    secret(&[0xe790_1004], "the address in r0");
    secret(&[0xe8a4_0002], "the address in r4");
    secret(&[0xe4d4_1001], "the address in r4");
    // bx r4; ldr pc from where r4 was stored
    secret(&[0xe12f_ff14], "the address to jump to");
    secret(&[0xe580_4000, 0xe590_f000], "the address to jump to");
    // tst r4, #1; then bne, addne
    secret(&[0xe314_0001, 0x1a00_0000], "the branch bne .+8");
    secret(&[0xe314_0001, 0x1081_1002], "the condition of addne r1, r1, r2");
}

#[test]
fn secret_data_flows_and_a_refused_instruction_changes_nothing() {
    // str r4, [r0]; ldrh r1, [r0, #2]; ldr r2, [r0, #4]; subs r4, r4, r4; addne r3, r3, #1
    let mut m = machine(&[0xe580_4000, 0xe1d0_10b2, 0xe590_2004, 0xe054_4004, 0x1283_3001]);
    for _ in 0..5 {
        m.step().unwrap();
    }
    assert!(matches!(m.register(1), Taint::Secret(_)));
    assert_eq!(
        (*m.register(2), *m.register(3), *m.register(4)),
        (Taint::Known(7), Taint::Known(3), Taint::Known(0))
    );
    assert_eq!(m.cycles(), Cycles::exact(2 + 3 + 3 + 1 + 1));

    let mut m = machine(&[0xe314_0001, 0x1081_1002]);
    m.step().unwrap();
    let before = (m.pc(), m.cycles(), *m.register(1));
    m.step().unwrap_err();
    assert_eq!((m.pc(), m.cycles(), *m.register(1)), before);
    // whoever knows the answer decides and goes on
    m.set_flag(flag::Z, TaintedBit::Known(false));
    m.step().unwrap();
    assert_eq!((m.pc(), *m.register(1)), (8, Taint::Known(3)));
}

#[test]
fn a_shift_by_a_secret_number_of_places_is_secret() {
    // movs r1, r2, lsl r4; mov r3, r4, lsl #4
    let mut m = machine(&[0xe1b0_1412, 0xe1a0_3204]);
    m.step().unwrap();
    m.step().unwrap();
    assert!(matches!((m.register(1), m.register(3)), (Taint::Secret(_), Taint::Secret(_))));
    assert_eq!(*m.flag(flag::C), TaintedBit::Secret);
}

/// Calls code as a function of a result of two words and operands of one, all of it secret.
fn call(core_name: &str, domain: Secrets<u32>, code: &[u32]) -> Result<Finished<Secrets<u32>>, Stopped> {
    let program =
        Arc::new(Program::strict(core(core_name).unwrap(), 0x100, &rhomb_arm::halves(code)).unwrap());
    let function =
        Function { program, entry: 0x100, convention: &AAPCS, stack_limit: 32, step_limit: 10_000 };
    let mut domain = domain;
    let mut operand = |name| Buffer {
        name,
        length: 1,
        content: Some(vec![domain.arbitrary()]),
        access: Access::Load,
        shares: None,
    };
    let (a, b) = (operand("a"), operand("b"));
    let r = Buffer { name: "r", length: 2, content: None, access: Access::Store, shares: None };
    function.call(domain, &[r, a, b])
}

/// ldr r1, [r1]; ldr r2, [r2]; umull r3, r12, r1, r2; stmia r0, {r3, r12}; bx lr
const MUL32: [u32; 5] = [0xe591_1000, 0xe592_2000, 0xe08c_3291, 0xe880_1008, 0xe12f_ff1e];

#[test]
fn the_time_of_a_multiplication_is_a_range() {
    let finished = call("arm7tdmi", Secrets::new(), &MUL32).unwrap();
    assert_eq!(finished.breaches, []);
    let cycles = Cycles { min: 3, max: 6 };
    assert_eq!(
        finished.variable_times,
        [VariableTime { address: 0x108, hidden: Hidden::Secret, cycles, unpublished: false }]
    );
    assert_eq!(finished.tally.cycles, Cycles { min: 3 + 3 + 3 + 3 + 3, max: 3 + 3 + 6 + 3 + 3 });
    assert_eq!(finished.body_cycles, Cycles { min: 12, max: 15 });
    let finished = call("arm7tdmi-paper", Secrets::new(), &MUL32).unwrap();
    assert_eq!(finished.variable_times, []);
    assert_eq!(finished.tally.cycles, Cycles::exact(16));
    // a public factor in Rs decides: mov r2, #0xff instead of the load
    let mut public = MUL32;
    public[1] = 0xe3a0_20ff;
    let finished = call("arm7tdmi", Secrets::new(), &public).unwrap();
    assert_eq!(finished.tally.cycles, Cycles::exact(3 + 1 + 3 + 3 + 3));
}

/// A bit that is set at the top of Rs leaves nothing to stop early for, unless a sign is there.
#[test]
fn a_multiplication_by_a_word_with_its_highest_bits_set_takes_a_known_time() {
    // orr r2, r2, #0x80000000; umull; or with #0x8000, #0x800000; smull
    for (orr, multiply, most) in [
        (0xe382_2102, 0xe08c_3291, Cycles::exact(6)),
        (0xe382_2902, 0xe08c_3291, Cycles { min: 4, max: 6 }),
        (0xe382_2502, 0xe08c_3291, Cycles { min: 5, max: 6 }),
        (0xe382_2102, 0xe0cc_3291, Cycles { min: 3, max: 6 }),
    ] {
        let code = [MUL32[0], MUL32[1], orr, multiply, MUL32[3], MUL32[4]];
        let finished = call("arm7tdmi", Secrets::new(), &code).unwrap();
        let rest = 3 + 3 + 1 + 3 + 3;
        assert_eq!(finished.tally.cycles, Cycles { min: rest + most.min, max: rest + most.max });
        let variable: Vec<Cycles> = finished.variable_times.iter().map(|one| one.cycles).collect();
        assert_eq!(variable, if most.min < most.max { vec![most] } else { vec![] });
    }
}

#[test]
fn both_sides_of_a_secret_condition_are_run() {
    // ldr r1, [r1]; cmp r1, #5; addhi r3, ...; str; bx lr: the skipped instruction takes as long
    let head = [0xe591_1000, 0xe3a0_3000, 0xe351_0005];
    let tail = [0xe580_3000, 0xe580_3004, 0xe12f_ff1e];
    let with = |middle: &[u32]| [&head[..], middle, &tail[..]].concat();
    let finished = call("arm7tdmi", Secrets::joining(), &with(&[0x8283_3001])).unwrap();
    assert_eq!(
        finished.secret_branches,
        [SecretBranch { address: 0x10c, hidden: Hidden::Secret, alike: true, taken: 1, other: 1 }]
    );
    assert!(matches!(finished.buffers[0][0], Some(Taint::Secret(_))));
    assert_eq!(finished.tally.cycles, Cycles::exact(3 + 1 + 1 + 1 + 2 + 2 + 3));
    // mulhi r3, r12, r1 without r12: mulhi r3, r1, r1 takes 2 to 5, or 1
    let finished = call("arm7tdmi", Secrets::joining(), &with(&[0x8003_0191])).unwrap();
    assert_eq!(
        finished.secret_branches,
        [SecretBranch { address: 0x10c, hidden: Hidden::Secret, alike: true, taken: 5, other: 1 }]
    );
    assert_eq!(finished.tally.cycles, Cycles { min: 3 + 1 + 1 + 1 + 7, max: 3 + 1 + 1 + 5 + 7 });
    // bls over two additions: 3, or 1 + 1 + 1
    let branch = with(&[0x9a00_0001, 0xe283_3001, 0xe283_3001]);
    let finished = call("arm7tdmi", Secrets::joining(), &branch).unwrap();
    assert_eq!(
        finished.secret_branches,
        [SecretBranch { address: 0x10c, hidden: Hidden::Secret, alike: true, taken: 3, other: 3 }]
    );
    // without joining it is refused there
    let stopped = call("arm7tdmi", Secrets::new(), &branch).unwrap_err();
    assert_eq!(stopped.to_string(), "the branch bls .+12 depends on secret data (at 0x010c: bls .+12)");
}
