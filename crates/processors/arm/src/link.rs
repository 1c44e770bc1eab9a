//! What the linker fills into ARM code; all else is shared ([`rhomb_object::link()`]).
//!
//! Source of the relocations' numbers and meanings: "ELF for the Arm Architecture", Arm IHI 0044, 4.6.1 (codes)
//! and 4.6.1.1 (where the addend stands). Constants are laid out like code: a literal pool, or a table in
//! `.rodata`, is part of the image and read as data.

mod field;
pub mod flags;

use rhomb_object::{Code, ObjectFile, shown};
pub use rhomb_object::{LinkError, Linked};

/// The function with its section and all sections that it needs: see [`rhomb_object::link()`].
///
/// # Errors
/// [`LinkError`].
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>) -> Result<Linked, LinkError> {
    if code.little_endian && (code.thumb || code.section.has_thumb(code.offset..code.offset + code.size)) {
        return Err(LinkError::Thumb { function: shown(code.name) });
    }
    rhomb_object::link::<field::Field>(file, code)
}
