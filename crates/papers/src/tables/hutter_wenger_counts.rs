//! Hutter and Wenger: what is counted without a processor. Tables 1 and 2, equations (1) to (4).

use super::cell::{Afresh, Cell, Count, Ours, Program, Quantity, Table, Way};
use super::{CACHES, Paper, SIZES, words};
use crate::Fraction;
use crate::formulas::hutter_wenger as formula;

const PAPER: Paper = Paper::HutterWenger;

/// The reason why a bound of equations (1) and (2) is none.
const NO_BOUND: &str = "the printed bound is too low: it holds only where e divides n";

/// Operand caching without carry-once.
fn caching(n: i64, e: i64) -> Way {
    Way::caching("operand-caching", n, e, 1)
}

pub(super) fn parts() -> Table {
    let mut cells = Vec::new();
    // the paper's example, its main size, and one where e does not divide n
    for (n, e) in [(8, 3), (20, 10), (24, 10)] {
        for p in (0..formula::rows(n, e)).rev() {
            let names = ["initial block", "part 1", "part 2", "part 3", "part 4"];
            for (part, (name, (loads, stores))) in names.iter().zip(formula::parts(n, e, p)).enumerate() {
                let row = match part {
                    // the block belongs to no row, and comes before the highest
                    0 if p + 1 < formula::rows(n, e) => continue,
                    0 => format!("n = {n}, e = {e}: {name}"),
                    _ => format!("n = {n}, e = {e}, row p = {p}: {name}"),
                };
                let cell = |column: &str, count, value: i64| {
                    Cell::new(PAPER, "1", row.clone(), column, Ours::Count(caching(n, e), count))
                        .published(value)
                        .formula(value)
                };
                cells.push(cell("load", Count::PartLoads { p, part }, loads));
                cells.push(cell("store", Count::PartStores { p, part }, stores));
            }
        }
    }
    Table {
        name: "1",
        title: "memory accesses of the initial block and of each part of a row",
        about: "Published is what the paper's text says of each part, at these sizes; the table itself was not \
                at hand. Measured is counted on the schedule, every row beginning with empty registers.",
        cells,
    }
}

pub(super) fn methods() -> Table {
    let mut cells = Vec::new();
    for (bits, d, e) in [(160, 4, 10), (160, 6, 8), (192, 5, 10)] {
        let n = words(bits);
        let mut method =
            |name: &str, way: Way, afresh, loads: Trio, stores: Trio, sum: Trio, reason: &str| {
                let row = format!("{name}, {bits} bits");
                let counts = [Count::Loads(afresh), Count::Stores, Count::Accesses(afresh)];
                for ((column, count), (published, formula)) in
                    ["load", "store", "accesses"].into_iter().zip(counts).zip([loads, stores, sum])
                {
                    let ours = Ours::Count(way.clone(), count);
                    let cell = Cell::new(PAPER, "2", row.clone(), column, ours).formula(formula);
                    let cell = match published {
                        Some(value) => cell.published(value).wrong(reason),
                        None => cell.note("the text has the sum only"),
                    };
                    cells.push(cell);
                }
            };
        if (bits, d) != (160, 6) {
            let (loads, stores) = (formula::operand_scanning_loads(n), formula::operand_scanning_stores(n));
            method(
                "operand scanning",
                Way { carry_once: Some(1), ..Way::scanning("operand-scanning", n) },
                Afresh::Row,
                (None, loads),
                (None, stores),
                (Some(formula::printed_operand_scanning_accesses(n).into()), loads + stores),
                "3n^2 + 2n has n loads of the result in the first row, where nothing is there to load",
            );
            let (loads, stores) = (formula::product_scanning_loads(n), 2 * n);
            method(
                "product scanning",
                Way::scanning("product-scanning", n),
                Afresh::Column,
                right(loads),
                right(stores),
                right(loads + stores),
                "",
            );
        }
        let (printed, loads, stores) =
            (formula::printed_hybrid_loads(n, d), formula::hybrid_loads(n, d), 2 * n);
        method(
            &format!("hybrid, d = {d}"),
            Way::hybrid(n, d),
            Afresh::Column,
            (Some(printed.into()), loads),
            right(stores),
            (Some((printed + stores).into()), loads + stores),
            "2 ceil(n^2/d) holds only where d divides n; a ragged block takes a whole block row: 2n ceil(n/d)",
        );
        let (loads, stores) = (formula::loads(n, e), formula::stores(n, e));
        let (low, few) = (formula::printed_bound_of_loads(n, e), formula::printed_bound_of_stores(n, e));
        method(
            &format!("operand caching, e = {e}"),
            caching(n, e),
            Afresh::Row,
            (Some(low), loads),
            (Some(few), stores),
            (Some(low + few), loads + stores),
            NO_BOUND,
        );
    }
    Table {
        name: "2",
        title: "memory accesses of the methods",
        about: "Published is what the paper's text says of each method, at these sizes; the table itself was \
                not at hand. Measured is counted on the schedule by the paper's rule: nothing is kept from one \
                row to the next, in the scanning of columns from one column to the next. Programs keep more.",
        cells,
    }
}

/// What is printed, and what is right.
type Trio = (Option<Fraction>, i64);

fn right(value: i64) -> Trio {
    (Some(value.into()), value)
}

pub(super) fn equations() -> Table {
    let mut cells = Vec::new();
    for bits in SIZES {
        let n = words(bits);
        for e in CACHES {
            let row = format!("{bits} bits, e = {e}");
            let cell = |column: &str, count| {
                Cell::new(PAPER, "equations", row.clone(), column, Ours::Count(caching(n, e), count))
            };
            let (loads, stores) = (formula::loads(n, e), formula::stores(n, e));
            cells.push(cell("(1) loads", Count::Loads(Afresh::Row)).published(loads).formula(loads));
            cells.push(
                cell("(1) bound", Count::Loads(Afresh::Row))
                    .published(formula::printed_bound_of_loads(n, e))
                    .formula(formula::bound_of_loads(n, e))
                    .wrong(NO_BOUND),
            );
            cells.push(cell("(2) stores", Count::Stores).published(stores).formula(stores));
            cells.push(
                cell("(2) bound", Count::Stores)
                    .published(formula::printed_bound_of_stores(n, e))
                    .formula(formula::bound_of_stores(n, e))
                    .wrong(NO_BOUND),
            );
        }
    }
    for d in [1, 3, 5, 7] {
        let (f, e) = (formula::hybrid_registers(d), (3 * d - 1) / 2);
        let n = words(160);
        let cell = |column: &str, way| {
            let ours = Ours::Count(way, Count::Registers);
            Cell::new(PAPER, "equations", format!("f = {f} registers"), column, ours).published(f).formula(f)
        };
        cells.push(cell(&format!("(3) hybrid, d = {d}"), Way::hybrid(n, d)));
        let caching = cell(&format!("(3) operand caching, e = {e}"), caching(n, e));
        cells.push(if e > d { caching } else { caching.note("e > d only for d > 1") });
    }
    for bits in SIZES {
        cells.extend(CACHES.into_iter().flat_map(|e| fourth(bits, e)));
    }
    let (bits, n, d, e) = (160, words(160), 4, 10);
    let program = |way| Ours::Program(Program::new(way, bits), Quantity::Add);
    let row = format!("{bits} bits");
    cells.push(
        Cell::new(
            PAPER,
            "equations",
            row.clone(),
            format!("additions, operand caching, e = {e}"),
            program(caching(n, e)),
        )
        .published(3 * n * n)
        .formula(3 * n * n + 2 * formula::intermediates(n, e))
        .wrong("3n^2 leaves out two additions for each intermediate"),
    );
    cells.push(
        Cell::new(PAPER, "equations", row, format!("additions, hybrid, d = {d}"), program(Way::hybrid(n, d)))
            .published(n * n * 2 + n * n * d / 2)
            .note("an upper bound: n^2 (2 + d/2)"),
    );
    Table {
        name: "equations",
        title: "equations (1) to (4), and numbers of additions",
        about: "Measured is counted on the schedule, with nothing kept from one row to the next. Equation (4) \
                says that the left side is larger than the right one; formula is both sides without rounding \
                errors at the edges.",
        cells,
    }
}

/// Both sides of equation (4) in the registers of operand caching with `e` words.
fn fourth(bits: u32, e: i64) -> [Cell; 2] {
    let (n, f) = (words(bits), formula::registers(e));
    let d = formula::hybrid_rows(f);
    let row = format!("{bits} bits, f = {f} registers");
    let cell = |column: &str, way, afresh| {
        Cell::new(PAPER, "equations", row.clone(), column, Ours::Count(way, Count::Accesses(afresh)))
    };
    let left = formula::hybrid_loads(n, d) + 2 * n;
    let right = formula::loads(n, e) + formula::stores(n, e);
    let (printed_left, printed_right) =
        (formula::printed_hybrid_accesses_in(f, n), formula::printed_accesses_in(f, n));
    let holds = Fraction::from(printed_left) > printed_right;
    let note = match (holds, left > right) {
        (true, true) => "",
        (true, false) => "the inequality holds only by the printed expressions",
        (false, true) => "the inequality does not hold by the printed expressions, but it does by right ones",
        (false, false) => "the inequality does not hold: with f = 3d + 2 it fails from about n = de on",
    };
    [
        cell(&format!("(4) left, hybrid, d = {d}"), Way::hybrid(n, d), Afresh::Column)
            .published(printed_left)
            .formula(left)
            .wrong("2 ceil(n^2/d) holds only where d divides n"),
        cell(&format!("(4) right, operand caching, e = {e}"), caching(n, e), Afresh::Row)
            .published(printed_right)
            .formula(right)
            .wrong(NO_BOUND)
            .note(note),
    ]
}
