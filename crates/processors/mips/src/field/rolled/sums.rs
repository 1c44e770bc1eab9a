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
/// Then the carries go on, and all of it is done once more if 2^192 is reached again.
pub fn add_p192(name: &str) -> String {
    let ones = "    lw $t2, -16($a0)
    addiu $t0, $t0, 1
    sltiu $t3, $t0, 1
    addiu $t2, $t2, 1
    sltiu $t5, $t2, 1
";
    let on = |word: &str, carry: &str| {
        format!("    addu {word}, {word}, {carry}\n    sltu {carry}, {word}, {carry}\n")
    };
    fill(&[&first_loaded(ADD), &quick(ones, on)[..]].concat(), name, 6, &[])
}

/// The difference: where it is negative, 1 is subtracted from words 0 and 2, which rarely borrows.
pub fn subtract_p192(name: &str) -> String {
    // $t9 is 1
    let ones = "    lw $t2, -16($a0)
    sltu $t3, $t0, $t9
    subu $t0, $t0, $t9
    sltu $t5, $t2, $t9
    subu $t2, $t2, $t9
";
    let on = |word: &str, borrow: &str| {
        format!(
            "    sltu $t6, {word}, {borrow}\n    subu {word}, {word}, {borrow}\n    addu {borrow}, $t6, $0\n"
        )
    };
    fill(&[&first_loaded(SUBTRACT), &quick(ones, on)[..]].concat(), name, 6, &[])
}

/// The word that a correction changes first is loaded beside the branch to it.
fn first_loaded(text: &str) -> String {
    text.replace("NAME_again\n    nop\n", "NAME_again\n    lw $t0, -24($a0)\n")
}

/// `ones` changes words 0 and 2, in $t0 and $t2, by 1, with the carries in $t3 and $t5; `on` hands a carry on through a
/// word. Both are sums of two numbers, which is what makes it provable: a carry of three is none of a sum.
fn quick(ones: &str, on: impl Fn(&str, &str) -> String) -> String {
    let mut carries =
        on_in("-20", "$t3", &on) + &on("$t2", "$t3") + "    addu $t5, $t5, $t3\n    sw $t2, -16($a0)\n";
    carries.extend(["-12", "-8", "-4"].map(|offset| on_in(offset, "$t5", &on)));
    format!(
        "NAME_again:
{ones}    or $t4, $t5, $t3
    bne $t4, $0, NAME_carries
    sw $t0, -24($a0)
    jr $ra
    sw $t2, -16($a0)
NAME_carries:
{carries}    bne $t5, $0, NAME_second
    nop
{RETURN}NAME_second:
    lw $t0, -24($a0)
{ones}    sw $t0, -24($a0)
{carries}{RETURN}"
    )
}

/// A carry handed on through a word of the result.
fn on_in(offset: &str, carry: &str, on: impl Fn(&str, &str) -> String) -> String {
    format!("    lw $t1, {offset}($a0)\n{}    sw $t1, {offset}($a0)\n", on("$t1", carry))
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
