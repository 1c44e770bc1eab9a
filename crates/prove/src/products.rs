//! Products of whole numbers by calls of smaller ones: compositions.
//!
//! The routine is executed over equations, but for calls of products and squares. Each of these is proved by itself, from the
//! same code, and then the call is what its contract says: new words, whose number is the product of the operands'.

use crate::refute::refute;
use crate::search::{prove_executed, prove_within};
use crate::unproved::Unproved;
use rhomb_certificate::{Certificate, Contract, Expression, Numbers, check_within, execute_composed};
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Callee, Calls, Fault, Inner, Routine};
use rhomb_poly::{Dyadic, Sum, Variable};

/// Instructions by which it is found out which contract a called routine might keep.
const FIRST_LOOK: u64 = 30_000;

/// A routine that was called, and what shows that it keeps its contract.
struct Proved {
    entry: u64,
    contract: Contract,
    callee: Callee,
    certificates: Vec<Certificate>,
}

struct Products<'r, R> {
    /// The code, by a routine of it.
    base: &'r R,
    effort: u64,
    /// The contracts that a called routine may have.
    contracts: Vec<Contract>,
    proved: Vec<Proved>,
    /// What was called, is none of these, and was executed.
    executed: Vec<u64>,
    /// What the words of results are.
    numbers: Numbers,
}

/// Proves a product or square of whole numbers that calls smaller ones; gives the certificates of those.
///
/// # Errors
/// Where it calls none, or is not proved.
pub fn prove_by_products<R: Routine>(
    routine: &R,
    contract: &Contract,
    effort: u64,
) -> Result<Vec<Certificate>, Unproved> {
    composed(routine, routine, contract, effort)
}

fn composed<E: Routine, R: Routine>(
    routine: &E,
    base: &R,
    contract: &Contract,
    effort: u64,
) -> Result<Vec<Certificate>, Unproved> {
    let contracts = smaller(contract, routine.word_bits());
    let (proved, executed) = (Vec::new(), Vec::new());
    let mut calls = Products { base, effort, contracts, proved, executed, numbers: Vec::new() };
    let mut left = effort;
    for pattern in contract.patterns() {
        prove_executed(pattern, &mut left, |effort| {
            calls.numbers.clear();
            let given = |calls: &mut Products<R>| std::mem::take(&mut calls.numbers);
            execute_composed(routine, contract, pattern, effort, &mut calls, given)
        })?;
    }
    match calls.proved.is_empty() {
        true => Err(Unproved::Composition("it calls no product".to_owned())),
        false => Ok(calls.proved.into_iter().flat_map(|proved| proved.certificates).collect()),
    }
}

/// Products and squares of fewer words: halves first.
fn smaller(contract: &Contract, bits: u32) -> Vec<Contract> {
    let words = contract.operands(bits).first().copied().unwrap_or_default();
    let mut sizes: Vec<u32> = (1..words).collect();
    let likely = |size: &u32| {
        let halved = (1..5).map(|level| words >> level).any(|half| half == *size || half + 1 == *size);
        (!halved, u32::MAX - size)
    };
    sizes.sort_by_key(likely);
    let of = |size: &u32| ["mul", "sqr"].map(|name| format!("{name} {}", size * bits).parse().ok());
    sizes.iter().flat_map(of).flatten().collect()
}

impl<R: Routine> Products<'_, R> {
    fn prove(&self, entry: u64) -> Option<Proved> {
        let bits = self.base.word_bits();
        let ways =
            self.contracts.iter().flat_map(|contract| [true, false].map(|preserves| (preserves, contract)));
        ways.into_iter().find_map(|(preserves, contract)| {
            let at = |stack| {
                let routine = self.base.at(entry, stack)?;
                Some(Inner { routine, preserves })
            };
            let search = refute(&at(None)?, contract, FIRST_LOOK);
            let figures = search.figures.filter(|_| search.found.is_none() && search.stopped.is_none())?;
            let routine = at(Some(figures.stack_bytes))?;
            let alone = || {
                let certificate = prove_within(&routine, contract, self.effort).ok()?;
                check_within(&routine, &certificate, self.effort).ok()?;
                Some(vec![certificate])
            };
            let certificates =
                alone().or_else(|| composed(&routine, self.base, contract, self.effort).ok())?;
            let callee = Callee {
                result: contract.result(bits),
                operands: contract.operands(bits),
                stack_bytes: figures.stack_bytes,
                preserves,
            };
            Some(Proved { entry, contract: *contract, callee, certificates })
        })
    }
}

impl<R: Routine> Calls<Equations> for Products<'_, R> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        if let Some(known) = self.proved.iter().find(|proved| proved.entry == entry) {
            return Ok(Some(known.callee.clone()));
        }
        if self.executed.contains(&entry) {
            return Ok(None);
        }
        let proved = self.prove(entry);
        match proved {
            Some(proved) => {
                let callee = proved.callee.clone();
                self.proved.push(proved);
                Ok(Some(callee))
            }
            None => {
                self.executed.push(entry);
                Ok(None)
            }
        }
    }

    fn result(
        &mut self,
        domain: &mut Equations,
        entry: u64,
        operands: &[Vec<Value>],
    ) -> Result<Vec<Value>, Fault> {
        let refused = |what: &str| Fault::NotModelled { what: what.to_owned() };
        let known = self.proved.iter().find(|proved| proved.entry == entry);
        let Proved { contract, callee, .. } = known.ok_or_else(|| refused("a call of what is not known"))?;
        let bits = self.base.word_bits();
        let is_product = contract.expression() == Expression::Product;
        let (Some(a), Some(b)) = (operands.first(), operands.get(usize::from(is_product))) else {
            return Err(refused("a product of nothing"));
        };
        let mut value = Sum::default();
        for (i, x) in a.iter().enumerate() {
            for (j, y) in b.iter().enumerate() {
                let both = domain.polynomial(x).zip(domain.polynomial(y));
                let (x, y) = both.ok_or_else(|| refused("a product of addresses"))?;
                for (one, factor) in x.terms() {
                    for (other, more) in y.terms() {
                        let places = (bits as usize * (i + j)) as i32;
                        let factor = Dyadic::new(*factor, places).times(&Dyadic::new(*more, 0));
                        value.add(&one.times(other), &factor);
                    }
                }
                domain.graph.spend((x.terms().len() * y.terms().len()) as u64);
            }
        }
        let words: Vec<Variable> =
            (0..callee.result).map(|_| domain.graph.variable(u32::MAX >> (32 - bits))).collect();
        self.numbers.push((words.clone(), value));
        Ok(words.into_iter().map(Value::Variable).collect())
    }
}
