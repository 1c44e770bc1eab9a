//! Straight lines of operations modulo numbers and over GF(2), and programs of them, on lines printed and read back: against big integers, the contract kept, in
//! the same time for all operands.

use rhomb_c55x::conventions::TI;
use rhomb_c55x::cores::core;
use rhomb_c55x::instructions::Bundle;
use rhomb_c55x::lower::{LineError, framed, line, multiplication, program, squaring};
use rhomb_c55x::{Function, Program, syntax};
use rhomb_contract::{Contract, Expression};
use rhomb_field::polynomial::composed;
use rhomb_field::reduce::Way;
use rhomb_field::ways;
use rhomb_oracles::modular::{self, MODULI, OPERATIONS, PRODUCTS, contracts, same_cycles};
use std::sync::Arc;

/// A routine, and what it promises.
struct Made {
    name: String,
    contract: Contract,
    function: Function,
}

fn modulo(operation: &str, modulus: &str) -> Contract {
    format!("{operation} {modulus}").parse().unwrap()
}

/// The routines of an operation.
fn made(contract: &Contract) -> Vec<Made> {
    let make = |Way { method, line: own }| {
        let name = format!("{contract} by {method}");
        let words = contract.operands(16)[0] as usize;
        let product = match contract.expression() {
            _ if contract.binary().is_some() => None,
            Expression::Product => multiplication(words),
            Expression::Square => squaring(words),
            _ => None,
        };
        match line(&own, product) {
            Ok(lines) => Some(read_back(name, *contract, lines)),
            // bits that move through the carry in both directions
            Err(LineError::Operation(_)) if method.starts_with("chained") => None,
            Err(error) => panic!("{name}: {error}"),
        }
    };
    let made: Vec<Made> = ways(contract, 16).into_iter().filter_map(make).collect();
    assert!(!made.is_empty(), "{contract}");
    made
}

/// A routine of its text.
fn read_back(name: String, contract: Contract, lines: Vec<Bundle>) -> Made {
    let text = syntax::function("f", &lines);
    let parsed = syntax::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
    for (read, made) in parsed.lines.iter().zip(&lines) {
        assert_eq!(read, made, "{name}");
    }
    assert_eq!(parsed.lines.len(), lines.len(), "{name}");
    let program = Program::new(core("tms320vc5510").unwrap(), 0x100, lines);
    let program = Arc::new(program.unwrap_or_else(|error| panic!("{name}: {error}\n{text}")));
    let function = Function { program, entry: 0, convention: &TI, stack_limit: 4096, step_limit: 1 << 24 };
    Made { name, contract, function }
}

/// Words of a comb.
const COMB: usize = 4;

/// A product over GF(2), as a program that calls lines.
fn product(text: &str) -> Made {
    let contract: Contract = text.parse().unwrap();
    let own = composed(contract.binary().unwrap(), 16, COMB).unwrap();
    let shortest = |routine| {
        let all = modular::lines(routine, 16).into_iter().filter_map(|way| line(&way.line, None).ok());
        all.map(|lines| framed(lines, &TI)).min_by_key(Vec::len).unwrap()
    };
    let routines: Vec<Vec<Bundle>> = own.routines.iter().map(shortest).collect();
    let routines: Vec<&[Bundle]> = routines.iter().map(Vec::as_slice).collect();
    let lines = program(&own.program, &routines, &TI).unwrap();
    read_back(format!("{contract} by {}", own.method), contract, lines)
}

/// Calls it, and looks at its cycles in the ledger.
fn check(made: &Made) -> u64 {
    let cycles = calls(made);
    crate::LEDGER.check(&made.name, cycles, made.function.program.code());
    cycles
}

/// Calls it with all operands, the result apart and in the place of operands; the cycles, the same in all calls.
fn calls(made: &Made) -> u64 {
    same_cycles(&made.name, &made.contract, &made.function, 8)
}

#[test]
fn every_operation_keeps_its_contract_in_constant_time() {
    for contract in contracts() {
        made(&contract).iter().for_each(|made| _ = check(made));
    }
    PRODUCTS.iter().for_each(|text| _ = check(&product(text)));
}

/// Those that are not chosen, too.
#[test]
fn every_comb_is_right() {
    for text in ["gf2mul 16", "gf2mul 47", "gf2mul 64"] {
        made(&text.parse().unwrap()).iter().for_each(|made| _ = calls(made));
    }
}

/// Cycles that these operations must not exceed.
#[test]
fn figures() {
    for (operation, most) in [
        ("modadd", 52),
        ("modsub", 66),
        ("modhalf", 54),
        ("modreduce", 60),
        ("modmul", 167),
        ("modsqr", 154),
        ("montmul", 336),
        ("montsqr", 323),
    ] {
        let least = made(&modulo(operation, MODULI[0])).iter().map(check).min().unwrap();
        assert!(least <= most, "{operation}: {least}");
    }
}

/// A number of 1024 bits: columns of 64 products, and words that the stack pointer does not reach.
#[test]
fn long_numbers() {
    for operation in OPERATIONS {
        made(&modulo(operation, "2^1024-2^515+2^13-1")).iter().for_each(|made| _ = check(made));
    }
}
