//! Products of whole numbers by calls of smaller ones: compositions.
//!
//! The routine is executed over equations, but for calls of products and squares. Each of these is proved by itself, from the
//! same code, and then the call is what its contract says: new words, whose number is the product of the operands'.

use crate::callee::{Called, Proved, proved};
use crate::search::prove_executed;
use crate::unproved::Unproved;
use rhomb_certificate::{Certificate, Contract, Expression, Numbers, Reading, execute_composed};
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Callee, Calls, Fault, Routine};
use rhomb_poly::{Dyadic, Sum, Variable};

struct Products<'r, R> {
    routine: &'r R,
    effort: u64,
    /// The contracts that a called routine may have.
    contracts: Vec<Contract>,
    called: Called,
    /// What the words of results are.
    numbers: Numbers,
}

/// Proves a product or square, of whole numbers or modulo a number, that calls products of whole numbers; gives the certificates of
/// those. The execution here is
/// trusted, as that of the checker is.
///
/// # Errors
/// Where it calls none, or is not proved.
pub fn prove_by_products<R: Routine>(
    routine: &R,
    contract: &Contract,
    effort: u64,
) -> Result<Vec<Certificate>, Unproved> {
    let contracts = smaller(contract, routine.word_bits());
    let mut calls = Products { routine, effort, contracts, called: Called::default(), numbers: Vec::new() };
    let mut left = effort;
    for pattern in contract.patterns() {
        prove_executed((pattern, Reading::Plain), &mut left, |effort| {
            calls.numbers.clear();
            let given = |calls: &mut Products<R>| std::mem::take(&mut calls.numbers);
            execute_composed(routine, contract, pattern, effort, &mut calls, given)
        })?;
    }
    match calls.called.proved.is_empty() {
        true => Err(Unproved::Composition("it calls no product".to_owned())),
        false => Ok(calls.called.certificates()),
    }
}

/// Products and squares of fewer words, before a reduction of as many, too: halves first.
fn smaller(contract: &Contract, bits: u32) -> Vec<Contract> {
    let words = contract.operands(bits).first().copied().unwrap_or_default();
    let most = if contract.modular().is_some() { words + 1 } else { words };
    let mut sizes: Vec<u32> = (1..most).collect();
    let likely = |size: &u32| {
        let halved = (1..5).map(|level| words >> level).any(|half| half == *size || half + 1 == *size);
        (!halved, u32::MAX - size)
    };
    sizes.sort_by_key(likely);
    let of = |size: &u32| ["mul", "sqr"].map(|name| format!("{name} {}", size * bits).parse().ok());
    sizes.iter().flat_map(of).flatten().collect()
}

impl<R: Routine> Calls<Equations> for Products<'_, R> {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        let Products { routine, contracts, effort, .. } = self;
        let of = |contract: &Contract| {
            // what calls others is composed at once
            let by = |inner| proved(*routine, (entry, inner), contract, 0, *effort);
            by(false).or_else(|| by(true))
        };
        Ok(self.called.callee(entry, || contracts.iter().find_map(of)))
    }

    fn result(
        &mut self,
        domain: &mut Equations,
        entry: u64,
        operands: &[Vec<Value>],
    ) -> Result<Vec<Value>, Fault> {
        let refused = |what: &str| Fault::NotModelled { what: what.to_owned() };
        let Proved { contract, callee, .. } = self.called.known(entry)?;
        let bits = self.routine.word_bits();
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
