//! The model against other people's: results, flags, memory and cycles of every instruction, and the
//! assembler text of every opcode. Needs the tools that `tests/oracles/setup` installs.
#![cfg(feature = "oracles")]

mod avr8js;
mod cases;
mod gnu_as;
mod simavr;
