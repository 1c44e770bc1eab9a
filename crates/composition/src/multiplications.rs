//! Inversions that are powers, and products by several multiplications: compositions.
//!
//! The routine is executed over equations, but for calls of multiplications. Each of these is shown by itself,
//! from the same code, and then the call is what its contract says: a product of the operands' numbers, in new words of
//! which nothing else is known. So every number that the routine has is known to be a power of its operand, times a power
//! of Montgomery's R; copies of words, addresses, loops and the stack are executed. The exponents are added as they are.
//! Modulo a number words that are the same for all operands are a number, too, by which a power is multiplied.
//!
//! In a field with q elements x^(q - 1) = 1 for all x but 0 (Fermat), so that a power is the inverse where its exponent is
//! -1 modulo q - 1, and it is 0 for 0. The contract has seen to it that there is a field.

use crate::called::{Called, Keeps, Known};
use crate::unshown::Unshown;
use num_bigint::BigUint;
use rhomb_certificate::{Checkable, Contract, Expression, Operation};
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Callee, Calls, Domain, Fault, Outcome};

/// The powers of the operands, and by what they are multiplied: modulo a number a number, over GF(2) a power of R, modulo
/// q - 1.
#[derive(Clone, Debug)]
struct Power {
    exponents: Vec<BigUint>,
    radix: BigUint,
    factor: BigUint,
}

struct Composition<'r> {
    routine: &'r dyn Checkable,
    keeps: &'r mut dyn Keeps,
    /// The contracts that a called routine may have.
    contracts: Vec<Contract>,
    called: Called,
    /// The modulus, if it is a number.
    modulus: Option<BigUint>,
    /// q - 1.
    order: BigUint,
    /// All numbers so far, by their words.
    powers: Vec<(Vec<Value>, Power)>,
    /// Else it is a product, which begins with one.
    is_inversion: bool,
    /// How many operands there are.
    operands: usize,
}

/// See [`Program::Contract`](crate::Program): a product, square or reduction first calls a multiplication or reduction.
pub(crate) fn follow_multiplications(
    routine: &dyn Checkable,
    contract: &Contract,
    keeps: &mut dyn Keeps,
    effort: u64,
) -> Result<(), Unshown> {
    let refused = Unshown::other;
    let Some(order) = order(contract) else { return Err(refused("no contract of a composition")) };
    let is_plain = contract.limbs.is_none() && contract.big_endian.is_none();
    if contract.bounds.result.is_some() || !is_plain || !contract.prototype.is_default() {
        return Err(refused("neither what the result is below is shown, nor other arguments are followed"));
    }
    let bits = routine.word_bits();
    let mut domain = Equations::new(bits);
    domain.set_effort(effort);
    let counts = contract.operands(bits);
    let operands: Vec<Vec<Value>> =
        counts.iter().map(|count| (0..*count).map(|_| domain.input()).collect()).collect();
    let own = |at: usize| Power {
        exponents: (0..counts.len()).map(|other| BigUint::from(u8::from(other == at))).collect(),
        radix: BigUint::ZERO,
        factor: BigUint::from(1u8),
    };
    let mut composition = Composition {
        routine,
        keeps,
        contracts: multiplications(contract),
        called: Called::default(),
        modulus: contract.modular().map(|modular| modular.modulus.number()),
        powers: operands.iter().enumerate().map(|(at, words)| (words.clone(), own(at))).collect(),
        is_inversion: contract.expression() == Expression::Inverse,
        operands: counts.len(),
        order,
    };
    let [pattern] = contract.patterns() else { return Err(refused("no contract of a composition")) };
    let buffers = contract.buffers(bits, pattern, &operands);
    let finished = match routine.over_composed(domain, &buffers, &mut composition) {
        Err(stopped) if !composition.called.executed.is_empty() => {
            return Err(refused(&composition.unknown(&stopped.to_string())));
        }
        finished => finished?,
    };
    if let Some(breach) = finished.breaches.first() {
        return Err(Unshown::Breach(breach.text.clone()));
    }
    let result: Option<Vec<Value>> = finished.buffers[0].iter().cloned().collect();
    let power = result.and_then(|words| composition.power(&finished.domain, &words));
    let Some(power) = power else {
        return Err(refused(&composition.unknown("the result is not known to be a power of the operand")));
    };
    if let Some(fault) = composition.differs(&power, contract) {
        return Err(Unshown::Other(fault));
    }
    Ok(())
}

/// How many elements of the field have an inverse; for a product it does not matter.
fn order(contract: &Contract) -> Option<BigUint> {
    if let Some(modular) = contract.modular().filter(|modular| modular.factor.is_none()) {
        let is_composed = contract.expression() == Expression::Inverse
            || matches!(modular.operation, Operation::ModMul | Operation::ModSqr | Operation::ModReduce);
        return is_composed.then(|| modular.modulus.number() - 1u8);
    }
    let polynomial = contract.binary().and_then(|binary| binary.modulus())?;
    let is_inversion = contract.expression() == Expression::Inverse;
    is_inversion.then(|| (BigUint::from(1u8) << polynomial.degree() as usize) - 1u8)
}

/// The contracts of multiplications, squarings and reductions in the same ring.
fn multiplications(contract: &Contract) -> Vec<Contract> {
    let text = contract.to_string();
    let modulus = text.split(' ').nth(1).unwrap_or_default();
    let names: &[&str] = match (contract.modular(), contract.expression()) {
        (Some(_), Expression::Inverse) => &["modsqr", "modmul", "montsqr", "montmul"],
        (Some(_), _) => &["montsqr", "montmul", "montreduce"],
        (None, _) => &["gf2modsqr", "gf2modmul", "gf2montsqr", "gf2montmul"],
    };
    names.iter().filter_map(|name| format!("{name} {modulus}").parse().ok()).collect()
}

impl Composition<'_> {
    /// What a number is: a power, or the same for all operands.
    fn power(&self, domain: &Equations, words: &[Value]) -> Option<Power> {
        if let Some((_, power)) = self.powers.iter().find(|(own, _)| own == words) {
            return Some(power.clone());
        }
        let modulus = self.modulus.as_ref()?;
        let bits = self.routine.word_bits() as usize;
        let number = words
            .iter()
            .rev()
            .try_fold(BigUint::ZERO, |number, word| Some((number << bits) + domain.known_word(word)?))?;
        let exponents = vec![BigUint::ZERO; self.operands];
        Some(Power { exponents, radix: BigUint::ZERO, factor: number % modulus })
    }

    /// How a result differs from that of the contract, if it does.
    fn differs(&self, power: &Power, contract: &Contract) -> Option<String> {
        let Power { exponents, radix, factor } = power;
        let bits = self.routine.word_bits();
        let is_right = match (contract.expression(), &exponents[..]) {
            (Expression::Inverse, [exponent]) => exponent % &self.order == &self.order - 1u8,
            (Expression::Product, [a, b]) => *a == BigUint::from(1u8) && a == b,
            (Expression::Square, [a]) => *a == BigUint::from(2u8),
            (Expression::Value, [a]) => *a == BigUint::from(1u8),
            _ => false,
        };
        if !is_right {
            let all: Vec<String> = exponents.iter().map(|exponent| format!("{exponent:#x}")).collect();
            return Some(match contract.expression() {
                Expression::Inverse => {
                    format!(
                        "the result is the operand to the power {}, which is not its inverse",
                        all.join(", ")
                    )
                }
                _ => format!("the result has the operands to the powers {}", all.join(", ")),
            });
        }
        let wanted = match contract.operation() {
            Operation::MontInv => BigUint::from(1u8) << (2 * bits * contract.result(bits)) as usize,
            _ => BigUint::from(1u8),
        };
        let is_own = match &self.modulus {
            Some(modulus) => *factor == wanted % modulus,
            None => *radix == BigUint::ZERO,
        };
        (!is_own).then(|| "the result is that times another number".to_owned())
    }

    /// Why a composition is none, with the call that may be the cause.
    fn unknown(&self, what: &str) -> String {
        let Some(entry) = self.called.executed.first() else { return what.to_owned() };
        let names: Vec<String> = self.contracts.iter().map(Contract::to_string).collect();
        format!("{what}, after a call of {entry:#06x}, which is not shown to be one of {}", names.join(", "))
    }
}

impl Calls<Equations> for Composition<'_> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        let Composition { routine, contracts, keeps, called, .. } = self;
        let bits = routine.word_bits();
        let of = |contract| Known::of(*keeps, (entry, false), contract, bits);
        let callee = called.callee(entry, || contracts.iter().find_map(of));
        if callee.is_none() && !self.is_inversion && called.is_empty() {
            return Err(Fault::NotModelled { what: "a product that begins otherwise".to_owned() });
        }
        Ok(callee)
    }

    fn result(
        &mut self,
        domain: &mut Equations,
        entry: u64,
        operands: &[Vec<Value>],
    ) -> Result<Outcome<Value>, Fault> {
        let refused = |what: &str| Fault::NotModelled { what: what.to_owned() };
        // all of them may be looked at
        domain.graph.spend(self.powers.len() as u64);
        let Known { contract, callee, .. } = self.called.known(entry)?;
        let powers: Option<Vec<Power>> = operands.iter().map(|words| self.power(domain, words)).collect();
        let powers =
            powers.ok_or_else(|| refused(&self.unknown("a product of what is no power of the operand")))?;
        let (Some(a), Some(b)) = (powers.first(), powers.last()) else {
            return Err(refused("a product of nothing"));
        };
        let is_product = contract.expression() != Expression::Value;
        let bits = self.routine.word_bits();
        let one = BigUint::from(1u8);
        let product = |x: &BigUint, y: &BigUint| if is_product { x * y } else { x.clone() };
        let sum = |x: &BigUint, y: &BigUint| if is_product { x + y } else { x.clone() };
        let (factor, radix) = match (contract.modular(), contract.binary(), &self.modulus) {
            (Some(_), _, Some(modulus)) => {
                let divisor = (&one << contract.shift(bits) as usize) % modulus;
                let inverse = divisor.modinv(modulus).ok_or_else(|| refused("a division by no unit"))?;
                (product(&a.factor, &b.factor) * inverse % modulus, BigUint::ZERO)
            }
            (_, Some(binary), None) => {
                // a division by R is a product with R^(q - 2)
                let divided = if binary.shift(bits) == 0 { BigUint::ZERO } else { &self.order - 1u8 };
                (one, (sum(&a.radix, &b.radix) + divided) % &self.order)
            }
            _ => return Err(refused("a product in another ring")),
        };
        let exponents: Vec<BigUint> = a.exponents.iter().zip(&b.exponents).map(|(x, y)| sum(x, y)).collect();
        if exponents.iter().any(|exponent| exponent.bits() > 8 * (self.order.bits() + 64)) {
            return Err(refused("a power beyond all that an inversion needs"));
        }
        let power = Power { exponents, radix, factor };
        let words: Vec<Value> = (0..callee.result).map(|_| domain.input()).collect();
        self.powers.push((words.clone(), power));
        Ok(words.into())
    }
}
