//! Scalar multiplications: the routines that their programs ([`rhomb_field::program::scalar()`]) call here.

use super::{Correction, FieldError, binary, made, prime};
use crate::conventions::Convention;
use crate::instructions::Instruction;
use crate::lower::{self, words};
use crate::model::Model;
use crate::syntax;
use rhomb_contract::{Contract, Expression, Operation};
use rhomb_field::program::{Place, Program, Routine, Scalar, Scan, Step, Strategy, scalar};
use rhomb_kernel::Form;

/// How products and squares are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Products {
    /// In straight lines, with their reduction.
    Straight,
    /// With loops, as published; a reduction for the one field is a straight line.
    Loops,
}

/// The routine `r = k P`: `r` and `P` are 12 words, x first, `k` is 6. Sums are straight lines in any case. Where branches
/// scan the scalar, rare corrections are branches, too.
///
/// # Errors
/// A core without the instructions, or a curve without a program.
pub fn program(
    model: &Model,
    convention: &Convention,
    task: &Scalar<'_>,
    products: Products,
) -> Result<Vec<Instruction>, FieldError> {
    let missing = || FieldError::Evidence(format!("there is no program for {}", task.curve.name));
    let called = scalar(task).ok_or_else(missing)?;
    let maker = Maker { model, convention, task, products };
    let routines: Result<Vec<Vec<Instruction>>, FieldError> =
        called.routines.iter().map(|own| maker.routine(own)).collect();
    let routines = routines?;
    let routines: Vec<&[Instruction]> = routines.iter().map(Vec::as_slice).collect();
    Ok(lower::program(&called.program, &routines, convention)?)
}

struct Maker<'a> {
    model: &'a Model,
    convention: &'a Convention,
    task: &'a Scalar<'a>,
    products: Products,
}

impl Maker<'_> {
    fn routine(&self, routine: &Routine) -> Result<Vec<Instruction>, FieldError> {
        let contract = match routine {
            Routine::Kept(contract) => contract,
            Routine::Lines(lines) => {
                let all: Result<Vec<_>, _> =
                    lines.iter().map(|line| words(line, None, self.model, self.convention)).collect();
                let shortest = all?.into_iter().map(|kernel| kernel.program).min_by_key(Vec::len);
                return shortest.ok_or_else(|| FieldError::NoRoutine("no line".to_owned()));
            }
        };
        let is_product = matches!(contract.expression(), Expression::Product | Expression::Square);
        match self.products {
            Products::Loops if is_product && self.task.strategy == Strategy::Montgomery => {
                self.fastest(contract, Form::Looped)
            }
            Products::Loops if is_product => self.reduced(contract),
            Products::Loops | Products::Straight => match self.branching(contract)? {
                Some(own) => Ok(own),
                None => self.fastest(contract, Form::Unrolled),
            },
        }
    }

    /// The fastest routine that keeps a contract: of straight lines that with the fewest instructions.
    fn fastest(&self, contract: &Contract, form: Form) -> Result<Vec<Instruction>, FieldError> {
        let all = made::candidates(contract, Some(form), self.model, self.convention)
            .map_err(|fault| FieldError::Evidence(fault.to_string()))?;
        let missing = || FieldError::NoRoutine(contract.to_string());
        all.into_iter().map(|made| made.program).min_by_key(Vec::len).ok_or_else(missing)
    }

    /// The routine modulo P-192 in which what is rarely needed is a branch.
    fn branching(&self, contract: &Contract) -> Result<Option<Vec<Instruction>>, FieldError> {
        let operation = match contract.modular() {
            Some(modular) if self.task.scan == Scan::Branches => modular.operation,
            _ => return Ok(None),
        };
        let rare = Correction::Branch;
        let text = match operation {
            Operation::ModMul => prime::multiply(self.model, "f", rare)?,
            Operation::ModSqr => prime::square(self.model, "f", rare)?,
            Operation::ModAdd => prime::add(self.model, "f", rare)?,
            Operation::ModSub => prime::subtract(self.model, "f", rare)?,
            _ => return Ok(None),
        };
        self.assembled(&text).map(Some)
    }

    fn assembled(&self, text: &str) -> Result<Vec<Instruction>, FieldError> {
        Ok(syntax::parse(self.model, 0, text)?.instructions)
    }

    /// A product or square with loops, and then its reduction.
    fn reduced(&self, contract: &Contract) -> Result<Vec<Instruction>, FieldError> {
        let is_square = contract.expression() == Expression::Square;
        let (ring, reduction) = match contract.modular() {
            Some(_) => (lower::Ring::Integers, prime::reduction(self.model, "f", Correction::Branch)?),
            None => (lower::Ring::BinaryPolynomials, binary::reduction(self.model, "f")?),
        };
        let words = contract.result(32) as usize;
        let product = made::looped(self.model, self.convention, is_square, words, ring)?;
        let (whole, operands) = (Place::Slot(0), [Place::Operand(0), Place::Operand(1)]);
        let operands = &operands[..if is_square { 1 } else { 2 }];
        let steps = vec![
            Step::Call { routine: 0, to: whole, operands: operands.to_vec() },
            Step::Call { routine: 1, to: Place::Result, operands: vec![whole] },
        ];
        let program = Program { slots: vec![2 * words], operands: operands.len(), routines: 2, steps };
        Ok(lower::program(&program, &[&product, &self.assembled(&reduction)?], self.convention)?)
    }
}
