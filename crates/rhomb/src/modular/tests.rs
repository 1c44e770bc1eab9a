//! Exponentiations and RSA: what becomes of wrong machine code.

use super::*;
use crate::mutants;
use crate::programs::Maker;
use crate::subject::Subject;
use crate::targets;
use rhomb_composition::Program;
use rhomb_field::program::{
    Argument, Called, Exponent, Exponentiation, KEY, Place, Routine, Step, exponentiation, rsa_private,
};
use rhomb_targets::modular::PUBLIC;

#[test]
fn mutants_are_not_proved() {
    let [power, private] = [ModularOperation::Exponentiate, ModularOperation::Private];
    for (name, operation, bits, method, count) in [
        ("rv32im", power, 64, "fixed-window", 30),
        ("cortex-m4", power, 128, PUBLIC, 10),
        ("atmega328p", power, 32, "fixed-window", 10),
        ("rv32im", private, 128, "remainders", 20),
        ("atmega328p", private, 32, "remainders", 10),
    ] {
        let target = targets::find(name).unwrap();
        let task = ModularTask {
            operation,
            bits,
            method,
            levels: None,
            square_levels: None,
            window: (method != PUBLIC).then_some(2),
            public: None,
            block: None,
        };
        let convention = target.description().conventions()[0].name;
        let program = made(target, &task, convention).unwrap();
        let word_bits = target.description().word_bits;
        let is_right = |subject: &dyn Subject| {
            let call = |number| {
                let operands = evidence::operands(operation, number, &program, word_bits);
                evidence::call(subject, operation, &program, word_bits, (operands, number as u32))
            };
            (0..40).all(|number| call(number).is_ok())
        };
        let of = |code: &targets::Code| target.subject_within(code, convention, 1 << 17).ok();
        let count = rhomb_oracles::sample(count / 4, 1000);
        let seed = program.code.bytes.len() as u64;
        let own = plan::proved_as(operation, &program, word_bits).unwrap();
        mutants::are_not_proved(name, (&program.code, count, seed), of, &own, is_right);
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

/// That machine code of a program is proved, and of no other with a step more or less.
fn is_proved_as_it_is(called: &Called, is_proved: impl Fn(&dyn Subject) -> bool) {
    let target = targets::find("rv32im").unwrap();
    let convention = target.description().conventions()[0].name;
    let mut maker = Maker::whole(target, convention);
    let mut of = |steps: Vec<Step>| {
        let mut own: Called = called.clone();
        own.program.steps = steps;
        let code = maker.routine(&Routine::Called(Box::new(own))).unwrap();
        is_proved(&*target.subject(&code, convention).unwrap())
    };
    let steps = &called.program.steps;
    assert!(of(steps.clone()));
    let all = changed(steps);
    assert!(all.len() > 15, "{}", all.len());
    for (at, own) in all.into_iter().enumerate().step_by(rhomb_oracles::sample(5, 1)) {
        assert!(!of(own.clone()), "{at}: {own:?}");
    }
}

/// Numbers of two words, divided in a straight line.
const ARGUMENT: Argument = Argument { words: 2, bits: 32, division: None, product: None };

#[test]
fn exponentiations_with_a_call_left_out_are_not_proved() {
    for (exponent, number) in [(Exponent::Argument { window: 2 }, None), (Exponent::Public(11), Some(11))] {
        let task = Exponentiation { argument: ARGUMENT, is_double: false, exponent };
        let is_power = |subject: &dyn Subject, exponent| {
            subject.compose(&Program::Exponentiation { bits: 64, exponent }).is_ok()
        };
        is_proved_as_it_is(&exponentiation(&task).unwrap(), |subject| {
            // of no other exponent
            assert!(!is_power(subject, Some(13)) && (number.is_none() || !is_power(subject, None)));
            is_power(subject, number)
        });
    }
}

/// The steps with, in turn, the next number of a key in place of each that a call takes.
fn with_other_numbers(steps: &[Step]) -> Vec<Vec<Step>> {
    let numbers: Vec<Place> = (0..KEY.len()).map(|at| Place::Operand(1).moved(at * ARGUMENT.words)).collect();
    let mut all = Vec::new();
    for at in 0..steps.len() {
        let Step::Call { operands, .. } = &steps[at] else { continue };
        for (operand, place) in operands.iter().enumerate() {
            let Some(number) = numbers.iter().position(|own| own == place) else { continue };
            let mut own = steps.to_vec();
            let Step::Call { operands, .. } = &mut own[at] else { continue };
            operands[operand] = numbers[(number + 1) % numbers.len()];
            all.push(own);
        }
    }
    all
}

#[test]
fn private_keys_with_a_call_left_out_are_not_proved() {
    let called = rsa_private(ARGUMENT, 2).unwrap();
    let program = Program::PrivateRsa { bits: 128 };
    is_proved_as_it_is(&called, |subject| subject.compose(&program).is_ok());
    let target = targets::find("rv32im").unwrap();
    let convention = target.description().conventions()[0].name;
    let mut maker = Maker::whole(target, convention);
    let mut is_proved = |called: Called| {
        let code = maker.routine(&Routine::Called(Box::new(called))).unwrap();
        target.subject(&code, convention).unwrap().compose(&program).is_ok()
    };
    // nor where a step takes another number of the key
    let others = with_other_numbers(&called.program.steps);
    assert!(others.len() > 10, "{}", others.len());
    for (at, steps) in others.into_iter().enumerate().step_by(rhomb_oracles::sample(5, 1)) {
        let mut own = called.clone();
        own.program.steps = steps;
        assert!(!is_proved(own), "{at}");
    }
    // nor with a step of what it calls left out
    let calls = called.routines.iter().position(|own| matches!(own, Routine::Called(_))).unwrap();
    let Routine::Called(power) = &called.routines[calls] else { panic!() };
    let left_out = changed(&power.program.steps).into_iter().enumerate();
    for (at, steps) in left_out.step_by(rhomb_oracles::sample(7, 1)) {
        let mut own = called.clone();
        let Routine::Called(power) = &mut own.routines[calls] else { panic!() };
        power.program.steps = steps;
        assert!(!is_proved(own), "{at}");
    }
}
