//! A contract in one line, as in `--contract "mul 160"`.

use crate::error::{Error, shown};
use crate::operation::Operation;

/// The largest size in bits that is taken; far beyond what any target's memory holds.
pub const MOST_BITS: usize = 32_768;

const GRAMMAR: &str = "a contract is an operation and a size, such as \"mul 160\"";

/// An operation at a size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contract {
    /// The operation.
    pub operation: Operation,
    /// Size of each operand in bits, 1 to [`MOST_BITS`].
    pub bits: usize,
}

impl Contract {
    /// A contract whose size is legal.
    ///
    /// # Errors
    /// For a size of 0 bits, or beyond [`MOST_BITS`].
    pub fn new(operation: Operation, bits: usize) -> Result<Self, Error> {
        if (1..=MOST_BITS).contains(&bits) {
            return Ok(Contract { operation, bits });
        }
        let hint = match bits {
            0 => "a size is in bits: --bits 160 multiplies numbers of 20 bytes",
            _ => "no target has the memory for operands of that size",
        };
        Err(Error::request(format_args!("a size of {bits} bits; valid: 1 to {MOST_BITS}"), hint))
    }

    /// Reads `OPERATION BITS`.
    ///
    /// # Errors
    /// For anything else.
    pub fn parse(text: &str) -> Result<Self, Error> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let [name, size] = words[..] else {
            let fault = format!("contract '{}'; valid: OPERATION BITS", shown(text));
            return Err(Error::request(fault, GRAMMAR));
        };
        let operation = operation(name)?;
        let bits = size.parse().map_err(|_| {
            let fault = format!("size '{}' in a contract; valid: 1 to {MOST_BITS}", shown(size));
            Error::request(fault, GRAMMAR)
        })?;
        Contract::new(operation, bits)
    }

    /// Words of each operand on a processor with words of `word_bits` bits.
    pub fn words(&self, word_bits: usize) -> usize {
        self.bits.div_ceil(word_bits)
    }
}

/// The operation of that name.
pub(crate) fn operation(name: &str) -> Result<Operation, Error> {
    let names = Operation::ALL.map(Operation::name);
    let unknown = || Error::unknown("operation", name, &names, "`rhomb list operations` describes them");
    Operation::named(name).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_and_bad_contracts() {
        let check = |text: &str, expected: &str| match Contract::parse(text) {
            Ok(contract) => assert_eq!(format!("{} {}", contract.operation.name(), contract.bits), expected),
            Err(error) => assert_eq!(error.fault, expected),
        };
        check(" mul  160 ", "mul 160");
        check("mul", "contract 'mul'; valid: OPERATION BITS");
        check("mul 160 3", "contract 'mul 160 3'; valid: OPERATION BITS");
        check("mull 160", "unknown operation 'mull'; valid: mul");
        check("mul 1x", "size '1x' in a contract; valid: 1 to 32768");
        check("mul 0", "a size of 0 bits; valid: 1 to 32768");
        check("mul 32769", "a size of 32769 bits; valid: 1 to 32768");
    }
}
