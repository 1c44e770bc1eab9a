//! Montgomery's reduction, word by word, over the integers and over binary polynomials.
//!
//! C. K. Koc, T. Acar, B. S. Kaliski, "Analyzing and Comparing Montgomery Multiplication Algorithms", IEEE Micro 16(3),
//! 1996: FIPS, section 7, and separated scanning, section 3. C. K. Koc, T. Acar, "Montgomery Multiplication in
//! GF(2^k)", 1998. With d words of 32 bits, R = 2^(32d), or t^(32d).

use crate::words::{carryless, carryless_inverse, negative_inverse};

/// Over what is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ring {
    /// The integers.
    Integers,
    /// Binary polynomials.
    Polynomials,
}

/// A modulus with an odd lowest word, and that word's inverse.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Montgomery {
    ring: Ring,
    modulus: Vec<u32>,
    factor: u32,
}

impl Montgomery {
    /// For a modulus of d words; `None` if it has no words or its lowest bit is 0.
    pub fn new(ring: Ring, modulus: &[u32]) -> Option<Self> {
        let low = *modulus.first().filter(|low| **low & 1 == 1)?;
        let factor = match ring {
            Ring::Integers => negative_inverse(low),
            Ring::Polynomials => carryless_inverse(low),
        };
        Some(Montgomery { ring, modulus: modulus.to_vec(), factor })
    }

    /// -1/N0 mod 2^32, or 1/N0 mod t^32: what makes the low word of a sum 0.
    pub fn factor(&self) -> u32 {
        self.factor
    }

    /// The modulus.
    pub fn modulus(&self) -> &[u32] {
        &self.modulus
    }

    /// a b / R modulo N by finely integrated product scanning: columns of A B and of M N together. d + 1 words: with
    /// a, b < R the result is less than R + N, so that one subtraction of N at most brings it below R again. Over
    /// polynomials the last word is 0.
    pub fn multiply(&self, a: &[u32], b: &[u32]) -> Vec<u32> {
        let d = self.modulus.len();
        let mut sum = Sum::new(self.ring);
        let mut m = vec![0u32; d];
        let mut result = Vec::with_capacity(d + 1);
        for i in 0..2 * d - 1 {
            for j in i.saturating_sub(d - 1)..=i.min(d - 1) {
                sum.product(a[j], b[i - j]);
                if i - j != 0 && j < i {
                    sum.product(m[j], self.modulus[i - j]);
                }
            }
            if i < d {
                m[i] = self.quotient(sum.low());
                sum.product(m[i], self.modulus[0]);
                sum.shift();
            } else {
                result.push(sum.shift());
            }
        }
        result.push(sum.shift());
        result.push(sum.shift());
        result
    }

    /// z / R modulo N for a z of 2d words, by separated scanning: row after row. d + 1 words, with z < R N less than 2N.
    pub fn reduce(&self, z: &[u32]) -> Vec<u32> {
        let d = self.modulus.len();
        let mut z: Vec<u32> = z.iter().copied().chain([0]).collect();
        for i in 0..d {
            let q = self.quotient(z[i]);
            let mut sum = Sum::new(self.ring);
            for j in 0..d {
                sum.word(z[i + j]);
                sum.product(q, self.modulus[j]);
                z[i + j] = sum.shift();
            }
            for word in &mut z[i + d..] {
                sum.word(*word);
                *word = sum.shift();
            }
        }
        z.split_off(d)
    }

    fn quotient(&self, low: u32) -> u32 {
        match self.ring {
            Ring::Integers => low.wrapping_mul(self.factor),
            Ring::Polynomials => carryless(low, self.factor) as u32,
        }
    }
}

/// A sum of products.
struct Sum {
    ring: Ring,
    sum: u128,
}

impl Sum {
    fn new(ring: Ring) -> Self {
        Sum { ring, sum: 0 }
    }

    fn product(&mut self, x: u32, y: u32) {
        match self.ring {
            Ring::Integers => self.sum += u128::from(x) * u128::from(y),
            Ring::Polynomials => self.sum ^= u128::from(carryless(x, y)),
        }
    }

    fn word(&mut self, x: u32) {
        self.product(x, 1);
    }

    fn low(&self) -> u32 {
        self.sum as u32
    }

    fn shift(&mut self) -> u32 {
        let low = self.low();
        self.sum >>= 32;
        low
    }
}
