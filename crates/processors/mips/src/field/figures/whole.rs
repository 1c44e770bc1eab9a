//! Montgomery's products, scalar multiplications, the inner loop, and products on plain MIPS32.

use super::super::rolled::{self, Ring};
use super::super::scalar::{self, Products};
use super::super::{FieldError, made, plain};
use super::{Bench, Expected, Form, Measured, Operation, SCALARS, context, lowered};
use crate::conventions::O32;
use crate::instructions::Instruction;
use num_bigint::BigUint;
use rhomb_field::Field;
use rhomb_field::binary::{BinaryField, product};
use rhomb_field::curve::{Affine, Curve, c2pnb191v1, p192};
use rhomb_field::prime::PrimeField;
use rhomb_field::program::{Doubling, Scalar, Scan, Strategy};
use rhomb_field::words::{number, words};

impl Bench {
    pub(super) fn montgomery(&mut self, operation: Operation, ring: Ring) -> Result<Measured, FieldError> {
        let square = operation == Operation::MontgomerySquare;
        let (prime, binary) = (PrimeField::p192(), BinaryField::t191());
        let (field, modulus): (&dyn Field, _) = match ring {
            Ring::Integers => (&prime, prime.modulus()),
            Ring::Polynomials => (&binary, binary.polynomial()),
        };
        let text = if square {
            rolled::montgomery_square("f", ring, 6)
        } else {
            rolled::montgomery_multiply("f", ring, 6)
        };
        let context = context(ring, modulus)?;
        let expected: Expected<'_> = &|result, operands| {
            let (a, b) = (number(&operands[0]), number(&operands[usize::from(!square)]));
            field.mul(result, &(BigUint::from(1u32) << 192)) == field.mul(&a, &b)
        };
        // a square has a second argument, too, which it does not look at
        let (usual, most) = self.calls(&text, 6, &[6, 6], Some(&context), expected)?;
        Ok(Measured { usual, corrected: (ring == Ring::Integers).then_some(most) })
    }

    pub(super) fn scalar(
        &mut self,
        operation: Operation,
        ring: Ring,
        form: Form,
    ) -> Result<Option<Measured>, FieldError> {
        let strategy = match operation {
            Operation::ScalarGeneric => Strategy::Montgomery,
            _ => Strategy::Special,
        };
        let products = match form {
            Form::Loops => Products::Loops,
            Form::Straight if strategy == Strategy::Montgomery => return Ok(None),
            Form::Straight => Products::Straight,
        };
        let by_masks = operation == Operation::ScalarConstantTime;
        if form == Form::Loops && (by_masks || operation == Operation::ScalarPublishedFormulas) {
            return Ok(None);
        }
        let is_short = form == Form::Straight && operation != Operation::ScalarPublishedFormulas;
        let doubling = if is_short { Doubling::Short } else { Doubling::General };
        let scan = if by_masks { Scan::Masks } else { Scan::Branches };
        let curve = match ring {
            Ring::Integers => p192(),
            Ring::Polynomials => c2pnb191v1(),
        };
        let task = Scalar { curve: &curve, strategy, doubling, scan, bits: 32 };
        let code = scalar::program(&self.model, &O32, &task, products)?;
        let total = (0..SCALARS).map(|_| self.multiple(&curve, &code)).sum::<Result<u64, _>>()?;
        Ok(Some(Measured { usual: total / SCALARS, corrected: None }))
    }

    /// The cycles of a random multiple of the curve's generator.
    fn multiple(&mut self, curve: &Curve, code: &[Instruction]) -> Result<u64, FieldError> {
        let k = number(&self.random.words(6)) % (&curve.order - 1u32) + 1u32;
        let Affine { x, y } = &curve.generator;
        let point = [words(x, 6), words(y, 6)].concat();
        let (result, cycles) = self.call(code, 12, &[words(&k, 6), point], None)?;
        let found = Affine { x: number(&result[..6]), y: number(&result[6..]) };
        if curve.multiple(&k, &curve.generator) != Some(found) {
            return Err(FieldError::Evidence(format!("a wrong multiple on {}", curve.name)));
        }
        Ok(cycles)
    }

    /// What one more word in every column makes: a product of 7 words and one of 6 differ by 13 rounds in columns that are
    /// there in both, and two columns; a column's own cost is what is left of the smaller product without its rounds.
    pub(super) fn inner_loop(&mut self, ring: Ring, form: Form) -> Result<Option<Measured>, FieldError> {
        if form == Form::Straight {
            return Ok(None);
        }
        let mut cycles = |d: u32| -> Result<u64, FieldError> {
            let expected: Expected<'_> = &|result, operands| {
                let (a, b) = (number(&operands[0]), number(&operands[1]));
                *result
                    == match ring {
                        Ring::Integers => a * b,
                        Ring::Polynomials => product(&a, &b),
                    }
            };
            let lengths = [d as usize, d as usize];
            let code = made::looped(&self.model, &O32, false, d as usize, lowered(ring))?;
            Ok(self.code_calls(&code, 2 * d, &lengths, None, expected)?.0)
        };
        // d^2 rounds and a time linear in d: the second difference is two rounds
        let (five, six, seven) = (cycles(5)?, cycles(6)?, cycles(7)?);
        Ok(Some(Measured { usual: (five + seven - 2 * six) / 2, corrected: None }))
    }

    pub(super) fn plain(&mut self, ring: Ring, form: Form) -> Result<Option<Measured>, FieldError> {
        let expected: Expected<'_> = &|result, operands| {
            let (a, b) = (number(&operands[0]), number(&operands[1]));
            *result
                == match ring {
                    Ring::Integers => a * b,
                    Ring::Polynomials => product(&a, &b),
                }
        };
        let (usual, _) = match (ring, form) {
            (Ring::Integers, Form::Loops) => {
                self.calls(&plain::operand_scanning("f", 6), 12, &[6, 6], None, expected)?
            }
            // no custom instruction is used, but the times are the paper's
            (Ring::Polynomials, Form::Straight) => {
                let text = plain::comb(&self.model, "f")?;
                self.calls(&text, 12, &[6, 6], None, expected)?
            }
            (Ring::Integers, Form::Straight) => {
                let mut plain = Bench::new("mips32-4km")?;
                let code = plain.kernel(false, ring)?;
                plain.code_calls(&code, 12, &[6, 6], None, expected)?
            }
            (Ring::Polynomials, Form::Loops) => return Ok(None),
        };
        Ok(Some(Measured { usual, corrected: None }))
    }
}
