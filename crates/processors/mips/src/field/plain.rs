//! Products on MIPS32 as it is, without custom instructions, to compare with.

use super::{FieldError, Writer};
use crate::instructions::{Register, SP};
use crate::model::Model;

/// Registers that o32 wants kept and that the straight line needs: $s0 to $s7 and $fp.
const KEPT: [Register; 9] = [16, 17, 18, 19, 20, 21, 22, 23, 30];
/// Bytes of a multiple in the table, of which 28 are used, and of the table.
const MULTIPLE: usize = 32;
const TABLE: usize = 16 * MULTIPLE;

/// `r[12] = a[6] * b[6]` over binary polynomials, b of degree at most 191, in a straight line: the comb method with windows of
/// 4 bits (J. Lopez, R. Dahab, "High-Speed Software Multiplication in F_2^m", INDOCRYPT 2000, from left to right). The
/// multiples of b by all polynomials below t^4 stand on the stack; a's digits are addresses there, so that with secret operands
/// the data cache may tell them.
pub fn comb(model: &Model, name: &str) -> Result<String, FieldError> {
    let size = (TABLE + 4 * KEPT.len()).next_multiple_of(8);
    let mut w = Writer::new(model, name);
    w.fixed(format!("addiu $sp, $sp, -{size}"))?;
    for (number, register) in KEPT.into_iter().enumerate() {
        w.store(register, TABLE + 4 * number, SP);
        w.give(register);
    }
    // what was saved may be written only then
    w.fixed("")?;
    table(&mut w)?;
    w.fixed("")?;
    let mut a = [0; 6];
    for (word, register) in a.iter_mut().enumerate() {
        *register = w.load(4 * word, 5)?;
    }
    w.give(5);
    let mut sum: [Option<Register>; 12] = [None; 12];
    for window in (0..8usize).rev() {
        for (word, digits) in a.iter().enumerate() {
            let multiple = w.take()?;
            // the window's bits where a multiple's number stands in an address
            w.line(match 4 * window {
                shift @ 5.. => format!("srl ${multiple}, ${digits}, {}", shift - 5),
                shift => format!("sll ${multiple}, ${digits}, {}", 5 - shift),
            });
            w.line(format!("andi ${multiple}, ${multiple}, {}", 15 * MULTIPLE));
            w.line(format!("addu ${multiple}, ${multiple}, $sp"));
            for part in 0..7 {
                // the product's highest word is one of the highest digits alone
                let Some(place) = sum.get_mut(word + part) else { continue };
                let term = w.load(4 * part, multiple)?;
                match place {
                    None => *place = Some(term),
                    Some(own) => {
                        w.line(format!("xor ${own}, ${own}, ${term}"));
                        w.give(term);
                    }
                }
            }
            w.give(multiple);
        }
        if window > 0 {
            let words: Vec<Register> = sum.iter().copied().flatten().collect();
            for pair in words.windows(2).rev() {
                let carried = w.take()?;
                w.line(format!("srl ${carried}, ${}, 28", pair[0]));
                w.line(format!("sll ${0}, ${0}, 4", pair[1]));
                w.line(format!("or ${0}, ${0}, ${carried}", pair[1]));
                w.give(carried);
            }
            w.line(format!("sll ${0}, ${0}, 4", words[0]));
        }
    }
    for (word, register) in sum.into_iter().flatten().enumerate() {
        w.store(register, 4 * word, 4);
    }
    w.fixed("")?;
    for (number, register) in KEPT.into_iter().enumerate() {
        w.line(format!("lw ${register}, {}($sp)", TABLE + 4 * number));
    }
    w.fixed(format!("jr $ra\naddiu $sp, $sp, {size}"))?;
    w.finish()
}

/// The multiples: 0 and b, then always twice an earlier one, and that with b.
fn table(w: &mut Writer<'_>) -> Result<(), FieldError> {
    let mut b = [0; 6];
    for (word, register) in b.iter_mut().enumerate() {
        *register = w.load(4 * word, 6)?;
    }
    for part in 0..7 {
        w.store(0, 4 * part, SP);
        w.store(*b.get(part).unwrap_or(&0), MULTIPLE + 4 * part, SP);
    }
    for half in 1..8 {
        let from = |part: usize| MULTIPLE * half + 4 * part;
        let to = 2 * MULTIPLE * half;
        let mut below: Option<Register> = None;
        for part in 0..7 {
            let own = w.load(from(part), SP)?;
            let twice = w.take()?;
            w.line(format!("sll ${twice}, ${own}, 1"));
            if let Some(below) = below {
                w.line(format!("srl ${below}, ${below}, 31"));
                w.line(format!("or ${twice}, ${twice}, ${below}"));
                w.give(below);
            }
            w.store(twice, to + 4 * part, SP);
            if let Some(word) = b.get(part) {
                w.line(format!("xor ${twice}, ${twice}, ${word}"));
            }
            w.store(twice, to + MULTIPLE + 4 * part, SP);
            w.give(twice);
            below = Some(own);
        }
        if let Some(below) = below {
            w.give(below);
        }
    }
    for register in b {
        w.give(register);
    }
    w.give(6);
    Ok(())
}

/// `r[2d] = a[d] * b[d]` over the integers with loops, by operand scanning: a row for each word of A, added to the result.
/// The result may not be an operand.
pub fn operand_scanning(name: &str, d: usize) -> String {
    let bytes = 4 * d;
    format!(
        "{name}:
        addiu $t4, $a0, {bytes}
{name}_zero:
        addiu $a0, $a0, 4
        bne $a0, $t4, {name}_zero
        sw $0, -4($a0)
        addiu $a0, $a0, -{bytes}
        addiu $t5, $a1, {bytes}
        addiu $t6, $a2, {bytes}
{name}_row:
        lw $t7, 0($a1)
        or $t8, $a2, $0
        addiu $a1, $a1, 4
        or $t9, $0, $0              # the carry
{name}_word:
        lw $t0, 0($t8)
        lw $t1, 0($a0)
        addiu $t8, $t8, 4
        multu $t7, $t0
        addu $t1, $t1, $t9
        sltu $t2, $t1, $t9
        mflo $t3
        mfhi $t9
        addu $t3, $t3, $t1
        sltu $t1, $t3, $t1
        addu $t9, $t9, $t2
        addu $t9, $t9, $t1
        addiu $a0, $a0, 4
        bne $t8, $t6, {name}_word
        sw $t3, -4($a0)
        sw $t9, 0($a0)
        bne $a1, $t5, {name}_row
        addiu $a0, $a0, {back}
        jr $ra
        nop\n",
        back = 4 - bytes as i64,
    )
}
