//! `verify` and `certificate`.

use super::arguments::{Called, Certificate, VerdictFormat, Verify, extension};
use super::{Settings, print, progress, require, suite, warn};
use rhomb::files::{self, Input};
use rhomb::targets::{self, Target};
use rhomb::{Contract, Error, Interrupts, Limits, Program, Proof, Question, verification_text};
use std::path::{Path, PathBuf};
use std::time::Instant;

pub(super) fn verify(arguments: &Verify, settings: &Settings) -> Result<(), Error> {
    let Verify { file: Some(path), target: Some(target), contracts: None, .. } = arguments else {
        return suite::verify(arguments, settings);
    };
    let file = files::read(path, Input::Object)?;
    let (Some(symbol), Some(contract)) = (&arguments.symbol, &arguments.contract) else {
        return suite::list(arguments, path, &file, target, settings);
    };
    let start = Instant::now();
    let contract = rhomb::parse_contract(contract)?;
    let calls = arguments.calls.iter().map(|call| called(call)).collect::<Result<Vec<_>, Error>>()?;
    let question = question((&file, symbol), target, &arguments.called)?;
    let mut found = progress::during(settings, "proving the function", |_| {
        let limits = Limits { effort: arguments.effort.unwrap_or(rhomb::EFFORT), ..Limits::default() };
        // what is exported has steps of a certificate without calls
        let limits = if arguments.export_cryptoline.is_some() {
            Limits { whole: limits.effort, ..limits }
        } else {
            limits
        };
        rhomb::verify_with_calls(&question, &contract, &calls, limits)
    })?;
    if question.target.description().convention(found.convention).is_experimental {
        warn(&format!("the convention {} is experimental", found.convention));
    }
    found.time_ms = start.elapsed().as_millis() as u64;
    let mut contents: Vec<(PathBuf, &str)> = Vec::new();
    if let (Some(path), Some(written)) = (&arguments.certificate, &found.written) {
        contents.push((path.clone(), &written.text));
    }
    let exported = match arguments.export_smt.is_some() || arguments.export_cryptoline.is_some() {
        true => Some(rhomb::export(&question, &contract, found.written.as_ref())?),
        false => None,
    };
    if let Some(exported) = &exported {
        contents.extend(arguments.export_smt.iter().map(|path| (path.clone(), exported.smt.as_str())));
        if let Some(path) = &arguments.export_cryptoline {
            let texts = exported.cryptoline.iter().enumerate();
            contents.extend(texts.map(|(index, text)| (numbered(path, index), text.as_str())));
        }
    }
    files::write_all(&contents)?;
    match arguments.format {
        VerdictFormat::Text if settings.quiet => {}
        VerdictFormat::Text => print(&verification_text(&found))?,
        VerdictFormat::Json => print(&(found.json() + "\n"))?,
        VerdictFormat::Sarif => return suite::sarif_of_one(arguments, path, &question, contract, found),
    }
    let Question { symbol, .. } = question;
    match found.proof {
        Proof::Proved => require(arguments.require, symbol, found.constant_time),
        Proof::Refuted => Err(Error::evidence(
            format_args!("{symbol} does not keep its contract {contract}"),
            "if the code is for another contract, target or convention, name that",
        )),
        Proof::Unknown | Proof::NotRun => Err(Error::open(
            format_args!("{symbol} is not proved to keep its contract {contract}"),
            "the reasons name the instructions; `rhomb help soundness` says what the prover can follow",
        )),
    }
}

/// A function that is called, and its contract.
fn called(text: &str) -> Result<(String, Contract), Error> {
    let Some((symbol, contract)) = text.split_once('=').filter(|(symbol, _)| !symbol.is_empty()) else {
        let fault = format!("'{text}' names no function and contract; valid: SYMBOL=CONTRACT");
        return Err(Error::request(fault, "such as --calls \"mul256=mul 256\"; `rhomb help contracts`"));
    };
    Ok((symbol.to_owned(), rhomb::parse_contract(contract)?))
}

/// `path` for the first, then `path-2.cl`.
fn numbered(path: &Path, index: usize) -> PathBuf {
    if index == 0 {
        return path.to_owned();
    }
    let mut name = path.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{}", index + 1));
    let mut numbered = path.with_file_name(name);
    if let Some(extension) = path.extension() {
        numbered.set_extension(extension);
    }
    numbered
}

pub(super) fn certificate(arguments: &Certificate, settings: &Settings) -> Result<(), Error> {
    let file = files::read(&arguments.file, Input::Object)?;
    let text = files::read(&arguments.certificate, Input::Certificate)?;
    let question = question((&file, &arguments.symbol), &arguments.target, &arguments.called)?;
    let shown = progress::during(settings, "replaying the certificate", |_| rhomb::replay(&question, &text))?;
    let does = if let Program::Contract(_) = shown { "keeps" } else { "computes" };
    let assumed = match question.interrupts {
        Interrupts::Any => "",
        Interrupts::Off => ", if no interrupt comes during the call",
    };
    if settings.quiet {
        return Ok(());
    }
    print(&format!(
        "{} {does} {shown} on {}{assumed}: the certificate holds\n",
        question.symbol,
        question.target.name()
    ))
}

/// The core of that name with what is added to it.
pub(super) fn core(name: &str, called: &Called) -> Result<&'static dyn Target, Error> {
    let added = extension(called.extension.as_deref(), called.timing.as_deref())?;
    targets::extended(targets::find(name)?, added.as_ref())
}

pub(super) fn question<'a>(
    (file, symbol): (&'a [u8], &'a str),
    target: &str,
    called: &'a Called,
) -> Result<Question<'a>, Error> {
    Ok(Question {
        file,
        symbol,
        target: core(target, called)?,
        convention: called.convention.as_deref(),
        interrupts: called.interrupts.map_or(Interrupts::Any, Into::into),
    })
}
