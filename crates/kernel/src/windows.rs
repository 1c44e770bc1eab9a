//! Row by row: a window of words that moves up the columns.
//!
//! A step multiplies `e` consecutive words `F` of one operand by one word `b` of the other. It takes at most
//! one word from each of `e` columns, the window `w`, and in the lowest of them one word `c` more, and makes
//! one word in each of these columns and in the one above:
//!
//! ```text
//! (2^we - 1)(2^w - 1) + (2^we - 1) + (2^w - 1) = 2^(w(e+1)) - 1
//! ```
//!
//! so `w + F*b + c` fits for all words of `w` bits, and the order of the steps is all that there is to check.
//! On a processor whose multiplications leave the carry alone, a step is two chains of additions.
//!
//! Steps with the same fixed words make a strip of the rhombus. A strip leaves words in columns where the
//! next one begins; these are its first window, and the `c` of later steps. Where the fixed words change and
//! the columns move on, the window stays: the rows of operand caching.

use crate::walk::{Operand, Product, Row, Walk};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// `e` words of one operand times one word of the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct WindowStep {
    /// The lowest of the fixed words.
    pub fixed: Operand,
    /// How many there are (`e`); at least 1.
    pub width: usize,
    /// The word of the other operand; in a squaring both are words of A.
    pub stream: Operand,
}

impl WindowStep {
    /// The lowest column.
    pub fn column(&self) -> usize {
        place(self.fixed) + place(self.stream)
    }

    /// The fixed words, ascending.
    pub fn fixed_words(&self) -> impl Iterator<Item = Operand> + '_ {
        (0..self.width).map(|k| match self.fixed {
            Operand::A(i) => Operand::A(i + k),
            Operand::B(j) => Operand::B(j + k),
        })
    }
}

fn place(word: Operand) -> usize {
    match word {
        Operand::A(i) | Operand::B(i) => i,
    }
}

/// What a step takes and makes; words of columns are numbered in the order in which they are made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TracedStep {
    /// The step.
    pub step: WindowStep,
    /// The window: for each of the columns the word that is taken.
    pub window: Vec<Option<usize>>,
    /// The word more in the lowest column. Where there is one, the window has one there, too.
    pub more: Option<usize>,
    /// The words that are made, one a column, `width + 1` of them.
    pub makes: Vec<usize>,
}

/// Steps with the words that go from one to the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    /// Steps in order.
    pub steps: Vec<TracedStep>,
    /// The word of each column at the end; `None` for zero.
    pub columns: Vec<Option<usize>>,
}

/// Why there are no steps.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WindowError {
    /// A row that is no chain of windows.
    #[error("row {row} goes on by no window of up to {widest} words")]
    Row {
        /// Index of the row.
        row: usize,
        /// Words of the widest window.
        widest: usize,
    },
    /// A column that keeps two words or more at the end.
    #[error("column {column} is left with {words} words")]
    Column {
        /// The column.
        column: usize,
        /// How many words it has.
        words: usize,
    },
}

/// The steps for a rectangle: strips of A of the given widths from A[0] on, all words of B past each.
pub fn strips(words: usize, widths: &[usize]) -> Vec<WindowStep> {
    let mut steps = Vec::new();
    let mut x = 0;
    for width in widths {
        let step = |j| WindowStep { fixed: Operand::A(x), width: *width, stream: Operand::B(j) };
        steps.extend((0..words).map(step));
        x += width;
    }
    steps
}

/// The steps for the products `A[i]*A[j]` with `i < j`, by strips of the given widths: first those within the
/// strip, window by window narrower, then the words above it past it.
pub fn triangle(words: usize, widths: &[usize]) -> Vec<WindowStep> {
    let mut steps = Vec::new();
    let mut x = 0;
    for width in widths {
        let end = x + width;
        let inner = (x..end - 1).map(|i| WindowStep {
            fixed: Operand::A(i + 1),
            width: end - 1 - i,
            stream: Operand::A(i),
        });
        steps.extend(inner);
        let step = |j| WindowStep { fixed: Operand::A(x), width: *width, stream: Operand::A(j) };
        steps.extend((end..words).map(step));
        x = end;
    }
    steps
}

/// The steps of a walk, by windows of at most `widest` words. Only which products a row has matters, and in
/// what blocks its columns are finished: the hybrid method's rows become strips as wide as its blocks.
///
/// # Errors
/// Where the columns of a row would have to go back.
pub fn of_walk(walk: &Walk, widest: usize) -> Result<Vec<WindowStep>, WindowError> {
    let mut steps = Vec::new();
    for (index, row) in walk.rows.iter().enumerate() {
        let fault = WindowError::Row { row: index, widest };
        let block = row.segments.first().map_or(1, |segment| segment.finishes);
        let one_word = row.segments.iter().flat_map(|segment| &segment.products).all({
            let first = row.segments.first().and_then(|segment| segment.products.first()).map(|one| one.i);
            move |product| Some(product.i) == first
        });
        // rows of blocks of columns are strips; a row with one word of A has segments for another reason
        let parts = if block > 1 && !one_word { blocks(row, block) } else { vec![products(row)] };
        // all columns in one row, more products in the middle ones than the window has words
        if parts.len() == 1 && walk.rows.len() == 1 && walk.words > widest {
            return Err(fault);
        }
        for part in parts {
            steps.extend(chain(part, widest).ok_or(fault.clone())?);
        }
    }
    Ok(steps)
}

/// Width of the blocks of a walk that is one row of blocks, of the hybrid method.
pub fn block(walk: &Walk) -> Option<usize> {
    match &walk.rows[..] {
        [row] => row.segments.first().map(|segment| segment.finishes).filter(|finishes| *finishes > 1),
        _ => None,
    }
}

fn products(row: &Row) -> Vec<Product> {
    row.segments.iter().flat_map(|segment| &segment.products).copied().collect()
}

fn blocks(row: &Row, width: usize) -> Vec<Vec<Product>> {
    let mut parts: BTreeMap<usize, Vec<Product>> = BTreeMap::new();
    for product in products(row) {
        parts.entry(product.i / width).or_default().push(product);
    }
    parts.into_values().collect()
}

/// Steps for a set of products. Columns go back only within the widest window: words are still there.
fn chain(mut left: Vec<Product>, widest: usize) -> Option<Vec<WindowStep>> {
    let mut steps: Vec<WindowStep> = Vec::new();
    left.sort_unstable_by_key(|product| (product.column(), product.i));
    while let Some(lowest) = left.first().copied() {
        let run = |fixed_a: bool| {
            let at = |k: usize, t: usize| match fixed_a {
                true => Product { i: lowest.i + k, j: lowest.j + t },
                false => Product { i: lowest.i + t, j: lowest.j + k },
            };
            let has = |product: Product| left.contains(&product);
            let width = (0..widest).take_while(|k| has(at(*k, 0))).count();
            let length = (0..).take_while(|t| (0..width).all(|k| has(at(k, *t)))).count();
            (width, length)
        };
        let ((width_a, length_a), (width_b, length_b)) = (run(true), run(false));
        let after_a = matches!(steps.last(), Some(WindowStep { fixed: Operand::A(_), .. }));
        let fixed_a = match (width_a * length_a).cmp(&(width_b * length_b)) {
            Ordering::Less => false,
            Ordering::Equal => !after_a,
            Ordering::Greater => true,
        };
        let (width, length) = if fixed_a { (width_a, length_a) } else { (width_b, length_b) };
        for t in 0..length {
            let (fixed, stream) = match fixed_a {
                true => (Operand::A(lowest.i), Operand::B(lowest.j + t)),
                false => (Operand::B(lowest.j), Operand::A(lowest.i + t)),
            };
            let step = WindowStep { fixed, width, stream };
            if steps.last().is_some_and(|last| step.column() + widest <= last.column()) {
                return None;
            }
            steps.push(step);
        }
        let inside = |product: &Product| {
            let (fixed, stream) = match fixed_a {
                true => (product.i - lowest.i.min(product.i), product.j.wrapping_sub(lowest.j)),
                false => (product.j - lowest.j.min(product.j), product.i.wrapping_sub(lowest.i)),
            };
            let from = if fixed_a { product.i >= lowest.i } else { product.j >= lowest.j };
            from && fixed < width && stream < length
        };
        left.retain(|product| !inside(product));
    }
    Some(steps)
}

/// The words that steps take from columns `0 .. columns` and leave there.
///
/// # Errors
/// Where a column keeps more than one word.
pub fn trace(steps: &[WindowStep], columns: usize) -> Result<Trace, WindowError> {
    let mut open: Vec<Vec<usize>> = vec![Vec::new(); columns.max(top(steps))];
    let mut made = 0;
    let mut traced = Vec::with_capacity(steps.len());
    for step in steps {
        let base = step.column();
        // the newest: what waits longer is an old strip's word, which stays where it is
        let window = open[base..base + step.width].iter_mut().map(Vec::pop).collect();
        let more = open[base].pop();
        let makes: Vec<usize> = (made..=made + step.width).collect();
        made += step.width + 1;
        for (column, word) in (base..).zip(&makes) {
            open[column].push(*word);
        }
        traced.push(TracedStep { step: *step, window, more, makes });
    }
    let columns = open.iter().enumerate().map(|(column, words)| match words[..] {
        [] => Ok(None),
        [word] => Ok(Some(word)),
        _ => Err(WindowError::Column { column, words: words.len() }),
    });
    Ok(Trace { steps: traced, columns: columns.collect::<Result<_, _>>()? })
}

fn top(steps: &[WindowStep]) -> usize {
    steps.iter().map(|step| step.column() + step.width + 1).max().unwrap_or(0)
}
