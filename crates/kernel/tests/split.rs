//! Splits of all kinds, carried out on numbers, are multiplications.

use rhomb_kernel::split::halves::{Action, Block, Chain, Halves, SIGN};
use rhomb_kernel::split::plan::{Array, Plan, Step, Subtract, Words, plan};
use rhomb_kernel::split::{Cut, Node, Pairs};
use rhomb_kernel::{Form, Operation, Parameters, Shape, Squaring, Task, Walk, method};
use std::collections::HashMap;

/// Words have so many bits: few, so that carries are frequent.
const BITS: u32 = 3;
const MASK: u64 = (1 << BITS) - 1;

fn walk(words: usize) -> Walk {
    method(Operation::Mul, "product-scanning").unwrap().walk(words, &Parameters::default()).unwrap()
}

fn square(words: usize) -> Squaring {
    let shape = Shape { form: Form::Unrolled, words, parameters: &Parameters::default() };
    match method(Operation::Sqr, "product-scanning").and_then(|method| method.task(&shape)) {
        Some(Task::Squaring(squaring)) => squaring,
        other => panic!("{other:?}"),
    }
}

/// The product along a walk: its products, each in its column.
fn along(walk: &Walk, a: &[u64], b: &[u64]) -> Vec<u64> {
    let mut columns = vec![0; 2 * walk.words];
    walk.products().for_each(|product| columns[product.column()] += a[product.i] * b[product.j]);
    let mut carry = 0;
    for column in &mut columns {
        (*column, carry) = ((*column + carry) & MASK, (*column + carry) >> BITS);
    }
    assert_eq!(carry, 0);
    columns
}

/// The square: products of different words twice, and the squares of words.
fn squared(squaring: &Squaring, a: &[u64]) -> Vec<u64> {
    let mut columns = vec![0; 2 * squaring.words];
    let segments = squaring.rows.iter().flat_map(|row| &row.segments);
    for product in segments.flat_map(|segment| &segment.products) {
        columns[product.column()] += 2 * a[product.i] * a[product.j];
    }
    a.iter().enumerate().for_each(|(index, word)| columns[2 * index] += word * word);
    let mut carry = 0;
    for column in &mut columns {
        (*column, carry) = ((*column + carry) & MASK, (*column + carry) >> BITS);
    }
    assert_eq!(carry, 0);
    columns
}

struct Machine<'a> {
    arrays: HashMap<Array, Vec<Option<u64>>>,
    flags: Vec<Option<bool>>,
    plan: Plan<'a>,
}

impl Machine<'_> {
    /// The words, with zeros above; what was never written cannot be read.
    fn read(&self, words: Words, length: usize) -> Vec<u64> {
        let stored = &self.arrays[&words.array][words.at..words.at + words.length];
        let mut list: Vec<u64> = stored.iter().map(|word| word.expect("it was written")).collect();
        assert!(list.len() <= length);
        list.resize(length, 0);
        list
    }

    fn write(&mut self, to: Words, value: &[u64]) {
        assert_eq!(to.length, value.len());
        let array = self.arrays.get_mut(&to.array).expect("an array");
        array[to.at..to.at + to.length].iter_mut().zip(value).for_each(|(word, new)| *word = Some(*new));
    }

    fn flag(&self, flag: usize) -> bool {
        self.flags[flag].expect("it was set")
    }

    fn run(&mut self) {
        for step in self.plan.steps.clone() {
            self.step(&step);
        }
    }

    fn step(&mut self, step: &Step) {
        match *step {
            Step::Multiply { to, x, y, node } => {
                let words = node.words();
                assert_eq!((x.length, y.length, to.length), (words, words, 2 * words));
                let value = multiply(node, &self.read(x, words), &self.read(y, words));
                self.write(to, &value);
            }
            Step::Difference { to, x, y, sign, turn } => {
                let (x, y) = (self.read(x, to.length), self.read(y, to.length));
                let less = x.iter().rev().lt(y.iter().rev());
                let (x, y) = if less { (y, x) } else { (x, y) };
                let (value, borrow) = add(&x, &y, true);
                assert!(!borrow);
                self.write(to, &value);
                self.flags[sign] = Some(if turn { self.flag(sign) != less } else { less });
            }
            Step::Sum { to, x, y, carry } => {
                let (value, out) = add(&self.read(x, to.length), &self.read(y, to.length), false);
                self.write(to, &value);
                self.flags[carry] = Some(out);
            }
            Step::Copy { to, from } => {
                let value = self.read(from, to.length);
                self.write(to, &value);
            }
            Step::Add { to, from, subtract } => {
                let subtract = match subtract {
                    Subtract::Never => false,
                    Subtract::Always => true,
                    Subtract::Unless(flag) => !self.flag(flag),
                };
                let (value, _) = add(&self.read(to, to.length), &self.read(from, to.length), subtract);
                self.write(to, &value);
            }
            Step::AddWhere { to, from, flag } => {
                let from = if self.flag(flag) { self.read(from, to.length) } else { vec![0; to.length] };
                let (value, _) = add(&self.read(to, to.length), &from, false);
                self.write(to, &value);
            }
            Step::AddOne { to, flags } => {
                let mut one = vec![0; to.length];
                one[0] = u64::from(flags.into_iter().all(|flag| self.flag(flag)));
                let (value, _) = add(&self.read(to, to.length), &one, false);
                self.write(to, &value);
            }
        }
    }
}

/// Sum or difference, and its carry.
fn add(x: &[u64], y: &[u64], subtract: bool) -> (Vec<u64>, bool) {
    let mut carry = u64::from(subtract);
    let word = |(x, y): (&u64, &u64)| {
        let sum = x + if subtract { MASK - y } else { *y } + carry;
        carry = sum >> BITS;
        sum & MASK
    };
    let value = x.iter().zip(y).map(word).collect();
    (value, (carry == 1) != subtract)
}

fn multiply(node: &Node, a: &[u64], b: &[u64]) -> Vec<u64> {
    let split = match node {
        Node::Walk(walk) => return along(walk, a, b),
        Node::Square(squaring) => {
            assert_eq!(a, b);
            return squared(squaring, a);
        }
        Node::Split(split) => split,
    };
    let plan = plan(split);
    let given = |words: &[u64]| words.iter().copied().map(Some).collect::<Vec<_>>();
    let arrays = HashMap::from([
        (Array::A, given(a)),
        // a square has one operand
        (Array::B, if split.is_square() { Vec::new() } else { given(b) }),
        (Array::Result, vec![None; 2 * a.len()]),
        (Array::Frame, vec![None; plan.frame]),
    ]);
    let mut machine = Machine { arrays, flags: vec![None; plan.flags], plan };
    machine.run();
    machine.read(Words { array: Array::Result, at: 0, length: 2 * a.len() }, 2 * a.len())
}

fn value(words: &[u64]) -> u128 {
    words.iter().rev().fold(0, |value, word| value << BITS | u128::from(*word))
}

/// Numbers by turns of all words 0, all ones, and pseudo-random ones.
fn numbers(words: usize) -> Vec<Vec<u64>> {
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    let mut list = vec![vec![0; words], vec![MASK; words]];
    for round in 0..8 {
        let word =
            |value: u64| if round < 4 { [0, MASK][value as usize >> 9 & 1] } else { value >> 9 & MASK };
        list.push((0..words).map(|_| word(next())).collect());
    }
    list
}

fn check(words: usize, levels: usize, cut: &Cut, pairs: Pairs) {
    let node = Node::new(words, levels, cut, pairs, &walk);
    assert_eq!(node.words(), words);
    for a in numbers(words) {
        for b in numbers(words) {
            let product = multiply(&node, &a, &b);
            assert_eq!(value(&product), value(&a) * value(&b), "{words} {levels} {cut:?} {pairs:?}");
        }
    }
    let node = Node::new(words, levels, cut, pairs, &square);
    assert!(node.is_square() && node.words() == words);
    for a in numbers(words) {
        let product = multiply(&node, &a, &a);
        assert_eq!(value(&product), value(&a) * value(&a), "{words} {levels} {cut:?} {pairs:?}");
    }
}

#[test]
fn splits_of_all_kinds_multiply() {
    for pairs in [Pairs::Subtractive, Pairs::Additive] {
        for words in 1..=21 {
            for levels in 0..=4 {
                check(words, levels, &Cut::Balanced(2), pairs);
            }
        }
        for words in [2, 3, 7, 12, 20] {
            for parts in 2..=5 {
                check(words, 1, &Cut::Balanced(parts), pairs);
                check(words, 2, &Cut::Balanced(parts), pairs);
            }
            for ratio in [vec![1, 3], vec![3, 1], vec![1, 1, 2], vec![1, 1, 2, 4], vec![1, 1, 1, 1, 4]] {
                check(words, 1, &Cut::Ratio(ratio.clone()), pairs);
                check(words, 2, &Cut::Ratio(ratio), pairs);
            }
        }
    }
}

/// The product by blocks of at most `most` words, as straight-line code of processors makes it.
fn multiply_by_blocks(node: &Node, a: &[u64], b: &[u64], most: usize) -> Vec<u64> {
    let split = match node {
        Node::Walk(walk) => return along(walk, a, b),
        Node::Square(_) => panic!("of products"),
        Node::Split(split) => split,
    };
    let halves = Halves::of(split).expect("two halves");
    let given = |words: &[u64]| words.iter().copied().map(Some).collect::<Vec<_>>();
    let arrays = HashMap::from([
        (Array::A, given(a)),
        (Array::B, given(b)),
        (Array::Result, vec![None; 2 * a.len()]),
        (Array::Frame, vec![None; halves.frame()]),
    ]);
    let plan = Plan { steps: halves.products(split), frame: halves.frame(), flags: 1 };
    let mut machine = Machine { arrays, flags: vec![None], plan };
    for step in machine.plan.steps.clone() {
        match step {
            Step::Multiply { to, x, y, node } => {
                let (x, y) = (machine.read(x, x.length), machine.read(y, y.length));
                machine.write(to, &multiply_by_blocks(node, &x, &y, most));
            }
            step => machine.step(&step),
        }
    }
    let subtracted = u64::from(!machine.flag(SIGN));
    let mut blocks = HashMap::from([(Block::X, vec![]), (Block::Y, vec![])]);
    let mut carries = HashMap::from([(Chain::High, 0), (Chain::Sum, 0), (Chain::Middle, subtracted)]);
    let mut extension: Option<i64> = None;
    for action in halves.recombination(most) {
        let (x, y) = (blocks[&Block::X].clone(), blocks[&Block::Y].clone());
        let mut chain = |chain: Chain, x: &[u64], y: &[u64]| {
            let mut carry = carries[&chain];
            let add = |(x, y): (&u64, &u64)| {
                let sum = x + y + carry;
                carry = sum >> BITS;
                sum & MASK
            };
            let sums: Vec<u64> = x.iter().zip(y).map(add).collect();
            carries.insert(chain, carry);
            sums
        };
        match action {
            Action::Load { to, from } => {
                assert!(from.length <= most.max(2));
                blocks.insert(to, machine.read(from, from.length));
            }
            Action::Store { from, to } => machine.write(to, &blocks[&from].clone()),
            Action::Clear { length } => {
                blocks.insert(Block::Y, vec![0; length]);
            }
            Action::Complement => {
                blocks.insert(Block::Y, y.iter().map(|word| word ^ (subtracted * MASK)).collect());
            }
            Action::Add(which) => {
                assert_eq!(x.len(), y.len());
                blocks.insert(Block::X, chain(which, &x, &y));
            }
            Action::Carry(which) => {
                blocks.insert(Block::Y, chain(which, &vec![0; y.len()], &y));
            }
            Action::Extend => {
                assert_eq!(carries[&Chain::High], 0);
                let number = (carries[&Chain::Sum] + carries[&Chain::Middle]) as i64 - subtracted as i64;
                assert!((-1..=1).contains(&number));
                extension = Some(number);
            }
            Action::AddExtension => {
                let mut carry = extension.expect("it was made");
                let add = |word: &u64| {
                    let sum = *word as i64 + carry;
                    carry = sum >> BITS;
                    (sum & MASK as i64) as u64
                };
                blocks.insert(Block::X, x.iter().map(add).collect());
                extension = Some(carry);
            }
        }
    }
    machine.read(Words { array: Array::Result, at: 0, length: 2 * a.len() }, 2 * a.len())
}

#[test]
fn halves_by_blocks_multiply() {
    for words in 1..=21 {
        for levels in 0..=3 {
            let node = Node::new(words, levels, &Cut::Balanced(2), Pairs::Subtractive, &walk);
            for most in [2, 3, 4, 7] {
                for (a, b) in
                    numbers(words).iter().flat_map(|a| numbers(words).into_iter().map(move |b| (a, b)))
                {
                    let product = multiply_by_blocks(&node, a, &b, most);
                    assert_eq!(value(&product), value(a) * value(&b), "{words} {levels} {most}");
                }
            }
        }
    }
}

#[test]
fn parts_make_the_whole_and_are_balanced() {
    for words in 2..100 {
        for parts in 2..=7.min(words) {
            let lengths = Cut::Balanced(parts).lengths(words).unwrap();
            assert_eq!(lengths.iter().sum::<usize>(), words);
            assert!(lengths[0] - lengths[parts - 1] <= 1 && lengths.is_sorted_by(|x, y| x >= y));
        }
    }
    assert_eq!(Cut::Ratio(vec![1, 1, 2]).lengths(64), Some(vec![16, 16, 32]));
    assert_eq!(Cut::Ratio(vec![1, 7]).lengths(3), Some(vec![1, 2]));
    assert_eq!((Cut::Balanced(3).lengths(2), Cut::Balanced(1).lengths(5)), (None, None));
}

/// Multiplications of words along the walks, which no split needs more of than the classical method.
#[test]
fn karatsuba_of_n_levels_has_three_quarters_of_the_products_for_each() {
    fn products(node: &Node) -> usize {
        match node {
            Node::Walk(walk) => walk.products().count(),
            Node::Square(_) => 0,
            Node::Split(split) => split.own.iter().chain(&split.crossed).map(products).sum(),
        }
    }
    for levels in 0..5 {
        let node = Node::new(32, levels, &Cut::Balanced(2), Pairs::Subtractive, &walk);
        assert_eq!(products(&node) * 4usize.pow(levels as u32), 1024 * 3usize.pow(levels as u32));
        assert_eq!(node.walks().len(), 1);
    }
}
