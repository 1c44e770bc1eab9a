//! RSA with a published key: the 1024-bit key of example 1 of RSA Laboratories' RSAES-OAEP test vectors (pkcs-1v2-1-vec).

use crate::kernels::support::{Kernel, content, input, number, output};
use num_bigint::BigUint;
use rhomb_c55x::lower::{Exponentiation, Ladder};
use rhomb_machine::{Access, Buffer};

const N: &str = "a8b3b284af8eb50b387034a860f146c4919f318763cd6c5598c8ae4811a1e0abc4c7e0b082d693a5e7fced675cf4668512772c0cbc64a742c6c630f533c8cc72f62ae833c40bf25842e984bb78bdbf97c0107d55bdb662f5c4e0fab9845cb5148ef7392dd3aaff93ae1e6b667bb3d4247616d4f5ba10d4cfd226de88d39f16fb";
const D: &str = "53339cfdb79fc8466a655c7316aca85c55fd8f6dd898fdaf119517ef4f52e8fd8e258df93fee180fa0e4ab29693cd83b152a553d4ac4d1812b8b9fa5af0e7f55fe7304df41570926f3311f15c4d65a732c483116ee3d3d2d0af3549ad9bf7cbfb78ad884f84d5beb04724dc7369b31def37d0cf539e9cfcdd3de653729ead5d1";
const P: &str = "d32737e7267ffe1341b2d5c0d150a81b586fb3132bed2f8d5262864a9cb9f30af38be448598d413a172efb802c21acf1c11c520c2f26a471dcad212eac7ca39d";
const Q: &str = "cc8853d1d54da630fac004f471f281c7b8982d8224a490edbeb33d3e3d5cc93c4765703d1dd791642f1f116a0dd852be2419b2af72bfe9a030e860b0288b5d77";
const DP: &str = "0e12bf1718e9cef5599ba1c3882fe8046a90874eefce8f2ccc20e4f2741fb0a33a3848aec9c9305fbecbd2d76819967d4671acc6431e4037968db37878e695c1";
const DQ: &str = "95297b0f95a2fa67d00707d609dfd4fc05c89dafc2ef6d6ea55bec771ea333734d9251e79082ecda866efef13c459e1a631386b7e354c899f5f112ca85d71583";
/// The encryption of example 1.2.
const C: &str = "640db1acc58e0568fe5407e5f9b701dff8c3c91e716c536fc7fcec6cb5b71c1165988d4a279e1577d730fc7a29932e3f00c81515236d8d8e31017a7a09df4352d904cdeb79aa583adcc31ea698a4c05283daba9089be5491f67c1a4ee48dc74bbbe6643aef846679b4cb395a352d5ed115912df696ffe0702932946d71492b44";

fn parse(digits: &str) -> BigUint {
    BigUint::parse_bytes(digits.as_bytes(), 16).unwrap()
}

fn words(number: &BigUint, count: usize) -> Vec<u16> {
    let digits = number.to_u32_digits();
    let words = digits.iter().flat_map(|digit| [*digit as u16, (*digit >> 16) as u16]);
    words.chain(std::iter::repeat(0)).take(count).collect()
}

/// `base^exponent mod modulus` by the simulated program.
fn power(base: &BigUint, exponent: &BigUint, modulus: &BigUint, ladder: Ladder) -> BigUint {
    let count = modulus.bits() as usize / 16;
    let program =
        Exponentiation { words: count, product_levels: 0, square_levels: 0, ladder, integrated: false };
    let kernel = Kernel::new("", program.program().unwrap());
    let workspace = Buffer {
        name: "w",
        length: program.workspace_words() as u32,
        content: None,
        access: Access::Store,
        shares: None,
    };
    let buffers = [
        output("r", count),
        input("b", words(base, count)),
        input("e", words(exponent, count)),
        input("n", words(modulus, count)),
        workspace,
    ];
    number(&content(&kernel.call(&buffers, 1), 0))
}

/// The key's numbers belong together; encryption and decryption, the latter with and without the Chinese remainder
/// theorem, are each other's reverse, and what is decrypted begins with the zero byte of OAEP.
#[test]
fn key_vector() {
    let [n, d, p, q, dp, dq, c] = [N, D, P, Q, DP, DQ, C].map(parse);
    let (one, e) = (BigUint::from(1u32), BigUint::from(65_537u32));
    assert_eq!(&p * &q, n);
    assert_eq!((&dp * &e) % (&p - &one), one);
    assert_eq!((&dq * &e) % (&q - &one), one);
    let sliding = Ladder::Sliding(5);
    let encoded = power(&c, &d, &n, sliding);
    assert_eq!(encoded.bits().div_ceil(8), 127);
    assert_eq!(power(&encoded, &e, &n, sliding), c);
    assert_eq!(power(&c, &d, &n, Ladder::Constant(5)), encoded);
    // Garner's formula
    let m1 = power(&(&c % &p), &dp, &p, Ladder::Constant(4));
    let m2 = power(&(&c % &q), &dq, &q, Ladder::Constant(4));
    let q_inverse = q.modpow(&(&p - BigUint::from(2u32)), &p);
    let h = (q_inverse * ((&m1 + &p) - &m2 % &p)) % &p;
    assert_eq!(m2 + h * q, encoded);
}
