//! Splits on top of products along walks: where the numbers of each level stand, and what is done with them in which order.
//! The frames of levels inside lie behind those around, and flags behind the words of a level.

use rhomb_kernel::split::halves::Halves;
use rhomb_kernel::split::plan::{Array, Flag, Step, Subtract, Words, plan};
use rhomb_kernel::split::{Node, Split};
use rhomb_kernel::{Squaring, Walk};

/// A place in memory.
pub trait Location: Copy {
    /// So many words behind it.
    fn plus(self, words: usize) -> Self;
}

/// Where result, operands and frame of a product are.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "said above")]
pub struct Numbers<P> {
    pub result: P,
    pub a: P,
    pub b: P,
    pub frame: P,
}

impl<P: Location> Numbers<P> {
    /// Where a string of words is.
    pub fn place(&self, words: Words) -> P {
        let base = match words.array {
            Array::Result => self.result,
            Array::A => self.a,
            Array::B => self.b,
            Array::Frame => self.frame,
        };
        base.plus(words.at)
    }
}

/// A level.
#[derive(Clone, Copy, Debug)]
pub struct Level<P> {
    /// Its numbers.
    pub own: Numbers<P>,
    /// The first flag.
    pub flags: P,
    /// The frame of the levels inside.
    below: P,
}

/// How a string is added to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Added {
    /// As it is.
    Plainly,
    /// Subtracted.
    Subtracted,
    /// Where the flag of a difference is set; else subtracted.
    By(Flag),
    /// Where the flag of a sum is set; else nothing is.
    Where(Flag),
}

/// What a processor does for splits.
pub trait Splits {
    /// A place in memory.
    type Location: Location;
    /// Why a product is not made.
    type Error;
    /// What the words before the flags are a multiple of.
    const ALIGNMENT: usize = 1;

    /// Words of a level's flags.
    fn flags(split: &Split) -> usize {
        Halves::of(split).map_or_else(|| plan(split).flags, |_| 1)
    }

    /// A product along a walk.
    ///
    /// # Errors
    /// Where it is not made.
    fn walk(&mut self, walk: &Walk, own: &Numbers<Self::Location>) -> Result<(), Self::Error>;

    /// A square in one.
    ///
    /// # Errors
    /// Where it is not made.
    fn square(&mut self, squaring: &Squaring, own: &Numbers<Self::Location>) -> Result<(), Self::Error>;

    /// The beginning of a level that follows its plan.
    fn begin(&mut self, level: &Level<Self::Location>) {
        let _ = level;
    }

    /// What comes before a product, for which no flag stays in a register.
    fn keep_flags(&mut self, level: &Level<Self::Location>) {
        let _ = level;
    }

    /// `to = |x - y|`, of which x is not the shorter one. The sign becomes the flag, and with `turn` what is there already
    /// is turned over by it.
    fn difference(&mut self, level: &Level<Self::Location>, numbers: [Words; 3], flag: Flag, turn: bool);

    /// `to = x + y`, of which x is not the shorter one; the carry becomes the flag.
    fn sum(&mut self, level: &Level<Self::Location>, numbers: [Words; 3], carry: Flag);

    /// `to = from`.
    fn copy(&mut self, level: &Level<Self::Location>, to: Words, from: Words);

    /// `to` and `from`, the carry to the end of `to`.
    fn add(&mut self, level: &Level<Self::Location>, to: Words, from: Words, how: Added);

    /// `to = to + 1` where both flags are set.
    fn add_one(&mut self, level: &Level<Self::Location>, to: Words, flags: [Flag; 2]);

    /// Makes the result of the three products of two halves.
    fn recombine(&mut self, level: &Level<Self::Location>, halves: Halves);
}

/// Makes a product.
///
/// # Errors
/// Where a product along a walk is not made.
pub fn product<S: Splits>(to: &mut S, node: &Node, own: &Numbers<S::Location>) -> Result<(), S::Error> {
    let split = match node {
        Node::Walk(walk) => return to.walk(walk, own),
        Node::Square(squaring) => return to.square(squaring, own),
        Node::Split(split) => split,
    };
    let flags = own.frame.plus(own_words::<S>(split) - S::flags(split));
    let level = Level { own: *own, flags, below: own.frame.plus(own_words::<S>(split)) };
    match Halves::of(split) {
        Some(halves) => {
            halves.products(split).into_iter().try_for_each(|one| step(to, one, &level))?;
            to.recombine(&level, halves);
            Ok(())
        }
        None => {
            to.begin(&level);
            plan(split).steps.into_iter().try_for_each(|one| step(to, one, &level))
        }
    }
}

fn step<S: Splits>(made: &mut S, step: Step<'_>, level: &Level<S::Location>) -> Result<(), S::Error> {
    // of both operands the same part is shorter: two signs turned over are none
    let longer_first = |x: Words, y: Words| if x.length < y.length { [y, x] } else { [x, y] };
    match step {
        Step::Multiply { to, x, y, node } => {
            made.keep_flags(level);
            let [result, a, b] = [to, x, y].map(|words| level.own.place(words));
            product(made, node, &Numbers { result, a, b, frame: level.below })?;
        }
        Step::Difference { to, x, y, sign, turn } => {
            let [x, y] = longer_first(x, y);
            made.difference(level, [to, x, y], sign, turn);
        }
        Step::Sum { to, x, y, carry } => {
            let [x, y] = longer_first(x, y);
            made.sum(level, [to, x, y], carry);
        }
        Step::Copy { to, from } => made.copy(level, to, from),
        Step::Add { to, from, subtract } => {
            let how = match subtract {
                Subtract::Never => Added::Plainly,
                Subtract::Always => Added::Subtracted,
                Subtract::Unless(flag) => Added::By(flag),
            };
            made.add(level, to, from, how);
        }
        Step::AddWhere { to, from, flag } => made.add(level, to, from, Added::Where(flag)),
        Step::AddOne { to, flags } => made.add_one(level, to, flags),
    }
    Ok(())
}

/// Words of the frames of a level and of those inside it.
pub fn frame_words<S: Splits>(node: &Node) -> usize {
    let Node::Split(split) = node else { return 0 };
    let inner = split.own.iter().chain(&split.crossed).map(frame_words::<S>);
    own_words::<S>(split) + inner.max().unwrap_or(0)
}

/// Words of a level's own frame: those that the split wants, and its flags.
fn own_words<S: Splits>(split: &Split) -> usize {
    let words = Halves::of(split).map_or_else(|| plan(split).frame, |halves| halves.frame());
    words.next_multiple_of(S::ALIGNMENT) + S::flags(split)
}
