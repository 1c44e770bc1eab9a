//! The tables against the formulas, and what of them does not depend on our programs against a copy.
//!
//! After a change that is meant, `RHOMB_TABLES=overwrite cargo test -p rhomb-papers --test tables` brings the
//! copies up to date.

use rhomb_papers::formulas::{hutter_wenger, seo_kim};
use rhomb_papers::tables::{Cell, Paper};
use rhomb_papers::{Fraction, Status, figures};
use std::fmt::Write;
use std::path::Path;

fn cells(paper: Paper, table: &str) -> Vec<Cell> {
    paper.tables().into_iter().find(|one| one.name == table).expect("the table").cells
}

/// Cells of Seo and Kim's table II for a method: row, column, and print less formula.
fn differences(method: &str) -> Vec<(String, String, Fraction)> {
    cells(Paper::SeoKim, "2")
        .into_iter()
        .filter(|cell| cell.row.starts_with(method))
        .map(|cell| {
            let (published, formula) = (cell.published.expect("printed"), cell.formula.expect("a formula"));
            let less = published + formula * Fraction::from(-1);
            assert_eq!(cell.note.contains("unexplained"), less != Fraction::from(0), "{cell:?}");
            (cell.row, cell.column, less)
        })
        .collect()
}

#[test]
fn all_24_cells_of_consecutive_operand_caching_come_out_of_the_formula() {
    let all = differences("consecutive operand caching");
    assert_eq!(all.len(), 24);
    assert!(all.iter().all(|(.., less)| *less == Fraction::from(0)), "{all:?}");
}

#[test]
fn the_18_cells_of_operand_caching_without_remainder_come_out_and_6_are_unexplained() {
    let all = differences("operand caching");
    assert_eq!(all.len(), 24);
    let (exact, unexplained): (Vec<_>, Vec<_>) =
        all.into_iter().partition(|(.., less)| *less == Fraction::from(0));
    assert_eq!(exact.len(), 18);
    let listed: Vec<String> =
        unexplained.iter().map(|(row, column, less)| format!("{row}, {column}: {less}")).collect();
    let expected = [
        "operand caching, 160 bits, e = 8: 26",
        "operand caching, 192 bits, e = 10: 36",
        "operand caching, 256 bits, e = 10: 48",
        "operand caching, 512 bits, e = 10: 48",
        "operand caching, 1024 bits, e = 10: -32",
        "operand caching, 2048 bits, e = 10: -554",
    ];
    assert_eq!(listed, expected);
}

#[test]
fn the_cost_formula_of_operand_caching_gives_the_cells_of_the_text_and_of_the_data() {
    assert_eq!((hutter_wenger::cycles(20, 10), hutter_wenger::cycles(20, 2)), (2395, 3915));
    assert_eq!(hutter_wenger::cycles(20, 20), 2205);
    for figure in figures().iter().filter(|figure| figure.status == Status::Formula) {
        let cycles = hutter_wenger::cycles(i64::from(figure.bits / 8), 10);
        assert_eq!(i64::try_from(figure.cycles), Ok(cycles));
    }
    let plain = [(20, 2356), (24, 3464), (32, 6180)];
    for (n, cycles) in plain {
        assert_eq!(seo_kim::consecutive_cycles(n, 10, 1), Fraction::from(cycles), "{n}");
    }
}

#[test]
fn a_formula_stands_beside_every_count_of_table_i_that_has_one() {
    for cell in cells(Paper::SeoKim, "1") {
        if let Some(formula) = cell.formula {
            assert_eq!(cell.published, Some(formula), "{cell:?}");
        }
    }
    let with = cells(Paper::SeoKim, "1").into_iter().filter(|cell| cell.formula.is_some()).count();
    assert_eq!(with, 22);
}

#[test]
fn what_is_only_remembered_is_not_published() {
    for table in Paper::HutterWenger.tables() {
        for cell in table.cells {
            assert!(!cell.note.contains("remembered") || cell.published.is_none(), "{cell:?}");
        }
    }
}

/// Row, column, published, formula, unit and note of each cell.
fn text(paper: Paper) -> String {
    let mut text = String::new();
    let shown = |value: Option<Fraction>| value.map_or("-".to_owned(), |value| value.to_string());
    for table in paper.tables() {
        let _ = writeln!(text, "# {}: {}\n", table.name, table.title);
        for Cell { row, column, published, formula, unit, note, .. } in table.cells {
            let _ = writeln!(
                text,
                "{row} | {column} | {} | {} | {unit} | {note}",
                shown(published),
                shown(formula)
            );
        }
        text.push('\n');
    }
    text
}

#[test]
fn prints_and_formulas_are_those_of_the_copies() {
    for paper in Paper::ALL {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tables").join(format!("{}.txt", paper.name()));
        let text = text(paper);
        if std::env::var_os("RHOMB_TABLES").is_some_and(|value| value == "overwrite") {
            std::fs::create_dir_all(path.parent().expect("a folder")).expect("writable");
            std::fs::write(&path, &text).expect("writable");
        }
        let copy = std::fs::read_to_string(&path).expect("readable");
        assert!(copy == text, "{} is out of date", path.display());
    }
}
