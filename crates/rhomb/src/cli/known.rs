//! Names that an option may have, for completion; what is no such name is refused by the library, which says why.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use clap::{Arg, Command, Error};
use rhomb::{Form, targets};
use std::ffi::OsStr;

/// Any text; these names are suggested.
#[derive(Clone, Copy)]
pub(super) struct Known(pub(super) fn() -> Vec<&'static str>);

impl TypedValueParser for Known {
    type Value = String;

    fn parse_ref(&self, command: &Command, argument: Option<&Arg>, value: &OsStr) -> Result<String, Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0().into_iter().map(PossibleValue::new)))
    }
}

pub(super) fn operations() -> Vec<&'static str> {
    rhomb::operations().map(|(name, _)| name).collect()
}

pub(super) fn targets() -> Vec<&'static str> {
    targets::all()
        .map(|target| target.name())
        .chain(targets::others().iter().map(|(name, _)| *name))
        .collect()
}

pub(super) fn methods() -> Vec<&'static str> {
    let own = rhomb::methods().iter().map(|method| method.name);
    let modular = rhomb::ModularOperation::ALL.iter().flat_map(|own| own.methods()).map(|method| method.name);
    let others = rhomb::other_methods().iter().map(|(name, _)| *name);
    distinct(own.chain(modular).chain(["best", "best-walk"]).chain(others))
}

pub(super) fn forms() -> Vec<&'static str> {
    Form::ALL.iter().map(|form| form.name()).collect()
}

pub(super) fn conventions() -> Vec<&'static str> {
    distinct(targets::all().flat_map(|target| target.description().conventions()).map(|named| named.name))
}

pub(super) fn syntaxes() -> Vec<&'static str> {
    distinct(targets::all().flat_map(|target| target.description().syntaxes()).map(|named| named.name))
}

pub(super) fn accumulations() -> Vec<&'static str> {
    distinct(targets::all().flat_map(|target| target.description().accumulations).map(|named| named.name))
}

pub(super) fn moduli() -> Vec<&'static str> {
    rhomb::moduli().iter().map(|(name, _)| *name).collect()
}

pub(super) fn polynomials() -> Vec<&'static str> {
    rhomb::polynomials().iter().map(|(name, _)| *name).collect()
}

pub(super) fn curves() -> Vec<&'static str> {
    rhomb::curves()
}

fn distinct(names: impl Iterator<Item = &'static str>) -> Vec<&'static str> {
    let mut all: Vec<&'static str> = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}
