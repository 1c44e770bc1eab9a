//! A contract in one line, as in `--contract "mul 160"`.

use crate::error::Error;
use crate::field;
use crate::modular::ModularOperation;
use rhomb_certificate::{Contract, Expression, MOST_BITS};
use rhomb_kernel::{Operation, methods};

/// Reads a contract. A modulus or polynomial may be given by its name, as in `modmul p256`.
///
/// # Errors
/// For anything else; see docs/contracts.md.
pub fn parse(text: &str) -> Result<Contract, Error> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    if let [operation, size, ..] = &mut words[..] {
        *size = field::written(operation, size);
    }
    words.join(" ").parse().map_err(|error| {
        Error::request(error, "a contract is an operation with its sizes in bits, such as \"mul 160\", or with its modulus: \"modmul p256\", \"modmul 2^192-2^64-1\", \"gf2modmul x^191+x^9+1\"")
    })
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
    Ok(match operation {
        Operation::Mul => Contract::Mul { a: size, b: size },
        Operation::Sqr => Contract::Sqr { a: size },
        Operation::Add => Contract::Add { size },
        Operation::Sub => Contract::Sub { size },
    })
}

/// The operation's name.
pub(crate) fn name(contract: &Contract) -> &'static str {
    match contract {
        Contract::Mul { .. } => "mul",
        Contract::Sqr { .. } => "sqr",
        Contract::Add { .. } => "add",
        Contract::Sub { .. } => "sub",
        Contract::Modular(modular) => modular.operation.name(),
        Contract::AnyModulus(any) => any.name(),
        Contract::Binary(binary) => binary.operation().name(),
    }
}

/// Names of the operands, in the order of the arguments after the result `r`.
pub(crate) fn operands(contract: &Contract) -> &'static [&'static str] {
    match contract.expression() {
        Expression::Product | Expression::Sum | Expression::Difference => &["a", "b"],
        Expression::Square | Expression::Value | Expression::Inverse => &["a"],
    }
}

/// What it is, after a size: "160-bit multiplication".
pub(crate) fn noun(operation: &str) -> &str {
    match operation {
        "mul" => "multiplication",
        "sqr" => "squaring",
        "add" => "addition",
        "sub" => "subtraction",
        "modmul" => "modular multiplication",
        "modsqr" => "modular squaring",
        "modadd" => "modular addition",
        "modsub" => "modular subtraction",
        "modhalf" => "modular halving",
        "modreduce" => "reduction",
        "montmul" => "Montgomery multiplication",
        "montsqr" => "Montgomery squaring",
        "montreduce" => "Montgomery reduction",
        "modinv" => "modular inversion",
        "montinv" => "Montgomery inversion",
        "gf2mul" => "multiplication over GF(2)",
        "gf2sqr" => "squaring over GF(2)",
        "gf2add" => "addition over GF(2)",
        "gf2modmul" => "modular multiplication over GF(2)",
        "gf2modsqr" => "modular squaring over GF(2)",
        "gf2modreduce" => "reduction over GF(2)",
        "gf2montmul" => "Montgomery multiplication over GF(2)",
        "gf2montsqr" => "Montgomery squaring over GF(2)",
        "gf2montreduce" => "Montgomery reduction over GF(2)",
        "gf2modinv" => "modular inversion over GF(2)",
        "modexp" => "modular exponentiation",
        other => other,
    }
}

/// The size of operand `a`, or of the modulus; for one over GF(2) its degree.
pub(crate) fn bits(contract: &Contract) -> usize {
    match contract {
        Contract::Mul { a, .. } | Contract::Sqr { a } => *a as usize,
        Contract::Add { size } | Contract::Sub { size } => *size as usize,
        Contract::Modular(modular) => modular.modulus.bits() as usize,
        Contract::AnyModulus(any) => any.bits as usize,
        Contract::Binary(binary) => binary.bits() as usize,
    }
}

/// The operation of that name that can be generated.
pub(crate) fn operation(name: &str) -> Result<Operation, Error> {
    let fields = crate::field::operations().map(|(name, _)| name);
    let power = std::iter::once(ModularOperation::Exponentiate.name());
    let names: Vec<&str> = operations().map(Operation::name).chain(fields).chain(power).collect();
    let unknown = || Error::unknown("operation", name, &names, "`rhomb list operations` describes them");
    operations().find(|operation| operation.name() == name).ok_or_else(unknown)
}

/// The operations that can be generated.
pub fn operations() -> impl Iterator<Item = Operation> {
    Operation::ALL.into_iter().filter(|operation| methods(*operation).next().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_grammar() {
        for text in ["mul 160", "mul 160 128", "sqr 8", "add 32", "sub 32", "gf2mul 191", "gf2sqr 8"] {
            let contract = parse(text).unwrap();
            assert!(contract.to_string().starts_with(name(&contract)));
            assert!(contract.to_string().contains(&bits(&contract).to_string()));
            assert_ne!(noun(name(&contract)), name(&contract));
        }
        assert!(parse("div 3").unwrap_err().hint.contains("mul 160"));
    }
}
