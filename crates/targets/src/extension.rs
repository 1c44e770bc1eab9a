//! Cores with what a file adds: instructions, or times.

use super::{Target, all};
use crate::error::Error;

/// What a file adds to a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adds {
    /// Instructions: see docs/instruction-set-extensions.md.
    Instructions,
    /// The times of a core for which nobody has published any: see docs/riscv.md.
    Times,
}

impl Adds {
    /// The option that gives such a file, without dashes.
    pub fn option(self) -> &'static str {
        match self {
            Adds::Instructions => "extension",
            Adds::Times => "timing",
        }
    }

    /// What the file is called in the heading of a routine.
    pub fn noun(self) -> &'static str {
        match self {
            Adds::Instructions => "extension",
            Adds::Times => "times",
        }
    }

    /// Where such a file is described.
    pub fn hint(self) -> &'static str {
        match self {
            Adds::Instructions => "`rhomb help extensions` has the language",
            Adds::Times => "`rhomb help riscv` has an example",
        }
    }

    fn given(self, target: &dyn Target, text: &str) -> Option<Result<Box<dyn Target>, String>> {
        match self {
            Adds::Instructions => target.with_extension(text),
            Adds::Times => target.with_times(text),
        }
    }
}

/// A file that adds something to a core.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// What it adds.
    pub adds: Adds,
    /// The file's name, for reports and command lines.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// The target with what a file adds, if one is given. Requests refer to targets that are
/// there as long as the program, and so is this one.
///
/// # Errors
/// A file that cannot be read, or a target that takes none.
pub fn extended(
    target: &'static dyn Target,
    extension: Option<&Extension>,
) -> Result<&'static dyn Target, Error> {
    let Some(Extension { adds, name, text }) = extension else { return Ok(target) };
    match adds.given(target, text) {
        Some(Ok(extended)) => Ok(Box::leak(extended)),
        Some(Err(fault)) => {
            Err(Error::request(format_args!("{}, {fault}", crate::error::shown(name)), adds.hint()))
        }
        None => {
            let able: Vec<&str> =
                all().filter(|target| adds.given(*target, "").is_some()).map(Target::name).collect();
            let option = adds.option();
            let fault = format!("{} takes no --{option}; valid: {}", target.name(), able.join(", "));
            let hint = match adds {
                Adds::Instructions => "extensions are for cores whose users may add instructions",
                Adds::Times => "the times of other cores are known",
            };
            Err(Error::request(fault, hint))
        }
    }
}
