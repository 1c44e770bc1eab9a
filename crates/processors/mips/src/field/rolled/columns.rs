//! Products and squares of 2d words, column by column.

use super::{Ring, fill, products};

/// `r[2d] = a[d] * b[d]`. The result may not be an operand. Figure 3 is the inner loop of the first d columns, with its
/// registers; in the others A's pointer decides about the end.
pub fn multiply(name: &str, ring: Ring, d: usize) -> String {
    let (_, mac) = products(ring);
    fill(MULTIPLY, name, d, &[("MAC", mac.to_owned())])
}

const MULTIPLY: &str = "NAME:
    multu $0, $0
    or $t1, $a1, $0
    or $t3, $a2, $0
    or $t5, $a2, $0             # B's first word of the column
    addiu $t7, $a2, {4d}        # behind B
NAME_rise:
    lw $t0, 0($t1)
    lw $t2, 0($t3)
    addiu $t1, $t1, 4
    MAC $t0, $t2
    bne $t3, $a2, NAME_rise
    addiu $t3, $t3, -4
    mflo $t8
    sha
    addiu $t5, $t5, 4
    sw $t8, 0($a0)
    addiu $a0, $a0, 4
    or $t1, $a1, $0
    bne $t5, $t7, NAME_rise
    or $t3, $t5, $0
    addiu $a1, $a1, 4           # A's first word of the column
    addiu $t9, $a1, {4d-8}      # A's last word
    or $t1, $a1, $0
NAME_fall:
    lw $t0, 0($t1)
    lw $t2, -4($t3)
    addiu $t3, $t3, -4
    MAC $t0, $t2
    bne $t1, $t9, NAME_fall
    addiu $t1, $t1, 4
    mflo $t8
    sha
    or $t3, $t7, $0
    sw $t8, 0($a0)
    addiu $a0, $a0, 4
    addiu $t1, $a1, 4
    bne $a1, $t9, NAME_fall
    addiu $a1, $a1, 4
    mflo $t8
    jr $ra
    sw $t8, 0($a0)
";

/// `r[2d] = a[d]^2` over the integers: products off the diagonal once, doubled by M2ADDU. The result may not be the
/// operand. Columns 2m - 1 and 2m end at words m and m + 1.
pub fn square_integers(name: &str, d: usize) -> String {
    fill(SQUARE, name, d, &[])
}

const SQUARE: &str = "NAME:
    lw $t0, 0($a1)
    addiu $t4, $a1, 4           # A[m]
    addiu $t7, $a1, {4d-4}      # A's last word
    multu $t0, $t0
    or $a2, $t4, $0             # highest word of the column; $a1 the lowest
    or $t1, $a1, $0
    mflo $t8
    sha
    or $t3, $a2, $0
    sw $t8, 0($a0)
NAME_odd:
    lw $t0, 0($t1)
    lw $t2, 0($t3)
    addiu $t1, $t1, 4
    m2addu $t0, $t2
    bne $t3, $t4, NAME_odd
    addiu $t3, $t3, -4
    beql $a2, $t7, NAME_to_even
    addiu $a1, $a1, 4
    addiu $a2, $a2, 4
NAME_to_even:
    mflo $t8
    sha
    or $t1, $a1, $0
    or $t3, $a2, $0
    beq $t1, $t4, NAME_last
    sw $t8, 4($a0)
    addiu $t4, $t4, 4
NAME_even:
    lw $t0, 0($t1)
    lw $t2, 0($t3)
    addiu $t1, $t1, 4
    m2addu $t0, $t2
    bne $t3, $t4, NAME_even
    addiu $t3, $t3, -4
    lw $t0, 0($t3)
    addiu $a0, $a0, 8
    maddu $t0, $t0
    beql $a2, $t7, NAME_to_odd
    addiu $a1, $a1, 4
    addiu $a2, $a2, 4
NAME_to_odd:
    mflo $t8
    sha
    or $t1, $a1, $0
    or $t3, $a2, $0
    b NAME_odd
    sw $t8, 0($a0)
NAME_last:
    lw $t0, 0($t1)
    nop
    maddu $t0, $t0
    mflo $t8
    sha
    sw $t8, 8($a0)
    mflo $t8
    jr $ra
    sw $t8, 12($a0)
";

/// `r[2d] = a[d]^2` over binary polynomials: a product for each word. The result may not be the operand.
pub fn square_polynomials(name: &str, d: usize) -> String {
    fill(SQUARE_POLYNOMIALS, name, d, &[])
}

const SQUARE_POLYNOMIALS: &str = "NAME:
    addiu $t4, $a1, {4d}
NAME_loop:
    lw $t0, 0($a1)
    addiu $a1, $a1, 4
    mulgf2 $t0, $t0
    addiu $a0, $a0, 8
    mflo $t1
    sw $t1, -8($a0)
    mfhi $t2
    bne $a1, $t4, NAME_loop
    sw $t2, -4($a0)
    jr $ra
    nop
";
