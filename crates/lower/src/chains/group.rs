//! Words that lie one after the other in memory, accessed together where registers are free for it: loads
//! earlier than they must be, stores later.

use super::pressure::pressure;
use super::script::{Op, Script, Value};
use rhomb_line::Array;

/// The longest block.
const LONGEST: usize = 8;

/// Groups accesses so that no operation needs more than `registers`.
pub fn group(script: &Script, registers: usize) -> Script {
    let mut grouping =
        Grouping { script: script.clone(), pressure: pressure(script), most: registers as i32 };
    for at in 0..grouping.script.ops.len() {
        grouping.load(at);
    }
    // the loads have changed what lives where
    grouping.pressure = pressure(&grouping.script);
    for at in 0..grouping.script.ops.len() {
        grouping.store(at);
    }
    grouping.script.ops.retain(|op| *op != Op::Moved);
    grouping.script
}

struct Grouping {
    script: Script,
    /// Registers that each operation needs.
    pressure: Vec<i32>,
    most: i32,
}

impl Grouping {
    /// Whether one more value may live during these operations.
    fn fits(&self, mut ops: std::ops::Range<usize>) -> bool {
        ops.all(|at| self.pressure[at] < self.most)
    }

    /// The loads of the next words join the load number `at`.
    fn load(&mut self, at: usize) {
        let Op::Load { to, array, index } = &self.script.ops[at] else { return };
        let (mut to, array, index) = (to.clone(), *array, *index);
        while to.len() < LONGEST {
            let Some((later, value)) = self.next_load(at, array, index + to.len()) else { break };
            if !self.fits(at..later) {
                break;
            }
            self.pressure[at..later].iter_mut().for_each(|needed| *needed += 1);
            self.script.ops[later] = Op::Moved;
            to.push(value);
        }
        self.script.ops[at] = Op::Load { to, array, index };
    }

    /// The next load of a word, unless it is stored before.
    fn next_load(&self, at: usize, array: Array, wanted: usize) -> Option<(usize, Value)> {
        for (later, op) in self.script.ops.iter().enumerate().skip(at + 1) {
            match op {
                Op::Load { to, array: own, index } if *own == array && *index == wanted => {
                    return to.first().map(|value| (later, *value));
                }
                Op::Store { index, .. } | Op::StoreZero { index }
                    if array == Array::Result && *index == wanted =>
                {
                    return None;
                }
                _ => {}
            }
            if later > at + LOOKAHEAD {
                break;
            }
        }
        None
    }

    /// The store number `at` waits for the stores of the next words.
    fn store(&mut self, at: usize) {
        let Op::Store { from, index } = &self.script.ops[at] else { return };
        if from.len() >= LONGEST {
            return;
        }
        let (from, index) = (from.clone(), *index);
        let end = index + from.len();
        let next = self.script.ops.iter().enumerate().skip(at + 1).take(LOOKAHEAD);
        for (later, op) in next {
            match op {
                Op::Load { to, array: Array::Result, index: other }
                    if *other < end && index < other + to.len() =>
                {
                    return;
                }
                Op::Store { from: next, index: other } if *other == end => {
                    let more = from.len() as i32;
                    let fits = self.pressure[at + 1..=later].iter().all(|now| now + more <= self.most);
                    if fits {
                        self.pressure[at + 1..=later].iter_mut().for_each(|now| *now += more);
                        let from = [from, next.clone()].concat();
                        self.script.ops[later] = Op::Store { from, index };
                        self.script.ops[at] = Op::Moved;
                    }
                    return;
                }
                Op::Store { index: other, .. } | Op::StoreZero { index: other }
                    if (index..end).contains(other) =>
                {
                    return;
                }
                _ => {}
            }
        }
    }
}

/// Operations that are looked at for a partner.
const LOOKAHEAD: usize = 400;
