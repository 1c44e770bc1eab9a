//! Seo and Kim: tables I and II.

use super::cell::{Cell, Ours, Program, Quantity, Table, Way};
use super::{CACHES, Paper, SIZES, words};
use crate::formulas::{hutter_wenger, seo_kim as formula};
use crate::{Figure, Fraction, Status, figures, published};

const PAPER: Paper = Paper::SeoKim;
const CACHING: &str = "operand-caching";
const CONSECUTIVE: &str = "consecutive-operand-caching";

pub(super) fn tables() -> Vec<Table> {
    vec![instructions(), cycles()]
}

/// What is in a row of table I, in the order of its columns.
fn mix(figure: &Figure) -> Option<[u64; 6]> {
    let mix = figure.mix?;
    Some([mix.load, mix.store, mix.multiply, mix.add, mix.other, figure.cycles])
}

const COLUMNS: [Quantity; 6] =
    [Quantity::Load, Quantity::Store, Quantity::Multiply, Quantity::Add, Quantity::Other, Quantity::Cycles];

fn instructions() -> Table {
    let (bits, n, e) = (160, words(160), 10);
    let mut cells = Vec::new();
    let mut row =
        |name: &str, figure: Option<&Figure>, formulas: [Option<i64>; 6], ours: &dyn Fn(Quantity) -> Ours| {
            let printed = figure.and_then(mix);
            for (index, quantity) in COLUMNS.into_iter().enumerate() {
                let mut cell =
                    Cell::new(PAPER, "1", name, quantity.heading(), ours(quantity)).unit(quantity.unit());
                if let Some(value) = printed.and_then(|mix| i64::try_from(mix[index]).ok()) {
                    cell = cell.published(value);
                }
                if let Some(value) = formulas[index] {
                    cell = cell.formula(value);
                }
                let note =
                    figure.filter(|_| quantity == Quantity::Cycles).and_then(|one| one.note.as_deref());
                cells.push(cell.note(note.unwrap_or_default()));
            }
        };
    let others = |_| Ours::Nothing("code of others, which is not run here");
    let find = |source: &str| {
        figures().iter().find(|one| {
            one.source == source
                && one.mix.is_some()
                && one.method.as_ref().is_some_and(|m| m.name == "hybrid")
        })
    };
    for (name, source) in [
        ("hybrid, Gura", "Gura et al., CHES 2004"),
        ("hybrid, Uhsadel", "Uhsadel et al. 2007"),
        ("hybrid, Scott", "Scott and Szczechowiak 2007"),
        ("hybrid, Liu", "Liu et al. 2010"),
    ] {
        row(name, find(source), [None; 6], &others);
    }
    let hybrid = |quantity| Ours::Program(Program::new(Way::hybrid(n, 4), bits), quantity);
    row("hybrid, this paper", find("Seo and Kim 2013"), [None; 6], &hybrid);
    for method in [CACHING, CONSECUTIVE] {
        for c in [1, 2] {
            let way = Way::caching(method, n, e, c);
            let figure = published("atmega128", method, Some(10), c.unsigned_abs() as u32, bits)
                .filter(|figure| figure.status == Status::Published);
            let additions = |of_intermediates: i64| Some(3 * n * n + of_intermediates);
            let formulas = if method == CACHING {
                let kept = if c == 1 { 0 } else { e };
                let cycles = if c == 1 { hutter_wenger::cycles(n, e) } else { formula::caching_cycles(n, e) };
                [
                    Some(hutter_wenger::loads(n, e) - kept),
                    Some(hutter_wenger::stores(n, e)),
                    Some(n * n),
                    additions(formula::caching_additions(n, e, c)),
                    None,
                    Some(cycles),
                ]
            } else {
                [
                    Some(formula::consecutive_loads(n, e)),
                    Some(formula::consecutive_stores(n, e)),
                    Some(n * n),
                    additions(formula::consecutive_additions(n, e, c, formula::Narrow::First)),
                    Some(formula::consecutive_others(n, e)),
                    formula::consecutive_cycles(n, e, c).whole(),
                ]
            };
            let name = match (method == CACHING, c) {
                (true, 1) => "operand caching, Hutter and Wenger",
                (true, _) => "operand caching, this paper",
                (false, 1) => "consecutive operand caching, Seo and Kim 2012",
                (false, _) => "consecutive operand caching, this paper",
            };
            let program = |quantity| Ours::Program(Program::new(way.clone(), bits), quantity);
            row(name, figure.as_ref(), formulas, &program);
        }
    }
    for cell in &mut cells {
        let about = match (cell.row.as_str(), cell.column.as_str()) {
            ("hybrid, this paper", "load") => {
                "measured is the hybrid method with d = 4 and without carry-once"
            }
            ("operand caching, this paper", "load") => {
                "the ten loads saved are words kept from one row to the next; carry-once saves none"
            }
            ("operand caching, Hutter and Wenger", "load") => {
                "our schedule keeps ten words from one row to the next"
            }
            _ => continue,
        };
        *cell = cell.clone().note(about);
    }
    Table {
        name: "1",
        title: "instructions of a 160-bit multiplication on the ATmega128",
        about: "Table I. Cycles are of the body. The formulas are not in the paper.",
        cells,
    }
}

fn cycles() -> Table {
    let mut cells = Vec::new();
    for (method, name) in [(CACHING, "operand caching"), (CONSECUTIVE, "consecutive operand caching")] {
        for bits in SIZES {
            let n = words(bits);
            for e in CACHES {
                let figure = published("atmega128", method, u32::try_from(e).ok(), 2, bits)
                    .filter(|figure| figure.status == Status::Published);
                let value = if method == CACHING {
                    Fraction::from(formula::caching_cycles(n, e))
                } else {
                    formula::consecutive_cycles(n, e, 2)
                };
                let ours = Ours::Program(Program::new(Way::caching(method, n, e, 2), bits), Quantity::Cycles);
                let mut cell =
                    Cell::new(PAPER, "2", format!("{name}, {bits} bits"), format!("e = {e}"), ours)
                        .formula(value);
                if let Some(value) = figure.and_then(|figure| i64::try_from(figure.cycles).ok()) {
                    cell = cell.published(value);
                }
                cells.push(doubt(cell, method, n, e));
            }
        }
    }
    Table {
        name: "2",
        title: "cycles with carry-once 2 by size and words in registers on the ATmega128",
        about: "Table II. The formulas are not in the paper. Where e does not divide n, measured code has the \
                narrow block or strip first.",
        cells,
    }
}

/// Says which cells are no good target.
fn doubt(cell: Cell, method: &str, n: i64, e: i64) -> Cell {
    let difference = match (cell.published, cell.formula) {
        (Some(published), Some(formula)) => {
            published.whole().zip(formula.whole()).map_or(0, |(published, formula)| published - formula)
        }
        _ => 0,
    };
    if difference != 0 {
        cell.note(format!("unexplained: the print is off the formula by {difference:+}"))
    } else if method == CONSECUTIVE && n % e != 0 {
        cell.note("e does not divide n: the formula has the additions of one layout of strips, the accesses of another")
    } else {
        cell
    }
}
