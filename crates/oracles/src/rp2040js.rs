use crate::script::Script;
use crate::{ArmJob, ArmOutcome};

/// The Cortex-M0+ of rp2040js 1.4.1 in a child process of Node. The protocol stands in `tests/oracles/rp2040js.mjs`.
///
/// Its cycles are those of the manual (ARM DDI 0484C, table 3-1, MULS in 1 cycle) but for lists with LR or PC: there PUSH takes
/// 1 + N and POP 3 + N, with N that counts LR and PC; rp2040js leaves them out.
pub struct Rp2040js(Script);

impl Rp2040js {
    /// Where code lies, at the least; data lies from 0x2000_0000 to there.
    pub const CODE: u32 = 0x2002_0000;
    /// Added by the manual for a list with LR or PC.
    pub const LINK: u64 = 1;

    /// Starts the simulator.
    ///
    /// # Panics
    /// When Node or the package is not there.
    pub fn start() -> Self {
        Rp2040js(Script::node("rp2040js.mjs", "rp2040js", &[]))
    }

    /// Runs jobs, in one exchange: the states after them, and the clock cycles that they took.
    ///
    /// # Panics
    /// When the simulator ends.
    pub fn run(&mut self, jobs: &[ArmJob]) -> (Vec<ArmOutcome>, Vec<u64>) {
        let pairs: Vec<(ArmOutcome, u64)> = self.0.ask(jobs);
        pairs.into_iter().unzip()
    }
}
