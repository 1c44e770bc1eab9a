//! Numbers that are compared word by word from the top: words tell the order where they differ, and else those below do.
//!
//! What such a comparison makes is told by two bits, as a subtraction of the whole numbers leaves them: where the difference `d`
//! of two words is below zero, or zero and the words below are in the same order, `d - less` is below zero, and otherwise not.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::tabulate::{bits_of, evaluate};
use rhomb_poly::{Polynomial, Variable};
use std::collections::HashMap;

/// What a bit says of an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Says {
    Less,
    Greater,
    Unequal,
}

/// How numbers are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Order {
    Less,
    Equal,
    Greater,
}

const ORDERS: [Order; 3] = [Order::Less, Order::Equal, Order::Greater];

impl Says {
    fn of(self, order: Order) -> bool {
        match self {
            Says::Less => order == Order::Less,
            Says::Greater => order == Order::Greater,
            Says::Unequal => order != Order::Equal,
        }
    }
}

/// What is known of bits.
#[derive(Clone, Debug, Default)]
pub(crate) struct Orders {
    /// For a bit, that which says that numbers of several words are in the order less, and that for greater.
    pairs: HashMap<Variable, ([Variable; 2], Says)>,
    /// For a bit that says that the difference of two words is not zero, or above, the borrow of that difference.
    borrows: HashMap<Variable, Variable>,
}

/// Bits of one comparison, and the two that all of them depend on.
struct Compared {
    /// Less and greater.
    pair: [Variable; 2],
    bits: Vec<(Variable, Says)>,
    /// Which order never is: of a word that is compared with the least or the largest one.
    never: Option<Order>,
}

impl Compared {
    /// The other number compared with the one.
    fn flipped(&self) -> Compared {
        let other = |(bit, says): &(Variable, Says)| {
            let says = match says {
                Says::Less => Says::Greater,
                Says::Greater => Says::Less,
                Says::Unequal => Says::Unequal,
            };
            (*bit, says)
        };
        let never = self.never.map(|never| match never {
            Order::Less => Order::Greater,
            Order::Equal => Order::Equal,
            Order::Greater => Order::Less,
        });
        let [less, greater] = self.pair;
        Compared { pair: [greater, less], bits: self.bits.iter().map(other).collect(), never }
    }
}

impl Equations {
    /// A function of the bits of two comparisons as one of those of one, where the first counts more.
    pub(crate) fn in_order(&mut self, function: &Polynomial) -> Option<Polynomial> {
        if !self.compiled {
            return None;
        }
        let bits = bits_of(&[function]).filter(|bits| (2..=6).contains(&bits.len()))?;
        bits.iter().find_map(|first| self.with_first(function, &bits, self.borrow_of(*first)))
    }

    /// The same where this bit is one of the first comparison, of two words.
    fn with_first(
        &mut self,
        function: &Polynomial,
        bits: &[Variable],
        first: Variable,
    ) -> Option<Polynomial> {
        let difference = self.compared_words(first)?;
        let upper = self.bits_of_words(first, bits)?;
        let flipped = upper.flipped();
        let opposite = Polynomial::zero().plus_multiple(&difference, -1)?;
        let told = self.with_upper(function, bits, (&upper, [&difference, &opposite]));
        told.or_else(|| self.with_upper(function, bits, (&flipped, [&opposite, &difference])))
    }

    /// The same where these are the bits of the first comparison, of which the differences are, each word taken from the other.
    fn with_upper(
        &mut self,
        function: &Polynomial,
        bits: &[Variable],
        (upper, differences): (&Compared, [&Polynomial; 2]),
    ) -> Option<Polynomial> {
        let rest = |bit: &&Variable| upper.bits.iter().all(|(own, _)| own != *bit);
        let rest: Vec<Variable> = bits.iter().filter(rest).copied().collect();
        let lower = self.lower(&rest)?;
        let value = |above: Order, below: Order| {
            let at = |bit: &Variable| {
                let of = |known: &Compared, order: Order| {
                    known.bits.iter().find(|(own, _)| own == bit).map(|(_, says)| says.of(order))
                };
                of(upper, above).or_else(|| of(&lower, below))
            };
            let all = bits.iter().enumerate();
            let all = all.map(|(place, bit)| Some(usize::from(at(bit)?) << place)).sum::<Option<usize>>()?;
            evaluate(function, bits, all)
        };
        let [less, equal, greater] = ORDERS.map(|below| value(Order::Equal, below));
        let (less, equal, greater) = (less?, equal?, greater?);
        let is_first = |below| {
            let is = |above, outcome| upper.never == Some(above) || value(above, below) == Some(outcome);
            is(Order::Less, less) && is(Order::Greater, greater)
        };
        // what says only whether numbers are the same is told by what says so of each word, if it is not to tell paths apart
        let same = !self.merging && upper.never.is_some() && upper.never == lower.never;
        if same || less == greater || !ORDERS.into_iter().all(is_first) {
            return None;
        }
        self.find(Some(()));
        let mut pair = lower.pair;
        for (own, difference) in pair.iter_mut().zip(differences) {
            let (_, borrow) = self.carried(difference.plus_multiple(&Polynomial::variable(*own), -1)?, true);
            let borrow = (*self.bit_polynomial(&borrow)).clone();
            *own = self.bit_of_polynomial(borrow);
        }
        let [is_less, is_greater] = pair;
        if is_less != is_greater {
            self.graph.exclude(is_less.min(is_greater), is_less.max(is_greater));
        }
        self.orders.pairs.insert(is_less, (pair, Says::Less));
        self.orders.pairs.insert(is_greater, (pair, Says::Greater));
        let sum = Polynomial::constant(equal);
        let sum = sum.plus_multiple(&Polynomial::variable(is_less), less - equal)?;
        sum.plus_multiple(&Polynomial::variable(is_greater), greater - equal)
    }

    /// Notes that a bit says that the difference is not zero, or above, whose borrow is another bit.
    pub(crate) fn note_borrow(&mut self, bit: Variable, borrow: Variable) {
        self.orders.borrows.insert(bit, borrow);
    }

    /// The borrow of the difference of which a bit speaks.
    fn borrow_of(&self, bit: Variable) -> Variable {
        self.orders.borrows.get(&bit).copied().unwrap_or(bit)
    }

    /// The difference of which a bit is the borrow, where that is one of words.
    fn compared_words(&self, borrow: Variable) -> Option<Polynomial> {
        let Equation { high, right, .. } = self.graph.defining_high(borrow.index())?;
        let radix = i128::from(self.radix());
        let (least, most) = self.graph.range(right)?;
        let is_borrow = *high == Some((borrow, -self.radix())) && borrow.is_bit();
        (is_borrow && least > -radix && most < radix).then(|| right.clone())
    }

    /// What bits say of the difference of words of which one is the borrow.
    fn bits_of_words(&mut self, borrow: Variable, bits: &[Variable]) -> Option<Compared> {
        self.compared_words(borrow)?;
        let low = self.graph.defining_high(borrow.index())?.low;
        let unequal = self.not_zero(low)?;
        if unequal == borrow {
            let own = bits.contains(&borrow).then_some((borrow, Says::Less));
            let none = self.bit_of_polynomial(Polynomial::zero());
            let never = Some(Order::Greater);
            return Some(Compared { pair: [borrow, none], bits: own.into_iter().collect(), never });
        }
        let greater = Polynomial::variable(unequal).plus_multiple(&Polynomial::variable(borrow), -1)?;
        let greater = self.bit_of_polynomial(greater);
        let known = [(borrow, Says::Less), (unequal, Says::Unequal), (greater, Says::Greater)];
        let own = known.into_iter().filter(|(bit, _)| bits.contains(bit));
        Some(Compared { pair: [borrow, greater], bits: own.collect(), never: None })
    }

    /// The comparison that all these bits are of: of several words, or of two.
    fn lower(&mut self, bits: &[Variable]) -> Option<Compared> {
        let all = |known: &Compared| known.bits.len() == bits.len();
        if let Some((pair, _)) = self.orders.pairs.get(bits.first()?).copied() {
            let says = |bit: &Variable| {
                let (own, says) = self.orders.pairs.get(bit)?;
                (*own == pair).then_some((*bit, *says))
            };
            let known = Compared { pair, bits: bits.iter().filter_map(says).collect(), never: None };
            return Some(known).filter(all);
        }
        bits.iter().find_map(|bit| self.bits_of_words(self.borrow_of(*bit), bits).filter(all))
    }

    /// The same function of bits, told by fewer of them where they are those of comparisons.
    pub(crate) fn ordered(&mut self, function: Polynomial) -> Polynomial {
        match self.in_order(&function) {
            Some(told) => told,
            None => function,
        }
    }
}
