use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Says what may be written: `lower` what is new, or no slower and no larger than before; `overwrite` anything.
const VARIABLE: &str = "RHOMB_LEDGER";

/// What a kernel was when it was last looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    /// Of the slowest call that its test makes.
    cycles: u64,
    bytes: usize,
    /// The first 32 bits of the SHA-256 of the code, hexadecimal.
    hash: String,
}

/// Entries by the first part of a kernel's name and by the short form of the rest.
type Entries = BTreeMap<String, BTreeMap<String, Entry>>;

/// The cycles and the code of all kernels that a processor's tests make, in a file: a line for each operation, method
/// and size, on it for each kernel its parameters, cycles, bytes, and the first digits of the SHA-256 of the code. A change
/// that makes one slower or larger fails its test, and so does a change of the code alone until somebody has said by
/// `RHOMB_LEDGER=lower` that it was meant.
///
/// What is written is put behind the other lines, of which the last one for a kernel holds; the next run that writes
/// puts them in order.
pub struct Ledger {
    path: PathBuf,
    entries: Mutex<Entries>,
}

impl Ledger {
    /// The ledger in the folder `tests` of a crate.
    ///
    /// # Panics
    /// A file that cannot be read, or whose lines are not in order.
    pub fn of(manifest_dir: &str) -> Ledger {
        let path = Path::new(manifest_dir).join("tests/ledger.txt");
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let mut entries = Entries::new();
        for line in text.lines() {
            let (group, rest) =
                line.split_once(": ").unwrap_or_else(|| panic!("no line of a ledger: {line}"));
            let group = entries.entry(group.to_owned()).or_default();
            let read = |one| read(one).unwrap_or_else(|| panic!("no entry of a ledger: {one}"));
            group.extend(rest.split(' ').map(read));
        }
        let ordered = written(&entries);
        if ordered != text {
            assert!(mode().is_some(), "{} is not in order: once more with {VARIABLE}=lower", path.display());
            std::fs::write(&path, ordered).expect("the ledger can be written");
        }
        Ledger { path, entries: Mutex::new(entries) }
    }

    /// Compares a kernel with its line.
    ///
    /// # Panics
    /// Where they differ, and the environment does not say that this is meant.
    pub fn check(&self, kernel: &str, cycles: u64, code: &[u8]) {
        let (group, key) = parts(kernel);
        let hash = Sha256::digest(code).iter().take(4).fold(String::new(), |mut text, byte| {
            let _ = write!(text, "{byte:02x}");
            text
        });
        let new = Entry { cycles, bytes: code.len(), hash };
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let of_group = entries.entry(group.clone()).or_default();
        let old = of_group.get(&key);
        if old == Some(&new) {
            return;
        }
        let is_lower = old.is_none_or(|old| new.cycles <= old.cycles && new.bytes <= old.bytes);
        let may = match mode().as_deref() {
            Some("overwrite") => true,
            Some("lower") => is_lower,
            _ => false,
        };
        let told = match old {
            None => "is new".to_owned(),
            Some(old) => format!(
                "took {} cycles and {} bytes, now {} and {}",
                old.cycles, old.bytes, new.cycles, new.bytes
            ),
        };
        assert!(may, "ledger: {kernel} {told}; {VARIABLE}=lower writes what is no slower and no larger");
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(&self.path);
        let file = file.as_mut().expect("the ledger can be written");
        let line = format!("{group}: {}\n", entry(&key, &new));
        file.write_all(line.as_bytes()).expect("the ledger can be written");
        of_group.insert(key, new);
    }
}

fn mode() -> Option<String> {
    std::env::var(VARIABLE).ok()
}

/// A name before its parameters, and these in short: `cache 8, carry-once 2` is `c8co2`.
fn parts(kernel: &str) -> (String, String) {
    let (group, rest) = kernel.split_once(", ").unwrap_or((kernel, ""));
    let short = |parameter: &str| {
        let (name, value) = parameter.split_once(' ').unwrap_or(("", parameter));
        let initials: String = name.split('-').filter_map(|word| word.chars().next()).collect();
        initials + &value.replace(' ', "_")
    };
    let key: String = rest.split(", ").map(short).collect();
    (group.replace(':', ""), if key.is_empty() { "-".to_owned() } else { key })
}

fn entry(key: &str, Entry { cycles, bytes, hash }: &Entry) -> String {
    format!("{key}={cycles}/{bytes}/{hash}")
}

fn written(entries: &Entries) -> String {
    let line = |(group, all): (&String, &BTreeMap<String, Entry>)| {
        let all: Vec<String> = all.iter().map(|(key, one)| entry(key, one)).collect();
        format!("{group}: {}\n", all.join(" "))
    };
    entries.iter().map(line).collect()
}

fn read(text: &str) -> Option<(String, Entry)> {
    let (key, rest) = text.split_once('=')?;
    let mut fields = rest.split('/');
    let (cycles, bytes, hash) = (fields.next()?, fields.next()?, fields.next()?);
    let entry = Entry { cycles: cycles.parse().ok()?, bytes: bytes.parse().ok()?, hash: hash.to_owned() };
    Some((key.to_owned(), entry))
}
