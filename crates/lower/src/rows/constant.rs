//! Products that take equally long for all operands.
//!
//! A multiplier that stops early looks at the zeros at the top of Rs. With its highest bit set there are none:
//!
//! ```text
//! F*b = F*(b | 2^31) - n * 2^31 * F,   n = 1 where bit 31 of b is 0, else 0
//! ```
//!
//! `n * F` is `BIC f, F, b, ASR #31`, and `2^31 * f` the words `f LSL #31` and `f LSR #1`, which the subtractions
//! shift for nothing: three cycles a product more. Like products, those at every second place touch each other
//! nowhere, so that there are two chains. They come behind the products of a step: before them the window would be
//! negative.

use super::build::{Builder, parities};
use super::line::{Data, Shift, Source, Value};

impl Builder {
    /// Says whether products take equally long for all operands.
    pub(super) fn set_constant(&mut self, constant: bool) {
        self.unit.second_is_rs = constant;
    }

    /// Whether they do: which factor is Rs is then given.
    pub(super) fn is_constant(&self) -> bool {
        self.unit.second_is_rs
    }

    /// `b | 2^31`.
    pub(super) fn with_top(&mut self, word: Value) -> Value {
        self.data(Data::Orr, false, Some(word), Source::Top)
    }

    /// `factor`, or 0 where bit 31 of `word` is set.
    fn excess(&mut self, factor: Value, word: Value) -> Value {
        self.data(Data::Bic, false, Some(factor), Source::Shifted(word, Shift::Asr, 31))
    }

    fn subtract(&mut self, borrow: bool, set: bool, from: Value, what: Source) -> Value {
        self.data(if borrow { Data::Sbc } else { Data::Sub }, set, Some(from), what)
    }

    /// Subtracts what the products of a step are too much, from its columns and the one above.
    pub(super) fn correct(&mut self, fixed: &[Value], stream: Value, columns: &mut [Option<Value>]) {
        let top = fixed.len();
        for parity in parities(top) {
            let mut borrow = false;
            let mut next = parity;
            for k in (parity..top).step_by(2) {
                next = k + 2;
                let excess = self.excess(fixed[k], stream);
                let (low, high) = halves(excess);
                columns[k] = columns[k].map(|word| self.subtract(borrow, true, word, low));
                columns[k + 1] = columns[k + 1].map(|word| self.subtract(true, k + 1 < top, word, high));
                borrow = k + 1 < top;
            }
            if let (true, Some(word)) = (borrow, columns.get(next).copied().flatten()) {
                columns[next] = Some(self.subtract(true, false, word, Source::Number(0)));
            }
        }
    }

    /// `word * word`. Of constant time, it is corrected by itself, which takes the carry.
    pub(super) fn square(&mut self, word: Value) -> (Value, Value) {
        if !self.is_constant() {
            return self.multiply(word, word);
        }
        let other = self.with_top(word);
        let (low, high) = self.multiply(word, other);
        let excess = self.excess(word, word);
        let (below, above) = halves(excess);
        let low = self.subtract(false, true, low, below);
        (low, self.subtract(true, false, high, above))
    }
}

/// The words of `2^31 * excess`.
fn halves(excess: Value) -> (Source, Source) {
    (Source::Shifted(excess, Shift::Lsl, 31), Source::Shifted(excess, Shift::Lsr, 1))
}
