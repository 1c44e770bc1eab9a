//! Random and extreme states for an instruction, as jobs for an oracle, and our own outcome.

use rhomb_avr::cores::{Core, core};
use rhomb_avr::encode::encode;
use rhomb_avr::instructions::{Instruction, Op, Operand, ROWS};
use rhomb_avr::{Machine, Program};
use rhomb_machine::{Access, Concrete, Control, Fault, Processor};
use rhomb_oracles::{Job, Outcome, Random, Run, Stop};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The classic cores: no free simulator has AVRxt.
pub(crate) const NAMES: [&str; 4] = ["atmega128", "atmega328p", "atmega2560", "attiny85"];

/// Instructions that our model refuses, so that there is nothing to compare.
pub(crate) const REFUSED: [(Op, &str); 4] = [
    (Op::Sleep, "waits for an interrupt, and there are none"),
    (Op::Break, "stops for a debugger"),
    (Op::Spm, "programs the flash"),
    (Op::SpmZInc, "programs the flash; on no core here with a simulator"),
];

/// Bytes that an instruction may touch.
const WINDOW: u16 = 0x60;
/// Words of program: the instruction, and data for LPM.
const LENGTH: u32 = 40;

/// A state, with its instruction.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) instruction: Instruction,
    pub(crate) job: Job,
}

/// Operations that a core can execute in our model.
pub(crate) fn operations(core: &Core) -> Vec<Op> {
    let refused = |op| REFUSED.iter().any(|(refused, _)| *refused == op);
    ROWS.iter().map(|row| row.op).filter(|op| core.has(*op) && !refused(*op)).collect()
}

/// Fails if some instruction of the table is neither on a core here nor refused for a stated reason.
pub(crate) fn assert_coverage() {
    let mut seen: BTreeSet<Op> = REFUSED.iter().map(|(op, _)| *op).collect();
    for name in NAMES {
        seen.extend(operations(core(name).unwrap()));
    }
    let missing: Vec<Op> = ROWS.iter().map(|row| row.op).filter(|op| !seen.contains(op)).collect();
    assert!(missing.is_empty(), "never exercised: {missing:?}");
}

/// A random state for an instruction.
pub(crate) fn case(core: &Core, op: Op, random: &mut Random) -> Case {
    let row = op.row();
    let flash_words = core.flash_bytes / 2;
    let mut i = Instruction::new(op);
    for operand in row.operands {
        let (low, high, step) = operand.range();
        let value = low + step * random.below(((high - low) / step + 1) as u64) as i32;
        match operand {
            Operand::D | Operand::DHigh | Operand::DMid | Operand::DPair | Operand::DWord => {
                i.d = value as u8;
            }
            Operand::R | Operand::RHigh | Operand::RMid | Operand::RPair => i.r = value as u8,
            Operand::Bit | Operand::Flag => i.b = value as u8,
            Operand::K8 => i.k = random.edge().into(),
            _ => i.k = value,
        }
    }
    // the same register twice
    let both = row.operands.len() == 2 && row.pattern.has(b'd') && row.pattern.has(b'r');
    if both && random.below(4) == 0 {
        i.r = i.d;
    }

    let mut registers = [0; 32];
    registers.fill_with(|| random.edge());
    // chains: equal operands are rare otherwise
    if both && random.below(4) == 0 {
        registers[usize::from(i.r)] = registers[usize::from(i.d)];
    }

    // data in the lower half of SRAM, stack in the upper half, program anywhere
    let half = (core.sram.end - core.sram.start) / 2;
    let data = (core.sram.start + random.below((half - u32::from(WINDOW)).into()) as u32) as u16;
    let sp = (core.sram.start + half + 8 + random.below((half - 16).into()) as u32) as u16;
    let extended = matches!(op, Op::Elpm | Op::ElpmZ | Op::ElpmZInc);
    let reach = if matches!(op, Op::Lpm | Op::LpmZ | Op::LpmZInc) { 0x8000 } else { flash_words };
    let mut origin = random.below((reach.min(flash_words) - LENGTH).into()) as u32;
    if extended && random.below(4) == 0 {
        origin = 0x8000 - LENGTH / 2;
    }
    let mut memory: Vec<(u16, Vec<u8>)> = [(data, WINDOW), (sp - 4, 8)]
        .map(|(address, length)| (address, (0..length).map(|_| random.edge()).collect()))
        .into();
    for storage in core.storage {
        memory.push((storage.address as u16, vec![random.byte()]));
    }
    let mut extensions = [0; 2];
    for (value, extension) in extensions.iter_mut().zip([core.rampz, core.eind]) {
        if let Some(extension) = extension {
            *value = random.byte() & extension.mask;
        }
    }

    let pair = |registers: &mut [u8; 32], low: usize, value: u32| {
        registers[low] = value as u8;
        registers[low + 1] = (value >> 8) as u8;
    };
    for operand in row.operands {
        let decrement = matches!(operand, Operand::XDec | Operand::YDec | Operand::ZDec);
        let displaced = matches!(operand, Operand::YDisp | Operand::ZDisp);
        match operand {
            Operand::Io => {
                let choices = io_choices(core, op);
                i.k = (*random.pick(&choices) - core.io_offset) as i32;
            }
            Operand::Data => i.k = target(core, data, &[], random).into(),
            Operand::Relative => {
                let bits = if op == Op::Rjmp || op == Op::Rcall { 12 } else { 7 };
                let half = 1 << (bits - 1);
                let after = i64::from(origin) + 1;
                // not out of the flash: there, simavr wraps
                let low = (-after).max(-half);
                let high = (i64::from(flash_words) - 1 - after).min(half - 1);
                i.k = (low + random.below((high - low + 1) as u64) as i64) as i32;
            }
            Operand::Absolute => i.k = random.below(flash_words.into()) as i32,
            _ => {
                let (read, _) = operand.pointer();
                if read != 0 && row.mnemonic != "lpm" && row.mnemonic != "elpm" {
                    let low = read.trailing_zeros() as usize;
                    // moving pointer: an access to the pointer's own registers is ambiguous
                    let own = if displaced { &[][..] } else { &[low as u16, low as u16 + 1] };
                    let mut address = target(core, data, own, random);
                    if displaced {
                        i.k = i.k.min(address.into());
                        address -= i.k as u16;
                    }
                    pair(&mut registers, low, u32::from(address) + u32::from(decrement));
                }
            }
        }
    }
    match op {
        Op::Ijmp | Op::Icall => {
            let target = random.below(u64::from(flash_words.min(0x10000))) as u32;
            pair(&mut registers, 30, target);
        }
        Op::Lpm | Op::LpmZ | Op::LpmZInc | Op::Elpm | Op::ElpmZ | Op::ElpmZInc => {
            let address = 2 * origin + random.below(u64::from(2 * LENGTH) - 1) as u32;
            pair(&mut registers, 30, address & 0xffff);
            extensions[0] = (address >> 16) as u8;
        }
        Op::Ret | Op::Reti => {
            let address = random.below(flash_words.into()) as u32;
            let bytes = address.to_be_bytes();
            let width = core.return_bytes as usize;
            memory[1].1[5..5 + width].copy_from_slice(&bytes[4 - width..]);
        }
        Op::Out => {
            let address = core.io_offset + i.k as u32;
            let mask = [core.rampz, core.eind].into_iter().flatten().find(|it| it.address == address);
            registers[usize::from(i.r)] &= mask.map_or(0xff, |extension| extension.mask);
        }
        _ => {}
    }
    if let (Some(name), true) = (moved_pointer(op), i.d & !1 == 26 || i.d >= 28 || i.r >= 26) {
        // undefined by the manual: see `undefined_combinations_are_refused`
        if i.d & !1 == name {
            i.d -= 16;
        }
        if i.r & !1 == name {
            i.r -= 16;
        }
    }
    for (value, extension) in extensions.into_iter().zip([core.rampz, core.eind]) {
        if let Some(extension) = extension {
            memory.push((extension.address as u16, vec![value]));
        }
    }

    let (first, second) = encode(&i).unwrap();
    let mut words = vec![first];
    words.extend(second);
    // what a skip skips: one word, or two (LDS r16)
    words.push(*random.pick(&[0x0000, 0x9100, 0x0c01]));
    while words.len() < LENGTH as usize {
        words.push(random.bits() as u16);
    }
    let watch = memory.iter().map(|(address, bytes)| (*address, bytes.len() as u16)).collect();
    let sreg = random.byte();
    let job = Job { origin, words, registers, sreg, sp, pc: origin, run: Run::One, memory, watch };
    Case { instruction: i, job }
}

/// The low register of the pointer that an access moves.
pub(crate) fn moved_pointer(op: Op) -> Option<u8> {
    let moved = op.row().operands.iter().map(|operand| operand.pointer().1).find(|written| *written != 0);
    moved.map(|written| written.trailing_zeros() as u8)
}

/// A data address: mostly in the window, sometimes a register or an I/O register, not one of `not`.
fn target(core: &Core, data: u16, not: &[u16], random: &mut Random) -> u16 {
    loop {
        let address = match random.below(8) {
            0 => random.below(32) as u16,
            1 => *random.pick(&registers_of(core)) as u16,
            _ => data + 1 + random.below(u64::from(WINDOW) - 2) as u16,
        };
        if !not.contains(&address) {
            return address;
        }
    }
}

/// Data addresses of the I/O registers that any value may be stored to.
fn registers_of(core: &Core) -> Vec<u32> {
    let mut addresses: Vec<u32> = core.storage.iter().map(|storage| storage.address).collect();
    addresses.extend([core.stack_pointer, core.stack_pointer + 1, core.sreg]);
    addresses
}

fn io_choices(core: &Core, op: Op) -> Vec<u32> {
    let end = core.io_offset + if matches!(op, Op::In | Op::Out) { 64 } else { 32 };
    let extensions = core.rampz.iter().chain(&core.eind).map(|extension| extension.address);
    let choices: Vec<u32> =
        registers_of(core).into_iter().chain(extensions).filter(|address| *address < end).collect();
    assert!(!choices.is_empty());
    choices
}

/// Our machine in the state of a job, with the job's data as the memory that it owns.
pub(crate) fn machine(core: &'static Core, job: &Job) -> Machine<Concrete<u8>> {
    let program = Program::new(core, job.origin, &job.words);
    let mut machine = Machine::new(Arc::new(program), Concrete::new());
    for (number, value) in job.registers.into_iter().enumerate() {
        machine.set_register(number as u8, value);
    }
    machine.set_sreg(job.sreg);
    machine.set_sp(job.sp);
    machine.set_pc(job.pc);
    for (address, bytes) in &job.memory {
        let start = u32::from(*address);
        if core.sram.contains(&start) {
            machine.memory.own("window", start..start + bytes.len() as u32, Access::Store).unwrap();
            machine.memory.fill(start, bytes).unwrap();
        } else if core.rampz.is_some_and(|rampz| rampz.address == start) {
            machine.set_rampz(bytes[0]);
        } else if core.eind.is_some_and(|eind| eind.address == start) {
            machine.set_eind(bytes[0]);
        } else {
            machine.set_storage(start, bytes[0]).unwrap();
        }
    }
    machine
}

/// The state of our machine as an oracle reports it.
pub(crate) fn outcome(machine: &mut Machine<Concrete<u8>>, job: &Job, instructions: u64) -> Outcome {
    let core = machine.program().core();
    let byte = |address: u32| {
        if core.rampz.is_some_and(|rampz| rampz.address == address) {
            machine.rampz().unwrap()
        } else if core.eind.is_some_and(|eind| eind.address == address) {
            machine.eind().unwrap()
        } else if core.sram.contains(&address) {
            *machine.memory.left(address).unwrap()
        } else {
            *machine.storage(address).unwrap()
        }
    };
    let range = |(address, length): &(u16, u16)| {
        (u32::from(*address)..u32::from(*address) + u32::from(*length)).map(byte).collect()
    };
    let memory = job.watch.iter().map(range).collect();
    Outcome {
        stop: Stop::Done,
        registers: std::array::from_fn(|number| *machine.register(number as u8)),
        sreg: machine.sreg(),
        sp: machine.sp(),
        pc: machine.pc(),
        cycles: machine.cycles().max,
        instructions,
        memory,
    }
}

/// Our outcome of one instruction.
pub(crate) fn ours(core: &'static Core, job: &Job) -> Result<Outcome, Fault> {
    let mut machine = machine(core, job);
    match machine.step()? {
        Control::Continue => Ok(outcome(&mut machine, job, 1)),
        Control::Return => unreachable!("nobody called"),
    }
}
