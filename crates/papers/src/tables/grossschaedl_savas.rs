//! Grossschaedl and Savas: table 2, and what the text says of other cycles.

use super::Paper;
use super::cell::{Cell, FieldOperation, FieldRun, Ours, Table};
use crate::{Fraction, data};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::LazyLock;

const PAPER: Paper = Paper::GrossschaedlSavas;
/// Cycles of a millisecond at 33 MHz.
const MILLISECOND: i64 = 33_000;

pub(super) fn tables() -> Vec<Table> {
    vec![operations(), text()]
}

/// What the paper prints of an operation, in cycles.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Print {
    prime: i64,
    corrected: Option<i64>,
    binary: i64,
}

fn print(name: &str) -> Option<Print> {
    static PRINTS: LazyLock<BTreeMap<String, Print>> = LazyLock::new(|| {
        let text = data::text!("grossschaedl-savas");
        serde_json::from_str(text).expect("the tests load it")
    });
    PRINTS.get(name).copied()
}

/// Which of our programs stand beside a print.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Forms {
    Both,
    Loops,
    Straight,
}

/// A column of the paper's table.
#[derive(Clone, Copy)]
struct Column {
    heading: &'static str,
    binary: bool,
    corrected: bool,
}

const COLUMNS: [Column; 3] = [
    Column { heading: "GF(p)", binary: false, corrected: false },
    Column { heading: "GF(p), corrected", binary: false, corrected: true },
    Column { heading: "GF(2^m)", binary: true, corrected: false },
];

impl Column {
    fn of(self, print: Print) -> Option<i64> {
        match (self.binary, self.corrected) {
            (true, _) => Some(print.binary),
            (false, true) => print.corrected,
            (false, false) => Some(print.prime),
        }
    }
}

/// The cells of a row: each print beside the program with loops, and beside the straight line.
fn row(
    table: &'static str,
    name: &'static str,
    (operation, key): (FieldOperation, &str),
    forms: Forms,
    always_corrected: bool,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    for column in COLUMNS {
        let published = print(key).and_then(|print| column.of(print));
        for looped in [true, false] {
            let ours =
                matches!((forms, looped), (Forms::Both, _) | (Forms::Loops, true) | (Forms::Straight, false));
            let shown = ours && (!column.corrected || published.is_some() || (always_corrected && !looped));
            if !shown {
                continue;
            }
            let run =
                FieldRun { operation, binary: column.binary, looped, corrected: column.corrected, cycles: 1 };
            let form = if looped { "loops" } else { "straight" };
            let mut cell =
                Cell::new(PAPER, table, name, format!("{}, {form}", column.heading), Ours::Field(run));
            cell.published = published.map(Fraction::from);
            if column.corrected && !looped {
                cell = cell.note("of the form that corrects always, in constant time");
            }
            cells.push(cell);
        }
    }
    cells
}

fn operations() -> Table {
    use FieldOperation as Op;
    let mut cells = Vec::new();
    for (name, operation, forms, always) in [
        ("modular addition", (Op::Sum, "sum"), Forms::Straight, false),
        ("multiplication without reduction", (Op::Product, "product"), Forms::Both, false),
        ("squaring without reduction", (Op::Square, "square"), Forms::Both, false),
        ("fast reduction", (Op::Reduction, "reduction"), Forms::Straight, true),
        ("multiplication with fast reduction", (Op::ReducedProduct, ""), Forms::Straight, true),
        ("squaring with fast reduction", (Op::ReducedSquare, ""), Forms::Straight, true),
        ("Montgomery multiplication", (Op::MontgomeryProduct, "montgomery-product"), Forms::Straight, false),
        ("Montgomery squaring", (Op::MontgomerySquare, "montgomery-square"), Forms::Straight, false),
        ("scalar multiplication, generic", (Op::ScalarGeneric, "scalar-generic"), Forms::Straight, false),
        ("scalar multiplication, optimized", (Op::ScalarOptimized, "scalar-optimized"), Forms::Both, false),
        (
            "the same, published formulas",
            (Op::ScalarPublishedFormulas, "scalar-optimized"),
            Forms::Straight,
            false,
        ),
        ("the same, constant time", (Op::ScalarConstantTime, ""), Forms::Straight, false),
    ] {
        cells.extend(
            row("2", name, operation, forms, always).into_iter().map(|cell| explained(cell, operation.0)),
        );
    }
    Table {
        name: "2",
        title: "cycles of field operations and scalar multiplications",
        about: "GF(p) is that of P-192, GF(2^m) has t^191 + t^9 + 1; the curves are P-192 and c2pnb191v1. The \
                paper's programs have loops, but for the fast reductions; the columns straight show our straight \
                lines beside the same print. In scalar multiplications the columns loops have loops for products and \
                squares, and straight lines for all else. Corrected is with a subtraction of p; our straight lines \
                always correct, in the same time. A scalar multiplication is a simulated program, the average of four random scalars, each result checked; the formula is what \
                table 2's own costs add up to without the inversion.",
        cells,
    }
}

/// What the paper's own figures add up to.
fn explained(cell: Cell, operation: FieldOperation) -> Cell {
    let of =
        |name: &str, binary: bool| print(name).map(|print| if binary { print.binary } else { print.prime });
    let binary = cell.column.starts_with("GF(2");
    let (product, square) = (of("product", binary), of("square", binary));
    let (Some(product), Some(square), Some(reduction), Some(sum)) =
        (product, square, of("reduction", binary), of("sum", binary))
    else {
        return cell;
    };
    // averages of the binary NAF: 191 doublings of 4M + 6S + 13A and 64 additions of 8M + 3S + 7A, in tenths
    let prime_curve = |m: Fraction, s: Fraction| {
        m * Fraction::new(12_804, 10) + s * Fraction::new(13_408, 10) + Fraction::from(2935 * sum)
    };
    // 190 steps of 6M + 5S + 3A, and 10M + S
    let ladder = |m: i64, s: i64| Fraction::from(190 * (6 * m + 5 * s + 3 * sum) + 10 * m + s);
    let (m, s) = (product + reduction, square + reduction);
    let corrected = cell.column.contains("corrected");
    match operation {
        FieldOperation::ReducedProduct if !corrected => cell.formula(m),
        FieldOperation::ReducedSquare if !corrected => cell.formula(s),
        FieldOperation::ScalarOptimized if binary => cell.formula(ladder(m, s)),
        FieldOperation::ScalarOptimized => cell.formula(prime_curve(m.into(), s.into()).floor()),
        FieldOperation::ScalarGeneric if binary => {
            match (of("montgomery-product", true), of("montgomery-square", true)) {
                (Some(m), Some(s)) => cell.formula(ladder(m, s)),
                _ => cell,
            }
        }
        FieldOperation::ScalarGeneric => {
            match (of("montgomery-product", false), of("montgomery-square", false)) {
                // a product wants its subtraction of 81 cycles one time in four, a square one in three
                (Some(m), Some(s)) => {
                    let cycles =
                        prime_curve(Fraction::from(m) + Fraction::new(81, 4), Fraction::from(s + 27));
                    cell.formula(cycles.floor())
                }
                _ => cell,
            }
        }
        _ => cell,
    }
}

fn text() -> Table {
    use FieldOperation as Op;
    let mut cells =
        row("text", "a round of figure 3's loop", (Op::InnerLoop, "inner-loop"), Forms::Loops, false);
    for (column, binary, looped, note) in [
        ("integers, loops", false, true, "operand scanning"),
        ("integers, straight", false, false, "columns, on mips32-4km"),
        ("polynomials, straight", true, false, "the comb method; published is a lower bound"),
    ] {
        let run = FieldRun { operation: Op::PlainProduct, binary, looped, corrected: false, cycles: 1 };
        let cell = Cell::new(PAPER, "text", "multiplication on plain MIPS32", column, Ours::Field(run));
        let published = print("plain-product").map(|print| if binary { print.binary } else { print.prime });
        cells.push(Cell { published: published.map(Fraction::from), ..cell }.note(note));
    }
    for (column, binary, looped, published) in [
        ("GF(p), loops", false, true, 36),
        ("GF(p), straight", false, false, 36),
        ("GF(2^m), loops", true, true, 21),
        ("GF(2^m), straight", true, false, 21),
    ] {
        let run = FieldRun {
            operation: Op::ScalarOptimized,
            binary,
            looped,
            corrected: false,
            cycles: MILLISECOND,
        };
        let cell = Cell::new(PAPER, "text", "scalar multiplication at 33 MHz", column, Ours::Field(run));
        cells.push(cell.published(published).unit("ms"));
    }
    Table {
        name: "text",
        title: "figures of sections 5 and 6",
        about: "Plain MIPS32 has neither custom instructions nor a wide accumulator. Milliseconds are rounded down.",
        cells,
    }
}
