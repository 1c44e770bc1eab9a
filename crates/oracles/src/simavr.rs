use crate::job::{Job, Outcome, Stop};
use crate::place::{missing, place};
use std::io::{BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// libsimavr 1.6 in a child process, for one core. The protocol stands in `tests/oracles/simavr.c`.
pub struct SimAvr {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl SimAvr {
    /// Starts a simulator of the core with that GNU name.
    ///
    /// # Panics
    /// When the harness is not there.
    pub fn start(mmcu: &str) -> Self {
        let path = place().join("simavr");
        let child = Command::new(&path).arg(mmcu).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn();
        let mut child = child.unwrap_or_else(|error| missing(&path.display().to_string(), &error));
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().expect("stdout is piped"));
        SimAvr { child, input, output }
    }

    /// Runs a job.
    ///
    /// # Panics
    /// When the simulator ends.
    pub fn run(&mut self, job: &Job) -> Outcome {
        let input = self.input.as_mut().expect("open until drop");
        input.write_all(&bytes(job)).and_then(|()| input.flush()).expect("simavr takes a job");
        let stop = Stop::of(self.number(1) as u8);
        let mut registers = [0; 32];
        self.read(&mut registers);
        let sreg = self.number(1) as u8;
        let sp = self.number(2) as u16;
        let pc = self.number(4) as u32;
        let cycles = self.number(8);
        let instructions = self.number(8);
        let memory = job.watch.iter().map(|(_, length)| {
            let mut data = vec![0; usize::from(*length)];
            self.read(&mut data);
            data
        });
        let memory = memory.collect();
        Outcome { stop, registers, sreg, sp, pc, cycles, instructions, memory }
    }

    fn read(&mut self, place: &mut [u8]) {
        self.output.read_exact(place).expect("simavr answers");
    }

    fn number(&mut self, bytes: usize) -> u64 {
        let mut raw = [0; 8];
        self.read(&mut raw[..bytes]);
        u64::from_le_bytes(raw)
    }
}

fn bytes(job: &Job) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(256 + 2 * job.words.len());
    let (limit, return_to) = job.run.numbers();
    bytes.extend(job.origin.to_le_bytes());
    bytes.extend((job.words.len() as u32).to_le_bytes());
    bytes.extend(job.words.iter().flat_map(|word| word.to_le_bytes()));
    bytes.extend(job.registers);
    bytes.push(job.sreg);
    bytes.extend(job.sp.to_le_bytes());
    bytes.extend(job.pc.to_le_bytes());
    bytes.extend(limit.to_le_bytes());
    bytes.extend(return_to.to_le_bytes());
    bytes.extend((job.memory.len() as u16).to_le_bytes());
    for (address, data) in &job.memory {
        bytes.extend(address.to_le_bytes());
        bytes.extend((data.len() as u16).to_le_bytes());
        bytes.extend(data);
    }
    bytes.extend((job.watch.len() as u16).to_le_bytes());
    for (address, length) in &job.watch {
        bytes.extend(address.to_le_bytes());
        bytes.extend(length.to_le_bytes());
    }
    bytes
}

impl Drop for SimAvr {
    fn drop(&mut self) {
        // end of input ends the child
        self.input = None;
        let _ = self.child.wait();
    }
}
