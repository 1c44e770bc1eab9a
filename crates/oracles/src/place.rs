use std::path::PathBuf;

/// Folder of the harnesses: `RHOMB_ORACLES`, or `target/oracles` of the workspace.
pub fn place() -> PathBuf {
    match std::env::var_os("RHOMB_ORACLES") {
        Some(place) => place.into(),
        None => workspace().join("target/oracles"),
    }
}

pub(crate) fn workspace() -> PathBuf {
    PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Ends the test with the way out.
pub(crate) fn missing(what: &str, error: &dyn std::fmt::Display) -> ! {
    panic!("{what}: {error}\nhint: run tests/oracles/setup")
}
