//! The data files: `build.rs` makes JSON of them.

use serde::de::DeserializeOwned;

/// The text of the data file of that name.
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name, ".json"))
    };
}
pub(crate) use text;

/// What a data file says; what is wrong with it otherwise.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, serde_json::Error> {
    serde_json::from_str(text)
}
