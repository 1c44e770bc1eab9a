//! Words that wait in columns, along a walk.

use super::Setting;
use super::line::append;
use rhomb_line::Line;

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
    Low {
        factors: [Word; 2],
        to: Word,
    },
    Mask {
        x: Word,
        to: Word,
        bits: u32,
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
            Op::Sum { x, y: Some(y), .. } | Op::Low { factors: [x, y], .. } => ([x, y, 0, 0], 2),
            Op::Sum { x, y: None, .. } | Op::Mask { x, .. } | Op::Shift { x, .. } => ([x, 0, 0, 0], 1),
            Op::Store { word, .. } => ([word, 0, 0, 0], 1),
        }
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

impl Then<'_> {
    /// A word is final.
    fn word(self, draft: &mut Draft, done: &mut Vec<Word>, word: Word) {
        if let Then::Stored = self {
            draft.ops.push(Op::Store { word, index: done.len() as u16 });
        }
        done.push(word);
    }

    /// All of them are.
    fn all(self, mut draft: Draft, done: &[Word], setting: &Setting) -> Option<Draft> {
        if let Then::Line(line) = self {
            draft.shared = true;
            append(&mut draft, done, line, setting)?;
        }
        Some(draft)
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
    let mut done = Vec::new();
    for (i, j) in order {
        let (i, j) = (usize::from(*i), usize::from(*j));
        columns.product(&mut draft, i + j, [a[i], b[j]]);
        while done.len() < 2 * words && columns.is_final(done.len()) {
            let [word] = columns.waiting[done.len()][..] else { return None };
            then.word(&mut draft, &mut done, word);
        }
    }
    then.all(draft, &done, setting).filter(|_| done.len() == 2 * words)
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
    let (mut done, mut carry) = (Vec::new(), None);
    for (i, j) in order {
        let (i, j) = (usize::from(*i), usize::from(*j));
        if i == j {
            let [low, high] = draft.product([a[i], a[i]]);
            (squares[2 * i], squares[2 * i + 1]) = (Some(low), Some(high));
        } else {
            columns.product(&mut draft, i + j, [a[i], a[j]]);
        }
        while done.len() < 2 * words && columns.is_final(done.len()) {
            let Some(mut word) = squares[done.len()] else { break };
            match (&columns.waiting[done.len()][..], carry) {
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
            then.word(&mut draft, &mut done, word);
        }
    }
    then.all(draft, &done, setting).filter(|_| done.len() == 2 * words)
}
