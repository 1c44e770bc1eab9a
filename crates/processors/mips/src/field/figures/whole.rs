//! Montgomery's products, scalar multiplications, the inner loop, and products on plain MIPS32.

use super::super::rolled::{self, Ring};
use super::super::{Arithmetic, FieldError, Library, curve_binary, curve_prime, plain, run};
use super::{Bench, Expected, Form, LIMIT, Measured, ORIGIN, Operation, SCALARS, context, evidence, result};
use num_bigint::BigUint;
use rhomb_field::Field;
use rhomb_field::binary::{BinaryField, product};
use rhomb_field::curve::{Affine, Base, Curve, c2pnb191v1, p192};
use rhomb_field::prime::PrimeField;
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
        use curve_binary::{Doubling as BinaryDoubling, Form as BinaryForm};
        use curve_prime::{Doubling as PrimeDoubling, Form as PrimeForm};
        let arithmetic = match (operation, form) {
            (Operation::ScalarGeneric, Form::Loops) => Arithmetic::Generic,
            (Operation::ScalarOptimized, Form::Loops) => Arithmetic::Loops,
            (Operation::ScalarGeneric, Form::Straight) | (_, Form::Loops) => return Ok(None),
            (_, Form::Straight) => Arithmetic::Straight,
        };
        let fast = form == Form::Straight && operation != Operation::ScalarPublishedFormulas;
        let constant = operation == Operation::ScalarConstantTime;
        let (curve, library, first) = match ring {
            Ring::Integers => {
                let curve = p192();
                let doubling = if fast { PrimeDoubling::MinusThree } else { PrimeDoubling::General };
                let form = if constant { PrimeForm::ConstantTime } else { PrimeForm::Published(arithmetic) };
                let library = curve_prime::program(&self.model, ORIGIN, doubling, form)?;
                let first = curve.a.clone();
                (curve, library, first)
            }
            Ring::Polynomials => {
                let curve = c2pnb191v1();
                let doubling = if fast { BinaryDoubling::Root } else { BinaryDoubling::Published };
                let form =
                    if constant { BinaryForm::ConstantTime } else { BinaryForm::Published(arithmetic) };
                let library = curve_binary::program(&self.model, ORIGIN, doubling, form)?;
                let squarings = if fast { 190 } else { 0 };
                let first = (0..squarings).fold(curve.b.clone(), |root, _| curve.field().square(&root));
                (curve, library, first)
            }
        };
        let mut constants = words(&first, 6);
        if constant {
            constants.extend(words(&curve.order, 6));
        }
        if arithmetic == Arithmetic::Generic {
            let modulus = match &curve.base {
                Base::Prime(field) => field.modulus(),
                Base::Binary(field) => field.polynomial(),
            };
            constants.extend(&context(ring, modulus)?[18..]);
            constants.extend(words(&curve.field().element(&(BigUint::from(1u32) << 384)), 6));
        }
        let total =
            (0..SCALARS).map(|_| self.multiple(&curve, &library, &constants)).sum::<Result<u64, _>>()?;
        Ok(Some(Measured { usual: total / SCALARS, corrected: None }))
    }

    /// The cycles of a random multiple of the curve's generator.
    fn multiple(&mut self, curve: &Curve, library: &Library, constants: &[u32]) -> Result<u64, FieldError> {
        let k = number(&self.random.words(6)) % (&curve.order - 1u32) + 1u32;
        let Affine { x, y } = &curve.generator;
        let point = [words(x, 6), words(y, 6)].concat();
        let entry = library.entry("f")?;
        let run =
            run(library, entry, 12, &[&words(&k, 6), &point, constants], None, LIMIT).map_err(evidence)?;
        let result = result(&run)?;
        let found = Affine { x: number(&result[..6]), y: number(&result[6..]) };
        if curve.multiple(&k, &curve.generator) != Some(found) {
            return Err(FieldError::Evidence(format!("a wrong multiple on {}", curve.name)));
        }
        Ok(run.cycles.max)
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
            let text = rolled::multiply("f", ring, d as usize);
            Ok(self.calls(&text, 2 * d, &lengths, None, expected)?.0)
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
                let library = plain.kernel(false, ring)?;
                plain.library_calls(&library, ORIGIN, 12, &[6, 6], None, expected)?
            }
            (Ring::Polynomials, Form::Loops) => return Ok(None),
        };
        Ok(Some(Measured { usual, corrected: None }))
    }
}
