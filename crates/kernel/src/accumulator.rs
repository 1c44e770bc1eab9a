//! A schedule's additions, on the words of an accumulator whose ranges are known.
//!
//! The accumulator is a window of words, one a column, from the lowest unfinished column upwards. A
//! word that is zero and was never needed is not there at all; what comes first into it is placed
//! instead of added. For each word an upper bound is kept, and one for the value of the whole window;
//! a carry that neither bound allows is not propagated, so third additions and clears that cannot
//! matter never arise.
//!
//! Where a carry enters a word that could overflow, it is caught in a *catcher*, a second word of the
//! same column that is added when the column is finished, as long as registers last; otherwise it
//! ripples on.

mod border;
mod bound;
mod square;

pub(crate) use border::State;
pub(crate) use bound::Bound;

use crate::schedule::{Schedule, Step};
use crate::walk::{Operand, Product};
use std::collections::VecDeque;
use std::ops::Range;

/// A word of the accumulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AccumulatorWord {
    /// The accumulator word of a column.
    Column(usize),
    /// The catcher of a column.
    Catcher(usize),
    /// A word of a square that waits to be added to a column.
    Square(usize),
}

impl AccumulatorWord {
    /// The column.
    pub fn column(self) -> usize {
        match self {
            AccumulatorWord::Column(column)
            | AccumulatorWord::Catcher(column)
            | AccumulatorWord::Square(column) => column,
        }
    }
}

/// What is added to a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// Low word of the last product.
    ProductLow,
    /// High word of the last product.
    ProductHigh,
    /// Word of the result, loaded for this purpose.
    Result(usize),
    /// Another word of the accumulator, which is free afterwards.
    Accumulator(AccumulatorWord),
    /// Nothing but the carry.
    Zero,
}

/// A carry that waits while the next columns are computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Carry {
    /// Of the doubling.
    Doubling,
    /// Of the addition of squares.
    Squares,
}

/// What a processor has to do, in order. Between an addition whose carry is used and the one that uses
/// it stand only actions that are marked as inside a chain; they must preserve the carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// An operand word into a slot of the pool.
    Load {
        /// Slot.
        slot: usize,
        /// Word.
        operand: Operand,
    },
    /// The product of two slots; its words are used up before the next one.
    Multiply {
        /// Slot of the word of A.
        a: usize,
        /// Slot of the word of B.
        b: usize,
        /// The product.
        product: Product,
    },
    /// Low and high word of the last product become two words that were not there.
    PlaceProduct {
        /// The low word.
        low: AccumulatorWord,
        /// The high word, one column above.
        high: AccumulatorWord,
    },
    /// A word that was not there becomes `source`, which is not [`Source::Zero`].
    Place {
        /// The word.
        to: AccumulatorWord,
        /// Its value.
        source: Source,
    },
    /// A word that was not there becomes zero.
    Clear {
        /// The word.
        to: AccumulatorWord,
        /// Whether a carry is waiting meanwhile.
        in_chain: bool,
    },
    /// Addition.
    Add {
        /// To which word.
        to: AccumulatorWord,
        /// What.
        source: Source,
        /// Whether the waiting carry is added too.
        carry_in: bool,
        /// Whether a carry is used afterwards.
        carry_out: bool,
    },
    /// The word of a column is stored as the result's, and is no longer there.
    Store {
        /// Column.
        column: usize,
        /// Whether a carry is waiting meanwhile.
        in_chain: bool,
    },
    /// Zero is stored as the result's word of a column.
    StoreZero {
        /// Column.
        column: usize,
        /// Whether a carry is waiting meanwhile.
        in_chain: bool,
    },
    /// A word is known to be zero and no longer needed.
    Drop {
        /// The word.
        place: AccumulatorWord,
    },
    /// A word is doubled.
    Double {
        /// The word.
        to: AccumulatorWord,
        /// Whether the waiting carry is added too.
        carry_in: bool,
        /// Whether a carry is used afterwards.
        carry_out: bool,
    },
    /// The carry is kept while other things are done.
    Park {
        /// Under this name.
        carry: Carry,
    },
    /// The carry that was kept is used next, and is no longer kept.
    Restore {
        /// Its name.
        carry: Carry,
    },
}

/// Upper bounds of a column's words; `None` where there is none.
#[derive(Clone, Copy, Debug, Default)]
struct Column {
    word: Option<u128>,
    catcher: Option<u128>,
    square: Option<u128>,
}

/// Turns a schedule into actions for words of `word_bits` bits. `catchers` is the largest number of
/// catchers at a time.
pub fn accumulate(
    schedule: &Schedule,
    word_bits: u32,
    catchers: usize,
) -> Result<Vec<Action>, AccumulateError> {
    follow(&schedule.steps, schedule.words, word_bits, catchers)
}

/// The same for a list of steps, for operands of `words` words.
pub(crate) fn follow(
    steps: &[Step],
    words: usize,
    word_bits: u32,
    catchers: usize,
) -> Result<Vec<Action>, AccumulateError> {
    let mut accumulator = Accumulator::new(Some(words), word_bits, catchers);
    for step in steps {
        accumulator.step(step)?;
    }
    Ok(accumulator.actions)
}

/// A schedule that an accumulator cannot follow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum AccumulateError {
    /// What a row carries upwards may be longer than there is room for: its one carry word, or nothing
    /// above the last column of a square.
    #[error("the row that ends in column {column} may carry too much")]
    LongCarry {
        /// Column of the carry word, or the one above the square.
        column: usize,
    },
    /// More words than the bounds of values are kept for.
    #[error("the accumulator is too wide: its values are bounded up to {} bits", Bound::BITS)]
    Wide,
    /// A carry waits at the end of a loop, and none where it begins.
    #[error("no carry waits where the loop is entered")]
    Carry,
}

/// The largest number of words, catchers and squares included, that are there at a time beside those at the
/// start.
pub fn peak(actions: &[Action]) -> usize {
    let words = actions.iter().scan(0, |now, action| {
        *now += change(action);
        Some(*now)
    });
    words.max().unwrap_or(0).max(0) as usize
}

/// By how many the words that are there become more.
pub fn change(action: &Action) -> i32 {
    match action {
        Action::PlaceProduct { .. } => 2,
        Action::Place { source: Source::Accumulator(_), .. } => 0,
        Action::Place { .. } | Action::Clear { .. } => 1,
        Action::Add { source: Source::Accumulator(_), .. } | Action::Store { .. } | Action::Drop { .. } => -1,
        Action::Add { .. }
        | Action::Load { .. }
        | Action::Multiply { .. }
        | Action::StoreZero { .. }
        | Action::Double { .. }
        | Action::Park { .. }
        | Action::Restore { .. } => 0,
    }
}

/// The accumulator while steps turn into actions.
pub(crate) struct Accumulator {
    /// Columns of the result, where they are known.
    columns: usize,
    bits: u32,
    catchers: usize,
    base: usize,
    window: VecDeque<Column>,
    /// Upper bound of the window's value, in units of the base column.
    total: Bound,
    /// Not known where code is executed more than once.
    processed: Option<Processed>,
    /// Carries of the squaring that may be set.
    parked: square::Parked,
    actions: Vec<Action>,
}

impl Accumulator {
    /// For operands of `words` words; `None` where code is executed more than once.
    fn new(words: Option<usize>, bits: u32, catchers: usize) -> Self {
        Accumulator {
            columns: words.map_or(usize::MAX, |words| 2 * words),
            bits,
            catchers,
            base: 0,
            window: VecDeque::new(),
            total: Bound::ZERO,
            processed: words.map(|words| Processed::new(words, bits)),
            parked: square::Parked::default(),
            actions: Vec::new(),
        }
    }

    fn largest_word(&self) -> u128 {
        (1 << self.bits) - 1
    }

    /// The bits of so many words.
    fn bits_of(&self, words: usize) -> usize {
        self.bits as usize * words
    }

    /// `value * 2^(bits * words)`, saturated: an upper bound may only grow.
    fn scaled(&self, value: u128, words: usize) -> Bound {
        Bound::from(value).up(self.bits_of(words))
    }

    fn column(&mut self, column: usize) -> &mut Column {
        let offset = column - self.base;
        if self.window.len() <= offset {
            self.window.resize(offset + 1, Column::default());
        }
        &mut self.window[offset]
    }

    fn bound(&mut self, place: AccumulatorWord) -> &mut Option<u128> {
        match place {
            AccumulatorWord::Column(column) => &mut self.column(column).word,
            AccumulatorWord::Catcher(column) => &mut self.column(column).catcher,
            AccumulatorWord::Square(column) => &mut self.column(column).square,
        }
    }

    pub(crate) fn step(&mut self, step: &Step) -> Result<(), AccumulateError> {
        match step {
            Step::StartRow { column } => {
                debug_assert!(self.window.iter().all(|column| column.word.is_none()));
                self.base = *column;
                self.window.clear();
                self.total = Bound::ZERO;
                if let Some(processed) = &mut self.processed {
                    processed.start_at(*column);
                }
            }
            Step::Load { slot, operand } => {
                self.actions.push(Action::Load { slot: *slot, operand: *operand });
            }
            Step::Multiply { a, b, product } => {
                self.actions.push(Action::Multiply { a: *a, b: *b, product: *product });
                self.add_product(product.column());
            }
            Step::AddIntermediates { columns } => self.add_results(columns.clone(), None),
            Step::Finish { columns, intermediates } => self.finish(columns.clone(), intermediates.clone()),
            Step::FinishSquare { columns } => self.finish_square(columns.clone())?,
            Step::EndRow { column } => {
                self.fold_catchers(*column..*column + 1);
                self.store(*column, false);
                if self.total == Bound::MAX {
                    return Err(AccumulateError::Wide);
                }
                if self.total != Bound::ZERO {
                    return Err(AccumulateError::LongCarry { column: *column });
                }
                // the carry word is the row's last: whatever stands above it is zero by the ranges
                for offset in 0..self.window.len() {
                    for place in [
                        AccumulatorWord::Column(self.base + offset),
                        AccumulatorWord::Catcher(self.base + offset),
                    ] {
                        if self.bound(place).take().is_some() {
                            self.actions.push(Action::Drop { place });
                        }
                    }
                }
            }
        }
        Ok(())
    }

    fn add_product(&mut self, column: usize) {
        let largest = self.largest_word() * self.largest_word();
        if let Some(processed) = &mut self.processed {
            processed.add(column);
        }
        self.total = self.total.plus(self.scaled(largest, column - self.base));
        let (low, high) = (AccumulatorWord::Column(column), AccumulatorWord::Column(column + 1));
        if self.bound(low).is_none() && self.bound(high).is_none() {
            self.actions.push(Action::PlaceProduct { low, high });
            *self.bound(low) = Some(self.largest_word());
            *self.bound(high) = Some(self.largest_word() - 1);
            return;
        }
        let chain = [
            (low, Source::ProductLow, self.largest_word().into()),
            (high, Source::ProductHigh, largest.into()),
        ];
        self.chain(column, &chain, None);
    }

    /// Adds result words of earlier rows; `store` finishes the columns of that range on the way.
    fn add_results(&mut self, columns: Range<usize>, store: Option<Range<usize>>) {
        let first = columns.start;
        let value = Bound::ones(self.bits_of(columns.len()));
        self.total = self.total.plus(value.up(self.bits_of(first - self.base)));
        let chain: Vec<_> = columns
            .map(|k| {
                (AccumulatorWord::Column(k), Source::Result(k), Bound::ones(self.bits_of(k - first + 1)))
            })
            .collect();
        self.chain(first, &chain, store);
    }

    /// Adds a number word by word: to which place, what, and the largest value of the number up to and
    /// including this word, in units of column `first`. Places ascend by one column each.
    fn chain(
        &mut self,
        first: usize,
        links: &[(AccumulatorWord, Source, Bound)],
        store: Option<Range<usize>>,
    ) {
        // words that are not there take theirs first: then no clear is needed
        let absent: Vec<bool> = links.iter().map(|(to, ..)| self.bound(*to).is_none()).collect();
        for ((to, source, value), absent) in links.iter().zip(&absent) {
            if *absent {
                self.actions.push(Action::Place { to: *to, source: *source });
                let own = self.high_part(*value, to.column() - first).min(self.largest_word());
                *self.bound(*to) = Some(own);
            }
        }
        let mut carry = false;
        let mut standing = Bound::ZERO; // largest value of the places before the chain, up to here
        for (index, ((to, source, value), absent)) in links.iter().zip(&absent).enumerate() {
            let column = first + index;
            let old = self.bound(*to).unwrap_or(0);
            if !absent {
                standing = standing.plus(self.scaled(old, index));
            }
            let source = if *absent { Source::Zero } else { *source };
            let possible = standing.plus(*value);
            let overflows =
                self.at_least(possible, index + 1) && self.at_least(self.total, column + 1 - self.base);
            let carry_in = carry;
            if carry_in || source != Source::Zero {
                carry = overflows;
                self.actions.push(Action::Add { to: *to, source, carry_in, carry_out: carry });
                let most = match (carry, *absent) {
                    (true, _) => self.largest_word(),
                    (false, true) => old + 1,
                    (false, false) => self.high_part(possible, index),
                };
                let most = most.min(self.largest_word()).min(self.high_part(self.total, column - self.base));
                *self.bound(*to) = Some(most);
            }
            if store.as_ref().is_some_and(|columns| columns.contains(&column)) {
                self.store(column, carry);
            }
        }
        if carry {
            let above = first + links.len();
            // the columns above are stored by the caller, after the carry has settled
            self.settle_carry(above);
        }
    }

    /// Whether a value bounded by `most` may reach `2^(bits * words)`.
    fn at_least(&self, most: Bound, words: usize) -> bool {
        most == Bound::MAX || most.bits() as usize > self.bits_of(words)
    }

    fn high_part(&self, value: Bound, words: usize) -> u128 {
        value.down(self.bits_of(words)).narrow()
    }

    /// Adds the waiting carry at `column`.
    fn settle_carry(&mut self, mut column: usize) {
        loop {
            let word = AccumulatorWord::Column(column);
            let limit = self.largest_word();
            let fits = |bound: Option<u128>| bound.unwrap_or(0) < limit;
            let bounded = !self.at_least(self.total, column + 1 - self.base);
            let (word_bound, catcher_bound) = (*self.bound(word), self.column(column).catcher);
            let to = if bounded || fits(word_bound) {
                word
            } else if fits(catcher_bound) && (catcher_bound.is_some() || self.live_catchers() < self.catchers)
            {
                AccumulatorWord::Catcher(column)
            } else {
                self.actions.push(Action::Add {
                    to: word,
                    source: Source::Zero,
                    carry_in: true,
                    carry_out: true,
                });
                column += 1;
                continue;
            };
            let bound = *self.bound(to);
            if bound.is_none() {
                self.actions.push(Action::Clear { to, in_chain: true });
            }
            self.actions.push(Action::Add { to, source: Source::Zero, carry_in: true, carry_out: false });
            *self.bound(to) = Some((bound.unwrap_or(0) + 1).min(limit));
            return;
        }
    }

    fn live_catchers(&self) -> usize {
        self.window.iter().filter(|column| column.catcher.is_some()).count()
    }

    fn finish(&mut self, columns: Range<usize>, intermediates: Range<usize>) {
        self.fold_catchers(columns.clone());
        if intermediates.is_empty() {
            for column in columns {
                self.store(column, false);
            }
        } else {
            let after = intermediates.end;
            // a carry may wait while words are stored, so the chain must not end below a column that
            // is finished with it: columns above the intermediates are stored once it has settled
            self.add_results(intermediates, Some(columns.start..columns.end.min(after)));
            self.fold_catchers(after..columns.end);
            for column in after..columns.end {
                self.store(column, false);
            }
        }
    }

    /// Adds the catchers of finished columns to their words: a chain for each run of catchers.
    fn fold_catchers(&mut self, columns: Range<usize>) {
        let mut column = columns.start;
        while column < columns.end {
            let first = column;
            let mut links = Vec::new();
            let mut value = Bound::ZERO;
            while let Some(bound) = self.column(column).catcher.take_if(|_| column < columns.end) {
                value = value.plus(self.scaled(bound, column - first));
                links.push((
                    AccumulatorWord::Column(column),
                    Source::Accumulator(AccumulatorWord::Catcher(column)),
                    value,
                ));
                column += 1;
            }
            if links.is_empty() {
                column += 1;
            } else {
                self.chain(first, &links, None);
            }
        }
    }

    /// Stores the lowest column, which must be the base, and moves the window up.
    fn store(&mut self, column: usize, in_chain: bool) {
        debug_assert_eq!(column, self.base);
        let lowest = self.window.pop_front().unwrap_or_default();
        debug_assert!(lowest.catcher.is_none(), "a catcher was left behind");
        self.actions.push(match lowest.word {
            Some(_) => Action::Store { column, in_chain },
            None => Action::StoreZero { column, in_chain },
        });
        self.base += 1;
        self.total = self.total.down(self.bits as usize);
        // While a carry waits, the window's value is not complete, so the bound is left as it is: the
        // carry is part of what was shifted out, hence of `total`.
        if let Some(processed) = &mut self.processed {
            self.total = self.total.min(processed.above(self.base));
        }
    }
}

/// The largest value that all products so far can add up to. Window and stored words together are that
/// sum, and neither is negative, so the window cannot exceed it.
struct Processed {
    bits: u32,
    counts: Vec<u32>,
    /// Column up to which the sum is condensed, and the sum's part from there on that lower columns
    /// carry into it.
    below: (usize, Bound),
    top: usize,
}

impl Processed {
    fn new(words: usize, bits: u32) -> Self {
        Processed { bits, counts: vec![0; 2 * words], below: (0, Bound::ZERO), top: 0 }
    }

    fn add(&mut self, column: usize) {
        self.counts[column] += 1;
        self.top = self.top.max(column);
        if column < self.below.0 {
            self.below = (0, Bound::ZERO);
        }
    }

    fn start_at(&mut self, column: usize) {
        if column < self.below.0 {
            self.below = (0, Bound::ZERO);
        }
    }

    fn column_value(&self, column: usize) -> Bound {
        let largest = (1u128 << self.bits) - 1;
        let count = self.counts.get(column).copied().unwrap_or(0);
        Bound::from(largest * largest).times(count.into())
    }

    /// The sum divided by `2^(bits * column)`, rounded down; saturated.
    fn above(&mut self, column: usize) -> Bound {
        while self.below.0 < column {
            let (at, carried) = self.below;
            self.below = (at + 1, carried.plus(self.column_value(at)).down(self.bits as usize));
        }
        let (at, carried) = self.below;
        if self.bits as usize * self.top.saturating_sub(at) > Bound::BITS as usize {
            return Bound::MAX;
        }
        (at..=self.top).fold(carried, |sum, above| {
            sum.plus(self.column_value(above).up(self.bits as usize * (above - at)))
        })
    }
}
