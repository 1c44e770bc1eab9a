//! MIPS32's decoder, the program that is made of its instructions, and the readers of its assembler text and of
//! files that describe instructions.

use super::{end, shown, words};
use rhomb_machine::{Access, Concrete};
use rhomb_mips::cores::CORES;
use rhomb_mips::instructions::SP;
use rhomb_mips::syntax::{function, instruction, parse, parse_file};
use rhomb_mips::{Machine, Model, Program};
use std::sync::Arc;

/// The first byte chooses the core; the others are words of code.
pub(crate) fn code(bytes: &[u8]) -> String {
    let (choice, code) = bytes.split_first().unwrap_or((&0, &[]));
    run(Model::of(CORES[usize::from(*choice) % CORES.len()]), &words(code))
}

fn run(model: Model, words: &[u32]) -> String {
    let model = Arc::new(model);
    for word in words {
        match model.decode(*word) {
            Ok(one) => {
                assert_eq!(model.encode(&one), Ok(*word));
                assert!(!instruction(&model, &one).contains('\n'));
                let text = function(&model, "f", 0, &[one]);
                let again = parse(&model, 0, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(again.instructions, [one], "{text}");
            }
            Err(error) => drop(shown(error)),
        }
    }
    let strict = Program::strict(Arc::clone(&model), 0, words);
    let program = Arc::new(Program::new(Arc::clone(&model), 0, words));
    let mut machine = Machine::new(program, Concrete::<u32>::new());
    let ram = model.core().ram.start;
    machine.memory.own("all", ram / 4..ram / 4 + 1024, Access::Store).expect("memory that is there");
    machine.set_sp(ram + 2048, 2048);
    for register in (1..31).filter(|register| *register != SP) {
        machine.set_register(register, ram + 64 * u32::from(register));
    }
    machine.set_accumulator([1, 2, 3]);
    machine.enter(0).expect("a stack");
    let end = end(&mut machine);
    match strict {
        Ok(_) => end,
        Err(error) => format!("{}; {end}", shown(error)),
    }
}

/// The first byte chooses the core; the rest is the text.
pub(crate) fn text(bytes: &[u8]) -> String {
    let (choice, text) = bytes.split_first().unwrap_or((&0, &[]));
    let model = Model::of(CORES[usize::from(*choice) % CORES.len()]);
    let text = String::from_utf8_lossy(text);
    let file = parse_file(&model, 0, &text);
    let lines = parse(&model, 0, &text);
    assert!(file.is_err() || file == lines);
    let read = match lines {
        Ok(read) => read,
        Err(error) => return shown(error),
    };
    let text = function(&model, "f", 0, &read.instructions);
    let again = parse(&model, 0, &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.instructions, read.instructions, "{text}");
    format!("{} instructions", read.instructions.len())
}

/// The first byte chooses the core; the rest is a file that describes instructions.
pub(crate) fn extension(bytes: &[u8]) -> String {
    let (choice, text) = bytes.split_first().unwrap_or((&0, &[]));
    let model = Model::of(CORES[usize::from(*choice) % CORES.len()]);
    let with = match model.with(&String::from_utf8_lossy(text)) {
        Ok(with) => with,
        // what was found stands behind, as it was
        Err(error) => return shown(error).split(", found").next().unwrap_or_default().to_owned(),
    };
    // each with fields of zeros, mixed ones, and ones
    let words: Vec<u32> = with.custom()[model.custom().len()..]
        .iter()
        .flat_map(|custom| [0, 0x0123_4567, u32::MAX].map(|fields| custom.row.pattern.filled(fields)))
        .collect();
    let count = words.len() / 3;
    format!("{count} instructions; {}", run(with, &words))
}
