//! Calls of kernels.

use num_bigint::BigUint;
use rhomb_arm::conventions::AAPCS;
use rhomb_arm::cores::core;
use rhomb_arm::lower::Kernel;
use rhomb_arm::{Function, Program};
use rhomb_machine::{Access, Buffer, Concrete, Cycles, Domain, Random, Routine, Secrets};
use std::sync::Arc;

/// Cycles of body and function, by the paper's model and in the worst case of the manual's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Figures {
    pub(crate) paper: (u64, u64),
    pub(crate) trm: (u64, u64),
}

fn function(kernel: &Kernel, core_name: &str) -> Function {
    let program = Program::assemble(core(core_name).unwrap(), 0, &kernel.program).unwrap();
    Function {
        program: Arc::new(program),
        entry: 0,
        convention: &AAPCS,
        stack_limit: 1024,
        step_limit: 1_000_000,
    }
}

fn integer(words: &[u32]) -> BigUint {
    BigUint::new(words.to_vec())
}

/// Numbers of zeros and ones, small and random ones.
fn values(words: usize, seed: u64) -> Vec<Vec<u32>> {
    let mut all = vec![vec![u32::MAX; words], vec![0; words]];
    all.push((0..words).map(|k| if k % 2 == 0 { u32::MAX } else { 0 }).collect());
    all.push((0..words).map(|k| if k % 2 == 1 { u32::MAX } else { 0 }).collect());
    all.push((0..words).map(|k| u32::from(k == 0)).collect());
    let mut random = Random::new(seed);
    for _ in 0..4 {
        all.push((0..words).map(|_| random.bits() as u32).collect());
    }
    all
}

/// Calls it in several surroundings; the first call has the longest times, and all have with `constant`.
fn check(kernel: &Kernel, words: usize, squares: bool, constant: bool) -> Figures {
    let operand = |name, content: &[u32]| Buffer {
        name,
        length: content.len() as u32,
        content: Some(content.to_vec()),
        access: Access::Load,
        shares: None,
    };
    let both = ["arm7tdmi-paper", "arm7tdmi"].map(|name| {
        let function = function(kernel, name);
        let (mut most, mut calls) = ((0, 0), 0);
        for a in values(words, 1) {
            for b in values(words, 2) {
                let b = if squares { a.clone() } else { b };
                let result = Buffer {
                    name: "r",
                    length: 2 * words as u32,
                    content: None,
                    access: Access::Store,
                    shares: None,
                };
                let mut buffers = vec![result, operand("a", &a)];
                if !squares {
                    buffers.push(operand("b", &b));
                }
                let finished = function.call_at(Concrete::new(), &buffers, calls).unwrap();
                assert_eq!(finished.breaches, []);
                assert_eq!(finished.stack_bytes, kernel.stack_bytes);
                let result: Vec<u32> = finished.buffers[0].iter().map(|word| word.unwrap()).collect();
                assert_eq!(integer(&result), integer(&a) * integer(&b), "{words} words");
                let cycles = (finished.body_cycles.max, finished.tally.cycles.max);
                assert!(!constant || calls == 0 || cycles == most, "{cycles:?} {most:?}");
                most = most.max(cycles);
                calls += 1;
            }
        }
        most
    });
    assert_eq!(kernel.cycles, Some(both[1].1));
    let range = secretly(kernel, words, squares);
    assert_eq!(range.max, both[1].1);
    assert_eq!(range.min == range.max, constant, "{range:?}");
    Figures { paper: both[0], trm: both[1] }
}

/// Cycles of the function for operands of which nothing is known.
fn secretly(kernel: &Kernel, words: usize, squares: bool) -> Cycles {
    let mut domain = Secrets::<u32>::new();
    let mut buffer = |name, content: bool, length: usize| Buffer {
        name,
        length: length as u32,
        content: content.then(|| (0..length).map(|_| domain.arbitrary()).collect()),
        access: if content { Access::Load } else { Access::Store },
        shares: None,
    };
    let mut buffers = vec![buffer("r", false, 2 * words), buffer("a", true, words)];
    buffers.extend((!squares).then(|| buffer("b", true, words)));
    let finished = function(kernel, "arm7tdmi").call(domain, &buffers).unwrap();
    // a copy of B, where there is one
    assert_eq!(finished.residue_bytes, kernel.stack_bytes - 4 * kernel.saves.len() as u32);
    let cycles = finished.tally.cycles;
    assert_eq!(finished.variable_times.is_empty(), cycles.min == cycles.max);
    cycles
}

/// Compares it with its line of the ledger.
fn note(what: &str, kernel: &Kernel, words: usize, constant: bool, figures: Figures) -> Figures {
    let program = function(kernel, "arm7tdmi").program;
    let code: Vec<u8> = program.words().iter().flat_map(|half| half.to_le_bytes()).collect();
    let name = format!("rows {what} of {words} words, constant time {constant}");
    crate::LEDGER.check(&name, figures.trm.1, &code);
    figures
}

/// Checks that it multiplies; how long it takes.
pub(crate) fn multiplies(method: &str, kernel: &Kernel, words: usize, constant: bool) -> Figures {
    let figures = check(kernel, words, false, constant);
    note(&format!("mul {method}"), kernel, words, constant, figures)
}

/// Checks that it squares; how long it takes.
pub(crate) fn squares(method: &str, kernel: &Kernel, words: usize, constant: bool) -> Figures {
    let figures = check(kernel, words, true, constant);
    note(&format!("sqr {method}"), kernel, words, constant, figures)
}
