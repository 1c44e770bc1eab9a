//! The command line: reads arguments, calls the library, prints.
//!
//! Data go to standard output, messages to standard error. Status 0 is fine, 1 says that code failed
//! its evidence, 2 that the request cannot be met; in both cases one line names the fault, a second one
//! what to do, and nothing was written.

mod arguments;
mod check;
mod draw;
mod faults;
mod list;
mod make;
mod pages;
mod progress;
mod reproduce;

use anstyle::{AnsiColor, Style};
use arguments::{Arguments, Command};
use clap::Parser;
use rhomb::Error;
use std::ffi::OsString;
use std::process::ExitCode;

const ERROR: Style = AnsiColor::Red.on_default().bold();
const WARNING: Style = AnsiColor::Yellow.on_default().bold();
const HINT: Style = AnsiColor::Cyan.on_default().bold();

/// What is said where a certificate is asked for and an inversion is proved.
const NO_CERTIFICATE: &str =
    "an inversion has no certificate: it is proved as a composition of the routines that it calls";

/// Runs the command line `arguments`, the program's name first.
pub(crate) fn run(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let outcome = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => obey(arguments.command),
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

fn obey(command: Command) -> Result<(), Error> {
    match command {
        Command::Generate(arguments) => make::generate(&arguments),
        Command::Measure(arguments) => make::measure(&arguments),
        Command::Draw(arguments) => draw::draw(&arguments),
        Command::Verify(arguments) => check::verify(&arguments),
        Command::Certificate(arguments) => check::certificate(&arguments),
        Command::Reproduce(arguments) => reproduce::reproduce(&arguments),
        Command::List(arguments) => list::list(&arguments),
        Command::Completions { shell } => pages::completions(shell),
        Command::Man { folder } => pages::man(folder.as_deref()),
    }
}

fn warn(text: &str) {
    anstream::eprintln!("{WARNING}warning:{WARNING:#} {text}");
}

/// Prints data. A reader who has seen enough and closed the pipe is no fault.
fn print(text: &str) -> Result<(), Error> {
    use std::io::Write;
    let mut out = anstream::stdout().lock();
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            let fault = format!("cannot write to standard output: {error}");
            Err(Error::request(fault, "is the device full?"))
        }
        _ => Ok(()),
    }
}
