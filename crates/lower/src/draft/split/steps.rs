//! A plan step by step: each a chain of carries, or of borrows, over strings in memory. A flag is 1 where it is set.

use super::{Tree, sum};
use crate::draft::columns::product;
use crate::draft::core::Fault;
use crate::draft::form::{Draft, Made, Memory, Name, Pair, ZERO};
use crate::draft::squaring::{Way, square};
use crate::draft::walked;
use crate::split::{Added, Level, Numbers, Splits};
use rhomb_kernel::split::halves::Halves;
use rhomb_kernel::split::plan::{Flag, Words};
use rhomb_kernel::{Squaring, Walk};

/// Operand words that squares hold at a time.
const SLOTS: usize = 12;

impl Splits for Tree<'_> {
    type Location = Memory;
    type Error = Fault;

    fn walk(&mut self, walk: &Walk, own: &Numbers<Memory>) -> Result<(), Fault> {
        if !self.setting.abilities.accumulates() {
            let products = walked::strips(walk.words, self.own);
            let parts = [own.result, own.a, own.b];
            return walked::product(&mut self.draft, (walk.words, &products), parts, self.setting);
        }
        let pool = walk.pool.saturating_sub(self.own);
        product(&mut self.draft, walk, pool, [own.result, own.a, own.b], self.setting)
    }

    fn square(&mut self, squaring: &Squaring, own: &Numbers<Memory>) -> Result<(), Fault> {
        let slots =
            if self.setting.abilities.accumulates() { SLOTS - self.own.min(SLOTS - 2) } else { self.own };
        let way = Way::Rows(slots, !self.setting.abilities.is_wide());
        square(&mut self.draft, squaring, way, [own.result, own.a], self.setting)
    }

    fn keep_flags(&mut self, level: &Level<Memory>) {
        for (flag, value) in self.made.drain(..) {
            level.flags.store(&mut self.draft, flag, value);
        }
    }

    fn difference(&mut self, level: &Level<Memory>, numbers: [Words; 3], flag: Flag, turn: bool) {
        let [_, x, y] = numbers;
        let parts = numbers.map(|words| level.own.place(words));
        let less = self.absolute_difference(parts, [x.length, y.length]);
        match self.made.iter_mut().find(|(own, _)| turn && *own == flag) {
            Some((_, made)) => *made = self.draft.pair(Pair::Xor, *made, less),
            None => self.made.push((flag, less)),
        }
    }

    fn sum(&mut self, level: &Level<Memory>, [to, x, y]: [Words; 3], carry: Flag) {
        let made = self.carried([to, x, y].map(|words| level.own.place(words)), [x.length, y.length]);
        self.made.push((carry, made));
    }

    fn copy(&mut self, level: &Level<Memory>, to: Words, from: Words) {
        let length = from.length;
        let [to, from] = [to, from].map(|words| level.own.place(words));
        for index in 0..length {
            let word = from.load(&mut self.draft, index);
            to.store(&mut self.draft, index, word);
        }
    }

    fn add(&mut self, level: &Level<Memory>, to: Words, from: Words, how: Added) {
        let own = &level.own;
        let draft = &mut self.draft;
        match how {
            Added::Subtracted => self.subtract(own, to, from),
            Added::Plainly => self.chain(own, [to, from], None, ZERO, |_, word| word.into()),
            Added::By(flag) => {
                // the complement and one, and above ones
                let flag = level.flags.load(draft, flag);
                let mask = draft.with_number(Pair::Add, flag, -1);
                let one = draft.with_number(Pair::Xor, flag, 1);
                let turned = |draft: &mut Draft, word: Made| draft.pair(Pair::Xor, word, mask).into();
                self.chain(own, [to, from], Some(one), mask.into(), turned);
            }
            Added::Where(flag) => {
                let flag = level.flags.load(draft, flag);
                let mask = draft.pair(Pair::Subtract, ZERO, flag);
                let masked = |draft: &mut Draft, word: Made| draft.pair(Pair::And, word, mask).into();
                self.chain(own, [to, from], None, ZERO, masked);
            }
        }
    }

    fn add_one(&mut self, level: &Level<Memory>, to: Words, flags: [Flag; 2]) {
        let [x, y] = flags.map(|flag| level.flags.load(&mut self.draft, flag));
        let both = self.draft.pair(Pair::And, x, y);
        let nothing = Words { length: 0, ..to };
        self.chain(&level.own, [to, nothing], Some(both), ZERO, |_, word| word.into());
    }

    fn recombine(&mut self, level: &Level<Memory>, halves: Halves) {
        self.put_together(level, halves);
    }
}

impl Tree<'_> {
    /// `to = x + y`, of which x is not the shorter one; gives the carry.
    fn carried(&mut self, [to, x, y]: [Memory; 3], [long, short]: [usize; 2]) -> Made {
        let line = &mut self.draft;
        let mut carry: Option<Made> = None;
        for index in 0..long {
            let word = x.load(line, index);
            let more = (index < short).then(|| y.load(line, index));
            let (word, own) = sum(line, word.into(), [more, carry].map(|value| value.map(Name::from)));
            to.store(line, index, word);
            carry = own;
        }
        // both have words
        carry.unwrap_or_else(|| line.number(0))
    }

    /// `to` and `from`, each word of it changed, and a carry; above `from` the same is added to each word.
    fn chain(
        &mut self,
        own: &Numbers<Memory>,
        [to, from]: [Words; 2],
        mut carry: Option<Made>,
        above: Name,
        change: impl Fn(&mut Draft, Made) -> Name,
    ) {
        let (target, source, line) = (own.place(to), own.place(from), &mut self.draft);
        for index in 0..to.length {
            let more = if index < from.length {
                let word = source.load(line, index);
                change(line, word)
            } else {
                above
            };
            let word = target.load(line, index);
            let (word, own) = sum(line, word.into(), [Some(more), carry.map(Name::from)]);
            target.store(line, index, word);
            carry = own;
        }
    }

    /// `to = to - from`, the borrow to its end.
    fn subtract(&mut self, own: &Numbers<Memory>, to: Words, from: Words) {
        let (target, source) = (own.place(to), own.place(from));
        let mut borrow = None;
        for index in 0..to.length {
            let word = target.load(&mut self.draft, index);
            let less = (index < from.length).then(|| source.load(&mut self.draft, index));
            let (word, own) = difference(&mut self.draft, word, less, borrow);
            target.store(&mut self.draft, index, word);
            borrow = own;
        }
    }
}

/// `x - y` and less a borrow, and what is borrowed: at most 1.
pub(super) fn difference(
    line: &mut Draft,
    x: Made,
    y: Option<Made>,
    borrow: Option<Made>,
) -> (Made, Option<Made>) {
    let (mut word, mut own) = (x, None);
    if let Some(y) = y {
        own = Some(line.pair(Pair::Below, x, y));
        word = line.pair(Pair::Subtract, x, y);
    }
    if let Some(borrow) = borrow {
        let more = line.pair(Pair::Below, word, borrow);
        word = line.pair(Pair::Subtract, word, borrow);
        own = Some(own.map_or(more, |own| line.pair(Pair::Add, own, more)));
    }
    (word, own)
}
