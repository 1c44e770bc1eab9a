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
mod constant;
mod emit;
mod line;
mod live;
mod multiplication;
mod plan;
mod pointers;
mod squaring;
mod unit;

use super::{Kernel, LowerError, frame, schedule};
use crate::conventions::Convention;
use crate::cores::Core;
use plan::Plan;
use rhomb_kernel::windows::{self, WindowStep};
use rhomb_kernel::{Squaring, Walk};
use unit::Cache;

/// Words of the widest window that the registers hold: window and fixed words, the word above, the word that
/// streams, a word on its way, and two pointers.
pub const WIDEST: usize = 5;

/// Registers, pointers among them: all but SP and PC.
const ALL: usize = 14;

/// Most words of an operand where registers are shared out as a whole.
const WHOLE: usize = 8;

/// Most words of an operand where doing with fewer registers, and so fewer saves, may be worth it.
const FEW: usize = 4;

/// Plans that are looked at closely, and how many where that takes long.
const CLOSELY: usize = 5;
const CLOSELY_IF_LARGE: usize = 2;

/// Lowers a multiplication row by row. Of the ways to do it the fastest is taken. A hybrid walk's blocks say how
/// wide the strips are at most. With `constant_time`, each product takes as long as the longest.
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
    let words = walk.words;
    let shapes: Vec<Vec<WindowStep>> = match windows::block(walk) {
        Some(block) => {
            let widest = (1..=block.min(WIDEST)).rev();
            widest.map(|widest| windows::strips(words, &widths(words, widest))).collect()
        }
        None => {
            let widest = windows::of_walk(walk, WIDEST)?;
            let narrower = (1..WIDEST).rev().filter_map(|widest| windows::of_walk(walk, widest).ok());
            let mut shapes: Vec<_> = std::iter::once(widest).chain(narrower).collect();
            shapes.dedup();
            shapes
        }
    };
    let most = ALL.min(registers.saturating_add(3));
    for steps in shapes {
        let trace = windows::trace(&steps, 2 * words)?;
        let variants = multiplication::Variant::all(words, &steps, constant_time);
        let plans =
            variants.into_iter().filter_map(|variant| multiplication::plan((&steps, &trace, words), variant));
        // narrower strips take fewer registers
        if let Some(kernel) = fastest(&plans.collect::<Vec<_>>(), words, most, core, convention) {
            return Ok(kernel);
        }
    }
    Err(LowerError::Rows { registers: most })
}

/// Lowers a squaring row by row: the products of different words by strips of the triangle. Of the ways to do it
/// the fastest is taken, whatever rows the task has: those are for columns, with fewer words than a window holds.
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
    let words = task.words;
    let most = ALL.min(registers.saturating_add(3));
    let variants = squaring::Variant::all(words, constant_time);
    let plans: Vec<Plan> = variants.iter().filter_map(|variant| squaring::plan(words, variant)).collect();
    fastest(&plans, words, most, core, convention).ok_or(LowerError::Rows { registers: most })
}

/// The fastest routine of all plans, of those that a first look finds good.
fn fastest(
    plans: &[Plan],
    words: usize,
    most: usize,
    core: &Core,
    convention: &Convention,
) -> Option<Kernel> {
    let mut cache = Cache::default();
    let least = if words <= FEW { 4.min(most) } else { most };
    let mut looks: Vec<(usize, usize, usize)> = Vec::new();
    for registers in least..=most {
        for (at, plan) in plans.iter().enumerate() {
            looks.extend(plan.look(registers, &mut cache).map(|cycles| (cycles, registers, at)));
        }
    }
    looks.sort_unstable();
    let mut best: Option<(u64, Kernel)> = None;
    let mut tried = 0;
    for (_, registers, at) in looks {
        let Some(body) = plans[at].make(registers, &mut cache) else { continue };
        let kernel = frame::enclose(body, convention.saved, plans[at].stack_bytes);
        let kernel = schedule::scheduled(kernel, core);
        let cycles = core.straight(&kernel.program)?;
        if best.as_ref().is_none_or(|(fewest, _)| cycles < *fewest) {
            best = Some((cycles, Kernel { cycles: Some(cycles), ..kernel }));
        }
        tried += 1;
        if tried == if words <= 2 * WHOLE { CLOSELY } else { CLOSELY_IF_LARGE } {
            break;
        }
    }
    best.map(|(_, kernel)| kernel)
}

/// Widths of strips, none wider than `widest`, the wide ones first.
fn widths(words: usize, widest: usize) -> Vec<usize> {
    let count = words.div_ceil(widest);
    (0..count).map(|k| words / count + usize::from(k < words % count)).collect()
}
