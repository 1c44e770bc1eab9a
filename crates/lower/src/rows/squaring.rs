//! Squaring: the products of different words once, doubled, and the squares added.
//!
//! Columns are finished by chunks of `p` squares, which is `2p` columns. A chunk doubles its columns in one chain
//! and adds its squares in another; what leaves both at the top, 0 to 2, goes into the lowest square of the next
//! chunk, which has room: `(2^w - 1)^2 + 2 < 2^2w`. Of the two carries the first is caught as `C - 1` by SBC of a
//! word from itself, the second is added by ADC with the number 1.
//!
//! A chunk may come as soon as no product below its top is left.

use super::build::Builder;
use super::line::{Data, Source, Value};
use super::plan::{Frame, Job, Plan};
use super::{Registers, WIDEST};
use rhomb_kernel::Operand;
use rhomb_kernel::windows::{self, Trace, WindowStep};
use std::ops::Range;

/// Words beyond which fewer ways are tried.
const MANY: usize = 16;

/// How a squaring is done.
#[derive(Clone, Debug)]
pub(super) struct Variant {
    /// Widths of the strips of the triangle.
    pub(super) widths: Vec<usize>,
    /// Squares of each chunk.
    pub(super) chunks: Vec<usize>,
    /// Whether chunks come as soon as they can.
    pub(super) early: bool,
    /// Whether registers are shared out as a whole.
    pub(super) whole: bool,
    /// Whether products take equally long for all operands.
    pub(super) constant: bool,
}

/// A part of the code.
enum Part {
    /// Steps of one strip.
    Steps(Range<usize>),
    /// Squares that are finished.
    Chunk(Range<usize>),
}

/// The parts in order.
fn parts(words: usize, steps: &[WindowStep], variant: &Variant) -> Vec<Part> {
    let mut strips: Vec<Range<usize>> = Vec::new();
    let mut x = 0;
    let mut at = 0;
    for width in &variant.widths {
        let number = width - 1 + words - x - width;
        strips.push(at..at + number);
        at += number;
        x += width;
    }
    let mut chunks = Vec::new();
    let mut done = 0;
    for size in &variant.chunks {
        chunks.push(done..done + size);
        done += size;
    }
    let mut waiting = chunks.into_iter().peekable();
    let mut parts = Vec::new();
    for strip in strips {
        let mut from = strip.start;
        for at in strip.clone() {
            // the lowest column that a later step adds to
            let open = steps[at + 1..].iter().map(WindowStep::column).min().unwrap_or(2 * words);
            let ready = waiting.peek().is_some_and(|chunk| 2 * chunk.end <= open);
            if variant.early && ready && at + 1 < steps.len() {
                parts.push(Part::Steps(from..at + 1));
                from = at + 1;
                while let Some(chunk) = waiting.next_if(|chunk| 2 * chunk.end <= open) {
                    parts.push(Part::Chunk(chunk));
                }
            }
        }
        if from < strip.end {
            parts.push(Part::Steps(from..strip.end));
        }
    }
    parts.extend(waiting.map(Part::Chunk));
    parts
}

/// The plan of a variant.
pub(super) fn plan(words: usize, variant: &Variant, registers: &Registers) -> Option<Plan> {
    let steps = windows::triangle(words, &variant.widths);
    let trace = windows::trace(&steps, 2 * words).ok()?;
    let parts = parts(words, &steps, variant);
    let units: Vec<&[Part]> = if variant.whole {
        vec![&parts]
    } else {
        parts.chunk_by(|x, y| matches!((x, y), (Part::Chunk(_), Part::Chunk(_)))).collect()
    };
    let mut over = Over { words, trace: &trace, carry: None };
    let mut plan = Plan::default();
    for (number, unit) in units.iter().enumerate() {
        let ends = number + 1 == units.len();
        let mut builder = Builder::default();
        builder.set_constant(variant.constant);
        let [a, r] = [builder.value(), builder.value()];
        builder.bases = [a, a, r];
        let [result, first, _] = registers.arguments;
        builder.unit.entry = vec![(a, first), (r, result)];
        builder.unit.exit = if ends { vec![] } else { vec![a, r] };
        if let [Part::Steps(range)] = unit {
            builder.origin = steps[range.clone()].iter().map(lowest).min().unwrap_or(0);
        }
        over.fill(&mut builder, unit, ends)?;
        let frame = Frame { origin: builder.origin, home: 2 * words - 1 };
        plan.jobs.push(Job { unit: builder.unit, frame, pointers: vec![(a, 0), (r, 1)] });
    }
    Some(plan)
}

fn lowest(step: &WindowStep) -> usize {
    let place = |word: Operand| match word {
        Operand::A(i) | Operand::B(i) => i,
    };
    place(step.fixed).min(place(step.stream))
}

/// What is the same for all units.
struct Over<'a> {
    words: usize,
    trace: &'a Trace,
    /// What the last chunk leaves to the next one.
    carry: Option<Value>,
}

impl Over<'_> {
    fn fill(&mut self, builder: &mut Builder, parts: &[Part], ends: bool) -> Option<()> {
        let mut left: Vec<(usize, usize)> = Vec::new();
        for part in parts {
            match part {
                Part::Steps(range) => {
                    for at in range.clone() {
                        let traced = &self.trace.steps[at];
                        builder.step(traced);
                        let taken =
                            |word: usize| traced.window.contains(&Some(word)) || traced.more == Some(word);
                        left.retain(|(word, _)| !taken(*word));
                        let makes = (traced.step.column()..).zip(&traced.makes);
                        left.extend(makes.map(|(column, word)| (*word, column)));
                    }
                }
                Part::Chunk(squares) => {
                    self.chunk(builder, squares.clone())?;
                    left.retain(|(_, column)| *column >= 2 * squares.end);
                }
            }
            builder.begin();
        }
        if !ends || parts.iter().all(|part| matches!(part, Part::Steps(_))) {
            left.sort_unstable_by_key(|(_, column)| *column);
            for (word, column) in left {
                let value = builder.known(word)?;
                builder.store(value, column, word + 1);
            }
        }
        Some(())
    }

    /// Finishes the columns of some squares.
    fn chunk(&mut self, builder: &mut Builder, squares: Range<usize>) -> Option<()> {
        let (first, last) = (squares.start, squares.end == self.words);
        let columns = 2 * squares.start..2 * squares.end;
        let word = |builder: &mut Builder, column: usize| {
            self.trace.columns[column].map(|word| builder.word(word, column))
        };
        let mut sums: Vec<Option<Value>> = columns.clone().map(|column| word(builder, column)).collect();
        let square = |builder: &mut Builder, i: usize| {
            let word = builder.operand(Operand::A(i));
            builder.square(word)
        };
        // squares that take the carry themselves come before all chains
        let made: Vec<(Value, Value)> = match builder.is_constant() {
            true => squares.clone().map(|i| square(builder, i)).collect(),
            false => Vec::new(),
        };
        let square = |builder: &mut Builder, i: usize| match made.get(i - first) {
            Some(made) => *made,
            None => square(builder, i),
        };
        let mut lowest = square(builder, first);
        if let Some(carry) = self.carry.take() {
            let low = builder.data(Data::Add, true, Some(lowest.0), Source::Value(carry));
            let high = builder.data(Data::Adc, false, Some(lowest.1), Source::Number(0));
            lowest = (low, high);
        }
        let mut carry = false;
        let mut doubled = None;
        for sum in sums.iter_mut().flatten() {
            *sum = builder.add(carry, *sum, Source::Value(*sum));
            doubled = Some(*sum);
            carry = true;
        }
        let mut highest = None;
        let mut caught = None;
        match (carry, last, doubled) {
            (true, true, _) => {
                let (low, high) = if squares.len() == 1 { lowest } else { square(builder, squares.end - 1) };
                let high = builder.data(Data::Adc, false, Some(high), Source::Number(0));
                highest = Some((low, high));
            }
            (true, false, Some(doubled)) => {
                caught = Some(builder.data(Data::Sbc, false, Some(doubled), Source::Value(doubled)));
            }
            _ => {}
        }
        carry = false;
        for (k, i) in squares.clone().enumerate() {
            let (low, high) = match (k, highest) {
                (_, Some(highest)) if i + 1 == self.words => highest,
                (0, _) => lowest,
                _ => square(builder, i),
            };
            for (at, part) in [(2 * k, low), (2 * k + 1, high)] {
                sums[at] = Some(match sums[at] {
                    Some(sum) => {
                        let sum = builder.add(carry, sum, Source::Value(part));
                        carry = true;
                        sum
                    }
                    None if carry => {
                        // only at the top, where nothing leaves
                        carry = false;
                        builder.data(Data::Adc, false, Some(part), Source::Number(0))
                    }
                    None => part,
                });
            }
        }
        self.carry = match (caught, carry) {
            (Some(caught), true) => Some(builder.data(Data::Adc, false, Some(caught), Source::Number(1))),
            _ => None,
        };
        if !last && self.carry.is_none() {
            return None;
        }
        for (column, sum) in columns.zip(sums) {
            builder.store(sum?, column, usize::MAX);
        }
        Some(())
    }
}

impl Variant {
    /// What to try.
    pub(super) fn all(words: usize, constant: bool) -> Vec<Variant> {
        let mut all = Vec::new();
        for widths in shapes(words) {
            for chunks in chunks(words, constant) {
                for (early, whole) in [(true, true), (false, false)] {
                    let fits = if whole { words <= super::WHOLE } else { words > WIDEST };
                    if fits {
                        let (widths, chunks) = (widths.clone(), chunks.clone());
                        all.push(Variant { widths, chunks, early, whole, constant });
                    }
                }
            }
        }
        all
    }
}

/// Widths of strips to try.
fn shapes(words: usize) -> Vec<Vec<usize>> {
    if words <= WIDEST {
        return vec![vec![words]];
    }
    let mut shapes = Vec::new();
    for widest in if words <= MANY { 3..=5 } else { 4..=5 } {
        let widths = super::widths(words, widest);
        let mut reversed = widths.clone();
        reversed.reverse();
        shapes.extend([widths, reversed]);
    }
    if words <= super::WHOLE {
        shapes.extend(
            (2..=WIDEST).filter(|first| words - first <= WIDEST).map(|first| vec![first, words - first]),
        );
    }
    shapes.sort();
    shapes.dedup();
    shapes
}

/// Squares of chunks to try: in any order where they are few, else all alike but for a rest at either end. A chunk
/// of one square costs as much at its border as it saves, but may fit where a larger one does not, at an end.
fn chunks(words: usize, constant: bool) -> Vec<Vec<usize>> {
    let mut all = Vec::new();
    if words <= super::WHOLE {
        let mut open = vec![vec![]];
        while let Some(chunks) = open.pop() {
            let left = words - chunks.iter().sum::<usize>();
            if left == 0 {
                all.push(chunks);
            } else {
                let least = if chunks.is_empty() || left == 1 { 1 } else { 2 };
                open.extend((least..=left.min(4)).map(|size| [&chunks[..], &[size]].concat()));
            }
        }
        return all;
    }
    // squares of constant time wait in registers
    for size in if constant { 2..=3 } else { 3..=4 } {
        let (full, rest) = (vec![size; words / size], words % size);
        if rest == 0 {
            all.push(full);
            continue;
        }
        if words <= MANY {
            all.push([vec![rest], full.clone()].concat());
        }
        all.push([full, vec![rest]].concat());
    }
    all
}
