//! Contracts of field operations on words of 32 bits: what is computed, from which operands, and what range the result
//! has; and operands that try them where random ones never come.
//!
//! A result stands for an element; it need not be the canonical number. Which numbers an operation takes and gives is
//! part of its contract, and a set of operations fits together only if what one gives the others take. Operations that take
//! and give all numbers of d words do. A sum that is corrected once after it was made does not: it takes such operands
//! only if one of them is canonical, see [`Operands::OneCanonical`].

use crate::Field;
use crate::curve::Base;
use crate::words::{number, words};
use num_bigint::BigUint;

/// What is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// a b.
    Product,
    /// a^2.
    Square,
    /// a + b.
    Sum,
    /// a - b.
    Difference,
    /// a / 2.
    Half,
    /// z, of twice as many words.
    Reduction,
    /// a b / 2^(32d).
    Montgomery,
}

/// Which numbers a routine takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Operands {
    /// All that the words can hold; of a product of polynomials, which has twice as many words, all but the highest bit.
    Words,
    /// The same, but the first is less than the modulus.
    OneCanonical,
}

/// Which numbers a routine gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Results {
    /// All that the words can hold.
    Words,
    /// Less than the modulus.
    Canonical,
}

/// A contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contract {
    /// What is computed.
    pub operation: Operation,
    /// In which field.
    pub base: Base,
    /// Which operands it takes.
    pub operands: Operands,
    /// Which results it gives.
    pub results: Results,
}

impl Contract {
    /// All numbers of the words in and out.
    pub fn of_words(operation: Operation, base: Base) -> Contract {
        Contract { operation, base, operands: Operands::Words, results: Results::Words }
    }

    fn field(&self) -> &dyn Field {
        match &self.base {
            Base::Prime(field) => field,
            Base::Binary(field) => field,
        }
    }

    fn modulus(&self) -> &BigUint {
        match &self.base {
            Base::Prime(field) => field.modulus(),
            Base::Binary(field) => field.polynomial(),
        }
    }

    /// d.
    pub fn words(&self) -> usize {
        self.modulus().bits().div_ceil(32) as usize
    }

    /// Words of each operand.
    pub fn lengths(&self) -> Vec<usize> {
        let d = self.words();
        match self.operation {
            Operation::Product | Operation::Sum | Operation::Difference | Operation::Montgomery => vec![d; 2],
            Operation::Square | Operation::Half => vec![d],
            Operation::Reduction => vec![2 * d],
        }
    }

    /// Whether these operands may be given.
    pub fn takes(&self, operands: &[Vec<u32>]) -> bool {
        let lengths = operands.iter().map(Vec::len).eq(self.lengths());
        let canonical = |words: &Vec<u32>| self.field().element(&number(words)) == number(words);
        let highest = match (&self.base, self.operation) {
            (Base::Binary(_), Operation::Reduction) => {
                operands.iter().all(|z| z.last().is_none_or(|word| word >> 31 == 0))
            }
            _ => true,
        };
        let first = self.operands == Operands::Words || operands.first().is_some_and(canonical);
        lengths && highest && first
    }

    /// Whether a result is right for operands that may be given; a wrong number of words is not.
    pub fn holds(&self, operands: &[Vec<u32>], result: &[u32]) -> bool {
        let field = self.field();
        let numbers: Vec<BigUint> = operands.iter().map(|words| number(words)).collect();
        let Some(a) = numbers.first() else { return false };
        let b = numbers.last().unwrap_or(a);
        let result_number = number(result);
        let congruent = |expected: BigUint| field.element(&result_number) == expected;
        let right = match self.operation {
            Operation::Product | Operation::Square => congruent(field.mul(a, b)),
            Operation::Sum => congruent(field.add(a, b)),
            Operation::Difference => congruent(field.sub(a, b)),
            Operation::Half => field.half(a).is_some_and(congruent),
            Operation::Reduction => congruent(field.element(a)),
            Operation::Montgomery => {
                let r = BigUint::from(1u32) << (32 * self.words());
                field.mul(&result_number, &r) == field.mul(a, b)
            }
        };
        let range = self.results == Results::Words || field.element(&result_number) == result_number;
        right && range && result.len() == self.words()
    }

    /// Operands number `index` of a list without end, the same in every run; those that the contract does not take are not
    /// among them. Beside random ones: extreme words, numbers beside the modulus and beside 2^(32d), long runs of carries,
    /// and for reductions modulo P-192 words for which the top of the folded sum is 2^32 less 1, 2 or 3.
    pub fn inputs(&self, index: u64) -> Vec<Vec<u32>> {
        (0..)
            .map(|turn| self.candidate(index, turn))
            .find(|operands| self.takes(operands))
            .unwrap_or_default()
    }

    fn candidate(&self, index: u64, turn: u64) -> Vec<Vec<u32>> {
        let mut random = Random(index << 16 ^ turn);
        let lengths = self.lengths();
        if index.is_multiple_of(2) && lengths == [12] && matches!(self.base, Base::Prime(_)) {
            return vec![rare_carry(&mut random)];
        }
        lengths.into_iter().map(|length| self.operand(&mut random, length)).collect()
    }

    fn operand(&self, random: &mut Random, length: usize) -> Vec<u32> {
        let near = BigUint::from(random.next() as u32 % 4);
        let full = BigUint::from(1u32) << (32 * length);
        match random.next() % 6 {
            0 => (0..length).map(|_| random.next() as u32).collect(),
            1 => (0..length)
                .map(|_| [0, u32::MAX, 1, random.next() as u32][random.next() as usize % 4])
                .collect(),
            2 => words(&(full - 1u32 - near), length),
            3 => words(&(self.modulus() - near), length),
            4 => words(&near, length),
            // ones above and below a random word
            _ => {
                let mut words = vec![u32::MAX; length];
                words[random.next() as usize % length] = random.next() as u32;
                words
            }
        }
    }
}

/// Z5 + Z9 + Z11 = -1, -2 or -3 modulo 2^32, and words below that carry as much as they can.
fn rare_carry(random: &mut Random) -> Vec<u32> {
    let mut z = vec![u32::MAX; 12];
    let small = |random: &mut Random| random.next() as u32 % 4;
    for word in [0, 1, 2, 3, 6, 7] {
        z[word] = random.next() as u32;
    }
    for word in [4, 8, 10] {
        z[word] = u32::MAX - small(random);
    }
    z[9] = random.next() as u32;
    z[11] = random.next() as u32;
    let target = (1 + random.next() as u32 % 3).wrapping_neg();
    z[5] = target.wrapping_sub(z[9]).wrapping_sub(z[11]);
    z
}

/// splitmix64
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
}
