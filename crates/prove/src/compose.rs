//! Inversions that are powers: compositions of multiplications and squarings.
//!
//! The routine is executed over equations, but for calls of multiplications. Each of these is proved and checked by itself,
//! from the same code, and then the call is what its contract says: a product of the operands' numbers, in new words of
//! which nothing else is known. So every number that the routine has is known to be a power of its operand, times a power
//! of Montgomery's R; copies of words, addresses, loops and the stack are executed. The exponents are added as they are.
//! Modulo a number words that are the same for all operands are a number, too, by which a power is multiplied.
//!
//! In a field with q elements x^(q - 1) = 1 for all x but 0 (Fermat), so that a power is the inverse where its exponent is
//! -1 modulo q - 1, and it is 0 for 0. The contract has seen to it that there is a field.

use crate::refute::refute;
use crate::search::prove_within;
use crate::unproved::Unproved;
use num_bigint::BigUint;
use rhomb_certificate::{Certificate, Contract, Expression, Operation, check_within};
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Callee, Calls, Domain, Fault, Routine};

/// Instructions by which it is found out which contract a called routine might keep.
const FIRST_LOOK: u64 = 30_000;

/// The power of the operand, that of R modulo q - 1, and by what they are multiplied.
#[derive(Clone, Debug)]
struct Power {
    exponent: BigUint,
    radix: BigUint,
    factor: BigUint,
}

/// A routine that was called, and what shows that it keeps its contract.
struct Proved {
    entry: u64,
    contract: Contract,
    callee: Callee,
    certificate: Certificate,
}

struct Composition<'r, R> {
    routine: &'r R,
    effort: u64,
    /// The contracts that a called routine may have.
    contracts: Vec<Contract>,
    proved: Vec<Proved>,
    /// What was called, is none of these, and was executed.
    executed: Vec<u64>,
    /// The modulus, if it is a number.
    modulus: Option<BigUint>,
    /// q - 1.
    order: BigUint,
    /// All numbers so far, by their words.
    powers: Vec<(Vec<Value>, Power)>,
}

/// Proves an inversion, and gives the certificates of the routines that it calls, each as often as it has different ones.
/// The execution here is trusted, as that of the checker is.
///
/// # Errors
/// Where it is none that calls proved routines alone, or no inversion; or where the contract is of something else.
pub fn prove_inversion<R: Routine>(
    routine: &R,
    contract: &Contract,
    effort: u64,
) -> Result<Vec<Certificate>, Unproved> {
    let refused = |what: &str| Unproved::Composition(what.to_owned());
    let Some((order, wanted)) = field(contract) else { return Err(refused("no contract of an inversion")) };
    if contract.modular().is_some_and(|modular| modular.canonical) {
        return Err(refused("it is not shown that an inverse is below the modulus"));
    }
    let bits = routine.word_bits();
    let mut domain = Equations::new(bits);
    domain.set_effort(effort);
    let operand: Vec<Value> = (0..contract.result(bits)).map(|_| domain.input()).collect();
    let own = Power { exponent: BigUint::from(1u8), radix: BigUint::ZERO, factor: BigUint::from(1u8) };
    let mut composition = Composition {
        routine,
        effort,
        contracts: multiplications(contract),
        proved: Vec::new(),
        executed: Vec::new(),
        modulus: contract.modular().map(|modular| modular.modulus.number()),
        powers: vec![(operand.clone(), own)],
        order,
    };
    let [pattern] = contract.patterns() else { return Err(refused("no contract of an inversion")) };
    let buffers = contract.buffers(bits, pattern, &[operand]);
    let finished = match routine.call_composed(domain, &buffers, &mut composition) {
        Err(stopped) if !composition.executed.is_empty() => {
            return Err(refused(&composition.unknown(&stopped.to_string())));
        }
        finished => finished?,
    };
    if let Some(breach) = finished.breaches.first() {
        return Err(Unproved::Breach(breach.text.clone()));
    }
    let result: Option<Vec<Value>> = finished.buffers[0].iter().cloned().collect();
    let power = result.and_then(|words| composition.power(&finished.domain, &words));
    let Some(Power { exponent, radix, factor }) = power else {
        return Err(refused(&composition.unknown("the result is not known to be a power of the operand")));
    };
    let Composition { order, proved, .. } = composition;
    if &exponent % &order != &order - 1u8 {
        let text = format!("the result is the operand to the power {exponent:#x}, which is not its inverse");
        return Err(Unproved::Composition(text));
    }
    if radix != wanted % &order || factor != BigUint::from(1u8) {
        return Err(refused("the result is the inverse times another number"));
    }
    Ok(proved.into_iter().map(|proved| proved.certificate).collect())
}

/// How many elements of the field have an inverse, and the power of R by which the inverse is to be multiplied.
fn field(contract: &Contract) -> Option<(BigUint, u32)> {
    if contract.expression() != Expression::Inverse {
        return None;
    }
    match (contract.modular(), contract.binary().and_then(|binary| binary.modulus())) {
        (Some(modular), _) => {
            let wanted = if modular.operation == Operation::MontInv { 2 } else { 0 };
            Some((modular.modulus.number() - 1u8, wanted))
        }
        (None, Some(polynomial)) => Some(((BigUint::from(1u8) << polynomial.degree() as usize) - 1u8, 0)),
        (None, None) => None,
    }
}

/// The contracts of multiplications and squarings in the same field.
fn multiplications(contract: &Contract) -> Vec<Contract> {
    let text = contract.to_string();
    let modulus = text.split(' ').nth(1).unwrap_or_default();
    let names = match contract.modular() {
        Some(_) => ["modsqr", "modmul", "montsqr", "montmul"],
        None => ["gf2modsqr", "gf2modmul", "gf2montsqr", "gf2montmul"],
    };
    names.iter().filter_map(|name| format!("{name} {modulus}").parse().ok()).collect()
}

impl<R: Routine> Composition<'_, R> {
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
        Some(Power { exponent: BigUint::ZERO, radix: BigUint::ZERO, factor: number % modulus })
    }

    /// Why a composition is none, with the call that may be the cause.
    fn unknown(&self, what: &str) -> String {
        let Some(entry) = self.executed.first() else { return what.to_owned() };
        let names: Vec<String> = self.contracts.iter().map(Contract::to_string).collect();
        format!("{what}, after a call of {entry:#06x}, which is not shown to be one of {}", names.join(", "))
    }

    /// Finds the contract that a routine keeps, and proves it.
    fn prove(&self, entry: u64) -> Option<Proved> {
        let bits = self.routine.word_bits();
        self.contracts.iter().find_map(|contract| {
            let search = refute(&self.routine.at(entry, None)?, contract, FIRST_LOOK);
            let figures = search.figures.filter(|_| search.found.is_none() && search.stopped.is_none())?;
            // what it takes of the stack is proved with it
            let routine = self.routine.at(entry, Some(figures.stack_bytes))?;
            let certificate = prove_within(&routine, contract, self.effort).ok()?;
            check_within(&routine, &certificate, self.effort).ok()?;
            let callee = Callee {
                result: contract.result(bits),
                operands: contract.operands(bits),
                stack_bytes: figures.stack_bytes,
            };
            Some(Proved { entry, contract: *contract, callee, certificate })
        })
    }
}

impl<R: Routine> Calls<Equations> for Composition<'_, R> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        if let Some(known) = self.proved.iter().find(|proved| proved.entry == entry) {
            return Ok(Some(known.callee.clone()));
        }
        if self.executed.contains(&entry) {
            return Ok(None);
        }
        let Some(proved) = self.prove(entry) else {
            self.executed.push(entry);
            return Ok(None);
        };
        let callee = proved.callee.clone();
        self.proved.push(proved);
        Ok(Some(callee))
    }

    fn result(
        &mut self,
        domain: &mut Equations,
        entry: u64,
        operands: &[Vec<Value>],
    ) -> Result<Vec<Value>, Fault> {
        let refused = |what: &str| Fault::NotModelled { what: what.to_owned() };
        // all of them may be looked at
        domain.graph.spend(self.powers.len() as u64);
        let known = self.proved.iter().find(|proved| proved.entry == entry);
        let Proved { contract, callee, .. } = known.ok_or_else(|| refused("a call of what is not known"))?;
        let powers: Option<Vec<Power>> = operands.iter().map(|words| self.power(domain, words)).collect();
        let powers =
            powers.ok_or_else(|| refused(&self.unknown("a product of what is no power of the operand")))?;
        let (Some(a), Some(b)) = (powers.first(), powers.last()) else {
            return Err(refused("a product of nothing"));
        };
        let bits = self.routine.word_bits();
        let shift = contract.modular().map(|modular| modular.shift(bits));
        let shift = shift.or(contract.binary().map(|binary| binary.shift(bits)));
        // a division by R is a product with R^(q - 2)
        let divided = if shift == Some(0) { BigUint::ZERO } else { &self.order - 1u8 };
        let power = Power {
            exponent: &a.exponent + &b.exponent,
            radix: (&a.radix + &b.radix + divided) % &self.order,
            factor: match &self.modulus {
                Some(modulus) => &a.factor * &b.factor % modulus,
                None => BigUint::from(1u8),
            },
        };
        if power.exponent.bits() > 8 * (self.order.bits() + 64) {
            return Err(refused("a power beyond all that an inversion needs"));
        }
        let words: Vec<Value> = (0..callee.result).map(|_| domain.input()).collect();
        self.powers.push((words.clone(), power));
        Ok(words)
    }
}
