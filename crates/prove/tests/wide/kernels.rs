//! Kernels of the toy processor, in the manner of 32-bit processors.

use super::toy::{Op, R, Toy};

/// Writes instructions; registers are never used up.
#[derive(Default)]
struct Writer {
    code: Vec<Op>,
    next: R,
}

impl Writer {
    fn fresh(&mut self) -> R {
        self.next += 1;
        self.next - 1
    }

    fn put(&mut self, op: Op) {
        self.code.push(op);
    }

    fn constant(&mut self, value: u64) -> R {
        let d = self.fresh();
        self.put(Op::Constant(d, value));
        d
    }

    fn load(&mut self, buffer: usize, words: std::ops::Range<usize>) -> Vec<R> {
        let mut load = |word| {
            let d = self.fresh();
            self.put(Op::Load(d, buffer, word));
            d
        };
        words.map(&mut load).collect()
    }

    fn store(&mut self, first: usize, words: &[R]) {
        words.iter().enumerate().for_each(|(at, word)| self.put(Op::Store(first + at, *word)));
    }

    /// `d += y`, the start of a chain or its middle.
    fn add(&mut self, d: R, y: R, with: bool) {
        self.put(Op::Add { d, x: d, y, with, sets: true });
    }

    /// The end of a chain.
    fn catch(&mut self, d: R, zero: R) {
        self.put(Op::Add { d, x: d, y: zero, with: true, sets: false });
    }

    /// A product by columns: three words of accumulator.
    fn columns(&mut self, a: &[R], b: &[R]) -> Vec<R> {
        let zero = self.constant(0);
        let mut acc = [0; 3].map(|_| self.constant(0));
        let (low, high) = (self.fresh(), self.fresh());
        let mut result = Vec::new();
        for column in 0..a.len() + b.len() - 1 {
            for i in (0..a.len()).filter(|i| (*i..i + b.len()).contains(&column)) {
                self.put(Op::Multiply(low, high, a[i], b[column - i]));
                self.add(acc[0], low, false);
                self.add(acc[1], high, true);
                self.catch(acc[2], zero);
            }
            let empty = self.constant(0);
            result.push(acc[0]);
            acc = [acc[1], acc[2], empty];
        }
        result.push(acc[0]);
        result
    }

    /// `window + fixed * b`, and `c` in the lowest word; one word longer. Products of every other column make
    /// one chain of carries through the multiplications; the last chain ends in the top word.
    fn step(&mut self, window: &mut Vec<R>, fixed: &[R], b: R, c: Option<R>, zero: R) {
        let e = fixed.len();
        let (low, high) = (self.fresh(), self.fresh());
        let mut top = None;
        let last = (e - 1) % 2;
        for parity in [last, 1 - last] {
            // a word from below may start the chain of odd products
            let mut with = false;
            if let (1, Some(c)) = (parity, c) {
                self.add(window[0], c, false);
                with = true;
            }
            for at in (parity..e).step_by(2) {
                if at + 1 < e {
                    self.put(Op::Multiply(low, high, fixed[at], b));
                    self.add(window[at], low, with);
                    self.add(window[at + 1], high, true);
                } else {
                    let end = self.fresh();
                    self.put(Op::Multiply(low, end, fixed[at], b));
                    self.add(window[at], low, with);
                    self.catch(end, zero);
                    top = Some(end);
                }
                with = true;
            }
            if parity != last && with {
                self.catch(top.unwrap_or(zero), zero);
            }
        }
        window.push(top.unwrap_or(zero));
    }

    /// A product by strips of `e` words of `a` against all of `b`.
    fn strips(&mut self, a: &[R], b: &[R], e: usize) -> Vec<R> {
        let zero = self.constant(0);
        let mut result: Vec<R> = Vec::new();
        for (strip, fixed) in a.chunks(e).enumerate() {
            let first = strip * e;
            let mut window: Vec<R> = fixed.iter().map(|_| self.constant(0)).collect();
            for (j, b) in b.iter().enumerate() {
                let c = result.get(first + j).copied();
                self.step(&mut window, fixed, *b, c, zero);
                result.truncate(result.len().max(first + j));
                match result.get_mut(first + j) {
                    Some(word) => *word = window.remove(0),
                    None => result.push(window.remove(0)),
                }
            }
            result.extend(window);
        }
        result
    }

    /// A product by rows, every product added with its carry word by a multiplication that accumulates.
    fn rows(&mut self, a: &[R], b: &[R]) -> Vec<R> {
        let zero = self.constant(0);
        let mut result: Vec<R> = a.iter().chain(b).map(|_| self.constant(0)).collect();
        for (i, x) in a.iter().enumerate() {
            let mut carry = self.constant(0);
            for (j, y) in b.iter().enumerate() {
                // word + carry as two words, and the product on top
                let (low, high) = (self.fresh(), self.fresh());
                self.put(Op::Add { d: low, x: result[i + j], y: carry, with: false, sets: true });
                self.put(Op::Add { d: high, x: zero, y: zero, with: true, sets: false });
                self.put(Op::Accumulate(low, high, *x, *y));
                (result[i + j], carry) = (low, high);
            }
            result[i + b.len()] = carry;
        }
        result
    }

    /// A square: products of different words once, doubled on the way with the squares, in chunks of `p`
    /// squares; what leaves a chunk is counted in one word by two instructions.
    fn square(&mut self, a: &[R], p: usize) -> Vec<R> {
        let zero = self.constant(0);
        let mut t: Vec<R> = (0..2 * a.len()).map(|_| self.constant(0)).collect();
        for (i, x) in a.iter().enumerate() {
            if i + 1 < a.len() {
                let mut window = t[2 * i + 1..i + a.len()].to_vec();
                self.step(&mut window, &a[i + 1..], *x, None, zero);
                t.splice(2 * i + 1..=i + a.len(), window);
            }
        }
        let mut h = None;
        for (chunk, words) in a.chunks(p).enumerate() {
            let columns: Vec<R> = t[2 * chunk * p..][..2 * words.len()].to_vec();
            let (low, high) = (self.fresh(), self.fresh());
            self.put(Op::Multiply(low, high, words[0], words[0]));
            if let Some(h) = h {
                self.add(low, h, false);
                self.catch(high, zero);
            }
            for (at, word) in columns.iter().enumerate() {
                self.add(*word, *word, at > 0);
            }
            let caught = self.fresh();
            self.put(Op::Sub { d: caught, x: low, y: low, with: true, sets: true });
            for (at, square) in words.iter().enumerate() {
                if at > 0 {
                    self.put(Op::Multiply(low, high, *square, *square));
                }
                self.add(columns[2 * at], low, at > 0);
                self.add(columns[2 * at + 1], high, true);
            }
            let one = self.constant(1);
            self.catch(caught, one);
            h = Some(caught);
        }
        t
    }

    /// `|x - y|`, and all ones where `x < y`.
    fn distance(&mut self, x: &[R], y: &[R]) -> (Vec<R>, R) {
        let words: Vec<R> = x.iter().map(|_| self.fresh()).collect();
        for (at, d) in words.iter().enumerate() {
            self.put(Op::Sub { d: *d, x: x[at], y: y[at], with: at > 0, sets: true });
        }
        let mask = self.fresh();
        self.put(Op::Sub { d: mask, x: words[0], y: words[0], with: true, sets: false });
        for (at, word) in words.iter().enumerate() {
            self.put(Op::Xor(*word, *word, mask));
            self.put(Op::Sub { d: *word, x: *word, y: mask, with: at > 0, sets: true });
        }
        (words, mask)
    }

    /// One level of subtractive Karatsuba: the sign of the middle product is a mask.
    fn karatsuba(&mut self, a: &[R], b: &[R], inner: impl Fn(&mut Self, &[R], &[R]) -> Vec<R>) -> Vec<R> {
        let half = a.len() / 2;
        let ((al, ah), (bl, bh)) = (a.split_at(half), b.split_at(half));
        let zero = self.constant(0);
        let (x, x_sign) = self.distance(ah, al);
        let (y, y_sign) = self.distance(bh, bl);
        let mut low = inner(self, al, bl);
        let high = inner(self, ah, bh);
        let middle = inner(self, &x, &y);
        // all ones where the product is to be taken off
        let (mask, ones) = (self.fresh(), self.constant(u64::MAX));
        self.put(Op::Xor(mask, x_sign, y_sign));
        self.put(Op::Xor(mask, mask, ones));
        // low + high
        let sum: Vec<R> = low.iter().map(|_| self.fresh()).collect();
        for (at, d) in sum.iter().enumerate() {
            self.put(Op::Add { d: *d, x: low[at], y: high[at], with: at > 0, sets: true });
        }
        let top = self.constant(0);
        self.catch(top, zero);
        // the carry of the complement's one: mask + mask has it
        let carried = self.fresh();
        self.put(Op::Add { d: carried, x: mask, y: mask, with: false, sets: true });
        for (at, d) in sum.iter().enumerate() {
            self.put(Op::Xor(middle[at], middle[at], mask));
            self.add(*d, middle[at], true);
        }
        self.put(Op::Add { d: top, x: top, y: mask, with: true, sets: false });
        // into its place
        low.extend(high);
        for (at, word) in sum.iter().chain([&top]).enumerate() {
            self.add(low[half + at], *word, at > 0);
        }
        low[3 * half + 1..].iter().for_each(|word| self.add(*word, zero, true));
        low
    }

    fn operands(n: usize) -> (Self, Vec<R>, Vec<R>) {
        let mut own = Writer::default();
        let (a, b) = (own.load(1, 0..n), own.load(2, 0..n));
        (own, a, b)
    }

    fn finish(mut self, bits: u32, result: &[R]) -> Toy {
        self.store(0, result);
        Toy { bits, code: self.code }
    }
}

/// Column by column.
pub(crate) fn product_scanning(bits: u32, n: usize) -> Toy {
    let (mut writer, a, b) = Writer::operands(n);
    let result = writer.columns(&a, &b);
    writer.finish(bits, &result)
}

/// Strips of `e` words, carry chains through the multiplications.
pub(crate) fn strips(bits: u32, n: usize, e: usize) -> Toy {
    let (mut writer, a, b) = Writer::operands(n);
    let result = writer.strips(&a, &b, e);
    writer.finish(bits, &result)
}

/// Row by row with an accumulating multiplication.
pub(crate) fn operand_scanning(bits: u32, n: usize) -> Toy {
    let (mut writer, a, b) = Writer::operands(n);
    let result = writer.rows(&a, &b);
    writer.finish(bits, &result)
}

/// A square in chunks of `p` squares.
pub(crate) fn square(bits: u32, n: usize, p: usize) -> Toy {
    let mut writer = Writer::default();
    let a = writer.load(1, 0..n);
    let result = writer.square(&a, p);
    writer.finish(bits, &result)
}

/// Karatsuba, `levels` deep over strips of three.
pub(crate) fn karatsuba(bits: u32, n: usize, levels: u32) -> Toy {
    fn product(writer: &mut Writer, a: &[R], b: &[R], levels: u32) -> Vec<R> {
        if levels == 0 || !a.len().is_multiple_of(2) {
            return writer.strips(a, b, 3);
        }
        writer.karatsuba(a, b, |writer, a, b| product(writer, a, b, levels - 1))
    }
    let (mut writer, a, b) = Writer::operands(n);
    let result = product(&mut writer, &a, &b, levels);
    writer.finish(bits, &result)
}

/// An addition that returns its carry.
pub(crate) fn addition(bits: u32, n: usize) -> Toy {
    let (mut writer, a, b) = Writer::operands(n);
    for at in 0..n {
        writer.add(a[at], b[at], at > 0);
        writer.put(Op::Store(at, a[at]));
    }
    let (returned, zero) = (writer.constant(0), writer.constant(0));
    writer.catch(returned, zero);
    writer.put(Op::Return(returned));
    Toy { bits, code: writer.code }
}

/// A subtraction that returns its borrow.
pub(crate) fn subtraction(bits: u32, n: usize) -> Toy {
    let (mut writer, a, b) = Writer::operands(n);
    for at in 0..n {
        writer.put(Op::Sub { d: a[at], x: a[at], y: b[at], with: at > 0, sets: true });
        writer.put(Op::Store(at, a[at]));
    }
    // all ones where there was a borrow, and its lowest bit
    let (mask, one) = (writer.fresh(), writer.constant(1));
    writer.put(Op::Sub { d: mask, x: one, y: one, with: true, sets: false });
    writer.put(Op::And(mask, mask, one));
    writer.put(Op::Return(mask));
    Toy { bits, code: writer.code }
}

/// A product of words where what signed multiplications take off for negative factors is added again.
pub(crate) fn signed(bits: u32) -> Toy {
    let (mut writer, a, b) = Writer::operands(1);
    let (low, high) = (writer.fresh(), writer.fresh());
    writer.put(Op::Multiply(low, high, a[0], b[0]));
    let mut excess = Vec::new();
    for (factor, other) in [(a[0], b[0]), (b[0], a[0])] {
        let mask = writer.fresh();
        writer.put(Op::Sign(mask, factor));
        writer.put(Op::And(mask, mask, other));
        writer.put(Op::Sub { d: high, x: high, y: mask, with: false, sets: true });
        excess.push(mask);
    }
    excess.into_iter().for_each(|mask| writer.add(high, mask, false));
    writer.finish(bits, &[low, high])
}

/// A product of words by their halves: four products of half words, put together by shifts.
pub(crate) fn halves(bits: u32) -> Toy {
    let (mut writer, a, b) = Writer::operands(1);
    let half = bits / 2;
    let mask = writer.constant(u64::MAX >> (64 - half));
    let mut split = |word: R| {
        let (low, high) = (writer.fresh(), writer.fresh());
        writer.put(Op::And(low, word, mask));
        writer.put(Op::Right(high, word, half));
        (low, high)
    };
    let ((al, ah), (bl, bh)) = (split(a[0]), split(b[0]));
    let mut times = |x: R, y: R| {
        let (low, high) = (writer.fresh(), writer.fresh());
        writer.put(Op::Multiply(low, high, x, y));
        low
    };
    let (ll, lh, hl, hh) = (times(al, bl), times(al, bh), times(ah, bl), times(ah, bh));
    let zero = writer.constant(0);
    // the middle products and what leaves them
    let top = writer.constant(0);
    writer.add(lh, hl, false);
    writer.catch(top, zero);
    let (up, down) = (writer.fresh(), writer.fresh());
    writer.put(Op::Left(up, lh, half));
    writer.put(Op::Right(down, lh, half));
    writer.put(Op::Left(top, top, half));
    writer.put(Op::Or(down, down, top));
    writer.add(ll, up, false);
    writer.add(hh, down, true);
    writer.finish(bits, &[ll, hh])
}
