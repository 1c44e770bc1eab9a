//! Contexts of Montgomery's routines with loops.

use super::montgomery::context_words;
use rhomb_field::montgomery::{Montgomery, Ring};

/// Bytes below the context that belong to what is called.
const HOME: usize = 16;

/// A routine `f` that makes a Montgomery context for this modulus in its stack and calls `g`, which must follow; `None` of a
/// modulus without an inverse.
pub(super) fn context(ring: Ring, modulus: &[u32]) -> Option<String> {
    let d = modulus.len();
    let montgomery = Montgomery::new(ring, modulus)?;
    let link = HOME + 4 * context_words(d);
    let size = (link + 4).next_multiple_of(8);
    let mut text = format!("f: addiu $sp, $sp, -{size}\nsw $ra, {link}($sp)\naddiu $a3, $sp, {HOME}\n");
    for (place, word) in (3 * d..).zip(modulus.iter().chain([&montgomery.factor()])) {
        let register = match (word >> 16, word & 0xffff) {
            (0, 0) => "$0",
            (0, low) => {
                text += &format!("ori $t0, $0, {low}\n");
                "$t0"
            }
            (high, low) => {
                text += &format!("lui $t0, {high}\n");
                if low != 0 {
                    text += &format!("ori $t0, $t0, {low}\n");
                }
                "$t0"
            }
        };
        text += &format!("sw {register}, {}($a3)\n", 4 * place);
    }
    text += &format!("bgezal $0, g\nnop\nlw $ra, {link}($sp)\nnop\njr $ra\naddiu $sp, $sp, {size}\n");
    Some(text)
}
