//! What is done, before registers.

use super::{Address, Base, One, Two, Value};
use smallvec::{SmallVec, smallvec};
use std::collections::HashMap;

/// A step.
#[derive(Clone, Debug, Hash)]
pub(super) enum Op {
    One {
        one: One,
        to: Value,
        x: Value,
    },
    Two {
        two: Two,
        to: Value,
        x: Value,
        /// Moved first, if it is to be.
        y: Value,
        moved: Option<One>,
    },
    Spread {
        to: Value,
    },
    /// Words of which those in no register may come from memory now, in groups.
    Fetch(Vec<Value>),
    /// Words that are stored at an address: must be, or may be.
    Store {
        words: Vec<Value>,
        at: Address,
        must: bool,
    },
    /// What the routine returns.
    Return(Value),
}

impl Op {
    /// What it reads; a store that need not be does not count.
    pub(super) fn reads(&self) -> SmallVec<[Value; 4]> {
        match self {
            Op::One { x, .. } | Op::Return(x) => smallvec![*x],
            Op::Two { x, y, .. } => smallvec![*x, *y],
            Op::Spread { .. } | Op::Fetch(_) | Op::Store { must: false, .. } => SmallVec::new(),
            Op::Store { words, .. } => words.as_slice().into(),
        }
    }

    /// What it reads or may store.
    pub(super) fn names(&self) -> SmallVec<[Value; 4]> {
        match self {
            Op::Store { words, .. } => words.as_slice().into(),
            other => other.reads(),
        }
    }

    /// Whether it takes the carry that another step left.
    pub(super) fn takes_carry(&self) -> bool {
        matches!(self, Op::Two { two: Two::AddCarry | Two::SubtractCarry, .. } | Op::Spread { .. })
    }

    /// Whether the carry is another one afterwards.
    pub(super) fn changes_carry(&self) -> bool {
        match self {
            Op::One { one, .. } => !matches!(one, One::Low | One::Not),
            Op::Two { two, .. } => {
                !matches!(two, Two::Multiply | Two::Xor | Two::Or | Two::And | Two::AndNot)
            }
            // what is borrowed once is borrowed again
            Op::Spread { .. } | Op::Fetch(_) | Op::Store { .. } | Op::Return(_) => false,
        }
    }
}

/// Where a value is beside registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Home {
    Nowhere,
    /// A number of a byte or its complement, which is made where it is needed.
    Number(u32),
    Memory(Address),
}

/// How a draft is made, of the ways there are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Manner {
    /// Words that come in one piece.
    pub piece: usize,
    /// Whether a piece begins at whichever word is not there when it is read, rather than where the last one ended, and is as
    /// long as it is chosen to be then.
    pub sliding: bool,
    /// How two words are squared.
    pub pair: Pair,
    /// Up to how many words a square's middle part comes first.
    pub early: usize,
    /// Whether any number can be read, which takes less than several steps.
    pub literals: bool,
}

/// How two words are squared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pair {
    /// By products of all halves.
    Halves,
    /// By the squares of both words and of their difference.
    Difference(Middle),
}

/// When the square of the difference is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Middle {
    Between,
    Last,
}

/// Steps over words.
#[derive(Clone, Debug, Hash)]
pub struct Draft {
    pub(super) ops: Vec<Op>,
    pub(super) homes: Vec<Home>,
    /// Words of the frame that have a use of their own.
    pub(super) frame: usize,
    /// Addresses that are there at the beginning.
    pub(super) arguments: usize,
    pub(super) manner: Manner,
    pub(super) zero: Value,
}

/// The most words that stand in registers for one address.
const MOST_PIECE: usize = 4;

/// The product of two numbers of so many words.
pub fn product(words: usize, manner: Manner) -> Draft {
    let mut draft = Draft::new(3, manner);
    let (a, b) = (draft.operand(1, words), draft.operand(2, words));
    let out = Address { base: Base::Argument(0), word: 0 };
    draft.multiply(&a, &b, out, 2 * words, 0);
    draft
}

/// The square of a number, likewise.
pub fn square(words: usize, manner: Manner) -> Draft {
    let mut draft = Draft::new(2, manner);
    let a = draft.operand(1, words);
    draft.square(&a, Address { base: Base::Argument(0), word: 0 }, 2 * words, 0);
    draft
}

/// The sum or the difference of two numbers, which returns what is carried or borrowed.
pub fn sum(subtract: bool, words: usize, manner: Manner) -> Draft {
    let mut draft = Draft::new(3, manner);
    let (a, b) = (draft.operand(1, words), draft.operand(2, words));
    let mut made = Pieces::new(Address { base: Base::Argument(0), word: 0 }, words);
    for at in 0..words {
        draft.piece(at, &[&a, &b]);
        let word = match subtract {
            false => draft.sum(at == 0, a[at], b[at]),
            true => draft.difference(at == 0, a[at], b[at]),
        };
        made.push(&mut draft, word, at + 1 == words);
    }
    let carry = if subtract {
        let mask = draft.value(Home::Nowhere);
        draft.ops.push(Op::Spread { to: mask });
        draft.one(One::Down(31), mask)
    } else {
        draft.carry()
    };
    draft.ops.push(Op::Return(carry));
    draft
}

/// Words that are made one after the other, and stored by pieces.
struct Pieces {
    all: Vec<Value>,
    stored: usize,
    to: Address,
    must: usize,
}

impl Pieces {
    fn new(to: Address, must: usize) -> Self {
        Pieces { all: Vec::new(), stored: 0, to, must }
    }

    fn push(&mut self, draft: &mut Draft, word: Value, last: bool) {
        self.all.push(word);
        if last || self.all.len() - self.stored == draft.manner.piece {
            draft.store(&self.all[self.stored..], self.to.plus(self.stored), self.stored < self.must);
            self.stored = self.all.len();
        }
    }
}

impl Draft {
    pub(super) fn new(arguments: usize, manner: Manner) -> Self {
        Draft {
            ops: Vec::new(),
            homes: vec![Home::Number(0)],
            frame: 0,
            arguments,
            manner: Manner { piece: manner.piece.clamp(1, MOST_PIECE), ..manner },
            zero: 0,
        }
    }

    /// How many steps there are.
    pub fn steps(&self) -> usize {
        self.ops.len()
    }

    /// The same where operands move on the way: a step that moves what one step reads is a part of that.
    pub fn with_moves(mut self) -> Draft {
        let mut reads = vec![0; self.homes.len()];
        let words = self.ops.iter().flat_map(Op::names);
        words.for_each(|word| reads[usize::from(word)] += 1);
        let mut moves: HashMap<Value, (usize, One, Value)> = HashMap::new();
        let mut gone = vec![false; self.ops.len()];
        for (at, own) in self.ops.iter_mut().enumerate() {
            match own {
                Op::One { one: one @ (One::High | One::Up(_) | One::Down(_)), to, x }
                    if reads[usize::from(*to)] == 1 =>
                {
                    moves.insert(*to, (at, *one, *x));
                }
                Op::Two { two, x, y, moved, .. } if *two != Two::Multiply => {
                    if two.commutes() && !moves.contains_key(y) && moves.contains_key(x) {
                        std::mem::swap(x, y);
                    }
                    if let Some((maker, one, from)) = moves.remove(y) {
                        gone[maker] = true;
                        (*y, *moved) = (from, Some(one));
                    }
                }
                _ => {}
            }
        }
        let mut gone = gone.into_iter();
        self.ops.retain(|_| gone.next() != Some(true));
        self
    }

    pub(super) fn value(&mut self, home: Home) -> Value {
        self.homes.push(home);
        (self.homes.len() - 1) as Value
    }

    pub(super) fn operand(&mut self, number: u8, words: usize) -> Vec<Value> {
        let at = Address { base: Base::Argument(number), word: 0 };
        (0..words).map(|word| self.value(Home::Memory(at.plus(word)))).collect()
    }

    pub(super) fn one(&mut self, one: One, x: Value) -> Value {
        let to = self.value(Home::Nowhere);
        self.ops.push(Op::One { one, to, x });
        to
    }

    pub(super) fn two(&mut self, two: Two, x: Value, y: Value) -> Value {
        let to = self.value(Home::Nowhere);
        self.ops.push(Op::Two { two, to, x, y, moved: None });
        to
    }

    /// The next sum of a chain, the first of which has no carry.
    fn sum(&mut self, first: bool, x: Value, y: Value) -> Value {
        self.two(if first { Two::Add } else { Two::AddCarry }, x, y)
    }

    fn difference(&mut self, first: bool, x: Value, y: Value) -> Value {
        self.two(if first { Two::Subtract } else { Two::SubtractCarry }, x, y)
    }

    /// The carry as a word.
    pub(super) fn carry(&mut self) -> Value {
        self.two(Two::AddCarry, self.zero, self.zero)
    }

    pub(super) fn fetch(&mut self, words: &[Value]) {
        (0..words.len()).for_each(|index| self.piece(index, &[words]));
    }

    /// Two runs of words in the order in which they stand in memory.
    fn by_address<'a>(&self, x: &'a [Value], y: &'a [Value]) -> (&'a [Value], &'a [Value]) {
        let word = |all: &[Value]| match self.homes[usize::from(all[0])] {
            Home::Memory(at) => at.word,
            _ => 0,
        };
        if word(x) <= word(y) { (x, y) } else { (y, x) }
    }

    /// Words that have a place from now on.
    pub(super) fn store(&mut self, words: &[Value], at: Address, must: bool) {
        for (index, word) in words.iter().enumerate() {
            let home = &mut self.homes[usize::from(*word)];
            if *home == Home::Nowhere {
                *home = Home::Memory(at.plus(index));
            }
        }
        if let Base::Frame = at.base {
            self.frame = self.frame.max(usize::from(at.word) + words.len());
        }
        for (index, words) in words.chunks(MOST_PIECE).enumerate() {
            self.ops.push(Op::Store { words: words.to_vec(), at: at.plus(index * MOST_PIECE), must });
        }
    }

    /// A product at `out`, of whose words so many, from the lowest, must come there; words of the frame from `frame` on are free.
    pub(super) fn multiply(
        &mut self,
        a: &[Value],
        b: &[Value],
        out: Address,
        must: usize,
        frame: usize,
    ) -> Vec<Value> {
        let words = a.len();
        if words <= LEAF {
            let made = self.leaf(a, b);
            self.finish(&made, out, must);
            return made;
        }
        let low = words.div_ceil(2);
        let own = self.multiply(&a[..low], &b[..low], out, must.min(low), frame);
        let high = self.multiply(&a[low..], &b[low..], out.plus(2 * low), 0, frame);
        let outer = self.outer(&own, &high, out.plus(low));
        let at = Address { base: Base::Frame, word: frame as u16 };
        let (x, x_sign) = self.absolute(&a[..low], &a[low..], at);
        // from the longer part; of equal ones in such an order that the signs say at once what is subtracted
        let equal = words == 2 * low;
        let (first, second) = if equal { (&b[low..], &b[..low]) } else { (&b[..low], &b[low..]) };
        let (y, y_sign) = self.absolute(first, second, at.plus(low));
        let mut sign = self.two(Two::Xor, x_sign, y_sign);
        if !equal {
            sign = self.one(One::Not, sign);
        }
        let middle = self.multiply(&x, &y, at.plus(2 * low), 0, frame + 4 * low);
        let rest = self.put_together(&outer, &middle, Some(sign), out.plus(low), must.saturating_sub(low));
        [&own[..low], &rest].concat()
    }

    /// A square, likewise.
    pub(super) fn square(&mut self, a: &[Value], out: Address, must: usize, frame: usize) -> Vec<Value> {
        let words = a.len();
        if let [word] = *a {
            let made = self.square_of_word(word).to_vec();
            self.finish(&made, out, must);
            return made;
        }
        if let [x, y] = *a {
            self.fetch(a);
            let made = match self.manner.pair {
                Pair::Halves => self.square_of_words([x, y]),
                Pair::Difference(middle) => self.square_by_difference([x, y], middle),
            };
            self.finish(&made, out, must);
            return made.to_vec();
        }
        let low = words.div_ceil(2);
        let at = Address { base: Base::Frame, word: frame as u16 };
        if words <= self.manner.early {
            let (x, _) = self.absolute(&a[..low], &a[low..], at.plus(2 * low));
            let middle = self.square(&x, at, 0, frame + 3 * low);
            let own = self.square(&a[..low], out, must.min(low), frame + 2 * low);
            let high = self.square(&a[low..], out.plus(2 * low), 0, frame + 2 * low);
            let must = must.saturating_sub(low);
            let rest = self.joined(&own, &high, (&middle, at), out.plus(low), must);
            return [&own[..low], &rest].concat();
        }
        let own = self.square(&a[..low], out, must.min(low), frame);
        let high = self.square(&a[low..], out.plus(2 * low), 0, frame);
        let outer = self.outer(&own, &high, out.plus(low));
        let (x, _) = self.absolute(&a[..low], &a[low..], at);
        let middle = self.square(&x, at.plus(low), 0, frame + 3 * low);
        let rest = self.put_together(&outer, &middle, None, out.plus(low), must.saturating_sub(low));
        [&own[..low], &rest].concat()
    }

    /// Words of a product that is made.
    fn finish(&mut self, made: &[Value], out: Address, must: usize) {
        let must = must.min(made.len());
        self.store(&made[..must], out, true);
        self.store(&made[must..], out.plus(must), false);
    }

    /// Words of some numbers from one word on, a piece of each at a time.
    fn piece(&mut self, index: usize, numbers: &[&[Value]]) {
        let Manner { piece, sliding, .. } = self.manner;
        if sliding || index.is_multiple_of(piece) {
            for words in numbers.iter().filter(|words| index < words.len()) {
                self.ops.push(Op::Fetch(words[index..words.len().min(index + piece)].to_vec()));
            }
        }
    }

    /// Sums of a high part of L and a low part of H, to be formed once for both places where they count; then what is above them,
    /// with their carry; and that where a short high part has no room for it.
    fn shared(
        &mut self,
        own: &[Value],
        high: &[Value],
        out: Address,
    ) -> (Vec<Value>, Vec<Value>, Option<Value>) {
        let low = own.len() / 2;
        let mut shared = Pieces::new(out.plus(low), 0);
        for at in 0..low {
            self.piece(at, &[&own[low..], &high[..low]]);
            let sum = self.sum(at == 0, own[low + at], high[at]);
            shared.push(self, sum, at + 1 == low);
        }
        let mut above = Pieces::new(out.plus(2 * low), 0);
        for at in low..high.len() {
            self.piece(at - low, &[&high[low..]]);
            let sum = self.two(Two::AddCarry, high[at], self.zero);
            above.push(self, sum, at + 1 == high.len());
        }
        let left = (high.len() < own.len()).then(|| self.carry());
        (shared.all, above.all, left)
    }

    /// `L + w (L + H) + w^2 H` of products of the low and of the high parts, without its lowest part, to `out`.
    fn outer(&mut self, own: &[Value], high: &[Value], out: Address) -> Vec<Value> {
        let low = own.len() / 2;
        let (shared, above, left) = self.shared(own, high, out);
        let mut made = Pieces::new(out, 0);
        let count = 2 * low + above.len();
        for at in 0..count {
            let sum = if at < low {
                self.piece(at, &[&own[..low], &shared]);
                self.sum(at == 0, own[at], shared[at])
            } else if at < 2 * low {
                self.piece(at - low, &[&shared, &above]);
                let left = left.filter(|_| at - low == above.len());
                let other = above.get(at - low).copied().or(left).unwrap_or(self.zero);
                self.two(Two::AddCarry, shared[at - low], other)
            } else {
                self.piece(at - 2 * low, &[&above]);
                self.two(Two::AddCarry, above[at - 2 * low], self.zero)
            };
            made.push(self, sum, at + 1 == count);
        }
        made.all
    }

    /// `L + w (L + H - M) + w^2 H` without its lowest part, likewise, with a middle part that is there already, at an address. What is borrowed goes
    /// with the last carries into the words above, which are passed through once less.
    fn joined(
        &mut self,
        own: &[Value],
        high: &[Value],
        (middle, at): (&[Value], Address),
        out: Address,
        must: usize,
    ) -> Vec<Value> {
        let low = own.len() / 2;
        let (shared, above, left) = self.shared(own, high, out);
        // in the place of the middle part, for the sums stand in that of the result
        let mut less = Pieces::new(at, 0);
        for at in 0..2 * low {
            let word = if at < low {
                self.piece(at, &[&own[..low], &middle[..low]]);
                own[at]
            } else {
                self.piece(at - low, &[&above, &middle[low..]]);
                let left = left.filter(|_| at - low == above.len());
                above.get(at - low).copied().or(left).unwrap_or(self.zero)
            };
            let word = self.difference(at == 0, word, middle[at]);
            less.push(self, word, at + 1 == 2 * low);
        }
        let less = less.all;
        let borrow = self.value(Home::Nowhere);
        self.ops.push(Op::Spread { to: borrow });
        let mut made = Pieces::new(out, must);
        let count = 2 * low + above.len();
        for at in 0..count {
            let sum = if at < 2 * low {
                self.piece(at % low, &[&less[at / low * low..][..low], &shared]);
                self.sum(at == 0, less[at], shared[at % low])
            } else {
                self.piece(at - 2 * low, &[&above]);
                self.two(Two::AddCarry, above[at - 2 * low], borrow)
            };
            made.push(self, sum, at + 1 == count);
        }
        made.all
    }

    /// `|x - y|` at an address, and its sign as a mask; y is not the longer one.
    fn absolute(&mut self, x: &[Value], y: &[Value], at: Address) -> (Vec<Value>, Value) {
        let length = x.len();
        let mut difference = Pieces::new(at, 0);
        if length <= MOST_PIECE {
            let (first, second) = self.by_address(x, y);
            match self.manner.sliding {
                true => [first, second].into_iter().for_each(|words| self.fetch(words)),
                false => self.ops.push(Op::Fetch([first, second].concat())),
            }
        }
        for index in 0..length {
            if length > MOST_PIECE {
                self.piece(index, &[x, y]);
            }
            let word = self.difference(index == 0, x[index], y.get(index).copied().unwrap_or(self.zero));
            if length > MOST_PIECE {
                difference.push(self, word, index + 1 == length);
            } else {
                difference.all.push(word);
            }
        }
        let sign = self.value(Home::Nowhere);
        self.ops.push(Op::Spread { to: sign });
        let difference = difference.all;
        let mut made = Pieces::new(at, 0);
        for index in 0..length {
            self.piece(index, &[&difference]);
            let word = self.two(Two::Xor, difference[index], sign);
            let word = self.difference(index == 0, word, sign);
            made.push(self, word, index + 1 == length);
        }
        (made.all, sign)
    }

    /// The middle product added to words that begin where it does, or, where a mask says so or there is none, subtracted; so
    /// many words must come to `out`.
    fn put_together(
        &mut self,
        outer: &[Value],
        middle: &[Value],
        sign: Option<Value>,
        out: Address,
        must: usize,
    ) -> Vec<Value> {
        // the carry of the mask makes a complement a negation
        let sign = sign.map(|sign| self.one(One::Sign, sign));
        let mut made = Pieces::new(out, must);
        for (index, word) in outer.iter().enumerate() {
            self.piece(index, &[middle, outer]);
            let sum = match (middle.get(index), sign) {
                (Some(other), Some(sign)) => {
                    let other = self.two(Two::Xor, *other, sign);
                    self.two(Two::AddCarry, other, *word)
                }
                (None, Some(sign)) => self.two(Two::AddCarry, *word, sign),
                (Some(other), None) => self.difference(index == 0, *word, *other),
                (None, None) => self.two(Two::SubtractCarry, *word, self.zero),
            };
            made.push(self, sum, index + 1 == outer.len());
        }
        made.all
    }

    /// A product of few words, from halves.
    fn leaf(&mut self, a: &[Value], b: &[Value]) -> Vec<Value> {
        let words = a.len();
        self.fetch(a);
        let halves: Vec<[Value; 2]> =
            a.iter().map(|word| [self.one(One::Low, *word), self.one(One::High, *word)]).collect();
        self.fetch(b);
        // words at borders and at middles, of which the lowest are done with in the first row
        let mut even: Vec<Value> = Vec::new();
        let mut odd: Vec<Value> = Vec::new();
        let mut done = Vec::new();
        for (row, word) in b.iter().enumerate() {
            let [low, high] = [self.one(One::Low, *word), self.one(One::High, *word)];
            if row == 0 {
                even = halves.iter().map(|own| self.two(Two::Multiply, own[0], low)).collect();
                odd = halves.iter().map(|own| self.two(Two::Multiply, own[1], low)).collect();
            } else {
                self.accumulate(&mut odd[row - 1..], halves.iter().map(|own| own[1]), low, false);
                // the top word takes the carry in
                self.accumulate(&mut even[row - 1..], halves.iter().map(|own| own[0]), low, false);
                let top = self.two(Two::Multiply, halves[words - 1][1], high);
                even.push(self.two(Two::AddCarry, top, self.zero));
                self.accumulate(&mut even[row..], halves[..words - 1].iter().map(|own| own[1]), high, true);
            }
            self.accumulate(&mut odd[row.saturating_sub(1)..], halves.iter().map(|own| own[0]), high, false);
            odd.push(self.carry());
            if row == 0 {
                let (up, down) = (self.one(One::Up(16), odd[0]), self.one(One::Down(16), odd[0]));
                done.push(self.two(Two::Add, even[0], up));
                match even.get(1) {
                    Some(next) => {
                        even[1] = self.two(Two::AddCarry, *next, down);
                        let top = self.two(Two::Multiply, halves[words - 1][1], high);
                        even.push(top);
                        self.accumulate(
                            &mut even[1..],
                            halves[..words - 1].iter().map(|own| own[1]),
                            high,
                            true,
                        );
                    }
                    // two carries at the most, one of them of the middle
                    None => {
                        let top = self.two(Two::Multiply, halves[0][1], high);
                        even.push(self.two(Two::AddCarry, top, down));
                    }
                }
                even.remove(0);
                odd.remove(0);
            }
        }
        let mut below = None;
        let mut moved = Vec::new();
        for (at, word) in odd.iter().enumerate() {
            let up = self.one(One::Up(16), *word);
            moved.push(below.map_or(up, |below| self.two(Two::Or, up, below)));
            below = (at + 1 < odd.len()).then(|| self.one(One::Down(16), *word));
        }
        let chain: Vec<Value> =
            even.iter().zip(&moved).enumerate().map(|(at, (x, y))| self.sum(at == 0, *x, *y)).collect();
        done.extend(chain);
        done
    }

    /// Products of halves added to words in one chain, whose carry goes into the word above them where there is to be one.
    fn accumulate(
        &mut self,
        words: &mut [Value],
        halves: impl Iterator<Item = Value>,
        other: Value,
        carry: bool,
    ) {
        let mut count = 0;
        for (at, half) in halves.enumerate() {
            let product = self.two(Two::Multiply, half, other);
            words[at] = self.sum(at == 0, words[at], product);
            count += 1;
        }
        if carry && count > 0 {
            words[count] = self.two(Two::AddCarry, words[count], self.zero);
        }
    }

    fn square_of_word(&mut self, x: Value) -> [Value; 2] {
        let [low, high] = [self.one(One::Low, x), self.one(One::High, x)];
        let mixed = self.two(Two::Multiply, high, low);
        let [low, high] = [self.two(Two::Multiply, low, low), self.two(Two::Multiply, high, high)];
        // twice the mixed one, 16 places up
        let (up, down) = (self.one(One::Up(17), mixed), self.one(One::Down(15), mixed));
        let low = self.two(Two::Add, low, up);
        [low, self.two(Two::AddCarry, high, down)]
    }
}

impl Draft {
    /// By the squares of both words and of their difference.
    fn square_by_difference(&mut self, [x, y]: [Value; 2], middle: Middle) -> [Value; 4] {
        let word = self.difference(true, x, y);
        let sign = self.value(Home::Nowhere);
        self.ops.push(Op::Spread { to: sign });
        let word = self.two(Two::Xor, word, sign);
        let word = self.two(Two::Subtract, word, sign);
        let (own, high, middle) = match middle {
            Middle::Between => {
                let [own, middle, high] = [x, word, y].map(|word| self.square_of_word(word));
                (own, high, middle)
            }
            Middle::Last => {
                let [own, high, middle] = [x, y, word].map(|word| self.square_of_word(word));
                (own, high, middle)
            }
        };
        let shared = self.two(Two::Add, own[1], high[0]);
        let above = self.two(Two::AddCarry, high[1], self.zero);
        let outer = [
            self.two(Two::Add, shared, own[0]),
            self.two(Two::AddCarry, shared, above),
            self.two(Two::AddCarry, above, self.zero),
        ];
        let first = self.two(Two::Subtract, outer[0], middle[0]);
        let second = self.two(Two::SubtractCarry, outer[1], middle[1]);
        [own[0], first, second, self.two(Two::SubtractCarry, outer[2], self.zero)]
    }

    /// By products of all halves.
    fn square_of_words(&mut self, words: [Value; 2]) -> [Value; 4] {
        let [[a, b], [c, d]] = words.map(|word| [self.one(One::Low, word), self.one(One::High, word)]);
        let product = |draft: &mut Draft, x, y| draft.two(Two::Multiply, x, y);
        // at middles of words, each to be counted twice
        let mixed = [product(self, a, d), product(self, b, c)];
        let mixed = self.two(Two::Add, mixed[0], mixed[1]);
        let above = product(self, c, d);
        let above = self.two(Two::AddCarry, above, self.zero);
        let odd = [product(self, a, b), mixed, above];
        let twice = [product(self, a, c), product(self, b, d)];
        let mut even = [a, b, c, d].map(|half| product(self, half, half));
        for _ in 0..2 {
            even[1] = self.two(Two::Add, even[1], twice[0]);
            even[2] = self.two(Two::AddCarry, even[2], twice[1]);
            even[3] = self.two(Two::AddCarry, even[3], self.zero);
        }
        let mut moved = Vec::new();
        let mut below = None;
        for word in odd {
            let up = self.one(One::Up(17), word);
            moved.push(below.map_or(up, |below| self.two(Two::Or, up, below)));
            below = Some(self.one(One::Down(15), word));
        }
        moved.extend(below);
        std::array::from_fn(|at| self.sum(at == 0, even[at], moved[at]))
    }
}

/// The most words of a product from halves.
const LEAF: usize = 3;
