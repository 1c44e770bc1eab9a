//! A plan step by step: each a chain of carries, or of borrows, over strings in memory. A flag is 1 where it is set.

use super::{Level, Own, Tree, sum};
use crate::lower::LowerError;
use rhomb_kernel::split::Node;
use rhomb_kernel::split::plan::{Flag, Step, Subtract, Words};
use rhomb_lower::draft::{Draft, Made, Memory, Name, Pair, ZERO, product};

impl Tree<'_> {
    pub(super) fn step(&mut self, step: Step<'_>, level: &mut Level) -> Result<(), LowerError> {
        let own = level.own;
        match step {
            Step::Multiply { to, x, y, node } => {
                for (flag, value) in level.made.drain(..) {
                    level.flags.store(&mut self.line, flag, value);
                }
                let (result, a, b) = (own.part(to), own.part(x), own.part(y));
                match node {
                    Node::Split(split) => self.split(split, &Own { result, a, b, frame: level.below })?,
                    Node::Walk(walk) => {
                        let pool = walk.pool.saturating_sub(self.fewer);
                        product(&mut self.line, walk, pool, [result, a, b], &self.context.setting())?;
                    }
                }
            }
            Step::Difference { to, x, y, sign, turn } => {
                // of both operands the same part is shorter: two signs turned over are none
                let (x, y) = if x.length < y.length { (y, x) } else { (x, y) };
                let less = self.difference([to, x, y].map(|words| own.part(words)), [x.length, y.length]);
                match level.made.iter_mut().find(|(flag, _)| turn && *flag == sign) {
                    Some((_, made)) => *made = self.line.pair(Pair::Xor, *made, less),
                    None => level.made.push((sign, less)),
                }
            }
            Step::Sum { to, x, y, carry } => {
                let (x, y) = if x.length < y.length { (y, x) } else { (x, y) };
                let made = self.sum([to, x, y].map(|words| own.part(words)), [x.length, y.length]);
                level.made.push((carry, made));
            }
            Step::Copy { to, from } => {
                let (to, length) = (own.part(to), from.length);
                let from = own.part(from);
                for index in 0..length {
                    let word = from.load(&mut self.line, index);
                    to.store(&mut self.line, index, word);
                }
            }
            Step::Add { to, from, subtract: Subtract::Always } => self.subtract(&own, to, from),
            Step::Add { to, from, subtract: Subtract::Never } => {
                self.add(&own, to, from, None, ZERO, |_, word| word.into());
            }
            Step::Add { to, from, subtract: Subtract::Unless(flag) } => {
                // the complement and one, and above ones
                let flag = level.flag(&mut self.line, flag);
                let mask = self.line.with_number(Pair::Add, flag, -1);
                let one = self.line.with_number(Pair::Xor, flag, 1);
                let turned = |line: &mut Draft, word: Made| line.pair(Pair::Xor, word, mask).into();
                self.add(&own, to, from, Some(one), mask.into(), turned);
            }
            Step::AddWhere { to, from, flag } => {
                let flag = level.flag(&mut self.line, flag);
                let mask = self.line.pair(Pair::Subtract, ZERO, flag);
                let masked = |line: &mut Draft, word: Made| line.pair(Pair::And, word, mask).into();
                self.add(&own, to, from, None, ZERO, masked);
            }
            Step::AddOne { to, flags } => {
                let [x, y] = flags.map(|flag| level.flag(&mut self.line, flag));
                let both = self.line.pair(Pair::And, x, y);
                let nothing = Words { length: 0, ..to };
                self.add(&own, to, nothing, Some(both), ZERO, |_, word| word.into());
            }
        }
        Ok(())
    }

    /// `to = x + y`, of which x is not the shorter one; gives the carry.
    fn sum(&mut self, [to, x, y]: [Memory; 3], [long, short]: [usize; 2]) -> Made {
        let line = &mut self.line;
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
    fn add(
        &mut self,
        own: &Own,
        to: Words,
        from: Words,
        mut carry: Option<Made>,
        above: Name,
        change: impl Fn(&mut Draft, Made) -> Name,
    ) {
        let (target, source, line) = (own.part(to), own.part(from), &mut self.line);
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
    fn subtract(&mut self, own: &Own, to: Words, from: Words) {
        let (target, source) = (own.part(to), own.part(from));
        let mut borrow = None;
        for index in 0..to.length {
            let word = target.load(&mut self.line, index);
            let less = (index < from.length).then(|| source.load(&mut self.line, index));
            let (word, own) = difference(&mut self.line, word, less, borrow);
            target.store(&mut self.line, index, word);
            borrow = own;
        }
    }
}

impl Level {
    fn flag(&self, line: &mut Draft, flag: Flag) -> Made {
        self.flags.load(line, flag)
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
