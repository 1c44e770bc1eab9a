//! Key agreements and signatures against crates that share nothing with this one: results, and what they refuse.

use num_bigint::BigUint;
use rhomb_field::curve::{self, Affine, Base, Curve};
use rhomb_field::signature::{sign, verifies};
use rhomb_field::specification::x25519_of_bytes;
use rhomb_machine::Random;

/// A number of so many bytes, the highest first.
fn string(number: &BigUint, bytes: usize) -> Vec<u8> {
    let own = number.to_bytes_be();
    [vec![0; bytes.saturating_sub(own.len())], own].concat()
}

/// What a crate makes of a key and a point; nothing where it takes one of them not.
macro_rules! shared {
    ($library:ident) => {
        |k: &[u8], point: &[u8]| -> Option<Vec<u8>> {
            let secret = $library::SecretKey::from_slice(k).ok()?;
            let public = $library::PublicKey::from_sec1_bytes(&[&[4], point].concat()).ok()?;
            let shared = $library::ecdh::diffie_hellman(secret.to_nonzero_scalar(), public.as_affine());
            Some(shared.raw_secret_bytes().to_vec())
        }
    };
}

/// The same by the group law over big integers.
fn own(curve: &Curve, k: &BigUint, point: &Affine) -> Option<BigUint> {
    let Base::Prime(field) = &curve.base else { return None };
    let is_key = *k != BigUint::ZERO && *k < curve.order;
    let is_below = point.x < *field.modulus() && point.y < *field.modulus();
    let is_point = is_below && curve.contains(point);
    curve.multiple(k, point).filter(|_| is_key && is_point).map(|own| own.x)
}

fn agree(curve: &Curve, library: impl Fn(&[u8], &[u8]) -> Option<Vec<u8>>) {
    let (n, bytes) = (&curve.order, curve.order.bits() as usize / 8);
    let mut random = Random::new(bytes as u64);
    let mut some = || (0..7).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits()) % n;
    let mut cases: Vec<(BigUint, Affine)> = Vec::new();
    for _ in 0..8 {
        cases.push((some(), curve.multiple(&some(), &curve.generator).unwrap()));
    }
    let any = cases[0].1.clone();
    cases.extend([BigUint::ZERO, n.clone(), n - 1u8, 1u8.into(), n + 1u8].map(|k| (k, any.clone())));
    let most = (BigUint::from(1u8) << (8 * bytes)) - 1u8;
    let wrong = [
        (any.y.clone(), any.x.clone()),
        (any.x.clone(), most.clone()),
        (most, any.y),
        (0u8.into(), 0u8.into()),
    ];
    cases.extend(wrong.map(|(x, y)| (some(), Affine { x, y })));
    let mut refused = 0;
    for (k, point) in &cases {
        let both = [string(&point.x, bytes), string(&point.y, bytes)].concat();
        let found = own(curve, k, point).map(|x| string(&x, bytes));
        refused += usize::from(found.is_none());
        assert_eq!(found, library(&string(k, bytes), &both), "{} {k:x} {point:x?}", curve.name);
    }
    assert_eq!(refused, 7, "{}", curve.name);
}

#[test]
fn agreements_on_curves() {
    agree(&curve::p256(), shared!(p256));
    agree(&curve::p384(), shared!(p384));
    agree(&curve::secp256k1(), shared!(k256));
}

/// A signature of a hash as a crate makes it with a nonce, and whether it takes one for a key.
macro_rules! signatures {
    ($library:ident, $curve:expr) => {{
        use ecdsa::hazmat::{SignPrimitive, VerifyPrimitive};
        use $library::ecdsa::Signature;
        use $library::elliptic_curve::PrimeField;
        let curve = $curve;
        let bytes = curve.order.bits() as usize / 8;
        let mut random = Random::new(bytes as u64);
        let mut some =
            || (0..7).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits()) % &curve.order;
        for call in 0..6u8 {
            let [mut hash, key, nonce] = [some(), some(), some()];
            if call == 5 {
                hash = (BigUint::from(1u8) << (8 * bytes)) - 1u8;
            }
            let array = |number: &BigUint| *$library::FieldBytes::from_slice(&string(number, bytes));
            let scalar = |number: &BigUint| $library::Scalar::from_repr(array(number)).unwrap();
            let (made, _) = scalar(&key).try_sign_prehashed(scalar(&nonce), &array(&hash)).unwrap();
            let [r, s] = sign(&curve, &hash, &key, &nonce).unwrap();
            // some give the lower one of s and -s
            let either =
                [s.clone(), &curve.order - &s].map(|s| [string(&r, bytes), string(&s, bytes)].concat());
            assert!(either.contains(&made.to_bytes().to_vec()), "{} {call}", curve.name);
            let point = curve.multiple(&key, &curve.generator).unwrap();
            let sec1 = [&[4][..], &string(&point.x, bytes), &string(&point.y, bytes)].concat();
            let public = $library::PublicKey::from_sec1_bytes(&sec1).unwrap();
            for (r, s) in [(r.clone(), s.clone()), (r.clone(), &s + 1u8), (&r + 1u8, s.clone())] {
                let own = verifies(&curve, [&r, &s], &hash, &point);
                let Ok(signature) = Signature::from_slice(&[string(&r, bytes), string(&s, bytes)].concat())
                else {
                    continue;
                };
                let normal = signature.normalize_s().unwrap_or(signature);
                let theirs = public.as_affine().verify_prehashed(&array(&hash), &normal).is_ok();
                assert_eq!(own, theirs, "{} {call}", curve.name);
            }
        }
    }};
}

#[test]
fn signatures_on_curves() {
    signatures!(p256, curve::p256());
    signatures!(p384, curve::p384());
    signatures!(k256, curve::secp256k1());
}

#[test]
fn x25519() {
    let mut random = Random::new(25519);
    for call in 0..60u8 {
        let [k, mut u] = [(); 2].map(|()| [(); 32].map(|()| random.byte()));
        if call < 30 {
            // numbers at the ends of the field, with the highest bit and without
            u = [if call % 3 == 0 { 0 } else { 0xff }; 32];
            (u[0], u[31]) = (0xe8u8.wrapping_add(call), if call % 2 == 0 { 0xff } else { 0x7f });
        }
        assert_eq!(x25519_dalek::x25519(k, u), x25519_of_bytes(&k, &u), "{k:x?} {u:x?}");
    }
}
