//! Tables 5 to 9: cycles. What the numbers of the tables are was found by trying: tables 5 and 6 are the
//! formulas of the model times a round factor, tables 7 to 9 follow from table 5.

use super::{PAPER, at, beyond, column, simulated, split_once, unmade, words};
use crate::Fraction;
use crate::formulas::hwang_huang_su as formula;
use crate::tables::cell::{Cell, ModularRun, Ours, Table};

pub(super) fn tables() -> Vec<Table> {
    vec![multiplications(), unbalanced(), montgomery(), exponentiations(), speedups()]
}

/// A formula with the per cent that explain a print.
struct Explained {
    percent: i64,
    name: &'static str,
    model: Fraction,
}

impl Explained {
    /// Adds the product, rounded down, and what the print has beyond it.
    fn explain(&self, cell: Cell, printed: i64) -> Cell {
        let product = self.model * Fraction::new(self.percent, 100);
        let rest = Fraction::from(printed) - product;
        let cell = cell.published(printed).formula(product.floor()).note(format!(
            "{}.{:02} times {}",
            self.percent / 100,
            self.percent % 100,
            self.name
        ));
        let one = Fraction::from(1);
        if rest >= one || rest <= Fraction::from(-1) {
            cell.note(format!("unexplained: the print is off the product by {:+}", rest.value()))
        } else if rest > Fraction::from(0) {
            cell.note("rounded up in print")
        } else {
            cell
        }
    }
}

const MULTIPLICATIONS: [(&str, &str); 4] = [
    ("classical", "classical multiplication"),
    ("balanced_2", "balanced 2-way split"),
    ("balanced_4", "balanced 4-way split"),
    ("proposed", "recursive balanced 2-way split"),
];

/// What explains a cell of table 5, or comes nearest.
fn of_multiplication(key: &str, s: i64) -> Explained {
    let classical = |percent| Explained {
        percent,
        name: "8s^2 + 2s",
        model: formula::classical(Fraction::from(s)).total(),
    };
    match key {
        "classical" => classical(if matches!(s, 8 | 256 | 512) { 102 } else { 105 }),
        "balanced_2" => {
            let percent = match s {
                8 | 256 | 512 => 105,
                16 => 110,
                _ => 115,
            };
            Explained { percent, name: "6s^2 + 23s", model: formula::balanced(2, s) }
        }
        "balanced_4" => Explained { percent: 110, name: "5s^2 + 65s", model: formula::balanced(4, s) },
        _ => match formula::printed_levels(s) {
            0 => classical(102),
            n => Explained { percent: 110, name: "theorem 3", model: formula::recursive(2, n, s) },
        },
    }
}

/// The classical multiplication.
const ROWS: &str = "operand-scanning";

/// So many splits in halves.
fn halves(levels: u32) -> Option<&'static str> {
    let ways = ["columns", "halves", "halves-2", "halves-3", "halves-4", "halves-5", "halves-6"];
    ways.get(levels as usize).copied()
}

fn multiplications() -> Table {
    let mut cells = Vec::new();
    for (key, name) in MULTIPLICATIONS {
        for (bits, printed) in column("table_5", key) {
            let cell = match key {
                "classical" => simulated(ROWS, name, bits, Some("columns")),
                "balanced_2" => simulated(ROWS, name, bits, Some("halves")),
                "balanced_4" => split_once("5", name, bits, &[1; 4]),
                _ => simulated(ROWS, name, bits, halves(formula::printed_levels(words(bits)))),
            };
            cells.push(of_multiplication(key, words(bits)).explain(cell, printed));
        }
    }
    for (name, split) in [("one column at a time", Some("single-columns")), ("fastest found here", None)] {
        for (bits, _) in column("table_5", "classical") {
            cells.push(beyond(simulated("product-scanning", name, bits, split)));
        }
    }
    Table {
        name: "5",
        title: "cycles of multiplications on the TMS320C55x",
        about: "The formula is the model's number of base instructions times a round factor, rounded down: what \
                explains the print, not what a processor does: the model takes eight cycles a product. Measured are \
                simulated programs by the same method, operand scanning with one multiplier, three cycles a product, \
                split so often; levels are the paper's, floor(log2(0.13515 s)). The last rows take one column at a \
                time, and two at once, half a cycle a product, split where that is faster.",
        cells,
    }
}

const UNBALANCED: [(&str, &str, &[i64]); 4] = [
    ("two_way_1_3", "2 parts, 1:3", &[1, 3]),
    ("three_way_1_1_2", "3 parts, 1:1:2", &[1, 1, 2]),
    ("four_way_1_1_2_4", "4 parts, 1:1:2:4", &[1, 1, 2, 4]),
    ("five_way_1_1_1_1_4", "5 parts, 1:1:1:1:4", &[1, 1, 1, 1, 4]),
];

/// The lengths of parts of this ratio.
pub(super) fn parts(ratio: &[i64], s: i64) -> Vec<Fraction> {
    let sum: i64 = ratio.iter().sum();
    ratio.iter().map(|part| Fraction::new(part * s, sum)).collect()
}

/// The rows of table 6: name and ratio.
pub(super) fn ratios() -> impl Iterator<Item = (&'static str, &'static [i64])> {
    UNBALANCED.into_iter().map(|(_, name, ratio)| (name, ratio))
}

fn unbalanced() -> Table {
    let mut cells = Vec::new();
    for (key, name, ratio) in UNBALANCED {
        for (bits, printed) in column("table_6", key) {
            let model = formula::unbalanced(&parts(ratio, words(bits)));
            let cell = split_once("6", name, bits, ratio);
            cells
                .push(Explained { percent: 115, name: "theorem 2, corrected", model }.explain(cell, printed));
        }
    }
    Table {
        name: "6",
        title: "cycles of multiplications by unbalanced splits on the TMS320C55x",
        about: "The formula is that of theorem 2, corrected, times 1.15, rounded down: all 28 cells. Measured are \
                simulated programs, split once into parts of these shares, a word where a share is less; each part is \
                multiplied row by row with one multiplier, three cycles a product, each pair by a product of sums.",
        cells,
    }
}

const MONTGOMERY: [(&str, &str); 3] =
    [("cios", "CIOS"), ("kcm", "KCM"), ("proposed", "recursive balanced 2-way split")];

/// The program of a row; splits are one for KCM, and as is fastest for the proposed one.
fn run(operation: &'static str, key: &str, bits: u32) -> ModularRun {
    let method = match (operation, key) {
        ("montmul", "cios") => "cios",
        ("montmul", _) => "separated",
        (_, "cios") => "binary-cios",
        _ => "binary",
    };
    let levels = match key {
        "kcm" => Some(1),
        _ => None,
    };
    ModularRun { operation, method, levels, bits }
}

fn modular(table: &str, row: &str, run: ModularRun) -> Cell {
    let column = format!("{} bits", run.bits);
    match (run.operation, run.method, run.bits) {
        (_, _, 4097..) => unmade(table, row, column, "programs go up to 4096 bits"),
        ("modexp", "binary-cios", 2049..) => unmade(
            table,
            row,
            column,
            "1.5 times the bits times table 7, more than a thousand million cycles",
        ),
        _ => Cell::new(PAPER, table, row, column, Ours::Modular(run)),
    }
}

fn montgomery() -> Table {
    let mut cells = Vec::new();
    for (key, name) in MONTGOMERY {
        let multiplication = match key {
            "kcm" => Some("balanced_2"),
            "proposed" => Some("proposed"),
            _ => None,
        };
        for (bits, printed) in column("table_7", key) {
            let reduction = formula::reduction(words(bits));
            let cell = modular("7", name, run("montmul", key, bits)).published(printed);
            let cell = match multiplication.and_then(|key| at("table_5", key, bits)) {
                Some(cycles) => cell.formula(cycles + reduction),
                None => cell.note("no closed form found"),
            };
            let other = at("table_5", "balanced_4", bits).map(|cycles| cycles + reduction);
            cells.push(match other == Some(printed) {
                true => cell.note("the print has the balanced 4-way split of table 5 in place of the 2-way"),
                false => cell,
            });
        }
    }
    for (bits, _) in column("table_7", "cios") {
        let fips = ModularRun { operation: "montmul", method: "fips", levels: None, bits };
        cells.push(beyond(match bits {
            ..=2048 => modular("7", "FIPS", fips),
            _ => unmade(
                "7",
                "FIPS",
                format!("{bits} bits"),
                "columns of more than 256 products do not fit 40 bits",
            ),
        }));
    }
    Table {
        name: "7",
        title: "cycles of Montgomery multiplications on the TMS320C55x",
        about: "The formula is the print of table 5 plus s^2 + 15s + 22 for the reduction: one cycle a product \
                of words, where the multiplication has eight. Table 5 has no 3072 bits. Measured are simulated \
                programs: CIOS and FIPS with one multiplier, the others with two columns at once, KCM with one \
                split, the proposed method with as many as are fastest.",
        cells,
    }
}

fn exponentiations() -> Table {
    let mut cells = Vec::new();
    for (key, name) in MONTGOMERY {
        for (bits, printed) in column("table_8", key) {
            let cell = modular("8", name, run("modexp", key, bits)).published(printed);
            cells.push(match at("table_7", key, bits) {
                Some(one) => cell.formula(formula::exponentiation(i64::from(bits), one)),
                None => cell,
            });
        }
    }
    for (name, method) in
        [("sliding windows, squarings", "sliding-window"), ("constant time", "fixed-window")]
    {
        for (bits, _) in column("table_8", "cios") {
            let run = ModularRun { operation: "modexp", method, levels: None, bits };
            cells.push(beyond(modular("8", name, run)));
        }
    }
    Table {
        name: "8",
        title: "cycles of exponentiations with as many bits in base, modulus and exponent on the TMS320C55x",
        about: "The formula is the print of table 7 times one and a half times the bits: a squaring takes as \
                long as a multiplication, neither windows nor conversions are counted. All 12 cells. Measured are whole simulated programs, \
                conversions included, bit by bit with multiplications only, every second bit of the exponent a 1; \
                in the last rows with windows and real squarings.",
        cells,
    }
}

fn speedups() -> Table {
    let mut cells = Vec::new();
    for (key, name) in MONTGOMERY {
        for (bits, printed) in column("table_9", key) {
            let column = format!("{bits} bits");
            let (one, two) = (run("modexp", key, bits), run("modexp", "proposed", bits));
            let cell = match (key, bits) {
                ("cios", 2049..) => unmade("9", name, column, "table 8 has no such measure").unit("per cent"),
                _ => Cell::new(PAPER, "9", name, column, Ours::ModularRatio(one, two)),
            };
            let cell = cell.published(printed);
            let two = at("table_8", key, bits).zip(at("table_8", "proposed", bits));
            let cell = match two {
                // to the nearest
                Some((one, other)) => {
                    cell.formula((Fraction::new(100 * one, other) + Fraction::new(1, 2)).floor())
                }
                None => cell,
            };
            cells.push(match (key, bits) {
                ("kcm", 4096) => cell.note("with the 2-way split in table 7 it were 172"),
                _ => cell,
            });
        }
    }
    Table {
        name: "9",
        title: "cycles of an exponentiation over those of the proposed one",
        about: "The formula is the ratio of the prints of table 8, to the nearest per cent.",
        cells,
    }
}
