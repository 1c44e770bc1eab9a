//! The AVR processor.
//!
//! `instructions` is the table of all instructions; `decode` and `encode` turn it into bytes and
//! back, `syntax` into assembler text.

pub mod decode;
pub mod encode;
pub mod instructions;
pub mod syntax;
