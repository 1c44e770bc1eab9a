//! What a user or a search may say of the rows of a walk, beside numbers: how wide each strip is, and in which order
//! the products of a column are computed.

use crate::walk::{Product, Row, Walk};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

/// The most entries of a list.
const MOST: usize = 20;

/// A short list.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct List<T> {
    entries: [T; MOST],
    count: u8,
}

impl<T: Copy + Default> List<T> {
    /// These entries; nothing where there are none, or more than 20.
    pub fn of(entries: &[T]) -> Option<Self> {
        let count = u8::try_from(entries.len()).ok()?;
        let mut list = List { entries: [T::default(); MOST], count };
        list.entries.get_mut(..entries.len()).filter(|own| !own.is_empty())?.copy_from_slice(entries);
        Some(list)
    }
}

impl<T> Deref for List<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.entries[..usize::from(self.count)]
    }
}

impl<T: fmt::Debug> fmt::Debug for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl<T: fmt::Display> fmt::Display for List<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, entry) in self.iter().enumerate() {
            write!(f, "{}{entry}", if index > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// Words of each strip, in the order of the rows.
pub type Strips = List<u8>;
/// The order within the columns of each row; one entry stands for all rows.
pub type Orders = List<Order>;

/// In which order the products of a row's column are computed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// As the method has it.
    #[default]
    Own,
    /// The words of A upwards.
    Up,
    /// Downwards.
    Down,
    /// By turns, from column to column, upwards first.
    UpDown,
    /// By turns, downwards first.
    DownUp,
    /// Those whose words the row needs no more come first, those whose words it did not have before come last;
    /// of equals, upwards.
    OldUp,
    /// The same, of equals downwards.
    OldDown,
}

impl Order {
    /// All orders.
    pub const ALL: [Order; 7] =
        [Order::Own, Order::Up, Order::Down, Order::UpDown, Order::DownUp, Order::OldUp, Order::OldDown];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Order::Own => "own",
            Order::Up => "up",
            Order::Down => "down",
            Order::UpDown => "up-down",
            Order::DownUp => "down-up",
            Order::OldUp => "old-up",
            Order::OldDown => "old-down",
        }
    }

    /// The order of that name.
    pub fn named(name: &str) -> Option<Self> {
        Order::ALL.into_iter().find(|order| order.name() == name)
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Puts the columns of each row in order; the last of `orders` stands for all rows from there on.
pub(super) fn arrange(rows: &mut [Row], orders: &Orders) {
    for (index, row) in rows.iter_mut().enumerate() {
        if let Some(order) = orders.get(index).or(orders.last()) {
            arrange_row(row, *order);
        }
    }
}

/// The widths of the strips of a walk whose rows are L-shaped or staircases; nothing for other walks.
pub fn strips_of(walk: &Walk) -> Option<Strips> {
    let mut end = walk.words.checked_sub(1)?;
    let mut widths = Vec::with_capacity(walk.rows.len());
    for row in &walk.rows {
        widths.push(u8::try_from(row.carry_column().checked_sub(end)?).ok()?);
        end = row.carry_column();
    }
    List::of(&widths)
        .filter(|widths| widths.iter().map(|width| usize::from(*width)).sum::<usize>() == walk.words)
}

fn arrange_row(row: &mut Row, order: Order) {
    let words = |product: &Product| [(0, product.i), (1, product.j)];
    // the first and the last column of each word
    let mut spans: BTreeMap<(usize, usize), (usize, usize)> = BTreeMap::new();
    for product in row.segments.iter().flat_map(|segment| &segment.products) {
        let column = product.column();
        for word in words(product) {
            let span = spans.entry(word).or_insert((column, column));
            *span = (span.0.min(column), span.1.max(column));
        }
    }
    for (index, segment) in row.segments.iter_mut().enumerate() {
        let age = |product: &Product| -> i32 {
            let column = product.column();
            let spans = words(product).map(|word| spans[&word]);
            spans.iter().map(|(first, last)| i32::from(*first == column) - i32::from(*last == column)).sum()
        };
        let down = match order {
            Order::Own => return,
            Order::Up | Order::OldUp => false,
            Order::Down | Order::OldDown => true,
            Order::UpDown => index % 2 == 1,
            Order::DownUp => index % 2 == 0,
        };
        segment.products.sort_by_key(|product| product.i);
        if down {
            segment.products.reverse();
        }
        if matches!(order, Order::OldUp | Order::OldDown) {
            segment.products.sort_by_key(age);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::methods::method;
    use crate::parameters::Parameters;
    use rhomb_contract::Operation;

    fn row() -> Row {
        let column = |k: usize| (0..=k).map(|i| Product { i, j: k - i }).collect();
        let mut columns: Vec<Vec<Product>> = (0..3).map(column).collect();
        columns.push(vec![Product { i: 1, j: 2 }, Product { i: 2, j: 1 }]);
        Row::column_wise(columns)
    }

    fn arranged(order: Order) -> Vec<Vec<usize>> {
        let mut rows = [row()];
        arrange(&mut rows, &List::of(&[order]).unwrap());
        let words = |segment: &crate::walk::Segment| segment.products.iter().map(|one| one.i).collect();
        rows[0].segments.iter().map(words).collect()
    }

    #[test]
    fn columns_are_put_in_order() {
        assert_eq!(arranged(Order::Up), [vec![0], vec![0, 1], vec![0, 1, 2], vec![1, 2]]);
        assert_eq!(arranged(Order::Down), [vec![0], vec![1, 0], vec![2, 1, 0], vec![2, 1]]);
        assert_eq!(arranged(Order::UpDown), [vec![0], vec![1, 0], vec![0, 1, 2], vec![2, 1]]);
        assert_eq!(arranged(Order::DownUp), [vec![0], vec![0, 1], vec![2, 1, 0], vec![1, 2]]);
        // column 2: A[0] and B[0] are used for the last time, but B[2] and A[2] are new
        assert_eq!(arranged(Order::OldUp)[2], [0, 1, 2]);
        assert_eq!(arranged(Order::OldDown)[2], [2, 1, 0]);
    }

    #[test]
    fn the_oldest_words_come_first() {
        // A[0] with B[0], B[1], then A[0] is done with while A[1] is new
        let products = [vec![(0, 0)], vec![(1, 0), (0, 1)], vec![(2, 0), (1, 1)], vec![(2, 1)]];
        let of =
            |column: &Vec<(usize, usize)>| column.iter().map(|(i, j)| Product { i: *i, j: *j }).collect();
        let mut rows = [Row::column_wise(products.iter().map(of).collect())];
        arrange(&mut rows, &List::of(&[Order::OldDown]).unwrap());
        let second: Vec<usize> = rows[0].segments[1].products.iter().map(|product| product.i).collect();
        // both bring a new word, but only A[0] goes
        assert_eq!(second, [0, 1]);
    }

    #[test]
    fn a_walk_says_its_strips() {
        let parameters = |block| Parameters { initial_block: Some(block), ..Parameters::OPEN };
        for (name, block, widths) in [
            ("operand-caching", 4, vec![4, 10, 10]),
            ("operand-caching", 0, vec![4, 10, 10]),
            ("operand-caching", 14, vec![14, 10]),
            ("consecutive-operand-caching", 4, vec![4, 10, 10]),
            ("consecutive-operand-caching", 7, vec![7, 10, 7]),
            ("mixed-operand-caching", 14, vec![4, 10, 10]),
        ] {
            let walk = method(Operation::Mul, name).unwrap().walk(24, &parameters(block)).unwrap();
            assert_eq!(strips_of(&walk), List::of(&widths), "{name} {block}");
        }
    }

    /// The same widths as a list give the same products row by row.
    #[test]
    fn lists_of_widths_make_the_methods_own_rows() {
        for name in ["operand-caching", "consecutive-operand-caching", "mixed-operand-caching"] {
            let method = method(Operation::Mul, name).unwrap();
            for words in 1..=30 {
                for cache in 1..=6 {
                    let own = Parameters { cache: Some(cache), ..Parameters::OPEN };
                    let walk = method.walk(words, &own).unwrap();
                    let Some(strips) = strips_of(&walk) else { continue };
                    let listed = Parameters { strips: Some(strips), ..own };
                    let again = method.walk(words, &listed).unwrap();
                    assert_eq!(again.validate(), Ok(()), "{name} {words} {listed:?}");
                    let ends = |walk: &Walk| walk.rows.iter().map(Row::carry_column).collect::<Vec<_>>();
                    assert_eq!(ends(&walk), ends(&again), "{name} {words} {cache}");
                }
            }
        }
    }

    #[test]
    fn any_widths_and_orders_are_a_walk() {
        for name in ["operand-caching", "consecutive-operand-caching", "mixed-operand-caching"] {
            let method = method(Operation::Mul, name).unwrap();
            for widths in [[3, 5, 1, 4], [1, 1, 1, 1], [13, 2, 2, 2], [2, 20, 1, 1]] {
                for order in Order::ALL {
                    for initial_block in [None, Some(3), Some(8)] {
                        let strips = List::of(&widths);
                        let orders = List::of(&[order, Order::Own]);
                        let set = Parameters { strips, orders, initial_block, ..Parameters::OPEN };
                        let walk = method.walk(13, &set).unwrap();
                        assert_eq!(walk.validate(), Ok(()), "{name} {set:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn lists_have_bounds() {
        assert!(Strips::of(&[]).is_none());
        assert!(Strips::of(&[1; 20]).is_some());
        assert!(Strips::of(&[1; 21]).is_none());
        assert_eq!(Strips::of(&[8, 6, 6]).unwrap().to_string(), "8,6,6");
    }
}
