//! X25519: from a scalar and a u-coordinate to the shared secret.

use super::{Example, Scheme, Text};
use crate::targets::Description;
use rhomb_composition::Program;
use rhomb_field::program::{Called, x25519};
use rhomb_field::specification::x25519_of_bytes;
use rhomb_machine::Random;

pub(super) const NAME: &str = "x25519";
pub(super) const NOUN: &str = "Diffie-Hellman function X25519";
pub(super) const SUMMARY: &str =
    "r = X25519(k, u): the shared secret of a scalar and a u-coordinate, RFC 7748";

/// Bytes of the strings.
pub(super) const BYTES: usize = 32;

/// The ladder of the standard.
pub(super) const METHODS: [&str; 1] = ["montgomery-ladder"];

pub(super) struct X25519;

impl Scheme for X25519 {
    fn operation(&self) -> &'static str {
        NAME
    }
    fn methods(&self) -> &'static [&'static str] {
        &METHODS
    }
    fn result(&self) -> Option<Text> {
        Some(Text { name: "r", bytes: BYTES })
    }
    fn operands(&self) -> Vec<Text> {
        ["k", "u"].map(|name| Text { name, bytes: BYTES }).to_vec()
    }
    fn rules(&self, order: String) -> Vec<String> {
        vec![
            "r = X25519(k, u): RFC 7748, section 5. Any k and u are taken: bits of k are cleared and set and the".to_owned(),
            "highest bit of u is masked as it says there; r is below 2^255 - 19.".to_owned(),
            "r is 0 where u is of low order: who needs a secret from both sides compares it with 0.".to_owned(),
            format!("r, k and u are strings of {BYTES} bytes as in RFC 7748, the lowest byte first: arrays"),
            format!("{order}."),
            "r must not overlap k or u.".to_owned(),
            "Secrets stay on the stack after the return: it is not wiped.".to_owned(),
        ]
    }
    fn programs(&self, _: &str, core: &Description) -> Vec<Called> {
        let all = [true, false].into_iter();
        all.filter_map(|is_paired| x25519(core.word_bits, core.has_carry, is_paired)).collect()
    }
    fn example(&self, number: u64) -> Example {
        let [k, u] = strings(number);
        let result = Some(x25519_of_bytes(&k, &u).to_vec());
        Example { operands: [k, u].map(Vec::from).to_vec(), result, returned: None }
    }
    fn proved_as(&self) -> Option<Program> {
        Some(Program::X25519)
    }
}

/// Scalar and u of a call: of the first ones any, and what reaches the ends of the field.
fn strings(call: u64) -> [[u8; BYTES]; 2] {
    let mut random = Random::new(call);
    let mut any = || [(); BYTES].map(|()| random.byte());
    let (mut k, mut u) = (any(), any());
    let small = |number: u8| std::array::from_fn(|at| if at == 0 { number } else { 0 });
    // 2^255 - 19, and so many more
    let near = |more: i16| {
        let low = 0xed + more;
        std::array::from_fn(|at| match at {
            0 => low as u8,
            31 => 0x7f,
            _ => 0xff,
        })
    };
    match call {
        1 => (k, u) = ([0xff; BYTES], [0xff; BYTES]),
        2 => (k, u) = ([0; BYTES], near(-1)),
        3 => u = near(0),
        4 => u = near(1),
        5 => u = small(0),
        6 => u = small(1),
        7 => u = small(9),
        8 => u = near(0x12),
        9 => k = small(1),
        _ => {}
    }
    [k, u]
}
