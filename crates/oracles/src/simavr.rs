use crate::harness::Harness;
use crate::job::{Job, Outcome, Stop};

/// libsimavr 1.6 in a child process, for one core. The protocol stands in `tests/oracles/simavr.c`.
pub struct SimAvr(Harness);

impl SimAvr {
    /// Starts a simulator of the core with that GNU name.
    ///
    /// # Panics
    /// When the harness is not there.
    pub fn start(mmcu: &str) -> Self {
        SimAvr(Harness::start("simavr", &[mmcu]))
    }

    /// The same with timers that run, and interrupt the code where it has turned that on.
    ///
    /// # Panics
    /// When the harness is not there.
    pub fn with_interrupts(mmcu: &str) -> Self {
        SimAvr(Harness::start("simavr", &[mmcu, "interrupts"]))
    }

    /// Runs a job.
    ///
    /// # Panics
    /// When the simulator ends.
    pub fn run(&mut self, job: &Job) -> Outcome {
        self.0.send(&bytes(job));
        let stop = Stop::from(self.0.number(1) as u8);
        let mut registers = [0; 32];
        self.0.read(&mut registers);
        let sreg = self.0.number(1) as u8;
        let sp = self.0.number(2) as u16;
        let pc = self.0.number(4) as u32;
        let cycles = self.0.number(8);
        let instructions = self.0.number(8);
        let memory = job.watch.iter().map(|(_, length)| {
            let mut data = vec![0; usize::from(*length)];
            self.0.read(&mut data);
            data
        });
        let memory = memory.collect();
        Outcome { stop, registers, sreg, sp, pc, cycles, instructions, memory }
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
