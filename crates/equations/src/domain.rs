//! What instructions compute, as equations.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::join;
use crate::tabulate::{bits_of, evaluate};
use crate::value::{Bitwise, Deferred, Flag, Value};
use rhomb_machine::{Base, Cases, Direction, Domain, Entering, Fault, Joined, Pointer};
use rhomb_poly::Polynomial;
use std::ops::RangeInclusive;
use std::rc::Rc;

impl Equations {
    /// Addition of a constant to, or subtraction from, a word of an address; subtraction of a negated one.
    fn move_pointer(
        &self,
        pointer: Pointer,
        constant: u64,
        carry: &Flag,
        direction: Direction,
    ) -> Option<(Value, Flag)> {
        // nothing leaves what stays
        if let (0, Flag::Known(false), Direction::Up | Direction::Down) = (constant, carry, direction) {
            return Some((Value::Pointer(pointer), Flag::Known(false)));
        }
        let entering = match carry {
            Flag::Known(carry) => Entering::Known(*carry),
            Flag::PointerCarry(carry) => Entering::Carry(*carry),
            Flag::Polynomial(_) | Flag::Distance(..) | Flag::Deferred(..) => return None,
        };
        let (target, carry) = match direction {
            Direction::Up | Direction::Down => pointer.plus(constant, entering, direction, self.bits),
            Direction::Negated => pointer.taken_from(constant, entering, self.bits),
        }?;
        Some((Value::Pointer(target), Flag::PointerCarry(carry)))
    }
}

impl Equations {
    /// A word of the difference of two addresses, where that is the same wherever their base lies: of two words behind each
    /// other both are.
    fn distance(&self, to: &Pointer, from: &Pointer, borrow: &Flag) -> Option<u64> {
        match borrow {
            Flag::Known(false) => to.distance(from, self.bits),
            Flag::Distance(low, below)
                if to.part == 1
                    && from.part == 1
                    && to.base == from.base
                    && low.agrees(to, self.bits)
                    && below.agrees(from, self.bits) =>
            {
                let whole = (to.offset - from.offset).rem_euclid(1 << (2 * self.bits).min(62));
                Some(whole as u64 >> self.bits)
            }
            _ => None,
        }
    }
}

impl Equations {
    /// The product of two words, and whether it is a square. One of the factors at most is written out.
    fn product(&mut self, x: &Value, y: &Value) -> Option<(Polynomial, bool)> {
        let x_stays = self.is_raised(x);
        let y_stays = !x_stays && self.is_raised(y);
        let x = if x_stays { x.clone() } else { self.single(x)? };
        let y = if y_stays { y.clone() } else { self.single(y)? };
        let product = self.polynomial(&x)?.times(&*self.polynomial(&y)?)?;
        Some((product, x == y))
    }
}

impl Equations {
    fn selected(&mut self, bit: &Rc<Polynomial>, x: &Value, y: &Value) -> Value {
        let unequal = self.carry_of_unequal(bit, x, y).or_else(|| self.zero_by_one_less(bit, x, y));
        let unequal = unequal.or_else(|| self.kept_where_zero(bit, x, y));
        if let Some(carry) = self.find(unequal) {
            return carry;
        }
        // functions of few bits stay what they are, and so do words that differ by one
        let plain = [self.polynomial(x), self.polynomial(y)];
        let few = match &plain {
            [Some(x), Some(y)] if self.is_wide() => {
                x.plus_multiple(y, -1).is_some_and(|difference| bits_of(&[bit, &difference]).is_some())
            }
            [Some(x), Some(y)] => bits_of(&[bit, x, y]).is_some(),
            _ => false,
        };
        // y + bit * (x - y)
        let of = |x: &Polynomial, y: &Polynomial| {
            let change = bit.times(&x.plus_multiple(y, -1)?)?;
            y.plus_multiple(&change, 1)
        };
        let written = match &plain {
            [Some(x), Some(y)] => {
                of(x, y).filter(|result| few || self.compiled && bits_of(&[result]).is_some())
            }
            _ => None,
        };
        let result = match written {
            Some(result) => Some(result),
            None => match (self.single(x), self.single(y)) {
                (Some(x), Some(y)) => {
                    self.polynomial(&x).zip(self.polynomial(&y)).and_then(|(x, y)| of(&x, &y))
                }
                _ => None,
            },
        };
        let result = match result {
            Some(result) if bits_of(&[&result]).is_some() => {
                self.lean(result).map(|result| self.ordered(result))
            }
            result => result,
        };
        // it is one of both
        let most = self.most(x).zip(self.most(y)).map_or(self.ones(), |(x, y)| x.max(y));
        match result {
            Some(result) => self.word_within(result, most),
            None => self.input(),
        }
    }
}

impl Equations {
    /// Whether a word of an address is its highest one.
    fn is_highest(&self, part: u32) -> bool {
        part == if self.bits < 16 { 16 / self.bits - 1 } else { 0 }
    }

    /// Whether both addresses are of one buffer, or right behind it: then they compare as their offsets do.
    fn do_not_wrap(&self, to: &Pointer, from: &Pointer) -> bool {
        let mut places = self.places.iter().filter(|(base, ..)| *base == to.base && *base == from.base);
        places.any(|(_, offsets, _)| offsets.contains(&to.offset) && offsets.contains(&from.offset))
    }

    /// Whether whole addresses are in two places that share nothing: not right behind one.
    pub(crate) fn lie_apart(&self, x: &Pointer, y: &Pointer) -> bool {
        let within = |own: &Pointer| {
            let place = self.places.iter().find(|(base, offsets, _)| {
                *base == own.base && offsets.contains(&own.offset) && own.offset < *offsets.end()
            });
            place.map(|(.., is_apart)| *is_apart)
        };
        // narrower words are parts of addresses
        let is_whole = self.bits >= 32 && (x.part, y.part) == (0, 0) && x.base != y.base;
        is_whole && within(x).zip(within(y)).is_some_and(|(x, y)| x || y)
    }

    /// Any word but 0.
    pub(crate) fn any_but_zero(&mut self) -> Option<Value> {
        let rest = Polynomial::variable(self.graph.variable(self.ones() as u32 - 1));
        Some(Value::Polynomial(Rc::new(rest.plus_multiple(&Polynomial::constant(1), 1)?)))
    }
}

/// The address whose words, lowest first, these are.
fn whole(words: &[&Value], bits: u32) -> Option<Pointer> {
    let pointer = |word: &&Value| match word {
        Value::Pointer(pointer) => Some(*pointer),
        Value::Known(_) | Value::Variable(_) | Value::Polynomial(_) | Value::Either(_) => None,
    };
    Pointer::whole(&words.iter().map(pointer).collect::<Vec<_>>(), bits)
}

impl Domain for Equations {
    type Word = Value;
    type Bit = Flag;
    const JOINS: bool = true;

    fn word(&mut self, value: u64) -> Value {
        Value::Known(value & self.ones() as u64)
    }

    fn bit(&mut self, value: bool) -> Flag {
        Flag::Known(value)
    }

    fn known_word(&self, word: &Value) -> Option<u64> {
        match word {
            Value::Known(value) => Some(*value),
            Value::Variable(_) | Value::Polynomial(_) | Value::Pointer(_) | Value::Either(_) => None,
        }
    }

    fn known_bit(&self, bit: &Flag) -> Option<bool> {
        match bit {
            Flag::Known(value) => Some(*value),
            Flag::Polynomial(_) | Flag::PointerCarry(..) | Flag::Distance(..) | Flag::Deferred(..) => None,
        }
    }

    fn add(&mut self, x: &Value, y: &Value, carry: &Flag) -> (Value, Flag) {
        for (pointer, constant) in [(x, y), (y, x)] {
            if let (Value::Pointer(pointer), Value::Known(constant)) = (pointer, constant) {
                let moved = self.move_pointer(*pointer, *constant, carry, Direction::Up);
                return moved.unwrap_or_else(|| self.unknown_sum());
            }
            let moved = match (pointer, constant, carry) {
                (Value::Pointer(pointer), by, Flag::Known(false)) => self.moved_by_bit(pointer, by),
                (Value::Either(either), Value::Known(by), Flag::Known(false)) => {
                    Some(self.either_moved(either, *by as i64))
                }
                _ => None,
            };
            if let Some(moved) = moved {
                return (moved, self.new_bit());
            }
        }
        if let Some(found) = self.signed_sum(x, y, carry, true) {
            return found;
        }
        for (word, step) in [(x, y), (y, x)] {
            if let Some(found) = self.stepped(word, step, carry, true) {
                return found;
            }
        }
        for (word, step) in [(x, y), (y, x)] {
            if let Some(found) = self.one_less(word, step, carry) {
                return found;
            }
        }
        if x == y
            && let Some(top) = self.top_of_combined(x)
        {
            return (self.input(), self.flag_of(top));
        }
        if x == y
            && let Some(found) = self.doubled_in_parts(x, carry)
        {
            return found;
        }
        let (Some(x), Some(y)) = (self.polynomial(x), self.polynomial(y)) else { return self.unknown_sum() };
        let carry = self.bit_polynomial(carry);
        match x.plus_multiple(&y, 1).and_then(|sum| sum.plus_multiple(&carry, 1)) {
            Some(sum) => {
                let told = self.without_negatives(&sum).filter(|told| bits_of(&[told]).is_some());
                let told = self.find(told);
                self.carried(told.unwrap_or(sum), false)
            }
            None => self.unknown_sum(),
        }
    }

    fn sub(&mut self, x: &Value, y: &Value, borrow: &Flag) -> (Value, Flag) {
        if x == y {
            // whatever it is, only the borrow is left
            let borrow = self.bit_polynomial(borrow);
            return match Polynomial::zero().plus_multiple(&borrow, -1) {
                Some(difference) => self.carried(difference, true),
                None => self.unknown_sum(),
            };
        }
        if let (Value::Pointer(pointer), Value::Known(constant)) = (x, y) {
            let moved = self.move_pointer(*pointer, *constant, borrow, Direction::Down);
            return moved.unwrap_or_else(|| self.unknown_sum());
        }
        if let (Value::Either(either), Value::Known(by), Flag::Known(false)) = (x, y, borrow) {
            return (self.either_moved(either, -(*by as i64)), self.new_bit());
        }
        if let Some(found) = self.sub_in_cases(x, y, borrow) {
            return found;
        }
        if let (Value::Known(constant), Value::Pointer(pointer)) = (x, y) {
            let moved = self.move_pointer(*pointer, *constant, borrow, Direction::Negated);
            return moved.unwrap_or_else(|| self.unknown_sum());
        }
        if let (Value::Pointer(to), Value::Pointer(from)) = (x, y)
            && let Some(distance) = self.distance(to, from, borrow)
        {
            // equal words never borrow
            let is_equal = distance == 0 && matches!(borrow, Flag::Known(false));
            let borrow = match to.part {
                _ if is_equal => Flag::Known(false),
                part if self.is_highest(part) && self.do_not_wrap(to, from) => {
                    Flag::Known(to.offset < from.offset)
                }
                0 => Flag::Distance(*to, *from),
                _ => self.new_bit(),
            };
            return (Value::Known(distance), borrow);
        }
        if let (Value::Pointer(x), Value::Pointer(y), Flag::Known(false)) = (x, y, borrow)
            && self.lie_apart(x, y)
            && let Some(difference) = self.any_but_zero()
        {
            return (difference, self.new_bit());
        }
        let found = self.signed_sum(x, y, borrow, false).or_else(|| self.rest_of_rounded(x, y, borrow));
        if let Some(found) =
            found.or_else(|| self.stepped(x, y, borrow, false)).or_else(|| self.mask_less(x, y, borrow))
        {
            return found;
        }
        let borrow = self.bit_polynomial(borrow);
        let y = &self.taken_from_number(x, y);
        let found = self.compared(x, y, &borrow);
        let (Some(x), Some(y)) = (self.polynomial(x), self.polynomial(y)) else {
            return found.unwrap_or_else(|| self.unknown_sum());
        };
        let (word, below) = found.unwrap_or_else(|| {
            match x.plus_multiple(&y, -1).and_then(|sum| sum.plus_multiple(&borrow, -1)) {
                Some(sum) => self.carried(sum, true),
                None => self.unknown_sum(),
            }
        });
        let word = match self.difference_in_bits(&x, &y, &borrow) {
            // of what was told as a negative it is known where it is zero
            Some(Value::Polynomial(bits)) if bits.variables().len() > 1 && self.is_told(&word) => word,
            Some(in_bits) => in_bits,
            None => word,
        };
        (word, below)
    }

    fn mul(&mut self, x: &Value, y: &Value) -> (Value, Value) {
        if let (Value::Known(x), Value::Known(y)) = (x, y) {
            let product = x * y;
            return (self.word(product), self.word(product >> self.bits));
        }
        for (word, factor) in [(x, y), (y, x)] {
            if let Value::Known(factor) = factor
                && self.is_wide()
                && factor.is_power_of_two()
            {
                return self.shifted_left(word, factor.trailing_zeros());
            }
        }
        if let (Value::Polynomial(_), Value::Known(factor)) | (Value::Known(factor), Value::Polynomial(_)) =
            (x, y)
            && self.is_wide()
        {
            // a function of few bits stays one
            let (radix, factor) = (i128::from(self.radix()), i128::from(*factor));
            let word = if matches!(x, Value::Polynomial(_)) { x } else { y };
            let low = self.tabulated(&[word], |words| (i128::from(words[0]) * factor % radix) as i64);
            let high = self.tabulated(&[word], |words| (i128::from(words[0]) * factor / radix) as i64);
            if let (Some(low), Some(high)) = (low, high) {
                return (self.word_of(low), self.word_of(high));
            }
        }
        for (word, factor) in [(x, y), (y, x)] {
            if *factor == Value::Known(self.ones() as u64)
                && let Some(found) = self.times_ones(word)
            {
                return found;
            }
        }
        if let Some(product) = self.product_of_signed(x, y) {
            let high = self.unsigned_above([x, y], &product).unwrap_or_else(|| self.input());
            return (product.low, high);
        }
        let Some((product, is_square)) = self.product(x, y) else { return (self.input(), self.input()) };
        let radix = self.radix();
        if let Some(value) = product.as_constant() {
            return (Value::Known((value % radix) as u64), Value::Known((value / radix) as u64));
        }
        let most = match self.graph.range(&product) {
            Some((_, most)) if most < radix.into() => return (self.word_of(product), Value::Known(0)),
            Some((_, most)) => (most >> self.bits).min(self.ones().into()) as u32,
            None => self.ones() as u32,
        };
        if let Some([low, high]) = self.products.get(&product) {
            return (Value::Variable(*low), Value::Variable(*high));
        }
        // squares are 0, 1, 4 or 9 modulo 16
        let least_away = if is_square && self.is_wide() { 6 } else { 0 };
        let high = self.graph.variable(most);
        let low = self.graph.variable(self.ones() as u32 - least_away);
        if self.is_wide() {
            // another instruction may give the other half
            self.products.insert(product.clone(), [low, high]);
        }
        self.graph.equate(Equation { low, high: Some((high, radix)), right: product });
        (Value::Variable(low), Value::Variable(high))
    }

    fn signed_product(&mut self, x: &Value, y: &Value) -> Option<(Value, Value)> {
        self.product_of_signed(x, y).map(|product| (product.low, product.high))
    }

    /// One equation: that a carry never comes out of the high word need not be shown.
    fn mul_add(&mut self, x: &Value, y: &Value, words: [&Value; 2]) -> (Value, Value) {
        let mut sum = self.product(x, y).map(|(product, _)| product);
        // a product that is a word is the same one where it is multiplied out again
        if self.compiled
            && let Some(product) = &sum
            && self.graph.range(product).is_some_and(|(_, most)| most < self.radix().into())
        {
            let word = self.word_of(product.clone());
            sum = self.polynomial(&word).map(|word| (*word).clone());
        }
        for word in words {
            let word = self.polynomial(word);
            sum = sum.zip(word).and_then(|(sum, word)| sum.plus_multiple(&word, 1));
        }
        let Some(sum) = sum else { return (self.input(), self.input()) };
        let radix = self.radix();
        if let Some(value) = sum.as_constant() {
            return (Value::Known(value as u64 % radix as u64), Value::Known(value as u64 / radix as u64));
        }
        let most = match self.graph.range(&sum) {
            Some((_, most)) if most < radix.into() => return (self.word_of(sum), Value::Known(0)),
            Some((_, most)) => (most >> self.bits).min(self.ones().into()) as u32,
            None => self.ones() as u32,
        };
        let high = self.graph.variable(most);
        let low = self.graph.variable(self.ones() as u32);
        self.graph.equate(Equation { low, high: Some((high, radix)), right: sum });
        (Value::Variable(low), Value::Variable(high))
    }

    fn and(&mut self, x: &Value, y: &Value) -> Value {
        self.bitwise(x, y, Bitwise::And)
    }

    fn or(&mut self, x: &Value, y: &Value) -> Value {
        self.bitwise(x, y, Bitwise::Or)
    }

    fn xor(&mut self, x: &Value, y: &Value) -> Value {
        self.bitwise(x, y, Bitwise::Xor)
    }

    fn shift_right(&mut self, x: &Value, top: &Flag) -> (Value, Flag) {
        let top = self.bit_polynomial(top);
        self.halved(x, &top).unwrap_or_else(|| self.unknown_sum())
    }

    fn rotate_left(&mut self, x: &Value, places: u32) -> Value {
        self.rotated(x, places)
    }

    fn split(&mut self, x: &Value, places: u32) -> (Value, Value) {
        self.split_at(x, places)
    }

    fn shift_left(&mut self, x: &Value, places: u32) -> (Value, Value) {
        self.shifted_left(x, places)
    }

    fn bit_of(&mut self, x: &Value, place: u32) -> Flag {
        match x {
            Value::Known(value) => Flag::Known(value >> place & 1 == 1),
            _ => self.defer(Deferred::Bit(x.clone(), place)),
        }
    }

    fn with_bit(&mut self, x: &Value, place: u32, bit: &Flag) -> Value {
        let Some(x) = self.polynomial(x) else { return self.input() };
        let mut bit = self.bit_polynomial(bit);
        if bit.variables().len() > 1 {
            // one variable for it, so that a word of flags has no more variables than bits
            let low = self.graph.variable(1);
            self.graph.equate(Equation { low, high: None, right: (*bit).clone() });
            bit = Rc::new(Polynomial::variable(low));
        }
        let Some(bits) = bits_of(&[&x, &bit]) else { return self.input() };
        let at = |polynomial: &Polynomial, assignment| evaluate(polynomial, &bits, assignment).unwrap_or(0);
        let result = self.interpolated(&bits, |assignment| {
            at(&x, assignment) & !(1 << place) | at(&bit, assignment) << place
        });
        match result {
            Some(result) => self.word_of(result),
            None => self.input(),
        }
    }

    fn is_zero(&mut self, x: &Value) -> Flag {
        match x {
            Value::Known(value) => Flag::Known(*value == 0),
            Value::Polynomial(word) if self.graph.range(word).is_some_and(|(least, _)| least > 0) => {
                Flag::Known(false)
            }
            _ => self.defer(Deferred::Zero(x.clone())),
        }
    }

    fn carry_into(&mut self, place: u32, x: &Value, y: &Value, result: &Value) -> Flag {
        match (x, y, result) {
            (Value::Known(x), Value::Known(y), Value::Known(result)) => {
                Flag::Known((x ^ y ^ result) >> place & 1 == 1)
            }
            // of two that are the same nothing is left, as where 0 is added or taken away
            (one, other, Value::Known(rest))
            | (one, Value::Known(rest), other)
            | (Value::Known(rest), one, other)
                if one == other =>
            {
                Flag::Known(rest >> place & 1 == 1)
            }
            // no array lies across the middle of the addresses
            (Value::Pointer(x), Value::Pointer(y), Value::Known(result))
                if self.bits >= 32 && place + 1 == self.bits && self.do_not_wrap(x, y) =>
            {
                Flag::Known(result >> place & 1 == 1)
            }
            _ => self.defer(Deferred::CarryInto(place, [x.clone(), y.clone(), result.clone()])),
        }
    }

    fn select(&mut self, bit: &Flag, x: &Value, y: &Value) -> Value {
        if let Flag::Known(bit) = bit {
            return if *bit { x.clone() } else { y.clone() };
        }
        let bit = self.bit_polynomial(bit);
        let known = [self.chosen_where(&bit, x, true), self.chosen_where(&bit, y, false)];
        if known != [x.clone(), y.clone()] {
            self.find(Some(()));
        }
        let [x, y] = known;
        if x == y {
            return x;
        }
        if let Some(either) = self.either(&bit, &x, &y) {
            return either;
        }
        let same = self.same_where_zero(&bit, &x, &y);
        if let Some(word) = self.find(same) {
            return word;
        }
        if let Some((bit, x, y)) = self.one_choice(&bit, &x, &y) {
            let bit = self.flag_of(bit);
            return self.select(&bit, &x, &y);
        }
        let selected = self.selected(&bit, &x, &y);
        self.note_choice(&selected, &bit, &x, &y);
        selected
    }

    fn bit_and(&mut self, x: &Flag, y: &Flag) -> Flag {
        match (x, y) {
            (Flag::Known(x), other) | (other, Flag::Known(x)) => {
                if *x {
                    other.clone()
                } else {
                    Flag::Known(false)
                }
            }
            _ => self.defer(Deferred::And(x.clone(), y.clone())),
        }
    }

    fn bit_or(&mut self, x: &Flag, y: &Flag) -> Flag {
        match (x, y) {
            (Flag::Known(x), other) | (other, Flag::Known(x)) => {
                if *x {
                    Flag::Known(true)
                } else {
                    other.clone()
                }
            }
            _ => self.defer(Deferred::Or(x.clone(), y.clone())),
        }
    }

    fn bit_xor(&mut self, x: &Flag, y: &Flag) -> Flag {
        match (x, y) {
            (Flag::Known(x), Flag::Known(y)) => Flag::Known(x ^ y),
            (Flag::Known(false), other) | (other, Flag::Known(false)) => other.clone(),
            _ => self.defer(Deferred::Xor(x.clone(), y.clone())),
        }
    }

    fn bit_not(&mut self, x: &Flag) -> Flag {
        match x {
            Flag::Known(x) => Flag::Known(!x),
            _ => self.defer(Deferred::Not(x.clone())),
        }
    }

    fn arbitrary(&mut self) -> Value {
        self.input()
    }

    fn same(&self, x: &Value, y: &Value) -> bool {
        x == y
    }

    fn same_bit(&mut self, x: &Flag, y: &Flag) -> bool {
        self.bit_polynomial(x) == self.bit_polynomial(y)
    }

    fn pointer(&mut self, base: u32, offset: i64, address: u64, part: u32) -> Value {
        Value::Pointer(Pointer { base, offset, address, part })
    }

    fn lies(&mut self, base: u32, offsets: RangeInclusive<i64>, _: u64, is_apart: bool) {
        self.places.push((base, offsets, is_apart));
    }

    fn placed(&mut self, _: u64) -> Value {
        self.input()
    }

    fn address(&self, words: &[&Value]) -> Option<(Base, u64)> {
        if let Some(whole) = whole(words, self.bits) {
            return Some((Base::Of(whole.base), whole.address));
        }
        let number =
            words.iter().rev().try_fold(0, |sum, word| Some(sum << self.bits | self.known_word(word)?));
        number.map(|number| (Base::Constant, number))
    }

    fn moved<const N: usize>(&mut self, words: [&Value; N], by: i64) -> Option<[Value; N]> {
        if let Some(whole) = whole(&words, self.bits) {
            let target = whole.moved(by, self.bits);
            return Some(std::array::from_fn(|part| Value::Pointer(Pointer { part: part as u32, ..target })));
        }
        if let [Value::Either(either)] = words[..] {
            let moved = self.either_moved(either, by);
            return Some(std::array::from_fn(|_| moved.clone()));
        }
        let (_, address) = self.address(&words)?;
        let address = address.wrapping_add_signed(by);
        Some(std::array::from_fn(|part| self.word(address >> (self.bits * part as u32))))
    }

    fn join(
        &mut self,
        bit: &Flag,
        words: &[(Value, Value)],
        bits: &[(Flag, Flag)],
    ) -> Option<Joined<Value, Flag>> {
        Some(join::join(self, bit, words, bits))
    }

    fn cases(&mut self, word: &Value) -> Option<Cases<Value, Flag>> {
        self.both_cases(word)
    }

    fn chosen(&mut self, bits: &[Flag], values: &[Value]) -> Option<Value> {
        let ([bit], [unset, set]) = (bits, values) else { return None };
        Some(self.chosen_by_address(bit, set, unset))
    }

    fn merges(&self) -> bool {
        self.merging
    }

    fn note_merged(&mut self) {
        self.merged = true;
    }

    fn bits(&self) -> u32 {
        self.bits
    }

    fn locate(&mut self, address: u64) -> Result<(), Fault> {
        self.graph.location = address as u32;
        self.graph.spend(1);
        match self.graph.terms() <= self.effort {
            true => Ok(()),
            false => Err(Fault::Effort { limit: self.effort }),
        }
    }
}
