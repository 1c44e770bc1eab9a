//! Montgomery multiplication and squaring, finely integrated product scanning.
//!
//! `void f(uint32_t r[d], const uint32_t a[d], const uint32_t b[d], uint32_t context[4d + 1])`: r = a b / 2^(32d) modulo N.
//! The context has, one after the other, room for A and for the quotients M, room for B, then N and the factor that
//! `rhomb_field::montgomery` calls by that name. N stands as far from B as M from A, so that one pointer serves two
//! arrays. A square's routine has the same arguments and looks at `a` alone.
//!
//! The quotient of a column is the low word times the factor, and that product needs the accumulator, which is therefore
//! kept in two registers meanwhile. The low word becomes 0 when q N0 is added: over the integers by ADDAU, so that a proof
//! sees the word that is cleared; that the word carries unless it was 0 before would say the same in as many cycles. MUL
//! would be shorter, but leaves HI and LO unpredictable (MD00086).

use rhomb_field::montgomery::Ring;

/// A text with the names in braces replaced: the routine's name, and what depends on the number of words.
fn fill(template: &str, name: &str, d: usize, [first, mac]: [&str; 2]) -> String {
    let bytes = 4 * d;
    let mut text = template.replace("NAME", name).replace("FIRST", first).replace("MAC", mac);
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
    text
}

/// Instructions of the two rings: a product into the accumulator, and one added to it.
fn products(ring: Ring) -> [&'static str; 2] {
    match ring {
        Ring::Integers => ["multu", "maddu"],
        Ring::Polynomials => ["mulgf2", "maddgf2"],
    }
}

/// Words of the context for operands of d words.
pub(super) fn context_words(d: usize) -> usize {
    4 * d + 1
}

/// r = a b / R. Over the integers r < R for a, b < R and N < R: N is subtracted once if the sum reaches R; otherwise r is
/// not always less than N. Over polynomials the degree of r is below that of N if a and b have at most that.
pub(super) fn multiply(name: &str, ring: Ring, d: usize) -> String {
    let text = format!("{HEAD}{MULTIPLY}{}{MULTIPLY_FALL}{}", quotient(ring, "$t1", "$a2"), ending(ring));
    fill(&text, name, d, products(ring))
}

const HEAD: &str = "NAME:
    lw $v1, {12d}($a3)          # N[0]
    lw $at, {16d}($a3)          # the factor
    lw $t0, 0($a1)
";

const MULTIPLY: &str = "
    lw $v0, 0($a2)              # B[0]
    addiu $t5, $a3, {8d}
    addiu $a1, $a1, 4
    FIRST $t0, $v0
    or $t1, $a3, $0
    addiu $t4, $t5, 4           # the copy of B[1]
    b NAME_quotient
    addiu $t8, $t5, {4d-4}      # the copy of B's last word
NAME_rise:
    lw $t0, 0($a2)
    or $t1, $a3, $0
    or $t3, $t5, $0
    sw $t0, 0($t5)
NAME_rising:
    lw $t0, 0($t1)
    lw $t2, 0($t3)
    lw $t6, {4d}($t1)
    MAC $t0, $t2
    lw $t7, {4d}($t3)
    addiu $t1, $t1, 4
    MAC $t6, $t7
    bne $t3, $t4, NAME_rising
    addiu $t3, $t3, -4
    lw $t0, 0($a1)
    addiu $a1, $a1, 4
    MAC $t0, $v0
NAME_quotient:
    sw $t0, 0($t1)
";

const MULTIPLY_FALL: &str = "
    bne $t5, $t8, NAME_rise
    addiu $t5, $t5, 4
    addiu $t4, $a3, {4d-4}      # the copy of A's last word
    addiu $t5, $a3, 4           # A's first word of the column
    or $t1, $t5, $0
    or $t3, $t8, $0
NAME_falling:
    lw $t0, 0($t1)
    lw $t2, 0($t3)
    lw $t6, {4d}($t1)
    MAC $t0, $t2
    lw $t7, {4d}($t3)
    addiu $t3, $t3, -4
    MAC $t6, $t7
    bne $t1, $t4, NAME_falling
    addiu $t1, $t1, 4
    mflo $t0
    sha
    or $t3, $t8, $0
    sw $t0, 0($a0)
    addiu $a0, $a0, 4
    addiu $t1, $t5, 4
    bne $t5, $t4, NAME_falling
    addiu $t5, $t5, 4
";

/// The column's quotient, stored `{4d}` bytes behind a register; the accumulator without its low word, which is 0. A pointer
/// moves on to the next word of its operand meanwhile.
fn quotient(ring: Ring, place: &str, pointer: &str) -> String {
    match ring {
        Ring::Integers => {
            "
    mflo $t2
    sha
    mflo $t6
    mfhi $t7
    multu $t2, $at
    addiu POINTER, POINTER, 4
    mflo $t0
    multu $t0, $v1
    sw $t0, {4d}(PLACE)
    addau $t2, $0
    mfhi $t9
    mtlo $t6
    mthi $t7
    addau $t9, $0
"
        }
        Ring::Polynomials => {
            "
    mflo $t2
    mfhi $t6
    mulgf2 $t2, $at
    addiu POINTER, POINTER, 4
    mflo $t0
    mulgf2 $t0, $v1
    sw $t0, {4d}(PLACE)
    mfhi $t9
    xor $t6, $t6, $t9
    mtlo $t6
    mthi $0
"
        }
    }
    .replace("PLACE", place)
    .replace("POINTER", pointer)
}

/// The highest word, and N subtracted if something is above it.
fn ending(ring: Ring) -> &'static str {
    match ring {
        Ring::Polynomials => {
            "
    mflo $t0
    jr $ra
    sw $t0, 0($a0)
"
        }
        Ring::Integers => {
            "
    mflo $t0
    mfhi $t1
    bne $t1, $0, NAME_subtract
    sw $t0, 0($a0)
    jr $ra
    nop
NAME_subtract:
    addiu $t9, $0, 1
    multu $t9, $t9
    addiu $a0, $a0, -{4d-4}
    addiu $t3, $a3, {12d}
    addiu $t4, $a3, {16d}
NAME_word:
    lw $t1, 0($t3)
    lw $t0, 0($a0)
    nor $t1, $t1, $0
    addiu $t3, $t3, 4
    addau $t0, $t1
    mflo $t0
    sha
    addiu $a0, $a0, 4
    bne $t3, $t4, NAME_word
    sw $t0, -4($a0)
    jr $ra
    nop
"
        }
    }
}

/// r = a^2 / R: a round of the inner loop takes the words j and i - j of A, of M and of N. M's highest word is 0 until its
/// column is done; over polynomials, where nothing but M and N is left of a round, the first round of a rising column is
/// M[0] N[i] alone. Columns 2m - 1 and 2m end at words m and m + 1, see the squaring without reduction.
pub(super) fn square(name: &str, ring: Ring, d: usize) -> String {
    let pairs = |label: &str| match ring {
        Ring::Integers => PAIRS.replace("PAIRS", &format!("NAME_{label}")),
        Ring::Polynomials => PAIRS_OF_POLYNOMIALS.replace("PAIRS", &format!("NAME_{label}")),
    };
    let quotient = |label: &str| format!("NAME_{label}:{}", quotient(ring, "$t5", "$a1"));
    let (first_quotient, take) = match ring {
        Ring::Integers => ("", TAKE),
        Ring::Polynomials => ("or $a2, $t0, $0             # M[0]\n", TAKE_OF_POLYNOMIALS),
    };
    // a rising column whose rounds, if there are any, begin with words 1 and i - 1
    let rising = |label: &str| match ring {
        Ring::Integers => pairs(label),
        Ring::Polynomials => {
            format!("beq $t5, $t4, NAME_{label}_end\naddiu $t3, $t5, -4\n{}NAME_{label}_end:\n", pairs(label))
        }
    };
    let text = [
        HEAD,
        SQUARE_FIRST,
        &quotient("first"),
        first_quotient,
        "
    addiu $t4, $a3, 4           # the copy of A[m]
    or $t5, $t4, $0             # that of the column's highest word
    b NAME_rise_odd
    addiu $t8, $a3, {4d-4}      # that of A's last word
NAME_rise_even:",
        take,
        "
    addiu $t4, $t4, 4
",
        &rising("rising_even"),
        DIAGONAL,
        &quotient("even"),
        "
    beq $t5, $t8, NAME_odd_falls
    addiu $t5, $t5, 4
NAME_rise_odd:",
        take,
        &rising("rising_odd"),
        &quotient("odd"),
        "
    bne $t5, $t8, NAME_rise_even
    addiu $t5, $t5, 4
    addiu $t5, $a3, 4           # the copy of the column's lowest word
    b NAME_fall_even
    or $t1, $t5, $0
NAME_odd_falls:
    addiu $t5, $a3, 4
    or $t1, $t5, $0
NAME_fall_odd:
    or $t3, $t8, $0
",
        &pairs("falling_odd"),
        GIVE,
        "
NAME_fall_even:
    beq $t1, $t8, NAME_last
    or $t3, $t8, $0
    addiu $t4, $t4, 4
",
        &pairs("falling_even"),
        DIAGONAL,
        GIVE,
        "
    b NAME_fall_odd
    nop
NAME_last:",
        DIAGONAL,
        "
    mflo $t0
    sha
    sw $t0, 0($a0)
    addiu $a0, $a0, 4
",
        ending(ring),
    ]
    .concat();
    fill(&text, name, d, products(ring))
}

const SQUARE_FIRST: &str = "
    or $t5, $a3, $0
    FIRST $t0, $t0
    sw $t0, 0($t5)
";

/// The next word of A, with its word of M, which is 0.
const TAKE: &str = "
    lw $t0, 0($a1)
    or $t1, $a3, $0
    or $t3, $t5, $0
    sw $t0, 0($t5)
    sw $0, {4d}($t5)
";

/// The next word of A, and M[0] N[i].
const TAKE_OF_POLYNOMIALS: &str = "
    lw $t0, 0($a1)
    lw $t7, {12d}($t5)
    addiu $t1, $a3, 4
    MAC $a2, $t7
    sw $t0, 0($t5)
";

const PAIRS: &str = "PAIRS:
    lw $t0, 0($t1)
    lw $t2, 0($t3)
    lw $t6, {4d}($t1)
    m2addu $t0, $t2
    lw $t7, {12d}($t3)
    lw $t0, {4d}($t3)
    MAC $t6, $t7
    lw $t2, {12d}($t1)
    addiu $t1, $t1, 4
    MAC $t0, $t2
    bne $t3, $t4, PAIRS
    addiu $t3, $t3, -4
";

/// Over polynomials what stands twice is 0.
const PAIRS_OF_POLYNOMIALS: &str = "PAIRS:
    lw $t6, {4d}($t1)
    lw $t7, {12d}($t3)
    lw $t0, {4d}($t3)
    MAC $t6, $t7
    lw $t2, {12d}($t1)
    addiu $t1, $t1, 4
    MAC $t0, $t2
    bne $t3, $t4, PAIRS
    addiu $t3, $t3, -4
";

/// The words in the middle of an even column.
const DIAGONAL: &str = "
    lw $t0, 0($t3)
    lw $t6, {4d}($t3)
    lw $t7, {12d}($t3)
    MAC $t0, $t0
    nop
    MAC $t6, $t7
";

/// A word of the result; on to the next column.
const GIVE: &str = "
    mflo $t0
    sha
    addiu $t5, $t5, 4
    sw $t0, 0($a0)
    addiu $a0, $a0, 4
    or $t1, $t5, $0
";
