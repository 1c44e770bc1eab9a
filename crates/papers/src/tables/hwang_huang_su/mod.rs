//! Hwang, Huang and Su: tables 1 to 9, the theorems, and the number of levels for every size.

mod cycles;
mod model;

use super::Paper;
use super::cell::{Cell, Ours, Program, Quantity, Table, Way};
use crate::data;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const PAPER: Paper = Paper::HwangHuangSu;

pub(super) fn tables() -> Vec<Table> {
    let mut tables = model::tables();
    tables.extend(cycles::tables());
    tables.push(model::theorems());
    tables.push(model::levels());
    tables
}

/// What the paper prints in tables 5 to 9: column by column, and the sizes of the rows.
#[derive(Deserialize)]
struct Print {
    bits: Vec<u32>,
    #[serde(flatten)]
    columns: BTreeMap<String, Vec<i64>>,
}

/// Tables by the names of the file.
fn prints() -> &'static BTreeMap<String, Print> {
    static PRINTS: LazyLock<BTreeMap<String, Print>> = LazyLock::new(|| {
        let text = data::text!("hwang-huang-su");
        serde_json::from_str(text).expect("the tests load it")
    });
    &PRINTS
}

/// Sizes in bits with what the paper prints for them in a column of a table of the file.
fn column(table: &str, column: &str) -> impl Iterator<Item = (u32, i64)> {
    let print = prints().get(table);
    let values = print.and_then(|print| print.columns.get(column));
    print
        .zip(values)
        .into_iter()
        .flat_map(|(print, values)| print.bits.iter().copied().zip(values.iter().copied()))
}

/// What the paper prints there.
fn at(table: &str, name: &str, bits: u32) -> Option<i64> {
    column(table, name).find(|(size, _)| *size == bits).map(|(_, value)| value)
}

/// Words of the C55x.
fn words(bits: u32) -> i64 {
    i64::from(bits / 16)
}

/// A cell of counts by the paper's model, which no program has.
fn counted(table: &str, row: impl Into<String>, column: impl Into<String>) -> Cell {
    let ours = Ours::Nothing("base instructions are a model, not those of a program");
    Cell::new(PAPER, table, row, column, ours).unit("instructions")
}

/// A cell of cycles on the C55x that no routine of the command line has, for this reason.
fn unmade(table: &str, row: impl Into<String>, column: impl Into<String>, reason: &'static str) -> Cell {
    Cell::new(PAPER, table, row, column, Ours::Nothing(reason))
}

/// A cell of cycles of a multiplication that is simulated, by this method, split so (`None`: as is fastest).
fn simulated(method: &'static str, row: &str, bits: u32, split: Option<&'static str>) -> Cell {
    let way = Way::scanning(method, words(bits));
    let program = Program { target: "tms320vc5510", accumulation: split, ..Program::new(way, bits) };
    Cell::new(PAPER, "5", row, format!("{bits} bits"), Ours::Program(program, Quantity::Cycles))
}

/// A cell of cycles of a multiplication that is simulated, split once into parts of these shares, each classical.
fn split_once(table: &str, row: &str, bits: u32, shares: &[i64]) -> Cell {
    let digits = match shares {
        // equal parts
        [1, rest @ ..] if rest.iter().all(|share| *share == 1) => shares.len() as i64,
        shares => shares.iter().fold(0, |digits, share| 10 * digits + share),
    };
    let way = Way { parts: Some(digits), ..Way::new("split", words(bits)) };
    let program = Program { target: "tms320vc5510", accumulation: Some("rows"), ..Program::new(way, bits) };
    Cell::new(PAPER, table, row, format!("{bits} bits"), Ours::Program(program, Quantity::Cycles))
}

/// A cell that the paper does not have.
fn beyond(cell: Cell) -> Cell {
    cell.note("the published figure is unknown: the paper has no such program")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_long_as_their_tables() {
        let mut cells = 0;
        for print in prints().values() {
            for values in print.columns.values() {
                assert_eq!(values.len(), print.bits.len());
                cells += values.len();
            }
        }
        assert_eq!((prints().len(), cells), (5, 28 + 28 + 15 + 12 + 8));
    }
}
