//! Signs of the products of differences.

use super::plan::Plan;
use super::step::{Name, Step, Writer};
use crate::instructions::Op;

/// Where a sign is kept: in T, which is set where the product of the differences is added, or as a mask of where it is subtracted.
#[derive(Clone, Copy)]
pub(super) enum Sign {
    Bit,
    Mask(Name),
}

impl Sign {
    /// That of a product by its number.
    pub(super) fn new(w: &mut Writer, plan: Plan, product: u32) -> Self {
        if plan.has(Plan::SIGN + product) { Sign::Mask(w.name()) } else { Sign::Bit }
    }

    /// One beside it.
    pub(super) fn another(self, w: &mut Writer) -> Self {
        match self {
            Sign::Bit => Sign::Mask(w.name()),
            Sign::Mask(_) => Sign::Bit,
        }
    }

    /// Where the sign of the first difference comes, of which another register has the second one.
    pub(super) fn first(self, register: Name) -> Name {
        match self {
            Sign::Bit => register,
            Sign::Mask(name) => name,
        }
    }

    /// What is to be done behind the first difference.
    pub(super) fn turn(self, w: &mut Writer) {
        if let Sign::Mask(name) = self {
            w.one(Op::Com, name);
        }
    }

    /// Both signs are there.
    pub(super) fn join(self, w: &mut Writer, first: Name, second: Name) {
        w.two(Op::Eor, first, second);
        if let Sign::Bit = self {
            w.step(Step::Keep { from: first });
        }
    }

    /// All ones where the product of the differences is subtracted.
    pub(super) fn mask(self, w: &mut Writer) -> Name {
        match self {
            Sign::Mask(name) => name,
            Sign::Bit => {
                let mask = w.zero();
                w.step(Step::Kept { to: mask });
                w.one(Op::Dec, mask);
                mask
            }
        }
    }
}
