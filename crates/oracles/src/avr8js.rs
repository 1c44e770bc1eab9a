use crate::job::{Job, JobText, Outcome};
use crate::script::Script;

/// avr8js 0.21.1 in a child process of Node. The protocol stands in `tests/oracles/avr8js.mjs`.
pub struct Avr8js(Script);

impl Avr8js {
    /// Starts a simulator of a core with that many bytes of flash (more than 128 KiB: program counter
    /// of 22 bits) and data memory up to `data_end`.
    ///
    /// # Panics
    /// When Node or the package is not there.
    pub fn start(flash_bytes: u32, data_end: u32) -> Self {
        let arguments = [flash_bytes, data_end].map(|number| number.to_string());
        Avr8js(Script::node("avr8js.mjs", "avr8js", &arguments))
    }

    /// Runs jobs, in one exchange.
    ///
    /// # Panics
    /// When the simulator ends.
    pub fn run(&mut self, jobs: &[Job]) -> Vec<Outcome> {
        let texts: Vec<JobText<'_>> = jobs.iter().map(JobText::from).collect();
        self.0.ask(&texts)
    }
}
