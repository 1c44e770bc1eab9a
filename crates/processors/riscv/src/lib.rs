//! The RISC-V processor of 32 bits: RV32IM, compressed instructions, bit manipulation and carry-less products.
//!
//! `instructions` is the table of all instructions and `compressed` that of their short forms; `decode` and `encode` turn
//! them into halfwords and back.

pub mod compressed;
pub mod decode;
pub mod encode;
pub mod instructions;
mod pattern;
