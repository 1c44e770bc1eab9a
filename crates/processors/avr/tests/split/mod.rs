//! Splits: every size and number of levels against products of big integers, the contract kept.

#[cfg(feature = "oracles")]
mod simavr;

use num_bigint::BigUint;
use rhomb_avr::conventions::{AVR_GCC, IAR};
use rhomb_avr::cores::{Core, core};
use rhomb_avr::lower::{LowerError, routine};
use rhomb_avr::{Function, Program};
use rhomb_kernel::split::{Cut, Node, Pairs};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Task, Walk, method};
use rhomb_machine::{Access, Buffer, Concrete, Routine, Surroundings};
use rhomb_oracles::{Random, sample};
use std::sync::Arc;

/// The split of this many words into halves, with what the method has below.
pub(crate) fn task(operation: Operation, words: usize, levels: usize) -> Task {
    let parameters = Parameters { levels: Some(levels), ..Parameters::default() };
    let shape = Shape { form: Form::Unrolled, words, parameters: &parameters };
    method(operation, "split").and_then(|method| method.task(&shape)).expect("an unrolled form")
}

pub(crate) const OPERATIONS: [Operation; 2] = [Operation::Mul, Operation::Sqr];

/// The machine code, from bytes.
pub(crate) fn make(task: &Task, core: &'static Core) -> Result<Function, LowerError> {
    let kernel = routine(task, core, &AVR_GCC)?;
    let program = Program::assemble(core, 0x40, &kernel.program).unwrap_or_else(|error| panic!("{error}"));
    Ok(Function {
        program: Arc::new(program),
        entry: 0x40,
        convention: &AVR_GCC,
        stack_limit: core.sram.len() as u32,
        step_limit: 1 << 24,
    })
}

/// Operands: edges, then random ones whose words are extreme by turns.
pub(crate) fn operands(words: usize, random: usize) -> Vec<[Vec<u8>; 2]> {
    let mut source = Random::new(words as u64);
    let half = words.div_ceil(2);
    let of = |low: u8, high: u8| {
        (0..words).map(|index| if index < half { low } else { high }).collect::<Vec<u8>>()
    };
    let mut list = Vec::new();
    for a in [of(0, 0), of(0xff, 0xff), of(0, 0xff), of(0xff, 0), of(1, 0), of(0, 1)] {
        for b in [of(0xff, 0xff), of(0xff, 0), of(0, 0xff)] {
            list.push([a.clone(), b]);
        }
    }
    for index in 0..random {
        let mut any = || -> Vec<u8> {
            let byte = |source: &mut Random| match index % 3 {
                0 => source.byte(),
                1 => *source.pick(&[0, 0xff]),
                _ => *source.pick(&[0, 1, 0x7f, 0x80, 0xfe, 0xff, 0xff, 0xff]),
            };
            (0..words).map(|_| byte(&mut source)).collect()
        };
        list.push([any(), any()]);
    }
    list
}

pub(crate) fn product(a: &[u8], b: &[u8]) -> Vec<u8> {
    let mut bytes = (BigUint::from_bytes_le(a) * BigUint::from_bytes_le(b)).to_bytes_le();
    bytes.resize(a.len() + b.len(), 0);
    bytes
}

/// Calls it with all operands; gives the cycles, which are always the same.
fn check(what: &str, task: &Task, core: &'static Core, random: usize) -> u64 {
    let words = task.words();
    let function = make(task, core).unwrap_or_else(|error| panic!("{what}: {error}"));
    let mut cycles = None;
    let square = task.operation() == Operation::Sqr;
    for (index, [a, b]) in operands(words, random).into_iter().enumerate() {
        let b = if square { a.clone() } else { b };
        let buffer = |name, length: usize, content, access| Buffer {
            name,
            length: length as u32,
            content,
            access,
            shares: None,
        };
        let mut buffers = vec![
            buffer("r", 2 * words, None, Access::Store),
            buffer("a", words, Some(a.clone()), Access::Load),
            buffer("b", words, Some(b.clone()), Access::Load),
        ];
        buffers.truncate(if square { 2 } else { 3 });
        let surroundings = Surroundings { place: index as u32, ..Surroundings::default() };
        let finished = function
            .call_in(Concrete::<u8>::new(), &buffers, surroundings)
            .unwrap_or_else(|stopped| panic!("{what}: {stopped}"));
        let result: Vec<u8> = finished.buffers[0].iter().map(|byte| byte.expect("it was stored")).collect();
        assert_eq!(result, product(&a, &b), "{what}: {a:x?} {b:x?}");
        assert_eq!(finished.breaches, [], "{what}");
        let taken = finished.tally.cycles;
        assert_eq!(*cycles.get_or_insert(taken), taken, "{what}: {a:x?} {b:x?}");
    }
    let cycles = cycles.expect("a call").max;
    let code: Vec<u8> = function.program.words().iter().flat_map(|word| word.to_le_bytes()).collect();
    let name = if square { "split square" } else { "split" };
    crate::LEDGER.check(&format!("{} {name} of {what}", core.name), cycles, &code);
    cycles
}

#[test]
fn every_size_up_to_44_words_with_up_to_3_levels() {
    let core = core("atmega128").unwrap();
    for operation in OPERATIONS {
        for words in (1..=44).step_by(sample(3, 1)) {
            for levels in 0..=3 {
                check(&format!("{words} words, {levels} levels"), &task(operation, words, levels), core, 6);
            }
        }
    }
}

#[test]
fn large_sizes() {
    let core = core("atmega2560").unwrap();
    for (words, levels) in
        [(63, 2), (64, 2), (64, 3), (65, 3), (96, 3), (127, 3), (128, 3), (256, 4), (300, 4)]
    {
        for operation in OPERATIONS {
            check(&format!("{words} words, {levels} levels"), &task(operation, words, levels), core, 3);
        }
    }
}

/// Below a split stands any walk, and on any core.
#[test]
fn any_walk_stands_below() {
    for name in ["atmega328p", "atmega2560", "avr128da48"] {
        let core = core(name).unwrap();
        for below in ["operand-scanning", "hybrid", "product-scanning", "consecutive-operand-caching"] {
            let below = method(Operation::Mul, below).unwrap();
            let parameters = Parameters { cache: Some(4), rows: Some(3), ..Parameters::default() };
            let walk = |words: usize| -> Walk { below.walk(words, &parameters).unwrap() };
            for words in [9, 24, 37] {
                let node = Node::new(words, 1, &Cut::Balanced(2), Pairs::Subtractive, &walk);
                check(&format!("{words} words above {} on {name}", below.name), &Task::Split(node), core, 6);
            }
        }
    }
}

/// Cycles of the whole function, with the levels that are best.
#[test]
fn figures() {
    let core = core("atmega128").unwrap();
    for (operation, words, levels, most) in [
        (Operation::Mul, 16, 1, 1432),
        (Operation::Mul, 20, 1, 2106),
        (Operation::Mul, 24, 1, 3282),
        (Operation::Mul, 28, 2, 4090),
        (Operation::Mul, 32, 2, 5062),
        (Operation::Mul, 48, 3, 11_230),
        (Operation::Mul, 64, 3, 17_267),
        (Operation::Mul, 96, 4, 36_817),
        (Operation::Mul, 128, 4, 56_038),
        (Operation::Sqr, 32, 1, 3400),
        (Operation::Sqr, 36, 1, 4001),
        (Operation::Sqr, 40, 1, 4900),
        (Operation::Sqr, 48, 1, 6600),
        (Operation::Sqr, 64, 1, 11_200),
        (Operation::Sqr, 64, 2, 11_200),
        (Operation::Sqr, 96, 2, 22_000),
        (Operation::Sqr, 128, 2, 37_000),
        (Operation::Sqr, 128, 3, 37_000),
    ] {
        let cycles =
            check(&format!("{words} words, {levels} levels"), &task(operation, words, levels), core, 1);
        println!("{} {} bits, {levels} levels: {cycles}", operation.name(), 8 * words);
        assert!(cycles <= most, "{words} words: {cycles}");
    }
}

/// Parts that are no halves, and pairs by sums.
#[test]
fn every_kind_of_split() {
    let core = core("atmega128").unwrap();
    let below = method(Operation::Mul, "operand-caching").unwrap();
    let walk = |words: usize| -> Walk { below.walk(words, &Parameters::default()).unwrap() };
    let square = |words: usize| match task(Operation::Sqr, words, 0) {
        Task::Split(node) => node,
        other => panic!("{other:?}"),
    };
    let cuts = [
        Cut::Balanced(2),
        Cut::Balanced(3),
        Cut::Balanced(5),
        Cut::Ratio(vec![1, 3]),
        Cut::Ratio(vec![3, 1]),
        Cut::Ratio(vec![1, 1, 2]),
    ];
    for cut in cuts {
        for pairs in [Pairs::Subtractive, Pairs::Additive] {
            for (words, levels) in [(2, 1), (5, 1), (8, 1), (9, 2), (13, 1), (24, 2), (31, 1)] {
                let node = Node::new(words, levels, &cut, pairs, &walk);
                let what = format!("{words} words, {levels} levels, {cut:?}, {pairs:?}");
                check(&what, &Task::Split(node), core, 12);
                let node = Node::new(words, levels, &cut, pairs, &square);
                check(&what, &Task::Split(node), core, 6);
            }
        }
    }
}

#[test]
fn what_is_not_made_is_refused() {
    let atmega = core("atmega128").unwrap();
    for operation in OPERATIONS {
        for levels in 0..2 {
            let refused = routine(&task(operation, 12, levels), atmega, &IAR);
            assert!(matches!(refused, Err(LowerError::Unmade { .. })), "{refused:?}");
        }
        let refused = make(&task(operation, 12, 1), core("attiny85").unwrap());
        assert!(matches!(refused, Err(LowerError::NoMultiplier { .. })), "{refused:?}");
    }
}
