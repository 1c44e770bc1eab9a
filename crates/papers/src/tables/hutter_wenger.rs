//! Hutter and Wenger: cycles. Tables 3 to 7.

use super::cell::{Afresh, Cell, Count, Ours, Program, Quantity, Table, Way};
use super::{CACHES, Paper, SIZES, words};
use crate::formulas::hutter_wenger as formula;
use crate::{Figure, Status, figures, published};

const PAPER: Paper = Paper::HutterWenger;
const CACHING: &str = "operand-caching";
const MIX: [Quantity; 6] =
    [Quantity::Load, Quantity::Store, Quantity::Multiply, Quantity::Add, Quantity::Other, Quantity::Cycles];

pub(super) fn tables() -> Vec<Table> {
    vec![mixes(), methods(), caches(), related(), arm()]
}

/// The paper's four methods with its parameters: name, way, cache of the printed figures.
fn four(n: i64) -> [(&'static str, Way, Option<u32>); 4] {
    let scanning = Way { carry_once: Some(1), ..Way::scanning("operand-scanning", n) };
    [
        ("operand scanning", scanning, None),
        ("product scanning", Way::scanning("product-scanning", n), None),
        ("hybrid, d = 4", Way::hybrid(n, 4), None),
        ("operand caching, e = 10", Way::caching(CACHING, n, 10, 1), Some(10)),
    ]
}

/// What the paper prints of cycles, in its tables or its text.
fn cycles(way: &Way, cache: Option<u32>, bits: u32) -> Option<Figure> {
    published("atmega128", way.method, cache, 1, bits).filter(|figure| figure.status == Status::Published)
}

fn mixes() -> Table {
    let (bits, n) = (160, words(160));
    let mut cells = Vec::new();
    for (name, way, cache) in four(n) {
        let figure = cycles(&way, cache, bits);
        let own = way.method == CACHING;
        for quantity in MIX {
            let ours = Ours::Program(Program::new(way.clone(), bits), quantity);
            let mut cell = Cell::new(PAPER, "3", name, quantity.heading(), ours);
            if let Some(value) = figure.as_ref().and_then(|figure| of(figure, quantity)) {
                cell = cell.published(value);
                if quantity != Quantity::Cycles {
                    cell = cell.note("as Seo and Kim quote it");
                }
            }
            let (loads, stores) = match way.method {
                "operand-scanning" => {
                    (formula::operand_scanning_loads(n), formula::operand_scanning_stores(n))
                }
                "product-scanning" => (formula::product_scanning_loads(n), 2 * n),
                "hybrid" => (formula::hybrid_loads(n, 4), 2 * n),
                _ => (formula::loads(n, 10), formula::stores(n, 10)),
            };
            cells.push(match quantity {
                Quantity::Load => cell.formula(loads),
                Quantity::Store => cell.formula(stores),
                Quantity::Multiply => cell.formula(n * n),
                Quantity::Add if own => cell.formula(3 * n * n + 2 * formula::intermediates(n, 10)),
                Quantity::Other if own => {
                    cell.note("75 cycles by the formula: five of the 70 take two cycles")
                }
                Quantity::Cycles if own => cell.formula(formula::cycles(n, 10)),
                _ => cell,
            });
        }
        if way.method == "hybrid" {
            let ours = Ours::Nothing("counted among other");
            cells.push(Cell::new(PAPER, "3", name, "movw", ours).unit("instructions"));
        }
    }
    Table {
        name: "3",
        title: "instructions of an unrolled 160-bit multiplication on the ATmega128",
        about: "The table was not at hand: published is what the text says, and Seo and Kim quote. Cycles are \
                of the body.",
        cells,
    }
}

fn of(figure: &Figure, quantity: Quantity) -> Option<i64> {
    let value = match quantity {
        Quantity::Cycles => figure.cycles,
        Quantity::Load => figure.mix?.load,
        Quantity::Store => figure.mix?.store,
        Quantity::Multiply => figure.mix?.multiply,
        Quantity::Add => figure.mix?.add,
        Quantity::Other => figure.mix?.other,
        Quantity::Bytes => return None,
    };
    i64::try_from(value).ok()
}

fn methods() -> Table {
    let mut cells = Vec::new();
    for bits in SIZES {
        for (name, way, cache) in four(words(bits)) {
            let figure = cycles(&way, cache, bits);
            let own = way.method == CACHING;
            let ours = Ours::Program(Program::new(way, bits), Quantity::Cycles);
            let mut cell = Cell::new(PAPER, "4", name, format!("{bits} bits"), ours);
            if let Some(value) = figure.and_then(|figure| of(&figure, Quantity::Cycles)) {
                cell = cell.published(value);
            }
            cells.push(if own { cell.formula(formula::cycles(words(bits), 10)) } else { cell });
        }
    }
    Table {
        name: "4",
        title: "cycles of the methods by size on the ATmega128",
        about: "The table was not at hand: published is what the text says.",
        cells: by_row(cells),
    }
}

/// Brings the cells of a row together, rows in the order in which they come up.
fn by_row(cells: Vec<Cell>) -> Vec<Cell> {
    let mut rows: Vec<Vec<Cell>> = Vec::new();
    for cell in cells {
        match rows.iter_mut().find(|row| row[0].row == cell.row) {
            Some(row) => row.push(cell),
            None => rows.push(vec![cell]),
        }
    }
    rows.concat()
}

fn caches() -> Table {
    let mut cells = Vec::new();
    for e in CACHES {
        for bits in SIZES {
            let n = words(bits);
            let way = Way::caching(CACHING, n, e, 1);
            let figure = cycles(&way, u32::try_from(e).ok(), bits);
            let ours = Ours::Program(Program::new(way, bits), Quantity::Cycles);
            let mut cell = Cell::new(PAPER, "5", format!("e = {e}"), format!("{bits} bits"), ours)
                .formula(formula::cycles(n, e));
            if let Some(value) = figure.and_then(|figure| of(&figure, Quantity::Cycles)) {
                cell = cell.published(value);
            }
            cells.push(cell);
        }
    }
    let model = "not a program but a model: the processor has no 40 registers for operands";
    for bits in SIZES {
        cells.push(
            Cell::new(PAPER, "5", "e = 20", format!("{bits} bits"), Ours::Nothing(model))
                .formula(formula::cycles(words(bits), 20)),
        );
    }
    let (bits, n) = (160, words(160));
    let best = |column: String, ours| Cell::new(PAPER, "5", "optimum for e = 20", column, ours);
    cells.push(best(format!("{bits} bits"), Ours::Nothing(model)).formula(formula::optimum(n)));
    let accesses = Ours::Count(Way::caching(CACHING, n, 20, 1), Count::Accesses(Afresh::Row));
    cells.push(best(format!("{bits} bits, accesses"), accesses).formula(4 * n));
    Table {
        name: "5",
        title: "cycles of operand caching by words in registers and size on the ATmega128",
        about: "The table was not at hand: published is what the text says. The formula is not in the paper; it \
                gives both cells of the text that belong here.",
        cells,
    }
}

fn related() -> Table {
    let bits = 160;
    let mut cells = Vec::new();
    let others = [
        ("Gura et al., CHES 2004", "hybrid"),
        ("Uhsadel et al. 2007", "hybrid"),
        ("Scott and Szczechowiak 2007", "hybrid, carry catchers"),
        ("Kargl et al. 2008", "unrolled"),
        ("Liu et al. 2010", "hybrid, looped"),
    ];
    for (source, how) in others {
        let ours = Ours::Nothing("code of others, which is not run here");
        let cell = Cell::new(PAPER, "6", format!("{source}: {how}"), "cycles", ours);
        let figure = figures().iter().find(|one| one.source == source && one.status == Status::Published);
        let value = figure.and_then(|figure| of(figure, Quantity::Cycles));
        cells.push(match value {
            Some(value) => cell.published(value),
            None => cell,
        });
    }
    let n = words(bits);
    let unrolled = Way::caching(CACHING, n, 10, 1);
    let figure = cycles(&unrolled, Some(10), bits);
    let looped = Program { looped: true, ..Program::new(Way::new(CACHING, n), bits) };
    let two =
        [("operand caching, unrolled", Program::new(unrolled, bits)), ("operand caching, looped", looped)];
    for (name, program) in two {
        for quantity in [Quantity::Cycles, Quantity::Bytes] {
            let unrolled = !program.looped && quantity == Quantity::Cycles;
            let ours = Ours::Program(program.clone(), quantity);
            let cell = Cell::new(PAPER, "6", name, quantity.heading(), ours);
            let value = figure.as_ref().filter(|_| unrolled).and_then(|figure| of(figure, quantity));
            cells.push(match value {
                Some(value) => cell.published(value).formula(formula::cycles(n, 10)),
                None => cell,
            });
        }
    }
    Table {
        name: "6",
        title: "160-bit multiplications on the ATmega128 compared with others'",
        about: "The table was not at hand: published is what the text says. What each figure includes is not \
                told; 2395 can only be a body. Looped code has the parameters that make it fastest.",
        cells,
    }
}

fn arm() -> Table {
    let (paper, real) = ("arm7tdmi-paper", "arm7tdmi");
    let mut cells = Vec::new();
    for bits in [160, 192, 256] {
        let n = words(bits) / 4;
        let by_columns = |way, target| {
            let program = Program { target, accumulation: Some("columns"), ..Program::new(way, bits) };
            Ours::Program(program, Quantity::Cycles)
        };
        let caching = Way { carry_once: Some(1), ..Way::new(CACHING, n) };
        let of_method = [
            ("product scanning", Way::scanning("product-scanning", n), Some(formula::arm_scanning(n))),
            ("hybrid, d = 2", Way::hybrid(n, 2), None),
            ("operand caching", Way { cache: Some(3), ..caching.clone() }, Some(formula::arm_caching(n, 3))),
        ];
        for (name, way, formula) in of_method {
            let cell = Cell::new(PAPER, "7", name, format!("{bits} bits"), by_columns(way.clone(), paper));
            cells.push(match formula {
                Some(formula) => cell.formula(formula),
                None => cell,
            });
        }
        let rows =
            Program { target: paper, accumulation: Some("rows"), ..Program::new(Way::hybrid(n, 5), bits) };
        for (name, ours) in [
            ("operand caching, the manual's times", by_columns(Way { cache: Some(3), ..caching }, real)),
            ("not in the paper: row by row", Ours::Program(rows.clone(), Quantity::Cycles)),
            (
                "not in the paper: row by row, the manual's times",
                Ours::Program(Program { target: real, ..rows }, Quantity::Cycles),
            ),
        ] {
            cells.push(Cell::new(PAPER, "7", name, format!("{bits} bits"), ours));
        }
    }
    let mut cells = by_row(cells);
    let others = "code of others, which is not run here";
    for (name, bits) in [
        ("best before", 160),
        ("Scott and Szczechowiak 2007, product scanning", 192),
        ("Scott and Szczechowiak 2007, hybrid", 192),
    ] {
        cells.push(Cell::new(PAPER, "7", name, format!("{bits} bits"), Ours::Nothing(others)));
    }
    Table {
        name: "7",
        title: "cycles on the ARM7TDMI",
        about: "The table was not at hand: published is what the text says. The paper takes 3 cycles for LDR, at \
                most 4 for UMULL, 2 for STR and 1 for an addition: so does the core arm7tdmi-paper, worst case. It \
                prints no cost formula; the one here is a composition of these times that gives both its figures, \
                and all but one cycle of the best before it. Cycles are of bodies.",
        cells,
    }
}
