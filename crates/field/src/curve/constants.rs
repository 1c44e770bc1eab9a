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

/// A curve of the order of its generator over GF(p), with a = -k for a small k.
fn prime(name: &'static str, p: BigUint, k: u32, [b, x, y, order]: [&str; 4]) -> Curve {
    Curve {
        name,
        a: (&p - k) % &p,
        base: Base::Prime(PrimeField::new(p).unwrap_or_else(|| unreachable!("{name}"))),
        b: hex(b),
        generator: Affine { x: hex(x), y: hex(y) },
        order: hex(order),
    }
}

/// P-224 (FIPS 186-4, D.1.2.2; secp224r1 in SEC 2).
pub fn p224() -> Curve {
    let p = (BigUint::from(1u8) << 224usize) - (BigUint::from(1u8) << 96usize) + 1u8;
    let b = "B4050A850C04B3ABF54132565044B0B7D7BFD8BA270B39432355FFB4";
    let x = "B70E0CBD6BB4BF7F321390B94A03C1D356C21122343280D6115C1D21";
    let y = "BD376388B5F723FB4C22DFE6CD4375A05A07476444D5819985007E34";
    let order = "FFFFFFFFFFFFFFFFFFFFFFFFFFFF16A2E0B8F03E13DD29455C5C2A3D";
    prime("P-224", p, 3, [b, x, y, order])
}

/// P-256 (FIPS 186-4, D.1.2.3; secp256r1 in SEC 2).
pub fn p256() -> Curve {
    let p = hex("FFFFFFFF00000001000000000000000000000000FFFFFFFFFFFFFFFFFFFFFFFF");
    let b = "5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B";
    let x = "6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296";
    let y = "4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5";
    let order = "FFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551";
    prime("P-256", p, 3, [b, x, y, order])
}

/// P-384 (FIPS 186-4, D.1.2.4; secp384r1 in SEC 2).
pub fn p384() -> Curve {
    let power = |n: usize| BigUint::from(1u8) << n;
    let p = power(384) - power(128) - power(96) + power(32) - 1u8;
    let b =
        "B3312FA7E23EE7E4988E056BE3F82D19181D9C6EFE8141120314088F5013875AC656398D8A2ED19D2A85C8EDD3EC2AEF";
    let x =
        "AA87CA22BE8B05378EB1C71EF320AD746E1D3B628BA79B9859F741E082542A385502F25DBF55296C3A545E3872760AB7";
    let y =
        "3617DE4A96262C6F5D9E98BF9292DC29F8F41DBD289A147CE9DA3113B5F0B8C00A60B1CE1D7E819D7A431D7C90EA0E5F";
    let order =
        "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFC7634D81F4372DDF581A0DB248B0A77AECEC196ACCC52973";
    prime("P-384", p, 3, [b, x, y, order])
}

/// secp256k1 (SEC 2, 2.4.1): y^2 = x^3 + 7.
pub fn secp256k1() -> Curve {
    let p = hex("FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEFFFFFC2F");
    let x = "79BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798";
    let y = "483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8";
    let order = "FFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFEBAAEDCE6AF48A03BBFD25E8CD0364141";
    prime("secp256k1", p, 0, ["7", x, y, order])
}

/// A curve by its name on the command line.
pub type Named = (&'static str, fn() -> Curve);

/// The curves of a prime order over GF(p).
pub fn of_prime_order() -> [Named; 5] {
    [("p192", p192), ("p224", p224), ("p256", p256), ("p384", p384), ("secp256k1", secp256k1)]
}

/// Those over GF(2^m), whose cofactor is 2.
pub fn over_binary_fields() -> [Named; 1] {
    [("b191", c2pnb191v1)]
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
