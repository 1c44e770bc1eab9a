//! Montgomery products and squares modulo a number that is an argument: a product, and then its division by R. The last
//! operand is a workspace that holds the modulus: [`Workspace`](crate::reduce::Workspace).

use super::Place;
use super::blocks::Blocks;
use super::words::{above, copy};
use super::writer::{Routine, Writer};
use crate::reduce::by_argument;
use rhomb_contract::{Contract, Expression, Operation};

/// Numbers of so many words of so many bits, and how they are multiplied and divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Words of each number.
    pub words: usize,
    /// Bits of a word.
    pub bits: u32,
    /// The blocks of a division; without, it is a straight line.
    pub division: Option<Blocks>,
    /// The blocks of a product; without, the fastest routine makes it.
    pub product: Option<Blocks>,
}

/// What multiplies modulo the number of a workspace.
pub(super) struct Modulo {
    own: Argument,
    divide: usize,
    /// Where products stand before they are divided.
    wide: Place,
    workspace: Place,
}

impl Argument {
    /// What divides. Of blocks -1/n may be given in full.
    fn division(&self, is_given: bool) -> Routine {
        match self.division {
            Some(blocks) => Routine::Called(Box::new(blocks.division(is_given))),
            None => Routine::Lines(by_argument(self.words, self.bits)),
        }
    }

    fn product(&self, operation: Operation) -> Routine {
        match self.product {
            Some(blocks) => Routine::Called(Box::new(blocks.product(operation == Operation::Sqr))),
            None => Routine::Kept(Contract::whole(operation, self.bits * self.words as u32)),
        }
    }

    pub(super) fn fits(&self) -> bool {
        let fits = |blocks: Option<Blocks>| blocks.is_none_or(|own| own.fits(self.words, self.bits));
        self.words > 0 && fits(self.division) && fits(self.product)
    }
}

impl Modulo {
    pub(super) fn new(writer: &mut Writer, own: Argument, workspace: Place, is_given: bool) -> Self {
        let divide = writer.routine(own.division(is_given));
        let wide = Place::Slot(writer.slot(2 * own.words));
        Modulo { own, divide, wide, workspace }
    }

    /// `to = x y / R`, where `to` may be an operand.
    pub(super) fn mul(&self, writer: &mut Writer, to: Place, x: Place, y: Place) {
        self.product(writer, Operation::Mul, to, &[x, y]);
    }

    /// `to = x x / R`, likewise.
    pub(super) fn sqr(&self, writer: &mut Writer, to: Place, x: Place) {
        self.product(writer, Operation::Sqr, to, &[x]);
    }

    /// `to = x / R`, where x has twice the words, and `to` lies apart.
    pub(super) fn reduce(&self, writer: &mut Writer, to: Place, x: Place) {
        writer.call(self.divide, to, &[x, self.workspace]);
    }

    /// `to = x / R`, where `to` may be x.
    pub(super) fn divide(&self, writer: &mut Writer, to: Place, x: Place) {
        let words = self.own.words;
        writer.line(above(copy(0, words), words..2 * words), self.wide, &[x]);
        self.reduce(writer, to, self.wide);
    }

    fn product(&self, writer: &mut Writer, operation: Operation, to: Place, operands: &[Place]) {
        self.whole(writer, operation, self.wide, operands);
        self.reduce(writer, to, self.wide);
    }

    /// `to` is the whole product, of twice the words.
    pub(super) fn whole(&self, writer: &mut Writer, operation: Operation, to: Place, operands: &[Place]) {
        let product = writer.routine(self.own.product(operation));
        writer.call(product, to, operands);
    }
}

/// The routine of a product, square or division; `None` of other operations, and where blocks do not fill the numbers.
pub fn montgomery(operation: Operation, own: &Argument) -> Option<Routine> {
    if !own.fits() {
        return None;
    }
    let (product, count) = match operation {
        Operation::MontReduce => return Some(own.division(false)),
        _ => match operation.expression() {
            Expression::Product => (Operation::Mul, 2),
            Expression::Square => (Operation::Sqr, 1),
            _ => return None,
        },
    };
    let mut writer = Writer::default();
    let modulo = Modulo::new(&mut writer, *own, Place::Operand(count), false);
    let operands: Vec<Place> = (0..count).map(Place::Operand).collect();
    modulo.product(&mut writer, product, Place::Result, &operands);
    Some(Routine::Called(Box::new(writer.finish(count + 1))))
}
