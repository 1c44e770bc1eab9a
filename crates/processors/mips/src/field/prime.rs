//! GF(p) with p = 2^192 - 2^64 - 1 in straight lines.
//!
//! Elements are numbers below 2^192, not always below p; every operation takes and gives such numbers. Overflow beyond
//! 2^192 comes back as 2^64 + 1. The quotient is estimated from the top words before the sum is made (algorithm 2 of
//! the paper does so for products), so that the sum is at most one 2^192 too large, and then its top word is at
//! most 2: adding 2^64 + 1 once more cannot carry. A sum that is only corrected after it was made would not be closed:
//! with a = b = 2^192 - 1 one correction is not enough.

use super::{Correction, FieldError, Writer};
use crate::instructions::{Register, SP};
use crate::model::Model;

/// Pointer to the result, by o32.
const R: Register = 4;
/// Pointer to the first operand.
const A: Register = 5;
/// Pointer to the second operand.
const B: Register = 6;

/// r = a b mod p.
pub fn multiply(model: &Model, name: &str, correction: Correction) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    let z = product(&mut w)?;
    reduce(&mut w, z, true, name, correction)?;
    w.finish()
}

/// r = a^2 mod p.
pub fn square(model: &Model, name: &str, correction: Correction) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    let z = doubled_product(&mut w)?;
    reduce(&mut w, z, true, name, correction)?;
    w.finish()
}

/// r = z mod p for 12 words at a: algorithm 2.
pub fn reduction(model: &Model, name: &str, correction: Correction) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    w.line("multu $0, $0");
    let mut z = [0; 12];
    for word in [5, 9, 11, 0, 6, 10, 1, 7, 2, 8, 3, 4] {
        z[word] = w.load(4 * word, A)?;
    }
    w.give(A);
    w.give(B);
    reduce(&mut w, z, false, name, correction)?;
    w.finish()
}

/// The product's 12 words in registers, by columns. The accumulator ends with the highest of them.
fn product(w: &mut Writer<'_>) -> Result<[Register; 12], FieldError> {
    let (mut a, mut b, mut z) = ([0; 6], [0; 6], [0; 12]);
    for column in 0..11usize {
        if column < 6 {
            a[column] = w.load(4 * column, A)?;
            b[column] = w.load(4 * column, B)?;
        }
        if column == 5 {
            w.give(A);
            w.give(B);
        }
        for (turn, j) in inner_first(column).into_iter().enumerate() {
            let op = if column == 0 && turn == 0 { "multu" } else { "maddu" };
            w.line(format!("{op} ${}, ${}", a[j], b[column - j]));
        }
        if column >= 5 {
            w.give(a[column - 5]);
            w.give(b[column - 5]);
        }
        z[column] = w.low_word()?;
        // the lowest words wait in the 16 bytes of the caller's stack
        if column < 4 {
            w.store(z[column], 4 * column, SP);
            w.give(z[column]);
        }
        if column >= 7 {
            z[column - 7] = w.load(4 * (column - 7), SP)?;
        }
    }
    z[11] = w.take()?;
    w.line(format!("mflo ${}", z[11]));
    Ok(z)
}

/// The same of a square: what stands off the diagonal once, doubled.
fn doubled_product(w: &mut Writer<'_>) -> Result<[Register; 12], FieldError> {
    let (mut a, mut z) = ([0; 6], [0; 12]);
    w.give(B);
    for column in 0..11usize {
        if column < 6 {
            a[column] = w.load(4 * column, A)?;
        }
        if column == 5 {
            w.give(A);
        }
        let upper = inner_first(column).into_iter().filter(|j| 2 * j <= column);
        for j in upper {
            let op = match column {
                0 => "multu",
                _ if 2 * j == column => "maddu",
                _ => "m2addu",
            };
            w.line(format!("{op} ${}, ${}", a[j], a[column - j]));
        }
        if column >= 5 {
            w.give(a[column - 5]);
        }
        z[column] = w.low_word()?;
    }
    z[11] = w.take()?;
    w.line(format!("mflo ${}", z[11]));
    Ok(z)
}

/// Words j of the first operand in a column of 6 x 6 words, those loaded last at the end.
fn inner_first(column: usize) -> Vec<usize> {
    let mut words: Vec<usize> = (column.saturating_sub(5)..=column.min(5)).collect();
    words.sort_by_key(|j| (*j).max(column - *j));
    words
}

/// Algorithm 2 on words in registers, with the result stored and the return. `high` says that the accumulator is z11;
/// else it is 0.
fn reduce(
    w: &mut Writer<'_>,
    z: [Register; 12],
    high: bool,
    name: &str,
    correction: Correction,
) -> Result<(), FieldError> {
    w.add(&[z[5], z[9]]);
    if !high {
        w.add(&[z[11]]);
    }
    w.give(z[5]);
    let top = w.low_word()?;
    let q = w.take()?;
    w.line(format!("mflo ${q}"));
    // what is added in each column, and what nobody needs afterwards
    let columns: [(&[Register], &[Register]); 6] = [
        (&[z[0], z[6], z[10]], &[z[0]]),
        (&[z[1], z[7], z[11]], &[z[1]]),
        (&[z[2], z[6], z[8], z[10], q], &[z[2], z[6], q]),
        (&[z[3], z[7], z[9], z[11]], &[z[3], z[7], z[9], z[11]]),
        (&[z[4], z[8], z[10]], &[z[4], z[8], z[10]]),
        (&[top], &[top]),
    ];
    let mut r = [0; 6];
    for (word, (terms, dead)) in columns.into_iter().enumerate() {
        w.add(terms);
        for register in dead {
            w.give(*register);
        }
        r[word] = w.low_word()?;
    }
    let over = w.take()?;
    w.line(format!("mflo ${over}"));
    let zero = 0;
    correct(w, r, [zero, zero, over, zero, zero, zero], over, name, correction)
}

/// Stores the result and returns. The sum's overflow is the accumulator, and in `over`; what must be added to it then,
/// word by word and beside the accumulator in the lowest word, is `terms`.
fn correct(
    w: &mut Writer<'_>,
    r: [Register; 6],
    terms: [Register; 6],
    over: Register,
    name: &str,
    correction: Correction,
) -> Result<(), FieldError> {
    let rare = correction == Correction::Branch;
    if rare {
        turn_off(w, r, over, name)?;
    }
    settle(w, r, terms);
    w.fixed(ending(r[5], rare, name))
}

/// Adds terms and the accumulator to the result and stores it, but for the highest word.
fn settle(w: &mut Writer<'_>, r: [Register; 6], terms: [Register; 6]) {
    for word in 0..5 {
        w.add(&[r[word], terms[word]]);
        w.line(format!("mflo ${}", r[word]));
        w.line("sha");
        w.store(r[word], 4 * word, R);
    }
    w.add(&[r[5], terms[5]]);
    w.line(format!("mflo ${}", r[5]));
}

/// The return with the store of the highest word; from a rare case, the way to it.
fn ending(highest: Register, rare: bool, name: &str) -> String {
    if rare { format!("b {name}_end\nnop") } else { format!("jr $ra\nsw ${highest}, 20(${R})") }
}

/// Stores the result and returns unless `over` says that there is something left to do, which comes next.
fn turn_off(w: &mut Writer<'_>, r: [Register; 6], over: Register, name: &str) -> Result<(), FieldError> {
    for (word, register) in r.iter().enumerate().take(4) {
        w.store(*register, 4 * word, R);
    }
    w.fixed(format!("bne ${over}, $0, {name}_rare\nsw ${}, 16(${R})", r[4]))?;
    w.fixed(format!("{name}_end: jr $ra\nsw ${}, 20(${R})\n{name}_rare:", r[5]))
}

/// r = a + b mod p. The overflow q is that of the top words alone; what carries beyond is rare.
pub fn add(model: &Model, name: &str, correction: Correction) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    w.line("multu $0, $0");
    let (a, b) = operands(&mut w)?;
    let (top, q) = (w.take()?, w.take()?);
    w.line(format!("addu ${top}, ${}, ${}", a[5], b[5]));
    w.line(format!("sltu ${q}, ${top}, ${}", b[5]));
    w.give(a[5]);
    w.give(b[5]);
    let mut r = [0; 6];
    for word in 0..6 {
        match word {
            5 => w.add(&[top]),
            _ => w.add(&[a[word], b[word]]),
        }
        if word == 0 || word == 2 {
            w.add(&[q]);
        }
        r[word] = w.low_word()?;
        if word < 5 {
            w.give(a[word]);
            w.give(b[word]);
        }
    }
    let over = w.take()?;
    w.line(format!("mflo ${over}"));
    correct(&mut w, r, [0, 0, over, 0, 0, 0], over, name, correction)?;
    w.finish()
}

/// r = a - b mod p: a + ~b + 1 - 2^192 if the top word says that a > b, and else p more. What is left to add or to
/// subtract then is rare.
pub fn subtract(model: &Model, name: &str, correction: Correction) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    w.line("multu $0, $0");
    let (a, b) = operands(&mut w)?;
    let (top, q, m) = (w.take()?, w.take()?, w.take()?);
    w.line(format!("sltu ${q}, ${}, ${}", b[5], a[5]));
    w.line(format!("addiu ${m}, ${q}, -1"));
    for word in &b {
        w.line(format!("nor ${word}, ${word}, $0"));
    }
    w.line(format!("addu ${top}, ${}, ${}", a[5], b[5]));
    w.give(a[5]);
    w.give(b[5]);
    let mut r = [0; 6];
    for word in 0..6 {
        match word {
            // p - 2^192 is -1 with 2^64 less: ones from word 2 on
            0 => w.add(&[a[0], b[0], q]),
            1 => w.add(&[a[1], b[1]]),
            5 => w.add(&[top, m]),
            _ => w.add(&[a[word], b[word], m]),
        }
        r[word] = w.low_word()?;
        if word < 5 {
            w.give(a[word]);
            w.give(b[word]);
        }
    }
    // -1, 0 or 1 times 2^192 that the result is too large
    let (over, sign, both) = (w.take()?, w.take()?, w.take()?);
    w.line(format!("mflo ${over}"));
    w.line(format!("addu ${over}, ${over}, ${m}"));
    // the rare part of the branch wants an accumulator that is 0
    let rare = correction == Correction::Branch;
    if rare {
        turn_off(&mut w, r, over, name)?;
    }
    w.line("multu $0, $0");
    w.line(format!("sra ${sign}, ${over}, 31"));
    w.line(format!("addu ${both}, ${over}, ${sign}"));
    let terms = [over, sign, both, sign, sign, sign];
    settle(&mut w, r, terms);
    w.fixed(ending(r[5], rare, name))?;
    w.finish()
}

/// Both operands in registers, their top words first.
fn operands(w: &mut Writer<'_>) -> Result<([Register; 6], [Register; 6]), FieldError> {
    let (mut a, mut b) = ([0; 6], [0; 6]);
    for word in [5, 0, 1, 2, 3, 4] {
        a[word] = w.load(4 * word, A)?;
        if word == 4 {
            w.give(A);
        }
        b[word] = w.load(4 * word, B)?;
    }
    w.give(B);
    Ok((a, b))
}

/// r = a / 2 mod p: a or a + p, shifted by a place.
pub fn half(model: &Model, name: &str) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    w.line("multu $0, $0");
    let mut a = [0; 6];
    for (word, register) in a.iter_mut().enumerate() {
        *register = w.load(4 * word, A)?;
    }
    w.give(A);
    w.give(B);
    let (m, even) = (w.take()?, w.take()?);
    w.line(format!("andi ${m}, ${}, 1", a[0]));
    w.line(format!("subu ${m}, $0, ${m}"));
    // p is all ones but for bit 64
    w.line(format!("sll ${even}, ${m}, 1"));
    let mut s = [0; 7];
    for word in 0..6 {
        w.add(&[a[word], if word == 2 { even } else { m }]);
        s[word] = w.low_word()?;
        w.give(a[word]);
    }
    s[6] = w.take()?;
    w.line(format!("mflo ${}", s[6]));
    for word in 0..6 {
        let above = w.take()?;
        w.line(format!("sll ${above}, ${}, 31", s[word + 1]));
        w.line(format!("srl ${0}, ${0}, 1", s[word]));
        w.line(format!("or ${0}, ${0}, ${above}", s[word]));
        if word < 5 {
            w.store(s[word], 4 * word, R);
        }
        w.give(above);
    }
    w.fixed(format!("jr $ra\nsw ${}, 20(${R})", s[5]))?;
    w.finish()
}

/// r = a as a number below p: a + 2^64 + 1 less 2^192 if that reaches 2^192, and else a.
pub fn canonical(model: &Model, name: &str) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    w.line("multu $0, $0");
    let (mut a, mut s) = ([0; 6], [0; 6]);
    for (word, register) in a.iter_mut().enumerate() {
        *register = w.load(4 * word, A)?;
    }
    w.give(A);
    w.give(B);
    let mask = w.take()?;
    w.line(format!("addiu ${mask}, $0, 1"));
    for word in 0..6 {
        w.add(&[a[word], if word == 0 || word == 2 { mask } else { 0 }]);
        s[word] = w.low_word()?;
    }
    w.line(format!("mflo ${mask}"));
    w.line(format!("subu ${mask}, $0, ${mask}"));
    for word in 0..6 {
        w.line(format!("xor ${0}, ${0}, ${1}", s[word], a[word]));
        w.line(format!("and ${0}, ${0}, ${mask}", s[word]));
        w.line(format!("xor ${0}, ${0}, ${1}", s[word], a[word]));
        if word < 5 {
            w.store(s[word], 4 * word, R);
        }
    }
    w.fixed(format!("jr $ra\nsw ${}, 20(${R})", s[5]))?;
    w.finish()
}
