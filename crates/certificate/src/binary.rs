//! Routines on polynomials over GF(2). A bit has one normal form only, so that a proof is an execution: nothing is
//! searched, and there are no steps.

use crate::checkable::Checkable;
use crate::execution::NOT_ZERO;
use rhomb_anf::{Bit, NormalForms, Word};
use rhomb_contract::{Binary, Contract, Expression, Pattern, Returned, Word as Given};
use rhomb_machine::{Domain, Stopped, Surroundings};

/// The outcome of one execution over normal forms.
#[derive(Debug)]
pub struct BinaryExecution {
    /// Demands of the convention that do not hold.
    pub breaches: Vec<String>,
    /// Result words that were never written.
    pub missing: Vec<usize>,
    /// The coefficients in which the result is not shown to be right, of the difference from what the contract says and
    /// modulo its polynomial, the lowest first; that of 1 where it was not compared.
    pub open: Vec<u32>,
    /// What is left of the effort.
    pub effort: u64,
}

/// Executes the routine for one aliasing pattern, touching so many products of bits at most, and compares. That it comes
/// to an end says what it says of [`crate::execute`].
pub fn execute_binary(
    routine: &dyn Checkable,
    (contract, binary): (&Contract, &Binary),
    pattern: &Pattern,
    effort: u64,
) -> Result<BinaryExecution, Stopped> {
    let bits = routine.word_bits();
    let mut domain = NormalForms::new(bits, effort);
    let mut input = |words: &u32| (0..*words).map(|_| domain.input()).collect();
    let inputs: Vec<Vec<Word>> = contract.operands(bits).iter().map(&mut input).collect();
    let operands = pattern.fitting(&inputs);
    let given = contract.arguments(bits, pattern, &operands, |word| match word {
        Given::Number(number) => domain.word(number),
        Given::Negative(word) => word.clone(),
    });
    let finished = match routine.over(domain.clone(), &given) {
        // of such words nothing is known
        Err(stopped) if stopped.fault.is_undefined() => {
            let filled = Surroundings { filled: true, ..Surroundings::default() };
            routine.over_in(domain, &given, filled).map_err(|_| stopped)?
        }
        finished => finished?,
    };
    let mut domain = finished.domain;
    let mut breaches: Vec<String> = finished.breaches.into_iter().map(|breach| breach.text).collect();
    let zero = domain.word(0);
    if contract.returned() == Returned::Zero && finished.returned.is_none_or(|word| word != zero) {
        breaches.push(NOT_ZERO.to_owned());
    }
    let mut flat = |words: &[Word]| words.iter().flat_map(|word| domain.bits_of(word)).collect::<Vec<Bit>>();
    let operands: Vec<Vec<Bit>> = operands.iter().map(|words| flat(words)).collect();
    let missing = finished.buffers[0].iter().enumerate().filter(|(_, word)| word.is_none());
    let mut missing: Vec<usize> = missing.map(|(column, _)| column).collect();
    missing.extend((binary.operation().expression() == Expression::Inverse).then_some(0));
    let result = flat(&finished.buffers[0].iter().flatten().cloned().collect::<Vec<Word>>());
    // the result moved up, and what it is compared with, column by column; over GF(2) a difference is a sum
    let shift = binary.shift(bits) as usize;
    let (a, b) = (&operands[0], &operands[operands.len() - 1]);
    let mut rest: Vec<Bit> = Vec::new();
    for place in 0..(shift + result.len()).max(2 * a.len()) {
        // what is not compared is open
        if !missing.is_empty() || domain.effort() == 0 {
            break;
        }
        let one = |bit: &Bit| (bit.clone(), Bit::Known(true));
        let mut pairs: Vec<(Bit, Bit)> =
            place.checked_sub(shift).and_then(|at| result.get(at)).map(one).into_iter().collect();
        match binary.operation().expression() {
            Expression::Product | Expression::Square => {
                let rows = (place + 1).saturating_sub(b.len())..a.len().min(place + 1);
                pairs.extend(rows.map(|row| (a[row].clone(), b[place - row].clone())));
            }
            // there are no others over GF(2)
            _ => {
                pairs.extend(operands.iter().filter_map(|bits| bits.get(place)).map(one));
            }
        }
        rest.push(domain.sum_of_products(&pairs));
    }
    if let Some(modulus) = binary.modulus() {
        let exponents = modulus.exponents();
        let degree = modulus.degree() as usize;
        for place in (degree..rest.len()).rev() {
            let top = rest[place].clone();
            for exponent in &exponents {
                let folded = place - degree + *exponent as usize;
                rest[folded] = domain.bit_xor(&rest[folded].clone(), &top);
            }
        }
    }
    let mut open: Vec<u32> =
        (0..).zip(&rest).filter(|(_, bit)| **bit != Bit::Known(false)).map(|(place, _)| place).collect();
    if !missing.is_empty() || domain.effort() == 0 {
        open.insert(0, 0);
    }
    Ok(BinaryExecution { breaches, missing, open, effort: domain.effort() })
}
