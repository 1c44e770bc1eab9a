//! Where branches go, in the state of a core.
//!
//! What is lowered counts distances in instructions, four bytes each, as in ARM state. In Thumb state instructions have two bytes
//! or four, which a distance may decide.

use super::LowerError;
use crate::cores::Core;
use crate::instructions::{Action, Instruction};
use crate::later::Later;
use crate::thumb;

fn distance(one: &mut Instruction) -> Option<&mut i32> {
    match &mut one.action {
        Action::Branch { distance, .. } | Action::Later(Later::CompareBranch { distance, .. }) => {
            Some(distance)
        }
        _ => None,
    }
}

/// Instructions for the core's state: in Thumb state with the shortest codes, and distances in bytes.
///
/// # Errors
/// An instruction that the state does not have, or a branch out of the code.
pub fn placed(core: &Core, program: &[Instruction]) -> Result<Vec<Instruction>, LowerError> {
    let Some(level) = core.thumb else { return Ok(program.to_vec()) };
    let length = |one: &Instruction| match thumb::encode(level, one) {
        Ok(halves) => Ok(2 * halves.len() as i32),
        Err(_) => Err(LowerError::Form { core: core.name, text: crate::program::text(core, one) }),
    };
    let mut placed: Vec<Instruction> = program.iter().map(thumb::shorter).collect();
    let goal = |number: usize, distance: i32| usize::try_from(number as i32 + distance / 4).ok();
    // the longest codes first: a distance that becomes shorter never wants a longer code
    let mut lengths: Vec<i32> = Vec::with_capacity(placed.len());
    for one in &placed {
        lengths.push(if distance(&mut one.clone()).is_some() { 4 } else { length(one)? });
    }
    loop {
        let mut at = vec![0];
        lengths.iter().for_each(|length| at.push(at[at.len() - 1] + length));
        let mut changed = false;
        for number in 0..placed.len() {
            let mut own = program[number];
            let Some(bytes) = distance(&mut own) else { continue };
            let to = goal(number, *bytes).and_then(|goal| at.get(goal)).ok_or(LowerError::Loops)?;
            *bytes = to - at[number];
            placed[number] = own;
            let now = length(&own)?;
            changed |= now != lengths[number];
            lengths[number] = now;
        }
        if !changed {
            return Ok(placed);
        }
    }
}

/// The same with distances in instructions again.
pub(super) fn counted(core: &Core, program: &[Instruction]) -> Result<Vec<Instruction>, LowerError> {
    let Some(level) = core.thumb else { return Ok(program.to_vec()) };
    let mut at = vec![0];
    for one in program {
        let halves = thumb::encode(level, one).map_err(|_| LowerError::Loops)?;
        at.push(at[at.len() - 1] + 2 * halves.len() as i32);
    }
    let mut counted = program.to_vec();
    for (number, one) in counted.iter_mut().enumerate() {
        let Some(bytes) = distance(one) else { continue };
        let goal = at.binary_search(&(at[number] + *bytes)).map_err(|_| LowerError::Loops)?;
        *bytes = 4 * (goal as i32 - number as i32);
    }
    Ok(counted)
}
