//! Calls of kernels with numbers.

use num_bigint::BigUint;
use rhomb_c55x::conventions::TI;
use rhomb_c55x::cores::core;
use rhomb_c55x::instructions::Bundle;
use rhomb_c55x::lower::Code;
use rhomb_c55x::{Function, Program, syntax};
use rhomb_machine::{Access, Buffer, Concrete, Finished, Random, Routine, Surroundings};
use std::sync::Arc;

/// A kernel made from its printed text.
pub(crate) struct Kernel {
    pub(crate) function: Function,
    name: String,
}

impl Kernel {
    /// What the code does is its name in the ledger.
    pub(crate) fn new(name: impl Into<String>, code: Code) -> Self {
        Kernel::of(name, code.into_lines())
    }

    /// The same of lines.
    pub(crate) fn of(name: impl Into<String>, lines: Vec<Bundle>) -> Self {
        let text = syntax::function("f", &lines);
        let parsed = syntax::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        assert_eq!(parsed.name.as_deref(), Some("f"));
        for (read, made) in parsed.lines.iter().zip(&lines) {
            assert_eq!(read, made);
        }
        assert_eq!(parsed.lines.len(), lines.len());
        let core = core("tms320vc5510").unwrap();
        let program =
            Program::new(core, 0x100, parsed.lines).unwrap_or_else(|error| panic!("{error}\n{text}"));
        Kernel {
            function: Function {
                program: Arc::new(program),
                entry: 0,
                convention: &TI,
                stack_limit: 4096,
                step_limit: 1 << 32,
            },
            name: name.into(),
        }
    }

    /// Compares it with its line of the ledger.
    pub(crate) fn note(&self, cycles: u64) {
        crate::LEDGER.check(&self.name, cycles, self.function.program.code());
    }

    pub(crate) fn call(&self, buffers: &[Buffer<u16>], place: u32) -> Finished<Concrete<u16>> {
        let surroundings = Surroundings { place, ..Surroundings::default() };
        let finished = self.function.call_in(Concrete::new(), &buffers, surroundings);
        let finished = finished.unwrap_or_else(|stopped| panic!("{stopped}"));
        assert_eq!(finished.breaches, []);
        finished
    }
}

pub(crate) fn number(words: &[u16]) -> BigUint {
    BigUint::from_bytes_le(&words.iter().flat_map(|word| word.to_le_bytes()).collect::<Vec<u8>>())
}

pub(crate) fn content(finished: &Finished<Concrete<u16>>, buffer: usize) -> Vec<u16> {
    finished.buffers[buffer].iter().map(|word| word.unwrap()).collect()
}

pub(crate) fn input(name: &'static str, content: Vec<u16>) -> Buffer<u16> {
    Buffer { name, length: content.len() as u32, content: Some(content), access: Access::Load, shares: None }
}

pub(crate) fn output(name: &'static str, length: usize) -> Buffer<u16> {
    Buffer { name, length: length as u32, content: None, access: Access::Store, shares: None }
}

/// Words by turns of any kind, extreme ones mostly, or extreme ones only.
pub(crate) fn any_words(random: &mut Random, length: usize) -> Vec<u16> {
    let kind = random.bits() % 4;
    (0..length)
        .map(|_| {
            let bits = random.bits();
            match (kind, bits >> 32 & 3) {
                (0, _) | (1, 0) => bits as u16,
                (1 | 2, 1 | 2) => u16::MAX,
                (_, 3) => 0,
                _ => u16::MAX - (bits & 1) as u16,
            }
        })
        .collect()
}

/// Calls a multiplication; its cycles, the same in every call.
pub(crate) fn check_product(kernel: &Kernel, length: usize) -> u64 {
    let mut random = Random::new(length as u64);
    let mut operands = vec![(vec![u16::MAX; length], vec![u16::MAX; length])];
    operands.extend((0..6).map(|_| (any_words(&mut random, length), any_words(&mut random, length))));
    let mut cycles = None;
    for (place, (a, b)) in (0..).zip(operands) {
        let buffers = [output("r", 2 * length), input("a", a.clone()), input("b", b.clone())];
        let finished = kernel.call(&buffers, place);
        assert_eq!(number(&content(&finished, 0)), number(&a) * number(&b), "{length} words");
        let taken = finished.tally.cycles;
        assert!(taken.is_exact());
        assert_eq!(*cycles.get_or_insert(taken.max), taken.max);
    }
    kernel.note(cycles.unwrap());
    cycles.unwrap()
}

/// Calls a squaring; its cycles, the same in every call.
pub(crate) fn check_square(kernel: &Kernel, length: usize) -> u64 {
    let mut random = Random::new(length as u64);
    let mut operands = vec![vec![u16::MAX; length]];
    operands.extend((0..6).map(|_| any_words(&mut random, length)));
    let mut cycles = None;
    for (place, a) in (0..).zip(operands) {
        let finished = kernel.call(&[output("r", 2 * length), input("a", a.clone())], place);
        assert_eq!(number(&content(&finished, 0)), number(&a) * number(&a), "{length} words");
        let taken = finished.tally.cycles.max;
        assert_eq!(*cycles.get_or_insert(taken), taken);
    }
    kernel.note(cycles.unwrap());
    cycles.unwrap()
}
