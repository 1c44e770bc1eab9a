//! Writes a set of files: all of them, or none.

use crate::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Writes `files` (name and content) into `folder`, which is made if it is not there. Gives their
/// paths.
///
/// # Errors
/// When one cannot be written. Then every file is as it was before, and so is the folder.
pub fn write_all(folder: &Path, files: &[(String, &str)]) -> Result<Vec<PathBuf>, Error> {
    let paths: Vec<PathBuf> = files.iter().map(|(name, _)| folder.join(name)).collect();
    let failed = |path: &Path, error: io::Error| {
        let fault = format!("cannot write {}: {}", path.display(), reason(&error));
        Error::request(
            fault,
            "nothing was written; -o names a folder that can be written to, -o - standard output",
        )
    };
    let made = make_folder(folder).map_err(|error| failed(folder, error))?;
    let mut undo = Undo { made, temporary: Vec::new(), replaced: Vec::new(), done: false };
    for (path, (name, content)) in paths.iter().zip(files) {
        let temporary = folder.join(format!(".{name}.{}.new", std::process::id()));
        undo.temporary.push(temporary.clone());
        fs::write(&temporary, content).map_err(|error| failed(path, error))?;
        if path.is_dir() {
            return Err(failed(path, io::ErrorKind::IsADirectory.into()));
        }
    }
    for (index, path) in paths.iter().enumerate() {
        let old = fs::read(path).ok();
        fs::rename(&undo.temporary[index], path).map_err(|error| failed(path, error))?;
        undo.replaced.push((path.clone(), old));
    }
    undo.done = true;
    Ok(paths)
}

/// Reads a file.
///
/// # Errors
/// When it cannot be read.
pub fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| {
        let fault = format!("cannot read {}: {}", path.display(), reason(&error));
        Error::request(fault, "valid: an ELF relocatable (.o) or executable (.elf) file")
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
