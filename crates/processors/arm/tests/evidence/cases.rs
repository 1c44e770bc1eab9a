//! States for single instructions and routines, and our outcome of them.

use crate::evidence::forms::{Form, forms, instruction};
use rhomb_arm::cores::core;
use rhomb_arm::encode::encode;
use rhomb_arm::instructions::{
    Action, Address, BlockMode, Condition, DataOp, Indexing, Instruction, LR, Offset, PC, SP, ShiftKind,
    Shifter, Size, flag,
};
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete, Control, Domain, Fault, Processor};
use rhomb_oracles::{ArmJob, ArmOutcome, Random, Stop};
use std::sync::Arc;

/// Byte address of the data of a job, and its number of words.
pub(crate) const DATA: u32 = 0x4000_0100;
pub(crate) const WORDS: u32 = 32;

/// A state in which the instruction is defined: its address lies in the data, its jump goes into the code.
pub(crate) fn job(instruction: &Instruction, random: &mut Random) -> ArmJob {
    let origin = 0x8000 + 4 * random.below(0x3000) as u32;
    let mut registers: [u32; 15] = std::array::from_fn(|_| random.edge_word());
    let flags = random.below(16) as u8;
    let mut memory: Vec<(u32, Vec<u32>)> = vec![(DATA, (0..WORDS).map(|_| random.edge_word()).collect())];
    let mut limit = 0;
    let middle = DATA + 4 * (WORDS / 2);
    match instruction.action {
        Action::Transfer { size, address, .. } => {
            let target = middle
                + match size {
                    Size::Word => 4 * random.below(8) as u32,
                    Size::Half | Size::SignedHalf => 2 * random.below(16) as u32,
                    Size::Byte | Size::SignedByte => random.below(32) as u32,
                };
            aim(&mut registers, &address, target, flags);
        }
        Action::Block { rn, mode, .. } => {
            let down = matches!(mode, BlockMode::Da | BlockMode::Db);
            registers[usize::from(rn)] = if down { middle } else { middle - 8 } + 4 * random.below(2) as u32;
        }
        Action::Swap { byte, rn, .. } => {
            registers[usize::from(rn)] =
                middle + if byte { random.below(8) as u32 } else { 4 * random.below(8) as u32 };
        }
        // the other emulator must not go on behind the jump
        Action::Branch { .. } => limit = 1,
        Action::BranchExchange { rm } => {
            registers[usize::from(rm)] = 0x8000 + 4 * random.below(0x3000) as u32;
            limit = 1;
        }
        Action::Data { operand: Shifter::ByRegister { rs, .. }, .. } if random.below(2) == 0 => {
            registers[usize::from(rs)] =
                registers[usize::from(rs)] & !0xff | *random.pick(&[0, 1, 31, 32, 33, 64, 255]);
        }
        _ => {}
    }
    if instruction.registers_written() >> PC & 1 == 1 {
        limit = 1;
        let mut place = || 0x8000 + 4 * random.below(0x3000) as u32;
        match instruction.action {
            Action::Data { op, operand: Shifter::Register { rm, .. }, .. } => {
                registers[usize::from(rm)] = if op == DataOp::Mov { place() } else { place() % 0x100 };
            }
            Action::Transfer { .. } | Action::Block { .. } => memory[0].1.fill_with(place),
            _ => {}
        }
    }
    let code = vec![encode(instruction).unwrap()];
    ArmJob { origin, code, registers, extension: Vec::new(), flags, limit, return_to: 0, memory }
}

/// Sets the registers of an address so that it is `target`.
fn aim(registers: &mut [u32; 15], address: &Address, target: u32, flags: u8) {
    let rn = usize::from(address.rn);
    let shifted = |value: u32, kind, amount: u8| match (kind, amount) {
        (ShiftKind::Lsl, amount) => value << amount,
        (ShiftKind::Lsr, 32) => 0,
        (ShiftKind::Lsr, amount) => value >> amount,
        (ShiftKind::Asr, amount) => (i64::from(value as i32) >> amount) as u32,
        (ShiftKind::Ror, amount) => value.rotate_right(amount.into()),
    };
    let carry = u32::from(flags & flag::C != 0);
    let offset = |registers: &[u32; 15]| match address.offset {
        Offset::Immediate(number) => number.into(),
        Offset::Register { rm, kind, amount } => shifted(registers[usize::from(rm)], kind, amount),
        Offset::Rrx { rm } => registers[usize::from(rm)] >> 1 | carry << 31,
    };
    let own = match address.offset {
        Offset::Immediate(_) => false,
        Offset::Register { rm, .. } | Offset::Rrx { rm } => rm == address.rn,
    };
    if own {
        // base and offset at once: reaches the target where the offset comes out as nothing
        registers[rn] = target;
        return;
    }
    if address.indexing == Indexing::After {
        registers[rn] = target;
    } else {
        let offset = offset(registers);
        registers[rn] = if address.up { target.wrapping_sub(offset) } else { target.wrapping_add(offset) };
    }
}

/// Our machine in the state of a job, with the job's data as the memory that it owns.
pub(crate) fn machine(job: &ArmJob) -> Machine<Concrete<u32>> {
    let program = Program::new(core("arm7tdmi").unwrap(), job.origin, &rhomb_arm::halves(&job.code));
    let mut machine = Machine::new(Arc::new(program), Concrete::new());
    for (number, value) in job.registers.into_iter().enumerate() {
        machine.set_register(number as u8, value);
    }
    machine.set_flags(job.flags);
    for (address, words) in &job.memory {
        let cell = address / 4;
        machine.memory.own("window", cell..cell + words.len() as u32, Access::Store).unwrap();
        machine.memory.fill(cell, words).unwrap();
    }
    machine
}

/// The state of our machine as an oracle reports it.
pub(crate) fn outcome(machine: &Machine<Concrete<u32>>, job: &ArmJob) -> ArmOutcome {
    let set = |flag: u8| machine.domain.known_bit(machine.flag(flag)) == Some(true);
    let flags = [flag::N, flag::Z, flag::C, flag::V].into_iter().filter(|flag| set(*flag)).sum();
    let words = |(address, words): &(u32, Vec<u32>)| {
        (0..words.len() as u32).map(|word| *machine.memory.left(address / 4 + word).unwrap()).collect()
    };
    ArmOutcome {
        extension: Vec::new(),
        stop: Stop::Done,
        registers: std::array::from_fn(|number| *machine.register(number as u8)),
        flags,
        pc: machine.pc(),
        memory: job.memory.iter().map(words).collect(),
    }
}

/// The flags that the architecture defines in this state.
pub(crate) fn defined_flags(machine: &Machine<Concrete<u32>>) -> u8 {
    let all = [flag::N, flag::Z, flag::C, flag::V];
    all.into_iter().filter(|flag| machine.are_flags_defined(*flag)).sum()
}

/// Our outcome of one instruction, and the flags in it that are defined.
pub(crate) fn ours(job: &ArmJob) -> Result<(ArmOutcome, u8), Fault> {
    let mut machine = machine(job);
    match machine.step()? {
        Control::Continue => Ok((outcome(&machine, job), defined_flags(&machine))),
        Control::Return => unreachable!("nobody called"),
    }
}

/// Refusals in a row after which a form is taken for one that is never executed.
const MOST_REFUSED: usize = 10_000;

/// An instruction of a form in a state in which `run` executes it, and what that gives. Refused may only be what finds
/// no memory because its base and its offset are one register; `refused` counts these.
pub(crate) fn executed<T>(
    form: Form,
    random: &mut Random,
    refused: &mut usize,
    run: impl Fn(&ArmJob) -> Result<T, Fault>,
) -> (Instruction, ArmJob, T) {
    for _ in 0..MOST_REFUSED {
        let instruction = instruction(form, random);
        let job = job(&instruction, random);
        match run(&job) {
            Ok(result) => return (instruction, job, result),
            Err(Fault::NotOwned { .. } | Fault::NotModelled { .. }) if shares(&instruction.action) => {
                *refused += 1;
            }
            Err(fault) => panic!("{instruction:?}: {fault}\n{job:?}"),
        }
    }
    panic!("{form:?}: never executed")
}

/// Whether base and offset of a transfer are one register.
fn shares(action: &Action) -> bool {
    match action {
        Action::Transfer { address, .. } => match address.offset {
            Offset::Register { rm, .. } | Offset::Rrx { rm } => rm == address.rn,
            Offset::Immediate(_) => false,
        },
        _ => false,
    }
}

/// Both outcomes of an instruction without what the architecture leaves open or the caller decides.
pub(crate) fn comparable(
    instruction: &Instruction,
    (ours, theirs): (&mut ArmOutcome, &mut ArmOutcome),
    defined: u8,
) {
    // a single jump is told as a run that did not end
    theirs.stop = if theirs.stop == Stop::Limit { Stop::Done } else { theirs.stop };
    for outcome in [ours, theirs] {
        outcome.flags &= defined;
        if let Action::ReadStatus { rd, .. } = instruction.action {
            outcome.registers[usize::from(rd)] &= 0xf000_0000;
        }
    }
}

/// Bytes of stack that a routine has.
const STACK: u32 = 64;
/// Register that holds the address of the data in a routine.
const POINTER: u8 = 11;

/// A call of a routine of arithmetic, loads and stores around R11, conditions, and branches over the next instruction,
/// in a frame.
pub(crate) fn routine(random: &mut Random) -> ArmJob {
    let forms = forms();
    let block = |load, rn, write_back, mode, registers| {
        Instruction::from(Action::Block { load, rn, write_back, mode, registers, user: false })
    };
    let frame = 0x4ff0;
    // the callers' addresses in LR differ
    let mov = Action::Data { op: DataOp::Mov, set: false, rd: LR, rn: 0, operand: Shifter::plain(0) };
    let mut code = vec![block(false, SP, true, BlockMode::Db, frame), mov.into()];
    while code.len() < 120 {
        let rd = random.below(11) as u8;
        let next = match random.below(8) {
            0 | 1 => {
                let (load, size) =
                    (random.below(2) == 0, *random.pick(&[Size::Word, Size::Byte, Size::Half]));
                let inside = if size == Size::Word { 0 } else { 2 };
                let offset = Offset::Immediate(4 * random.below(u64::from(WORDS)) as u16 + inside);
                let address = Address { rn: POINTER, up: true, offset, indexing: Indexing::Offset };
                Action::Transfer { load, size, rd, address }.into()
            }
            2 => {
                let (load, registers) = (random.below(2) == 0, random.bits() as u16 & 0x07ff | 1);
                block(load, POINTER, false, BlockMode::Ia, registers)
            }
            3 => {
                let action = Action::Branch { link: false, distance: 8 };
                Instruction { condition: *random.pick(&Condition::ALL), action }
            }
            _ => loop {
                let next = instruction(*random.pick(&forms), random);
                let arithmetic = match next.action {
                    // the stack pointer and the pointer stay; where the two stand is the same
                    Action::Data { .. } => true,
                    // they would leave C undefined
                    Action::Multiply { set, .. } | Action::LongMultiply { set, .. } => !set,
                    _ => false,
                };
                if arithmetic && next.registers_written() & (1 << POINTER | 1 << SP | 1 << PC) == 0 {
                    break next;
                }
            },
        };
        code.push(next);
    }
    // the last branch goes here
    code.push(mov.into());
    code.push(block(true, SP, true, BlockMode::Ia, frame & !(1 << LR) | 1 << PC));
    let mut registers: [u32; 15] = std::array::from_fn(|_| random.edge_word());
    registers[usize::from(POINTER)] = DATA;
    registers[usize::from(SP)] = DATA + 0x400 + STACK;
    registers[usize::from(LR)] = 0x8000;
    let memory = vec![
        (DATA, (0..WORDS).map(|_| random.edge_word()).collect()),
        (DATA + 0x400, vec![0; STACK as usize / 4]),
    ];
    ArmJob {
        extension: Vec::new(),
        origin: 0x9000,
        code: code.iter().map(|one| encode(one).unwrap()).collect(),
        registers,
        flags: random.below(16) as u8,
        limit: 1000,
        return_to: 0x8000,
        memory,
    }
}
