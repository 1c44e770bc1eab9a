//! A part of a suite, for several machines.

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
