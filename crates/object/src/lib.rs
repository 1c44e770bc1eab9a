//! Finds the machine code of a function in an ELF file, and the lines of the source it comes from.
//!
//! The file is given as bytes; this crate does no input or output. Whatever the bytes are, the
//! answer is code or an [`ObjectError`], never a panic. What cannot be read in full is an error and
//! not an empty answer: a call whose relocation was lost would look like a call to somewhere else.
//!
//! ```
//! # let bytes = include_bytes!("../tests/data/sample.o");
//! let file = rhomb_object::ObjectFile::parse(bytes)?;
//! let code = file.function("add16")?;
//! assert_eq!(code.machine, rhomb_object::Machine::AVR);
//! assert_eq!(code.words()?, [0x0f86, 0x1f97, 0x9508]);
//! # Ok::<(), rhomb_object::ObjectError>(())
//! ```
//!
//! Source of the format: System V ABI, chapter 4 (object files).

mod code;
mod error;
mod file;
mod lines;
mod link;
mod machine;
mod memory;
mod parts;
mod read;

pub use code::{Code, Content, Relocation, Section, Target};
pub use error::{Choices, Kind, ObjectError, Open, shown};
pub use file::{FunctionSymbol, ObjectFile};
pub use lines::{Lines, SourceLine};
pub use link::{DataMemory, LinkError, Linked, Patch, Reference, link, start_of_words};
pub use machine::Machine;
pub use memory::Memory;
pub use read::is_no_code;
