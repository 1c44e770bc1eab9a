use num_bigint::BigUint;
use rhomb_poly::Dyadic;

/// By multiples of what the two sides of a statement may differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Modulo {
    /// Not at all.
    Nothing,
    /// Of 2 to this power.
    Power(i32),
    /// Of an odd number. The sides are integers, so that whatever power of two they are divided by on the way
    /// takes nothing away.
    Odd(BigUint),
    /// Of an odd number that is an argument: see [`crate::facts::Argument`].
    Argument,
}

impl Modulo {
    /// Whether a term with this factor makes no difference.
    pub fn ignores(&self, factor: &Dyadic) -> bool {
        factor.is_zero()
            || match self {
                Modulo::Nothing | Modulo::Argument => false,
                Modulo::Power(places) => factor.exponent() >= *places,
                Modulo::Odd(number) => factor.is_multiple_of(number),
            }
    }
}
