//! Routines of fields on MIPS32, made of lines of words.

use rhomb_certificate::{Contract, Expression};
use rhomb_field::polynomial::ways_by_products;
use rhomb_field::program::{Composed, Routine, inversion};
use rhomb_field::reduce::ways_without_carry;
use rhomb_field::ways;
use rhomb_kernel::{Form, Operation, Parameters, Shape, method};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::instructions::Instruction;
use rhomb_mips::lower::{Abilities, Kernel, Product, Ring, comb, program, words};
use rhomb_mips::{Function, Model, Program};
use std::sync::Arc;

pub(crate) fn model(core_name: &str) -> Arc<Model> {
    Arc::new(Model::of(core(core_name).unwrap()))
}

/// The routine of these instructions.
pub(crate) fn function(core_name: &str, code: &[Instruction]) -> Function {
    let program = Arc::new(Program::assemble(model(core_name), 0x400, code).unwrap());
    Function { program, entry: 0x400, convention: &O32, stack_limit: 4096, step_limit: 1_000_000 }
}

/// The instructions and labels as text, without directives but for those that stand for an instruction.
pub(crate) fn text(core_name: &str, code: &[Instruction]) -> String {
    let text = rhomb_mips::syntax::function(&model(core_name), "f", 0x400, code);
    let is_label = |line: &str| line.ends_with(':');
    let is_code = |line: &&str| {
        !line.trim().starts_with('.') || line.trim().starts_with(".word") || is_label(line.trim())
    };
    text.lines().filter(is_code).map(|line| format!("{line}\n")).collect()
}

/// The code of a program, with the routines that it calls.
pub(crate) fn composed(core_name: &str, own: &Composed) -> Vec<Instruction> {
    let code = |routine: &Routine| match routine {
        Routine::Kept(contract) => made(core_name, &contract.to_string()),
        Routine::Called(_) => panic!("a program in a program"),
        Routine::Lines(lines) => words(&lines[0], None, &model(core_name), &O32).unwrap().program,
    };
    let all: Vec<Vec<Instruction>> = own.routines.iter().map(code).collect();
    let all: Vec<&[Instruction]> = all.iter().map(Vec::as_slice).collect();
    program(&own.program, &all, (&O32, false)).unwrap()
}

/// The fastest routine that keeps a contract.
pub(crate) fn made(core_name: &str, contract: &str) -> Vec<Instruction> {
    let contract: Contract = contract.parse().unwrap();
    let model = model(core_name);
    let has_products = Abilities::of(&model).carryless.is_some();
    if let Some(own) = inversion(&contract) {
        let all = own.routines.each_ref().map(|own| made(core_name, &own.to_string()));
        // without an instruction for products over GF(2) squares are products
        let has_squares = contract.modular().is_some() || has_products;
        let called = own.program(32, has_squares).unwrap();
        let all: Vec<&[Instruction]> = all.iter().take(called.routines).map(Vec::as_slice).collect();
        return program(&called, &all, (&O32, false)).unwrap();
    }
    let ring = if contract.modular().is_some() { Ring::Integers } else { Ring::BinaryPolynomials };
    let operation = match contract.expression() {
        Expression::Product => Some(Operation::Mul),
        Expression::Square if ring == Ring::Integers => Some(Operation::Sqr),
        _ => None,
    };
    let count = contract.operands(32)[0] as usize;
    let shape = Shape { form: Form::Unrolled, words: count, parameters: &Parameters::default() };
    let task = operation.and_then(|operation| method(operation, "product-scanning")?.task(&shape));
    let table = (ring == Ring::BinaryPolynomials && !has_products).then(|| comb(count, &model, &O32).ok());
    let product = match (&task, &table) {
        (Some(_), Some(table)) => table.as_ref().map(Product::Routine),
        (Some(task), None) => Some(Product::Task(task, ring)),
        (None, _) => None,
    };
    let mut all: Vec<Kernel> = Vec::new();
    let more = contract.modular();
    let more = more.map(|own| ways_without_carry(own.operation, &own.modulus.number(), 32));
    for way in ways(&contract, 32).into_iter().chain(more.into_iter().flatten()) {
        all.extend(words(&way.line, product, &model, &O32));
    }
    for way in contract.binary().into_iter().flat_map(|binary| ways_by_products(binary, 32)) {
        all.extend(words(&way.line, None, &model, &O32));
    }
    all.into_iter().min_by_key(Kernel::rank).unwrap().program
}
