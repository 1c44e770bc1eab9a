//! Routines over GF(2).

use super::context::context;
use super::{Made, Maker, NotMade};
use crate::field::sparse::{self, Shape};
use crate::field::{FieldError, binary, plain, rolled};
use crate::lower;
use crate::syntax;
use rhomb_contract::{Binary, BinaryPolynomial, Operation};
use rhomb_field::montgomery::Ring;
use rhomb_field::words::words;
use rhomb_kernel::Form;

/// GF(2^191), for which there are straight lines.
const T191: &str = "x^191+x^9+1";

/// What the straight lines and the loops are written with.
const EXTENDED: [&str; 3] = ["mulgf2", "maddgf2", "sha"];

impl Maker<'_> {
    pub(super) fn binary(&self, binary: &Binary) -> Result<Vec<Made>, NotMade> {
        let d = binary.bits().div_ceil(32) as usize;
        match (binary.operation(), binary.modulus()) {
            (Operation::Gf2Mul, _) => self.product(Operation::Mul, d),
            (Operation::Gf2Sqr, _) => self.product(Operation::Sqr, d),
            (Operation::Gf2Add, _) => match self.form {
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
        let walks = self.walks(operation, d, lower::Ring::BinaryPolynomials)?;
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

    fn modulo(
        &self,
        operation: Operation,
        modulus: &BinaryPolynomial,
        d: usize,
    ) -> Result<Vec<Made>, NotMade> {
        let ring = Ring::Polynomials;
        let is_t191 = modulus.to_string() == T191;
        let context = || context(ring, &words(&modulus.number(), d));
        let is_extended = self.has(&EXTENDED);
        let special = match operation {
            Operation::Gf2MontMul | Operation::Gf2MontSqr if modulus.degree() as usize >= 32 * d => {
                return Err(NotMade::Operation {
                    what: format!(
                        "{} modulo a polynomial whose degree is a multiple of 32",
                        operation.name()
                    ),
                    valid: "other degrees",
                });
            }
            Operation::Gf2MontMul | Operation::Gf2MontSqr if d >= 2 && !is_extended => {
                return Err(NotMade::Core {
                    what: format!("{} {modulus}", operation.name()),
                    valid: "mips32-ise",
                });
            }
            Operation::Gf2MontMul if d >= 2 => {
                let inner = rolled::montgomery_multiply("g", ring, d);
                return self.one("finely-integrated", Form::Looped, &(context()? + &inner));
            }
            Operation::Gf2MontSqr if d >= 2 => {
                let inner = rolled::montgomery_square("g", ring, d);
                return self.one("finely-integrated", Form::Looped, &(context()? + &inner));
            }
            Operation::Gf2ModMul if is_t191 && is_extended => binary::multiply(self.model, "f"),
            Operation::Gf2ModSqr if is_t191 && is_extended => binary::square(self.model, "f"),
            Operation::Gf2ModReduce if is_t191 && is_extended => binary::reduction(self.model, "f"),
            Operation::Gf2ModMul | Operation::Gf2ModSqr | Operation::Gf2ModReduce => {
                return self.sparse(operation, modulus, d);
            }
            _ => {
                return Err(NotMade::Operation {
                    what: format!("{} of {d} words", operation.name()),
                    valid: "gf2montmul and gf2montsqr from degree 33 on",
                });
            }
        };
        self.one("special-form", Form::Unrolled, &special?)
    }

    /// A product in the stack, and its reduction word by word.
    fn sparse(
        &self,
        operation: Operation,
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
            Operation::Gf2ModReduce => {
                return self.one("sparse-fold", Form::Unrolled, &sparse::reduction(self.model, "f", &shape)?);
            }
            Operation::Gf2ModSqr => Operation::Sqr,
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
