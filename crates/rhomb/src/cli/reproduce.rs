//! `reproduce`.

use super::arguments::{PaperFormat, Reproduce};
use super::{Settings, print, progress};
use clap::ValueEnum;
use rhomb::{Error, files};
use std::path::{Path, PathBuf};

pub(super) fn reproduce(arguments: &Reproduce, settings: &Settings) -> Result<(), Error> {
    let outputs = outputs(arguments)?;
    let written = || outputs.iter().filter(|(path, _)| !is_printed(path));
    if !arguments.force {
        written().try_for_each(|(path, _)| files::check_table(path))?;
    }
    let reproduction = progress::during(settings, "counting and measuring", |work| {
        rhomb::reproduce(&arguments.paper, arguments.table.as_deref(), &work)
    })?;
    let text = |format: PaperFormat| match format {
        PaperFormat::Text => reproduction.text(),
        PaperFormat::Grid => reproduction.grid(),
        PaperFormat::Json => reproduction.json(),
        PaperFormat::Markdown => reproduction.markdown(),
        PaperFormat::Csv => reproduction.csv(),
    };
    let files: Vec<(PathBuf, String)> =
        written().map(|(path, format)| (path.to_path_buf(), text(*format))).collect();
    files::write_all(&files)?;
    for (path, format) in outputs {
        if is_printed(path) {
            print(&text(format))?;
        } else if !settings.quiet {
            print(&format!("{}\n", path.display()))?;
        }
    }
    Ok(())
}

fn is_printed(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Where the tables go, and how: as a name ends; what is printed and text for people, as `--format` says.
fn outputs(arguments: &Reproduce) -> Result<Vec<(&Path, PaperFormat)>, Error> {
    let wanted = arguments.format.unwrap_or_default();
    if arguments.output.is_empty() {
        return Ok(vec![(Path::new("-"), wanted)]);
    }
    let own = |path: &Path| {
        let ending = path.extension().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
        match ending.as_str() {
            _ if is_printed(path) => Ok(wanted),
            "txt" if wanted == PaperFormat::Grid => Ok(wanted),
            "txt" => Ok(PaperFormat::Text),
            "json" => Ok(PaperFormat::Json),
            "md" => Ok(PaperFormat::Markdown),
            "csv" => Ok(PaperFormat::Csv),
            _ => {
                let fault = format!(
                    "{} does not say its format; valid: names that end with .txt, .json, .md or .csv, or -",
                    path.display()
                );
                Err(Error::request(fault, "-o names a file, and may be given more than once"))
            }
        }
    };
    let outputs: Vec<(&Path, PaperFormat)> =
        arguments.output.iter().map(|path| Ok((path.as_path(), own(path)?))).collect::<Result<_, Error>>()?;
    match arguments.format.and_then(|format| format.to_possible_value()) {
        Some(format) if outputs.iter().all(|(_, own)| *own != wanted) => {
            let names: Vec<String> = outputs.iter().map(|(path, _)| path.display().to_string()).collect();
            let fault = format!(
                "--format {} contradicts the name {}; valid: another name, or no --format",
                format.get_name(),
                names.join(", ")
            );
            Err(Error::request(fault, "nothing was written; the name's ending tells the format"))
        }
        _ => Ok(outputs),
    }
}
