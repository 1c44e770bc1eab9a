//! From a task to AVR instructions.
//!
//! A multiplication along a walk: R1:R0 take products, X, Y and Z point to the arrays, the other 24 hold a zero, the
//! accumulator and the operand pool. Where a convention keeps Y for itself, X and Z do, with four of the
//! others (`shared`). The accumulator's additions come from
//! [`rhomb_kernel::accumulator`]; here they get registers (`registers`), the memory accesses get
//! pointers and addressing modes (`pointers`), and the whole gets its frame (`frame`).

mod carry;
mod chain;
mod count;
mod frame;
mod line;
mod phases;
mod pick;
mod pointers;
mod program;
mod registers;
mod rolled;
mod shared;
mod software;
mod split;
mod squaring;
mod strips;
mod translate;

use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{Instruction, Op, ROWS};
pub use line::{after_product, line};
pub use phases::{Parts, Phase, Trail, TrailError};
pub use program::program;
use rhomb_kernel::accumulator::{self, AccumulateError};
use rhomb_kernel::{Schedule, Task, Walk};
pub use rhomb_line::Array;
use std::sync::Arc;

use registers::{Allocation, Liveness};
use translate::translate;

/// A routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel {
    /// All instructions, from the first save to the return.
    pub program: Vec<Instruction>,
    /// Registers that it saves and restores, in the order of saving.
    pub saves: Vec<u8>,
    /// Cycles of a call, from the first save to the return, where they were counted.
    pub cycles: Option<u64>,
    /// The schedule that it follows, if it is the straight line along a walk.
    pub schedule: Option<Arc<Schedule>>,
}

/// Why a schedule cannot become a routine for this core.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LowerError {
    /// More registers than the processor has.
    #[error("{needed} registers are needed beside the pointers and the product, {available} are there")]
    Registers {
        /// Needed.
        needed: usize,
        /// Available.
        available: usize,
    },
    /// The core has no hardware multiplier.
    #[error("{core} has no multiplication instruction")]
    NoMultiplier {
        /// Name of the core.
        core: &'static str,
    },
    /// Two pointers for three arrays are too few.
    #[error("a pointer would have to move where a carry waits")]
    Pointers,
    /// More turns than a loop counts.
    #[error("{count} {what} are more than a byte counts")]
    Count {
        /// What is counted.
        what: &'static str,
        /// How many there are.
        count: usize,
    },
    /// The accumulator cannot follow.
    #[error(transparent)]
    Accumulate(#[from] AccumulateError),
    /// Loops for other processors.
    #[error("squarings with loops over columns are made for accumulators that hold a whole column")]
    Scanned,
    /// What is not made.
    #[error("there is no code for {what}")]
    Unmade {
        /// What is lacking.
        what: &'static str,
    },
    /// A trail that is none, or one of another product.
    #[error(transparent)]
    Trail(#[from] TrailError),
    /// Loops that cannot be made.
    #[error("the loops are larger than counters or branches reach")]
    Loops,
}

/// Registers that neither hold pointers nor take products.
pub fn general_registers(convention: &Convention) -> usize {
    if convention.untouched == 0 { 24 } else { 24 - shared::HOME_REGISTERS }
}

/// Operands that are used once may be loaded into R0 and R1, which the product overwrites.
const PASSING: usize = 2;

/// What a routine is to keep to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits<'a> {
    /// The most registers beside those that hold pointers and take products.
    pub registers: usize,
    /// The array that X points to, in a multiplication along a walk; `None` takes the one with the fewest adjustments
    /// of pointers.
    pub on_x: Option<Array>,
    /// What the [product by phases](Parts::of_task) of a split follows; `None` takes the trail that is known.
    pub trail: Option<&'a Trail>,
}

impl Limits<'_> {
    /// No limits.
    pub const NONE: Limits<'static> = Limits { registers: usize::MAX, on_x: None, trail: None };
}

/// Lowers a task.
pub fn routine(task: &Task, core: &Core, convention: &Convention) -> Result<Kernel, LowerError> {
    routine_within(task, core, convention, &Limits::NONE)
}

/// Lowers a task within limits.
pub fn routine_within(
    task: &Task,
    core: &Core,
    convention: &Convention,
    limits: &Limits<'_>,
) -> Result<Kernel, LowerError> {
    let Limits { registers, on_x, trail } = *limits;
    let kernel = match task {
        _ if trail.is_some() && !matches!(task, Task::Split(_)) => {
            return Err(LowerError::Unmade { what: "a trail of what is no split" });
        }
        Task::Multiplication(walk) => return multiplication_within(walk, core, convention, limits),
        _ if on_x.is_some() => {
            return Err(LowerError::Unmade { what: "a choice of the pointers of what is no walk" });
        }
        Task::LoopedMultiplication(rolled) => {
            return rolled::multiplication(rolled, core, convention, registers);
        }
        Task::LoopedSquaring(rolled) => return rolled::squaring(rolled, core, convention, registers),
        Task::ScannedSquaring { .. } => return Err(LowerError::Scanned),
        Task::Squaring(task) => return squaring::squaring(task, core, convention, registers),
        Task::Chain { subtract, words, form } => chain::chain(*subtract, *words, *form, core, convention)?,
        Task::Strips { words, width } => strips::strips(*words, *width, convention)?,
        Task::Split(node) => return split::multiplication(node, core, convention, (registers, trail)),
        Task::SoftwareProducts { words } => software::products(*words, convention)?,
    };
    let written = kernel.program.iter().fold(0, |set, one| set | one.registers_written());
    let needed = (written & GENERAL).count_ones() as usize;
    if needed > registers {
        return Err(LowerError::Registers { needed, available: registers });
    }
    Ok(kernel)
}

/// R2 to R25.
const GENERAL: u32 = 0x03ff_fffc;

/// Lowers a multiplication. Of the ways to share the registers between operand pool, accumulator and
/// zeros, the one that makes the fastest routine is taken.
pub fn multiplication(walk: &Walk, core: &Core, convention: &Convention) -> Result<Kernel, LowerError> {
    multiplication_within(walk, core, convention, &Limits::NONE)
}

fn multiplication_within(
    walk: &Walk,
    core: &Core,
    convention: &Convention,
    limits: &Limits<'_>,
) -> Result<Kernel, LowerError> {
    let Limits { registers, on_x, .. } = *limits;
    if core.cycles(Op::Mul).is_err() {
        return Err(LowerError::NoMultiplier { core: core.name });
    }
    let general = general_registers(convention).min(registers);
    let mut best: Option<(u64, Kernel)> = None;
    let mut fault = None;
    for pool in [walk.pool, walk.pool.saturating_sub(2)] {
        match shares(walk, pool, (core, convention, general, on_x), &mut best) {
            Ok(()) => {}
            Err(error) => fault = fault.or(Some(error)),
        }
    }
    // a pool that is too large is an error even if a smaller one would do
    match (fault, best) {
        (Some(error), _) => Err(error),
        (None, Some((_, kernel))) => Ok(kernel),
        (None, None) => Err(LowerError::Registers { needed: walk.pool, available: general }),
    }
}

/// Tries several numbers of registers for one size of the operand pool.
fn shares(
    walk: &Walk,
    pool: usize,
    (core, convention, general, on_x): (&Core, &Convention, usize, Option<Array>),
    best: &mut Option<(u64, Kernel)>,
) -> Result<(), LowerError> {
    let schedule = Arc::new(Schedule::new(walk, pool, PASSING));
    let free = general.saturating_sub(1 + schedule.used);
    // words above the lowest one that a product and its carry reach
    let catchers = if schedule.reach == 0 { 0 } else { free.saturating_sub(schedule.reach + 3) };
    let actions = accumulator::accumulate(&schedule, 8, catchers)?;
    let uses = registers::last_uses(&actions);
    let needed = registers::needed(&actions, &uses, schedule.slots);
    if needed > general {
        return Err(LowerError::Registers { needed, available: general });
    }
    let times = times(core);
    let line = Liveness { actions: &actions, uses: &uses, slots: schedule.slots };
    // which array gets which pointer depends on accesses that are nearly the same in every layout
    let any = registers::Layout::new(needed, convention, &[]);
    let items = translate(&actions, &mut Allocation::new(&line, &any, [0; 3]));
    let length = 2 * schedule.words;
    let assignment = match convention.untouched & 1 << pointers::Y {
        0 => pointers::assign(&items, length, on_x),
        _ => shared::assign(&items, length, convention, on_x),
    };
    let assignment = assignment.ok_or(LowerError::Pointers)?;
    for count in needed..=general {
        let layout = registers::Layout::new(count, convention, &assignment.homes);
        let items = translate(&actions, &mut Allocation::new(&line, &layout, assignment.own_registers()));
        let Some(assignment) = assignment.again(&items, length) else { continue };
        let body = pointers::apply(&items, &assignment);
        let kernel = frame::wrap(body, &assignment, layout.zero, convention);
        let cycles = static_cycles(&kernel.program, &times);
        if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
            *best = Some((
                cycles,
                Kernel { cycles: Some(cycles), schedule: Some(Arc::clone(&schedule)), ..kernel },
            ));
        }
    }
    Ok(())
}

/// Cycles of each instruction, by `Op as usize`; 0 where the core lacks it.
fn times(core: &Core) -> Vec<u64> {
    ROWS.iter().map(|row| core.cycles(row.op).map_or(0, |cycles| cycles.plain.into())).collect()
}

/// Cycles of a straight line.
fn static_cycles(program: &[Instruction], times: &[u64]) -> u64 {
    program.iter().map(|instruction| times[instruction.op as usize]).sum()
}
