//! List scheduling with registers: values get theirs while their instructions are put in an order in which the
//! pipeline waits less.
//!
//! At each step the instruction is taken that can be issued first, among those the one on whose result most time
//! depends, among those the first, out of so many that stand first in the line. It may overtake others only
//! if these, in the line's order, still find their registers afterwards: so a line that has registers in its own order
//! always comes to an end.

use super::core::{Clock, Core, Facts, Fault};
use super::form::{Act, Draft, Made, Name, Pair, ZERO};
use crate::file::Register;
use smallvec::SmallVec;
use std::collections::HashMap;

/// A draft, analysed.
pub(super) struct Order<'a, C: Core> {
    draft: &'a Draft,
    core: &'a C,
    nodes: Vec<Node<C::Time>>,
    /// How many instructions read each word.
    uses: Vec<u32>,
    /// Registers with a part of their own.
    named: u32,
    /// The most words that live at a time.
    needed: usize,
}

struct Node<T> {
    reads: SmallVec<[Made; 2]>,
    makes: Option<Made>,
    /// Registers that are no words, and parts of the accumulator.
    fixed_reads: u64,
    fixed_writes: u64,
    facts: Facts<T>,
    /// Instructions that must stand before it.
    before: u32,
    /// Those that must stand after it.
    followers: Vec<usize>,
    /// Cycles from its issue to the end, if nothing but what depends on it is waited for.
    height: u64,
}

/// The bit of a register, of which the first is always zero.
fn bit(register: Register) -> u64 {
    1 << register & !1
}

impl<'a, C: Core> Order<'a, C> {
    /// With `knowing`, products by words that are known to be small take as long as these.
    ///
    /// # Errors
    /// Where the core lacks an instruction, or an address is too far from its base.
    pub(super) fn new(draft: &'a Draft, core: &'a C, knowing: bool) -> Result<Self, Fault> {
        let mut nodes = Vec::with_capacity(draft.steps.len());
        let mut uses = vec![0; draft.words];
        let mut small = vec![false; draft.words];
        let mut named = 0;
        for step in &draft.steps {
            let is_small = match step.y {
                Name::Register(register) => register == 0,
                Name::Made(made) => small[made.0],
            };
            let facts = core.facts(step.act, knowing && is_small)?;
            let mut node = Node {
                reads: SmallVec::new(),
                makes: None,
                fixed_reads: facts.reads,
                fixed_writes: facts.writes,
                facts,
                before: 0,
                followers: Vec::new(),
                height: 0,
            };
            for name in [step.x, step.y] {
                match name {
                    Name::Register(register) => node.fixed_reads |= bit(register),
                    Name::Made(made) if node.reads.contains(&made) => {}
                    Name::Made(made) => {
                        node.reads.push(made);
                        uses[made.0] += 1;
                    }
                }
            }
            match step.to {
                Some(Name::Register(register)) => node.fixed_writes |= bit(register),
                Some(Name::Made(made)) => {
                    node.makes = Some(made);
                    small[made.0] = core.is_small(step.act, step.x == ZERO);
                }
                None => {}
            }
            named |= (node.fixed_reads | node.fixed_writes) as u32;
            nodes.push(node);
        }
        if let Some((value, _)) = draft.returned {
            uses[value.0] += 1;
        }
        let mut order = Order { draft, core, nodes, uses, named, needed: 0 };
        order.depend();
        order.measure();
        order.needed = order.pressure();
        Ok(order)
    }

    /// Whether anything is waited for longer than it is issued, so that the order matters.
    pub(super) fn waits(&self) -> bool {
        self.nodes.iter().any(|node| node.facts.latency > node.facts.length)
    }

    /// The fewest registers with which the line's own order works.
    pub(super) fn needed(&self) -> usize {
        self.needed
    }

    /// What must stand before what.
    fn depend(&mut self) {
        let mut makers: Vec<Option<usize>> = vec![None; self.draft.words];
        let mut writers = [None; 33];
        let mut readers: [Vec<usize>; 33] = std::array::from_fn(|_| Vec::new());
        let mut stores: HashMap<(usize, i32), usize> = HashMap::new();
        let mut loads: HashMap<(usize, i32), Vec<usize>> = HashMap::new();
        for number in 0..self.nodes.len() {
            let node = &self.nodes[number];
            let mut before: SmallVec<[usize; 8]> =
                node.reads.iter().filter_map(|value| makers[value.0]).collect();
            if let Some(value) = node.makes {
                makers[value.0] = Some(number);
            }
            for place in places(node.fixed_reads) {
                before.extend(writers[place]);
            }
            for place in places(node.fixed_writes) {
                before.extend(writers[place]);
                before.extend(readers[place].drain(..));
            }
            for place in places(node.fixed_reads) {
                readers[place].push(number);
            }
            for place in places(node.fixed_writes) {
                writers[place] = Some(number);
                readers[place].clear();
            }
            if let Some(place) = self.draft.steps[number].place {
                before.extend(stores.get(&place).copied());
                if node.makes.is_some() {
                    loads.entry(place).or_default().push(number);
                } else {
                    before.extend(loads.remove(&place).unwrap_or_default());
                    stores.insert(place, number);
                }
            }
            before.sort_unstable();
            before.dedup();
            before.retain(|earlier| *earlier != number);
            self.nodes[number].before = before.len() as u32;
            for earlier in before {
                self.nodes[earlier].followers.push(number);
            }
        }
    }

    fn measure(&mut self) {
        for number in (0..self.nodes.len()).rev() {
            let node = &self.nodes[number];
            let waits = |follower: &usize| {
                let follower = &self.nodes[*follower];
                let fixed = follower.fixed_reads & node.fixed_writes != 0;
                let reads = fixed || node.makes.is_some_and(|value| follower.reads.contains(&value));
                let own = if reads { node.facts.latency } else { 1 };
                own + follower.height
            };
            let after = node.followers.iter().map(waits).max();
            self.nodes[number].height = after.unwrap_or(node.facts.length);
        }
    }

    /// The most values at a time in the line's own order.
    fn pressure(&self) -> usize {
        let mut left = self.uses.clone();
        let there = self.draft.arguments.iter().filter(|(value, _)| left[value.0] > 0);
        let mut live = there.count();
        let mut most = live;
        for node in &self.nodes {
            for value in &node.reads {
                left[value.0] -= 1;
                live -= usize::from(left[value.0] == 0);
            }
            if let Some(value) = node.makes {
                most = most.max(live + 1);
                live += usize::from(left[value.0] > 0);
            }
        }
        most
    }

    /// The instructions with registers. `registers` are those that values may have, those first that are to be taken
    /// first; those of the arguments join them. `lookahead` is how many of the instructions that stand first are
    /// looked at; with 1 the order stays.
    ///
    /// # Errors
    /// Where the registers are too few.
    pub(super) fn arrange(
        &self,
        registers: &[Register],
        lookahead: usize,
    ) -> Result<Vec<C::Instruction>, Fault> {
        let arguments = self.draft.arguments.iter().map(|(_, register)| *register);
        let missing = arguments.filter(|register| !registers.contains(register));
        let all = registers.iter().copied().chain(missing);
        let registers: Vec<Register> = all.filter(|register| self.named >> register & 1 == 0).collect();
        if self.needed > registers.len() {
            return Err(Fault::Registers { needed: self.needed, available: registers.len() });
        }
        Arrangement::new(self, &registers).run(lookahead)
    }
}

/// Bits of a set of registers, the accumulator as number 32.
fn places(set: u64) -> impl Iterator<Item = usize> {
    let registers = (0..32).filter(move |place| set >> place & 1 == 1);
    registers.chain((set >> 32 != 0).then_some(32))
}

struct Arrangement<'a, C: Core> {
    order: &'a Order<'a, C>,
    registers: &'a [Register],
    free: u32,
    of: Vec<Register>,
    left: Vec<u32>,
    live: usize,
    open: Vec<u32>,
    /// The next instruction that does not stand yet, in the line's order.
    next: Vec<usize>,
    head: usize,
    /// What `left` would be, for a trial of this number.
    trial: Vec<(u32, u32)>,
    trials: u32,
    clock: C::Clock,
    code: Vec<C::Instruction>,
}

impl<'a, C: Core> Arrangement<'a, C> {
    fn new(order: &'a Order<'a, C>, registers: &'a [Register]) -> Self {
        let count = order.nodes.len();
        let mut free = registers.iter().fold(0, |set, register| set | 1 << register);
        let mut of = vec![0; order.draft.words];
        let mut live = 0;
        for (value, register) in &order.draft.arguments {
            of[value.0] = *register;
            if order.uses[value.0] > 0 {
                live += 1;
                free &= !(1 << register);
            }
        }
        Arrangement {
            order,
            registers,
            free,
            of,
            left: order.uses.clone(),
            live,
            open: order.nodes.iter().map(|node| node.before).collect(),
            next: (1..=count).collect(),
            head: 0,
            trial: vec![(0, 0); order.draft.words],
            trials: 0,
            clock: C::Clock::default(),
            code: Vec::with_capacity(count),
        }
    }

    fn run(mut self, lookahead: usize) -> Result<Vec<C::Instruction>, Fault> {
        let count = self.order.nodes.len();
        let mut candidates: Vec<((u64, u64, usize), usize)> = Vec::new();
        while self.head < count {
            candidates.clear();
            let (mut number, mut previous) = (self.head, usize::MAX);
            for _ in 0..lookahead.max(1) {
                if number >= count {
                    break;
                }
                if self.open[number] == 0 {
                    let node = &self.order.nodes[number];
                    let earliest = self.clock.earliest(self.reads(number), &node.facts.time);
                    candidates.push(((earliest, u64::MAX - node.height, number), previous));
                }
                previous = number;
                number = self.next[number];
            }
            candidates.sort_unstable();
            let fitting = candidates.iter().copied().find(|((.., number), _)| self.fits(*number));
            let Some(((.., number), previous)) = fitting else { return Err(Fault::Instruction) };
            let after = self.next[number];
            match self.next.get_mut(previous) {
                Some(next) => *next = after,
                None => self.head = after,
            }
            self.issue(number)?;
        }
        if let Some((value, register)) = self.order.draft.returned
            && self.of[value.0] != register
        {
            let copy = Act::Pair(Pair::Or);
            self.code.push(self.order.core.instruction(copy, register, [self.of[value.0], 0]));
        }
        Ok(self.code)
    }

    fn register(&self, name: Name) -> Register {
        match name {
            Name::Register(register) => register,
            Name::Made(made) => self.of[made.0],
        }
    }

    fn reads(&self, number: usize) -> u64 {
        let node = &self.order.nodes[number];
        node.reads.iter().fold(node.fixed_reads, |set, value| set | 1 << self.of[value.0])
    }

    /// Whether all instructions before this one find registers if it comes first.
    fn fits(&mut self, number: usize) -> bool {
        let order = self.order;
        if number == self.head || order.nodes[number].makes.is_none() {
            return true;
        }
        self.trials += 1;
        let mut live = self.live;
        let most = self.registers.len();
        let mut at = number;
        loop {
            let node = &order.nodes[at];
            for value in &node.reads {
                let (trial, left) = &mut self.trial[value.0];
                if *trial != self.trials {
                    (*trial, *left) = (self.trials, self.left[value.0]);
                }
                *left -= 1;
                live -= usize::from(*left == 0);
            }
            if let Some(value) = node.makes {
                if live + 1 > most {
                    return false;
                }
                live += usize::from(order.uses[value.0] > 0);
            }
            at = if at == number { self.head } else { self.next[at] };
            if at == number {
                return true;
            }
        }
    }

    fn issue(&mut self, number: usize) -> Result<(), Fault> {
        let order = self.order;
        let (node, step) = (&order.nodes[number], &order.draft.steps[number]);
        let reads = self.reads(number);
        for value in &node.reads {
            self.left[value.0] -= 1;
            if self.left[value.0] == 0 {
                self.live -= 1;
                self.free |= 1 << self.of[value.0];
            }
        }
        let [x, y] = [step.x, step.y].map(|name| self.register(name));
        let mut writes = node.fixed_writes;
        let mut to = match step.to {
            Some(Name::Register(register)) => register,
            _ => 0,
        };
        if let Some(value) = node.makes {
            let available = |register: &&Register| self.free >> **register & 1 == 1;
            let returned = order.draft.returned.filter(|(own, _)| *own == value);
            let returned = returned.as_ref().map(|(_, register)| register).filter(available);
            let returned =
                returned.or_else(|| Some(&x).filter(|_| order.core.is_in_place(step.act)).filter(available));
            to = *returned.or(self.registers.iter().find(available)).ok_or(Fault::Instruction)?;
            self.of[value.0] = to;
            writes |= 1 << to;
            if self.left[value.0] > 0 {
                self.live += 1;
                self.free &= !(1 << to);
            }
        }
        self.clock.issue(reads, writes, &node.facts.time);
        self.code.push(order.core.instruction(step.act, to, [x, y]));
        for follower in &order.nodes[number].followers {
            self.open[*follower] -= 1;
        }
        Ok(())
    }
}
