//! Diffie-Hellman on curves of a prime order over GF(p).

use super::{Agreement, Example, Text};
use crate::error::Error;
use crate::request::Request;
use crate::subject::Subject;
use crate::targets::Description;
use num_bigint::BigUint;
use rhomb_field::curve::{Affine, Base, Curve, of_prime_order};
use rhomb_field::program::{self, Called, Strategy, ecdh};
use rhomb_machine::Random;

pub(super) const NAME: &str = "ecdh";
pub(super) const NOUN: &str = "Diffie-Hellman function ECDH";
pub(super) const SUMMARY: &str =
    "r = x of k P, and a status: the shared secret of a private key and a public one, SEC 1; with --curve";

/// A window of four bits, with products reduced by the form of the modulus, or by Montgomery's method.
const METHODS: [&str; 2] = ["fixed-window", "fixed-window-montgomery"];

pub(super) struct Ecdh {
    /// Its name on the command line.
    name: &'static str,
    curve: Curve,
}

/// The names of the curves.
pub fn curves() -> Vec<&'static str> {
    of_prime_order().map(|(name, _)| name).to_vec()
}

impl Ecdh {
    /// That of the curve of a request.
    pub(super) fn of(request: &Request) -> Result<Self, Error> {
        let names = curves();
        let hint = "such as --curve p256";
        let Some(given) = &request.curve else {
            let fault = format!("{NAME} needs a curve; valid: {}", names.join(", "));
            return Err(Error::request(fault, hint));
        };
        let known = of_prime_order().into_iter().find(|(name, _)| name == given);
        let (name, curve) = known.ok_or_else(|| Error::unknown("curve", given, &names, hint))?;
        Ok(Ecdh { name, curve: curve() })
    }

    /// Bytes of a number.
    fn bytes(&self) -> usize {
        self.curve.order.bits().div_ceil(8) as usize
    }

    /// A number as its bytes, the highest first.
    fn string(&self, number: &BigUint) -> Vec<u8> {
        let own = number.to_bytes_be();
        [vec![0; self.bytes().saturating_sub(own.len())], own].concat()
    }

    /// The status of a key and a point.
    fn status(&self, k: &BigUint, point: &Affine) -> u64 {
        let below =
            |number: &BigUint| matches!(&self.curve.base, Base::Prime(field) if number < field.modulus());
        let is_key = *k != BigUint::ZERO && *k < self.curve.order;
        let is_point = below(&point.x) && below(&point.y) && self.curve.contains(point);
        u64::from(!is_key) | u64::from(!is_point) << 1
    }
}

impl Agreement for Ecdh {
    fn operation(&self) -> &'static str {
        NAME
    }
    fn base(&self) -> String {
        format!("{NAME}_{}", self.name)
    }
    fn parameters(&self) -> Vec<(&'static str, &'static str)> {
        vec![("curve", self.name)]
    }
    fn methods(&self) -> &'static [&'static str] {
        &METHODS
    }
    fn bits(&self) -> usize {
        8 * self.bytes()
    }
    fn texts(&self) -> [Text; 3] {
        let bytes = self.bytes();
        [Text { name: "r", bytes }, Text { name: "k", bytes }, Text { name: "point", bytes: 2 * bytes }]
    }
    fn rules(&self, order: String) -> Vec<String> {
        let (bytes, name) = (self.bytes(), self.curve.name);
        vec![
            format!("r = x of k times the point, on {name}: SEC 1, section 3.3.1."),
            format!("r and k are numbers of {bytes} bytes, the highest byte first; the point is such an x and a y,"),
            format!("without the byte 4 that SEC 1 writes before them: arrays {order}."),
            "What is returned: 0; 1 where k is 0 or not below the order of the curve; 2 where x or y is not below p or".to_owned(),
            "the point is not on the curve; 3 where both are so. Where it is not 0, r keeps its bytes.".to_owned(),
            "r must not overlap k or the point.".to_owned(),
            "Secrets stay on the stack after the return: it is not wiped.".to_owned(),
        ]
    }
    fn returns(&self, word_bits: u32) -> String {
        format!("uint{word_bits}_t")
    }
    fn program(&self, method: &str, core: &Description) -> Option<Called> {
        let strategy = if method == METHODS[0] { Strategy::Special } else { Strategy::Montgomery };
        ecdh(&program::Agreement { curve: &self.curve, strategy, bits: core.word_bits })
    }
    fn example(&self, number: u64) -> Example {
        let n = &self.curve.order;
        let mut random = Random::new(number);
        let mut any = || (0..9).fold(BigUint::ZERO, |number, _| (number << 64) + random.bits()) % n;
        let (mut k, to) = (any(), any());
        let point = self.curve.multiple(&to, &self.curve.generator);
        let mut point = point.unwrap_or_else(|| self.curve.generator.clone());
        let most = (BigUint::from(1u8) << self.bits()) - 1u8;
        match number {
            1 => k = n - 2u8,
            2 => (k, point.y) = (BigUint::ZERO, point.y + 1u8),
            3 => k = n.clone(),
            4 => k = n - 1u8,
            5 => k = BigUint::from(1u8),
            6 => point.x = most,
            7 => (point.x, point.y) = (BigUint::ZERO, BigUint::ZERO),
            8 => k = BigUint::from(2u8),
            9 => (k, point) = (n - 30u8, self.curve.generator.clone()),
            10 => point.y = most,
            11 => k = n - 16u8,
            _ => {}
        }
        let status = self.status(&k, &point);
        let shared = if status == 0 { self.curve.multiple(&k, &point) } else { None };
        let operands = [self.string(&k), [self.string(&point.x), self.string(&point.y)].concat()];
        Example { operands, result: shared.map(|own| self.string(&own.x)), returned: Some(status) }
    }
    fn is_proved(&self, subject: &dyn Subject) -> bool {
        subject.is_ecdh(&self.curve).is_ok()
    }
}
