//! What registries and packagers want of each crate stands in its manifest.

use std::fs;
use std::path::{Path, PathBuf};

fn manifests() -> Vec<PathBuf> {
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let folders = [crates.clone(), crates.join("processors")];
    let entries = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap());
    let manifests = entries.map(|entry| entry.unwrap().path().join("Cargo.toml"));
    manifests.filter(|path| path.exists()).collect()
}

/// Lines of a table.
fn table<'a>(text: &'a str, name: &str) -> Vec<&'a str> {
    let lines = text.lines().skip_while(|line| *line != format!("[{name}]")).skip(1);
    lines.take_while(|line| !line.starts_with('[')).collect()
}

#[test]
fn every_crate_can_be_packed() {
    let workspace =
        fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../Cargo.toml")).unwrap();
    let own: Vec<&str> = table(&workspace, "workspace.dependencies");
    let mut published = Vec::new();
    for path in manifests() {
        let text = fs::read_to_string(&path).unwrap();
        if text.contains("publish = false") {
            continue;
        }
        let package = table(&text, "package").join("\n");
        for key in ["name", "description", "version", "license", "keywords", "categories", "rust-version"] {
            assert!(package.lines().any(|line| line.starts_with(key)), "{}: {key}", path.display());
        }
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
            assert!(path.with_file_name(licence).is_file(), "{}: {licence}", path.display());
        }
        let name = package.split("name = \"").nth(1).unwrap().split('"').next().unwrap().to_owned();
        let stated = own.iter().find(|line| line.starts_with(&format!("{name} = ")));
        assert!(
            stated.unwrap().contains("version = \""),
            "{name} has no version for those that depend on it"
        );
        // what is needed for tests alone may be unpublished
        for line in table(&text, "dev-dependencies").iter().filter(|line| line.starts_with("rhomb")) {
            assert!(line.contains("path = ") && !line.contains("version"), "{name}: {line}");
        }
        published.push(name);
    }
    assert!(published.len() >= 17, "{published:?}");
}
