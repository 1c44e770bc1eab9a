//! Operations modulo numbers: products behind which a line reduces, called and proved, and the figures that they must reach.

use crate::matrix::OPEN;
use rhomb_certificate::{Contract, Expression, check};
use rhomb_field::reduce::{ways, ways_without_carry};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, method};
use rhomb_lower::draft::{Product, Ring, roads};
use rhomb_oracles::modular::most_cycles;
use rhomb_prove::prove;
use rhomb_riscv::conventions::ILP32;
use rhomb_riscv::cores::core;
use rhomb_riscv::lower::{Context, Kernel, shortened};
use rhomb_riscv::{Function, Program};
use std::sync::Arc;

/// The product that comes first.
fn product(contract: &Contract) -> Option<Task> {
    let (operation, name) = match contract.expression() {
        Expression::Product => (Operation::Mul, "hybrid"),
        Expression::Square => (Operation::Sqr, "product-scanning"),
        _ => return None,
    };
    let parameters = Parameters { rows: Some(4), ..OPEN };
    let words = contract.operands(32)[0] as usize;
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    method(operation, name).and_then(|method| method.task(&shape))
}

fn function(kernel: &Kernel) -> Function {
    let core = core("ibex-single").unwrap();
    let program = Program::assemble(core, 0x400, &shortened(core, &kernel.program)).unwrap();
    Function {
        program: Arc::new(program),
        entry: 0x400,
        convention: &ILP32,
        stack_limit: kernel.stack_bytes,
        step_limit: 1 << 24,
    }
}

#[test]
fn operations_modulo_numbers() {
    let context = Context::of(core("ibex-single").unwrap(), &ILP32);
    let mut missed = Vec::new();
    for (text, most) in [
        ("modmul 2^255-19", 585),
        ("modsqr 2^255-19", 389),
        ("modadd 2^255-19", 83),
        ("modsub 2^255-19", 83),
        ("montmul 2^256-2^224+2^192+2^96-1", 680),
        ("montsqr 2^256-2^224+2^192+2^96-1", 484),
        ("modmul 2^256-2^224+2^192+2^96-1", 794),
        ("modmul 2^256-2^32-977", 635),
        ("modreduce 2^192-2^64-1", 87),
        ("montmul 2^192-2^64-1", 384),
        ("montmul 0xd1a3b5c79e3779b97f4a7c15f39cc061", 295),
    ] {
        let contract: Contract = text.parse().unwrap();
        let modular = contract.modular().unwrap();
        let product = product(&contract);
        let mut made: Vec<(u64, &str, Kernel)> = Vec::new();
        let all =
            [ways, ways_without_carry].map(|ways| ways(modular.operation, &modular.modulus.number(), 32));
        for way in all.into_iter().flatten() {
            let product = product.as_ref().map(|task| Product::Task(task, Ring::Integers));
            for kernel in roads(&way.line, product, &context).unwrap_or_default().into_iter().flatten() {
                let name = format!("{text} by {}", way.method);
                made.push((most_cycles(&name, &contract, &function(&kernel), 4), way.method, kernel));
            }
        }
        made.sort_by_key(|(cycles, ..)| *cycles);
        let (cycles, _, kernel) = made.into_iter().next().unwrap_or_else(|| panic!("{text} is not made"));
        let function = function(&kernel);
        match prove(&function, &contract) {
            Ok(certificate) => assert_eq!(check(&function, &certificate), Ok(contract), "{text}"),
            Err(error) => missed.push(format!("{text}: {error}")),
        }
        let code: Vec<u8> = function.program.words().iter().flat_map(|half| half.to_le_bytes()).collect();
        crate::LEDGER.check(&format!("ibex-single {text}: open"), cycles, &code);
        let count = kernel.program.len();
        if count > most {
            missed.push(format!("{text}: {count} instructions of {most}"));
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}
