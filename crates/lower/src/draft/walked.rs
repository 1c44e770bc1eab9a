//! Products and squares with their columns in registers ([`waiting`](super::waiting)): word by word in the order of a walk,
//! whatever its rows. A column is stored when no product of it or of a lower one is left. Each word of an operand is
//! loaded once; which of them have registers, and when, is decided afterwards ([`fit`](super::fit)).

use super::core::{Fault, Setting};
use super::form::{Draft, Memory, Name, Pair, ZERO};
use super::waiting::Waiting;
use rhomb_kernel::{Product, Schedule, Squaring, Step, Walk};

/// Words of an operand that were loaded.
struct Operand {
    memory: Memory,
    words: Vec<Option<Name>>,
}

impl Operand {
    fn new(memory: Memory, words: usize) -> Self {
        Operand { memory, words: vec![None; words] }
    }

    fn word(&mut self, draft: &mut Draft, index: usize) -> Name {
        *self.words[index].get_or_insert_with(|| self.memory.load(draft, index).into())
    }
}

/// How many products each column has, and the lowest column that is not finished.
struct Columns {
    left: Vec<usize>,
    lowest: usize,
}

impl Columns {
    fn of(products: impl Iterator<Item = Product>, columns: usize) -> Self {
        let mut left = vec![0; columns];
        products.for_each(|product| left[product.column()] += 1);
        Columns { left, lowest: 0 }
    }

    /// A product is done; the columns that are finished then.
    fn done(&mut self, product: Product) -> std::ops::Range<usize> {
        self.left[product.column()] -= 1;
        let first = self.lowest;
        let open = self.left[first..].iter().position(|left| *left > 0);
        self.lowest = open.map_or(self.left.len(), |open| first + open);
        first..self.lowest
    }
}

/// The same products with blocks of them turned over: where words of A went past the same words of B, words of B go past those
/// of A, which stay for the block above.
pub(super) fn turned(walk: &Walk) -> Walk {
    let mut walk = walk.clone();
    for segment in walk.rows.iter_mut().flat_map(|row| &mut row.segments) {
        let rows: Vec<&[Product]> = segment.products.chunk_by(|one, other| one.i == other.i).collect();
        let words = |row: &[Product]| row.iter().map(|product| product.j).collect::<Vec<_>>();
        let blocks = rows.chunk_by(|one, other| words(one) == words(other));
        let turned = |block: &[&[Product]]| -> Vec<Product> {
            (0..block[0].len()).flat_map(|at| block.iter().map(move |row| row[at])).collect()
        };
        segment.products = blocks.flat_map(turned).collect();
    }
    walk
}

/// The products of words of a schedule.
pub(super) fn products(schedule: &Schedule) -> Vec<Product> {
    let steps = schedule.steps.iter().filter_map(|step| match step {
        Step::Multiply { product, .. } => Some(*product),
        _ => None,
    });
    steps.collect()
}

/// The products of operands of so many words, strip by strip: so many words of A stay while those of B go past.
pub(super) fn strips(words: usize, width: usize) -> Vec<Product> {
    let starts = (0..words).step_by(width.max(1));
    let strip = |start: usize| {
        let own = move |j| (start..(start + width).min(words)).map(move |i| Product { i, j });
        (0..words).flat_map(own)
    };
    starts.flat_map(strip).collect()
}

/// Writes a product of operands of so many words, whose products of words come in this order.
///
/// # Errors
/// Where there are no such products.
pub(super) fn product(
    draft: &mut Draft,
    (n, products): (usize, &[Product]),
    [r, a, b]: [Memory; 3],
    setting: &Setting,
) -> Result<(), Fault> {
    let mut waiting = Waiting::of(setting)?;
    let [mut a, mut b] = [a, b].map(|memory| Operand::new(memory, n));
    let mut columns = Columns::of(products.iter().copied(), 2 * n);
    for product in products.iter().copied() {
        let words = [a.word(draft, product.i), b.word(draft, product.j)];
        waiting.product(draft, product.column(), (words, None), false);
        for column in columns.done(product) {
            let word = waiting.sum(draft, column, 2 * n - column);
            r.store(draft, column, word);
        }
    }
    Ok(())
}

/// Writes a square: each word of the sum of products of different words is doubled when it is finished, and the squares of
/// words are added there. With a width, the products are those of strips.
///
/// # Errors
/// Where there are no such products.
pub(super) fn square(
    draft: &mut Draft,
    (task, width): (&Squaring, usize),
    [r, a]: [Memory; 2],
    setting: &Setting,
) -> Result<(), Fault> {
    let (n, bits) = (task.words, setting.abilities.word);
    let mut a = Operand::new(a, n);
    let [mut waiting, mut sum] = [Waiting::of(setting)?, Waiting::of(setting)?];
    let mut before: Name = ZERO;
    // a column of the square from one of the products
    let mut finish = |draft: &mut Draft, a: &mut Operand, column: usize, word: Name| {
        if column.is_multiple_of(2) {
            let word = a.word(draft, column / 2);
            sum.square(draft, column, word);
        }
        let mut twice = ZERO;
        for (own, is_top) in [(word, false), (before, true)] {
            if own == ZERO {
                continue;
            }
            let moved: Name = if is_top { draft.down(own, bits - 1) } else { draft.up(own, 1) }.into();
            twice = if twice == ZERO { moved } else { draft.pair(Pair::Or, twice, moved).into() };
        }
        before = word;
        sum.word(column, twice);
        let word = sum.sum(draft, column, 2 * n - column);
        r.store(draft, column, word);
    };
    let products: Vec<Product> = match width {
        0 => {
            let segments = task.rows.iter().flat_map(|row| &row.segments);
            segments.flat_map(|segment| &segment.products).copied().collect()
        }
        _ => strips(n, width).into_iter().filter(|product| product.i < product.j).collect(),
    };
    let mut columns = Columns::of(products.iter().copied(), 2 * n);
    finish(draft, &mut a, 0, ZERO);
    columns.lowest = 1;
    for product in products {
        let words = [product.i, product.j].map(|word| a.word(draft, word));
        waiting.product(draft, product.column(), (words, None), false);
        for column in columns.done(product) {
            let left = (2 * n - 1).saturating_sub(column);
            let word = if left > 0 { waiting.sum(draft, column, left) } else { ZERO };
            finish(draft, &mut a, column, word);
        }
    }
    if columns.lowest == 1 {
        finish(draft, &mut a, 1, ZERO);
    }
    Ok(())
}

/// Writes a square over GF(2), the squares of its words.
///
/// # Errors
/// Where there are no such products.
pub(super) fn spread(
    draft: &mut Draft,
    words: usize,
    [r, a]: [Memory; 2],
    setting: &Setting,
) -> Result<(), Fault> {
    let mut waiting = Waiting::of(setting)?;
    for index in 0..words {
        let word = a.load(draft, index).into();
        waiting.product(draft, 0, ([word, word], None), false);
        for half in 0..2 {
            let own = waiting.take();
            r.store(draft, 2 * index + half, own);
        }
    }
    Ok(())
}
