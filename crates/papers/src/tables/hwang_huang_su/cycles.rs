//! Tables 5 to 9: cycles. What the numbers of the tables are was found by trying: tables 5 and 6 are the
//! formulas of the model times a round factor, tables 7 to 9 follow from table 5.

use super::{at, column, simulated, unmade, words};
use crate::Fraction;
use crate::formulas::hwang_huang_su as formula;
use crate::tables::cell::{Cell, Table};

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

fn multiplications() -> Table {
    let mut cells = Vec::new();
    for (key, name) in MULTIPLICATIONS {
        for (bits, printed) in column("table_5", key) {
            let cell = match key {
                "classical" => simulated("5", name, bits, Some("columns")),
                "balanced_2" => simulated("5", name, bits, Some("halves")),
                "balanced_4" => {
                    unmade("5", name, format!("{bits} bits"), "four parts at once are not made for the C55x")
                }
                _ => simulated("5", name, bits, None),
            };
            cells.push(of_multiplication(key, words(bits)).explain(cell, printed));
        }
    }
    Table {
        name: "5",
        title: "cycles of multiplications on the TMS320C55x",
        about: "The formula is the model's number of base instructions times a round factor, rounded down: what \
                explains the print, not what a processor does. The C55x adds a product to an accumulator in one \
                cycle, the model takes eight. Levels are the paper's, floor(log2(0.13515 s)).",
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
            let cell = unmade("6", name, format!("{bits} bits"), "unequal parts are not made for the C55x");
            cells
                .push(Explained { percent: 115, name: "theorem 2, corrected", model }.explain(cell, printed));
        }
    }
    Table {
        name: "6",
        title: "cycles of multiplications by unbalanced splits on the TMS320C55x",
        about: "The formula is that of theorem 2, corrected, times 1.15, rounded down: all 28 cells.",
        cells,
    }
}

const MONTGOMERY_REASON: &str =
    "made as a library, not as a routine of the command line; CHANGELOG has its cycles";
const EXPONENTIATION_REASON: &str =
    "made as a library, not as a routine of the command line; CHANGELOG has its cycles";

const MONTGOMERY: [(&str, &str); 3] =
    [("cios", "CIOS"), ("kcm", "KCM"), ("proposed", "recursive balanced 2-way split")];

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
            let cell = unmade("7", name, format!("{bits} bits"), MONTGOMERY_REASON).published(printed);
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
    Table {
        name: "7",
        title: "cycles of Montgomery multiplications on the TMS320C55x",
        about: "The formula is the print of table 5 plus s^2 + 15s + 22 for the reduction: one cycle a product \
                of words, where the multiplication has eight. Table 5 has no 3072 bits.",
        cells,
    }
}

fn exponentiations() -> Table {
    let mut cells = Vec::new();
    for (key, name) in MONTGOMERY {
        for (bits, printed) in column("table_8", key) {
            let cell = unmade("8", name, format!("{bits} bits"), EXPONENTIATION_REASON).published(printed);
            cells.push(match at("table_7", key, bits) {
                Some(one) => cell.formula(formula::exponentiation(i64::from(bits), one)),
                None => cell,
            });
        }
    }
    Table {
        name: "8",
        title: "cycles of exponentiations with as many bits in base, modulus and exponent on the TMS320C55x",
        about: "The formula is the print of table 7 times one and a half times the bits: a squaring takes as \
                long as a multiplication, neither windows nor conversions are counted. All 12 cells.",
        cells,
    }
}

fn speedups() -> Table {
    let mut cells = Vec::new();
    for (key, name) in MONTGOMERY {
        for (bits, printed) in column("table_9", key) {
            let cell = unmade("9", name, format!("{bits} bits"), "a ratio of prints")
                .published(printed)
                .unit("per cent");
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
