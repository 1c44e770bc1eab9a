//! Multiplication and squaring row by row, with carry chains that run through the multiplications
//! ([`rhomb_lower::rows`]): instructions (`emit`).
//!
//! UMULL, UMLAL, LDR, LDM, STR, STM and MOV leave the carry alone (ARM DDI 0100, A4.1).

mod emit;

use super::pointers::{Item, place};
use super::{Kernel, LowerError, code, frame, schedule};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::{BlockMode, DataOp, Instruction, SP, Shifter};
use rhomb_kernel::{Squaring, Walk};
pub use rhomb_lower::rows::WIDEST;
use rhomb_lower::rows::{self, Attempt, Registers};

/// All but SP and PC: those that need no saving, then LR, which is saved with any other.
static REGISTERS: Registers = Registers {
    order: &[0, 1, 2, 3, 12, 14, 4, 5, 6, 7, 8, 9, 10, 11],
    arguments: [0, 1, 2],
    stack: SP,
    frame: frame_cycles,
    found: include_str!("found.txt"),
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
    let finish = |attempt: &Attempt<'_>| kernel(attempt, core, convention);
    let made = rows::multiplication(walk, constant_time, most, &REGISTERS, finish)?;
    made.ok_or(LowerError::Rows { registers: most })
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
    let finish = |attempt: &Attempt<'_>| kernel(attempt, core, convention);
    let made = rows::squaring(task.words, constant_time, most, &REGISTERS, finish);
    made.ok_or(LowerError::Rows { registers: most })
}

/// Registers, pointers among them, where so many others may be taken.
fn most(registers: usize) -> usize {
    REGISTERS.order.len().min(registers.saturating_add(REGISTERS.arguments.len()))
}

/// The routine of a plan, with its cycles.
fn kernel(attempt: &Attempt<'_>, core: &Core, convention: &Convention) -> Option<(u64, Kernel)> {
    let stack_bytes = 4 * attempt.plan.copied as u32;
    let kernel =
        schedule::scheduled(frame::enclose(body(attempt, core)?, convention.saved, stack_bytes), core);
    let cycles = core.straight(&kernel.program)?;
    Some((cycles, Kernel { cycles: Some(cycles), ..kernel }))
}

/// The instructions of a plan, without saves.
fn body(Attempt { plan, made, .. }: &Attempt<'_>, core: &Core) -> Option<Vec<Instruction>> {
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
    place(&items, &vec![None; pointers.count], core).map(|(program, _)| program)
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::conventions::AAPCS;
    use crate::cores::CORES;
    use rhomb_kernel::{Operation, Parameters, method};
    use rhomb_lower::rows::Found;

    /// Sizes in the table: of whole numbers, and of parts of others.
    const WORDS: std::ops::RangeInclusive<usize> = 3..=17;

    /// The line of a size in the table: what is the best for some core, for a routine of its own or inside another one.
    fn line(name: &str, constant: bool, words: usize) -> String {
        let registers = Registers { found: "", ..REGISTERS };
        let inside = Convention { saved: 0, ..AAPCS };
        let ways = CORES
            .iter()
            .filter(|core| core.thumb.is_none())
            .flat_map(|core| [(core, &AAPCS), (core, &inside)]);
        let mut best: Vec<(_, Option<(u64, Found)>)> = ways.map(|way| (way, None)).collect();
        let mut order: Vec<Found> = Vec::new();
        let see = |attempt: &Attempt<'_>| {
            for ((core, convention), best) in &mut best {
                let (cycles, _) = kernel(attempt, core, convention)?;
                if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
                    *best = Some((cycles, attempt.found.clone()));
                }
            }
            order.push(attempt.found.clone());
            Some((0, ()))
        };
        let most = most(usize::MAX);
        if name == "sqr" {
            rows::squaring(words, constant, most, &registers, see).unwrap();
        } else {
            let parameters = Parameters { rows: Some(WIDEST), ..Parameters::default() };
            let walk = method(Operation::Mul, "hybrid").unwrap().walk(words, &parameters).unwrap();
            rows::multiplication(&walk, constant, most, &registers, see).unwrap().unwrap();
        }
        order.retain(|found| best.iter().any(|(_, best)| best.as_ref().is_some_and(|(_, own)| own == found)));
        let all: Vec<String> = order.iter().map(Found::to_string).collect();
        format!("{name}{} {words}:{}", if constant { " constant" } else { "" }, all.join(";"))
    }

    /// What stands in the table is what would be found; `RHOMB_TABLES=overwrite` writes it.
    #[test]
    fn rows_are_found_as_before() {
        let overwrite = std::env::var_os("RHOMB_TABLES").is_some_and(|value| value == "overwrite");
        let kinds = [("mul", false), ("mul", true), ("sqr", false), ("sqr", true)].into_iter();
        let all = kinds.flat_map(|(name, constant)| WORDS.map(move |words| (name, constant, words)));
        if overwrite {
            let text: String =
                all.map(|(name, constant, words)| line(name, constant, words) + "\n").collect();
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/lower/rows/found.txt");
            return std::fs::write(path, text).unwrap();
        }
        let every = rhomb_oracles::sample(19, 1);
        for (name, constant, words) in all.skip(every - 1).step_by(every) {
            let line = line(name, constant, words);
            assert!(REGISTERS.found.lines().any(|own| own == line), "{line}");
        }
    }
}
