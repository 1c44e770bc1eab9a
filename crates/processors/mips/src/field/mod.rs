//! Field operations and curves as programs for MIPS32 with the five custom instructions.
//!
//! J. Grossschaedl, E. Savas, "Instruction Set Extensions for Fast Arithmetic in Finite Fields GF(p) and GF(2^m)", CHES
//! 2004. What the operations are, and the formulas, stands in `rhomb-field`; here they become code.
//!
//! [`prime`] and [`binary`] have the operations in straight lines, put in order by
//! [`schedule`](crate::lower::schedule()). All routines are functions `void f(uint32_t r[6], const uint32_t a[6], const
//! uint32_t b[6])` by o32; results may overwrite operands. They use no register that o32 wants kept, no stack but the
//! 16 bytes of the caller that o32 gives them, and call nothing. [`scalar`] has the routines of scalar multiplications.

pub mod binary;
pub mod figures;
pub mod made;
pub mod plain;
pub mod prime;
pub mod rolled;
pub mod scalar;
mod sparse;
mod writer;

pub use writer::FieldError;

use writer::Writer;

/// What happens where a sum is rarely too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// A branch, as published: its time depends on the operands.
    Branch,
    /// An addition of what may be 0, always: the time is the same for all operands.
    Always,
}
