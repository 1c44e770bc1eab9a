//! Programs of calls, with the fastest routines for what they call.

use crate::error::Error;
use crate::lines::{field_routines, whole_product};
use crate::targets::{Code, LowerFault, Target};
use rhomb_certificate::{Contract, Family};
use rhomb_field::program::{Program, Routine};
use rhomb_line::Line;

/// The code of a program with its routines behind it.
pub(crate) fn program(
    target: &'static dyn Target,
    (program, routines): (&Program, &[Routine]),
    convention: &str,
) -> Result<Code, LowerFault> {
    let code = |routine: &Routine| match routine {
        Routine::Lines(lines) => shortest_line(target, lines, convention),
        Routine::Kept(contract) => kept(target, contract, convention),
    };
    let routines: Vec<Code> = routines.iter().map(code).collect::<Result<_, _>>()?;
    in_flash(target, target.program(program, &routines, convention)?)
}

/// The routine of the shortest of straight lines, which is the fastest.
pub(crate) fn shortest_line(
    target: &dyn Target,
    lines: &[Line],
    convention: &str,
) -> Result<Code, LowerFault> {
    let all = lines.iter().map(|line| target.line(line, None, convention));
    fewest(target, all).and_then(|code| in_flash(target, code))
}

/// The routine for a product of whole numbers, or for an operation of fields.
fn kept(target: &'static dyn Target, contract: &Contract, convention: &str) -> Result<Code, LowerFault> {
    let other = |error: Error| LowerFault::Unmade(error.to_string());
    if contract.operation().family() == Family::Whole {
        return whole_product(target, contract, convention).map_err(other);
    }
    let all = field_routines(target, contract, None, convention).map_err(other)?;
    fewest(target, all.into_iter().map(|made| Ok(made.code)))
}

/// The code, if program memory has room for it.
fn in_flash(target: &dyn Target, code: Code) -> Result<Code, LowerFault> {
    let (needed, flash) = (target.code_bytes(&code), target.description().flash_bytes);
    match needed as u64 > flash {
        true => Err(LowerFault::Unmade(format!("its {needed} bytes of code are more than {flash} of flash"))),
        false => Ok(code),
    }
}

/// The shortest of straight lines, which is the fastest.
fn fewest(
    target: &dyn Target,
    all: impl Iterator<Item = Result<Code, LowerFault>>,
) -> Result<Code, LowerFault> {
    let mut best = Err(LowerFault::Unmade("it would be too long".to_owned()));
    for made in all {
        best = match (best, made) {
            (Ok(best), Ok(made)) if target.code_bytes(&made) >= target.code_bytes(&best) => Ok(best),
            (Ok(best), Err(_)) => Ok(best),
            (_, made) => made,
        };
    }
    best
}
