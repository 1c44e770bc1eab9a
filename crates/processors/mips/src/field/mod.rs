//! Field operations and curves as programs for MIPS32 with the five custom instructions.
//!
//! J. Grossschaedl, E. Savas, "Instruction Set Extensions for Fast Arithmetic in Finite Fields GF(p) and GF(2^m)", CHES
//! 2004. What the operations are, and the formulas, stands in `rhomb-field`; here they become code.
//!
//! [`prime`] and [`binary`] have the operations in straight lines, put in order by
//! [`schedule`](crate::lower::schedule()). All routines are functions `void f(uint32_t r[6], const uint32_t a[6], const
//! uint32_t b[6])` by o32; results may overwrite operands. They use no register that o32 wants kept, no stack but the
//! 16 bytes of the caller that o32 gives them, and call nothing.

pub mod binary;
mod calls;
pub mod curve_binary;
pub mod curve_prime;
pub mod figures;
pub mod made;
pub mod plain;
pub mod prime;
pub mod rolled;
mod run;
mod sparse;
mod writer;

pub use run::{Run, run};
pub use writer::FieldError;

use crate::model::Model;
use crate::program::Program;
use crate::syntax;
use std::collections::BTreeMap;
use std::sync::Arc;
use writer::Writer;

/// What happens where a sum is rarely too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Correction {
    /// A branch, as published: its time depends on the operands.
    Branch,
    /// An addition of what may be 0, always: the time is the same for all operands.
    Always,
}

/// How the field operations of a whole program are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Arithmetic {
    /// Straight lines in an order that waits little, for the one field.
    Straight,
    /// Loops, and the reduction for the one field in a straight line: as published, "optimized".
    Loops,
    /// Loops with Montgomery's reduction, for any field of that size: as published, "generic".
    Generic,
}

/// A multiplication or squaring that calls one without reduction and then `reduce`.
fn with_reduction(name: &str, product: &str) -> String {
    format!(
        "{name}:
        addiu $sp, $sp, -72
        sw $a0, 64($sp)
        sw $ra, 68($sp)
        jal {product}
        addiu $a0, $sp, 16
        lw $a0, 64($sp)
        jal reduce
        addiu $a1, $sp, 16
        lw $ra, 68($sp)
        nop
        jr $ra
        addiu $sp, $sp, 72\n"
    )
}

/// Routines in one program, each found by its name.
#[derive(Clone, Debug)]
pub struct Library {
    /// The code.
    pub program: Arc<Program>,
    /// Byte addresses of all labels.
    pub labels: BTreeMap<String, u32>,
}

impl Library {
    /// The program of a text, at a byte address.
    ///
    /// # Errors
    /// Text that the assembler does not take.
    pub fn new(model: &Arc<Model>, origin: u32, text: &str) -> Result<Library, FieldError> {
        let parsed = syntax::parse(model, origin, text)?;
        let program = Program::assemble(Arc::clone(model), origin, &parsed.instructions)?;
        Ok(Library { program: Arc::new(program), labels: parsed.labels })
    }

    /// The byte address of a routine.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn entry(&self, name: &str) -> Result<u32, FieldError> {
        self.labels.get(name).copied().ok_or_else(|| FieldError::NoRoutine(name.to_owned()))
    }
}
