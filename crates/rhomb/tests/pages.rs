//! Tables of the pages that tests make.

use std::path::{Path, PathBuf};

/// The page of that name.
fn page(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(name)
}

/// The line of a page that begins so.
pub(crate) fn line_of(name: &str, beginning: &str) -> String {
    let text = std::fs::read_to_string(page(name)).unwrap();
    let line = text.lines().find(|line| line.starts_with(beginning));
    line.map(|line| format!("{line}\n")).unwrap_or_else(|| panic!("no line '{beginning}' in {name}"))
}

/// Whether a page has rows, one behind the other or not.
pub(crate) fn has_rows(name: &str, rows: &str) {
    let text = std::fs::read_to_string(page(name)).unwrap();
    for row in rows.lines() {
        assert!(text.lines().any(|line| line == row), "{name} lacks {row}");
    }
}

/// Compares the rows under a table's head with those that the page has; `RHOMB_TABLES` writes them anew.
pub(crate) fn compare_table(name: &str, head: &str, rows: &str) {
    let page = page(name);
    let text = std::fs::read_to_string(&page).unwrap();
    let start = text.find(head).map(|at| at + head.len()).unwrap();
    let end = start + text[start..].find("\n\n").unwrap() + 1;
    if std::env::var_os("RHOMB_TABLES").is_some() {
        std::fs::write(&page, format!("{}{rows}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[start..end], rows);
    }
}
