//! Seo and Kim, sections III.B and IV.A: words that are loaded again, and what it takes to add them.

use super::cell::{Cell, Count, Ours, Table, Way};
use super::{Paper, words};
use crate::Fraction;
use crate::formulas::seo_kim::{self as formula, Narrow};

const PAPER: Paper = Paper::SeoKim;
const CACHING: &str = "operand-caching";
const CONSECUTIVE: &str = "consecutive-operand-caching";
/// Sizes of the formulas' tables in bits.
const SIZES: [u32; 3] = [160, 192, 256];
/// Words in registers: even and odd, with and without a remainder.
const CACHES: [i64; 6] = [2, 3, 4, 5, 8, 10];
/// Rows of a block; the paper's formulas are about those that divide `n`.
const ROWS: [i64; 2] = [2, 4];

pub(super) fn tables() -> Vec<Table> {
    vec![intermediates(), additions()]
}

fn scanning(n: i64, c: i64) -> Way {
    Way { carry_once: Some(c), ..Way::scanning("operand-scanning", n) }
}

/// Consecutive operand caching with the narrow strip last, as the paper's formula has it.
fn narrow_last(n: i64, e: i64, c: i64) -> Way {
    Way { initial_block: Some(e), ..Way::caching(CONSECUTIVE, n, e, c) }
}

fn cell(table: &str, row: String, bits: u32, way: Way, count: Count) -> Cell {
    Cell::new(PAPER, table, row, format!("{bits} bits"), Ours::Count(way, count))
}

fn intermediates() -> Table {
    let mut cells = Vec::new();
    let mut row = |of: &dyn Fn(u32, i64) -> Cell| {
        cells.extend(SIZES.into_iter().map(|bits| of(bits, words(bits))));
    };
    let cell = |name: &str, bits, way, count| cell("intermediates", name.to_owned(), bits, way, count);
    let name = "operand scanning";
    row(&|bits, n| {
        cell(name, bits, scanning(n, 1), Count::Intermediates)
            .published(formula::printed_operand_scanning_intermediates(n))
            .formula(formula::operand_scanning_intermediates(n))
            .wrong("n(n-1) is printed to be n^2; it is n^2 - n")
    });
    for d in ROWS {
        let name = format!("hybrid, d = {d}");
        row(&|bits, n| {
            let value = formula::hybrid_intermediates(n, d);
            cell(&name, bits, Way::hybrid(n, d), Count::BlockIntermediates).published(value).formula(value)
        });
    }
    for e in CACHES {
        let name = format!("operand caching, e = {e}");
        row(&|bits, n| {
            let value = formula::caching_intermediates(n, e);
            cell(&name, bits, Way::caching(CACHING, n, e, 1), Count::Intermediates)
                .published(value)
                .formula(value)
        });
    }
    for e in CACHES {
        let name = format!("consecutive operand caching, e = {e}");
        row(&|bits, n| {
            let cell = cell(&name, bits, narrow_last(n, e, 1), Count::Intermediates)
                .published(formula::printed_consecutive_intermediates(n, e))
                .formula(formula::consecutive_intermediates(n, e, Narrow::Last));
            match (n % e, formula::consecutive_intermediates(n, e, Narrow::First)) {
                (0, _) => cell,
                (_, less) => cell.note(format!("right with the narrow strip last; {less} with it first")),
            }
        });
    }
    Table {
        name: "intermediates",
        title: "words of the result that are stored and loaded again",
        about: "Section III.B. Measured is counted on the schedule; of the hybrid method, on its blocks, each \
                of which stores an accumulator of 2d + 1 words.",
        cells,
    }
}

fn additions() -> Table {
    let mut cells = Vec::new();
    let at = |name: &str, bits, way, count| cell("additions", name.to_owned(), bits, way, count);
    let mut row = |of: &dyn Fn(u32, i64) -> Cell| {
        cells.extend(SIZES.into_iter().map(|bits| of(bits, words(bits))));
    };
    for c in [1, 2, 3, 4, 8] {
        let name = format!("operand scanning, c = {c}");
        row(&|bits, n| {
            at(&name, bits, scanning(n, c), Count::Additions)
                .published(formula::printed_operand_scanning_additions(n, c))
                .formula(formula::operand_scanning_additions(n, c))
                .wrong("floor(n/c) should be ceil(n/c): the last, short group has a carry, too")
        });
    }
    for d in ROWS {
        for c in [1, 2, 3, 4, 5, 8, 9] {
            let name = format!("hybrid, d = {d}, c = {c}");
            row(&|bits, n| {
                at(&name, bits, Way::hybrid(n, d), Count::BlockAdditions(c))
                    .published(formula::printed_hybrid_additions(n, d, c))
                    .formula(formula::hybrid_additions(n, d, c))
                    .wrong("floor(l/c) + 1 is one too many for a run of l where c divides l: ceil(l/c)")
            });
        }
    }
    for c in [1, 2] {
        for e in CACHES {
            let name = format!("operand caching, e = {e}, c = {c}");
            row(&|bits, n| {
                let printed = match c {
                    1 => Fraction::from(2 * formula::caching_intermediates(n, e)),
                    _ => formula::printed_caching_additions(n, e),
                };
                let reason = match (n % e == 0, e % 2 == 0) {
                    (true, true) => "the printed sum has ek, its value e - 1: (3/2) e r(r-1) is right",
                    _ => "runs have 2(n - e(p+1)) words, an even number, whatever e: no case for odd e",
                };
                at(&name, bits, Way::caching(CACHING, n, e, c), Count::Additions)
                    .published(printed)
                    .formula(formula::caching_additions(n, e, c))
                    .wrong(reason)
            });
        }
    }
    for c in [1, 2] {
        for e in CACHES {
            let name = format!("consecutive operand caching, e = {e}, c = {c}");
            row(&|bits, n| {
                let printed = match c {
                    1 => Fraction::from(2 * formula::printed_consecutive_intermediates(n, e)),
                    _ => formula::printed_consecutive_additions(n, e),
                };
                let reason = match (n % e == 0, e % 2 == 0) {
                    (true, true) => "the printed + 2 is too much: table I is right without it",
                    (false, true) => "a run of n + e, where odd, takes one addition more for its last word",
                    (_, false) => "the first run has 2e words, an even number, whatever e: no case for odd e",
                };
                at(&name, bits, narrow_last(n, e, c), Count::Additions)
                    .published(printed)
                    .formula(formula::consecutive_additions(n, e, c, Narrow::Last))
                    .wrong(reason)
            });
        }
    }
    Table {
        name: "additions",
        title: "additions of these words, c at once",
        about: "Section IV.A, whose titles of operand scanning and operand caching are exchanged; c = 1 is \
                section III.B. A group of c words takes c additions and one for its carry. Measured is counted \
                on the schedule as for intermediates.",
        cells,
    }
}
