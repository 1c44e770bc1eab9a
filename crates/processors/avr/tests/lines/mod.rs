//! Straight lines of operations modulo numbers and over GF(2), from their bytes: against big integers, the contract kept, and
//! with the feature `oracles` on libsimavr with equal cycles.

mod programs;
#[cfg(feature = "oracles")]
mod simavr;

use rhomb_avr::conventions::AVR_GCC;
use rhomb_avr::cores::{Core, core};
use rhomb_avr::instructions::Op;
use rhomb_avr::lower::{Kernel, LowerError, after_product, line, routine};
use rhomb_avr::{Function, Program};
use rhomb_contract::{Contract, Expression};
use rhomb_field::reduce::Way;
use rhomb_field::ways;
use rhomb_kernel::{Form, Operation, Parameters, Shape, method};
use rhomb_oracles::modular::{MODULI, OPERATIONS, contracts, same_cycles};
use std::sync::Arc;

/// A routine, and what it promises.
pub(crate) struct Made {
    pub(crate) name: String,
    pub(crate) contract: Contract,
    pub(crate) function: Function,
}

/// All routines on a core.
pub(crate) fn all(core: &'static Core) -> Vec<Made> {
    contracts().iter().flat_map(|contract| all_of(contract, core)).collect()
}

/// Those of a contract.
fn all_of(contract: &Contract, core: &'static Core) -> Vec<Made> {
    let mut all = Vec::new();
    for Way { method, line } in ways(contract, 8) {
        let name = format!("{} {contract} by {method}", core.name);
        let kernel = match line_routine(contract, &line, core) {
            Ok(kernel) => kernel,
            // a chain that is too long for the registers
            Err(error) if method.starts_with("chained") => {
                println!("{name}: {error}");
                continue;
            }
            // many products by words without a multiplier
            Err(LowerError::Unmade { what }) if what.contains("flash") && !core.has(Op::Mul) => continue,
            Err(error) => panic!("{name}: {error}"),
        };
        let program = Program::assemble(core, 0x40, &kernel.program).unwrap();
        let function = Function {
            program: Arc::new(program),
            entry: 0x40,
            convention: &AVR_GCC,
            stack_limit: core.sram.len() as u32,
            step_limit: 1 << 24,
        };
        all.push(Made { name, contract: *contract, function });
    }
    assert!(!all.is_empty() || !core.has(Op::Mul), "{contract}");
    all
}

/// Words of a strip.
const STRIP: usize = 12;

/// The routine of an operation with this reduction.
fn line_routine(
    contract: &Contract,
    reduction: &rhomb_line::Line,
    core: &'static Core,
) -> Result<Kernel, LowerError> {
    let operation = match contract.expression() {
        _ if contract.binary().is_some() => return line(reduction, core, &AVR_GCC),
        Expression::Product => Operation::Mul,
        Expression::Square => Operation::Sqr,
        _ => return line(reduction, core, &AVR_GCC),
    };
    let words = contract.operands(8)[0] as usize;
    let is_square = operation == Operation::Sqr;
    let (own, form, operation, cache) = match core.has(Op::Mul) {
        true => ("operand-caching", Form::Unrolled, operation, None),
        false => ("strip", Form::Looped, Operation::Mul, Some(words.min(STRIP))),
    };
    let parameters = Parameters { cache, ..Parameters::default() };
    let shape = Shape { form, words, parameters: &parameters };
    let task = method(operation, own).and_then(|method| method.task(&shape)).unwrap();
    let of_one = is_square && operation == Operation::Mul;
    after_product(reduction, (|inner: &_| routine(&task, core, inner), of_one), core, &AVR_GCC)
}

/// Calls it with all operands, the result apart and in the place of operands; the cycles, the same in all calls.
fn check(made: &Made) -> u64 {
    let Made { name, contract, function } = made;
    let cycles = same_cycles(name, contract, function, 8);
    let code: Vec<u8> = function.program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    crate::LEDGER.check(name, cycles, &code);
    cycles
}

#[test]
fn every_operation_keeps_its_contract_in_constant_time() {
    for made in all(core("atmega128").unwrap()) {
        check(&made);
    }
}

/// Cycles that these operations must not exceed.
#[test]
fn figures() {
    for (contract, most) in [
        ("modadd 2^192-2^64-1", 300),
        ("modsub 2^192-2^64-1", 300),
        ("modreduce 2^192-2^64-1", 404),
        ("modadd 2^255-19", 412),
        ("gf2modreduce x^191+x^9+1", 334),
        ("gf2modsqr x^191+x^9+1", 849),
    ] {
        let contract: Contract = contract.parse().unwrap();
        let least = all_of(&contract, core("atmega128").unwrap()).iter().map(check).min().unwrap();
        assert!(least <= most, "{contract}: {least}");
    }
}

/// Without a multiplication instruction words are multiplied by numbers with few digits.
#[test]
fn cores_without_a_multiplier() {
    let core = core("attiny85").unwrap();
    let made = all(core);
    made.iter().for_each(|made| _ = check(made));
    let is_short = |modulus: &&&str| !modulus.starts_with("0x") || modulus.len() < 8;
    for modulus in MODULI.iter().filter(is_short) {
        for operation in OPERATIONS {
            let contract: Contract = format!("{operation} {modulus}").parse().unwrap();
            assert!(made.iter().any(|made| made.contract == contract), "{contract}");
        }
    }
}
