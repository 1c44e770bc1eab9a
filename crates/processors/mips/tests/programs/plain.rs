//! Plain MIPS32: the accumulator in three registers.

use super::*;

/// `r = a * b` of `n` words each by columns, with three registers by turns for the sum.
pub(crate) fn multiplication(n: usize) -> String {
    let mut text = String::from("f:\n addiu $sp, $sp, -16\n sw $s0, 0($sp)\n sw $s1, 4($sp)\n");
    text += " addiu $s0, $0, 0\n addiu $s1, $0, 0\n";
    let mut sum = ["$t6", "$s0", "$s1"];
    text += " addiu $t6, $0, 0\n";
    for column in 0..2 * n - 1 {
        let [low, middle, high] = sum;
        for j in column.saturating_sub(n - 1)..=column.min(n - 1) {
            text += &format!(
                " lw $t0, {}($a1)
                lw $t1, {}($a2)
                multu $t0, $t1
                mflo $t2
                mfhi $t3
                addu {low}, {low}, $t2
                sltu $t4, {low}, $t2
                addu $t3, $t3, $t4
                addu {middle}, {middle}, $t3
                sltu $t4, {middle}, $t3
                addu {high}, {high}, $t4\n",
                4 * j,
                4 * (column - j)
            );
        }
        text += &format!(" sw {low}, {}($a0)\n addiu {low}, $0, 0\n", 4 * column);
        sum = [middle, high, low];
    }
    text += &format!(" sw {}, {}($a0)\n", sum[0], 4 * (2 * n - 1));
    text + " lw $s0, 0($sp)\n lw $s1, 4($sp)\n jr $ra\n addiu $sp, $sp, 16\n"
}

#[test]
fn products() {
    let mut random = Random::new(6);
    for n in [1, 3, 6] {
        let function = function("mips32-4km", &multiplication(n));
        for place in 0..20 {
            let (a, b) = (random.extreme_words(n), random.extreme_words(n));
            let finished = call(&function, 2 * n as u32, &[&a, &b], place).unwrap();
            assert_eq!(finished.breaches, []);
            let words: Vec<u32> = finished.buffers[0].iter().map(|word| word.unwrap()).collect();
            assert_eq!(words, words_of(&(big(&a) * big(&b)), 2 * n));
            assert_eq!(finished.stack_bytes, 16);
            // three instructions before the body; lw, lw, jr and the slot after it
            assert_eq!(finished.tally.cycles.without(3 + 4), finished.body_cycles);
            assert_eq!(finished.mix.store, 2 * n as u64);
        }
    }
}

#[test]
fn what_the_convention_forbids_is_told() {
    let told = |text: &str| {
        let finished = call(&function("mips32-4km", text), 1, &[], 0);
        finished
            .map(|finished| finished.breaches.iter().map(|breach| breach.text.clone()).collect::<Vec<_>>())
    };
    assert!(told("f: jr $ra\n nop").unwrap().is_empty());
    assert_eq!(told("f: jr $ra\n addiu $s0, $0, 1").unwrap(), ["$16 is not what it was at the call"]);
    assert_eq!(told("f: jr $ra\n addiu $fp, $0, 1").unwrap(), ["$30 is not what it was at the call"]);
    let stopped = |text: &str| told(text).unwrap_err().fault.to_string();
    let below = stopped("f: sw $a0, -4($sp)\n jr $ra\n nop");
    assert!(below.contains("below the stack pointer"), "{below}");
    // the home of the arguments is free
    assert!(told("f: sw $a0, 0($sp)\n sw $a1, 12($sp)\n jr $ra\n nop").unwrap().is_empty());
    assert!(stopped("f: sw $a0, 16($sp)\n jr $ra\n nop").contains("does not own"));
    assert!(stopped("f: lw $t0, 0($a0)\n jr $ra\n nop").contains("never written"));
    assert!(stopped("f: addiu $sp, $sp, -8\n jr $ra\n nop").contains("return to"));
    assert!(stopped("f: addu $t0, $t1, $t2\n jr $ra\n nop").contains("read of $9"));
    assert!(stopped("f: mflo $t0\n jr $ra\n nop").contains("read of LO"));
    assert!(stopped("f: jr $ra\n jr $ra").contains("in a delay slot"));
    assert!(stopped("f: addiu $a0, $a0, 2\n sw $0, 0($a0)\n jr $ra\n nop").contains("aligned"));
    // saving what is undefined is no use of it
    let saved = "f: addiu $sp, $sp, -8\n sw $s7, 0($sp)\n addiu $s7, $0, 1\n lw $s7, 0($sp)\n jr $ra\n addiu $sp, $sp, 8";
    for place in [0, 1] {
        assert_eq!(call(&function("mips32-4km", saved), 1, &[], place).unwrap().breaches, []);
    }
}
