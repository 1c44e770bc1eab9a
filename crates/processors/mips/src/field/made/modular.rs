//! Routines modulo an odd number.

use super::context::context;
use super::{Made, Maker, NotMade};
use crate::field::{Correction, prime, rolled};
use crate::lower::{self, Kernel, LowerError};
use rhomb_contract::{Modular, Operation};
use rhomb_field::montgomery::Ring;
use rhomb_field::reduce::{Way, ways, ways_by_rows};
use rhomb_field::words::words;
use rhomb_kernel::Form;

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
            Operation::MontMul if d >= 2 => rolled::montgomery_multiply("g", ring, d),
            Operation::MontSqr if d >= 2 => rolled::montgomery_square("g", ring, d),
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
            Operation::ModMul => prime::multiply(self.model, "f", Correction::Always),
            Operation::ModSqr => prime::square(self.model, "f", Correction::Always),
            Operation::ModReduce => prime::reduction(self.model, "f", Correction::Always),
            Operation::ModAdd => prime::add(self.model, "f", Correction::Always),
            Operation::ModSub => prime::subtract(self.model, "f", Correction::Always),
            Operation::ModHalf => prime::half(self.model, "f"),
            _ => return Ok(Vec::new()),
        };
        self.one("special-form", Form::Unrolled, &text?)
    }

    /// Any modulus in straight lines.
    fn straight(&self, modular: &Modular) -> Result<Vec<Made>, NotMade> {
        let number = modular.modulus.number();
        let d = modular.modulus.words(32) as usize;
        let product = match modular.operation {
            Operation::ModMul | Operation::MontMul => Some(Operation::Mul),
            Operation::ModSqr | Operation::MontSqr => Some(Operation::Sqr),
            _ => None,
        };
        let product = match product {
            None => None,
            Some(product) => {
                let maker = Maker { form: Some(Form::Unrolled), ..*self };
                let all = maker.kernels(product, d, lower::Ring::Integers)?;
                all.into_iter().map(|(.., kernel)| kernel).min_by_key(Kernel::rank)
            }
        };
        let mut all = Vec::new();
        let [by_columns, by_rows] = [ways, ways_by_rows].map(|ways| ways(modular.operation, &number, 32));
        // that its last carry vanishes is not always shown where carries are comparisons
        let shown = |way: &Way| way.method != "digit-fold";
        for Way { method, line } in by_columns.into_iter().chain(by_rows).filter(shown) {
            match lower::words(&line, product.as_ref(), self.model, self.convention) {
                Ok(Kernel { program, .. }) => all.push(Made { program, method, form: Form::Unrolled }),
                // there is another way
                Err(LowerError::Registers { .. } | LowerError::Instruction) => {}
                Err(fault) => return Err(fault.into()),
            }
        }
        Ok(all)
    }
}
