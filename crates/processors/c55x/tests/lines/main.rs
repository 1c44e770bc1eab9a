//! Straight lines of operations modulo numbers, on lines printed and read back: against big integers, the contract kept, in
//! the same time for all operands.

use rhomb_c55x::conventions::TI;
use rhomb_c55x::cores::core;
use rhomb_c55x::lower::{line, multiplication, squaring};
use rhomb_c55x::{Function, Program, syntax};
use rhomb_contract::{Contract, Expression};
use rhomb_field::reduce::{Way, ways};
use rhomb_machine::{Buffer, Concrete, Routine, Surroundings};
use rhomb_oracles::Ledger;
use rhomb_oracles::modular::{MODULI, OPERATIONS, is_right, operands, words};
use std::sync::{Arc, LazyLock};

/// See [`Ledger`].
static LEDGER: LazyLock<Ledger> = LazyLock::new(|| Ledger::of(env!("CARGO_MANIFEST_DIR")));

/// A routine, and what it promises.
struct Made {
    name: String,
    contract: Contract,
    function: Function,
}

/// The routines of an operation.
fn made(operation: &str, modulus: &str) -> Vec<Made> {
    let contract: Contract = format!("{operation} {modulus}").parse().unwrap();
    let modular = contract.modular().unwrap();
    let make = |Way { method, line: own }| {
        let name = format!("{contract} by {method}");
        let words = contract.operands(16)[0] as usize;
        let product = match contract.expression() {
            Expression::Product => multiplication(words),
            Expression::Square => squaring(words),
            _ => None,
        };
        let lines = line(&own, product).unwrap_or_else(|error| panic!("{name}: {error}"));
        let text = syntax::function("f", &lines);
        let parsed = syntax::parse(&text).unwrap_or_else(|error| panic!("{name}: {error}\n{text}"));
        for (read, made) in parsed.lines.iter().zip(&lines) {
            assert_eq!(read, made, "{name}");
        }
        assert_eq!(parsed.lines.len(), lines.len(), "{name}");
        let program = Program::new(core("tms320vc5510").unwrap(), 0x100, lines);
        let program = Arc::new(program.unwrap_or_else(|error| panic!("{name}: {error}\n{text}")));
        let function =
            Function { program, entry: 0, convention: &TI, stack_limit: 4096, step_limit: 1 << 24 };
        Made { name, contract, function }
    };
    ways(modular.operation, &modular.modulus.number(), 16).into_iter().map(make).collect()
}

/// Calls it with all operands, the result apart and in the place of operands; the cycles, the same in all calls.
fn check(made: &Made) -> u64 {
    let Made { name, contract, function } = made;
    let mut cycles = None;
    for (place, operands) in operands(contract, 16, 8).iter().enumerate() {
        for pattern in contract.patterns() {
            let operands = pattern.fitting(operands);
            let content: Vec<Vec<u16>> = operands
                .iter()
                .zip(contract.operands(16))
                .map(|(number, count)| words(number, count))
                .collect();
            let buffers: Vec<Buffer<u16>> = contract.buffers(16, pattern, &content);
            let surroundings = Surroundings { place: place as u32, ..Surroundings::default() };
            let finished = function
                .call_in(Concrete::<u16>::new(), &buffers, surroundings)
                .unwrap_or_else(|stopped| panic!("{name}: {stopped}"));
            let result: Vec<u16> =
                finished.buffers[0].iter().map(|word| word.expect("it is stored")).collect();
            assert!(is_right(contract, &operands, &result), "{name}, {}: {operands:x?}", pattern.name);
            assert_eq!(finished.breaches, [], "{name}");
            let taken = finished.tally.cycles;
            assert_eq!(*cycles.get_or_insert(taken), taken, "{name}: {operands:x?}");
        }
    }
    let cycles = cycles.expect("a call").max;
    LEDGER.check(name, cycles, function.program.code());
    cycles
}

#[test]
fn every_operation_keeps_its_contract_in_constant_time() {
    for operation in OPERATIONS {
        for modulus in MODULI {
            made(operation, modulus).iter().for_each(|made| _ = check(made));
        }
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
        let least = made(operation, MODULI[0]).iter().map(check).min().unwrap();
        assert!(least <= most, "{operation}: {least}");
    }
}

/// A number of 1024 bits: columns of 64 products, and words that the stack pointer does not reach.
#[test]
fn long_numbers() {
    for operation in OPERATIONS {
        made(operation, "2^1024-2^515+2^13-1").iter().for_each(|made| _ = check(made));
    }
}
