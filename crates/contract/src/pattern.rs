//! How the buffers of a call may share memory.

/// How the buffers of a call may lie to each other. Overlaps of operands that are only read need none:
/// what is loaded is what stood there at the call, wherever it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// Name in certificates and reports.
    pub name: &'static str,
    /// The operands (0 for `a`, 1 for `b`) in whose place the result lies.
    pub result_on: &'static [usize],
}

impl Pattern {
    /// The operands of a call: those that lie in one place are the first of them.
    pub fn fitting<T: Clone>(&self, operands: &[T]) -> Vec<T> {
        let mut fitting = operands.to_vec();
        if let [first, others @ ..] = self.result_on {
            others.iter().for_each(|other| fitting[*other] = operands[*first].clone());
        }
        fitting
    }
}

/// The result lies apart.
pub(crate) const APART: &[Pattern] = &[Pattern { name: "r apart from a and b", result_on: &[] }];

/// The result may lie in the place of an operand or of both.
pub(crate) const IN_PLACE: &[Pattern] = &[APART[0], ON[0], ON[1], ON_BOTH];

/// The result may lie in the place of the first operand, the second one being a word that is given by value.
pub(crate) const IN_FIRST: &[Pattern] = &[APART[0], ON[0]];

const ON: [Pattern; 2] =
    [Pattern { name: "r = a", result_on: &[0] }, Pattern { name: "r = b", result_on: &[1] }];
const ON_BOTH: Pattern = Pattern { name: "r = a = b", result_on: &[0, 1] };

/// The result lies where an operand of its name did.
pub(crate) const KEPT: &[Pattern] = &[Pattern { name: "r in its place", result_on: &[0] }];

/// Both operands are changed.
pub(crate) const EXCHANGED: &[Pattern] = &[Pattern { name: "a apart from b", result_on: &[] }];

/// The result lies in the place of an operand, `a` or `b`; the other one may be the same where `both` says so.
pub(crate) fn in_place(operand: u8, both: bool) -> &'static [Pattern] {
    match (operand, both) {
        (0, false) => const { &[ON[0]] },
        (0, true) => const { &[ON[0], ON_BOTH] },
        (_, false) => const { &[ON[1]] },
        (_, true) => const { &[ON[1], ON_BOTH] },
    }
}
