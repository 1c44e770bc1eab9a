//! What registers, memory and flags hold while normal forms are computed.

use crate::form::Form;
use rhomb_machine::{Pointer, PointerCarry};
use std::rc::Rc;

/// A bit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Bit {
    /// A constant.
    Known(bool),
    /// Its normal form, never a constant.
    Form(Form),
    /// Nothing is known but that it is always the same one.
    Unknown(u64),
    /// The carry out of a word of an address.
    Carry(Box<PointerCarry>),
}

/// A word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// A constant.
    Known(u64),
    /// Bits, the lowest first, not all known.
    Bits(Rc<[Bit]>),
    /// Part of an address that the caller chose.
    Pointer(Pointer),
    /// The address so many bytes further on, in one word.
    Indexed(Pointer, Rc<[Bit]>),
    /// Anything but zero, by its number.
    NotZero(u64),
}

impl From<Form> for Bit {
    fn from(form: Form) -> Bit {
        match form.constant() {
            Some(value) => Bit::Known(value),
            None => Bit::Form(form),
        }
    }
}

impl From<Vec<Bit>> for Word {
    fn from(bits: Vec<Bit>) -> Word {
        let known = bits.iter().rev().try_fold(0, |number, bit| match bit {
            Bit::Known(bit) => Some(number << 1 | u64::from(*bit)),
            Bit::Form(_) | Bit::Unknown(_) | Bit::Carry(_) => None,
        });
        known.map_or_else(|| Word::Bits(bits.into()), Word::Known)
    }
}

/// The address whose words, lowest first, these are.
pub(crate) fn whole(words: &[&Word], bits: u32) -> Option<Pointer> {
    let pointer = |word: &&Word| match word {
        Word::Pointer(pointer) => Some(*pointer),
        Word::Known(_) | Word::Bits(_) | Word::Indexed(..) | Word::NotZero(_) => None,
    };
    Pointer::whole(&words.iter().map(pointer).collect::<Vec<_>>(), bits)
}
