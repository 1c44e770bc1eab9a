//! The meaning of every instruction against unicorn's model of a 4Km, from random states.

use super::*;
use rhomb_machine::{Access, Concrete, Control, Fault, Processor};
use rhomb_mips::encode::encode;
use rhomb_mips::instructions::{Kind, ROWS};
use rhomb_mips::{Machine, Program};
use rhomb_oracles::{MipsJob, MipsUnicorn, Stop};
use std::sync::Arc;

const ORIGIN: u32 = 0x1_0000;
/// Data of both; 8 words.
const DATA: u32 = 0x4000_0100;

/// A word that is extreme half of the time.
fn word(random: &mut Random) -> u32 {
    const EDGES: [u32; 8] = [0, 1, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff, 0xffff_8000, 0x7fff, 31];
    if random.below(2) == 0 { random.bits() as u32 } else { *random.pick(&EDGES) }
}

/// Instructions that are refused on purpose, or not of user mode.
fn is_left_out(row: &Row) -> bool {
    let refused = matches!(row.op, Op::Ll | Op::Sc);
    refused || matches!(row.kind, Kind::System) || row.operands.contains(&Operand::Jump)
}

/// Code around an instruction: what a delay slot and a taken or passed branch leave can be told apart.
fn code(one: &Instruction, row: &Row) -> Vec<u32> {
    let mark = |register| Instruction::rt_rs_immediate(Op::Addiu, register, 0, 0x55);
    let mut code = vec![encode(one).unwrap()];
    if row.kind == Kind::Branch {
        code.extend([mark(24), mark(25), mark(26)].map(|mark| encode(&mark).unwrap()));
    }
    code
}

fn job(row: &Row, random: &mut Random) -> (Instruction, MipsJob) {
    let mut one = instruction(row, 0, random);
    let mut registers: [u32; 32] = std::array::from_fn(|_| word(random));
    registers[0] = 0;
    if random.below(4) == 0 {
        one.rt = one.rs;
    }
    if !row.operands.contains(&Operand::Rt) {
        one.rt = 0;
    }
    if row.operands.contains(&Operand::Memory) {
        let alignment = match row.op {
            Op::Lw | Op::Sw => 4,
            Op::Lh | Op::Lhu | Op::Sh => 2,
            _ => 1,
        };
        one.rs = 1 + random.below(31) as u8;
        let address = DATA + random.below(32) as u32 / alignment * alignment;
        registers[usize::from(one.rs)] = address.wrapping_sub(one.immediate as u32);
    }
    if row.operands.contains(&Operand::Branch) {
        one.immediate = 3;
    }
    if matches!(row.op, Op::Jr | Op::Jalr) {
        one.rs = 1 + random.below(23) as u8;
        one.rd = if row.op == Op::Jalr { 31 } else { 0 };
        registers[usize::from(one.rs)] = ORIGIN + 16;
    }
    if matches!(row.op, Op::Div | Op::Divu) && registers[usize::from(one.rt)] == 0 {
        one.rt = 1;
        registers[1] = registers[1].max(1);
    }
    let code = code(&one, row);
    let until = ORIGIN + 4 * code.len() as u32;
    let job = MipsJob {
        origin: ORIGIN,
        code,
        registers,
        accumulator: [word(random), word(random)],
        until,
        limit: 8,
        memory: vec![(DATA, (0..8).map(|_| word(random)).collect())],
    };
    (one, job)
}

/// Our machine in the state of a job.
fn machine(job: &MipsJob) -> Machine<Concrete<u32>> {
    let program = Program::new(Arc::new(model("mips32-4km")), job.origin, &job.code);
    let mut machine = Machine::new(Arc::new(program), Concrete::new());
    for (number, value) in (0..).zip(job.registers) {
        machine.set_register(number, value);
    }
    machine.set_accumulator([job.accumulator[0], job.accumulator[1], 0]);
    machine.memory = rhomb_machine::Memory::new(DATA / 4..DATA / 4 + 8, 0);
    machine.memory.own("data", DATA / 4..DATA / 4 + 8, Access::Store).unwrap();
    machine.memory.fill(DATA / 4, &job.memory[0].1).unwrap();
    machine
}

#[test]
fn every_instruction_agrees_with_unicorn() {
    let mut random = Random::new(5);
    let mut jobs = Vec::new();
    let rows: Vec<&Row> = ROWS.iter().filter(|row| !is_left_out(row)).collect();
    for row in &rows {
        jobs.extend((0..60).map(|_| job(row, &mut random)));
    }
    let plain: Vec<MipsJob> = jobs.iter().map(|(_, job)| job.clone()).collect();
    let outcomes = MipsUnicorn::start().run(&plain);
    assert_eq!(outcomes.len(), jobs.len());
    let (mut exceptions, mut taken) = (0, 0);
    for ((one, job), outcome) in jobs.iter().zip(&outcomes) {
        let mut machine = machine(job);
        let text = format!("{one:?} {job:x?}");
        let mut fault = None;
        while fault.is_none() && machine.pc() != job.until {
            match machine.step() {
                Ok(control) => assert_eq!(control, Control::Continue),
                Err(stopped) => fault = Some(stopped),
            }
        }
        if let Some(fault) = fault {
            let Fault::NotModelled { what } = &fault else { panic!("{fault}: {text}") };
            assert!(what.starts_with("the exception of"), "{fault}: {text}");
            assert_eq!(outcome.stop, Stop::Crashed, "{text}");
            exceptions += 1;
            continue;
        }
        assert_eq!(outcome.stop, Stop::Done, "{text}");
        for number in 0..32 {
            assert_eq!(*machine.register(number), outcome.registers[usize::from(number)], "${number} {text}");
        }
        for part in 0..2 {
            if machine.is_accumulator_defined()[part] {
                assert_eq!(machine.accumulator()[part], outcome.accumulator[part], "{part} {text}");
            }
        }
        let memory: Vec<u32> = (0..8).map(|cell| *machine.memory.peek(DATA / 4 + cell).unwrap()).collect();
        assert_eq!(memory, outcome.memory[0], "{text}");
        taken += usize::from(job.code.len() == 4 && *machine.register(25) != 0x55);
    }
    assert!(rows.len() > 80 && exceptions > 100 && taken > 200, "{} {exceptions} {taken}", rows.len());
}
