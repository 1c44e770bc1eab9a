//! Status bits of a convention around a kernel.

use crate::conventions::Convention;
use crate::instructions::Status;
use crate::instructions::{Bundle, Instruction, StatusBit};

/// Kernels run with M40 = 1, SXMD = 0, ARMS = 0.
const WANTED: Status = Status { m40: true, sxmd: false, arms: false };

/// A function's lines with what sets the status bits at the entry and restores them before its return, which is the first
/// one in the lines.
pub fn framed(lines: Vec<Bundle>, convention: &Convention) -> Vec<Bundle> {
    let Status { m40, sxmd, arms } = convention.status;
    let changes = [
        (StatusBit::M40, m40, WANTED.m40),
        (StatusBit::Sxmd, sxmd, WANTED.sxmd),
        (StatusBit::Arms, arms, WANTED.arms),
    ];
    let changes: Vec<_> = changes.into_iter().filter(|(_, there, wanted)| there != wanted).collect();
    let returns = |line: &Bundle| line.instructions().any(|one| *one == Instruction::Return);
    let end = lines.iter().position(returns).unwrap_or(lines.len());
    let count = changes.len() as u32;
    let moved = |target: u32| if target as usize <= end { target + count } else { target + 2 * count };
    let of = |set: fn(&(StatusBit, bool, bool)) -> bool| {
        changes
            .iter()
            .map(move |change| Bundle::from(Instruction::Status { bit: change.0, set: set(change) }))
    };
    let mut framed: Vec<Bundle> = of(|change| change.2).collect();
    for (number, line) in lines.into_iter().enumerate() {
        if number == end {
            framed.extend(of(|change| change.1));
        }
        let retarget = |one: Instruction| one.target().map_or(one, |target| one.with_target(moved(target)));
        framed.push(Bundle { first: retarget(line.first), second: line.second.map(retarget) });
    }
    framed
}
