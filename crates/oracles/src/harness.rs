use crate::place::{missing, place};
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A simulator in a child process that takes jobs and answers in little-endian bytes.
pub(crate) struct Harness {
    name: &'static str,
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl Harness {
    /// Starts the program of that name that `tests/oracles/setup` built.
    ///
    /// # Panics
    /// When it is not there.
    pub(crate) fn start(name: &'static str, arguments: &[&str]) -> Self {
        let path = place().join(name);
        let child = Command::new(&path).args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| missing(&path.display().to_string(), &error));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        Harness { name, child, input, output }
    }

    /// Hands over a job.
    pub(crate) fn send(&mut self, job: &[u8]) {
        let input = self.input.as_mut().expect("open until drop");
        let sent = input.write_all(job).and_then(|()| input.flush());
        sent.unwrap_or_else(|error| panic!("{} takes no job: {error}", self.name));
    }

    /// Fills this with what comes next.
    pub(crate) fn read(&mut self, place: &mut [u8]) {
        let read = self.output.read_exact(place);
        read.unwrap_or_else(|error| panic!("{} does not answer: {error}", self.name));
    }

    /// The number in the next so many bytes, eight at most.
    pub(crate) fn number(&mut self, bytes: usize) -> u64 {
        let mut raw = [0; 8];
        self.read(&mut raw[..bytes]);
        u64::from_le_bytes(raw)
    }
}

impl Drop for Harness {
    fn drop(&mut self) {
        // end of input ends the child
        self.input = None;
        let _ = self.child.wait();
    }
}
