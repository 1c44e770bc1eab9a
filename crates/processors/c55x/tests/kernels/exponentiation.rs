//! Whole exponentiations against big integers.

use crate::kernels::support::{Kernel, content, input, number, output};
use rhomb_c55x::lower::{Exponentiation, Ladder};
use rhomb_machine::{Access, Buffer, Random, Routine, Secrets, Surroundings};

fn operands(words: usize, seed: u64) -> [Vec<u16>; 3] {
    let mut random = Random::new(seed);
    let mut any = || (0..words).map(|_| random.bits() as u16).collect::<Vec<u16>>();
    let (base, mut exponent, mut modulus) = (any(), any(), any());
    modulus[0] |= 1;
    modulus[words - 1] |= 0x8000;
    exponent[words - 1] |= 0x8000;
    [base, exponent, modulus]
}

fn workspace<W>(program: &Exponentiation) -> Buffer<W> {
    let length = program.workspace_words() as u32;
    Buffer { name: "w", length, content: None, access: Access::Store, shares: None }
}

/// Cycles of a call.
fn check(program: &Exponentiation, kernel: &Kernel, [base, exponent, modulus]: &[Vec<u16>; 3]) -> u64 {
    let buffers = [
        output("r", program.words),
        input("b", base.clone()),
        input("e", exponent.clone()),
        input("n", modulus.clone()),
        workspace(program),
    ];
    let finished = kernel.call(&buffers, 0);
    let expected = number(base).modpow(&number(exponent), &number(modulus));
    assert_eq!(number(&content(&finished, 0)), expected, "{program:?}");
    finished.tally.cycles.max
}

fn name(program: &Exponentiation) -> String {
    let Exponentiation { words, product_levels, square_levels, ladder, integrated } = program;
    let levels = format!("product-levels {product_levels}, square-levels {square_levels}");
    format!("exponentiation of {words} words, {levels}, ladder {ladder:?}, integrated {integrated}")
}

const LADDERS: [Ladder; 5] =
    [Ladder::Binary, Ladder::Sliding(2), Ladder::Sliding(5), Ladder::Constant(3), Ladder::Constant(4)];

#[test]
fn small_sizes_and_edges() {
    for words in [4, 8, 12, 16] {
        for ladder in LADDERS {
            let levels = u32::from(words % 8 == 0);
            let program = Exponentiation {
                words,
                product_levels: levels,
                square_levels: levels,
                ladder,
                integrated: false,
            };
            let kernel = Kernel::new(name(&program), program.program().unwrap());
            let cycles = (0..3).map(|seed| check(&program, &kernel, &operands(words, seed))).max();
            kernel.note(cycles.unwrap());
            let [base, _, mut modulus] = operands(words, 7);
            let (zero, ones) = (vec![0; words], vec![u16::MAX; words]);
            let mut one = zero.clone();
            one[0] = 1;
            check(&program, &kernel, &[base.clone(), zero.clone(), modulus.clone()]);
            check(&program, &kernel, &[base.clone(), one, modulus.clone()]);
            check(&program, &kernel, &[zero, ones.clone(), modulus.clone()]);
            check(&program, &kernel, &[modulus.clone(), ones.clone(), modulus.clone()]);
            modulus = ones.clone();
            check(&program, &kernel, &[base, ones, modulus]);
        }
    }
}

#[test]
fn integrated_reductions() {
    for words in [4, 8, 16] {
        for ladder in LADDERS {
            let program =
                Exponentiation { words, product_levels: 0, square_levels: 0, ladder, integrated: true };
            let kernel = Kernel::new(name(&program), program.program().unwrap());
            let cycles = (0..3).map(|seed| check(&program, &kernel, &operands(words, seed))).max();
            kernel.note(cycles.unwrap());
        }
    }
}

#[test]
fn other_requests_are_refused() {
    let good = Exponentiation {
        words: 64,
        product_levels: 0,
        square_levels: 0,
        ladder: Ladder::Sliding(5),
        integrated: false,
    };
    assert!(good.program().is_some());
    assert!(Exponentiation { words: 6, ..good }.program().is_none());
    assert!(Exponentiation { words: 260, ..good }.program().is_none());
    assert!(Exponentiation { product_levels: 6, ..good }.program().is_none());
    assert!(Exponentiation { ladder: Ladder::Constant(1), ..good }.program().is_none());
}

/// Base, exponent and modulus are secret: no branch and no address depends on them, and all take one time. The bounds are
/// wider: they hold wherever the arrays lie.
#[test]
fn fixed_windows_take_constant_time() {
    let program = Exponentiation {
        words: 8,
        product_levels: 1,
        square_levels: 0,
        ladder: Ladder::Constant(4),
        integrated: false,
    };
    let run = |program: &Exponentiation| {
        let kernel = Kernel::new(name(program), program.program().unwrap());
        let mut domain = Secrets::<u16>::new();
        let mut secret = |name| Buffer {
            name,
            length: 8,
            content: Some((0..8).map(|_| rhomb_machine::Domain::arbitrary(&mut domain)).collect()),
            access: Access::Load,
            shares: None,
        };
        let inputs = [secret("b"), secret("e"), secret("n")];
        let result = Buffer { name: "r", length: 8, content: None, access: Access::Store, shares: None };
        let [base, exponent, modulus] = inputs;
        let buffers = [result, base, exponent, modulus, workspace(program)];
        kernel
            .function
            .call_in(domain, &buffers, Surroundings::default())
            .map(|finished| finished.tally.cycles)
    };
    let cycles = run(&program).unwrap();
    let kernel = Kernel::new(name(&program), program.program().unwrap());
    let time = check(&program, &kernel, &operands(8, 0));
    assert!((cycles.min..=cycles.max).contains(&time), "{time} {cycles:?}");
    for seed in 1..4 {
        assert_eq!(check(&program, &kernel, &operands(8, seed)), time);
    }
    assert!(run(&Exponentiation { ladder: Ladder::Sliding(4), ..program }).is_err());
}

fn of_bits(bits: usize, levels: [u32; 2], ladder: Ladder) -> u64 {
    let [product_levels, square_levels] = levels;
    let program =
        Exponentiation { words: bits / 16, product_levels, square_levels, ladder, integrated: false };
    let kernel = Kernel::new(name(&program), program.program().unwrap());
    let cycles = check(&program, &kernel, &operands(bits / 16, bits as u64));
    kernel.note(cycles);
    println!("{bits} bits, {ladder:?}: {cycles} cycles, {} bytes", kernel.function.program.code().len());
    cycles
}

#[test]
fn exponentiation_of_1024_bits() {
    assert!(of_bits(1024, [0, 0], Ladder::Sliding(5)) <= 5_010_000);
    assert!(of_bits(1024, [0, 0], Ladder::Constant(5)) <= 5_610_000);
    of_bits(1024, [0, 0], Ladder::Binary);
}

#[test]
fn exponentiation_of_2048_bits() {
    assert!(of_bits(2048, [1, 0], Ladder::Sliding(6)) <= 34_250_000);
}

#[test]
fn exponentiation_of_3072_bits() {
    assert!(of_bits(3072, [1, 1], Ladder::Sliding(6)) <= 107_000_000);
}

#[test]
fn exponentiation_of_4096_bits() {
    assert!(of_bits(4096, [2, 1], Ladder::Sliding(6)) <= 242_700_000);
}
