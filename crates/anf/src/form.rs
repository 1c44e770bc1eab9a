//! Sums modulo 2 of products of bits.

use std::rc::Rc;

/// Most bits in a product.
pub const MOST_FACTORS: usize = 4;

/// The numbers of a product's bits, from 1 on, in 16 bits each, the largest lowest; 0 is the empty product.
type Product = u64;

/// The highest number of a bit.
pub(crate) const MOST_BITS: u32 = u16::MAX as u32;

/// A sum of products, each once, in order: no other sum is the same function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Form(Rc<[Product]>);

fn factors(product: Product) -> [u16; MOST_FACTORS] {
    std::array::from_fn(|place| (product >> (16 * place)) as u16)
}

/// A product of products: a bit times itself is that bit. `None` where there are too many.
fn times(x: Product, y: Product) -> Option<Product> {
    if x == y || y == 0 {
        return Some(x);
    }
    if x == 0 {
        return Some(y);
    }
    let (x, y) = (factors(x), factors(y));
    let (mut at_x, mut at_y, mut product) = (0, 0, 0);
    for place in 0..=MOST_FACTORS {
        let next_x = x.get(at_x).copied().unwrap_or(0);
        let next_y = y.get(at_y).copied().unwrap_or(0);
        let next = next_x.max(next_y);
        if next == 0 {
            break;
        }
        if place == MOST_FACTORS {
            return None;
        }
        at_x += usize::from(next_x == next);
        at_y += usize::from(next_y == next);
        product |= u64::from(next) << (16 * place);
    }
    Some(product)
}

impl Form {
    /// The constant 1.
    pub(crate) fn one() -> Form {
        Form(Rc::new([0]))
    }

    /// An input bit, by its number from 1 to 65535.
    pub(crate) fn bit(number: u16) -> Form {
        Form(Rc::new([Product::from(number)]))
    }

    /// The sum of products, each as often as it stands there.
    fn of(mut products: Vec<Product>) -> Form {
        products.sort_unstable();
        let mut kept: Vec<Product> = Vec::with_capacity(products.len());
        for product in products {
            // twice is nothing
            if kept.last() == Some(&product) {
                kept.pop();
            } else {
                kept.push(product);
            }
        }
        Form(kept.into())
    }

    /// The value, if it is constant.
    pub fn constant(&self) -> Option<bool> {
        match *self.0 {
            [] => Some(false),
            [0] => Some(true),
            _ => None,
        }
    }

    /// How many products it has.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether it has none: 0.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The sum of both.
    pub fn plus(&self, other: &Form) -> Form {
        let (x, y) = (&self.0, &other.0);
        let mut sum = Vec::with_capacity(x.len() + y.len());
        let (mut at_x, mut at_y) = (0, 0);
        while let (Some(own), Some(others)) = (x.get(at_x), y.get(at_y)) {
            match own.cmp(others) {
                std::cmp::Ordering::Less => {
                    sum.push(*own);
                    at_x += 1;
                }
                std::cmp::Ordering::Greater => {
                    sum.push(*others);
                    at_y += 1;
                }
                std::cmp::Ordering::Equal => {
                    at_x += 1;
                    at_y += 1;
                }
            }
        }
        sum.extend_from_slice(&x[at_x..]);
        sum.extend_from_slice(&y[at_y..]);
        Form(sum.into())
    }

    /// One more.
    pub fn not(&self) -> Form {
        self.plus(&Form::one())
    }

    /// The sum of the products of pairs; `None` where one has too many factors.
    pub fn products(pairs: &[(&Form, &Form)]) -> Option<Form> {
        let mut all = Vec::new();
        for (x, y) in pairs {
            for own in x.0.iter() {
                for other in y.0.iter() {
                    all.push(times(*own, *other)?);
                }
            }
        }
        Some(Form::of(all))
    }

    /// The value where exactly these input bits are one.
    pub fn evaluate(&self, is_one: impl Fn(u16) -> bool) -> bool {
        let value = |product: &Product| factors(*product).iter().all(|bit| *bit == 0 || is_one(*bit));
        self.0.iter().filter(|product| value(product)).count() % 2 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_have_each_bit_once_and_four_at_most() {
        let product = |bits: &[u16]| bits.iter().rev().fold(0, |all, bit| all << 16 | u64::from(*bit));
        let check = |x: &[u16], y: &[u16], expected: Option<&[u16]>| {
            assert_eq!(times(product(x), product(y)), expected.map(product));
            assert_eq!(times(product(y), product(x)), expected.map(product));
        };
        check(&[], &[7], Some(&[7]));
        check(&[9, 2], &[9, 3], Some(&[9, 3, 2]));
        check(&[9, 2], &[8, 3], Some(&[9, 8, 3, 2]));
        check(&[9, 8, 3, 2], &[8, 2], Some(&[9, 8, 3, 2]));
        check(&[9, 8, 3, 2], &[1], None);
        check(&[9, 2, 1], &[65535, 3], None);
    }

    #[test]
    fn what_stands_twice_is_nothing() {
        let (x, y) = (Form::bit(1), Form::bit(2));
        assert_eq!(x.plus(&y).plus(&x), y);
        assert_eq!(x.plus(&x).constant(), Some(false));
        assert_eq!(x.not().plus(&x).constant(), Some(true));
        let sum = x.plus(&y);
        // (x + y)^2 = x + y for bits
        assert_eq!(Form::products(&[(&sum, &sum)]), Some(sum));
    }
}
