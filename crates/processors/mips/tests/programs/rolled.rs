//! Product scanning with loops: figure 3 of the paper.

use super::*;

/// Columns of a product of `n` words each. $t1 goes up from A's first word of the column, $t3 down from B's, until it
/// has passed $t4: figure 3 of the paper with its registers.
const LOOPED: &str = "f:
    multu $0, $0
    addiu $t5, $a2, 0          # B's first word of the next column
    addiu $t6, $a1, 0          # A's
    addiu $t7, $a2, LAST       # B's last word
    addiu $t4, $a2, 0          # where the column ends
columns:
    or $t1, $t6, $0
    or $t3, $t5, $0
label:
    lw $t0, 0($t1)
    lw $t2, 0($t3)
    addiu $t1, $t1, 4
    maddu $t0, $t2
    bne $t3, $t4, label
    addiu $t3, $t3, -4
    mflo $t8
    sha
    sw $t8, 0($a0)
    bne $t5, $t7, rising
    addiu $a0, $a0, 4
    addiu $t6, $t6, 4
    bne $t4, $t7, columns
    addiu $t4, $t4, 4
    mflo $t8
    jr $ra
    sw $t8, 0($a0)
rising:
    b columns
    addiu $t5, $t5, 4
";

fn looped(n: u32) -> String {
    LOOPED.replace("LAST", &(4 * (n - 1)).to_string())
}

#[test]
fn looped_products() {
    let mut random = Random::new(5);
    for n in [1u32, 2, 6, 16] {
        let function = function("mips32-ise", &looped(n));
        for place in 0..10 {
            let (a, b) = (random.extreme_words(n as usize), random.extreme_words(n as usize));
            let (words, cycles) = result(&function, 2 * n, &[&a, &b], place);
            assert_eq!(words, words_of(&(big(&a) * big(&b)), 2 * n as usize), "{n}");
            if n == 6 {
                // the paper's routine takes 347
                assert_eq!(cycles, 329);
            }
        }
    }
}

/// The inner loop takes 6 cycles a round, on the paper's core and on the 4Km: the time of a product that has one more
/// round in each column.
#[test]
fn the_inner_loop_of_the_paper_takes_six_cycles() {
    let text = "f:
        multu $0, $0
        addiu $t1, $a1, 0
        addiu $t3, $a2, LAST
        or $t4, $a2, $0
    label:
        lw $t0, 0($t1)
        lw $t2, 0($t3)
        addiu $t1, $t1, 4
        maddu $t0, $t2
        bne $t3, $t4, label
        addiu $t3, $t3, -4
        mflo $t8
        jr $ra
        sw $t8, 0($a0)";
    for name in ["mips32-4km", "mips32-ise"] {
        let mut times = Vec::new();
        for n in 1..=8u32 {
            let function = function(name, &text.replace("LAST", &(4 * (n - 1)).to_string()));
            let ones = vec![u32::MAX - 0x1_0000; n as usize];
            times.push(result(&function, 1, &[&ones, &ones], 0).1);
        }
        assert!(times.windows(2).all(|pair| pair[1] - pair[0] == 6), "{name}: {times:?}");
    }
}

/// On the 4Km a factor of 16 bits in rt saves time; what is secret may or may not.
#[test]
fn small_factors_are_faster_on_the_4km() {
    let text = "f:
        lw $t0, 0($a1)
        lw $t1, 0($a2)
        nop
        multu $t0, $t1
        mflo $t2
        nop
        jr $ra
        sw $t2, 0($a0)";
    let plain = function("mips32-4km", text);
    let time = |function: &Function, b: u32| result(function, 1, &[&[7], &[b]], 0).1;
    assert_eq!(time(&plain, 0x7fff) + 1, time(&plain, 0x1_0000));
    // the manual does not say what counts as 16 bits: the longer time
    assert_eq!(time(&plain, 0x8000), time(&plain, 0x1_0000));
    assert_eq!(secret_cycles(&plain, 1, &[1, 1]).tally.cycles.max, time(&plain, 0x1_0000));
    let paper = function("mips32-ise", text);
    assert_eq!(time(&paper, 1), time(&paper, 0x1_0000));
}
