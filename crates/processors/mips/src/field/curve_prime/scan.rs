//! The digits of a scalar, one after the other.

use super::{Layout, select};
use crate::field::FieldError;
use crate::field::calls::ELEMENT;
use std::fmt::Write;

/// The scalar and three times the scalar in the frame.
pub(super) fn scalar_and_triple(layout: &Layout) -> String {
    let mut text = "multu $0, $0\n".to_owned();
    for word in (0..6).map(|word| 4 * word) {
        let _ = write!(
            text,
            "lw $t0, {word}($a1)\nnop\nsw $t0, {}($sp)\naddau $t0, $t0\naddau $t0, $0\nmflo $t1\nsha\nsw $t1, {}($sp)\n",
            layout.scalar + word,
            layout.triple + word
        );
    }
    let _ =
        write!(text, "mflo $t1\nsw $t1, {}($sp)\nsw $0, {}($sp)\n", layout.triple + 24, layout.scalar + 24);
    text
}

/// k if it is odd, and else n - k; above it a mask that says which: all ones for n - k.
pub(super) fn odd_scalar(layout: &Layout) -> String {
    let mut text = "lw $t9, 0($a1)\naddiu $t1, $0, 1\nandi $t9, $t9, 1\naddiu $t9, $t9, -1\nmultu $0, $0\naddau $t1, $0\n".to_owned();
    for word in (0..6).map(|word| 4 * word) {
        let _ = write!(
            text,
            "lw $t0, {word}($a1)\nlw $t1, {}($s6)\nnor $t2, $t0, $0\naddau $t1, $t2\nmflo $t2\nsha\nxor $t2, $t2, $t0\nand $t2, $t2, $t9\nxor $t2, $t2, $t0\nsw $t2, {}($sp)\n",
            ELEMENT + word,
            layout.scalar + word
        );
    }
    let _ = writeln!(text, "sw $t9, {}($sp)", layout.scalar + 24);
    text
}

/// Bit $s4 of what stands so many bytes above the stack pointer; takes $t0.
fn bit(to: &str, offset: usize) -> String {
    format!(
        "srl $t0, $s4, 5\nsll $t0, $t0, 2\naddu $t0, $sp, $t0\nlw {to}, {offset}($t0)\nnop\nsrlv {to}, {to}, $s4\nandi {to}, {to}, 1\n"
    )
}

/// The digits of the non-adjacent form from below the highest down to bit 1 of 3k.
pub(super) fn scan(layout: &Layout, doubled: &str, added: &str) -> Result<String, FieldError> {
    let Layout { places, scalar, triple, .. } = layout;
    let (_, negative) = places.of("negative")?;
    let (base, own) = places.of("own y")?;
    Ok(format!(
        "addiu $s4, $0, 194
        top:
        addiu $s4, $s4, -1
        {first}
        beq $t1, $0, top
        nop
        next:
        addiu $s4, $s4, -1
        beq $s4, $0, scanned
        nop
        {doubled}
        {first}
        {second}
        subu $t1, $t1, $t2
        beq $t1, $0, next
        nop
        bltz $t1, sign
        addiu $s2, $sp, {negative}
        addiu $s2, ${base}, {own}
        sign:
        {added}
        b next
        nop
        scanned:\n",
        first = bit("$t1", *triple),
        second = bit("$t2", *scalar),
    ))
}

/// 191 digits after the first.
pub(super) fn scan_all(layout: &Layout, doubled: &str, added: &str) -> Result<String, FieldError> {
    let Layout { places, scalar, .. } = layout;
    let (_, selected) = places.of("selected")?;
    Ok(format!(
        "addiu $s4, $0, 191
        addiu $s2, $sp, {selected}
        next:
        {doubled}
        {bit}
        addiu $t8, $t2, -1
        {select}
        {added}
        addiu $s4, $s4, -1
        bne $s4, $0, next
        nop\n",
        bit = bit("$t2", *scalar),
        select = select(places, "selected", "own y", "negative")?,
    ))
}
