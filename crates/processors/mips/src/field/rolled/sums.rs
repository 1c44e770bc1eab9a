//! Sums, word by word.
//!
//! Modulo an N above 2^(32d - 1): numbers are below 2^(32d), and N is subtracted from a sum until that holds again, which
//! with two numbers of N and more can take twice, and never more often: a + b - 2N < 2^(32d). The second time has code of
//! its own, which asks for no third.

use super::fill;

/// `r[d] = a[d] + b[d]` modulo the N of a Montgomery context at $a3.
pub fn add(name: &str, d: usize) -> String {
    let again = "    mflo $t8\n    bne $t8, $0, NAME_second\n    nop\n";
    let text = [ADD, &subtracted("again"), again, RETURN, &subtracted("second"), RETURN].concat();
    fill(&text, name, d, &[])
}

const ADD: &str = "NAME:
    multu $0, $0
    addiu $t4, $a1, {4d}
NAME_loop:
    lw $t0, 0($a1)
    lw $t1, 0($a2)
    addiu $a1, $a1, 4
    addiu $a2, $a2, 4
    addau $t0, $t1
    mflo $t8
    sha
    addiu $a0, $a0, 4
    bne $a1, $t4, NAME_loop
    sw $t8, -4($a0)
    mflo $t8
    bne $t8, $0, NAME_again
    nop
NAME_end:
    jr $ra
    nop
";

/// N subtracted from the result.
fn subtracted(label: &str) -> String {
    format!(
        "NAME_{label}:
    addiu $t9, $0, 1
    multu $t9, $t9
    addiu $a0, $a0, -{{4d}}
    addiu $t3, $a3, {{12d}}
    addiu $t4, $a3, {{16d}}
NAME_{label}_word:
    lw $t1, 0($t3)
    lw $t0, 0($a0)
    nor $t1, $t1, $0
    addiu $t3, $t3, 4
    addau $t0, $t1
    mflo $t0
    sha
    addiu $a0, $a0, 4
    bne $t3, $t4, NAME_{label}_word
    sw $t0, -4($a0)
"
    )
}

const RETURN: &str = "    jr $ra\n    nop\n";

/// `r[d] = a[d] + b[d]` over binary polynomials.
pub fn xor(name: &str, d: usize) -> String {
    fill(XOR, name, d, &[])
}

const XOR: &str = "NAME:
    addiu $t4, $a1, {4d}
NAME_loop:
    lw $t0, 0($a1)
    lw $t1, 0($a2)
    addiu $a1, $a1, 4
    addiu $a2, $a2, 4
    xor $t0, $t0, $t1
    addiu $a0, $a0, 4
    bne $a1, $t4, NAME_loop
    sw $t0, -4($a0)
    jr $ra
    nop
";
