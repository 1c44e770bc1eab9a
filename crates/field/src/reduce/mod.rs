//! Arithmetic modulo any odd number, as straight lines for words of any width.
//!
//! Elements are numbers below R = 2^(w d), for d words of w bits; they need not be below p. Each operation takes any such
//! numbers and gives one. What stands above R comes back as C = R mod p, until nothing can stand there: [`fold`]. Where C has
//! many words, a product is divided by R instead, word by word: [`montgomery`].

mod argument;
mod digits;
mod fold;
mod half;
mod highest;
mod montgomery;
mod pair;
mod signed;
mod top;

pub use argument::{Workspace, block_by_argument, by_argument};
use montgomery::Order;
use num_bigint::BigUint;
use rhomb_contract::Operation;
use rhomb_line::{Address, Array, Line, Source, Value};

/// A straight line, and how it computes.
#[derive(Clone, Debug)]
pub struct Way {
    /// The method's name.
    pub method: &'static str,
    /// What is computed; the reduction alone, of an operand of 2d words, where a product comes first.
    pub line: Line,
}

/// Words that are added and subtracted at a time.
const BLOCKS: [usize; 4] = [2, 4, 6, 8];

/// Rows of a block of a division.
const ROWS: usize = 3;

/// Ways whose last carries the prover shows to vanish on processors with a carry flag alone.
pub const DIGITS: [&str; 2] = ["digit-fold", "digit-division"];

/// Straight lines for an operation modulo an odd number, on words of so many bits. A multiplication or squaring is the
/// reduction of its product. There are none for inversions.
pub fn ways(operation: Operation, modulus: &BigUint, bits: u32) -> Vec<Way> {
    let task = Task::new(modulus, bits);
    let way = |method, line| Way { method, line };
    match operation {
        Operation::ModAdd => vec![way("column-fold", task.sum(false))],
        Operation::ModSub => vec![way("column-fold", task.sum(true))],
        Operation::ModHalf => vec![way("column-fold", task.half())],
        Operation::ModAddSub => {
            let by_blocks = BLOCKS.into_iter().filter_map(|block| task.sum_and_difference_by_blocks(block));
            let whole = [task.sum_then_difference()].into_iter();
            let folded = whole.chain(by_blocks).map(|line| way("column-fold", line));
            let from_the_top = task.difference_then_sum_from_the_top().map(|line| way("top-fold", line));
            folded.chain(from_the_top).collect()
        }
        Operation::ModMul | Operation::ModSqr | Operation::ModReduce => {
            let signed = task.signed(false).map(|line| way("signed-fold", line));
            let by_digits = task.signed(true).map(|line| way(DIGITS[0], line));
            let from_the_top = task.folded_from_the_top(false).map(|line| way("top-fold", line));
            let folded = task.folded_product().map(|line| way("column-fold", line));
            let mut all: Vec<Way> =
                signed.into_iter().chain(by_digits).chain(from_the_top).chain(folded).collect();
            if all.is_empty() {
                all.push(way("column-fold", task.divided_twice(Order::Columns)));
            }
            all
        }
        Operation::MontMul | Operation::MontSqr | Operation::MontReduce => {
            let by_digits = task.divided_by_digits().map(|line| way(DIGITS[1], line));
            let by_next = task.divided_by_next().map(|line| way("next-division", line));
            let by_columns = way("column-fold", task.divided(Order::Columns));
            by_digits.into_iter().chain(by_next).chain([by_columns]).collect()
        }
        // inversions, and what has no modulus
        _ => Vec::new(),
    }
}

/// Straight lines for the product of a number with a factor that is written into the code.
pub fn by_factor(factor: u32, modulus: &BigUint, bits: u32) -> Vec<Way> {
    let task = Task::new(modulus, bits);
    let product = task.times(factor).map(|line| Way { method: "column-fold", line });
    product.into_iter().chain(weighted(Operation::ModAdd, [factor, 0], modulus, bits)).collect()
}

/// Straight lines for the sum or difference of two numbers that count so often each.
pub fn weighted(operation: Operation, weights: [u32; 2], modulus: &BigUint, bits: u32) -> Vec<Way> {
    let task = Task::new(modulus, bits);
    let minus = operation == Operation::ModSub;
    let of = |products| {
        let by = |method, by_digits| {
            let line = task.weighted_sum(minus, weights, products, by_digits)?;
            Some(Way { method, line })
        };
        [by("column-fold", false), by(DIGITS[0], true)].into_iter().flatten()
    };
    let from_the_top = [false, true].into_iter().filter(|_| !minus).filter_map(|apart| {
        let line = task.weighted_from_the_top(weights, apart)?;
        Some(Way { method: "top-fold", line })
    });
    let twice = (minus && weights == [1, 2]).then(|| task.less_twice()).flatten();
    let twice = twice.map(|line| Way { method: "column-fold", line });
    [false, true].into_iter().flat_map(of).chain(from_the_top).chain(twice).collect()
}

/// The reduction of a number of twice the words to one below the modulus, for 2^255 - 19 and others of its kind.
pub fn canonical(modulus: &BigUint, bits: u32) -> Option<Line> {
    Task::new(modulus, bits).canonical()
}

/// Whether what stands above R comes back by a fold, so that a product need not be divided.
pub fn is_folded(modulus: &BigUint, bits: u32) -> bool {
    let task = Task::new(modulus, bits);
    task.signed(false).is_some() || task.folded_product().is_some()
}

/// More of them for processors without a carry flag, which add up many words at once: with the highest column first, and
/// divisions row by row where a multiplication on the way would overwrite the sum of a column. Differences are made in one pass.
pub fn ways_without_carry(operation: Operation, modulus: &BigUint, bits: u32) -> Vec<Way> {
    let signs: &[bool] = match operation {
        Operation::ModSub => &[true],
        Operation::ModAddSub => &[false, true],
        _ => &[],
    };
    let task = Task::new(modulus, bits);
    let in_one_pass = (!signs.is_empty()).then(|| task.in_one_pass(signs)).flatten();
    let in_one_pass = in_one_pass.map(|line| Way { method: "top-fold", line });
    with_rows(operation, modulus, bits, 1).into_iter().chain(in_one_pass).collect()
}

/// Those for processors whose products take two words with them, and leave one word in each column: a division has blocks of rows,
/// in which words of the modulus are made once.
pub fn ways_by_blocks(operation: Operation, modulus: &BigUint, bits: u32) -> Vec<Way> {
    with_rows(operation, modulus, bits, ROWS)
}

fn with_rows(operation: Operation, modulus: &BigUint, bits: u32, rows: usize) -> Vec<Way> {
    let task = Task::new(modulus, bits);
    let from_the_highest = match operation {
        Operation::ModAdd => task.sum_from_the_highest(),
        Operation::ModMul | Operation::ModSqr | Operation::ModReduce => task.product_from_the_highest(),
        _ => None,
    };
    let by_rows = match operation {
        Operation::ModMul | Operation::ModSqr | Operation::ModReduce => {
            (!is_folded(modulus, bits)).then(|| task.divided_twice(Order::Rows(rows)))
        }
        Operation::MontMul | Operation::MontSqr | Operation::MontReduce => {
            Some(task.divided(Order::Rows(rows)))
        }
        _ => None,
    };
    let from_the_highest = from_the_highest.map(|line| Way { method: "highest-first", line });
    let from_the_top = match operation {
        Operation::ModMul | Operation::ModSqr | Operation::ModReduce => task.folded_from_the_top(true),
        Operation::ModAdd => task.weighted_from_the_top([1, 1], true),
        _ => None,
    };
    let from_the_top = from_the_top.map(|line| Way { method: "top-fold", line });
    from_the_highest
        .into_iter()
        .chain(from_the_top)
        .chain(by_rows.map(|line| Way { method: "column-fold", line }))
        .collect()
}

/// The modulus and the words.
struct Task<'a> {
    modulus: &'a BigUint,
    /// Bits of a word.
    bits: u32,
    /// Words of an element.
    d: usize,
    /// R mod p.
    back: BigUint,
    /// Where the words of what is computed begin in the result.
    first: usize,
}

/// A number on the way: its words, the lowest first, of which those above the element may be missing, and the largest that
/// it can be.
struct Number {
    words: Vec<Source>,
    most: BigUint,
    /// Whether something was subtracted on the way.
    minus: bool,
}

/// A word that may wait in this word of the result.
fn waits(line: &mut Line, value: Value, index: usize) -> Source {
    line.homes.insert(value, Address { array: Array::Result, index });
    Source::Value(value)
}

fn address(array: Array, index: usize) -> Source {
    Source::Memory(Address { array, index })
}

impl<'a> Task<'a> {
    fn new(modulus: &'a BigUint, bits: u32) -> Self {
        let d = modulus.bits().div_ceil(bits.into()) as usize;
        let radix = BigUint::from(1u8) << (bits as usize * d);
        Task { modulus, bits, d, back: radix % modulus, first: 0 }
    }

    fn radix(&self) -> BigUint {
        BigUint::from(1u8) << (self.bits as usize * self.d)
    }

    /// All ones.
    fn ones(&self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }

    /// The words of a number, as many as it has, or `count` if these are more.
    fn words(&self, number: &BigUint, count: usize) -> Vec<u64> {
        let digit = |at: usize| {
            let moved = number >> (self.bits as usize * at);
            moved.iter_u64_digits().next().unwrap_or(0) & self.ones()
        };
        (0..count.max(self.count(number))).map(digit).collect()
    }

    /// How many words a number has.
    fn count(&self, number: &BigUint) -> usize {
        number.bits().div_ceil(self.bits.into()) as usize
    }

    /// The words of what was added up become the result: they are stored when they are made.
    fn stored(&self, line: &mut Line, words: &[Source]) {
        for (index, word) in words.iter().enumerate() {
            let value = self.value(line, *word);
            line.store(value, Address { array: Array::Result, index: self.first + index });
        }
    }

    fn value(&self, line: &mut Line, source: Source) -> Value {
        match source {
            Source::Value(value) => value,
            Source::Memory(address) => line.load(address),
            Source::Number(number) => line.number(number),
        }
    }

    /// A word that may wait where it belongs in the result.
    fn at_home(&self, line: &mut Line, value: Value, index: usize) -> Source {
        if index < self.d { waits(line, value, self.first + index) } else { Source::Value(value) }
    }

    /// An operand of so many words.
    fn operand(&self, array: Array, count: usize) -> Number {
        let words = (0..count).map(|index| address(array, index)).collect();
        Number { words, most: (BigUint::from(1u8) << (self.bits as usize * count)) - 1u8, minus: false }
    }
}
