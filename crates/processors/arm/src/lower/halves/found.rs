//! Ways that long searches found for common routines, and searches that can go on.

use super::code::enclose;
use super::search::{Choices, Chosen};
use crate::conventions::Convention;
use crate::cores::Core;
use rhomb_lower::halves::{Routine, Way};
use rustc_stable_hash::hashers::SipHasher128Hash;
use rustc_stable_hash::{FromStableHash, StableSipHasher128};
use std::collections::HashMap;
use std::fmt::{self, Display, Formatter};
use std::hash::Hash;
use std::sync::{LazyLock, Mutex, PoisonError};

/// One line each: what there was to choose from, as a hash; what was chosen; the way, and its cycles.
static TEXT: &str = include_str!("found.txt");

/// What there is to choose from, as a number that is the same on all machines.
struct Fingerprint(u64);

impl FromStableHash for Fingerprint {
    type Hash = SipHasher128Hash;

    fn from(SipHasher128Hash([first, _]): SipHasher128Hash) -> Self {
        Fingerprint(first)
    }
}

fn fingerprint(choices: &Choices) -> u64 {
    let mut hasher = StableSipHasher128::new();
    choices.hash(&mut hasher);
    hasher.finish::<Fingerprint>().0
}

/// A way through a draft that was chosen, and its cycles but for what encloses it.
#[derive(Clone, Debug)]
pub(super) struct Found {
    pub(super) chosen: Chosen,
    pub(super) way: Way,
    pub(super) cycles: u32,
}

/// What was found, by fingerprint and core: another one's times may want another way.
type Known = HashMap<(u64, &'static str), Found>;

/// The cores of the lines, whose choices differ.
const CORES: [&str; 2] = ["cortex-m0plus", "cortex-m3"];

/// The lines that are no remarks.
fn lines() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#'))
}

/// What the lines say.
fn read() -> Known {
    let of = |line: &str| {
        let mut words = line.split(' ');
        let hash = u64::from_str_radix(words.next()?, 16).ok()?;
        let mut number = || words.next()?.parse().ok();
        let (draft, registers, weights, apart) = (number()?, number()?, number()?, number()? == 1);
        let chosen = Chosen { draft, registers, weights, apart };
        let cycles = number()? as u32;
        Some((hash, Found { chosen, way: words.next()?.parse().ok()?, cycles }))
    };
    lines().filter_map(of).flat_map(|(hash, found)| CORES.map(|core| ((hash, core), found.clone()))).collect()
}

/// What the lines say, and what this process found.
static KNOWN: LazyLock<Mutex<Known>> = LazyLock::new(|| Mutex::new(read()));

/// The way that is known.
pub(super) fn known(choices: &Choices, core: &Core) -> Option<Found> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).get(&(fingerprint(choices), core.name)).cloned()
}

/// A routine that was searched for, or whose way was known, so that a search can go on.
#[derive(Clone, Debug)]
pub struct Search {
    fingerprint: u64,
    choices: Choices,
    found: Found,
    core: Core,
    convention: Convention,
}

impl Search {
    /// Cycles of a call and instructions of a routine; nothing where it cannot be enclosed.
    fn value(&self, routine: &Routine) -> Option<(u64, usize)> {
        let kernel = enclose(routine, &self.core, &self.convention)?;
        Some((self.core.straight(&kernel.program)?, kernel.program.len()))
    }

    /// Tries so many changes for each step, which differ by number, and says whether the routine became a better one.
    pub fn refine(&mut self, tries: usize, number: u64) -> bool {
        let Some(routine) = self.choices.refined(&self.found, (tries, number)) else { return false };
        let (Some(own), Some(before)) =
            (self.value(&routine), self.choices.followed(&self.found).and_then(|own| self.value(&own)))
        else {
            return false;
        };
        // as good is another place to go on from
        if own <= before {
            (self.found.way, self.found.cycles) = (routine.way, routine.cycles);
        }
        own < before
    }
}

impl Display for Search {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Found { chosen: Chosen { draft, registers, weights, apart }, way, cycles } = &self.found;
        let (hash, apart) = (self.fingerprint, u8::from(*apart));
        write!(f, "{hash:016x} {draft} {registers} {weights} {apart} {cycles} {way}")
    }
}

static RECORDED: Mutex<Option<Vec<Search>>> = Mutex::new(None);

/// Takes the searches of this process since the last time; before the first time none is kept.
pub fn recorded() -> Vec<Search> {
    RECORDED.lock().unwrap_or_else(PoisonError::into_inner).replace(Vec::new()).unwrap_or_default()
}

/// Keeps what was found, and the search, where somebody is to take it.
pub(super) fn record(choices: Choices, found: Found, (core, convention): (&Core, &Convention)) {
    let fingerprint = fingerprint(&choices);
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner).insert((fingerprint, core.name), found.clone());
    if let Some(all) = RECORDED.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
        let (core, convention) = (core.clone(), *convention);
        all.push(Search { fingerprint, choices, found, core, convention });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What cannot be read, or stands twice, would be searched for in silence.
    #[test]
    fn every_line_is_read_and_none_stands_twice() {
        assert!(lines().count() > 300);
        assert_eq!(read().len(), CORES.len() * lines().count());
    }
}
