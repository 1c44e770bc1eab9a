//! The routine that keeps a contract of field arithmetic: which there are, and the fastest of them.

mod binary;
mod context;
mod inverse;
mod modular;

use super::FieldError;
use crate::conventions::Convention;
use crate::instructions::Instruction;
use crate::lower::{self, Kernel, LowerError};
use crate::model::Model;
use crate::syntax;
use rhomb_contract::{Contract, Expression};
use rhomb_kernel::{Form, METHODS, Operation, Parameters, Shape as WalkShape, method};

/// A routine that keeps a contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Made {
    /// All instructions; branches and calls stay inside.
    pub program: Vec<Instruction>,
    /// How it computes, for people.
    pub method: &'static str,
    /// Straight line or loops.
    pub form: Form,
}

/// Why there is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotMade {
    /// There is no such routine for any core or form.
    #[error("{what} is not made; valid: {valid}")]
    Operation {
        /// What was asked for.
        what: String,
        /// What there is instead.
        valid: &'static str,
    },
    /// Not in this form.
    #[error("it is not made {given}; valid: {valid}")]
    Form {
        /// The form asked for.
        given: &'static str,
        /// The form that it is made in.
        valid: &'static str,
    },
    /// The core lacks instructions for it.
    #[error("the core lacks an instruction that {what} needs; valid: {valid}")]
    Core {
        /// What was asked for.
        what: String,
        /// Cores that have them.
        valid: &'static str,
    },
    /// A routine cannot be written: it is too long, or takes more registers than there are.
    #[error(transparent)]
    Field(#[from] FieldError),
    /// The same of a straight line.
    #[error(transparent)]
    Lower(#[from] LowerError),
}

/// Routines for a contract on a core: candidates, each with its name, in one form or in both.
///
/// # Errors
/// Where there is none.
pub fn candidates(
    contract: &Contract,
    form: Option<Form>,
    model: &Model,
    convention: &Convention,
) -> Result<Vec<Made>, NotMade> {
    let maker = Maker { model, convention, form };
    if contract.expression() == Expression::Inverse {
        return maker.inverse(contract);
    }
    match contract {
        Contract::Modular(modular) => maker.modular(modular),
        Contract::Binary(binary) => maker.binary(binary),
        Contract::Mul { .. }
        | Contract::Sqr { .. }
        | Contract::Add { .. }
        | Contract::Sub { .. }
        | Contract::AnyModulus(_) => Err(NotMade::Operation {
            what: contract.to_string(),
            valid: "operations modulo a number or over GF(2)",
        }),
    }
}

/// A product or square of words with loops, by columns.
pub(super) fn looped(
    model: &Model,
    convention: &Convention,
    is_square: bool,
    words: usize,
    ring: lower::Ring,
) -> Result<Vec<Instruction>, FieldError> {
    let operation = if is_square { Operation::Sqr } else { Operation::Mul };
    let form = Form::Looped;
    let shape = WalkShape { form, words, parameters: &Parameters::default() };
    let task = method(operation, "product-scanning").and_then(|method| method.task(&shape));
    let missing = || FieldError::NoRoutine(format!("{} with loops", operation.name()));
    let task = task.ok_or_else(missing)?;
    Ok(lower::routine_within(&task, model, convention, ring, usize::MAX)?.program)
}

struct Maker<'a> {
    model: &'a Model,
    convention: &'a Convention,
    form: Option<Form>,
}

impl Maker<'_> {
    /// The routine of a text.
    fn one(&self, method: &'static str, form: Form, text: &str) -> Result<Vec<Made>, NotMade> {
        self.is_wanted(form)?;
        let parsed = syntax::parse(self.model, 0, text).map_err(FieldError::from)?;
        Ok(vec![Made { program: parsed.instructions, method, form }])
    }

    /// That the one form that there is was not refused.
    fn is_wanted(&self, form: Form) -> Result<(), NotMade> {
        match self.form {
            Some(given) if given != form => Err(NotMade::Form { given: given.name(), valid: form.name() }),
            _ => Ok(()),
        }
    }

    /// Products along walks, over either ring; a walk that this core has no code for, or that takes more registers than
    /// there are, is none.
    fn walks(&self, operation: Operation, d: usize, ring: lower::Ring) -> Result<Vec<Made>, NotMade> {
        let all = self.kernels(operation, d, ring)?.into_iter();
        Ok(all.map(|(method, form, kernel)| Made { program: kernel.program, method, form }).collect())
    }

    /// The same, with what is known of each.
    fn kernels(
        &self,
        operation: Operation,
        d: usize,
        ring: lower::Ring,
    ) -> Result<Vec<(&'static str, Form, Kernel)>, NotMade> {
        let mut all = Vec::new();
        for method in METHODS.iter().filter(|method| method.operation == operation) {
            for form in method.forms.iter().filter(|form| self.form.is_none_or(|wanted| wanted == **form)) {
                // a straight line is faster
                if self.form.is_none() && *form == Form::Looped {
                    continue;
                }
                let shape = WalkShape { form: *form, words: d, parameters: &Parameters::default() };
                let Some(task) = method.task(&shape) else { continue };
                match lower::routine_within(&task, self.model, self.convention, ring, usize::MAX) {
                    Ok(kernel) => all.push((method.name, *form, kernel)),
                    Err(
                        LowerError::Splits
                        | LowerError::Registers { .. }
                        | LowerError::Guard { .. }
                        | LowerError::Carry
                        | LowerError::Multiplier { .. }
                        | LowerError::Carryless
                        | LowerError::Loops,
                    ) => {}
                    Err(fault @ (LowerError::Displacement | LowerError::Instruction)) => {
                        return Err(fault.into());
                    }
                }
            }
        }
        Ok(all)
    }

    /// Whether the core has all of these instructions.
    fn has(&self, mnemonics: &[&str]) -> bool {
        let custom = self.model.custom();
        mnemonics.iter().all(|name| custom.iter().any(|own| &*own.row.mnemonic == *name))
    }
}
