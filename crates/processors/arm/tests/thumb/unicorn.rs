//! Results and flags of every form against unicorn 2.1.4 (QEMU's models of the cores).

use crate::thumb::extended;
use rhomb_arm::cores::core;
use rhomb_arm::extension::{Extension, FIRST};
use rhomb_arm::instructions::{Action, Instruction, Later, Offset, PC, SP, flag};
use rhomb_arm::thumb::{Found, Level, decode, decode_among};
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete, Domain, Processor};
use rhomb_oracles::{ArmJob, Random, Stop, Unicorn};
use std::sync::Arc;

/// Byte address of the data of a job, and its number of words.
const DATA: u32 = 0x2000_0100;
const WORDS: u32 = 32;
const ORIGIN: u32 = 0x8000;
const NOP: u16 = 0xbf00;

/// Whether it goes on with the next instruction, outside of IT blocks.
fn goes_on(one: &Instruction) -> bool {
    let other =
        matches!(one.action, Action::Later(Later::If { .. } | Later::Nothing(_)) | Action::Branch { .. });
    !other && one.registers_written() >> PC & 1 == 0 && one.registers_read() >> PC & 1 == 0
}

fn job(level: Level, found: &Found, code: Vec<u32>, random: &mut Random) -> ArmJob {
    let mut registers: [u32; 15] = std::array::from_fn(|_| random.edge_word());
    registers[usize::from(SP)] = DATA + 64;
    let middle = DATA + 64;
    let mut aim = |rn: u8, offset: Offset, up: bool| {
        let by = match offset {
            Offset::Immediate(number) => u32::from(number),
            Offset::Register { rm, amount, .. } => {
                registers[usize::from(rm)] = 4 * random.below(4) as u32;
                registers[usize::from(rm)] << amount
            }
            Offset::Rrx { .. } => 0,
        };
        registers[usize::from(rn)] = if up { middle.wrapping_sub(by) } else { middle.wrapping_add(by) };
    };
    match found.action {
        Action::Transfer { address, .. }
        | Action::Later(
            Later::Double { address, .. } | Later::Extension(Extension::Transfer { address, .. }),
        ) => {
            aim(address.rn, address.offset, address.up);
        }
        Action::Block { rn, .. } | Action::Later(Later::Extension(Extension::Block { rn, .. })) => {
            aim(rn, Offset::Immediate(0), true);
        }
        _ => {}
    }
    let memory = vec![(DATA, (0..WORDS).map(|_| random.edge_word()).collect())];
    let singles = if level == Level::V7emFp { 32 } else { 0 };
    let extension = (0..singles).map(|_| random.edge_word()).collect();
    let flags = random.below(16) as u8;
    ArmJob { origin: ORIGIN, code, registers, extension, flags, limit: 0, return_to: 0, memory }
}

/// Registers, those of the extension if the job has them, flags and memory.
type Outcome = ([u32; 15], Vec<u32>, u8, Vec<u32>);

/// Our registers, flags and memory after the instruction, or where the job ends; `None` where one is refused.
fn ours(name: &str, job: &ArmJob) -> Option<Outcome> {
    let program = Program::new(core(name).unwrap(), job.origin, &rhomb_arm::halves(&job.code));
    let mut machine = Machine::new(Arc::new(program), Concrete::<u32>::new());
    for (number, value) in job.registers.into_iter().enumerate() {
        machine.set_register(number as u8, value);
    }
    for (number, value) in (FIRST..).zip(&job.extension) {
        machine.set_register(number, *value);
    }
    machine.set_flags(job.flags);
    let (address, words) = &job.memory[0];
    machine.memory.own("window", address / 4..address / 4 + WORDS, Access::Store).unwrap();
    machine.memory.fill(address / 4, words).unwrap();
    machine.step().ok()?;
    while job.limit > 0 && machine.pc() != job.return_to {
        machine.step().ok()?;
    }
    assert!(machine.are_flags_defined(flag::ALL));
    let set = |flag: u8| machine.domain.known_bit(machine.flag(flag)) == Some(true);
    let flags = [flag::N, flag::Z, flag::C, flag::V].into_iter().filter(|flag| set(*flag)).sum();
    let registers = std::array::from_fn(|number| *machine.register(number as u8));
    let memory = (0..WORDS).map(|word| *machine.memory.left(address / 4 + word).unwrap()).collect();
    let extension = (FIRST..).zip(&job.extension).map(|(number, _)| *machine.register(number)).collect();
    Some((registers, extension, flags, memory))
}

fn compare(name: &str, model: &str, level: Level, samples: usize) {
    let mut random = Random::new(9);
    let mut unicorn = Unicorn::of_model(model);
    let mut cases = Vec::new();
    let mut refused = 0;
    let mut codes: Vec<[u16; 2]> = (0..0xe800u16).step_by(3).map(|half| [half, NOP]).collect();
    for first in 0xe800..=u16::MAX {
        codes.extend((0..samples).map(|_| [first, random.bits() as u16]));
    }
    codes.extend(extended(&mut random, samples));
    for code in codes {
        let Ok(found) = decode(level, &code, None) else { continue };
        if !goes_on(&found) {
            continue;
        }
        let job = job(level, &found, vec![u32::from(code[1]) << 16 | u32::from(code[0])], &mut random);
        match ours(name, &job) {
            Some(ours) => {
                cases.push((found, job, ours));
            }
            None => refused += 1,
        }
    }
    let jobs: Vec<ArmJob> = cases.iter().map(|case| case.1.clone()).collect();
    let mut differences = Vec::new();
    for (part, cases) in jobs.chunks(2000).zip(cases.chunks(2000)) {
        for ((found, job, ours), theirs) in cases.iter().zip(unicorn.run(part)) {
            let theirs_all = (theirs.registers, theirs.extension, theirs.flags, theirs.memory[0].clone());
            if theirs.stop != Stop::Done || *ours != theirs_all {
                differences.push(format!(
                    "{}\n{job:08x?}\nours {ours:08x?}\ntheirs {theirs_all:08x?}",
                    rhomb_arm::syntax::gnu::thumb(found)
                ));
            }
        }
    }
    let touches = |one: &Found| (one.registers_read() | one.registers_written()) >> FIRST != 0;
    let extended = cases.iter().filter(|(found, ..)| touches(found)).count();
    assert!(extended > 1000 || level != Level::V7emFp, "{extended} of the extension");
    println!("{name}: {} states, {extended} of the extension, {refused} refused", cases.len());
    assert!(
        differences.is_empty(),
        "{} differ\n{}",
        differences.len(),
        differences[..differences.len().min(4)].join("\n")
    );
    assert!(cases.len() > 10_000 && refused < cases.len() / 10);
}

#[test]
fn cortex_m0() {
    compare("cortex-m0", "M0", Level::V6m, 1);
}

#[test]
fn cortex_m3() {
    compare("cortex-m3", "M3", Level::V7m, 8);
}

#[test]
fn cortex_m4() {
    compare("cortex-m4f", "M4", Level::V7emFp, 8);
}

#[test]
fn cortex_m33() {
    compare("cortex-m33", "M33", Level::V7em, 4);
}

#[test]
fn cortex_m7() {
    compare("cortex-m7", "M7", Level::V7em, 4);
}

/// IT blocks with any conditions and any instructions that may stand in them and go on with the next one, from all flags.
fn compare_blocks(name: &str, model: &str, level: Level) {
    let mut random = Random::new(11);
    let mut unicorn = Unicorn::of_model(model);
    let (mut cases, mut refused) = (Vec::new(), 0);
    while cases.len() < 20_000 {
        let it = 0xbf00 | (1 + random.below(0xef)) as u16;
        let Ok(Found {
            instruction: Instruction { action: Action::Later(Later::If { mask, .. }), .. }, ..
        }) = decode(level, &[it], None)
        else {
            continue;
        };
        let mut halves = vec![it];
        let mut first = None;
        for number in mask.trailing_zeros()..4 {
            loop {
                let start = halves.len();
                // short ones as often as long ones
                let half = if random.below(2) == 0 { random.below(0xe800) } else { random.bits() & 0xffff };
                halves.push(half as u16);
                if halves[start] >> 11 >= 0b11101 {
                    halves.push(random.bits() as u16);
                }
                let found = decode_among(level, &halves, start).ok().filter(|found| {
                    let memory = matches!(
                        found.action,
                        Action::Transfer { .. }
                            | Action::Block { .. }
                            | Action::Later(Later::Double { .. } | Later::Extension(_))
                    );
                    goes_on(found) && (!memory || number == mask.trailing_zeros())
                });
                if let Some(found) = found {
                    first.get_or_insert(found);
                    break;
                }
                halves.truncate(start);
            }
        }
        let Some(first) = first else { continue };
        let bytes = 2 * halves.len() as u32;
        halves.resize(halves.len().next_multiple_of(2) + 2, NOP);
        let mut job = job(level, &first, rhomb_arm::words(&halves), &mut random);
        (job.limit, job.return_to) = (20, ORIGIN + bytes);
        match ours(name, &job) {
            Some(ours) => cases.push((job, ours)),
            None => refused += 1,
        }
    }
    assert!(refused < cases.len() / 10, "{refused} refused");
    let mut differences = Vec::new();
    for part in cases.chunks(2000) {
        let jobs: Vec<ArmJob> = part.iter().map(|case| case.0.clone()).collect();
        for ((job, ours), theirs) in part.iter().zip(unicorn.run(&jobs)) {
            let theirs_all = (theirs.registers, theirs.extension, theirs.flags, theirs.memory[0].clone());
            if theirs.stop != Stop::Done || *ours != theirs_all {
                differences.push(format!("{job:08x?}\nours {ours:08x?}\ntheirs {theirs_all:08x?}"));
            }
        }
    }
    let count = differences.len();
    assert!(differences.is_empty(), "{count} differ\n{}", differences[..count.min(3)].join("\n"));
}

#[test]
fn blocks_of_cortex_m3() {
    compare_blocks("cortex-m3", "M3", Level::V7m);
}

#[test]
fn blocks_of_cortex_m4() {
    compare_blocks("cortex-m4f", "M4", Level::V7emFp);
}

#[test]
fn blocks_of_cortex_m33() {
    compare_blocks("cortex-m33", "M33", Level::V7em);
}

#[test]
fn blocks_of_cortex_m7() {
    compare_blocks("cortex-m7", "M7", Level::V7em);
}
