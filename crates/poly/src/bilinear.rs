//! The range of a sum of products of two words each, and of such words alone.
//!
//! Such a sum is largest, and smallest, where each word has its least or its greatest value. Words whose
//! products have proportional weights are parts of one number; for a few numbers all corners are tried. A
//! word alone is its product with a number that is always 1.
//! Products that are not connected by words have ranges of their own, which add up; where those that are connected do not
//! fall into two sides, or into too many numbers, they are bounded term by term.

use crate::{Dyadic, Variable};
use std::collections::{BTreeMap, BTreeSet};

/// Most numbers on the side of a connected part whose corners are tried.
const MOST_NUMBERS: usize = 8;

type Coefficients = BTreeMap<usize, Dyadic>;

/// Least and greatest value of `sum of factor * x * y`, plus `sum of factor * x`, where each word lies in
/// `0..=most(word)`, or bounds of these.
pub fn bilinear_range(
    terms: &[(Variable, Variable, Dyadic)],
    alone: &[(Variable, Dyadic)],
    most: impl Fn(&Variable) -> i64,
) -> (Dyadic, Dyadic) {
    let (left, odd) = sides(terms);
    let mut parts: BTreeMap<Variable, Part<'_>> = BTreeMap::new();
    // words that are not multiplied are parts by themselves
    let start = |word: &Variable| left.get(word).map_or(*word, |side| side.1);
    for term in terms {
        parts.entry(start(&term.0)).or_default().products.push(term);
    }
    for term in alone {
        parts.entry(start(&term.0)).or_default().alone.push(term);
    }
    let (mut low, mut high) = (Dyadic::ZERO, Dyadic::ZERO);
    for (start, part) in &parts {
        let connected = (!odd.contains(start))
            .then(|| connected_range(part, |word| left.get(word).is_some_and(|at| at.0), &most))
            .flatten();
        let (least, greatest) = connected.unwrap_or_else(|| part.term_by_term(&most));
        low = low.plus(&least);
        high = high.plus(&greatest);
    }
    (low, high)
}

/// Products that are connected, and words of theirs alone.
#[derive(Default)]
struct Part<'t> {
    products: Vec<&'t (Variable, Variable, Dyadic)>,
    alone: Vec<&'t (Variable, Dyadic)>,
}

impl Part<'_> {
    /// Bounds, each term by itself.
    fn term_by_term(&self, most: impl Fn(&Variable) -> i64) -> (Dyadic, Dyadic) {
        let products = self.products.iter().map(|(x, y, factor)| factor.scale(most(x)).scale(most(y)));
        let alone = self.alone.iter().map(|(x, factor)| factor.scale(most(x)));
        products.chain(alone).fold((Dyadic::ZERO, Dyadic::ZERO), |(low, high), term| {
            match term.is_negative() {
                true => (low.plus(&term), high),
                false => (low, high.plus(&term)),
            }
        })
    }
}

/// The range of products that are connected; `left` says which words are on the left side. `None` where there are too
/// many numbers.
fn connected_range(
    part: &Part<'_>,
    left: impl Fn(&Variable) -> bool,
    most: impl Fn(&Variable) -> i64,
) -> Option<(Dyadic, Dyadic)> {
    let Part { products: terms, alone } = part;
    let mut words: Vec<Variable> = terms.iter().flat_map(|(x, y, _)| [*x, *y]).collect();
    words.extend(alone.iter().map(|(word, _)| *word));
    words.sort_unstable();
    words.dedup();
    let place = |word: &Variable| words.binary_search(word).unwrap_or(0);
    let one = words.len();
    let products = terms.iter().map(|(x, y, factor)| (place(x), place(y), left(x), factor));
    let products = products.chain(alone.iter().map(|(x, factor)| (place(x), one, left(x), factor)));
    let mut rows: BTreeMap<usize, Coefficients> = BTreeMap::new();
    for (x, y, is_left, factor) in products {
        let (x, y) = if is_left { (x, y) } else { (y, x) };
        let entry = rows.entry(x).or_default().entry(y).or_insert(Dyadic::ZERO);
        *entry = entry.plus(factor);
    }
    // words of the left side become numbers, then those of the right side
    let bound = |place: usize| match words.get(place) {
        Some(word) => (Dyadic::ZERO, Dyadic::new(most(word), 0)),
        None => (Dyadic::new(1, 0), Dyadic::new(1, 0)),
    };
    let (numbers, rows) = group(rows.into_iter().map(|(place, row)| (bound(place), row)).collect());
    if numbers.len() > MOST_NUMBERS {
        return None;
    }
    let mut columns: BTreeMap<usize, Coefficients> = BTreeMap::new();
    for (number, row) in rows.iter().enumerate() {
        for (place, factor) in row {
            columns.entry(*place).or_default().insert(number, factor.clone());
        }
    }
    let (others, columns) = group(columns.into_iter().map(|(place, row)| (bound(place), row)).collect());
    let mut ends: Option<(Dyadic, Dyadic)> = None;
    for corner in 0..1usize << numbers.len() {
        let (mut low, mut high) = (Dyadic::ZERO, Dyadic::ZERO);
        for (other, column) in others.iter().zip(&columns) {
            let slope = column.iter().fold(Dyadic::ZERO, |slope, (number, factor)| {
                let (least, greatest) = &numbers[*number];
                let value = if corner >> number & 1 == 1 { greatest } else { least };
                slope.plus(&factor.times(value))
            });
            let (least, greatest) = (slope.times(&other.0), slope.times(&other.1));
            let (least, greatest) = if least <= greatest { (least, greatest) } else { (greatest, least) };
            low = low.plus(&least);
            high = high.plus(&greatest);
        }
        ends = Some(match ends {
            None => (low, high),
            Some((least, greatest)) => (least.min(low), greatest.max(high)),
        });
    }
    ends
}

/// Words with proportional rows as numbers with their ranges, each with one row.
fn group(words: Vec<((Dyadic, Dyadic), Coefficients)>) -> (Vec<(Dyadic, Dyadic)>, Vec<Coefficients>) {
    let mut numbers: Vec<(Dyadic, Dyadic)> = Vec::new();
    let mut rows: Vec<Coefficients> = Vec::new();
    for ((low, high), row) in words {
        let found = rows.iter().enumerate().find_map(|(at, own)| Some((at, ratio(&row, own)?)));
        let (at, ratio) = found.unwrap_or_else(|| {
            numbers.push((Dyadic::ZERO, Dyadic::ZERO));
            rows.push(row);
            (rows.len() - 1, Dyadic::new(1, 0))
        });
        let (low, high) = if ratio.is_negative() { (high, low) } else { (low, high) };
        let (least, greatest) = &mut numbers[at];
        *least = least.plus(&low.times(&ratio));
        *greatest = greatest.plus(&high.times(&ratio));
    }
    (numbers, rows)
}

/// The power of two, with a sign, by which one row is the multiple of another.
fn ratio(row: &Coefficients, of: &Coefficients) -> Option<Dyadic> {
    if !row.keys().eq(of.keys()) {
        return None;
    }
    let (first, own) = (row.values().next()?, of.values().next()?);
    let power = Dyadic::power(first.exponent() - own.exponent());
    let ratio = if first.is_negative() == own.is_negative() { power } else { power.negate() };
    row.values().zip(of.values()).all(|(x, y)| *x == y.times(&ratio)).then_some(ratio)
}

/// For each word whether it is on the left side, and the first word of its connected part.
type Sides = BTreeMap<Variable, (bool, Variable)>;

/// The sides, and the parts in which a product has both words on one side.
fn sides(terms: &[(Variable, Variable, Dyadic)]) -> (Sides, BTreeSet<Variable>) {
    let mut odd = BTreeSet::new();
    let mut neighbours: BTreeMap<Variable, Vec<Variable>> = BTreeMap::new();
    for (x, y, _) in terms {
        neighbours.entry(*x).or_default().push(*y);
        neighbours.entry(*y).or_default().push(*x);
    }
    let mut side: Sides = BTreeMap::new();
    for start in neighbours.keys() {
        if side.contains_key(start) {
            continue;
        }
        side.insert(*start, (true, *start));
        let mut open = vec![*start];
        while let Some(word) = open.pop() {
            let own = side[&word].0;
            for other in &neighbours[&word] {
                match side.get(other) {
                    None => {
                        side.insert(*other, (!own, *start));
                        open.push(*other);
                    }
                    Some((theirs, _)) if *theirs == own => {
                        odd.insert(*start);
                    }
                    Some(_) => {}
                }
            }
        }
    }
    (side, odd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(index: u32) -> Variable {
        Variable::new(index, false)
    }

    /// Against all values of small words.
    #[test]
    fn the_range_is_exact_for_numbers_and_sound_for_all() {
        let mut state = 1u64;
        let mut random = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            (state >> 40) as i64
        };
        for _ in 0..300 {
            let terms: Vec<(Variable, Variable, Dyadic)> = (0..4)
                .map(|at| {
                    (word(at / 2), word(2 + at % 2), Dyadic::new(random() % 7 - 3, (random() % 3) as i32))
                })
                .collect();
            let count = random() as u32 % 5;
            let alone: Vec<(Variable, Dyadic)> =
                (0..count).map(|at| (word(at), Dyadic::new(random() % 9 - 4, 0))).collect();
            let most = |word: &Variable| [3, 2, 1, 3][word.index()];
            let (low, high) = bilinear_range(&terms, &alone, most);
            let mut seen = Vec::new();
            for values in 0..4 * 3 * 2 * 4i64 {
                let value = |word: &Variable| match word.index() {
                    0 => values % 4,
                    1 => values / 4 % 3,
                    2 => values / 12 % 2,
                    _ => values / 24,
                };
                let products = terms
                    .iter()
                    .fold(Dyadic::ZERO, |sum, (x, y, factor)| sum.plus(&factor.scale(value(x) * value(y))));
                seen.push(alone.iter().fold(products, |sum, (x, factor)| sum.plus(&factor.scale(value(x)))));
            }
            assert_eq!(Some(&low), seen.iter().min());
            assert_eq!(Some(&high), seen.iter().max());
        }
    }

    #[test]
    fn ranges_of_products_that_share_no_word_add_up() {
        // x_k * y_k - x_k * z_k for bits x_k and bytes y_k, z_k: more numbers than corners are tried for
        let parts = 3 * MOST_NUMBERS as u32;
        let terms: Vec<(Variable, Variable, Dyadic)> = (0..parts)
            .flat_map(|k| [(word(3 * k), word(3 * k + 1), 1), (word(3 * k + 2), word(3 * k), -1)])
            .map(|(x, y, sign)| (x, y, Dyadic::new(sign, 0)))
            .collect();
        let most = |word: &Variable| if word.index().is_multiple_of(3) { 1 } else { 255 };
        let end = Dyadic::new(255 * i64::from(parts), 0);
        assert_eq!(bilinear_range(&terms, &[], most), (end.negate(), end.clone()));
        // three words, each times each other, have no two sides
        let odd = [(word(0), word(1)), (word(1), word(2)), (word(2), word(0))];
        let odd: Vec<_> = odd.into_iter().map(|(x, y)| (x, y, Dyadic::new(1, 0))).collect();
        let beside = [(word(3), word(4), Dyadic::new(1, 0)), (word(3), word(5), Dyadic::new(-1, 0))];
        let both: Vec<_> = odd.iter().cloned().chain(beside).collect();
        let products = Dyadic::new(255 + 255 + 255 * 255, 0);
        assert_eq!(bilinear_range(&odd, &[], most), (Dyadic::ZERO, products.clone()));
        // words 0 and 3 are bits
        let all = (Dyadic::new(-255, 0), products.plus(&Dyadic::new(255, 0)));
        assert_eq!(bilinear_range(&both, &[], most), all);
    }
}
