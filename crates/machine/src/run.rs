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

    /// What was counted since an earlier count.
    pub fn since(self, before: Self) -> Self {
        let since = |now: u64, before: u64| now.saturating_sub(before);
        Cycles { min: since(self.min, before.min), max: since(self.max, before.max) }
    }

    /// One after the other.
    pub fn plus(self, other: Self) -> Self {
        Cycles { min: self.min + other.min, max: self.max + other.max }
    }

    /// Without a part that always takes the same time.
    pub fn without(self, part: u64) -> Self {
        Cycles { min: self.min - part, max: self.max - part }
    }

    /// Whether it is the same for all data.
    pub fn is_exact(self) -> bool {
        self.min == self.max
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
    /// Cycles since the start: least and most where an instruction's time depends on a value that the domain
    /// does not know.
    fn cycles(&self) -> Cycles;
}

/// What a run took.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tally {
    /// Instructions executed, the return included.
    pub instructions: u64,
    /// Cycles, the return included.
    pub cycles: Cycles,
}

/// Runs until the routine returns, a fault, or `limit` instructions.
pub fn run<P: Processor>(processor: &mut P, limit: u64) -> Result<Tally, Fault> {
    let before = processor.cycles();
    for instructions in 1..=limit {
        if processor.step()? == Control::Return {
            return Ok(Tally { instructions, cycles: processor.cycles().since(before) });
        }
    }
    Err(Fault::StepLimit { limit })
}
