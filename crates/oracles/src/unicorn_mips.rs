use crate::Stop;
use crate::script::Script;
use serde::{Deserialize, Serialize};

/// A state of a MIPS processor and code to run from it.
#[derive(Clone, Debug, Serialize)]
pub struct MipsJob {
    /// Byte address of `code`, where execution starts; 0x1_0000 to 0x1_f000.
    pub origin: u32,
    /// Machine code.
    pub code: Vec<u32>,
    /// $0 to $31; the first is 0.
    pub registers: [u32; 32],
    /// LO and HI.
    pub accumulator: [u32; 2],
    /// Where the run ends.
    pub until: u32,
    /// Most instructions.
    pub limit: u32,
    /// Data to write first and to give back: byte addresses from 0x4000_0000 on, and words.
    pub memory: Vec<(u32, Vec<u32>)>,
}

/// A state of a MIPS processor after a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct MipsOutcome {
    /// Why it ended; an exception counts as refused.
    pub stop: Stop,
    /// $0 to $31.
    pub registers: [u32; 32],
    /// LO and HI.
    pub accumulator: [u32; 2],
    /// The data of the job's places.
    pub memory: Vec<Vec<u32>>,
}

/// unicorn 2.1.4 (QEMU's model of a 4Km, little-endian) in a child process of Python. The protocol stands in
/// `tests/oracles/unicorn_words.py`.
pub struct MipsUnicorn(Script);

impl MipsUnicorn {
    /// Starts the emulator.
    ///
    /// # Panics
    /// When Python or the package is not there.
    pub fn start() -> Self {
        MipsUnicorn(Script::python("unicorn_words.py", "unicorn", &["mips"]))
    }

    /// Runs jobs, in one exchange.
    ///
    /// # Panics
    /// When the emulator ends.
    pub fn run(&mut self, jobs: &[MipsJob]) -> Vec<MipsOutcome> {
        self.0.ask(jobs)
    }
}
