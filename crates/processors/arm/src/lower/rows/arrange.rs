//! Which words are loaded and stored together, which are kept, which products are UMLAL: what that costs, and
//! how many registers it takes.
//!
//! A load stands before the first operation that needs one of its words, a store behind the last that makes
//! one. LDM of k words is k + 2 cycles and LDR 3, STM of k words k + 1 and STR 2, so that each word that joins a
//! load saves 2 and each that joins a store saves 1; either takes a register for longer.

use super::line::{Op, Place, Unit, Value};

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
    /// Most registers at once.
    pub(super) peak: usize,
    /// Registers beyond those there are, summed over time.
    pub(super) over: usize,
    /// Accesses to one place in the wrong order.
    pub(super) wrong: usize,
}

/// A unit with choices made.
#[derive(Clone)]
pub(super) struct Arrangement<'a> {
    unit: &'a Unit,
    /// Registers there are.
    pub(super) registers: usize,
    /// All choices.
    pub(super) choices: Vec<Choice>,
    /// Inputs with consecutive places, outputs likewise.
    loads: Vec<Vec<usize>>,
    stores: Vec<Vec<usize>>,
    /// Input, output at the same place, whether the output comes first.
    conflicts: Vec<(usize, usize, bool)>,
    ops: Vec<Op>,
    join_load: Vec<bool>,
    join_store: Vec<bool>,
    keep: Vec<bool>,
    tight: Vec<bool>,
    // from here on what `score` computes
    alias: Vec<Value>,
    made: Vec<usize>,
    last: Vec<usize>,
    first: Vec<usize>,
    input_time: Vec<usize>,
    output_time: Vec<usize>,
    change: Vec<i32>,
}

const NEVER: usize = usize::MAX;

impl<'a> Arrangement<'a> {
    /// All apart, within so many registers.
    pub(super) fn new(unit: &'a Unit, registers: usize) -> Self {
        let mut made = vec![0; unit.values];
        for (at, op) in unit.ops.iter().enumerate() {
            op.makes().for_each(|value| made[value] = at + 1);
        }
        let next_input = |at: usize| {
            let input = &unit.inputs[at];
            unit.inputs.iter().position(|other| {
                other.part == input.part
                    && other.place.array == input.place.array
                    && other.place.index == input.place.index + 1
                    && other.base == input.base
            })
        };
        let next_output = |at: usize| {
            let output = &unit.outputs[at];
            let next = |other: &usize| {
                let other = &unit.outputs[*other];
                other.place.array == output.place.array && other.place.index == output.place.index + 1
            };
            let near = |other: &usize| made[unit.outputs[*other].value].abs_diff(made[output.value]);
            (0..unit.outputs.len()).filter(next).min_by_key(near)
        };
        let loads = chains(unit.inputs.len(), next_input);
        let stores = chains(unit.outputs.len(), next_output);
        let mut choices = Vec::new();
        for chain in &loads {
            choices.extend(chain[..chain.len() - 1].iter().map(|at| Choice::JoinLoad(*at)));
        }
        for chain in &stores {
            choices.extend(chain[..chain.len() - 1].iter().map(|at| Choice::JoinStore(*at)));
        }
        choices.extend((0..unit.inputs.len()).filter(|at| unit.inputs[*at].held.is_some()).map(Choice::Keep));
        choices.extend((0..unit.tight.len()).map(Choice::Tight));
        let mut conflicts = Vec::new();
        for (i, input) in unit.inputs.iter().enumerate() {
            for (o, output) in unit.outputs.iter().enumerate() {
                if input.place == output.place {
                    conflicts.push((i, o, output.order < input.order));
                }
            }
        }
        Arrangement {
            unit,
            registers,
            choices,
            loads,
            stores,
            conflicts,
            ops: unit.ops.clone(),
            join_load: vec![false; unit.inputs.len()],
            join_store: vec![false; unit.outputs.len()],
            keep: vec![false; unit.inputs.len()],
            tight: vec![false; unit.tight.len()],
            alias: Vec::new(),
            made,
            last: Vec::new(),
            first: Vec::new(),
            input_time: Vec::new(),
            output_time: Vec::new(),
            change: Vec::new(),
        }
    }

    /// Turns a choice round.
    pub(super) fn flip(&mut self, choice: Choice) {
        match choice {
            Choice::JoinLoad(at) => self.join_load[at] ^= true,
            Choice::JoinStore(at) => self.join_store[at] ^= true,
            Choice::Keep(at) => self.keep[at] ^= true,
            Choice::Tight(at) => {
                self.tight[at] ^= true;
                let tight = &self.unit.tight[at];
                let range = tight.at..tight.at + 3;
                let from = if self.tight[at] { &tight.ops } else { &self.unit.ops[range.clone()] };
                self.ops[range].copy_from_slice(from);
            }
        }
    }

    /// Whether an output is stored: not if it is kept for all inputs that bring it back.
    fn stored(&self, output: usize) -> bool {
        {
            let inputs = &self.unit.outputs[output].inputs;
            inputs.is_empty() || inputs.iter().any(|input| !self.keep[*input])
        }
    }

    /// Inputs that are loaded together.
    fn load_groups(&self) -> impl Iterator<Item = &[usize]> {
        let separate = |x: &usize, y: &usize| self.join_load[*x] && !self.keep[*x] && !self.keep[*y];
        self.loads.iter().flat_map(move |chain| chain.chunk_by(separate)).filter(|group| !self.keep[group[0]])
    }

    fn store_groups(&self) -> impl Iterator<Item = &[usize]> {
        let separate = |x: &usize, y: &usize| self.join_store[*x] && self.stored(*x) && self.stored(*y);
        self.stores
            .iter()
            .flat_map(move |chain| chain.chunk_by(separate))
            .filter(|group| self.stored(group[0]))
    }

    /// What the choices cost. Operation `i` happens at time `4i + 4`; before it come, from `4i + 1` on, stores,
    /// loads, and stores of what was just loaded.
    pub(super) fn score(&mut self) -> Score {
        let unit = self.unit;
        let mut alias = std::mem::take(&mut self.alias);
        let mut made = std::mem::take(&mut self.made);
        let mut last = std::mem::take(&mut self.last);
        let mut first = std::mem::take(&mut self.first);
        let mut input_time = std::mem::take(&mut self.input_time);
        let mut output_time = std::mem::take(&mut self.output_time);
        let mut change = std::mem::take(&mut self.change);
        alias.clear();
        alias.extend(0..unit.values);
        for (input, keep) in unit.inputs.iter().zip(&self.keep) {
            if let (true, Some(held)) = (keep, input.held) {
                alias[input.value] = alias[held];
            }
        }
        refill(&mut made, unit.values, NEVER);
        refill(&mut last, unit.values, 0);
        refill(&mut first, unit.values, NEVER);
        refill(&mut change, 4 * self.ops.len() + 12, 0);
        refill(&mut input_time, unit.inputs.len(), NEVER);
        refill(&mut output_time, unit.outputs.len(), NEVER);
        unit.entry.iter().for_each(|(value, _)| made[*value] = 0);
        for (at, op) in self.ops.iter().enumerate() {
            let time = 4 * at + 4;
            for value in op.uses() {
                let value = alias[value];
                last[value] = time;
                first[value] = first[value].min(at);
            }
            op.makes().for_each(|value| made[value] = time);
        }
        for (at, op) in self.ops.iter().enumerate() {
            let time = 4 * at + 4;
            // a factor that dies in Rm makes no room for the product
            if let Op::Multiply { x, y, .. } = op
                && last[alias[*x]] == time
                && last[alias[*y]] == time
            {
                change[time] += 1;
                change[time + 1] -= 1;
            }
        }
        unit.exit.iter().for_each(|value| last[*value] = 4 * self.ops.len() + 8);
        let mut cost = self.tight.iter().filter(|tight| **tight).count();
        for group in self.load_groups() {
            let at = group.iter().map(|one| first[unit.inputs[*one].value]).min().unwrap_or(NEVER);
            // words that are only moved come first of all
            let time = if at == NEVER { 2 } else { 4 * at + 2 };
            for one in group {
                input_time[*one] = time;
                made[unit.inputs[*one].value] = time;
            }
            let base = alias[unit.inputs[group[0]].base];
            last[base] = last[base].max(time);
            cost += group.len() + 2;
        }
        for group in self.store_groups() {
            // what was made at 4i is stored at 4i + 1, what was loaded at 4i + 2 at 4i + 3
            let value = |one: &usize| alias[unit.outputs[*one].value];
            let time = group.iter().map(|one| made[value(one)] + 1).max().unwrap_or(1);
            for one in group {
                output_time[*one] = time;
                last[value(one)] = last[value(one)].max(time);
            }
            let base = alias[unit.outputs[group[0]].base];
            last[base] = last[base].max(time);
            cost += group.len() + 1;
        }
        let wrong = self.conflicts.iter().filter(|(input, output, before)| {
            !self.keep[*input]
                && self.stored(*output)
                && *before != (output_time[*output] < input_time[*input])
        });
        let wrong = wrong.count();
        for value in 0..unit.values {
            if alias[value] == value && made[value] != NEVER {
                change[made[value]] += 1;
                change[last[value].max(made[value] + 1)] -= 1;
            }
        }
        let (mut now, mut peak, mut over) = (0i32, 0i32, 0usize);
        for change in &change {
            now += change;
            peak = peak.max(now);
            over += (now - self.registers as i32).max(0) as usize;
        }
        (self.alias, self.made, self.last, self.first) = (alias, made, last, first);
        (self.input_time, self.output_time, self.change) = (input_time, output_time, change);
        Score { cost, peak: peak as usize, over, wrong }
    }

    /// Everything in order.
    pub(super) fn events(&mut self) -> Vec<Event> {
        self.score();
        let unit = self.unit;
        let alias = |value: Value| self.alias[value];
        // time; among those of one time, the load that takes its pointer's last use last
        let mut timed: Vec<((usize, bool), Event)> = Vec::new();
        for group in self.load_groups() {
            let input = &unit.inputs[group[0]];
            let values = group.iter().map(|one| unit.inputs[*one].value).collect();
            let base = alias(input.base);
            let time = self.input_time[group[0]];
            let dies = self.last[base] == time;
            timed.push(((time, dies), Event::Load(Group { place: input.place, base, values })));
        }
        for group in self.store_groups() {
            let output = &unit.outputs[group[0]];
            let values = group.iter().map(|one| alias(unit.outputs[*one].value)).collect();
            let group_time = (self.output_time[group[0]], false);
            let event = Event::Store(Group { place: output.place, base: alias(output.base), values });
            timed.push((group_time, event));
        }
        for (at, op) in self.ops.iter().enumerate() {
            timed.push(((4 * at + 4, false), Event::Op(op.with(alias))));
        }
        timed.sort_by_key(|(time, _)| *time);
        timed.into_iter().map(|(_, event)| event).collect()
    }
}

fn refill<T: Clone>(list: &mut Vec<T>, length: usize, with: T) {
    list.clear();
    list.resize(length, with);
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
