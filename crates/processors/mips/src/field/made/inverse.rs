//! Inversions as powers: squarings and multiplications called in a fixed order, so that time depends on the operand no more
//! than theirs does.

use super::{Made, Maker, NotMade};
use crate::field::FieldError;
use crate::instructions::Instruction;
use crate::syntax;
use num_bigint::BigUint;
use rhomb_contract::{BinaryPolynomial, Contract, Modular, ModularOperation};
use rhomb_field::chain::{Link, power, slots};
use rhomb_kernel::Form;
use std::fmt::Write;

/// Bytes below the frame that belong to what is called.
const HOME: usize = 16;
/// Registers that are kept, and the return address.
const KEPT: [&str; 4] = ["$s0", "$s1", "$s2", "$ra"];

impl Maker<'_> {
    /// 1/a by Fermat, a^(p - 2), with the fastest products and squares that there are.
    pub(super) fn inverse(&self, modular: &Modular) -> Result<Vec<Made>, NotMade> {
        let (mul, sqr) = match modular.operation {
            ModularOperation::MontgomeryInverse => {
                (ModularOperation::MontgomeryMul, ModularOperation::MontgomerySqr)
            }
            _ => (ModularOperation::Mul, ModularOperation::Sqr),
        };
        let with = |operation| Contract::Modular(Modular { operation, canonical: false, ..*modular });
        let d = modular.modulus.words(32) as usize;
        self.composed("fermat", &(modular.modulus.number() - 2u8), d, [with(mul), with(sqr)])
    }

    /// The same over GF(2): a^(2^m - 2).
    pub(super) fn binary_inverse(&self, modulus: &BinaryPolynomial) -> Result<Vec<Made>, NotMade> {
        let exponent = (BigUint::from(1u8) << modulus.degree() as usize) - 2u8;
        let with = |operation: &str| -> Result<Contract, NotMade> {
            let contract = format!("{operation} {modulus}").parse();
            contract.map_err(|error| FieldError::Evidence(format!("{error}")).into())
        };
        let d = modulus.words(32) as usize;
        self.composed("itoh-tsujii", &exponent, d, [with("gf2modmul")?, with("gf2modsqr")?])
    }

    /// A power, with its routines behind it; where there is no squaring, by multiplications alone.
    fn composed(
        &self,
        method: &'static str,
        exponent: &BigUint,
        d: usize,
        [mul, sqr]: [Contract; 2],
    ) -> Result<Vec<Made>, NotMade> {
        self.is_wanted(Form::Looped)?;
        let Some(links) = power(exponent) else {
            return Err(NotMade::Operation {
                what: format!("{mul} a number of times"),
                valid: "larger fields",
            });
        };
        let fastest = |contract: &Contract| -> Result<Option<Vec<Instruction>>, NotMade> {
            let all = super::candidates(contract, Some(Form::Unrolled), self.model, self.convention)?;
            // straight lines: the fewest instructions are the fastest
            Ok(all.into_iter().map(|made| made.program).min_by_key(Vec::len))
        };
        let missing = || NotMade::Operation { what: mul.to_string(), valid: "other moduli" };
        let product = fastest(&mul)?.ok_or_else(missing)?;
        let square = fastest(&sqr).ok().flatten();
        let text = Calls { d, has_squares: square.is_some(), text: String::new(), labels: 0 }.program(&links);
        // stand-ins, so that calls know how far they go
        let standing = |routine: &[Instruction]| "nop\n".repeat(routine.len());
        let text = format!(
            "{text}f_mul:\n{}f_sqr:\n{}",
            standing(&product),
            square.as_deref().map_or_else(|| "nop\n".to_owned(), standing)
        );
        let parsed = syntax::parse(self.model, 0, &text).map_err(FieldError::from)?;
        let own = parsed.labels.get("f_mul").map_or(0, |address| *address as usize / 4);
        let mut program = parsed.instructions;
        program.truncate(own);
        program.extend(product);
        program.extend(square.unwrap_or_default());
        Ok(vec![Made { program, method, form: Form::Looped }])
    }
}

/// Where a number stands.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    /// So many bytes above the stack pointer.
    Frame(usize),
    /// The operand.
    Operand,
    /// The result.
    Result,
}

impl Place {
    fn pointer(self, register: &str) -> String {
        match self {
            Place::Frame(offset) => format!("addiu {register}, $sp, {offset}"),
            Place::Operand => format!("or {register}, $s2, $0"),
            Place::Result => format!("or {register}, $s1, $0"),
        }
    }
}

/// The text of a power.
struct Calls {
    d: usize,
    has_squares: bool,
    text: String,
    labels: usize,
}

impl Calls {
    /// A number in the frame; the first two change, then come slots.
    fn number(&self, index: usize) -> Place {
        Place::Frame(HOME + 4 * KEPT.len() + 4 * self.d * index)
    }

    fn slot(&self, slot: usize) -> Place {
        if slot == 0 { Place::Operand } else { self.number(slot + 1) }
    }

    /// One of the numbers that change, and not this one.
    fn other(&self, place: Place) -> Place {
        if place == self.number(0) { self.number(1) } else { self.number(0) }
    }

    fn call(&mut self, routine: &str, to: Place, operands: &[Place]) {
        let mut pointers = vec![to.pointer("$a0")];
        let registers = ["$a1", "$a2"].iter().zip(operands);
        pointers.extend(registers.map(|(register, place)| place.pointer(register)));
        let last = pointers.pop().unwrap_or_default();
        let _ = writeln!(self.text, "{}\nbgezal $0, {routine}\n{last}", pointers.join("\n"));
    }

    fn square(&mut self, to: Place, from: Place) {
        if self.has_squares {
            self.call("f_sqr", to, &[from]);
        } else {
            self.call("f_mul", to, &[from, from]);
        }
    }

    /// Squares so many times; where it stands then, which is `to` if that is said.
    fn squares(&mut self, mut from: Place, times: u32, to: Option<Place>) -> Place {
        let mut left = times - u32::from(to.is_some());
        let is_own = from == self.number(0) || from == self.number(1);
        if left > 0 && (!is_own || left % 2 == 1) {
            let next = self.other(from);
            self.square(next, from);
            (from, left) = (next, left - 1);
        }
        // there and back
        if left >= 4 {
            self.labels += 1;
            let label = format!("f_{}", self.labels);
            let _ = writeln!(self.text, "addiu $s0, $0, {}\n{label}:", left / 2 - 1);
            let other = self.other(from);
            self.square(other, from);
            self.square(from, other);
            let _ = writeln!(self.text, "bne $s0, $0, {label}\naddiu $s0, $s0, -1");
            left %= 2;
        }
        for _ in 0..left {
            let next = self.other(from);
            self.square(next, from);
            from = next;
        }
        if let Some(to) = to {
            self.square(to, from);
            from = to;
        }
        from
    }

    fn program(mut self, links: &[Link]) -> String {
        let size = HOME + 4 * KEPT.len() + 4 * self.d * (slots(links) + 1);
        let size = size.next_multiple_of(8);
        let moves = |op: &str| {
            let line = |(at, register): (usize, &&str)| format!("{op} {register}, {}($sp)\n", HOME + 4 * at);
            KEPT.iter().enumerate().map(line).collect::<String>()
        };
        let _ = write!(self.text, "f: addiu $sp, $sp, -{size}\n{}", moves("sw"));
        self.text += "or $s1, $a0, $0\nor $s2, $a1, $0\n";
        let mut own = Place::Operand;
        for (at, link) in links.iter().enumerate() {
            // a number that is kept, or the last, is made where it belongs
            let to = match links.get(at + 1) {
                None => Some(Place::Result),
                Some(Link::Keep(slot)) => Some(self.slot(*slot)),
                Some(Link::Start(_) | Link::Square(_) | Link::Multiply(_)) => None,
            };
            match *link {
                Link::Start(slot) => own = self.slot(slot),
                Link::Keep(_) => {}
                Link::Square(times) => own = self.squares(own, times, to),
                Link::Multiply(slot) => {
                    let (to, factor) = (to.unwrap_or_else(|| self.other(own)), self.slot(slot));
                    self.call("f_mul", to, &[own, factor]);
                    own = to;
                }
            }
        }
        let _ = write!(self.text, "{}jr $ra\naddiu $sp, $sp, {size}\n", moves("lw"));
        self.text
    }
}
