//! Tables of the pages that tests make.

use std::path::Path;

/// Compares the rows under a table's head with those that the page has; `RHOMB_TABLES` writes them anew.
pub(crate) fn compare_table(page: &str, head: &str, rows: &str) {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs").join(page);
    let text = std::fs::read_to_string(&page).unwrap();
    let start = text.find(head).map(|at| at + head.len()).unwrap();
    let end = start + text[start..].find("\n\n").unwrap() + 1;
    if std::env::var_os("RHOMB_TABLES").is_some() {
        std::fs::write(&page, format!("{}{rows}{}", &text[..start], &text[end..])).unwrap();
    } else {
        assert_eq!(&text[start..end], rows);
    }
}
