//! Contracts: the routines keep them on operands where they could fail, and known bugs are found out.

use super::*;
use rhomb_field::binary::BinaryField;
use rhomb_field::contract::{Contract, Operands, Operation, Results};
use rhomb_field::curve::Base;
use rhomb_field::montgomery::{Montgomery, Ring};
use rhomb_field::prime::PrimeField;
use rhomb_field::words::words;
use rhomb_mips::field::{Correction, binary, prime, refute, rolled, run};

fn library(text: &str) -> Library {
    Library::new(&model("mips32-ise"), 0x400, text).unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn keeps(text: &str, contract: &Contract, context: Option<&[u32]>) {
    let library = library(text);
    let found = refute(&library, library.entry("f").unwrap(), contract, context, 3000).unwrap();
    assert_eq!(found, None, "{:?}", contract.operation);
}

#[test]
fn routines_keep_their_contracts() {
    let model = model("mips32-ise");
    let field = PrimeField::p192();
    let prime_base = Base::Prime(field.clone());
    let of = |operation| Contract::of_words(operation, prime_base.clone());
    for correction in [Correction::Branch, Correction::Always] {
        keeps(&prime::multiply(&model, "f", correction).unwrap(), &of(Operation::Product), None);
        keeps(&prime::square(&model, "f", correction).unwrap(), &of(Operation::Square), None);
        keeps(&prime::reduction(&model, "f", correction).unwrap(), &of(Operation::Reduction), None);
        keeps(&prime::add(&model, "f", correction).unwrap(), &of(Operation::Sum), None);
        keeps(&prime::subtract(&model, "f", correction).unwrap(), &of(Operation::Difference), None);
    }
    keeps(&prime::half(&model, "f").unwrap(), &of(Operation::Half), None);
    let n = words(field.modulus(), 6);
    let factor = Montgomery::new(Ring::Integers, &n).unwrap().factor();
    let context = [vec![0; 18], n, vec![factor]].concat();
    let montgomery = rolled::montgomery_multiply("f", Ring::Integers, 6);
    keeps(&montgomery, &of(Operation::Montgomery), Some(&context));
    keeps(&rolled::add("f", 6), &of(Operation::Sum), Some(&context));
    keeps(&rolled::subtract("f", 6), &of(Operation::Difference), Some(&context));
    keeps(&rolled::add_p192("f"), &of(Operation::Sum), None);
    keeps(&rolled::subtract_p192("f"), &of(Operation::Difference), None);
    let of = |operation| Contract::of_words(operation, Base::Binary(BinaryField::t191()));
    keeps(&binary::multiply(&model, "f").unwrap(), &of(Operation::Product), None);
    keeps(&binary::square(&model, "f").unwrap(), &of(Operation::Square), None);
    keeps(&binary::reduction(&model, "f").unwrap(), &of(Operation::Reduction), None);
    keeps(&binary::add(&model, "f").unwrap(), &of(Operation::Sum), None);
}

/// What the operations give is not always below p, and no contract says so.
#[test]
fn results_are_not_canonical() {
    let model = model("mips32-ise");
    let contract = Contract {
        results: Results::Canonical,
        ..Contract::of_words(Operation::Sum, Base::Prime(PrimeField::p192()))
    };
    let library = library(&prime::add(&model, "f", Correction::Always).unwrap());
    assert!(refute(&library, library.entry("f").unwrap(), &contract, None, 3000).unwrap().is_some());
}

/// Algorithm 2 without line 9: about one random input of 2^32 shows it.
#[test]
fn a_reduction_that_fails_once_in_four_billion_is_refuted() {
    let right = prime::reduction(&model("mips32-ise"), "f", Correction::Branch).unwrap();
    let branch = right.lines().find(|line| line.starts_with("bne ")).expect("the branch to the correction");
    let library = library(&right.replacen(branch, "nop", 1));
    let entry = library.entry("f").unwrap();
    let contract = Contract::of_words(Operation::Reduction, Base::Prime(PrimeField::p192()));
    let mut random = Random(31);
    for _ in 0..20_000 {
        let z: Vec<u32> = (0..12).map(|_| random.next() as u32).collect();
        let run = run(&library, entry, 6, &[&z], None, 1000).unwrap();
        let result: Vec<u32> = run.result.iter().map(|word| word.unwrap()).collect();
        assert!(contract.holds(&[z], &result), "random operands do not show it");
    }
    let found = refute(&library, entry, &contract, None, 3000).unwrap().expect("a counter-example");
    let z = &found.operands[0];
    let top = z[5].wrapping_add(z[9]).wrapping_add(z[11]);
    assert!(top >= 3u32.wrapping_neg(), "{found:x?}");
    // and the right one does not have it
    let right = Library::new(&model("mips32-ise"), 0x400, &right).unwrap();
    let run = run(&right, right.entry("f").unwrap(), 6, &[z], None, 1000).unwrap();
    let result: Vec<u32> = run.result.iter().map(|word| word.unwrap()).collect();
    assert!(contract.holds(&found.operands, &result));
}

/// A sum that is corrected once after it was made takes two numbers of which one is below p, and no others: what it gives
/// is no operand for it.
const CORRECTED_ONCE: &str = "f:
    multu $0, $0
    addiu $t9, $0, 6
first:
    lw $t0, 0($a1)
    lw $t1, 0($a2)
    addiu $a1, $a1, 4
    addiu $a2, $a2, 4
    addau $t0, $t1
    mflo $t8
    sha
    addiu $t9, $t9, -1
    addiu $a0, $a0, 4
    bne $t9, $0, first
    sw $t8, -4($a0)
    mflo $t8
    beq $t8, $0, end
    addiu $t9, $0, 6
    addiu $a0, $a0, -24
    sll $t7, $t8, 2
    # 1 at words 0 and 2
    addiu $t6, $0, 5
    multu $0, $0
second:
    lw $t0, 0($a0)
    andi $t5, $t6, 1
    srl $t6, $t6, 1
    addau $t0, $t5
    mflo $t0
    sha
    addiu $t9, $t9, -1
    addiu $a0, $a0, 4
    bne $t9, $0, second
    sw $t0, -4($a0)
end:
    jr $ra
    nop
";

#[test]
fn a_sum_that_is_corrected_once_is_not_closed() {
    let library = library(CORRECTED_ONCE);
    let entry = library.entry("f").unwrap();
    let closed = Contract::of_words(Operation::Sum, Base::Prime(PrimeField::p192()));
    let found = refute(&library, entry, &closed, None, 3000).unwrap().expect("a counter-example");
    let (a, b) = (big(&found.operands[0]), big(&found.operands[1]));
    let p = PrimeField::p192();
    assert!(a >= *p.modulus() && b >= *p.modulus());
    let half_open = Contract { operands: Operands::OneCanonical, ..closed };
    assert_eq!(refute(&library, entry, &half_open, None, 3000).unwrap(), None);
}
