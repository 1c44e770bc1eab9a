//! The command line: reads arguments, calls the library, prints.
//!
//! Data go to standard output, messages to standard error. Status 0 is fine; 1 says that code is refuted, failed its
//! evidence, or is not what `--require` asks for; 2 that the request cannot be met; 3 that a proof was not found. But for
//! 0 one line names the fault, a second one what to do.

mod arguments;
mod check;
mod draw;
mod examples;
mod faults;
mod help;
mod known;
mod library;
mod list;
mod make;
mod pages;
mod progress;
mod records;
mod reproduce;
mod serve;
mod suite;
mod tune;

use anstyle::{AnsiColor, Style};
use arguments::{Arguments, Color, Command, Require, Settings};
use clap::Parser;
use rhomb::{ConstantTime, Error};
use std::ffi::OsString;
use std::process::ExitCode;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// Runs the command line `arguments`, the program's name first.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let outcome = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => obey(arguments.command, &arguments.settings),
        Err(error) => match faults::of(error) {
            Some(fault) => Err(fault),
            None => Ok(()),
        },
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            anstream::eprintln!("{ERROR}error:{ERROR:#} {}", error.fault);
            anstream::eprintln!("{HINT}hint:{HINT:#} {}", error.hint);
            ExitCode::from(error.status())
        }
    }
}

fn obey(command: Option<Command>, settings: &Settings) -> Result<(), Error> {
    match settings.color {
        Color::Auto => {}
        Color::Always => anstream::ColorChoice::Always.write_global(),
        Color::Never => anstream::ColorChoice::Never.write_global(),
    }
    match command {
        None => help::short(),
        Some(Command::Generate(arguments)) => make::generate(&arguments, settings),
        Some(Command::Library(arguments)) => library::library(&arguments, settings),
        Some(Command::Measure(arguments)) => make::measure(&arguments, settings),
        Some(Command::Tune(arguments)) => tune::tune(&arguments, settings),
        Some(Command::Draw(arguments)) => draw::draw(&arguments, settings),
        Some(Command::Verify(arguments)) => check::verify(&arguments, settings),
        Some(Command::Certificate(arguments)) => check::certificate(&arguments, settings),
        Some(Command::Reproduce(arguments)) => reproduce::reproduce(&arguments, settings),
        Some(Command::Records(arguments)) => records::records(&arguments, settings),
        Some(Command::Page(arguments)) => serve::page(&arguments, settings),
        Some(Command::List(arguments)) => list::list(&arguments),
        Some(Command::Help { topic }) => help::help(topic.as_deref()),
        Some(Command::Version) => print(concat!("rhomb ", env!("CARGO_PKG_VERSION"), "\n")),
        Some(Command::Completions { shell }) => pages::completions(shell),
        Some(Command::Man { folder }) => pages::man(folder.as_deref()),
    }
}

/// Refuses a routine whose time is not what is required.
fn require(wanted: Option<Require>, name: &str, found: ConstantTime) -> Result<(), Error> {
    match wanted.map(rhomb::Require::from).filter(|wanted| !wanted.holds(found)) {
        None => Ok(()),
        Some(wanted) => Err(Error::evidence(
            format_args!("--require {}: the time of {name} is {}", wanted.name(), found.name()),
            "the summary says where; --constant-time asks for routines whose time does not depend on operands",
        )),
    }
}

fn warn(text: &str) {
    anstream::eprintln!("{WARNING}warning:{WARNING:#} {text}");
}

/// Prints data.
fn print(text: &str) -> Result<(), Error> {
    write_out(anstream::stdout().lock(), text.as_bytes())
}

/// A reader who has seen enough and closed the pipe is no fault.
fn write_out(mut out: impl std::io::Write, data: &[u8]) -> Result<(), Error> {
    match out.write_all(data).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let fault = format!("cannot write to standard output: {error}");
            Err(Error::request(fault, "is the device full?"))
        }
        _ => Ok(()),
    }
}
