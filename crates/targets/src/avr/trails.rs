//! Searches for the registers of products by phases.

use crate::LowerFault;
use rhomb_avr::lower::{Parts, Trail, TrailError};
use rhomb_kernel::Task;

/// States side by side.
const WIDTH: usize = 100;

pub(super) fn fault(error: TrailError) -> LowerFault {
    LowerFault::Trail(error.to_string())
}

/// The trail of a text.
pub(super) fn read(text: &str) -> Result<Trail, LowerFault> {
    text.parse().map_err(fault)
}

/// The one that is known of a task's product by phases, or that with which a search begins.
pub(super) fn first(task: &Task) -> Result<String, LowerFault> {
    let parts = parts(task)?;
    Ok(parts.known().unwrap_or_else(|| parts.start()).to_string())
}

/// What a search finds near a trail.
pub(super) fn search(task: &Task, trail: &str, number: u32) -> Result<Option<String>, LowerFault> {
    let found = parts(task)?.search(&read(trail)?, number, WIDTH);
    Ok(found.map(|(_, trail)| trail.to_string()))
}

fn parts(task: &Task) -> Result<Parts, LowerFault> {
    let none = "none of its splits is one by phases; valid: splits into 2 or 4 equal parts of 4 to 8 words, such as --bits 192 --levels 2";
    Parts::of_task(task).ok_or_else(|| LowerFault::Unmade(none.to_owned()))
}
