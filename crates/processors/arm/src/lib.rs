//! The ARM processor, ARM state of architecture version 4T.
//!
//! `instructions` names all instructions; `lower` makes routines of them.

pub mod instructions;
pub mod lower;
