//! The programs of a library, as users write them.

use super::LibraryRequest;
use crate::contract::operations;
use crate::error::{Error, shown};
use crate::request::Request;
use crate::scheme;

/// The request for one of them: an operation, and then bits, a modulus, a polynomial or a curve.
pub(super) fn request(text: &str, library: &LibraryRequest) -> Result<Request, Error> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (operation, size) = match words[..] {
        [operation] => (operation, None),
        [operation, size] => (operation, Some(size)),
        _ => {
            let fault = format!("program '{}' is none; valid: an operation and its size", shown(text));
            return Err(Error::request(
                fault,
                "such as x25519, \"ecdh p256\", \"mul 256\", \"modmul p256\" or \"gf2mul 191\"",
            ));
        }
    };
    let known: Vec<&str> = operations().map(|(name, _)| name).collect();
    if !known.contains(&operation) {
        return Err(Error::unknown("operation", operation, &known, "`rhomb list operations` describes them"));
    }
    let bits = size.and_then(|size| size.parse().ok());
    let number = size.filter(|_| bits.is_none()).map(str::to_owned);
    let has_curve = scheme::has_curve(operation);
    let is_binary = operation.starts_with("gf2");
    Ok(Request {
        operation: operation.to_owned(),
        bits: bits.unwrap_or(0),
        modulus: number.clone().filter(|_| !is_binary && !has_curve),
        curve: number.clone().filter(|_| has_curve),
        polynomial: number.filter(|_| is_binary),
        target: library.target.clone(),
        convention: library.convention.clone(),
        constant_time: library.constant_time,
        no_proof: library.no_proof,
        work: library.work.clone(),
        ..Request::default()
    })
}
