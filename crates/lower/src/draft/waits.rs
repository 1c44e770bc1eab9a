//! Words on the way that wait in memory.

use super::way::Way;
use rhomb_line::{Address, Array, Line, Op, Source, Term, Value};
use std::collections::BTreeMap;

/// Where the words wait that are read late: where they may, if nothing else that is needed stands there in between, or in
/// words of the stack that nobody uses.
pub(super) fn places(line: &Line, apart: bool, way: Way) -> BTreeMap<Value, Address> {
    let mut made = vec![0; line.values];
    let mut read = vec![0; line.values];
    let mut loaded: BTreeMap<Address, usize> = BTreeMap::new();
    let mut stored: BTreeMap<Address, (Value, usize)> = BTreeMap::new();
    for (at, op) in line.ops.iter().enumerate() {
        op.makes().into_iter().flatten().for_each(|value| made[value.0] = at);
        op.reads().into_iter().flatten().for_each(|value| read[value.0] = at);
        let mut load = |address| {
            loaded.insert(address, at);
        };
        match *op {
            Op::Store { from, to } => {
                stored.insert(to, (from, at));
            }
            Op::Load { from, .. } => load(from),
            Op::Term(Term { word, factor, .. }) => {
                for source in [Some(word), factor].into_iter().flatten() {
                    if let Source::Memory(address) = source {
                        load(address);
                    }
                }
            }
            _ => {}
        }
    }
    let late = |value: &Value| read[value.0].saturating_sub(made[value.0]) > way.patience;
    let mut places: BTreeMap<Value, Address> = BTreeMap::new();
    let mut scratch = line.scratch_with_homes();
    for (value, home) in line.homes.iter().filter(|(value, _)| late(value)) {
        let lives = made[value.0]..read[value.0];
        // an operand's word that may lie there is still to be loaded
        let operands = [(!apart).then_some(Array::A), Some(Array::B)];
        let is_operand = |array: Array| {
            loaded.get(&Address { array, index: home.index }).is_some_and(|last| *last > lives.start)
        };
        let is_taken = |(other, address): (&Value, &Address)| {
            address == home && made[other.0] < lives.end && lives.start < read[other.0]
        };
        let is_done = stored.get(home).is_some_and(|(from, at)| from != value && *at < lives.end);
        let clashes = is_done
            || home.array == Array::Result && operands.into_iter().flatten().any(is_operand)
            || places.iter().any(is_taken);
        let place = match clashes {
            false => *home,
            true => {
                scratch += 1;
                Address { array: Array::Scratch, index: scratch - 1 }
            }
        };
        places.insert(*value, place);
    }
    places
}
