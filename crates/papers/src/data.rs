//! The text of a data file.

use serde::de::DeserializeOwned;

/// What a data file says; what is wrong with it otherwise. All values are read before they are asked for by type, since a
/// reader of text for each type would take much of the page's modules.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Result<T, toml::de::Error> {
    text.parse::<toml::Table>()?.try_into()
}
