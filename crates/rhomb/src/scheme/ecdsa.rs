//! Signatures on curves of a prime order over GF(p).

use super::curve::{COMBS, OnNamed, WINDOWS};
use super::{Example, Scheme, Text};
use crate::targets::Description;
use num_bigint::BigUint;
use rhomb_composition::{CurveProgram, Program};
use rhomb_field::program::{Called, ecdsa_sign, ecdsa_verify};
use rhomb_field::signature::{is_key, is_point, sign, verifies};

pub(super) const SIGN: &str = CurveProgram::Sign.name();
pub(super) const SIGN_NOUN: &str = "signature ECDSA";
pub(super) const SIGN_SUMMARY: &str =
    "r and s, and a status: the ECDSA signature of a hash by a private key and a nonce, SEC 1; with --curve";
pub(super) const VERIFY: &str = "ecdsa-verify";
pub(super) const VERIFY_NOUN: &str = "verification of ECDSA";
pub(super) const VERIFY_SUMMARY: &str =
    "a status: whether r and s are the ECDSA signature of a hash by a public key, SEC 1; with --curve";

pub(super) struct Sign(pub(super) OnNamed);
pub(super) struct Verify(pub(super) OnNamed);

/// What is said of hashes.
fn hash(bytes: usize) -> String {
    format!("Of a longer hash the first {bytes} bytes are taken, and a shorter one has bytes 0 before it.")
}

impl Scheme for Sign {
    fn operation(&self) -> &'static str {
        SIGN
    }
    fn on_curve(&self) -> Option<&OnNamed> {
        Some(&self.0)
    }
    fn methods(&self) -> &'static [&'static str] {
        &COMBS
    }
    fn result(&self) -> Option<Text> {
        Some(self.0.text("signature", 2))
    }
    fn operands(&self) -> Vec<Text> {
        ["hash", "key", "nonce"].map(|name| self.0.text(name, 1)).to_vec()
    }
    fn rules(&self, order: String) -> Vec<String> {
        let (bytes, name) = (self.0.bytes(), self.0.curve.name);
        vec![
            format!("signature = r and then s, of a hash by a private key, on {name}: SEC 1, section 4.1.3."),
            format!("All are numbers of {bytes} bytes, the highest byte first: arrays {order}."),
            hash(bytes),
            "The nonce is secret, and as random as a key or as RFC 6979 makes it; one for two hashes tells the key.".to_owned(),
            "What is returned: 0, or the sum of 1 where the key is 0 or not below the order of the curve, 2 where the".to_owned(),
            "nonce is so, and 4 where r or s is 0: then another nonce is taken. Where it is not 0, the signature keeps its bytes.".to_owned(),
            "The signature must not overlap the hash, the key or the nonce.".to_owned(),
            "Secrets stay on the stack after the return: it is not wiped.".to_owned(),
        ]
    }
    fn programs(&self, method: &str, core: &Description) -> Vec<Called> {
        self.0.by_combs(method, core, ecdsa_sign)
    }
    fn example(&self, number: u64) -> Example {
        let OnNamed { curve, .. } = &self.0;
        let n = &curve.order;
        let [mut hash, mut key, mut nonce] = self.0.any(number);
        match number {
            1 => (hash, nonce) = (self.0.most(), n - 1u8),
            2 => key = BigUint::ZERO,
            3 => nonce = self.0.most(),
            // s is 0
            4 => hash = n - self.0.point(&nonce).x * &key % n,
            5 => (hash, nonce) = (BigUint::ZERO, BigUint::from(1u8)),
            6 => key = n - 1u8,
            _ => {}
        }
        let made = if is_key(curve, &nonce) { sign(curve, &hash, &key, &nonce) } else { None };
        let faults = [is_key(curve, &key), is_key(curve, &nonce)].map(|is_right| u64::from(!is_right));
        // nothing divides by a nonce that is 0 modulo n, but others that are too high
        let unmade = match faults {
            [_, 0] => made.is_none(),
            _ => &nonce % n == BigUint::ZERO,
        };
        let status = faults[0] | faults[1] << 1 | u64::from(unmade) << 2;
        let operands = [&hash, &key, &nonce].map(|number| self.0.string(&[number])).to_vec();
        let result = made.filter(|_| status == 0).map(|[r, s]| self.0.string(&[&r, &s]));
        Example { operands, result, returned: Some(status) }
    }
    fn proved_as(&self) -> Option<Program> {
        Some(Program::OnCurve(CurveProgram::Sign, self.0.name))
    }
}

impl Scheme for Verify {
    fn operation(&self) -> &'static str {
        VERIFY
    }
    fn on_curve(&self) -> Option<&OnNamed> {
        Some(&self.0)
    }
    fn methods(&self) -> &'static [&'static str] {
        &WINDOWS
    }
    fn result(&self) -> Option<Text> {
        None
    }
    fn operands(&self) -> Vec<Text> {
        vec![self.0.text("signature", 2), self.0.text("hash", 1), self.0.text("point", 2)]
    }
    fn rules(&self, order: String) -> Vec<String> {
        let (bytes, name) = (self.0.bytes(), self.0.curve.name);
        vec![
            format!("Verifies a signature, r and then s, of a hash by the point of a key on {name}: SEC 1, section 4.1.4."),
            format!("r, s and the hash are numbers of {bytes} bytes, the highest byte first; the point is such an x and a y,"),
            format!("without the byte 4 that SEC 1 writes before them: arrays {order}."),
            hash(bytes),
            "What is returned: 0 where the signature is right, or the sum of 1 where r or s is 0 or not below the order of".to_owned(),
            "the curve, 2 where x or y is not below p or the point is not on the curve, and 4 where the signature is another's.".to_owned(),
        ]
    }
    fn programs(&self, method: &str, core: &Description) -> Vec<Called> {
        self.0.by_combs(method, core, ecdsa_verify)
    }
    fn example(&self, number: u64) -> Example {
        let OnNamed { curve, .. } = &self.0;
        let n = &curve.order;
        let [mut hash, mut key, nonce] = self.0.any(number);
        if number == 6 {
            (hash, key) = (BigUint::ZERO, BigUint::from(1u8));
        }
        let mut point = self.0.point(&key);
        let zero = || [BigUint::ZERO, BigUint::ZERO];
        let [mut r, mut s] = sign(curve, &hash, &key, &nonce).unwrap_or_else(zero);
        match number {
            1 => hash = (hash + 1u8) % n,
            2 => r = BigUint::ZERO,
            3 => s = n.clone(),
            4 => point.y += 1u8,
            5 => s = n - s,
            7 => point.x = self.0.most(),
            _ => {}
        }
        let is_inside = is_key(curve, &r) && is_key(curve, &s);
        let is_point = is_point(curve, &point);
        let is_right = is_inside && is_point && verifies(curve, [&r, &s], &hash, &point);
        let status = u64::from(!is_inside) | u64::from(!is_point) << 1 | u64::from(!is_right) << 2;
        let operands =
            vec![self.0.string(&[&r, &s]), self.0.string(&[&hash]), self.0.string(&[&point.x, &point.y])];
        Example { operands, result: None, returned: Some(status) }
    }
}
