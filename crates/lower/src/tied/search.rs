//! The order of products, by small changes of strips.

use super::columns::{self, Draft, Then};
use super::fit::{Tuning, fit};
use super::{Routine, Setting};
use rhomb_line::Line;
use rhomb_machine::Random;
use std::fmt;

/// What is searched over. As text it is a line of a table of what was found: numbers of [`Tuning`], a digit a column, and the
/// words of each product as digits to the base 36.
#[derive(Clone, Debug)]
struct Candidate {
    order: Vec<(u8, u8)>,
    /// Columns in which a product may begin anew.
    anew: Vec<bool>,
    tuning: Tuning,
}

/// Products of candidates that are tried where nothing was found before; with a line behind, of which there are many, few.
const PRODUCTS: usize = 4_000_000;
const WITH_A_LINE: usize = 250_000;

/// How many candidates are tried for an operand of so many words, where nothing was found before.
pub fn candidates(words: usize, with_a_line: bool) -> usize {
    (if with_a_line { WITH_A_LINE } else { PRODUCTS }) / (words * words).max(1)
}

/// The most words of an operand.
pub const MOST_WORDS: usize = 64;

/// A product of two numbers of so many words, or with `square` a square, which may be A of a line. Nothing where there is none, or
/// the line does more than products, sums and columns that take up all their words. `found` has lines such as [`found`] gives, of
/// which the one for this is taken; for others a search is made.
pub fn routine(
    square: bool,
    words: usize,
    line: Option<&Line>,
    setting: &Setting,
    found: &str,
) -> Option<Routine> {
    Search { square, words, then: line.map_or(Then::Stored, Then::Line), setting }.best(found)
}

/// A line of two operands alone, with the best of a few ways to load ahead. Nothing where it does more than products, sums and columns
/// that take up all their words.
pub fn line(line: &Line, setting: &Setting) -> Option<Routine> {
    let line = line.clone().with_early_stores();
    let draft = columns::alone(&line, setting)?;
    let tries = AHEAD.into_iter().flat_map(|ahead| (0..MARGINS).map(move |margin| (ahead, margin)));
    let tries = tries.filter_map(|(ahead, margin)| {
        fit(&draft, setting, Tuning { operand: 10, pointer: 16, spill: 20, ahead, margin, keep: 0, seed: 0 })
    });
    tries.min_by_key(|routine| routine.cycles)
}

/// The line of a table for a product, or with `square` a square, of so many words, which may be A of a line: the best of about so
/// many candidates, and what stands in the table. With the cycles. It holds for all settings with as large a bank, or with `scratch`
/// for those alone that have as many scratch registers, too.
#[expect(clippy::too_many_arguments, reason = "what is searched, and how long")]
pub fn found(
    square: bool,
    words: usize,
    line: Option<&Line>,
    setting: &Setting,
    scratch: bool,
    table: &str,
    candidates: usize,
    seed: u64,
) -> Option<(u64, String)> {
    let then = line.map_or(Then::Stored, Then::Line);
    let search = Search { square, words, then, setting };
    let (cycles, best) = search.run(table, candidates, seed)?;
    Some((cycles, search.head(scratch) + &best.to_string()))
}

struct Search<'a> {
    square: bool,
    words: usize,
    then: Then<'a>,
    setting: &'a Setting,
}

impl Search<'_> {
    /// What its line in a table begins with, which may say how many scratch registers there are; of a line behind the product, a sum
    /// of its text stands for it.
    fn head(&self, scratch: bool) -> String {
        let name = if self.square { "sqr" } else { "mul" };
        let line = match self.then {
            Then::Stored => String::new(),
            Then::Line(line) => {
                let sum = |hash: u32, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193);
                format!(" {:08x}", line.to_string().bytes().fold(0x811c_9dc5, sum))
            }
        };
        let bank = if self.setting.bank > 0 { format!(" bank {}", self.setting.bank) } else { String::new() };
        let scratch =
            if scratch { format!(" scratch {}", self.setting.scratch.len()) } else { String::new() };
        format!("{name} {}{line}{bank}{scratch}: ", self.words)
    }

    fn draft(&self, one: &Candidate) -> Option<Draft> {
        let walk = (&one.order[..], &one.anew[..]);
        match self.square {
            false => columns::multiplication(self.words, walk, self.then, self.setting),
            true => columns::squaring(self.words, walk, self.then, self.setting),
        }
    }

    fn measured(&self, one: &Candidate) -> Option<Routine> {
        fit(&self.draft(one)?, self.setting, one.tuning)
    }

    /// What stands in a table.
    fn known(&self, table: &str) -> Option<Candidate> {
        let of = |head: String| table.lines().find_map(|line| Candidate::read(line.strip_prefix(&head)?));
        let without = Setting { bank: 0, ..self.setting.clone() };
        let without = Search { setting: &without, ..*self };
        let heads =
            [self, &without].into_iter().flat_map(|one| [true, false].map(|scratch| one.head(scratch)));
        heads.into_iter().find_map(of)
    }

    fn best(&self, table: &str) -> Option<Routine> {
        let known = self.known(table).and_then(|known| self.measured(&known));
        known.or_else(|| {
            let with_a_line = matches!(self.then, Then::Line(_));
            let (_, best) = self.run("", candidates(self.words, with_a_line), 1)?;
            self.measured(&best)
        })
    }

    /// From the best starts on, worse neighbours are taken ever more rarely.
    fn run(&self, table: &str, candidates: usize, seed: u64) -> Option<(u64, Candidate)> {
        let words = self.words;
        if words > MOST_WORDS {
            return None;
        }
        let starts = match self.square {
            false => partitions(words, 6).iter().map(|widths| strips(words, widths)).collect(),
            true => vec![by_columns(words)],
        };
        let mut first: Vec<(u64, Candidate)> = Vec::new();
        if let Some(known) = self.known(table) {
            first.push((self.measured(&known)?.cycles, known));
        }
        for order in starts {
            let tries = (0..2 * AHEAD.len() * MARGINS).filter_map(|number| {
                let (ahead, margin) = (AHEAD[number / 2 / MARGINS], number / 2 % MARGINS);
                let tuning = Tuning { operand: 10, pointer: 16, spill: 20, ahead, margin, keep: 0, seed: 0 };
                let anew = vec![number % 2 == 1; 2 * words];
                let one = Candidate { order: order.clone(), anew, tuning };
                Some((self.measured(&one)?.cycles, one))
            });
            first.extend(tries.min_by_key(|(cycles, _)| *cycles));
        }
        first.sort_by_key(|(cycles, _)| *cycles);
        first.truncate(3);
        let mut random = Random::new(seed);
        let mut best = first.first()?.clone();
        let steps = candidates / first.len();
        for (mut cycles, mut one) in first {
            for step in 0..steps {
                let mut other = one.clone();
                other.change(self.setting.bank, &mut random);
                let Some(routine) = self.measured(&other) else { continue };
                // a cycle worse one in 4 at first, one in 64 at last; two in the square of that
                let rarity = 4 + 60 * step as u64 / steps as u64;
                let worse = routine.cycles.saturating_sub(cycles);
                if worse > 3 || (0..worse).any(|_| random.below(rarity) != 0) {
                    continue;
                }
                (cycles, one) = (routine.cycles, other);
                if cycles < best.0 {
                    best = (cycles, one.clone());
                }
            }
        }
        Some(best)
    }
}

/// Widths up to `most` that make up a number of words together, none wider than the one before, and the first by 2 at most than
/// the last, of many words by 1.
fn partitions(words: usize, most: usize) -> Vec<Vec<usize>> {
    let apart = if words > 20 { 1 } else { 2 };
    let mut all = Vec::new();
    let mut open: Vec<(usize, Vec<usize>)> = vec![(words, Vec::new())];
    while let Some((left, widths)) = open.pop() {
        if left == 0 {
            all.push(widths);
            continue;
        }
        let first = widths.first().copied().unwrap_or(most);
        let last = widths.last().copied().unwrap_or(most);
        let least = if widths.is_empty() { 1 } else { first.saturating_sub(apart).max(1) };
        for width in least..=last.min(left) {
            let longer = widths.iter().copied().chain([width]).collect();
            open.push((left - width, longer));
        }
    }
    all
}

/// Strips of so many words of the first operand; in each the second runs from its lowest word on.
fn strips(words: usize, widths: &[usize]) -> Vec<(u8, u8)> {
    let mut order = Vec::new();
    let mut from = 0;
    for width in widths {
        for row in 0..words {
            order.extend((from..from + width).map(|word| (word as u8, row as u8)));
        }
        from += width;
    }
    order
}

/// The products of a square by columns, each word's square behind its column.
fn by_columns(words: usize) -> Vec<(u8, u8)> {
    let mut order = Vec::new();
    for column in 0..2 * words - 1 {
        let pairs = (0..words).filter_map(|i| Some((i, column.checked_sub(i)?)));
        order.extend(pairs.filter(|(i, j)| i < j && *j < words).map(|(i, j)| (i as u8, j as u8)));
        if column % 2 == 0 {
            order.push((column as u8 / 2, column as u8 / 2));
        }
    }
    order
}

/// Words that are loaded ahead, and numbers of registers that stay free then.
const AHEAD: [usize; 4] = [0, 2, 3, 6];
const MARGINS: usize = 3;

impl Candidate {
    /// Becomes a neighbour.
    fn change(&mut self, bank: usize, random: &mut Random) {
        let count = self.order.len();
        let below = |random: &mut Random, most: usize| random.below(most.max(1) as u64) as usize;
        match random.below(20) {
            0..8 => {
                let from = below(random, count);
                let moved = self.order.remove(from);
                let by = 1 + below(random, 6);
                let to =
                    if random.below(2) == 0 { from.saturating_sub(by) } else { (from + by).min(count - 1) };
                self.order.insert(to, moved);
            }
            8..13 => {
                let length = (2 + below(random, 4)).min(count);
                let from = below(random, count - length + 1);
                let moved: Vec<(u8, u8)> = self.order.drain(from..from + length).collect();
                let left = count - length;
                let by = 1 + below(random, 4);
                let to = match random.below(10) {
                    0..3 => below(random, left + 1),
                    3..6 => from.saturating_sub(by),
                    _ => (from + by).min(left),
                };
                self.order.splice(to..to, moved);
            }
            13..15 => {
                let column = below(random, self.anew.len());
                self.anew[column] = !self.anew[column];
            }
            15..18 => {
                self.tuning.seed = random.bits() as u32;
                self.tuning.operand = *random.pick(&[8, 10, 13]);
                self.tuning.pointer = *random.pick(&[10, 13, 16, 22, 30]);
                self.tuning.spill = *random.pick(&[13, 17, 20, 26, 35]);
            }
            _ => {
                self.tuning.ahead = *random.pick(&[0, 1, 2, 3, 4, 6, 8]);
                self.tuning.margin = below(random, 4);
                if bank > 0 {
                    self.tuning.keep = *random.pick(&[0, 1, 2, 3, 4, 6]);
                }
            }
        }
    }

    /// From text.
    fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(' ');
        let mut number = || parts.next()?.parse::<u32>().ok();
        let (operand, pointer, spill) = (number()?, number()?, number()?);
        let (ahead, margin, seed, keep) =
            (number()? as usize, number()? as usize, number()?, number()? as usize);
        let anew = parts.next()?.chars().map(|own| own == '1').collect();
        let digits: Vec<u8> =
            parts.next()?.chars().map(|own| own.to_digit(36).map(|own| own as u8)).collect::<Option<_>>()?;
        let order = digits.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect();
        Some(Candidate { order, anew, tuning: Tuning { operand, pointer, spill, ahead, margin, keep, seed } })
    }
}

impl fmt::Display for Candidate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Tuning { operand, pointer, spill, ahead, margin, keep, seed } = self.tuning;
        write!(f, "{operand} {pointer} {spill} {ahead} {margin} {seed} {keep} ")?;
        self.anew.iter().try_for_each(|anew| write!(f, "{}", u8::from(*anew)))?;
        write!(f, " ")?;
        let digit = |own: u8| char::from_digit(own.into(), 36).unwrap_or('?');
        self.order.iter().try_for_each(|(i, j)| write!(f, "{}{}", digit(*i), digit(*j)))
    }
}
