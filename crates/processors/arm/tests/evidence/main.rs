//! The model against other people's: results, flags and memory of every instruction form, and routines. Needs the
//! tools that `tests/oracles/setup` installs.
#![cfg(feature = "oracles")]

mod armulator;
#[path = "../support/armulator.rs"]
mod armulator_times;
mod cases;
mod forms;
mod unicorn;
