//! Products modulo a number whose multiples come back by no short way: they are divided by R twice, by routines of
//! Montgomery's method, the second time as a product with R^2 mod p.

use super::writer::{Called, Composed, Routine, Writer};
use super::{Place, words};
use num_bigint::BigUint;
use rhomb_contract::{Contract, Modular, Operation};

/// The program of a product, square or reduction; `None` of other operations.
pub fn by_montgomery(modular: &Modular, bits: u32) -> Option<Composed> {
    let divided = match modular.operation {
        Operation::ModMul => Operation::MontMul,
        Operation::ModSqr => Operation::MontSqr,
        Operation::ModReduce => Operation::MontReduce,
        _ => return None,
    };
    let kept = |operation| Contract::from(Modular { operation, ..*modular });
    let count = modular.modulus.words(bits) as usize;
    let square = (BigUint::from(1u8) << (2 * bits as usize * count)) % modular.modulus.number();
    let mut writer = Writer::default();
    let [own, factor] = [count; 2].map(|words| Place::Slot(writer.slot(words)));
    let operands: Vec<Place> = (0..divided.operands().len()).map(Place::Operand).collect();
    let first = writer.routine(Routine::Kept(kept(divided)));
    writer.call(first, own, &operands);
    writer.line(words::constant(&square, bits, count), factor, &[]);
    let second = writer.routine(Routine::Kept(kept(Operation::MontMul)));
    writer.call(second, Place::Result, &[own, factor]);
    let Called { program, routines } = writer.finish(operands.len());
    Some(Composed { method: "montgomery-twice", program, routines })
}
