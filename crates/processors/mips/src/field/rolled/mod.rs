//! Operations with loops, as the paper has them: code whose size does not depend on that of the operands.
//!
//! The inner loops are that of figure 3 of the paper and what follows from it. `d` is the number of words, at least 2;
//! it stands in a few constants of the code. Result and operands may be the same. Registers are those that o32 lets a
//! routine use freely; $a3 stays as it is.

mod montgomery;
mod sums;

pub use montgomery::{context_words, multiply as montgomery_multiply, square as montgomery_square};
pub use sums::{add, xor};

pub use rhomb_field::montgomery::Ring;

/// A text with the names in braces replaced: the routine's name, and what depends on the number of words.
fn fill(template: &str, name: &str, d: usize, more: &[(&str, String)]) -> String {
    let bytes = 4 * d;
    let mut text = template.replace("NAME", name);
    for (key, value) in [
        ("{4d}", bytes),
        ("{4d-4}", bytes - 4),
        ("{8d}", 2 * bytes),
        ("{12d}", 3 * bytes),
        ("{12d-4}", 3 * bytes - 4),
        ("{16d}", 4 * bytes),
    ] {
        text = text.replace(key, &value.to_string());
    }
    for (key, value) in more {
        text = text.replace(key, value);
    }
    text
}

/// Instructions of the two rings: a product into the accumulator, and one added to it.
fn products(ring: Ring) -> (&'static str, &'static str) {
    match ring {
        Ring::Integers => ("multu", "maddu"),
        Ring::Polynomials => ("mulgf2", "maddgf2"),
    }
}
