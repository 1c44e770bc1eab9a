//! The ARM processor, ARM state of architecture version 4T.
//!
//! `instructions` names all instructions.

pub mod instructions;
