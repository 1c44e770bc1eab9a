//! The public point of a key, on curves of a prime order over GF(p).

use super::curve::{COMBS, OnNamed};
use super::{Example, Scheme, Text};
use crate::targets::Description;
use num_bigint::BigUint;
use rhomb_composition::{CurveProgram, Program};
use rhomb_field::program::{self, Called};
use rhomb_field::signature::is_key;

pub(super) const NAME: &str = CurveProgram::Public.name();
pub(super) const NOUN: &str = "public point";
pub(super) const SUMMARY: &str =
    "r = k G, and a status: the public point of a private key, SEC 1; with --curve";

pub(super) struct Public(pub(super) OnNamed);

impl Scheme for Public {
    fn operation(&self) -> &'static str {
        NAME
    }
    fn on_curve(&self) -> Option<&OnNamed> {
        Some(&self.0)
    }
    fn methods(&self) -> &'static [&'static str] {
        &COMBS
    }
    fn result(&self) -> Option<Text> {
        Some(self.0.text("point", 2))
    }
    fn operands(&self) -> Vec<Text> {
        vec![self.0.text("k", 1)]
    }
    fn rules(&self, order: String) -> Vec<String> {
        let (bytes, name) = (self.0.bytes(), self.0.curve.name);
        vec![
            format!("point = k times the generator of {name}, x and then y: SEC 1, section 3.2.1."),
            format!("k, x and y are numbers of {bytes} bytes, the highest byte first: arrays"),
            format!("{order}."),
            "What is returned: 0; 1 where k is 0 or not below the order of the curve, and then the point keeps its bytes.".to_owned(),
            "The point must not overlap k.".to_owned(),
            "Secrets stay on the stack after the return: it is not wiped.".to_owned(),
        ]
    }
    fn programs(&self, method: &str, core: &Description) -> Vec<Called> {
        self.0.by_combs(method, core, program::public)
    }
    fn example(&self, number: u64) -> Example {
        let OnNamed { curve, .. } = &self.0;
        let n = &curve.order;
        let [mut k] = self.0.any(number);
        match number {
            1 => k = n - 1u8,
            2 => k = BigUint::ZERO,
            3 => k = n.clone(),
            4 => k = BigUint::from(1u8),
            5 => k = self.0.most(),
            6 => k = n - 2u8,
            7 => k = BigUint::from(2u8),
            _ => {}
        }
        let point = is_key(curve, &k).then(|| self.0.point(&k));
        let result = point.as_ref().map(|own| self.0.string(&[&own.x, &own.y]));
        Example { operands: vec![self.0.string(&[&k])], result, returned: Some(point.is_none().into()) }
    }
    fn proved_as(&self) -> Option<Program> {
        Some(Program::OnCurve(CurveProgram::Public, self.0.name))
    }
}
