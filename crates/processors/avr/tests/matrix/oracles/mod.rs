//! The same kernels with other people's tools, which `tests/oracles/setup` installs.

mod assembled;
mod avr8js;
mod call;
mod simavr;
mod tasks;
