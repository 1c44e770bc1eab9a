//! Products over GF(2), and what is reduced behind them, as programs that call combs.

use crate::calls;
use crate::targets::{FieldRoutine, LowerFault, Target};
use rhomb_certificate::Contract;
use rhomb_field::polynomial::{Composed, composed, separated};
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
    let code = calls::program(target, (&own.program, &own.routines), convention)?;
    Ok(FieldRoutine { code, method: own.method, form: Form::Unrolled })
}
