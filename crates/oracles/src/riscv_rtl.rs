use crate::gnu::{Scratch, run};
use crate::place::workspace;
use crate::{RiscvJob, RiscvOutcome, Stop};
use std::fmt::Write;
use std::path::PathBuf;

/// A RISC-V core: its published RTL in a simulator. The benches stand in `tests/oracles/rtl`, the protocol in `jobs.sv`.
pub struct RiscvRtl(PathBuf);

/// Where the core starts.
const START: u32 = 0x80;
/// The registers before and after a call: in the last 2 KiB of memory, which addresses below 0 reach from register 0.
const GIVEN: u32 = 0x3_f800;
const LEFT: u32 = 0x3_f880;
/// Where a store marks the time, and where one marks the end: offsets to register 0.
const MARK: i32 = -16;
const END: i32 = -12;
/// `addi x0, x0, 0`.
const NOP: u32 = 0x13;
/// `jalr x0, 0(ra)`.
const RET: [u16; 2] = [0x8067, 0];

fn load(register: u32, offset: i32) -> u32 {
    (offset as u32) << 20 | 2 << 12 | register << 7 | 0x03
}

fn store(register: u32, offset: i32) -> u32 {
    let offset = offset as u32;
    offset >> 5 << 25 | register << 20 | 2 << 12 | (offset & 31) << 7 | 0x23
}

fn jump(register: u32, distance: i32) -> u32 {
    let distance = distance as u32;
    let high = (distance >> 20 & 1) << 31 | (distance >> 1 & 0x3ff) << 21;
    high | (distance >> 11 & 1) << 20 | (distance >> 12 & 0xff) << 12 | register << 7 | 0x6f
}

/// What calls a routine, again and again.
fn caller(origin: u32) -> Vec<u32> {
    let offset = |block: u32, register: u32| (block + 4 * register) as i32 - 0x4_0000;
    let mut code: Vec<u32> = (1..32).map(|register| load(register, offset(GIVEN, register))).collect();
    code.push(store(0, MARK));
    code.push(jump(1, origin as i32 - (RiscvJob::RETURN as i32 - 4)));
    code.push(store(0, MARK));
    code.extend((1..32).map(|register| store(register, offset(LEFT, register))));
    code.push(store(0, END));
    code.push(jump(0, -4 * code.len() as i32));
    code
}

/// Halfwords as words.
fn words(code: &[u16]) -> Vec<u32> {
    let word = |pair: &[u16]| u32::from(pair[0]) | u32::from(pair.get(1).copied().unwrap_or(0)) << 16;
    code.chunks(2).map(word).collect()
}

/// A job as the bench reads it.
fn write(text: &mut String, job: &RiscvJob) {
    let (caller, mut code) = (caller(job.origin), words(&job.code));
    // a core fetches ahead, and VexRiscv follows jumps there
    code.extend([NOP; 8]);
    let mut given = vec![(START, caller.as_slice()), (job.origin, &code), (GIVEN, &job.registers)];
    given.extend(job.memory.iter().map(|(address, words)| (*address, words.as_slice())));
    // writing to a String cannot fail
    let _ = write!(text, "{:x} {:x}", job.limit.saturating_add(1000), given.len());
    for (address, words) in &given {
        let _ = write!(text, " {address:x} {:x}", words.len());
        words.iter().for_each(|word| write!(text, " {word:x}").unwrap_or_default());
    }
    let _ = write!(text, " {:x} {:x} 20", job.memory.len() + 1, LEFT);
    for (address, words) in &job.memory {
        let _ = write!(text, " {address:x} {:x}", words.len());
    }
    text.push('\n');
}

/// The words, the stop and the cycles of an answer.
fn read(line: &str, job: &RiscvJob) -> RiscvOutcome {
    // what is not known is written as x, and no cycles or registers are
    let number = |text: &str| u32::from_str_radix(text, 16).unwrap_or_else(|_| panic!("{text}: {line}"));
    let mut numbers = line.split(' ').map(number);
    let mut next = || numbers.next().unwrap_or_else(|| panic!("cut short: {line}"));
    let mut registers: [u32; 32] = std::array::from_fn(|_| next());
    registers[0] = 0;
    let memory = job.memory.iter().map(|(_, words)| words.iter().map(|_| next()).collect()).collect();
    let stop = if next() == 0 { Stop::Done } else { Stop::Limit };
    let cycles = next().into();
    RiscvOutcome { stop, cycles, registers, memory }
}

impl RiscvRtl {
    /// The simulator of a core of that name, made if it is not there.
    ///
    /// # Panics
    /// When it cannot be made.
    pub fn of(core: &str) -> Self {
        let build = workspace().join("tests/oracles/rtl/build");
        let made = run(&build.display().to_string(), &[core.as_ref()]);
        RiscvRtl(made.unwrap_or_else(|error| panic!("{error}")).trim().into())
    }

    /// Runs jobs, in one run of the simulator: each from a reset on, with what earlier ones left in the rest of memory.
    ///
    /// # Panics
    /// When the simulator does not answer, or leaves something undefined.
    pub fn run(&self, jobs: &[RiscvJob]) -> Vec<RiscvOutcome> {
        let Some(first) = jobs.first() else { return Vec::new() };
        let empty = RiscvJob { code: RET.to_vec(), memory: Vec::new(), registers: [0; 32], ..*first };
        let mut text = String::new();
        let all = || std::iter::once(&empty).chain(jobs);
        all().for_each(|job| write(&mut text, job));
        let file = Scratch::of("jobs", text);
        let given = format!("+jobs={}", file.0.display());
        let answer = run(&self.0.display().to_string(), &[given.as_ref()]);
        let answer = answer.unwrap_or_else(|error| panic!("{error}"));
        // Verilator says that it ends
        let lines = answer.lines().filter(|line| !line.starts_with('-'));
        let mut outcomes: Vec<_> = lines.zip(all()).map(|(line, job)| read(line, job)).collect();
        assert_eq!(outcomes.len(), jobs.len() + 1, "{answer}");
        let call = outcomes.remove(0).cycles;
        outcomes.iter_mut().for_each(|outcome| outcome.cycles -= call);
        outcomes
    }
}
