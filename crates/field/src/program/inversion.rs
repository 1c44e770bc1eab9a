//! Inversions as powers: squarings and multiplications in a fixed order, so that time depends on the operand no more than
//! theirs does.

use super::writer::{Called, Routine};
use super::{Place, Program, Step, power, words};
use crate::chain;
use crate::reduce::is_folded;
use num_bigint::BigUint;
use rhomb_contract::{Contract, Expression, Modular, Operation};

/// How an inversion is made of other operations.
#[derive(Clone, Debug)]
pub struct Inversion {
    /// Whose method it is.
    pub method: &'static str,
    exponent: BigUint,
    /// What multiplies, and what squares.
    pub routines: [Contract; 2],
    contract: Contract,
}

/// How an inversion is made; `None` of other contracts.
///
/// Modulo a prime p 1/a is a^(p - 2) (Fermat), and over GF(2) modulo a polynomial of degree m it is a^(2^m - 2) (T. Itoh,
/// S. Tsujii, 1988).
pub fn inversion(contract: &Contract) -> Option<Inversion> {
    if contract.expression() != Expression::Inverse {
        return None;
    }
    let contract = *contract;
    if let Some(modular) = contract.modular() {
        let operations = match modular.operation {
            Operation::MontInv => [Operation::MontMul, Operation::MontSqr],
            _ => [Operation::ModMul, Operation::ModSqr],
        };
        let with = |operation| Contract::from(Modular { operation, ..*modular });
        let exponent = modular.modulus.number() - 2u8;
        return Some(Inversion { method: "fermat", exponent, routines: operations.map(with), contract });
    }
    let modulus = contract.binary()?.modulus()?;
    let exponent = (BigUint::from(1u8) << modulus.degree() as usize) - 2u8;
    let with = |operation: &str| format!("{operation} {modulus}").parse().ok();
    let routines = [with("gf2modmul")?, with("gf2modsqr")?];
    Some(Inversion { method: "itoh-tsujii", exponent, routines, contract })
}

impl Inversion {
    /// The program, on words of so many bits; `None` for fields that are too small for one.
    pub fn program(&self, bits: u32, has_squares: bool) -> Option<Program> {
        let links = chain::power(&self.exponent)?;
        Some(power(&links, self.contract.result(bits) as usize, has_squares))
    }

    /// The program, and what it calls. Where a product takes two divisions by R, they are made by Montgomery's method, and R
    /// leaves at the end: so many times as it has come in, by products with 1.
    pub fn called(&self, bits: u32, has_squares: bool) -> Option<Called> {
        let mut program = self.program(bits, has_squares)?;
        let divided = self.divided(bits);
        let mut routines: Vec<Routine> =
            divided.unwrap_or(self.routines).into_iter().take(program.routines).map(Routine::Kept).collect();
        if divided.is_some() {
            let count = self.contract.result(bits) as usize;
            let own = program.slots.len();
            program.slots.extend([count; 3]);
            let [own, one, next] = [own, own + 1, own + 2].map(Place::Slot);
            if let Some(Step::Call { to, .. }) = program.steps.last_mut() {
                *to = own;
            }
            let call = |routine, to, operands| Step::Call { routine, to, operands };
            program.steps.push(call(program.routines, one, Vec::new()));
            program.steps.push(call(0, next, vec![own, one]));
            program.steps.push(call(0, Place::Result, vec![next, one]));
            program.routines += 1;
            routines.push(Routine::Lines(vec![words::constant(&BigUint::from(1u8), bits, count)]));
        }
        Some(Called { program, routines })
    }

    /// The multiplication and squaring by Montgomery's method, where those of the contract would divide twice.
    fn divided(&self, bits: u32) -> Option<[Contract; 2]> {
        let modular = self.contract.modular().filter(|own| own.operation == Operation::ModInv)?;
        let with = |operation| Contract::from(Modular { operation, ..*modular });
        let is_divided = !is_folded(&modular.modulus.number(), bits);
        is_divided.then(|| [Operation::MontMul, Operation::MontSqr].map(with))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverses() {
        let contract: Contract = "modinv 2^192-2^64-1".parse().unwrap();
        let p = contract.modular().unwrap().modulus.number();
        let own = inversion(&contract).unwrap();
        assert_eq!(own.routines.map(|own| own.to_string()), ["modmul 2^192-2^64-1", "modsqr 2^192-2^64-1"]);
        let program = own.program(8, true).unwrap();
        assert_eq!((program.slots[0], program.calls()), (24, vec![13, 191]));
        let operand = BigUint::from(0x0123_4567_89ab_cdefu64);
        let result = program.run(std::slice::from_ref(&operand), |_, own| &own[0] * own.last().unwrap() % &p);
        assert_eq!(result, operand.modinv(&p));
        let own = inversion(&"montinv 2^192-2^64-1".parse().unwrap()).unwrap();
        assert_eq!(own.routines.map(|own| own.to_string()), ["montmul 2^192-2^64-1", "montsqr 2^192-2^64-1"]);
        let own = inversion(&"gf2modinv x^191+x^9+1".parse().unwrap()).unwrap();
        assert_eq!(
            own.routines.map(|own| own.to_string()),
            ["gf2modmul x^191+x^9+1", "gf2modsqr x^191+x^9+1"]
        );
        assert_eq!(own.program(32, true).unwrap().calls(), [12, 190]);
        assert!(inversion(&"modinv 0x3".parse().unwrap()).unwrap().program(8, true).is_none());
        assert!(inversion(&"modmul 2^192-2^64-1".parse().unwrap()).is_none());
    }
}
