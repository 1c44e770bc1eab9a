//! What the search found for common sizes.

use super::{Parts, Trail};

/// One line each: levels, words of a part, and the trail.
static TEXT: &str = include_str!("found.txt");

/// The lines that are no remarks.
pub(super) fn lines() -> impl Iterator<Item = &'static str> {
    TEXT.lines().filter(|line| !line.starts_with('#'))
}

/// That of a size.
pub(super) fn found(parts: Parts) -> Option<Trail> {
    lines().find_map(|line| {
        let mut words = line.split_whitespace();
        let mut is = |number: usize| words.next().is_some_and(|word| word.parse() == Ok(number));
        if is(parts.levels) && is(parts.words) { words.next()?.parse().ok() } else { None }
    })
}
