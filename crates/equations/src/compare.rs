//! Carries and borrows that are read back by comparison, on processors without a carry flag: `x + y < y`,
//! `x < y` after `x - y`, `x < x - y`.

use crate::equations::Equations;
use crate::graph::Equation;
use crate::value::{Flag, Value};
use rhomb_poly::{Polynomial, Variable};
use std::rc::Rc;

/// How many equations back a difference is looked for.
const RECENT: usize = 64;

impl Equations {
    /// `x - y` and its borrow where an earlier sum or difference has them: the borrow is its carry.
    pub(crate) fn compared(&mut self, x: &Value, y: &Value) -> Option<(Value, Flag)> {
        let radix = self.radix();
        let (left, right) = (self.polynomial(x)?, self.polynomial(y)?);
        // x = s + y - radix * carry, so that x - y = s - radix * carry with s a word
        let of_sum =
            self.low_part(x, radix).and_then(|(sum, carry)| Some((sum.plus_multiple(&right, -1)?, carry)));
        // y = x - s + radix * borrow, so that x - y = s - radix * borrow
        let of_difference = self
            .low_part(y, -radix)
            .and_then(|(difference, borrow)| Some((left.plus_multiple(difference, -1)?, borrow)));
        let found = [of_sum, of_difference].into_iter().flatten().find(|(word, _)| {
            let range = self.graph.range(word);
            range.is_some_and(|(least, most)| least >= 0 && most < radix.into())
        });
        if let Some((word, carry)) = found {
            return Some((self.word_of(word), bit(carry)));
        }
        let difference = left.plus_multiple(&right, -1)?;
        let mut recent = self.graph.equations().iter().rev().take(RECENT);
        recent.find_map(|equation| match equation {
            Equation { low, high: Some((borrow, factor)), right }
                if *factor == -radix && *right == difference =>
            {
                Some((Value::Variable(*low), bit(*borrow)))
            }
            _ => None,
        })
    }

    /// The other side of the equation whose low part a word is, and its high part, a bit with this factor.
    fn low_part(&self, word: &Value, factor: i64) -> Option<(&Polynomial, Variable)> {
        let Value::Variable(word) = word else { return None };
        let Equation { high, right, .. } = self.graph.defining_low(word.index())?;
        let (carry, _) = high.filter(|(carry, own)| *own == factor && carry.is_bit())?;
        Some((right, carry))
    }
}

fn bit(variable: Variable) -> Flag {
    Flag::Polynomial(Rc::new(Polynomial::variable(variable)))
}
