//! Montgomery's operations and exponentiations modulo a number that is an argument, executed over words of several widths.

use crate::executor::{Memory, number, words};
use num_bigint::BigUint;
use rhomb_contract::{Contract, Expression, Operation};
use rhomb_field::program::{
    Argument, Blocks, Exponent, Exponentiation, KEY, MOST_WINDOW, Products, Routine, Step, exponentiation,
    montgomery, rsa_private,
};
use rhomb_field::reduce::{Workspace, by_argument};
use rhomb_line::run;
use rhomb_machine::{Concrete, Limb, Random};

/// What products, squares and sums of whole numbers are.
fn whole(contract: &Contract, own: &[BigUint]) -> BigUint {
    match contract.expression() {
        Expression::Product | Expression::Square => &own[0] * own.last().unwrap(),
        Expression::Sum => &own[0] + &own[1],
        _ => panic!("{contract}"),
    }
}

/// A number of so many words: all ones, or random ones of extreme words.
fn some(random: &mut Random, bits: u32, count: usize, at: usize) -> BigUint {
    let radix = BigUint::from(1u8) << (bits as usize * count);
    match at {
        0 => radix - 1u8,
        1 => BigUint::ZERO,
        _ => BigUint::new(random.extreme_words((bits as usize * count).div_ceil(32))) % radix,
    }
}

/// The workspace of a modulus.
fn workspace(n: &BigUint, bits: u32, count: usize) -> Vec<u64> {
    let radix = BigUint::from(1u8) << (bits as usize * count);
    let base = BigUint::from(1u8) << bits as usize;
    let inverse = &base - n.modinv(&base).unwrap();
    let mut all = words(n, bits, count);
    all.extend(words(&(radix - n), bits, count));
    all.extend(words(&inverse, bits, 1));
    assert_eq!(all.len(), Workspace::of(count).words);
    all
}

fn divisions<W: Limb>() {
    let mut random = Random::new(W::BITS.into());
    for count in [1, 2, 3, 8] {
        let lines = by_argument(count, W::BITS);
        assert_eq!(lines.len(), 2);
        for (at, line) in (0..40).flat_map(|at| lines.iter().map(move |line| (at, line))) {
            let n = some(&mut random, W::BITS, count, at % 7) | BigUint::from(1u8);
            let a = some(&mut random, W::BITS, 2 * count, at % 5);
            let whole = |words: Vec<u64>| words.into_iter().map(W::truncate).collect::<Vec<W>>();
            let scratch = vec![W::truncate(0); line.scratch_with_homes()];
            let result = whole(vec![0; count]);
            let mut arrays =
                [result, whole(words(&a, W::BITS, 2 * count)), whole(workspace(&n, W::BITS, count)), scratch];
            run(line, &mut Concrete::<W>::new(), &mut arrays);
            let result: Vec<u64> = arrays[0].iter().map(|word| word.to_u64()).collect();
            let result = number(&result, W::BITS) << (W::BITS as usize * count);
            assert_eq!(result % &n, &a % &n, "{a:x} modulo {n:x}");
        }
    }
}

#[test]
fn numbers_are_divided() {
    divisions::<u8>();
    divisions::<u16>();
    divisions::<u32>();
}

/// All ways to multiply and divide numbers of so many words.
fn ways(words: usize, bits: u32, block: usize) -> Vec<Argument> {
    let straight = Argument { words, bits, division: None, product: None };
    let by_blocks = [Products::Added, Products::Apart, Products::Inverted].into_iter().flat_map(|products| {
        let division = Some(Blocks { words, bits, block, products });
        [None, division].map(|product| Argument { words, bits, division, product })
    });
    [straight].into_iter().chain(by_blocks).collect()
}

#[test]
fn products_are_divided() {
    let mut random = Random::new(5);
    let all = [Operation::MontMul, Operation::MontSqr, Operation::MontReduce];
    for (own, operation) in [(16, 8, 4), (16, 8, 16), (8, 16, 2), (6, 32, 2), (5, 32, 1)]
        .into_iter()
        .flat_map(|(words, bits, block)| ways(words, bits, block))
        .flat_map(|own| all.map(|operation| (own, operation)))
    {
        let (bits, count) = (own.bits, own.words);
        let Some(Routine::Called(called)) = montgomery(operation, &own) else {
            assert!(operation == Operation::MontReduce && own.division.is_none());
            continue;
        };
        let operands = operation.operands().len();
        assert_eq!(called.program.operands, operands + 1);
        let length = if operation == Operation::MontReduce { 2 * count } else { count };
        for at in 0..20 {
            let n = some(&mut random, bits, count, at % 7) | BigUint::from(1u8);
            let own: Vec<BigUint> = (0..operands).map(|_| some(&mut random, bits, length, at % 5)).collect();
            let mut operands: Vec<Vec<u64>> = own.iter().map(|own| words(own, bits, length)).collect();
            operands.push(workspace(&n, bits, count));
            let memory = Memory::after(&called, bits, (count, operands), &whole);
            let result = number(&memory.result, bits) << (bits as usize * count);
            let wanted = match operation {
                Operation::MontReduce => own[0].clone(),
                _ => &own[0] * own.last().unwrap(),
            };
            assert_eq!(result % &n, wanted % &n, "{operation:?} modulo {n:x}");
        }
    }
    let [.., other] = &ways(6, 32, 4)[..] else { panic!() };
    assert!(montgomery(Operation::MontMul, other).is_none());
}

/// Steps, loops unrolled: the same for all exponents.
fn is_straight(steps: &[Step]) -> bool {
    steps.iter().all(|step| match step {
        Step::Call { .. } | Step::Take { .. } => true,
        Step::Repeat { steps, .. } => is_straight(steps),
        Step::When { .. } => false,
    })
}

#[test]
fn powers() {
    let mut random = Random::new(11);
    // straight, and by blocks of any kind
    let of = |words, bits, window: usize| {
        let all = ways(words, bits, 2);
        [all[0], all[1 + window % 6], all[1 + (window + 3) % 6]].map(|own| (own, window))
    };
    for (argument, window) in
        (1..=MOST_WINDOW).flat_map(|window| [of(4, 8, window), of(4, 16, window), of(2, 32, window)].concat())
    {
        let (bits, count) = (argument.bits, argument.words);
        let exponent = Exponent::Argument { window };
        let called = exponentiation(&Exponentiation { argument, is_double: false, exponent }).unwrap();
        assert!(is_straight(&called.program.steps));
        let highest = BigUint::from(1u8) << (bits as usize * count - 1);
        for at in 0..12 {
            let n = some(&mut random, bits, count, at % 7) | BigUint::from(1u8) | &highest;
            let base = if at == 4 { n.clone() } else { some(&mut random, bits, count, at % 5) };
            let exponent = some(&mut random, bits, count, at % 3);
            let operands = [&base, &exponent, &n].map(|own| words(own, bits, count)).into();
            let memory = Memory::after(&called, bits, (count, operands), &whole);
            let wanted = base.modpow(&exponent, &n);
            assert_eq!(
                number(&memory.result, bits),
                wanted,
                "{base:x}^{exponent:x} modulo {n:x} by {window}"
            );
        }
    }
    for (words, window) in [(0, 1), (4, 0), (4, MOST_WINDOW + 1)] {
        let argument = Argument { words, bits: 32, division: None, product: None };
        let exponent = Exponent::Argument { window };
        assert!(exponentiation(&Exponentiation { argument, is_double: false, exponent }).is_none());
    }
}

#[test]
fn powers_whose_exponent_is_public() {
    let mut random = Random::new(12);
    let (bits, count) = (8, 4);
    let argument = Argument { words: count, bits, division: None, product: None };
    let of = |exponent| {
        let exponent = Exponent::Public(exponent);
        exponentiation(&Exponentiation { argument, is_double: false, exponent })
    };
    for exponent in (1..=40).chain([0x8000, 65537, 0x1_0001_0000, u64::MAX, 1 << 63]) {
        let called = of(exponent).unwrap();
        for at in 0..6 {
            let n = some(&mut random, bits, count, at % 7) | BigUint::from(0x8000_0001u32);
            let base = if at == 4 { n.clone() } else { some(&mut random, bits, count, at % 5) };
            let operands = [&base, &n].map(|own| words(own, bits, count)).into();
            let memory = Memory::after(&called, bits, (count, operands), &whole);
            let wanted = base.modpow(&exponent.into(), &n);
            assert_eq!(number(&memory.result, bits), wanted, "{base:x}^{exponent} modulo {n:x}");
        }
    }
    assert!(of(0).is_none());
}

#[test]
fn private_keys() {
    let mut random = Random::new(13);
    let all = |words, bits| ways(words, bits, 2);
    for (at, argument) in [all(4, 8), all(4, 16), all(2, 32)].concat().into_iter().enumerate() {
        let (bits, count) = (argument.bits, argument.words);
        let called = rsa_private(argument, 1 + at % 4).unwrap();
        assert!(is_straight(&called.program.steps));
        let highest = BigUint::from(1u8) << (bits as usize * count - 1);
        for at in 0..24 {
            // numbers without common factors are all that is asked for
            let mut prime =
                |at: usize| some(&mut random, bits, count, at % 7) | BigUint::from(1u8) | &highest;
            let [p, mut q] = [prime(at), prime(at + at / 7)];
            let inverse = loop {
                if let Some(inverse) = q.modinv(&p) {
                    break inverse;
                }
                q = prime(2);
            };
            let [dp, dq] = [3, 4].map(|own| some(&mut random, bits, count, at % own));
            let c = some(&mut random, bits, 2 * count, at % 5);
            let key = [&p, &q, &dp, &dq, &inverse].map(|own| words(own, bits, count));
            assert_eq!(key.len(), KEY.len());
            let operands = vec![words(&c, bits, 2 * count), key.concat()];
            let memory = Memory::after(&called, bits, (2 * count, operands), &whole);
            let m = number(&memory.result, bits);
            assert!(m < &p * &q);
            assert_eq!([&m % &p, &m % &q], [c.modpow(&dp, &p), c.modpow(&dq, &q)], "{c:x} by {p:x}, {q:x}");
        }
    }
}
