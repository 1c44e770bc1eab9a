//! Cores with instructions that a file adds.

use super::{Target, all};
use crate::error::Error;

/// A file of instructions: see docs/instruction-set-extensions.md.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Extension {
    /// The file's name, for reports and command lines.
    pub name: String,
    /// What stands in it.
    pub text: String,
}

/// The target with the instructions of a file beside its own, if one is given. Requests refer to targets that are
/// there as long as the program, and so is this one.
///
/// # Errors
/// A file that cannot be read, or a target that takes none.
pub fn extended(
    target: &'static dyn Target,
    extension: Option<&Extension>,
) -> Result<&'static dyn Target, Error> {
    let Some(Extension { name, text }) = extension else { return Ok(target) };
    match target.with_extension(text) {
        Some(Ok(extended)) => Ok(Box::leak(extended)),
        Some(Err(fault)) => {
            let hint = "`rhomb help extensions` has the language";
            Err(Error::request(format_args!("{}, {fault}", crate::error::shown(name)), hint))
        }
        None => {
            let able: Vec<&str> =
                all().filter(|target| target.with_extension("").is_some()).map(Target::name).collect();
            let fault = format!("{} takes no --extension; valid: {}", target.name(), able.join(", "));
            Err(Error::request(fault, "extensions are for cores whose users may add instructions"))
        }
    }
}
