//! Claims: a carry that was dropped is constant, because its sum cannot reach it.

use crate::facts::Facts;
use crate::reduce::{Reduction, View};
use rhomb_poly::Dyadic;
use serde::{Deserialize, Serialize};

/// What is replaced to bound a sum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Manner {
    /// [`View::Telescoped`].
    Telescoped,
    /// [`View::Expanded`].
    Expanded,
    /// [`View::Above`] for a carry, [`View::Below`] for a borrow.
    Relaxed,
}

/// How a sum is bounded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rung {
    /// What is replaced.
    pub manner: Manner,
    /// How many variables older than the carry are replaced; those before stay as they are.
    pub reach: u32,
}

/// That a variable, the high part of its equation, is constant for all inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Claim {
    /// Index of the variable.
    pub variable: u32,
    /// The constant.
    pub value: u8,
    /// What shows it.
    pub rung: Rung,
}

/// The constant that one of the rungs of a manner, of growing reach, shows the variable to be, and the
/// rung: the first that shows one.
pub fn settle_within(
    facts: &Facts,
    variable: usize,
    manner: Manner,
    reaches: impl IntoIterator<Item = u32>,
) -> Option<(u8, Rung)> {
    let equation = facts.graph.defining_high(variable)?;
    let (high, factor) = equation.high?;
    let view = match (manner, factor > 0) {
        (Manner::Telescoped, _) => View::Telescoped,
        (Manner::Expanded, _) => View::Expanded,
        (Manner::Relaxed, true) => View::Above,
        (Manner::Relaxed, false) => View::Below,
    };
    // the sum is older than its carry, and a low part follows its high part at once
    let mut reduction = Reduction::new(facts, view, variable + 1, variable + 1);
    reduction.add(&equation.right, &Dyadic::new(1, 0));
    // a relaxed sum bounds from one side only, the side on which nothing leaves
    let bit = high.is_bit() && manner != Manner::Relaxed;
    reaches.into_iter().find_map(|reach| {
        let floor = variable.saturating_sub(reach as usize);
        // a high part and its low part stay or go together
        let pair = facts.graph.defining_low(floor).is_some_and(|equation| equation.high.is_some());
        reduction.lower(floor - usize::from(pair));
        reduction.substitute();
        let (least, most) = reduction.range();
        let value = match factor > 0 {
            // low + factor * high = right, 0 <= low < factor
            true if most < Dyadic::new(factor, 0) => 0,
            true if bit && least >= Dyadic::new(factor, 0) => 1,
            // low - radix * borrow = right, 0 <= low < radix; right is a whole number
            false if least > Dyadic::new(-1, 0) => 0,
            false if bit && most.is_negative() => 1,
            _ => return None,
        };
        Some((value, Rung { manner, reach }))
    })
}

impl Claim {
    /// Checks the claim and records it.
    pub fn accept(&self, facts: &mut Facts) -> bool {
        let index = self.variable as usize;
        let shown = |reach| settle_within(facts, index, self.rung.manner, [reach]).map(|(value, _)| value);
        let holds = index < facts.graph.len() && shown(self.rung.reach) == Some(self.value);
        if holds {
            facts.record_claim(index, self.value);
        }
        holds
    }
}
