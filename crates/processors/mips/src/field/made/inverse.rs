//! Inversions: the routines that the program of one calls.

use super::{Made, Maker, NotMade};
use crate::instructions::Instruction;
use crate::lower;
use rhomb_contract::Contract;
use rhomb_field::program::inversion;
use rhomb_kernel::Form;

impl Maker<'_> {
    /// 1/a as a power, with the fastest products and squares that there are behind it; where there is no squaring, by
    /// multiplications alone.
    pub(super) fn inverse(&self, contract: &Contract) -> Result<Vec<Made>, NotMade> {
        self.is_wanted(Form::Looped)?;
        let missing = |what: String, valid| NotMade::Operation { what, valid };
        let own = inversion(contract).ok_or_else(|| missing(contract.to_string(), "an inversion"))?;
        let [mul, sqr] = own.routines;
        let fastest = |contract: &Contract| -> Result<Option<Vec<Instruction>>, NotMade> {
            let all = super::candidates(contract, Some(Form::Unrolled), self.model, self.convention)?;
            // straight lines: the fewest instructions are the fastest
            Ok(all.into_iter().map(|made| made.program).min_by_key(Vec::len))
        };
        let product = fastest(&mul)?.ok_or_else(|| missing(mul.to_string(), "other moduli"))?;
        let square = fastest(&sqr).ok().flatten();
        let program = own.program(32, square.is_some());
        let program = program.ok_or_else(|| missing(format!("{mul} a number of times"), "larger fields"))?;
        let routines: Vec<&[Instruction]> =
            [&product].into_iter().chain(&square).map(Vec::as_slice).collect();
        let program = lower::program(&program, &routines, self.convention).map_err(NotMade::Lower)?;
        Ok(vec![Made { program, method: own.method, form: Form::Looped }])
    }
}
