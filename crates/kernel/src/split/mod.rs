//! Splits: a multiplication made of multiplications of parts, on top of any walk.
//!
//! An operand is cut into parts `A = sum of A_i w^(o_i)`. Each pair of parts would take two products with each
//! other; one takes their place, of differences or of sums:
//!
//! ```text
//! A_i B_j + A_j B_i = A_i B_i + A_j B_j - (A_i - A_j)(B_i - B_j)        subtractive
//!                   = (A_i + A_j)(B_i + B_j) - A_i B_i - A_j B_j        additive
//! ```
//!
//! Two equal parts, again and again, are Karatsuba and Ofman's method (1962); into t parts, equal or not, it is
//! the split of Hwang, Huang and Su. Parts need not be equal, so that no size is refused: halves of an odd
//! number of words differ by one, and the shorter part counts as one with zeros above.
//!
//! The products `A_i B_i` tile the result, at `2 o_i` words. A difference is taken as absolute value and sign;
//! a sum may have a carry, which [`plan`] multiplies by masks.
//!
//! A square is the product of an operand with itself, so that all of this holds for squares: all products are squares, of each
//! pair one difference or sum is made, and the product of differences has no sign.

pub mod halves;
pub mod levels;
pub mod plan;

use crate::squaring::Squaring;
use crate::walk::Walk;

/// How pairs of parts are multiplied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pairs {
    /// By the product of differences.
    Subtractive,
    /// By the product of sums.
    Additive,
}

impl Pairs {
    /// Both ways.
    pub const ALL: [Pairs; 2] = [Pairs::Subtractive, Pairs::Additive];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Pairs::Subtractive => "differences",
            Pairs::Additive => "sums",
        }
    }
}

/// A multiplication or squaring: in one walk, or of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// Along a walk.
    Walk(Walk),
    /// A square in one.
    Square(Squaring),
    /// Of parts.
    Split(Split),
}

impl From<Walk> for Node {
    fn from(walk: Walk) -> Self {
        Node::Walk(walk)
    }
}

impl From<Squaring> for Node {
    fn from(squaring: Squaring) -> Self {
        Node::Square(squaring)
    }
}

/// A multiplication of parts, or a squaring if all of these are squares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// Words of the parts, from the lowest; at least two parts of at least one word.
    pub lengths: Vec<usize>,
    /// How pairs are multiplied.
    pub pairs: Pairs,
    /// The product of each part with the other operand's.
    pub own: Vec<Node>,
    /// The products of pairs (0, 1), (0, 2), ..., (1, 2), ..., each as long as the longer of the two.
    pub crossed: Vec<Node>,
}

/// How operands are cut, level after level.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Into so many parts that differ by at most a word, the longer ones below.
    Balanced(usize),
    /// Into parts of about this ratio, each of at least a word; from the lowest.
    Ratio(Vec<usize>),
}

impl Cut {
    /// The cut that a number stands for: up to 9 equal parts, or a share for each decimal digit, from the lowest part.
    /// Nothing for fewer than two parts, or a share of 0.
    pub fn of_digits(number: usize) -> Option<Cut> {
        match number {
            0 | 1 => None,
            2..=9 => Some(Cut::Balanced(number)),
            _ => {
                let digits = number.to_string().into_bytes();
                let shares: Vec<usize> = digits.into_iter().map(|digit| usize::from(digit - b'0')).collect();
                (!shares.contains(&0)).then_some(Cut::Ratio(shares))
            }
        }
    }

    /// The parts of `words` words; nothing where there are not enough words for all.
    pub fn lengths(&self, words: usize) -> Option<Vec<usize>> {
        let parts = match self {
            Cut::Balanced(parts) => *parts,
            Cut::Ratio(ratio) => ratio.len(),
        };
        if parts < 2 || words < parts {
            return None;
        }
        Some(match self {
            Cut::Balanced(parts) => (0..*parts).map(|index| (words - index).div_ceil(*parts)).collect(),
            Cut::Ratio(ratio) => {
                let whole: usize = ratio.iter().sum::<usize>().max(1);
                // ends rounded along the way, each part and all that follow having a word
                let (mut seen, mut end) = (0, 0);
                let length = |(number, share): (usize, &usize)| {
                    seen += share;
                    let start = end;
                    end = (words * seen / whole).min(words - (parts - 1 - number)).max(start + 1);
                    end - start
                };
                ratio.iter().enumerate().map(length).collect()
            }
        })
    }
}

impl Cut {
    /// The number of levels after which no part of `words` words is cut any further.
    pub fn depth(&self, words: usize) -> usize {
        let longest = self.lengths(words).and_then(|lengths| lengths.into_iter().max());
        longest.map_or(0, |longest| 1 + self.depth(longest))
    }
}

impl Node {
    /// `levels` levels of splits by `cut`, below which `whole` makes the walk or square of so many words. Parts that are
    /// too short to be cut are not.
    pub fn new<W: Into<Node>>(
        words: usize,
        levels: usize,
        cut: &Cut,
        pairs: Pairs,
        whole: &impl Fn(usize) -> W,
    ) -> Node {
        let Some(lengths) = levels.checked_sub(1).and_then(|_| cut.lengths(words)) else {
            return whole(words).into();
        };
        let inner = |words: usize| Node::new(words, levels - 1, cut, pairs, whole);
        let own = lengths.iter().map(|length| inner(*length)).collect();
        let crossed = pairs_of(lengths.len()).map(|(i, j)| inner(lengths[i].max(lengths[j]))).collect();
        Node::Split(Split { lengths, pairs, own, crossed })
    }

    /// Words of an operand.
    pub fn words(&self) -> usize {
        match self {
            Node::Walk(walk) => walk.words,
            Node::Square(squaring) => squaring.words,
            Node::Split(split) => split.words(),
        }
    }

    /// Whether it is a square.
    pub fn is_square(&self) -> bool {
        match self {
            Node::Walk(_) => false,
            Node::Square(_) => true,
            Node::Split(split) => split.is_square(),
        }
    }

    /// The walks, each once, the largest first.
    pub fn walks(&self) -> Vec<&Walk> {
        let mut walks = Vec::new();
        self.collect(&mut walks);
        walks.sort_by_key(|walk| std::cmp::Reverse(walk.words));
        walks
    }

    fn collect<'a>(&'a self, walks: &mut Vec<&'a Walk>) {
        match self {
            Node::Walk(walk) if walks.contains(&walk) => {}
            Node::Square(_) => {}
            Node::Walk(walk) => walks.push(walk),
            Node::Split(split) => split.own.iter().chain(&split.crossed).for_each(|node| node.collect(walks)),
        }
    }
}

impl Split {
    /// Words of an operand.
    pub fn words(&self) -> usize {
        self.lengths.iter().sum()
    }

    /// Whether it is a square.
    pub fn is_square(&self) -> bool {
        self.own.iter().all(Node::is_square)
    }

    /// Where each part begins.
    pub fn offsets(&self) -> Vec<usize> {
        let starts = self.lengths.iter().scan(0, |at, length| {
            *at += length;
            Some(*at - length)
        });
        starts.collect()
    }

    /// The two halves of a split whose pair is a difference, low and high, if it is one: the low half is as
    /// long as the other, or a word longer.
    pub fn halves(&self) -> Option<[usize; 2]> {
        match *self.lengths.as_slice() {
            [low, high] if self.pairs == Pairs::Subtractive && (low == high || low == high + 1) => {
                Some([low, high])
            }
            _ => None,
        }
    }
}

/// The pairs of `parts` parts, in the order of [`Split::crossed`].
pub fn pairs_of(parts: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..parts).flat_map(move |i| (i + 1..parts).map(move |j| (i, j)))
}
