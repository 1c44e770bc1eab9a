//! Numbers of several words that are compared with a constant word by word, in whatever order: `no = a3 < N3 | a2 < N2; yes = a2 > N2 & ~no`.
//!
//! A function of bits each of which compares words of one number with constants is looked at over all orders of all words. Where it depends on
//! the order of the whole numbers alone, one bit tells it, as the subtraction of the whole numbers leaves it.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, evaluate};
use crate::value::Value;
use rhomb_poly::{Polynomial, Variable};
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};

/// Most bits of a function, and words of a number.
const MOST_BITS_OF_FUNCTION: usize = 9;
const MOST_WORDS: usize = 8;

/// Most bits that are written out, one after the other, in steps, and terms of each, and of the function.
const MOST_WRITTEN: usize = 6;
const MOST_STEPS: usize = 2;
const MOST_TERMS_OF_BIT: usize = 8;
const MOST_TERMS: usize = 128;

/// Most orders of all words that are looked at.
const MOST_ORDERS: usize = 6561;

/// Most words of which it is open whether a bit says that they are below a number, or at most the number before it.
const MOST_OPEN: usize = 3;

/// What a bit says of the order of a number and a constant.
#[derive(Clone, Debug)]
pub(crate) struct Ranking {
    /// The words, lowest first, and the constant's.
    words: Vec<(Variable, i64)>,
    /// The value of the bit where the number is less, equal, and greater.
    says: [bool; 3],
}

/// What bits say, by themselves.
pub(crate) type Rankings = HashMap<Variable, Ranking>;

/// What a bit of a function says.
enum Says {
    Number(Ranking),
    /// Whether a word is below a number, where it has this value.
    Below(Variable, i64, bool),
    /// Whether a word is a number, where it has this value; and whether that is the largest one.
    Is(Variable, i64, bool, bool),
}

impl Says {
    /// The value of the bit, where words are in these orders with these numbers.
    fn value(&self, orders: &BTreeMap<Variable, (i64, Ordering)>) -> Option<bool> {
        match self {
            Says::Number(Ranking { words, says }) => {
                let all = words.iter().rev().map(|(word, _)| Some(orders.get(word)?.1));
                let all: Vec<Ordering> = all.collect::<Option<_>>()?;
                let order = all.into_iter().find(|own| own.is_ne()).unwrap_or(Ordering::Equal);
                Some(says[place(order)])
            }
            Says::Below(word, below, told) => {
                let (number, order) = orders.get(word)?;
                let is_below = match below - number {
                    0 => order.is_lt(),
                    1 => order.is_le(),
                    _ => return None,
                };
                Some(is_below == *told)
            }
            Says::Is(word, own, told, is_most) => {
                let (number, order) = orders.get(word)?;
                let is_number = match own - number {
                    0 => order.is_eq(),
                    1 if *is_most => order.is_gt(),
                    -1 if *own == 0 => order.is_lt(),
                    _ => return None,
                };
                Some(is_number == *told)
            }
        }
    }

    /// The word, where it says something of one, and the numbers with which its order tells that.
    fn word(&self) -> Option<(Variable, Vec<i64>)> {
        match self {
            Says::Number(_) => None,
            // it is compared with that number, or with the one before it
            Says::Below(word, below, _) => Some((*word, vec![*below, below - 1])),
            // what is the largest one, is above the one before it
            Says::Is(word, number, _, true) => Some((*word, vec![*number, number - 1])),
            Says::Is(word, 0, ..) => Some((*word, vec![0, 1])),
            Says::Is(word, number, ..) => Some((*word, vec![*number])),
        }
    }
}

fn place(order: Ordering) -> usize {
    (order as i8 + 1) as usize
}

impl Equations {
    /// The same function of bits, told by one bit that compares whole numbers.
    pub(crate) fn ranked(&mut self, function: &Polynomial) -> Option<Polynomial> {
        if !self.ranking {
            return None;
        }
        if function.terms().len() > MOST_TERMS
            || !function.variables().iter().all(|bit| self.compares(*bit, MOST_STEPS))
        {
            return None;
        }
        let function = &self.written_in_comparisons(function)?;
        let bits = bits_of(&[function]).filter(|bits| (2..=MOST_BITS_OF_FUNCTION).contains(&bits.len()))?;
        let says: Vec<Says> = bits.iter().map(|bit| self.comparison(*bit)).collect::<Option<_>>()?;
        let mut numbers: BTreeMap<Variable, Vec<i64>> = BTreeMap::new();
        for own in &says {
            if let Says::Number(Ranking { words, .. }) = own {
                for (word, number) in words {
                    if *numbers.entry(*word).or_insert_with(|| vec![*number]) != [*number] {
                        return None;
                    }
                }
            }
        }
        let mut open: BTreeMap<Variable, Vec<i64>> = BTreeMap::new();
        for (word, fitting) in says.iter().filter_map(Says::word) {
            if !numbers.contains_key(&word) {
                // a difference of words borrows one bit
                let is_fitting = |own: &i64| fitting.contains(own) && (0..=self.ones()).contains(own);
                open.entry(word).or_insert_with(|| fitting.clone()).retain(is_fitting);
            }
        }
        let is_open = open.values().filter(|numbers| numbers.len() > 1).count() <= MOST_OPEN;
        numbers.extend(open);
        let words = numbers.len();
        if !is_open || !(1..=MOST_WORDS).contains(&words) || numbers.values().any(Vec::is_empty) {
            return None;
        }
        let choices: usize = numbers.values().map(Vec::len).product();
        (0..choices).find_map(|mut choice| {
            let words = numbers.iter().map(|(word, numbers)| {
                let number = numbers[choice % numbers.len()];
                choice /= numbers.len();
                (*word, number)
            });
            let mut words: Vec<(Variable, i64)> = words.collect();
            words.sort_by_key(|(word, _)| self.age(*word));
            let outcomes = self.outcomes((function, &bits), &says, &words)?;
            self.comparing(words, outcomes)
        })
    }

    /// A function of bits with what those are made of that compare nothing; `None` where one is made of nothing.
    fn written_in_comparisons(&self, function: &Polynomial) -> Option<Polynomial> {
        let mut function = function.clone();
        for _ in 0..MOST_WRITTEN {
            let bits = bits_of(&[&function]).filter(|bits| bits.len() <= MOST_BITS_OF_FUNCTION)?;
            let Some(bit) = bits.into_iter().find(|bit| self.comparison(*bit).is_none()) else {
                return Some(function);
            };
            let equation = self.graph.defining_low(bit.index()).filter(|own| own.high.is_none())?;
            let is_short = equation.right.terms().len() <= MOST_TERMS_OF_BIT;
            function = function.with(bit, &equation.right).filter(|_| is_short)?;
            if function.terms().len() > MOST_TERMS {
                return None;
            }
        }
        None
    }

    /// Whether a bit compares something, or is made in so many steps of bits that do.
    fn compares(&self, bit: Variable, steps: usize) -> bool {
        bit.is_bit()
            && (self.comparison(bit).is_some()
                || steps.checked_sub(1).is_some_and(|steps| {
                    let equation = self.graph.defining_low(bit.index()).filter(|own| own.high.is_none());
                    equation.is_some_and(|Equation { right, .. }| {
                        right.terms().len() <= MOST_TERMS_OF_BIT
                            && right.variables().iter().all(|own| self.compares(*own, steps))
                    })
                }))
    }

    /// What a bit compares.
    fn comparison(&self, bit: Variable) -> Option<Says> {
        if let Some(known) = self.rankings.get(&bit) {
            return Some(Says::Number(known.clone()));
        }
        let Equation { high: Some((_, factor)), right, .. } = self.graph.defining_high(bit.index())? else {
            return None;
        };
        let ((word, below), told) = self.threshold(right, *factor)?;
        // what is left of a word and a number is nothing
        let left = self.number_told(word, 0, &BTreeMap::new()).filter(|_| below == 1);
        Some(match left {
            Some((word, number)) => Says::Is(word, number, told, number == self.graph.most(word)),
            None => Says::Below(word, below, told),
        })
    }

    /// The values of a function where a number of these words is less than the constant, equal and greater; `None` where there is more than
    /// one. What never is has none.
    fn outcomes(
        &mut self,
        (function, bits): (&Polynomial, &[Variable]),
        says: &[Says],
        words: &[(Variable, i64)],
    ) -> Option<[Option<i64>; 3]> {
        let possible = |(word, number): &(Variable, i64)| {
            let most = self.graph.most(*word);
            let all = [(Ordering::Less, *number > 0), (Ordering::Equal, (0..=most).contains(number))];
            let all = all.into_iter().chain([(Ordering::Greater, *number < most)]);
            all.filter(|(_, is_possible)| *is_possible).map(|(order, _)| order).collect()
        };
        let possible: Vec<Vec<Ordering>> = words.iter().map(possible).collect();
        let count = possible.iter().map(Vec::len).product();
        if count > MOST_ORDERS {
            return None;
        }
        self.graph.spend((count * bits.len()) as u64);
        let mut outcomes = [None; 3];
        for mut all in 0..count {
            let mut orders = BTreeMap::new();
            let mut order = Ordering::Equal;
            for ((word, number), possible) in words.iter().zip(&possible) {
                let own = possible[all % possible.len()];
                all /= possible.len();
                order = if own.is_eq() { order } else { own };
                orders.insert(*word, (*number, own));
            }
            let values = says.iter().enumerate();
            let values = values.map(|(at, own)| Some(usize::from(own.value(&orders)?) << at));
            let value = evaluate(function, bits, values.sum::<Option<usize>>()?)?;
            if *outcomes[place(order)].get_or_insert(value) != value {
                return None;
            }
        }
        Some(outcomes)
    }

    /// The function that has these values where the number is less than the constant, equal and greater, by the bit that a subtraction leaves.
    fn comparing(&mut self, words: Vec<(Variable, i64)>, outcomes: [Option<i64>; 3]) -> Option<Polynomial> {
        // all words are compared with nothing otherwise
        if words.iter().all(|(_, number)| *number == 0) {
            return None;
        }
        let fits = |wanted: [i64; 3]| {
            outcomes.iter().zip(wanted).all(|(own, wanted)| own.is_none_or(|own| own == wanted))
        };
        let (is_less, is_opposite) = match () {
            () if fits([0, 0, 0]) || fits([1, 1, 1]) => return None,
            () if fits([1, 0, 0]) => (true, false),
            () if fits([0, 1, 1]) => (true, true),
            () if fits([0, 0, 1]) => (false, false),
            () if fits([1, 1, 0]) => (false, true),
            () => return None,
        };
        self.ranks_told += 1;
        // what is greater is no less than the next number
        let (lowest, number) = *words.first()?;
        let is_next = !is_less && number < self.graph.most(lowest);
        let sign = if is_less || is_next { 1 } else { -1 };
        let mut borrow = Polynomial::zero();
        for (at, (word, number)) in words.iter().enumerate() {
            let number = number + i64::from(is_next && at == 0);
            let difference = Polynomial::variable(*word).plus_multiple(&Polynomial::constant(number), -1)?;
            let difference =
                Polynomial::zero().plus_multiple(&difference, sign)?.plus_multiple(&borrow, -1)?;
            let (_, left) = self.carried(difference, true);
            borrow = (*self.bit_polynomial(&left)).clone();
        }
        let bit = self.bit_of_polynomial(borrow);
        let says = [is_less || is_next, is_next, !is_less && !is_next];
        if words.len() > 1 {
            self.rankings.entry(bit).or_insert(Ranking { words, says });
        }
        match is_opposite != is_next {
            true => Polynomial::constant(1).plus_multiple(&Polynomial::variable(bit), -1),
            false => Some(Polynomial::variable(bit)),
        }
    }

    /// When a word was made, by what it was made of: the younger words of a number are the higher ones.
    fn age(&self, word: Variable) -> Variable {
        let written = self.graph.defining_low(word.index()).filter(|own| own.high.is_none());
        written.and_then(|own| own.right.variables().last().copied()).unwrap_or(word)
    }

    /// A word as one variable, where it is taken from a number: so are all that are compared with one.
    pub(crate) fn taken_from_number(&mut self, number: &Value, word: &Value) -> Value {
        match (number, word) {
            (Value::Known(1..), Value::Polynomial(own)) if self.ranking && bits_of(&[own]).is_none() => {
                self.single(word).unwrap_or_else(|| word.clone())
            }
            _ => word.clone(),
        }
    }

    /// A word that was joined by AND, and 1, or less all ones: what leaves it by whether each of the words is all ones.
    pub(crate) fn one_more_than_joined(
        &mut self,
        sum: &Polynomial,
        negative: bool,
    ) -> Option<(Value, Polynomial)> {
        let radix = self.radix();
        let joined = *sum.variables().first()?;
        let added = sum.plus_multiple(&Polynomial::variable(joined), -1)?.as_constant()?;
        if added != if negative { 1 - radix } else { 1 } {
            return None;
        }
        let words = self.all_of_and(&Value::Variable(joined))?;
        let mut all = Polynomial::constant(1);
        for word in words {
            let sum = self.polynomial(&word)?.plus_multiple(&Polynomial::constant(1), 1)?;
            let (_, is_ones) = self.carried(sum, false);
            all = all.times(&self.bit_polynomial(&is_ones))?;
        }
        let bits = bits_of(&[&all])?;
        let values = (0..1usize << bits.len()).map(|at| evaluate(&all, &bits, at));
        let values: Vec<i64> = values.collect::<Option<_>>()?;
        let all = self.interpolated(&bits, |at| values[at])?;
        let left = match negative {
            true => Polynomial::constant(1).plus_multiple(&all, -1)?,
            false => all.clone(),
        };
        let word = sum.plus_multiple(&left, if negative { radix } else { -radix })?;
        let low = self.define(word);
        if let Value::Variable(low) = low {
            self.compared.zeros.insert(low, all);
        }
        Some((low, left))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Flag;
    use rhomb_machine::Domain;

    const BITS: u32 = 3;
    const RADIX: i64 = 1 << BITS;

    /// A bit, and its value for each number of two words.
    type Told = (Polynomial, Vec<bool>);

    /// A function of bits, by the values that these have together.
    fn function(domain: &mut Equations, of: &[&Told], values: u64) -> Told {
        let polynomials: Vec<&Polynomial> = of.iter().map(|(own, _)| own).collect();
        let bits = bits_of(&polynomials).unwrap();
        let value = |at: usize| values >> at & 1 == 1;
        let told = domain.interpolated(&bits, |all| {
            let of = |(at, own): (usize, &&Polynomial)| {
                (evaluate(own, &bits, all) == Some(1)) as usize * (1 << at)
            };
            value(polynomials.iter().enumerate().map(of).sum()).into()
        });
        let at =
            |number: usize| of.iter().enumerate().map(|(at, (_, own))| usize::from(own[number]) << at).sum();
        (told.unwrap(), (0..of[0].1.len()).map(|number| value(at(number))).collect())
    }

    /// Of words that are below constants, above them, or the same, and of what was told of whole numbers by then.
    #[test]
    fn functions_of_comparisons_are_what_they_are_told_with() {
        let mut told = 0;
        for seed in 0..4000u64 {
            let mut random = seed;
            let mut below = |count: u64| {
                random = random.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                (random >> 33) % count
            };
            let mut domain = Equations::new(BITS).with_ranks();
            let words = [domain.input(), domain.input()];
            let none = Flag::Known(false);
            let compared = |domain: &mut Equations, at: usize, number: u64, how: u64| -> Told {
                let (word, constant) = (&words[at], Value::Known(number));
                let flag = match how {
                    0 => domain.sub(word, &constant, &none).1,
                    1 => domain.sub(&constant, word, &none).1,
                    _ => {
                        let (rest, _) = domain.sub(word, &constant, &none);
                        domain.is_zero(&rest)
                    }
                };
                let is = |all: i64| {
                    let own = (all >> (BITS as usize * at)) % RADIX;
                    [own < number as i64, own > number as i64, own == number as i64][how as usize]
                };
                ((*domain.bit_polynomial(&flag)).clone(), (0..RADIX * RADIX).map(is).collect())
            };
            let [low, high] = [0, 1].map(|_| 1 + below(RADIX as u64 - 1));
            let how = below(2);
            let (decided, same) = (compared(&mut domain, 1, high, how), compared(&mut domain, 1, high, 2));
            let lower = compared(&mut domain, 0, low, how);
            // less (or greater) above, or the same there and so below
            let whole = function(&mut domain, &[&decided, &same, &lower], 0b1110_1010);
            let near = (low + below(3)).saturating_sub(1).min(RADIX as u64 - 1);
            let other = compared(&mut domain, 0, near, below(3));
            let third = compared(&mut domain, 1, high, below(3));
            let values = if below(2) == 0 { below(256) } else { 0b1110_1010 };
            let all = [
                function(&mut domain, &[&whole, &other], values & 15),
                function(&mut domain, &[&whole, &other, &third], values),
                whole,
            ];
            told += domain.ranks_told;
            for number in 0..RADIX * RADIX {
                let mut values = vec![0; domain.graph.len()];
                values[..2].copy_from_slice(&[number % RADIX, number / RADIX]);
                for Equation { low, high, right } in domain.graph.equations() {
                    let whole = right.evaluate(|own| values[own.index()]).unwrap() as i64;
                    let by = high.map_or(i64::MAX, |(_, factor)| factor.abs());
                    values[low.index()] = whole.rem_euclid(by);
                    if let Some((high, factor)) = high {
                        values[high.index()] = (whole - whole.rem_euclid(by)) / factor;
                        assert!(!high.is_bit() || (0..2).contains(&values[high.index()]), "{right:?}");
                    }
                }
                for (own, known) in &all {
                    let value = own.evaluate(|own| values[own.index()]).unwrap();
                    assert_eq!(value, known[number as usize].into(), "{seed} {number} {own:?}");
                }
            }
        }
        assert!(told > 2000, "{told}");
    }
}
