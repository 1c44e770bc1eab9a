//! Powers with a fixed exponent as programs.

use super::{Place, Program, Step};
use crate::chain::{Link, slots};

/// Multiplication, and squaring where there is one.
const MULTIPLY: usize = 0;
const SQUARE: usize = 1;

/// The program of a chain, on numbers of so many words. Routine 0 multiplies, routine 1, if there is one, squares. No result
/// lies on an operand.
///
/// Two slots change, and squarings go there and back between them; those that a chain keeps come behind.
pub fn power(links: &[Link], words: usize, has_squares: bool) -> Program {
    let mut steps = Steps { has_squares, steps: Vec::new() };
    let mut own = Place::Operand(0);
    for (at, link) in links.iter().enumerate() {
        // a number that is kept, or the last, is made where it belongs
        let to = match links.get(at + 1) {
            None => Some(Place::Result),
            Some(Link::Keep(slot)) => Some(kept(*slot)),
            Some(Link::Start(_) | Link::Square(_) | Link::Multiply(_)) => None,
        };
        match *link {
            Link::Start(slot) => own = kept(slot),
            Link::Keep(_) => {}
            Link::Square(times) => own = steps.squares(own, times, to),
            Link::Multiply(slot) => {
                let to = to.unwrap_or_else(|| other(own));
                steps.call(MULTIPLY, to, vec![own, kept(slot)]);
                own = to;
            }
        }
    }
    let routines = 1 + usize::from(has_squares);
    Program {
        slots: vec![words; slots(links) + 1],
        has_result: true,
        operands: 1,
        routines,
        steps: steps.steps,
        returned: None,
    }
}

/// Where a number stands that a chain keeps.
fn kept(slot: usize) -> Place {
    if slot == 0 { Place::Operand(0) } else { Place::Slot(slot + 1) }
}

/// One of the numbers that change, and not this one.
fn other(place: Place) -> Place {
    if place == Place::Slot(0) { Place::Slot(1) } else { Place::Slot(0) }
}

struct Steps {
    has_squares: bool,
    steps: Vec<Step>,
}

impl Steps {
    fn call(&mut self, routine: usize, to: Place, operands: Vec<Place>) {
        self.steps.push(Step::Call { routine, to, operands });
    }

    fn square(&mut self, to: Place, from: Place) {
        if self.has_squares {
            self.call(SQUARE, to, vec![from]);
        } else {
            self.call(MULTIPLY, to, vec![from, from]);
        }
    }

    /// Squares so many times; where it stands then, which is `to` if that is said.
    fn squares(&mut self, mut from: Place, times: u32, to: Option<Place>) -> Place {
        let mut left = times - u32::from(to.is_some());
        let is_own = from == Place::Slot(0) || from == Place::Slot(1);
        if left > 0 && (!is_own || left % 2 == 1) {
            let next = other(from);
            self.square(next, from);
            (from, left) = (next, left - 1);
        }
        // there and back
        if left >= 4 {
            let outer = std::mem::take(&mut self.steps);
            self.square(other(from), from);
            self.square(from, other(from));
            let steps = std::mem::replace(&mut self.steps, outer);
            self.steps.push(Step::Repeat { times: left / 2, steps });
            left %= 2;
        }
        for _ in 0..left {
            let next = other(from);
            self.square(next, from);
            from = next;
        }
        if let Some(to) = to {
            self.square(to, from);
            from = to;
        }
        from
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain;
    use num_bigint::BigUint;

    /// That no result lies on an operand, and that slots are there.
    fn check(program: &Program, steps: &[Step]) {
        for step in steps {
            match step {
                Step::Call { routine, to, operands } => {
                    assert!(*routine < program.routines && !operands.contains(to), "{step:?}");
                }
                Step::Repeat { times, steps } => {
                    assert!(*times > 0);
                    check(program, steps);
                }
                Step::When { .. } | Step::Take { .. } => panic!("{step:?}"),
            }
        }
    }

    #[test]
    fn programs_are_powers() {
        let modulus = (BigUint::from(1u8) << 61) - 1u8;
        let order = "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551";
        let order = BigUint::parse_bytes(&order.as_bytes()[2..], 16).unwrap();
        let exponents = (2u32..400).map(BigUint::from).chain([&modulus - 2u8, order - 2u8]);
        for (exponent, has_squares) in exponents.flat_map(|own| [(own.clone(), true), (own, false)]) {
            let links = chain::power(&exponent).unwrap();
            let program = power(&links, 2, has_squares);
            check(&program, &program.steps);
            assert_eq!(program.calls().iter().sum::<u64>(), u64::from(chain::operations(&links)));
            for operand in [0u64, 1, 2, u64::MAX, 0x0123_4567_89ab_cdef].map(BigUint::from) {
                let mut calls = vec![0; program.routines];
                let result = program.run(std::slice::from_ref(&operand), |routine, operands| {
                    calls[routine] += 1;
                    match (routine, operands) {
                        (MULTIPLY, [a, b]) => a * b % &modulus,
                        (SQUARE, [a]) => a * a % &modulus,
                        other => panic!("{other:?}"),
                    }
                });
                assert_eq!(result, Some(operand.modpow(&exponent, &modulus)), "{operand} to {exponent}");
                assert_eq!(calls, program.calls());
            }
        }
    }

    #[test]
    fn what_nobody_wrote_is_not_read() {
        let call = |to, from| Step::Call { routine: 0, to, operands: vec![from] };
        let program = |steps| Program {
            slots: vec![1; 2],
            has_result: true,
            operands: 1,
            routines: 1,
            steps,
            returned: None,
        };
        let run = |steps, operands: &[u32]| program(steps).run(operands, |_, operands| operands[0] + 1);
        let own = Place::Operand(0);
        assert_eq!(run(vec![call(Place::Result, own)], &[1]), Some(2));
        assert_eq!(run(vec![call(Place::Result, own)], &[]), None);
        assert_eq!(run(vec![call(Place::Result, Place::Slot(1))], &[1]), None);
        assert_eq!(run(vec![call(Place::Slot(2), own)], &[1]), None);
        assert_eq!(run(vec![call(own, own)], &[1]), None);
        assert_eq!(run(vec![call(Place::Slot(0), own)], &[1]), None);
        let turns = Step::Repeat {
            times: 3,
            steps: vec![call(Place::Slot(1), Place::Slot(0)), call(Place::Slot(0), Place::Slot(1))],
        };
        assert_eq!(
            run(vec![call(Place::Slot(0), own), turns, call(Place::Result, Place::Slot(0))], &[1]),
            Some(9)
        );
    }
}
