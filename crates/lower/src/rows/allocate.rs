//! Registers for values: each has one register from the moment that it is made to its last use.
//!
//! LDM and STM move registers in ascending order to ascending addresses, so the words of one access must lie in
//! ascending registers. In code of three addresses nearly every result may go anywhere, so that depth-first
//! search in random order, begun anew where it stays too long, finds registers without a move.

use super::arrange::{Event, Group};
use super::line::{Op, Unit, Value};
use crate::file::Register;
use rhomb_machine::Random;

/// Registers of the values, and for each multiplication whether `x` is Rs.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// By value.
    pub registers: Vec<Register>,
    /// By event: whether the first factor of a multiplication stands in Rs.
    pub first_is_rs: Vec<bool>,
}

/// Where a value stands in stores.
#[derive(Clone, Copy, Debug)]
struct Member {
    group: usize,
    place: usize,
}

struct Problem<'a> {
    events: &'a [Event],
    allowed: u16,
    second_is_rs: bool,
    /// What is one with what: UMLAL's results lie where its summands were.
    class: Vec<Value>,
    last: Vec<usize>,
    touched: Vec<bool>,
    members: Vec<Vec<Member>>,
    /// The classes that each store has, ascending.
    groups: Vec<Vec<Value>>,
}

/// What is done at an event.
#[derive(Clone, Debug, Default)]
struct Way {
    values: [(Value, Register); 15],
    number: usize,
    first_is_rs: bool,
}

impl Way {
    fn give(&mut self, class: Value, register: Register) {
        self.values[self.number] = (class, register);
        self.number += 1;
    }
}

const NONE: Register = 255;

/// How often an attempt goes back.
const PATIENCE: usize = 40;

/// Gives registers to the events of a unit; nothing where none were found within `attempts`.
pub(super) fn allocate(
    events: &[Event],
    unit: &Unit,
    allowed: u16,
    attempts: usize,
    seed: u64,
) -> Option<Assignment> {
    let problem = Problem::new(events, unit, allowed);
    let mut random = Random::new(seed);
    (0..attempts).find_map(|_| problem.attempt(&unit.entry, &mut random))
}

impl<'a> Problem<'a> {
    fn new(events: &'a [Event], unit: &Unit, allowed: u16) -> Self {
        let values = unit.values;
        let mut class: Vec<Value> = (0..values).collect();
        for event in events {
            if let Event::Op(Op::Accumulate { low, high, low_in, high_in, .. }) = event {
                class[*low] = class[*low_in];
                class[*high] = class[*high_in];
            }
        }
        let mut last = vec![0; values];
        let mut touched = vec![false; values];
        for (at, event) in events.iter().enumerate() {
            let mut touch = |value: Value| {
                last[class[value]] = at;
                touched[class[value]] = true;
            };
            match event {
                Event::Op(op) => {
                    op.makes().for_each(&mut touch);
                    op.uses().for_each(&mut touch);
                }
                Event::Load(group) | Event::Store(group) => {
                    group.values.iter().copied().for_each(&mut touch);
                    touch(group.base);
                }
            }
        }
        for value in &unit.exit {
            last[*value] = events.len();
            touched[*value] = true;
        }
        let mut members = vec![Vec::new(); values];
        let mut groups = Vec::new();
        for event in events {
            if let Event::Store(group) = event
                && group.values.len() > 1
            {
                for (place, value) in group.values.iter().enumerate() {
                    members[class[*value]].push(Member { group: groups.len(), place });
                }
                groups.push(group.values.iter().map(|value| class[*value]).collect());
            }
        }
        let second_is_rs = unit.second_is_rs;
        Problem { events, allowed, second_is_rs, class, last, touched, members, groups }
    }

    /// Whether a class may lie in a register, beside those of its stores that lie somewhere already.
    fn fits(&self, class: Value, register: Register, registers: &[Register]) -> bool {
        self.members[class].iter().all(|member| {
            let group = &self.groups[member.group];
            let (mut low, mut high) = (-1i32, 15i32);
            let (mut below, mut above) = (0u32, 0u32); // members that lie nowhere yet, up to the next that does
            for other in group[..member.place].iter().rev() {
                if registers[*other] != NONE {
                    low = registers[*other].into();
                    break;
                }
                below += 1;
            }
            for other in &group[member.place + 1..] {
                if registers[*other] != NONE {
                    high = registers[*other].into();
                    break;
                }
                above += 1;
            }
            let between = |from: i32, to: i32| {
                (0..15).filter(|at| *at > from && *at < to).fold(0u16, |set, at| set | 1 << at)
            };
            let register = i32::from(register);
            register > low
                && register < high
                && (between(low, register) & self.allowed).count_ones() >= below
                && (between(register, high) & self.allowed).count_ones() >= above
        })
    }

    /// A free register that suits a class, a good one rather.
    fn suited(
        &self,
        class: Value,
        free: u16,
        registers: &[Register],
        random: &mut Random,
    ) -> Option<Register> {
        let suited = (0..15).filter(|at| free & 1 << at != 0 && self.fits(class, *at, registers));
        suited.min_by_key(|register| {
            let wish = self.members[class].first().map_or(0, |member| {
                let size = self.groups[member.group].len();
                let rank = (self.allowed & ((1 << register) - 1)).count_ones() as usize;
                let all = self.allowed.count_ones() as usize;
                // a middling place in a store wants a middling register
                (rank * size).abs_diff(member.place * all + all / 2) * 3 / size.max(1)
            });
            random.index(16) + wish
        })
    }

    fn dies(&self, value: Value, at: usize) -> bool {
        self.last[self.class[value]] == at
    }

    /// A way to go on, chosen at random.
    fn way(&self, at: usize, free: u16, registers: &[Register], random: &mut Random) -> Option<Way> {
        let bit = |value: Value| 1u16 << registers[self.class[value]];
        match &self.events[at] {
            Event::Op(Op::Multiply { low, high, x, y }) => {
                let (x_dies, y_dies) = (self.dies(*x, at) && x != y, self.dies(*y, at) && x != y);
                let first_is_rs = !self.second_is_rs && x_dies && !(y_dies && random.index(2) == 0);
                let reused = match first_is_rs {
                    true => bit(*x),
                    false if y_dies => bit(*y),
                    false => 0,
                };
                let first = self.suited(self.class[*low], free | reused, registers, random)?;
                let left = (free | reused) & !(1 << first);
                // both may be words of one store
                let mut registers = registers.to_vec();
                registers[self.class[*low]] = first;
                let second = self.suited(self.class[*high], left, &registers, random)?;
                let mut way = Way { first_is_rs, ..Way::default() };
                way.give(self.class[*low], first);
                way.give(self.class[*high], second);
                Some(way)
            }
            Event::Op(Op::Accumulate { x, y, .. }) => {
                let first_is_rs = !self.second_is_rs && self.dies(*x, at) && !self.dies(*y, at);
                Some(Way { first_is_rs, ..Way::default() })
            }
            Event::Op(Op::Data { d, n, m, .. }) => {
                let dying = n.iter().copied().chain(m.value()).filter(|value| self.dies(*value, at));
                let free = dying.fold(free, |free, value| free | bit(value));
                let mut way = Way::default();
                way.give(self.class[*d], self.suited(self.class[*d], free, registers, random)?);
                Some(way)
            }
            Event::Load(Group { base, values, .. }) => {
                let free = if self.dies(*base, at) { free | bit(*base) } else { free };
                (0..8).find_map(|_| self.ascending(values, free, registers, random))
            }
            Event::Store(_) => Some(Way::default()),
        }
    }

    /// Ascending registers for words that are loaded together.
    fn ascending(
        &self,
        values: &[Value],
        free: u16,
        registers: &[Register],
        random: &mut Random,
    ) -> Option<Way> {
        let mut chosen = free;
        while (chosen.count_ones() as usize) > values.len() {
            let drop = random.index(15);
            chosen &= !(1 << drop);
        }
        if (chosen.count_ones() as usize) < values.len() {
            return None;
        }
        let mut way = Way::default();
        let mut registers = registers.to_vec();
        for (value, register) in values.iter().zip((0..15).filter(|register| chosen & 1 << register != 0)) {
            if !self.fits(self.class[*value], register, &registers) {
                return None;
            }
            registers[self.class[*value]] = register;
            way.give(self.class[*value], register);
        }
        Some(way)
    }

    /// Free registers after an event.
    fn after(&self, at: usize, free: u16, way: &Way, registers: &[Register]) -> u16 {
        let bit = |value: Value| 1u16 << registers[self.class[value]];
        let made = way.values[..way.number].iter();
        let made = made.fold(0u16, |set, (_, register)| set | 1 << register);
        // what is made and used by nothing
        let wasted = way.values[..way.number].iter().filter(|(class, _)| self.last[*class] == at);
        let wasted = wasted.fold(0u16, |set, (_, register)| set | 1 << register);
        let mut dying = 0;
        let mut touch = |value: Value| {
            if self.dies(value, at) {
                dying |= bit(value);
            }
        };
        match &self.events[at] {
            Event::Op(op) => op.uses().for_each(touch),
            Event::Load(group) => touch(group.base),
            Event::Store(group) => {
                group.values.iter().copied().chain([group.base]).for_each(&mut touch);
            }
        }
        ((free | dying) & !made | wasted) & self.allowed
    }

    fn attempt(&self, entry: &[(Value, Register)], random: &mut Random) -> Option<Assignment> {
        let mut registers = vec![NONE; self.class.len()];
        let mut free = self.allowed;
        for (value, register) in entry {
            registers[*value] = *register;
            if self.touched[*value] {
                free &= !(1 << register);
            }
        }
        // free registers before each event so far, and what was done there
        let mut done: Vec<(u16, Way)> = Vec::with_capacity(self.events.len());
        let mut patience = PATIENCE + self.events.len() / 4;
        while done.len() < self.events.len() {
            let at = done.len();
            if let Some(way) = self.way(at, free, &registers, random) {
                for (class, register) in &way.values[..way.number] {
                    registers[*class] = *register;
                }
                let next = self.after(at, free, &way, &registers);
                done.push((free, way));
                free = next;
                continue;
            }
            // back, by more than one event: what stands in the way is seldom the last choice
            patience = patience.checked_sub(1)?;
            for _ in 0..1 + random.index(24) {
                let Some((before, way)) = done.pop() else { break };
                way.values[..way.number].iter().for_each(|(class, _)| registers[*class] = NONE);
                free = before;
            }
        }
        let first_is_rs = done.iter().map(|(_, way)| way.first_is_rs).collect();
        let registers = self.class.iter().map(|class| registers[*class]).collect();
        Some(Assignment { registers, first_is_rs })
    }
}
