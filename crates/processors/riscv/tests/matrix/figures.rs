//! Figures that must be reached: cycles of the function.

use crate::matrix::OPEN;
use crate::matrix::run::least;
use rhomb_kernel::{Operation, Parameters};
use rhomb_oracles::sample;

const SIZES: [usize; 5] = [5, 6, 8, 12, 16];

fn all(operation: Operation, table: &[(&'static str, &[u64])]) {
    let mut missed = Vec::new();
    for (turn, (core, figures)) in table.iter().enumerate() {
        // in `./test` one of three
        for (words, most) in SIZES.into_iter().zip(*figures).skip(turn % sample(3, 1)).step_by(sample(3, 1)) {
            let rows = if words < 7 { 3..=3 } else { 4..=6 };
            let rows = rows.step_by(2).map(|rows| Parameters { rows: Some(rows), ..OPEN });
            let levels =
                (words % 8 == 0).then_some(1).map(|levels| Parameters { levels: Some(levels), ..OPEN });
            let cycles = match operation {
                Operation::Mul => {
                    let walk = least(core, (operation, "hybrid"), words, rows);
                    let split = levels.map(|own| least(core, (operation, "split"), words, [own].into_iter()));
                    println!("{core} mul {words}: {walk} {split:?} of {most}");
                    split.map_or(walk, |split| split.min(walk))
                }
                _ => {
                    let cycles = least(core, (operation, "product-scanning"), words, [OPEN].into_iter());
                    println!("{core} sqr {words}: {cycles} of {most}");
                    cycles
                }
            };
            if cycles > *most {
                missed.push(format!("{core} {} of {words} words: {cycles} of {most}", operation.name()));
            }
        }
    }
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

#[test]
fn products() {
    all(
        Operation::Mul,
        &[
            ("rv32im", &[191, 281, 511, 1159, 2000]),
            ("vexriscv", &[196, 291, 545]),
            ("ibex-single", &[237, 346, 620, 1380, 2400]),
            ("ibex-maxperf", &[217, 318, 576, 1304, 2300]),
            ("ibex-fast", &[349, 502, 876, 1990, 3400]),
            ("cv32e40p", &[303, 438, 780, 1770, 3132]),
            ("picorv32-fast", &[796, 1148, 2032, 4580, 8048]),
        ],
    );
}

#[test]
fn squares() {
    all(
        Operation::Sqr,
        &[("rv32im", &[139, 192, 320, 680, 1160]), ("ibex-single", &[170, 232, 390, 820, 1400])],
    );
}
