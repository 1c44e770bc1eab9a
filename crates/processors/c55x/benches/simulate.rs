//! How fast the simulator is: cycles of the processor a second.

use divan::Bencher;
use divan::counter::ItemsCount;
use rhomb_c55x::conventions::TI;
use rhomb_c55x::cores::core;
use rhomb_c55x::lower::{Exponentiation, Ladder, multiplication};
use rhomb_c55x::{Function, Program};
use rhomb_machine::{Access, Buffer, Concrete, Routine};
use std::sync::Arc;

fn main() {
    divan::main();
}

/// Items are cycles.
#[divan::bench(args = [8, 64, 256])]
fn product(bencher: Bencher<'_, '_>, words: usize) {
    let lines = multiplication(words).map(|code| code.into_lines()).unwrap_or_default();
    let Some(core) = core("tms320vc5510") else { return };
    let Ok(program) = Program::new(core, 0, lines) else { return };
    let function = Function {
        program: Arc::new(program),
        entry: 0,
        convention: &TI,
        stack_limit: 16,
        step_limit: 1 << 32,
    };
    let operand = |name: &'static str| Buffer {
        name,
        length: words as u32,
        content: Some(vec![0x1234u16; words]),
        access: Access::Load,
        shares: None,
    };
    let result =
        Buffer { name: "r", length: 2 * words as u32, content: None, access: Access::Store, shares: None };
    let buffers = [result, operand("a"), operand("b")];
    let call = || function.call(Concrete::new(), &buffers);
    let cycles = call().map_or(0, |finished| finished.tally.cycles.max);
    bencher.counter(ItemsCount::new(cycles)).bench(call);
}

/// The same of a whole exponentiation.
#[divan::bench(args = [32, 64], sample_count = 10)]
fn exponentiation(bencher: Bencher<'_, '_>, words: usize) {
    let ladder = Ladder::Sliding(5);
    let program = Exponentiation { words, product_levels: 0, square_levels: 0, ladder, integrated: false };
    let lines = program.program().map(|code| code.into_lines()).unwrap_or_default();
    let Some(core) = core("tms320vc5510") else { return };
    let Ok(made) = Program::new(core, 0, lines) else { return };
    let function =
        Function { program: Arc::new(made), entry: 0, convention: &TI, stack_limit: 16, step_limit: 1 << 32 };
    let operand = |name: &'static str| Buffer {
        name,
        length: words as u32,
        content: Some(vec![0xa5a5u16; words]),
        access: Access::Load,
        shares: None,
    };
    let written = |name: &'static str, length: usize| Buffer {
        name,
        length: length as u32,
        content: None,
        access: Access::Store,
        shares: None,
    };
    let workspace = written("w", program.workspace_words());
    let buffers = [written("r", words), operand("b"), operand("e"), operand("n"), workspace];
    let call = || function.call(Concrete::new(), &buffers);
    let cycles = call().map_or(0, |finished| finished.tally.cycles.max);
    bencher.counter(ItemsCount::new(cycles)).bench(call);
}
