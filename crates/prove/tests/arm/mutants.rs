//! Kernels with one instruction left out or changed.

use super::kernels::Kernel;
use rhomb_certificate::{Contract, check};
use rhomb_machine::{MachineCode, Random};
use rhomb_prove::{Unproved, prove_within, refute};

/// Terms that a proof may touch: many times what any of the kernels needs.
const EFFORT: u64 = 2_000_000;
/// Instructions, see [`refute`]: a quick search, and one for what was proved or is neither.
const QUICK: u64 = 50_000;
const LONG: u64 = 5_000_000;

/// What became of mutants.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    /// Proved, and right in thousands of calls.
    pub(crate) proved: usize,
    /// With a counter-example.
    pub(crate) refuted: usize,
    /// The execution ends before the return, in what the model does not know.
    pub(crate) stopped: usize,
    pub(crate) unknown: usize,
}

fn judge(kernel: &Kernel, words: &[u32], what: &str, tally: &mut Tally) {
    let contract: Contract = kernel.contract.parse().unwrap();
    let function = kernel.with(words);
    match prove_within(&function, &contract, EFFORT) {
        Ok(certificate) => {
            assert_eq!(check(&function, &certificate), Ok(contract), "{kernel}, {what}");
            let wrong = refute(&function, &contract, LONG).found;
            assert_eq!(wrong, None, "PROVED, AND WRONG: {kernel}, {what}");
            tally.proved += 1;
        }
        Err(unproved) => {
            let open = matches!(unproved, Unproved::Open(_) | Unproved::Effort(_));
            let wrong = |budget| refute(&function, &contract, budget).found.is_some();
            match open {
                _ if wrong(QUICK) || open && wrong(LONG) => tally.refuted += 1,
                true => {
                    println!("unknown: {kernel}, {what}");
                    tally.unknown += 1;
                }
                false => tally.stopped += 1,
            }
        }
    }
}

fn text(kernel: &Kernel, at: usize) -> String {
    let address = u64::from(kernel.function.program.origin()) + 4 * at as u64;
    kernel.function.instruction(address).unwrap_or_default()
}

/// Every instruction left out.
pub(crate) fn deletions(kernel: &Kernel, every: usize, tally: &mut Tally) {
    for at in (0..kernel.function.program.words().len() / 2).step_by(every) {
        let mut words = rhomb_arm::words(kernel.function.program.words());
        words.remove(at);
        judge(kernel, &words, &format!("without {at}: {}", text(kernel, at)), tally);
    }
}

/// Some bits of some instructions turned over: other registers, operations, flags, conditions and distances.
pub(crate) fn replacements(kernel: &Kernel, count: u64, tally: &mut Tally) {
    let mut random = Random::new((kernel.function.program.words().len() / 2) as u64);
    for _ in 0..count {
        let mut words = rhomb_arm::words(kernel.function.program.words());
        let at = random.index(words.len());
        words[at] ^= 1 << random.index(32) | 1 << random.index(32);
        judge(kernel, &words, &format!("{:#010x} for {at}: {}", words[at], text(kernel, at)), tally);
    }
}
