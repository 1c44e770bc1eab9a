//! The model against other people's: results, flags and memory of every instruction form, and routines. Needs the
//! tools that `tests/oracles/setup` installs.
#![cfg(feature = "oracles")]

mod armulator;
mod cases;
mod forms;
mod unicorn;
