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

mod chains;
mod times;

use super::line::{Address, Input, Op, Output, Unit, Value};
use super::live::Live;
use chains::{chain_of, conflicts, crossings, load_chains, store_chains};

/// What stands in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// An operation.
    Op(Op),
    /// Words from memory, ascending.
    Load(Group),
    /// Words into memory, ascending.
    Store(Group),
}

/// Consecutive words in memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// The lowest.
    pub place: Address,
    /// The pointer to the array.
    pub base: Value,
    /// The values.
    pub values: Vec<Value>,
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
            live: Live::new(end, registers + unit.besides),
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
