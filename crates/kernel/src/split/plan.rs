//! A split as steps on strings of words: the common ground of all processors.
//!
//! A step is a carry chain over a few strings, or a multiplication that is itself a [`Node`]; of a square both operands are
//! the same string. What a step
//! reads may be longer or shorter than what it writes only where it says so. Flags are masks, all zeros or all
//! ones. A processor may make the same of a split in another order; these steps say what it is to compute.

use super::{Node, Pairs, Split, pairs_of};

/// Where a string lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Array {
    /// The result.
    Result,
    /// The first operand.
    A,
    /// The second operand.
    B,
    /// Temporaries of this split.
    Frame,
}

/// A string of words, the lowest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Words {
    /// The array.
    pub array: Array,
    /// Its first word.
    pub at: usize,
    /// How many words it has.
    pub length: usize,
}

/// A flag of the plan, by number.
pub type Flag = usize;

/// A step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// `to = x * y`, by the node.
    Multiply {
        /// Twice as long as an operand.
        to: Words,
        /// First operand.
        x: Words,
        /// Second operand.
        y: Words,
        /// How.
        node: &'a Node,
    },
    /// `to = |x - y|`; a string that is shorter than `to` has zeros above. `sign` is set where `x < y`, or
    /// turned over then where `turn` says so.
    Difference {
        /// As long as the longer one.
        to: Words,
        /// Minuend.
        x: Words,
        /// Subtrahend.
        y: Words,
        /// The sign.
        sign: Flag,
        /// Whether the sign is turned over instead of set.
        turn: bool,
    },
    /// `to = x + y` without its carry, which `carry` takes; zeros above a shorter string.
    Sum {
        /// As long as the longer one.
        to: Words,
        /// Summand.
        x: Words,
        /// Summand.
        y: Words,
        /// The carry.
        carry: Flag,
    },
    /// `to = from`.
    Copy {
        /// Of the same length.
        to: Words,
        /// From here.
        from: Words,
    },
    /// `to = to + from`, or `to - from`; the carry runs to the end of `to` and is dropped there.
    Add {
        /// At least as long as `from`.
        to: Words,
        /// What is added.
        from: Words,
        /// Whether it is subtracted instead.
        subtract: Subtract,
    },
    /// `to = to + (from where flag is set, else 0)`, the carry as above.
    AddWhere {
        /// At least as long as `from`.
        to: Words,
        /// What is added.
        from: Words,
        /// The condition.
        flag: Flag,
    },
    /// `to = to + 1` where both flags are set.
    AddOne {
        /// At least a word.
        to: Words,
        /// The conditions.
        flags: [Flag; 2],
    },
}

/// The sign of an addition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subtract {
    /// Added.
    Never,
    /// Subtracted.
    Always,
    /// Subtracted where the flag is clear, added where it is set.
    Unless(Flag),
}

/// The steps of a split.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plan<'a> {
    /// In order.
    pub steps: Vec<Step<'a>>,
    /// Words of the frame.
    pub frame: usize,
    /// Number of flags.
    pub flags: usize,
}

/// The steps of a split: the parts' own products into the result and from there into the frame, then one
/// pair after the other. Neither operand may overlap the result.
pub fn plan(split: &Split) -> Plan<'_> {
    let (lengths, offsets, n) = (&split.lengths, split.offsets(), split.words());
    let square = split.is_square();
    let second = if square { Array::A } else { Array::B };
    let part = |array, index: usize| Words { array, at: offsets[index], length: lengths[index] };
    let product = |array, index: usize| Words { array, at: 2 * offsets[index], length: 2 * lengths[index] };
    let mut steps = Vec::new();
    for (index, node) in split.own.iter().enumerate() {
        let (x, y) = (part(Array::A, index), part(second, index));
        steps.push(Step::Multiply { to: product(Array::Result, index), x, y, node });
    }
    let all = |array| Words { array, at: 0, length: 2 * n };
    steps.push(Step::Copy { to: all(Array::Frame), from: all(Array::Result) });
    let mut longest = 0;
    for ((i, j), node) in pairs_of(lengths.len()).zip(&split.crossed) {
        let length = lengths[i].max(lengths[j]);
        longest = longest.max(length);
        let frame = |at: usize, length| Words { array: Array::Frame, at: 2 * n + at, length };
        let (x, middle) = (frame(0, length), frame(2 * length, 2 * length));
        let y = if square { x } else { frame(length, length) };
        let above = |at: usize| Words { array: Array::Result, at, length: 2 * n - at };
        let at = offsets[i] + offsets[j];
        // what lies above the result vanishes
        let within = |from: Words, to: Words| Words { length: from.length.min(to.length), ..from };
        let own = [i, j].map(|index| within(product(Array::Frame, index), above(at)));
        match split.pairs {
            Pairs::Subtractive => {
                let difference = |to, array, turn| {
                    let (x, y) = (part(array, i), part(array, j));
                    Step::Difference { to, x, y, sign: 0, turn }
                };
                steps.push(difference(x, Array::A, false));
                if !square {
                    steps.push(difference(y, Array::B, true));
                }
                steps.push(Step::Multiply { to: middle, x, y, node });
                for from in own {
                    steps.push(Step::Add { to: above(at), from, subtract: Subtract::Never });
                }
                let from = within(middle, above(at));
                let subtract = if square { Subtract::Always } else { Subtract::Unless(0) };
                steps.push(Step::Add { to: above(at), from, subtract });
            }
            Pairs::Additive => {
                steps.push(Step::Sum { to: x, x: part(Array::A, i), y: part(Array::A, j), carry: 0 });
                let other = usize::from(!square);
                if !square {
                    steps.push(Step::Sum { to: y, x: part(Array::B, i), y: part(Array::B, j), carry: other });
                }
                steps.push(Step::Multiply { to: middle, x, y, node });
                for from in own {
                    steps.push(Step::Add { to: above(at), from, subtract: Subtract::Always });
                }
                let from = within(middle, above(at));
                steps.push(Step::Add { to: above(at), from, subtract: Subtract::Never });
                // (x + c w^m)(y + d w^m) has these beside x y
                for (from, flag) in [(y, 0), (x, other)] {
                    let to = above(at + length);
                    steps.push(Step::AddWhere { to, from: within(from, to), flag });
                }
                if at + 2 * length < 2 * n {
                    steps.push(Step::AddOne { to: above(at + 2 * length), flags: [0, other] });
                }
            }
        }
    }
    Plan { steps, frame: 2 * n + 4 * longest, flags: 2 }
}
