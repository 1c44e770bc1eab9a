//! Multiplication and squaring row by row, with carry chains that run through the multiplications: for processors of ARM's
//! kind, whose products of words are two registers that may be any, and whose carry survives them, loads and stores.
//!
//! Windows of words ([`rhomb_kernel::windows`]) become operations on values (`build`). Which words are loaded
//! and stored together, which are kept, and where an UMLAL saves a register, is searched (`arrange`, `anneal`).
//! Then values get registers (`allocate`). Addresses are the processor's.

mod allocate;
mod anneal;
mod arrange;
mod build;
mod constant;
mod line;
mod live;
mod multiplication;
mod plan;
mod squaring;
mod unit;

pub use allocate::Assignment;
pub use arrange::{Event, Group};
pub use line::{Address, Array, Data, Op, Shift, Source, Value};
pub use plan::{Attempt, Found, Frame, Job, Plan};
pub use unit::Solution;

use crate::file::Register;
use plan::fastest;
use rhomb_kernel::Walk;
use rhomb_kernel::windows::{self, WindowError, WindowStep};

/// Words of the widest window that the registers hold: window and fixed words, the word above, the word that
/// streams, a word on its way, and two pointers.
pub const WIDEST: usize = 5;

/// Most words of an operand where registers are shared out as a whole.
const WHOLE: usize = 8;

/// Most words of an operand where doing with fewer registers, and so fewer saves, may be worth it.
const FEW: usize = 4;

/// Plans that are looked at closely, and how many where that takes long.
const CLOSELY: usize = 5;
const CLOSELY_IF_LARGE: usize = 2;

/// What a processor says of its registers.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    /// Registers, pointers among them, in the order in which they are taken.
    pub order: &'static [Register],
    /// Where the pointers to the result and the operands arrive.
    pub arguments: [Register; 3],
    /// The stack pointer, which is none of them.
    pub stack: Register,
    /// Cycles of saves, restores and return, where so many registers are taken.
    pub frame: fn(usize) -> usize,
    /// What was found before for multiplications by the widest strips and for squarings, since searches take long: see
    /// [`Found`]. Where a size is missing it is searched for.
    pub found: &'static str,
}

impl Registers {
    fn known(&self, name: &str, words: usize, most: usize, constant_time: bool) -> Vec<Found> {
        let table = if most == self.order.len() { self.found } else { "" };
        Found::all(table, &format!("{name}{}", if constant_time { " constant" } else { "" }), words)
    }
}

/// The best of what `finish` makes of a multiplication, with its cycles, in at most so many registers; nothing where these are
/// too few. A hybrid walk's blocks say how wide the strips are at most. With `constant_time`, each product takes as long as the
/// longest.
///
/// # Errors
/// Where the walk is no sequence of windows.
pub fn multiplication<K>(
    walk: &Walk,
    constant_time: bool,
    most: usize,
    registers: &Registers,
    mut finish: impl FnMut(&Attempt<'_>) -> Option<(u64, K)>,
) -> Result<Option<K>, WindowError> {
    let words = walk.words;
    let block = windows::block(walk);
    let shapes: Vec<Vec<WindowStep>> = match block {
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
    let mut known = match block {
        Some(WIDEST..) => registers.known("mul", words, most, constant_time),
        _ => Vec::new(),
    };
    for steps in shapes {
        let trace = windows::trace(&steps, 2 * words)?;
        let variants = multiplication::Variant::all(words, &steps, constant_time).into_iter();
        let plan = |variant| multiplication::plan((&steps, &trace, words), variant, registers);
        let plans: Vec<Plan> = variants.filter_map(plan).collect();
        let made = fastest(&plans, words, most, registers, std::mem::take(&mut known), &mut finish);
        if made.is_some() {
            return Ok(made);
        }
    }
    Ok(None)
}

/// The same of a squaring: the products of different words by strips of the triangle.
pub fn squaring<K>(
    words: usize,
    constant_time: bool,
    most: usize,
    registers: &Registers,
    finish: impl FnMut(&Attempt<'_>) -> Option<(u64, K)>,
) -> Option<K> {
    let variants = squaring::Variant::all(words, constant_time);
    let plans: Vec<Plan> =
        variants.iter().filter_map(|variant| squaring::plan(words, variant, registers)).collect();
    let known = registers.known("sqr", words, most, constant_time);
    fastest(&plans, words, most, registers, known, finish)
}

/// Widths of strips, none wider than `widest`, the wide ones first.
fn widths(words: usize, widest: usize) -> Vec<usize> {
    let count = words.div_ceil(widest);
    (0..count).map(|k| words / count + usize::from(k < words % count)).collect()
}
