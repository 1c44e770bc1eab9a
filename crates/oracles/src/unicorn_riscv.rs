use crate::script::Script;
use crate::{RiscvJob, RiscvOutcome};
use serde::Serialize;

/// unicorn 2.1.4 (QEMU's model of RV32IMC) in a child process of Python. The protocol stands in
/// `tests/oracles/unicorn_words.py`.
pub struct RiscvUnicorn(Script);

#[derive(Serialize)]
struct Question<'a> {
    #[serde(flatten)]
    job: &'a RiscvJob,
    until: u32,
    registers: [u32; 32],
}

impl RiscvUnicorn {
    /// Starts the emulator.
    ///
    /// # Panics
    /// When Python or the package is not there.
    pub fn start() -> Self {
        RiscvUnicorn(Script::python("unicorn_words.py", "unicorn", &["riscv"]))
    }

    /// Runs jobs, in one exchange.
    ///
    /// # Panics
    /// When the emulator ends.
    pub fn run(&mut self, jobs: &[RiscvJob]) -> Vec<RiscvOutcome> {
        let question = |job: &RiscvJob| {
            let mut registers = job.registers;
            registers[1] = RiscvJob::RETURN;
            registers
        };
        let ask: Vec<Question> = jobs
            .iter()
            .map(|job| Question { job, until: RiscvJob::RETURN, registers: question(job) })
            .collect();
        self.0.ask(&ask)
    }
}
