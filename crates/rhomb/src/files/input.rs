//! Reads a file as a whole, but only one that has an end.

use super::reason;
use crate::error::Error;
use crate::targets::Adds;
use std::fs::{self, File, FileType};
use std::io::{self, Read};
use std::path::Path;

/// What is read.
#[derive(Clone, Copy, Debug)]
pub enum Input {
    /// An object file, or assembler text.
    Object,
    /// A certificate.
    Certificate,
    /// A file of contracts.
    Contracts,
    /// A file of the page.
    Page,
    /// The rows of a walk.
    Walk,
    /// What is added to a core.
    Extension(Adds),
}

impl Input {
    /// The most bytes that it may have.
    fn most(self) -> u64 {
        match self {
            Input::Object => 256 << 20,
            Input::Certificate | Input::Page => 64 << 20,
            Input::Walk => 4 << 20,
            Input::Extension(_) | Input::Contracts => 1 << 20,
        }
    }

    fn hint(self) -> &'static str {
        match self {
            Input::Object => "valid: an ELF relocatable (.o) or executable (.elf) file",
            Input::Certificate => "valid: a file that `rhomb verify --certificate` wrote",
            Input::Contracts => {
                "valid: a text as `rhomb help proofs` describes it; `rhomb verify FILE --target T` writes one"
            }
            Input::Walk => "valid: a text as `rhomb help methods` describes it",
            Input::Page => "valid: a folder that ./page made",
            Input::Extension(Adds::Instructions) => "valid: a text as `rhomb help extensions` describes it",
            Input::Extension(Adds::Times) => "valid: a text as `rhomb help riscv` describes it",
        }
    }
}

/// Reads a regular file, what comes out of a pipe, or with `-` standard input.
///
/// # Errors
/// When it cannot be read, is neither, or is too long.
pub fn read(path: &Path, input: Input) -> Result<Vec<u8>, Error> {
    let failed =
        |reason: &str| Error::request(format_args!("cannot read {}: {reason}", path.display()), input.hint());
    let content = || -> io::Result<Vec<u8>> {
        let most = input.most();
        let too_long = || Err(io::Error::other(format!("it has more than {most} bytes")));
        if path.as_os_str() == "-" {
            let mut content = Vec::new();
            io::stdin().lock().take(most + 1).read_to_end(&mut content)?;
            return if content.len() as u64 > most { too_long() } else { Ok(content) };
        }
        // opening a device may be more than a look at it
        let metadata = fs::metadata(path)?;
        if metadata.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if !metadata.is_file() && !is_pipe(metadata.file_type()) {
            return Err(io::Error::other("it is neither a file nor a pipe"));
        }
        if metadata.len() > most {
            return too_long();
        }
        let mut content = Vec::new();
        File::open(path)?.take(most + 1).read_to_end(&mut content)?;
        if content.len() as u64 > most { too_long() } else { Ok(content) }
    };
    content().map_err(|error| failed(&reason(&error)))
}

#[cfg(unix)]
fn is_pipe(kind: FileType) -> bool {
    std::os::unix::fs::FileTypeExt::is_fifo(&kind)
}

#[cfg(not(unix))]
fn is_pipe(_: FileType) -> bool {
    false
}
