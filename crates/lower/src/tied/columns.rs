//! Words that wait in columns, along a walk.

use super::Setting;
use super::line::Writer;
use rhomb_line::{Array, Line};

/// A word by its number.
pub(super) type Word = u16;

/// Where a word is beside its register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Home {
    /// Nowhere.
    Nowhere,
    /// In an operand: which argument, which word.
    Operand(u8, u16),
    /// It is a number.
    Number(u32),
}

/// What is done, before registers.
#[derive(Clone, Copy, Debug)]
pub(super) enum Op {
    Product {
        factors: [Word; 2],
        to: [Word; 2],
    },
    /// Takes the words, which nothing else reads.
    Accumulate {
        factors: [Word; 2],
        words: [Word; 2],
        to: [Word; 2],
    },
    Sum {
        x: Word,
        y: Option<Word>,
        to: Word,
        carry_in: bool,
        carry_out: bool,
    },
    Difference {
        x: Word,
        y: Option<Word>,
        to: Word,
        borrow_in: bool,
        borrow_out: bool,
    },
    /// All ones where there is a borrow.
    Spread {
        to: Word,
    },
    Low {
        factors: [Word; 2],
        to: Word,
    },
    Mask {
        x: Word,
        to: Word,
        bits: u32,
    },
    And {
        words: [Word; 2],
        to: Word,
    },
    Negate {
        x: Word,
        to: Word,
    },
    Not {
        x: Word,
        to: Word,
    },
    /// Up by so many bits, or down.
    Shift {
        x: Word,
        to: Word,
        up: bool,
        by: u32,
    },
    Store {
        word: Word,
        index: u16,
    },
}

impl Op {
    pub(super) fn reads(&self) -> ([Word; 4], usize) {
        match *self {
            Op::Product { factors: [x, y], .. } => ([x, y, 0, 0], 2),
            Op::Accumulate { factors: [x, y], words: [low, high], .. } => ([low, high, x, y], 4),
            Op::Spread { .. } => ([0; 4], 0),
            Op::Sum { x, y: Some(y), .. }
            | Op::Difference { x, y: Some(y), .. }
            | Op::Low { factors: [x, y], .. }
            | Op::And { words: [x, y], .. } => ([x, y, 0, 0], 2),
            Op::Sum { x, y: None, .. }
            | Op::Difference { x, y: None, .. }
            | Op::Mask { x, .. }
            | Op::Negate { x, .. }
            | Op::Not { x, .. }
            | Op::Shift { x, .. } => ([x, 0, 0, 0], 1),
            Op::Store { word, .. } => ([word, 0, 0, 0], 1),
        }
    }

    fn makes(&self) -> ([Word; 2], usize) {
        match *self {
            Op::Product { to, .. } | Op::Accumulate { to, .. } => (to, 2),
            Op::Sum { to, .. }
            | Op::Difference { to, .. }
            | Op::Spread { to }
            | Op::Low { to, .. }
            | Op::Mask { to, .. }
            | Op::And { to, .. }
            | Op::Negate { to, .. }
            | Op::Not { to, .. }
            | Op::Shift { to, .. } => ([to, 0], 1),
            Op::Store { .. } => ([0; 2], 0),
        }
    }

    /// Whether it takes a carry or borrow.
    fn takes_carry(&self) -> bool {
        match *self {
            Op::Sum { carry_in, .. } => carry_in,
            Op::Difference { borrow_in, .. } => borrow_in,
            Op::Spread { .. } => true,
            _ => false,
        }
    }

    /// Whether it leaves one for others; nothing where it does not touch it.
    fn leaves_carry(&self) -> Option<bool> {
        match *self {
            Op::Sum { carry_in, carry_out, .. } => (carry_in || carry_out).then_some(carry_out),
            Op::Difference { borrow_in, borrow_out, .. } => (borrow_in || borrow_out).then_some(borrow_out),
            Op::Spread { .. } => Some(false),
            _ => None,
        }
    }

    /// Whether it does either.
    fn has_carry(&self) -> bool {
        self.leaves_carry().is_some()
    }
}

/// A draft in words.
#[derive(Clone, Debug, Default)]
pub(super) struct Draft {
    pub(super) ops: Vec<Op>,
    pub(super) homes: Vec<Home>,
    /// Whether the result may lie where an operand does.
    pub(super) shared: bool,
}

impl Draft {
    pub(super) fn word(&mut self, home: Home) -> Word {
        self.homes.push(home);
        (self.homes.len() - 1) as Word
    }

    fn operand(&mut self, argument: u8, words: usize) -> Vec<Word> {
        (0..words).map(|index| self.word(Home::Operand(argument, index as u16))).collect()
    }

    fn pair(&mut self) -> [Word; 2] {
        [self.word(Home::Nowhere), self.word(Home::Nowhere)]
    }

    pub(super) fn accumulate(&mut self, factors: [Word; 2], words: [Word; 2]) -> [Word; 2] {
        let to = self.pair();
        self.ops.push(Op::Accumulate { factors, words, to });
        to
    }

    /// Numbers that have nothing but operands in common are made by turns, as products touch no carry: what a chain of carries reads goes
    /// before what is to read the same words, so that they are loaded once.
    fn interleave(&mut self) {
        let owners = self.owners();
        let of = |op: &Op| {
            let ((reads, count), (makes, made)) = (op.reads(), op.makes());
            let mut words = makes[..made].iter().chain(&reads[..count]);
            words.find(|word| self.is_made(**word)).map(|word| owners[usize::from(*word)])
        };
        // the number of most carries
        let carries =
            |owner: &usize| self.ops.iter().filter(|op| op.has_carry() && of(op) == Some(*owner)).count();
        let Some(chained) = owners.iter().copied().max_by_key(carries) else { return };
        let (chain, base): (Vec<Op>, Vec<Op>) = self.ops.iter().partition(|op| of(op) == Some(chained));
        let operands = |op: &Op| {
            let (reads, count) = op.reads();
            let is_operand = |word: &Word| matches!(self.homes[usize::from(*word)], Home::Operand(..));
            reads[..count].iter().copied().filter(is_operand).collect::<Vec<Word>>()
        };
        let mut chain = chain.into_iter().peekable();
        let mut ops = Vec::with_capacity(self.ops.len());
        let mut known = Vec::new();
        // whether a carry is there that is still to be taken
        let (mut of_base, mut of_chain) = (false, false);
        for op in base {
            known.extend(operands(&op));
            while let Some(next) = chain.next_if(|next| {
                let read = operands(next);
                !of_base && !read.is_empty() && read.iter().all(|word| known.contains(word))
            }) {
                of_chain = next.leaves_carry().unwrap_or(of_chain);
                ops.push(next);
            }
            if op.has_carry() && of_chain {
                return;
            }
            of_base = op.leaves_carry().unwrap_or(of_base);
            ops.push(op);
        }
        ops.extend(chain);
        self.ops = ops;
    }

    /// Whether an operation makes a word.
    fn is_made(&self, word: Word) -> bool {
        matches!(self.homes[usize::from(word)], Home::Nowhere)
    }

    /// For each word that is made the first one of those with which it is made, directly or by a carry.
    fn owners(&self) -> Vec<usize> {
        let mut owners: Vec<usize> = (0..self.homes.len()).collect();
        let mut carried = None;
        for op in &self.ops {
            let ((reads, count), (makes, made)) = (op.reads(), op.makes());
            let words = reads[..count].iter().chain(&makes[..made]).filter(|word| self.is_made(**word));
            let words = words.map(|word| usize::from(*word)).chain(carried.filter(|_| op.takes_carry()));
            let all: Vec<usize> = words.map(|word| owners[word]).collect();
            let Some(least) = all.iter().copied().min() else { continue };
            owners.iter_mut().filter(|own| all.contains(own)).for_each(|own| *own = least);
            if op.has_carry() {
                carried = makes[..made].first().map(|word| usize::from(*word));
            }
        }
        owners
    }

    pub(super) fn product(&mut self, factors: [Word; 2]) -> [Word; 2] {
        let to = self.pair();
        self.ops.push(Op::Product { factors, to });
        to
    }
}

/// Columns of words that wait.
struct Columns<'a> {
    waiting: Vec<Vec<Word>>,
    /// Products that are still to come.
    left: Vec<usize>,
    /// Whether a product began anew.
    begun: Vec<bool>,
    /// Whether one may do so where a word waits.
    anew: &'a [bool],
}

impl<'a> Columns<'a> {
    fn new(columns: usize, products: impl Iterator<Item = (u8, u8)>, anew: &'a [bool]) -> Self {
        let mut left = vec![0; columns + 1];
        products.for_each(|(i, j)| left[usize::from(i) + usize::from(j)] += 1);
        Columns { waiting: vec![Vec::new(); columns + 1], left, begun: vec![false; columns + 1], anew }
    }

    fn product(&mut self, draft: &mut Draft, column: usize, factors: [Word; 2]) {
        self.left[column] -= 1;
        let words = &mut self.waiting[column];
        let anew = self.anew[column] && !self.begun[column] && self.left[column] > 0;
        let [low, high] = match words[..] {
            [one, other, ..] => {
                words.drain(..2);
                draft.accumulate(factors, [one, other])
            }
            [one] if !anew => {
                words.clear();
                let zero = draft.word(Home::Number(0));
                draft.accumulate(factors, [one, zero])
            }
            _ => {
                self.begun[column] = true;
                draft.product(factors)
            }
        };
        self.waiting[column].push(low);
        self.waiting[column + 1].push(high);
    }

    /// Whether no product will add to a column any more.
    fn is_final(&self, column: usize) -> bool {
        self.left[column] == 0 && (column == 0 || self.left[column - 1] == 0)
    }
}

/// What becomes of the words of a product.
#[derive(Clone, Copy)]
pub(super) enum Then<'a> {
    /// They are stored.
    Stored,
    /// They are A of a line, whose result may lie where an operand does.
    Line(&'a Line),
}

/// The words of a product that are final, and who takes them.
struct Done<'a> {
    words: Vec<Word>,
    line: Option<Writer<'a>>,
}

impl<'a> Done<'a> {
    fn new(then: Then<'a>, setting: &'a Setting, draft: &mut Draft) -> Self {
        let line = match then {
            Then::Stored => None,
            Then::Line(line) => Some(Writer::new(line, Vec::new(), setting)),
        };
        draft.shared = line.is_some();
        Done { words: Vec::new(), line }
    }

    /// The next word is final.
    fn push(&mut self, draft: &mut Draft, word: Word) -> Option<()> {
        self.words.push(word);
        match &mut self.line {
            Some(line) => line.advance(draft, &self.words)?,
            None => draft.ops.push(Op::Store { word, index: self.words.len() as u16 - 1 }),
        }
        Some(())
    }

    /// Whether there are so many, and all was done with them.
    fn is_all(&self, count: usize) -> bool {
        self.words.len() == count && self.line.as_ref().is_none_or(Writer::is_done)
    }
}

/// A product of two numbers of so many words, by the products of words in this order. Nothing where a column ends with more than
/// one word.
pub(super) fn multiplication(
    words: usize,
    (order, anew): (&[(u8, u8)], &[bool]),
    then: Then<'_>,
    setting: &Setting,
) -> Option<Draft> {
    let mut draft = Draft::default();
    let (a, b) = (draft.operand(1, words), draft.operand(2, words));
    let mut columns = Columns::new(2 * words, order.iter().copied(), anew);
    let mut done = Done::new(then, setting, &mut draft);
    for (i, j) in order {
        let (i, j) = (usize::from(*i), usize::from(*j));
        columns.product(&mut draft, i + j, [a[i], b[j]]);
        while done.words.len() < 2 * words && columns.is_final(done.words.len()) {
            let [word] = columns.waiting[done.words.len()][..] else { return None };
            done.push(&mut draft, word)?;
        }
    }
    done.is_all(2 * words).then_some(draft)
}

/// A line of two operands that no product stands before. Nothing where it does what is not made here, or stores a word of the
/// result before it has read that of an operand, in whose place it may lie.
pub(super) fn alone(line: &Line, setting: &Setting) -> Option<Draft> {
    let [count, others @ ..] = Array::ARGUMENTS.map(|array| line.words(array));
    // what is longer than the operands is no result in their place
    let mut draft = Draft { shared: others.iter().all(|own| count <= *own), ..Draft::default() };
    let [a, b] = [(1, others[0]), (2, others[1])].map(|(own, words)| draft.operand(own, words));
    let mut writer = Writer::new(line, b, setting);
    writer.advance(&mut draft, &a)?;
    draft.interleave();
    let mut stored = Vec::new();
    for op in &draft.ops {
        let (reads, count) = op.reads();
        let is_late = |word: &Word| match draft.homes[usize::from(*word)] {
            Home::Operand(_, index) => stored.contains(&index),
            Home::Nowhere | Home::Number(_) => false,
        };
        if reads[..count].iter().any(is_late) {
            return None;
        }
        if let Op::Store { index, .. } = op {
            stored.push(*index);
        }
    }
    writer.is_done().then_some(draft)
}

/// A square, where pairs of equal numbers in the order are the squares of words. Each column's mixed products are summed
/// first, and added to the square's word with what came out below by one more product, with 2, which no carry leaves.
pub(super) fn squaring(
    words: usize,
    (order, anew): (&[(u8, u8)], &[bool]),
    then: Then<'_>,
    setting: &Setting,
) -> Option<Draft> {
    let mut draft = Draft::default();
    let a = draft.operand(1, words);
    let two = draft.word(Home::Number(2));
    let mixed = order.iter().copied().filter(|(i, j)| i != j);
    let mut columns = Columns::new(2 * words, mixed, anew);
    let mut squares: Vec<Option<Word>> = vec![None; 2 * words];
    let (mut done, mut carry) = (Done::new(then, setting, &mut draft), None);
    for (i, j) in order {
        let (i, j) = (usize::from(*i), usize::from(*j));
        if i == j {
            let [low, high] = draft.product([a[i], a[i]]);
            (squares[2 * i], squares[2 * i + 1]) = (Some(low), Some(high));
        } else {
            columns.product(&mut draft, i + j, [a[i], a[j]]);
        }
        while done.words.len() < 2 * words && columns.is_final(done.words.len()) {
            let Some(mut word) = squares[done.words.len()] else { break };
            match (&columns.waiting[done.words.len()][..], carry) {
                ([], None) => {}
                ([], Some(carry)) => {
                    let to = draft.word(Home::Nowhere);
                    draft.ops.push(Op::Sum {
                        x: word,
                        y: Some(carry),
                        to,
                        carry_in: false,
                        carry_out: false,
                    });
                    word = to;
                }
                ([sum], below) => {
                    let below = below.unwrap_or_else(|| draft.word(Home::Number(0)));
                    let [low, high] = draft.accumulate([*sum, two], [word, below]);
                    (word, carry) = (low, Some(high));
                }
                _ => return None,
            }
            done.push(&mut draft, word)?;
        }
    }
    done.is_all(2 * words).then_some(draft)
}
