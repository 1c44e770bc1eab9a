//! `generate` and `measure`.

use super::arguments::{Format, Generate, Measure, extension};
use super::{Settings, print, progress, require, warn};
use rhomb::files::{self, Input};
use rhomb::{Error, Measurement, Proof, Question, Report, Request, summary, targets};
use std::path::{Path, PathBuf};

pub(super) fn generate(arguments: &Generate, settings: &Settings) -> Result<(), Error> {
    let to_output = arguments.output.as_os_str() == "-";
    if to_output && arguments.format == Format::Json {
        let fault = "-o - and --format json both want standard output; valid: one of them";
        return Err(Error::request(fault, "-o DIR writes the files and prints the figures as JSON"));
    }
    let extension = arguments.output.extension().and_then(|extension| extension.to_str());
    if extension.is_some_and(|extension| ["S", "s", "asm", "s90", "h", "c"].contains(&extension)) {
        let fault = format!("-o {} is a file's name; valid: a folder, or -", arguments.output.display());
        return Err(Error::request(
            fault,
            "--name NAME gives the files their names, -o - prints the assembly",
        ));
    }
    let request = arguments.request()?;
    let made = |work| rhomb::generate(&Request { work, ..request });
    let mut kernel = progress::during(settings, "generating the routine", made)?;
    require(arguments.wanted.require, &kernel.name, kernel.report.constant_time)?;
    arguments.wanted.mhz.into_iter().for_each(|mhz| kernel.report.at(mhz));
    let mut contents: Vec<(PathBuf, &str)> = Vec::new();
    if !to_output {
        contents
            .push((arguments.output.join(format!("{}.{}", kernel.name, kernel.extension)), &kernel.assembly));
        contents.push((arguments.output.join(format!("{}.h", kernel.name)), &kernel.c_header));
    }
    if !arguments.force {
        for (path, _) in &contents {
            files::check_same(path, &kernel.command_line)?;
        }
    }
    if let (Some(path), Some(certificate)) = (&arguments.certificate, &kernel.certificate) {
        contents.push((path.clone(), &certificate.text));
    }
    files::write_all(&contents)?;
    kernel.warnings.iter().for_each(|warning| warn(warning));
    let shown = |(path, _): &(PathBuf, &str)| path.strip_prefix(".").unwrap_or(path).display().to_string();
    kernel.report.files = contents.iter().map(shown).collect();
    if to_output {
        print(&kernel.assembly)?;
        if !settings.quiet {
            anstream::eprint!("{}", summary(&kernel.name, &kernel.report, &kernel.facts, kernel.calls));
        }
    } else {
        answer(arguments.format, settings, &kernel.report, || {
            summary(&kernel.name, &kernel.report, &kernel.facts, kernel.calls)
        })?;
    }
    match kernel.report.proof {
        Proof::Unknown => Err(Error::open(
            format_args!("{} could not be proved", kernel.name),
            "it was written all the same, marked as not proved; the simulated calls were right",
        )),
        Proof::Proved | Proof::Refuted | Proof::NotRun => Ok(()),
    }
}

pub(super) fn measure(arguments: &Measure, settings: &Settings) -> Result<(), Error> {
    if arguments.symbol.is_none() && looks_like_file(&arguments.subject) {
        let fault =
            format!("{} is a file; valid with --symbol and --contract only", arguments.subject.display());
        return Err(Error::request(fault, "add --symbol mul160 --contract \"mul 160\""));
    }
    let one = |target: &String| match (&arguments.symbol, &arguments.contract) {
        (Some(symbol), Some(contract)) => object(arguments, target, symbol, contract, settings),
        _ => {
            let request = arguments.request(target)?;
            let measured = |work| rhomb::measure(&Request { work, ..request });
            progress::during(settings, "generating the routine", measured)
        }
    };
    let mut measured: Vec<Measurement> =
        arguments.wanted.targets()?.iter().map(one).collect::<Result<_, _>>()?;
    if let Some(mhz) = arguments.wanted.mhz {
        measured.iter_mut().for_each(|one| one.report.at(mhz));
    }
    for one in &measured {
        one.warnings.iter().for_each(|warning| warn(warning));
    }
    match (&measured[..], arguments.format) {
        ([one], format) => {
            answer(format, settings, &one.report, || summary(&one.name, &one.report, &one.facts, one.calls))?;
        }
        (several, Format::Json) => {
            several.iter().try_for_each(|one| answer(Format::Json, settings, &one.report, String::new))?;
        }
        (_, Format::Text) if settings.quiet => {}
        (several, Format::Text) => print(&rhomb::beside(several))?,
    }
    measured.iter().try_for_each(|one| require(arguments.wanted.require, &one.name, one.report.constant_time))
}

fn object(
    arguments: &Measure,
    target: &str,
    symbol: &str,
    contract: &str,
    settings: &Settings,
) -> Result<Measurement, Error> {
    let contract = rhomb::parse_contract(contract)?;
    let extension = extension(arguments.wanted.extension.as_deref(), arguments.wanted.timing.as_deref())?;
    let target = targets::extended(targets::find(target)?, extension.as_ref())?;
    let path = &arguments.subject;
    let bytes = files::read(path, Input::Object)?;
    let convention = arguments.wanted.convention.as_deref();
    let interrupts = arguments.interrupts.into();
    let question = Question { file: &bytes, symbol, target, convention, interrupts };
    progress::during(settings, "simulating the function", |_| rhomb::measure_object(&question, &contract))
}

/// Whether the user probably means a file and forgot to say which function.
fn looks_like_file(subject: &Path) -> bool {
    subject.extension().is_some() || subject.components().count() > 1
}

fn answer(
    format: Format,
    settings: &Settings,
    report: &Report,
    text: impl FnOnce() -> String,
) -> Result<(), Error> {
    match format {
        Format::Text if settings.quiet => Ok(()),
        Format::Text => print(&text()),
        Format::Json => print(&(report.json() + "\n")),
    }
}
