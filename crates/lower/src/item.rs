//! Code whose accesses to memory have no addressing mode yet.

use crate::file::Register;
use rhomb_line::Array;

/// A word of an array, to or from a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Access {
    /// The array.
    pub array: Array,
    /// Which of its words.
    pub index: usize,
    /// The register.
    pub register: Register,
    /// Whether the word goes to memory.
    pub store: bool,
}

/// An instruction, or an access that will become one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Item<I> {
    /// An instruction.
    Code(I),
    /// An access.
    Access(Access),
}

/// The accesses to an array, in order.
pub fn accesses<I>(items: &[Item<I>], array: Array) -> impl DoubleEndedIterator<Item = &Access> {
    items.iter().filter_map(move |item| match item {
        Item::Access(access) if access.array == array => Some(access),
        _ => None,
    })
}
