//! Squaring: products of different words once, doubled.
//!
//! All rows but the last store sums that are not doubled. In the last row either products, and what the others stored,
//! are added twice (at once, where the accumulator can); or each finished word of the sum is doubled in registers, a
//! bit carried from word to word, and the squares are added there. The faster routine is taken.

use super::core::{Fault, Ring, Setting};
use super::form::{Change, Draft, Made, Memory, Name, Pair, Part, ZERO};
use super::sum::Sum;
use super::walked;
use rhomb_kernel::{Product, Squaring};
use std::collections::HashMap;

/// Slots of operand words that are tried, and the one for long operands.
const SLOTS: [usize; 9] = [2, 4, 6, 8, 10, 11, 12, 14, 16];
const LONG_SLOTS: usize = 12;
/// Words that stay while others go past where columns wait in registers; 0 leaves the order of the rows.
const WIDTHS: [usize; 4] = [0, 4, 6, 8];
/// Words of long operands.
const LONG: usize = 20;

/// Drafts of a square.
pub(super) fn squares(task: &Squaring, setting: &Setting) -> impl Iterator<Item = Result<Draft, Fault>> {
    square_ways(task, setting).into_iter().map(move |way| {
        let mut draft = Draft::default();
        let [r, a, _] = setting.arguments;
        let [r, a] = [r, a].map(|register| draft.argument(register));
        let parts = [r, a].map(|pointer| draft.memory(pointer));
        draft.is_spare(parts[0]);
        square(&mut draft, task, way, parts, setting)?;
        Ok(draft)
    })
}

/// How a square is made.
#[derive(Clone, Copy)]
pub(super) enum Way {
    /// In characteristic 2 it is the squares of the words.
    Spread,
    /// With so many slots for operand words, or that stay in strips; whether sums are doubled in registers.
    Rows(usize, bool),
}

pub(super) fn square_ways(task: &Squaring, setting: &Setting) -> Vec<Way> {
    let is_spread = setting.ring == Ring::BinaryPolynomials;
    // guard bits do not leave the accumulator
    let ways: &[bool] = if setting.abilities.is_wide() { &[false] } else { &[false, true] };
    let tried = |slots: &usize| task.words < LONG || *slots == LONG_SLOTS;
    let fewer = SLOTS.into_iter().filter(tried).take_while(|slots| *slots < task.words);
    if !setting.abilities.accumulates() {
        let widths = WIDTHS.into_iter().filter(|width| *width < task.words);
        let rows = widths.map(|width| Way::Rows(width, true));
        return if is_spread { vec![Way::Spread] } else { rows.collect() };
    }
    let every = (task.words <= 16).then_some(task.words.max(2));
    let slots: Vec<usize> = if is_spread { Vec::new() } else { fewer.chain(every).collect() };
    let all = slots.into_iter().flat_map(|slots| ways.iter().map(move |doubled| Way::Rows(slots, *doubled)));
    is_spread.then_some(Way::Spread).into_iter().chain(all).collect()
}

/// Writes a square in one way.
///
/// # Errors
/// Where it is not for this accumulator.
pub(super) fn square(
    draft: &mut Draft,
    task: &Squaring,
    way: Way,
    [result, a]: [Memory; 2],
    setting: &Setting,
) -> Result<(), Fault> {
    if !setting.abilities.accumulates() {
        return match way {
            Way::Spread => walked::spread(draft, task.words, [result, a], setting),
            Way::Rows(width, _) => walked::square(draft, (task, width), [result, a], setting),
        };
    }
    let mut sum = Sum::new(setting.abilities, setting.ring)?;
    let Way::Rows(slots, doubled) = way else {
        for i in 0..task.words {
            let word = a.load(draft, i);
            sum.product(draft, word, word)?;
            let [low, high] = [Part::Low, Part::High].map(|part| draft.part(part));
            result.store(draft, 2 * i, low);
            result.store(draft, 2 * i + 1, high);
            sum.clear();
        }
        return Ok(());
    };
    let operands = Operands::new(task, a, slots);
    let mut writer = Writer { draft: std::mem::take(draft), result, sum, operands };
    writer.write(task, doubled)?;
    *draft = writer.draft;
    Ok(())
}

struct Writer {
    draft: Draft,
    result: Memory,
    sum: Sum,
    operands: Operands,
}

/// The bit and the carry that go from word to word.
#[derive(Default)]
struct Between {
    /// The highest bit of the last word.
    top: Option<Made>,
    carry: Option<Made>,
    /// The high word of the last square.
    square: Option<Made>,
}

impl Writer {
    fn write(&mut self, task: &Squaring, doubled: bool) -> Result<(), Fault> {
        let mut stored = 0..0;
        for (index, row) in task.rows.iter().enumerate() {
            let last = index + 1 == task.rows.len();
            let start = row.first_column;
            self.sum.clear();
            let mut between = Between::default();
            for (column, segment) in (start..).zip(&row.segments) {
                if stored.contains(&column) {
                    let word = self.result.load(&mut self.draft, column);
                    self.sum.word(&mut self.draft, word)?;
                    if last && !doubled {
                        self.sum.word(&mut self.draft, word)?;
                    }
                }
                let square = (last && column % 2 == 0).then_some(column / 2);
                if let Some(i) = square.filter(|_| !doubled) {
                    let [word, _] = self.operands.pair(&mut self.draft, Product { i, j: i });
                    self.sum.product(&mut self.draft, word, word)?;
                }
                for product in &segment.products {
                    let [x, y] = self.operands.pair(&mut self.draft, *product);
                    if last && !doubled {
                        self.sum.twice(&mut self.draft, x, y)?;
                    } else {
                        self.sum.product(&mut self.draft, x, y)?;
                    }
                }
                let word = if last && doubled {
                    self.doubled(square, &mut between)
                } else if last && column + 1 == 2 * task.words {
                    self.sum.last(&mut self.draft)?
                } else {
                    self.sum.take(&mut self.draft)
                };
                self.result.store(&mut self.draft, column, word);
                // what is added up is a part of the square
                self.sum.limit(2 * task.words - column - 1);
            }
            if !last {
                let carry = row.carry_column();
                let word = self.sum.last(&mut self.draft)?;
                self.result.store(&mut self.draft, carry, word);
                stored =
                    if stored.is_empty() { start..carry + 1 } else { start.min(stored.start)..carry + 1 };
            } else if doubled && self.sum.most() > 0 {
                return Err(Fault::Carry);
            }
        }
        Ok(())
    }

    /// The next word of the square: twice the sum's, with what was carried, and the square of a word where one begins.
    fn doubled(&mut self, square: Option<usize>, between: &mut Between) -> Name {
        let Writer { draft, sum, operands, .. } = self;
        let bits = sum.bits();
        let mut low_of_square = None;
        let mut high_of_square = None;
        let word = sum.take_around(draft, square.is_some(), |draft| {
            if let Some(i) = square {
                let [word, _] = operands.pair(draft, Product { i, j: i });
                draft.change(Change::Product, word, word);
                low_of_square = Some(draft.part(Part::Low));
                high_of_square = Some(draft.part(Part::High));
            }
        });
        let mut terms: Vec<Made> = Vec::new();
        let twice = match word {
            Name::Made(word) => {
                let twice = draft.up(word, 1);
                let low = between.top.take().map_or(twice, |top| draft.pair(Pair::Add, twice, top));
                between.top = Some(draft.down(word, bits - 1));
                Some(low)
            }
            Name::Register(_) => between.top.take(),
        };
        terms.extend(twice);
        terms.extend(low_of_square.or(between.square.take()));
        between.square = high_of_square;
        terms.extend(between.carry.take());
        let Some((first, rest)) = terms.split_first() else { return ZERO };
        let mut total = *first;
        for term in rest {
            total = draft.pair(Pair::Add, total, *term);
            let carry = draft.pair(Pair::Below, total, *term);
            // two additions of words and a bit carry once together
            between.carry = Some(match between.carry {
                Some(other) => draft.pair(Pair::Add, other, carry),
                None => carry,
            });
        }
        total.into()
    }
}

/// Words of the operand in a number of slots; the one that is needed last makes room.
struct Operands {
    array: Memory,
    slots: usize,
    /// By word: when it is used, the last time first.
    uses: Vec<Vec<usize>>,
    held: HashMap<usize, Made>,
    time: usize,
}

impl Operands {
    fn new(task: &Squaring, array: Memory, slots: usize) -> Self {
        let mut uses = vec![Vec::new(); task.words];
        let mut time = 0;
        let mut see = |product: Product| {
            uses[product.i].push(time);
            uses[product.j].push(time);
            time += 1;
        };
        for (index, row) in task.rows.iter().enumerate() {
            let last = index + 1 == task.rows.len();
            for (column, segment) in (row.first_column..).zip(&row.segments) {
                // roughly in the order of their uses: it only decides which word makes room
                if last && column % 2 == 0 && column / 2 < task.words {
                    see(Product { i: column / 2, j: column / 2 });
                }
                segment.products.iter().for_each(|product| see(*product));
            }
        }
        uses.iter_mut().for_each(|times| times.reverse());
        Operands { array, slots, uses, held: HashMap::new(), time: 0 }
    }

    /// The words of a product.
    fn pair(&mut self, draft: &mut Draft, product: Product) -> [Made; 2] {
        let Product { i, j } = product;
        let words = [i, j].map(|word| self.word(draft, word, [i, j]));
        self.time += 1;
        for word in [i, j] {
            self.uses[word].pop();
            if self.uses[word].is_empty() {
                self.held.remove(&word);
            }
        }
        words
    }

    fn word(&mut self, draft: &mut Draft, word: usize, pair: [usize; 2]) -> Made {
        if let Some(value) = self.held.get(&word) {
            return *value;
        }
        if self.held.len() >= self.slots.max(2) {
            let next = |word: &usize| (self.uses[*word].last().copied().unwrap_or(usize::MAX), *word);
            let others = self.held.keys().copied().filter(|other| !pair.contains(other));
            if let Some(victim) = others.max_by_key(next) {
                self.held.remove(&victim);
            }
        }
        let value = self.array.load(draft, word);
        self.held.insert(word, value);
        value
    }
}
