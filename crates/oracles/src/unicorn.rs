use crate::Stop;
use crate::script::Script;
use serde::{Deserialize, Serialize};

/// A state of an ARM processor and code to run from it.
#[derive(Clone, Debug, Serialize)]
pub struct ArmJob {
    /// Byte address of `code`, where execution starts: 0x8000 to 0x1f000, or in Thumb state 0x2002_0000 to 0x2003_f000.
    pub origin: u32,
    /// Machine code.
    pub code: Vec<u32>,
    /// R0 to R14.
    pub registers: [u32; 15],
    /// S0 to S31, or nothing.
    pub extension: Vec<u32>,
    /// N, Z, C and V as bits 3 to 0.
    pub flags: u8,
    /// 0: the first instruction alone, which goes on with the next; else the most instructions until `return_to`.
    pub limit: u32,
    /// Where a run ends that is not of one instruction.
    pub return_to: u32,
    /// Data to write first and to give back: byte addresses from 0x4000_0000 on, and words.
    pub memory: Vec<(u32, Vec<u32>)>,
}

/// A state of an ARM processor after a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
pub struct ArmOutcome {
    /// Why it ended.
    pub stop: Stop,
    /// R0 to R14.
    pub registers: [u32; 15],
    /// S0 to S31, if the job has them.
    #[serde(default)]
    pub extension: Vec<u32>,
    /// N, Z, C and V as bits 3 to 0.
    pub flags: u8,
    /// Program counter.
    pub pc: u32,
    /// The data of the job's places.
    pub memory: Vec<Vec<u32>>,
}

/// unicorn 2.1.4 (QEMU's model of an ARMv4T core) in a child process of Python. The protocol stands in
/// `tests/oracles/unicorn_arm.py`.
pub struct Unicorn(Script);

impl Unicorn {
    /// Starts the emulator.
    ///
    /// # Panics
    /// When Python or the package is not there.
    pub fn start() -> Self {
        Unicorn(Script::python("unicorn_arm.py", "unicorn", &[]))
    }

    /// Starts the emulator as a Cortex-M of this name (`M0`, `M3`, `M4`, `M7`, `M33`), in Thumb state; data then lies from 0x2000_0000 on.
    ///
    /// # Panics
    /// When Python or the package is not there.
    pub fn of_model(model: &str) -> Self {
        Unicorn(Script::python("unicorn_arm.py", "unicorn", &[model]))
    }

    /// Runs jobs, in one exchange.
    ///
    /// # Panics
    /// When the emulator ends.
    pub fn run(&mut self, jobs: &[ArmJob]) -> Vec<ArmOutcome> {
        self.0.ask(jobs)
    }
}
