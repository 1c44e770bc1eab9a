//! Operations modulo a number that is written into the code.

use crate::bound::Bounds;
use crate::error::{ContractError, short};
use crate::modulus::Modulus;
use crate::operation::{Expression, Operation};
use crate::prime::is_prime;
use std::fmt;

/// What stands before a factor that is a number.
const FACTOR: &str = "b=";

/// An operation and its modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Modular {
    /// What is computed, one of [`Family::Modular`](crate::Family::Modular).
    pub operation: Operation,
    /// The modulus `p`.
    pub modulus: Modulus,
    /// Of a product whose factor `b` is a number that is written into the code, that number; then `a` is the only operand.
    pub factor: Option<u32>,
    /// How often the operands of a sum or a difference count.
    pub weights: [u32; 2],
}

impl Modular {
    /// An operation as it is.
    pub fn new(operation: Operation, modulus: Modulus) -> Self {
        Modular { operation, modulus, factor: None, weights: [1; 2] }
    }

    /// Whether no number is a factor of an operand.
    pub fn is_plain(&self) -> bool {
        self.factor.is_none() && self.weights == [1; 2]
    }

    /// Reads what follows the operation: a modulus, then conditions.
    pub(crate) fn parse(operation: Operation, text: &[&str]) -> Result<(Modular, Bounds), ContractError> {
        let (modulus, conditions) = text.split_first().unwrap_or((&"", &[]));
        let mut modular = Modular::new(operation, modulus.parse()?);
        let mut bounds = Bounds::default();
        if operation.expression() == Expression::Inverse && !is_prime(&modular.modulus.number()) {
            return Err(ContractError::NoField(short(modulus)));
        }
        let names = operation.operands();
        // of several numbers none is the result
        let has_bound = operation.expression().results() == 1;
        for condition in conditions {
            let wrong = || {
                let mut valid: Vec<String> = names.iter().map(|name| format!("{name}<p")).collect();
                valid.extend(has_bound.then(|| "r<p".to_owned()));
                valid.extend((operation == Operation::ModMul).then(|| format!("{FACTOR}NUMBER")));
                valid.extend(is_weighted(operation).then(|| "a*NUMBER, b*NUMBER".to_owned()));
                ContractError::Condition { given: short(condition), valid: valid.join(", ") }
            };
            let bound = condition.split_once('<');
            let bound = bound.filter(|(name, _)| has_bound && *name == "r" || names.contains(name));
            match bound {
                Some(bound) => bounds.take(names, bound, true)?,
                None if is_weighted(operation) => {
                    let (operand, number) = weight(condition, names).ok_or_else(wrong)?;
                    let own = &mut modular.weights[operand];
                    *own = Some(number).filter(|_| *own == 1).ok_or_else(wrong)?;
                }
                None => {
                    let is_first = operation == Operation::ModMul && modular.factor.is_none();
                    modular.factor = Some(factor(condition).filter(|_| is_first).ok_or_else(wrong)?);
                }
            }
        }
        if modular.factor.is_some() && bounds.operands[1].is_some() {
            return Err(ContractError::Condition { given: "b<p".to_owned(), valid: "a<p, r<p".to_owned() });
        }
        Ok((modular, bounds))
    }
}

/// Whether operands of an operation may count more than once.
fn is_weighted(operation: Operation) -> bool {
    matches!(operation, Operation::ModAdd | Operation::ModSub)
}

/// The operand of a condition that says how often it counts, and how often.
fn weight(condition: &str, names: &[&str]) -> Option<(usize, u32)> {
    let (name, digits) = condition.split_once('*')?;
    Some((names.iter().position(|own| *own == name)?, number(digits)?))
}

/// The number of a condition that says what a factor is.
fn factor(condition: &str) -> Option<u32> {
    number(condition.strip_prefix(FACTOR)?)
}

/// A decimal number from 2 on.
fn number(digits: &str) -> Option<u32> {
    let is_plain = digits.starts_with(|first: char| ('1'..='9').contains(&first));
    digits.parse().ok().filter(|factor| is_plain && *factor > 1)
}

impl fmt::Display for Modular {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.operation.name(), self.modulus)
    }
}

impl Modular {
    /// Prints what stands behind the operation and its modulus.
    pub(crate) fn print(&self, bounds: &Bounds, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        bounds.print_operands(self.operation.operands(), f)?;
        self.factor.iter().try_for_each(|factor| write!(f, " {FACTOR}{factor}"))?;
        let weights = self.operation.operands().iter().zip(self.weights).filter(|(_, weight)| *weight != 1);
        weights.into_iter().try_for_each(|(name, weight)| write!(f, " {name}*{weight}"))?;
        bounds.print_result(f)
    }
}
