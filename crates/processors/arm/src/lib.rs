//! The ARM processor, ARM state of architecture version 4T.
//!
//! `instructions` names all instructions; `decode` and `encode` turn them into words and back, `uses` tells
//! which registers and flags each one reads and writes, `lower` makes routines of them.

pub mod decode;
pub mod encode;
pub mod instructions;
pub mod lower;
pub mod unpredictable;
pub mod uses;
