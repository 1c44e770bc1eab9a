//! Symbols, and what tells the lines of the source, as they stand in a file.

use crate::{Open, Target};
use std::borrow::Cow;

/// A named symbol.
#[derive(Clone, Debug)]
pub(crate) struct Symbol<'data> {
    pub(crate) name: Cow<'data, str>,
    pub(crate) place: Definition,
    /// Size in bytes, 0 when unknown.
    pub(crate) size: u64,
    pub(crate) global: bool,
    pub(crate) thumb: bool,
    pub(crate) open: Option<Open>,
    pub(crate) role: Role,
}

/// Where a symbol is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Definition {
    /// In the code section with this position in the list of them. The offset may lie
    /// outside: it is as the file says.
    Code { slot: usize, offset: i128 },
    /// In the section of constants with this position in the same list.
    Constant { slot: usize, offset: i128 },
    /// In the section of this number, if any, which is not read.
    Data { section: Option<usize>, offset: u64 },
    /// In another file.
    Elsewhere,
}

/// What kind of symbol it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Role {
    Function,
    Untyped,
    /// A table between functions, for example.
    Object,
}

impl Symbol<'_> {
    /// Whether it can be asked for as a function.
    pub(crate) fn is_code(&self) -> bool {
        matches!(self.place, Definition::Code { .. }) && self.role != Role::Object
    }

    /// Whether it is named among the file's functions: not a label inside one.
    pub(crate) fn listed(&self) -> bool {
        self.is_code() && (self.role == Role::Function || self.global)
    }

    /// Whether whatever precedes it ends here.
    pub(crate) fn is_start(&self) -> bool {
        self.role != Role::Untyped || self.global
    }
}

/// The parts of a file that tell lines, as they stand there.
#[derive(Clone, Debug, Default)]
pub(crate) struct Debug<'data> {
    /// `.debug_line`.
    pub(crate) line: &'data [u8],
    /// `.debug_line_str`.
    pub(crate) line_strings: &'data [u8],
    /// `.debug_str`.
    pub(crate) strings: &'data [u8],
    /// Those of `.debug_line`.
    pub(crate) relocations: Vec<Filling>,
}

/// A place in `.debug_line` that a linker fills in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Filling {
    pub(crate) offset: u64,
    pub(crate) kind: u32,
    pub(crate) target: Target,
    /// `None` where it stands in the place itself.
    pub(crate) addend: Option<i64>,
}
