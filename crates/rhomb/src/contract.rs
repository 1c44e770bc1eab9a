//! A contract in one line, as in `--contract "mul 160"`.

use crate::error::Error;
use crate::field;
use crate::modular::ModularOperation;
use crate::scheme;
use rhomb_certificate::{Contract, MOST_BITS, Operation, Prototype};

const HINT: &str = "a contract is an operation with its sizes in bits, such as \"mul 160\", or with its modulus: \"modmul p256\", \"modmul 2^192-2^64-1\", \"gf2modmul x^191+x^9+1\"; then the arguments, where they are others: \"mul 160 (r, a, b, 20) -> void\"";

/// Reads a contract. A modulus or polynomial may be given by its name, as in `modmul p256`.
///
/// # Errors
/// For anything else; see docs/contracts.md.
pub fn parse(text: &str) -> Result<Contract, Error> {
    let (head, prototype) = Prototype::cut(text);
    let mut words: Vec<&str> = head.split_whitespace().collect();
    if let [operation, size, ..] = &mut words[..]
        && let Some(operation) = Operation::named(operation)
    {
        *size = field::written(operation, size);
    }
    format!("{} {prototype}", words.join(" ")).trim_end().parse().map_err(|error| Error::request(error, HINT))
}

/// The contract of an operation that is generated.
pub(crate) fn of(operation: Operation, bits: usize) -> Result<Contract, Error> {
    let size = u32::try_from(bits).ok().filter(|size| (1..=MOST_BITS).contains(size));
    let Some(size) = size else {
        let hint = match bits {
            0 => "a size is in bits: --bits 160 is for numbers of 20 bytes",
            _ => "no target has the memory for operands of that size",
        };
        return Err(Error::request(format_args!("a size of {bits} bits; valid: 1 to {MOST_BITS}"), hint));
    };
    Ok(Contract::whole(operation, size))
}

/// What an operation is, after a size: "160-bit multiplication".
pub(crate) fn noun(name: &str) -> &str {
    let program = scheme::ALL.iter().find(|(own, ..)| *own == name).map(|(_, noun, _)| *noun);
    let private = (name == ModularOperation::Private.name()).then_some("private RSA");
    Operation::generated(name)
        .map(Operation::noun)
        .or(program)
        .or(private)
        .unwrap_or("modular exponentiation")
}

/// All operations that can be generated, with a line for each.
pub fn operations() -> impl Iterator<Item = (&'static str, &'static str)> {
    let all = Operation::ALL.iter().map(|own| (own.name(), own.summary()));
    let schemes = scheme::ALL.iter().map(|(name, _, summary)| (*name, *summary));
    let powers = ModularOperation::ALL.iter().filter(|own| own.is_power());
    all.chain(powers.map(|own| (own.name(), own.summary()))).chain(schemes)
}

/// The operation of that name that can be generated.
pub(crate) fn operation(name: &str) -> Result<Operation, Error> {
    let names: Vec<&str> = operations().map(|(name, _)| name).collect();
    let unknown = || Error::unknown("operation", name, &names, "`rhomb list operations` describes them");
    Operation::generated(name).ok_or_else(unknown)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_grammar() {
        for text in ["mul 160", "mul 160 128", "sqr 8", "add 32", "sub 32", "gf2mul 191", "gf2sqr 8"] {
            let contract = parse(text).unwrap();
            assert!(contract.to_string().starts_with(contract.operation().name()));
            assert!(contract.to_string().contains(&contract.bits().to_string()));
        }
        assert!(parse("div 3").unwrap_err().hint.contains("mul 160"));
    }
}
