//! A proof of the whole, which has a certificate, or one that is composed of those of routines that are called.

use crate::calls::calls_others;
use crate::products::prove_by_products;
use crate::provable::Provable;
use crate::search::prove_within;
use crate::unproved::Unproved;
use rhomb_certificate::{Certificate, Contract, Expression};

/// Effort for a proof of the whole where a composition may take its place: a second or two.
pub(crate) const WHOLE: u64 = 6_000_000;

/// A proof of the whole; of a product where that takes more than the effort `whole`, or there is none, one that is composed of
/// products of whole numbers.
pub(crate) fn prove_either(
    routine: &dyn Provable,
    contract: &Contract,
    whole: u64,
    effort: u64,
) -> Result<Certificate, Unproved> {
    let alone = |effort| prove_within(routine, contract, effort);
    if !is_product(contract) || !calls_others(routine, contract) {
        return alone(effort);
    }
    let unproved = match alone(whole.min(effort)) {
        Err(unproved) => unproved,
        proved => return proved,
    };
    match (prove_by_products(routine, contract, effort), unproved) {
        (Ok(certificate), _) => Ok(certificate),
        (Err(_), Unproved::Effort(_)) if whole < effort => alone(effort),
        (Err(_), unproved) => Err(unproved),
    }
}

/// Whether a product is promised that may be made of products of whole numbers, or a division by R that may be.
fn is_product(contract: &Contract) -> bool {
    let is_product = matches!(contract.expression(), Expression::Product | Expression::Square);
    contract.binary().is_none() && (is_product || contract.any_modulus().is_some())
}
