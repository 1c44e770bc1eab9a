//! How the assembly file of a routine is written: its section, and what stops the wrong compiler.

use crate::error::{Error, shown};
use crate::targets::{Guard, Target};
use std::fmt::Write;

/// The syntax whose files go through the C preprocessor.
const GNU: &str = "gnu";
/// Longest name of a section.
const MOST: usize = 100;

/// How the assembly file is written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    /// The section that the code stands in; one of its own for each routine when open.
    pub section: Option<String>,
    /// Whether the file is for the assembler alone: without lines for the C preprocessor.
    pub plain: bool,
}

impl Output {
    /// Refuses what the syntax does not have, and sections that linkers do not take as code.
    pub(crate) fn check(&self, syntax: &str) -> Result<(), Error> {
        let given = [("section", self.section.is_some()), ("plain", self.plain)];
        if let Some((option, _)) = given.iter().find(|(_, is_given)| *is_given && syntax != GNU) {
            let fault = format!("--{option} with --syntax {syntax}; valid with --syntax {GNU}");
            return Err(Error::request(fault, format_args!("leave --{option} out")));
        }
        let Some(section) = &self.section else { return Ok(()) };
        let starts = section.starts_with(|first: char| first.is_ascii_alphabetic() || "._".contains(first));
        let letter = |letter: char| letter.is_ascii_alphanumeric() || "._$".contains(letter);
        let is_name = starts && section.len() <= MOST && section.chars().all(letter);
        if !is_name || rhomb_object::is_no_code(section) {
            let fault = format!("section '{}' takes no code; valid: a name such as .ramfunc", shown(section));
            return Err(Error::request(fault, "leave --section out for .text.NAME"));
        }
        Ok(())
    }

    /// The whole file, from its comment and the routine in the syntax.
    pub(crate) fn file(
        &self,
        (name, target, syntax): (&str, &dyn Target, &str),
        comment: String,
        routine: &str,
    ) -> String {
        let mut file = comment;
        if let Some(Guard { expression, needs }) =
            target.description().guard.filter(|_| syntax == GNU && !self.plain)
        {
            // writing to a String cannot fail
            let _ = writeln!(file, "#if !({expression})\n#error \"{name} needs {needs}\"\n#endif\n");
        }
        match &self.section {
            Some(section) => {
                let own = format!(".section .text.{name},");
                file.push_str(&routine.replacen(&own, &format!(".section {section},"), 1));
            }
            None => file.push_str(routine),
        }
        file
    }

    /// The extension of the file's name.
    pub(crate) fn extension(&self, target: &dyn Target, syntax: &str) -> &'static str {
        if self.plain { "s" } else { target.description().file_style(syntax).extension }
    }

    /// As options of the command line, each with a blank before it.
    pub(crate) fn options(&self) -> String {
        let section = self.section.iter().map(|section| format!(" --section {section}"));
        let plain = self.plain.then(|| " --plain".to_owned());
        section.chain(plain).collect()
    }
}
