//! Products over GF(2), and what is reduced behind them, as programs that call combs.

use crate::error::Error;
use crate::lines::field_routines;
use crate::targets::{Code, FieldRoutine, LowerFault, Target};
use rhomb_certificate::Contract;
use rhomb_field::polynomial::{Composed, Routine, composed, separated};
use rhomb_kernel::Form;
use std::ops::RangeInclusive;

/// Words of the longest combs that are tried.
const COMBS: RangeInclusive<usize> = 2..=8;

/// The programs for a contract that differ, where there are any. Which is the fastest depends on the core: long combs are
/// called less often, and keep fewer of their words in registers.
pub(super) fn programs(target: &dyn Target, contract: &Contract) -> Vec<Composed> {
    let Some(own) = contract.binary() else { return Vec::new() };
    let bits = target.description().word_bits;
    let mut programs: Vec<Composed> = COMBS.filter_map(|most| composed(own, bits, most)).collect();
    programs.dedup();
    programs.extend(separated(own, bits));
    programs
}

/// Its routine.
pub(super) fn routine(
    target: &'static dyn Target,
    own: &Composed,
    convention: &str,
) -> Result<FieldRoutine, LowerFault> {
    let other = |error: Error| LowerFault::Unmade(error.to_string());
    let code = |routine: &Routine| match routine {
        Routine::Lines(lines) => {
            let all = lines.iter().map(|line| target.line(line, None, convention));
            fewest(target, all)
        }
        Routine::Of(contract) => {
            let all = field_routines(target, contract, None, convention).map_err(other)?;
            fewest(target, all.into_iter().map(|made| Ok(made.code)))
        }
    };
    let routines: Vec<Code> = own.routines.iter().map(code).collect::<Result<_, _>>()?;
    let code = target.program(&own.program, &routines, convention)?;
    let (needed, flash) = (target.code_bytes(&code), target.description().flash_bytes);
    if needed as u64 > flash {
        return Err(LowerFault::Unmade(format!("its {needed} bytes of code are more than {flash} of flash")));
    }
    Ok(FieldRoutine { code, method: own.method, form: Form::Unrolled })
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
