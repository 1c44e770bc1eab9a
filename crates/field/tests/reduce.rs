//! Straight lines modulo numbers: what they compute, as columns and as chains, for words of all widths.

use num_bigint::BigUint;
use rhomb_contract::{Modular, Modulus, Operation};
use rhomb_field::reduce::{by_factor, canonical, ways, ways_without_carry, weighted};
use rhomb_line::{Columns, Line, legalise, run, without_products};
use rhomb_machine::{Concrete, Limb, Random};

const MODULI: [&str; 12] = [
    "2^192-2^64-1",
    "2^224-2^96+1",
    "2^256-2^224+2^192+2^96-1",
    "2^384-2^128-2^96+2^32-1",
    "2^521-1",
    "2^255-19",
    "2^256-2^32-977",
    // the order of P-256, and others without a form
    "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
    "0xd1a3b5c79e3779b97f4a7c15f39cc061",
    "0x8001",
    "0xfffffffb",
    "0x10000000000000001",
];

const OPERATIONS: [Operation; 6] = [
    Operation::ModAdd,
    Operation::ModSub,
    Operation::ModHalf,
    Operation::ModReduce,
    Operation::MontReduce,
    Operation::ModMul,
];

/// Numbers of so many words: edges, multiples of the modulus and their neighbours, random ones.
fn operands(modulus: &BigUint, bits: usize, random: &mut Random) -> Vec<BigUint> {
    let radix = BigUint::from(1u8) << bits;
    let most = &radix - 1u8;
    let mut all = vec![BigUint::ZERO, BigUint::from(1u8), most.clone(), modulus.clone(), modulus - 1u8];
    for times in [&most / modulus, BigUint::from(2u8), &most / modulus - 1u8] {
        all.extend([
            &times * modulus,
            &times * modulus + 1u8,
            (&times * modulus).max(BigUint::from(1u8)) - 1u8,
        ]);
    }
    for _ in 0..6 {
        let words: Vec<u32> = random.extreme_words(bits.div_ceil(32));
        all.push(BigUint::new(words) % &radix);
    }
    all.into_iter().filter(|number| *number <= most).collect()
}

fn check<W: Limb>(line: &Line, (modular, canonical): (&Modular, bool), operands: &[BigUint], what: &str) {
    let bits = W::BITS;
    let d = modular.modulus.words(bits) as usize;
    let word = |number: &BigUint, at: usize| {
        let moved = number >> (bits as usize * at);
        W::truncate(moved.iter_u64_digits().next().unwrap_or(0) & u64::MAX >> (64 - bits))
    };
    let words =
        |number: &BigUint, count: usize| -> Vec<W> { (0..count).map(|at| word(number, at)).collect() };
    let counts: Vec<usize> = match modular.operation {
        Operation::ModAdd | Operation::ModSub => vec![d, d],
        Operation::ModHalf => vec![d, 0],
        Operation::ModMul if modular.factor.is_some() => vec![d, 0],
        _ => vec![2 * d, 0],
    };
    let mut domain = Concrete::<W>::new();
    let a = words(&operands[0], counts[0]);
    let b = operands.get(1).map_or_else(Vec::new, |b| words(b, counts[1]));
    let mut arrays = [vec![W::default(); d], a, b, vec![W::default(); 4 * d + 4]];
    run(line, &mut domain, &mut arrays);
    let bytes: Vec<u8> = arrays[0]
        .iter()
        .flat_map(|word| word.to_u64().to_le_bytes().into_iter().take(bits as usize / 8))
        .collect();
    let result = BigUint::from_bytes_le(&bytes);
    let p = modular.modulus.number();
    assert!(!canonical || result < p, "{what}");
    let radix = BigUint::from(1u8) << (bits as usize * d);
    let (left, right) = match modular.operation {
        Operation::ModMul if modular.factor.is_some() => {
            (result, &operands[0] * modular.factor.unwrap_or_default())
        }
        Operation::ModAdd => (result, &operands[0] * modular.weights[0] + &operands[1] * modular.weights[1]),
        Operation::ModSub => (result + &operands[1] * modular.weights[1], &operands[0] * modular.weights[0]),
        Operation::ModHalf => (result * 2u8, operands[0].clone()),
        Operation::MontReduce => (result * radix, operands[0].clone()),
        _ => (result, operands[0].clone()),
    };
    assert_eq!(left % &p, right % &p, "{what}: {operands:x?}");
}

/// The reduction below the modulus, of the only kind that has one.
fn below_the_modulus<W: Limb>(random: &mut Random) {
    for text in MODULI {
        let modulus: Modulus = text.parse().unwrap();
        let line = canonical(&modulus.number(), W::BITS);
        assert_eq!(line.is_some(), text == "2^255-19", "{text}");
        let Some(line) = line else { continue };
        let modular = Modular::new(Operation::ModReduce, modulus);
        for a in operands(&modulus.number(), 512, random) {
            check::<W>(&line, (&modular, true), &[a], text);
        }
        for factor in [2, 19, 121_665, u32::MAX] {
            let way = &by_factor(factor, &modulus.number(), W::BITS)[0];
            let own = Modular { operation: Operation::ModMul, factor: Some(factor), ..modular };
            for a in operands(&modulus.number(), 256, random) {
                check::<W>(&way.line, (&own, false), &[a], text);
            }
        }
    }
}

/// How often operands count.
const WEIGHTS: [(Operation, [u32; 2]); 8] = [
    (Operation::ModAdd, [1, 2]),
    (Operation::ModAdd, [1, 121_665]),
    (Operation::ModAdd, [77, 1]),
    (Operation::ModAdd, [1, 3]),
    (Operation::ModAdd, [2, 3]),
    (Operation::ModAdd, [1, 100]),
    (Operation::ModSub, [1, 2]),
    (Operation::ModSub, [3, 2]),
];

/// Sums and differences of numbers that count more than once.
fn weighted_sums<W: Limb>(random: &mut Random) {
    for text in [MODULI[0], MODULI[2], MODULI[5], MODULI[8]] {
        let modulus: Modulus = text.parse().unwrap();
        let number = modulus.number();
        for (operation, weights) in WEIGHTS {
            let own = Modular { weights, ..Modular::new(operation, modulus) };
            let all = weighted(operation, weights, &number, W::BITS);
            // with long words none has to come back so often that it is not made
            assert!(!all.is_empty() || weights[1] > 1000 && text != "2^255-19", "{own:?}");
            let list = operands(&number, modulus.words(W::BITS) as usize * W::BITS as usize, random);
            for way in &all {
                let whole = Columns { bits: W::BITS, block: 0, products: false };
                let chains = legalise(&way.line, Columns { block: 4, products: true, ..whole });
                for (line, columns) in [(&way.line, "columns"), (&chains, "chains")] {
                    let what = format!("{own:?} by {}, {columns}", way.method);
                    for a in &list {
                        for b in list.iter().chain([a]) {
                            check::<W>(line, (&own, false), &[a.clone(), b.clone()], &what);
                        }
                    }
                }
            }
        }
    }
}

/// Sums, and above them differences.
fn pairs<W: Limb>(random: &mut Random) {
    for text in [MODULI[0], MODULI[2], MODULI[5], MODULI[6], MODULI[8]] {
        let modulus: Modulus = text.parse().unwrap();
        let p = modulus.number();
        let (d, bits) = (modulus.words(W::BITS) as usize, W::BITS as usize);
        let list = operands(&p, d * bits, random);
        let word = |number: &BigUint, at: usize| {
            let moved = number >> (bits * at);
            W::truncate(moved.iter_u64_digits().next().unwrap_or(0) & u64::MAX >> (64 - bits))
        };
        let words = |number: &BigUint| -> Vec<W> { (0..d).map(|at| word(number, at)).collect() };
        let more = ways_without_carry(Operation::ModAddSub, &p, W::BITS);
        for way in ways(Operation::ModAddSub, &p, W::BITS).into_iter().chain(more) {
            let whole = Columns { bits: W::BITS, block: 0, products: false };
            let chains = legalise(&way.line, Columns { block: 4, products: true, ..whole });
            for line in [&way.line, &chains] {
                for (a, b) in list.iter().flat_map(|a| list.iter().map(move |b| (a, b))) {
                    let mut arrays = [vec![W::default(); 2 * d], words(a), words(b), vec![W::default(); 4]];
                    run(line, &mut Concrete::<W>::new(), &mut arrays);
                    let bytes: Vec<u8> = arrays[0]
                        .iter()
                        .flat_map(|own| own.to_u64().to_le_bytes().into_iter().take(bits / 8))
                        .collect();
                    let [sum, difference] = [0, 1]
                        .map(|own| BigUint::from_bytes_le(&bytes[own * d * bits / 8..][..d * bits / 8]));
                    assert_eq!(sum % &p, (a + b) % &p, "{text} by {}: {a:x} {b:x}", way.method);
                    assert_eq!((difference + b) % &p, a % &p, "{text} by {}: {a:x} {b:x}", way.method);
                }
            }
        }
    }
}

fn all<W: Limb>() {
    let mut random = Random::new(W::BITS.into());
    below_the_modulus::<W>(&mut random);
    weighted_sums::<W>(&mut random);
    pairs::<W>(&mut random);
    for text in MODULI {
        let modulus: Modulus = text.parse().unwrap();
        for operation in OPERATIONS {
            let modular = Modular::new(operation, modulus);
            let d = modulus.words(W::BITS) as usize;
            let number = modulus.number();
            // a multiplication within a column is not for chains of carries
            let more = ways_without_carry(operation, &number, W::BITS).into_iter();
            let more = more.filter(|way| {
                let is_sum = matches!(operation, Operation::ModAdd | Operation::ModSub);
                way.method == "highest-first" || is_sum && way.method == "top-fold"
            });
            for way in ways(operation, &number, W::BITS).into_iter().chain(more) {
                let blocks = [1, 2, 4, 8, d, 4 * d].into_iter();
                let chains =
                    blocks.flat_map(|block| [(block, false), (block, true)]).map(|(block, products)| {
                        let columns = Columns { bits: W::BITS, block, products };
                        (columns, legalise(&way.line, columns))
                    });
                let whole = Columns { bits: W::BITS, block: 0, products: false };
                let shifted = without_products(&way.line, W::BITS);
                let shifted = shifted.into_iter().flat_map(|line| {
                    let of = |block| Columns { block, ..whole };
                    [(of(1), legalise(&line, of(1))), (of(4), legalise(&line, of(4))), (whole, line)]
                });
                let lines = [(whole, way.line.clone())].into_iter().chain(chains).chain(shifted);
                for (columns, line) in lines {
                    let is_double =
                        !matches!(operation, Operation::ModAdd | Operation::ModSub | Operation::ModHalf);
                    let bits = W::BITS as usize * d * if is_double { 2 } else { 1 };
                    let list = operands(&modulus.number(), bits, &mut random);
                    let what = format!("{modular} by {}, {columns:?}", way.method);
                    if is_double || operation == Operation::ModHalf {
                        list.iter().for_each(|a| {
                            check::<W>(&line, (&modular, false), std::slice::from_ref(a), &what)
                        });
                        continue;
                    }
                    for a in &list {
                        for b in &list {
                            check::<W>(&line, (&modular, false), &[a.clone(), b.clone()], &what);
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn words_of_8_bits() {
    all::<u8>();
}

#[test]
fn words_of_16_bits() {
    all::<u16>();
}

#[test]
fn words_of_32_bits() {
    all::<u32>();
}
