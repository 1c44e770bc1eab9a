//! What stands under a path that is to be written.

use std::fs::{self, Metadata, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Opens what is written to as it is.
pub(super) type Open<'a> = Box<dyn FnOnce() -> io::Result<Box<dyn Write>> + 'a>;

pub(super) use system::has_other_names;

/// What a path leads to.
pub(super) enum Kind<'a> {
    /// A regular file, or nothing yet; links are followed.
    File {
        /// Where it is.
        place: PathBuf,
        /// The file that is there.
        old: Option<Metadata>,
    },
    /// A device, a pipe, or what this program prints to.
    Stream(Open<'a>),
}

/// Looks at a path without opening what is there.
pub(super) fn of(path: &Path) -> io::Result<Kind<'_>> {
    let ends_as_folder = path.as_os_str().as_encoded_bytes().ends_with(b"/");
    let Some(name) = path.file_name().filter(|_| !ends_as_folder) else {
        return Err(io::ErrorKind::IsADirectory.into());
    };
    let old = match fs::metadata(path) {
        Ok(old) => old,
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            // a link that leads nowhere is refused, as `cp` does
            if path.is_symlink() {
                return Err(error);
            }
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let place = folder.unwrap_or(Path::new(".")).canonicalize()?.join(name);
            return Ok(Kind::File { place, old: None });
        }
        Err(error) => return Err(error),
    };
    if old.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    if let Some(open) = system::printed_to(&old) {
        return Ok(Kind::Stream(open));
    }
    if !old.is_file() {
        let open = move || -> io::Result<Box<dyn Write>> {
            Ok(Box::new(OpenOptions::new().write(true).open(path)?))
        };
        return Ok(Kind::Stream(Box::new(open)));
    }
    Ok(Kind::File { place: path.canonicalize()?, old: Some(old) })
}

#[cfg(unix)]
mod system {
    use super::{Metadata, Open};
    use std::fs::File;
    use std::io;
    use std::os::fd::AsFd;
    use std::os::unix::fs::MetadataExt;

    /// Standard output or error, if that is the file: opened anew, it would be written from its start.
    pub(super) fn printed_to(file: &Metadata) -> Option<Open<'static>> {
        let is_same = |descriptor: &dyn AsFd| {
            let own = descriptor.as_fd().try_clone_to_owned().map(File::from).and_then(|own| own.metadata());
            own.is_ok_and(|own| (own.dev(), own.ino()) == (file.dev(), file.ino()))
        };
        if is_same(&io::stdout()) {
            return Some(Box::new(|| Ok(Box::new(io::stdout()))));
        }
        if is_same(&io::stderr()) {
            return Some(Box::new(|| Ok(Box::new(io::stderr()))));
        }
        None
    }

    pub(in crate::files) fn has_other_names(file: &Metadata) -> bool {
        file.nlink() > 1
    }
}

#[cfg(not(unix))]
mod system {
    use super::{Metadata, Open};

    pub(super) fn printed_to(_: &Metadata) -> Option<Open<'static>> {
        None
    }

    pub(in crate::files) fn has_other_names(_: &Metadata) -> bool {
        false
    }
}
