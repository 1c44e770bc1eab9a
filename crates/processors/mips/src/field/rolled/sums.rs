//! Sums and differences modulo N, word by word.
//!
//! For N above 2^(32d - 1): numbers are below 2^(32d), and N is subtracted from a sum, or added to a difference, until that
//! holds again, which with two numbers of N and more can take twice, and never more often: a + b - 2N < 2^(32d). The second
//! time has code of its own, which asks for no third.

use super::fill;

/// `r[d] = a[d] + b[d]` modulo the N of a Montgomery context at $a3.
pub fn add(name: &str, d: usize) -> String {
    let change = "    addiu $t9, $0, 1\n    multu $t9, $t9\n";
    fill(&(ADD.to_owned() + &twice(change, "nor $t1, $t1, $0", "bne")), name, d, &[])
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

/// N added to the result, or subtracted, and once more if the sum's carry says so.
fn twice(start: &str, change: &str, more: &str) -> String {
    let once = |label: &str| {
        format!(
            "NAME_{label}:
{start}    addiu $a0, $a0, -{{4d}}
    addiu $t3, $a3, {{12d}}
    addiu $t4, $a3, {{16d}}
NAME_{label}_word:
    lw $t1, 0($t3)
    lw $t0, 0($a0)
    {change}
    addiu $t3, $t3, 4
    addau $t0, $t1
    mflo $t0
    sha
    addiu $a0, $a0, 4
    bne $t3, $t4, NAME_{label}_word
    sw $t0, -4($a0)
"
        )
    };
    let again = format!("    mflo $t8\n    {more} $t8, $0, NAME_second\n    nop\n");
    [&once("again"), &again, RETURN, &once("second"), RETURN].concat()
}

const RETURN: &str = "    jr $ra\n    nop\n";

/// `r[d] = a[d] - b[d]` modulo the N of a Montgomery context at $a3.
pub fn subtract(name: &str, d: usize) -> String {
    fill(&(SUBTRACT.to_owned() + &twice("    multu $0, $0\n", "nop", "beq")), name, d, &[])
}

const SUBTRACT: &str = "NAME:
    addiu $t9, $0, 1
    multu $t9, $t9
    addiu $t4, $a1, {4d}
NAME_loop:
    lw $t1, 0($a2)
    lw $t0, 0($a1)
    nor $t1, $t1, $0
    addiu $a1, $a1, 4
    addau $t0, $t1
    addiu $a2, $a2, 4
    mflo $t8
    sha
    addiu $a0, $a0, 4
    bne $a1, $t4, NAME_loop
    sw $t8, -4($a0)
    mflo $t8
    beq $t8, $0, NAME_again
    nop
NAME_end:
    jr $ra
    nop
";

/// The sum of 6 words modulo 2^192 - 2^64 - 1: where it reaches 2^192, 1 is added to words 0 and 2, which rarely carries.
pub fn add_p192(name: &str) -> String {
    let quick = "NAME_again:
    lw $t0, -24($a0)
    lw $t2, -16($a0)
    addiu $t0, $t0, 1
    beq $t0, $0, NAME_carries
    addiu $t2, $t2, 1
    beq $t2, $0, NAME_carries
    nop
    sw $t0, -24($a0)
    jr $ra
    sw $t2, -16($a0)
";
    fill(&format!("{ADD}{quick}{}", carries([1, 0, 1, 0, 0, 0], "bne")), name, 6, &[])
}

/// The difference: where it is negative, 1 is subtracted from words 0 and 2, which rarely borrows.
pub fn subtract_p192(name: &str) -> String {
    let quick = "NAME_again:
    lw $t0, -24($a0)
    lw $t2, -16($a0)
    beq $t0, $0, NAME_carries
    addiu $t0, $t0, -1
    beq $t2, $0, NAME_carries
    addiu $t2, $t2, -1
    sw $t0, -24($a0)
    jr $ra
    sw $t2, -16($a0)
";
    fill(&format!("{SUBTRACT}{quick}{}", carries([-1, -1, -2, -1, -1, -1], "beq")), name, 6, &[])
}

/// Six small numbers added to the words of the result, and once more if the carry says so.
fn carries(terms: [i32; 6], more: &str) -> String {
    let once = |label: &str| {
        let mut text = format!("NAME_{label}:\n    multu $0, $0\n");
        for (offset, term) in (-6..0).map(|word| 4 * word).zip(terms) {
            text += &format!(
                "    lw $t0, {offset}($a0)
    addiu $t1, $0, {term}
    addau $t0, $t1
    mflo $t0
    sha
    sw $t0, {offset}($a0)
"
            );
        }
        text
    };
    let again = format!("    mflo $t8\n    {more} $t8, $0, NAME_second\n    nop\n");
    [&once("carries"), &again, RETURN, &once("second"), RETURN].concat()
}

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

/// `r[d] = a[d]`, or a - N if that is not negative; N of a Montgomery context at $a3.
pub fn canonical(name: &str, d: usize) -> String {
    fill(CANONICAL, name, d, &[])
}

const CANONICAL: &str = "NAME:
    addiu $t9, $0, 1
    multu $t9, $t9
    addiu $t3, $a3, {12d}
    addiu $t4, $a1, {4d}
NAME_loop:
    lw $t1, 0($t3)
    lw $t0, 0($a1)
    nor $t1, $t1, $0
    addiu $a1, $a1, 4
    addau $t0, $t1
    addiu $t3, $t3, 4
    mflo $t8
    sha
    addiu $a0, $a0, 4
    bne $a1, $t4, NAME_loop
    sw $t8, -4($a0)
    mflo $t8
    bne $t8, $0, NAME_end
    addiu $t3, $a3, {12d}
    multu $0, $0
    addiu $t4, $t3, {4d}
    addiu $a0, $a0, -{4d}
NAME_back:
    lw $t1, 0($t3)
    lw $t0, 0($a0)
    addiu $t3, $t3, 4
    addau $t0, $t1
    mflo $t8
    sha
    addiu $a0, $a0, 4
    bne $t3, $t4, NAME_back
    sw $t8, -4($a0)
NAME_end:
    jr $ra
    nop
";
