//! Divisions modulo a number that is an argument: proved for every odd one, on words of 8 and 32 bits.

use rhomb_certificate::{Contract, check};
use rhomb_field::reduce::{Workspace, by_argument};
use rhomb_machine::Routine;
use rhomb_prove::{prove, refute};
use std::sync::Arc;

/// The contract where R - n and -1/n stand so many words further on than they do.
fn contract(words: usize, bits: u32, [later, last]: [usize; 2]) -> Contract {
    let Workspace { complement, inverse, words: length } = Workspace::of(words);
    let size = bits as usize * words;
    let (complement, inverse, length) = (complement + later, inverse + later + last, length + later + last);
    let text = format!("montreduce any {size} workspace {length} complement {complement} inverse {inverse}");
    text.parse().unwrap()
}

/// It is proved, and with other places of what belongs to the modulus it is not, and wrong.
fn check_places<R: Routine>(routine: &R, words: usize, bits: u32) {
    let own = contract(words, bits, [0, 0]);
    let certificate = prove(routine, &own).unwrap_or_else(|error| panic!("{own}: {error}"));
    assert_eq!(check(routine, &certificate), Ok(own));
    // what cannot be proved takes long
    for places in [[1, 0], [0, 1]].into_iter().filter(|_| words <= 2) {
        let other = contract(words, bits, places);
        assert!(prove(routine, &other).is_err(), "{other}");
        assert!(refute(routine, &other, 1_000_000).found.is_some(), "{other}");
    }
}

#[test]
fn every_odd_modulus_on_arm() {
    use rhomb_arm::{Function, Program, conventions::AAPCS, cores::core, lower::line};
    let core = core("arm7tdmi").unwrap();
    for (words, own) in [1, 2, 3, 5]
        .into_iter()
        .flat_map(|words| by_argument(words, 32).into_iter().map(move |own| (words, own)))
    {
        let kernel = line(&own, None, core, &AAPCS).unwrap();
        let program = Arc::new(Program::assemble(core, 0x8000, &kernel.program).unwrap());
        let (stack_limit, step_limit) = (kernel.stack_bytes, 1 << 20);
        check_places(
            &Function { program, entry: 0x8000, convention: &AAPCS, stack_limit, step_limit },
            words,
            32,
        );
    }
}

#[test]
fn every_odd_modulus_on_avr() {
    use rhomb_avr::{Function, Program, conventions::AVR_GCC, cores::core, lower::line};
    let core = core("atmega128").unwrap();
    for (words, own) in
        [1, 2, 5].into_iter().flat_map(|words| by_argument(words, 8).into_iter().map(move |own| (words, own)))
    {
        let Ok(kernel) = line(&own, core, &AVR_GCC) else { continue };
        let program = Arc::new(Program::assemble(core, 0, &kernel.program).unwrap());
        let (stack_limit, step_limit) = (core.sram.len() as u32, 1 << 20);
        check_places(
            &Function { program, entry: 0, convention: &AVR_GCC, stack_limit, step_limit },
            words,
            8,
        );
    }
}
