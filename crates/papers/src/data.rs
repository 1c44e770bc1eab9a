//! The data files: `build.rs` makes JSON of them.

/// The text of the data file of that name.
macro_rules! text {
    ($name:literal) => {
        include_str!(concat!(env!("OUT_DIR"), "/", $name, ".json"))
    };
}
pub(crate) use text;
