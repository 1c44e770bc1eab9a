//! Where branches go and literals stand, in the state of a core.
//!
//! What is lowered counts distances in instructions, four bytes each, as in ARM state. In Thumb state instructions have two bytes
//! or four, which a distance may decide, and literals may stand behind two more, for their address to be a multiple of four.

use super::{LowerError, literals};
use crate::cores::Core;
use crate::instructions::{Action, Instruction};
use crate::later::{Later, Nothing};
use crate::thumb;

/// From where PC counts a branch's distance and that of a literal, from the instruction at an address on.
fn ahead(core: &Core, one: &Instruction, at: i32) -> i32 {
    match (one.action, core.thumb) {
        (Action::Transfer { .. }, None) => 8,
        (Action::Transfer { .. }, Some(_)) => 4 - (at & 2),
        _ => 0,
    }
}

/// How far away stands what an instruction names, if it names a place.
fn distance(one: &Instruction) -> Option<i32> {
    match one.action {
        Action::Branch { distance, .. } | Action::Later(Later::CompareBranch { distance, .. }) => {
            Some(distance)
        }
        _ => literals::offset(one).map(i32::from),
    }
}

/// The same at another distance; nothing where a literal stands before it.
fn at_distance(one: &Instruction, to: i32) -> Option<Instruction> {
    let mut own = *one;
    match &mut own.action {
        Action::Branch { distance, .. } | Action::Later(Later::CompareBranch { distance, .. }) => {
            *distance = to;
        }
        _ => own = literals::load(one, u16::try_from(to).ok()?),
    }
    Some(own)
}

/// How many bytes an instruction has.
fn length(core: &Core, one: &Instruction) -> Result<i32, LowerError> {
    let Some(level) = core.thumb else { return Ok(4) };
    let form = || LowerError::Form { core: core.name, text: crate::program::text(core, one) };
    thumb::encode(level, one).map(|halves| 2 * halves.len() as i32).map_err(|_| form())
}

fn is_literal(one: &Instruction) -> bool {
    matches!(one.action, Action::Literal(_))
}

/// Where instructions of these lengths stand, and where their end is.
fn addresses(program: &[Instruction], lengths: &[i32]) -> Vec<i32> {
    let mut end = 0;
    let mut at: Vec<i32> = Vec::with_capacity(program.len() + 1);
    for (one, length) in program.iter().zip(lengths) {
        let own = if is_literal(one) { (end + 3) & !3 } else { end };
        at.push(own);
        end = own + length;
    }
    at.push(end);
    at
}

/// Rounds in which lengths settle: what is filled up may make a distance longer by two bytes again.
const ROUNDS: usize = 64;

/// Instructions for the core's state: in Thumb state with the shortest codes, and distances in bytes.
///
/// # Errors
/// An instruction that the state does not have, or a branch out of the code.
pub fn placed(core: &Core, program: &[Instruction]) -> Result<Vec<Instruction>, LowerError> {
    let mut placed: Vec<Instruction> = match core.thumb {
        None => program.to_vec(),
        Some(_) => program.iter().map(thumb::shorter).collect(),
    };
    let goal = |number: usize, distance: i32| usize::try_from(number as i32 + distance / 4).ok();
    // the longest codes first, as a shorter distance never wants a longer code; ARMv6-M has one for loads of literals
    let mut lengths: Vec<i32> = Vec::with_capacity(placed.len());
    for one in &placed {
        lengths.push(match (distance(one), literals::offset(one)) {
            (_, Some(_)) if core.is_small() => 2,
            (Some(_), _) => 4,
            (None, _) => length(core, one)?,
        });
    }
    for _ in 0..ROUNDS {
        let at = addresses(program, &lengths);
        let mut changed = false;
        for (number, one) in program.iter().enumerate() {
            let Some(counted) = distance(one) else { continue };
            let to = goal(number, counted).and_then(|goal| at.get(goal)).ok_or(LowerError::Loops)?;
            let bytes = to - at[number] - ahead(core, one, at[number]);
            let own = at_distance(one, bytes).ok_or(LowerError::Loops)?;
            placed[number] = own;
            let now = length(core, &own)?;
            changed |= now != lengths[number];
            lengths[number] = now;
        }
        if !changed {
            let mut whole = Vec::with_capacity(placed.len());
            let mut end = 0;
            for ((one, at), length) in placed.into_iter().zip(at).zip(lengths) {
                if at != end {
                    whole.push(Action::Later(Later::Nothing(Nothing::Nop)).into());
                }
                whole.push(one);
                end = at + length;
            }
            return Ok(whole);
        }
    }
    Err(LowerError::Loops)
}

/// The same with distances in instructions again, without what literals stand behind.
pub(super) fn counted(core: &Core, program: &[Instruction]) -> Result<Vec<Instruction>, LowerError> {
    let filled = |one: &Instruction, next: Option<&Instruction>| {
        one.action == Action::Later(Later::Nothing(Nothing::Nop)) && next.is_some_and(is_literal)
    };
    let (mut at, mut end, mut counted) = (Vec::new(), 0, Vec::new());
    for (number, one) in program.iter().enumerate() {
        if !filled(one, program.get(number + 1)) {
            at.push(end);
            counted.push(*one);
        }
        end += length(core, one)?;
    }
    at.push(end);
    for (number, one) in counted.iter_mut().enumerate() {
        let Some(bytes) = distance(one) else { continue };
        let to = at[number] + bytes + ahead(core, one, at[number]);
        let goal = at.binary_search(&to).map_err(|_| LowerError::Loops)?;
        *one = at_distance(one, 4 * (goal as i32 - number as i32)).ok_or(LowerError::Loops)?;
    }
    Ok(counted)
}
