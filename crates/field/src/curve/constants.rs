//! The curves of the literature; tests check equation and order.

use super::{Affine, Base, Curve};
use crate::binary::BinaryField;
use crate::prime::PrimeField;
use num_bigint::BigUint;

/// A hexadecimal number.
fn hex(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).unwrap_or_else(|| unreachable!("{digits}"))
}

/// P-192 (FIPS 186-4, D.1.2.1; secp192r1 in SEC 2): a = -3, cofactor 1.
pub fn p192() -> Curve {
    let field = PrimeField::p192();
    Curve {
        name: "P-192",
        a: field.modulus() - 3u32,
        base: Base::Prime(field),
        b: hex("64210519E59C80E70FA7E9AB72243049FEB8DEECC146B9B1"),
        generator: Affine {
            x: hex("188DA80EB03090F67CBF20EB43A18800F4FF0AFD82FF1012"),
            y: hex("07192B95FFC8DA78631011ED6B24CDD573F977A11E794811"),
        },
        order: hex("FFFFFFFFFFFFFFFFFFFFFFFF99DEF836146BC9B1B4D22831"),
    }
}

/// c2pnb191v1 (ANSI X9.62-1998, J.4.2, curve 1): cofactor 2.
pub fn c2pnb191v1() -> Curve {
    Curve {
        name: "c2pnb191v1",
        base: Base::Binary(BinaryField::t191()),
        a: hex("2866537B676752636A68F56554E12640276B649EF7526267"),
        b: hex("2E45EF571F00786F67B0081B9495A3D95462F5DE0AA185EC"),
        generator: Affine {
            x: hex("36B3DAF8A23206F9C4F299D7B21A9C369137F2C84AE1AA0D"),
            y: hex("765BE73433B3F95E332932E70EA245CA2418EA0EF98018FB"),
        },
        order: hex("40000000000000000000000004A20E90C39067C893BBB9A5"),
    }
}
