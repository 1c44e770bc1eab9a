//! A walk: all partial products `A[i]*B[j]`, in the order in which they are computed.

/// An operand word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Operand {
    /// `A[i]`.
    A(usize),
    /// `B[j]`.
    B(usize),
}

/// The partial product `A[i]*B[j]`; it belongs to column `i + j`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Product {
    /// Word of the first operand.
    pub i: usize,
    /// Word of the second operand.
    pub j: usize,
}

impl Product {
    /// Column of the result, counted in words.
    pub fn column(self) -> usize {
        self.i + self.j
    }
}

/// Products that are accumulated together; at the end of a segment its lowest columns are finished
/// for this row and stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Products in order. Column-wise methods have one column here, row-wise ones several.
    pub products: Vec<Product>,
    /// Number of columns finished at the end.
    pub finishes: usize,
}

/// Segments that share one accumulator. A row covers consecutive columns and stores one word a
/// column and one carry word above them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Lowest column.
    pub first_column: usize,
    /// Segments by ascending columns.
    pub segments: Vec<Segment>,
}

impl Row {
    /// A row of column-wise segments: each entry holds the products of one column.
    pub fn column_wise(columns: Vec<Vec<Product>>) -> Self {
        let first_column =
            columns.first().and_then(|column| column.first()).map_or(0, |first| first.column());
        let segments = columns.into_iter().map(|products| Segment { products, finishes: 1 }).collect();
        Row { first_column, segments }
    }

    /// The column of the row's carry word.
    pub fn carry_column(&self) -> usize {
        self.first_column + self.segments.iter().map(|segment| segment.finishes).sum::<usize>()
    }
}

/// A multiplication of two operands of `words` words each.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// Words of either operand.
    pub words: usize,
    /// Rows in order.
    pub rows: Vec<Row>,
    /// Registers for operand words that the method plans with.
    pub pool: usize,
    /// Words of the result that are re-loaded and added at once (carry-once); at least 1.
    pub carry_once: usize,
}

/// Why a list of rows is no multiplication.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WalkError {
    /// A product is missing or computed twice.
    #[error("A[{}]*B[{}] is computed {times} times", product.i, product.j)]
    Coverage {
        /// The product.
        product: Product,
        /// How often it occurs.
        times: usize,
    },
    /// A product comes after its column was finished, or above the row.
    #[error("A[{}]*B[{}] lies outside the open columns of its row", product.i, product.j)]
    Column {
        /// The product.
        product: Product,
    },
    /// The carry word of a row would overwrite a word that an earlier row stored.
    #[error("the carry word of row {row} falls on a word that is already in use")]
    Carry {
        /// Index of the row.
        row: usize,
    },
}

impl Walk {
    /// Checks that the rows partition the rhombus, that columns are finished in order, and that each
    /// row's carry word is fresh. Together with the accumulator's ranges this makes the walk a
    /// multiplication.
    pub fn validate(&self) -> Result<(), WalkError> {
        check_rows(self.words, &self.rows, |_| true)
    }

    /// The products in order.
    pub fn products(&self) -> impl Iterator<Item = Product> + '_ {
        self.rows.iter().flat_map(|row| &row.segments).flat_map(|segment| &segment.products).copied()
    }
}

/// Checks that rows of products of `words` words partition those that are `wanted`, and the rest of
/// [`Walk::validate`].
pub(crate) fn check_rows(
    words: usize,
    rows: &[Row],
    wanted: impl Fn(Product) -> bool,
) -> Result<(), WalkError> {
    let n = words;
    let mut times = vec![0usize; n * n];
    let mut stored = 0; // all columns below were stored by an earlier row, or belong to none yet
    for (index, row) in rows.iter().enumerate() {
        let mut base = row.first_column;
        for segment in &row.segments {
            for product in &segment.products {
                if product.i >= n || product.j >= n || product.column() < base {
                    return Err(WalkError::Column { product: *product });
                }
                times[product.i * n + product.j] += 1;
            }
            base += segment.finishes;
        }
        if let Some(product) =
            row.segments.iter().flat_map(|segment| &segment.products).find(|product| product.column() >= base)
        {
            return Err(WalkError::Column { product: *product });
        }
        if index > 0 && base < stored {
            return Err(WalkError::Carry { row: index });
        }
        stored = stored.max(base + 1);
    }
    let product = |at: usize| Product { i: at / n, j: at % n };
    match (0..n * n).find(|at| times[*at] != usize::from(wanted(product(*at)))) {
        None => Ok(()),
        Some(at) => Err(WalkError::Coverage { product: product(at), times: times[at] }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(rows: Vec<Row>) -> Walk {
        Walk { words: 2, rows, pool: 2, carry_once: 1 }
    }

    fn p(i: usize, j: usize) -> Product {
        Product { i, j }
    }

    #[test]
    fn faults_are_named() {
        let good = Row::column_wise(vec![vec![p(0, 0)], vec![p(0, 1), p(1, 0)], vec![p(1, 1)]]);
        assert_eq!(walk(vec![good.clone()]).validate(), Ok(()));
        let missing = Row::column_wise(vec![vec![p(0, 0)], vec![p(0, 1)], vec![p(1, 1)]]);
        assert_eq!(walk(vec![missing]).validate(), Err(WalkError::Coverage { product: p(1, 0), times: 0 }));
        let late = Row::column_wise(vec![vec![p(0, 0)], vec![p(1, 1)], vec![p(0, 1), p(1, 0)]]);
        assert!(matches!(walk(vec![late]).validate(), Err(WalkError::Column { .. })));
        let high = Row::column_wise(vec![vec![p(1, 0)], vec![p(1, 1)]]);
        let low = Row::column_wise(vec![vec![p(0, 0)], vec![p(0, 1)]]);
        assert_eq!(walk(vec![low.clone(), high.clone()]).validate(), Ok(()));
        assert_eq!(walk(vec![high, low]).validate(), Err(WalkError::Carry { row: 1 }));
    }
}
