use serde::{Deserialize, Serialize};

/// How far to run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Run {
    /// Exactly one instruction.
    One,
    /// A call: the return address `return_to`, in words, is pushed first; runs until it is reached with
    /// the stack pointer of before.
    Call {
        /// Word address of the caller.
        return_to: u32,
        /// Most instructions.
        limit: u32,
    },
}

/// A state of the processor and code to run from it.
#[derive(Clone, Debug)]
pub struct Job {
    /// Word address of `words`.
    pub origin: u32,
    /// Machine code.
    pub words: Vec<u16>,
    /// R0 to R31.
    pub registers: [u8; 32],
    /// Status register.
    pub sreg: u8,
    /// Stack pointer.
    pub sp: u16,
    /// Program counter in words.
    pub pc: u32,
    /// How far.
    pub run: Run,
    /// Data to write first: address and bytes. All other data memory is 0.
    pub memory: Vec<(u16, Vec<u8>)>,
    /// Data to give back: address and length.
    pub watch: Vec<(u16, u16)>,
}

/// Why a run ended.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(from = "u8")]
pub enum Stop {
    /// The instruction was executed, or the routine returned.
    Done,
    /// The limit of instructions.
    Limit,
    /// The simulator refused.
    Crashed,
}

/// A state after a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct Outcome {
    /// Why it ended.
    pub stop: Stop,
    /// R0 to R31.
    pub registers: [u8; 32],
    /// Status register.
    pub sreg: u8,
    /// Stack pointer.
    pub sp: u16,
    /// Program counter in words.
    pub pc: u32,
    /// Clock cycles of the run.
    pub cycles: u64,
    /// Instructions of the run.
    pub instructions: u64,
    /// The data asked for.
    pub memory: Vec<Vec<u8>>,
}

impl From<u8> for Stop {
    fn from(number: u8) -> Self {
        match number {
            0 => Stop::Done,
            1 => Stop::Limit,
            _ => Stop::Crashed,
        }
    }
}

impl Run {
    /// (limit, return address) as the harnesses want them.
    pub(crate) fn numbers(self) -> (u32, u32) {
        match self {
            Run::One => (0, 0),
            Run::Call { return_to, limit } => (limit, return_to),
        }
    }
}

/// A job in JSON.
#[derive(Serialize)]
pub(crate) struct JobText<'a> {
    origin: u32,
    words: &'a [u16],
    registers: &'a [u8],
    sreg: u8,
    sp: u16,
    pc: u32,
    limit: u32,
    return_to: u32,
    memory: &'a [(u16, Vec<u8>)],
    watch: &'a [(u16, u16)],
}

impl<'a> From<&'a Job> for JobText<'a> {
    fn from(job: &'a Job) -> Self {
        let (limit, return_to) = job.run.numbers();
        JobText {
            origin: job.origin,
            words: &job.words,
            registers: &job.registers,
            sreg: job.sreg,
            sp: job.sp,
            pc: job.pc,
            limit,
            return_to,
            memory: &job.memory,
            watch: &job.watch,
        }
    }
}
