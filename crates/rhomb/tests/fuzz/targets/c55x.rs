//! The C55x's reader of assembler text, and the program that is made of its lines.

use super::{end, shown};
use rhomb_c55x::cores::CORES;
use rhomb_c55x::syntax::{function, parse, parse_file};
use rhomb_c55x::{Machine, Program};
use rhomb_machine::{Access, Concrete, Memory};
use std::sync::Arc;

/// The input is the text.
pub(crate) fn text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let (file, lines) = (parse_file(&text), parse(&text));
    assert!(file.is_err() || file == lines);
    let read = match lines {
        Ok(read) => read,
        Err(error) => return shown(error),
    };
    let text = function("f", &read.lines);
    let again = parse_file(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again.lines, read.lines, "{text}");
    let program = match Program::new(CORES[0], 0, read.lines) {
        Ok(program) => Arc::new(program),
        Err(error) => return shown(error),
    };
    let mut machine = Machine::new(program, Concrete::<u16>::new());
    machine.memory = Memory::new(0..0x1_0000, 0);
    machine.memory.own("all", 0x2000..0x3000, Access::Store).expect("memory that is there");
    for pointer in 0..9 {
        machine.set_pointer(pointer, 0x2000 + 64 * u16::from(pointer));
    }
    for accumulator in 0..4 {
        machine.set_ac(accumulator, [1, 2, 3]);
    }
    machine.set_stack(0x4000..0x4200, 0x4100).expect("memory that is there");
    machine.enter(0).expect("a stack");
    end(&mut machine)
}
