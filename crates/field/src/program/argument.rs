//! Montgomery products and squares modulo a number that is an argument: a product, and then its division by R. The last
//! operand is a workspace that holds the modulus: [`Workspace`](crate::reduce::Workspace).

use super::Place;
use super::writer::{Called, Routine, Writer};
use crate::reduce::by_argument;
use rhomb_contract::{Contract, Expression, Operation};

/// What multiplies modulo the number of a workspace.
pub(super) struct Products {
    /// Bits of a number.
    size: u32,
    divide: usize,
    /// Where products stand before they are divided.
    wide: Place,
    workspace: Place,
}

impl Products {
    /// For numbers of so many words of so many bits.
    pub(super) fn new(writer: &mut Writer, (words, bits): (usize, u32), workspace: Place) -> Self {
        let divide = writer.routine(Routine::Lines(by_argument(words, bits)));
        let wide = Place::Slot(writer.slot(2 * words));
        Products { size: bits * words as u32, divide, wide, workspace }
    }

    /// `to = x y / R`, where `to` may be an operand.
    pub(super) fn mul(&self, writer: &mut Writer, to: Place, x: Place, y: Place) {
        self.product(writer, Operation::Mul, to, &[x, y]);
    }

    /// `to = x x / R`, likewise.
    pub(super) fn sqr(&self, writer: &mut Writer, to: Place, x: Place) {
        self.product(writer, Operation::Sqr, to, &[x]);
    }

    fn product(&self, writer: &mut Writer, operation: Operation, to: Place, operands: &[Place]) {
        let product = writer.routine(Routine::Kept(Contract::whole(operation, self.size)));
        writer.call(product, self.wide, operands);
        writer.call(self.divide, to, &[self.wide, self.workspace]);
    }
}

/// The program of a product or square on so many words of so many bits; `None` of other operations.
pub fn montgomery(operation: Operation, words: usize, bits: u32) -> Option<Called> {
    let (product, count) = match operation.expression() {
        Expression::Product => (Operation::Mul, 2),
        Expression::Square => (Operation::Sqr, 1),
        _ => return None,
    };
    let mut writer = Writer::default();
    let own = Products::new(&mut writer, (words, bits), Place::Operand(count));
    let operands: Vec<Place> = (0..count).map(Place::Operand).collect();
    own.product(&mut writer, product, Place::Result, &operands);
    Some(writer.finish(count + 1))
}
