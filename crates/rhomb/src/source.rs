//! The lines of the source that machine code of an object file comes from.

use crate::targets::ObjectCode;
use rhomb_object::{Lines, ObjectFile};
use std::ops::Range;

/// The lines of one function and of what it needs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Source {
    lines: Lines,
    origin: u64,
    sections: Vec<(Range<usize>, usize)>,
}

impl Source {
    /// Those that the file tells.
    pub(crate) fn of(file: &ObjectFile<'_>, object: &ObjectCode) -> Source {
        let origin = object.code.origin.into();
        Source { lines: file.lines(), origin, sections: object.sections.clone() }
    }

    /// `file:line` of the instruction at a byte address, where it is known.
    pub(crate) fn line(&self, address: u64) -> Option<String> {
        let place = usize::try_from(address.checked_sub(self.origin)?).ok()?;
        let (range, section) = self.sections.iter().find(|(range, _)| range.contains(&place))?;
        self.lines.at(*section, (place - range.start) as u64).map(|line| line.to_string())
    }
}
