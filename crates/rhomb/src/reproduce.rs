//! The papers' tables, with our own figures beside them.

mod count;
mod fields;
pub(crate) mod layout;
mod modular;
#[cfg(test)]
mod proofs;
mod run;
mod scalar;

use crate::error::Error;
use crate::work::Work;
use rhomb_kernel::{Parameter, Parameters};
use rhomb_papers::Fraction;
use rhomb_papers::tables::{Cell, Ours, Paper, Table, Way};
use run::{Found, Runs};
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

/// A paper's tables, or one of them.
pub struct Reproduction {
    /// Authors, title and place.
    pub title: &'static str,
    /// The tables.
    pub tables: Vec<ReproducedTable>,
}

/// A table.
pub struct ReproducedTable {
    /// The number in the paper, or a word for formulas that are in no table.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// What holds for all cells.
    pub about: &'static str,
    /// The cells, row by row.
    pub cells: Vec<ReproducedCell>,
}

/// A cell: what is published, what the formula gives, what we have. What is `None` is unknown.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ReproducedCell {
    /// The paper's short name.
    pub paper: &'static str,
    /// The table's name.
    pub table: &'static str,
    /// The row's heading.
    pub row: String,
    /// The column's heading.
    pub column: String,
    /// The figure, or the printed expression worked out.
    #[serde(serialize_with = "number")]
    pub published: Option<Fraction>,
    /// What the paper's cost formula gives, corrected where the print is wrong.
    #[serde(serialize_with = "number")]
    pub formula: Option<Fraction>,
    /// Counted on a schedule, or measured of a program, in this run.
    pub measured: Option<i64>,
    /// Of the three.
    pub unit: &'static str,
    /// Why a print is wrong, a figure unknown, a program not measured; may be empty.
    pub note: String,
}

/// A whole number as such, any other as a fraction in decimal.
fn number<S: Serializer>(value: &Option<Fraction>, serializer: S) -> Result<S::Ok, S::Error> {
    match value {
        None => serializer.serialize_none(),
        Some(value) => match value.whole() {
            Some(whole) => serializer.serialize_i64(whole),
            None => serializer.serialize_f64(value.value()),
        },
    }
}

/// Reproduces a paper's tables, or the one called `table`. `work` is told how many of how many counts
/// and measurements are done, from several threads.
///
/// # Errors
/// An unknown paper or table, or generated code that fails its evidence.
pub fn reproduce(paper: &str, table: Option<&str>, work: &Work) -> Result<Reproduction, Error> {
    let names: Vec<&str> = Paper::ALL.into_iter().map(Paper::name).collect();
    let paper = Paper::named(paper).ok_or_else(|| {
        Error::unknown("paper", paper, &names, "rhomb reproduce seo-kim prints the tables of one of them")
    })?;
    let mut tables = paper.tables();
    if let Some(wanted) = table {
        let name = arabic(wanted);
        let names: Vec<&str> = tables.iter().map(|table| table.name).collect();
        if !names.contains(&name.as_str()) {
            let hint = format!("rhomb reproduce {} prints all tables", paper.name());
            return Err(Error::unknown("table", wanted, &names, &hint));
        }
        tables.retain(|table| table.name == name);
    }
    let runs = Runs::of(&tables, work)?;
    let of_table = |table: Table| {
        let with_ours = |cell: Cell| of_cell(paper, table.name, cell, &runs);
        let Table { name, title, about, .. } = table;
        ReproducedTable { name, title, about, cells: table.cells.into_iter().map(with_ours).collect() }
    };
    Ok(Reproduction { title: paper.title(), tables: tables.into_iter().map(of_table).collect() })
}

/// The cores that a table's programs are for.
pub fn cores(table: &Table) -> BTreeSet<&'static str> {
    let of_cell = |cell: &Cell| match &cell.ours {
        Ours::Program(program, _) => Some(program.target),
        Ours::Field(_) => Some(fields::EXTENDED),
        Ours::Modular(_) | Ours::ModularRatio(..) => Some(modular::CORE),
        Ours::Nothing(_) | Ours::Count(..) => None,
    };
    table.cells.iter().filter_map(of_cell).collect()
}

/// The parameters of a method.
fn parameters(way: &Way) -> Parameters {
    let mut parameters = Parameters::default();
    for (parameter, value) in [
        (Parameter::Cache, way.cache),
        (Parameter::CarryOnce, way.carry_once),
        (Parameter::Rows, way.rows),
        (Parameter::InitialBlock, way.initial_block),
        (Parameter::Parts, way.parts),
        (Parameter::Levels, way.parts.map(|_| 1)),
    ] {
        parameter.set(&mut parameters, value.and_then(|value| usize::try_from(value).ok()));
    }
    parameters
}

/// Tables of Seo and Kim have Roman numbers.
fn arabic(name: &str) -> String {
    match name {
        "I" | "i" => "1".to_owned(),
        "II" | "ii" => "2".to_owned(),
        _ => name.to_owned(),
    }
}

fn of_cell(paper: Paper, table: &'static str, cell: Cell, runs: &Runs) -> ReproducedCell {
    let Found { value, note } = match &cell.ours {
        Ours::Nothing(reason) => Found { value: None, note: format!("not measured: {reason}") },
        Ours::Count(way, count) => Found { value: runs.counted(way, *count), note: String::new() },
        Ours::Program(program, quantity) => runs.measured(program, *quantity),
        Ours::Field(run) => Found { value: runs.of_field(run), note: String::new() },
        Ours::Modular(run) => Found { value: runs.of_modular(run), note: String::new() },
        Ours::ModularRatio(one, two) => {
            let both = runs.of_modular(one).zip(runs.of_modular(two));
            Found { value: both.map(|(one, two)| (200 * one + two) / (2 * two)), note: String::new() }
        }
    };
    let notes = [cell.note, note];
    let notes: Vec<&str> = notes.iter().map(String::as_str).filter(|note| !note.is_empty()).collect();
    ReproducedCell {
        paper: paper.name(),
        table,
        row: cell.row,
        column: cell.column,
        published: cell.published,
        formula: cell.formula,
        measured: value,
        unit: cell.unit,
        note: notes.join("; "),
    }
}
