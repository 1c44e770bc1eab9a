//! Functions of few bits as exact polynomials.

use rhomb_poly::{Monomial, Polynomial, Variable};

/// Most bits that a function is tabulated over.
pub(crate) const MOST_BITS: usize = 9;

/// The variables of several polynomials, if all are bits and they are few.
pub(crate) fn bits_of(polynomials: &[&Polynomial]) -> Option<Vec<Variable>> {
    let mut all: Vec<Variable> = polynomials.iter().flat_map(|polynomial| polynomial.variables()).collect();
    all.sort_unstable();
    all.dedup();
    (all.len() <= MOST_BITS && all.iter().all(|variable| variable.is_bit())).then_some(all)
}

/// The multilinear polynomial in `bits` that takes the value of `function` for every assignment (bit
/// `n` of the argument is the value of `bits[n]`). It is unique, so it equals the function.
pub(crate) fn interpolate(bits: &[Variable], function: impl Fn(usize) -> i64) -> Option<Polynomial> {
    let mut table: Vec<i64> = (0..1usize << bits.len()).map(function).collect();
    // Moebius transform over subsets
    for bit in 0..bits.len() {
        for assignment in 0..table.len() {
            if assignment & (1 << bit) != 0 {
                table[assignment] = table[assignment].checked_sub(table[assignment ^ (1 << bit)])?;
            }
        }
    }
    let terms = table.into_iter().enumerate().filter(|(_, value)| *value != 0).map(|(subset, value)| {
        let members = bits.iter().enumerate().filter(|(at, _)| subset & (1 << at) != 0);
        let monomial =
            members.fold(Monomial::one(), |product, (_, bit)| product.times(&Monomial::variable(*bit)));
        (monomial, value)
    });
    Polynomial::from_terms(terms.collect())
}

/// The value of a polynomial in `bits` for an assignment.
pub(crate) fn evaluate(polynomial: &Polynomial, bits: &[Variable], assignment: usize) -> Option<i64> {
    let value = polynomial.evaluate(|variable| {
        let at = bits.binary_search(&variable).unwrap_or(usize::BITS as usize - 1);
        ((assignment >> at) & 1) as i64
    })?;
    i64::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn interpolation_is_exact() {
        let bits: Vec<Variable> = (0..4).map(|index| Variable::new(index, true)).collect();
        let function = |assignment: usize| (assignment as i64 * 37 + 5) % 11 - 3;
        let polynomial = interpolate(&bits, function).unwrap();
        for assignment in 0..16 {
            assert_eq!(evaluate(&polynomial, &bits, assignment), Some(function(assignment)));
        }
    }
}
