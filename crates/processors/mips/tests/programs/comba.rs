//! Unrolled product scanning with the wide accumulator.

use super::*;

/// `r = a * b` of `n` words each by columns: `mac` accumulates two registers. Operands are loaded again and again,
/// in pairs of registers by turns.
fn multiplication(n: usize, first: &str, mac: &str) -> String {
    let mut text = String::from("f:\n");
    let mut turn = 0;
    for column in 0..2 * n - 1 {
        for j in column.saturating_sub(n - 1)..=column.min(n - 1) {
            let (x, y) = [("$t0", "$t1"), ("$t2", "$t3")][turn % 2];
            turn += 1;
            let mac = if column == 0 { first } else { mac };
            text +=
                &format!(" lw {x}, {}($a1)\n lw {y}, {}($a2)\n {mac} {x}, {y}\n", 4 * j, 4 * (column - j));
        }
        text += &format!(" mflo $t8\n sha\n sw $t8, {}($a0)\n", 4 * column);
    }
    text + &format!(" mflo $t8\n jr $ra\n sw $t8, {}($a0)\n", 4 * (2 * n - 1))
}

/// `r = a * a` of `n` words: products of different words once, doubled.
fn squaring(n: usize) -> String {
    let mut text = String::from("f:\n multu $0, $0\n");
    for column in 0..2 * n - 1 {
        for j in column.saturating_sub(n - 1)..=column / 2 {
            let mac = if 2 * j == column { "maddu" } else { "m2addu" };
            text +=
                &format!(" lw $t0, {}($a1)\n lw $t1, {}($a1)\n {mac} $t0, $t1\n", 4 * j, 4 * (column - j));
        }
        text += &format!(" mflo $t8\n sha\n sw $t8, {}($a0)\n", 4 * column);
    }
    text + &format!(" mflo $t8\n jr $ra\n sw $t8, {}($a0)\n", 4 * (2 * n - 1))
}

#[test]
fn products_of_integers() {
    let mut random = Random::new(1);
    for n in [1, 2, 6, 8] {
        let function = function("mips32-ise", &multiplication(n, "multu", "maddu"));
        let mut cycles = Vec::new();
        for place in 0..40 {
            let (a, b) = (random.extreme_words(n), random.extreme_words(n));
            let (words, time) = result(&function, 2 * n as u32, &[&a, &b], place);
            assert_eq!(words, words_of(&(big(&a) * big(&b)), 2 * n));
            cycles.push(time);
        }
        // column 0 to n - 1 need no guard bits, the others do: all ones
        let ones = vec![u32::MAX; n];
        assert_eq!(
            result(&function, 2 * n as u32, &[&ones, &ones], 0).0,
            words_of(&(big(&ones) * big(&ones)), 2 * n)
        );
        assert!(cycles.iter().all(|time| *time == cycles[0]));
        let secret = secret_cycles(&function, 2 * n as u32, &[n as u32, n as u32]);
        assert_eq!(secret.tally.cycles.max, cycles[0]);
        let mix = secret.mix;
        assert_eq!(
            (mix.multiply, mix.load, mix.store),
            (n as u64 * n as u64, 2 * n as u64 * n as u64, 2 * n as u64)
        );
    }
}

#[test]
fn products_of_binary_polynomials() {
    let mut random = Random::new(2);
    let function = function("mips32-ise", &multiplication(6, "mulgf2", "maddgf2"));
    for place in 0..20 {
        let (a, b) = (random.extreme_words(6), random.extreme_words(6));
        assert_eq!(result(&function, 12, &[&a, &b], place).0, carryless(&a, &b));
    }
    let secret = secret_cycles(&function, 12, &[6, 6]);
    assert_eq!(secret.secret_branches, []);
}

#[test]
fn squares() {
    let mut random = Random::new(3);
    for n in [1, 2, 6, 7] {
        let function = function("mips32-ise", &squaring(n));
        for place in 0..20 {
            let a = random.extreme_words(n);
            assert_eq!(
                result(&function, 2 * n as u32, &[&a], place).0,
                words_of(&(big(&a) * big(&a)), 2 * n)
            );
        }
        let ones = vec![u32::MAX; n];
        assert_eq!(
            result(&function, 2 * n as u32, &[&ones], 0).0,
            words_of(&(big(&ones) * big(&ones)), 2 * n)
        );
    }
}

/// Additions through the accumulator: section 4.2 of the paper.
#[test]
fn sums_of_integers() {
    let mut text = String::from("f:\n multu $0, $0\n");
    for j in 0..6 {
        let at = 4 * j;
        text += &format!(
            " lw $t0, {at}($a1)\n lw $t1, {at}($a2)\n addau $t0, $t1\n mflo $t8\n sha\n sw $t8, {at}($a0)\n"
        );
    }
    text += " mflo $t8\n jr $ra\n sw $t8, 24($a0)\n";
    let function = function("mips32-ise", &text);
    let mut random = Random::new(4);
    for place in 0..20 {
        let (a, b) = (random.extreme_words(6), random.extreme_words(6));
        assert_eq!(result(&function, 7, &[&a, &b], place).0, words_of(&(big(&a) + big(&b)), 7));
    }
}

/// The same column, once with the narrow accumulator, whose carries are lost, and once with the wide one.
#[test]
fn guard_bits_keep_what_a_narrow_accumulator_loses() {
    let text = "f: li $t0, 0\n";
    assert!(parse(&Model::of(core("mips32-4km").unwrap()), 0, text).is_err(), "li is made of several");
    let text = "f:
        addiu $t0, $0, -1
        multu $t0, $t0
        maddu $t0, $t0
        maddu $t0, $t0
        mflo $t1
        mfhi $t2
        sw $t1, 0($a0)
        jr $ra
        sw $t2, 4($a0)";
    // 3 (2^32 - 1)^2 = 2^66 - 2^64 - 6 * 2^32 + 3 = 2 * 2^64 + ...
    let expected = vec![3, 0xffff_fffa];
    for name in ["mips32-4km", "mips32-ise", "smartmips"] {
        assert_eq!(result(&function(name, text), 2, &[], 0).0, expected);
    }
    let wide = text.replace("mfhi $t2", "sha\n sha\n mflo $t2");
    assert_eq!(result(&function("mips32-ise", &wide), 2, &[], 0).0, [3, 2]);
    let smart = text.replace("mfhi $t2", "mflhxu $0\n mflhxu $0\n mflo $t2");
    assert_eq!(result(&function("smartmips", &smart), 2, &[], 0).0, [3, 2]);
}

/// Registers for words of operands.
const WORDS: [&str; 12] =
    ["$t0", "$t1", "$t2", "$t3", "$t4", "$t5", "$t6", "$t7", "$t8", "$t9", "$v0", "$v1"];

/// Columns of 6 words with every operand word loaded once; `same` accumulates a word with itself, where that is
/// another instruction. A square has one operand.
fn kept(square: bool, first: &str, mac: &str, same: &str) -> String {
    let mut text = String::new();
    for column in 0..11usize {
        if column < 6 {
            text += &format!(" lw {}, {}($a1)\n", WORDS[column], 4 * column);
            if !square {
                text += &format!(" lw {}, {}($a2)\n", WORDS[6 + column], 4 * column);
            }
        }
        let last = if square { column / 2 } else { column.min(5) };
        for (j, word) in WORDS.iter().enumerate().take(last + 1).skip(column.saturating_sub(5)) {
            let other = if square { column - j } else { 6 + column - j };
            let op = match column {
                0 => first,
                _ if square && 2 * j == column => same,
                _ => mac,
            };
            text += &format!(" {op} {word}, {}\n", WORDS[other]);
        }
        let sum = ["$at", "$a3"][column % 2];
        text += &format!(" mflo {sum}\n sha\n sw {sum}, {}($a0)\n", 4 * column);
    }
    text + " mflo $a3\n"
}

/// The function of a straight line in the scheduler's order, result and operands apart, with the last store in the slot of the return.
fn scheduled(core_name: &str, text: &str) -> Function {
    let plain = function(core_name, &format!("f: {text} jr $ra\n sw $a3, 44($a0)"));
    let program = &plain.program;
    let count = program.words().len() as u32;
    let line: Vec<_> = (0..count).map(|word| program.instruction(0x400 + 4 * word).unwrap()).collect();
    let (body, end) = line.split_at(line.len() - 2);
    let mut order = rhomb_mips::lower::schedule(program.model(), body, |x, y| (x == 4) != (y == 4)).unwrap();
    order.extend(end);
    let program = Program::assemble(program.model().clone(), 0x400, &order).unwrap();
    Function { program: Arc::new(program), ..plain }
}

/// Unrolled and scheduled, 192 bits: the multiplier works nearly all the time.
#[test]
fn scheduled_columns() {
    let mut random = Random::new(8);
    let product = kept(false, "multu", "maddu", "maddu");
    let square = kept(true, "multu", "m2addu", "maddu");
    let polynomials = kept(false, "mulgf2", "maddgf2", "maddgf2");
    for (name, text, in_order, in_time) in [
        ("product", &product, 126, 101),
        ("square", &square, 90, 70),
        ("polynomials", &polynomials, 126, 101),
    ] {
        let plain = function("mips32-ise", &format!("f: {text} jr $ra\n sw $a3, 44($a0)"));
        let better = scheduled("mips32-ise", text);
        for place in 0..10 {
            let (a, b) = (random.extreme_words(6), random.extreme_words(6));
            let expected = match name {
                "product" => words_of(&(big(&a) * big(&b)), 12),
                "square" => words_of(&(big(&a) * big(&a)), 12),
                _ => carryless(&a, &b),
            };
            let operands: &[&[u32]] = if name == "square" { &[&a] } else { &[&a, &b] };
            assert_eq!(result(&plain, 12, operands, place), (expected.clone(), in_order), "{name}");
            assert_eq!(result(&better, 12, operands, place), (expected, in_time), "{name}");
        }
    }
}
