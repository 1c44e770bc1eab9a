//! Products, squares, sums and differences against big integers, on lines printed and read back.

use crate::kernels::support::{
    Kernel, any_words, check_product, check_square, content, input, number, output,
};
use num_bigint::BigUint;
use rhomb_c55x::lower::{chain, multiplication, operand_scanning, single_product_scanning, squaring};
use rhomb_machine::Random;

#[test]
fn products_of_all_sizes() {
    for words in (1..40).chain([48, 63, 64, 65]) {
        check_product(
            &Kernel::new(format!("multiplication of {words} words"), multiplication(words).unwrap()),
            words,
        );
    }
}

/// With one multiplier: three cycles a product row by row, one column by column.
#[test]
fn products_by_one_multiplier() {
    for words in (1..20).chain([48, 63, 64, 65]) {
        check_product(
            &Kernel::new(format!("operand scanning of {words} words"), operand_scanning(words).unwrap()),
            words,
        );
        check_product(
            &Kernel::new(
                format!("single product scanning of {words} words"),
                single_product_scanning(words).unwrap(),
            ),
            words,
        );
    }
    assert_eq!(
        check_product(&Kernel::new("operand scanning of 64 words", operand_scanning(64).unwrap()), 64),
        12_682
    );
    assert_eq!(
        check_product(
            &Kernel::new("single product scanning of 64 words", single_product_scanning(64).unwrap()),
            64
        ),
        4_352
    );
    assert!(operand_scanning(0).is_none() && single_product_scanning(257).is_none());
}

#[test]
fn squares_of_all_sizes() {
    for words in (1..40).chain([48, 63, 64, 65]) {
        check_square(&Kernel::new(format!("squaring of {words} words"), squaring(words).unwrap()), words);
    }
}

/// The most products that an accumulator takes, all as large as can be.
#[test]
fn columns_of_256_products() {
    check_product(&Kernel::new("multiplication of 256 words", multiplication(256).unwrap()), 256);
    check_square(&Kernel::new("squaring of 256 words", squaring(256).unwrap()), 256);
    assert!(multiplication(257).is_none() && squaring(257).is_none() && multiplication(0).is_none());
}

#[test]
fn cycles() {
    for (bits, product, square) in
        [(128, 61, 61), (256, 177, 143), (512, 601, 403), (1024, 2217, 1307), (2048, 8521, 4653)]
    {
        let words = bits / 16;
        let cycles = check_product(
            &Kernel::new(format!("multiplication of {words} words"), multiplication(words).unwrap()),
            words,
        );
        let squared =
            check_square(&Kernel::new(format!("squaring of {words} words"), squaring(words).unwrap()), words);
        assert_eq!((cycles, squared), (product, square), "{bits} bits");
    }
}

#[test]
fn sums_and_differences() {
    for words in (1..20).chain([64, 65]) {
        let modulus = BigUint::from(1u32) << (16 * words);
        for subtract in [false, true] {
            let kernel = Kernel::new(
                format!("chain of {words} words, subtract {subtract}"),
                chain(words, subtract).unwrap(),
            );
            let mut random = Random::new(words as u64);
            for (place, same) in (0..12).zip([None, Some(1), Some(2)].into_iter().cycle()) {
                let (a, b) = (any_words(&mut random, words), any_words(&mut random, words));
                let mut buffers = [output("r", words), input("a", a.clone()), input("b", b.clone())];
                if let Some(same) = same {
                    buffers[0].content = buffers[same].content.clone();
                    buffers[same].shares = Some(0);
                }
                let finished = kernel.call(&buffers, place);
                kernel.note(finished.tally.cycles.max);
                let (a, b) = (number(&a), number(&b));
                let expected = if subtract { &modulus + &a - &b } else { &a + &b };
                assert_eq!(number(&content(&finished, 0)), &expected % &modulus, "{words} words");
                let carry = u16::from(if subtract { a < b } else { expected >= modulus });
                assert_eq!(finished.returned, Some(carry));
            }
        }
    }
}
