//! Straight lines over GF(2): what they compute, as they are and as chains, for words of all widths.

use num_bigint::BigUint;
use rhomb_contract::Contract;
use rhomb_field::Field;
use rhomb_field::binary::{BinaryField, product};
use rhomb_field::polynomial::{ways, ways_by_products};
use rhomb_line::{Columns, Line, Op, legalise, run};
use rhomb_machine::{Concrete, Limb, Random};

const CONTRACTS: [&str; 39] = [
    "gf2add 8",
    "gf2add 191",
    "gf2sqr 8",
    "gf2sqr 163",
    "gf2sqr 192",
    "gf2modreduce x^163+x^7+x^6+x^3+1",
    "gf2modreduce x^191+x^9+1",
    "gf2modreduce x^233+x^74+1",
    "gf2modreduce x^283+x^12+x^7+x^5+1",
    "gf2modreduce x^409+x^87+1",
    "gf2modreduce x^571+x^10+x^5+x^2+1",
    // a gap of less than a word, and none
    "gf2modreduce x^8+x^4+x^3+x+1",
    "gf2modreduce x^128+x^127+x^3+1",
    "gf2modreduce 0x1f0ff",
    "gf2modreduce x+1",
    "gf2modsqr x^163+x^7+x^6+x^3+1",
    "gf2modsqr x^191+x^9+1",
    "gf2modsqr x^233+x^74+1",
    "gf2modsqr x^283+x^12+x^7+x^5+1",
    "gf2modsqr x^8+x^4+x^3+x+1",
    "gf2mul 8",
    "gf2mul 31",
    "gf2mul 47",
    "gf2montreduce x^163+x^7+x^6+x^3+1",
    "gf2montreduce x^191+x^9+1",
    "gf2montreduce x^233+x^74+1",
    "gf2montreduce x^283+x^12+x^7+x^5+1",
    "gf2montreduce x^409+x^87+1",
    "gf2montreduce x^571+x^10+x^5+x^2+1",
    "gf2montreduce x^8+x^4+x^3+x+1",
    "gf2montreduce x^128+x^127+x^3+1",
    "gf2montreduce 0x1f0ff",
    "gf2montreduce x+1",
    "gf2montsqr x^163+x^7+x^6+x^3+1",
    "gf2montsqr x^191+x^9+1",
    "gf2montsqr x^233+x^74+1",
    "gf2montsqr x^283+x^12+x^7+x^5+1",
    "gf2montsqr x^8+x^4+x^3+x+1",
    "gf2montsqr x^64+x^4+x^3+x+1",
];

fn words<W: Limb>(number: &BigUint, count: usize) -> Vec<W> {
    let word = |at: usize| {
        let moved: BigUint = number >> (W::BITS as usize * at);
        W::truncate(moved.iter_u64_digits().next().unwrap_or(0))
    };
    (0..count).map(word).collect()
}

fn check<W: Limb>(contract: &Contract, line: &Line, operands: &[BigUint]) {
    let binary = contract.binary().unwrap();
    let counts = contract.operands(W::BITS);
    let count = |at: usize| counts.get(at).copied().unwrap_or(0) as usize;
    let operand = |at: usize| operands.get(at).map_or_else(Vec::new, |own| words::<W>(own, count(at)));
    let result = vec![W::default(); contract.result(W::BITS) as usize];
    let mut arrays = [result, operand(0), operand(1), vec![W::default(); line.scratch()]];
    run(line, &mut Concrete::<W>::new(), &mut arrays);
    let add = |sum: BigUint, word: &W| (sum << W::BITS as usize) + word.to_u64();
    let found = arrays[0].iter().rev().fold(BigUint::ZERO, add);
    let name = binary.operation().name();
    let expected = match (name, operands) {
        ("gf2add", [a, b]) => a ^ b,
        ("gf2mul" | "gf2modmul", [a, b]) => product(a, b),
        ("gf2sqr" | "gf2modsqr" | "gf2montsqr", [a]) => product(a, a),
        (_, [a]) => a.clone(),
        other => panic!("{other:?}"),
    };
    match binary.modulus() {
        None => assert_eq!(found, expected, "{contract}, {} bits: {operands:x?}", W::BITS),
        Some(modulus) => {
            let field = BinaryField::new(&modulus.exponents()).unwrap();
            // what a Montgomery operation gives, times R
            let found = found << binary.shift(W::BITS) as usize;
            let [found, expected] = [found, expected].map(|own| field.element(&own));
            assert_eq!(found, expected, "{contract}, {} bits: {operands:x?}", W::BITS);
        }
    }
}

fn all<W: Limb>() {
    let mut random = Random::new(5);
    for contract in CONTRACTS {
        let contract: Contract = contract.parse().unwrap();
        let made = ways(contract.binary().unwrap(), W::BITS);
        assert!(!made.is_empty(), "{contract}");
        for way in made {
            let chains = legalise(&way.line, Columns { bits: W::BITS, block: 1, products: false });
            for turn in 0..8 {
                let mut operand = |count: &u32| {
                    let bits = (W::BITS * count) as usize;
                    let ones = (BigUint::from(1u8) << bits) - 1u8;
                    match turn {
                        0 => BigUint::ZERO,
                        1 => ones,
                        2 => BigUint::from(1u8) << (bits - 1),
                        _ => BigUint::new(random.extreme_words(bits.div_ceil(32))) & ones,
                    }
                };
                let operands: Vec<BigUint> = contract.operands(W::BITS).iter().map(&mut operand).collect();
                check::<W>(&contract, &way.line, &operands);
                if !way.line.ops.iter().any(|op| matches!(op, Op::Carryless { .. })) {
                    check::<W>(&contract, &chains, &operands);
                }
            }
        }
    }
}

/// Lines for words that are multiplied over GF(2); so many of them.
fn by_products<W: Limb>(contract: &str, random: &mut Random) -> usize {
    let contract: Contract = contract.parse().unwrap();
    let made = ways_by_products(contract.binary().unwrap(), W::BITS);
    for way in &made {
        for _ in 0..20 {
            let mut operand = |count: &u32| {
                let bits = (W::BITS * count) as usize;
                let ones = (BigUint::from(1u8) << bits) - 1u8;
                BigUint::new(random.extreme_words(bits.div_ceil(32))) & ones
            };
            let operands: Vec<BigUint> = contract.operands(W::BITS).iter().map(&mut operand).collect();
            check::<W>(&contract, &way.line, &operands);
        }
    }
    made.len()
}

#[test]
fn lines_by_products_compute_what_they_should() {
    let mut random = Random::new(6);
    let mut made = 0;
    for modulus in [
        "x^191+x^9+1",
        "x^163+x^7+x^6+x^3+1",
        "x^233+x^74+1",
        "x^283+x^12+x^7+x^5+1",
        "x^64+x^4+x^3+x+1",
        "x^63+x+1",
        "x^31+x^3+1",
        "x^191+x^170+1",
    ] {
        for operation in ["gf2modmul", "gf2modsqr", "gf2modreduce", "gf2montsqr"] {
            let contract = format!("{operation} {modulus}");
            made += by_products::<u32>(&contract, &mut random) + by_products::<u16>(&contract, &mut random);
        }
    }
    assert!(made > 60, "{made}");
}

#[test]
fn lines_compute_what_they_should() {
    all::<u8>();
    all::<u16>();
    all::<u32>();
}
