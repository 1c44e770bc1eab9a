//! The domain that collects equations while a program runs.
//!
//! Every operation either computes its result exactly (constants, functions of few bits, masks), or
//! makes new variables and an equation that defines them, or makes a new variable about which nothing is
//! known. None of these can claim anything false; the last loses information, never soundness.

use crate::graph::{Equation, Graph, Parts};
use crate::tabulate::{MOST_BITS, bits_of, evaluate, interpolate};
use crate::value::{Bitwise, Deferred, Flag, Value};
use rhomb_machine::Domain;
use rhomb_poly::{Polynomial, Variable};
use std::collections::HashMap;
use std::rc::Rc;

/// Most definitions of deferred bits on top of each other.
const DEEPEST: u32 = 64;

/// Terms of half as many variables as can be numbered: an instruction may make many.
const MOST_TERMS: u64 = 1 << 35;

/// Most terms of words that are looked at for excluding each other.
const MOST_TERMS_OF_EXCLUSIVE: usize = 16;

/// The domain of exact polynomials.
#[derive(Clone, Debug)]
pub struct Equations {
    pub(crate) bits: u32,
    /// What has been collected.
    pub graph: Graph,
    /// Words that were taken apart.
    pub(crate) parts: Parts,
    /// Variables that equal polynomials, of wide words.
    singles: HashMap<Rc<Polynomial>, Variable>,
    /// The low and the high word of products of wide words: the same for the same factors.
    pub(crate) products: HashMap<Polynomial, [Variable; 2]>,
    /// Terms that may be collected.
    pub(crate) effort: u64,
}

impl Equations {
    /// For words of `bits` bits, at most 32.
    pub fn new(bits: u32) -> Self {
        assert!(bits <= 32, "wider words need wider coefficients");
        Equations {
            bits,
            graph: Graph::default(),
            parts: Parts::default(),
            singles: HashMap::new(),
            products: HashMap::new(),
            effort: MOST_TERMS,
        }
    }

    /// The same, where numbers may be multiplied in parts: what tells the signs of differences is noted, too. Elsewhere it only
    /// makes more of what is to be looked at.
    pub fn in_parts(mut self) -> Self {
        self.graph.in_parts = true;
        self
    }

    /// Lets so many terms be collected: variables, their equations, and instructions.
    pub fn set_effort(&mut self, terms: u64) {
        self.effort = terms.min(MOST_TERMS);
    }

    /// A new word of which nothing is known: an input.
    pub fn input(&mut self) -> Value {
        Value::Variable(self.graph.variable(self.ones() as u32))
    }

    pub(crate) fn radix(&self) -> i64 {
        1 << self.bits
    }

    pub(crate) fn ones(&self) -> i64 {
        self.radix() - 1
    }

    pub(crate) fn new_bit(&mut self) -> Flag {
        let bit = self.graph.variable(1);
        Flag::Polynomial(Rc::new(Polynomial::variable(bit)))
    }

    /// The polynomial of a word; an address is none.
    pub fn polynomial(&self, value: &Value) -> Option<Rc<Polynomial>> {
        match value {
            Value::Known(value) => Some(Rc::new(Polynomial::constant(*value as i64))),
            Value::Variable(variable) => Some(Rc::new(Polynomial::variable(*variable))),
            Value::Polynomial(polynomial) => Some(polynomial.clone()),
            Value::Pointer(_) => None,
        }
    }

    /// The word that a polynomial is, as a value of the simplest form: constants, single variables,
    /// functions of few bits and bit times word stay as they are; others get a variable.
    pub(crate) fn word_of(&mut self, polynomial: Polynomial) -> Value {
        if let Some(value) = polynomial.as_constant() {
            return Value::Known(value as u64);
        }
        if let Some(variable) = polynomial.as_variable() {
            return Value::Variable(variable);
        }
        let variables = polynomial.variables();
        if self.is_one_carry(&polynomial) {
            return self.single(&Value::Polynomial(Rc::new(polynomial))).unwrap_or_else(|| self.input());
        }
        let words = variables.iter().filter(|variable| !variable.is_bit()).count();
        if variables.len() <= MOST_BITS && (words == 0 || words == 1 && variables.len() <= 2) {
            return Value::Polynomial(Rc::new(polynomial));
        }
        self.define(polynomial)
    }

    /// Whether a polynomial is the sum of two carries of which one at most is 1.
    fn is_one_carry(&self, polynomial: &Polynomial) -> bool {
        match polynomial.terms() {
            [(older, 1), (younger, 1)] => match (older.variables(), younger.variables()) {
                ([older], [younger]) => self.graph.is_exclusive(*older, *younger),
                _ => false,
            },
            _ => false,
        }
    }

    /// Notes what a carry out of this sum excludes: where a word of the sum has left a carry itself, and both sums
    /// together are below twice the radix, only one of the two can be 1. The same of borrows, where both together are
    /// at least minus the radix; `factor` is what the carry stands for in its equation.
    fn note_exclusive(&mut self, sum: &Polynomial, carry: Variable, factor: i64) -> Option<()> {
        let radix = i128::from(self.radix());
        let lowest = if factor < 0 { -radix } else { 0 };
        for (monomial, _) in sum.terms().iter().filter(|(_, factor)| *factor == 1) {
            let [word] = monomial.variables() else { continue };
            let Some(Equation { high: Some((older, own)), right, .. }) =
                self.graph.defining_low(word.index())
            else {
                continue;
            };
            let before = *older;
            let all = right.plus_multiple(sum, 1)?.plus_multiple(&Polynomial::variable(*word), -1)?;
            let (least, most) = self.graph.range(&all)?;
            if *own == factor && before.is_bit() && least >= lowest && most < lowest + 2 * radix {
                self.graph.exclude(before, carry);
            }
        }
        None
    }

    /// A variable that equals a polynomial whose value is a word.
    pub(crate) fn define(&mut self, polynomial: Polynomial) -> Value {
        let most = match self.graph.range(&polynomial) {
            Some((0, 2)) if self.is_one_carry(&polynomial) => 1,
            Some((_, high)) => high.clamp(1, self.ones().into()) as u32,
            None => self.ones() as u32,
        };
        // a bit variable asserts idempotence: only a range of 0..=1 may give it
        let low = self.graph.variable(most);
        self.graph.equate(Equation { low, high: None, right: polynomial });
        Value::Variable(low)
    }

    /// A value as a single variable, for products and cuts. A wide word is always the same one, so that its parts
    /// are the same, too.
    pub(crate) fn single(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Known(_) | Value::Variable(_) => Some(value.clone()),
            Value::Polynomial(polynomial) => {
                if let Some(variable) = self.singles.get(polynomial) {
                    return Some(Value::Variable(*variable));
                }
                let single = self.define((**polynomial).clone());
                if let (true, Value::Variable(variable)) = (self.is_wide(), &single) {
                    self.singles.insert(Rc::clone(polynomial), *variable);
                }
                Some(single)
            }
            Value::Pointer(_) => None,
        }
    }

    /// Whether a wide word is another one and a constant, such as a word with its highest bit set. As a factor it is
    /// written out: then it is seen that the product is no smaller than by the constant alone.
    pub(crate) fn is_raised(&self, value: &Value) -> bool {
        let Value::Polynomial(polynomial) = value else { return false };
        let Some(rest) = polynomial.variables().first().map(|variable| Polynomial::variable(*variable))
        else {
            return false;
        };
        let constant = polynomial.plus_multiple(&rest, -1).and_then(|rest| rest.as_constant());
        self.is_wide() && constant.is_some_and(|constant| constant > 0)
    }

    pub(crate) fn flag_of(&self, polynomial: Polynomial) -> Flag {
        match polynomial.as_constant() {
            Some(value) => Flag::Known(value != 0),
            None => Flag::Polynomial(Rc::new(polynomial)),
        }
    }

    /// The polynomial of a bit. A deferred bit is computed where it depends on few bits only, and is
    /// otherwise a new bit.
    pub fn bit_polynomial(&mut self, flag: &Flag) -> Rc<Polynomial> {
        match flag {
            Flag::Known(value) => Rc::new(Polynomial::constant(i64::from(*value))),
            Flag::Polynomial(polynomial) => polynomial.clone(),
            Flag::PointerCarry(..) => self.fresh_bit(),
            Flag::Deferred(deferred, _) => match self.compute(deferred) {
                Some(polynomial) => Rc::new(polynomial),
                None => self.fresh_bit(),
            },
        }
    }

    fn fresh_bit(&mut self) -> Rc<Polynomial> {
        Rc::new(Polynomial::variable(self.graph.variable(1)))
    }

    fn compute(&mut self, deferred: &Deferred) -> Option<Polynomial> {
        match deferred {
            Deferred::Bit(value, place) => self.bit_at(value, *place),
            Deferred::Zero(value) => self
                .tabulated(&[value], |words| i64::from(words[0] == 0))
                .or_else(|| self.borrows_nothing(value)),
            Deferred::CarryInto(place, [x, y, result]) => {
                self.tabulated(&[x, y, result], |words| (words[0] ^ words[1] ^ words[2]) >> place & 1)
            }
            Deferred::And(x, y) => self.combined(x, y, |x, y| x & y),
            Deferred::Or(x, y) => self.combined(x, y, |x, y| x | y),
            Deferred::Xor(x, y) => self.combined(x, y, |x, y| x ^ y),
            Deferred::Not(x) => {
                let x = self.bit_polynomial(x);
                Polynomial::constant(1).plus_multiple(&x, -1)
            }
        }
    }

    /// Whether a wide word is zero: whether nothing is borrowed when it is subtracted from zero. That is an equation, of
    /// which a bit that is zero where the word is not says as much as a carry.
    fn borrows_nothing(&mut self, value: &Value) -> Option<Polynomial> {
        let (true, Value::Variable(_)) = (self.is_wide(), value) else { return None };
        let (_, borrow) = self.sub(&Value::Known(0), value, &Flag::Known(false));
        let borrow = self.bit_polynomial(&borrow);
        Polynomial::constant(1).plus_multiple(&borrow, -1)
    }

    fn combined(&mut self, x: &Flag, y: &Flag, function: impl Fn(i64, i64) -> i64) -> Option<Polynomial> {
        let (x, y) = (self.bit_polynomial(x), self.bit_polynomial(y));
        let bits = bits_of(&[&x, &y])?;
        let at = |polynomial: &Polynomial, assignment| evaluate(polynomial, &bits, assignment).unwrap_or(0);
        interpolate(&bits, |assignment| function(at(&x, assignment), at(&y, assignment)))
    }

    /// A function of words that depend on few bits only.
    pub(crate) fn tabulated(
        &self,
        values: &[&Value],
        function: impl Fn(&[i64]) -> i64,
    ) -> Option<Polynomial> {
        let polynomials: Vec<Rc<Polynomial>> =
            values.iter().map(|value| self.polynomial(value)).collect::<Option<_>>()?;
        let references: Vec<&Polynomial> = polynomials.iter().map(|polynomial| &**polynomial).collect();
        let bits = bits_of(&references)?;
        let rows: Vec<Vec<i64>> = (0..1usize << bits.len())
            .map(|assignment| {
                references.iter().map(|polynomial| evaluate(polynomial, &bits, assignment)).collect()
            })
            .collect::<Option<_>>()?;
        interpolate(&bits, |assignment| function(&rows[assignment]))
    }

    /// `sum` taken as a word and what leaves it: `word + radix * carry = sum` (`negative`: `word -
    /// radix * borrow = sum`). The caller knows that the carry is 0 or 1.
    pub(crate) fn carried(&mut self, sum: Polynomial, negative: bool) -> (Value, Flag) {
        let radix = self.radix();
        let factor = if negative { -radix } else { radix };
        let carry_of = |value: i128| if negative { value < 0 } else { value >= radix.into() };
        if let Some(value) = sum.as_constant() {
            return (Value::Known(value.rem_euclid(radix) as u64), Flag::Known(carry_of(value.into())));
        }
        if let Some((low, high)) = self.graph.range(&sum)
            && carry_of(low) == carry_of(high)
        {
            let carry = carry_of(low);
            let moved = Polynomial::constant(if carry { -factor } else { 0 });
            if let Some(word) = moved.plus_multiple(&sum, 1) {
                return (self.word_of(word), Flag::Known(carry));
            }
        }
        if let Some(bits) = bits_of(&[&sum]) {
            let at = |assignment| evaluate(&sum, &bits, assignment).unwrap_or(0);
            let word = interpolate(&bits, |assignment| at(assignment).rem_euclid(radix));
            let carry = interpolate(&bits, |assignment| i64::from(carry_of(at(assignment).into())));
            if let (Some(word), Some(carry)) = (word, carry) {
                return (self.word_of(word), self.flag_of(carry));
            }
        }
        let carry = self.graph.variable(1);
        let low = self.graph.variable(self.ones() as u32);
        if self.is_wide() {
            self.note_exclusive(&sum, carry, factor);
        }
        self.graph.equate(Equation { low, high: Some((carry, factor)), right: sum });
        (Value::Variable(low), Flag::Polynomial(Rc::new(Polynomial::variable(carry))))
    }

    pub(crate) fn unknown_sum(&mut self) -> (Value, Flag) {
        let word = self.input();
        (word, self.new_bit())
    }

    /// `x op y` bit by bit, where one of them is a mask: a word that is all ones or all zeros.
    fn masked(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        for (mask, word) in [(x, y), (y, x)] {
            let Some(bit) = self.mask_bit(mask) else { continue };
            let Some(single) = self.single(word) else { continue };
            let word = self.polynomial(&single)?;
            let product = bit.times(&word)?;
            let result = match operation {
                Bitwise::And => Some(product),
                // x | 255b = x + b(255 - x)
                Bitwise::Or => word.plus_multiple(&bit, self.ones())?.plus_multiple(&product, -1),
                // x ^ 255b = x + b(255 - 2x)
                Bitwise::Xor => word.plus_multiple(&bit, self.ones())?.plus_multiple(&product, -2),
            }?;
            let result = self.word_of(result);
            // words of an absolute value are factors: all of them are variables at once
            return match operation {
                Bitwise::Xor if self.graph.in_parts && self.is_wide() && self.is_difference(&single) => {
                    self.single(&result)
                }
                _ => Some(result),
            };
        }
        None
    }

    /// Whether a word was left by a subtraction that may borrow.
    fn is_difference(&self, word: &Value) -> bool {
        let Value::Variable(word) = word else { return false };
        let high = self.graph.defining_low(word.index()).and_then(|equation| equation.high);
        high.is_some_and(|(_, factor)| factor < 0)
    }

    /// `x op y` of words of which one is always zero, such as `b u` and `(1 - b) v`: their product vanishes.
    fn exclusive(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Option<Value> {
        let (x, y) = (self.polynomial(x)?, self.polynomial(y)?);
        // what a word is equal to says more
        let written_out = |polynomial: &Polynomial| {
            let equation = polynomial.as_variable().and_then(|own| self.graph.defining_low(own.index()));
            equation.filter(|equation| equation.high.is_none()).map(|equation| &equation.right)
        };
        let (u, v) = (written_out(&x).unwrap_or(&x), written_out(&y).unwrap_or(&y));
        let few = u.terms().len().max(v.terms().len()) <= MOST_TERMS_OF_EXCLUSIVE;
        if !few || !u.times(v)?.terms().is_empty() {
            return None;
        }
        match operation {
            Bitwise::And => Some(Value::Known(0)),
            Bitwise::Or | Bitwise::Xor => Some(self.word_of(x.plus_multiple(&y, 1)?)),
        }
    }

    /// The bit `b` of a word that is `b` times all ones.
    fn mask_bit(&self, value: &Value) -> Option<Polynomial> {
        let ones = self.ones();
        let polynomial = self.polynomial(value)?;
        let bits = bits_of(&[&polynomial])?;
        let all = 0..1usize << bits.len();
        let values: Option<Vec<i64>> =
            all.map(|assignment| evaluate(&polynomial, &bits, assignment)).collect();
        let values = values?;
        if !values.iter().all(|value| *value == 0 || *value == ones) {
            return None;
        }
        interpolate(&bits, |assignment| i64::from(values[assignment] != 0))
    }

    pub(crate) fn bitwise(&mut self, x: &Value, y: &Value, operation: Bitwise) -> Value {
        let plain = |x: i64, y: i64| match operation {
            Bitwise::And => x & y,
            Bitwise::Or => x | y,
            Bitwise::Xor => x ^ y,
        };
        if x == y {
            return match operation {
                Bitwise::Xor => Value::Known(0),
                Bitwise::And | Bitwise::Or => x.clone(),
            };
        }
        if let (Value::Pointer(x), Value::Pointer(y), Bitwise::Xor) = (x, y, operation)
            && x.base == y.base
            && (x.part, y.part) == (0, 0)
            && !x.agrees(y, self.bits)
        {
            // different words of one buffer's addresses: anything but zero
            let rest = Polynomial::variable(self.graph.variable(self.ones() as u32 - 1));
            if let Some(word) = rest.plus_multiple(&Polynomial::constant(1), 1) {
                return Value::Polynomial(Rc::new(word));
            }
        }
        if let Some(result) = self.tabulated(&[x, y], |words| plain(words[0], words[1])) {
            return self.word_of(result);
        }
        let result = self
            .masked(x, y, operation)
            .or_else(|| self.exclusive(x, y, operation))
            .or_else(|| self.of_parts(x, y, operation));
        result.unwrap_or_else(|| self.input())
    }

    /// A bit that is computed later, unless its definition has become too deep to be worth it.
    pub(crate) fn defer(&mut self, deferred: Deferred) -> Flag {
        let depth = |flag: &Flag| match flag {
            Flag::Deferred(_, depth) => *depth,
            Flag::Known(_) | Flag::Polynomial(_) | Flag::PointerCarry(..) => 0,
        };
        let depth = 1 + match &deferred {
            Deferred::Bit(..) | Deferred::Zero(_) | Deferred::CarryInto(..) => 0,
            Deferred::And(x, y) | Deferred::Or(x, y) | Deferred::Xor(x, y) => depth(x).max(depth(y)),
            Deferred::Not(x) => depth(x),
        };
        if depth > DEEPEST { self.new_bit() } else { Flag::Deferred(Rc::new(deferred), depth) }
    }
}
