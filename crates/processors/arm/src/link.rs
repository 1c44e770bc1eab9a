//! What the linker fills into ARM code; all else is shared ([`rhomb_object::link()`]).
//!
//! Source of the relocations' numbers and meanings: "ELF for the Arm Architecture", Arm IHI 0044, 4.6.1 (codes)
//! and 4.6.1.1 (where the addend stands). Constants are laid out like code: a literal pool, or a table in
//! `.rodata`, is part of the image and read as data.

mod field;
pub mod flags;

use rhomb_object::{Code, Kind, ObjectFile, shown};
pub use rhomb_object::{LinkError, Linked};

/// The function with its section and all sections that it needs: see [`rhomb_object::link()`]. It must be one of Thumb state, or
/// of ARM state.
///
/// # Errors
/// [`LinkError`].
pub fn link(file: &ObjectFile<'_>, code: &Code<'_>, thumb: bool) -> Result<Linked, LinkError> {
    if thumb {
        if !code.thumb {
            return Err(LinkError::Arm { function: shown(code.name) });
        }
        let open = file.kind() == Kind::Relocatable;
        if open && code.section.alignment < 4 && field::has_literals(code.section) {
            let (section, alignment) = (shown(&code.section.name), code.section.alignment);
            return Err(LinkError::Alignment { function: shown(code.name), section, alignment });
        }
        return rhomb_object::link::<field::Filling<true>>(file, code);
    }
    if code.little_endian && (code.thumb || code.section.has_thumb(code.offset..code.offset + code.size)) {
        return Err(LinkError::Thumb { function: shown(code.name) });
    }
    rhomb_object::link::<field::Filling<false>>(file, code)
}
