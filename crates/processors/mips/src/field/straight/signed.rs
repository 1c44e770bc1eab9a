//! Reduction modulo a generalized Mersenne number (J. Solinas, "Generalized Mersenne numbers", CORR 99-39, 1999; FIPS
//! 186-4, D.2): R is a sum of few powers of 2^32 with signs modulo p, and so are its multiples by powers of 2^32. What
//! the upper words of a product bring is added to the lower ones, or subtracted as complements, for which a number makes
//! up.

use super::{Number, Word, Writer};
use crate::instructions::Op;
use crate::lower::{Array, LowerError, ZERO};
use num_bigint::BigUint;
use rhomb_field::words::{number, words};

/// Most additions and subtractions in a column.
const MOST_TERMS: i32 = 24;

/// The columns that 2^(32 (d + i)) has modulo p, as how often each is added, for i below d; `None` where p is of no such
/// kind, or where there is much to be added.
pub(in crate::field) fn rows(modulus: &BigUint, d: usize) -> Option<Vec<Vec<i32>>> {
    let radix = BigUint::from(1u8) << (32 * d);
    let mut carry = 0u64;
    let mut first = Vec::new();
    for word in words(&(radix % modulus), d) {
        let sum = u64::from(word) + carry;
        let (digit, above) = match sum {
            0 | 1 => (sum as i32, 0),
            0xffff_ffff => (-1, 1),
            0x1_0000_0000 => (0, 1),
            _ => return None,
        };
        first.push(digit);
        carry = above;
    }
    if carry > 0 {
        return None;
    }
    let mut rows = vec![first.clone()];
    while rows.len() < d {
        let last = rows.last()?;
        let top = last[d - 1];
        let moved = [0].iter().chain(&last[..d - 1]);
        let next = moved.zip(&first).map(|(own, more)| own + top * more).collect();
        rows.push(next);
    }
    let most = (0..d).map(|column| rows.iter().map(|row| row[column].abs()).sum::<i32>()).max()?;
    (most <= MOST_TERMS).then_some(rows)
}

impl Writer<'_> {
    fn complement(&mut self, a: Array, index: usize, own: Word) -> Word {
        match own {
            Word::Name(own) => Word::Name(self.line.compute(Op::Nor, own, ZERO).into()),
            Word::Memory(..) | Word::Complement(..) => Word::Complement(a, index),
        }
    }

    /// A number of 2d words modulo p, still to be folded.
    pub(super) fn signed(&mut self, a: Array, rows: &[Vec<i32>]) -> Result<Number, LowerError> {
        let d = self.d;
        // words in registers are there once
        let upper: Vec<Word> = (d..2 * d).map(|word| Word::Memory(a, word)).collect();
        let upper: Vec<Word> = match self.in_registers {
            true => upper.into_iter().map(|word| Word::Name(self.get(word))).collect(),
            false => upper,
        };
        let mut complements: Vec<Option<Word>> = vec![None; d];
        let (mut columns, mut counts, mut negative) = (Vec::new(), Vec::new(), Vec::new());
        for column in 0..d {
            let mut terms = vec![(Word::Memory(a, column), 1)];
            let mut subtracted = 0u32;
            for (i, row) in rows.iter().enumerate() {
                let times = row[column];
                let term = match times {
                    0.. => upper[i],
                    _ => {
                        subtracted += times.unsigned_abs();
                        *complements[i].get_or_insert_with(|| self.complement(a, d + i, upper[i]))
                    }
                };
                terms.extend((0..times.abs()).map(|_| (term, 1)));
            }
            counts.push(terms.len() as u32);
            negative.push(subtracted);
            columns.push(terms);
        }
        // a complement is 2^32 - 1 more than what is subtracted
        let weighted = |times: &[u32]| {
            let weight = |(column, times): (usize, &u32)| (BigUint::from(*times) * u32::MAX) << (32 * column);
            times.iter().enumerate().map(weight).sum::<BigUint>()
        };
        let more = (self.modulus - weighted(&negative) % self.modulus) % self.modulus;
        let more = words(&more, d);
        for (column, more) in columns.iter_mut().zip(&more).filter(|(_, more)| **more > 0) {
            column.push((Word::Name(self.constant(*more)), 1));
        }
        let most = weighted(&counts) + number(&more);
        self.columns(&columns, most, None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_congruent() {
        let two = |places: u32| BigUint::from(1u8) << places;
        let moduli = [
            (two(192) - two(64) - 1u8, 6),
            (two(224) - two(96) + 1u8, 7),
            (two(256) - two(224) + two(192) + two(96) - 1u8, 8),
            (two(384) - two(128) - two(96) + two(32) - 1u8, 12),
        ];
        for (modulus, d) in moduli {
            for (i, row) in rows(&modulus, d).unwrap().into_iter().enumerate() {
                let value = |wanted: i32| {
                    let terms = row.iter().enumerate().filter(|(_, times)| **times * wanted > 0);
                    let weight =
                        |(column, times): (usize, &i32)| BigUint::from(times.unsigned_abs()) << (32 * column);
                    terms.map(weight).sum::<BigUint>()
                };
                let wanted = two(32 * (d + i) as u32) + value(-1);
                assert_eq!(wanted % &modulus, value(1) % &modulus, "{modulus:x}, word {}", d + i);
            }
        }
        assert_eq!(rows(&(two(255) - 19u8), 8), None);
        assert_eq!(rows(&BigUint::from(0xd1a3_b5c7_f39c_c061u64), 2), None);
    }
}
