//! The cycles of the paper's table 2, measured: every routine is run on random operands, and its results are checked.
//!
//! The model is `mips32-ise`; seeds are fixed, so that the figures are the same in every run.

mod whole;

use super::rolled::{self, Ring};
use super::{Correction, FieldError, binary, made, prime};
use crate::conventions::O32;
use crate::cores::core;
use crate::instructions::Instruction;
use crate::lower;
use crate::model::Model;
use crate::program::Program;
use crate::routine::Function;
use crate::syntax;
use num_bigint::BigUint;
use rhomb_field::Field;
use rhomb_field::binary::{BinaryField, product};
use rhomb_field::montgomery::Montgomery;
use rhomb_field::prime::PrimeField;
use rhomb_field::words::{number, words};
use rhomb_kernel::{Form as KernelForm, Operation as KernelOperation, Parameters, Shape, method};
use rhomb_machine::{Access, Buffer, Concrete, Random, Routine};
use std::sync::Arc;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// A sum in the field.
    Sum,
    /// A product of 12 words.
    Product,
    /// A square of 12 words.
    Square,
    /// 12 words modulo p, or the trinomial, in a straight line.
    Reduction,
    /// A product in the field.
    ReducedProduct,
    /// A square in the field.
    ReducedSquare,
    /// Montgomery's product.
    MontgomeryProduct,
    /// Montgomery's square.
    MontgomerySquare,
    /// A scalar multiplication with Montgomery's reduction.
    ScalarGeneric,
    /// A scalar multiplication with the reduction for the field; for the straight lines with the fastest formulas.
    ScalarOptimized,
    /// The same with straight lines and the published formulas.
    ScalarPublishedFormulas,
    /// The same with straight lines, fastest formulas, in constant time.
    ScalarConstantTime,
    /// A round of the inner loop of figure 3.
    InnerLoop,
    /// A product of 12 words without custom instructions: with loops by operand scanning, the paper's reference.
    PlainProduct,
}

/// How it is programmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// With loops, as the paper has it.
    Loops,
    /// In straight lines.
    Straight,
}

/// Cycles of a call, or of the average of some.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Where nothing has to be corrected.
    pub usual: u64,
    /// With a correction: a subtraction of p after a sum or a product of Montgomery; for straight lines in GF(p), of the form
    /// that corrects always and whose time is constant. `None` where there is no such thing.
    pub corrected: Option<u64>,
}

/// Cycles of an operation; `None` where there is no such program.
///
/// # Errors
/// A routine that stops or gives a wrong result.
pub fn measure(operation: Operation, ring: Ring, form: Form) -> Result<Option<Measured>, FieldError> {
    Bench::new("mips32-ise")?.measure(operation, ring, form)
}

/// Calls of a routine.
const CALLS: u64 = 40;
/// Scalar multiplications.
const SCALARS: u64 = 4;
const LIMIT: u64 = 10_000_000;
const ORIGIN: u32 = 0x400;
/// Bytes of stack that a routine has.
const STACK: u32 = 4096;

struct Bench {
    model: Arc<Model>,
    random: Random,
}

/// What a routine must compute, as a number of the result's words that may stand for another.
type Expected<'a> = &'a dyn Fn(&BigUint, &[Vec<u32>]) -> bool;

impl Bench {
    fn new(name: &str) -> Result<Bench, FieldError> {
        let core = core(name).ok_or_else(|| FieldError::Evidence(format!("there is no core {name}")))?;
        Ok(Bench { model: Arc::new(Model::of(core)), random: Random::new(1) })
    }

    fn measure(
        &mut self,
        operation: Operation,
        ring: Ring,
        form: Form,
    ) -> Result<Option<Measured>, FieldError> {
        match operation {
            Operation::Sum => self.sum(ring, form).map(Some),
            Operation::Product | Operation::Square => self.product(operation, ring, form).map(Some),
            Operation::Reduction | Operation::ReducedProduct | Operation::ReducedSquare => match form {
                Form::Straight => self.reduced(operation, ring).map(Some),
                Form::Loops => Ok(None),
            },
            Operation::MontgomeryProduct | Operation::MontgomerySquare => match form {
                Form::Loops => self.montgomery(operation, ring).map(Some),
                Form::Straight => Ok(None),
            },
            Operation::ScalarGeneric
            | Operation::ScalarOptimized
            | Operation::ScalarPublishedFormulas
            | Operation::ScalarConstantTime => self.scalar(operation, ring, form),
            Operation::InnerLoop => self.inner_loop(ring, form),
            Operation::PlainProduct => self.plain(ring, form),
        }
    }

    /// The least and the most cycles of calls of `f` with random operands of these lengths and, where there is one, a
    /// context, each result checked.
    fn calls(
        &mut self,
        text: &str,
        length: u32,
        lengths: &[usize],
        context: Option<&[u32]>,
        expected: Expected<'_>,
    ) -> Result<(u64, u64), FieldError> {
        let code = self.assembled(text)?;
        self.code_calls(&code, length, lengths, context, expected)
    }

    fn assembled(&self, text: &str) -> Result<Vec<Instruction>, FieldError> {
        Ok(syntax::parse(&self.model, 0, text)?.instructions)
    }

    /// A call of a routine with operands, of which one may be written: the result, and the cycles.
    fn call(
        &self,
        code: &[Instruction],
        length: u32,
        operands: &[Vec<u32>],
        written: Option<usize>,
    ) -> Result<(Vec<u32>, u64), FieldError> {
        let program = Arc::new(Program::assemble(Arc::clone(&self.model), ORIGIN, code)?);
        let function =
            Function { program, entry: ORIGIN, convention: &O32, stack_limit: STACK, step_limit: LIMIT };
        let result = Buffer { name: "r", length, content: None, access: Access::Store, shares: None };
        let operand = |(index, words): (usize, &Vec<u32>)| Buffer {
            name: "operand",
            length: words.len() as u32,
            content: Some(words.clone()),
            access: if written == Some(index) { Access::Store } else { Access::Load },
            shares: None,
        };
        let buffers: Vec<Buffer<u32>> =
            std::iter::once(result).chain(operands.iter().enumerate().map(operand)).collect();
        let finished = function.call(Concrete::new(), &buffers).map_err(evidence)?;
        if let Some(breach) = finished.breaches.first() {
            return Err(FieldError::Evidence(breach.text.clone()));
        }
        let words: Option<Vec<u32>> =
            finished.buffers.first().and_then(|words| words.iter().copied().collect());
        let words =
            words.ok_or_else(|| FieldError::Evidence("a word of the result is not written".to_owned()))?;
        Ok((words, finished.tally.cycles.max))
    }

    fn code_calls(
        &mut self,
        code: &[Instruction],
        length: u32,
        lengths: &[usize],
        context: Option<&[u32]>,
        expected: Expected<'_>,
    ) -> Result<(u64, u64), FieldError> {
        let (mut least, mut most) = (u64::MAX, 0);
        for _ in 0..CALLS {
            let mut operands: Vec<Vec<u32>> =
                lengths.iter().map(|length| self.random.words(*length)).collect();
            // a product of polynomials has degree 382 at most
            for long in operands.iter_mut().filter(|words| words.len() == 12) {
                long[11] &= i32::MAX as u32;
            }
            operands.extend(context.map(<[u32]>::to_vec));
            let written = context.map(|_| operands.len() - 1);
            let (result, cycles) = self.call(code, length, &operands, written)?;
            if !expected(&number(&result), &operands) {
                return Err(FieldError::Evidence("a wrong result".to_owned()));
            }
            least = least.min(cycles);
            most = most.max(cycles);
        }
        Ok((least, most))
    }

    fn sum(&mut self, ring: Ring, form: Form) -> Result<Measured, FieldError> {
        let model = Arc::clone(&self.model);
        let prime_sum: Expected<'_> = &|result, operands| {
            let field = PrimeField::p192();
            field.element(result) == field.add(&number(&operands[0]), &number(&operands[1]))
        };
        let binary_sum: Expected<'_> =
            &|result, operands| *result == number(&operands[0]) ^ number(&operands[1]);
        match (ring, form) {
            (Ring::Integers, Form::Loops) => {
                let context = context(ring, PrimeField::p192().modulus())?;
                let (usual, corrected) =
                    self.calls(&rolled::add("f", 6), 6, &[6, 6], Some(&context), prime_sum)?;
                Ok(Measured { usual, corrected: Some(corrected) })
            }
            (Ring::Integers, Form::Straight) => {
                self.both(&|correction| prime::add(&model, "f", correction), &[6, 6], prime_sum)
            }
            (Ring::Polynomials, _) => {
                let text = match form {
                    Form::Loops => rolled::xor("f", 6),
                    Form::Straight => binary::add(&model, "f")?,
                };
                let (usual, _) = self.calls(&text, 6, &[6, 6], None, binary_sum)?;
                Ok(Measured { usual, corrected: None })
            }
        }
    }

    /// A routine of GF(p) with the correction that is rare, and with the one that is always made.
    fn both(
        &mut self,
        text: &dyn Fn(Correction) -> Result<String, FieldError>,
        lengths: &[usize],
        expected: Expected<'_>,
    ) -> Result<Measured, FieldError> {
        let (usual, _) = self.calls(&text(Correction::Branch)?, 6, lengths, None, expected)?;
        let (constant, _) = self.calls(&text(Correction::Always)?, 6, lengths, None, expected)?;
        Ok(Measured { usual, corrected: Some(constant) })
    }

    fn product(&mut self, operation: Operation, ring: Ring, form: Form) -> Result<Measured, FieldError> {
        let square = operation == Operation::Square;
        let expected: Expected<'_> = &|result, operands| {
            let (a, b) = (number(&operands[0]), number(operands.last().map_or(&[], Vec::as_slice)));
            *result
                == match ring {
                    Ring::Integers => a * b,
                    Ring::Polynomials => product(&a, &b),
                }
        };
        let lengths: &[usize] = if square { &[6] } else { &[6, 6] };
        let (usual, _) = match form {
            Form::Loops => {
                let ring = lowered(ring);
                let code = made::looped(&self.model, &O32, square, 6, ring)?;
                self.code_calls(&code, 12, lengths, None, expected)?
            }
            Form::Straight => {
                let code = self.kernel(square, ring)?;
                self.code_calls(&code, 12, lengths, None, expected)?
            }
        };
        Ok(Measured { usual, corrected: None })
    }

    /// Product scanning lowered for the core.
    fn kernel(&self, square: bool, ring: Ring) -> Result<Vec<Instruction>, FieldError> {
        let missing = || FieldError::Evidence("product scanning is not there".to_owned());
        let operation = if square { KernelOperation::Sqr } else { KernelOperation::Mul };
        let parameters = Parameters { cache: (!square).then_some(6), ..Parameters::default() };
        let shape = Shape { form: KernelForm::Unrolled, words: 6, parameters: &parameters };
        let task = method(operation, "product-scanning").and_then(|method| method.task(&shape));
        let task = task.ok_or_else(missing)?;
        let kernel = lower::routine_within(&task, &self.model, &O32, lowered(ring), usize::MAX)?;
        Ok(kernel.program)
    }

    fn reduced(&mut self, operation: Operation, ring: Ring) -> Result<Measured, FieldError> {
        let model = Arc::clone(&self.model);
        let lengths: &[usize] = match operation {
            Operation::Reduction => &[12],
            Operation::ReducedSquare => &[6],
            _ => &[6, 6],
        };
        let field: Box<dyn Field> = match ring {
            Ring::Integers => Box::new(PrimeField::p192()),
            Ring::Polynomials => Box::new(BinaryField::t191()),
        };
        let expected: Expected<'_> = &|result, operands| {
            let (a, b) = (number(&operands[0]), number(operands.last().map_or(&[], Vec::as_slice)));
            let value = if operation == Operation::Reduction { field.element(&a) } else { field.mul(&a, &b) };
            field.element(result) == value
        };
        match ring {
            Ring::Integers => self.both(
                &|correction| match operation {
                    Operation::Reduction => prime::reduction(&model, "f", correction),
                    Operation::ReducedSquare => prime::square(&model, "f", correction),
                    _ => prime::multiply(&model, "f", correction),
                },
                lengths,
                expected,
            ),
            Ring::Polynomials => {
                let text = match operation {
                    Operation::Reduction => binary::reduction(&model, "f"),
                    Operation::ReducedSquare => binary::square(&model, "f"),
                    _ => binary::multiply(&model, "f"),
                }?;
                let (usual, _) = self.calls(&text, 6, lengths, None, expected)?;
                Ok(Measured { usual, corrected: None })
            }
        }
    }
}

/// A context of Montgomery's routines for a modulus of six words.
fn context(ring: Ring, modulus: &BigUint) -> Result<Vec<u32>, FieldError> {
    let modulus = words(modulus, 6);
    let montgomery = Montgomery::new(ring, &modulus)
        .ok_or_else(|| FieldError::Evidence("a modulus without an inverse".to_owned()))?;
    Ok([vec![0; 18], modulus, vec![montgomery.factor()]].concat())
}

fn lowered(ring: Ring) -> lower::Ring {
    match ring {
        Ring::Integers => lower::Ring::Integers,
        Ring::Polynomials => lower::Ring::BinaryPolynomials,
    }
}

fn evidence(fault: impl ToString) -> FieldError {
    FieldError::Evidence(fault.to_string())
}
