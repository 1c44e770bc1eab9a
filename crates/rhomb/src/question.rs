//! Functions of object files, and what is asked about them.

use crate::error::Error;
use crate::source::Source;
use crate::subject::Subject;
use crate::targets::{Code, Static, Target, one_of};
use rhomb_certificate::Contract;
use rhomb_machine::Interrupts;
use rhomb_object::ObjectFile;

/// A function in an object file, and what is asked about it.
#[derive(Clone, Copy)]
pub struct Question<'a> {
    /// The file's content.
    pub file: &'a [u8],
    /// The function.
    pub symbol: &'a str,
    /// The core.
    pub target: &'static dyn Target,
    /// The convention, where it is not the target's usual one.
    pub convention: Option<&'a str>,
    /// What may be assumed about interrupts.
    pub interrupts: Interrupts,
}

impl Question<'_> {
    /// The function, ready to be asked.
    pub(crate) fn load(&self, steps: u64) -> Result<(Loaded, Box<dyn Subject>), Error> {
        let Question { file, symbol, target, convention, interrupts } = *self;
        let loaded = load(file, symbol, target, convention)?;
        let mut subject = target
            .subject_within(&loaded.code, loaded.convention, steps)
            .map_err(|fault| Error::request(fault, "see `rhomb list`"))?;
        subject.assume(interrupts);
        Ok((loaded, subject))
    }

    /// The byte addresses of functions that this one may call, in the code of [`Question::load`].
    pub(crate) fn entries(&self, calls: &[(String, Contract)]) -> Result<Vec<(u64, Contract)>, Error> {
        let Question { file, symbol, target, .. } = *self;
        if calls.is_empty() {
            return Ok(Vec::new());
        }
        if target.text_code(file, symbol).is_some() {
            let hint = "assemble the text first, or leave out --calls: then called functions are executed";
            return Err(Error::request("functions of a text cannot be named as called ones", hint));
        }
        let file = parsed(file, target)?;
        let object = target.object_code(&file, symbol)?;
        let entry = |(name, contract): &(String, Contract)| {
            let called = file.function(name).map_err(|error| {
                Error::request(error, "--calls SYMBOL=CONTRACT names a function of the file")
            })?;
            let place = object.sections.iter().find(|(_, section)| *section == called.section.index);
            let (place, _) = place.ok_or_else(|| {
                let (symbol, name) = (crate::error::shown(symbol), crate::error::shown(name));
                let fault = format!("'{symbol}' does not call '{name}'");
                Error::request(fault, "--calls names what the function calls, itself or by others")
            })?;
            Ok((u64::from(object.code.origin) + (place.start + called.offset) as u64, *contract))
        };
        calls.iter().map(entry).collect()
    }
}

/// A function of an object file.
pub(crate) struct Loaded {
    pub(crate) convention: &'static str,
    pub(crate) code: Code,
    pub(crate) facts: Static,
    pub(crate) source: Source,
    pub(crate) notes: Vec<String>,
}

/// The content of an object file.
pub(crate) fn parsed<'a>(file: &'a [u8], target: &dyn Target) -> Result<ObjectFile<'a>, Error> {
    ObjectFile::parse(file).map_err(|error| {
        let command = &target.description().compile_command;
        Error::request(error, format_args!("the compiler or assembler writes such a file: {command}"))
    })
}

impl Loaded {
    /// Code that comes from no file.
    pub(crate) fn bare(
        target: &'static dyn Target,
        convention: Option<&str>,
        code: Code,
        steps: u64,
    ) -> Result<(Loaded, Box<dyn Subject>), Error> {
        let convention = one_of("convention", convention, &target.description().conventions(), target)?;
        let bad = |fault: String| Error::request(fault, "the code is to be of the processor that is named");
        let facts = target.read(&code).map_err(bad)?;
        let subject = target.subject_within(&code, convention, steps).map_err(bad)?;
        Ok((Loaded { convention, code, facts, source: Source::default(), notes: Vec::new() }, subject))
    }
}

/// Takes a function from an object file.
fn load(
    file: &[u8],
    symbol: &str,
    target: &'static dyn Target,
    convention: Option<&str>,
) -> Result<Loaded, Error> {
    let convention = one_of("convention", convention, &target.description().conventions(), target)?;
    let (code, source, notes) = match target.text_code(file, symbol) {
        Some(code) => (code?, Source::default(), Vec::new()),
        None => {
            let file = parsed(file, target)?;
            let object = target.object_code(&file, symbol)?;
            let source = Source::of(&file, &object);
            (object.code, source, object.notes)
        }
    };
    let facts = target.read(&code).map_err(|fault| {
        let fault = format!("'{}' on {}: {fault}", crate::error::shown(symbol), target.name());
        Error::request(fault, "--target must be a core that the file was built for")
    })?;
    Ok(Loaded { convention, code, facts, source, notes })
}
