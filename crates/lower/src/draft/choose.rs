//! Several orders and numbers of registers to choose from.

use super::arrange::Order;
use super::core::{Core, Fault};
use super::fit::Room;
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
    /// The stack pointer, where words leave registers that are too few for a place in the stack.
    pub stack: Option<Register>,
}

/// The instructions of each order with the words of the stack that they use, or why there are none.
pub(super) type Tried<I> = Vec<Result<(Vec<I>, usize), Fault>>;

/// Drafts with so many instructions are tried with fewer orders.
const LONG: usize = 801;
const LONGER: usize = 3001;

/// How much less it costs that a word leaves its register which need not be stored first.
const WEIGHTS: [usize; 3] = [1, 2, 4];
/// Registers that are left free for words that are made earlier than they are wanted.
const AHEAD: [usize; 5] = [0, 1, 2, 3, 4];

/// The instructions of a draft, in several orders and with several numbers of registers. With `knowing`, products by words
/// that are known to be small take as long as these. So many words from the stack pointer on have another use.
///
/// # Errors
/// Where the core lacks an instruction, or an address is too far from its base.
pub(super) fn arranged<C: Core>(
    draft: &Draft,
    core: &C,
    (knowing, used): (bool, usize),
    registers: &Registers,
) -> Result<Tried<C::Instruction>, Fault> {
    let draft = &draft.with_words(core);
    if let Some(stack) = registers.stack {
        return fitted(draft, core, (knowing, used), registers, stack);
    }
    let draft = &draft.with_halves(core);
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
    let made = |(count, lookahead): (usize, usize)| Ok((order.arrange(&all[..count], lookahead)?, used));
    Ok(ways.map(made).collect())
}

/// The same where words leave registers that are too few.
fn fitted<C: Core>(
    draft: &Draft,
    core: &C,
    (knowing, used): (bool, usize),
    registers: &Registers,
    stack: Register,
) -> Result<Tried<C::Instruction>, Fault> {
    let whole = draft.with_halves(core);
    let whole = Order::new(&whole, core, knowing)?;
    let (waits, needed) = (whole.waits(), whole.needed());
    let all = &registers.all;
    let arguments = draft.arguments.iter().filter(|(_, register)| !all.contains(register)).count();
    let most = registers.most.min(all.len());
    let (weights, aheads, lookaheads): (&[usize], &[usize], &[usize]) = match (draft.steps.len(), waits) {
        (LONGER.., false) => (&WEIGHTS[1..2], &AHEAD[..1], &[1]),
        (_, false) => (&WEIGHTS, &AHEAD[..1], &[1]),
        (LONGER.., true) => (&WEIGHTS[1..2], &AHEAD[2..3], &[24]),
        (LONG.., true) => (&WEIGHTS[1..2], &AHEAD[..3], &[6, 24]),
        _ => (&WEIGHTS, &AHEAD, &[1, 6, 12, 24]),
    };
    let mut tried = Vec::new();
    for count in registers.free.min(most)..=most {
        let mut known: Vec<Draft> = Vec::new();
        for (weight, ahead) in
            weights.iter().flat_map(|weight| aheads.iter().map(move |ahead| (weight, ahead)))
        {
            let words = (count + arguments).saturating_sub(*ahead);
            let room = Room { registers: words, weight: *weight, stack, used };
            let Some((draft, stack)) = draft.fitted(room) else { continue };
            if known.contains(&draft) {
                continue;
            }
            let order_of = draft.with_halves(core);
            known.push(draft);
            let order = Order::new(&order_of, core, knowing)?;
            let made =
                lookaheads.iter().map(|lookahead| Ok((order.arrange(&all[..count], *lookahead)?, stack)));
            tried.extend(made);
        }
        // more are no better
        if count + arguments > needed + aheads.last().copied().unwrap_or(0) {
            break;
        }
    }
    match tried.is_empty() {
        true => Err(Fault::Registers { needed, available: most + arguments }),
        false => Ok(tried),
    }
}
