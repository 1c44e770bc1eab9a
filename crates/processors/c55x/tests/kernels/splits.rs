//! Products and squares by splits in halves.

use crate::kernels::support::{Kernel, check_product, check_square};
use rhomb_c55x::lower::{Leaf, parts_multiplication, split_multiplication, split_squaring};
use rhomb_kernel::split::{Cut, Node, Pairs};
use rhomb_kernel::{Operation, method};

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
            let name = |kind: &str| format!("split of {words} words, {levels} levels, {kind}");
            if fits {
                check_product(
                    &Kernel::new(
                        name("columns"),
                        split_multiplication(words, levels, Leaf::Columns).unwrap(),
                    ),
                    words,
                );
                let rows = split_multiplication(words, levels, Leaf::Rows).unwrap();
                check_product(&Kernel::new(name("rows"), rows), words);
                check_square(&Kernel::new(name("squaring"), split_squaring(words, levels).unwrap()), words);
            }
        }
    }
}

/// Into any parts, of which some are odd, begin at odd words, or are a single word.
#[test]
fn splits_into_parts() {
    let walk =
        |words| method(Operation::Mul, "product-scanning").unwrap().walk(words, &Default::default()).unwrap();
    for digits in [2, 3, 4, 5, 13, 31, 112, 211, 1124, 11114, 12321] {
        let cut = Cut::of_digits(digits).unwrap();
        for levels in [1, 2] {
            for words in (2..=16).chain([23, 40]) {
                let node = Node::new(words, levels, &cut, Pairs::Additive, &walk);
                for leaf in [Leaf::Columns, Leaf::Rows] {
                    let name = format!("parts {digits}, {levels} levels of {words} words, {leaf:?}");
                    check_product(&Kernel::new(name, parts_multiplication(&node, leaf).unwrap()), words);
                }
            }
        }
    }
    let differences = Node::new(8, 1, &Cut::Balanced(2), Pairs::Subtractive, &walk);
    assert!(parts_multiplication(&differences, Leaf::Columns).is_none());
    let long = Node::new(514, 1, &Cut::Balanced(2), Pairs::Additive, &walk);
    assert!(parts_multiplication(&long, Leaf::Columns).is_none());
}

/// Of products and squares; a split more or less is slower.
#[test]
fn cycles() {
    for (bits, levels, most) in [
        (1024, 1, [2303, 1629]),
        (2048, 1, [7558, 4684]),
        (3072, 2, [14897, 9958]),
        (4096, 1, [27276, 15394]),
        (4096, 2, [24328, 15449]),
        (8192, 3, [80352, 51150]),
    ] {
        let words = bits / 16;
        let product = split_multiplication(words, levels, Leaf::Columns).unwrap();
        let square = split_squaring(words, levels).unwrap();
        let name = |kind: &str| format!("split of {words} words, {levels} levels, {kind}");
        let found = [
            check_product(&Kernel::new(name("columns"), product), words),
            check_square(&Kernel::new(name("squaring"), square), words),
        ];
        assert!(found.iter().zip(most).all(|(found, most)| *found <= most), "{bits} bits: {found:?}");
    }
}
