use crate::Stop;
use serde::{Deserialize, Serialize};

/// A call of a RISC-V routine: a state and code to run from it.
#[derive(Clone, Debug, Serialize)]
pub struct RiscvJob {
    /// Byte address of `code`, where execution starts; from [`RiscvJob::ORIGIN`] to 0x8000.
    pub origin: u32,
    /// Machine code.
    pub code: Vec<u16>,
    /// x0 to x31; the first is 0, and ra is given.
    #[serde(skip)]
    pub registers: [u32; 32],
    /// Most instructions, or cycles.
    pub limit: u32,
    /// Data to write first and to give back: byte addresses from 0x8000 to 0x3_f000, and words.
    pub memory: Vec<(u32, Vec<u32>)>,
}

/// What a RISC-V routine left.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct RiscvOutcome {
    /// Why it ended.
    pub stop: Stop,
    /// Cycles beyond those of a call of a routine that does nothing but return; 0 of an emulator that knows none.
    #[serde(default)]
    pub cycles: i64,
    /// x0 to x31.
    pub registers: [u32; 32],
    /// The data of the job's places.
    pub memory: Vec<Vec<u32>>,
}

impl RiscvJob {
    /// An address for code that shares no line of a cache with what calls it.
    pub const ORIGIN: u32 = 0x1200;
    /// Where routines return to.
    pub const RETURN: u32 = 0x104;
}
