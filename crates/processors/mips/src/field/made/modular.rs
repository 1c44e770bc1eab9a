//! Routines modulo an odd number.

use super::context::context;
use super::{Made, Maker, NotMade};
use crate::field::{Correction, prime, rolled, straight};
use crate::lower::{self, LowerError};
use crate::syntax;
use rhomb_contract::{Modular, ModularOperation};
use rhomb_field::montgomery::Ring;
use rhomb_field::words::words;
use rhomb_kernel::{Form, Operation};

/// P-192, for which there are straight lines of their own.
const P192: &str = "2^192-2^64-1";

/// What these, and the loops, are written with.
const EXTENDED: [&str; 3] = ["m2addu", "addau", "sha"];

impl Maker<'_> {
    /// All that there are of the form that is wanted.
    pub(super) fn modular(&self, modular: &Modular) -> Result<Vec<Made>, NotMade> {
        let wants = |form| self.form.is_none_or(|wanted| wanted == form);
        let mut all = Vec::new();
        if self.has(&EXTENDED) {
            if wants(Form::Looped) {
                all.extend(self.looped(modular)?);
            }
            if wants(Form::Unrolled) {
                all.extend(self.special(modular)?);
            }
        }
        if wants(Form::Unrolled) {
            all.extend(self.straight(modular)?);
        }
        match self.form {
            Some(Form::Looped) if all.is_empty() && !self.has(&EXTENDED) => {
                Err(NotMade::Core { what: format!("{modular} with loops"), valid: "mips32-ise" })
            }
            Some(given) if all.is_empty() => {
                Err(NotMade::Form { given: given.name(), valid: Form::Unrolled.name() })
            }
            _ => Ok(all),
        }
    }

    /// Montgomery's products with loops, for two words or more.
    fn looped(&self, modular: &Modular) -> Result<Vec<Made>, NotMade> {
        let d = modular.modulus.words(32) as usize;
        let ring = Ring::Integers;
        let inner = match modular.operation {
            ModularOperation::MontgomeryMul if d >= 2 => rolled::montgomery_multiply("g", ring, d),
            ModularOperation::MontgomerySqr if d >= 2 => rolled::montgomery_square("g", ring, d),
            _ => return Ok(Vec::new()),
        };
        let text = context(ring, &words(&modular.modulus.number(), d))? + &inner;
        self.one("finely-integrated", Form::Looped, &text)
    }

    /// P-192.
    fn special(&self, modular: &Modular) -> Result<Vec<Made>, NotMade> {
        if modular.modulus.to_string() != P192 {
            return Ok(Vec::new());
        }
        let text = match modular.operation {
            ModularOperation::Mul => prime::multiply(self.model, "f", Correction::Always),
            ModularOperation::Sqr => prime::square(self.model, "f", Correction::Always),
            ModularOperation::Reduce => prime::reduction(self.model, "f", Correction::Always),
            ModularOperation::Add => prime::add(self.model, "f", Correction::Always),
            ModularOperation::Sub => prime::subtract(self.model, "f", Correction::Always),
            ModularOperation::Half => prime::half(self.model, "f"),
            ModularOperation::MontgomeryMul
            | ModularOperation::MontgomerySqr
            | ModularOperation::MontgomeryReduce
            | ModularOperation::Inverse
            | ModularOperation::MontgomeryInverse => return Ok(Vec::new()),
        };
        self.one("special-form", Form::Unrolled, &text?)
    }

    /// Any modulus in straight lines, with words on the way in registers or on the stack.
    fn straight(&self, modular: &Modular) -> Result<Vec<Made>, NotMade> {
        let number = modular.modulus.number();
        let d = modular.modulus.words(32) as usize;
        let product = match modular.operation {
            ModularOperation::Mul | ModularOperation::MontgomeryMul => Some(Operation::Mul),
            ModularOperation::Sqr | ModularOperation::MontgomerySqr => Some(Operation::Sqr),
            _ => None,
        };
        let mut products = match product {
            None => Vec::new(),
            Some(product) => {
                let maker = Maker { form: Some(Form::Unrolled), ..*self };
                maker.walks(product, d, lower::Ring::Integers)?
            }
        };
        // the fastest is the one in the fewest instructions: they are straight lines
        products.sort_by_key(|made| made.program.len());
        products.truncate(2);
        let rows = match modular.operation {
            ModularOperation::Mul | ModularOperation::Sqr | ModularOperation::Reduce => {
                straight::rows(&number, d)
            }
            _ => None,
        };
        let signed = rows.as_deref().map(|rows| ("signed-fold", Some(rows)));
        let ways = signed.into_iter().chain([("column-fold", None)]);
        let mut all = Vec::new();
        for ((method, rows), in_registers) in ways.flat_map(|way| [(way, true), (way, false)]) {
            let operation = modular.operation;
            let made = straight::routine(operation, &number, self.model, self.convention, in_registers, rows);
            let own = match made {
                Ok(own) => own,
                // there is another way
                Err(LowerError::Registers { .. }) if in_registers || rows.is_some() => continue,
                Err(fault) => return Err(fault.into()),
            };
            if product.is_none() {
                all.push(Made { program: own, method, form: Form::Unrolled });
                continue;
            }
            let head = straight::after_product(self.model, "f", d, &own);
            let head = syntax::parse(self.model, 0, &head).map_err(crate::field::FieldError::from)?;
            for product in &products {
                let program = head.instructions.iter().chain(&product.program).copied().collect();
                all.push(Made { program, method, form: Form::Unrolled });
            }
        }
        Ok(all)
    }
}
