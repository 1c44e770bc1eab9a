//! Powers with a fixed exponent: which squarings and multiplications, in which order.

use num_bigint::BigUint;
use std::collections::BTreeMap;

/// A step towards a power. There is a number that changes, first the operand, and slots that keep numbers; slot 0 is the
/// operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The number becomes that of a slot.
    Start(usize),
    /// It is squared so many times, at least once.
    Square(u32),
    /// It is multiplied by that of a slot.
    Multiply(usize),
    /// It is kept in a slot, which had none.
    Keep(usize),
}

/// The steps to a power, by ones in a row, by windows or by both, whichever takes fewer. `None` for the exponents 0 and 1.
///
/// Ones in a row: x^(2^k - 1) for lengths of ones in the exponent, or of parts of them (T. Itoh, S. Tsujii, "A fast
/// algorithm for computing multiplicative inverses in GF(2^m)", 1988). Windows: A. Menezes, P. van Oorschot, S. Vanstone,
/// "Handbook of Applied Cryptography", 14.85.
pub fn power(exponent: &BigUint) -> Option<Vec<Link>> {
    if exponent.bits() < 2 {
        return None;
    }
    let runs = runs(exponent);
    let mut lengths: Vec<u64> = runs.iter().map(|(_, ones)| *ones).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let longest = *lengths.last()?;
    let parts = lengths.iter().copied().chain((0..10).map(|places| 1 << places));
    let parts = parts.filter(|most| *most <= longest).map(|most| by_ones(&runs, &[most]));
    let ways = parts.chain([by_ones(&runs, &lengths)]);
    let widths = (2..=6).flat_map(|width| [None, Some(8), Some(16), Some(32)].map(|ones| (width, ones)));
    let ways = ways.chain(widths.map(|(width, ones)| by_windows(exponent, width, ones)));
    ways.min_by_key(|links| (operations(links), slots(links)))
}

/// Squarings and multiplications.
pub fn operations(links: &[Link]) -> u32 {
    let count = |link: &Link| match link {
        Link::Square(times) => *times,
        Link::Multiply(_) => 1,
        Link::Start(_) | Link::Keep(_) => 0,
    };
    links.iter().map(count).sum()
}

/// How many slots there are, slot 0 included.
pub fn slots(links: &[Link]) -> usize {
    let kept = links.iter().filter_map(|link| match link {
        Link::Keep(slot) => Some(slot + 1),
        Link::Start(_) | Link::Square(_) | Link::Multiply(_) => None,
    });
    kept.max().unwrap_or(1)
}

/// Steps so far, how many slots keep a power, and those of x^(2^count - 1) by the count.
struct Chain {
    links: Vec<Link>,
    kept: usize,
    slots: BTreeMap<u64, usize>,
}

impl Chain {
    fn new() -> Self {
        Chain { links: Vec::new(), kept: 1, slots: BTreeMap::from([(1, 0)]) }
    }

    fn keep(&mut self) -> usize {
        let slot = self.kept;
        self.kept += 1;
        self.links.push(Link::Keep(slot));
        slot
    }

    /// A slot with x^(2^count - 1).
    fn ones(&mut self, count: u64) -> usize {
        if let Some(slot) = self.slots.get(&count) {
            return *slot;
        }
        // two that are there; or one of them twice, and another; or half of them twice
        let has = |count: u64| self.slots.contains_key(&count);
        let two = self.slots.keys().copied().find(|own| *own < count && has(count - own));
        let mut longest = self.slots.keys().rev().map(|own| 2 * own);
        let twice = || longest.find(|own| *own < count && has(count - own)).map(|own| count - own);
        let by = two.or_else(twice).unwrap_or(if count.is_multiple_of(2) { count / 2 } else { 1 });
        let (high, low) = (self.ones(count - by), self.ones(by));
        self.links.extend([Link::Start(high), Link::Square(by as u32), Link::Multiply(low)]);
        let slot = self.keep();
        self.slots.insert(count, slot);
        slot
    }
}

/// Zeros, and ones below them, from the highest bit on.
fn runs(exponent: &BigUint) -> Vec<(u64, u64)> {
    let mut runs: Vec<(u64, u64)> = vec![(0, 0)];
    for bit in (0..exponent.bits()).rev() {
        match (exponent.bit(bit), runs.last_mut()) {
            (true, Some((_, ones))) => *ones += 1,
            (false, Some((zeros, 0))) => *zeros += 1,
            (false, _) | (true, None) => runs.push((1, 0)),
        }
    }
    runs
}

/// With these lengths of ones kept, of which the others are made, the longest that fit first.
fn by_ones(runs: &[(u64, u64)], lengths: &[u64]) -> Vec<Link> {
    let mut chain = Chain::new();
    for length in lengths.iter().filter(|length| **length > 0) {
        chain.ones(*length);
    }
    let mut links = Vec::new();
    let mut places = 0;
    for (zeros, ones) in runs {
        places += zeros;
        let mut left = *ones;
        while let Some((length, slot)) = chain.slots.range(..=left).next_back() {
            if links.is_empty() {
                links.push(Link::Start(*slot));
            } else {
                links.extend([Link::Square((places + length) as u32), Link::Multiply(*slot)]);
            }
            (left, places) = (left - length, 0);
        }
    }
    if places > 0 {
        links.push(Link::Square(places as u32));
    }
    chain.links.extend(links);
    chain.links
}

/// What is multiplied by at once.
#[derive(Clone, Copy)]
enum Window {
    /// An odd value.
    Odd(u64),
    /// So many ones.
    Ones(u64),
}

/// Windows of so many bits, and so many ones in a row as one window, if that is said.
fn by_windows(exponent: &BigUint, width: u64, ones: Option<u64>) -> Vec<Link> {
    // with their lowest places, the highest first
    let mut windows: Vec<(u64, Window)> = Vec::new();
    let mut above = exponent.bits();
    while above > 0 {
        if !exponent.bit(above - 1) {
            above -= 1;
            continue;
        }
        let run = ones.and_then(|ones| Some((above.checked_sub(ones)?, ones)));
        let run = run.filter(|(low, _)| (*low..above).all(|place| exponent.bit(place)));
        let (low, window) = match run {
            Some((low, ones)) => (low, Window::Ones(ones)),
            None => {
                let mut places = above.saturating_sub(width)..above;
                let low = places.find(|place| exponent.bit(*place)).unwrap_or(above - 1);
                let bit = |place| u64::from(exponent.bit(place));
                (low, Window::Odd((low..above).rev().fold(0, |value, place| 2 * value + bit(place))))
            }
        };
        windows.push((low, window));
        above = low;
    }
    let mut chain = Chain::new();
    let value = |(_, window): &(u64, Window)| match window {
        Window::Odd(value) => *value,
        Window::Ones(_) => 1,
    };
    let most = windows.iter().map(value).max().unwrap_or(1);
    let mut odd = BTreeMap::from([(1, 0)]);
    if most > 1 {
        chain.links.extend([Link::Start(0), Link::Square(1)]);
        let square = chain.keep();
        for value in (3..=most).step_by(2) {
            chain.links.push(Link::Multiply(if value == 3 { 0 } else { square }));
            let slot = chain.keep();
            odd.insert(value, slot);
            if (value + 1).is_power_of_two() {
                chain.slots.insert(value.count_ones().into(), slot);
            }
        }
    }
    let mut links = Vec::new();
    for (at, (low, window)) in windows.iter().enumerate() {
        let slot = match window {
            Window::Odd(value) => odd.get(value).copied().unwrap_or(0),
            Window::Ones(ones) => chain.ones(*ones),
        };
        match at {
            0 => links.push(Link::Start(slot)),
            _ => links.extend([Link::Square((windows[at - 1].0 - low) as u32), Link::Multiply(slot)]),
        }
    }
    if let Some((low @ 1.., _)) = windows.last() {
        links.push(Link::Square(*low as u32));
    }
    chain.links.extend(links);
    chain.links
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exponent(links: &[Link]) -> BigUint {
        let mut own = BigUint::from(1u8);
        let mut kept = BTreeMap::from([(0, own.clone())]);
        for link in links {
            match link {
                Link::Start(slot) => own.clone_from(&kept[slot]),
                Link::Square(times) => own <<= *times,
                Link::Multiply(slot) => own += &kept[slot],
                Link::Keep(slot) => assert!(kept.insert(*slot, own.clone()).is_none(), "a slot kept twice"),
            }
        }
        own
    }

    #[test]
    fn powers_are_those() {
        for small in 2u32..600 {
            let wanted = BigUint::from(small);
            assert_eq!(exponent(&power(&wanted).unwrap()), wanted, "{small}");
            for length in 1..=9 {
                assert_eq!(exponent(&by_ones(&runs(&wanted), &[length])), wanted, "{small} by {length} ones");
            }
            for width in 2..=6 {
                for ones in [None, Some(3), Some(5)] {
                    assert_eq!(
                        exponent(&by_windows(&wanted, width, ones)),
                        wanted,
                        "{small} by {width} {ones:?}"
                    );
                }
            }
        }
        assert_eq!((power(&BigUint::ZERO), power(&BigUint::from(1u8))), (None, None));
    }

    #[test]
    fn costs_of_inversions() {
        let two = |places: u32| BigUint::from(1u8) << places;
        let cost = |wanted: &BigUint| {
            let links = power(wanted).unwrap();
            assert_eq!(exponent(&links), *wanted);
            operations(&links)
        };
        // as the chains of `inversion`, which are made by hand
        assert_eq!(cost(&(two(192) - two(64) - 3u8)), 191 + 13);
        assert_eq!(cost(&(two(191) - 2u8)), 190 + 12);
        assert_eq!(cost(&(two(233) - 2u8)), 232 + 10);
        assert_eq!(cost(&(two(255) - 21u8)), 254 + 14);
        assert_eq!(cost(&(two(256) - two(224) + two(192) + two(96) - 3u8)), 255 + 13);
        assert_eq!(cost(&(two(224) - two(96) - 1u8)), 223 + 11);
    }
}
