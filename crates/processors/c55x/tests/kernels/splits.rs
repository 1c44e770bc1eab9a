//! Products and squares by splits in halves.

use crate::support::{Kernel, check_product, check_square};
use rhomb_c55x::lower::{Leaf, split_multiplication, split_squaring};

#[test]
fn splits_of_all_sizes() {
    for words in 1..=48 {
        for levels in 1..=3 {
            let fits = words % (2 << levels) == 0;
            assert_eq!(
                split_multiplication(words, levels, Leaf::Columns).is_some(),
                fits,
                "{words} words, {levels} levels"
            );
            if fits {
                check_product(
                    &Kernel::new(split_multiplication(words, levels, Leaf::Columns).unwrap()),
                    words,
                );
                let rows = split_multiplication(words, levels, Leaf::Rows).unwrap();
                check_product(&Kernel::new(rows), words);
                check_square(&Kernel::new(split_squaring(words, levels).unwrap()), words);
            }
        }
    }
}

#[test]
fn cycles() {
    for (bits, levels) in
        [(1024, 1), (2048, 1), (3072, 1), (3072, 2), (4096, 1), (4096, 2), (8192, 2), (8192, 3)]
    {
        let words = bits / 16;
        let product =
            check_product(&Kernel::new(split_multiplication(words, levels, Leaf::Columns).unwrap()), words);
        let square = check_square(&Kernel::new(split_squaring(words, levels).unwrap()), words);
        let found = (product, square);
        println!("{bits} bits, {levels} levels: {found:?}");
    }
}
