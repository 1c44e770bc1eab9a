//! Public points and signatures as programs, executed over words of several widths, against the group law.

use crate::executor::{Memory, words};
use num_bigint::BigUint;
use rhomb_contract::{Contract, Operation};
use rhomb_field::curve::{Affine, Base, Curve, of_prime_order};
use rhomb_field::prime::PrimeField;
use rhomb_field::program::{COMBS, Called, Comb, OnCurve, Strategy, ecdsa_sign, ecdsa_verify, public};
use rhomb_field::signature::{is_key, is_point, sign, verifies};
use rhomb_field::specification::{self, Public, Residues};
use rhomb_machine::Random;
use rhomb_oracles::sample;

/// What a routine makes of operands modulo the prime or the order.
fn kept(contract: &Contract, bits: u32, operands: &[BigUint]) -> BigUint {
    let own = contract.modular().unwrap();
    let p = own.modulus.number();
    let (a, b) = (&operands[0], operands.last().unwrap());
    let radix = BigUint::from(1u8) << (bits * contract.result(bits)) as usize;
    let inverse = |number: &BigUint| (number % &p).modinv(&p).unwrap();
    match own.operation {
        Operation::ModMul if contract.times(0) != 1 => a * contract.times(0) % &p,
        Operation::ModMul | Operation::ModSqr => a * b % &p,
        Operation::MontMul | Operation::MontSqr => a * b * inverse(&radix) % &p,
        Operation::ModAdd => (a + b * contract.times(1)) % &p,
        Operation::ModSub => (a + &p - b * contract.times(1) % &p) % &p,
        Operation::ModHalf => a * inverse(&2u8.into()) % &p,
        other => panic!("{other:?}"),
    }
}

/// A curve, its strings, and programs that are executed.
struct Setting {
    curve: Curve,
    bytes: usize,
}

/// The ways that are executed.
const WAYS: [(Strategy, u32); 3] =
    [(Strategy::Special, 8), (Strategy::Montgomery, 16), (Strategy::Montgomery, 32)];

impl Setting {
    /// One of the ways, which differs from curve to curve; all for P-192.
    fn ways(&self) -> Vec<(Strategy, u32)> {
        match self.bytes {
            24 => WAYS.to_vec(),
            _ => vec![WAYS[(self.bytes / 4 + self.curve.name.len()) % 3]],
        }
    }

    /// The combs that fit the order.
    fn combs(&self) -> Vec<Comb> {
        let size = self.curve.order.bits() as usize;
        COMBS.into_iter().filter(|comb| comb.columns(size).is_some()).collect()
    }

    fn string(&self, number: &BigUint) -> Vec<u64> {
        words(number, 8, self.bytes).into_iter().rev().collect()
    }

    fn packed(&self, numbers: &[&BigUint], bits: u32) -> Vec<u64> {
        let bytes: Vec<u64> = numbers.iter().flat_map(|number| self.string(number)).collect();
        let word = |own: &[u64]| own.iter().rev().fold(0, |word, byte| word << 8 | byte);
        bytes.chunks(bits as usize / 8).map(word).collect()
    }

    /// What a program returns and writes; its calls are as many as always.
    fn run(
        &self,
        (called, bits): (&Called, u32),
        numbers: usize,
        operands: &[&[&BigUint]],
        calls: &mut Option<u64>,
    ) -> (u64, Vec<u64>) {
        let keep = |contract: &Contract, own: &[BigUint]| kept(contract, bits, own);
        let operands = operands.iter().map(|own| self.packed(own, bits)).collect();
        let length = numbers * 8 * self.bytes / bits as usize;
        let memory = Memory::after(called, bits, (length, operands), &keep);
        assert_eq!(*calls.get_or_insert(memory.calls), memory.calls, "{}", self.curve.name);
        (memory.returned().unwrap(), memory.result)
    }
}

fn settings() -> impl Iterator<Item = (Setting, Random)> {
    of_prime_order().into_iter().map(|(_, curve)| {
        let curve = curve();
        let bytes = curve.order.bits() as usize / 8;
        (Setting { curve, bytes }, Random::new(bytes as u64))
    })
}

fn any(random: &mut Random, n: &BigUint) -> BigUint {
    (0..7).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits()) % n
}

#[test]
fn public_points() {
    for (own, mut random) in settings() {
        let n = &own.curve.order;
        let most = (BigUint::from(1u8) << (8 * own.bytes)) - 1u8;
        let mut cases = vec![BigUint::ZERO, n.clone(), n + 1u8, most];
        cases.extend([1u8, 2, 3, 4, 15, 16].into_iter().flat_map(|k| [BigUint::from(k), n - k]));
        // numbers with the highest bits of columns, and half the order
        cases.extend([(n - 1u8) / 2u8, (n + 1u8) / 2u8, BigUint::from(1u8) << (4 * own.bytes)]);
        cases.extend((0..6).map(|_| any(&mut random, n)));
        let mut residues = Residues { base: own.curve.base.clone() };
        let combs = own.combs();
        let keys = cases.iter().filter(|k| is_key(&own.curve, k)).step_by(sample(12, 6));
        for (k, comb) in keys.zip(combs.iter().copied().cycle()) {
            let Affine { x, y } = own.curve.multiple(k, &own.curve.generator).unwrap();
            let wanted = Public { point: [x, y], wrong_key: false };
            let found = specification::public(&mut residues, (&own.curve, comb), k);
            assert_eq!(found, Some(wanted), "{} {comb:?} {k:x}", own.curve.name);
        }
        for (at, (strategy, bits)) in WAYS.into_iter().enumerate() {
            let called =
                public(&OnCurve { curve: &own.curve, strategy, bits }, combs[at % combs.len()]).unwrap();
            let mut calls = None;
            for (_, k) in cases
                .iter()
                .enumerate()
                .filter(|(number, _)| number % sample(15, 5) == at || *number < sample(2, 4))
            {
                let found = own.run((&called, bits), 2, &[&[k]], &mut calls);
                let wanted = match is_key(&own.curve, k) {
                    true => {
                        let Affine { x, y } = own.curve.multiple(k, &own.curve.generator).unwrap();
                        (0, own.packed(&[&x, &y], bits))
                    }
                    false => (1, vec![0; 2 * own.bytes * 8 / bits as usize]),
                };
                assert_eq!(found, wanted, "{} {bits} {k:x}", own.curve.name);
            }
        }
    }
}

#[test]
fn signatures_are_made() {
    for (own, mut random) in settings() {
        let n = &own.curve.order;
        let most = (BigUint::from(1u8) << (8 * own.bytes)) - 1u8;
        let [hash, key, nonce] = [(); 3].map(|()| any(&mut random, n));
        let r = own.curve.multiple(&nonce, &own.curve.generator).unwrap().x % n;
        // what is specified
        let mut residues = Residues { base: own.curve.base.clone() };
        let x = specification::abscissa(&mut residues, (&own.curve, own.combs()[1]), &nonce).unwrap();
        residues.base = Base::Prime(PrimeField::new(n.clone()).unwrap());
        let specified = specification::signature(&mut residues, n, [&hash, &key, &nonce, &x]);
        assert_eq!(Some(specified), sign(&own.curve, &hash, &key, &nonce), "{}", own.curve.name);
        // s is 0 for such a hash
        let opposite = n - r * &key % n;
        let zero = BigUint::ZERO;
        let cases = [
            (&hash, &key, &nonce, 0),
            (&zero, &key, &nonce, 0),
            (&most, &(n - 1u8), &BigUint::from(1u8), 0),
            (&hash, &zero, &nonce, 1),
            (&hash, &key, n, 2),
            (&hash, &most, &zero, 3),
            (&opposite, &key, &nonce, 4),
        ];
        for (strategy, bits) in own.ways() {
            let called = ecdsa_sign(&OnCurve { curve: &own.curve, strategy, bits }, own.combs()[0]).unwrap();
            let mut calls = None;
            for (hash, key, nonce, status) in cases {
                let found = own.run((&called, bits), 2, &[&[hash], &[key], &[nonce]], &mut calls);
                let wanted = match status {
                    0 => {
                        let [r, s] = sign(&own.curve, hash, key, nonce).unwrap();
                        own.packed(&[&r, &s], bits)
                    }
                    _ => vec![0; 2 * own.bytes * 8 / bits as usize],
                };
                // a key or nonce that is 0 modulo the order makes s 0, too
                let told = if status < 4 { found.0 & 3 } else { found.0 };
                assert_eq!((told, found.1), (status, wanted), "{} {bits}", own.curve.name);
            }
        }
    }
}

#[test]
fn signatures_are_verified() {
    for (own, mut random) in settings() {
        let curve = &own.curve;
        let n = &curve.order;
        let Base::Prime(field) = &curve.base else { panic!("{}", curve.name) };
        let [hash, key, nonce] = [(); 3].map(|()| any(&mut random, n));
        let point = curve.multiple(&key, &curve.generator).unwrap();
        let [r, s] = sign(curve, &hash, &key, &nonce).unwrap();
        let zero = BigUint::ZERO;
        let one = BigUint::from(1u8);
        // the key of 1, whose multiples are those of the generator, and hashes that make both multiples the same or opposite
        let base = curve.generator.clone();
        let [r1, _] = sign(curve, &hash, &one, &nonce).unwrap();
        let turned = |hash: &BigUint| sign(curve, hash, &one, &nonce).unwrap()[1].clone();
        let [same, opposite] = [r1.clone(), n - &r1];
        let off = Affine { x: point.x.clone(), y: &point.y + 1u8 };
        let high = Affine { x: point.x.clone(), y: field.modulus().clone() };
        let other = |number: &BigUint| (number + 1u8) % n;
        let cases = [
            (&r, &s, &hash, &point, 0),
            (&r, &(n - &s), &hash, &point, 0),
            (&r, &s, &(&hash + 1u8), &point, 4),
            (&other(&r), &s, &hash, &point, 4),
            (&r, &other(&s), &hash, &point, 4),
            (&r, &s, &hash, &base, 4),
            (&zero, &s, &hash, &point, 5),
            (&r, n, &hash, &point, 5),
            (&r, &s, &hash, &off, 6),
            (&r, &s, &hash, &high, 6),
            (&r1, &turned(&zero), &zero, &base, 0),
            (&r1, &turned(&same), &same, &base, 0),
            (&r1, &one, &opposite, &base, 4),
        ];
        for (strategy, bits) in own.ways() {
            let called = ecdsa_verify(&OnCurve { curve, strategy, bits }, own.combs()[1]).unwrap();
            let mut calls = None;
            for (number, (r, s, hash, point, status)) in cases.into_iter().enumerate() {
                let signature = [r, s];
                let operands: [&[&BigUint]; 3] = [&signature, &[hash], &[&point.x, &point.y]];
                let (found, _) = own.run((&called, bits), 0, &operands, &mut calls);
                let is_right = |r, s| is_key(curve, r) && is_key(curve, s) && is_point(curve, point);
                assert_eq!(status == 0, is_right(r, s) && verifies(curve, signature, hash, point));
                let known = if status & 3 == 0 { found } else { found & 3 | 4 };
                assert_eq!(known, status, "{} {bits} {number}", curve.name);
            }
        }
    }
}
