use crate::harness::Harness;
use crate::{ArmJob, ArmOutcome, Stop};

/// The ARMulator of GDB 13.1 as an ARMv4T in a child process. The protocol stands in `tests/oracles/armulator.c`.
///
/// Its cycles are those of the ARM7TDMI's manual but for what follows, as its source says it (`sim/arm/armemu.c`).
/// UMULL and SMULL take m + 3, UMLAL and SMLAL m + 4, with m of Rm and not of Rs, of Rm's magnitude where it is signed
/// (`Multiply64`). MUL and MLA take one cycle and as many as a table says for the highest bit of Rs
/// (`ARMul_MultTable` in `sim/arm/arminit.c`), in steps of two bits, and MLA no more than MUL. SWP and SWPB take 3.
pub struct Armulator(Harness);

impl Armulator {
    /// What SWP and SWPB take.
    pub const SWAP: u64 = 3;

    /// Starts the simulator.
    ///
    /// # Panics
    /// When the harness is not there.
    pub fn start() -> Self {
        Armulator(Harness::start("armulator", &[]))
    }

    /// Runs a job: the state after it, and the clock cycles that it took.
    ///
    /// # Panics
    /// When the simulator ends.
    pub fn run(&mut self, job: &ArmJob) -> (ArmOutcome, u64) {
        let mut words = vec![job.origin, job.code.len() as u32];
        words.extend(&job.code);
        words.extend(job.registers);
        words.extend([job.flags.into(), job.limit, job.return_to, job.memory.len() as u32]);
        for (address, data) in &job.memory {
            words.extend([*address, data.len() as u32]);
            words.extend(data);
        }
        self.0.send(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>());
        let stop = Stop::from(self.word() as u8);
        let registers = std::array::from_fn(|_| self.word());
        let flags = self.word() as u8;
        let pc = self.word();
        let cycles = self.0.number(8);
        let memory = job.memory.iter().map(|(_, data)| data.iter().map(|_| self.word()).collect()).collect();
        (ArmOutcome { extension: Vec::new(), stop, registers, flags, pc, memory }, cycles)
    }

    fn word(&mut self) -> u32 {
        self.0.number(4) as u32
    }

    /// What UMULL or SMULL by that value of Rm takes, or UMLAL or SMLAL.
    pub fn long(signed: bool, accumulate: bool, rm: u32) -> u64 {
        // the most negative number is its own negative, and is inverted then
        let magnitude = match (signed, rm) {
            (true, 0x8000_0000) => 0x7fff_ffff,
            (true, rm) => (rm as i32).unsigned_abs(),
            (false, rm) => rm,
        };
        3 + u64::from(magnitude.max(1).ilog2() / 8 + 1) + u64::from(accumulate)
    }

    /// What MUL or MLA by that value of Rs takes.
    pub fn short(rs: u32) -> u64 {
        // half the number of the highest bit, rounded up, and one; 16 at the most
        let internal = u64::from(rs.max(1).ilog2()).div_ceil(2) + 1;
        1 + internal.min(16)
    }
}
