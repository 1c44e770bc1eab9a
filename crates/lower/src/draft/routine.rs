//! Routines of drafts: with registers and a frame, in the fastest of several ways.

use super::chain::chains;
use super::choose::{Registers, arranged};
use super::columns::products;
use super::comb::{comb as comb_drafts, comb_words};
use super::core::{Core, Fault, Setting, best};
use super::form::Draft;
use super::split::splits;
use super::squaring::squares;
use super::words::{joined, words as drafts};
use super::{Frame, Ring};
use crate::file::Register;
use rhomb_kernel::split::Node;
use rhomb_kernel::{Form, Schedule, Task, Walk};
use rhomb_line::Line;
use std::sync::Arc;

/// A routine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernel<I> {
    /// All instructions, from the first save to the return.
    pub program: Vec<I>,
    /// Registers that it saves and restores, ascending.
    pub saves: Vec<Register>,
    /// Instructions that stand before the body.
    pub before: usize,
    /// Cycles of a call in the worst case, where it is a straight line.
    pub cycles: Option<u64>,
    /// The schedule that it follows, if it is the straight line along a walk.
    pub schedule: Option<Arc<Schedule>>,
    /// Bytes of stack below the caller's that it uses.
    pub stack_bytes: u32,
}

impl<I> Kernel<I> {
    /// What is better comes first: fewer cycles, then fewer instructions.
    pub fn rank(&self) -> (u64, usize) {
        (self.cycles.unwrap_or(u64::MAX), self.program.len())
    }
}

/// A core with a convention and a ring, for which routines are made.
pub trait Routines: Core<Instruction: Clone> + Sized {
    /// What drafts are made for.
    fn setting(&self) -> Setting;

    /// The same over another ring.
    fn over(&self, ring: Ring) -> Self;

    /// Registers that words may have.
    fn registers(&self) -> Registers;

    /// The whole routine of a body that takes the arguments where they arrive, and uses so many bytes from the stack pointer on.
    /// Without its cycles.
    fn enclose(&self, body: Vec<Self::Instruction>, stack_bytes: u32) -> Kernel<Self::Instruction>;

    /// Cycles of a straight line in the worst case; nothing where an instruction has no time. With `knowing`, products by words
    /// that are known to be small take as long as these.
    fn cycles(&self, program: &[Self::Instruction], knowing: bool) -> Option<u64>;

    /// Keeps the pointer to the result in the frame, and calls a routine that makes a product there, so many instructions
    /// behind the first of these.
    ///
    /// # Errors
    /// Where a call does not reach.
    fn call(&self, frame: &Frame, distance: usize) -> Result<Vec<Self::Instruction>, Fault>;

    /// A routine with loops, or one that is no draft.
    ///
    /// # Errors
    /// Where there is none.
    fn other(&self, task: &Task) -> Result<Kernel<Self::Instruction>, Fault> {
        Err(unmade(task))
    }
}

/// Why there is no routine that does a task.
pub fn unmade(task: &Task) -> Fault {
    match task {
        Task::Strips { .. } => Fault::Multiplier { what: "strips" },
        Task::SoftwareProducts { .. } => Fault::Multiplier { what: "products of software" },
        _ => Fault::Loops,
    }
}

/// A routine or why there is none.
type Made<C> = Result<Kernel<<C as Core>::Instruction>, Fault>;

/// Lowers a task.
///
/// # Errors
/// Where it cannot become a routine for this core.
pub fn routine<C: Routines>(task: &Task, core: &C) -> Made<C> {
    let setting = core.setting();
    match task {
        Task::Multiplication(walk) => multiplication(walk, core),
        Task::Squaring(task) => fastest(squares(task, &setting), core),
        Task::Chain { subtract, words, form: Form::Unrolled } => {
            fastest(chains(*subtract, *words, &setting), core)
        }
        Task::Split(node) => split(node, core),
        _ => core.other(task),
    }
}

/// The fastest routine of some drafts.
fn fastest<C: Routines>(all: impl Iterator<Item = Result<Draft, Fault>>, core: &C) -> Made<C> {
    best(all.map(|draft| finish(&draft?, core, &Around::of())), |kernel| kernel.cycles, Fault::Instruction)
}

/// Of the ways to keep operand words, the one that makes the fastest routine is taken.
fn multiplication<C: Routines>(walk: &Walk, core: &C) -> Made<C> {
    let setting = core.setting();
    let kernels = products(walk, &setting).map(|made| {
        let (schedule, draft) = made?;
        Ok(Kernel { schedule: Some(Arc::new(schedule)), ..finish(&draft, core, &Around::of())? })
    });
    best(kernels, |kernel| kernel.cycles, Fault::Instruction)
}

/// All products of a tree of splits, and what makes the result of them, in one straight line with a frame on the stack, which
/// offsets reach.
fn split<C: Routines>(node: &Node, core: &C) -> Made<C> {
    let setting = core.setting();
    match node {
        Node::Walk(walk) => return multiplication(walk, core),
        Node::Square(task) => return fastest(squares(task, &setting), core),
        Node::Split(_) => {}
    }
    if setting.ring != Ring::Integers {
        return Err(Fault::Splits);
    }
    let Registers { all, most, .. } = core.registers();
    let kernels = splits(node, most.min(all.len()), &setting).map(|made| {
        let (draft, words) = made?;
        finish(&draft, core, &Around { words, ..Around::of() })
    });
    if !setting.abilities.accumulates() {
        return best(kernels, |kernel| kernel.cycles, Fault::Instruction);
    }
    // the first that has registers
    let mut fault = Fault::Instruction;
    for kernel in kernels {
        match kernel {
            Err(error @ Fault::Registers { .. }) => fault = error,
            made => return made,
        }
    }
    Err(fault)
}

/// What stands around a draft.
struct Around<'a, I> {
    /// Instructions before it, which stay as they are.
    first: &'a [I],
    /// Words of the stack that all of it uses, from the stack pointer on.
    words: usize,
    /// Whether products by words that are known to be small take as long as these.
    knowing: bool,
}

impl<I> Around<'_, I> {
    /// Nothing.
    fn of() -> Self {
        Around { first: &[], words: 0, knowing: false }
    }
}

/// The routine of a draft, with the frame that its registers want: of several orders and numbers of registers, the one with
/// the fewest cycles.
fn finish<C: Routines>(draft: &Draft, core: &C, around: &Around<'_, C::Instruction>) -> Made<C> {
    let Around { first, words, knowing } = *around;
    let made = arranged(draft, core, (knowing, words), &core.registers())?;
    let kernels = made.into_iter().map(|made| {
        let (code, words) = made?;
        let kernel = core.enclose([first, &code].concat(), bytes(words, core)?);
        let cycles = core.cycles(&kernel.program, knowing).ok_or(Fault::Instruction)?;
        Ok(Kernel { cycles: Some(cycles), ..kernel })
    });
    best(kernels, |kernel| kernel.cycles, Fault::Instruction)
}

/// Bytes of words of the stack.
fn bytes<C: Routines>(words: usize, core: &C) -> Result<u32, Fault> {
    let bytes = words * core.setting().abilities.word as usize / 8;
    u32::try_from(bytes).map_err(|_| Fault::Displacement)
}

/// What comes before a reduction.
#[derive(Debug)]
pub enum Product<'a, I> {
    /// A multiplication or squaring over a ring.
    Task(&'a Task, Ring),
    /// A routine.
    Routine(&'a Kernel<I>),
}

// whatever instructions are
impl<I> Clone for Product<'_, I> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<I> Copy for Product<'_, I> {}

/// The routine of a line, or of a product whose reduction the line is.
///
/// # Errors
/// Where registers are too few, or an instruction is missing.
pub fn words<C: Routines>(line: &Line, product: Option<Product<'_, C::Instruction>>, core: &C) -> Made<C> {
    best(roads(line, product, core)?, Kernel::rank, Fault::Instruction)
}

/// The routine where the product is called, and that where it is a part of the routine, which is faster but may take another
/// time for small factors; that of a line alone.
///
/// # Errors
/// Where there is no product.
pub fn roads<C: Routines>(
    line: &Line,
    product: Option<Product<'_, C::Instruction>>,
    core: &C,
) -> Result<Vec<Made<C>>, Fault> {
    let ring = match product {
        Some(Product::Task(_, ring)) => ring,
        _ => Ring::Integers,
    };
    let core = &core.over(ring);
    let setting = core.setting();
    let made = match product {
        Some(Product::Task(task, _)) => Some(routine(task, core)?),
        _ => None,
    };
    let called = match product {
        Some(Product::Routine(kernel)) => Some(kernel),
        _ => made.as_ref(),
    };
    let kernel = |made: Result<(Draft, Frame), Fault>, called| {
        let (draft, frame) = made?;
        finished(&draft, frame, called, core)
    };
    let apart = drafts(line, called.is_some(), &setting).map(|made| kernel(made, called));
    let apart = best(apart, Kernel::rank, Fault::Instruction);
    let Some(Product::Task(task, _)) = product else { return Ok(vec![apart]) };
    // what is faster is not to be longer
    let most = apart.as_ref().map_or(usize::MAX, |own| own.program.len());
    let within = joined(line, task, &setting).into_iter().map(|made| kernel(made, None));
    let within = within.filter(|made| made.as_ref().is_ok_and(|own| own.program.len() <= most));
    let within = best(within, Kernel::rank, Fault::Instruction);
    Ok(vec![within, apart])
}

/// The routine, with the call of the product, which stands behind.
fn finished<C: Routines>(
    draft: &Draft,
    frame: Frame,
    product: Option<&Kernel<C::Instruction>>,
    core: &C,
) -> Made<C> {
    let around = Around { words: frame.words, knowing: true, ..Around::of() };
    let Some(product) = product else { return finish(draft, core, &around) };
    let first = core.call(&frame, 0)?;
    let mut kernel = finish(draft, core, &Around { first: &first, ..around })?;
    let call = core.call(&frame, kernel.program.len() - kernel.before)?;
    kernel.program.splice(kernel.before..kernel.before + call.len(), call);
    kernel.program.extend_from_slice(&product.program);
    kernel.stack_bytes += product.stack_bytes;
    kernel.cycles = kernel.cycles.zip(product.cycles).map(|(own, more)| own + more);
    Ok(kernel)
}

/// A product over GF(2) on cores without an instruction for it, by a table whose addresses depend on the first operand.
///
/// # Errors
/// Where registers are too few.
pub fn comb<C: Routines>(words: usize, core: &C) -> Made<C> {
    let core = &core.over(Ring::Integers);
    let [table, sum] = comb_drafts(words, &core.setting());
    let used = comb_words(words);
    let mut own = core.registers();
    // both parts have all of them
    (own.free, own.most) = (own.all.len(), own.all.len());
    let tables = arranged(&table, core, (false, used), &own)?;
    let (first, used) = best(tables, |(code, _)| core.cycles(code, false), Fault::Instruction)?;
    finish(&sum, core, &Around { first: &first, words: used, knowing: false })
}
