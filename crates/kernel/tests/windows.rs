//! Windows, executed on words of 8 and 32 bits, against big integers.

use crate::execute::{integer, operands};
use num_bigint::BigUint;
use rhomb_kernel::windows::{self, WindowError, WindowStep};
use rhomb_kernel::{Operand, Operation, Parameters, Walk};

/// Executes steps; each sum must fit into the words that it makes.
fn execute(steps: &[WindowStep], words: usize, bits: u32, a: &[u64], b: &[u64]) -> Vec<u64> {
    let trace = windows::trace(steps, 2 * words).unwrap();
    let word = |operand: Operand| match operand {
        Operand::A(i) => a[i],
        Operand::B(j) => b[j],
    };
    let mut made: Vec<u64> = Vec::new();
    let mut taken = Vec::new();
    let mut take = |which: Option<usize>, made: &[u64]| match which {
        Some(which) => {
            assert!(!taken.contains(&which), "a word is taken twice");
            taken.push(which);
            made[which]
        }
        None => 0,
    };
    for step in &trace.steps {
        assert_eq!(step.window.len(), step.step.width);
        assert!(step.more.is_none() || step.window[0].is_some());
        let fixed: Vec<u64> = step.step.fixed_words().map(word).collect();
        let window: Vec<u64> = step.window.iter().map(|which| take(*which, &made)).collect();
        let more = take(step.more, &made);
        let sum = integer(&fixed, bits) * word(step.step.stream) + integer(&window, bits) + more;
        assert!(sum.bits() <= u64::from(bits) * (step.step.width as u64 + 1));
        let mask = (BigUint::from(1u8) << bits) - 1u8;
        for (k, which) in step.makes.iter().enumerate() {
            assert_eq!(*which, made.len());
            let digit = (&sum >> (bits as usize * k)) & &mask;
            made.push(u64::try_from(digit).unwrap());
        }
    }
    trace.columns.iter().map(|which| which.map_or(0, |which| made[which])).collect()
}

fn check(steps: &[WindowStep], words: usize) {
    for bits in [8, 32] {
        for a in operands(words, bits, 1) {
            for b in operands(words, bits, 2) {
                let result = execute(steps, words, bits, &a, &b);
                assert_eq!(integer(&result, bits), integer(&a, bits) * integer(&b, bits), "{steps:?}");
            }
        }
    }
}

fn walk(method: &str, words: usize, parameters: &Parameters) -> Walk {
    rhomb_kernel::method(Operation::Mul, method).unwrap().walk(words, parameters).unwrap()
}

#[test]
fn walks_become_windows() {
    for words in 1..=13 {
        for size in 1..=5 {
            for block in [None, Some(0), Some(2)] {
                let parameters = Parameters {
                    cache: Some(size),
                    rows: Some(size),
                    initial_block: block.map(|block: usize| block.min(size)),
                    ..Parameters::default()
                };
                for method in ["hybrid", "operand-caching", "consecutive-operand-caching", "operand-scanning"]
                {
                    // blocks of one word are columns
                    if method == "hybrid" && size == 1 && words > 1 {
                        continue;
                    }
                    let walk = walk(method, words, &parameters);
                    let steps = windows::of_walk(&walk, size)
                        .unwrap_or_else(|error| panic!("{method} {words} {parameters:?}: {error}"));
                    check(&steps, words);
                }
            }
        }
    }
}

/// A fixed: two strips of an L with the window kept between them.
#[test]
fn operand_caching_turns() {
    let parameters = Parameters { cache: Some(3), initial_block: Some(0), ..Parameters::default() };
    let steps = windows::of_walk(&walk("operand-caching", 6, &parameters), 3).unwrap();
    let fixed: Vec<Operand> = steps.iter().map(|step| step.fixed).collect();
    let (a, b) = (Operand::A, Operand::B);
    assert_eq!(fixed, [a(3), a(3), a(3), a(0), a(0), a(0), a(0), a(0), a(0), b(3), b(3), b(3)]);
}

#[test]
fn columns_of_many_products_are_no_window() {
    let parameters = Parameters::default();
    let scanning = walk("product-scanning", 6, &parameters);
    let fault = windows::of_walk(&scanning, 5);
    assert_eq!(fault, Err(WindowError::Row { row: 0, widest: 5 }));
    let wide = walk("operand-caching", 24, &Parameters { cache: Some(12), ..parameters });
    assert!(matches!(windows::of_walk(&wide, 5), Err(WindowError::Row { .. })));
    // as wide as the window, all columns are one strip
    assert_eq!(windows::of_walk(&walk("product-scanning", 5, &parameters), 5).unwrap().len(), 5);
}

#[test]
fn a_column_left_with_two_words_is_told() {
    let mut steps = windows::strips(4, &[2, 2]);
    steps.truncate(5);
    assert!(matches!(windows::trace(&steps, 8), Err(WindowError::Column { .. })));
}

/// The triangle and its mirror image and the squares are the square.
#[test]
fn triangles_are_halves() {
    for (words, widths) in [(1, &[1][..]), (2, &[2]), (5, &[5]), (7, &[3, 4]), (8, &[4, 4]), (9, &[4, 3, 2])]
    {
        let steps = windows::triangle(words, widths);
        for a in operands(words, 8, 3) {
            let half = integer(&execute(&steps, words, 8, &a, &a), 8);
            let squares: BigUint =
                a.iter().enumerate().map(|(i, word)| BigUint::from(word * word) << (16 * i)).sum();
            assert_eq!(half * 2u8 + squares, integer(&a, 8).pow(2), "{words} {widths:?}");
        }
    }
}
