//! Writes a set of files: all of them, or none.

use crate::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes `files` (path and content); a folder that is not there is made.
///
/// # Errors
/// When one cannot be written. Then every file is as it was before, and so are the folders.
pub fn write_all(files: &[(PathBuf, &str)]) -> Result<(), Error> {
    let failed = |path: &Path, error: io::Error| {
        let fault = format!("cannot write {}: {}", path.display(), reason(&error));
        Error::request(
            fault,
            "nothing was written; -o names a folder that can be written to, -o - standard output",
        )
    };
    let mut undo = Undo { made: Vec::new(), temporary: Vec::new(), replaced: Vec::new(), done: false };
    for (path, content) in files {
        let folder = path.parent().unwrap_or(Path::new(""));
        let made = make_folder(folder).map_err(|error| failed(folder, error))?;
        undo.made.splice(0..0, made);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let temporary = folder.join(format!(".{name}.{}.new", std::process::id()));
        undo.temporary.push(temporary.clone());
        fs::write(&temporary, content).map_err(|error| failed(path, error))?;
        if path.is_dir() {
            return Err(failed(path, io::ErrorKind::IsADirectory.into()));
        }
    }
    for (index, (path, _)) in files.iter().enumerate() {
        let old = fs::read(path).ok();
        fs::rename(&undo.temporary[index], path).map_err(|error| failed(path, error))?;
        undo.replaced.push((path.clone(), old));
    }
    undo.done = true;
    Ok(())
}

/// Reads an object file.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    read_any(path, "valid: an ELF relocatable (.o) or executable (.elf) file")
}

/// The same for a file of any kind; `hint` says what is wanted.
///
/// # Errors
/// When it cannot be read.
pub fn read_any(path: &Path, hint: &str) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| {
        Error::request(format_args!("cannot read {}: {}", path.display(), reason(&error)), hint)
    })
}

/// What takes everything back when writing fails half-way.
struct Undo {
    made: Vec<PathBuf>,
    temporary: Vec<PathBuf>,
    replaced: Vec<(PathBuf, Option<Vec<u8>>)>,
    done: bool,
}

impl Drop for Undo {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        // the first failure is what the user hears about; taking back is as good as it gets
        for path in &self.temporary {
            let _ = fs::remove_file(path);
        }
        for (path, old) in &self.replaced {
            let _ = match old {
                Some(old) => fs::write(path, old),
                None => fs::remove_file(path),
            };
        }
        for folder in &self.made {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// Makes the folder and what is missing above it; gives what was made, the lowest first.
fn make_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let missing: Vec<PathBuf> = folder
        .ancestors()
        .take_while(|path| !path.as_os_str().is_empty() && !path.exists())
        .map(Path::to_owned)
        .collect();
    let mut made: Vec<PathBuf> = Vec::new();
    for path in missing.iter().rev() {
        if let Err(error) = fs::create_dir(path) {
            for path in &made {
                let _ = fs::remove_dir(path);
            }
            return Err(error);
        }
        made.insert(0, path.clone());
    }
    Ok(made)
}

/// The system's words, without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
