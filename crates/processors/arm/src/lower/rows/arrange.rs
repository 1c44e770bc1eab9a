//! Which words are loaded and stored together, which are kept, which products are UMLAL: what that costs, and
//! how many registers it takes.
//!
//! A load stands before the first operation that needs one of its words, a store behind the last that makes
//! one. LDM of k words is k + 2 cycles and LDR 3, STM of k words k + 1 and STR 2, so that each word that joins a
//! load saves 2 and each that joins a store saves 1; either takes a register for longer.
//!
//! Operation `i` happens at time `4i + 4`; before it come, from `4i + 1` on, stores and pointers, loads, and stores
//! of what was just loaded. A choice that is turned round changes the times of a few words only, and only those
//! are computed anew.

use super::line::{Array, Input, Op, Output, Place, Unit, Value};
use super::live::Live;
use crate::instructions::SP;

/// What stands in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Event {
    /// An operation.
    Op(Op),
    /// Words from memory, ascending.
    Load(Group),
    /// Words into memory, ascending.
    Store(Group),
}

/// Consecutive words in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The lowest.
    pub(super) place: Place,
    /// The pointer to the array.
    pub(super) base: Value,
    /// The values.
    pub(super) values: Vec<Value>,
}

/// What can be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Choice {
    /// An input is loaded together with the next one of its chain.
    JoinLoad(usize),
    /// An output is stored together with the next one of its chain.
    JoinStore(usize),
    /// An earlier value is kept instead of an input.
    Keep(usize),
    /// A multiplication is UMLAL.
    Tight(usize),
}

/// What a choice costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Score {
    /// Cycles of loads, stores and UMLALs.
    pub(super) cost: usize,
    /// Registers beyond those there are, summed over time.
    pub(super) over: usize,
    /// Accesses to one place in the wrong order.
    pub(super) wrong: usize,
}

/// What is known of a value whatever is chosen.
#[derive(Clone, Debug, Default)]
struct Links {
    /// Operations that may use it.
    uses: Vec<usize>,
    /// The input that loads it.
    input: Option<usize>,
    /// Inputs for which it may be kept.
    kept_for: Vec<usize>,
    /// Outputs that store it.
    outputs: Vec<usize>,
    /// Inputs and outputs whose pointer it is.
    loads: Vec<usize>,
    stores: Vec<usize>,
    /// Whether it must be there at the end.
    exit: bool,
}

/// A unit with choices made.
#[derive(Clone)]
pub(super) struct Arrangement<'a> {
    unit: &'a Unit,
    links: std::rc::Rc<Vec<Links>>,
    /// All choices.
    pub(super) choices: std::rc::Rc<Vec<Choice>>,
    /// Inputs with consecutive places, outputs likewise, and in which chain each is.
    loads: std::rc::Rc<Vec<Vec<usize>>>,
    stores: std::rc::Rc<Vec<Vec<usize>>>,
    load_chain: std::rc::Rc<Vec<usize>>,
    store_chain: std::rc::Rc<Vec<usize>>,
    /// Outputs that an input needs unless it is kept.
    needs: std::rc::Rc<Vec<Vec<usize>>>,
    /// Input, output at the same place, whether the output comes first.
    conflicts: std::rc::Rc<Vec<(usize, usize, bool)>>,
    /// Outputs to the same place, in order.
    crossings: std::rc::Rc<Vec<(usize, usize)>>,
    ops: Vec<Op>,
    join_load: Vec<bool>,
    join_store: Vec<bool>,
    keep: Vec<bool>,
    tight: Vec<bool>,
    /// By value: the time of the operation that makes it, the first and the last that use it.
    made: Vec<u32>,
    first: Vec<u32>,
    last: Vec<u32>,
    input_time: Vec<u32>,
    output_time: Vec<u32>,
    load_cost: Vec<usize>,
    store_cost: Vec<usize>,
    ranges: Vec<(u32, u32)>,
    /// Multiplications of two values that die.
    double: Vec<bool>,
    live: Live,
    cost: usize,
    dirty: Vec<Value>,
}

const NEVER: u32 = u32::MAX;

fn time(op: usize) -> u32 {
    4 * op as u32 + 4
}

impl<'a> Arrangement<'a> {
    /// All apart, within so many registers.
    pub(super) fn new(unit: &'a Unit, registers: usize) -> Self {
        let mut links = vec![Links::default(); unit.values];
        let mut made = vec![NEVER; unit.values];
        unit.entry.iter().for_each(|(value, _)| made[*value] = 0);
        for (at, op) in unit.ops.iter().enumerate() {
            op.uses().for_each(|value| links[value].uses.push(at));
            op.makes().for_each(|value| made[value] = time(at));
        }
        for tight in &unit.tight {
            for (k, op) in tight.ops.iter().enumerate() {
                op.uses().for_each(|value| links[value].uses.push(tight.at + k));
            }
        }
        let mut needs = vec![Vec::new(); unit.inputs.len()];
        for (at, Input { value, base, held, .. }) in unit.inputs.iter().enumerate() {
            links[*value].input = Some(at);
            links[*base].loads.push(at);
            held.iter().for_each(|held| links[*held].kept_for.push(at));
        }
        for (at, Output { value, base, inputs, .. }) in unit.outputs.iter().enumerate() {
            links[*value].outputs.push(at);
            links[*base].stores.push(at);
            inputs.iter().for_each(|input| needs[*input].push(at));
        }
        for links in &mut links {
            links.uses.sort_unstable();
            links.uses.dedup();
        }
        unit.exit.iter().for_each(|value| links[*value].exit = true);
        let (loads, stores) = (load_chains(unit), store_chains(unit, &made));
        let mut choices = Vec::new();
        for chain in &loads {
            choices.extend(chain[..chain.len() - 1].iter().map(|at| Choice::JoinLoad(*at)));
        }
        for chain in &stores {
            choices.extend(chain[..chain.len() - 1].iter().map(|at| Choice::JoinStore(*at)));
        }
        choices.extend((0..unit.inputs.len()).filter(|at| unit.inputs[*at].held.is_some()).map(Choice::Keep));
        choices.extend((0..unit.tight.len()).map(Choice::Tight));
        let end = 4 * unit.ops.len() + 12;
        let mut arrangement = Arrangement {
            unit,
            choices: choices.into(),
            load_chain: chain_of(&loads, unit.inputs.len()).into(),
            store_chain: chain_of(&stores, unit.outputs.len()).into(),
            needs: needs.into(),
            conflicts: conflicts(unit, &links, &made).into(),
            crossings: crossings(unit).into(),
            ops: unit.ops.clone(),
            join_load: vec![false; unit.inputs.len()],
            join_store: vec![false; unit.outputs.len()],
            keep: vec![false; unit.inputs.len()],
            tight: vec![false; unit.tight.len()],
            made,
            first: vec![NEVER; unit.values],
            last: vec![0; unit.values],
            input_time: vec![NEVER; unit.inputs.len()],
            output_time: vec![NEVER; unit.outputs.len()],
            load_cost: vec![0; loads.len()],
            store_cost: vec![0; stores.len()],
            loads: loads.into(),
            stores: stores.into(),
            ranges: vec![(0, 0); unit.values],
            double: vec![false; unit.ops.len()],
            // the stack pointer takes none of them
            live: Live::new(
                end,
                registers + unit.entry.iter().filter(|(_, register)| *register == SP).count(),
            ),
            cost: 0,
            dirty: Vec::new(),
            links: links.into(),
        };
        (0..unit.values).for_each(|value| arrangement.use_times(value));
        (0..arrangement.loads.len()).for_each(|chain| arrangement.load_times(chain));
        (0..arrangement.stores.len()).for_each(|chain| arrangement.store_times(chain));
        arrangement.dirty = (0..unit.values).collect();
        arrangement.settle();
        arrangement
    }

    /// What the choices cost.
    pub(super) fn score(&self) -> Score {
        let wrong = self.conflicts.iter().filter(|(input, output, before)| {
            let (load, store) = (self.input_time[*input], self.output_time[*output]);
            load != NEVER && store != NEVER && *before != (store < load)
        });
        let crossed = self.crossings.iter().filter(|(first, second)| {
            let (first, second) = (self.output_time[*first], self.output_time[*second]);
            first != NEVER && second != NEVER && first >= second
        });
        let wrong = wrong.count() + crossed.count();
        Score { cost: self.cost, over: self.live.over, wrong }
    }

    /// Turns a choice round.
    pub(super) fn flip(&mut self, choice: Choice) {
        match choice {
            Choice::JoinLoad(at) => {
                self.join_load[at] ^= true;
                self.load_times(self.load_chain[at]);
            }
            Choice::JoinStore(at) => {
                self.join_store[at] ^= true;
                self.store_times(self.store_chain[at]);
            }
            Choice::Keep(at) => self.flip_keep(at),
            Choice::Tight(at) => self.flip_tight(at),
        }
        self.settle();
    }

    /// Keeps all words that can be kept.
    pub(super) fn keep_all(&mut self) {
        for at in 0..self.unit.inputs.len() {
            if self.unit.inputs[at].held.is_some() && !self.keep[at] {
                self.flip(Choice::Keep(at));
            }
        }
    }

    fn flip_keep(&mut self, at: usize) {
        self.keep[at] ^= true;
        let Input { value, held: Some(held), .. } = self.unit.inputs[at] else { return };
        self.dirty.extend([value, held]);
        self.load_times(self.load_chain[at]);
        self.first_changed(held);
        let links = std::rc::Rc::clone(&self.links);
        let needs = std::rc::Rc::clone(&self.needs);
        needs[at].iter().for_each(|output| self.store_times(self.store_chain[*output]));
        // when its word is made has changed, for all that it is kept for
        let mut all = vec![value];
        while let Some(value) = all.pop() {
            links[value].outputs.iter().for_each(|output| self.store_times(self.store_chain[*output]));
            let kept = links[value].kept_for.iter().filter(|input| self.keep[**input]);
            all.extend(kept.map(|input| self.unit.inputs[*input].value));
            if links[value].loads.iter().chain(&links[value].stores).next().is_some() {
                self.dirty.push(value);
            }
        }
    }

    fn flip_tight(&mut self, at: usize) {
        self.tight[at] ^= true;
        let tight = self.unit.tight[at];
        let range = tight.at..tight.at + 3;
        let from = if self.tight[at] { &tight.ops } else { &self.unit.ops[range.clone()] };
        self.ops[range.clone()].copy_from_slice(from);
        self.cost = if self.tight[at] { self.cost + 1 } else { self.cost - 1 };
        let links = std::rc::Rc::clone(&self.links);
        for k in range.clone() {
            let op = self.ops[k];
            for value in op.makes() {
                self.made[value] = time(k);
                self.dirty.push(value);
                links[value].outputs.iter().for_each(|output| self.store_times(self.store_chain[*output]));
            }
        }
        for k in range {
            let op = self.ops[k];
            for value in op.uses() {
                self.use_times(value);
                self.first_changed(value);
                self.dirty.push(value);
            }
            self.double_again(k);
        }
    }

    /// The value for which another one is kept, and so on.
    fn root(&self, mut value: Value) -> Value {
        while let Some(input) = self.links[value].input
            && self.keep[input]
            && let Some(held) = self.unit.inputs[input].held
        {
            value = held;
        }
        value
    }

    /// Whether an output is stored: not if it is kept for all inputs that bring it back.
    fn stored(&self, output: usize) -> bool {
        let inputs = &self.unit.outputs[output].inputs;
        inputs.is_empty() || inputs.iter().any(|input| !self.keep[*input])
    }

    /// Inputs of a chain that are loaded together.
    fn load_groups<'s>(&'s self, chain: &'s [usize]) -> impl Iterator<Item = &'s [usize]> {
        let together = |x: &usize, y: &usize| self.join_load[*x] && !self.keep[*x] && !self.keep[*y];
        chain.chunk_by(together).filter(|group| !self.keep[group[0]])
    }

    /// Outputs of a chain that are stored together.
    fn store_groups<'s>(&'s self, chain: &'s [usize]) -> impl Iterator<Item = &'s [usize]> {
        let together = |x: &usize, y: &usize| self.join_store[*x] && self.stored(*x) && self.stored(*y);
        chain.chunk_by(together).filter(|group| self.stored(group[0]))
    }

    /// First and last operation that use a value.
    fn use_times(&mut self, value: Value) {
        let uses = &self.links[value].uses;
        let used = |at: &&usize| self.ops[**at].uses().any(|used| used == value);
        self.first[value] = uses.iter().find(used).map_or(NEVER, |at| time(*at));
        self.last[value] = uses.iter().rev().find(used).map_or(0, |at| time(*at));
    }

    /// The time before which a value must be loaded, those for which it is kept among it.
    fn needed(&self, value: Value) -> u32 {
        let links = &self.links[value];
        let kept = links.kept_for.iter().filter(|input| self.keep[**input]);
        let kept = kept.map(|input| self.needed(self.unit.inputs[*input].value));
        // a pointer comes at the time before the load
        let loads = links.loads.iter().map(|input| self.input_time[*input]);
        let loads = loads.filter(|time| *time != NEVER).map(|time| time + 1);
        kept.chain(loads).fold(self.first[value], u32::min)
    }

    /// The first use of a value has changed: it may be loaded at another time.
    fn first_changed(&mut self, value: Value) {
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
    fn load_times(&mut self, chain: usize) {
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
    fn store_times(&mut self, chain: usize) {
        let stores = std::rc::Rc::clone(&self.stores);
        let chain_of = &stores[chain];
        let mut cost = 0;
        let mut times: Vec<(usize, u32)> = Vec::with_capacity(chain_of.len());
        times.extend(chain_of.iter().filter(|at| !self.stored(**at)).map(|at| (*at, NEVER)));
        for group in self.store_groups(chain_of) {
            // what was made at 4i is stored at 4i + 1, what was loaded at 4i + 2 at 4i + 3
            let ready = group.iter().map(|one| self.ready(self.unit.outputs[*one].value)).max();
            times.extend(group.iter().map(|one| (*one, ready.unwrap_or(0) + 1)));
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
    fn ready(&self, value: Value) -> u32 {
        let root = self.root(value);
        match self.links[root].input {
            Some(input) => self.input_time[input],
            None => self.made[root],
        }
    }

    /// The last use of a value and of those for which it is kept.
    fn end(&self, value: Value) -> u32 {
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
    fn settle(&mut self) {
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
                self.live.remove(self.ranges[value]);
                self.live.add(range);
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

    /// A factor that dies in Rm makes no room for the product.
    fn double_again(&mut self, at: usize) {
        let dies = |value: Value| self.ranges[self.root(value)].1 == time(at);
        let double = matches!(self.ops[at], Op::Multiply { x, y, .. } if dies(x) && dies(y));
        if double != self.double[at] {
            self.double[at] = double;
            let moment = (time(at), time(at) + 1);
            if double { self.live.add(moment) } else { self.live.remove(moment) }
        }
    }

    /// Everything in order.
    pub(super) fn events(&self) -> Vec<Event> {
        let unit = self.unit;
        // time; among those of one time, the load that takes its pointer's last use last
        let mut timed: Vec<((u32, bool), Event)> = Vec::new();
        for group in self.loads.iter().flat_map(|chain| self.load_groups(chain)) {
            let input = &unit.inputs[group[0]];
            let values = group.iter().map(|one| unit.inputs[*one].value).collect();
            let base = self.root(input.base);
            let time = self.input_time[group[0]];
            let dies = self.ranges[base].1 == time;
            timed.push(((time, dies), Event::Load(Group { place: input.place, base, values })));
        }
        for group in self.stores.iter().flat_map(|chain| self.store_groups(chain)) {
            let output = &unit.outputs[group[0]];
            let values = group.iter().map(|one| self.root(unit.outputs[*one].value)).collect();
            let event = Event::Store(Group { place: output.place, base: self.root(output.base), values });
            timed.push(((self.output_time[group[0]], false), event));
        }
        for (at, op) in self.ops.iter().enumerate() {
            timed.push(((time(at), false), Event::Op(op.with(|value| self.root(value)))));
        }
        timed.sort_by_key(|(time, _)| *time);
        timed.into_iter().map(|(_, event)| event).collect()
    }
}

/// Inputs of one part with consecutive places.
fn load_chains(unit: &Unit) -> Vec<Vec<usize>> {
    chains(unit.inputs.len(), |at| {
        let input = &unit.inputs[at];
        // the stack pointer stays, so that LDM does not reach
        let reached = input.place.array != Array::Stack;
        unit.inputs.iter().position(|other| {
            reached
                && other.part == input.part
                && other.place.array == input.place.array
                && other.place.index == input.place.index + 1
                && other.base == input.base
        })
    })
}

/// Outputs with consecutive places, those that are made nearest to each other.
fn store_chains(unit: &Unit, made: &[u32]) -> Vec<Vec<usize>> {
    let known = |output: &Output| if made[output.value] == NEVER { 0 } else { made[output.value] };
    chains(unit.outputs.len(), |at| {
        let output = &unit.outputs[at];
        let next = |other: &usize| {
            let other = &unit.outputs[*other];
            other.place.array == output.place.array && other.place.index == output.place.index + 1
        };
        let near = |other: &usize| known(&unit.outputs[*other]).abs_diff(known(output));
        (0..unit.outputs.len()).filter(next).min_by_key(near)
    })
}

/// Accesses to one place whose order choices might change.
fn conflicts(unit: &Unit, links: &[Links], made: &[u32]) -> Vec<(usize, usize, bool)> {
    let mut conflicts = Vec::new();
    for (i, input) in unit.inputs.iter().enumerate() {
        for (o, output) in unit.outputs.iter().enumerate() {
            if input.place != output.place {
                continue;
            }
            // a word's own store has its order
            let before = output.order <= input.order;
            let last = links[input.value].uses.last().map_or(NEVER, |at| time(*at));
            let computed = made[output.value] != NEVER && last <= made[output.value];
            if before || !computed {
                conflicts.push((i, o, before));
            }
        }
    }
    conflicts
}

/// Stores to one place.
fn crossings(unit: &Unit) -> Vec<(usize, usize)> {
    let mut crossings = Vec::new();
    for (first, one) in unit.outputs.iter().enumerate() {
        for (second, other) in unit.outputs.iter().enumerate() {
            if one.place == other.place && one.order < other.order {
                crossings.push((first, second));
            }
        }
    }
    crossings
}

/// Chains of things, each with at most one behind it and one before it.
fn chains(number: usize, next: impl Fn(usize) -> Option<usize>) -> Vec<Vec<usize>> {
    let mut after = vec![None; number];
    let mut begins = vec![true; number];
    for (at, after) in after.iter_mut().enumerate() {
        if let Some(one) = next(at)
            && begins[one]
        {
            begins[one] = false;
            *after = Some(one);
        }
    }
    let heads = (0..number).filter(|at| begins[*at]);
    heads.map(|head| std::iter::successors(Some(head), |at| after[*at]).collect()).collect()
}

/// In which chain each thing is.
fn chain_of(chains: &[Vec<usize>], number: usize) -> Vec<usize> {
    let mut of = vec![0; number];
    for (chain, members) in chains.iter().enumerate() {
        members.iter().for_each(|member| of[*member] = chain);
    }
    of
}
