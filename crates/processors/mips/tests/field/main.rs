//! Field operations and curves as programs, against big integers, with their cycles.

mod curves;
mod figures;
mod rolled;
mod unrolled;

use num_bigint::BigUint;
use rhomb_field::words::number;
use rhomb_machine::{Access, Buffer, Concrete, Domain, Random, Routine, Secrets, Surroundings};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::field::FieldError;
use rhomb_mips::instructions::Instruction;
use rhomb_mips::{Function, Model, Program, syntax};
use std::sync::Arc;

fn model(name: &str) -> Arc<Model> {
    Arc::new(Model::of(core(name).unwrap()))
}

/// The function `f` of a text on `mips32-ise`.
fn function(text: impl Fn(&Model) -> Result<String, FieldError>) -> Function {
    let model = model("mips32-ise");
    let text = text(&model).unwrap_or_else(|error| panic!("{error}"));
    let parsed = syntax::parse(&model, 0, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    routine(&model, &parsed.instructions)
}

/// The function of these instructions.
fn routine(model: &Arc<Model>, code: &[Instruction]) -> Function {
    let program = Arc::new(Program::assemble(Arc::clone(model), 0x400, code).unwrap());
    Function { entry: 0x400, program, convention: &O32, stack_limit: 4096, step_limit: 4_000_000 }
}

/// A buffer for each list of words: the result first, which may lie where an operand lies.
fn buffers<W: Clone>(result: u32, operands: &[Vec<W>], shares: Option<usize>) -> Vec<Buffer<W>> {
    let access = |number| if shares == Some(number) { Access::Store } else { Access::Load };
    let mut all: Vec<Buffer<W>> = operands
        .iter()
        .enumerate()
        .map(|(number, words)| Buffer {
            name: "operand",
            length: words.len() as u32,
            content: Some(words.clone()),
            access: access(number),
            shares: None,
        })
        .collect();
    let own = Buffer { name: "r", length: result, content: None, access: Access::Store, shares: None };
    all.insert(0, own);
    all
}

/// The result's words and the cycles of a call.
fn call(function: &Function, result: u32, operands: &[Vec<u32>], place: u32) -> (Vec<u32>, u64) {
    let surroundings = Surroundings { place, ..Surroundings::default() };
    let finished = function
        .call_in(Concrete::new(), &buffers(result, operands, None), surroundings)
        .unwrap_or_else(|stopped| panic!("{stopped}"));
    assert_eq!(finished.breaches, []);
    let words: Option<Vec<u32>> = finished.buffers[0].iter().copied().collect();
    (words.expect("the result is written"), finished.tally.cycles.max)
}

/// The least and the most cycles over all operands of these lengths, and whether no branch depends on them.
fn secret(function: &Function, result: u32, lengths: &[usize]) -> (u64, u64, bool) {
    let mut domain = Secrets::<u32>::joining();
    let operands: Vec<Vec<_>> =
        lengths.iter().map(|length| (0..*length).map(|_| domain.arbitrary()).collect()).collect();
    let finished = function
        .call(domain, &buffers(result, &operands, None))
        .unwrap_or_else(|stopped| panic!("{stopped}"));
    let cycles = finished.tally.cycles;
    (cycles.min, cycles.max, finished.secret_branches.is_empty())
}

fn big(words: &[u32]) -> BigUint {
    number(words)
}
