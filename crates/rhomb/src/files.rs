//! Writes a set of files: all of them, or none. What is no regular file is treated as `cp` would.

mod input;
mod kind;
mod same;

use crate::error::Error;
pub use input::{Input, read};
use kind::Kind;
pub use same::{check_picture, check_same, check_table};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes `files` (path and content); a folder that is not there is made.
///
/// A regular file is replaced as a whole, and keeps its mode; of a symbolic link, the file that it leads to. What is no
/// regular file, such as a device or a pipe, is written to as it is.
///
/// # Errors
/// When one cannot be written. Then every regular file is as it was before, and so are the folders.
pub fn write_all(files: &[(PathBuf, impl AsRef<[u8]>)]) -> Result<(), Error> {
    let failed = |path: &Path, error: io::Error| {
        let fault = format!("cannot write {}: {}", path.display(), reason(&error));
        Error::request(
            fault,
            "nothing was written; -o names a folder that can be written to, -o - standard output",
        )
    };
    let mut undo = Undo::default();
    let (mut staged, mut streams): (Vec<Staged<'_>>, Vec<Stream<'_>>) = (Vec::new(), Vec::new());
    for (path, content) in files {
        let content = content.as_ref();
        let fault = |error| failed(path, error);
        let folder = path.parent().unwrap_or(Path::new(""));
        undo.make_folder(folder).map_err(|error| failed(folder, error))?;
        match kind::of(path).map_err(fault)? {
            Kind::Stream(open) => streams.push((path, content, open)),
            Kind::File { place, old } => {
                if staged.iter().any(|(.., other)| other.path == place) {
                    let fault = format!("{} is to be two files at once", path.display());
                    return Err(Error::request(
                        fault,
                        "nothing was written; each file needs a name of its own",
                    ));
                }
                let temporary = undo.stage(&place, content, old.as_ref()).map_err(fault)?;
                let has_other_names = old.as_ref().is_some_and(kind::has_other_names);
                staged.push((
                    path,
                    temporary,
                    Destination { path: place, is_old: old.is_some(), has_other_names },
                ));
            }
        }
    }
    // what cannot be taken back comes when all the rest has its place on the disk
    for (path, content, open) in streams {
        let written = open().and_then(|mut out| out.write_all(content).and_then(|()| out.flush()));
        match written {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(failed(path, error)),
            _ => {}
        }
    }
    for (path, temporary, place) in staged {
        undo.replace(&temporary, place).map_err(|error| failed(path, error))?;
    }
    undo.done();
    Ok(())
}

/// The path as it was given, the temporary file, and its place.
type Staged<'a> = (&'a Path, PathBuf, Destination);
/// The path, what is written to it, and how it is opened.
type Stream<'a> = (&'a Path, &'a [u8], kind::Open<'a>);

/// Where a regular file is to be.
struct Destination {
    path: PathBuf,
    /// Whether a file is there.
    is_old: bool,
    /// Whether it has further names (hard links), which are to lead to the new content, too.
    has_other_names: bool,
}

impl Destination {
    /// Puts the content of `from` here.
    fn take(&self, from: &Path) -> io::Result<()> {
        if self.has_other_names { fs::copy(from, &self.path).map(drop) } else { fs::rename(from, &self.path) }
    }
}

/// What takes everything back when writing fails half-way.
#[derive(Default)]
struct Undo {
    folders: Vec<PathBuf>,
    temporary: Vec<PathBuf>,
    /// With a copy of the old file.
    replaced: Vec<(Destination, Option<PathBuf>)>,
}

impl Undo {
    /// Makes the folder and what is missing above it.
    fn make_folder(&mut self, folder: &Path) -> io::Result<()> {
        let is_missing = |path: &&Path| !path.as_os_str().is_empty() && !path.exists();
        let missing: Vec<&Path> = folder.ancestors().take_while(is_missing).collect();
        for path in missing.into_iter().rev() {
            fs::create_dir(path)?;
            self.folders.push(path.to_owned());
        }
        Ok(())
    }

    /// Writes a file beside its place, with the mode of the old one.
    fn stage(&mut self, place: &Path, content: &[u8], old: Option<&fs::Metadata>) -> io::Result<PathBuf> {
        if old.is_some() {
            // a file that may not be written is not replaced either
            OpenOptions::new().write(true).open(place)?;
        }
        let (path, mut file) = self.beside(place)?;
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(content)?;
        // some file systems say only now that they are full
        file.sync_all()?;
        Ok(path)
    }

    /// A new file in the same folder, whose name nobody has.
    fn beside(&mut self, place: &Path) -> io::Result<(PathBuf, File)> {
        let mut number = 0;
        loop {
            let path = place.with_file_name(format!(".rhomb-{}-{number}", std::process::id()));
            match OpenOptions::new().write(true).create_new(true).open(&path) {
                Ok(file) => {
                    self.temporary.push(path.clone());
                    return Ok((path, file));
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// Puts a file in its place.
    fn replace(&mut self, temporary: &Path, place: Destination) -> io::Result<()> {
        let mut copy = None;
        if place.is_old {
            let (path, _) = self.beside(&place.path)?;
            fs::copy(&place.path, &path)?;
            copy = Some(path);
        }
        let taken = place.take(temporary);
        if taken.is_ok() || place.has_other_names {
            self.replaced.push((place, copy));
        }
        taken
    }

    /// Forgets all but the copies, which are no longer needed.
    fn done(&mut self) {
        self.folders.clear();
        self.replaced.clear();
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        // the first failure is what the user hears about; taking back is as good as it gets
        for (place, copy) in &self.replaced {
            let _ = match copy {
                Some(copy) => place.take(copy),
                None => fs::remove_file(&place.path),
            };
        }
        for path in &self.temporary {
            let _ = fs::remove_file(path);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
    }
}

/// The system's words, without its number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_lowercase()
}
