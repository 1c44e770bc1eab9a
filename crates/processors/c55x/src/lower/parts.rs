//! Splits into any parts, equal or not, on top of the products of [`super::karatsuba`]: the plan's steps
//! ([`rhomb_kernel::split::plan`]) one after the other, by products of sums.
//!
//! Equal halves of even size, again and again, are what [`super::karatsuba`] makes faster: here parts may begin at odd
//! words, so that sums are made of single words, three cycles for two of them and one more for each further addend.
//! Sums of both operands lie in the stack, where a dual multiplication that reads them waits a cycle.

use super::code::{Code, store};
use super::karatsuba::{Leaf, Leaves, Places, function};
use super::linear::{Addend, clear, linear_in_turn, minus, plus, steps, then};
use super::location::Location;
use super::multiplication::MOST_WORDS;
use super::scanning::MOST_ROWS;
use crate::instructions::{Ind, Instruction, Mode, Single, Smem, StatusBit};
use rhomb_kernel::split::halves::Halves;
use rhomb_kernel::split::plan::{Flag, Words};
use rhomb_kernel::split::{Node, Pairs, Split};
use rhomb_kernel::{Squaring, Walk};
use rhomb_lower::split::{Added, Level, Numbers as At, Splits, frame_words, product};
use std::convert::Infallible;

/// Words of a split's own cells: a flag, a word 1, the other flag, and one to keep the stack even.
const CELLS: usize = 4;
/// The cell that is 1.
const ONE: usize = 1;

impl rhomb_lower::split::Location for Location {
    fn plus(self, words: usize) -> Location {
        Location::plus(self, words)
    }
}

/// Whether all products are of sums, and all leaves at most so long.
fn is_made(node: &Node, most: usize) -> bool {
    match node {
        Node::Walk(walk) => (1..=most).contains(&walk.words),
        Node::Square(_) => false,
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
    let room = frame_words::<Numbers>(node);
    Some(function(room, &[(0, 5), (1, 6), (2, 7)], leaf, |code, leaves, frame| {
        let at = At { result: Location::of(5), a: Location::of(6), b: Location::of(7), frame };
        let mut numbers = Numbers { code, leaves };
        // all products are made
        let Ok(()) = product(&mut numbers, node, &at);
    }))
}

/// The numbers of splits.
struct Numbers<'a> {
    code: &'a mut Code,
    leaves: &'a mut Leaves,
}

impl Splits for Numbers<'_> {
    type Location = Location;
    type Error = Infallible;
    const ALIGNMENT: usize = 2;

    fn flags(_: &Split) -> usize {
        CELLS
    }

    fn walk(&mut self, walk: &Walk, own: &At<Location>) -> Result<(), Infallible> {
        let At { result, a, b, frame } = *own;
        self.leaves.product(self.code, walk.words, 0, Places { result, a, b, scratch: frame, spare: result });
        Ok(())
    }

    // nor are squares
    fn square(&mut self, _: &Squaring, _: &At<Location>) -> Result<(), Infallible> {
        Ok(())
    }

    fn begin(&mut self, level: &Level<Location>) {
        level.flags.plus(ONE).point(self.code, 3);
        self.code
            .push(Instruction::StoreConstant { value: 1, smem: Smem::Ind(Ind { ar: 3, mode: Mode::Plain }) });
    }

    // products of differences are not made
    fn difference(&mut self, _: &Level<Location>, _: [Words; 3], _: Flag, _: bool) {}

    fn recombine(&mut self, _: &Level<Location>, _: Halves) {}

    fn sum(&mut self, level: &Level<Location>, [to, long, short]: [Words; 3], carry: Flag) {
        let code = &mut *self.code;
        level.own.place(to).point(code, 4);
        level.own.place(long).point(code, 0);
        level.own.place(short).point(code, 1);
        start(code, level);
        code.push(clear(0));
        let both: &[Addend] = &[plus(0), plus(1)];
        let carrier = linear_in_turn(code, short.length, [both, both], 4, 0, false);
        let one = &both[..1];
        let carrier = linear_in_turn(code, long.length - short.length, [one, one], 4, carrier, false);
        flag(level, carry).point(code, 3);
        code.push(store(carrier, 3));
    }

    fn copy(&mut self, level: &Level<Location>, to: Words, from: Words) {
        let code = &mut *self.code;
        let ind = |ar: u8| Ind { ar, mode: Mode::Up };
        level.own.place(from).point(code, 0);
        level.own.place(to).point(code, 1);
        code.repeat(Instruction::Copy { from: ind(0), to: ind(1) }, from.length);
    }

    fn add(&mut self, level: &Level<Location>, to: Words, from: Words, how: Added) {
        let two = match how {
            Added::Plainly => [plus(0), plus(1)],
            // signs are those of differences
            Added::Subtracted | Added::By(_) => [plus(0), minus(1)],
            Added::Where(flag) => {
                let (there, back) = if flag == 0 { (Mode::Down, Mode::Up) } else { (Mode::Up, Mode::Down) };
                [then(plus(0), there), then(plus(1), back)]
            }
        };
        run(self.code, level, [to, from], two);
    }

    fn add_one(&mut self, level: &Level<Location>, to: Words, _: [Flag; 2]) {
        let code = &mut *self.code;
        // AR2 may be lost there
        start(code, level);
        level.own.place(to).point(code, 0);
        level.own.place(to).point(code, 4);
        flag(level, 0).point(code, 1);
        flag(level, 1).point(code, 2);
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

/// A flag's cell: they stand on both sides of the 1.
fn flag(level: &Level<Location>, flag: Flag) -> Location {
    level.flags.plus(2 * flag)
}

/// CDP at the 1, and what `linear_in_turn` wants; AC0 is what is carried in.
fn start(code: &mut Code, level: &Level<Location>) {
    level.flags.plus(ONE).point(code, 8);
    steps(code);
}

/// `to` changed by `from`, what is carried to its end.
fn run(code: &mut Code, level: &Level<Location>, [to, from]: [Words; 2], two: [Addend; 2]) {
    level.own.place(to).point(code, 0);
    level.own.place(from).point(code, 1);
    level.own.place(to).point(code, 4);
    start(code, level);
    code.push(Instruction::Status { bit: StatusBit::Sxmd, set: true });
    code.push(clear(0));
    let carrier = linear_in_turn(code, from.length, [&two, &two], 4, 0, true);
    linear_in_turn(code, to.length - from.length, [&[plus(0)], &[plus(0)]], 4, carrier, true);
    code.push(Instruction::Status { bit: StatusBit::Sxmd, set: false });
}
