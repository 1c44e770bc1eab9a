//! Random programs over equations and on the simulator: whatever the equations say of a register, a
//! flag or a byte of memory is what the machine has.

mod functions;
mod generate;
mod lines;
mod operations;
mod signed;
mod steps;
mod valuation;
mod words;

use rhomb_avr::instructions::Instruction;

/// What a batch of programs showed.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) programs: usize,
    /// Programs that the model refuses.
    pub(crate) refused: usize,
    /// Values that both have, in all runs.
    pub(crate) observed: usize,
    /// Of these, how many the equations determine.
    pub(crate) determined: usize,
}

impl Tally {
    fn plus(self, other: Tally) -> Tally {
        Tally {
            programs: self.programs + other.programs,
            refused: self.refused + other.refused,
            observed: self.observed + other.observed,
            determined: self.determined + other.determined,
        }
    }
}

pub(crate) fn text(code: &[Instruction]) -> String {
    let lines = code.iter().enumerate();
    let line = |(at, one)| format!("{at:4} {}\n", rhomb_avr::syntax::gnu::instruction(one));
    lines.map(line).collect()
}

/// Runs all seeds on all processors.
pub(crate) fn each_seed(seeds: u64, work: impl Fn(u64) -> Tally + Sync) -> Tally {
    let seeds = rhomb_oracles::sample(seeds as usize / 4, seeds as usize) as u64;
    let seeds: Vec<u64> = (0..seeds).collect();
    rhomb_oracles::parallel::each(&seeds, |seed| work(*seed)).into_iter().fold(Tally::default(), Tally::plus)
}
