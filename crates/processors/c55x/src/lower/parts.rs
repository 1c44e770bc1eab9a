//! Splits into any parts, equal or not, on top of the products of [`super::karatsuba`]: the plan's steps
//! ([`rhomb_kernel::split::plan`]) one after the other, by products of sums.
//!
//! Equal halves of even size, again and again, are what [`super::karatsuba`] makes faster: here parts may begin at odd
//! words, so that sums are made of single words, three cycles for two of them and one more for each further addend.
//! Sums of both operands lie in the stack, where a dual multiplication that reads them waits a cycle.

use super::code::{Code, store};
use super::karatsuba::{Leaf, Leaves, Places, function};
use super::linear::{Addend, clear, linear_in_turn, minus, plus, steps, then};
use super::multiplication::MOST_WORDS;
use super::place::Place;
use super::scanning::MOST_ROWS;
use crate::instructions::{Ind, Instruction, Mode, Single, Smem, StatusBit};
use rhomb_kernel::split::plan::{Array, Step, Subtract, Words, plan};
use rhomb_kernel::split::{Node, Pairs, Split};

/// Words of a split's own cells: a flag, a word 1, the other flag, and one to keep the stack even.
const CELLS: usize = 4;
/// The cell that is 1.
const ONE: usize = 1;

/// Where a product's numbers lie.
#[derive(Clone, Copy, Debug)]
struct At {
    result: Place,
    a: Place,
    b: Place,
    /// The frames of this split and of those below.
    frame: Place,
}

impl At {
    fn words(&self, words: Words) -> Place {
        let base = match words.array {
            Array::Result => self.result,
            Array::A => self.a,
            Array::B => self.b,
            Array::Frame => self.frame,
        };
        base.plus(words.at)
    }
}

/// Words of stack.
fn frame_words(node: &Node) -> usize {
    let Node::Split(split) = node else { return 0 };
    let below = split.own.iter().chain(&split.crossed).map(frame_words).max().unwrap_or(0);
    own_words(split) + below
}

fn own_words(split: &Split) -> usize {
    plan(split).frame.next_multiple_of(2) + CELLS
}

/// Whether all products are of sums, and all leaves at most so long.
fn is_made(node: &Node, most: usize) -> bool {
    match node {
        Node::Walk(walk) => (1..=most).contains(&walk.words),
        Node::Split(split) => {
            split.pairs == Pairs::Additive
                && split.own.iter().chain(&split.crossed).all(|part| is_made(part, most))
        }
    }
}

/// The levels of a product that is split into equal halves of even size all the way down.
fn halves(node: &Node) -> Option<u32> {
    let Node::Split(split) = node else { return Some(0) };
    let [low, high] = *split.lengths.as_slice() else { return None };
    let mut below = split.own.iter().chain(&split.crossed).map(halves);
    let levels = below.next()??;
    (low == high && low.is_multiple_of(2) && below.all(|other| other == Some(levels))).then_some(levels + 1)
}

/// A function `r = a * b`, split so: XAR0, XAR1, XAR2. `None` for products of differences, and for parts whose columns do
/// not fit the accumulator. Walks say nothing but their size.
pub fn parts_multiplication(node: &Node, leaf: Leaf) -> Option<Code> {
    let most = match leaf {
        Leaf::Columns => MOST_WORDS,
        Leaf::Rows => MOST_ROWS,
    };
    if !is_made(node, most) {
        return None;
    }
    if let Some(levels @ 1..) = halves(node)
        && let Some(code) = super::karatsuba::split_multiplication(node.words(), levels, leaf)
    {
        return Some(code);
    }
    let room = frame_words(node);
    Some(function(room, &[(0, 5), (1, 6), (2, 7)], leaf, |code, leaves, frame| {
        let at = At { result: Place::of(5), a: Place::of(6), b: Place::of(7), frame };
        multiply(code, leaves, node, at);
    }))
}

fn multiply(code: &mut Code, leaves: &mut Leaves, node: &Node, at: At) {
    let split = match node {
        Node::Walk(walk) => {
            let At { result, a, b, frame } = at;
            return leaves.product(
                code,
                walk.words,
                0,
                Places { result, a, b, scratch: frame, spare: result },
            );
        }
        Node::Split(split) => split,
    };
    let own = own_words(split);
    let numbers = Numbers { at, cells: at.frame.plus(own - CELLS) };
    numbers.cells.plus(ONE).point(code, 3);
    code.push(Instruction::StoreConstant { value: 1, smem: Smem::Ind(Ind { ar: 3, mode: Mode::Plain }) });
    for step in plan(split).steps {
        match step {
            Step::Multiply { to, x, y, node } => {
                let [result, a, b] = [to, x, y].map(|words| at.words(words));
                multiply(code, leaves, node, At { result, a, b, frame: at.frame.plus(own) });
            }
            // products of differences are not made
            Step::Difference { .. } => {}
            Step::Sum { to, x, y, carry } => numbers.sum(code, to, [x, y], carry),
            Step::Copy { to, from } => numbers.copy(code, to, from),
            Step::Add { to, from, subtract } => numbers.add(code, to, from, subtract),
            Step::AddWhere { to, from, flag } => numbers.add_where(code, to, from, flag),
            Step::AddOne { to, .. } => numbers.add_one(code, to),
        }
    }
}

/// The numbers of one split.
struct Numbers {
    at: At,
    cells: Place,
}

impl Numbers {
    /// A flag's cell: they stand on both sides of the 1.
    fn flag(&self, flag: usize) -> Place {
        self.cells.plus(2 * flag)
    }

    /// CDP at the 1, and what `linear_in_turn` wants; AC0 is what is carried in.
    fn begin(&self, code: &mut Code) {
        self.cells.plus(ONE).point(code, 8);
        steps(code);
    }

    fn sum(&self, code: &mut Code, to: Words, [x, y]: [Words; 2], carry: usize) {
        let (long, short) = if x.length < y.length { (y, x) } else { (x, y) };
        self.at.words(to).point(code, 4);
        self.at.words(long).point(code, 0);
        self.at.words(short).point(code, 1);
        self.begin(code);
        code.push(clear(0));
        let both: &[Addend] = &[plus(0), plus(1)];
        let carrier = linear_in_turn(code, short.length, [both, both], 4, 0, false);
        let one = &both[..1];
        let carrier = linear_in_turn(code, long.length - short.length, [one, one], 4, carrier, false);
        self.flag(carry).point(code, 3);
        code.push(store(carrier, 3));
    }

    fn copy(&self, code: &mut Code, to: Words, from: Words) {
        let ind = |ar: u8| Ind { ar, mode: Mode::Up };
        self.at.words(from).point(code, 0);
        self.at.words(to).point(code, 1);
        code.repeat(Instruction::Copy { from: ind(0), to: ind(1) }, from.length);
    }

    fn add(&self, code: &mut Code, to: Words, from: Words, subtract: Subtract) {
        let second = match subtract {
            Subtract::Never => plus(1),
            // signs are those of differences
            Subtract::Always | Subtract::Unless(_) => minus(1),
        };
        self.run(code, to, from, [plus(0), second]);
    }

    fn add_where(&self, code: &mut Code, to: Words, from: Words, flag: usize) {
        let (there, back) = if flag == 0 { (Mode::Down, Mode::Up) } else { (Mode::Up, Mode::Down) };
        self.run(code, to, from, [then(plus(0), there), then(plus(1), back)]);
    }

    /// `to` changed by `from`, what is carried to its end.
    fn run(&self, code: &mut Code, to: Words, from: Words, two: [Addend; 2]) {
        self.at.words(to).point(code, 0);
        self.at.words(from).point(code, 1);
        self.at.words(to).point(code, 4);
        self.begin(code);
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: true });
        code.push(clear(0));
        let carrier = linear_in_turn(code, from.length, [&two, &two], 4, 0, true);
        linear_in_turn(code, to.length - from.length, [&[plus(0)], &[plus(0)]], 4, carrier, true);
        code.push(Instruction::Status { bit: StatusBit::Sxmd, set: false });
    }

    /// `to` and 1 where both flags are set.
    fn add_one(&self, code: &mut Code, to: Words) {
        // AR2 may be lost there
        self.begin(code);
        self.at.words(to).point(code, 0);
        self.at.words(to).point(code, 4);
        self.flag(0).point(code, 1);
        self.flag(1).point(code, 2);
        let [x, y] = [1, 2].map(|ar| Ind { ar, mode: Mode::Plain });
        code.push(Instruction::Product {
            op: Single::Mpy,
            x,
            y,
            unsigned_x: true,
            unsigned_y: true,
            src: 0,
            dst: 0,
        });
        linear_in_turn(code, to.length, [&[plus(0)], &[plus(0)]], 4, 0, false);
    }
}
