//! Scalar multiplications as whole programs, simulated with random scalars.

use crate::error::Error;
use crate::products::Products;
use crate::programs::{field_routines, shortest};
use crate::subject::Given;
use crate::targets::{Code, LowerFault, Making, Target, find};
use num_bigint::BigUint;
use rhomb_certificate::{Contract, Expression};
use rhomb_field::curve::Affine;
use rhomb_field::program::{Called, Place, Program, Routine, Scalar, Step, scalar};
use rhomb_field::words::{number, words};
use rhomb_kernel::{Form, Operation, Parameters, Shape, method};
use rhomb_machine::Random;

/// Multiplications whose cycles are averaged.
const SCALARS: u64 = 4;

/// The mean cycles of multiples of the curve's generator by random scalars, each result checked. With loops, products and
/// squares are made with loops and reduced by straight lines.
pub(super) fn cycles(target: &str, task: &Scalar<'_>, looped: bool) -> Result<u64, Error> {
    let target = find(target)?;
    let maker = Maker { target, convention: target.description().conventions()[0].name, looped };
    let code = maker.program(task)?;
    let mut random = Random::new(1);
    let order = &task.curve.order;
    let count = order.bits().div_ceil(32) as usize;
    let mut scalar = || number(&random.words(count)) % (order - 1u32) + 1u32;
    let all = (0..SCALARS).map(|_| maker.multiple(task, &code, &task.curve.generator, &scalar()));
    Ok(all.sum::<Result<u64, _>>()? / SCALARS)
}

fn fault(text: impl std::fmt::Display) -> Error {
    Error::evidence(text, "this is a fault of rhomb")
}

struct Maker {
    target: &'static dyn Target,
    convention: &'static str,
    looped: bool,
}

impl Maker {
    fn program(&self, task: &Scalar<'_>) -> Result<Code, Error> {
        let name = task.curve.name;
        let called = scalar(task).ok_or_else(|| fault(format_args!("there is no program for {name}")))?;
        self.called(&called)
    }

    fn called(&self, called: &Called) -> Result<Code, Error> {
        let routines: Vec<Code> =
            called.routines.iter().map(|own| self.routine(own)).collect::<Result<_, _>>()?;
        self.joined(&called.program, &routines)
    }

    fn joined(&self, program: &Program, routines: &[Code]) -> Result<Code, Error> {
        self.target.program(program, routines, (self.convention, false)).map_err(lowered)
    }

    fn routine(&self, routine: &Routine) -> Result<Code, Error> {
        let contract = match routine {
            Routine::Kept(contract) => contract,
            Routine::Called(own) => return self.called(own),
            Routine::Lines(lines) => {
                return shortest(self.target, lines, self.convention).map_err(lowered);
            }
        };
        match contract.expression() {
            Expression::Product if self.looped => self.reduced(contract, Operation::Mul),
            Expression::Square if self.looped => self.reduced(contract, Operation::Sqr),
            _ => self.fastest(contract, Form::Unrolled),
        }
    }

    /// The fastest routine: of straight lines that with the fewest instructions.
    fn fastest(&self, contract: &Contract, form: Form) -> Result<Code, Error> {
        let products = Products::new(self.target, self.convention);
        let all = field_routines(contract, Some(form), &products)?.into_iter();
        let best = all.map(|made| made.code).min_by_key(|code| self.target.code_bytes(code));
        best.ok_or_else(|| fault(format_args!("there is no routine for {contract}")))
    }

    /// A product or square with loops, and then its reduction.
    fn reduced(&self, contract: &Contract, operation: Operation) -> Result<Code, Error> {
        let count = contract.result(32) as usize;
        let named = |name: &str| -> Result<Contract, Error> { name.parse().map_err(fault) };
        let (product, reduction) = match contract.to_string().split_once(' ') {
            Some((name, modulus)) => {
                let reduction = name.replace("mul", "reduce").replace("sqr", "reduce");
                let reduction = self.fastest(&named(&format!("{reduction} {modulus}"))?, Form::Unrolled)?;
                match contract.modular() {
                    Some(_) => (self.columns(operation, count)?, reduction),
                    None => {
                        let product = named(&format!("gf2{} {}", operation.name(), 32 * count))?;
                        (self.fastest(&product, Form::Looped)?, reduction)
                    }
                }
            }
            None => return Err(fault(contract)),
        };
        let operands: Vec<Place> = match operation {
            Operation::Sqr => vec![Place::Operand(0)],
            _ => vec![Place::Operand(0), Place::Operand(1)],
        };
        let (whole, count_of) = (Place::Slot(0), operands.len());
        let steps = vec![
            Step::Call { routine: 0, to: whole, operands },
            Step::Call { routine: 1, to: Place::Result, operands: vec![whole] },
        ];
        let program = Program {
            slots: vec![2 * count],
            has_result: true,
            operands: count_of,
            routines: 2,
            steps,
            returned: None,
        };
        self.joined(&program, &[product, reduction])
    }

    /// Product scanning with loops.
    fn columns(&self, operation: Operation, words: usize) -> Result<Code, Error> {
        let shape = Shape { form: Form::Looped, words, parameters: &Parameters::default() };
        let task = method(operation, "product-scanning").and_then(|method| method.task(&shape));
        let task = task.ok_or_else(|| fault("there is no product scanning"))?;
        let making = Making {
            convention: self.convention,
            registers: None,
            accumulation: None,
            constant_time: false,
            on_x: None,
            trail: None,
        };
        Ok(self.target.routine(&task, &making).map_err(lowered)?.code)
    }

    /// The cycles of a multiple.
    fn multiple(&self, task: &Scalar<'_>, code: &Code, point: &Affine, k: &BigUint) -> Result<u64, Error> {
        let count = task.curve.order.bits().div_ceil(32) as usize;
        let own = |words: Vec<u32>| words.into_iter().map(u64::from).collect::<Vec<u64>>();
        let given = |name, content: Option<Vec<u64>>, writable| Given {
            name,
            words: content.as_ref().map_or(2 * count, Vec::len),
            content,
            writable,
            secret: 0..0,
        };
        let point_words = [words(&point.x, count), words(&point.y, count)].concat();
        let buffers = [
            given("r", None, true),
            given("k", Some(own(words(k, count))), false),
            given("p", Some(own(point_words)), false),
        ];
        let subject = self.target.subject(code, self.convention).map_err(fault)?;
        let called = subject.call(&buffers, 0).map_err(fault)?;
        if let Some(breach) = called.breaches.first() {
            return Err(fault(breach));
        }
        let result: Vec<u32> = called.result.iter().map(|word| *word as u32).collect();
        let halves = result.split_at_checked(count).unwrap_or_default();
        let found = Affine { x: number(halves.0), y: number(halves.1) };
        match task.curve.multiple(k, point) == Some(found) {
            true => Ok(called.cycles.max),
            false => Err(fault(format_args!("a wrong multiple on {}", task.curve.name))),
        }
    }
}

fn lowered(error: LowerFault) -> Error {
    fault(format_args!("{error:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rhomb_field::curve::{Curve, c2pnb191v1, p192};
    use rhomb_field::program::{Doubling, Scan, Strategy};
    use rhomb_machine::Hidden;

    /// Scalars at the ends, of few digits, and random ones; with masks, time is that of all secrets.
    fn check(curve: &Curve, strategy: Strategy, doubling: Doubling, scan: Scan, looped: bool) -> u64 {
        let target = find("mips32-ise").unwrap();
        let maker = Maker { target, convention: "o32", looped };
        let task = Scalar { curve, strategy, doubling, scan, bits: 32 };
        let code = maker.program(&task).unwrap();
        let other = curve.multiple(&BigUint::from(0x1234_5678_9abc_def1u64), &curve.generator).unwrap();
        let mut random = Random::new(11);
        let mut all: Vec<BigUint> = vec![1u32.into(), 2u32.into(), &curve.order - 2u32, &curve.order - 1u32];
        all.extend((0..2).map(|_| number(&random.words(6)) % (&curve.order - 1u32) + 1u32));
        let points = [&curve.generator, &other];
        let times: Vec<u64> = all
            .iter()
            .enumerate()
            .map(|(at, k)| maker.multiple(&task, &code, points[at % 2], k).unwrap())
            .collect();
        if scan == Scan::Masks {
            assert!(times.iter().all(|time| *time == times[0]), "{task:?}");
            let secret =
                |name, words: usize| Given { name, words, content: None, writable: false, secret: 0..words };
            let result = Given { name: "r", words: 12, content: None, writable: true, secret: 0..0 };
            let subject = target.subject(&code, "o32").unwrap();
            let hidden = subject.call_with_secrets(&[result, secret("k", 6), secret("p", 12)]);
            assert!(!matches!(hidden, Err(_) | Ok(Some(Hidden::Secret))), "{task:?}: {hidden:?}");
        }
        let mean = times[4..].iter().sum::<u64>() / (times.len() as u64 - 4);
        println!("{}, {strategy:?}, {doubling:?}, {scan:?}, looped {looped}: {mean} cycles", curve.name);
        mean
    }

    #[test]
    fn multiples() {
        use Doubling::{General, Short};
        use Scan::{Branches, Masks};
        use Strategy::{Montgomery, Special};
        for (curve, all) in [
            (
                p192(),
                [
                    (Special, Short, Branches, false, 505_000),
                    (Special, General, Branches, false, 590_000),
                    (Special, Short, Masks, false, 770_769),
                    (Special, General, Branches, true, 1_140_000),
                    (Montgomery, Short, Masks, false, 1_094_472),
                ],
            ),
            (
                c2pnb191v1(),
                [
                    (Special, Short, Branches, false, 207_252),
                    (Special, General, Branches, false, 217_216),
                    (Special, Short, Masks, false, 226_529),
                    (Special, General, Branches, true, 613_691),
                    (Montgomery, Short, Masks, false, 400_000),
                ],
            ),
        ] {
            for (strategy, doubling, scan, looped, most) in all {
                let cycles = check(&curve, strategy, doubling, scan, looped);
                assert!(cycles <= most, "{cycles}");
            }
        }
    }
}
