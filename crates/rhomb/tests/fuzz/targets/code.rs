//! The decoder, and the program that is made of its instructions.

use super::end;
use rhomb_avr::cores::CORES;
use rhomb_avr::decode::decode;
use rhomb_avr::encode::encode;
use rhomb_avr::layout::Layout;
use rhomb_avr::syntax::gnu;
use rhomb_avr::{Machine, Program};
use rhomb_machine::{Access, Concrete, Memory};
use std::sync::Arc;

/// The first byte chooses the core; the others are words of code.
pub(crate) fn run(bytes: &[u8]) -> String {
    let (choice, code) = bytes.split_first().unwrap_or((&0, &[]));
    let core = CORES[usize::from(*choice) % CORES.len()];
    let words: Vec<u16> = code.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    let mut instructions = Vec::new();
    let mut at = 0;
    while at < words.len() {
        match decode(&words[at..]) {
            Ok((instruction, length)) => {
                assert!((1..=2).contains(&length) && at + length <= words.len());
                let (first, second) = encode(&instruction).expect("what was decoded");
                let again: Vec<u16> = [first].into_iter().chain(second).collect();
                assert_eq!(decode(&again), Ok((instruction, length)));
                assert!(!gnu::instruction(&instruction).contains('\n'));
                instructions.push(instruction);
                at += length;
            }
            Err(error) => {
                assert!(!error.to_string().contains('\n'));
                at += 1;
            }
        }
    }
    let layout = Layout::of(&instructions, Some(1));
    assert!(layout.body.start <= layout.body.end && layout.body.end <= instructions.len());
    let strict = Program::strict(core, 0, &words);
    let program = Arc::new(Program::new(core, 0, &words));
    let mut machine = Machine::new(program, Concrete::<u8>::new());
    machine.memory = Memory::new(core.sram.clone(), 0);
    let everything = core.sram.start..core.sram.end;
    machine.memory.own("all", everything, Access::Store).expect("memory that is there");
    machine.enter(0).expect("a stack");
    let end = end(&mut machine);
    match strict {
        Ok(_) => end,
        Err(error) => format!("{error}; {end}"),
    }
}
