//! Several orders and numbers of registers to choose from.

use super::arrange::Order;
use super::core::{Core, Fault};
use super::form::Draft;
use crate::file::Register;

/// Registers for words.
#[derive(Clone, Debug)]
pub struct Registers {
    /// Those beside the arguments', first those that need no saving.
    pub all: Vec<Register>,
    /// How many need no saving.
    pub free: usize,
    /// The most that are used.
    pub most: usize,
}

/// The instructions of each order, or why there are none.
pub type Tried<I> = Vec<Result<Vec<I>, Fault>>;

/// Drafts with so many instructions are tried with fewer orders.
const LONG: usize = 801;
const LONGER: usize = 3001;

/// The instructions of a draft, in several orders and with several numbers of registers. With `knowing`, products by words
/// that are known to be small take as long as these.
///
/// # Errors
/// Where the core lacks an instruction, or an address is too far from its base.
pub fn arranged<C: Core>(
    draft: &Draft,
    core: &C,
    knowing: bool,
    registers: &Registers,
) -> Result<Tried<C::Instruction>, Fault> {
    let order = Order::new(draft, core, knowing)?;
    let all = &registers.all;
    let most = registers.most.min(all.len());
    let arguments = draft.arguments.iter().filter(|(_, register)| !all.contains(register)).count();
    let least = order.needed().saturating_sub(arguments).min(most);
    let (counts, lookaheads): (&[usize], &[usize]) = match draft.steps.len() {
        LONGER.. => (&[9], &[24]),
        LONG.. => (&[0, 9], &[12, 40]),
        _ => (&[0, 1, 2, 4, 6, 9], &[1, 6, 12, 24, 48, 96]),
    };
    let mut counts: Vec<usize> =
        counts.iter().map(|more| (registers.free + more).clamp(least, most)).collect();
    counts.sort_unstable();
    counts.dedup();
    let ways = counts.iter().flat_map(|count| lookaheads.iter().map(|lookahead| (*count, *lookahead)));
    Ok(ways.map(|(count, lookahead)| order.arrange(&all[..count], lookahead)).collect())
}
