use crate::job::{Job, JobText, Outcome, OutcomeText};
use crate::place::{missing, place, workspace};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// avr8js 0.21.1 in a child process of Node. The protocol stands in `tests/oracles/avr8js.mjs`.
pub struct Avr8js {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Avr8js {
    /// Starts a simulator of a core with that many bytes of flash (more than 128 KiB: program counter
    /// of 22 bits) and data memory up to `data_end`.
    ///
    /// # Panics
    /// When Node or the package is not there.
    pub fn start(flash_bytes: u32, data_end: u32) -> Self {
        let package = place().join("node_modules/avr8js");
        if !package.exists() {
            missing(&package.display().to_string(), &"not installed");
        }
        let child = Command::new("node")
            .arg(workspace().join("tests/oracles/avr8js.mjs"))
            .arg(package.canonicalize().expect("it exists"))
            .args([flash_bytes.to_string(), data_end.to_string()])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        let mut child = child.unwrap_or_else(|error| missing("node", &error));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Avr8js { child, input, output }
    }

    /// Runs jobs, in one exchange.
    ///
    /// # Panics
    /// When the simulator ends.
    pub fn run(&mut self, jobs: &[Job]) -> Vec<Outcome> {
        let input = self.input.as_mut().expect("open until drop");
        let texts: Vec<JobText<'_>> = jobs.iter().map(JobText::from).collect();
        let mut line = serde_json::to_vec(&texts).expect("jobs are plain data");
        line.push(b'\n');
        input.write_all(&line).and_then(|()| input.flush()).expect("avr8js takes jobs");
        let mut answer = String::new();
        self.output.read_line(&mut answer).expect("avr8js answers");
        let outcomes: Vec<OutcomeText> = serde_json::from_str(&answer).expect("avr8js answers in JSON");
        outcomes.into_iter().map(Outcome::from).collect()
    }
}

impl Drop for Avr8js {
    fn drop(&mut self) {
        // end of input ends the child
        self.input = None;
        let _ = self.child.wait();
    }
}
