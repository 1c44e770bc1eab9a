//! Inversion by the binary extended Euclidean algorithm, with loops.
//!
//! `void f(uint32_t r[d], const uint32_t a[d], const uint32_t unused[], const uint32_t context[])`: r = 1/a modulo the N of
//! a Montgomery context at $a3, for an a that has an inverse; 0 for a = 0. Time depends on the operand.
//!
//! x a = u and y a = v modulo N, always: u and v start as a and N, x and y as 1 and 0. An even u is halved, with its
//! coefficient x; when both are odd, the smaller is subtracted from the larger (over polynomials: added), which
//! becomes u. At the end both are 1. $t8 points to u and $t9 to v, with their coefficients 8d bytes behind.

use super::{Ring, fill};

/// The routine for operands of d words; it takes 16d bytes of stack.
pub fn inverse(name: &str, ring: Ring, d: usize) -> String {
    let (add, subtract) = match ring {
        Ring::Integers => (ADD, SUBTRACT),
        Ring::Polynomials => (ADD_POLYNOMIAL, SUM_OF_POLYNOMIALS),
    };
    let text = [START, HALVE, add, HALVE_COEFFICIENT, COMPARE, subtract, END].concat();
    fill(&text, name, d, &[])
}

const START: &str = "NAME:
    addiu $sp, $sp, -{16d}
    addiu $t3, $a3, {12d}
    or $t4, $sp, $0
    addiu $t5, $sp, {4d}
    addiu $t6, $0, 0
NAME_start:
    lw $t0, 0($a1)
    lw $t1, 0($t3)
    addiu $a1, $a1, 4
    addiu $t3, $t3, 4
    or $t6, $t6, $t0
    sw $t0, 0($t4)
    sw $t1, {4d}($t4)
    sw $0, {8d}($t4)
    sw $0, {12d}($t4)
    addiu $t4, $t4, 4
    bne $t4, $t5, NAME_start
    or $t8, $sp, $0
    addiu $t9, $sp, {4d}
    beq $t6, $0, NAME_end
    addiu $t0, $0, 1
    sw $t0, {8d}($sp)
";

const HALVE: &str = "NAME_main:
    lw $t0, 0($t8)
    addiu $t4, $t8, {4d}
    andi $t0, $t0, 1
    bne $t0, $0, NAME_odd
    or $t7, $0, $0
NAME_halve:
    lw $t0, -4($t4)
    addiu $t4, $t4, -4
    srl $t1, $t0, 1
    or $t1, $t1, $t7
    sll $t7, $t0, 31
    bne $t4, $t8, NAME_halve
    sw $t1, 0($t4)
    lw $t0, {8d}($t8)
    addiu $t4, $t8, {12d}
    andi $t0, $t0, 1
    addiu $t5, $t8, {8d}
    beq $t0, $0, NAME_coefficient
    or $t7, $0, $0
    or $t6, $t5, $0
    addiu $t3, $a3, {12d}
";

/// N added to an odd coefficient; its carry is shifted in.
const ADD: &str = "    multu $0, $0
NAME_add:
    lw $t0, 0($t6)
    lw $t1, 0($t3)
    addiu $t3, $t3, 4
    addiu $t6, $t6, 4
    addau $t0, $t1
    mflo $t0
    sha
    bne $t6, $t4, NAME_add
    sw $t0, -4($t6)
    mflo $t7
    sll $t7, $t7, 31
";

const ADD_POLYNOMIAL: &str = "NAME_add:
    lw $t0, 0($t6)
    lw $t1, 0($t3)
    addiu $t3, $t3, 4
    addiu $t6, $t6, 4
    xor $t0, $t0, $t1
    bne $t6, $t4, NAME_add
    sw $t0, -4($t6)
";

const HALVE_COEFFICIENT: &str = "NAME_coefficient:
    lw $t0, -4($t4)
    addiu $t4, $t4, -4
    srl $t1, $t0, 1
    or $t1, $t1, $t7
    sll $t7, $t0, 31
    bne $t4, $t5, NAME_coefficient
    sw $t1, 0($t4)
    b NAME_main
    nop
";

/// From the highest words down; pointers are exchanged if v is the larger.
const COMPARE: &str = "NAME_odd:
    addiu $t5, $t9, {4d}
NAME_compare:
    lw $t0, -4($t4)
    lw $t1, -4($t5)
    addiu $t4, $t4, -4
    bne $t0, $t1, NAME_differ
    addiu $t5, $t5, -4
    bne $t4, $t8, NAME_compare
    nop
    b NAME_end
    nop
NAME_differ:
    sltu $t0, $t0, $t1
    beq $t0, $0, NAME_larger
    or $t4, $t8, $0
    or $t8, $t9, $0
    or $t9, $t4, $0
NAME_larger:
    or $t4, $t8, $0
    or $t5, $t9, $0
    addiu $t6, $t8, {4d}
";

/// The first difference is positive and leaves the carry 1 that the second begins with; N is added if that is negative.
const SUBTRACT: &str = "    addiu $t0, $0, 1
    multu $t0, $t0
NAME_numbers:
    lw $t1, 0($t5)
    lw $t0, 0($t4)
    nor $t1, $t1, $0
    addiu $t4, $t4, 4
    addau $t0, $t1
    addiu $t5, $t5, 4
    mflo $t0
    sha
    bne $t4, $t6, NAME_numbers
    sw $t0, -4($t4)
    addiu $t4, $t8, {8d}
    addiu $t5, $t9, {8d}
    addiu $t6, $t8, {12d}
NAME_coefficients:
    lw $t1, 0($t5)
    lw $t0, 0($t4)
    nor $t1, $t1, $0
    addiu $t4, $t4, 4
    addau $t0, $t1
    addiu $t5, $t5, 4
    mflo $t0
    sha
    bne $t4, $t6, NAME_coefficients
    sw $t0, -4($t4)
    mflo $t0
    bne $t0, $0, NAME_main
    addiu $t3, $a3, {12d}
    addiu $t4, $t8, {8d}
NAME_negative:
    lw $t0, 0($t4)
    lw $t1, 0($t3)
    addiu $t3, $t3, 4
    addiu $t4, $t4, 4
    addau $t0, $t1
    mflo $t0
    sha
    bne $t4, $t6, NAME_negative
    sw $t0, -4($t4)
    b NAME_main
    nop
";

const SUM_OF_POLYNOMIALS: &str = "NAME_numbers:
    lw $t0, 0($t4)
    lw $t1, 0($t5)
    lw $t2, {8d}($t4)
    lw $t3, {8d}($t5)
    xor $t0, $t0, $t1
    xor $t2, $t2, $t3
    sw $t0, 0($t4)
    sw $t2, {8d}($t4)
    addiu $t4, $t4, 4
    bne $t4, $t6, NAME_numbers
    addiu $t5, $t5, 4
    b NAME_main
    nop
";

/// The coefficient of u is the result.
const END: &str = "NAME_end:
    addiu $t5, $t8, {4d}
NAME_copy:
    lw $t0, {8d}($t8)
    addiu $t8, $t8, 4
    addiu $a0, $a0, 4
    bne $t8, $t5, NAME_copy
    sw $t0, -4($a0)
    jr $ra
    addiu $sp, $sp, {16d}
";
