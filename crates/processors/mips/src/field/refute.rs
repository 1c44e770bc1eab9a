//! The search for a counter-example to a contract of field arithmetic.

use super::{FieldError, Library, run};
use rhomb_field::contract::Contract;

/// A call that breaks its contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CounterExample {
    /// The operands' words, lowest first.
    pub operands: Vec<Vec<u32>>,
    /// The result; `None` for a word that was not written.
    pub result: Vec<Option<u32>>,
    /// Which operands of the contract's list, from 0.
    pub number: u64,
}

/// Instructions of a call.
const LIMIT: u64 = 100_000;

/// Calls a routine with the first `calls` operands of its contract's list, `context` behind them if there is one, until one
/// breaks the contract. That none does is no proof.
///
/// # Errors
/// A call that does not come to its end.
pub fn refute(
    library: &Library,
    entry: u32,
    contract: &Contract,
    context: Option<&[u32]>,
    calls: u64,
) -> Result<Option<CounterExample>, FieldError> {
    for number in 0..calls {
        let operands = contract.inputs(number);
        let mut given: Vec<&[u32]> = operands.iter().map(Vec::as_slice).collect();
        given.extend(context);
        let written = context.map(|_| operands.len());
        let run = run(library, entry, contract.words() as u32, &given, written, LIMIT)
            .map_err(|fault| FieldError::Evidence(format!("{fault} with {operands:08x?}")))?;
        let words: Option<Vec<u32>> = run.result.iter().copied().collect();
        if !words.is_some_and(|words| contract.holds(&operands, &words)) {
            return Ok(Some(CounterExample { operands, result: run.result, number }));
        }
    }
    Ok(None)
}
