//! `generate` and `measure`.

use super::arguments::{Format, Generate, Measure};
use super::{print, progress, warn};
use rhomb::{Contract, Error, Measurement, Report, files, summary, target};
use std::path::Path;

pub(super) fn generate(arguments: &Generate) -> Result<(), Error> {
    let to_output = arguments.output.as_os_str() == "-";
    if to_output && arguments.format == Format::Json {
        let fault = "-o - and --format json both want standard output; valid: one of them";
        return Err(Error::request(fault, "-o DIR writes the files and prints the figures as JSON"));
    }
    let request = arguments.request()?;
    let mut kernel = progress::during("making and simulating the routine", || rhomb::generate(&request))?;
    if to_output {
        print(&kernel.assembly)?;
        anstream::eprint!("{}", summary(&kernel.name, &kernel.report, &kernel.facts, kernel.calls));
        return Ok(());
    }
    let contents = [
        (format!("{}.S", kernel.name), kernel.assembly.as_str()),
        (format!("{}.h", kernel.name), kernel.c_header.as_str()),
    ];
    let paths = files::write_all(&arguments.output, &contents)?;
    let shown = |path: &std::path::PathBuf| path.strip_prefix(".").unwrap_or(path).display().to_string();
    kernel.report.files = paths.iter().map(shown).collect();
    answer(arguments.format, &kernel.report, || {
        summary(&kernel.name, &kernel.report, &kernel.facts, kernel.calls)
    })
}

pub(super) fn measure(arguments: &Measure) -> Result<(), Error> {
    let measured = match (&arguments.symbol, &arguments.contract) {
        (Some(symbol), Some(contract)) => object(arguments, symbol, contract)?,
        _ if looks_like_file(&arguments.subject) => {
            let fault =
                format!("{} is a file; valid with --symbol and --contract only", arguments.subject.display());
            return Err(Error::request(fault, "add --symbol mul160 --contract \"mul 160\""));
        }
        _ => {
            let request = arguments.request()?;
            progress::during("making and simulating the routine", || rhomb::measure(&request))?
        }
    };
    measured.warnings.iter().for_each(|warning| warn(warning));
    answer(arguments.format, &measured.report, || {
        summary(&measured.name, &measured.report, &measured.facts, measured.calls)
    })
}

fn object(arguments: &Measure, symbol: &str, contract: &str) -> Result<Measurement, Error> {
    let contract = Contract::parse(contract)?;
    let target = target::find(arguments.wanted.target()?)?;
    let path = &arguments.subject;
    let bytes = files::read(path)?;
    let convention = arguments.wanted.convention.as_deref();
    progress::during("simulating the function", || {
        rhomb::measure_object(&bytes, symbol, contract, target, convention)
    })
}

/// Whether the user probably means a file and forgot to say which function.
fn looks_like_file(subject: &Path) -> bool {
    subject.extension().is_some() || subject.components().count() > 1
}

fn answer(format: Format, report: &Report, text: impl FnOnce() -> String) -> Result<(), Error> {
    match format {
        Format::Text => print(&text()),
        Format::Json => print(&(report.json() + "\n")),
    }
}
