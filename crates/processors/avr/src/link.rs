//! What the linker fills into AVR code; all else is shared ([`rhomb_object::link()`]).
//!
//! Source of the relocations' numbers and meanings: GNU binutils, `include/elf/avr.h` and
//! `bfd/elf32-avr.c` (`avr_final_link_relocate`).

mod constants;
mod field;
pub mod flags;
mod writes;

use rhomb_object::{Code, Kind, ObjectFile};
pub use rhomb_object::{LinkError, Linked};

/// The function with its section and all sections that it needs: see [`rhomb_object::link()`].
///
/// # Errors
/// [`LinkError`].
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    let mut linked = rhomb_object::link::<field::Field>(file, code)?;
    if code.kind == Kind::Executable {
        linked.notes = constants::add(file, &mut linked);
    }
    Ok(linked)
}
