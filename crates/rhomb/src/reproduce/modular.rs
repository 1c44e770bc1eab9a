//! Modular arithmetic on the TMS320VC5510.

use crate::error::Error;
use crate::modular::typical;
use crate::request::Request;
use rhomb_kernel::Parameters;
use rhomb_papers::tables::ModularRun;

/// The core.
pub(super) const CORE: &str = "tms320vc5510";

/// Cycles of the body in one call.
pub(super) fn cycles(run: &ModularRun) -> Result<i64, Error> {
    let levels = run.levels.map(|levels| levels as usize);
    let cycles = typical(&Request {
        operation: run.operation.to_owned(),
        bits: run.bits as usize,
        target: CORE.to_owned(),
        method: Some(run.method.to_owned()),
        parameters: Parameters { levels, ..Parameters::default() },
        ..Request::default()
    })?;
    i64::try_from(cycles).map_err(|error| Error::request(error, "a smaller size"))
}
