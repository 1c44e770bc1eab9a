//! Tables 1 to 4, the theorems, and the numbers of levels: the paper's model of base instructions.

use super::counted;
use super::cycles::{parts, ratios};
use crate::Fraction;
use crate::formulas::hwang_huang_su::{self as formula, Instructions};
use crate::tables::cell::{Cell, Table};

/// Words at which polynomials are worked out.
const WORDS: [i64; 3] = [8, 64, 512];
/// Words of an operand up to which the theorems are checked.
const MOST: i64 = 2048;
/// Parts up to which theorem 5 is checked.
const MOST_PARTS: i64 = 8;

pub(super) fn tables() -> Vec<Table> {
    vec![
        Table {
            name: "1",
            title: "base instructions of the classical multiplication of s words",
            about: "The printed polynomials, at three sizes. They count algorithm 1, whose inner step takes one \
                    multiplication, four additions, two loads and a store, without its step 1, which clears the \
                    result.",
            cells: mix("1", |s| formula::classical(Fraction::from(s))),
        },
        Table {
            name: "2",
            title: "base instructions of the addition or subtraction of s words",
            about: "The printed polynomials, at three sizes. Algorithm 2 begins its loop with word 0, which its \
                    step 1 has added before: it should begin with word 1.",
            cells: mix("2", |s| formula::addition(Fraction::from(s))),
        },
        operations(),
        Table {
            name: "4",
            title: "base instructions of the Karatsuba-Ofman method for s words",
            about: "The printed polynomials, at three sizes; the formula is composed of tables 1 to 3. The sum \
                    of two halves may have a bit more than a half: neither its multiplication nor its addition \
                    is counted.",
            cells: karatsuba(),
        },
    ]
}

fn rows(counts: &Instructions) -> [(&'static str, Fraction); 5] {
    [
        ("mul", counts.multiply),
        ("add", counts.add),
        ("load", counts.load),
        ("store", counts.store),
        ("total", counts.total()),
    ]
}

fn mix(table: &str, of: impl Fn(i64) -> Instructions) -> Vec<Cell> {
    let mut cells = Vec::new();
    for row in 0..5 {
        for s in WORDS {
            let (name, value) = rows(&of(s))[row];
            cells.push(counted(table, name, format!("s = {s}")).published(value).formula(value));
        }
    }
    cells
}

fn operations() -> Table {
    let names = ["multiplications of s/2 words", "additions of s words", "additions of s/2 words"];
    let cell = |(name, number): (&str, i64)| {
        counted("3", name, "number").published(number).formula(number).unit("operations")
    };
    Table {
        name: "3",
        title: "operations of the Karatsuba-Ofman method",
        about: "Two products are subtracted from that of the sums, the result is added in the middle: three \
                operations of s words.",
        cells: names.into_iter().zip(formula::KARATSUBA_PARTS).map(cell).collect(),
    }
}

fn karatsuba() -> Vec<Cell> {
    let composed = |s: i64| {
        let [products, long, short] = formula::KARATSUBA_PARTS.map(Fraction::from);
        let (whole, half) = (Fraction::from(s), Fraction::new(s, 2));
        let (product, sum, half_sum) =
            (formula::classical(half), formula::addition(whole), formula::addition(half));
        let all = |of: fn(&Instructions) -> Fraction| {
            products * of(&product) + long * of(&sum) + short * of(&half_sum)
        };
        Instructions {
            multiply: all(|one| one.multiply),
            add: all(|one| one.add),
            load: all(|one| one.load),
            store: all(|one| one.store),
        }
    };
    let mut cells = Vec::new();
    for row in 0..5 {
        for s in WORDS {
            let (name, printed) = rows(&formula::karatsuba(Fraction::from(s)))[row];
            let (_, value) = rows(&composed(s))[row];
            cells.push(counted("4", name, format!("s = {s}")).published(printed).formula(value));
        }
    }
    cells
}

pub(super) fn theorems() -> Table {
    let mut cells = Vec::new();
    for t in [2, 4, 8] {
        for s in WORDS {
            let value = formula::balanced(t, s);
            let name = format!("1: balanced {t}-way split");
            cells.push(counted("theorems", name, format!("s = {s}")).published(value).formula(value));
        }
    }
    for (name, ratio) in ratios() {
        for s in WORDS {
            let lengths = parts(ratio, s);
            cells.push(
                counted("theorems", format!("2: {name}"), format!("s = {s}"))
                    .published(formula::printed_unbalanced(&lengths))
                    .formula(formula::unbalanced(&lengths))
                    .wrong("the weights of the squared differences are printed in reverse order"),
            );
        }
    }
    for (t, n) in [(2i64, 1), (2, 2), (2, 3), (4, 1), (4, 2)] {
        for s in WORDS {
            if t.pow(n) <= s {
                let value = formula::recursive(t, n, s);
                let name = format!("3: {t}-way split, n = {n}");
                cells.push(counted("theorems", name, format!("s = {s}")).published(value).formula(value));
            }
        }
    }
    for s in [11, 64, 100, 128, 192, 512] {
        cells.push(
            counted("theorems", "4: levels of the 2-way split", format!("s = {s}"))
                .published(i64::from(formula::printed_levels(s)))
                .formula(i64::from(formula::levels(2, s)))
                .unit("levels")
                .wrong("the minimum over real numbers, rounded down, is none over whole ones"),
        );
    }
    let number =
        |row: &str, found: i64| counted("theorems", row, "number").published(0).formula(found).unit("cases");
    cells.push(number(
        "5: s of 4 to 2048 words where 3 to 8 parts are better than 2",
        better_with_more_parts(),
    ));
    cells.push(number(
        "6: unequal splits of up to 24 words, of 2 to 4 parts, that are better than equal ones",
        better_unbalanced(),
    ));
    cells.push(
        number("7: s of 2 to 2048 words where other levels are better", better_with_other_levels())
            .wrong("one level more is better; table levels has the sizes"),
    );
    Table {
        name: "theorems",
        title: "base instructions by theorems 1 to 7",
        about: "Published is the printed expression, and 0 for a theorem that says that there is no such case; \
                the formula is the corrected expression, or the number of cases found by trying all. Theorem 5 \
                is tried with the best whole number of levels on both sides. No theorem counts the carries of \
                the sums, and parts are taken to have fractions of a word.",
        cells,
    }
}

/// Sizes for which a recursive split into more than two parts takes fewer instructions than one into two,
/// each with its best levels.
fn better_with_more_parts() -> i64 {
    let best = |t, s| formula::recursive(t, formula::levels(t, s), s);
    (4..=MOST).filter(|s| (3..=MOST_PARTS).any(|t| best(t, *s) < best(2, *s))).count() as i64
}

/// Unequal splits of `s` words that take fewer instructions than the balanced one into as many parts.
fn better_unbalanced() -> i64 {
    let mut better = 0;
    for s in 2..=24 {
        for t in 2..=4 {
            let balanced = formula::balanced(t, s);
            let mut count = |parts: &[i64]| {
                let lengths: Vec<Fraction> = parts.iter().copied().map(Fraction::from).collect();
                better += i64::from(formula::unbalanced(&lengths) < balanced);
            };
            each_split(s, t, s, &mut Vec::new(), &mut count);
        }
    }
    better
}

/// Calls `visit` with every way to write `s` as a sum of `t` numbers from 1 to `most`, in descending order.
fn each_split(s: i64, t: i64, most: i64, head: &mut Vec<i64>, visit: &mut impl FnMut(&[i64])) {
    if t == 0 {
        if s == 0 {
            visit(head);
        }
        return;
    }
    for part in 1..=most.min(s) {
        head.push(part);
        each_split(s - part, t - 1, part, head, visit);
        head.pop();
    }
}

/// Sizes for which the printed number of levels does not take the fewest instructions.
fn better_with_other_levels() -> i64 {
    let worse = |s: &i64| {
        let of = |n| formula::recursive(2, n, *s);
        of(formula::levels(2, *s)) < of(formula::printed_levels(*s))
    };
    (2..=MOST).filter(worse).count() as i64
}

pub(super) fn levels() -> Table {
    // first and last size, levels as printed and as they should be
    let mut ranges: Vec<(i64, i64, u32, u32)> = Vec::new();
    for s in 1..=MOST {
        let (printed, best) = (formula::printed_levels(s), formula::levels(2, s));
        match ranges.last_mut() {
            Some((_, last, p, b)) if (*p, *b) == (printed, best) => *last = s,
            _ => ranges.push((s, s, printed, best)),
        }
    }
    let mut cells = Vec::new();
    for (first, last, printed, best) in ranges {
        let loss = |s| formula::recursive(2, printed, s).value() / formula::recursive(2, best, s).value();
        let most = (first..=last).map(loss).fold(1.0, f64::max);
        cells.push(
            counted("levels", format!("s = {first} to {last}"), "levels")
                .published(i64::from(printed))
                .formula(i64::from(best))
                .unit("levels")
                .wrong(format!("the print takes up to {:.1} % more base instructions", 100.0 * (most - 1.0))),
        );
    }
    Table {
        name: "levels",
        title: "levels of the recursive balanced 2-way split for every size up to 2048 words",
        about: "Published is floor(log2(0.13515 s)), none where that is negative; the formula is the number of \
                levels with the fewest base instructions of theorem 3, max(0, floor(log2(4s/21))). Where 4s/21 \
                is a power of two, one level fewer takes as many.",
        cells,
    }
}
