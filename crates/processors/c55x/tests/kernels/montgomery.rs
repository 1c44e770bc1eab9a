//! Montgomery multiplication against big integers.

use crate::kernels::support::{Kernel, any_words, content, input, number, output};
use num_bigint::BigUint;
use rhomb_c55x::lower::{Montgomery, montgomery, montgomery_fixed, workspace_words};
use rhomb_machine::{Access, Buffer, Random};

/// n' = -1/n mod 2^16.
fn inverse(n: u16) -> u16 {
    let mut x = 1u16;
    for _ in 0..5 {
        x = x.wrapping_mul(2u16.wrapping_sub(n.wrapping_mul(x)));
    }
    x.wrapping_neg()
}

fn workspace(n: &[u16], words: usize) -> Buffer<u16> {
    let mut content = vec![0; words];
    content[..n.len()].copy_from_slice(n);
    let complement = n.iter().enumerate().map(|(at, word)| if at == 0 { word.wrapping_neg() } else { !word });
    content.splice(4 * n.len() + 2..5 * n.len() + 2, complement);
    content[4096] = inverse(n[0]);
    Buffer { name: "w", length: words as u32, content: Some(content), access: Access::Store, shares: None }
}

/// Cycles of a product and of a square.
fn check(words: usize, way: Montgomery) -> [u64; 2] {
    let kernels = [false, true].map(|is_square| {
        let name = format!("montgomery {way:?} of {words} words, square {is_square}");
        Kernel::new(name, montgomery(words, way, is_square).unwrap())
    });
    let mut random = Random::new(words as u64);
    let mut cycles = [None; 2];
    for number_of_call in 0..6 {
        let (mut n, a, b) =
            (any_words(&mut random, words), any_words(&mut random, words), any_words(&mut random, words));
        n[0] |= 1;
        n[words - 1] |= 0x8000;
        if number_of_call == 0 {
            n = vec![u16::MAX; words];
        }
        for (kernel, cycles) in kernels.iter().zip(&mut cycles) {
            let is_square = !std::ptr::eq(kernel, &kernels[0]);
            let mut buffers = vec![output("r", words), input("a", a.clone())];
            buffers.extend((!is_square).then(|| input("b", b.clone())));
            buffers.push(workspace(&n, workspace_words(words, way)));
            let finished = kernel.call(&buffers, 0);
            let r = number(&content(&finished, 0));
            let (n, a, b) = (number(&n), number(&a), number(&b));
            let other = if is_square { &a } else { &b };
            let radix = BigUint::from(1u32) << (16 * words);
            assert_eq!((r * radix) % &n, (a.clone() * other) % &n, "{words} words, {way:?}");
            let taken = finished.tally.cycles.max;
            assert_eq!(*cycles.get_or_insert(taken), taken);
        }
    }
    for (kernel, cycles) in kernels.iter().zip(cycles) {
        kernel.note(cycles.unwrap());
    }
    cycles.map(Option::unwrap)
}

#[test]
fn all_sizes() {
    for words in (4..=40).step_by(4) {
        check(words, Montgomery::Separated(0));
        check(words, Montgomery::CoarselyIntegrated);
        check(words, Montgomery::FinelyIntegrated);
        if words % 8 == 0 {
            check(words, Montgomery::Separated(1));
        }
    }
}

#[test]
fn cycles() {
    for (bits, levels, most) in [(1024, 0, 4_958), (2048, 1, 17_045), (3072, 2, 35_210), (4096, 2, 59_610)] {
        let found = check(bits / 16, Montgomery::Separated(levels));
        println!("{bits} bits, {levels} levels: {found:?}");
        assert!(found[0] <= most, "{bits} bits: {found:?}");
    }
}

/// One multiplier: three cycles a product by rows, one by columns.
#[test]
fn cycles_of_integrated_reductions() {
    for (words, coarse, fine) in [(64, 26_346, 9_116), (128, 101_802, 34_588), (256, 400_170, 0)] {
        let found = check(words, Montgomery::CoarselyIntegrated);
        println!("CIOS, {words} words: {found:?}");
        assert!(found[0] <= coarse, "{found:?}");
        if fine > 0 {
            let found = check(words, Montgomery::FinelyIntegrated);
            println!("FIPS, {words} words: {found:?}");
            assert!(found[0] <= fine, "{found:?}");
        }
    }
    assert!(montgomery(132, Montgomery::FinelyIntegrated, false).is_none());
    assert!(montgomery(6, Montgomery::CoarselyIntegrated, false).is_none());
}

/// The modulus in the code: any odd one.
#[test]
fn fixed_moduli() {
    for words in (4..=24).step_by(4) {
        let mut random = Random::new(words as u64);
        for number_of_call in 0..6 {
            let mut n = any_words(&mut random, words);
            n[0] |= 1;
            if number_of_call == 0 {
                n[1..].fill(0);
            }
            let radix = BigUint::from(1u32) << (16 * words);
            for is_square in [false, true] {
                let name = format!("montgomery fixed of {words} words, square {is_square}, {number_of_call}");
                let kernel = Kernel::new(name, montgomery_fixed(&n, is_square).unwrap());
                let (a, b) = (any_words(&mut random, words), any_words(&mut random, words));
                let mut buffers = vec![output("r", words), input("a", a.clone()), input("b", b.clone())];
                buffers.truncate(if is_square { 2 } else { 3 });
                let finished = kernel.call(&buffers, number_of_call);
                kernel.note(finished.tally.cycles.max);
                let r = number(&content(&finished, 0));
                let (n, a, b) = (number(&n), number(&a), number(&b));
                let other = if is_square { &a } else { &b };
                assert_eq!((r * &radix) % &n, (&a * other) % &n, "{words} words");
            }
        }
    }
    assert!(montgomery_fixed(&[2, 1, 1, 1], false).is_none() && montgomery_fixed(&[1; 5], false).is_none());
}
