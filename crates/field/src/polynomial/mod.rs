//! Arithmetic on polynomials over GF(2), as straight lines for words of any width: bit i of word j is the coefficient of
//! x^(w j + i).
//!
//! Sums go word by word; squares have zeros between their coefficients ([`square`]); what stands above the words of an
//! element comes back by the lower terms of the modulus ([`reduce`]), or is what is left of a division ([`montgomery`]).
//! Products are combs ([`comb`]), and where they are long, programs of shorter ones ([`program`]). Nothing depends on operands
//! but what is computed.

mod carryless;
mod comb;
mod montgomery;
mod program;
mod reduce;
mod split;
mod square;

pub use program::{composed, separated};

use crate::reduce::Way;
use reduce::Moves;
use rhomb_contract::{Binary, Operation};
use rhomb_line::{Address, Array, Line, Logic, Value};

/// Words of the longest comb that is a routine by itself.
const LONGEST_COMB: usize = 6;

/// Operations of a line beyond which none is made.
const MOST_OPS: usize = 20_000;

/// Straight lines for an operation, on words of so many bits. That of a product modulo a polynomial is the reduction of the
/// product. There are none for long products and for inversions.
pub fn ways(binary: &Binary, bits: u32) -> Vec<Way> {
    let n = binary.bits().div_ceil(bits) as usize;
    let word_by_word = |line| vec![Way { method: "word-by-word", line }];
    match (binary.operation(), binary.modulus()) {
        (Operation::Gf2Add, _) => word_by_word(sum(n)),
        (Operation::Gf2Sqr, _) => word_by_word(square(n, bits)),
        (Operation::Gf2Mul, _) if n <= LONGEST_COMB => {
            program::combs(n, bits).into_iter().map(|line| Way { method: "comb", line }).collect()
        }
        (Operation::Gf2Mul | Operation::Gf2ModInv, _) | (_, None) => Vec::new(),
        (operation, Some(modulus)) => {
            let exponents: Vec<usize> =
                modulus.exponents().into_iter().map(|exponent| exponent as usize).collect();
            let word = |at: usize| match operation {
                Operation::Gf2ModSqr | Operation::Gf2MontSqr => Word::Square(at),
                _ => Word::Operand(at),
            };
            let is_divided =
                matches!(operation, Operation::Gf2MontMul | Operation::Gf2MontSqr | Operation::Gf2MontReduce);
            let made = |(method, moves)| {
                let words = Polynomial::new((0..2 * n).map(word).collect(), bits);
                let line = match is_divided {
                    true => words.divided(&exponents, moves)?,
                    false => words.modulo(&exponents, moves)?,
                };
                Some(Way { method, line })
            };
            let names = match is_divided {
                true => ["sparse-division", "chained-division"],
                false => ["sparse-fold", "chained-fold"],
            };
            names.into_iter().zip([Moves::Shifts, Moves::Chains]).filter_map(made).collect()
        }
    }
}

/// Lines for an operation modulo a polynomial where words are multiplied over GF(2). Those of a product are all of it.
pub fn ways_by_products(binary: &Binary, bits: u32) -> Vec<Way> {
    let operation = binary.operation();
    let Some(modulus) = binary.modulus() else { return Vec::new() };
    let exponents = modulus.exponents();
    let in_columns = match operation {
        Operation::Gf2ModMul | Operation::Gf2ModSqr | Operation::Gf2ModReduce => {
            carryless::modulo(operation.expression(), &exponents, bits)
        }
        _ => None,
    };
    let exponents: Vec<usize> = exponents.into_iter().map(|exponent| exponent as usize).collect();
    let square = || {
        let n = binary.bits().div_ceil(bits) as usize;
        let words = Polynomial::new((0..2 * n).map(Word::Square).collect(), bits);
        Polynomial { multiplies: true, ..words }
    };
    let by_shifts = match operation {
        Operation::Gf2ModSqr => square().modulo(&exponents, Moves::Shifts).map(|line| ("sparse-fold", line)),
        Operation::Gf2MontSqr => {
            square().divided(&exponents, Moves::Shifts).map(|line| ("sparse-division", line))
        }
        _ => None,
    };
    let all = in_columns.map(|line| ("column-fold", line)).into_iter().chain(by_shifts);
    all.map(|(method, line)| Way { method, line }).collect()
}

fn sum(n: usize) -> Line {
    let mut line = Line::default();
    for index in 0..n {
        let [x, y] = [Array::A, Array::B].map(|array| line.load(Address { array, index }));
        let sum = line.logic(Logic::Xor, x, y);
        line.store(sum, Address { array: Array::Result, index });
    }
    line
}

fn square(n: usize, bits: u32) -> Line {
    let mut square = Polynomial::new((0..2 * n).map(Word::Square).collect(), bits);
    for index in 0..2 * n {
        if let Some(word) = square.word(index) {
            square.line.store(word, Address { array: Array::Result, index });
        }
    }
    square.line
}

/// A word of a polynomial, which is got when it is read.
#[derive(Clone, Copy)]
enum Word {
    Zero,
    /// A word of the operand.
    Operand(usize),
    /// A word of the operand's square.
    Square(usize),
    Made(Value),
}

/// A polynomial on the way, whose lower half becomes the result.
struct Polynomial {
    line: Line,
    bits: u32,
    words: Vec<Word>,
    /// How often a word was taken away: what comes to its place waits elsewhere.
    taken: Vec<usize>,
    /// Words below this are done with: nothing is added to them.
    done: usize,
    /// Whether the upper half becomes the result.
    keeps_upper: bool,
    /// Whether squares are products over GF(2).
    multiplies: bool,
}

impl Polynomial {
    fn new(words: Vec<Word>, bits: u32) -> Self {
        let taken = vec![0; words.len()];
        Polynomial {
            line: Line::default(),
            bits,
            words,
            taken,
            done: 0,
            keeps_upper: false,
            multiplies: false,
        }
    }

    /// A word, unless it is zero.
    fn word(&mut self, at: usize) -> Option<Value> {
        let value = match self.words[at] {
            Word::Zero => return None,
            Word::Operand(index) => return Some(self.line.load(Address { array: Array::A, index })),
            Word::Square(_) if self.multiplies => return Some(self.square_of(at)),
            Word::Square(word) => square::word(&mut self.line, word, self.bits),
            Word::Made(value) => return Some(value),
        };
        self.set(at, value);
        Some(value)
    }

    /// A word of the square by a product, which gives its neighbour, too.
    fn square_of(&mut self, at: usize) -> Value {
        let first = at / 2 * 2;
        let word = self.line.load(Address { array: Array::A, index: at / 2 });
        self.line.clear();
        self.line.carryless(word, word);
        let words = [self.line.take(2), self.line.take(1)];
        (first..).zip(words).for_each(|(at, word)| self.set(at, word));
        words[at % 2]
    }

    /// A word that may wait in memory: where it belongs in the result, or in words of the routine's own.
    fn set(&mut self, at: usize, value: Value) {
        let n = self.words.len() / 2;
        let home = match at.checked_sub(n) {
            _ if self.keeps_upper => Address { array: Array::Scratch, index: at },
            None => Address { array: Array::Result, index: at },
            Some(above) => Address { array: Array::Scratch, index: above + self.taken[at] % 2 * n },
        };
        self.line.homes.insert(value, home);
        self.words[at] = Word::Made(value);
    }

    /// Adds to a word.
    fn add(&mut self, at: usize, more: Value) {
        let sum = match self.word(at) {
            None => more,
            Some(own) => self.line.logic(Logic::Xor, own, more),
        };
        self.set(at, sum);
    }
}
