//! A library: several routines for one core, as the folder that build systems and package managers expect.
//!
//! `src/` has the routines with their headers, and one header for all; the other files say to CMake, Arduino, PlatformIO, Zephyr,
//! ESP-IDF and Cargo where they are. Each routine is made and proved as `generate` does.

mod files;
mod program;
mod rust;

use crate::error::{Error, shown};
use crate::generate::{Kernel, generate};
use crate::request::Request;
use crate::targets::{self, Target};
use crate::work::Work;

/// What a library is to hold.
#[derive(Clone, Debug, Default)]
pub struct LibraryRequest {
    /// The core.
    pub target: String,
    /// The programs, such as `x25519`, `mul 256` and `modmul p256`.
    pub programs: Vec<String>,
    /// Its name; of the first program and the target when open.
    pub name: Option<String>,
    /// By which convention all are called.
    pub convention: Option<String>,
    /// Whether time must be the same for all operands.
    pub constant_time: bool,
    /// Whether they are written without a proof.
    pub no_proof: bool,
    /// How the work is done.
    pub work: Work,
}

/// A library; nothing is written.
pub struct Library {
    /// Its name.
    pub name: String,
    /// The routines, in the order in which they were asked for.
    pub kernels: Vec<Kernel>,
    /// All files: paths from its folder, with `/`, and contents.
    pub files: Vec<(String, String)>,
}

/// Makes a library.
///
/// # Errors
/// A program that is unknown or cannot be met; a name that is none.
pub fn library(request: &LibraryRequest) -> Result<Library, Error> {
    let target = targets::find(&request.target)?;
    if target.description().guard.is_none() {
        let able: Vec<&str> =
            targets::all().filter(|own| own.description().guard.is_some()).map(|own| own.name()).collect();
        let fault = format!("a library for {}; valid: {}", target.name(), able.join(", "));
        return Err(Error::request(fault, "`rhomb generate` writes the routines one by one"));
    }
    if request.programs.is_empty() {
        let fault = "no program is named; valid: --programs x25519,\"mul 256\",\"modmul p256\"";
        return Err(Error::request(fault, "`rhomb list operations`"));
    }
    let requests: Vec<Request> =
        request.programs.iter().map(|text| program::request(text, request)).collect::<Result<_, Error>>()?;
    if let Some(name) = &request.name {
        check_name(name)?;
    }
    let kernels: Vec<Kernel> = requests.iter().map(generate).collect::<Result<_, _>>()?;
    for (index, kernel) in kernels.iter().enumerate() {
        if kernels[..index].iter().any(|other| other.name == kernel.name) {
            let fault = format!("{} is asked for twice; valid: each program once", kernel.name);
            return Err(Error::request(fault, "leave one of them out"));
        }
    }
    let name = request.name.clone().unwrap_or_else(|| default_name(target, &kernels));
    let files = files::all(&name, target, &kernels);
    Ok(Library { name, kernels, files })
}

/// A name that all build systems take.
fn check_name(name: &str) -> Result<(), Error> {
    let starts = name.starts_with(|first: char| first.is_ascii_lowercase());
    let is_letter = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
    match starts && name.len() <= 60 && name.chars().all(is_letter) {
        true => Ok(()),
        false => Err(Error::request(
            format_args!(
                "name '{}' is none that all build systems take; valid: such as rhomb_x25519",
                shown(name)
            ),
            "small letters, digits and _, a letter first",
        )),
    }
}

fn default_name(target: &dyn Target, kernels: &[Kernel]) -> String {
    let first = kernels.first().map_or("", |kernel| kernel.name.as_str());
    format!("{first}_{}", target.name()).replace('-', "_").to_ascii_lowercase()
}
