use crate::Fault;

/// Clock cycles; where time depends on data, the least and the most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cycles {
    /// Least.
    pub min: u64,
    /// Most.
    pub max: u64,
}

impl Cycles {
    /// A time that does not depend on data.
    pub const fn exact(cycles: u64) -> Self {
        Cycles { min: cycles, max: cycles }
    }

    /// The smallest range that covers both.
    pub fn hull(self, other: Self) -> Self {
        Cycles { min: self.min.min(other.min), max: self.max.max(other.max) }
    }
}

/// What a step did to the flow of control.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// There is a next instruction.
    Continue,
    /// The routine returned to its caller.
    Return,
}

/// A processor that executes one instruction at a time and counts its own cycles.
pub trait Processor {
    /// Executes one instruction.
    fn step(&mut self) -> Result<Control, Fault>;
    /// Cycles since the start.
    fn cycles(&self) -> u64;
}

/// What a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Instructions executed, the return included.
    pub instructions: u64,
    /// Cycles, the return included.
    pub cycles: u64,
}

/// Runs until the routine returns, a fault, or `limit` instructions.
pub fn run<P: Processor>(processor: &mut P, limit: u64) -> Result<Tally, Fault> {
    let before = processor.cycles();
    for instructions in 1..=limit {
        if processor.step()? == Control::Return {
            return Ok(Tally { instructions, cycles: processor.cycles() - before });
        }
    }
    Err(Fault::StepLimit { limit })
}
