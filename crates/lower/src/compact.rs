//! Which words of the routine's own are used.

use crate::placed::Placed;
use rhomb_line::{Address, Array};
use std::collections::BTreeSet;

/// Leaves no gaps between the words of the routine's own: those that have a home there but never go to it need none. Gives how
/// many there are.
pub fn compact(code: &mut [Placed]) -> usize {
    let address = |placed: &Placed| match *placed {
        Placed::Load { from: address, .. } | Placed::Store { to: address, .. } => Some(address),
        _ => None,
    };
    let own = |address: &Address| address.array == Array::Scratch;
    let used: BTreeSet<usize> = code.iter().filter_map(address).filter(own).map(|own| own.index).collect();
    let used: Vec<usize> = used.into_iter().collect();
    for placed in code {
        let (Placed::Load { from: address, .. } | Placed::Store { to: address, .. }) = placed else {
            continue;
        };
        if own(address) {
            address.index = used.partition_point(|other| *other < address.index);
        }
    }
    used.len()
}
