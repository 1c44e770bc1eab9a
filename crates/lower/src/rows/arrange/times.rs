//! When values are made, loaded, used and stored, and for how long they take registers.

use super::super::line::{Input, Op, Output, Value};
use super::{Arrangement, NEVER, time};

impl Arrangement<'_> {
    /// First and last operation that use a value.
    pub(super) fn use_times(&mut self, value: Value) {
        let uses = &self.links[value].uses;
        let used = |at: &&usize| self.ops[**at].uses().any(|used| used == value);
        self.first[value] = uses.iter().find(used).map_or(NEVER, |at| time(*at));
        self.last[value] = uses.iter().rev().find(used).map_or(0, |at| time(*at));
    }

    /// The time before which a value must be loaded, those for which it is kept among it.
    pub(super) fn needed(&self, value: Value) -> u32 {
        let links = &self.links[value];
        let kept = links.kept_for.iter().filter(|input| self.keep[**input]);
        let kept = kept.map(|input| self.needed(self.unit.inputs[*input].value));
        // a pointer comes at the time before the load
        let loads = links.loads.iter().map(|input| self.input_time[*input]);
        let loads = loads.filter(|time| *time != NEVER).map(|time| time + 1);
        kept.chain(loads).fold(self.first[value], u32::min)
    }

    /// The first use of a value has changed: it may be loaded at another time.
    pub(super) fn first_changed(&mut self, value: Value) {
        let mut value = value;
        loop {
            self.dirty.push(value);
            let Some(input) = self.links[value].input else { return };
            if !self.keep[input] {
                return self.load_times(self.load_chain[input]);
            }
            let Some(held) = self.unit.inputs[input].held else { return };
            value = held;
        }
    }

    /// When the inputs of a chain are loaded.
    pub(super) fn load_times(&mut self, chain: usize) {
        let loads = std::rc::Rc::clone(&self.loads);
        let chain_of = &loads[chain];
        let mut cost = 0;
        let mut times: Vec<(usize, u32)> = Vec::with_capacity(chain_of.len());
        times.extend(chain_of.iter().filter(|at| self.keep[**at]).map(|at| (*at, NEVER)));
        for group in self.load_groups(chain_of) {
            let needed = group.iter().map(|one| self.needed(self.unit.inputs[*one].value)).min();
            // words that are only moved come first of all; a pointer comes a moment earlier
            let time = match needed.unwrap_or(NEVER) {
                NEVER => 2,
                needed if needed % 4 == 0 => needed - 2,
                load => load - 2,
            };
            times.extend(group.iter().map(|one| (*one, time)));
            cost += group.len() + 2;
        }
        self.cost = self.cost + cost - self.load_cost[chain];
        self.load_cost[chain] = cost;
        let links = std::rc::Rc::clone(&self.links);
        for (one, time) in times {
            if self.input_time[one] == time {
                continue;
            }
            self.input_time[one] = time;
            let Input { value, base, .. } = self.unit.inputs[one];
            self.dirty.extend([value, base]);
            links[value].outputs.iter().for_each(|output| self.store_times(self.store_chain[*output]));
            if links[base].input.is_some() {
                self.first_changed(base);
            }
        }
    }

    /// When the outputs of a chain are stored.
    pub(super) fn store_times(&mut self, chain: usize) {
        let stores = std::rc::Rc::clone(&self.stores);
        let chain_of = &stores[chain];
        let mut cost = 0;
        let mut times: Vec<(usize, u32)> = Vec::with_capacity(chain_of.len());
        times.extend(chain_of.iter().filter(|at| !self.stored(**at)).map(|at| (*at, NEVER)));
        for group in self.store_groups(chain_of) {
            // what was made at 4i is stored at 4i + 1, what was loaded at 4i + 2 at 4i + 3
            let ready = group.iter().map(|one| self.ready(self.unit.outputs[*one].value)).max();
            times.extend(group.iter().map(|one| (*one, ready.unwrap_or(0).wrapping_add(1))));
            cost += group.len() + 1;
        }
        self.cost = self.cost + cost - self.store_cost[chain];
        self.store_cost[chain] = cost;
        for (one, time) in times {
            if self.output_time[one] != time {
                self.output_time[one] = time;
                let Output { value, base, .. } = self.unit.outputs[one];
                self.dirty.extend([value, base]);
            }
        }
    }

    /// When a value is made or loaded.
    pub(super) fn ready(&self, value: Value) -> u32 {
        let root = self.root(value);
        match self.links[root].input {
            Some(input) => self.input_time[input],
            None => self.made[root],
        }
    }

    /// The last use of a value and of those for which it is kept.
    pub(super) fn end(&self, value: Value) -> u32 {
        let links = &self.links[value];
        let mut end = self.last[value];
        if links.exit {
            end = time(self.ops.len()) + 4;
        }
        let mut later = |time: u32| {
            if time != NEVER {
                end = end.max(time);
            }
        };
        links.outputs.iter().chain(&links.stores).for_each(|output| later(self.output_time[*output]));
        links.loads.iter().for_each(|input| later(self.input_time[*input]));
        let kept = links.kept_for.iter().filter(|input| self.keep[**input]);
        kept.fold(end, |end, input| end.max(self.end(self.unit.inputs[*input].value)))
    }

    /// Computes anew the ranges of what has changed.
    pub(super) fn settle(&mut self) {
        let mut dirty = std::mem::take(&mut self.dirty);
        for at in 0..dirty.len() {
            let root = self.root(dirty[at]);
            dirty.push(root);
        }
        dirty.sort_unstable();
        dirty.dedup();
        let mut ends: Vec<u32> = Vec::new();
        for value in &dirty {
            let value = *value;
            let from = self.ready(value);
            let range = if self.root(value) != value || from == NEVER {
                (0, 0)
            } else {
                let end = self.end(value);
                // a pointer that nothing needs
                if from == 0 && end == 0 { (0, 0) } else { (from, end.max(from + 1)) }
            };
            if self.ranges[value] != range {
                ends.extend([self.ranges[value].1, range.1]);
                self.live.change(self.ranges[value], range);
                self.ranges[value] = range;
            }
        }
        for end in ends {
            if end >= 4 && end % 4 == 0 && ((end - 4) / 4) < self.ops.len() as u32 {
                self.double_again(((end - 4) / 4) as usize);
            }
        }
        dirty.clear();
        self.dirty = dirty;
    }

    /// A factor that dies in Rm makes no room for the product. Where both may be Rs, one that dies is.
    pub(super) fn double_again(&mut self, at: usize) {
        let dies = |value: Value| self.ranges[self.root(value)].1 == time(at);
        let double = matches!(self.ops[at], Op::Multiply { x, y, .. } if dies(x) && (self.unit.second_is_rs || dies(y)));
        if double != self.double[at] {
            self.double[at] = double;
            let moment = (time(at), time(at) + 1);
            if double { self.live.add(moment) } else { self.live.remove(moment) }
        }
    }
}
