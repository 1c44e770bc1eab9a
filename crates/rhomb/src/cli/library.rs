//! `library`.

use super::arguments::Library;
use super::{Settings, print, progress, warn};
use rhomb::{Error, LibraryRequest, Proof, files};
use std::fs;
use std::path::PathBuf;

/// What the description of a library of ours says.
const MADE_BY: &str = ", made by rhomb ";

pub(super) fn library(arguments: &Library, settings: &Settings) -> Result<(), Error> {
    let request = LibraryRequest {
        target: arguments.target.clone(),
        programs: arguments.programs.clone(),
        name: arguments.name.clone(),
        convention: arguments.convention.clone(),
        constant_time: arguments.constant_time,
        no_proof: arguments.no_proof,
        ..LibraryRequest::default()
    };
    let made = |work| rhomb::library(&LibraryRequest { work, ..request });
    let library = progress::during(settings, "making the routines", made)?;
    let own: Vec<(PathBuf, &str)> =
        library.files.iter().map(|(path, text)| (arguments.output.join(path), text.as_str())).collect();
    let description = fs::read_to_string(arguments.output.join("README.md")).unwrap_or_default();
    let is_ours = description.contains(MADE_BY);
    if let Some((path, _)) = own.iter().find(|(path, _)| !is_ours && !arguments.force && path.exists()) {
        let fault = format!(
            "{} exists, in a folder that is no library of rhomb; valid: a new folder, or --force",
            path.display()
        );
        return Err(Error::request(fault, "nothing was written; -o DIR writes to another folder"));
    }
    files::write_all(&own)?;
    for kernel in &library.kernels {
        kernel.warnings.iter().for_each(|warning| warn(warning));
    }
    if !settings.quiet {
        let table: String = library
            .files
            .iter()
            .filter(|(path, _)| path == "README.md")
            .flat_map(|(_, text)| text.lines().filter(|line| line.starts_with('|')))
            .map(|line| format!("{line}\n"))
            .collect();
        print(&format!(
            "{}: {} files in {}\n\n{table}",
            library.name,
            own.len(),
            arguments.output.display()
        ))?;
    }
    match library.kernels.iter().find(|kernel| kernel.report.proof == Proof::Unknown) {
        Some(kernel) => Err(Error::open(
            format_args!("{} could not be proved", kernel.name),
            "it was written all the same, marked as not proved; the simulated calls were right",
        )),
        None => Ok(()),
    }
}
