//! Assembler text, one file a dialect.

pub mod gnu;
