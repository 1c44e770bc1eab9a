//! The routine that keeps a contract of field arithmetic: which there are, and the fastest of them.

use super::sparse::{self, Shape};
use super::{Correction, FieldError, binary, plain, prime, rolled};
use crate::conventions::Convention;
use crate::instructions::Instruction;
use crate::lower::{self, Kernel};
use crate::model::Model;
use crate::syntax;
use rhomb_contract::{Binary, BinaryOperation, BinaryPolynomial, Contract, Modular, ModularOperation};
use rhomb_field::montgomery::{Montgomery, Ring};
use rhomb_field::words::words;
use rhomb_kernel::{Form, METHODS, Operation, Parameters, Shape as WalkShape};

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
    /// The core lacks an instruction that it needs, or the parameters are too large.
    #[error(transparent)]
    Core(#[from] FieldError),
}

/// P-192, for which there are straight lines.
const P192: &str = "2^192-2^64-1";
/// GF(2^191), the same.
const T191: &str = "x^191+x^9+1";

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
    match contract {
        Contract::Modular(modular) => maker.modular(modular),
        Contract::Binary(binary) => maker.binary(binary),
        Contract::Mul { .. } | Contract::Sqr { .. } | Contract::Add { .. } | Contract::Sub { .. } => {
            Err(NotMade::Operation {
                what: contract.to_string(),
                valid: "operations modulo a number or over GF(2)",
            })
        }
    }
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

    fn modular(&self, modular: &Modular) -> Result<Vec<Made>, NotMade> {
        let d = modular.modulus.words(32) as usize;
        let other = |valid| Err(NotMade::Operation { what: modular.to_string(), valid });
        // operands that are below the modulus are operands
        let ring = Ring::Integers;
        let context = || context(ring, &words(&modular.modulus.number(), d));
        let text = match modular.operation {
            ModularOperation::MontgomeryMul if d >= 2 => {
                let inner = rolled::montgomery_multiply("g", ring, d);
                return self.one("finely-integrated", Form::Looped, &(context()? + &inner));
            }
            ModularOperation::MontgomerySqr if d >= 2 => {
                let inner = rolled::montgomery_square("g", ring, d);
                return self.one("finely-integrated", Form::Looped, &(context()? + &inner));
            }
            ModularOperation::MontgomeryMul
            | ModularOperation::MontgomerySqr
            | ModularOperation::MontgomeryReduce => {
                return other("montmul and montsqr, from 33 bits on");
            }
            _ if modular.modulus.to_string() != P192 => {
                return other(
                    "montmul and montsqr modulo any odd number, and all others modulo 2^192-2^64-1",
                );
            }
            ModularOperation::Mul => prime::multiply(self.model, "f", Correction::Always),
            ModularOperation::Sqr => prime::square(self.model, "f", Correction::Always),
            ModularOperation::Reduce => prime::reduction(self.model, "f", Correction::Always),
            ModularOperation::Add => prime::add(self.model, "f", Correction::Always),
            ModularOperation::Sub => prime::subtract(self.model, "f", Correction::Always),
            ModularOperation::Half => prime::half(self.model, "f"),
        };
        self.one("special-form", Form::Unrolled, &text?)
    }

    fn binary(&self, binary: &Binary) -> Result<Vec<Made>, NotMade> {
        let d = binary.bits().div_ceil(32) as usize;
        match (binary.operation(), binary.modulus()) {
            (BinaryOperation::Mul, _) => self.product(Operation::Mul, d),
            (BinaryOperation::Sqr, _) => self.product(Operation::Sqr, d),
            (BinaryOperation::Add, _) => match self.form {
                Some(Form::Looped) if d >= 2 => self.one("word-by-word", Form::Looped, &rolled::xor("f", d)),
                _ => self.one("word-by-word", Form::Unrolled, &sparse::add(self.model, "f", d)?),
            },
            (operation, Some(modulus)) => self.modulo(operation, modulus, d),
            (_, None) => {
                Err(NotMade::Operation { what: binary.to_string(), valid: "gf2mul, gf2sqr, gf2add" })
            }
        }
    }

    /// Products of polynomials along walks; where there is no instruction for them, by a comb.
    fn product(&self, operation: Operation, d: usize) -> Result<Vec<Made>, NotMade> {
        let walks = self.walks(operation, d);
        if !walks.is_empty() {
            return Ok(walks);
        }
        if self.model.custom().iter().any(|custom| matches!(&*custom.row.mnemonic, "maddgf2" | "maddp")) {
            let given = self.form.map_or("in any form", Form::name);
            return Err(NotMade::Form { given, valid: "unrolled" });
        }
        match (operation, d) {
            (Operation::Mul, 6) => self.one("comb", Form::Unrolled, &plain::comb(self.model, "f")?),
            _ => Err(NotMade::Operation {
                what: format!("gf2{} of {d} words without instructions for it", operation.name()),
                valid: "gf2mul of 161 to 192 bits, or another core",
            }),
        }
    }

    fn walks(&self, operation: Operation, d: usize) -> Vec<Made> {
        let mut all = Vec::new();
        for method in METHODS.iter().filter(|method| method.operation == operation) {
            for form in method.forms.iter().filter(|form| self.form.is_none_or(|wanted| wanted == **form)) {
                // a straight line is faster
                if self.form.is_none() && *form == Form::Looped {
                    continue;
                }
                let shape = WalkShape { form: *form, words: d, parameters: &Parameters::default() };
                let Some(task) = method.task(&shape) else { continue };
                let ring = lower::Ring::BinaryPolynomials;
                let made = lower::routine_within(&task, self.model, self.convention, ring, usize::MAX);
                if let Ok(Kernel { program, .. }) = made {
                    all.push(Made { program, method: method.name, form: *form });
                }
            }
        }
        all
    }

    fn modulo(
        &self,
        operation: BinaryOperation,
        modulus: &BinaryPolynomial,
        d: usize,
    ) -> Result<Vec<Made>, NotMade> {
        let ring = Ring::Polynomials;
        let is_t191 = modulus.to_string() == T191;
        let context = || context(ring, &words(&modulus.number(), d));
        let special = match operation {
            BinaryOperation::MontgomeryMul | BinaryOperation::MontgomerySqr
                if modulus.degree() as usize >= 32 * d =>
            {
                return Err(NotMade::Operation {
                    what: format!(
                        "{} modulo a polynomial whose degree is a multiple of 32",
                        operation.name()
                    ),
                    valid: "other degrees",
                });
            }
            BinaryOperation::MontgomeryMul if d >= 2 => {
                let inner = rolled::montgomery_multiply("g", ring, d);
                return self.one("finely-integrated", Form::Looped, &(context()? + &inner));
            }
            BinaryOperation::MontgomerySqr if d >= 2 => {
                let inner = rolled::montgomery_square("g", ring, d);
                return self.one("finely-integrated", Form::Looped, &(context()? + &inner));
            }
            BinaryOperation::ModMul if is_t191 => binary::multiply(self.model, "f"),
            BinaryOperation::ModSqr if is_t191 => binary::square(self.model, "f"),
            BinaryOperation::ModReduce if is_t191 => binary::reduction(self.model, "f"),
            BinaryOperation::ModMul | BinaryOperation::ModSqr | BinaryOperation::ModReduce => {
                return self.sparse(operation, modulus, d);
            }
            _ => {
                return Err(NotMade::Operation {
                    what: format!("{} of {d} words", operation.name()),
                    valid: "gf2montmul and gf2montsqr from degree 33 on",
                });
            }
        };
        match special {
            Ok(text) => self.one("special-form", Form::Unrolled, &text),
            // without instructions for products, by shifts
            Err(FieldError::Text(_)) => self.sparse(operation, modulus, d),
            Err(error) => Err(error.into()),
        }
    }

    /// A product in the stack, and its reduction word by word.
    fn sparse(
        &self,
        operation: BinaryOperation,
        modulus: &BinaryPolynomial,
        d: usize,
    ) -> Result<Vec<Made>, NotMade> {
        self.is_wanted(Form::Unrolled)?;
        let Some(shape) = Shape::of(&modulus.exponents()) else {
            return Err(NotMade::Operation {
                what: format!("{} {modulus}", operation.name()),
                valid: "polynomials whose second exponent is at least 32 below the first; gf2montmul and gf2montsqr",
            });
        };
        let product = match operation {
            BinaryOperation::ModReduce => {
                return self.one("sparse-fold", Form::Unrolled, &sparse::reduction(self.model, "f", &shape)?);
            }
            BinaryOperation::ModSqr => Operation::Sqr,
            _ => Operation::Mul,
        };
        let head = syntax::parse(self.model, 0, &sparse::after_product(self.model, "f", &shape)?)
            .map_err(FieldError::from)?
            .instructions;
        let straight = Maker { form: Some(Form::Unrolled), ..*self };
        let products = straight.product(product, d)?;
        let whole = products.into_iter().map(|own| Made {
            program: head.iter().copied().chain(own.program).collect(),
            method: "sparse-fold",
            form: Form::Unrolled,
        });
        Ok(whole.collect())
    }
}

/// Bytes below the context that belong to what is called.
const HOME: usize = 16;

/// A routine `f` that makes a Montgomery context for this modulus in its stack and calls `g`, which must follow.
fn context(ring: Ring, modulus: &[u32]) -> Result<String, NotMade> {
    let d = modulus.len();
    let montgomery = Montgomery::new(ring, modulus)
        .ok_or_else(|| FieldError::Evidence("a modulus without an inverse".to_owned()))?;
    let link = HOME + 4 * rolled::context_words(d);
    let size = (link + 4).next_multiple_of(8);
    let mut text = format!("f: addiu $sp, $sp, -{size}\nsw $ra, {link}($sp)\naddiu $a3, $sp, {HOME}\n");
    for (place, word) in (3 * d..).zip(modulus.iter().chain([&montgomery.factor()])) {
        let register = match (word >> 16, word & 0xffff) {
            (0, 0) => "$0",
            (0, low) => {
                text += &format!("ori $t0, $0, {low}\n");
                "$t0"
            }
            (high, low) => {
                text += &format!("lui $t0, {high}\n");
                if low != 0 {
                    text += &format!("ori $t0, $t0, {low}\n");
                }
                "$t0"
            }
        };
        text += &format!("sw {register}, {}($a3)\n", 4 * place);
    }
    text += &format!("bgezal $0, g\nnop\nlw $ra, {link}($sp)\nnop\njr $ra\naddiu $sp, $sp, {size}\n");
    Ok(text)
}
