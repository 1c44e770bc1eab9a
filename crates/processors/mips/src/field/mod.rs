//! Montgomery multiplication and squaring with loops, as published (J. Grossschaedl, E. Savas, "Instruction Set Extensions for
//! Fast Arithmetic in Finite Fields GF(p) and GF(2^m)", CHES 2004): code whose size does not depend on that of the operands.

mod context;
mod montgomery;

use crate::instructions::Instruction;
use crate::model::Model;
use crate::syntax::{self, ParseError};
use rhomb_contract::{Contract, Operation};
use rhomb_field::montgomery::Ring;
use rhomb_field::words::words;

/// How it computes.
pub const METHOD: &str = "finely-integrated";

/// The routine for a contract; there is none of other operations, of one word, and of polynomials that fill their words.
///
/// # Errors
/// Where the core lacks an instruction.
pub fn looped(contract: &Contract, model: &Model) -> Result<Option<Vec<Instruction>>, ParseError> {
    let number = match (contract.modular(), contract.binary().and_then(|binary| binary.modulus())) {
        (Some(modular), _) => modular.modulus.number(),
        (None, Some(modulus)) => modulus.number(),
        (None, None) => return Ok(None),
    };
    let d = contract.result(32) as usize;
    let (ring, is_square) = match contract.operation() {
        Operation::MontMul => (Ring::Integers, false),
        Operation::MontSqr => (Ring::Integers, true),
        Operation::Gf2MontMul => (Ring::Polynomials, false),
        Operation::Gf2MontSqr => (Ring::Polynomials, true),
        _ => return Ok(None),
    };
    if d < 2 || number.bits() > 32 * d as u64 {
        return Ok(None);
    }
    let Some(context) = context::context(ring, &words(&number, d)) else { return Ok(None) };
    let inner = match is_square {
        true => montgomery::square("g", ring, d),
        false => montgomery::multiply("g", ring, d),
    };
    Ok(Some(syntax::parse(model, 0, &(context + &inner))?.instructions))
}
