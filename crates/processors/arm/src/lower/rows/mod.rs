//! Multiplication and squaring row by row, with carry chains that run through the multiplications
//! ([`rhomb_lower::rows`]): instructions (`emit`) and addresses (`pointers`).
//!
//! UMULL, UMLAL, LDR, LDM, STR, STM and MOV leave the carry alone (ARM DDI 0100, A4.1).

mod emit;
mod pointers;

use super::{Kernel, LowerError, code, frame, schedule};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{BlockMode, DataOp, Instruction, SP, Shifter};
use pointers::Item;
use rhomb_kernel::{Squaring, Walk};
pub use rhomb_lower::rows::WIDEST;
use rhomb_lower::rows::{Job, Plan, Registers, Solution, fastest, multiplications, squarings};

/// All but SP and PC: those that need no saving, then LR, which is saved with any other.
static REGISTERS: Registers = Registers {
    order: &[0, 1, 2, 3, 12, 14, 4, 5, 6, 7, 8, 9, 10, 11],
    arguments: [0, 1, 2],
    stack: SP,
    frame: frame_cycles,
};

/// Cycles of saves, restores and return on the ARM7TDMI, where so many registers are taken.
fn frame_cycles(registers: usize) -> usize {
    match registers.saturating_sub(5) {
        0 => 3,
        saved => 2 * saved.max(2) + 5,
    }
}

/// Lowers a multiplication row by row. Of the ways to do it the fastest is taken. With `constant_time`, each product takes
/// as long as the longest.
///
/// # Errors
/// Where the walk is no sequence of windows, or takes too many registers.
pub fn multiplication(
    walk: &Walk,
    core: &Core,
    convention: &Convention,
    registers: usize,
    constant_time: bool,
) -> Result<Kernel, LowerError> {
    let most = most(registers);
    for plans in multiplications(walk, constant_time, &REGISTERS)? {
        if let Some(kernel) = of_plans(&plans?, walk.words, most, core, convention) {
            return Ok(kernel);
        }
    }
    Err(LowerError::Rows { registers: most })
}

/// Lowers a squaring row by row. Of the ways to do it the fastest is taken, whatever rows the task has: those are for
/// columns, with fewer words than a window holds.
///
/// # Errors
/// Where it takes too many registers.
pub fn squaring(
    task: &Squaring,
    core: &Core,
    convention: &Convention,
    registers: usize,
    constant_time: bool,
) -> Result<Kernel, LowerError> {
    let most = most(registers);
    let plans = squarings(task.words, constant_time, &REGISTERS);
    of_plans(&plans, task.words, most, core, convention).ok_or(LowerError::Rows { registers: most })
}

/// Registers, pointers among them, where so many others may be taken.
fn most(registers: usize) -> usize {
    REGISTERS.order.len().min(registers.saturating_add(REGISTERS.arguments.len()))
}

fn of_plans(
    plans: &[Plan],
    words: usize,
    most: usize,
    core: &Core,
    convention: &Convention,
) -> Option<Kernel> {
    fastest(plans, words, most, &REGISTERS, |plan, made| {
        let kernel = frame::enclose(body(plan, made)?, convention.saved, 4 * plan.copied as u32);
        let kernel = schedule::scheduled(kernel, core);
        let cycles = core.straight(&kernel.program)?;
        Some((cycles, Kernel { cycles: Some(cycles), ..kernel }))
    })
}

/// The instructions of a plan, without saves.
fn body(plan: &Plan, made: &[(&Job, Solution)]) -> Option<Vec<Instruction>> {
    let mut pointers = emit::Pointers::default();
    let mut items: Vec<Item> = Vec::new();
    if plan.copied > 0 {
        items.extend(copy(plan.copied)?.into_iter().map(Item::Plain));
    }
    for (job, made) in made {
        pointers.enter(job.pointers.iter().copied());
        items.extend(emit::items(&made.events, &made.assignment, &mut pointers, &job.frame));
    }
    if plan.copied > 0 {
        let bytes = Shifter::number(4 * plan.copied as u32)?;
        items.push(Item::Plain(code::data(DataOp::Add, false, SP, SP, bytes)));
    }
    pointers::place(&items, pointers.count)
}

/// Copies B to the stack, from its end on.
fn copy(words: usize) -> Option<Vec<Instruction>> {
    // all but the pointers to A and the result, and B's until the last words
    let free = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14];
    let end = Shifter::number(4 * words as u32)?;
    let mut program = vec![code::data(DataOp::Add, false, 2, 2, end)];
    let chunks = words.div_ceil(free.len());
    for chunk in 0..chunks {
        let size = words / chunks + usize::from(chunk < words % chunks);
        let registers = free[..size].iter().fold(0, |set, register| set | 1 << register);
        program.push(code::block(true, 2, true, BlockMode::Db, registers));
        program.push(code::block(false, SP, true, BlockMode::Db, registers));
    }
    Some(program)
}
