//! Whether a file that is there may be replaced without a word.

use crate::error::{Error, shown};
use rhomb_papers::tables::Paper;
use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

/// Bytes at a file's start among which the command line stands that made it.
const TOP: u64 = 1 << 14;
/// How a command line in a file begins.
const COMMAND: &str = "rhomb generate ";
/// How tables of ours begin for programs; for people, with a paper's title.
const TABLES: [&str; 2] = ["[{\"paper\":\"", "paper,table,row,"];
/// What pictures of ours have at their top: as SVG, as TikZ and as PNG.
const PICTURES: [&str; 3] =
    ["role=\"img\" aria-labelledby=\"title desc\"", "% drawn by rhomb", "Software\0rhomb"];

/// Refuses to replace a file that is not there by the same request: for the same function, target and convention.
///
/// # Errors
/// The file is another one; the hint says how it is replaced.
pub fn check_same(path: &Path, command_line: &str) -> Result<(), Error> {
    let Some(top) = top(path) else { return Ok(()) };
    let old = top.lines().find_map(|line| line.find(COMMAND).map(|at| line[at..].trim()));
    match old {
        Some(old) if request(old) == request(command_line) => Ok(()),
        Some(old) => {
            let request = old.split(" --method ").next().unwrap_or_default();
            Err(other(path, &format!("exists, written by `{}`", shown(request))))
        }
        None => Err(other(path, "exists, and rhomb did not write it")),
    }
}

/// Refuses to replace a file that is no picture of ours.
///
/// # Errors
/// The same.
pub fn check_picture(path: &Path) -> Result<(), Error> {
    match top(path) {
        Some(top) if !PICTURES.iter().any(|mark| top.contains(mark)) => {
            Err(other(path, "exists, and rhomb did not draw it"))
        }
        _ => Ok(()),
    }
}

/// Refuses to replace a file that has no tables of papers.
///
/// # Errors
/// The same.
pub fn check_table(path: &Path) -> Result<(), Error> {
    let is_table = |top: &str| {
        // of a title as much as a first line has
        let begins = |title: &str| {
            title.get(..40).is_some_and(|title| top.trim_start_matches("# ").starts_with(title))
        };
        TABLES.iter().any(|start| top.starts_with(start))
            || Paper::ALL.iter().any(|paper| begins(paper.title()))
    };
    match top(path) {
        Some(top) if !is_table(&top) => Err(other(path, "exists, and rhomb did not write it")),
        _ => Ok(()),
    }
}

fn other(path: &Path, what: &str) -> Error {
    let fault = format!("{} {what}; valid: a new name, or --force", path.display());
    Error::request(fault, "nothing was written; --force replaces it, -o DIR writes to another folder")
}

/// The beginning of a regular file that is not empty.
fn top(path: &Path) -> Option<String> {
    let metadata = fs::metadata(path).ok()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return None;
    }
    let mut top = Vec::new();
    // what cannot be read is not ours
    let _ = File::open(path).and_then(|file| file.take(TOP).read_to_end(&mut top));
    Some(String::from_utf8_lossy(&top).into_owned())
}

/// What a command line asks for: the operation, and the options that say which function it is.
fn request(line: &str) -> Vec<&str> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let own = [
        "--bits",
        "--modulus",
        "--polynomial",
        "--curve",
        "--public",
        "--target",
        "--extension",
        "--convention",
    ];
    let options =
        words.windows(2).filter(|pair| own.contains(&pair[0])).flat_map(|pair| pair.iter().copied());
    words.get(2).copied().into_iter().chain(options).collect()
}
