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

/// All sources in a folder.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().map(|entry| entry.unwrap().path());
    let (folders, files): (Vec<PathBuf>, Vec<PathBuf>) = entries.partition(|path| path.is_dir());
    let own = files.into_iter().filter(|path| path.extension().is_some_and(|extension| extension == "rs"));
    own.chain(folders.iter().flat_map(|folder| sources(folder))).collect()
}

/// A library that is left out of the tests has none, and each source of a crate is named by another one, or is one by itself.
#[test]
fn no_test_is_left_out() {
    let (mut untested, mut named) = (0, 0);
    for path in manifests() {
        let (text, folder) = (fs::read_to_string(&path).unwrap(), path.parent().unwrap());
        let texts_of = |folder: &str| {
            let paths = sources(&path.with_file_name(folder)).into_iter();
            paths.map(|path| (fs::read_to_string(&path).unwrap(), path)).collect::<Vec<_>>()
        };
        let (own, tests) = (texts_of("src"), texts_of("tests"));
        if table(&text, "lib").contains(&"test = false") {
            untested += 1;
            for (text, source) in &own {
                assert!(!text.contains("#[test]"), "{} is never run", source.display());
            }
        }
        for (all, top) in [(&own, "src"), (&tests, "tests")] {
            let is_root = |source: &Path| {
                let name = source.file_name().unwrap();
                let is_top = source.parent().unwrap() == folder.join(top);
                let is_alone = top == "tests" && !text.contains("autotests = false") || name == "all.rs";
                name == "lib.rs" || name == "main.rs" || is_top && is_alone
            };
            for (_, source) in all.iter().filter(|(_, source)| !is_root(source)) {
                let folder_of = source.parent().unwrap();
                let of = if source.file_name().unwrap() == "mod.rs" { folder_of } else { source };
                let line = format!("mod {};", of.file_stem().unwrap().to_str().unwrap());
                let is_named = all.iter().any(|(text, _)| text.lines().any(|own| own.ends_with(&line)));
                assert!(is_named, "{} belongs to nothing", source.display());
                named += 1;
            }
        }
    }
    assert!(untested > 0 && named > 500, "{untested} {named}");
}
