//! Sums and products of numbers, bit by bit, and products of polynomials.

use crate::domain::NormalForms;
use crate::value::{Bit, Word};
use rhomb_machine::Domain;

impl NormalForms {
    fn majority(&mut self, x: &Bit, y: &Bit, z: &Bit) -> Bit {
        // where two agree, they decide
        for (one, other) in [(x, y), (x, z), (y, z)] {
            if one == other {
                return one.clone();
            }
        }
        let differing = self.bit_xor(x, y);
        let entering = self.bit_and(&differing, z);
        let both = self.bit_and(x, y);
        self.bit_xor(&entering, &both)
    }

    pub(crate) fn sum(&mut self, x: &[Bit], y: &[Bit], carry: &Bit) -> (Vec<Bit>, Bit) {
        let mut carry = carry.clone();
        let mut sum = Vec::with_capacity(x.len());
        for (x, y) in x.iter().zip(y) {
            let without = self.bit_xor(x, y);
            sum.push(self.bit_xor(&without, &carry));
            carry = self.majority(x, y, &carry);
        }
        (sum, carry)
    }

    pub(crate) fn product(&mut self, x: &Word, y: &Word) -> (Word, Word) {
        let (x, y) = (self.bits_of(x), self.bits_of(y));
        let width = self.bits as usize;
        let mut sum = vec![Bit::Known(false); 2 * width];
        for (place, bit) in y.iter().enumerate().filter(|(_, bit)| **bit != Bit::Known(false)) {
            let term: Vec<Bit> = x.iter().map(|x| self.bit_and(x, bit)).collect();
            let (part, carry) = self.sum(&sum[place..place + width], &term, &Bit::Known(false));
            sum.splice(place..place + width, part);
            // what stands above is 0 until now
            sum[place + width] = carry;
        }
        let high = sum.split_off(width);
        (Word::from(sum), Word::from(high))
    }

    pub(crate) fn carryless_product(&mut self, x: &Word, y: &Word) -> (Word, Word) {
        let (x, y) = (self.bits_of(x), self.bits_of(y));
        let width = x.len();
        let column = |column: usize| -> Vec<(Bit, Bit)> {
            let rows = column.saturating_sub(width - 1)..=column.min(width - 1);
            rows.map(|row| (x[row].clone(), y[column - row].clone())).collect()
        };
        let mut product: Vec<Bit> =
            (0..2 * width - 1).map(|number| self.sum_of_products(&column(number))).collect();
        product.push(Bit::Known(false));
        let high = product.split_off(width);
        (Word::from(product), Word::from(high))
    }
}
