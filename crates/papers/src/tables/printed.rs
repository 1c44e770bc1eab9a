//! Cells that stand in the papers' text and are no cycle figures of a method, and cells that are only
//! remembered.

use super::Paper;
use crate::data;
use serde::Deserialize;
use std::sync::LazyLock;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    cell: Vec<Entry>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Entry {
    pub(super) paper: String,
    pub(super) table: String,
    pub(super) row: String,
    pub(super) column: String,
    value: i64,
    status: Status,
    #[serde(default)]
    note: String,
}

#[derive(Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Status {
    /// Stands in the paper, or follows from what stands there.
    Published,
    /// Known from memory only; no published figure.
    Remembered,
}

impl Entry {
    /// The value, if the paper has it.
    pub(super) fn published(&self) -> Option<i64> {
        (self.status == Status::Published).then_some(self.value)
    }

    /// What to tell about it.
    pub(super) fn note(&self) -> String {
        match self.status {
            Status::Published => self.note.clone(),
            Status::Remembered => format!("remembered as {}, not seen in print", self.value),
        }
    }
}

pub(super) fn entries() -> &'static [Entry] {
    static ENTRIES: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let file: File = serde_json::from_str(data::text!("tables")).expect("the tests load it");
        file.cell
    });
    &ENTRIES
}

/// What the file says about a cell.
pub(super) fn entry(paper: Paper, table: &str, row: &str, column: &str) -> Option<&'static Entry> {
    entries()
        .iter()
        .find(|one| one.paper == paper.name() && one.table == table && one.row == row && one.column == column)
}
