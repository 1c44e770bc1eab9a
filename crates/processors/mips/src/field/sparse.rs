//! Any sparse polynomial over GF(2): t^m + t^e1 + ... + 1 with all lower exponents at most m - 32.
//!
//! A word at t^(32 w) comes back at t^(32 w - m + e) for each lower exponent e, whole below it; so from the highest
//! word of a product down, each word gets what those above bring, and is done. Only words from the modulus's own
//! number of words on come back: a result may have a degree above m, but no more words.

use super::{FieldError, Writer};
use crate::instructions::{Register, SP};
use crate::model::Model;

const R: Register = 4;
const A: Register = 5;
const B: Register = 6;

/// Exponents that such a reduction takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Shape {
    degree: usize,
    lower: Vec<usize>,
}

impl Shape {
    /// Of exponents from the highest to 0; `None` where they are too close to each other.
    pub(super) fn of(exponents: &[u32]) -> Option<Shape> {
        let (degree, lower) = exponents.split_first()?;
        let fits = !lower.is_empty() && lower.iter().all(|exponent| exponent + 32 <= *degree);
        let lower = lower.iter().map(|exponent| *exponent as usize).collect();
        fits.then_some(Shape { degree: *degree as usize, lower })
    }

    /// Words of an element.
    fn words(&self) -> usize {
        self.degree.div_ceil(32)
    }

    /// What comes to a word: numbers of words above it, each with the places by which it is shifted to the left, or to the
    /// right where they are negative.
    fn terms(&self, word: usize) -> Vec<(usize, i32)> {
        let mut terms = Vec::new();
        for above in self.words().max(word + 1)..2 * self.words() {
            for exponent in &self.lower {
                let place = 32 * above - self.degree + exponent;
                let places = (place % 32) as i32;
                if place / 32 == word {
                    terms.push((above, places));
                } else if place / 32 + 1 == word && places > 0 {
                    terms.push((above, places - 32));
                }
            }
        }
        terms
    }
}

/// r = a for 2d words at a.
pub(super) fn reduction(model: &Model, name: &str, shape: &Shape) -> Result<String, FieldError> {
    let size = (HOME + 4 * shape.words()).next_multiple_of(8);
    let mut w = Writer::new(model, name);
    w.give(B);
    w.fixed(format!("addiu $sp, $sp, -{size}"))?;
    fold(&mut w, shape, HOME, |word| (A, 4 * word))?;
    w.fixed(format!("jr $ra\naddiu $sp, $sp, {size}"))?;
    w.finish()
}

/// r = a product modulo the polynomial: it is called with a pointer to the stack in place of r, and must follow.
pub(super) fn after_product(model: &Model, name: &str, shape: &Shape) -> Result<String, FieldError> {
    let d = shape.words();
    let folded = HOME + 8 * d;
    let link = folded + 4 * d;
    let size = (link + 8).next_multiple_of(8);
    let mut w = Writer::new(model, name);
    w.give(A);
    w.give(B);
    w.fixed(format!(
        "addiu $sp, $sp, -{size}\nsw $a0, {}($sp)\nsw $ra, {link}($sp)\nbgezal $0, {name}_product\n\
         addiu $a0, $sp, {HOME}\nlw $a0, {0}($sp)\nlw $ra, {link}($sp)",
        link + 4
    ))?;
    fold(&mut w, shape, folded, |word| (SP, HOME + 4 * word))?;
    w.fixed(format!("jr $ra\naddiu $sp, $sp, {size}\n{name}_product:"))?;
    w.finish()
}

/// Bytes of the stack for what is called.
const HOME: usize = 16;

/// Words from the highest down; those above the result stand in the stack from `folded` on when they are done, unless
/// nothing comes to them. `input` says where the words of the product are.
fn fold(
    w: &mut Writer<'_>,
    shape: &Shape,
    folded: usize,
    input: impl Fn(usize) -> (Register, usize),
) -> Result<(), FieldError> {
    let d = shape.words();
    let done = |word: usize| match shape.terms(word).is_empty() {
        true => input(word),
        false => (SP, folded + 4 * (word - d)),
    };
    for word in (0..2 * d).rev() {
        let terms = shape.terms(word);
        if word >= d && terms.is_empty() {
            continue;
        }
        let (base, offset) = input(word);
        let sum = w.load(offset, base)?;
        let mut sources: Vec<usize> = terms.iter().map(|(above, _)| *above).collect();
        sources.dedup();
        for above in sources {
            let (base, offset) = done(above);
            let own = w.load(offset, base)?;
            for (_, places) in terms.iter().filter(|(other, _)| *other == above) {
                let moved = w.take()?;
                match places {
                    0 => w.line(format!("or ${moved}, ${own}, $0")),
                    1.. => w.line(format!("sll ${moved}, ${own}, {places}")),
                    _ => w.line(format!("srl ${moved}, ${own}, {}", -places)),
                }
                w.line(format!("xor ${sum}, ${sum}, ${moved}"));
                w.give(moved);
            }
            w.give(own);
        }
        let (base, offset) = if word < d { (R, 4 * word) } else { done(word) };
        w.store(sum, offset, base);
        w.give(sum);
    }
    Ok(())
}

/// r = a + b for d words.
pub(super) fn add(model: &Model, name: &str, d: usize) -> Result<String, FieldError> {
    let mut w = Writer::new(model, name);
    for words in (0..d).collect::<Vec<_>>().chunks(6) {
        let mut sums = Vec::new();
        for word in words {
            let (a, b) = (w.load(4 * word, A)?, w.load(4 * word, B)?);
            w.line(format!("xor ${a}, ${a}, ${b}"));
            w.give(b);
            sums.push((word, a));
        }
        for (word, sum) in sums {
            w.store(sum, 4 * word, R);
            w.give(sum);
        }
        w.fixed("")?;
    }
    w.fixed("jr $ra\nnop")?;
    w.finish()
}
