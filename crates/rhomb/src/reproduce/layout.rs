//! A reproduction as text, JSON, Markdown or CSV.

use super::{ReproducedCell, ReproducedTable, Reproduction};
use rhomb_papers::Fraction;
use serde::Serialize;
use std::fmt::Write;

/// Lines of text are no longer than this, but for those of tables.
const WIDTH: usize = 100;

/// Headings of the columns; "of published" and "of formula" are what is measured divided by them.
const HEADINGS: [&str; 9] =
    ["row", "column", "published", "formula", "measured", "of published", "of formula", "unit", "note"];

impl Reproduction {
    /// Aligned columns for people, notes below each table.
    pub fn text(&self) -> String {
        let mut text = wrap(self.title, "");
        for table in &self.tables {
            text.push('\n');
            text.push_str(&wrap(&heading(table), ""));
            text.push_str(&wrap(table.about, "  "));
            text.push('\n');
            let mut notes: Vec<&str> = Vec::new();
            let mut lines = vec![HEADINGS.map(str::to_owned)];
            let mut last = "";
            for cell in &table.cells {
                let mut line = columns(cell, "unknown", "none");
                if cell.row == last {
                    line[0].clear();
                }
                last = &cell.row;
                if !cell.note.is_empty() {
                    let number = notes.iter().position(|note| *note == cell.note).unwrap_or_else(|| {
                        notes.push(&cell.note);
                        notes.len() - 1
                    });
                    line[8] = format!("[{}]", number + 1);
                }
                lines.push(line);
            }
            text.push_str(&aligned(&lines, &[2, 3, 4, 5, 6]));
            for (number, note) in notes.iter().enumerate() {
                text.push_str(&wrap(&format!("[{}] {note}", number + 1), "  "));
            }
        }
        text.push('\n');
        text.push_str(&wrap(&self.verdict(), ""));
        text
    }

    /// The papers' own grids: a line a row, and for each column what is published beside what is measured; behind each table
    /// its verdict.
    pub fn grid(&self) -> String {
        let mut text = wrap(self.title, "");
        for table in &self.tables {
            text.push('\n');
            text.push_str(&wrap(&heading(table), ""));
            text.push('\n');
            text.push_str(&grid(table));
            text.push('\n');
            text.push_str(&wrap(&verdict(&table.cells), "  "));
        }
        text
    }

    /// `56 cells: measured 50 as published, 4 below, 0 above; 2 not compared`.
    fn verdict(&self) -> String {
        verdict(self.tables.iter().flat_map(|table| &table.cells))
    }

    /// One array of flat records, with what is measured divided by what is published and by the formula's value.
    pub fn json(&self) -> String {
        #[derive(Serialize)]
        struct Record {
            #[serde(flatten)]
            cell: ReproducedCell,
            measured_to_published: Option<f64>,
            measured_to_formula: Option<f64>,
        }
        let record = |cell: ReproducedCell| {
            let measured = cell.measured.map(Fraction::from);
            let to = |other| ratio(measured, other).parse().ok();
            let (published, formula) = (to(cell.published), to(cell.formula));
            Record { cell, measured_to_published: published, measured_to_formula: formula }
        };
        let records: Vec<Record> = self.cells().map(record).collect();
        json_line(&records)
    }

    /// A section and a table for each table.
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", self.title);
        for table in &self.tables {
            // writing to a String cannot fail
            let _ = write!(text, "\n## {}\n\n{}\n\n", heading(table), table.about);
            let _ = writeln!(text, "| {} |", HEADINGS.join(" | "));
            text.push_str("|---|---|--:|--:|--:|--:|--:|---|---|\n");
            for cell in &table.cells {
                let mut line = columns(cell, "unknown", "none");
                line[8] = full_note(cell);
                let _ = writeln!(text, "| {} |", line.map(|field| field.replace('|', "\\|")).join(" | "));
            }
        }
        text
    }

    /// RFC 4180, with a line of headings; what is unknown is empty.
    pub fn csv(&self) -> String {
        let mut headings = vec!["paper".to_owned(), "table".to_owned()];
        headings.extend(HEADINGS.map(|heading| heading.replace("of ", "measured_to_")));
        let mut text = record(&headings);
        for cell in self.cells() {
            let mut fields = vec![cell.paper.to_owned(), cell.table.to_owned()];
            fields.extend(columns(&cell, "", ""));
            text.push_str(&record(&fields));
        }
        text
    }

    /// All cells, their notes complete.
    fn cells(&self) -> impl Iterator<Item = ReproducedCell> + '_ {
        let cells = self.tables.iter().flat_map(|table| &table.cells);
        cells.map(|cell| ReproducedCell { note: full_note(cell), ..cell.clone() })
    }
}

fn verdict<'a>(all: impl IntoIterator<Item = &'a ReproducedCell>) -> String {
    let (mut cells, mut counts) = (0, [0; 3]);
    for cell in all {
        cells += 1;
        if let Some((measured, published)) = cell.measured.map(Fraction::from).zip(cell.published) {
            let order = measured.value().total_cmp(&published.value());
            counts[(order as i8 + 1) as usize] += 1;
        }
    }
    let [below, same, above] = counts;
    let open = cells - below - same - above;
    format!("{cells} cells: measured {same} as published, {below} below, {above} above; {open} not compared")
}

/// A table as in the paper, with two columns for each of its own.
fn grid(table: &ReproducedTable) -> String {
    let (mut rows, mut columns): (Vec<&str>, Vec<&str>) = (Vec::new(), Vec::new());
    for cell in &table.cells {
        for (names, name) in [(&mut rows, &cell.row), (&mut columns, &cell.column)] {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    let figures = |row: &str, column: &str| {
        let cell = table.cells.iter().find(|cell| cell.row == row && cell.column == column);
        let shown = |value: Option<Fraction>| value.map_or("-".to_owned(), decimal);
        match cell {
            None => [String::new(), String::new()],
            Some(cell) => [shown(cell.published), shown(cell.measured.map(Fraction::from))],
        }
    };
    let mut lines = vec![vec!["row".to_owned()], vec![String::new()]];
    for column in &columns {
        lines[0].extend([String::new(), (*column).to_owned()]);
        lines[1].extend(["published".to_owned(), "measured".to_owned()]);
    }
    for row in &rows {
        let cells = columns.iter().flat_map(|column| figures(row, column));
        lines.push(std::iter::once((*row).to_owned()).chain(cells).collect());
    }
    let width = |at: usize| lines.iter().map(|line| line[at].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..=2 * columns.len()).map(width).collect();
    let mut text = String::new();
    for line in &lines {
        let mut out = format!("{:width$}", line[0], width = widths[0]);
        for (field, width) in line.iter().zip(&widths).skip(1) {
            // writing to a String cannot fail
            let _ = write!(out, "  {field:>width$}");
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text
}

pub(crate) fn json_line(records: &impl Serialize) -> String {
    let text = serde_json::to_string(records).unwrap_or_else(|error| unreachable!("plain data: {error}"));
    text + "\n"
}

fn heading(table: &ReproducedTable) -> String {
    let number = table.name.starts_with(|first: char| first.is_ascii_digit());
    let kind = if number { "Table " } else { "" };
    let name = if number { table.name.to_owned() } else { capitalised(table.name) };
    format!("{kind}{name}: {}", table.title)
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map_or(String::new(), |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

/// The note, with what a missing number means.
fn full_note(cell: &ReproducedCell) -> String {
    let unknown = if cell.published.is_none() { "the published figure is unknown" } else { "" };
    let parts = [unknown, &cell.note];
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

/// The fields in the order of the headings.
fn columns(cell: &ReproducedCell, unknown: &str, none: &str) -> [String; 9] {
    let measured = cell.measured.map(Fraction::from);
    [
        cell.row.clone(),
        cell.column.clone(),
        cell.published.map_or(unknown.to_owned(), decimal),
        cell.formula.map_or(none.to_owned(), decimal),
        measured.map_or(unknown.to_owned(), decimal),
        ratio(measured, cell.published),
        ratio(measured, cell.formula),
        cell.unit.to_owned(),
        cell.note.clone(),
    ]
}

fn decimal(value: Fraction) -> String {
    value.whole().map_or_else(|| value.value().to_string(), |whole| whole.to_string())
}

/// To three places; nothing where a side is missing or nothing can be divided by.
fn ratio(measured: Option<Fraction>, other: Option<Fraction>) -> String {
    match (measured, other) {
        (Some(measured), Some(other)) if other != Fraction::from(0) => {
            format!("{:.3}", measured.value() / other.value())
        }
        _ => String::new(),
    }
}

/// Columns of numbers to the right, all others to the left.
pub(crate) fn aligned(lines: &[[String; 9]], numbers: &[usize]) -> String {
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..9).map(width).collect();
    let mut text = String::new();
    for line in lines {
        let mut out = String::new();
        for (column, (field, width)) in line.iter().zip(&widths).enumerate() {
            // writing to a String cannot fail
            let _ = match numbers.contains(&column) {
                true => write!(out, "{field:>width$}  "),
                false => write!(out, "{field:width$}  "),
            };
        }
        text.push_str(out.trim_end());
        text.push('\n');
    }
    text
}

/// Words in lines of at most [`WIDTH`], each line behind `indent`.
pub(crate) fn wrap(words: &str, indent: &str) -> String {
    let mut text = String::new();
    let mut line = String::new();
    for word in words.split_whitespace() {
        if !line.is_empty() && indent.len() + line.len() + 1 + word.len() > WIDTH {
            let _ = writeln!(text, "{indent}{line}");
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    if !line.is_empty() {
        let _ = writeln!(text, "{indent}{line}");
    }
    text
}

/// A record of CSV.
pub(crate) fn record(fields: &[String]) -> String {
    let quoted: Vec<String> = fields.iter().map(|field| field_text(field)).collect();
    quoted.join(",") + "\r\n"
}

fn field_text(field: &str) -> String {
    if field.contains([',', '"', '\r', '\n']) {
        format!("\"{}\"", field.replace('"', "\"\""))
    } else {
        field.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(published: Option<Fraction>, measured: Option<i64>) -> Reproduction {
        let cell = ReproducedCell {
            paper: "p",
            table: "1",
            row: "a, \"b\"".to_owned(),
            column: "c|d".to_owned(),
            published,
            formula: None,
            measured,
            unit: "loads",
            note: "n".to_owned(),
        };
        let table = ReproducedTable { name: "1", title: "t", about: "About.", cells: vec![cell] };
        Reproduction { title: "T", tables: vec![table] }
    }

    #[test]
    fn csv_quotes_what_needs_it() {
        let csv = one(Some(Fraction::new(231, 2)), Some(77)).csv();
        let lines: Vec<&str> = csv.split("\r\n").collect();
        assert_eq!(lines[1], "p,1,\"a, \"\"b\"\"\",c|d,115.5,,77,0.667,,loads,n");
        assert_eq!((lines.len(), lines[2]), (3, ""));
    }

    #[test]
    fn json_has_null_for_what_is_unknown() {
        let expected = r#"[{"paper":"p","table":"1","row":"a, \"b\"","column":"c|d","published":null,"#
            .to_owned()
            + r#""formula":null,"measured":5,"unit":"loads","note":"the published figure is unknown; n","#
            + r#""measured_to_published":null,"measured_to_formula":null}]"#;
        assert_eq!(one(None, Some(5)).json(), expected + "\n");
        let half = one(Some(Fraction::new(1, 2)), None).json();
        assert!(half.contains(r#""published":0.5,"formula":null,"measured":null"#), "{half}");
    }

    #[test]
    fn text_says_what_is_unknown_and_numbers_the_notes() {
        let text = one(None, None).text();
        assert!(text.contains("Table 1: t\n  About.\n"), "{text}");
        assert!(text.contains("unknown     none   unknown"), "{text}");
        let end =
            "loads  [1]\n  [1] n\n\n1 cells: measured 0 as published, 0 below, 0 above; 1 not compared\n";
        assert!(text.ends_with(end), "{text}");
    }

    #[test]
    fn a_grid_has_two_columns_for_each_of_the_paper() {
        let grid = one(Some(Fraction::from(7)), Some(5)).grid();
        let table = "\n        published  measured\na, \"b\"          7         5\n";
        assert!(grid.contains(&format!("\nrow{:21}c|d{table}", "")), "{grid}");
        let verdict = "\n\n  1 cells: measured 0 as published, 1 below, 0 above; 0 not compared\n";
        assert!(grid.ends_with(verdict), "{grid}");
        assert!(one(None, None).grid().contains("          -         -\n"));
    }

    #[test]
    fn a_bar_does_not_end_a_cell_of_markdown() {
        let markdown = one(Some(Fraction::from(0)), Some(0)).markdown();
        assert!(markdown.contains("| c\\|d | 0 | none | 0 |  |  | loads | n |"), "{markdown}");
    }

    #[test]
    fn long_lines_are_wrapped() {
        let text = wrap(&"word ".repeat(60), "  ");
        assert!(text.lines().all(|line| line.len() <= WIDTH && line.starts_with("  word")));
        assert_eq!(text.split_whitespace().count(), 60);
    }
}
