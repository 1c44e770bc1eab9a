//! Multiples of points that somebody sent, on curves of a prime order over GF(p): Diffie-Hellman, whose result is the abscissa, and the
//! whole point.

use super::curve::OnNamed;
use super::{Example, Scheme, Text};
use crate::targets::Description;
use num_bigint::BigUint;
use rhomb_composition::{CurveProgram, Program};
use rhomb_field::curve::{Affine, Base};
use rhomb_field::program::{Called, ecdh, scalarmul};
use rhomb_field::signature::{is_key, is_point};

pub(super) const NAME: &str = CurveProgram::Ecdh.name();
pub(super) const NOUN: &str = "Diffie-Hellman function ECDH";
pub(super) const SUMMARY: &str =
    "r = x of k P, and a status: the shared secret of a private key and a public one, SEC 1; with --curve";

pub(super) const SCALARMUL: &str = CurveProgram::Scalarmul.name();
pub(super) const SCALARMUL_NOUN: &str = "scalar multiplication";
pub(super) const SCALARMUL_SUMMARY: &str =
    "r = k P, and a status: a multiple of a point that somebody sent; with --curve";

pub(super) struct Multiple {
    pub(super) on: OnNamed,
    /// Whether the result is the whole point.
    pub(super) is_whole: bool,
}

impl Multiple {
    /// The point of the order 2, which has none where the order is a prime.
    fn half(&self) -> Option<Affine> {
        let curve = &self.on.curve;
        match &curve.base {
            Base::Prime(_) => None,
            Base::Binary(field) => Some(Affine { x: BigUint::ZERO, y: field.root(&curve.b) }),
        }
    }

    /// A point and that one.
    fn moved(&self, point: &Affine) -> Affine {
        let sum = self.on.curve.add(Some(point), self.half().as_ref());
        sum.unwrap_or_else(|| point.clone())
    }

    /// Numbers of the result.
    fn numbers(&self) -> usize {
        if self.is_whole { 2 } else { 1 }
    }
}

impl Scheme for Multiple {
    fn operation(&self) -> &'static str {
        if self.is_whole { SCALARMUL } else { NAME }
    }
    fn on_curve(&self) -> Option<&OnNamed> {
        Some(&self.on)
    }
    fn methods(&self) -> &'static [&'static str] {
        self.on.methods()
    }
    fn result(&self) -> Option<Text> {
        Some(self.on.text("r", self.numbers()))
    }
    fn operands(&self) -> Vec<Text> {
        vec![self.on.text("k", 1), self.on.text("point", 2)]
    }
    fn rules(&self, order: String) -> Vec<String> {
        let (bytes, name) = (self.on.bytes(), self.on.curve.name);
        let (what, numbers, points) = match self.is_whole {
            true => ("k times the point, x and then y,", "k is a number", "points are"),
            false => ("x of k times the point,", "r and k are numbers", "the point is"),
        };
        let wrong = match self.on.curve.base {
            Base::Prime(_) => (
                "What is returned: 0; 1 where k is 0 or not below the order of the curve; 2 where x or y is not below p or".to_owned(),
                "the point is not on the curve; 3 where both are so. Where it is not 0, r keeps its bytes.".to_owned(),
            ),
            Base::Binary(_) => (
                "What is returned: 0; 1 where k is 0 or not below the order of the generator; 2 where x or y has more bits than the".to_owned(),
                "field, x is 0, or the point is not on the curve; 3 where both are so. Where it is not 0, r keeps its bytes.".to_owned(),
            ),
        };
        vec![
            format!("r = {what} on {name}: SEC 1, section 3.3.1."),
            format!("{numbers} of {bytes} bytes, the highest byte first; {points} such an x and a y,"),
            format!("without the byte 4 that SEC 1 writes before them: arrays {order}."),
            wrong.0,
            wrong.1,
            "r must not overlap k or the point.".to_owned(),
            "Secrets stay on the stack after the return: it is not wiped.".to_owned(),
        ]
    }
    fn programs(&self, method: &str, core: &Description) -> Vec<Called> {
        self.on.program(method, core, if self.is_whole { scalarmul } else { ecdh }).into_iter().collect()
    }
    fn example(&self, number: u64) -> Example {
        let OnNamed { curve, .. } = &self.on;
        let n = &curve.order;
        let [mut k, to] = self.on.any(number);
        let mut point = self.on.point(&to);
        let most = self.on.most();
        match number {
            1 => k = n - 2u8,
            2 => (k, point.y) = (BigUint::ZERO, point.y + 1u8),
            3 => k = n.clone(),
            4 => k = n - 1u8,
            5 => k = BigUint::from(1u8),
            6 => point.x = most,
            7 => (point.x, point.y) = (BigUint::ZERO, BigUint::ZERO),
            8 => k = BigUint::from(2u8),
            9 => (k, point) = (n - 30u8, curve.generator.clone()),
            10 => point.y = most,
            11 => k = n - 16u8,
            // of the order 2 n
            12 => point = self.moved(&point),
            13 => (k, point) = (n - 1u8, self.moved(&point)),
            14 => point = self.half().unwrap_or(point),
            _ => {}
        }
        let status = u64::from(!is_key(curve, &k)) | u64::from(!is_point(curve, &point)) << 1;
        let shared = if status == 0 { curve.multiple(&k, &point) } else { None };
        let operands = vec![self.on.string(&[&k]), self.on.string(&[&point.x, &point.y])];
        let result = shared.map(|own| self.on.string(&[&own.x, &own.y][..self.numbers()]));
        Example { operands, result, returned: Some(status) }
    }
    fn proved_as(&self) -> Option<Program> {
        let program = if self.is_whole { CurveProgram::Scalarmul } else { CurveProgram::Ecdh };
        Some(Program::OnCurve(program, self.on.name))
    }
}
