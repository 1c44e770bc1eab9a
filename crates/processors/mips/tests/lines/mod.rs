//! Straight lines of words as MIPS32: operations modulo numbers, with calls against big integers, results in the place of
//! operands, and the cycles and bytes of each.

use rhomb_contract::{Contract, Expression};
use rhomb_field::reduce::{Way, by_argument, ways, ways_without_carry};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, method};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::lower::{Product, Ring, words as lower};
use rhomb_mips::{Function, Model, Program};
use rhomb_oracles::modular::{ARGUMENTS, MODULI, OPERATIONS, argument, most_cycles};
use std::sync::Arc;

/// The product that comes first.
fn product(contract: &Contract) -> Option<Task> {
    let operation = match contract.expression() {
        Expression::Product => Operation::Mul,
        Expression::Square => Operation::Sqr,
        _ => return None,
    };
    let shape = Shape {
        form: Form::Unrolled,
        words: contract.operands(32)[0] as usize,
        parameters: &Parameters::default(),
    };
    method(operation, "product-scanning").and_then(|method| method.task(&shape))
}

/// Ways for processors with a carry flag.
const CARRIES: [&str; 2] = ["digit-fold", "digit-division"];

/// The fastest routine of each operation modulo each number on a core keeps its contract, and so do all others.
fn every_operation(core_name: &str) {
    let model = Arc::new(Model::of(core(core_name).unwrap()));
    for operation in OPERATIONS {
        for modulus in MODULI {
            let name = format!("{core_name} {operation} {modulus}");
            let contract: Contract = format!("{operation} {modulus}").parse().unwrap();
            let modular = contract.modular().unwrap();
            let product = product(&contract);
            let mut made: Vec<(u64, Vec<u8>)> = Vec::new();
            let all =
                [ways, ways_without_carry].map(|ways| ways(modular.operation, &modular.modulus.number(), 32));
            for Way { method, line } in all.into_iter().flatten().filter(|way| !CARRIES.contains(&way.method))
            {
                // columns with a multiplication within are left to the rows
                let product = product.as_ref().map(|task| Product::Task(task, Ring::Integers));
                let Ok(kernel) = lower(&line, product, &model, &O32) else { continue };
                let program = Arc::new(Program::assemble(model.clone(), 0x400, &kernel.program).unwrap());
                let code = program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
                let function = Function {
                    program,
                    entry: 0x400,
                    convention: &O32,
                    stack_limit: kernel.stack_bytes,
                    step_limit: 1 << 24,
                };
                made.push((most_cycles(&format!("{name} by {method}"), &contract, &function, 8), code));
            }
            let (cycles, code) = made.into_iter().min().unwrap_or_else(|| panic!("{name} is not made"));
            crate::LEDGER.check(&name, cycles, &code);
        }
    }
}

/// Divisions modulo a number that is an argument.
#[test]
fn moduli_that_are_arguments() {
    for core_name in ["mips32-ise", "smartmips", "mips32-4km"] {
        let model = Arc::new(Model::of(core(core_name).unwrap()));
        for own in ARGUMENTS.into_iter().filter(|(operation, _)| *operation == Operation::MontReduce) {
            let contract = argument(own, 32);
            let name = format!("{core_name} {contract}");
            let mut made: Vec<(u64, Vec<u8>)> = Vec::new();
            for line in by_argument(contract.result(32) as usize, 32) {
                let Ok(kernel) = lower(&line, None, &model, &O32) else { continue };
                let program = Arc::new(Program::assemble(model.clone(), 0x400, &kernel.program).unwrap());
                let code = program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
                let stack_limit = kernel.stack_bytes;
                let function =
                    Function { program, entry: 0x400, convention: &O32, stack_limit, step_limit: 1 << 24 };
                made.push((most_cycles(&name, &contract, &function, 8), code));
            }
            let (cycles, code) = made.into_iter().min().unwrap_or_else(|| panic!("{name} is not made"));
            crate::LEDGER.check(&name, cycles, &code);
        }
    }
}

#[test]
fn every_operation_on_the_extended_core() {
    every_operation("mips32-ise");
}

#[test]
fn every_operation_on_smartmips() {
    every_operation("smartmips");
}

#[test]
fn every_operation_on_the_plain_core() {
    every_operation("mips32-4km");
}
