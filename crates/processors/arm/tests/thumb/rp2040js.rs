//! Cycles of every instruction of the Cortex-M0+ against rp2040js 1.4.1, but for what [`Rp2040js`] tells; the state that each
//! leaves is compared, too, but for what [`deviation`] tells.

use crate::support::times::{Times, step};
use rhomb_arm::cores::core;
use rhomb_arm::instructions::{Action, Condition, DataOp, LR, Later, Offset, PC, SP, Shifter, flag};
use rhomb_arm::syntax::gnu;
use rhomb_arm::thumb::{Found, Level, decode};
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete, Domain};
use rhomb_oracles::{ArmJob, ArmOutcome, Random, Rp2040js, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;

const ORIGIN: u32 = Rp2040js::CODE + 0x2000;
const DATA: u32 = 0x2000_0100;
/// Of data.
const WORDS: u32 = 32;
/// What a literal may lie behind the instruction, in words.
const LITERALS: usize = 258;
const NOP: u16 = 0xbf00;

/// A state in which its address lies in the data, and its jump goes into the code.
fn job(found: &Found, code: [u16; 2], random: &mut Random) -> ArmJob {
    let mut registers: [u32; 15] = std::array::from_fn(|_| random.edge_word());
    let middle = DATA + 64;
    registers[usize::from(SP)] = middle;
    let mut data: Vec<u32> = (0..WORDS).map(|_| random.edge_word()).collect();
    let target = (ORIGIN + 2 * random.below(0x200) as u32) | 1;
    let mut words = 1;
    match found.action {
        Action::Transfer { address, .. } if address.rn == PC => words = LITERALS,
        Action::Transfer { address, .. } => {
            registers[usize::from(address.rn)] = match address.offset {
                Offset::Register { rm, .. } if rm == address.rn => middle / 2,
                Offset::Register { rm, .. } => {
                    registers[usize::from(rm)] = 4 * random.below(8) as u32;
                    middle - registers[usize::from(rm)]
                }
                Offset::Immediate(by) => middle - u32::from(by),
                Offset::Rrx { .. } => panic!("{found:?}"),
            };
        }
        Action::Block { rn, load, registers: list, .. } => {
            registers[usize::from(rn)] = middle;
            if load && list >> PC != 0 {
                data[15 + list.count_ones() as usize] = target;
            }
        }
        Action::BranchExchange { rm } | Action::Later(Later::CallExchange { rm }) => {
            registers[usize::from(rm)] = target;
        }
        Action::Data { op, rd: PC, operand: Shifter::Register { rm, .. }, .. } if rm != PC => {
            registers[usize::from(rm)] = if op == DataOp::Add { target - ORIGIN } else { target };
        }
        // what the stack pointer becomes is a multiple of 4
        Action::Data { rd: SP, operand: Shifter::Register { rm, .. }, .. } if rm != PC => {
            registers[usize::from(rm)] &= !3;
        }
        Action::Data { operand: Shifter::ByRegister { rs, .. }, .. } if random.below(2) == 0 => {
            registers[usize::from(rs)] = *random.pick(&[0, 1, 31, 32, 33, 64, 255]);
        }
        _ => {}
    }
    let mut all = vec![u32::from(code[1]) << 16 | u32::from(code[0])];
    all.extend((1..words).map(|_| random.edge_word()));
    let (flags, memory) = (random.below(16) as u8, vec![(DATA, data)]);
    ArmJob {
        origin: ORIGIN,
        code: all,
        registers,
        extension: Vec::new(),
        flags,
        limit: 0,
        return_to: 0,
        memory,
    }
}

/// Our state after the instruction, and its times.
fn ours(job: &ArmJob) -> (ArmOutcome, Times) {
    let program = Program::new(core("cortex-m0plus").unwrap(), job.origin, &rhomb_arm::halves(&job.code));
    let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
    for (number, value) in job.registers.into_iter().enumerate() {
        machine.set_register(number as u8, value);
    }
    machine.set_flags(job.flags);
    machine.memory.own("window", DATA / 4..DATA / 4 + WORDS, Access::Store).unwrap();
    machine.memory.fill(DATA / 4, &job.memory[0].1).unwrap();
    let mut times = Times::default();
    step(&mut machine, &mut times).unwrap_or_else(|fault| panic!("{job:x?}: {fault}"));
    let set = |flag: u8| machine.domain.known_bit(machine.flag(flag)) == Some(true);
    let outcome = ArmOutcome {
        extension: Vec::new(),
        stop: Stop::Done,
        registers: std::array::from_fn(|number| *machine.register(number as u8)),
        flags: [flag::N, flag::Z, flag::C, flag::V].into_iter().filter(|flag| set(*flag)).sum(),
        pc: machine.pc(),
        memory: vec![(0..WORDS).map(|word| *machine.memory.left(DATA / 4 + word).unwrap()).collect()],
    };
    (outcome, times)
}

/// What rp2040js 1.4.1 gets wrong, by what DDI 0419E, A6.7, says under the name of each instruction.
#[derive(Default)]
struct Deviation {
    flags: u8,
    register: Option<u8>,
    pc: bool,
}

fn deviation(found: &Found, job: &ArmJob) -> Deviation {
    let register = |number: u8| job.registers[usize::from(number)];
    let flags = |flags: u8| Deviation { flags, ..Deviation::default() };
    let turns = |word: u32| [i32::MAX as u32, u32::MAX].contains(&word);
    let carry = job.flags & flag::C != 0;
    match found.action {
        // ADC, SBC: the carry is added to an operand before signs are compared
        Action::Data { op: DataOp::Adc, rd, .. } if carry && turns(register(rd)) => flags(flag::V),
        Action::Data { op: DataOp::Sbc, operand: Shifter::Register { rm, .. }, .. }
            if !carry && turns(register(rm)) =>
        {
            flags(flag::V)
        }
        // LSL, LSR, ASR, ROR by a register: of no places, and of more than 31
        Action::Data { operand: Shifter::ByRegister { rs, .. }, .. }
            if !(1..32).contains(&(register(rs) & 0xff)) =>
        {
            flags(flag::C)
        }
        // STM: a base in the list is written back, too
        Action::Block { load: false, rn, registers, .. } if registers >> rn & 1 != 0 => {
            Deviation { register: Some(rn), ..Deviation::default() }
        }
        // BLX: LR is written before it is read
        Action::Later(Later::CallExchange { rm: LR }) => Deviation { pc: true, ..Deviation::default() },
        _ => Deviation::default(),
    }
}

/// Their outcome with ours in place of what is known to be wrong.
fn corrected(found: &Found, job: &ArmJob, ours: &ArmOutcome, mut theirs: ArmOutcome) -> ArmOutcome {
    let Deviation { flags, register, pc } = deviation(found, job);
    theirs.flags = theirs.flags & !flags | ours.flags & flags;
    if let Some(register) = register.map(usize::from) {
        theirs.registers[register] = ours.registers[register];
    }
    if pc {
        theirs.pc = ours.pc;
    }
    theirs
}

/// All halfwords of ARMv6-M, and some calls.
fn codes(random: &mut Random) -> Vec<(Found, [u16; 2])> {
    let halves = (0..0xe800u16).map(|half| [half, NOP]);
    let calls = (0..300).map(|_| {
        [0xf000 | random.below(0x800) as u16, 0xd000 | (random.below(0x1000) | random.below(2) << 13) as u16]
    });
    let all = halves.chain(calls);
    all.filter_map(|code| Some((decode(Level::V6m, &code, None).ok()?, code))).collect()
}

#[test]
fn cycles_of_every_instruction() {
    let mut random = Random::new(17);
    let mut rp2040js = Rp2040js::start();
    let (mut lists, mut branches) = (BTreeSet::new(), BTreeSet::new());
    let (mut states, mut differences) = (0, Vec::new());
    for part in codes(&mut random).chunks(1000) {
        let jobs: Vec<ArmJob> = part.iter().map(|(found, code)| job(found, *code, &mut random)).collect();
        let (outcomes, taken) = rp2040js.run(&jobs);
        let theirs = outcomes.into_iter().zip(taken);
        for (((found, _), job), (theirs, cycles)) in part.iter().zip(&jobs).zip(theirs) {
            states += 1;
            let (ours, times) = ours(job);
            match found.action {
                Action::Block { load, rn, registers, .. } => {
                    lists.insert((load, rn == SP, registers >> LR != 0, registers.count_ones()));
                }
                Action::Branch { .. } if found.condition != Condition::Al => {
                    branches.insert((found.condition.bits(), times.ours > 1));
                }
                _ => {}
            }
            let theirs = corrected(found, job, &ours, theirs);
            if (&ours, times.theirs) != (&theirs, cycles) {
                let text = gnu::thumb(found);
                differences.push(format!(
                    "{text}\n{job:x?}\nours   {times:?} {ours:x?}\ntheirs {cycles} {theirs:x?}"
                ));
            }
        }
    }
    println!("{states} states");
    let shown = &differences[..differences.len().min(3)];
    assert!(differences.is_empty(), "{} states differ\n{}", differences.len(), shown.join("\n"));
    // LDM and STM, PUSH and POP of one to eight, and of none to eight with LR or PC
    assert_eq!(lists.len(), 2 * (8 + 8 + 9), "{lists:?}");
    assert_eq!(branches.len(), 2 * 14, "{branches:?}");
    assert!(states > 55_000, "{states}");
}
