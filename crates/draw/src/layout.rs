//! Where things stand in the picture of a rhombus.
//!
//! As in the papers: columns are vertical, `C[0]` at the right, `A[0]*B[0]` in the right corner,
//! `A[n-1]*B[0]` on top. A word of A runs from the upper right edge down to the left, a word of B from the
//! lower right edge up to the left.

use rhomb_kernel::Product;

/// Height of the title above the rhombus.
const HEAD: f64 = 78.0;
/// Room for the labels right of the rhombus.
const RIGHT: f64 = 56.0;
/// Room for the labels left of it.
const LEFT: f64 = 66.0;
/// No picture is narrower, so that its legend has room.
const LEAST_WIDTH: f64 = 800.0;

/// Sizes in pixels.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    words: usize,
    /// Distance of columns.
    pub(crate) pitch: f64,
    /// Half the distance of the products of a column.
    pub(crate) rise: f64,
    /// Radius of a product.
    pub(crate) radius: f64,
    /// Distance of the lines with the stores of a row.
    pub(crate) level: f64,
    pub(crate) width: f64,
    /// Middle of column 0.
    zero: f64,
    /// Middle of the product on the right.
    pub(crate) middle: f64,
    /// Middle of the first row's stores.
    stores: f64,
    /// Base line of the names of columns.
    pub(crate) columns: f64,
    /// Top of the legend.
    pub(crate) key: f64,
}

impl Layout {
    pub(crate) fn new(words: usize, levels: usize) -> Layout {
        let words = words.max(1);
        let pitch = (1010.0 / (2 * words - 1) as f64).clamp(9.4, 46.0);
        // near to a lattice in which all neighbours are equally far
        let rise = 0.58 * pitch;
        let level = (240.0 / levels.max(1) as f64).clamp(7.0, 15.0);
        let span = (2 * words - 1) as f64 * pitch;
        let width = (LEFT + pitch + span + pitch + RIGHT).max(LEAST_WIDTH);
        let zero = width / 2.0 + span / 2.0;
        let middle = HEAD + rise + 10.0 + (words - 1) as f64 * rise;
        let stores = middle + (words - 1) as f64 * rise + rise + 34.0;
        let columns = stores + levels as f64 * level + 10.0;
        Layout {
            words,
            pitch,
            rise,
            radius: (0.31 * pitch).max(2.6),
            level,
            width,
            zero,
            middle,
            stores,
            columns,
            key: columns + 26.0,
        }
    }

    /// The middle of a column.
    pub(crate) fn column(&self, column: usize) -> f64 {
        self.zero - column as f64 * self.pitch
    }

    /// The place of a product.
    pub(crate) fn product(&self, product: Product) -> (f64, f64) {
        self.at(product.i as f64, product.j as f64)
    }

    /// The same for places between or beside the products.
    pub(crate) fn at(&self, i: f64, j: f64) -> (f64, f64) {
        (self.zero - (i + j) * self.pitch, self.middle - (i - j) * self.rise)
    }

    /// The middle of a row's line of stores.
    pub(crate) fn stores(&self, row: usize) -> f64 {
        self.stores + row as f64 * self.level
    }

    /// How many words there are from one label of an operand to the next.
    pub(crate) fn operand_step(&self) -> usize {
        match self.words {
            0..=20 => 1,
            21..=40 => 4,
            _ => 8,
        }
    }

    /// The same for columns, whose labels stand side by side.
    pub(crate) fn column_step(&self) -> usize {
        [1, 2, 4, 8, 16, 32].into_iter().find(|step| *step as f64 * self.pitch >= 38.0).unwrap_or(64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_corners_are_those_of_the_papers() {
        let layout = Layout::new(8, 3);
        let corner = |i, j| layout.product(Product { i, j });
        let (right, top, left, bottom) = (corner(0, 0), corner(7, 0), corner(7, 7), corner(0, 7));
        assert!(right.0 > top.0 && top.0 == bottom.0 && bottom.0 > left.0);
        assert!(top.1 < right.1 && right.1 == left.1 && left.1 < bottom.1);
        assert_eq!(right.0, layout.column(0));
    }
}
