//! Products of two halves as a line, executed word by word.

use num_bigint::BigUint;
use rhomb_line::run;
use rhomb_lower::fused;
use rhomb_machine::Concrete;

/// Operands: edges, and such whose words are extreme by turns.
fn operands(words: usize) -> Vec<Vec<u8>> {
    let half = words / 2;
    let of = |low: u8, high: u8| (0..words).map(|at| if at < half { low } else { high }).collect();
    let mut all: Vec<Vec<u8>> =
        [(0, 0), (0xff, 0xff), (0, 0xff), (0xff, 0), (1, 0)].map(|(x, y)| of(x, y)).into();
    let mut state = 1u32;
    all.extend((0..12).map(|_| {
        let mut byte = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            [0, 0xff, 0x80, (state >> 16) as u8][(state >> 30) as usize]
        };
        (0..words).map(|_| byte()).collect()
    }));
    all
}

#[test]
fn fused_halves_are_products() {
    for half in 2..=10 {
        let line = fused(half, 8, 5 * half / 2).expect("a product");
        for (a, b) in
            operands(2 * half).iter().flat_map(|a| operands(2 * half).into_iter().map(move |b| (a, b)))
        {
            let mut arrays = [vec![0; 4 * half], a.clone(), b.clone(), Vec::new()];
            run(&line, &mut Concrete::<u8>::new(), &mut arrays);
            let product = BigUint::from_bytes_le(a) * BigUint::from_bytes_le(&b);
            assert_eq!(BigUint::from_bytes_le(&arrays[0]), product, "{half}: {a:x?} {b:x?}");
        }
    }
}
