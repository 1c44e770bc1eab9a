//! Routines that are called, and keep contracts of their own: a call is what its contract says.
//!
//! The result of a call is new words of which nothing is known but what number they are: with the contract's operation on the
//! operands of this call, and a multiple of its modulus, of which nothing is known but its size. What the contract demands of
//! operands is looked for: an operand that is to be below a bound must be words that are the same for all inputs, the
//! operand of a caller that may rest on such a bound, or the result of a call that keeps one.

use num_bigint::BigUint;
use rhomb_contract::{Contract, Expression, Pattern, Returned, Word};
use rhomb_equations::{Equations, Value};
use rhomb_machine::{Callee, Calls, Domain, Fault, Outcome, Passed, Takes};
use rhomb_poly::{Dyadic, Monomial, Polynomial, Sum, Variable};

/// What is known of words in one execution.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownWords {
    /// Runs of words, and what number they are.
    pub(crate) numbers: Vec<(Vec<Variable>, Sum)>,
    /// Runs of words, and below which number they are.
    pub(crate) below: Vec<(Vec<Value>, BigUint)>,
}

impl KnownWords {
    /// Whether all words are there, and below a number.
    pub(crate) fn has(&self, words: &[Option<Value>], bound: &BigUint) -> bool {
        let is_same = |own: &[Value]| own.iter().map(Some).eq(words.iter().map(Option::as_ref));
        self.below.iter().any(|(own, most)| most <= bound && is_same(own))
    }
}

/// The called routines, and what is known of the words that one execution has.
#[derive(Clone, Debug)]
pub struct Callees {
    bits: u32,
    known: Vec<Known>,
    pub(crate) known_words: KnownWords,
}

#[derive(Clone, Debug)]
struct Known {
    entry: u64,
    contract: Contract,
    callee: Callee,
}

fn refused(what: impl Into<String>) -> Fault {
    Fault::NotModelled { what: what.into() }
}

impl Callees {
    /// None, for words of so many bits.
    pub fn new(bits: u32) -> Self {
        Callees { bits, known: Vec::new(), known_words: KnownWords::default() }
    }

    /// That the routine at an entry keeps a contract, and takes so many bytes of stack; `inner` as in [`Callee::inner`].
    /// Whether such a call can be followed.
    pub fn take(&mut self, (entry, inner): (u64, bool), contract: &Contract, stack_bytes: u32) -> bool {
        let callee = callee(contract, self.bits, stack_bytes).map(|callee| Callee { inner, ..callee });
        let is_new = self.known(entry).is_none();
        self.known.extend(callee.clone().filter(|_| is_new).map(|callee| Known {
            entry,
            contract: *contract,
            callee,
        }));
        callee.is_some()
    }

    /// Whether none is known.
    pub fn is_empty(&self) -> bool {
        self.known.is_empty()
    }

    /// Whether the routine at an entry is known.
    pub fn has(&self, entry: u64) -> bool {
        self.known(entry).is_some()
    }

    fn known(&self, entry: u64) -> Option<&Known> {
        self.known.iter().find(|known| known.entry == entry)
    }

    /// Whether words are known to be below a number.
    fn is_below(&self, words: &[Value], bound: &BigUint, domain: &Equations) -> bool {
        let known = words.iter().rev().try_fold(BigUint::ZERO, |sum, word| {
            Some((sum << self.bits as usize) + domain.known_word(word)?)
        });
        let is_bit = || match words {
            [Value::Variable(word)] => word.is_bit() && *bound >= BigUint::from(2u8),
            _ => false,
        };
        known.is_some_and(|number| number < *bound)
            || is_bit()
            || self.known_words.below.iter().any(|(own, most)| own == words && most <= bound)
    }
}

/// What a call of a routine does that keeps a contract; `None` where a call cannot be followed.
fn callee(contract: &Contract, bits: u32, stack_bytes: u32) -> Option<Callee> {
    let other = contract.limbs.is_some() || contract.any_modulus().is_some() || contract.binary().is_some();
    let other = other || !contract.big_endian.is_none();
    let own = contract.expression();
    let other = other || contract.spoils_operands() || own.results() > 1 || contract.returned_words(bits) > 1;
    if other || own.is_comparison() || matches!(own, Expression::Inverse | Expression::Exchange) {
        return None;
    }
    if contract.returned() == Returned::Mask && !leaves_bit(contract) {
        return None;
    }
    /// A word of a call.
    #[derive(Clone, Copy)]
    enum Mark {
        Operand(usize),
        Number(u64),
        Other,
    }
    let counts = contract.operands(bits);
    let operands: Vec<Vec<Mark>> = counts
        .iter()
        .enumerate()
        .map(|(operand, count)| vec![Mark::Operand(operand); *count as usize])
        .collect();
    let pattern: &Pattern = contract.patterns().first()?;
    let given = contract.arguments(bits, pattern, &operands, |word| match word {
        Word::Number(number) => Mark::Number(number),
        Word::Negative(_) => Mark::Other,
    });
    let in_memory = (0..counts.len()).filter(|operand| !contract.by_value(*operand)).count();
    let takes = given.passed.iter().map(|passed| match *passed {
        Passed::Pointer(0) => Some(Takes::Result),
        Passed::Pointer(index) if index <= in_memory => Some(Takes::Operand(index - 1)),
        Passed::Pointer(index) => {
            let words = given.buffers.get(index)?.content.as_ref()?.iter();
            let number = |mark: &Mark| if let Mark::Number(number) = mark { Some(*number) } else { None };
            Some(Takes::Words(words.map(number).collect::<Option<_>>()?))
        }
        Passed::Words(ref words) => match words[..] {
            [Mark::Operand(operand)] => Some(Takes::Word(operand)),
            [Mark::Number(number)] => Some(Takes::Number(number)),
            _ => None,
        },
        Passed::Number(number) => Some(Takes::Number(number.into())),
        Passed::Nothing => Some(Takes::Ignored),
    });
    Some(Callee {
        result: contract.result(bits),
        takes: takes.collect::<Option<_>>()?,
        operands: counts,
        stack_bytes,
        inner: false,
        result_on: contract.patterns().iter().map(|pattern| pattern.result_on).collect(),
    })
}

impl AsMut<Callees> for Callees {
    fn as_mut(&mut self) -> &mut Callees {
        self
    }
}

impl Calls<Equations> for Callees {
    fn callee(&mut self, entry: u64) -> Result<Option<Callee>, Fault> {
        Ok(self.known(entry).map(|known| known.callee.clone()))
    }

    fn result(
        &mut self,
        domain: &mut Equations,
        entry: u64,
        operands: &[Vec<Value>],
    ) -> Result<Outcome<Value>, Fault> {
        let contract = self.known(entry).ok_or_else(|| refused("a call of what is not known"))?.contract;
        let bits = self.bits;
        for ((index, words), name) in operands.iter().enumerate().zip(contract.names()) {
            if let Some(bound) = contract.bound(index, bits)
                && !self.is_below(words, &bound, domain)
            {
                let what = format!(
                    "a call of {entry:#x} with {name} not shown to be below {bound:#x}, by {contract}"
                );
                return Err(refused(what));
            }
        }
        let (shift, count) = (contract.shift(bits) as i32, contract.result(bits));
        let mut value = expression(&contract, bits, operands, domain)?;
        let most = u32::MAX >> (32 - bits);
        // what a shift leaves out
        if let rest @ 1.. = contract.rest() {
            let rest = domain.graph.variable((1 << rest) - 1);
            value.add(&Monomial::variable(rest), &Dyadic::new(-1, 0));
        }
        // the multiple, which may be negative
        let modulus = match (contract.modular(), contract.power(bits)) {
            (Some(modular), _) => Some(modular.modulus.number()),
            (None, power) => power
                .map(|power| BigUint::from(1u8) << power as usize)
                .filter(|power| !is_within(&contract, bits, power)),
        };
        if let Some(modulus) = modulus {
            let all: u32 = operands.iter().map(|words| bits * words.len() as u32).sum();
            // more than all that the operation can make, and the result moved up
            let size = (all + contract.radix(bits) + 64).max(shift as u32 + bits * (count + 2));
            let words = (u64::from(size) - modulus.bits().min(size.into())) / u64::from(bits) + 2;
            let multiple: Vec<Variable> = (0..words).map(|_| domain.graph.variable(most)).collect();
            let modulus = Dyadic::whole(modulus);
            value.add_multiple(&Sum::number(&multiple, bits, &Dyadic::new(1, 0)), &modulus.negate());
            let half = Dyadic::power((u64::from(bits) * words) as i32 - 1);
            value.add(&Monomial::one(), &modulus.times(&half));
        }
        let returned = match contract.returned() {
            Returned::Void | Returned::Result => None,
            Returned::Zero => Some(domain.word(0)),
            own @ (Returned::Carry | Returned::Mask) => {
                // what a product or a shift leaves has as many bits as fit
                let carry = domain.graph.variable(if leaves_bit(&contract) { 1 } else { most });
                let sign = if contract.expression().borrows() { 1 } else { -1 };
                let weight = Dyadic::power((bits * count) as i32 + shift).scale(sign);
                value.add(&Monomial::variable(carry), &weight);
                match own {
                    Returned::Mask => {
                        let (zero, no_borrow) = (domain.word(0), domain.bit(false));
                        Some(domain.sub(&zero, &Value::Variable(carry), &no_borrow).0)
                    }
                    _ => Some(Value::Variable(carry)),
                }
            }
        };
        let words: Vec<Variable> = (0..count).map(|_| domain.graph.variable(most)).collect();
        let down = |(monomial, factor): (&Monomial, &Dyadic)| (monomial.clone(), factor.shift(-shift));
        self.known_words.numbers.push((words.clone(), value.terms().map(down).collect()));
        let result: Vec<Value> = words.into_iter().map(Value::Variable).collect();
        self.known_words.below.extend(contract.result_bound(bits).map(|bound| (result.clone(), bound)));
        Ok(Outcome { result, returned })
    }
}

/// Whether the carry is a bit, as that of two numbers is.
fn leaves_bit(contract: &Contract) -> bool {
    matches!(
        contract.expression(),
        Expression::Sum
            | Expression::Difference
            | Expression::SumIf
            | Expression::DifferenceIf
            | Expression::Negation
    )
}

/// Whether what the operation makes of whole numbers is never negative, and always below a power of two.
fn is_within(contract: &Contract, bits: u32, power: &BigUint) -> bool {
    // one of two numbers
    if contract.expression() == Expression::Choice {
        return true;
    }
    let counts = contract.operands(bits);
    let most = |operand: usize| {
        let bound = contract.bound(operand, bits);
        bound.unwrap_or_else(|| BigUint::from(1u8) << (bits * counts[operand]) as usize) - 1u8
    };
    let terms = contract.expression().terms().iter();
    let largest = terms.map(|term| match (term.is_negative, term.is_upper) {
        (false, false) => {
            let product: BigUint = term.operands.iter().map(|operand| most(*operand)).product();
            Some(product * contract.times_of(term))
        }
        _ => None,
    });
    let sum: Option<BigUint> = largest.sum();
    sum.is_some_and(|sum| sum < *power)
}

/// The number that a contract's operation makes of operands, before it is divided or reduced.
fn expression(
    contract: &Contract,
    bits: u32,
    operands: &[Vec<Value>],
    domain: &mut Equations,
) -> Result<Sum, Fault> {
    let mut value = Sum::default();
    let one = [Value::Known(1)];
    for term in contract.expression().terms() {
        let sign = if term.is_negative { -1 } else { 1 } * i64::from(contract.times_of(term));
        let words = |operand: usize| operands.get(operand).map(Vec::as_slice);
        let (x, y) = match *term.operands {
            [x] => (words(x), Some(&one[..])),
            [x, y] => (words(x), words(y)),
            _ => (None, None),
        };
        let (Some(x), Some(y)) = (x, y) else { return Err(refused("a call with too few operands")) };
        let upper = if term.is_upper { contract.radix(bits) } else { 0 } + contract.raise(bits);
        for (i, x) in x.iter().enumerate() {
            for (j, y) in y.iter().enumerate() {
                let both = domain.polynomial(x).zip(domain.polynomial(y));
                let (x, y) = both.ok_or_else(|| refused("a call with addresses as numbers"))?;
                let places = (upper as usize + bits as usize * (i + j)) as i32;
                add_product(&mut value, &x, &y, &Dyadic::new(sign, places));
                domain.graph.spend((x.terms().len() * y.terms().len()) as u64);
            }
        }
    }
    Ok(value)
}

fn add_product(value: &mut Sum, x: &Polynomial, y: &Polynomial, weight: &Dyadic) {
    for (one, factor) in x.terms() {
        for (other, more) in y.terms() {
            value.add(
                &one.times(other),
                &weight.times(&Dyadic::new(*factor, 0)).times(&Dyadic::new(*more, 0)),
            );
        }
    }
}
