//! The domain that collects equations while a program runs.
//!
//! Every operation either computes its result exactly (constants, functions of few bits, masks), or
//! makes new variables and an equation that defines them, or makes a new variable about which nothing is
//! known. None of these can claim anything false; the last loses information, never soundness.

use crate::bitwise::Combined;
use crate::compare::Compared;
use crate::graph::{Equation, Graph, Parts};
use crate::join::Sides;
use crate::order::Orders;
use crate::ranked::Rankings;
use crate::signed::Signed;
use crate::signed_products::SignedProducts;
use crate::tabulate::{MOST_BITS, bits_of, evaluate};
use crate::together::Together;
use crate::value::{Deferred, Flag, Value};
use rhomb_poly::{Polynomial, Variable};
use std::collections::{HashMap, HashSet};
use std::ops::RangeInclusive;
use std::rc::Rc;

/// Most definitions of deferred bits on top of each other.
const DEEPEST: u32 = 64;

/// Terms of half as many variables as can be numbered: an instruction may make many.
const MOST_TERMS: u64 = 1 << 35;

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
    /// Wide words that were made as sums without a carry.
    pub(crate) defined: HashMap<Polynomial, Variable>,
    /// The low and the high word of products of wide words: the same for the same factors.
    pub(crate) products: HashMap<Polynomial, [Variable; 2]>,
    /// What is known of bits together.
    pub(crate) together: Together,
    /// What comparisons have told.
    pub(crate) compared: Compared,
    /// Words that were combined bit by bit.
    pub(crate) combined: Combined,
    /// Bits whose masks words were combined with.
    pub(crate) masks: HashSet<Variable>,
    /// For a word that a bit chose, the bit and both words.
    pub(crate) selected: HashMap<Variable, (Rc<Polynomial>, Value, Value)>,
    /// Words that were chosen by an address: what one of both is where the bit has this value.
    pub(crate) loaded: HashMap<(Polynomial, bool, Variable), Variable>,
    /// What is known of numbers that were compared from the top.
    pub(crate) orders: Orders,
    /// What bits say of numbers that are compared with constants.
    pub(crate) rankings: Rankings,
    /// Words that stand for numbers below zero, too.
    pub(crate) signed: Signed,
    pub(crate) signed_products: SignedProducts,
    /// Where buffers lie: offsets of each base at which addresses do not wrap around the address space.
    pub(crate) places: Vec<(u32, RangeInclusive<i64>, bool)>,
    /// What the last condition on a secret made of carries.
    pub(crate) last_sides: Option<Sides>,
    /// Whether what compilers make of carries is looked for.
    pub(crate) compiled: bool,
    /// Whether a mask that is added stays a word, and how often there was one.
    pub(crate) masks_stay: bool,
    pub(crate) masks_added: u32,
    /// Whether signs of numbers stay, and how often one told a cut.
    pub(crate) signs_stay: bool,
    pub(crate) signs_told: u32,
    /// Whether words are limbs that are below zero at times.
    pub(crate) signed_limbs: bool,
    /// Whether paths that come to one place go on as one, and whether there were such.
    pub(crate) merging: bool,
    pub(crate) merged: bool,
    /// Whether numbers that are compared with constants word by word are looked for, and how often one was told.
    pub(crate) ranking: bool,
    pub(crate) ranks_told: u32,
    /// Whether a word that is added to itself stays a sum, and is not told as a shift.
    pub(crate) same_operands: bool,
    /// How often it was found.
    found: u32,
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
            defined: HashMap::new(),
            products: HashMap::new(),
            together: Together::default(),
            compared: Compared::default(),
            combined: Combined::default(),
            masks: HashSet::new(),
            selected: HashMap::new(),
            loaded: HashMap::new(),
            orders: Orders::default(),
            rankings: Rankings::default(),
            signed: Signed::default(),
            signed_products: SignedProducts::default(),
            places: Vec::new(),
            last_sides: None,
            compiled: false,
            masks_stay: false,
            masks_added: 0,
            signs_stay: false,
            signs_told: 0,
            signed_limbs: false,
            merging: false,
            merged: false,
            ranking: false,
            ranks_told: 0,
            same_operands: false,
            found: 0,
            effort: MOST_TERMS,
        }
    }

    /// The same, where numbers may be multiplied in parts: what tells the signs of differences is noted, too. Elsewhere it only
    /// makes more of what is to be looked at.
    pub fn in_parts(mut self) -> Self {
        self.graph.in_parts = true;
        self
    }

    /// The same where words are limbs that are below zero at times, if code is read as what compilers make: what products and shifts of such
    /// are is told of numbers. Elsewhere it hides what else could be told.
    pub fn with_signed_limbs(mut self) -> Self {
        self.signed_limbs = true;
        self
    }

    /// The same for compiled code, which has no carry flag: carries that are read back by comparisons, joined by OR, kept as masks
    /// and chosen by conditions are told as what they are, and a sum of three in two steps is one sum with one carry. What has
    /// flags does not need it, and is shorter without.
    pub fn compiled(mut self) -> Self {
        self.compiled = true;
        self
    }

    /// The same, but that a mask which is added (or taken) is a word like others, and no step down (or up): so are sums of numbers
    /// under a mask alike for all their words, whichever those are.
    pub fn with_masks(mut self) -> Self {
        self.masks_stay = true;
        self.compiled()
    }

    /// So, and paths inside each other that come to one place go on from there as one.
    pub fn with_paths(mut self) -> Self {
        self.merging = true;
        self.compiled()
    }

    /// So, and what bits say of a number that is compared with a constant word by word is told by one that compares the whole number.
    pub fn with_ranks(mut self) -> Self {
        self.ranking = true;
        self.compiled()
    }

    /// So, and a number that is cut twice has one sign, which its first cut has told; else each cut tells what it borrows.
    pub fn with_signs(mut self) -> Self {
        self.signs_stay = true;
        self.compiled()
    }

    /// Of operands that are the same number: a word that is added to itself is a sum like others, and no shift.
    pub fn same_operands(mut self) -> Self {
        self.same_operands = true;
        self
    }

    /// Whether there was anything of what [`Equations::compiled`], [`Equations::with_masks`], [`Equations::with_signs`],
    /// [`Equations::with_paths`] or [`Equations::with_ranks`] looks for: else all is as it is without.
    pub fn has_found(&self) -> bool {
        match (self.merging, self.masks_stay, self.signs_stay, self.ranking) {
            (true, ..) => self.merged,
            (_, true, ..) => self.masks_added > 0,
            (_, _, true, _) => self.signs_told > 0,
            (.., true) => self.ranks_told > 0,
            _ => self.found > 0,
        }
    }

    /// Notes that something was found.
    pub(crate) fn find<T>(&mut self, found: Option<T>) -> Option<T> {
        self.found += u32::from(found.is_some());
        found
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
            Value::Pointer(_) | Value::Either(_) => None,
        }
    }

    /// The word that a polynomial is, as a value of the simplest form: constants, single variables,
    /// functions of few bits and bit times word stay as they are; others get a variable.
    pub(crate) fn word_of(&mut self, polynomial: Polynomial) -> Value {
        self.word_within(polynomial, self.ones())
    }

    /// The same where that is known to be no more than a number.
    pub(crate) fn word_within(&mut self, polynomial: Polynomial, most: i64) -> Value {
        if let Some(value) = polynomial.as_constant() {
            return Value::Known(value as u64);
        }
        if let Some(variable) = polynomial.as_variable() {
            return Value::Variable(variable);
        }
        let variables = polynomial.variables();
        if self.is_one_carry(&polynomial) {
            return Value::Variable(self.bit_of_polynomial(polynomial));
        }
        let words = variables.iter().filter(|variable| !variable.is_bit()).count();
        if variables.len() <= MOST_BITS && (words == 0 || words == 1 && variables.len() <= 2) {
            return Value::Polynomial(Rc::new(polynomial));
        }
        self.define_within(polynomial, most)
    }

    /// A variable that equals a polynomial whose value is a word.
    pub(crate) fn define(&mut self, polynomial: Polynomial) -> Value {
        self.define_within(polynomial, self.ones())
    }

    pub(crate) fn define_within(&mut self, polynomial: Polynomial, most: i64) -> Value {
        if let Some(known) = self.defined.get(&polynomial).filter(|_| self.compiled) {
            return Value::Variable(*known);
        }
        let most = match self.graph.range(&polynomial) {
            Some((_, high)) => high.clamp(1, most.into()) as u32,
            None => most as u32,
        };
        // a bit variable asserts idempotence: only a range of 0..=1 may give it
        let low = self.graph.variable(most);
        if self.is_wide() {
            self.defined.insert(polynomial.clone(), low);
        }
        self.graph.equate(Equation { low, high: None, right: polynomial });
        Value::Variable(low)
    }

    /// A value as a single variable, for products and cuts. A wide word is always the same one, so that its parts
    /// are the same, too.
    pub(crate) fn single(&mut self, value: &Value) -> Option<Value> {
        match value {
            Value::Known(_) | Value::Variable(_) => Some(value.clone()),
            Value::Polynomial(polynomial) => {
                if self.is_one_carry(polynomial) {
                    return Some(Value::Variable(self.bit_of_polynomial((**polynomial).clone())));
                }
                if let Some(variable) = self.singles.get(polynomial) {
                    return Some(Value::Variable(*variable));
                }
                let single = self.define((**polynomial).clone());
                if let (true, Value::Variable(variable)) = (self.is_wide(), &single) {
                    self.singles.insert(Rc::clone(polynomial), *variable);
                }
                Some(single)
            }
            Value::Pointer(_) | Value::Either(_) => None,
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
            Flag::PointerCarry(..) | Flag::Distance(..) => self.fresh_bit(),
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
            Deferred::Zero(value) => {
                self.tabulated(&[value], |words| i64::from(words[0] == 0)).or_else(|| self.is_nothing(value))
            }
            Deferred::CarryInto(place, [x, y, result]) => {
                self.tabulated(&[x, y, result], |words| (words[0] ^ words[1] ^ words[2]) >> place & 1)
            }
            Deferred::And(x, y) => self.of_both(x, y, |x, y| x & y),
            Deferred::Or(x, y) => self.of_both(x, y, |x, y| x | y),
            Deferred::Xor(x, y) => self.of_both(x, y, |x, y| x ^ y),
            Deferred::Either(bit, x, y) => {
                let [bit, x, y] = [bit, x, y].map(|own| self.bit_polynomial(own));
                let bits = bits_of(&[&bit, &x, &y])?;
                let at = |own: &Polynomial, all| evaluate(own, &bits, all).unwrap_or_default();
                self.interpolated(&bits, |all| if at(&bit, all) == 1 { at(&x, all) } else { at(&y, all) })
            }
            Deferred::Not(x) => {
                let x = self.bit_polynomial(x);
                Polynomial::constant(1).plus_multiple(&x, -1)
            }
        }
    }

    fn of_both(&mut self, x: &Flag, y: &Flag, function: impl Fn(i64, i64) -> i64) -> Option<Polynomial> {
        let (x, y) = (self.bit_polynomial(x), self.bit_polynomial(y));
        let bits = bits_of(&[&x, &y])?;
        let at = |polynomial: &Polynomial, assignment| evaluate(polynomial, &bits, assignment).unwrap_or(0);
        self.interpolated(&bits, |assignment| function(at(&x, assignment), at(&y, assignment)))
    }

    /// A function of words that depend on few bits only.
    pub(crate) fn tabulated(
        &mut self,
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
        self.interpolated(&bits, |assignment| function(&rows[assignment]))
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
        if let Some(most) = self.most_of_sum(&sum) {
            return (self.word_within(sum, most), Flag::Known(false));
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
        let sum = if self.compiled { self.written_shorter(self.with_differences(sum)) } else { sum };
        if let Some(word) = self.less_than_itself(&sum) {
            return (word, Flag::Known(false));
        }
        if let Some(told) = self.one_way(&sum, negative) {
            return told;
        }
        if self.ranking
            && let Some((word, left)) = self.one_more_than_joined(&sum, negative)
        {
            return (word, self.flag_of(left));
        }
        if let Some(bits) = bits_of(&[&sum]) {
            let at = |assignment| evaluate(&sum, &bits, assignment).unwrap_or(0);
            let word = self.interpolated(&bits, |assignment| at(assignment).rem_euclid(radix));
            let carry = self.interpolated(&bits, |assignment| i64::from(carry_of(at(assignment).into())));
            if let (Some(word), Some(carry)) = (word, carry) {
                return (self.word_of(word), self.flag_of(carry));
            }
        }
        let known = self.in_one_form(&sum, factor);
        if let Some(found) = self.find(known) {
            return found;
        }
        if self.compiled
            && let Some(told) = self.below_known(&sum, factor)
        {
            return told;
        }
        let carry = self.graph.variable(1);
        let low = self.graph.variable(self.ones() as u32);
        if let Some(word) = self.doubled(&sum) {
            self.parts.doubled.insert(word, carry);
        }
        if self.compiled || self.is_wide() {
            self.note_exclusive(&sum, carry, factor);
        }
        if self.compiled {
            self.note_below(&sum, carry, factor);
            self.note_not_zero(&sum, carry, factor);
            self.note_common(carry, &sum);
        }
        let number =
            if negative { Some(sum.clone()) } else { sum.plus_multiple(&Polynomial::constant(radix), -1) };
        self.graph.equate(Equation { low, high: Some((carry, factor)), right: sum });
        if let Some(number) = number {
            self.note_signed(low, &number, carry, negative);
        }
        (Value::Variable(low), Flag::Polynomial(Rc::new(Polynomial::variable(carry))))
    }

    /// The largest value of a sum that is a word though the ranges of its terms have room for a little more, or for no less.
    fn most_of_sum(&mut self, sum: &Polynomial) -> Option<i64> {
        let (least, most) = self.graph.range(sum)?;
        // a product of two words leaves no more room for what is added
        let (ones, room) = (i128::from(self.ones()), 1 << (self.bits / 2));
        let is_near = least == 0 && (ones..=ones + room).contains(&most);
        if self.compiled && is_near { self.graph.most_in_whole(sum, self.ones()) } else { None }
    }

    pub(crate) fn unknown_sum(&mut self) -> (Value, Flag) {
        let word = self.input();
        (word, self.new_bit())
    }

    /// A bit that is computed later, unless its definition has become too deep to be worth it.
    pub(crate) fn defer(&mut self, deferred: Deferred) -> Flag {
        let depth = |flag: &Flag| match flag {
            Flag::Deferred(_, depth) => *depth,
            Flag::Known(_) | Flag::Polynomial(_) | Flag::PointerCarry(..) | Flag::Distance(..) => 0,
        };
        let depth = 1 + match &deferred {
            Deferred::Bit(..) | Deferred::Zero(_) | Deferred::CarryInto(..) => 0,
            Deferred::And(x, y) | Deferred::Or(x, y) | Deferred::Xor(x, y) => depth(x).max(depth(y)),
            Deferred::Not(x) => depth(x),
            Deferred::Either(bit, x, y) => depth(bit).max(depth(x)).max(depth(y)),
        };
        if depth > DEEPEST { self.new_bit() } else { Flag::Deferred(Rc::new(deferred), depth) }
    }
}
