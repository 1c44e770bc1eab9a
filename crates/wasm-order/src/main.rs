//! Puts functions of a WebAssembly module that are alike side by side, and drops its custom sections.
//!
//! The compiler makes of one generic function a function for each type, nearly the same, anywhere in the module. What
//! compresses a module for the network looks back a short way only.

mod alike;
mod module;

use std::path::Path;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args_os().skip(1).collect();
    let done = match &arguments[..] {
        [from, to] => order(Path::new(from), Path::new(to)),
        _ => Err("wanted: the files of a module and of what becomes of it".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(fault) => {
            eprintln!("error: {fault}");
            ExitCode::from(2)
        }
    }
}

fn order(from: &Path, to: &Path) -> Result<(), String> {
    let bytes = std::fs::read(from).map_err(|error| format!("{}: {error}", from.display()))?;
    let ordered = module::ordered(&bytes).map_err(|fault| format!("{}: {fault}", from.display()))?;
    std::fs::write(to, ordered).map_err(|error| format!("{}: {error}", to.display()))
}
