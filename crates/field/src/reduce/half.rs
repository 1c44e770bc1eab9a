//! Halves: a, or a + p where a is odd, moved down by a place.

use super::{Task, address};
use rhomb_line::{Array, Line, Source, Value};

impl Task<'_> {
    /// a / 2.
    pub(super) fn half(&self) -> Line {
        let mut line = Line::default();
        let modulus = self.words(self.modulus, self.d);
        let low = self.value(&mut line, address(Array::A, 0));
        let odd = line.mask(low, 1);
        let mask = line.negate(odd);
        let mut words: Vec<Value> = Vec::new();
        for (index, word) in modulus.iter().enumerate() {
            let a = if index == 0 { low } else { self.value(&mut line, address(Array::A, index)) };
            let own = self.masked(&mut line, mask, *word);
            let sum = line.add(a, own, index > 0, true);
            self.at_home(&mut line, sum, index);
            words.push(sum);
        }
        // the carry comes in from above
        let mut halves = vec![Source::Number(0); self.d];
        for (index, word) in words.iter().enumerate().rev() {
            let half = line.halve(*word, true, index > 0);
            halves[index] = self.at_home(&mut line, half, index);
        }
        self.stored(&mut line, &halves);
        line
    }
}
