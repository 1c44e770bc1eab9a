//! Exponentiations: what becomes of wrong machine code.

use super::*;
use crate::mutants;
use crate::programs::Maker;
use crate::subject::Subject;
use crate::targets;
use rhomb_field::program::{Argument, Called, Exponent, Exponentiation, Routine, Step, exponentiation};
use rhomb_targets::modular::PUBLIC;

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
            method: if public { PUBLIC } else { "fixed-window" },
            levels: None,
            square_levels: None,
            window: (!public).then_some(2),
            public: None,
            block: None,
        };
        let convention = target.description().conventions()[0].name;
        let program = made(target, &task, convention).unwrap();
        let word_bits = target.description().word_bits;
        let is_right = |subject: &dyn Subject| {
            let call = |number| {
                let operands = evidence::operands(number, &program, word_bits);
                evidence::call(subject, operation, &program, word_bits, (operands, number as u32))
            };
            (0..40).all(|number| call(number).is_ok())
        };
        let of = |code: &targets::Code| target.subject_within(code, convention, 1 << 17).ok();
        let is_proved =
            |subject: &dyn Subject| subject.is_exponentiation(program.words, program.exponent).is_ok();
        let count = rhomb_oracles::sample(count, 1000);
        let seed = program.code.bytes.len() as u64;
        mutants::are_not_proved(name, (&program.code, count, seed), of, is_proved, is_right);
    }
}

/// A program with each step left out, and each loop once more and once less.
fn changed(steps: &[Step]) -> Vec<Vec<Step>> {
    let mut all = Vec::new();
    for (at, step) in steps.iter().enumerate() {
        let with = |own: Option<Step>| [&steps[..at], own.as_slice(), &steps[at + 1..]].concat();
        all.push(with(None));
        let Step::Repeat { times, steps } = step else { continue };
        let repeat = |times: u32, steps: &[Step]| with(Some(Step::Repeat { times, steps: steps.to_vec() }));
        all.extend(
            [times + 1, times - 1].into_iter().filter(|times| *times > 0).map(|own| repeat(own, steps)),
        );
        all.extend(changed(steps).iter().filter(|own| !own.is_empty()).map(|own| repeat(*times, own)));
    }
    all
}

#[test]
fn exponentiations_with_a_call_left_out_are_not_proved() {
    let target = targets::find("rv32im").unwrap();
    let convention = target.description().conventions()[0].name;
    let argument = Argument { words: 2, bits: 32, division: None, product: None };
    let mut maker = Maker::whole(target, convention);
    for (exponent, number) in [(Exponent::Argument { window: 2 }, None), (Exponent::Public(11), Some(11))] {
        let called = exponentiation(&Exponentiation { argument, exponent }).unwrap();
        let mut is_proved = |steps: Vec<Step>, number| {
            let mut own: Called = called.clone();
            own.program.steps = steps;
            let code = maker.routine(&Routine::Called(Box::new(own))).unwrap();
            target.subject(&code, convention).unwrap().is_exponentiation(2, number).is_ok()
        };
        let steps = &called.program.steps;
        assert!(is_proved(steps.clone(), number));
        // of another exponent
        assert!(!is_proved(steps.clone(), Some(13)));
        assert!(number.is_none() || !is_proved(steps.clone(), None));
        let all = changed(steps);
        assert!(all.len() > 15, "{}", all.len());
        for (at, own) in all.into_iter().enumerate() {
            assert!(!is_proved(own.clone(), number), "{at}: {own:?}");
        }
    }
}
