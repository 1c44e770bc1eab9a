//! Ends the process when an input takes too long or too much memory, and keeps the input.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::exit;
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

/// Seconds that an input may take.
const MOST_SECONDS: u64 = 10;
/// Resident bytes that the process may have.
const MOST_BYTES: u64 = 2 << 30;

/// An input, and since when it is being run.
struct Running {
    since: Instant,
    input: Vec<u8>,
}

/// What is being run.
#[derive(Clone, Default)]
pub(crate) struct Watch(Arc<Mutex<Option<Running>>>);

impl Watch {
    /// Starts to watch; what is stopped is kept in `folder`.
    pub(crate) fn start(folder: &Path) -> Watch {
        let watch = Watch::default();
        let (own, folder) = (watch.clone(), folder.to_owned());
        thread::spawn(move || {
            loop {
                thread::sleep(Duration::from_millis(250));
                own.look(&folder);
            }
        });
        watch
    }

    /// An input begins.
    pub(crate) fn begin(&self, input: &[u8]) {
        *self.0.lock().expect("no panic while it is locked") =
            Some(Running { since: Instant::now(), input: input.to_vec() });
    }

    /// It has ended.
    pub(crate) fn end(&self) {
        *self.0.lock().expect("no panic while it is locked") = None;
    }

    fn look(&self, folder: &Path) {
        let current = self.0.lock().expect("no panic while it is locked");
        let Some(Running { since, input }) = current.as_ref() else { return };
        let what = if since.elapsed().as_secs() >= MOST_SECONDS {
            "slow"
        } else if resident() > MOST_BYTES {
            "large"
        } else {
            return;
        };
        println!("FINDING {what}: {}", keep(folder, what, input).display());
        exit(1);
    }
}

/// Writes an input to a file and gives its name.
pub(crate) fn keep(folder: &Path, what: &str, input: &[u8]) -> PathBuf {
    let hash = rhomb_certificate::sha256(input);
    let path = folder.join(format!("{what}-{}", &hash[..12]));
    if let Err(error) = fs::create_dir_all(folder).and_then(|()| fs::write(&path, input)) {
        println!("{}: {error}", path.display());
    }
    path
}

/// Resident bytes of this process; 0 where the system does not tell.
fn resident() -> u64 {
    let text = fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages: Option<u64> = text.split(' ').nth(1).and_then(|pages| pages.parse().ok());
    pages.unwrap_or(0) * 4096
}
