//! What becomes of wrong machine code of whole programs.

use crate::subject::Subject;
use crate::targets::Code;
use rhomb_machine::Random;

/// Bytes from the beginning of the code in which every second mutant is wrong: the program stands before its routines.
const PROGRAM: usize = 600;

/// That of so many mutants with one flipped bit none is proved that is not right, and that the code itself is proved.
pub(crate) fn are_not_proved(
    name: &str,
    (code, count, seed): (&Code, usize, u64),
    of: impl Fn(&Code) -> Option<Box<dyn Subject>>,
    is_proved: impl Fn(&dyn Subject) -> bool,
    is_right: impl Fn(&dyn Subject) -> bool,
) {
    assert_eq!(of(code).map(|subject| is_proved(&*subject)), Some(true), "{name}");
    let mut random = Random::new(seed);
    let (mut proved, mut same) = (0, 0);
    for number in 0..count as u64 {
        let mut mutant = code.clone();
        let length = mutant.bytes.len();
        let length = if number % 2 == 0 { length } else { length.min(PROGRAM) };
        let bit = random.bits() as usize % (8 * length);
        mutant.bytes[bit / 8] ^= 1 << (bit % 8);
        let Some(subject) = of(&mutant) else { continue };
        if is_proved(&*subject) {
            proved += 1;
            same += u32::from(is_right(&*subject));
        }
    }
    println!("{name}: {count} mutants, {proved} proved, {same} of them right");
    assert_eq!(proved, same, "{name}");
}
