//! What becomes of wrong machine code of whole programs.

use crate::subject::Subject;
use crate::targets::Code;
use rhomb_certificate::{Certificate, sha256};
use rhomb_composition::{Composition, Program};
use rhomb_machine::Random;

/// Bytes from the beginning of the code in which every second mutant is wrong: the program stands before its routines.
const PROGRAM: usize = 600;

/// The certificate with the hash of other code, so that all else in it is looked at.
fn of_code(composition: &Composition, code: &Code) -> Composition {
    fn change(certificate: &mut Certificate, hash: &str) {
        hash.clone_into(&mut certificate.code_sha256);
        certificate.calls.iter_mut().for_each(|own| change(&mut own.certificate, hash));
    }
    let hash = sha256(&code.bytes);
    let mut own = Composition { code_sha256: hash.clone(), ..composition.clone() };
    own.calls.iter_mut().for_each(|own| change(&mut own.certificate, &hash));
    own
}

/// That of so many mutants with one flipped bit none is proved that is not right, nor holds the certificate of the code for one; and that
/// the code itself is proved.
pub(crate) fn are_not_proved(
    name: &str,
    (code, count, seed): (&Code, usize, u64),
    of: impl Fn(&Code) -> Option<Box<dyn Subject>>,
    program: &Program,
    is_right: impl Fn(&dyn Subject) -> bool,
) {
    let right = of(code).unwrap();
    let certificate = right.compose(program).unwrap();
    assert_eq!(of_code(&certificate, code), certificate, "{name}");
    assert_eq!(right.check_composition(&certificate).as_ref(), Ok(program), "{name}");
    let mut random = Random::new(seed);
    let (mut proved, mut held, mut same) = (0, 0, 0);
    for number in 0..count as u64 {
        let mut mutant = code.clone();
        let length = mutant.bytes.len();
        let length = if number % 2 == 0 { length } else { length.min(PROGRAM) };
        let bit = random.bits() as usize % (8 * length);
        mutant.bytes[bit / 8] ^= 1 << (bit % 8);
        let Some(subject) = of(&mutant) else { continue };
        let holds = subject.check_composition(&of_code(&certificate, &mutant)).is_ok();
        held += u32::from(holds);
        if subject.compose(program).is_ok() {
            proved += 1;
            same += u32::from(is_right(&*subject));
        } else {
            // what the checker takes the prover finds
            assert!(!holds, "{name}: bit {bit}");
        }
    }
    println!(
        "{name}: {count} mutants, {proved} proved, {same} of them right; {held} with the same certificate"
    );
    assert_eq!(proved, same, "{name}");
}
