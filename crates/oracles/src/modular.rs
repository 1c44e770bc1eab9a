//! Operations modulo numbers and over GF(2): operands to call them with, and whether a result is right.

use crate::sample;
use num_bigint::BigUint;
use rhomb_contract::{AnyModulus, Binary, Contract, Expression, Operation};
use rhomb_field::Field;
use rhomb_field::binary::{BinaryField, product};
use rhomb_field::program::Routine;
use rhomb_field::reduce::{Way, Workspace};
use rhomb_field::ways;
use rhomb_machine::{Buffer, Concrete, Cycles, Limb, Random, Routine as Callable, Surroundings};

/// Operations that straight lines are made for.
pub const OPERATIONS: [&str; 9] =
    ["modadd", "modsub", "modhalf", "modreduce", "montreduce", "modmul", "modsqr", "montmul", "montsqr"];

/// Generalized Mersenne numbers, others close to a power of two, a group's order, and small numbers.
pub const MODULI: [&str; 10] = [
    "2^192-2^64-1",
    "2^224-2^96+1",
    "2^256-2^224+2^192+2^96-1",
    "2^384-2^128-2^96+2^32-1",
    "2^521-1",
    "2^255-19",
    "2^256-2^32-977",
    "0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551",
    "0xd1a3b5c79e3779b97f4a7c15f39cc061",
    "0xfffb",
];

/// Operations over GF(2) that straight lines are made for.
pub const BINARY: [&str; 22] = [
    "gf2add 8",
    "gf2add 191",
    "gf2sqr 32",
    "gf2sqr 163",
    "gf2sqr 192",
    "gf2modreduce x^163+x^7+x^6+x^3+1",
    "gf2modreduce x^191+x^9+1",
    "gf2modreduce x^233+x^74+1",
    "gf2modreduce x^283+x^12+x^7+x^5+1",
    "gf2modreduce x^8+x^4+x^3+x+1",
    "gf2modreduce x^128+x^127+x^3+1",
    "gf2modsqr x^163+x^7+x^6+x^3+1",
    "gf2modsqr x^191+x^9+1",
    "gf2modsqr x^233+x^74+1",
    "gf2modsqr x^283+x^12+x^7+x^5+1",
    "gf2montreduce x^163+x^7+x^6+x^3+1",
    "gf2montreduce x^191+x^9+1",
    "gf2montreduce x^233+x^74+1",
    "gf2montreduce x^8+x^4+x^3+x+1",
    "gf2montsqr x^163+x^7+x^6+x^3+1",
    "gf2montsqr x^191+x^9+1",
    "gf2montsqr x^283+x^12+x^7+x^5+1",
];

/// Operations over GF(2) that are programs of several routines.
pub const PRODUCTS: [&str; 5] = [
    "gf2mul 233",
    "gf2modmul x^191+x^9+1",
    "gf2modmul x^233+x^74+1",
    "gf2montmul x^163+x^7+x^6+x^3+1",
    "gf2montmul x^191+x^9+1",
];

/// Operations modulo a number that is an argument, and bits of that.
pub const ARGUMENTS: [(Operation, u32); 4] = [
    (Operation::MontReduce, 32),
    (Operation::MontReduce, 192),
    (Operation::MontMul, 192),
    (Operation::MontSqr, 128),
];

/// The contract of such an operation on words of so many bits.
pub fn argument((operation, size): (Operation, u32), bits: u32) -> Contract {
    let Workspace { complement, inverse, words } = Workspace::of(size.div_ceil(bits) as usize);
    let [complement, inverse, workspace] = [complement, inverse, words].map(|word| word as u32);
    Contract::from(AnyModulus { operation, bits: size, workspace, complement, inverse })
}

/// The straight lines of which one is such a routine.
///
/// # Panics
/// Where there are none.
pub fn lines(routine: &Routine, bits: u32) -> Vec<Way> {
    let all = match routine {
        Routine::Lines(lines) => {
            lines.iter().map(|line| Way { method: "line", line: line.clone() }).collect()
        }
        Routine::Kept(contract) => ways(contract, bits),
        Routine::Called(_) => Vec::new(),
    };
    assert!(!all.is_empty(), "{routine:?}");
    all
}

/// The contracts of all of them.
///
/// # Panics
/// Where one is none.
pub fn contracts() -> Vec<Contract> {
    let modular = OPERATIONS.iter().flat_map(|own| MODULI.map(|modulus| format!("{own} {modulus}")));
    let all = modular.chain(BINARY.map(str::to_owned));
    all.map(|contract| contract.parse().expect("a contract")).collect()
}

/// The number or polynomial modulo which a contract is; all ones where there is none.
fn modulus(contract: &Contract) -> BigUint {
    let ones = |binary: &Binary| (BigUint::from(1u8) << binary.bits() as usize) - 1u8;
    let polynomial =
        |binary: &Binary| binary.modulus().map_or_else(|| ones(binary), |modulus| modulus.number());
    let number = contract.modular().map(|modular| modular.modulus.number());
    number.or_else(|| contract.binary().map(polynomial)).expect("a modulus")
}

/// The words of a number, the lowest first.
pub fn words<W: Limb>(number: &BigUint, count: u32) -> Vec<W> {
    let word = |at: u32| {
        let moved: BigUint = number >> (W::BITS * at) as usize;
        W::truncate(moved.iter_u64_digits().next().unwrap_or(0))
    };
    (0..count).map(word).collect()
}

/// The number that words stand for.
pub fn number<W: Limb>(words: &[W]) -> BigUint {
    let add = |sum: BigUint, word: &W| (sum << W::BITS as usize) + word.to_u64();
    words.iter().rev().fold(BigUint::ZERO, add)
}

/// Lists of operands on words of so many bits: edges, multiples of the modulus and what is next to them, random ones of
/// extreme words.
///
/// # Panics
/// Where the contract is of something else.
pub fn operands(contract: &Contract, bits: u32, random: usize) -> Vec<Vec<BigUint>> {
    if let Some(any) = contract.any_modulus() {
        return with_moduli(any, bits, random);
    }
    let p = modulus(contract);
    let mut source = Random::new(p.bits());
    let mut list = |count: u32| -> Vec<BigUint> {
        let radix = BigUint::from(1u8) << (bits * count) as usize;
        let last = (&radix - 1u8) / &p * &p;
        let alternating = |first: u8| {
            let bytes = (0..count * bits / 8).map(|at| if at % 2 == 0 { first } else { !first });
            BigUint::from_bytes_le(&bytes.collect::<Vec<u8>>())
        };
        let mut all = vec![&radix - 1u8, BigUint::ZERO, p.clone(), last.clone(), &last - 1u8];
        all.extend([BigUint::from(1u8), &p - 1u8, &p + 1u8, &last + 1u8, alternating(0), alternating(0xff)]);
        all.extend(
            (0..random).map(|_| BigUint::new(source.extreme_words((count * bits).div_ceil(32) as usize))),
        );
        all.into_iter().map(|number| number % &radix).collect()
    };
    let lists: Vec<Vec<BigUint>> = contract.operands(bits).into_iter().map(&mut list).collect();
    match lists.as_slice() {
        [a] => a.iter().map(|a| vec![a.clone()]).collect(),
        [a, b] => {
            // each with a few others, in `./test` with one of them
            let pair = |at: usize, step: usize| vec![a[at].clone(), b[(at + step) % b.len()].clone()];
            let of = |at: usize| {
                let turns = at..at + sample(1, 3);
                turns.map(move |turn| pair(at, [0, 1, 4][turn % 3]))
            };
            (0..a.len()).flat_map(of).collect()
        }
        other => panic!("{} operands", other.len()),
    }
}

/// Operands for one modulus after the other: all ones, others above and below half of R, small ones, and such of extreme words.
fn with_moduli(any: &AnyModulus, bits: u32, random: usize) -> Vec<Vec<BigUint>> {
    let mut source = Random::new(any.bits.into());
    let size = (bits * any.words(bits)) as usize;
    let (radix, base) = (BigUint::from(1u8) << size, BigUint::from(1u8) << bits as usize);
    let half = BigUint::from(1u8) << (size - 1);
    let mut moduli = vec![&radix - 1u8, &half + 1u8, half - 1u8, BigUint::from(3u8), BigUint::from(1u8)];
    moduli.extend(
        (0..random)
            .map(|_| (BigUint::new(source.extreme_words(size.div_ceil(32))) % &radix) | BigUint::from(1u8)),
    );
    let mut all = Vec::new();
    for (at, n) in moduli.into_iter().enumerate() {
        let inverse = &base - n.modinv(&base).expect("it is odd");
        let place = |word: u32| (bits * word) as usize;
        let workspace = &n + ((&radix - &n) << place(any.complement)) + (inverse << place(any.inverse));
        let counts = any.operation.operand_words(any.words(bits));
        let mut operand = |count: u32, turn: usize| {
            let radix = BigUint::from(1u8) << (bits * count) as usize;
            match (at + turn) % 4 {
                0 => radix - 1u8,
                1 => (&radix - 1u8) / &n * &n,
                _ => BigUint::new(source.extreme_words((bits * count).div_ceil(32) as usize)) % radix,
            }
        };
        for turn in 0..2 {
            let own = counts.iter().map(|count| operand(*count, turn));
            all.push(own.chain([workspace.clone()]).collect());
        }
    }
    all
}

/// Calls a routine with all operands, so many random ones among them, the result apart and, in `./test` by turns, in the place of
/// operands: the cycles of each call.
///
/// # Panics
/// Where a call stops, is wrong, or breaks what the convention says.
pub fn calls<R: Callable>(name: &str, contract: &Contract, routine: &R, random: usize) -> Vec<Cycles> {
    let bits = routine.word_bits();
    let mut cycles = Vec::new();
    for (place, operands) in operands(contract, bits, random).iter().enumerate() {
        let patterns = contract.patterns();
        // all apart, and one of the others by turns
        let turn = 1 + place % (patterns.len() - 1).max(1);
        let some = patterns.iter().enumerate().filter(|(at, _)| sample(0, 1) == 1 || [0, turn].contains(at));
        for (_, pattern) in some {
            let operands = pattern.fitting(operands);
            let counts = contract.operands(bits);
            let content: Vec<Vec<R::Limb>> =
                operands.iter().zip(counts).map(|(number, count)| words(number, count)).collect();
            let buffers: Vec<Buffer<R::Limb>> = contract.buffers(bits, pattern, &content);
            let surroundings = Surroundings { place: place as u32, ..Surroundings::default() };
            let finished = routine
                .call_in(Concrete::<R::Limb>::new(), &buffers, surroundings)
                .unwrap_or_else(|stopped| panic!("{name}: {stopped}"));
            let result: Vec<R::Limb> =
                finished.buffers[0].iter().map(|word| word.expect("it is stored")).collect();
            assert!(is_right(contract, &operands, &result), "{name}, {}: {operands:x?}", pattern.name);
            assert_eq!(finished.breaches, [], "{name}");
            cycles.push(finished.tally.cycles);
        }
    }
    cycles
}

/// The most cycles of these calls.
///
/// # Panics
/// As there.
pub fn most_cycles<R: Callable>(name: &str, contract: &Contract, routine: &R, random: usize) -> u64 {
    calls(name, contract, routine, random).into_iter().map(|cycles| cycles.max).max().expect("a call")
}

/// The cycles of a call, which are the same in all of them.
///
/// # Panics
/// As there; and where they are not.
pub fn same_cycles<R: Callable>(name: &str, contract: &Contract, routine: &R, random: usize) -> u64 {
    let all = calls(name, contract, routine, random);
    assert!(all.iter().all(|cycles| *cycles == all[0]), "{name}: {all:?}");
    all[0].max
}

/// Whether the result is what it should be.
///
/// # Panics
/// Where the contract is of something else.
pub fn is_right<W: Limb>(contract: &Contract, operands: &[BigUint], result: &[W]) -> bool {
    if let Some(binary) = contract.binary() {
        return is_right_polynomial(binary, operands, number(result) << binary.shift(W::BITS) as usize);
    }
    if let (Some(any), [a, others @ .., workspace]) = (contract.any_modulus(), operands) {
        let n = workspace % (BigUint::from(1u8) << (W::BITS * any.words(W::BITS)) as usize);
        let expected = match any.operation.expression() {
            Expression::Square => a * a,
            _ => others.iter().fold(a.clone(), |product, own| product * own),
        };
        return (number(result) << contract.shift(W::BITS) as usize) % &n == expected % &n;
    }
    let modular = contract.modular().expect("a modulus");
    let p = modular.modulus.number();
    if let (Expression::Inverse, [a]) = (contract.expression(), operands) {
        let radix = match modular.operation {
            Operation::MontInv => BigUint::from(1u8) << (2 * W::BITS as usize * result.len()),
            _ => BigUint::from(1u8),
        };
        let inverse = (a % &p).modinv(&p).unwrap_or_default();
        return number(result) % &p == inverse * radix % &p;
    }
    if let (Expression::SumAndDifference, [a, b]) = (contract.expression(), operands) {
        let (sum, difference) = result.split_at(result.len() / 2);
        let is_sum = number(sum) % &p == (a + b) % &p;
        return is_sum && (number(difference) + b) % &p == a % &p;
    }
    let found = number(result) << contract.shift(W::BITS) as usize;
    let expected = match (contract.expression(), operands) {
        (Expression::Product, [a, b]) => a * b,
        (Expression::Square, [a]) => a * a,
        (Expression::Sum, [a, b]) => a * contract.times(0) + b * contract.times(1),
        (Expression::Difference, [a, b]) => {
            let above = (&p * contract.times(1)) << (W::BITS as usize * result.len());
            a * contract.times(0) + above - b * contract.times(1)
        }
        (_, [a]) => a.clone(),
        other => panic!("{other:?}"),
    };
    found % &p == expected % &p
}

/// `found` is the result, times R where that was divided by it.
fn is_right_polynomial(binary: &Binary, operands: &[BigUint], found: BigUint) -> bool {
    let expected = match (binary.operation().expression(), operands) {
        (Expression::Product, [a, b]) => product(a, b),
        (Expression::Square, [a]) => product(a, a),
        (Expression::Sum, [a, b]) => a ^ b,
        (_, [a]) => a.clone(),
        other => panic!("{other:?}"),
    };
    let field = binary.modulus().and_then(|modulus| BinaryField::new(&modulus.exponents()));
    match field {
        Some(field) => field.element(&found) == field.element(&expected),
        None => found == expected,
    }
}
