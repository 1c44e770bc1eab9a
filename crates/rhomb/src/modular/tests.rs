//! Exponentiations: what becomes of wrong machine code.

use super::*;
use crate::mutants;
use crate::targets;

#[test]
fn mutants_of_exponentiations_are_not_proved() {
    for (name, bits, public, count) in
        [("rv32im", 64, false, 60), ("cortex-m4", 128, true, 20), ("atmega328p", 32, false, 20)]
    {
        let target = targets::find(name).unwrap();
        let operation = ModularOperation::Exponentiate;
        let task = ModularTask {
            operation,
            bits,
            method: if public { rhomb_targets::modular::PUBLIC } else { "fixed-window" },
            levels: None,
            square_levels: None,
            window: (!public).then_some(2),
            public: None,
            block: None,
        };
        let convention = target.description().conventions()[0].name;
        let program = made(target, &task, convention).unwrap();
        let word_bits = target.description().word_bits;
        let is_right = |subject: &dyn crate::subject::Subject| {
            let call = |number| {
                let operands = evidence::operands(number, &program, word_bits);
                evidence::call(subject, operation, &program, word_bits, (operands, number as u32))
            };
            (0..40).all(|number| call(number).is_ok())
        };
        let of = |code: &targets::Code| target.subject_within(code, convention, 1 << 17).ok();
        let is_proved = |subject: &dyn crate::subject::Subject| {
            subject.is_exponentiation(program.words, program.exponent).is_ok()
        };
        let count = rhomb_oracles::sample(count, 1000);
        let seed = program.code.bytes.len() as u64;
        mutants::are_not_proved(name, (&program.code, count, seed), of, is_proved, is_right);
    }
}
