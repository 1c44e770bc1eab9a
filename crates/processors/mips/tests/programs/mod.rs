//! Whole functions, written by hand in assembler text, against big integers, with their cycles.

mod comba;
mod plain;
#[cfg(feature = "oracles")]
mod qemu;
mod rolled;

use num_bigint::BigUint;
use rhomb_machine::{
    Access, Buffer, Concrete, Finished, Random, Routine, Secrets, Stopped, Surroundings, Taint,
};
use rhomb_mips::conventions::O32;
use rhomb_mips::cores::core;
use rhomb_mips::syntax::parse;
use rhomb_mips::{Function, Model, Program};
use std::sync::Arc;

/// The function of a text, assembled at an address that is not 0.
fn function(core_name: &str, text: &str) -> Function {
    let model = Arc::new(Model::of(core(core_name).unwrap()));
    function_of(model, text)
}

fn function_of(model: Arc<Model>, text: &str) -> Function {
    let parsed = parse(&model, 0x400, text).unwrap_or_else(|error| panic!("{error}"));
    let program = Program::assemble(model, 0x400, &parsed.instructions).unwrap();
    Function {
        program: Arc::new(program),
        entry: 0x400,
        convention: &O32,
        stack_limit: 64,
        step_limit: 100_000,
    }
}

fn big(words: &[u32]) -> BigUint {
    BigUint::new(words.to_vec())
}

fn words_of(number: &BigUint, count: usize) -> Vec<u32> {
    let mut words = number.to_u32_digits();
    words.resize(count, 0);
    words
}

/// The product of two polynomials over GF(2).
fn carryless(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut product = vec![0u32; a.len() + b.len()];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            for bit in (0..32).filter(|bit| y >> bit & 1 == 1) {
                let part = u64::from(*x) << bit;
                product[i + j] ^= part as u32;
                product[i + j + 1] ^= (part >> 32) as u32;
            }
        }
    }
    product
}

fn buffers<W: Clone>(sizes: &[(&'static str, u32, Option<Vec<W>>)]) -> Vec<Buffer<W>> {
    let buffer = |(name, length, content): &(&'static str, u32, Option<Vec<W>>)| Buffer {
        name,
        length: *length,
        content: content.clone(),
        access: if content.is_none() { Access::Store } else { Access::Load },
        shares: None,
    };
    sizes.iter().map(buffer).collect()
}

/// A call with a result of `length` words and operands.
fn call(
    function: &Function,
    length: u32,
    operands: &[&[u32]],
    place: u32,
) -> Result<Finished<Concrete<u32>>, Stopped> {
    let mut sizes = vec![("r", length, None)];
    sizes.extend(operands.iter().map(|words| ("operand", words.len() as u32, Some(words.to_vec()))));
    let surroundings = Surroundings { place, ..Surroundings::default() };
    function.call_in(Concrete::new(), &buffers(&sizes), surroundings)
}

/// The words of the result, and the cycles; nothing may be left undone.
fn result(function: &Function, length: u32, operands: &[&[u32]], place: u32) -> (Vec<u32>, u64) {
    let finished = call(function, length, operands, place).unwrap_or_else(|stopped| panic!("{stopped}"));
    assert_eq!(finished.breaches, []);
    let words: Option<Vec<u32>> = finished.buffers[0].iter().copied().collect();
    (words.expect("every word of the result is written"), finished.tally.cycles.max)
}

/// A call with secret operands: it ends, and takes the same time for all of them.
fn secret_cycles(function: &Function, length: u32, operands: &[u32]) -> Finished<Secrets<u32>> {
    let mut domain = Secrets::new();
    let mut sizes = vec![("r", length, None)];
    for length in operands {
        let secret = |_| rhomb_machine::Domain::arbitrary(&mut domain);
        let words: Vec<Taint<u32>> = (0..*length).map(secret).collect();
        sizes.push(("operand", *length, Some(words)));
    }
    let finished = function.call(domain, &buffers(&sizes)).unwrap_or_else(|stopped| panic!("{stopped}"));
    assert_eq!(finished.breaches, []);
    finished
}
