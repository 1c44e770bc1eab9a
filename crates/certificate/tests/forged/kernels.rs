//! Kernels, right and wrong, with the certificates of the right ones.

use rhomb_avr::instructions::{Instruction, Op};
use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower::multiplication};
use rhomb_certificate::{Certificate, Contract, EFFORT, Execution, Reading, execute, sha256};
use rhomb_kernel::{Operation, Parameters, method};
use rhomb_machine::MachineCode;
use rhomb_poly::Polynomial;
use rhomb_prove::prove;
use rhomb_samples::branched::{Sides, branched};
use rhomb_samples::karatsuba::{Extension, Shape, Sign, karatsuba, shape};
use rhomb_samples::shift_add::{Test, strip};
use rhomb_samples::{add_sub, squaring};
use std::sync::Arc;

pub(crate) fn function(code: &[Instruction]) -> Function {
    let program = Arc::new(Program::assemble(core("atmega128").unwrap(), 0, code).unwrap());
    Function { program, entry: 0, convention: &AVR_GCC, stack_limit: 64, step_limit: 20_000 }
}

/// A routine from GNU assembler text.
pub(crate) fn assembled(text: &str) -> Function {
    function(&rhomb_avr::syntax::parse(rhomb_avr::syntax::DIALECTS[0], 0, text).unwrap().instructions)
}

/// A kernel that is right, and its certificate.
pub(crate) struct Proved {
    pub(crate) name: &'static str,
    pub(crate) code: Vec<Instruction>,
    pub(crate) contract: Contract,
    pub(crate) certificate: Certificate,
}

impl Proved {
    fn new(name: &'static str, contract: &str, code: Vec<Instruction>) -> Self {
        let contract = contract.parse().unwrap();
        let certificate = prove(&function(&code), &contract).unwrap();
        Proved { name, code, contract, certificate }
    }

    /// The certificate with the hash of other code.
    pub(crate) fn certificate_for(&self, code: &[Instruction]) -> Certificate {
        Certificate { code_sha256: sha256(&function(code).code()), ..self.certificate.clone() }
    }
}

pub(crate) fn schoolbook(words: usize) -> Proved {
    let walk =
        method(Operation::Mul, "product-scanning").unwrap().walk(words, &Parameters::default()).unwrap();
    let kernel = multiplication(&walk, core("atmega128").unwrap(), &AVR_GCC).unwrap();
    Proved::new("schoolbook", &format!("mul {}", 8 * words), kernel.program)
}

/// One of each kind.
pub(crate) fn all() -> Vec<Proved> {
    vec![
        schoolbook(3),
        Proved::new("sqr", "sqr 32", squaring::sqr(4, 2)),
        Proved::new("add", "add 16", add_sub::add(2, add_sub::Form::Parked)),
        Proved::new("sub", "sub 16", add_sub::sub(2, add_sub::Form::Looped)),
        Proved::new("strip", "mul 16", strip(2, 2, Test::Skip)),
        Proved::new("karatsuba", "mul 32", karatsuba(4, shape(1))),
        Proved::new("corrected", "mul 32", karatsuba(4, Shape { sign: Sign::Corrected, ..shape(1) })),
        Proved::new("branched", "mul 32", branched(4, 1, Sides::Memory, Extension::Asr)),
    ]
}

/// The kernel without one of its instructions.
pub(crate) fn without(code: &[Instruction], at: usize) -> Vec<Instruction> {
    let mut changed = code.to_vec();
    changed[at] = Instruction::new(Op::Nop);
    changed
}

/// Values of all variables for operands that make carries run; `None` where no equation tells.
pub(crate) fn valuations(execution: &Execution, operands: usize, count: u64) -> Vec<Vec<Option<i64>>> {
    let graph = &execution.facts.graph;
    let mut state = 1u64;
    let mut next = || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        state >> 33
    };
    let mut byte = || match next() % 8 {
        0..4 => [0, 255][next() as usize % 2],
        4..6 => [0, 1, 127, 128, 254, 255][next() as usize % 6],
        _ => next() as i64 & 255,
    };
    let valuation = |_| {
        let mut values: Vec<Option<i64>> = vec![None; graph.len()];
        values[..operands].fill_with(|| Some(byte()));
        // registers that nobody set have any value
        for (index, value) in values.iter_mut().enumerate().skip(operands) {
            if graph.defining_low(index).is_none() && graph.defining_high(index).is_none() {
                *value = Some(if graph.variable_at(index).is_bit() { byte() & 1 } else { byte() });
            }
        }
        for equation in graph.equations() {
            let Some(right) = evaluate(&equation.right, &values) else { continue };
            let factor = equation.high.map_or(i64::MAX, |(_, factor)| factor);
            let low = right.rem_euclid(factor.abs());
            values[equation.low.index()] = Some(low);
            if let Some((high, factor)) = equation.high {
                values[high.index()] = Some((right - low) / factor);
            }
        }
        values
    };
    (0..count).map(valuation).collect()
}

fn evaluate(polynomial: &Polynomial, values: &[Option<i64>]) -> Option<i64> {
    let known = polynomial.variables().iter().all(|variable| values[variable.index()].is_some());
    let value = known.then(|| polynomial.evaluate(|variable| values[variable.index()].unwrap_or_default()));
    i64::try_from(value??).ok()
}

/// The kernel executed for its first aliasing pattern, and the number of operand words.
pub(crate) fn executed(code: &[Instruction], contract: &Contract) -> Option<(Execution, usize)> {
    let execution =
        execute(&function(code), contract, &contract.patterns()[0], Reading::Plain, EFFORT).ok()?;
    Some((execution, contract.operands(8).iter().sum::<u32>() as usize))
}
