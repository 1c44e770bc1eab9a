//! Multiplication and squaring row by row, with carry chains that run through the multiplications.
//!
//! Windows of words ([`rhomb_kernel::windows`]) become operations on values (`build`). Which words are loaded
//! and stored together, which are kept, and where an UMLAL saves a register, is searched (`arrange`, `anneal`).
//! Then values get registers (`allocate`), and accesses addresses (`pointers`).
//!
//! UMULL, UMLAL, LDR, LDM, STR, STM and MOV leave the carry alone (ARM DDI 0100, A4.1).

mod allocate;
mod anneal;
mod arrange;
mod build;
mod emit;
mod line;
mod multiplication;
mod pointers;
mod random;
mod squaring;
mod unit;

use super::{Kernel, LowerError, frame};
use crate::conventions::Convention;
use crate::cores::Core;
use crate::instructions::Instruction;
use multiplication::{Variant, body};
use rhomb_kernel::windows::{self, WindowStep};
use rhomb_kernel::{Squaring, Walk};
use unit::Cache;

/// Words of the widest window that the registers hold: window and fixed words, the word above, the word that
/// streams, a word on its way, and two pointers.
pub const WIDEST: usize = 5;

/// Registers, pointers among them: all but SP and PC.
const ALL: usize = 14;

/// Most words of a multiplication whose registers are shared out as a whole.
const WHOLE: usize = 8;

/// Lowers a multiplication row by row. Of the ways to do it the fastest is taken. A hybrid walk's blocks say how
/// wide the strips are at most.
///
/// # Errors
/// Where the walk is no sequence of windows, or takes too many registers.
pub fn multiplication(
    walk: &Walk,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let words = walk.words;
    let most = ALL.min(registers.saturating_add(3));
    let plans: Vec<Vec<WindowStep>> = match windows::block(walk) {
        Some(block) => (1..=block.min(WIDEST))
            .rev()
            .map(|widest| windows::strips(words, &widths(words, widest)))
            .collect(),
        None => vec![windows::of_walk(walk, WIDEST)?],
    };
    for steps in plans {
        let trace = windows::trace(&steps, 2 * words)?;
        let mut best: Option<(u64, Kernel)> = None;
        for registers in sizes(words, most) {
            for variant in Variant::all(words, &steps) {
                let mut cache = Cache::default();
                let Some(body) = body((&steps, &trace, words), variant, registers, &mut cache) else {
                    continue;
                };
                keep(body, core, convention, &mut best);
            }
        }
        // narrower strips take fewer registers
        if let Some((_, kernel)) = best {
            return Ok(kernel);
        }
    }
    Err(LowerError::Rows { registers: most })
}

/// Lowers a squaring row by row. Of the ways to do it the fastest is taken.
///
/// # Errors
/// Where it takes too many registers.
pub fn squaring(
    task: &Squaring,
    core: &Core,
    convention: &Convention,
    registers: usize,
) -> Result<Kernel, LowerError> {
    let words = task.words;
    let most = ALL.min(registers.saturating_add(3));
    let mut best: Option<(u64, Kernel)> = None;
    for registers in sizes(words, most) {
        for variant in squaring::Variant::all(words) {
            let mut cache = Cache::default();
            let Some(body) = squaring::body(words, &variant, registers, &mut cache) else { continue };
            keep(body, core, convention, &mut best);
        }
    }
    best.map(|(_, kernel)| kernel).ok_or(LowerError::Rows { registers: most })
}

/// Keeps the faster routine.
fn keep(body: Vec<Instruction>, core: &Core, convention: &Convention, best: &mut Option<(u64, Kernel)>) {
    let kernel = frame::enclose(body, convention.saved, 0);
    let Some(cycles) = kernel.program.iter().map(|one| core.most(one)).sum::<Option<u64>>() else { return };
    if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
        *best = Some((cycles, Kernel { cycles: Some(cycles), ..kernel }));
    }
}

/// How many registers to try: small routines may do without saves.
fn sizes(words: usize, most: usize) -> Vec<usize> {
    let least = if words <= 3 { 4 } else { most };
    (least.min(most)..=most).collect()
}

/// Widths of strips, none wider than `widest`, the wide ones first.
fn widths(words: usize, widest: usize) -> Vec<usize> {
    let count = words.div_ceil(widest);
    (0..count).map(|k| words / count + usize::from(k < words % count)).collect()
}
