//! A part of a suite or of a search, for several machines.

use crate::error::{Error, shown};
use std::str::FromStr;

/// Part `number` of `count`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    number: usize,
    count: usize,
}

impl Shard {
    /// What of the items falls into this part: each into one of them.
    pub fn of<T>(self, items: Vec<T>) -> Vec<T> {
        items.into_iter().skip(self.number - 1).step_by(self.count).collect()
    }

    /// The number, among all, of the item that has this number in the part, both from 0.
    pub fn nth(self, index: u64) -> u64 {
        index.saturating_mul(self.count as u64).saturating_add(self.number as u64 - 1)
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self, Error> {
        let both = text.split_once('/').and_then(|(number, count)| {
            let (number, count) = (number.parse().ok()?, count.parse().ok()?);
            (1..=count).contains(&number).then_some(Shard { number, count })
        });
        both.ok_or_else(|| {
            let fault = format!("'{}' is no part; valid: I/N, with I from 1 to N", shown(text));
            Error::request(fault, "--shard 2/8 takes the second of eight parts")
        })
    }
}
