//! What a register has, in one word: such words are compared, copied and hashed more often than anything else here.

use super::{Address, Base, Value};

/// What a register has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Free,
    Value(Value),
    Address(Address),
}

/// The same in a word: 0 where it is free, else a bit that says which it is, and its parts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Slot(u32);

const VALUE: u32 = 1 << 30;
const ADDRESS: u32 = 1 << 31;
/// From here on there is the number of an argument, and 1; 0 of the frame.
const BASE: u32 = 16;

impl Slot {
    pub(super) const FREE: Slot = Slot(0);

    pub(super) fn value(value: Value) -> Self {
        Slot(VALUE | u32::from(value))
    }

    pub(super) fn address(at: Address) -> Self {
        let base = match at.base {
            Base::Frame => 0,
            Base::Argument(number) => u32::from(number) + 1,
        };
        Slot(ADDRESS | base << BASE | u32::from(at.word))
    }

    pub(super) fn content(self) -> Content {
        if self.0 & VALUE != 0 {
            return Content::Value(self.0 as Value);
        }
        if self.0 & ADDRESS == 0 {
            return Content::Free;
        }
        let base = match (self.0 & !ADDRESS) >> BASE {
            0 => Base::Frame,
            number => Base::Argument((number - 1) as u8),
        };
        Content::Address(Address { base, word: self.0 as u16 })
    }

    /// The word behind it, where it is an address from the same base as this one.
    pub(super) fn word_from(self, at: Address) -> Option<u16> {
        let same = self.0 >> BASE == Slot::address(at).0 >> BASE;
        same.then_some(self.0 as u16)
    }
}
