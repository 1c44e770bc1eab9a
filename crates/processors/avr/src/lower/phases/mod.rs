//! Products in straight lines whose registers a search finds: Karatsuba's method on two or four parts, by phases.
//!
//! A product is written on names ([`product`], of [`rows`], as a [`plan`] says), as what would be done if there were registers enough. What
//! then costs cycles is which words share the registers that there are: pairs for MOVW, words that wait in memory, registers that must be
//! saved. A search ([`search`]) tries choices by chance ([`place`]) and tells how it came to the best ones, from which the code is made again
//! at once. [`found`] has what it found for common sizes.

mod found;
mod place;
mod plan;
mod product;
mod rows;
mod search;
mod sign;
mod step;

use crate::instructions::Instruction;
use rhomb_kernel::Task;
pub use search::{Trail, TrailError};
pub use step::Phase;

/// A product of twice or four times so many words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parts {
    /// Words of a part: 4 to 8, of four parts no less.
    pub words: usize,
    /// Levels of halves: one for two parts, two for four.
    pub levels: usize,
}

impl Parts {
    /// Of an operand of so many words, halved so many times; nothing where there are no such phases.
    pub fn of(words: usize, levels: usize) -> Option<Parts> {
        let part = words >> levels;
        let is_whole = (1..=2).contains(&levels) && part << levels == words && rows::LENGTHS.contains(&part);
        is_whole.then_some(Parts { words: part, levels })
    }

    /// Of a task: of its splits the first one, from the root on, that is in such parts.
    pub fn of_task(task: &Task) -> Option<Parts> {
        match task {
            Task::Split(node) => super::split::by_phases(node),
            _ => None,
        }
    }

    /// The trail that is known.
    pub fn known(self) -> Option<Trail> {
        found::found(self)
    }

    /// The code along a trail, which takes the arguments where they arrive, keeps no register, and ends behind.
    ///
    /// # Errors
    /// The trail is none of this product.
    pub fn code(self, trail: &Trail) -> Result<Vec<Instruction>, TrailError> {
        let (line, names) = self.line(trail.plan);
        Ok(search::follow(&line, names, self.length(), trail)?.1.enclosed(&[], &[]))
    }

    /// A search of so many states side by side: the best trail with another plan that is like that of a trail, or with the same, and its
    /// cycles, saves and return included; nothing where all end with too few registers.
    pub fn search(self, from: &Trail, seed: u32, width: usize) -> Option<(u32, Trail)> {
        let plan = plan::Plan(from.plan).changed(self.levels, seed);
        let (line, names) = self.line(plan.0);
        let (cycles, trail) = search::search(&line, names, self.length(), plan.0, (seed, width))?;
        Some((cycles + OUTSIDE, trail))
    }

    /// Cycles of a call along a trail.
    ///
    /// # Errors
    /// As [`Self::code`].
    pub fn cycles(self, trail: &Trail) -> Result<u32, TrailError> {
        let (line, names) = self.line(trail.plan);
        Ok(search::follow(&line, names, self.length(), trail)?.0 + OUTSIDE)
    }

    /// Cycles by phase along a trail, in the order in which phases begin: its block (L, M or H) and what it does there. What is left of the
    /// cycles of a call are saves, restores, the first moves and the return.
    ///
    /// # Errors
    /// As [`Self::code`].
    pub fn account(self, trail: &Trail) -> Result<Vec<(Phase, u32)>, TrailError> {
        let writer = self.writer(trail.plan);
        let phases = writer.phases.clone();
        let (line, names) = self.line_of(writer);
        let at = search::spent(&line, names, self.length(), trail)?;
        let ends = phases.iter().skip(1).map(|(from, _)| *from).chain([line.len()]);
        let mut account: Vec<(Phase, u32)> = Vec::new();
        for ((from, phase), to) in phases.iter().zip(ends) {
            let own = at[to] - at[*from];
            match account.iter_mut().find(|(known, _)| known == phase) {
                Some((_, cycles)) => *cycles += own,
                None => account.push((*phase, own)),
            }
        }
        Ok(account)
    }

    /// Where a search begins that knows nothing.
    pub fn start(self) -> Trail {
        Trail { plan: plan::Plan::usual(self).0, seed: 0, stride: 1, turns: String::new() }
    }

    fn length(self) -> usize {
        (2 * self.words) << self.levels
    }

    fn writer(self, plan: u32) -> step::Writer {
        product::multiplication(self, plan::Plan(plan))
    }

    fn line(self, plan: u32) -> (place::Line, usize) {
        self.line_of(self.writer(plan))
    }

    fn line_of(self, writer: step::Writer) -> (place::Line, usize) {
        let names = writer.count();
        (place::Line::new(writer.steps, names, self.length()), names)
    }
}

/// Saves of the two registers of Y and their restores, the zero of the convention, and the return.
const OUTSIDE: u32 = 13;

#[cfg(test)]
mod tests {
    use super::super::{static_cycles, times};
    use super::*;
    use crate::conventions::AVR_GCC;
    use crate::cores::core;
    use rhomb_machine::Random;

    #[test]
    fn known_trails_lead_to_code() {
        let mut known = 0;
        for (levels, words) in (1..=2).flat_map(|levels| rows::LENGTHS.map(move |words| (levels, words))) {
            let parts = Parts { words, levels };
            let Some(trail) = parts.known() else { continue };
            assert_eq!(trail.to_string().parse::<Trail>().unwrap(), trail);
            known += 1;
            // those that the search counted: saves, the code itself, the zero, and the return
            let code = parts.code(&trail).unwrap();
            let written = code.iter().fold(0, |set, one| set | one.registers_written());
            let saves = 4 * (written & AVR_GCC.saved).count_ones();
            let counted = u64::from(saves) + static_cycles(&code, &times(core("atmega128").unwrap())) + 5;
            assert_eq!(u64::from(parts.cycles(&trail).unwrap()), counted, "{parts:?}");
            // before the first phase are three moves, and up to four words of pointers that wait
            let by_phase: u32 = parts.account(&trail).unwrap().iter().map(|(_, cycles)| cycles).sum();
            let first = counted - u64::from(saves) - 5 - u64::from(by_phase);
            let most = if parts.levels == 1 { 3 } else { 11 };
            assert!((3..=most).contains(&first) && first % 4 == 3, "{parts:?}: {first}");
            for wrong in [
                Trail { turns: trail.turns[1..].to_owned(), ..trail.clone() },
                Trail { stride: 0, ..trail.clone() },
            ] {
                assert!(parts.code(&wrong).is_err(), "{wrong}");
            }
        }
        // no line is passed over
        assert_eq!(known, found::lines().count());
    }

    /// Whoever types something that looks like a trail gets code or a refusal.
    #[test]
    fn any_text_is_taken_or_refused() {
        let mut random = Random::new(1);
        let letters = search::LETTERS.map(char::from);
        let mut taken = 0;
        for case in 0..400 {
            let parts = Parts { words: 4 + random.index(5), levels: 1 + random.index(2) };
            let (plan, seed) = (random.bits() as u32, random.bits() as u32);
            // one step at once often goes far, and rarely to the end
            let stride = [1, 2, 5, 30, usize::MAX][case % 5];
            let count = parts.line(plan).0.len().div_ceil(stride) + usize::from(case % 7 == 0);
            let turns = (0..count).map(|_| *random.pick(&letters)).collect();
            taken += usize::from(parts.code(&Trail { plan, seed, stride, turns }).is_ok());
        }
        assert!(taken > 0);
        for text in ["", "1", "1.1.1", "1.1.1.A.A", "1.1.1.!", "-1.1.1.A", "4294967296.1.1.A", "1..1.A"] {
            assert_eq!(text.parse::<Trail>(), Err(TrailError::Form), "{text}");
        }
    }

    #[test]
    fn a_search_leads_to_a_trail() {
        let parts = Parts { words: 4, levels: 1 };
        let (cycles, trail) = parts.search(&parts.start(), 1, 20).unwrap();
        assert_eq!(parts.cycles(&trail), Ok(cycles));
        assert_eq!(parts.search(&parts.start(), 1, 20), Some((cycles, trail)));
    }
}
