//! Which cores a family's figures hold for.

use crate::{Figure, Scope, data};
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    family: Vec<Family>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Family {
    name: String,
    cores: Vec<String>,
    #[serde(default)]
    body_only: Vec<String>,
    record: Option<String>,
    #[serde(default)]
    paired: bool,
}

static FAMILIES: LazyLock<Vec<Family>> = LazyLock::new(|| {
    let file: File = serde_json::from_str(data::text!("cores")).expect("the tests load it");
    file.family
});

/// Whether `figure` holds for `core`, which is a core's or a family's name.
pub(crate) fn holds(figure: &Figure, core: &str) -> bool {
    let family = FAMILIES.iter().find(|family| family.name == figure.family);
    family.is_some_and(|family| {
        family.name == core
            || family.cores.iter().any(|name| name == core)
            || (figure.scope == Scope::Body && family.body_only.iter().any(|name| name == core))
    })
}

/// The families for which records are kept: name, the core on which what is ours is measured, and whether its loads are
/// counted as paired.
pub(crate) fn with_records() -> impl Iterator<Item = (&'static str, &'static str, bool)> {
    let of = |family: &'static Family| {
        let core = family.record.as_deref()?;
        Some((family.name.as_str(), core, family.paired))
    };
    FAMILIES.iter().filter_map(of)
}

/// Whether a family of that name is listed.
pub(crate) fn is_family(name: &str) -> bool {
    FAMILIES.iter().any(|family| family.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn no_core_is_listed_twice() {
        let mut seen = HashSet::new();
        for family in FAMILIES.iter() {
            // a family of one core may have its name
            let own = (!family.cores.is_empty()).then_some(&family.name);
            for name in family.cores.iter().chain(&family.body_only).chain(own) {
                assert!(seen.insert(name), "{name}");
            }
        }
    }
}
