//! ARM's decoder, the program that is made of its instructions, and the readers of its assembler text.

use super::{end, shown, words};
use rhomb_arm::cores::CORES;
use rhomb_arm::decode::decode;
use rhomb_arm::encode::encode;
use rhomb_arm::instructions::SP;
use rhomb_arm::layout::Layout;
use rhomb_arm::syntax::{DIALECTS, function, gnu, parse};
use rhomb_arm::{Machine, Program};
use rhomb_machine::{Access, Concrete};
use std::sync::Arc;

/// The first byte chooses the core; the others are words of code.
pub(crate) fn code(bytes: &[u8]) -> String {
    let (choice, code) = bytes.split_first().unwrap_or((&0, &[]));
    let cores: Vec<_> = CORES.iter().filter(|core| core.thumb.is_none()).collect();
    let core = *cores[usize::from(*choice) % cores.len()];
    let words = words(code);
    let mut instructions = Vec::new();
    for word in &words {
        match decode(*word) {
            Ok(instruction) => {
                assert_eq!(encode(&instruction), Ok(*word));
                let text = gnu::instruction(&instruction).expect("what was decoded");
                assert!(!text.contains('\n'));
                let again = parse(&gnu::GNU, 0, &text).expect("what was written");
                assert_eq!(again.instructions, [instruction], "{text}");
                instructions.push(instruction);
            }
            Err(error) => drop(shown(error)),
        }
    }
    let layout = Layout::of(&instructions, 0x4ff0);
    assert!(layout.body.start <= layout.body.end && layout.body.end <= instructions.len());
    let halves = rhomb_arm::halves(&words);
    let strict = Program::strict(core, 0, &halves);
    let program = Arc::new(Program::new(core, 0, &halves));
    let mut machine = Machine::new(program, Concrete::<u32>::new());
    let first = core.ram.start / 4;
    machine.memory.own("all", first..first + 1024, Access::Store).expect("memory that is there");
    machine.set_sp(core.ram.start + 2048, 0);
    for register in (0..16).filter(|register| *register < SP) {
        machine.set_register(register, core.ram.start + 64 * u32::from(register));
    }
    machine.enter(0).expect("a stack");
    let end = end(&mut machine);
    match strict {
        Ok(_) => end,
        Err(error) => format!("{}; {end}", shown(error)),
    }
}

/// The first byte chooses the dialect; the rest is the text.
pub(crate) fn text(bytes: &[u8]) -> String {
    let (choice, text) = bytes.split_first().unwrap_or((&0, &[]));
    let dialect = DIALECTS[usize::from(*choice) % DIALECTS.len()];
    let read = match parse(dialect, 0, &String::from_utf8_lossy(text)) {
        Ok(read) => read,
        Err(error) => return shown(error),
    };
    match function(dialect, "f", 0, &read.instructions) {
        Ok(text) => {
            let again = parse(dialect, 0, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again.instructions, read.instructions, "{text}");
            format!("{} instructions", read.instructions.len())
        }
        Err(error) => shown(error),
    }
}
