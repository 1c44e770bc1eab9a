//! GF(2^191) with t^191 + t^9 + 1 in straight lines.
//!
//! Elements are polynomials of degree up to 191, six words, not always below the modulus's degree; every operation
//! takes and gives such polynomials. t^192 = t^10 + t, so that a word above the sixth comes back times 0x402, six words
//! further down: MADDGF2 does that within the columns, from the highest column to the lowest, and each column's high
//! word goes into the word above by XOR.

use super::{FieldError, Writer};
use crate::instructions::{Register, SP};
use crate::model::Model;

const R: Register = 4;
const A: Register = 5;
const B: Register = 6;

/// r = a b.
pub fn multiply(model: &Model, name: &str) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    let (mut a, mut b, mut z) = ([0; 6], [0; 6], [0; 12]);
    for column in (6..11usize).rev() {
        a[column - 5] = w.load(4 * (column - 5), A)?;
        b[column - 5] = w.load(4 * (column - 5), B)?;
        let mut words: Vec<usize> = (column - 5..=5).collect();
        words.sort_by_key(|j| std::cmp::Reverse((*j).min(column - *j)));
        let pairs: Vec<_> = words.into_iter().map(|j| (a[j], b[column - j])).collect();
        let high = products(&mut w, &pairs, &mut z[column])?;
        if column == 10 {
            z[11] = high;
            continue;
        }
        w.line(format!("xor ${0}, ${0}, ${high}", z[column + 1]));
        w.give(high);
        // these wait in the 16 bytes of the caller's stack until their columns come
        w.store(z[column + 1], 4 * (column - 6), SP);
        w.give(z[column + 1]);
    }
    a[0] = w.load(0, A)?;
    w.give(A);
    b[0] = w.load(0, B)?;
    w.give(B);
    let fold = w.take()?;
    w.line(format!("addiu ${fold}, $0, 0x402"));
    let mut r = [0; 6];
    for column in (0..6usize).rev() {
        let mut words: Vec<usize> = (0..=column).collect();
        words.sort_by_key(|j| std::cmp::Reverse((*j).min(column - *j)));
        let mut pairs: Vec<_> = words.into_iter().map(|j| (a[j], b[column - j])).collect();
        pairs.push((z[column + 6], fold));
        for register in [a[column], b[column], z[column + 6]] {
            w.give(register);
        }
        let high = products(&mut w, &pairs, &mut r[column])?;
        // what comes out at the top goes round once more
        let above = if column == 5 { z[6] } else { r[column + 1] };
        w.line(format!("xor ${above}, ${above}, ${high}"));
        w.give(high);
        if column < 5 {
            w.store(above, 4 * (column + 1), R);
            w.give(above);
        }
        if column >= 2 {
            z[column + 5] = w.load(4 * (column - 2), SP)?;
        }
    }
    w.fixed(format!("jr $ra\nsw ${}, 0(${R})", r[0]))?;
    w.finish()
}

/// A sum of products: its low word in a new register, its high word in another that is returned.
fn products(
    w: &mut Writer<'_>,
    pairs: &[(Register, Register)],
    low: &mut Register,
) -> Result<Register, FieldError> {
    for (turn, (x, y)) in pairs.iter().enumerate() {
        w.line(format!("{} ${x}, ${y}", if turn == 0 { "mulgf2" } else { "maddgf2" }));
    }
    *low = w.take()?;
    let high = w.take()?;
    w.line(format!("mflo ${low}"));
    w.line(format!("mfhi ${high}"));
    Ok(high)
}

/// r = a^2: a product for each word, and its way back.
pub fn square(model: &Model, name: &str) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    w.give(B);
    let (mut a, mut z, mut r) = ([0; 6], [0; 12], [0; 6]);
    for word in (0..6).rev() {
        a[word] = w.load(4 * word, A)?;
    }
    w.give(A);
    let fold = w.take()?;
    w.line(format!("addiu ${fold}, $0, 0x402"));
    for word in (3..6).rev() {
        z[2 * word + 1] = products(&mut w, &[(a[word], a[word])], &mut z[2 * word])?;
        w.give(a[word]);
    }
    for column in (0..6).rev() {
        let mut pairs = vec![(z[column + 6], fold)];
        if column % 2 == 0 {
            pairs.insert(0, (a[column / 2], a[column / 2]));
            w.give(a[column / 2]);
        }
        w.give(z[column + 6]);
        let high = products(&mut w, &pairs, &mut r[column])?;
        let above = if column == 5 { z[6] } else { r[column + 1] };
        w.line(format!("xor ${above}, ${above}, ${high}"));
        w.give(high);
        if column < 5 {
            w.store(above, 4 * (column + 1), R);
            w.give(above);
        }
    }
    w.fixed(format!("jr $ra\nsw ${}, 0(${R})", r[0]))?;
    w.finish()
}

/// r = z mod the trinomial for 12 words at a of degree up to 382: algorithm 3 of the paper, with products.
pub fn reduction(model: &Model, name: &str) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    w.give(B);
    let fold = w.take()?;
    w.line(format!("addiu ${fold}, $0, 0x402"));
    let mut z = [0; 12];
    for word in (0..12).rev() {
        if word == 0 {
            w.give(A);
        }
        z[word] = w.load(4 * word, A)?;
    }
    for column in (0..6).rev() {
        let mut low = 0;
        let high = products(&mut w, &[(z[column + 6], fold)], &mut low)?;
        w.give(z[column + 6]);
        w.line(format!("xor ${0}, ${0}, ${low}", z[column]));
        w.give(low);
        let above = if column == 5 { z[6] } else { z[column + 1] };
        w.line(format!("xor ${above}, ${above}, ${high}"));
        w.give(high);
        if column < 5 {
            w.store(above, 4 * (column + 1), R);
            w.give(above);
        }
    }
    w.fixed(format!("jr $ra\nsw ${}, 0(${R})", z[0]))?;
    w.finish()
}

/// r = a + b.
pub fn add(model: &Model, name: &str) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    let mut last = 0;
    let mut sums = Vec::new();
    for word in 0..6 {
        let a = w.load(4 * word, A)?;
        let b = w.load(4 * word, B)?;
        w.line(format!("xor ${a}, ${a}, ${b}"));
        w.give(b);
        sums.push(a);
        last = a;
    }
    for (word, sum) in sums.iter().enumerate().take(5) {
        w.store(*sum, 4 * word, R);
    }
    w.fixed(format!("jr $ra\nsw ${last}, 20(${R})"))?;
    w.finish()
}

/// r = a with degree below 191.
pub fn canonical(model: &Model, name: &str) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    let mut a = [0; 6];
    for word in (0..6).rev() {
        a[word] = w.load(4 * word, A)?;
    }
    let (top, shifted) = (w.take()?, w.take()?);
    w.line(format!("srl ${top}, ${}, 31", a[5]));
    w.line(format!("sll ${0}, ${0}, 1", a[5]));
    w.line(format!("srl ${0}, ${0}, 1", a[5]));
    w.line(format!("sll ${shifted}, ${top}, 9"));
    w.line(format!("xor ${0}, ${0}, ${top}", a[0]));
    w.line(format!("xor ${0}, ${0}, ${shifted}", a[0]));
    for (word, register) in a.iter().enumerate().take(5) {
        w.store(*register, 4 * word, R);
    }
    w.fixed(format!("jr $ra\nsw ${}, 20(${R})", a[5]))?;
    w.finish()
}
