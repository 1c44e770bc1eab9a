//! Rhomb as a WebAssembly module: one JSON request in, one JSON reply out.
//!
//! A request names what to do in its key `do`; a reply is `{"ok": ...}`, or `{"error": {"fault": ..., "hint": ...}}`. All
//! arithmetic and all proofs are the library's: here requests are read and answers written. The page in `web/` is the
//! only user, in a worker.

mod describe;
mod examine;
mod make;
mod memory;
mod request;

pub use memory::{rhomb_allocate, rhomb_call, rhomb_free};

use rhomb::Error;
use serde::Deserialize;
use serde_json::{Value, json};

/// What is asked.
#[derive(Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
enum Asked {
    /// What can be named in a request.
    List,
    /// A routine with its figures and files.
    Generate(request::Wanted),
    /// The rhombus of a routine.
    Picture(request::Wanted),
    /// A chart of cycles.
    Chart(request::Charted),
    /// One call of a listing, instruction by instruction.
    Play(examine::Listing),
    /// Whether a listing keeps its contract.
    Verify(examine::Listing),
    /// The functions of an object file.
    Functions(examine::File),
    /// Whether a function of an object file keeps its contract.
    VerifyFile(examine::Function),
    /// A paper's tables.
    Paper(describe::Paper),
}

/// The reply to a request.
pub fn call(request: &[u8]) -> String {
    let answer = match serde_json::from_slice(request) {
        Ok(asked) => answer(asked),
        Err(error) => Err(Error::request(
            format_args!("the request cannot be read: {error}"),
            "the page and its core belong together; reload",
        )),
    };
    match answer {
        Ok(answer) => json!({ "ok": answer }).to_string(),
        Err(error) => json!({ "error": { "fault": error.fault, "hint": error.hint } }).to_string(),
    }
}

fn answer(asked: Asked) -> Result<Value, Error> {
    match asked {
        Asked::List => Ok(describe::list()),
        Asked::Generate(wanted) => make::generate(&wanted),
        Asked::Picture(wanted) => make::picture(&wanted),
        Asked::Chart(charted) => make::chart(&charted),
        Asked::Play(listing) => listing.play(),
        Asked::Verify(listing) => listing.verify(),
        Asked::Functions(file) => file.functions(),
        Asked::VerifyFile(function) => function.verify(),
        Asked::Paper(paper) => paper.tables(),
    }
}
