//! What stands between a routine and its proof.

use rhomb_machine::Stopped;
use std::collections::{BTreeMap, BTreeSet};

/// Something that stands between a routine and its proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reason {
    /// Byte addresses of the instructions.
    pub addresses: Vec<u64>,
    /// Weight in the result, where it is about a term of the result; of several the first.
    pub weight: Option<String>,
    /// What is the matter.
    pub text: String,
    /// How often it is the matter there.
    pub count: usize,
}

/// Reasons that are told one by one.
const MOST_REASONS: usize = 50;

/// Each place and text once, in the order of their first, and of very many the rest as a number.
pub(crate) fn distinct_reasons(reasons: impl Iterator<Item = Reason>) -> Vec<Reason> {
    let mut distinct: Vec<Reason> = Vec::new();
    let mut numbers: BTreeMap<(Vec<u64>, String), usize> = BTreeMap::new();
    let mut more = 0;
    for reason in reasons {
        match numbers.get(&(reason.addresses.clone(), reason.text.clone())) {
            Some(number) => distinct[*number].count += reason.count,
            None if distinct.len() == MOST_REASONS => more += reason.count,
            None => {
                numbers.insert((reason.addresses.clone(), reason.text.clone()), distinct.len());
                distinct.push(reason);
            }
        }
    }
    if more > 0 {
        let text = format!("and {more} more in other places");
        distinct.push(Reason { count: more, ..Reason::text(text) });
    }
    distinct
}

/// Each address once, in the order of the code.
pub(crate) fn distinct(addresses: impl Iterator<Item = u64>) -> Vec<u64> {
    addresses.collect::<BTreeSet<u64>>().into_iter().collect()
}

/// `-2^24` for `-1*2^24`.
pub(crate) fn weight_text(weight: &str) -> String {
    match weight.strip_prefix("-1*") {
        Some(power) => format!("-{power}"),
        None => weight.to_owned(),
    }
}

impl Reason {
    pub(crate) fn text(text: String) -> Self {
        Reason { addresses: Vec::new(), weight: None, text, count: 1 }
    }

    pub(crate) fn stopped(stopped: &Stopped) -> Self {
        let text = stopped.fault.to_string();
        Reason { addresses: vec![stopped.address], weight: None, text, count: 1 }
    }
}
